/* Random graphs of cells under random sets: every answer is what working everything out anew would
 * give, nothing is worked out that need not be, and values that point into other cells' objects
 * never dangle.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "runtime/rt/cell.h"

/* Cells 0 .. LEAVES - 1 are set from outside. Cell i after them reads cells before it: a; then b
 * when a's number is odd, else c. Its number is a small one, so that it often comes out as it was.
 * Of every cell, slot 0 is the number and slot 1 a text that says it; a cell with `shares` passes
 * on the very text it read last. */
enum { CELLS = 24, LEAVES = 4, SMALL = 5 };

typedef struct Node {
    int a, b, c, factor;
    bool shares;
} Node;

typedef struct Graph {
    Node nodes[CELLS];
    int64_t leaves[LEAVES];
    int evaluations[CELLS];
    RtWorld *world;
} Graph;

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static void make_graph(Graph *graph, uint64_t *state) {
    for (int i = 0; i < LEAVES; i++)
        graph->leaves[i] = (int64_t)(next(state) % SMALL);
    for (int i = LEAVES; i < CELLS; i++)
        graph->nodes[i] =
            (Node){(int)(next(state) % (uint64_t)i), (int)(next(state) % (uint64_t)i),
                   (int)(next(state) % (uint64_t)i), (int)(next(state) % 4), next(state) % 3 == 0};
}

/* The same, without cells. */
typedef struct Expected {
    int64_t number;
    int64_t text; /* the number that the text says */
} Expected;

static Expected expect(const Graph *graph, int cell) {
    if (cell < LEAVES) return (Expected){graph->leaves[cell], graph->leaves[cell]};
    const Node *node = &graph->nodes[cell];
    Expected a = expect(graph, node->a), other = expect(graph, a.number % 2 ? node->b : node->c);
    int64_t number = (a.number * node->factor + other.number) % SMALL;
    return (Expected){number, node->shares ? other.text : number};
}

static void run(Rt *rt, int32_t cell, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out) {
    (void)n, (void)uniform;
    Graph *graph = rt->engine;
    RtPart *self = in[0]->r;
    const Node *node = &graph->nodes[cell];
    graph->evaluations[cell]++;
    int64_t a = rt_cell_get(rt, self, node->a)->i;
    const Slot *other = rt_cell_get(rt, self, a % 2 ? node->b : node->c);
    int64_t number = (a * node->factor + other[0].i) % SMALL;
    *out[0] = slot_i(number);
    *out[1] =
        node->shares ? other[1] : slot_r(rt_text(rt, str_printf(rt->arena, "%" PRId64, number)));
}

static const RtHost host = {.run = run};

static void set_leaf(Graph *graph, Rt *rt, int leaf) {
    Slot slots[2] = {slot_i(graph->leaves[leaf]),
                     slot_r(rt_text(rt, str_printf(rt->arena, "%" PRId64, graph->leaves[leaf])))};
    rt_cell_set(rt, rt_world_root(graph->world), leaf, slots);
}

static void check_cell(Graph *graph, Rt *rt, int cell) {
    Expected want = expect(graph, cell);
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, want.text);
    const Slot *slots = rt_cell_get(rt, rt_world_root(graph->world), cell);
    assert_false(rt_failed(rt));
    assert_int_equal(slots[0].i, want.number);
    assert_string_equal(((const RtText *)slots[1].r)->text.ptr, text);
}

static void play(Graph *graph, Rt *rt, uint64_t *state) {
    for (int leaf = 0; leaf < LEAVES; leaf++)
        set_leaf(graph, rt, leaf);
    for (int step = 0; step < 60; step++) {
        int before[CELLS];
        memcpy(before, graph->evaluations, sizeof before);
        int leaf = (int)(next(state) % LEAVES);
        graph->leaves[leaf] = (int64_t)(next(state) % SMALL);
        set_leaf(graph, rt, leaf);
        if (step == 30) graph->world->last_evaluation = UINT32_MAX - 3; /* their numbers begin anew before they end */
        for (int asks = 0; asks < 4; asks++)
            check_cell(graph, rt, (int)(next(state) % CELLS));
        for (int cell = 0; cell < CELLS; cell++)
            assert_true(graph->evaluations[cell] <= before[cell] + 1);
    }
}

static void test_random_graphs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        Memory memory;
        Arena arena;
        Rt rt;
        static Graph graph;
        uint64_t random = seed;
        RtField fields[CELLS] = {{.slot = 0}};
        memory_init(&memory, NULL, NULL, 0);
        arena_init(&arena, &memory);
        graph = (Graph){0};
        make_graph(&graph, &random);
        for (int i = 0; i < CELLS; i++)
            fields[i] = (RtField){.name = STR_LIT("cell"),
                                  .slot = 2 * i,
                                  .slot_count = 2,
                                  .slot_types = "IR",
                                  .init = i};
        RtClass class = {.fields = fields, .field_count = CELLS, .slot_count = 2 * CELLS};
        const RtClass *classes[] = {&class};
        graph.world = rt_world_create(&memory, classes, 1);
        rt_init(&rt, &host, &graph, &arena);
        rt.world = graph.world;
        play(&graph, &rt, &random);
        rt_world_destroy(graph.world);
        rt_fini(&rt);
        arena_fini(&arena);
        assert_int_equal(atomic_load(&memory.used), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
