#include "runtime/terrain/erode.h"

#include <math.h>
#include <string.h>

enum { BAND_ROWS = 64, RING = 4, MARGIN = 2 };

/* Water is not shared out to its last drop: the sum of what leaves a square is rounded. */
static const float nearly_all = 1 - 1e-6F;
/* Meters: in less, nothing is told apart from nothing. */
static const float least_depth = 1e-9F;

static inline float most(float a, float b) {
    return a > b ? a : b;
}

static inline float least(float a, float b) {
    return a < b ? a : b;
}

/* What one row of a band is worked out in. Flows past the west and north border stand before index 0, and before row 0. */
typedef struct Row {
    double *ground, *water, *load; /* the ground goes on for a square past either border, level */
    float *east, *south;           /* the flows as they were, then as levels drive them, then as water allows */
    float *share, *thick;          /* of the wanted flows that there is water for; load in a meter of water */
    float *load_east, *load_south; /* load that the flows take along */
} Row;

typedef struct Band {
    const Erosion *erosion;
    const ErodeSpec *spec;
    Row rows[RING];
    float *slid, *worn; /* what a row gains of ground that slides, and gives to the water */
    const float *ones;
    double left, drained;
} Band;

typedef struct Step {
    Erosion *erosion;
    const ErodeSpec *spec;
    double *left, *drained; /* by band */
} Step;

static int32_t band_count(const Erosion *erosion) {
    return (erosion->rows - 1) / BAND_ROWS + 1;
}

/* -- rows put aside: MARGIN before and after each band, all layers -- */

typedef struct Aside {
    double *ground, *water, *load;
    float *east, *south;
} Aside;

static size_t aside_bytes(const Erosion *erosion) {
    return (size_t)erosion->columns * (3 * sizeof(double) + 2 * sizeof(float));
}

/* The rows before the band are numbered from 0, those after it from MARGIN. */
static Aside aside_row(const Erosion *erosion, int32_t band, int32_t k) {
    size_t n = (size_t)erosion->columns;
    char *at = (char *)erosion->aside + aside_bytes(erosion) * (size_t)(band * 2 * MARGIN + k);
    double *ground = (double *)(void *)at;
    float *east = (float *)(void *)(ground + 3 * n);
    return (Aside){ground, ground + n, ground + 2 * n, east, east + n};
}

static Aside own_row(const Erosion *erosion, int32_t row) {
    size_t at = (size_t)erosion->columns * (size_t)row;
    return (Aside){erosion->ground + at, erosion->water + at, erosion->load + at, erosion->east + at, erosion->south + at};
}

static void copy_row(int32_t columns, const Aside *from, const Aside *to) {
    size_t n = (size_t)columns;
    memcpy(to->ground, from->ground, n * sizeof(double));
    memcpy(to->water, from->water, n * sizeof(double));
    memcpy(to->load, from->load, n * sizeof(double));
    memcpy(to->east, from->east, n * sizeof(float));
    memcpy(to->south, from->south, n * sizeof(float));
}

static void put_aside(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Erosion *erosion = user;
    for (int64_t band = begin; band < end; band++)
        for (int32_t k = 0; k < 2 * MARGIN; k++) {
            int32_t first = (int32_t)band * BAND_ROWS, row = k < MARGIN ? first - MARGIN + k : first + BAND_ROWS + k - MARGIN;
            if (row < 0 || row >= erosion->rows) continue;
            Aside from = own_row(erosion, row), to = aside_row(erosion, (int32_t)band, k);
            copy_row(erosion->columns, &from, &to);
        }
}

/* -- a band -- */

static Row *band_row(Band *band, int32_t row) {
    return &band->rows[(unsigned)row % RING];
}

/* A row as it was before the step. */
static void load_row(Band *band, int32_t number, int32_t row) {
    const Erosion *erosion = band->erosion;
    if (row < 0 || row >= erosion->rows) return;
    Row *to = band_row(band, row);
    Aside into = {to->ground, to->water, to->load, to->east, to->south};
    int32_t first = number * BAND_ROWS, end = first + BAND_ROWS;
    Aside from = row < first  ? aside_row(erosion, number, row - first + MARGIN)
                 : row >= end ? aside_row(erosion, number, row - end + MARGIN)
                              : own_row(erosion, row);
    copy_row(erosion->columns, &from, &into);
    to->ground[-1] = to->ground[0];
    to->ground[erosion->columns] = to->ground[erosion->columns - 1];
}

