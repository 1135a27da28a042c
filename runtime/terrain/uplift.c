#include "runtime/terrain/uplift.h"

#include <math.h>

#include "runtime/terrain/drain_parts.h"

/* What is under water gathers like all else, but is not cut: lakes fill up by what would be cut there. */
static void rise_and_cut(const Drainage *drainage, float *heights, const float *rise, const UpliftSpec *spec) {
    const Land *land = &drainage->land;
    double square_km = land->cell * land->cell / 1e6 / DRAIN_UNIT;
    double fars[2] = {land->cell * DRAIN_CORNER, land->cell};
    int32_t steps[9];
    for (int way = 0; way <= 8; way++)
        steps[way] = drain_dx[way] + drain_dz[way] * land->columns;
    for (int64_t k = (int64_t)land->columns * land->rows - 1; k >= 0; k--) {
        drain_watch(k, 5);
        int32_t square = drainage->order[k], way = drainage->ways[square], next = square + steps[way];
        if (way == 0) continue;
        double far = fars[way & 1];
        double up = (double)heights[square] + spec->step * spec->rate * (double)rise[square], down = (double)heights[next];
        double share = spec->step * spec->cut * sqrt((double)drainage->area[square] * square_km) / far;
        double height = up > down ? (up + share * down) / (1 + share) : up;
        double steepest = down + spec->talus * far;
        heights[square] = (float)(height < steepest ? height : steepest);
    }
}

bool uplift_run(Rt *rt, int32_t columns, int32_t rows, double cell, float *heights, const float *rise, const UpliftSpec *spec, int64_t steps) {
    RtTask outer = rt_task_begin(rt, "stream power");
    for (int64_t k = 0; k < steps && !rt->stop && !rt_failed(rt); k++) {
        rt_task_tell(rt, &outer, (double)k / (double)steps);
        RtScratchMark mark = rt_scratch_mark(rt);
        Drainage drainage;
        Land land = {columns, rows, cell, heights, spec->has_sea, spec->sea};
        if (drain_init(rt, &drainage, &land, NULL)) rise_and_cut(&drainage, heights, rise, spec);
        rt_scratch_pop(rt, mark);
    }
    rt_task_end(rt, &outer);
    return !rt->stop && !rt_failed(rt);
}
