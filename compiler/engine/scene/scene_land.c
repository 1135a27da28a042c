/* The land of a scene: the first part that answers the land's questions and keeps a height grid. */
#include "compiler/engine/scene/scene.h"
#include "runtime/geometry/outline.h"
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

/* The last grid: the last stage of the land. */
static int find_ground(const World *world, const TreeClass *cls) {
    int found = -1;
    for (int i = 0; i < cls->fields.count; i++)
        if (value_kind(world, cls->fields.items[i].type) == WORLD_VALUE_GRID) found = i;
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

/* Whether the class or a design it derives from says what it looks like. */
static bool says_material(const World *world, const RtClass *cls) {
    for (; cls->base >= 0; cls = rt_world_class(world->parts, cls->base))
        if (cls->fields[PART_MATERIAL].given) return true;
    return false;
}

/* -- a land that is a function -- */

/* A view asks at any time while it draws, also of a world that was read again since: then the function is found again. */
static bool source_heights(void *user, size_t n, const double *xz, float *out) {
    World *world = user;
    enum { MOST = 4096 };
    double heights[MOST];
    if (world->source == NULL) return false;
    for (size_t first = 0; first < n; first += MOST) {
        size_t count = n - first < MOST ? n - first : MOST;
        WorldStatus status = world->asked.id ? world_heights(world, world->asked, count, xz + 2 * first, heights) : WORLD_ERROR_STALE;
        if (status == WORLD_ERROR_STALE && world_function(world, world->source, "fn(point) meters", &world->asked) == WORLD_OK)
            status = world_heights(world, world->asked, count, xz + 2 * first, heights);
        if (status != WORLD_OK) return false;
        for (size_t i = 0; i < count; i++)
            out[first + i] = (float)heights[i];
    }
    return true;
}

static bool take_source(Gather *g, const PartVisit *visit) {
    const char *path = scene_path(g, visit->part, STR_LIT(STD_terrainlod_ground_source));
    size_t size = strlen(path) + 1;
    char *kept = memory_resize(&g->world->engine->memory, NULL, 0, size);
    if (g->world->source) memory_resize(&g->world->engine->memory, g->world->source, strlen(g->world->source) + 1, 0);
    memcpy(kept, path, size);
    g->world->source = kept;
    g->world->asked = (WorldFunction){0};
    int cell = parts_field(visit->cls, &g->world->compile->symbols, STR_LIT(STD_terrainlod_ground_cell));
    WorldScene *scene = &g->store->scene;
    double meters = rt_cell_get(g->rt, visit->part, cell)->f;
    if (rt_failed(g->rt)) return false;
    scene->land_source = (WorldSource){source_heights, g->world, meters};
    scene_matrix(&visit->frame, scene->land_transform);
    return scene_fits(g, visit->part, "land", scene->land_transform);
}

/* The library's own ground, over this land and its maps. */
static bool natural(const Gather *g, const RtPart *part, StdMaterial *material) {
    StrBuf path = {.arena = g->rt->arena}, text = {.arena = g->rt->arena};
    rt_part_path(&path, part);
    strbuf_printf(&text, "%s.%s(%s, %s.maps)", STD_groundlook, STD_groundlook_natural, path.ptr, path.ptr);
    if (g->store->scene.land_source.heights) {
        text = (StrBuf){.arena = g->rt->arena};
        strbuf_printf(&text, "%s.%s(%s.maps)", STD_groundlook, STD_groundlook_endless, path.ptr);
    }
    Question question = {.text = strbuf_take(&text), .asker = part->cls->span};
    if (question_compile(g->world, &question) != WORLD_OK) return false;
    if (question_run(g->world, &question, g->rt) != WORLD_OK) return false;
    memcpy(material, question.slots, sizeof *material);
    return true;
}

/* As its material says, or as the library's own ground. */
static void *make_look(Gather *g, const PartVisit *visit, int which) {
    SceneCard *card = ARENA_NEW(g->store->arena, SceneCard);
    const StdMaterial *given = (const void *)part_option(g->rt, visit->part, PART_MATERIAL);
    (void)which;
    if (rt_failed(g->rt)) return NULL;
    StdMaterial material = *given;
    if (!scene_lay_rasters(g, visit, false)) return NULL;
    bool own = says_material(g->world, visit->part->cls) && material.style != STD_MATERIAL_STYLE_TERRAIN;
    if (!own && !natural(g, visit->part, &material)) {
        g->store->refused = true;
        return NULL;
    }
    return scene_make_card(g, &material, card) ? card : NULL;
}

/* A land is drawn as ground, or plain, in its own colors. */
static bool take_look(Gather *g, const PartVisit *visit, const Paint *paint) {
    const StdMaterial *given = (const void *)part_option(g->rt, visit->part, PART_MATERIAL);
    SceneStore *store = g->store;
    Paint ground = *paint;
    if (given == NULL || rt_failed(g->rt)) return !rt_failed(g->rt);
    scene_paint(&ground, given->tint);
    memcpy(store->scene.land_tint, ground.color, sizeof store->scene.land_tint);
    if (given->style == STD_MATERIAL_STYLE_WATER) {
        StrBuf path = {.arena = g->rt->arena};
        rt_part_path(&path, visit->part);
        rt_fault(g->rt, RT_FAULT_ARGUMENT,
                 "'%s' is a land, and shaded(water) is how a mesh is drawn", path.ptr);
        return false;
    }
    const SceneCard *look = scene_layer(g, visit, (SceneLayer){"look", 0, make_look});
    if (look) store->scene.land_material = scene_add_card(store, look);
    return look != NULL;
}

bool scene_is_land(const World *world, const TreeClass *cls) {
    return parts_is_made_of(world, cls, STR_LIT(STD_terrainlod_ground)) || (answers_land(cls) && find_ground(world, cls) >= 0);
}

bool scene_find_land(Gather *g, const PartVisit *visit, const Paint *paint) {
    if (parts_is_made_of(g->world, visit->cls, STR_LIT(STD_terrainlod_ground)))
        return take_source(g, visit) && take_edge(g, visit) && scene_lay_rasters(g, visit, true) && take_look(g, visit, paint);
    int ground = answers_land(visit->cls) ? find_ground(g->world, visit->cls) : -1;
    if (ground < 0) return true;
    g->store->land = visit->part;
    g->store->land_field = ground;
    const RtGrid *grid = rt_cell_get(g->rt, visit->part, ground)->r;
    if (rt_failed(g->rt) || grid == NULL) return !rt_failed(g->rt);
    take_grid(&g->store->scene, grid, &visit->frame);
    if (!scene_fits(g, visit->part, "land", g->store->scene.land_transform)) return false;
    return take_edge(g, visit) && take_fine_over(g, visit) && scene_lay_rasters(g, visit, true) && take_look(g, visit, paint);
}
