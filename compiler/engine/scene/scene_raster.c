/* The maps that a land shows: each name's function of a place, worked out on a lattice of samples.
 * What a name means is between the world's author and the view. */
#include <limits.h>
#include <math.h>

#include "compiler/engine/scene/scene.h"

typedef struct RasterWork {
    const RtClosure *of;
    const WorldRaster *raster;
    float *values;
    uint32_t place[3]; /* of the function, in the text */
} RasterWork;

static bool store(Rt *rt, const RasterWork *work, int64_t first, const Slot *answers, int64_t n) {
    for (int64_t e = 0; e < n; e++) {
        double value = answers[e].f;
        if (!isfinite(value)) {
            rt_fault_at(rt, isnan(value) ? RT_FAULT_NAN : RT_FAULT_FIELD_INFINITE, work->place,
                        first + e, str_of(work->raster->name));
            return false;
        }
        work->values[first + e] = (float)value;
    }
    return true;
}

/* Samples [begin, end), counted row by row. */
static void work_samples(Rt *rt, void *user, int64_t begin, int64_t end) {
    const RasterWork *work = user;
    const WorldRaster *raster = work->raster;
    int64_t n = end - begin;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *x = rt_scratch_push(rt, sizeof *x * (size_t)(4 * n));
    Slot *y = x + n, *z = x + 2 * n, *answers = x + 3 * n;
    for (int64_t e = 0; e < n; e++) {
        x[e] = slot_f(raster->x0 + (double)((begin + e) % raster->columns) * raster->cell);
        y[e] = slot_f(0);
        z[e] = slot_f(raster->z0 + (double)((begin + e) / raster->columns) * raster->cell);
    }
    const Slot *in[] = {x, y, z};
    rt_call_batch(rt, work->of, n, in, &answers);
    if (!rt_failed(rt)) store(rt, work, begin, answers, n);
    rt_scratch_pop(rt, mark);
}

/* A map that says nothing has the land's samples, or every second of them, or fourth... while these are more. */
enum { MOST_UNSAID = 2200 * 2200 };

static double cell_unsaid(const WorldGridView *grid) {
    double cell = grid->cell, samples = (double)grid->columns * grid->rows;
    for (; samples > MOST_UNSAID; samples /= 4)
        cell *= 2;
    return cell;
}

/* The land's own lattice, which is read then, unless the map says finer or smaller. False: it cannot be. */
static bool lay_out(const Gather *g, const StdLandMap *map, WorldRaster *raster) {
    if (g->store->land && !(map->cell.present && map->over.present)) rt_cell_get(g->rt, g->store->land, g->store->land_field);
    const WorldGridView *grid = &g->store->scene.land;
    double cell = map->cell.present ? map->cell.value : cell_unsaid(grid);
    StdRectangle over = {.x0 = grid->x0,
                         .x1 = grid->x0 + (grid->columns - 1) * grid->cell,
                         .z0 = grid->z0,
                         .z1 = grid->z0 + (grid->rows - 1) * grid->cell};
    if (map->over.present) over = map->over.value;
    double columns = floor((over.x1 - over.x0) / cell) + 1;
    double rows = floor((over.z1 - over.z0) / cell) + 1;
    double limit = (double)g->world->host.limits.grid_samples;
    raster->cell = cell;
    raster->x0 = over.x0;
    raster->z0 = over.z0;
    if (!(cell > 0 && columns >= 1 && rows >= 1 && columns * rows <= limit)) return false;
    if (columns > INT_MAX || rows > INT_MAX) return false;
    raster->columns = (int)columns;
    raster->rows = (int)rows;
    return true;
}

static const WorldRaster *find(const SceneStore *store, const StdLandMap *map) {
    for (int i = 0; i < store->maps.count; i++)
        if (memcmp(&store->maps.items[i].map, map, sizeof *map) == 0) return store->maps.items[i].raster;
    return NULL;
}

static const WorldRaster *lay(Gather *g, const StdLandMap *map) {
    SceneStore *store = g->store;
    RasterWork work = {.of = map->of};
    WorldRaster *raster = ARENA_NEW(store->arena, WorldRaster);
    Str name = map->name ? map->name->text : STR_LIT("");
    raster->name = arena_strndup(store->arena, name.ptr, name.len);
    const TreeFn *fn = overlay_closure_fn(g->world, work.of);
    if (fn) memcpy(work.place, (uint32_t[]){fn->span.file, fn->span.start, fn->span.end}, 12);
    if (!lay_out(g, map, raster)) {
        Str detail = str_printf(store->arena, "the map '%s' every %g m over its land or rectangle",
                                raster->name, raster->cell);
        rt_fault_at(g->rt, RT_FAULT_ARGUMENT, work.place, 0, detail);
        return NULL;
    }
    int64_t count = (int64_t)raster->columns * raster->rows;
    work.raster = raster;
    work.values = arena_take(store->arena, sizeof(float) * (size_t)count);
    raster->values = work.values;
    rt_parallel(g->rt, count, RT_CHUNK, work_samples, &work);
    return rt_failed(g->rt) ? NULL : raster;
}

const WorldRaster *scene_raster(Gather *g, const StdLandMap *map) {
    SceneStore *store = g->store;
    const WorldRaster *known = find(store, map);
    if (known) return known;
    SceneMap laid = {*map, lay(g, map), false};
    if (laid.raster) VEC_PUSH(store->arena, &store->maps, laid);
    return laid.raster;
}

/* -- the maps that a land names -- */

static const RtList *maps_of(const Gather *g, const PartVisit *visit) {
    const Slot *maps = part_option(g->rt, visit->part, PART_MAPS);
    return maps ? maps[0].r : NULL;
}

static void *make_raster(Gather *g, const PartVisit *visit, int which) {
    const RtList *maps = maps_of(g, visit);
    return rt_failed(g->rt) ? NULL : (void *)(uintptr_t)lay(g, (const void *)rt_list_item(maps, which));
}

static bool lay_named(Gather *g, const PartVisit *visit, const StdLandMap *map, int which, bool shown) {
    SceneStore *store = g->store;
    if (map->name == NULL || map->of == NULL) return true;
    const WorldRaster *raster = find(store, map);
    if (raster == NULL) {
        SceneMap laid = {*map, scene_layer(g, visit, (SceneLayer){"raster", which, make_raster}), true};
        if (laid.raster == NULL) return false;
        VEC_PUSH(store->arena, &store->maps, laid);
        raster = laid.raster;
    }
    if (shown) VEC_PUSH(store->arena, &store->rasters, raster);
    return true;
}

bool scene_lay_rasters(Gather *g, const PartVisit *visit, bool shown) {
    SceneStore *store = g->store;
    const RtList *maps = maps_of(g, visit);
    for (int64_t i = 0; i < rt_list_length(maps); i++)
        if (!lay_named(g, visit, (const void *)rt_list_item(maps, i), (int)i, shown)) return false;
    store->scene.land_rasters = store->rasters.items;
    store->scene.land_raster_count = (size_t)store->rasters.count;
    return !rt_failed(g->rt);
}

void scene_drop_rasters(SceneStore *store) {
    int kept = 0;
    for (int i = 0; i < store->maps.count; i++) {
        const WorldRaster *raster = store->maps.items[i].raster;
        if (store->maps.items[i].lent)
            store->maps.items[kept++] = store->maps.items[i];
        else
            arena_give(store->arena, (float *)(uintptr_t)raster->values, sizeof(float) * (size_t)raster->columns * (size_t)raster->rows);
    }
    store->maps.count = kept;
}
