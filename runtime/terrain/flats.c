/* Ways across lakes and flats: a search from their outlets inwards that goes on from the lowest ground it has met (Prim's tree), so that ways lead down to
 * the lake's own valley and along it. On ground that is level it goes on from where the outlet is nearest (Dijkstra's).
 */
#include <math.h>

#include "runtime/base/watch.h"
#include "runtime/math/pcg.h"
#include "runtime/terrain/drain_parts.h"
#include "runtime/terrain/heap.h"

/* A square that the search has met, and how: less is earlier. All of it is the same in a mirrored land but for the square's number. */
typedef struct Front {
    uint64_t place; /* the rank of its height, and of how far it is over level ground */
    uint32_t hash;  /* of the way to the outlet */
    int32_t square;
} Front;

typedef struct Crossing {
    Drainage *drainage;
    float *costs;     /* over level ground, squares */
    uint32_t *hashes;
    uint8_t *states;
    Front *heap; /* from index 1 */
    int64_t count, room;
    Rt *rt;
} Crossing;

enum { KNOWN, OUTLET, FLAT, MET, DONE };

static bool is_before(const Crossing *crossing, const Front *a, const Front *b) {
    if (a->place != b->place) return a->place < b->place;
    if (a->hash != b->hash) return a->hash < b->hash;
    return a->square != b->square && drain_goes_before(&crossing->drainage->land, a->square, b->square);
}

static void push(Crossing *crossing, Front front) {
    if (crossing->count + 1 == crossing->room) {
        Front *wider = rt_scratch_push(crossing->rt, sizeof *wider * 2 * (size_t)crossing->room);
        memcpy(wider, crossing->heap, sizeof *wider * (size_t)crossing->room);
        crossing->heap = wider;
        crossing->room *= 2;
    }
    int64_t at = ++crossing->count;
    for (; at > 1 && is_before(crossing, &front, &crossing->heap[at / 2]); at /= 2)
        crossing->heap[at] = crossing->heap[at / 2];
    crossing->heap[at] = front;
}

static Front pop(Crossing *crossing) {
    Front *heap = crossing->heap, first = heap[1], last = heap[crossing->count--];
    int64_t at = 1, child;
    while ((child = 2 * at) <= crossing->count) {
        child += child < crossing->count && is_before(crossing, &heap[child + 1], &heap[child]);
        if (!is_before(crossing, &heap[child], &last)) break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = last;
    return first;
}

static uint8_t back(uint8_t way) {
    return (uint8_t)((way + 3) % 8 + 1);
}

static int32_t step(const Land *land, int32_t square, uint8_t way) {
    return square + drain_dx[way] + drain_dz[way] * land->columns;
}

/* The way from `square` to a neighbor that is nearer to the outlet. The first that is offered holds, but among neighbors as high; of outlets the lowest does. */
static void offer(Crossing *crossing, int32_t square, uint8_t way, uint32_t hash_there) {
    Drainage *drainage = crossing->drainage;
    const float *heights = drainage->land.heights;
    int32_t next = step(&drainage->land, square, way);
    float cost = (way & 1 ? 1 : (float)DRAIN_CORNER) + (heights[next] == heights[square] && crossing->states[next] != OUTLET ? crossing->costs[next] : 0);
    uint32_t hash = pcg_hash(pcg_hash(hash_there ^ heap_rank(heights[square])) + (way & 1));
    if (crossing->states[square] == MET) {
        float other = heights[step(&drainage->land, square, drainage->ways[square])];
        bool lower = heights[next] < other && crossing->states[next] == OUTLET;
        if (heights[next] != other && !lower) return;
        if (lower) crossing->costs[square] = INFINITY;
        if (cost > crossing->costs[square] || (cost == crossing->costs[square] && hash > crossing->hashes[square])) return;
        if (cost == crossing->costs[square] && hash == crossing->hashes[square] &&
            !drain_goes_before(&drainage->land, next, step(&drainage->land, square, drainage->ways[square])))
            return;
    }
    crossing->states[square] = MET;
    crossing->costs[square] = cost;
    crossing->hashes[square] = hash;
    drainage->ways[square] = way;
    push(crossing, (Front){(uint64_t)heap_rank(heights[square]) << 32 | heap_rank(cost), hash, square});
}

/* Flat squares with a neighbor as high whose way is known. */
static void begin_at_outlets(Crossing *crossing, const int32_t *flat, int64_t count) {
    const Drainage *drainage = crossing->drainage;
    for (int64_t i = 0; i < count; i++)
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = step(&drainage->land, flat[i], way);
            if (drainage->levels[next] != drainage->levels[flat[i]] || crossing->states[next] > OUTLET) continue;
            if (crossing->states[next] == KNOWN) crossing->hashes[next] = drain_look(&drainage->land, next);
            crossing->states[next] = OUTLET;
            offer(crossing, flat[i], way, crossing->hashes[next]);
        }
}

static void search(Crossing *crossing) {
    const Drainage *drainage = crossing->drainage;
    for (int64_t work = 1; crossing->count > 0; work++) {
        Front front = pop(crossing);
        if (work % 4096 == 0) watch_work(4096 * 100);
        if (crossing->states[front.square] == DONE) continue;
        crossing->states[front.square] = DONE;
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = step(&drainage->land, front.square, way);
            if (drainage->levels[next] != drainage->levels[front.square]) continue;
            if (crossing->states[next] == FLAT || crossing->states[next] == MET) offer(crossing, next, back(way), crossing->hashes[front.square]);
        }
    }
}

void cross_flats(Rt *rt, Drainage *drainage) {
    int32_t all = drainage->land.columns * drainage->land.rows;
    RtScratchMark mark = rt_scratch_mark(rt);
    int64_t count = 0;
    for (int32_t square = 0; square < all; square++)
        count += drainage->ways[square] == WAY_FLAT;
    if (count > 0) {
        Crossing crossing = {.drainage = drainage, .room = 2 * count + 16, .rt = rt};
        crossing.costs = rt_scratch_push(rt, sizeof(float) * (size_t)all);
        crossing.hashes = rt_scratch_push(rt, sizeof(uint32_t) * (size_t)all);
        crossing.states = rt_scratch_push(rt, (size_t)all);
        int32_t *flat = rt_scratch_push(rt, sizeof *flat * (size_t)count);
        crossing.heap = rt_scratch_push(rt, sizeof *crossing.heap * (size_t)crossing.room);
        count = 0;
        for (int32_t square = 0; square < all; square++) {
            crossing.states[square] = drainage->ways[square] == WAY_FLAT ? FLAT : KNOWN;
            if (crossing.states[square] == FLAT) flat[count++] = square;
        }
        begin_at_outlets(&crossing, flat, count);
        search(&crossing);
    }
    rt_scratch_pop(rt, mark);
}
