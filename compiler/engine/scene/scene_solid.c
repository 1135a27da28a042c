/* What there is to bump into, of what is drawn: the meshes' shapes, worked out once when they are first asked for, and what parts say that they
 * are. Where they stand are the scene's own transforms.
 */
#include "compiler/engine/scene/scene.h"
#include "runtime/grid/divided.h"

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
        add_group(out, groups, (WorldSolidGroup){first, store->shapes->first[i + 1] - first, (uint32_t)mesh->copies.things.count, mesh->copies.transforms, mesh->copies.things.items});
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

/* False: the land has not all of it. */
static bool find_window(const WorldScene *scene, int i0, int j0, int i1, int j1, RtGrid *grid, DividedWindow *window) {
    const WorldGridView *land = &scene->land;
    if (!(0 <= i0 && i0 < i1 && i1 < land->columns && 0 <= j0 && j0 < j1 && j1 < land->rows)) return false;
    *grid = (RtGrid){.columns = land->columns, .rows = land->rows, .cell = land->cell, .x0 = land->x0, .z0 = land->z0, .finer = land->finer,
                     .tail = (int64_t)land->tail, .heights = (float *)(uintptr_t)land->heights};
    *window = divided_window(grid, i0, j0, i1, j1);
    return true;
}

static void put_points(const DividedWindow *window, float *points) {
    const RtGrid *grid = window->grid;
    for (int j = window->j0; j <= window->j1; j++)
        for (int i = window->i0; i <= window->i1; i++, points += 3) {
            points[0] = (float)grid_x(grid, i);
            points[1] = grid_get(grid, i, j);
            points[2] = (float)grid_z(grid, j);
        }
    for (DividedTile tile = {.column = -1}; divided_next(window, &tile);)
        for (int32_t q = tile.q0; q <= tile.q1; q++, points += 3 * (size_t)divided_row_points(&tile))
            divided_points(window, &tile, q, points);
}

/* `triangles` may be NULL. How many there are. */
static size_t put_triangles(const DividedWindow *window, uint32_t *triangles) {
    uint32_t row = (uint32_t)(window->i1 - window->i0 + 1);
    size_t count = 0;
    for (int j = window->j0; j < window->j1; j++)
        for (int i = window->i0; i < window->i1; i++) {
            if (divided_is_square(window, i, j)) continue;
            if (triangles) put_square(i, j, (uint32_t)(j - window->j0) * row + (uint32_t)(i - window->i0), row, triangles + 3 * count);
            count += 2;
        }
    for (DividedTile tile = {.column = -1}; divided_next(window, &tile);)
        for (int32_t q = tile.q0; q < tile.q1; q++)
            count += (size_t)divided_triangles(window, &tile, q, triangles ? triangles + 3 * count : NULL);
    return count;
}

WorldStatus world_solids_land(const WorldScene *scene, int i0, int j0, int i1, int j1, float *points, uint32_t *triangles) {
    RtGrid grid;
    DividedWindow window;
    if (scene == NULL || points == NULL || triangles == NULL || !find_window(scene, i0, j0, i1, j1, &grid, &window)) return WORLD_ERROR_ARGUMENT;
    if (divided_next(&window, &(DividedTile){.column = -1})) return WORLD_ERROR_ARGUMENT; /* the caller's room is for squares that are whole */
    put_points(&window, points);
    put_triangles(&window, triangles);
    return WORLD_OK;
}

WorldStatus world_solids_ground(const WorldScene *scene, int i0, int j0, int i1, int j1, size_t *point_count, float *points, size_t *triangle_count,
                                uint32_t *triangles) {
    RtGrid grid;
    DividedWindow window;
    if (scene == NULL || point_count == NULL || triangle_count == NULL || !find_window(scene, i0, j0, i1, j1, &grid, &window)) return WORLD_ERROR_ARGUMENT;
    size_t divided, fine;
    divided_count(&window, &divided, &fine);
    *point_count = (size_t)(i1 - i0 + 1) * (size_t)(j1 - j0 + 1) + divided;
    *triangle_count = put_triangles(&window, triangles);
    if (points) put_points(&window, points);
    return WORLD_OK;
}