/* The flows that a row's levels drive. What lies past an open border is ground as high, without water. */
static void drive_row(Band *band, int32_t row) {
    const Erosion *erosion = band->erosion;
    if (row < 0 || row >= erosion->rows) return;
    int32_t n = erosion->columns;
    Row *a = band_row(band, row);
    float pipe = (float)band->spec->pipe, off = band->spec->open ? pipe : 0;
    const double *restrict ground = a->ground, *restrict water = a->water;
    float *restrict east = a->east, *restrict south = a->south;
    for (int32_t i = 0; i < n - 1; i++)
        east[i] += pipe * (float)((ground[i] - ground[i + 1]) + (water[i] - water[i + 1]));
    east[n - 1] = off * (float)water[n - 1];
    east[-1] = -off * (float)water[0];
    if (row == 0)
        for (int32_t i = 0; i < n; i++)
            band_row(band, row - 1)->south[i] = -off * (float)water[i];
    if (row == erosion->rows - 1) {
        for (int32_t i = 0; i < n; i++)
            south[i] = off * (float)water[i];
        return;
    }
    const Row *b = band_row(band, row + 1);
    const double *restrict ground_south = b->ground, *restrict water_south = b->water;
    for (int32_t i = 0; i < n; i++)
        south[i] += pipe * (float)((ground[i] - ground_south[i]) + (water[i] - water_south[i]));
}

/* What there is of the water that the flows want, and what a meter of it carries. */
static void share_row(Band *band, int32_t row) {
    const Erosion *erosion = band->erosion;
    if (row < 0 || row >= erosion->rows) return;
    Row *a = band_row(band, row);
    const float *restrict east = a->east, *restrict south = a->south, *restrict north = band_row(band, row - 1)->south;
    const double *restrict water = a->water, *restrict load = a->load;
    float *restrict share = a->share, *restrict thick = a->thick;
    for (int32_t i = 0; i < erosion->columns; i++) {
        float depth = (float)water[i];
        float out = (most(east[i], 0) + most(-east[i - 1], 0)) + (most(south[i], 0) + most(-north[i], 0));
        share[i] = least(1, depth * nearly_all / most(out, least_depth));
        thick[i] = (float)load[i] / most(depth, least_depth) * nearly_all;
    }
}

static void hold_side(int32_t n, float *restrict flow, float *restrict moved, const float *restrict share_here, const float *restrict thick_here,
                      const float *restrict share_there, const float *restrict thick_there) {
    for (int32_t i = 0; i < n; i++) {
        float out = most(flow[i], 0) * share_here[i], in = most(-flow[i], 0) * share_there[i];
        flow[i] = out - in;
        moved[i] = out * thick_here[i] - in * thick_there[i];
    }
}

/* Flows, held to what their squares have, and the load they take. */
static void hold_row(Band *band, int32_t row) {
    const Erosion *erosion = band->erosion;
    if (row < -1 || row >= erosion->rows) return;
    int32_t n = erosion->columns;
    Row *a = band_row(band, row), *b = band_row(band, row + 1);
    if (row >= 0) {
        hold_side(n - 1, a->east, a->load_east, a->share, a->thick, a->share + 1, a->thick + 1);
        hold_side(1, a->east + n - 1, a->load_east + n - 1, a->share + n - 1, a->thick + n - 1, a->share, a->thick);
        hold_side(1, a->east - 1, a->load_east - 1, a->share, a->thick, a->share, a->thick);
    }
    /* Past the border nothing comes in, so whose share is asked there is all the same. */
    const Row *here = row < 0 ? b : a, *there = row == erosion->rows - 1 ? a : b;
    hold_side(n, a->south, a->load_south, here->share, here->thick, there->share, there->thick);
}

