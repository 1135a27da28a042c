/* Layers of a scene that outlive it: see open/kept.h. */
#include "compiler/engine/scene/scene.h"
#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"

typedef struct Making {
    Gather *g;
    const PartVisit *visit;
    SceneLayer layer;
    Kept *kept;
} Making;

static void make_layer(Rt *rt, void *user, Slot *slots) {
    Making *making = user;
    SceneStore *store = making->g->store;
    (void)slots;
    void *what = making->layer.make(making->g, making->visit, making->layer.which);
    if (!rt_failed(rt) && !store->refused) making->kept->what = what;
}

static uint64_t key_of(const Gather *g, const PartVisit *visit, SceneLayer layer) {
    StrBuf path = {.arena = g->rt->arena};
    rt_part_path(&path, visit->part);
    return hash_bytes(path.ptr, path.len, hash_bytes(layer.name, strlen(layer.name), 1 + (uint64_t)layer.which));
}

/* Spawned parts come and go, and what a layer has read of them with them. */
static bool may_be_kept(const World *world) {
    return world->parts->broods == NULL && world->engine->desc.stdlib_dir == NULL;
}

static Kept *find_good(Gather *g, uint64_t key) {
    World *world = g->world;
    Kept *kept = kept_find(&world->kept, key);
    if (kept == NULL) return NULL;
    bool good = may_be_kept(world) && rt_value_holds(g->rt, kept->reads, kept->since);
    if (good) {
        kept->since = rt_world_clock(world->parts);
        return kept;
    }
    kept_spoil(kept);
    return NULL;
}

static Kept *make_kept(Gather *g, const PartVisit *visit, SceneLayer layer, uint64_t key) {
    World *world = g->world;
    SceneStore *store = g->store;
    Kept *kept = kept_begin(&world->kept, &world->engine->memory, key);
    Making making = {.g = g, .visit = visit, .layer = layer, .kept = kept};
    SceneStore outer = *store;
    store->arena = &kept->arena;
    memset(&store->maps, 0, sizeof store->maps); /* what one reads is to be read for this layer, and it lies in it */
    kept->reads = rt_value_keep(g->rt, make_layer, &making, NULL, NULL);
    if (kept->reads) scene_drop_rasters(store);
    store->arena = outer.arena;
    store->maps = outer.maps;
    kept->of = world->parts;
    kept->since = rt_world_clock(world->parts);
    if (kept->reads == NULL) kept->what = NULL;
    if (kept->what) world->kept.layers++;
    return kept;
}

/* A layer that is made of others rests on all that they read. */
static void read_too(Rt *rt, const RtVersion *reads) {
    for (const RtEdge *edge = rt->reader ? reads->first : NULL; edge && !rt_failed(rt); edge = edge->next)
        cell_read(rt, edge->dep);
}

void *scene_layer(Gather *g, const PartVisit *visit, SceneLayer layer) {
    if (!may_be_kept(g->world)) return layer.make(g, visit, layer.which);
    uint64_t key = key_of(g, visit, layer);
    Kept *kept = find_good(g, key);
    if (kept == NULL) kept = make_kept(g, visit, layer, key);
    if (kept->what) read_too(g->rt, kept->reads);
    return kept->what;
}
