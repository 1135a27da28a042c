/* Holes closed from coarse to fine: each level has the means of the known samples of the finer one, four to one, until none is
 * unknown; back down each hole begins with the coarser level's height and is then drawn toward the mean of its four neighbors
 * (Jacobi's method for Laplace's equation, whose answer has no extremes but on the rims, hastened by Chebyshev's weights: Golub and
 * Varga 1961). They suit holes of some fifty samples; what is wider the coarser levels have closed.
 */
#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/geometry/scalar.h"
#include "runtime/measured/measured.h"

enum { SWEEPS = 48, PLAIN_SWEEPS = 4 }; /* the last ones without weights, which leave short waves */

typedef struct Level {
    float *values; /* NaN: a hole */
    int32_t columns, rows;
} Level;

static int64_t count_holes(const Level *level) {
    int64_t count = (int64_t)level->columns * level->rows, holes = 0;
    watch_work(count);
    for (int64_t i = 0; i < count; i++)
        holes += isnan(level->values[i]);
    return holes;
}

static float mean_of_four(const Level *fine, int32_t column, int32_t row) {
    double sum = 0;
    int known = 0;
    for (int32_t j = row; j < row + 2 && j < fine->rows; j++)
        for (int32_t i = column; i < column + 2 && i < fine->columns; i++) {
            float value = fine->values[(int64_t)j * fine->columns + i];
            if (isnan(value)) continue;
            sum += (double)value;
            known++;
        }
    return known ? (float)(sum / known) : NAN;
}

static Level coarser(Rt *rt, const Level *fine) {
    Level level = {.columns = (fine->columns + 1) / 2, .rows = (fine->rows + 1) / 2};
    level.values = rt_scratch_push(rt, sizeof(float) * (size_t)level.columns * (size_t)level.rows);
    for (int32_t j = 0; j < level.rows; j++) {
        watch_work(4 * level.columns);
        for (int32_t i = 0; i < level.columns; i++)
            level.values[(int64_t)j * level.columns + i] = mean_of_four(fine, 2 * i, 2 * j);
    }
    return level;
}

/* Of a level without holes, in a straight line between the middles of its squares. */
static float value_between(const Level *coarse, int32_t column, int32_t row) {
    double u = scalar_clamp((column - 0.5) / 2, 0, coarse->columns - 1), v = scalar_clamp((row - 0.5) / 2, 0, coarse->rows - 1);
    int32_t i = (int32_t)u, j = (int32_t)v;
    int32_t right = i + 1 < coarse->columns ? i + 1 : i, below = j + 1 < coarse->rows ? j + 1 : j;
    const float *upper = coarse->values + (int64_t)j * coarse->columns, *lower = coarse->values + (int64_t)below * coarse->columns;
    double top = scalar_lerp((double)upper[i], (double)upper[right], u - i);
    return (float)scalar_lerp(top, scalar_lerp((double)lower[i], (double)lower[right], u - i), v - j);
}

static double mean_around(const Level *level, int64_t at) {
    int32_t column = (int32_t)(at % level->columns), row = (int32_t)(at / level->columns);
    const float *here = level->values + at;
    double across = 0, along = 0;
    int count = 0;
    if (column > 0) across += (double)here[-1], count++;
    if (column + 1 < level->columns) across += (double)here[1], count++;
    if (row > 0) along += (double)here[-level->columns], count++;
    if (row + 1 < level->rows) along += (double)here[level->columns], count++;
    return count ? (across + along) / count : (double)*here;
}

typedef struct Sweep {
    const Level *level;
    const int64_t *holes;
    float *before; /* the heights before the last sweep; becomes those after this one */
    double weight;
} Sweep;

static const double slowest = 0.995; /* what a sweep leaves of the widest wave that is meant */

static void sweep_some(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Sweep *sweep = user;
    (void)rt;
    watch_work((end - begin) * 4);
    for (int64_t i = begin; i < end; i++)
        sweep->before[i] += (float)(sweep->weight * (mean_around(sweep->level, sweep->holes[i]) - (double)sweep->before[i]));
}

static void close_holes(Rt *rt, Level *level, const Level *coarse, int64_t count) {
    int64_t *holes = rt_scratch_push(rt, sizeof *holes * (size_t)count), total = (int64_t)level->columns * level->rows, n = 0;
    float *before = rt_scratch_push(rt, sizeof *before * (size_t)count);
    for (int64_t i = 0; i < total; i++)
        if (isnan(level->values[i])) holes[n++] = i;
    for (int64_t i = 0; i < n; i++)
        before[i] = level->values[holes[i]] = value_between(coarse, (int32_t)(holes[i] % level->columns), (int32_t)(holes[i] / level->columns));
    Sweep sweep = {level, holes, before, 1};
    for (int k = 0; k < SWEEPS && !rt_failed(rt); k++) {
        rt_parallel(rt, n, 1 << 14, sweep_some, &sweep);
        for (int64_t i = 0; i < n; i++) {
            float now = before[i];
            before[i] = level->values[holes[i]];
            level->values[holes[i]] = now;
        }
        sweep.weight = k + 1 + PLAIN_SWEEPS >= SWEEPS ? 1 : 1 / (1 - slowest * slowest * sweep.weight / (k == 0 ? 2 : 4));
    }
}

static void fill_level(Rt *rt, Level *level) {
    int64_t holes = count_holes(level);
    if (holes == 0 || rt_failed(rt)) return;
    RtScratchMark mark = rt_scratch_mark(rt);
    Level coarse = coarser(rt, level);
    fill_level(rt, &coarse); /* at most 31 deep: each has half the side */
    close_holes(rt, level, &coarse, holes);
    rt_scratch_pop(rt, mark);
}

void measured_fill(Rt *rt, float *values, int32_t columns, int32_t rows) {
    Level level = {values, columns, rows};
    fill_level(rt, &level);
}
