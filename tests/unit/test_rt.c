/* Cells, members, faults, lists and parallel loops, with functions written in C instead of compiled
 * ones. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "runtime/rt/cell.h"
#include "runtime/rt/layout.h"
#include "runtime/rt/life.h"
#include "runtime/rt/pool.h"

/* -- a small world --
 *
 *   root: base = 2 (set by the tests), twice = base * 2, sign = base < 0, label = sign ? 100 : 200,
 *         a child "land"
 *   land: ground = root.twice + brook.level, and a brook whose level may read ground (a loop)
 *   root.lamp[i]: as many as base says; each has bright = i * root.twice
 */
enum { ROOT_BASE, ROOT_TWICE, ROOT_SIGN, ROOT_LABEL, ROOT_TEXT, ROOT_COUNTED, ROOT_SUM, ROOT_NAN };
enum { LAND_GROUND };
enum { BROOK_LEVEL };
enum { LAMP_BRIGHT };
enum {
    FN_BASE,
    FN_TWICE,
    FN_SIGN,
    FN_LABEL,
    FN_TEXT,
    FN_COUNTED,
    FN_SUM,
    FN_NAN,
    FN_GROUND,
    FN_LEVEL,
    FN_LAMPS,
    FN_BRIGHT,
    FN_HUGE,
    FN_ELEMENT,
    FN_COUNT
};

typedef struct Fixture {
    Memory memory;
    Arena arena;
    RtClass classes[4];
    const RtClass *table[4];
    RtField fields[16];
    RtWorld *world;
    Rt rt;
    int calls[FN_COUNT];
    bool loop, duplicate;
} Fixture;

static double number(Rt *rt, RtPart *part, int field) {
    return rt_cell_get(rt, part, field)->f;
}

static double lamps_sum(Rt *rt, RtPart *root) {
    double sum = 0;
    RtList *lamps = rt_part_family(rt, root, 0);
    for (int64_t i = 0; i < lamps->length; i++)
        sum += number(rt, rt_list_item(lamps, i)->r, LAMP_BRIGHT);
    return sum;
}

static void make_lamps(Rt *rt, const Fixture *f, RtPart *root) {
    static const uint32_t span[3] = {1, 2, 3};
    int64_t count = (int64_t)number(rt, root, ROOT_COUNTED);
    for (int64_t i = 0; i < count; i++) {
        Slot capture = slot_i(i);
        rt_part_make(rt, root, 3, 0, f->duplicate ? 7 : i, NULL, NULL, 1, &capture, span);
    }
}

static void run_func(Rt *rt, Fixture *f, int32_t func, RtPart *self, Slot *out) {
    RtPart *root = rt_world_root(f->world);
    f->calls[func]++;
    switch (func) {
    case FN_BASE:
        *out = slot_f(2);
        break;
    case FN_TWICE:
        *out = slot_f(2 * number(rt, root, ROOT_BASE));
        break;
    case FN_SIGN:
        *out = slot_b(number(rt, root, ROOT_BASE) < 0);
        break;
    case FN_LABEL:
        *out = slot_f(rt_cell_get(rt, root, ROOT_SIGN)->w ? 100 : 200);
        break;
    case FN_TEXT:
        *out = slot_r(
            rt_text(rt, rt_cell_get(rt, root, ROOT_SIGN)->w ? STR_LIT("below") : STR_LIT("above")));
        break;
    case FN_COUNTED:
        *out = slot_f(floor(number(rt, root, ROOT_BASE)));
        break;
    case FN_SUM:
        *out = slot_f(lamps_sum(rt, root));
        break;
    case FN_NAN:
        *out = slot_f(sqrt(-number(rt, root, ROOT_BASE)));
        break;
    case FN_GROUND:
        *out = slot_f(number(rt, root, ROOT_TWICE) +
                      number(rt, rt_part_child(rt, self, 0), BROOK_LEVEL));
        break;
    case FN_LEVEL:
        *out = slot_f(f->loop ? number(rt, self->parent, LAND_GROUND) : 0.5);
        break;
    case FN_LAMPS:
        make_lamps(rt, f, root);
        break;
    case FN_BRIGHT:
        *out = slot_f((double)self->captures[0].i * number(rt, root, ROOT_TWICE));
        break;
    case FN_HUGE:
        rt_list_create(rt, (RtShape){1, 0}, INT64_MAX / 1024);
        break;
    default:
        fail_msg("no such function");
    }
}

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    (void)uniform;
    Fixture *f = rt->engine;
    if (func ==
        FN_ELEMENT) { /* results: 3 * argument; reads a cell; faults at elements 300 and 700 */
        for (int64_t e = 0; e < n; e++) {
            double twice = number(rt, rt_world_root(f->world), ROOT_TWICE);
            int64_t element = rt->element_base + e;
            if (f->loop && (element == 700 || element == 300))
                rt_fault_at(rt, RT_FAULT_INDEX, (uint32_t[]){1, 1, 1}, e, STR_LIT("here"));
            out[0][e] = slot_f(3 * in[0][e].f + twice);
        }
        return;
    }
    assert_int_equal(n, 1);
    run_func(rt, f, func, in[0]->r, out ? out[0] : NULL);
}

