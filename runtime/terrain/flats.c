/* Ways across lakes and flats, from their outlets inwards: Dijkstra's search. */
#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/math/pcg.h"
#include "runtime/terrain/drain_parts.h"
#include "runtime/terrain/heap.h"

typedef struct Crossing {
    Drainage *drainage;
    float *costs;
    uint32_t *hashes; /* of the ways to the outlet */
    FloatHeap heap;
} Crossing;

/* Of a step into a square, of those along a side: deep water is easy to cross. */
static float effort(const Drainage *drainage, int32_t square) {
    float depth = drainage->levels[square] - drainage->land.heights[square];
    return 1 + 2 / (1 + 20 * depth / (float)drainage->land.cell);
}

/* A way from `square` through its neighbor `next`, which is nearer to the outlet. */
static void offer(Crossing *crossing, int32_t square, uint8_t way, float cost_there, uint32_t hash_there) {
    Drainage *drainage = crossing->drainage;
    float cost = cost_there + effort(drainage, square) * (way & 1 ? 1 : (float)DRAIN_CORNER);
    uint32_t bits;
    memcpy(&bits, &drainage->land.heights[square], sizeof bits);
    uint32_t hash = pcg_hash(pcg_hash(hash_there ^ bits) + (way & 1));
    if (cost > crossing->costs[square] || (cost == crossing->costs[square] && hash >= crossing->hashes[square])) return;
    if (cost < crossing->costs[square]) heap_push(&crossing->heap, cost, square);
    crossing->costs[square] = cost;
    crossing->hashes[square] = hash;
    drainage->ways[square] = way;
}

static uint8_t back(uint8_t way) {
    return (uint8_t)((way + 3) % 8 + 1);
}

/* Flat squares with a neighbor as high whose way is known. */
static void begin_at_outlets(Crossing *crossing, const int32_t *flat, int64_t count) {
    const Drainage *drainage = crossing->drainage;
    const Land *land = &drainage->land;
    for (int64_t i = 0; i < count; i++)
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t square = flat[i], next = square + drain_dx[way] + drain_dz[way] * land->columns;
            if (drainage->levels[next] == drainage->levels[square] && isnan(crossing->costs[next]))
                offer(crossing, square, way, 0, drain_look(land, next));
        }
}

static void search(Crossing *crossing) {
    const Drainage *drainage = crossing->drainage;
    int64_t work = 0;
    while (crossing->heap.count > 0) {
        float key = heap_key(&crossing->heap);
        int32_t square = heap_pop(&crossing->heap);
        if (key > crossing->costs[square]) continue; /* a better way was found since */
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = square + drain_dx[way] + drain_dz[way] * drainage->land.columns;
            if (drainage->levels[next] == drainage->levels[square] && key < crossing->costs[next])
                offer(crossing, next, back(way), key, crossing->hashes[square]);
        }
        if (++work % 4096 == 0) watch_work(4096 * 100);
    }
}

void cross_flats(Rt *rt, Drainage *drainage) {
    int32_t all = drainage->land.columns * drainage->land.rows;
    RtScratchMark mark = rt_scratch_mark(rt);
    int64_t count = 0;
    for (int32_t square = 0; square < all; square++)
        count += drainage->ways[square] == WAY_FLAT;
    if (count > 0) {
        Crossing crossing = {drainage, rt_scratch_push(rt, sizeof(float) * (size_t)all), rt_scratch_push(rt, sizeof(uint32_t) * (size_t)all), {0}};
        int32_t *flat = rt_scratch_push(rt, sizeof *flat * (size_t)count);
        crossing.heap.items = rt_scratch_push(rt, sizeof(uint64_t) * (size_t)(8 * count + 1));
        count = 0;
        for (int32_t square = 0; square < all; square++) {
            bool is_flat = drainage->ways[square] == WAY_FLAT;
            crossing.costs[square] = is_flat ? INFINITY : NAN;
            if (is_flat) flat[count++] = square;
        }
        begin_at_outlets(&crossing, flat, count);
        search(&crossing);
    }
    rt_scratch_pop(rt, mark);
}