/* What a row gains, each way, of ground that is too steep: taken from the higher square, as much as it gives. */
static void slide_from(int32_t n, const double *restrict here, const double *restrict there, float talus, float slide, float *restrict gain) {
    for (int32_t i = 0; i < n; i++) {
        float rise = (float)(there[i] - here[i]);
        gain[i] += slide * (most(rise - talus, 0) - most(-rise - talus, 0));
    }
}

static void slide_row(Band *band, int32_t row) {
    const Erosion *erosion = band->erosion;
    int32_t n = erosion->columns;
    const double *here = band_row(band, row)->ground;
    float talus = (float)(band->spec->talus * erosion->cell), slide = (float)band->spec->slide, corner = talus * 1.41421356F;
    memset(band->slid, 0, sizeof(float) * (size_t)n);
    slide_from(n - 1, here, here + 1, talus, slide, band->slid);
    slide_from(n - 1, here + 1, here, talus, slide, band->slid + 1);
    for (int32_t side = -1; side <= 1; side += 2) {
        if (row + side < 0 || row + side >= erosion->rows) continue;
        const double *there = band_row(band, row + side)->ground;
        slide_from(n, here, there, talus, slide, band->slid);
        slide_from(n - 1, here, there + 1, corner, slide / 2, band->slid);
        slide_from(n - 1, here + 1, there, corner, slide / 2, band->slid + 1);
    }
}

/* What leaves past the border, of the row's ends and of the first and last row. */
static void count_border(Band *band, int32_t row, const Row *a, const Row *up) {
    int32_t n = band->erosion->columns, last = band->erosion->rows - 1;
    band->drained += (double)a->east[n - 1] - (double)a->east[-1];
    band->left += (double)a->load_east[n - 1] - (double)a->load_east[-1];
    for (int32_t i = 0; i < n && row == 0; i++) {
        band->drained -= (double)up->south[i];
        band->left -= (double)up->load_south[i];
    }
    for (int32_t i = 0; i < n && row == last; i++) {
        band->drained += (double)a->south[i];
        band->left += (double)a->load_south[i];
    }
}

/* The rows that a row is worked on by, and what comes of it. Index -1 is the square to the west. */
typedef struct Work {
    const double *ground, *ground_north, *ground_south, *water, *load;
    const float *east, *south, *north, *load_east, *load_south, *load_north, *rain, *soft, *slid;
    double *ground_out, *water_out, *load_out;
    float *rock, *worn;
} Work;

/* What flows bring and take. */
static void move_row(int32_t n, const Work *work) {
    const float *restrict east = work->east, *restrict south = work->south, *restrict north = work->north;
    const float *restrict load_east = work->load_east, *restrict load_south = work->load_south, *restrict load_north = work->load_north;
    const double *restrict water = work->water, *restrict load = work->load;
    double *restrict water_out = work->water_out, *restrict load_out = work->load_out;
    for (int32_t i = 0; i < n; i++) {
        float gain = (east[i - 1] - east[i]) + (north[i] - south[i]);
        float brought = (load_east[i - 1] - load_east[i]) + (load_north[i] - load_south[i]);
        water_out[i] = water[i] + (double)gain;
        load_out[i] = load[i] + (double)brought;
    }
}

/* How much ground the water takes up, or, below 0, lays down: by the sine of the tilt and the water that passes. Rock is kept in floats, so ground is
 * held against it as one: bare rock is not loose by what was rounded. */