static const RtHost host = {.run = host_run};

static RtField make_field(const char *name, int slot, const char *type, int init) {
    return (RtField){.name = str_of(name),
                     .slot = slot,
                     .slot_count = 1,
                     .slot_types = type,
                     .init = init,
                     .span = {1, 10, 20}};
}

static int set_up(void **state) {
    static Fixture fixture;
    static RtChild land = {.name = {"land", 4}, .cls = 1}, brook = {.name = {"brook", 5}, .cls = 2};
    static RtFamily lamps = {.name = {"lamp", 4}};
    static const int32_t elaborate[] = {FN_LAMPS};
    Fixture *f = &fixture;
    *f = (Fixture){0};
    memory_init(&f->memory, NULL, NULL, 64 << 20);
    arena_init(&f->arena, &f->memory);
    const char *names[] = {"base", "twice", "sign", "label", "text", "counted", "sum", "nan"};
    const char *types[] = {"F", "F", "B", "F", "R", "F", "F", "F"};
    for (int i = 0; i < 8; i++)
        f->fields[i] = make_field(names[i], i, types[i], FN_BASE + i);
    f->fields[8] = make_field("ground", 0, "F", FN_GROUND);
    f->fields[9] = make_field("level", 0, "F", FN_LEVEL);
    f->fields[10] = make_field("bright", 0, "F", FN_BRIGHT);
    f->classes[0] = (RtClass){.fields = f->fields,
                              .field_count = 8,
                              .slot_count = 8,
                              .children = &land,
                              .child_count = 1,
                              .families = &lamps,
                              .family_count = 1,
                              .elaborates = elaborate,
                              .elaborate_count = 1};
    f->classes[1] = (RtClass){.fields = f->fields + 8,
                              .field_count = 1,
                              .slot_count = 1,
                              .children = &brook,
                              .child_count = 1};
    f->classes[2] = (RtClass){.fields = f->fields + 9, .field_count = 1, .slot_count = 1};
    f->classes[3] = (RtClass){.fields = f->fields + 10, .field_count = 1, .slot_count = 1, .capture_types = "I"};
    for (int i = 0; i < 4; i++)
        f->table[i] = &f->classes[i];
    f->world = rt_world_create(&f->memory, f->table, 4);
    rt_init(&f->rt, &host, f, &f->arena);
    f->rt.world = f->world;
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    Fixture *f = *state;
    rt_world_destroy(f->world);
    rt_fini(&f->rt);
    arena_fini(&f->arena);
    assert_int_equal(atomic_load(&f->memory.used), 0);
    return 0;
}

