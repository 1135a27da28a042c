#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/geometry/scalar.h"
#include "runtime/measured/measured.h"

int64_t resample_count(int64_t count, double step, double cell) {
    double cells = floor((double)(count - 1) * step / cell + 1e-9);
    return cells < 1e9 ? (int64_t)cells + 1 : (int64_t)1e9;
}

/* The area up to t under the hat that is 1 at 0 and 0 from -1 and from 1 on. */
static double hat_area(double t) {
    if (t <= -1) return 0;
    if (t >= 1) return 1;
    return t < 0 ? (t + 1) * (t + 1) / 2 : 1 - (1 - t) * (1 - t) / 2;
}

/* What a sample of the result is made of: `count` samples from `first` on, by weights whose sum is 1. */
typedef struct Taps {
    int32_t first, count;
    double *weights;
} Taps;

/* Round `at`, in samples: the mean over `width` of them, less near an end, and the line between two when that is none. */
static void find_taps(double at, double width, int32_t samples, Taps *taps) {
    double half = scalar_min(width / 2, scalar_min(at, samples - 1 - at));
    if (width <= 1 || half <= 0) {
        taps->first = (int32_t)scalar_min(floor(at), samples - 2);
        taps->count = 2;
        taps->weights[1] = scalar_clamp(at - taps->first, 0, 1);
        taps->weights[0] = 1 - taps->weights[1];
        return;
    }
    taps->first = (int32_t)scalar_max(floor(at - half), 0);
    int32_t last = (int32_t)scalar_min(ceil(at + half), samples - 1);
    taps->count = last - taps->first + 1;
    for (int32_t k = 0; k < taps->count; k++) {
        double from = at - (taps->first + k);
        taps->weights[k] = (hat_area(from + half) - hat_area(from - half)) / (2 * half);
    }
}

static double blend(const float *values, int64_t stride, const Taps *taps) {
    double sum = 0;
    for (int32_t k = 0; k < taps->count; k++)
        sum += taps->weights[k] * (double)values[(taps->first + k) * stride];
    return sum;
}

static double *push_weights(Rt *rt, double width) {
    return rt_scratch_push(rt, sizeof(double) * ((size_t)scalar_max(width, 1) + 4));
}

/* Each row of the file, across. */
static float *resample_across(Rt *rt, const Resampling *r) {
    size_t columns = (size_t)r->to_columns;
    float *narrow = rt_scratch_push(rt, sizeof *narrow * columns * (size_t)r->rows);
    double width = 1 / r->step_x;
    Taps taps = {.weights = push_weights(rt, width)};
    for (int32_t i = 0; i < r->to_columns; i++) {
        find_taps(scalar_min(i / r->step_x, r->columns - 1), width, r->columns, &taps);
        watch_work((int64_t)r->rows * taps.count);
        for (int64_t row = 0; row < r->rows; row++)
            narrow[row * (int64_t)columns + i] = (float)blend(r->from + row * r->columns, 1, &taps);
    }
    return narrow;
}

void resample_values(Rt *rt, const Resampling *r) {
    RtScratchMark mark = rt_scratch_mark(rt);
    const float *narrow = resample_across(rt, r);
    double width = 1 / r->step_z;
    Taps taps = {.weights = push_weights(rt, width)};
    for (int32_t j = 0; j < r->to_rows; j++) {
        find_taps(scalar_min(j / r->step_z, r->rows - 1), width, r->rows, &taps);
        watch_work((int64_t)r->to_columns * taps.count);
        for (int64_t i = 0; i < r->to_columns; i++)
            r->to[(int64_t)j * r->to_columns + i] = (float)blend(narrow + i, r->to_columns, &taps);
    }
    rt_scratch_pop(rt, mark);
}
