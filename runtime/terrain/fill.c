/* Levels of the filled land. The ways down the bare ground lead to the sea, past the border, or to the bottom of a basin. A basin fills to the lowest pass by
 * which its water gets out, through others if need be: so what is flooded are basins, not squares (Cordonnier, Bovy and Braun 2019).
 *
 *     ways ──> basins: all squares whose ways end in one bottom ──> passes: between two basins the lowest ──> levels, from the outside inwards
 */
#include <math.h>
#include <string.h>

#include "runtime/terrain/drain_parts.h"
#include "runtime/terrain/heap.h"

enum { BAND_ROWS = 64 };

/* -- where water ends: the border, and the sea that reaches it -- */

static void spread_sea(const Land *land, uint8_t *ends, int32_t *stack) {
    for (int64_t height = 1; height > 0;) {
        int32_t square = stack[--height];
        for (int way = 1; way <= 8; way++) {
            int32_t next = land_next(land, square, way);
            if (next < 0 || ends[next] || !((double)land->heights[next] <= land->sea)) continue;
            ends[next] = 1;
            stack[height++] = next;
        }
    }
}

void find_ends(Rt *rt, const Land *land, uint8_t *ends) {
    int64_t all = (int64_t)land->columns * land->rows;
    RtScratchMark mark = rt_scratch_mark(rt);
    int32_t *stack = land->has_sea ? rt_scratch_push(rt, sizeof *stack * (size_t)all) : NULL;
    memset(ends, 0, (size_t)all);
    for (int32_t row = 0; row < land->rows; row++)
        for (int32_t column = 0; column < land->columns; column += row == 0 || row == land->rows - 1 ? 1 : land->columns - 1) {
            int32_t square = row * land->columns + column;
            if (ends[square]) continue;
            ends[square] = 1;
            if (!land->has_sea || !((double)land->heights[square] <= land->sea)) continue;
            stack[0] = square;
            spread_sea(land, ends, stack);
        }
    rt_scratch_pop(rt, mark);
}

/* -- basins, numbered from 1; 0: what ends in the sea or past the border -- */

typedef struct Pass {
    uint64_t between; /* the greater number, and above it the less; 0: none */
    float height;
} Pass;

typedef struct Basins {
    Rt *rt;
    const Land *land;
    const uint8_t *ways;
    int32_t *numbers;  /* by square */
    int32_t steps[10]; /* by way */
    int32_t count;
    Pass *passes;      /* by a hash of their basins */
    int64_t room, used;
    float *levels;     /* by basin */
    float *filled;     /* by square */
    uint8_t *raised;
} Basins;

/* A bottom is level ground with nothing lower beside it. */
static void number_bottom(Basins *basins, int32_t first, int32_t *stack) {
    const float *heights = basins->land->heights;
    basins->numbers[first] = ++basins->count;
    stack[0] = first;
    for (int64_t height = 1; height > 0;) {
        int32_t square = stack[--height];
        for (int way = 1; way <= 8; way++) {
            int32_t next = square + basins->steps[way];
            if (basins->ways[next] != WAY_FLAT || basins->numbers[next] >= 0 || heights[next] != heights[square]) continue;
            basins->numbers[next] = basins->count;
            stack[height++] = next;
        }
    }
}

static void number_bottoms(Basins *basins, int64_t all) {
    int64_t flat = 0;
    for (int64_t square = 0; square < all; square++)
        flat += basins->ways[square] == WAY_FLAT;
    watch_work(all);
    RtScratchMark mark = rt_scratch_mark(basins->rt);
    int32_t *stack = rt_scratch_push(basins->rt, sizeof *stack * (size_t)(flat + 1));
    for (int32_t square = 0; square < all; square++) {
        drain_watch(square, 2);
        if (basins->ways[square] == 0) basins->numbers[square] = 0;
        if (basins->ways[square] == WAY_FLAT && basins->numbers[square] < 0) number_bottom(basins, square, stack);
    }
    rt_scratch_pop(basins->rt, mark);
}

/* Down to what has a number, and again to give it. */
static void number_rest(const Basins *basins, int64_t all) {
    int32_t *numbers = basins->numbers;
    for (int32_t square = 0; square < all; square++) {
        int32_t end = square;
        drain_watch(square, 5);
        while (numbers[end] < 0)
            end += basins->steps[basins->ways[end]];
        for (int32_t here = square; here != end; here += basins->steps[basins->ways[here]])
            numbers[here] = numbers[end];
    }
}