static void set_base(Fixture *f, double value) {
    Slot slot = slot_f(value);
    rt_cell_set(&f->rt, rt_world_root(f->world), ROOT_BASE, &slot);
}

static void test_worked_out_once(void **state) {
    Fixture *f = *state;
    RtPart *land = rt_part_child(&f->rt, rt_world_root(f->world), 0);
    for (int i = 0; i < 3; i++)
        assert_true(number(&f->rt, land, LAND_GROUND) == 4.5);
    assert_int_equal(rt_world_evaluations(f->world), 4); /* ground, twice, base, level */
    assert_false(rt_failed(&f->rt));
}

static void test_set_and_nothing_else(void **state) {
    Fixture *f = *state;
    RtPart *root = rt_world_root(f->world), *land = rt_part_child(&f->rt, root, 0);
    number(&f->rt, land, LAND_GROUND);
    number(&f->rt, root, ROOT_LABEL);
    set_base(f, 5);
    assert_true(number(&f->rt, land, LAND_GROUND) == 10.5);
    assert_true(number(&f->rt, root, ROOT_LABEL) == 200);
    assert_int_equal(f->calls[FN_LEVEL], 1); /* it does not read base */
    assert_int_equal(f->calls[FN_SIGN], 2);
    assert_int_equal(f->calls[FN_LABEL], 1); /* sign came out the same */
    set_base(f, 5);
    assert_true(number(&f->rt, land, LAND_GROUND) == 10.5);
    assert_int_equal(f->calls[FN_GROUND], 2);
    set_base(f, -1);
    assert_true(number(&f->rt, root, ROOT_LABEL) == 100);
    assert_int_equal(f->calls[FN_LABEL], 2);
}

static void test_equal_text_is_no_change(void **state) {
    Fixture *f = *state;
    RtPart *root = rt_world_root(f->world);
    const RtText *text = rt_cell_get(&f->rt, root, ROOT_TEXT)->r;
    assert_string_equal(text->text.ptr, "above");
    set_base(f, -3);
    text = rt_cell_get(&f->rt, root, ROOT_TEXT)->r;
    assert_string_equal(text->text.ptr, "below");
}

static void test_members(void **state) {
    Fixture *f = *state;
    RtPart *root = rt_world_root(f->world);
    assert_true(number(&f->rt, root, ROOT_SUM) == 4); /* 0 * 4 + 1 * 4 */
    RtPart *first = rt_part_member(&f->rt, root, 0, 1, NULL);
    assert_true(number(&f->rt, first, LAMP_BRIGHT) == 4);
    set_base(f, 2.5); /* as many lamps: they stay the same parts */
    assert_true(number(&f->rt, root, ROOT_SUM) == 5);
    assert_ptr_equal(rt_part_member(&f->rt, root, 0, 1, NULL), first);
    assert_int_equal(f->calls[FN_LAMPS], 1);
    set_base(f, 3);
    assert_true(number(&f->rt, root, ROOT_SUM) == 18); /* 0 + 6 + 12 */
    assert_ptr_equal(rt_part_member(&f->rt, root, 0, 1, NULL), first);
    assert_null(rt_part_member(&f->rt, root, 0, 9, NULL));
    assert_int_equal(f->rt.fault.code, RT_FAULT_NO_MEMBER);
    assert_string_equal(f->rt.fault.detail.ptr, "lamp[9]");
}

/* Members that come and go again and again are given back; those of the first run stay. */
static void test_members_come_and_go(void **state) {
    Fixture *f = *state;
    RtPart *root = rt_world_root(f->world);
    for (int i = 0; i < 400; i++) {
        set_base(f, i % 2 ? 100 : 1);
        assert_true(number(&f->rt, root, ROOT_SUM) == (i % 2 ? 200 * 4950 : 0));
        rt_life_show(&f->rt, f->world, i);
        assert_true(f->world->part_count < 1300);
    }
    assert_int_equal(rt_part_family(&f->rt, root, 0)->length, 100);
}

