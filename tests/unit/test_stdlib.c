/* The standard library's tables, the natives of core, hash and random, and the published numbers of
 * the stream. */
#include <math.h>
#include <string.h>

#include "runtime/random/stream.h"
#include "stdlib/stdlib.h"
#include "tests/unit/geometry_rt.h"

static Slot call(Rt *rt, const char *name, const Slot *args) {
    RtThunk thunk = stdlib_find(str_of(name));
    assert_non_null(thunk);
    Slot result = {0};
    thunk(rt, args, &result);
    return result;
}

static void packages_are_embedded(void **state) {
    (void)state;
    int count;
    const StdlibPackage *packages = stdlib_packages(&count);
    assert_true(count > 5);
    assert_string_equal(packages[0].name, "core");
    assert_string_equal(packages[0].files[0].name, "std/core.world");
    assert_int_equal(packages[0].reach, STDLIB_PRELUDE);
    assert_non_null(strstr(packages[0].files[0].text, "contract land"));
    for (int i = 0; i < count; i++) {
        bool is_math = strcmp(packages[i].name, "math") == 0;
        if (is_math) assert_true(packages[i].out_of_line);
    }
}

static void externs_are_sorted_and_found(void **state) {
    (void)state;
    int count;
    const StdlibExtern *rows = stdlib_externs(&count);
    for (int i = 0; i < count; i++) {
        if (i) assert_true(strcmp(rows[i - 1].name, rows[i].name) < 0);
        assert_ptr_equal(stdlib_find_extern(str_of(rows[i].name)), &rows[i]);
    }
    assert_null(stdlib_find(STR_LIT("core.noSuch")));
    assert_null(stdlib_find(STR_LIT("")));
}

/* What the optimizer may do with calls is read off the signatures. */
static void effects_follow_signatures(void **state) {
    (void)state;
    static const struct {
        const char *name;
        NativeEffect effect;
    } rows[] = {
        {"hash.nameHash", NATIVE_FAULTS},          {"spine.length", NATIVE_READS},
        {"core.textJoin", NATIVE_ALLOCATES},       {"spine.groundOf", NATIVE_ALLOCATES},
        {"walker.walk", NATIVE_ALLOCATES}, /* the land's closures lie in a struct */
        {"random.randomStream", NATIVE_ALLOCATES}, {"scatter.spotState", NATIVE_DRAWS},
        {"scatter.walkSpine", NATIVE_DRAWS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(stdlib_find_extern(str_of(rows[i].name))->effect, rows[i].effect);
}

static void texts(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Slot pair[2] = {slot_r(rt_text(rt, STR_LIT("oak"))), slot_r(rt_text(rt, STR_LIT(" tree")))};
    assert_int_equal(call(rt, "core.textEqual", pair).w, 0);
    const RtText *joined = call(rt, "core.textJoin", pair).r;
    assert_true(str_equal(joined->text, STR_LIT("oak tree")));
    Slot same[2] = {slot_r(joined), slot_r(rt_text(rt, STR_LIT("oak tree")))};
    assert_int_equal(call(rt, "core.textEqual", same).w, 1);
    assert_int_equal(call(rt, "core.startsWith", (Slot[]){slot_r(joined), pair[0]}).w, 1);
    Slot number = slot_f(0.1);
    assert_true(
        str_equal(((const RtText *)call(rt, "core.numberText", &number).r)->text, STR_LIT("0.1")));
    Slot missing[2] = {slot_r(NULL), pair[0]}; /* what a fault leaves behind */
    assert_null(call(rt, "core.textJoin", missing).r);
    test_rt_close(&test);
}

static void sorting_is_stable(void **state) {
    (void)state;
    static const double keys[] = {3, 1, NAN, 2, 1, -0.0, 0, 3, -INFINITY, NAN, 1};
    static const int64_t wanted[] = {8, 5, 6, 1, 4, 10, 3, 0, 7, 2, 9};
    enum { COUNT = sizeof keys / sizeof *keys };
    TestRt test;
    Rt *rt = test_rt_open(&test);
    RtList *list = NULL;
    for (int i = 0; i < COUNT; i++) {
        Slot key = slot_f(keys[i]);
        list = rt_list_append(rt, list, (RtShape){1, 0}, &key);
    }
    Slot arg = slot_r(list);
    const RtList *order = call(rt, "core.sortOrder", &arg).r;
    assert_int_equal(order->length, COUNT);
    for (int i = 0; i < COUNT; i++)
        assert_int_equal(rt_list_item(order, i)->i, wanted[i]);
    Slot none = slot_r(NULL);
    assert_int_equal(rt_list_length(call(rt, "core.sortOrder", &none).r), 0);
    test_rt_close(&test);
}

/* FNV-1a's own published values. */
static void names_hash_as_published(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    static const struct {
        const char *name;
        uint32_t hash;
    } known[] = {{"", 0x811c9dc5u}, {"a", 0xe40c292cu}, {"foobar", 0xbf9cf968u}};
    for (int i = 0; i < 3; i++) {
        Slot name = slot_r(rt_text(rt, str_of(known[i].name)));
        assert_int_equal(call(rt, "hash.nameHash", &name).w, known[i].hash);
    }
    test_rt_close(&test);
}

static void pcg_is_as_published(void **state) {
    (void)state;
    assert_int_equal(pcg_hash(0), 129708002u);
    assert_int_equal(pcg_hash(1), 2831084092u);
    assert_int_equal(pcg_hash(2), 2055130248u);
    assert_int_equal(pcg_hash(0xffffffffu), 3861530882u);
    assert_int_equal(pcg_hash(123456789), 4272394698u);
    assert_int_equal(pcg_hash(0xdeadbeefu), 1730779506u);
}

/* The stream as document 1 writes it, beside the one that can be asked for its k-th number. */
static void stream_steps_and_jumps_alike(void **state) {
    (void)state;
    TestRt test;
    Rt *rt = test_rt_open(&test);
    Slot args[2] = {slot_w(20260520), slot_w(1)};
    RtStream *stream = call(rt, "random.randomStream", args).r;
    uint32_t written = pcg_hash(20260520u ^ 1u * 0x85ebca6bu);
    assert_int_equal(stream->state, written);
    uint32_t start = written;
    for (uint32_t k = 1; k <= 1000; k++) {
        written += 0x9E3779B9u;
        uint32_t number = stream_next(stream);
        assert_int_equal(number, pcg_hash(written));
        assert_int_equal(number, stream_number(start, k));
        assert_true(stream_unit(number) >= 0 && stream_unit(number) < 1);
    }
    assert_int_equal(stream->drawn, 1000);
    assert_true(stream_unit(0xffffffffu) == 1 - 0x1p-24);
    test_rt_close(&test);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packages_are_embedded),     cmocka_unit_test(externs_are_sorted_and_found),
        cmocka_unit_test(effects_follow_signatures), cmocka_unit_test(texts),
        cmocka_unit_test(sorting_is_stable),         cmocka_unit_test(names_hash_as_published),
        cmocka_unit_test(pcg_is_as_published),       cmocka_unit_test(stream_steps_and_jumps_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
