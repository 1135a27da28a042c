/* A scene that follows an eye: what parts of worldgen.world publish round one place comes in chunks round the eye instead (ask/chunks.c).
 *
 * The scene of the world leaves their things out while a stream is open. Each chunk has its copies by mesh, made once, and goes with them; kinds
 * and meshes that come later are added to the world's scene, where they stay. What is handed out lists the scene's copies, then the chunks'.
 */
#include <math.h>

#include "compiler/engine/scene/scene.h"
#include "runtime/base/clock.h"
#include "runtime/rt/cell.h"
#include "stdlib/library_names.h"

/* -- which parts -- */

static bool is_layout_of_world(const World *world, const TreeClass *cls, int field) {
    return parts_is_made_of(world, cls, STR_LIT(STD_worldgen_world)) &&
           str_equal(symbols_name(&world->compile->symbols, cls->fields.items[field].name), STR_LIT(STD_worldgen_world_placements));
}

static const Slot *read_field(const World *world, const TreeClass *cls, Rt *rt, RtPart *part, Str name) {
    return rt_cell_get(rt, part, parts_field(cls, &world->compile->symbols, name));
}

bool scene_streams(const World *world, const TreeClass *cls, Rt *rt, RtPart *part, int field) {
    if (world->streams == 0 || !is_layout_of_world(world, cls, field)) return false;
    return read_field(world, cls, rt, part, STR_LIT(STD_worldgen_world_streams))->w != 0;
}

bool scene_add_streamed(Gather *g, const PartVisit *visit, const Paint *paint, int field) {
    const Slot *viewer = read_field(g->world, visit->cls, g->rt, visit->part, STR_LIT(STD_worldgen_world_viewer));
    SceneStreamed streamed = {.path = scene_path(g, visit->part, STR_LIT("")),
                              .layout = scene_path(g, visit->part, visit->part->cls->fields[field].name),
                              .part = visit->part,
                              .frame = visit->frame,
                              .paint = *paint,
                              .viewer = {viewer[0].f, viewer[1].f, viewer[2].f}};
    VEC_PUSH(g->store->arena, &g->store->streamed, streamed);
    return !rt_failed(g->rt);
}

/* -- a stream -- */

typedef struct Followed { /* a part whose chunks follow the eye */
    WorldStream *stream;
    char *path;
    WorldChunks *chunks;
    VEC(SceneChunk *) items; /* in the order in which they came */
    bool found, lost;        /* in the scene that is at hand; a chunk came for which there was no memory */
    WorldStatus status;      /* of the last chunk that came */
} Followed;

struct WorldStream {
    World *world;
    Arena arena; /* it lies in it */
    VEC(Followed *) followed;
    uint64_t shape; /* of the scene of whose meshes the chunks' copies are */
    const WorldScene *base;
    WorldScene scenes[2]; /* one after the other, so that who has the one sees when there is another */
    int number;     /* of that which was handed out last */
    Arena shown;    /* of its arrays */
    double listed;  /* when it was made, seconds */
    size_t missing; /* chunks, after the last look */
    bool changed;   /* it is not what it should be */
    bool settled;   /* nothing was missing round `eye` at `clock` */
    double eye[3];
    uint64_t clock;
};

static const double step = 2;        /* meters: an eye that moved less has seen what it sees */
static const double patience = 0.15; /* seconds that what came may wait for what is missing: a view has work with each scene */

static Memory *memory_of(const WorldStream *s) {
    return &s->world->engine->memory;
}

/* -- its chunks -- */

static void empty_chunk(SceneChunk *chunk, Memory *memory) {
    const WorldTable *table = chunk->table;
    arena_fini(&chunk->arena);
    *chunk = (SceneChunk){.table = table};
    arena_init(&chunk->arena, memory);
}

typedef struct ChunkCall {
    WorldStream *stream;
    const Followed *of;
    SceneChunk *chunk;
    Arena scratch;
} ChunkCall;

static const SceneStreamed *find_streamed(const SceneStore *store, const char *path) {
    for (int i = 0; i < store->streamed.count; i++)
        if (strcmp(store->streamed.items[i].path, path) == 0) return &store->streamed.items[i];
    return NULL;
}