static void test_two_members_of_one_number(void **state) {
    Fixture *f = *state;
    f->duplicate = true;
    assert_null(rt_part_member(&f->rt, rt_world_root(f->world), 0, 7, NULL));
    assert_int_equal(f->rt.fault.code, RT_FAULT_TWO_MEMBERS);
    assert_string_equal(f->rt.fault.detail.ptr, "lamp[7]");
    assert_int_equal(f->rt.fault.span[1], 2);
}

static void test_read_loop_is_listed(void **state) {
    Fixture *f = *state;
    f->loop = true;
    RtPart *land = rt_part_child(&f->rt, rt_world_root(f->world), 0);
    assert_true(number(&f->rt, land, LAND_GROUND) == 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_READ_LOOP);
    assert_string_equal(f->rt.fault.detail.ptr, "land.ground -> land.brook.level -> land.ground");
    f->loop = false;
    f->rt.fault = (RtFault){0};
    assert_true(number(&f->rt, land, LAND_GROUND) == 4.5);
}

static void test_nan_names_its_field(void **state) {
    Fixture *f = *state;
    assert_true(number(&f->rt, rt_world_root(f->world), ROOT_NAN) == 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_NAN);
    assert_string_equal(f->rt.fault.detail.ptr, "nan");
    assert_int_equal(f->rt.fault.field, ROOT_NAN);
}

static void test_memory_is_a_fault(void **state) {
    Fixture *f = *state;
    f->fields[ROOT_NAN].init = FN_HUGE;
    assert_true(number(&f->rt, rt_world_root(f->world), ROOT_NAN) == 0);
    assert_int_equal(f->rt.fault.code, RT_FAULT_MEMORY);
    f->rt.fault = (RtFault){0};
    assert_true(number(&f->rt, rt_world_root(f->world), ROOT_TWICE) == 4);
}

/* -- every allocation may be the one that fails -- */

typedef struct Failing {
    int64_t left;  /* allocations until one fails */
    bool for_good; /* and all after it */
} Failing;

static void *failing_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    Failing *failing = user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    failing->left--;
    if (failing->left == -1 || (failing->for_good && failing->left < 0)) return NULL;
    return realloc(ptr, new_size);
}

/* Builds the world and asks it; answers whether all went well. Whatever fails, nothing is lost and
 * nothing jumps out but to the caller's recovery point. */
static bool build_with(Fixture *f, Memory *memory) {
    Arena arena;
    Rt rt;
    RtWorld *volatile world = NULL;
    volatile bool whole = false;
    Recover recover;
    arena_init(&arena, memory);
    rt_init(&rt, &host, f, &arena);
    if (MEMORY_TRY(&recover)) {
        world = rt_world_create(memory, f->table, 4);
        rt.world = f->world = world;
        RtPart *root = rt_world_root(world), *land = rt_part_child(&rt, root, 0);
        double sum = number(&rt, root, ROOT_SUM) + (land ? number(&rt, land, LAND_GROUND) : 0);
        rt_cell_get(&rt, root, ROOT_TEXT);
        whole = !rt_failed(&rt) && sum == 8.5;
        memory_end_try(&recover);
    }
    if (!whole && rt_failed(&rt)) assert_int_equal(rt.fault.code, RT_FAULT_MEMORY);
    rt_world_destroy(world);
    rt_fini(&rt);
    arena_fini(&arena);
    return whole;
}

static void test_each_allocation_may_fail(void **state) {
    Fixture *f = *state;
    RtWorld *own = f->world;
    for (int for_good = 0; for_good < 2; for_good++) {
        bool whole = false;
        for (int64_t nth = 0; !whole; nth++) {
            Failing failing = {nth, for_good};
            Memory memory;
            memory_init(&memory, failing_resize, &failing, 0);
            whole = build_with(f, &memory);
            assert_int_equal(atomic_load(&memory.used), 0);
            assert_true(nth < 500);
        }
    }
    f->world = own;
}