static void wear_row(int32_t n, const Work *work, const ErodeSpec *spec, float per_cell) {
    const double *restrict ground = work->ground, *restrict ground_north = work->ground_north, *restrict ground_south = work->ground_south;
    const double *restrict depth = work->water_out, *restrict carried = work->load_out;
    const float *restrict east = work->east, *restrict south = work->south, *restrict north = work->north, *restrict soft = work->soft, *restrict rock = work->rock;
    float *restrict worn = work->worn;
    float capacity = (float)spec->capacity, deep = (float)spec->deep, dissolve = (float)spec->dissolve, settle = (float)spec->settle;
    for (int32_t i = 0; i < n; i++) {
        float h_west = (float)(ground[i - 1] - ground[i]), h_east = (float)(ground[i + 1] - ground[i]);
        float h_north = (float)(ground_north[i] - ground[i]), h_south = (float)(ground_south[i] - ground[i]);
        float past_x = 0.5F * (east[i - 1] + east[i]), past_z = 0.5F * (north[i] + south[i]);
        float tilt_x = per_cell * (h_east - h_west), tilt_z = per_cell * (h_south - h_north);
        float tilt = tilt_x * tilt_x + tilt_z * tilt_z, past = past_x * past_x + past_z * past_z;
        float room = capacity * sqrtf(tilt * past / (1 + tilt)) * deep / most((float)depth[i], deep);
        float lowest = least(least(h_west, h_east), least(h_north, h_south)), over = room - (float)carried[i];
        float loose = (float)ground[i] - rock[i], hard = dissolve * soft[i], ease = loose > 0 ? dissolve : hard;
        float taken = least(ease * over, most(-lowest, 0) * 0.5F), laid = settle * over;
        worn[i] = over > 0 ? taken : laid;
    }
}

static void apply_row(int32_t n, const Work *work, float wet, double kept) {
    const double *restrict ground = work->ground;
    const float *restrict slid = work->slid, *restrict worn = work->worn, *restrict rain = work->rain;
    double *restrict ground_out = work->ground_out, *restrict water_out = work->water_out, *restrict load_out = work->load_out;
    float *restrict rock = work->rock;
    for (int32_t i = 0; i < n; i++) {
        double stands = ground[i] + (double)(slid[i] - worn[i]);
        ground_out[i] = stands;
        load_out[i] += (double)worn[i];
        water_out[i] = (water_out[i] + (double)(wet * rain[i])) * kept;
        rock[i] = least(rock[i], (float)stands);
    }
}

/* What a row has after the flows, and how ground and load then change places by what the water could carry. */
static void work_row(Band *band, int32_t row) {
    const Erosion *erosion = band->erosion;
    const ErodeSpec *spec = band->spec;
    int32_t n = erosion->columns, last = erosion->rows - 1;
    size_t at = (size_t)row * (size_t)n;
    const Row *a = band_row(band, row), *up = band_row(band, row - 1), *down = band_row(band, row + 1);
    Work work = {a->ground, row > 0 ? up->ground : a->ground, row < last ? down->ground : a->ground, a->water, a->load,
                 a->east, a->south, up->south, a->load_east, a->load_south, up->load_south,
                 erosion->rain ? erosion->rain + at : band->ones, erosion->soft ? erosion->soft + at : band->ones, band->slid,
                 erosion->ground + at, erosion->water + at, erosion->load + at, erosion->rock + at, band->worn};
    move_row(n, &work);
    wear_row(n, &work, spec, (float)(0.5 / erosion->cell));
    apply_row(n, &work, (float)spec->rain, 1 - spec->evaporation);
    memcpy(erosion->east + at, a->east, sizeof(float) * (size_t)n);
    memcpy(erosion->south + at, a->south, sizeof(float) * (size_t)n);
    count_border(band, row, a, up);
}

/* Ground below the sea is under water up to the sea. */
static void flood_row(const Erosion *erosion, double sea, int32_t row) {
    Aside own = own_row(erosion, row);
    for (int32_t i = 0; i < erosion->columns; i++)
        if (own.ground[i] < sea) own.water[i] = sea - own.ground[i];
}

/* -- steps -- */

static void *take(char **at, size_t size) {
    void *piece = *at;
    *at += (size + 15) / 16 * 16;
    return piece;
}

/* The ring of a band, in the working storage of whoever works on it. */
static void open_band(Rt *rt, Band *band) {
    size_t n = (size_t)band->erosion->columns + 8, wide = n * sizeof(double), narrow = n * sizeof(float);
    char *at = rt_scratch_push(rt, RING * (3 * wide + 8 * narrow + 16 * 16) + 3 * narrow + 64);
    for (int k = 0; k < RING; k++) {
        Row *row = &band->rows[k];
        row->ground = (double *)take(&at, wide) + 4;
        row->water = take(&at, wide);
        row->load = take(&at, wide);
        row->east = (float *)take(&at, narrow) + 4;
        row->load_east = (float *)take(&at, narrow) + 4;
        row->south = take(&at, narrow);
        row->load_south = take(&at, narrow);
        row->share = take(&at, narrow);
        row->thick = take(&at, narrow);
    }
    band->slid = take(&at, narrow);
    band->worn = take(&at, narrow);
    float *ones = take(&at, narrow);
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    band->ones = ones;
}