/* The world's scene takes the kinds and meshes that are new, and its arrays are made anew. */
static WorldStatus make_chunk(World *world, Rt *rt, void *args) {
    ChunkCall *call = args;
    if (world->scene == NULL || world->scene->shape != call->stream->shape) return WORLD_OK; /* it is made with the next */
    SceneStore *store = (SceneStore *)(uintptr_t)SCENE_STORE(world->scene);
    const SceneStreamed *streamed = find_streamed(store, call->of->path);
    Gather g = {.world = world, .rt = rt, .store = store};
    empty_chunk(call->chunk, memory_of(call->stream));
    store->arena = &world->views;
    store->scratch = &call->scratch;
    int meshes = store->meshes.count, materials = store->cards.count;
    bool good = streamed && scene_add_chunk(&g, streamed, call->chunk);
    if (store->meshes.count > meshes) {
        store->shapes = NULL, store->bumped = NULL; /* solids are of the meshes that there were */
        scene_flatten(&g);
        scene_finish(store);
        if (store->cards.count > materials) call->stream->shape = store->scene.shape = scene_new_shape(world); /* a view has programs to make */
    }
    store->arena = store->scratch = NULL;
    if (!good) return store->refused ? WORLD_ERROR_WORLD : entry_fault(world, rt);
    for (int i = 0; i < call->chunk->groups.count; i++)
        call->chunk->groups.items[i].standing = ++world->standing << 32;
    call->chunk->made = true;
    call->stream->changed = true;
    return WORLD_OK;
}

static WorldStatus make(WorldStream *s, const Followed *of, SceneChunk *chunk) {
    ChunkCall call = {s, of, chunk, {0}};
    arena_init(&call.scratch, memory_of(s));
    WorldStatus status = entry_run(s->world, make_chunk, &call);
    arena_fini(&call.scratch);
    return status;
}

static void come(void *user, const WorldChunk *came) {
    Followed *f = user;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        VEC_ROOM(&f->stream->arena, &f->items, 1);
        SceneChunk *chunk = memory_resize(memory_of(f->stream), NULL, 0, sizeof *chunk);
        *chunk = (SceneChunk){.table = came->things};
        arena_init(&chunk->arena, memory_of(f->stream));
        f->items.items[f->items.count++] = chunk;
        memory_end_try(&recover);
        WorldStatus status = make(f->stream, f, chunk);
        if (status != WORLD_OK) f->status = status;
    } else {
        f->lost = true;
    }
}

static void drop_chunk(Followed *f, int at) {
    SceneChunk *chunk = f->items.items[at];
    arena_fini(&chunk->arena);
    memory_resize(memory_of(f->stream), chunk, sizeof *chunk, 0);
    f->items.count--;
    memmove(&f->items.items[at], &f->items.items[at + 1], sizeof chunk * (size_t)(f->items.count - at));
    f->stream->changed = true;
}

static void go(void *user, const WorldChunk *gone) {
    Followed *f = user;
    for (int i = 0; i < f->items.count; i++)
        if (f->items.items[i]->table == gone->things) {
            drop_chunk(f, i);
            return;
        }
}

/* -- its parts -- */

static void let_go(Followed *f) {
    world_chunks_destroy(f->chunks);
    f->chunks = NULL;
    f->lost = false;
}

static Followed *find_followed(WorldStream *s, const char *path) {
    for (int i = 0; i < s->followed.count; i++)
        if (strcmp(s->followed.items[i]->path, path) == 0) return s->followed.items[i];
    Followed *f = ARENA_NEW(&s->arena, Followed);
    *f = (Followed){.stream = s, .path = arena_strndup(&s->arena, path, strlen(path))};
    VEC_PUSH(&s->arena, &s->followed, f);
    return f;
}

/* Of another scene: its parts, and copies of its meshes. */
static void take_scene(WorldStream *s) {
    const SceneStore *store = SCENE_STORE(s->base);
    for (int i = 0; i < s->followed.count; i++)
        s->followed.items[i]->found = false;
    for (int i = 0; i < store->streamed.count; i++)
        find_followed(s, store->streamed.items[i].path)->found = true;
    for (int i = 0; i < s->followed.count; i++) {
        Followed *f = s->followed.items[i];
        if (!f->found) let_go(f);
        for (int k = 0; k < f->items.count; k++)
            empty_chunk(f->items.items[k], memory_of(s));
    }
    s->shape = s->base->shape;
    s->settled = false;
}