static void run_batch(Fixture *f, int threads, Slot *out, int64_t n) {
    Slot *in = rt_scratch_push(&f->rt, sizeof *in * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        in[i] = slot_f((double)i);
    f->rt.threads = threads;
    RtClosure *closure = rt_closure(&f->rt, FN_ELEMENT, 0, 0, 1, 1, false);
    rt_call_batch(&f->rt, closure, n, (const Slot *const[]){in}, (Slot *const[]){out});
}

static void test_batches_at_any_number_of_threads(void **state) {
    Fixture *f = *state;
    static Slot out[5000];
    for (int threads = 1; threads <= 4; threads++) {
        memset(out, 0, sizeof out);
        set_base(f, threads); /* makes the cell unready again */
        run_batch(f, threads, out, 5000);
        for (int i = 0; i < 5000; i++)
            assert_true(out[i].f == 3.0 * i + 2 * threads);
    }
    assert_false(rt_failed(&f->rt));
    f->loop = true;
    for (int threads = 1; threads <= 4; threads++) {
        f->rt.fault = (RtFault){0};
        run_batch(f, threads, out, 5000);
        assert_int_equal(f->rt.fault.code, RT_FAULT_INDEX);
        assert_int_equal(f->rt.fault.index, 300);
        assert_int_equal(f->rt.fault.element, 0);
    }
}

static void *ask_from_thread(void *user) {
    Fixture *f = user;
    Arena arena;
    Rt rt;
    arena_init(&arena, &f->memory);
    rt_init(&rt, &host, f, &arena);
    rt.world = f->world;
    RtPart *root = rt_world_root(f->world), *land = rt_part_child(&rt, root, 0);
    bool good = number(&rt, root, ROOT_SUM) == 4 && number(&rt, land, LAND_GROUND) == 4.5 &&
                !rt_failed(&rt);
    rt_fini(&rt);
    arena_fini(&arena);
    return good ? f : NULL;
}

static void test_many_threads_read_one_world(void **state) {
    Fixture *f = *state;
    pthread_t threads[6];
    for (int i = 0; i < 6; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_from_thread, f), 0);
    for (int i = 0; i < 6; i++) {
        void *good;
        pthread_join(threads[i], &good);
        assert_non_null(good);
    }
    assert_int_equal(rt_world_evaluations(f->world), 9); /* each cell, and the lamps, once */
}

/* Two hosts' threads share the pool, over and over. */
typedef struct Shared {
    Fixture *f;
    RtPool *pool;
    int64_t sum;
} Shared;

static void add_up(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)rt;
    for (int64_t i = begin; i < end; i++)
        __atomic_fetch_add((int64_t *)user, i, __ATOMIC_RELAXED);
}

static void *use_pool(void *user) {
    Shared *shared = user;
    Arena arena;
    Rt rt;
    arena_init(&arena, &shared->f->memory);
    rt_init(&rt, &host, shared->f, &arena);
    rt.threads = 4;
    rt.pool = shared->pool;
    for (int round = 0; round < 200; round++)
        rt_parallel(&rt, 1000, 10, add_up, &shared->sum);
    rt_fini(&rt);
    arena_fini(&arena);
    return NULL;
}

static void test_pool_is_shared(void **state) {
    Fixture *f = *state;
    size_t before = atomic_load(&f->memory.used);
    RtPool *pool = rt_pool_create(&f->memory, 4);
    Shared one = {f, pool, 0}, two = {f, pool, 0};
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_pool, &one), 0);
    use_pool(&two);
    pthread_join(thread, NULL);
    rt_pool_destroy(pool);
    assert_int_equal(one.sum, 200 * 499500);
    assert_int_equal(two.sum, 200 * 499500);
    assert_int_equal(atomic_load(&f->memory.used), before);
}