/* -- passes -- */

static Pass *find_pass(Pass *passes, int64_t room, uint64_t between) {
    uint64_t at = between * 0x9E3779B97F4A7C15u >> 20;
    for (;; at++) {
        Pass *pass = &passes[at & (uint64_t)(room - 1)];
        if (pass->between == between || pass->between == 0) return pass;
    }
}

static void widen(Basins *basins) {
    int64_t room = basins->room ? 2 * basins->room : 1024;
    Pass *wider = rt_scratch_push(basins->rt, sizeof *wider * (size_t)room);
    memset(wider, 0, sizeof *wider * (size_t)room);
    for (int64_t i = 0; i < basins->room; i++)
        if (basins->passes[i].between) *find_pass(wider, room, basins->passes[i].between) = basins->passes[i];
    basins->passes = wider;
    basins->room = room;
}

/* Neighbors of two basins, seen often in a row: `last` is where they were. */
static Pass *note_pass(Basins *basins, Pass *last, int32_t square, int32_t next) {
    int32_t a = basins->numbers[square], b = basins->numbers[next];
    float height = basins->land->heights[square], other = basins->land->heights[next];
    uint64_t between = a < b ? (uint64_t)a << 32 | (uint32_t)b : (uint64_t)b << 32 | (uint32_t)a;
    if (a == b) return last;
    if (other > height) height = other;
    if (last == NULL || last->between != between) {
        if (2 * basins->used >= basins->room) widen(basins);
        last = find_pass(basins->passes, basins->room, between);
        if (last->between == 0) {
            *last = (Pass){between, height};
            basins->used++;
        }
    }
    if (height < last->height) last->height = height;
    return last;
}

/* Squares with another basin beside them, to the east or in the row below. */
static void find_rims(const int32_t *restrict here, const int32_t *restrict below, int32_t n, int32_t *restrict rims) {
    rims[0] = (here[0] ^ here[1]) | (here[0] ^ below[0]) | (here[0] ^ below[1]);
    for (int32_t i = 1; i < n - 1; i++)
        rims[i] = (here[i] ^ here[i + 1]) | (here[i] ^ below[i - 1]) | (here[i] ^ below[i]) | (here[i] ^ below[i + 1]);
    rims[n - 1] = here[n - 1] ^ below[n - 2];
}

static void find_passes(Basins *basins) {
    int32_t n = basins->land->columns, *rims = rt_scratch_push(basins->rt, sizeof *rims * (size_t)n);
    widen(basins);
    for (int32_t row = 0; row + 1 < basins->land->rows; row++) {
        const int32_t *here = basins->numbers + (int64_t)row * n;
        Pass *last = NULL;
        find_rims(here, here + n, n, rims);
        watch_work(10 * n);
        for (int32_t i = 0; i < n; i++) {
            if (rims[i] == 0) continue;
            int32_t square = row * n + i;
            last = note_pass(basins, last, square, square + n);
            if (i > 0) last = note_pass(basins, last, square, square + n - 1);
            if (i == n - 1) continue;
            last = note_pass(basins, last, square, square + n + 1);
            last = note_pass(basins, last, square, square + 1);
        }
    }
}

/* -- levels of basins: what is outside is lowest; from what is flooded on by the lowest pass -- */

/* Each pass twice, by the basin it is seen from. */
typedef struct Graph {
    int32_t *firsts; /* by basin; and the end of the last */
    int32_t *to;
    float *heights;  /* of passes, and then of the water that comes through */
} Graph;

static int32_t less_of(const Pass *pass) {
    return (int32_t)(pass->between >> 32);
}

static int32_t greater_of(const Pass *pass) {
    return (int32_t)(uint32_t)pass->between;
}

static void link_pass(const Graph *graph, int32_t from, int32_t to, float height) {
    int32_t at = --graph->firsts[from];
    graph->to[at] = to;
    graph->heights[at] = height;
}