/* Chunks that are there and were not made for this scene. */
static WorldStatus make_others(WorldStream *s, const Followed *f) {
    WorldStatus status = WORLD_OK;
    for (int i = 0; status == WORLD_OK && i < f->items.count; i++)
        if (!f->items.items[i]->made) status = make(s, f, f->items.items[i]);
    return status;
}

static WorldStatus follow_part(Followed *f, const double eye[3], double seconds, size_t *missing) {
    WorldStream *s = f->stream;
    const SceneStreamed *streamed = find_streamed(SCENE_STORE(s->base), f->path);
    WorldChunksDesc desc = {.size = sizeof desc, .come = come, .go = go, .user = f};
    WorldStatus status = f->lost ? (let_go(f), WORLD_OK) : WORLD_OK;
    if (!streamed) return WORLD_OK;
    Vec3 at = eye ? frame_to_local(&streamed->frame, (Vec3){eye[0], eye[1], eye[2]}) : streamed->viewer;
    if (!f->chunks) status = world_chunks_create(s->world, f->path, &desc, &f->chunks);
    if (status == WORLD_OK) status = make_others(s, f);
    f->status = WORLD_OK;
    if (status == WORLD_OK) status = world_chunks_update_at(f->chunks, (const double[3]){at.x, at.y, at.z}, seconds, missing);
    if (status == WORLD_OK) status = f->lost ? WORLD_ERROR_MEMORY : f->status;
    return status;
}

static bool is_settled(const WorldStream *s, const double eye[3]) {
    if (!s->settled || eye == NULL || s->clock != rt_world_clock(s->world->parts)) return false;
    double x = eye[0] - s->eye[0], y = eye[1] - s->eye[1], z = eye[2] - s->eye[2];
    return x * x + y * y + z * z < step * step;
}

static WorldStatus follow(WorldStream *s, const double eye[3], double seconds, size_t *missing) {
    double until = clock_seconds() + seconds;
    WorldStatus status = WORLD_OK;
    *missing = 0;
    if (is_settled(s, eye)) return WORLD_OK;
    for (int i = 0; status == WORLD_OK && i < s->followed.count; i++) {
        size_t left = 0;
        if (s->followed.items[i]->found) status = follow_part(s->followed.items[i], eye, fmax(0, until - clock_seconds()), &left);
        *missing += left;
    }
    s->settled = status == WORLD_OK && *missing == 0 && eye;
    if (eye) memcpy(s->eye, eye, sizeof s->eye);
    s->clock = rt_world_clock(s->world->parts);
    return status;
}

/* -- what is handed out -- */

typedef struct Sizes {
    size_t groups, copies, things;
} Sizes;

static Sizes sizes_of(const WorldStream *s) {
    Sizes sizes = {s->base->instance_count, 0, s->base->thing_count};
    for (int i = 0; i < s->followed.count; i++)
        for (int k = 0; k < s->followed.items[i]->items.count; k++) {
            const SceneChunk *chunk = s->followed.items[i]->items.items[k];
            sizes.groups += (size_t)chunk->groups.count;
            sizes.things += (size_t)chunk->things.count;
            for (int g = 0; g < chunk->groups.count; g++)
                sizes.copies += (size_t)chunk->groups.items[g].copies.things.count;
        }
    return sizes;
}

typedef struct Listing {
    WorldInstances *instances;
    const uint32_t **instance_things;
    const WorldThing **things;
    uint32_t *numbers; /* of copies' things */
    size_t groups, things_count;
} Listing;

static void list_chunk(Listing *out, const SceneChunk *chunk) {
    for (int g = 0; g < chunk->groups.count; g++) {
        const SceneGroup *group = &chunk->groups.items[g];
        uint32_t count = (uint32_t)group->copies.things.count;
        for (uint32_t i = 0; i < count; i++)
            out->numbers[i] = (uint32_t)out->things_count + group->copies.things.items[i];
        out->instances[out->groups] = (WorldInstances){group->mesh, count, group->copies.transforms, group->copies.tints, group->standing};
        out->instance_things[out->groups++] = out->numbers;
        out->numbers += count;
    }
    for (int t = 0; t < chunk->things.count; t++)
        out->things[out->things_count++] = &chunk->things.items[t];
}