/* Memory that others take for us is counted, and refused past the limit or the system's means. */
static void test_memory_held_for_others(void **state) {
    (void)state;
    Memory memory;
    memory_init(&memory, NULL, NULL, 1 << 20);
    assert_true(memory_hold(&memory, 1 << 19, 1 << 16));
    assert_int_equal(atomic_load(&memory.used), 1 << 19);
    assert_false(memory_hold(&memory, (1 << 19) + 1, 1 << 16));
    assert_false(memory_hold(&memory, 1, (size_t)1 << 60));
    memory_drop(&memory, 1 << 19);
    assert_int_equal(atomic_load(&memory.used), 0);
}

static void fail_in_chunk(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)end;
    int64_t *done = user;
    if (begin == 512) arena_alloc(rt->arena, (size_t)1 << 40);
    __atomic_fetch_add(done, 1, __ATOMIC_RELAXED);
}

static void test_memory_in_a_worker(void **state) {
    Fixture *f = *state;
    int64_t done = 0;
    f->rt.threads = 3;
    rt_parallel(&f->rt, 2560, 256, fail_in_chunk, &done);
    assert_int_equal(done, 9);
    assert_int_equal(f->rt.fault.code, RT_FAULT_MEMORY);
    assert_int_equal(f->rt.fault.index, 512);
}

static void take_steps(Rt *rt, void *user, int64_t begin, int64_t end) {
    (void)user;
    for (int64_t i = begin; i < end; i++)
        if (!rt_step(rt, 1, i - begin)) return;
}

static void test_steps_do_not_depend_on_threads(void **state) {
    Fixture *f = *state;
    for (int threads = 1; threads <= 3; threads++) {
        f->rt.threads = threads;
        f->rt.fault = (RtFault){0};
        f->rt.fuel = 1000;
        rt_parallel(&f->rt, 900, 64, take_steps, NULL);
        assert_int_equal(f->rt.fuel, 100);
        assert_false(rt_failed(&f->rt));
        rt_parallel(&f->rt, 900, 64, take_steps, NULL);
        assert_int_equal(f->rt.fault.code, RT_FAULT_LIMIT);
        assert_int_equal(f->rt.fault.index, 64);
    }
}

/* A list is changed in place by its only holder; whoever shares it keeps what it was. */
static void test_lists_change_in_place_for_their_only_holder(void **state) {
    Fixture *f = *state;
    const RtShape shape = {2, 0};
    RtList *list = NULL;
    for (int i = 0; i < 10; i++)
        list = rt_list_append(&f->rt, list, shape, (Slot[]){slot_i(i), slot_f(i * 0.5)});
    RtList *older = list;
    rt_retain(&f->rt, older);
    for (int i = 10; i < 100; i++)
        list = rt_list_append(&f->rt, list, shape, (Slot[]){slot_i(i), slot_f(i * 0.5)});
    assert_ptr_not_equal(list, older);
    RtList *branch = rt_list_append(&f->rt, older, shape, (Slot[]){slot_i(-1), slot_f(-1)});
    assert_ptr_equal(branch, older); /* held by us alone again */
    assert_int_equal(rt_list_item(branch, 10)->i, -1);
    assert_int_equal(rt_list_item(list, 10)->i, 10);
    assert_int_equal(rt_list_item(list, 99)->i, 99);
    RtList *same = rt_list_set(&f->rt, list, 5, 1, 1, (Slot[]){slot_f(7)});
    assert_ptr_equal(same, list);
    assert_true(rt_list_item(list, 5)[1].f == 7);
    rt_retain(&f->rt, list);
    RtList *cut = rt_list_cut(&f->rt, list, 3);
    assert_int_equal(cut->length, 3);
    assert_int_equal(list->length, 100);
    assert_int_equal(rt_list_length(NULL), 0);
}