static Graph graph_of(const Basins *basins, float *least, float *most) {
    Rt *rt = basins->rt;
    size_t twice = 2 * (size_t)basins->used;
    Graph graph = {rt_scratch_push(rt, sizeof(int32_t) * ((size_t)basins->count + 2)), rt_scratch_push(rt, sizeof(int32_t) * twice), rt_scratch_push(rt, sizeof(float) * twice)};
    memset(graph.firsts, 0, sizeof(int32_t) * ((size_t)basins->count + 2));
    *least = INFINITY, *most = -INFINITY;
    for (const Pass *pass = basins->passes; pass < basins->passes + basins->room; pass++) {
        if (pass->between == 0) continue;
        graph.firsts[less_of(pass)]++, graph.firsts[greater_of(pass)]++;
        if (pass->height < *least) *least = pass->height;
        if (pass->height > *most) *most = pass->height;
    }
    for (int32_t basin = 1; basin <= basins->count + 1; basin++)
        graph.firsts[basin] += graph.firsts[basin - 1];
    for (const Pass *pass = basins->passes; pass < basins->passes + basins->room; pass++) {
        if (pass->between == 0) continue;
        link_pass(&graph, less_of(pass), greater_of(pass), pass->height);
        link_pass(&graph, greater_of(pass), less_of(pass), pass->height);
    }
    return graph;
}

static void look_through_passes(const Graph *graph, FloatQueue *queue, const float *levels, int32_t basin) {
    for (int32_t at = graph->firsts[basin]; at < graph->firsts[basin + 1]; at++) {
        if (levels[graph->to[at]] < INFINITY) continue;
        if (graph->heights[at] < levels[basin]) graph->heights[at] = levels[basin];
        queue_push(queue, at);
    }
}

static void level_basins(Basins *basins) {
    Rt *rt = basins->rt;
    float least, most, *levels = rt_scratch_push(rt, sizeof *levels * ((size_t)basins->count + 1));
    Graph graph = graph_of(basins, &least, &most);
    size_t twice = 2 * (size_t)basins->used;
    FloatQueue queue = {.keys = graph.heights, .heads = rt_scratch_push(rt, sizeof(int32_t) * QUEUE_BUCKETS), .nexts = rt_scratch_push(rt, sizeof(int32_t) * twice)};
    queue.heap.items = rt_scratch_push(rt, sizeof(uint64_t) * (twice + 1));
    queue_init(&queue, least, most);
    levels[0] = -INFINITY;
    for (int32_t basin = 1; basin <= basins->count; basin++)
        levels[basin] = INFINITY;
    look_through_passes(&graph, &queue, levels, 0);
    for (int32_t at; (at = queue_pop(&queue)) >= 0;) {
        int32_t basin = graph.to[at];
        if (levels[basin] < INFINITY) continue;
        levels[basin] = graph.heights[at];
        look_through_passes(&graph, &queue, levels, basin);
    }
    watch_work(20 * (int64_t)twice);
    basins->levels = levels;
}

static void fill_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    const Basins *basins = user;
    int64_t n = basins->land->columns;
    const float *restrict heights = basins->land->heights, *restrict levels = basins->levels;
    const int32_t *restrict numbers = basins->numbers;
    for (int64_t i = begin * n; i < end * n; i++) {
        float level = levels[numbers[i]], height = heights[i];
        basins->raised[i] = level > height;
        basins->filled[i] = level > height ? level : height;
    }
}

void fill_levels(Rt *rt, const Land *land, const uint8_t *ways, float *levels, uint8_t *raised) {
    int64_t all = (int64_t)land->columns * land->rows;
    RtScratchMark mark = rt_scratch_mark(rt);
    Basins basins = {.rt = rt, .land = land, .ways = ways, .filled = levels, .raised = raised};
    for (int way = 1; way <= 8; way++)
        basins.steps[way] = drain_dx[way] + drain_dz[way] * land->columns;
    basins.numbers = rt_scratch_push(rt, sizeof(int32_t) * (size_t)all);
    memset(basins.numbers, -1, sizeof(int32_t) * (size_t)all);
    number_bottoms(&basins, all);
    number_rest(&basins, all);
    find_passes(&basins);
    level_basins(&basins);
    rt_parallel(rt, land->rows, BAND_ROWS, fill_rows, &basins);
    rt_scratch_pop(rt, mark);
}

void drain_fill(Rt *rt, const Land *land, float *levels) {
    RtScratchMark mark = rt_scratch_mark(rt);
    size_t all = (size_t)land->columns * (size_t)land->rows;
    uint8_t *ways = rt_scratch_push(rt, all), *raised = rt_scratch_push(rt, all);
    find_ends(rt, land, ways);
    choose_ways(rt, land, ways);
    if (!rt->stop && !rt_failed(rt)) fill_levels(rt, land, ways, levels, raised);
    rt_scratch_pop(rt, mark);
}
