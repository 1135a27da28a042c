/* The drainage package's native part. */
#include <math.h>

#include "runtime/grid/grid.h"
#include "runtime/terrain/rivers.h"
#include "stdlib/stdlib_externs.h"

enum { LEAST_SIDE = 3 };

static bool land_of(Rt *rt, Land *land, const RtGrid *grid, StdOptional_double sea) {
    *land = (Land){grid->columns, grid->rows, grid->cell, grid->heights, sea.present, sea.value};
    if (rt_failed(rt) || !grid_demand_whole(rt, grid, "drainage")) return false;
    if (grid->columns >= LEAST_SIDE && grid->rows >= LEAST_SIDE) return true;
    rt_fault(rt, RT_FAULT_ARGUMENT, "a grid of %d x %d points; water needs at least %d a side", (int)grid->columns, (int)grid->rows, LEAST_SIDE);
    return false;
}

static int64_t count_of(const RtGrid *grid) {
    return (int64_t)grid->columns * grid->rows;
}

static Vec3 place_of(const RtGrid *grid, int32_t square, double y) {
    return (Vec3){grid_x(grid, square % grid->columns), y, grid_z(grid, square / grid->columns)};
}

static const RtList *list_points(Rt *rt, const RtGrid *grid, const Drainage *drainage, double spring, int64_t smoothings) {
    int64_t count;
    const RiverPoint *points = rivers_trace(rt, drainage, (int64_t)ceil(spring * DRAIN_UNIT), (int32_t)smoothings, &count);
    RtShape shape = {.width = 6};
    RtList *list = rt_list_create(rt, shape, count);
    for (int64_t i = 0; i < count && !rt_failed(rt); i++) {
        Slot item[6] = {slot_i(points[i].river), slot_f(grid->x0 + points[i].x), slot_f(points[i].level), slot_f(grid->z0 + points[i].z),
                        slot_f(points[i].area * grid->cell * grid->cell), slot_b(points[i].lake)};
        list = rt_list_append(rt, list, shape, item);
    }
    return list;
}

static const RtList *list_lakes(Rt *rt, const RtGrid *grid, const Lake *lakes, int32_t count) {
    RtShape shape = {.width = 10};
    RtList *list = rt_list_create(rt, shape, count);
    double square = grid->cell * grid->cell;
    for (int32_t i = 0; i < count && !rt_failed(rt); i++) {
        Vec3 deepest = place_of(grid, lakes[i].deepest, 0), outlet = place_of(grid, lakes[i].outlet < 0 ? lakes[i].deepest : lakes[i].outlet, 0);
        Slot item[10] = {slot_f(lakes[i].level), slot_f(deepest.x), slot_f(0), slot_f(deepest.z), slot_f(outlet.x), slot_f(0), slot_f(outlet.z),
                         slot_f(lakes[i].depth), slot_f(lakes[i].squares * square), slot_f(lakes[i].volume * square)};
        list = rt_list_append(rt, list, shape, item);
    }
    return list;
}

/* What every square is told as a number. */
static void store_numbers(Rt *rt, const Drainage *drainage, int64_t least, const int32_t *lakes, const StdDrained *made) {
    int64_t all = count_of(made->filled);
    int32_t *basins = rt_scratch_push(rt, sizeof *basins * (size_t)all);
    uint8_t *orders = rt_scratch_push(rt, (size_t)all);
    drain_basins(rt, drainage, basins);
    drain_strahler(drainage, least, orders);
    for (int64_t i = 0; i < all; i++) {
        made->filled->heights[i] = drainage->levels[i];
        made->ways->heights[i] = drainage->ways[i];
        made->gathered->heights[i] = (float)((double)drainage->area[i] / DRAIN_UNIT);
        made->basins->heights[i] = drain_number(basins[i]);
        made->orders->heights[i] = orders[i];
        made->lakeNumbers->heights[i] = drain_number(lakes[i]);
    }
}

StdDrained drainage_drainGrid(Rt *rt, const RtHeightGrid *ground, const RtHeightGrid *rain, StdOptional_double sea, double spring, double lake_area, double lake_depth,
                              int64_t smoothings) {
    StdDrained made = {0};
    Land land;
    if (!land_of(rt, &land, ground, sea)) return made;
    RtScratchMark mark = rt_scratch_mark(rt);
    Drainage drainage;
    if (drain_init(rt, &drainage, &land, rain->heights)) {
        int32_t *numbers = rt_scratch_push(rt, sizeof *numbers * (size_t)count_of(ground)), count;
        double squares = lake_area / (ground->cell * ground->cell);
        const Lake *lakes = lakes_find(rt, &drainage, squares < 1 ? 1 : squares > INT32_MAX ? INT32_MAX : (int32_t)ceil(squares), lake_depth, numbers, &count);
        made = (StdDrained){grid_create_like(rt, ground, ground->outside), grid_create_like(rt, ground, 0), grid_create_like(rt, ground, 0),
                            grid_create_like(rt, ground, 0), grid_create_like(rt, ground, 0), grid_create_like(rt, ground, 0),
                            list_points(rt, ground, &drainage, spring, smoothings), list_lakes(rt, ground, lakes, count)};
        if (!rt_failed(rt)) store_numbers(rt, &drainage, (int64_t)ceil(spring * DRAIN_UNIT), numbers, &made);
    }
    rt_scratch_pop(rt, mark);
    return made;
}

const RtHeightGrid *drainage_fillGrid(Rt *rt, const RtHeightGrid *ground, StdOptional_double sea, double epsilon) {
    Land land;
    RtGrid *out = land_of(rt, &land, ground, sea) ? grid_create_like(rt, ground, ground->outside) : NULL;
    if (out == NULL) return NULL;
    RtScratchMark mark = rt_scratch_mark(rt);
    Drainage drainage;
    if (epsilon <= 0)
        drain_fill(rt, &land, out->heights);
    else if (drain_init(rt, &drainage, &land, NULL))
        drain_lean(&drainage, epsilon, out->heights);
    rt_scratch_pop(rt, mark);
    return !rt_failed(rt) && grid_check(rt, out) ? out : NULL;
}

const RtHeightGrid *drainage_spread(Rt *rt, const RtHeightGrid *ground, StdOptional_double sea) {
    Land land;
    RtGrid *out = land_of(rt, &land, ground, sea) ? grid_create_like(rt, ground, 0) : NULL;
    if (out == NULL) return NULL;
    RtScratchMark mark = rt_scratch_mark(rt);
    Drainage drainage;
    if (drain_init(rt, &drainage, &land, NULL)) {
        int64_t *area = rt_scratch_push(rt, sizeof *area * (size_t)count_of(ground));
        float *angles = rt_scratch_push(rt, sizeof *angles * (size_t)count_of(ground));
        drain_spread(rt, &drainage, angles, area);
        for (int64_t i = 0; i < count_of(ground); i++)
            out->heights[i] = (float)((double)area[i] / DRAIN_UNIT);
    }
    rt_scratch_pop(rt, mark);
    return out;
}
