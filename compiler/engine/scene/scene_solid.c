/* What there is to bump into, of what is drawn: the meshes' shapes, worked out once when they are first asked for, and what parts say that they
 * are. Where they stand are the scene's own transforms.
 */
#include "compiler/engine/scene/scene.h"

#include "runtime/solid/solid.h"

/* Of mesh i of the scene: list.items[first[i] .. first[i + 1]). */
typedef struct SceneSolids {
    SolidList list;
    uint32_t *first;
} SceneSolids;

static const StdOptional_StdSolid *read_solid(Gather *g, const PartVisit *visit) {
    return (const void *)part_option(g->rt, visit->part, PART_SOLID);
}

static bool is_capsule(const StdOptional_StdSolid *solid) {
    return solid && solid->present && solid->value.kind == STD_SOLID_KIND_CAPSULE;
}

bool scene_read_solid(Gather *g, const PartVisit *visit, Paint *paint) {
    const StdOptional_StdSolid *solid = read_solid(g, visit);
    if (solid == NULL || rt_failed(g->rt)) return !rt_failed(g->rt);
    if (!solid->present || is_capsule(solid))
        paint->solid = SCENE_NO_SOLID;
    else if (solid->value.kind != STD_SOLID_KIND_OWN)
        paint->solid = (int)solid->value.kind;
    return true;
}

void scene_add_solid(Gather *g, const PartVisit *visit, const Paint *paint, ScenePieces *pieces) {
    const StdOptional_StdSolid *solid = read_solid(g, visit);
    if (!is_capsule(solid)) return;
    StdSolid *body = ARENA_NEW(g->store->arena, StdSolid);
    *body = solid->value;
    VEC_PUSH(g->store->arena, &pieces->items, ((ScenePiece){.paint = *paint, .body = body}));
}

static SceneBody *get_body(SceneStore *store, const StdSolid *solid) {
    for (int i = 0; i < store->bodies.count; i++)
        if (memcmp(&store->bodies.items[i].solid, solid, sizeof *solid) == 0 && store->bodies.items[i].of_parts == store->of_parts) return &store->bodies.items[i];
    SceneBody fresh = {.solid = *solid, .of_parts = store->of_parts};
    VEC_PUSH(store->arena, &store->bodies, fresh);
    return &store->bodies.items[store->bodies.count - 1];
}

void scene_put_body(SceneStore *store, const ScenePiece *piece, const float matrix[12]) {
    SceneBody *body = get_body(store, piece->body);
    for (int i = 0; i < 12; i++)
        VEC_PUSH(store->arena, &body->transforms, matrix[i]);
    VEC_PUSH(store->arena, &body->things, (uint32_t)store->things.count - 1);
}

/* -- shapes: one for the meshes of a scene, however it moves -- */

static void add_mesh(SolidList *list, const SceneMesh *mesh) {
    bool nothing = mesh->look.solid == SCENE_NO_SOLID || (mesh->look.solid == STD_SOLID_KIND_OWN && mesh->look.water);
    if (!nothing) solid_add_mesh(list, mesh->mesh, (SolidRule)mesh->look.solid);
}

_Static_assert(STD_SOLID_KIND_OWN == 0, "as a mesh looks");

static SceneSolids *make_shapes(const SceneStore *store, Arena *arena, Arena *scratch) {
    SceneSolids *shapes = ARENA_NEW(arena, SceneSolids);
    shapes->list = (SolidList){.arena = arena, .scratch = scratch};
    shapes->first = ARENA_ARRAY(arena, uint32_t, store->meshes.count + 1);
    for (int i = 0; i < store->meshes.count; i++) {
        add_mesh(&shapes->list, &store->meshes.items[i]);
        shapes->first[i + 1] = (uint32_t)shapes->list.items.count;
    }
    shapes->list.scratch = NULL;
    return shapes;
}

/* -- what is handed out -- */

static void add_group(WorldSolids *out, WorldSolidGroup *groups, WorldSolidGroup group) {
    if (group.count && group.copies) groups[out->group_count++] = group;
}

