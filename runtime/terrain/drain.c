#include "runtime/terrain/drain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/math/pcg.h"
#include "runtime/terrain/drain_parts.h"

enum { LOOK = 3, LOOK_FAR = 9 };

/* The hashes of `count` heights of a row from a column on; what lies past the border is alike. */
static void hash_row(const Land *land, int32_t row, int32_t column, int32_t count, uint32_t *hashes) {
    const uint32_t past = 0x7fc00000u;
    bool there = row >= 0 && row < land->rows;
    const float *heights = land->heights + (there ? (int64_t)row * land->columns : 0);
    if (there && column >= 0 && column + count <= land->columns) {
        memcpy(hashes, heights + column, sizeof *hashes * (size_t)count);
    } else {
        for (int32_t i = 0; i < count; i++) {
            bool inside = there && column + i >= 0 && column + i < land->columns;
            memcpy(&hashes[i], inside ? (const void *)&heights[column + i] : &past, sizeof past);
        }
    }
    for (int32_t i = 0; i < count; i++)
        hashes[i] = pcg_hash(hashes[i]);
}

/* Squares about it are told apart by how far they lie along the axes, never by on which side. */
static inline uint32_t look(const Land *land, int32_t square, int32_t reach) {
    int32_t column = square % land->columns, row = square / land->columns;
    uint32_t sums[LOOK_FAR + 1][LOOK_FAR + 1] = {0}, hashes[2 * LOOK_FAR + 1], all = 0; /* sums by how far along z, along x */
    for (int32_t dz = -reach; dz <= reach; dz++) {
        uint32_t *sum = sums[abs(dz)];
        hash_row(land, row + dz, column - reach, 2 * reach + 1, hashes);
        sum[0] += hashes[reach];
        for (int32_t far = 1; far <= reach; far++)
            sum[far] += hashes[reach - far] + hashes[reach + far];
    }
    for (int far = 0; far <= reach; far++)
        for (int near = 0; near <= far; near++)
            all = pcg_hash(all ^ (near == far ? sums[far][far] : sums[far][near] + sums[near][far]));
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

/* -- what gathers -- */

int64_t drain_rain(const Drainage *drainage, int64_t square) {
    return drainage->rain ? (int64_t)floor((double)drainage->rain[square] * DRAIN_UNIT + 0.5) : DRAIN_UNIT;
}

/* How many squares each takes water from. */
static void count_waits(const Drainage *drainage, const int32_t *steps, int64_t all, uint8_t *waits) {
    const uint8_t *ways = drainage->ways;
    memset(waits, 0, (size_t)all);
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 1);
        waits[square + steps[ways[square]]]++;
    }
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 1);
        drainage->area[square] = drain_rain(drainage, square);
        waits[square] -= ways[square] == 0; /* for itself */
    }
}

/* From many springs at once: a square's turn comes when the last of those it takes water from had theirs (Kahn 1962). So what stands beside each other in the
 * order hardly depends on each other, which lets a processor work on many, here and where heights are worked out the other way round; and what springs in one
 * band of land is worked on while that is near in memory. No step is a branch that cannot be foretold. */
static void gather(Rt *rt, Drainage *drainage) {
    enum { DONE = 255, AT_ONCE = 1 << 14 };
    const uint8_t *ways = drainage->ways;
    int64_t all = (int64_t)drainage->land.columns * drainage->land.rows, *area = drainage->area, count = 0, k = 0;
    int32_t steps[9], *order = drainage->order;
    RtScratchMark mark = rt_scratch_mark(rt);
    uint8_t *waits = rt_scratch_push(rt, (size_t)all);
    for (int way = 0; way <= 8; way++)
        steps[way] = drain_dx[way] + drain_dz[way] * drainage->land.columns;
    count_waits(drainage, steps, all, waits);
    for (int64_t first = 0; first < all; first += AT_ONCE) {
        for (int64_t spring = first; spring < first + AT_ONCE && spring < all; spring++) {
            order[count] = (int32_t)spring;
            count += waits[spring] == 0;
        }
        for (; k < count; k++) {
            int32_t square = order[k], next = square + steps[ways[square]];
            if (next == square) continue;
            area[next] += area[square];
            uint8_t left = (uint8_t)(waits[next] - 1);
            waits[next] = left ? left : DONE;
            order[count] = next;
            count += left == 0;
        }
        watch_work(20 * AT_ONCE);
    }
    rt_scratch_pop(rt, mark);
}

/* Shares of the whole, by a profile. */
static const double ways_found = 0.15, levels_found = 0.5, ways_mended = 0.55, flats_crossed = 0.8;

static bool find_ways(Rt *rt, Drainage *drainage, const RtTask *outer) {
    const Land *land = &drainage->land;
    RtScratchMark mark = rt_scratch_mark(rt);
    uint8_t *raised = rt_scratch_push(rt, (size_t)land->columns * (size_t)land->rows);
    find_ends(rt, land, drainage->ways);
    choose_ways(rt, land, drainage->ways);
    rt_task_tell(rt, outer, ways_found);
    if (!rt->stop && !rt_failed(rt)) fill_levels(rt, land, drainage->ways, drainage->levels, raised);
    rt_task_tell(rt, outer, levels_found);
    if (!rt->stop && !rt_failed(rt)) mend_ways(rt, land, drainage->levels, raised, drainage->ways);
    rt_scratch_pop(rt, mark);
    return !rt->stop && !rt_failed(rt);
}

bool drain_init(Rt *rt, Drainage *drainage, const Land *land, const float *rain) {
    size_t all = (size_t)land->columns * (size_t)land->rows;
    *drainage = (Drainage){.land = *land, .rain = rain};
    drainage->levels = rt_scratch_push(rt, sizeof(float) * all);
    drainage->ways = rt_scratch_push(rt, all);
    drainage->order = rt_scratch_push(rt, sizeof(int32_t) * (all + 1)); /* one more: gather writes before it knows */
    drainage->area = rt_scratch_push(rt, sizeof(int64_t) * all);
    RtTask outer = rt_task_begin(rt, "drainage");
    if (find_ways(rt, drainage, &outer)) {
        rt_task_tell(rt, &outer, ways_mended);
        cross_flats(rt, drainage);
        rt_task_tell(rt, &outer, flats_crossed);
        if (!rt->stop && !rt_failed(rt)) gather(rt, drainage); /* a way that was not worked out leads anywhere */
    }
    rt_task_end(rt, &outer);
    return !rt->stop && !rt_failed(rt);
}

/* -- what is read off it -- */

void drain_lean(const Drainage *drainage, double step, float *levels) {
    for (int64_t k = (int64_t)drainage->land.columns * drainage->land.rows - 1; k >= 0; k--) {
        int32_t square = drainage->order[k], next = drain_next(drainage, square);
        drain_watch(k, 5);
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
        drain_watch(k, 5);
        basins[square] = next < 0 ? count++ : basins[next];
    }
    Basin *list = rt_scratch_push(rt, sizeof *list * (size_t)count);
    int32_t *numbers = rt_scratch_push(rt, sizeof *numbers * (size_t)count);
    memset(list, 0, sizeof *list * (size_t)count);
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 5);
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
        drain_watch(k, 5);
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