/* What the last holder of a list lets go, goes with all that the list alone held. */
static void test_what_nobody_holds_comes_back(void **state) {
    Fixture *f = *state;
    const RtShape texts = {1, 1};
    size_t used = 0;
    for (int round = 0; round < 2000; round++) {
        RtList *outer = NULL;
        for (int i = 0; i < 20; i++) {
            RtList *inner = NULL;
            for (int k = 0; k < 5; k++)
                inner = rt_list_append(&f->rt, inner, texts, (Slot[]){slot_r(rt_text(&f->rt, STR_LIT("a text")))});
            outer = rt_list_append(&f->rt, outer, texts, (Slot[]){slot_r(inner)});
        }
        Slot taken;
        outer = rt_list_take(&f->rt, outer, 3, 0, 1, &taken);
        assert_null(rt_list_item(outer, 3)->r);
        rt_release(&f->rt, outer);
        assert_int_equal(rt_list_length(taken.r), 5);
        rt_release(&f->rt, taken.r);
        if (round == 10) used = atomic_load(&f->rt.arena->memory->used);
    }
    assert_int_equal(atomic_load(&f->rt.arena->memory->used), used);
}

static int holders(const void *object) { return (int)((const RtObject *)object)->holders; }

/* Each list that has an object holds it; what is cut off is let go, the last of it as the first, whoever cuts. */
static void test_what_lists_share(void **state) {
    Fixture *f = *state;
    const RtShape texts = {1, 1};
    RtList *list = NULL;
    RtText *text[4];
    for (int i = 0; i < 4; i++) {
        text[i] = rt_text(&f->rt, STR_LIT("a text"));
        rt_retain(&f->rt, text[i]); /* by us too */
        list = rt_list_append(&f->rt, list, texts, (Slot[]){slot_r(text[i])});
    }
    rt_retain(&f->rt, list);
    RtList *copy = rt_list_set(&f->rt, list, 0, 0, 1, (Slot[]){slot_r(NULL)});
    assert_ptr_not_equal(copy, list);
    assert_int_equal(holders(text[0]), 2);
    for (int i = 1; i < 4; i++) assert_int_equal(holders(text[i]), 3);
    copy = rt_list_cut(&f->rt, copy, 1);
    for (int i = 1; i < 4; i++) assert_int_equal(holders(text[i]), 2);
    rt_release(&f->rt, copy);
    rt_retain(&f->rt, list);
    copy = rt_list_cut(&f->rt, list, 2); /* of a list that another holds */
    for (int i = 0; i < 4; i++) assert_int_equal(holders(text[i]), i < 2 ? 3 : 2);
    rt_release(&f->rt, copy);
    rt_release(&f->rt, list);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(holders(text[i]), 1);
        rt_release(&f->rt, text[i]);
    }
}

/* A chain as long as one likes is let go without a deep stack; what is frozen is counted by nobody. */
static void test_long_chains_and_frozen_ones(void **state) {
    Fixture *f = *state;
    RtClosure *chain = NULL;
    for (int i = 0; i < 300000; i++) {
        RtClosure *next = rt_closure(&f->rt, 0, 1, 1, 0, 1, false);
        next->captures[0] = slot_r(chain);
        chain = next;
    }
    rt_release(&f->rt, chain);
    RtList *list = rt_list_append(&f->rt, NULL, (RtShape){1, 1}, (Slot[]){slot_r(rt_text(&f->rt, STR_LIT("x")))});
    rt_freeze(list);
    rt_release(&f->rt, list);
    const RtText *text = rt_list_item(list, 0)->r;
    rt_release(&f->rt, text);
    assert_int_equal(text->text.len, 1);
    RtList *copy = rt_list_set(&f->rt, list, 0, 0, 1, (Slot[]){slot_r(NULL)});
    assert_ptr_not_equal(copy, list);
    assert_ptr_equal(rt_list_item(list, 0)->r, text);
}

