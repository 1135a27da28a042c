/* Levels of the filled land. */
#include <string.h>

#include "runtime/base/watch.h"
#include "runtime/terrain/drain_parts.h"
#include "runtime/terrain/heap.h"

typedef struct Flood {
    const Land *land;
    float *levels;
    uint8_t *met;
    FloatQueue queue;
    int32_t *squares; /* met and not yet looked round from: those under water from the front, those climbed to from the back */
    int64_t under, climbed, climbing, all; /* climbed to: from `climbed` up to `climbing`, the first to come the first to go */
    const uint8_t *ends;
    int32_t steps[8]; /* to the squares round one that has all eight */
} Flood;

static void meet(Flood *flood, int32_t square, float level) {
    flood->met[square] = 1;
    flood->levels[square] = level;
}

/* -- where water ends: the border, and the sea that reaches it -- */

static void end_sea(Flood *flood, uint8_t *ends) {
    const Land *land = flood->land;
    while (flood->under > 0) {
        int32_t square = flood->squares[--flood->under];
        for (int way = 1; way <= 8; way++) {
            int32_t next = land_next(land, square, way);
            if (next < 0 || ends[next] == END_SEA || !((double)land->heights[next] <= land->sea)) continue;
            ends[next] = END_SEA;
            flood->squares[flood->under++] = next;
        }
    }
}

static void find_ends(Flood *flood, uint8_t *ends) {
    const Land *land = flood->land;
    for (int32_t square = 0; square < flood->all; square++) {
        if (!land_is_border(land, square)) {
            square += land->columns - 3 - (square % land->columns - 1); /* to the last of the row but one */
            continue;
        }
        bool sea = land->has_sea && (double)land->heights[square] <= land->sea;
        if (ends[square] == END_SEA) continue;
        ends[square] = sea ? END_SEA : END_BORDER;
        if (sea) flood->squares[flood->under++] = square;
        end_sea(flood, ends);
    }
}

/* -- the flood -- */

/* What lies beside a square under water, or at the water's edge. */
static inline void look_round(Flood *flood, int32_t square, int32_t next) {
    if (flood->met[next]) return;
    float level = flood->levels[square], height = flood->land->heights[next];
    bool under = height <= level;
    meet(flood, next, under ? level : height);
    if (under)
        flood->squares[flood->under++] = next;
    else
        flood->squares[--flood->climbed] = next;
}

/* Another square, met and lower, will come to it. */
static inline bool is_expected(const Flood *flood, int32_t square) {
    for (int k = 0; k < 8; k++) {
        int32_t next = square + flood->steps[k];
        if (flood->met[next] && flood->levels[next] < flood->land->heights[square]) return true;
    }
    return false;
}

/* From a square that was climbed to only upwards; with something lower beside it that nothing else comes to, its turn is later. */
static inline void climb(Flood *flood, int32_t square) {
    const Land *land = flood->land;
    bool waits = false;
    float level = flood->levels[square];
    for (int k = 0; k < 8; k++) {
        int32_t next = square + flood->steps[k];
        if (flood->met[next]) continue;
        float height = land->heights[next];
        if (height <= level) {
            waits = waits || !is_expected(flood, next);
            continue;
        }
        meet(flood, next, height);
        flood->squares[--flood->climbed] = next;
    }
    if (waits) queue_push(&flood->queue, square);
}

static void look_all_round(Flood *flood, int32_t square) {
    const int32_t *steps = flood->steps;
    for (int k = 0; k < 8; k++)
        look_round(flood, square, square + steps[k]);
}

static void look_in_from_border(Flood *flood, int32_t square) {
    for (int way = 1; way <= 8; way++) {
        int32_t next = land_next(flood->land, square, way);
        if (next >= 0) look_round(flood, square, next);
    }
}

static void flood_from(Flood *flood, int32_t square) {
    if (flood->ends[square])
        look_in_from_border(flood, square);
    else
        look_all_round(flood, square);
    int64_t work = 1;
    for (; flood->under > 0 || flood->climbed < flood->climbing; work++)
        if (flood->under > 0)
            look_all_round(flood, flood->squares[--flood->under]);
        else
            climb(flood, flood->squares[--flood->climbing]);
    flood->climbed = flood->climbing = flood->all;
    watch_work(20 * work);
}

void fill_levels(Rt *rt, const Land *land, float *levels, uint8_t *ends) {
    RtScratchMark mark = rt_scratch_mark(rt);
    int64_t all = (int64_t)land->columns * land->rows;
    Flood flood = {.land = land, .levels = levels, .all = all, .climbed = all, .climbing = all, .ends = ends};
    for (int k = 0; k < 8; k++)
        flood.steps[k] = drain_dx[k + 1] + drain_dz[k + 1] * land->columns;
    flood.met = rt_scratch_push(rt, (size_t)all);
    flood.squares = rt_scratch_push(rt, sizeof(int32_t) * (size_t)all);
    flood.queue.keys = levels;
    flood.queue.heads = rt_scratch_push(rt, sizeof(int32_t) * QUEUE_BUCKETS);
    flood.queue.nexts = rt_scratch_push(rt, sizeof(int32_t) * (size_t)all);
    flood.queue.heap.items = rt_scratch_push(rt, sizeof(uint64_t) * (size_t)(all + 1));
    float least = land->heights[0], most = least;
    for (int64_t i = 1; i < all; i++) {
        if (land->heights[i] < least) least = land->heights[i];
        if (land->heights[i] > most) most = land->heights[i];
    }
    queue_init(&flood.queue, least, most);
    memset(flood.met, 0, (size_t)all);
    memset(ends, 0, (size_t)all);
    find_ends(&flood, ends);
    for (int32_t square = 0; square < all; square++) {
        if (ends[square] == 0) continue;
        meet(&flood, square, land->heights[square]);
        if (ends[square] == END_BORDER || land_is_shore(land, ends, square)) queue_push(&flood.queue, square);
    }
    for (int32_t square; (square = queue_pop(&flood.queue)) >= 0;)
        flood_from(&flood, square);
    rt_scratch_pop(rt, mark);
}

void drain_fill(Rt *rt, const Land *land, float *levels) {
    RtScratchMark mark = rt_scratch_mark(rt);
    fill_levels(rt, land, levels, rt_scratch_push(rt, (size_t)land->columns * (size_t)land->rows));
    rt_scratch_pop(rt, mark);
}
