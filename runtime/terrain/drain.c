#include "runtime/terrain/drain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/watch.h"
#include "runtime/math/pcg.h"
#include "runtime/terrain/drain_parts.h"

enum { BAND_ROWS = 32, LOOK = 3, LOOK_FAR = 9 };

const int8_t drain_dx[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
const int8_t drain_dz[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};

/* Squares about it are told apart by how far they lie along the axes, never by on which side; what lies past the border is alike. */
static uint32_t look(const Land *land, int32_t square, int32_t reach) {
    int32_t column = square % land->columns, row = square / land->columns;
    uint32_t rings[LOOK_FAR + 1][LOOK_FAR + 1] = {0}, all = 0;
    for (int32_t dz = -reach; dz <= reach; dz++)
        for (int32_t dx = -reach; dx <= reach; dx++) {
            int32_t x = column + dx, z = row + dz, far = abs(dx) > abs(dz) ? abs(dx) : abs(dz), near = abs(dx) + abs(dz) - far;
            uint32_t bits = 0x7fc00000u;
            if (x >= 0 && z >= 0 && x < land->columns && z < land->rows) memcpy(&bits, &land->heights[z * land->columns + x], sizeof bits);
            rings[far][near] += pcg_hash(bits);
        }
    for (int far = 0; far <= reach; far++)
        for (int near = 0; near <= far; near++)
            all = pcg_hash(all ^ rings[far][near]);
    return all;
}

uint32_t drain_look(const Land *land, int32_t square) {
    return look(land, square, LOOK_FAR);
}

/* Of two neighbors as steep and of one kind, side or corner: the lower ground, then whichever the look of the land says. */
bool drain_goes_before(const Land *land, int32_t a, int32_t b) {
    if (land->heights[a] != land->heights[b]) return land->heights[a] < land->heights[b];
    uint32_t look_a = look(land, a, LOOK), look_b = look(land, b, LOOK);
    if (look_a == look_b) look_a = look(land, a, LOOK_FAR), look_b = look(land, b, LOOK_FAR);
    return look_a < look_b;
}

/* A tie of a side with a corner goes to the side. */
static uint8_t steepest(const Drainage *drainage, int32_t square) {
    const Land *land = &drainage->land;
    const float *levels = drainage->levels;
    uint8_t best = WAY_FLAT;
    float best_fall = 0;
    for (uint8_t k = 0; k < 8; k++) {
        uint8_t way = (uint8_t)(k < 4 ? 1 + 2 * k : 2 * k - 6);
        int32_t next = square + drain_dx[way] + drain_dz[way] * land->columns;
        float fall = (levels[square] - levels[next]) * (k < 4 ? 1 : (float)(1 / DRAIN_CORNER));
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

static void choose_ways(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    Drainage *drainage = user;
    int32_t columns = drainage->land.columns;
    for (int64_t row = begin; row < end; row++)
        for (int32_t square = (int32_t)row * columns; square < ((int32_t)row + 1) * columns; square++)
            drainage->ways[square] = drainage->ways[square] ? 0 : steepest(drainage, square);
}

/* -- what gathers -- */

int64_t drain_rain(const Drainage *drainage, int64_t square) {
    return drainage->rain ? (int64_t)floor((double)drainage->rain[square] * DRAIN_UNIT + 0.5) : DRAIN_UNIT;
}

/* Down from every spring until another stream has not come yet. */
static void gather(Rt *rt, Drainage *drainage) {
    int64_t all = (int64_t)drainage->land.columns * drainage->land.rows, count = 0;
    RtScratchMark mark = rt_scratch_mark(rt);
    uint8_t *waits = rt_scratch_push(rt, (size_t)all);
    enum { DONE = 255 };
    memset(waits, 0, (size_t)all);
    for (int32_t square = 0; square < all; square++) {
        int32_t next = drain_next(drainage, square);
        if (next >= 0) waits[next]++;
        drainage->area[square] = drain_rain(drainage, square);
    }
    for (int32_t spring = 0; spring < all; spring++)
        for (int32_t square = spring; square >= 0 && waits[square] == 0;) {
            drainage->order[count++] = square;
            waits[square] = DONE;
            int32_t next = drain_next(drainage, square);
            if (next >= 0) {
                drainage->area[next] += drainage->area[square];
                waits[next]--;
            }
            square = next;
        }
    watch_work(20 * all);
    rt_scratch_pop(rt, mark);
}

bool drain_init(Rt *rt, Drainage *drainage, const Land *land, const float *rain) {
    size_t all = (size_t)land->columns * (size_t)land->rows;
    *drainage = (Drainage){.land = *land, .rain = rain};
    drainage->levels = rt_scratch_push(rt, sizeof(float) * all);
    drainage->ways = rt_scratch_push(rt, all);
    drainage->order = rt_scratch_push(rt, sizeof(int32_t) * all);
    drainage->area = rt_scratch_push(rt, sizeof(int64_t) * all);
    fill_levels(rt, land, drainage->levels, drainage->ways);
    rt_parallel(rt, land->rows, BAND_ROWS, choose_ways, drainage);
    if (rt->stop || rt_failed(rt)) return false;
    cross_flats(rt, drainage);
    gather(rt, drainage);
    return !rt->stop;
}

/* -- what is read off it -- */

void drain_lean(const Drainage *drainage, double step, float *levels) {
    for (int64_t k = (int64_t)drainage->land.columns * drainage->land.rows - 1; k >= 0; k--) {
        int32_t square = drainage->order[k], next = drain_next(drainage, square);
        float level = drainage->levels[square];
        if (next >= 0) {
            float least = (float)((double)levels[next] + step);
            if (!(least > levels[next])) least = nextafterf(levels[next], INFINITY);
            if (level < least) level = least;
        }
        levels[square] = level;
    }
}

typedef struct Basin {
    int64_t squares;
    int32_t end;
} Basin;

static int larger_first(const void *a, const void *b) {
    const Basin *x = a, *y = b;
    if (x->squares != y->squares) return x->squares > y->squares ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

int32_t drain_basins(Rt *rt, const Drainage *drainage, int32_t *basins) {
    int32_t all = drainage->land.columns * drainage->land.rows, count = 0;
    RtScratchMark mark = rt_scratch_mark(rt);
    for (int32_t k = all - 1; k >= 0; k--) {
        int32_t square = drainage->order[k], next = drain_next(drainage, square);
        basins[square] = next < 0 ? count++ : basins[next];
    }
    Basin *list = rt_scratch_push(rt, sizeof *list * (size_t)count);
    int32_t *numbers = rt_scratch_push(rt, sizeof *numbers * (size_t)count);
    memset(list, 0, sizeof *list * (size_t)count);
    for (int32_t square = 0; square < all; square++) {
        list[basins[square]].squares++;
        if (drainage->ways[square] == 0) list[basins[square]].end = square;
    }
    qsort(list, (size_t)count, sizeof *list, larger_first);
    for (int32_t i = 0; i < count; i++)
        numbers[basins[list[i].end]] = i + 1;
    for (int32_t square = 0; square < all; square++)
        basins[square] = numbers[basins[square]];
    rt_scratch_pop(rt, mark);
    return count;
}

void drain_strahler(const Drainage *drainage, int64_t least, uint8_t *orders) {
    enum { TWICE = 128 }; /* two streams of the order in the lower bits have come */
    int64_t all = (int64_t)drainage->land.columns * drainage->land.rows;
    memset(orders, 0, (size_t)all);
    for (int64_t k = 0; k < all; k++) {
        int32_t square = drainage->order[k], next = drain_next(drainage, square);
        if (drainage->area[square] < least) continue;
        uint8_t met = orders[square], order = met == 0 ? 1 : (uint8_t)((met & ~TWICE) + (met & TWICE ? 1 : 0));
        orders[square] = order;
        if (next < 0) continue;
        uint8_t there = orders[next] & (uint8_t)~TWICE;
        if (order > there)
            orders[next] = order;
        else if (order == there)
            orders[next] |= TWICE;
    }
}