/* The shapes of the meshes come first, then those of parts that say them. */
static const WorldSolids *gather_solids(const SceneStore *store, Arena *arena) {
    WorldSolids *out = ARENA_NEW(arena, WorldSolids);
    SolidList list = {.arena = arena};
    WorldSolidGroup *groups = ARENA_ARRAY(arena, WorldSolidGroup, store->meshes.count + store->bodies.count + 1);
    for (int i = 0; i < store->shapes->list.items.count; i++)
        VEC_PUSH(arena, &list.items, store->shapes->list.items.items[i]);
    for (int i = 0; i < store->meshes.count; i++) {
        const SceneMesh *mesh = &store->meshes.items[i];
        uint32_t first = store->shapes->first[i];
        add_group(out, groups, (WorldSolidGroup){first, store->shapes->first[i + 1] - first, (uint32_t)mesh->copies.things.count, mesh->copies.transforms.items, mesh->copies.things.items});
    }
    for (int i = 0; i < store->bodies.count; i++) {
        const SceneBody *body = &store->bodies.items[i];
        const StdSolid *solid = &body->solid;
        add_group(out, groups, (WorldSolidGroup){(uint32_t)list.items.count, 1, (uint32_t)body->things.count, body->transforms.items, body->things.items});
        solid_add_capsule(&list, solid->from, solid->to, solid->radius);
    }
    out->solids = list.items.items;
    out->solid_count = (size_t)list.items.count;
    out->groups = groups;
    out->scene = &store->scene;
    return out;
}

typedef struct SolidCall {
    SceneArenas arenas;
    const WorldSolids **solids;
} SolidCall;

/* The shapes lie with the meshes; the rest goes with the next move. */
static WorldStatus get_solids(World *world, Rt *rt, void *args) {
    SolidCall *call = args;
    WorldStatus status = scene_renew(world, rt, &call->arenas);
    if (status != WORLD_OK) return status;
    SceneStore *store = (SceneStore *)(uintptr_t)SCENE_STORE(world->scene);
    if (store->shapes == NULL) store->shapes = make_shapes(store, &world->views, &call->arenas.scratch);
    if (store->bumped == NULL) store->bumped = gather_solids(store, &world->moving);
    *call->solids = store->bumped;
    return WORLD_OK;
}

WorldStatus world_solids(World *world, const WorldSolids **solids) {
    if (world == NULL || solids == NULL) return WORLD_ERROR_ARGUMENT;
    SolidCall call = {.solids = solids};
    scene_arenas_init(&call.arenas, world);
    WorldStatus status = entry_run(world, get_solids, &call);
    scene_arenas_fini(&call.arenas);
    return status;
}

/* -- the land -- */

static void put_square(int i, int j, uint32_t corner, uint32_t row, uint32_t *out) {
    const uint32_t a = corner, b = corner + 1, c = corner + row, d = c + 1; /* a b in the north, c d in the south */
    const uint32_t even[6] = {a, c, d, a, d, b}, odd[6] = {a, c, b, b, c, d};
    memcpy(out, (i + j) % 2 ? odd : even, sizeof even);
}

WorldStatus world_solids_land(const WorldScene *scene, int i0, int j0, int i1, int j1, float *points, uint32_t *triangles) {
    if (scene == NULL || points == NULL || triangles == NULL) return WORLD_ERROR_ARGUMENT;
    const WorldGridView *land = &scene->land;
    if (!(0 <= i0 && i0 < i1 && i1 < land->columns && 0 <= j0 && j0 < j1 && j1 < land->rows)) return WORLD_ERROR_ARGUMENT;
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++, points += 3) {
            points[0] = (float)(land->x0 + i * land->cell);
            points[1] = land->heights[(size_t)j * (size_t)land->columns + (size_t)i];
            points[2] = (float)(land->z0 + j * land->cell);
        }
    uint32_t row = (uint32_t)(i1 - i0 + 1);
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++, triangles += 6)
            put_square(i, j, (uint32_t)(j - j0) * row + (uint32_t)(i - i0), row, triangles);
    return WORLD_OK;
}
