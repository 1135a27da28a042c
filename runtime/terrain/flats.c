/* Ways across lakes and flats: a search from their outlets inwards that goes on from the lowest ground it has met (Prim's tree), so that ways lead down to
 * the lake's own valley and along it. On ground that is level it goes on from where the outlet is nearest (Dijkstra's).
 */
#include <math.h>

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
    float *costs; /* over level ground, squares */
    uint32_t *hashes;
    uint8_t *states;
    int32_t *flat, *firsts, lakes; /* squares, those of a lake or flat together, and where each begins; and the end of the last */
    int32_t *outlets;
    int64_t outlet_count;
} Crossing;

enum { KNOWN, OUTLET, FLAT, WAITING, MET, DONE }; /* WAITING: it is counted to its lake */
enum { LAKES_A_CHUNK = 16, OUTLETS_A_CHUNK = 256 };

/* One lake's. */
typedef struct Search {
    Rt *rt;
    Crossing *crossing;
    Front *heap; /* from index 1 */
    int64_t count, room;
} Search;

static bool is_before(const Land *land, const Front *a, const Front *b) {
    if (a->place != b->place) return a->place < b->place;
    if (a->hash != b->hash) return a->hash < b->hash;
    return a->square != b->square && drain_goes_before(land, a->square, b->square);
}

static void push(Search *search, Front front) {
    const Land *land = &search->crossing->drainage->land;
    if (search->count + 1 == search->room) {
        Front *wider = rt_scratch_push(search->rt, sizeof *wider * 2 * (size_t)search->room);
        memcpy(wider, search->heap, sizeof *wider * (size_t)search->room);
        search->heap = wider;
        search->room *= 2;
    }
    int64_t at = ++search->count;
    for (; at > 1 && is_before(land, &front, &search->heap[at / 2]); at /= 2)
        search->heap[at] = search->heap[at / 2];
    search->heap[at] = front;
}

static Front pop(Search *search) {
    const Land *land = &search->crossing->drainage->land;
    Front *heap = search->heap, first = heap[1], last = heap[search->count--];
    int64_t at = 1, child;
    while ((child = 2 * at) <= search->count) {
        child += child < search->count && is_before(land, &heap[child + 1], &heap[child]);
        if (!is_before(land, &heap[child], &last)) break;
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
static void offer(Search *search, int32_t square, uint8_t way, uint32_t hash_there) {
    Crossing *crossing = search->crossing;
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
    push(search, (Front){(uint64_t)heap_rank(heights[square]) << 32 | heap_rank(cost), hash, square});
}

/* Flat squares with a neighbor as high whose way is known. */
static void begin_at_outlets(Search *search, const int32_t *flat, int64_t count) {
    const Crossing *crossing = search->crossing;
    const Drainage *drainage = crossing->drainage;
    for (int64_t i = 0; i < count; i++)
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = step(&drainage->land, flat[i], way);
            if (crossing->states[next] == OUTLET && drainage->levels[next] == drainage->levels[flat[i]]) offer(search, flat[i], way, crossing->hashes[next]);
        }
}

static void go_inwards(Search *search) {
    const Crossing *crossing = search->crossing;
    const Drainage *drainage = crossing->drainage;
    for (int64_t work = 1; search->count > 0; work++) {
        Front front = pop(search);
        if (work % 4096 == 0) watch_work(4096 * 100);
        if (crossing->states[front.square] == DONE) continue;
        crossing->states[front.square] = DONE;
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = step(&drainage->land, front.square, way);
            if (drainage->levels[next] != drainage->levels[front.square]) continue;
            if (crossing->states[next] == WAITING || crossing->states[next] == MET) offer(search, next, back(way), crossing->hashes[front.square]);
        }
    }
}

static void cross_lakes(Rt *rt, void *user, int64_t begin, int64_t end) {
    Crossing *crossing = user;
    RtScratchMark mark = rt_scratch_mark(rt);
    Search search = {.rt = rt, .crossing = crossing, .room = 256};
    search.heap = rt_scratch_push(rt, sizeof *search.heap * (size_t)search.room);
    for (int64_t lake = begin; lake < end; lake++) {
        begin_at_outlets(&search, crossing->flat + crossing->firsts[lake], crossing->firsts[lake + 1] - crossing->firsts[lake]);
        go_inwards(&search);
    }
    rt_scratch_pop(rt, mark);
}

/* -- lakes, and where their water goes on -- */

/* From its first square on; `flat` grows by its squares. */
static int32_t gather_lake(Crossing *crossing, int32_t first, int32_t *flat) {
    const Drainage *drainage = crossing->drainage;
    int32_t count = 1;
    flat[0] = first;
    crossing->states[first] = WAITING;
    for (int32_t i = 0; i < count; i++)
        for (uint8_t way = 1; way <= 8; way++) {
            int32_t next = step(&drainage->land, flat[i], way);
            if (drainage->levels[next] != drainage->levels[first]) continue;
            if (crossing->states[next] == FLAT) {
                crossing->states[next] = WAITING;
                flat[count++] = next;
            } else if (crossing->states[next] == KNOWN) {
                crossing->states[next] = OUTLET;
                crossing->outlets[crossing->outlet_count++] = next;
            }
        }
    return count;
}

static void gather_lakes(Crossing *crossing, int32_t all) {
    int32_t at = 0;
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 2);
        if (crossing->states[square] != FLAT) continue;
        crossing->firsts[crossing->lakes++] = at;
        at += gather_lake(crossing, square, crossing->flat + at);
    }
    crossing->firsts[crossing->lakes] = at;
}

static void look_at_outlets(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Crossing *crossing = user;
    for (int64_t i = begin; i < end; i++)
        crossing->hashes[crossing->outlets[i]] = drain_look(&crossing->drainage->land, crossing->outlets[i]);
}

void cross_flats(Rt *rt, Drainage *drainage) {
    int32_t all = drainage->land.columns * drainage->land.rows, count = 0;
    RtScratchMark mark = rt_scratch_mark(rt);
    Crossing crossing = {.drainage = drainage};
    crossing.states = rt_scratch_push(rt, (size_t)all);
    for (int32_t square = 0; square < all; square++) {
        crossing.states[square] = drainage->ways[square] == WAY_FLAT ? FLAT : KNOWN;
        count += drainage->ways[square] == WAY_FLAT;
    }
    if (count > 0) {
        crossing.costs = rt_scratch_push(rt, sizeof(float) * (size_t)all);
        crossing.hashes = rt_scratch_push(rt, sizeof(uint32_t) * (size_t)all);
        crossing.flat = rt_scratch_push(rt, sizeof(int32_t) * (size_t)count);
        crossing.firsts = rt_scratch_push(rt, sizeof(int32_t) * ((size_t)count + 1));
        crossing.outlets = rt_scratch_push(rt, sizeof(int32_t) * (size_t)(all - count));
        gather_lakes(&crossing, all);
        watch_work(20 * (int64_t)count);
        rt_parallel(rt, crossing.outlet_count, OUTLETS_A_CHUNK, look_at_outlets, &crossing);
        rt_parallel(rt, crossing.lakes, LAKES_A_CHUNK, cross_lakes, &crossing);
    }
    rt_scratch_pop(rt, mark);
}
