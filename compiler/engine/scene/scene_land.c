/* The land of a scene: the first part that answers the land's questions and keeps a height grid. */
#include "compiler/engine/scene/scene.h"
#include "runtime/geometry/outline.h"
#include "runtime/geometry/spine.h"
#include "stdlib/library_names.h"

static bool has_method(const TreeClass *cls, Str name) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++)
            if (str_equal(str_last_name(cls->methods.items[i]->name), name)) return true;
    return false;
}

static bool answers_land(const TreeClass *cls) {
    return has_method(cls, STR_LIT(STD_core_land_height)) &&
           has_method(cls, STR_LIT(STD_core_land_gradient)) &&
           has_method(cls, STR_LIT(STD_core_land_slope)) &&
           has_method(cls, STR_LIT(STD_core_land_normal)) &&
           has_method(cls, STR_LIT(STD_core_land_curvature));
}

/* The field `ground` when it is a grid, else the last grid: the last stage of the land. */
static int find_ground(const World *world, const TreeClass *cls) {
    const SymbolTable *symbols = &world->compile->symbols;
    int found = -1;
    for (int i = 0; i < cls->fields.count; i++) {
        const TreeField *field = &cls->fields.items[i];
        if (field->type->kind != TYPE_OBJECT ||
            !str_equal(symbols_name(symbols, field->type->name), STR_LIT(STD_grid_heightGrid)))
            continue;
        found = i;
        if (str_equal(symbols_name(symbols, field->name), STR_LIT("ground"))) return i;
    }
    return found;
}

static void take_grid(WorldScene *scene, const RtGrid *grid, const Frame *frame) {
    scene->land = data_grid_view(grid);
    scene_matrix(frame, scene->land_transform);
}

_Static_assert((int)WORLD_EDGE_OPEN == (int)STD_EDGE_KIND_OPEN &&
                   (int)WORLD_EDGE_SEA == (int)STD_EDGE_KIND_SEA &&
                   (int)WORLD_EDGE_WALL == (int)STD_EDGE_KIND_WALL &&
                   (int)WORLD_EDGE_WRAP == (int)STD_EDGE_KIND_WRAP &&
                   (int)WORLD_EDGE_FALL == (int)STD_EDGE_KIND_FALL,
               "edges are counted as the library counts them");

static bool take_edge(Gather *g, const PartVisit *visit) {
    const StdEdge *edge = (const void *)part_option(g->rt, visit->part, PART_EDGE);
    WorldScene *scene = &g->store->scene;
    if (edge)
        scene->land_edge = (WorldEdge){.kind = (WorldEdgeKind)edge->kind,
                                       .wade = edge->wade,
                                       .fall_to = {edge->to.x, edge->to.y, edge->to.z}};
    scene->has_sea = scene->land_edge.kind == WORLD_EDGE_SEA;
    if (scene->has_sea) scene->sea_level = visit->frame.at.y;
    return !rt_failed(g->rt);
}

static bool take_fine_over(Gather *g, const PartVisit *visit) {
    SceneStore *store = g->store;
    const StdOptional_constRtOutline *over =
        (const void *)part_option(g->rt, visit->part, PART_FINE_OVER);
    if (over == NULL || !over->present) return !rt_failed(g->rt);
    const RtOutline *outline = over->value;
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
    const Slot *half = parts_read(g->world, g->rt, visit->part, STR_LIT("halfWidth"));
    if (rt_failed(g->rt) || value == NULL || half == NULL) return !rt_failed(g->rt);
    if (value->kind != RT_SPINE) return true;
    WorldPath path = path_of(store->arena, (const RtSpine *)(const void *)value, half[0].f);
    VEC_PUSH(store->arena, &store->paths, path);
    store->scene.land_paths = store->paths.items;
    store->scene.land_path_count = (size_t)store->paths.count;
    return true;
}