static void copy_array(void *to, const void *from, size_t size) {
    if (size) memcpy(to, from, size);
}

static void list_scene(WorldStream *s) {
    Sizes sizes = sizes_of(s);
    const WorldScene *base = s->base;
    Arena arena;
    arena_init(&arena, memory_of(s));
    Arena before = s->shown;
    s->shown = arena; /* what fails is given back with the next */
    arena_fini(&before);
    Listing out = {ARENA_ARRAY(&s->shown, WorldInstances, sizes.groups + 1), ARENA_ARRAY(&s->shown, const uint32_t *, sizes.groups + 1),
                   ARENA_ARRAY(&s->shown, const WorldThing *, sizes.things + 1), ARENA_ARRAY(&s->shown, uint32_t, sizes.copies + 1), base->instance_count,
                   base->thing_count};
    copy_array(out.instances, base->instances, sizeof *out.instances * base->instance_count);
    copy_array(out.instance_things, base->instance_things, sizeof *out.instance_things * base->instance_count);
    copy_array(out.things, base->things, sizeof *out.things * base->thing_count);
    WorldScene *scene = &s->scenes[s->number = !s->number];
    *scene = *base;
    scene->instances = out.instances;
    scene->instance_things = out.instance_things;
    scene->things = out.things;
    for (int i = 0; i < s->followed.count; i++)
        for (int k = 0; k < s->followed.items[i]->items.count; k++)
            list_chunk(&out, s->followed.items[i]->items.items[k]);
    scene->instance_count = out.groups;
    scene->thing_count = out.things_count;
    s->changed = false;
    s->listed = clock_seconds();
}

static WorldStatus look(WorldStream *s, const double eye[3], double seconds, size_t *missing) {
    const WorldScene *base;
    WorldStatus status = world_scene(s->world, &base);
    if (status != WORLD_OK) return status;
    bool other = base != s->base;
    s->base = base;
    if (base->shape != s->shape) take_scene(s);
    status = follow(s, eye, seconds, missing);
    if (status != WORLD_OK) return status;
    other = other || s->scenes[s->number].shape != base->shape;
    if (other || (s->changed && (*missing == 0 || clock_seconds() > s->listed + patience))) list_scene(s);
    return WORLD_OK;
}

/* -- the public face -- */

WorldStatus world_stream_scene(WorldStream *stream, const double eye[3], double seconds, size_t *missing, const WorldScene **scene) {
    bool good = stream && scene && !isnan(seconds) && (eye == NULL || (isfinite(eye[0]) && isfinite(eye[1]) && isfinite(eye[2])));
    if (!good) return WORLD_ERROR_ARGUMENT;
    Recover recover;
    WorldStatus status;
    stream->missing = 0;
    if (MEMORY_TRY(&recover)) {
        status = look(stream, eye, seconds, &stream->missing);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    if (missing) *missing = stream->missing;
    if (status == WORLD_OK) *scene = &stream->scenes[stream->number];
    return status;
}

static WorldStatus count_stream(World *world, Rt *rt, void *args) {
    (void)rt;
    world->streams += *(const int *)args;
    world_drop_views(world); /* whose scene has things that are left out now, or has them not */
    return WORLD_OK;
}

WorldStatus world_stream_create(World *world, WorldStream **stream) {
    if (world == NULL || stream == NULL) return WORLD_ERROR_ARGUMENT;
    Arena arena;
    Recover recover;
    arena_init(&arena, &world->engine->memory);
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        WorldStream *s = ARENA_NEW(&arena, WorldStream);
        s->world = world;
        arena_init(&s->shown, &world->engine->memory);
        status = entry_change(world, count_stream, &(int){1});
        if (status == WORLD_OK) {
            s->arena = arena;
            *stream = s;
        }
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    if (status != WORLD_OK) arena_fini(&arena);
    return status;
}

void world_stream_destroy(WorldStream *stream) {
    if (stream == NULL) return;
    for (int i = 0; i < stream->followed.count; i++)
        let_go(stream->followed.items[i]);
    entry_change(stream->world, count_stream, &(int){-1});
    arena_fini(&stream->shown);
    Arena arena = stream->arena;
    arena_fini(&arena);
}
