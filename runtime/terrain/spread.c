/* D-infinity: water that goes down the steepest of eight facets, shared between the two neighbors it lies between. */
#include <math.h>
#include <string.h>

#include "runtime/math/det_math.h"
#include "runtime/terrain/drain_parts.h"

typedef struct Facet {
    uint8_t side, corner; /* ways */
    double fall, turn;    /* rise over run; radians from the side toward the corner, 0 to pi / 4 */
} Facet;

/* The steepest way down one facet. */
static Facet facet_of(const Drainage *drainage, int32_t square, uint8_t side, uint8_t corner) {
    const Land *land = &drainage->land;
    const float *levels = drainage->levels;
    double here = (double)levels[square], beside = (double)levels[square + drain_dx[side] + drain_dz[side] * land->columns];
    double across = (double)levels[square + drain_dx[corner] + drain_dz[corner] * land->columns];
    double s1 = here - beside, s2 = beside - across;
    Facet facet = {.side = side, .corner = corner};
    if (s2 <= 0) {
        facet.fall = s1;
    } else if (s2 >= s1) {
        facet.turn = DET_PI / 4;
        facet.fall = (here - across) / DRAIN_CORNER;
    } else {
        facet.turn = det_atan2(s2, s1);
        facet.fall = sqrt(s1 * s1 + s2 * s2);
    }
    return facet;
}

/* Of several facets as steep the one whose squares go before. */
static Facet steepest_facet(const Drainage *drainage, int32_t square) {
    Facet best = {0};
    int32_t n = drainage->land.columns;
    for (uint8_t k = 0; k < 8; k++) {
        uint8_t side = (uint8_t)(1 + (k / 2) * 2), corner = (uint8_t)(k % 2 ? side + 1 : side == 1 ? 8 : side - 1);
        Facet facet = facet_of(drainage, square, side, corner);
        if (facet.fall <= 0 || facet.fall < best.fall) continue;
        if (facet.fall == best.fall) {
            int32_t a = square + drain_dx[side] + drain_dz[side] * n, b = square + drain_dx[best.side] + drain_dz[best.side] * n;
            bool same = side == best.side;
            if (same) a += drain_dx[corner] - drain_dx[side] + (drain_dz[corner] - drain_dz[side]) * n;
            if (same) b += drain_dx[best.corner] - drain_dx[best.side] + (drain_dz[best.corner] - drain_dz[best.side]) * n;
            if (facet.turn > best.turn || (facet.turn == best.turn && !drain_goes_before(&drainage->land, a, b))) continue;
        }
        best = facet;
    }
    return best;
}

typedef struct Spread {
    const Drainage *drainage;
    uint8_t *sides, *corners; /* ways; 0: none */
    int32_t *shares;          /* of the corner, in DRAIN_UNITs */
} Spread;

/* The square that a way leads to; -1 for way 0. */
static int32_t led_to(const Spread *spread, int32_t square, uint8_t way) {
    return way ? square + drain_dx[way] + drain_dz[way] * spread->drainage->land.columns : -1;
}

static void choose(Spread *spread, int32_t square, float *angle) {
    const Drainage *drainage = spread->drainage;
    uint8_t way = drainage->ways[square];
    *angle = -1;
    if (way == 0) return;
    Facet facet = steepest_facet(drainage, square);
    if (facet.fall <= 0) { /* across a lake there is one way */
        spread->sides[square] = way;
        *angle = (float)((way - 1) * (DET_PI / 4));
        return;
    }
    double share = facet.turn / (DET_PI / 4), turn = facet.corner == facet.side % 8 + 1 ? facet.turn : -facet.turn;
    double toward = (facet.side - 1) * (DET_PI / 4) + turn;
    *angle = (float)(toward < 0 ? toward + DET_TURN : toward);
    spread->shares[square] = (int32_t)floor(share * DRAIN_UNIT + 0.5);
    if (spread->shares[square] < DRAIN_UNIT) spread->sides[square] = facet.side;
    if (spread->shares[square] > 0) spread->corners[square] = facet.corner;
}

static void pour(const Spread *spread, int64_t *area, uint8_t *waits, int32_t *stack, int64_t *height, int32_t square) {
    int64_t to_corner = (area[square] * spread->shares[square] + DRAIN_UNIT / 2) / DRAIN_UNIT;
    int32_t side = led_to(spread, square, spread->sides[square]), corner = led_to(spread, square, spread->corners[square]);
    if (side < 0) to_corner = area[square];
    if (corner >= 0) {
        area[corner] += to_corner;
        if (--waits[corner] == 0) stack[(*height)++] = corner;
    }
    if (side >= 0) {
        area[side] += corner >= 0 ? area[square] - to_corner : area[square];
        if (--waits[side] == 0) stack[(*height)++] = side;
    }
}

void drain_spread(Rt *rt, const Drainage *drainage, float *angles, int64_t *area) {
    int64_t all = (int64_t)drainage->land.columns * drainage->land.rows, height = 0;
    RtScratchMark mark = rt_scratch_mark(rt);
    Spread spread = {drainage, rt_scratch_push(rt, (size_t)all), rt_scratch_push(rt, (size_t)all), rt_scratch_push(rt, sizeof(int32_t) * (size_t)all)};
    uint8_t *waits = rt_scratch_push(rt, (size_t)all);
    int32_t *stack = rt_scratch_push(rt, sizeof *stack * (size_t)all);
    memset(spread.sides, 0, (size_t)all);
    memset(spread.corners, 0, (size_t)all);
    memset(spread.shares, 0, sizeof(int32_t) * (size_t)all);
    memset(waits, 0, (size_t)all);
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 50);
        choose(&spread, square, &angles[square]);
        int32_t side = led_to(&spread, square, spread.sides[square]), corner = led_to(&spread, square, spread.corners[square]);
        if (side >= 0) waits[side]++;
        if (corner >= 0) waits[corner]++;
        area[square] = drain_rain(drainage, square);
    }
    for (int32_t square = 0; square < all; square++)
        if (waits[square] == 0) stack[height++] = square;
    for (int64_t k = 0; height > 0; k++) {
        int32_t square = stack[--height];
        drain_watch(k, 10);
        pour(&spread, area, waits, stack, &height, square);
    }
    rt_scratch_pop(rt, mark);
}
