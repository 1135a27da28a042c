/* The land of a scene: the first part that answers the land's questions and keeps a height grid. */
#include "compiler/engine/scene/scene.h"
#include "runtime/geometry/outline.h"
#include "runtime/geometry/spine.h"

static bool has_method(const TreeClass *cls, Str name) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++)
            if (str_equal(str_last_name(cls->methods.items[i]->name), name)) return true;
    return false;
}

static bool answers_land(const TreeClass *cls) {
    return has_method(cls, STR_LIT("height")) && has_method(cls, STR_LIT("gradient")) &&
           has_method(cls, STR_LIT("slope")) && has_method(cls, STR_LIT("normal")) &&
           has_method(cls, STR_LIT("curvature"));
}

/* The field `ground` when it is a grid, else the last grid: the last stage of the land. */
static int find_ground(const World *world, const TreeClass *cls) {
    const SymbolTable *symbols = &world->compile->symbols;
    int found = -1;
    for (int i = 0; i < cls->fields.count; i++) {
        const TreeField *field = &cls->fields.items[i];
        if (field->type->kind != TYPE_OBJECT ||
            !str_equal(symbols_name(symbols, field->type->name), STR_LIT("heightGrid")))
            continue;
        found = i;
        if (str_equal(symbols_name(symbols, field->name), STR_LIT("ground"))) return i;
    }
    return found;
}

static void take_grid(WorldScene *scene, const RtGrid *grid, const Frame *frame) {
    scene->land = (WorldGridView){grid->columns, grid->rows,    grid->cell,   grid->x0,
                                  grid->z0,      grid->outside, grid->heights};
    scene_matrix(frame, scene->land_transform);
}

static bool take_edge(Gather *g, const PartVisit *visit) {
    const Slot *edge = parts_read(g->world, g->rt, visit->part, STR_LIT("edge"), NULL);
    WorldScene *scene = &g->store->scene;
    if (edge)
        scene->land_edge = (WorldEdge){.kind = (WorldEdgeKind)edge[0].i,
                                       .wade = edge[1].f,
                                       .fall_to = {edge[2].f, edge[3].f, edge[4].f}};
    scene->has_sea = scene->land_edge.kind == WORLD_EDGE_SEA;
    if (scene->has_sea) scene->sea_level = visit->frame.at.y;
    return !rt_failed(g->rt);
}

static bool take_fine_over(Gather *g, const PartVisit *visit) {
    SceneStore *store = g->store;
    const Slot *over = parts_read(g->world, g->rt, visit->part, STR_LIT("fineOver"), NULL);
    if (over == NULL || over[0].w == 0) return !rt_failed(g->rt);
    const RtOutline *outline = over[1].r;
    for (int i = 0; i < outline->count; i++) {
        VEC_PUSH(store->arena, &store->fine_over, outline->corners[i].x);
        VEC_PUSH(store->arena, &store->fine_over, outline->corners[i].z);
    }
    store->scene.land_fine_over = store->fine_over.items;
    store->scene.land_fine_over_count = (size_t)outline->count;
    return true;
}

bool scene_find_land(Gather *g, const PartVisit *visit) {
    int ground = answers_land(visit->cls) ? find_ground(g->world, visit->cls) : -1;
    if (ground < 0) return true;
    const RtGrid *grid = rt_cell_get(g->rt, visit->part, ground)->r;
    if (rt_failed(g->rt) || grid == NULL) return !rt_failed(g->rt);
    take_grid(&g->store->scene, grid, &visit->frame);
    g->store->land = visit->part;
    return take_edge(g, visit) && take_fine_over(g, visit) && scene_cover_land(g, visit, grid);
}

static WorldPath path_of(Arena *arena, const RtSpine *spine, double half_width) {
    double *points = ARENA_ARRAY(arena, double, 2 * (size_t)spine->count);
    for (int32_t i = 0; i < spine->count; i++) {
        points[2 * i] = spine->points[i].x;
        points[2 * i + 1] = spine->points[i].z;
    }
    return (WorldPath){(size_t)spine->count, points, half_width};
}

bool scene_find_path(Gather *g, const PartVisit *visit) {
    SceneStore *store = g->store;
    const TreeClass *cls = visit->cls;
    if (store->land == NULL || visit->part->parent != store->land || cls->value_field < 0)
        return true;
    if (cls->fields.items[cls->value_field].type->kind != TYPE_OBJECT) return true;
    if (parts_field(cls, &g->world->compile->symbols, STR_LIT("halfWidth")) < 0) return true;
    const RtObject *value = rt_cell_get(g->rt, visit->part, cls->value_field)->r;
    const Slot *half = parts_read(g->world, g->rt, visit->part, STR_LIT("halfWidth"), NULL);
    if (rt_failed(g->rt) || value == NULL || half == NULL) return !rt_failed(g->rt);
    if (value->kind != RT_SPINE) return true;
    WorldPath path = path_of(store->arena, (const RtSpine *)(const void *)value, half[0].f);
    VEC_PUSH(store->arena, &store->paths, path);
    store->scene.land_paths = store->paths.items;
    store->scene.land_path_count = (size_t)store->paths.count;
    return true;
}
