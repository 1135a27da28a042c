/* The ways down: each square's steepest. */
#include <math.h>

#include "runtime/terrain/drain_parts.h"

enum { BAND_ROWS = 32, TIED = 16 };

static const float corner_share = (float)(1 / DRAIN_CORNER);

const int8_t drain_dx[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
const int8_t drain_dz[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};

/* A tie of a side with a corner goes to the side. */
static uint8_t steepest(const Land *land, const float *levels, int32_t square) {
    uint8_t best = WAY_FLAT;
    float best_fall = 0;
    for (uint8_t k = 0; k < 8; k++) {
        uint8_t way = (uint8_t)(k < 4 ? 1 + 2 * k : 2 * k - 6);
        int32_t next = square + drain_dx[way] + drain_dz[way] * land->columns;
        float fall = (levels[square] - levels[next]) * (k < 4 ? 1 : corner_share);
        if (fall < best_fall || fall <= 0) continue;
        if (fall == best_fall) {
            int32_t other = square + drain_dx[best] + drain_dz[best] * land->columns;
            if ((best & 1) != (way & 1) || !drain_goes_before(land, next, other)) continue;
        }
        best = way;
        best_fall = fall;
    }
    return best;
}

/* -- on bare ground: eight squares at once, and then those with ties one by one -- */

typedef struct Ground {
    const Land *land;
    uint8_t *ways;
} Ground;

/* What a square knows after some of its neighbors. */
typedef struct Best {
    float fall;
    int32_t way; /* TIED when another is as steep */
} Best;

static inline Best better(Best best, int32_t way, float fall) {
    int32_t tied = best.way | (fall == best.fall ? TIED : 0);
    return (Best){fall > best.fall ? fall : best.fall, fall > best.fall ? way : tied};
}

/* Sides first, as `steepest` goes. A fall of 0 ties with none at all, which does no harm: its bit is put on WAY_FLAT. */
static void choose_row(const float *restrict up, const float *restrict here, const float *restrict down, int32_t n, uint8_t *restrict ways) {
    for (int32_t i = 1; i < n - 1; i++) {
        float h = here[i];
        Best best = {0, WAY_FLAT};
        best = better(best, 1, h - here[i + 1]);
        best = better(best, 3, h - down[i]);
        best = better(best, 5, h - here[i - 1]);
        best = better(best, 7, h - up[i]);
        best = better(best, 2, (h - down[i + 1]) * corner_share);
        best = better(best, 4, (h - down[i - 1]) * corner_share);
        best = better(best, 6, (h - up[i - 1]) * corner_share);
        best = better(best, 8, (h - up[i + 1]) * corner_share);
        ways[i] = ways[i] ? 0 : (uint8_t)best.way;
    }
}

static void choose_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Ground *ground = user;
    const Land *land = ground->land;
    int32_t n = land->columns;
    for (int64_t row = begin; row < end; row++) {
        const float *here = land->heights + row * n;
        uint8_t *ways = ground->ways + row * n;
        ways[0] = ways[n - 1] = 0;
        if (row == 0 || row == land->rows - 1) {
            memset(ways, 0, (size_t)n);
            continue;
        }
        choose_row(here - n, here, here + n, n, ways);
        for (int32_t i = 1; i < n - 1; i++)
            if (ways[i] & TIED) ways[i] = ways[i] == (WAY_FLAT | TIED) ? WAY_FLAT : steepest(land, land->heights, (int32_t)(row * n + i));
    }
}

void choose_ways(Rt *rt, const Land *land, uint8_t *ways) {
    Ground ground = {land, ways};
    rt_parallel(rt, land->rows, BAND_ROWS, choose_rows, &ground);
}

/* -- beside water -- */

typedef struct Shores {
    const Land *land;
    const float *levels;
    const uint8_t *raised;
    uint8_t *ways;
} Shores;

/* Dry squares with water beside them. */
static void find_shores(const uint8_t *restrict raised, int32_t n, uint8_t *restrict shores) {
    const uint8_t *up = raised - n, *down = raised + n;
    for (int32_t i = 1; i < n - 1; i++) {
        uint8_t beside = (uint8_t)(up[i - 1] | up[i] | up[i + 1] | raised[i - 1] | raised[i + 1] | down[i - 1] | down[i] | down[i + 1]);
        shores[i] = (uint8_t)(beside & ~raised[i]);
    }
}

static void mend_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Shores *land = user;
    int32_t n = land->land->columns;
    RtScratchMark mark = rt_scratch_mark(rt);
    uint8_t *shores = rt_scratch_push(rt, (size_t)n);
    for (int64_t row = begin < 1 ? 1 : begin; row < end && row < land->land->rows - 1; row++) {
        uint8_t *ways = land->ways + row * n;
        find_shores(land->raised + row * n, n, shores);
        for (int32_t i = 1; i < n - 1; i++) {
            if (land->raised[row * n + i]) ways[i] = WAY_FLAT;
            if (shores[i] && ways[i]) ways[i] = steepest(land->land, land->levels, (int32_t)(row * n + i));
        }
    }
    rt_scratch_pop(rt, mark);
}

/* Under water all beside it is as high or higher. */
void mend_ways(Rt *rt, const Land *land, const float *levels, const uint8_t *raised, uint8_t *ways) {
    Shores shores = {land, levels, raised, ways};
    rt_parallel(rt, land->rows, BAND_ROWS, mend_rows, &shores);
}