static void test_the_first_fault_is_kept(void **state) {
    Fixture *f = *state;
    const uint32_t span[3] = {1, 2, 3};
    rt_fault_at(&f->rt, RT_FAULT_INDEX, span, 5, STR_LIT("a"));
    rt_fault_at(&f->rt, RT_FAULT_LIMIT, span, 5, STR_LIT("b"));
    rt_fault_at(&f->rt, RT_FAULT_LIMIT, span, 6, STR_LIT("c"));
    assert_int_equal(f->rt.fault.code, RT_FAULT_INDEX);
    rt_fault_at(&f->rt, RT_FAULT_NAN, span, 3, STR_LIT("d"));
    assert_int_equal(f->rt.fault.code, RT_FAULT_NAN);
}

/* What is told of each struct is the struct; and where pointers have four bytes, places by hand. */
static void test_layouts(void **state) {
    (void)state;
#define IS(Type) assert_int_equal(layout_size(LAYOUT_##Type, sizeof(void *)), sizeof(Type))
    IS(RtObject), IS(Str), IS(RtText), IS(RtList), IS(RtStream), IS(RtGrid), IS(RtFault), IS(Rt), IS(RtPart), IS(RtField), IS(RtChild);
    IS(RtFamily), IS(RtHandler), IS(RtClass), IS(RtLimits);
#define AT(Type, member) layout_place(LAYOUT_##Type, offsetof(Type, member), sizeof(void *))
#define LIES(Type, member) assert_int_equal(AT(Type, member), offsetof(Type, member))
    LIES(RtList, items), LIES(RtList, capacity), LIES(RtClosure, code), LIES(RtClosure, captures), LIES(RtGrid, heights), LIES(RtGrid, tail);
    LIES(RtGrid, finer), LIES(Rt, reader), LIES(Rt, fuel), LIES(Rt, fault.code), LIES(RtPart, slots), LIES(RtPart, marks), LIES(RtPart, captures);
    LIES(RtStream, drawn), LIES(RtClass, fields), LIES(RtClass, capture_types), LIES(RtField, thing_types);
#define THERE(Type, member) layout_place(LAYOUT_##Type, offsetof(Type, member), 4)
    assert_int_equal(layout_size(LAYOUT_RtText, 4), 16);
    assert_int_equal(THERE(RtList, length), 24);
    assert_int_equal(THERE(RtList, items), 32);
    assert_int_equal(THERE(RtList, capacity), 40);
    assert_int_equal(THERE(RtGrid, outside), 40);
    assert_int_equal(THERE(RtGrid, heights), 48);
    assert_int_equal(THERE(RtField, slot_types), 16);
    RtText text = {{RT_TEXT, 7}, {"", 5}};
    uint32_t there[4] = {0};
    layout_copy(LAYOUT_RtText, 4, &text, there);
    assert_int_equal(there[0], RT_TEXT);
    assert_int_equal(there[1], 7);
    assert_int_equal(there[3], 5);
}

int main(void) {
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_worked_out_once),
        CASE(test_set_and_nothing_else),
        CASE(test_equal_text_is_no_change),
        CASE(test_members),
        CASE(test_members_come_and_go),
        CASE(test_two_members_of_one_number),
        CASE(test_read_loop_is_listed),
        CASE(test_nan_names_its_field),
        CASE(test_memory_is_a_fault),
        CASE(test_each_allocation_may_fail),
        CASE(test_batches_at_any_number_of_threads),
        CASE(test_many_threads_read_one_world),
        CASE(test_pool_is_shared),
        CASE(test_memory_held_for_others),
        CASE(test_memory_in_a_worker),
        CASE(test_steps_do_not_depend_on_threads),
        CASE(test_lists_change_in_place_for_their_only_holder),
        CASE(test_what_nobody_holds_comes_back),
        CASE(test_what_lists_share),
        CASE(test_long_chains_and_frozen_ones),
        CASE(test_the_first_fault_is_kept),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