/* The first row that hold_row makes is the one before the band. */
static void work_band(Rt *rt, const Step *step, int32_t number) {
    Band band = {.erosion = step->erosion, .spec = step->spec};
    int32_t first = number * BAND_ROWS, end = first + BAND_ROWS < band.erosion->rows ? first + BAND_ROWS : band.erosion->rows;
    RtScratchMark mark = rt_scratch_mark(rt);
    open_band(rt, &band);
    load_row(&band, number, first - 2);
    load_row(&band, number, first - 1);
    load_row(&band, number, first);
    drive_row(&band, first - 2);
    drive_row(&band, first - 1);
    share_row(&band, first - 1);
    for (int32_t row = first; row <= end; row++) {
        load_row(&band, number, row + 1);
        drive_row(&band, row);
        share_row(&band, row);
        hold_row(&band, row - 1);
        if (row == first) continue;
        slide_row(&band, row - 1);
        work_row(&band, row - 1);
        if (band.spec->has_sea) flood_row(band.erosion, band.spec->sea, row - 1);
    }
    step->left[number] = band.left;
    step->drained[number] = band.drained;
    rt_scratch_pop(rt, mark);
}

static void work_bands(Rt *rt, void *user, int64_t begin, int64_t end) {
    for (int64_t band = begin; band < end; band++)
        work_band(rt, user, (int32_t)band);
}

bool erosion_run(Rt *rt, Erosion *erosion, const ErodeSpec *spec, int64_t steps) {
    int32_t bands = band_count(erosion);
    RtScratchMark mark = rt_scratch_mark(rt);
    Step step = {erosion, spec, rt_scratch_push(rt, sizeof(double) * (size_t)bands), rt_scratch_push(rt, sizeof(double) * (size_t)bands)};
    RtTask outer = rt_task_begin(rt, "erosion");
    for (int64_t k = 0; k < steps && !rt_failed(rt) && !rt->stop; k++) {
        rt_task_tell(rt, &outer, (double)k / (double)steps);
        rt_parallel(rt, bands, 1, put_aside, erosion);
        rt_parallel(rt, bands, 1, work_bands, &step);
        for (int32_t band = 0; band < bands && !rt->stop; band++) {
            erosion->left += step.left[band];
            erosion->drained += step.drained[band];
        }
    }
    rt_task_end(rt, &outer);
    rt_scratch_pop(rt, mark);
    return !rt_failed(rt) && !rt->stop;
}

void erosion_init(Rt *rt, Erosion *erosion, int32_t columns, int32_t rows, double cell, const float *heights, const float *loose) {
    size_t count = (size_t)columns * (size_t)rows;
    *erosion = (Erosion){.columns = columns, .rows = rows, .cell = cell};
    double **deep[] = {&erosion->ground, &erosion->water, &erosion->load};
    float **flat[] = {&erosion->east, &erosion->south, &erosion->rock};
    for (int k = 0; k < 3; k++) {
        *deep[k] = rt_scratch_push(rt, count * sizeof(double));
        *flat[k] = rt_scratch_push(rt, count * sizeof(float));
        memset(*flat[k], 0, count * sizeof(float));
        memset(*deep[k], 0, count * sizeof(double));
    }
    for (size_t i = 0; i < count; i++) {
        erosion->ground[i] = (double)heights[i];
        erosion->rock[i] = heights[i] - (loose ? loose[i] : 0);
    }
    erosion->aside = rt_scratch_push(rt, aside_bytes(erosion) * 2 * MARGIN * (size_t)band_count(erosion));
}

void erosion_settle(Erosion *erosion) {
    size_t count = (size_t)erosion->columns * (size_t)erosion->rows;
    for (size_t i = 0; i < count; i++) {
        erosion->ground[i] += erosion->load[i];
        erosion->load[i] = 0;
    }
}
