/* Every function of mathematics against MPFR: at most one unit in the last place from the exact
 * answer, over arguments of every size, and the same special answers as C. Run under each executor.
 *
 * `test_math 1000000` asks each function that many times (20 000 when left out) and prints the
 * worst it found.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <mpfr.h>

#include "world/world.h"

typedef int (*OneArgument)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
typedef int (*TwoArguments)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
typedef double (*Draw)(void);

/* Plain-number wrappers: what the language gives as angles and quantities. */
static const char world_text[] = "fn sineOf(x: number) number { sin(x * 1 rad) }\n"
                                 "fn cosineOf(x: number) number { cos(x * 1 rad) }\n"
                                 "fn tangentOf(x: number) number { tan(x * 1 rad) }\n"
                                 "fn arcSine(x: number) number { asin(x) / 1 rad }\n"
                                 "fn arcCosine(x: number) number { acos(x) / 1 rad }\n"
                                 "fn arcTangent(x: number) number { atan(x) / 1 rad }\n"
                                 "fn angleTo(y: number, x: number) number { atan2(y, x) / 1 rad }\n"
                                 "fn rootOf(x: number) number { sqrt(x) }\n"
                                 "fn roundOf(x: number) number { round(x) }\n"
                                 "fn ceilOf(x: number) number { ceil(x) }\n"
                                 "fn floorOf(x: number) number { floor(x) }\n";

/* -- arguments -- */

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state * 2685821657736338717u;
}

static double unit(void) {
    return (double)(random_bits() >> 11) * 0x1p-53;
}

static double signed_unit(void) {
    return 2 * unit() - 1;
}

/* Any finite double, all exponents alike. */
static double any(void) {
    for (;;) {
        uint64_t bits = random_bits();
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

/* Of a size between 2^low and 2^high, sizes alike. */
static double sized(int low, int high) {
    return ldexp(signed_unit(), low + (int)(random_bits() % (uint64_t)(high - low)));
}

static double draw_exponent(void) {
    return random_bits() & 1 ? signed_unit() * 745 : sized(-60, 4);
}
static double draw_exponent2(void) {
    return random_bits() & 1 ? signed_unit() * 1076 : sized(-60, 4);
}
static double draw_positive(void) {
    uint64_t pick = random_bits() % 3;
    return pick == 0 ? 1 + sized(-53, 0) : pick == 1 ? 4 * unit() : fabs(any());
}
static double draw_power(void) {
    return random_bits() & 1 ? signed_unit() * 20 : sized(-30, 30);
}
static double draw_angle(void) {
    switch (random_bits() % 4) {
    case 0:
        return signed_unit() * 10;
    case 1:
        return any();
    case 2:
        return (double)(random_bits() % 100000) * 1.5707963267948966; /* beside a quarter turn */
    default:
        return sized(0, 40);
    }
}
static double draw_any(void) {
    return random_bits() & 1 ? any() : sized(-10, 10);
}
static double draw_cosine(void) {
    uint64_t pick = random_bits() % 3;
    return pick == 0 ? signed_unit() : pick == 1 ? 1 - fabs(sized(-53, 0)) : sized(-60, 0);
}
static double draw_small(void) {
    return random_bits() % 4 ? sized(-3, 60) : floor(signed_unit() * 100) + 0.5;
}

/* -- functions -- */

static int round_away(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
    (void)rounding;
    return mpfr_round(result, x);
}
static int ceil_of(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
    (void)rounding;
    return mpfr_ceil(result, x);
}
static int floor_of(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t rounding) {
    (void)rounding;
    return mpfr_floor(result, x);
}

static const struct Function {
    const char *name;
    OneArgument one;
    TwoArguments two;
    Draw x, y;
    double bound; /* units in the last place */
} functions[] = {
    {"exp", mpfr_exp, NULL, draw_exponent, NULL, 0.8},
    {"exp2", mpfr_exp2, NULL, draw_exponent2, NULL, 0.8},
    {"log", mpfr_log, NULL, draw_positive, NULL, 0.51},
    {"log2", mpfr_log2, NULL, draw_positive, NULL, 0.51},
    {"log10", mpfr_log10, NULL, draw_positive, NULL, 0.51},
    {"sineOf", mpfr_sin, NULL, draw_angle, NULL, 0.9},
    {"cosineOf", mpfr_cos, NULL, draw_angle, NULL, 0.9},
    {"tangentOf", mpfr_tan, NULL, draw_angle, NULL, 0.99},
    {"arcSine", mpfr_asin, NULL, draw_cosine, NULL, 0.6},
    {"arcCosine", mpfr_acos, NULL, draw_cosine, NULL, 0.6},
    {"arcTangent", mpfr_atan, NULL, draw_any, NULL, 0.6},
    {"cbrt", mpfr_cbrt, NULL, draw_any, NULL, 0.51},
    {"rootOf", mpfr_sqrt, NULL, draw_positive, NULL, 0.5},
    {"roundOf", round_away, NULL, draw_small, NULL, 0},
    {"ceilOf", ceil_of, NULL, draw_small, NULL, 0},
    {"floorOf", floor_of, NULL, draw_small, NULL, 0},
    {"pow", NULL, mpfr_pow, draw_positive, draw_power, 0.8},
    {"angleTo", NULL, mpfr_atan2, draw_any, draw_any, 0.6},
    {"hypot", NULL, mpfr_hypot, draw_any, draw_any, 0.51},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

/* -- comparing -- */

typedef struct Reference {
    mpfr_t x, y, exact, error;
} Reference;

static void reference_init(Reference *ref) {
    mpfr_init2(ref->x, 53);
    mpfr_init2(ref->y, 53);
    mpfr_init2(ref->exact, 130);
    mpfr_init2(ref->error, 130);
}

static void reference_fini(Reference *ref) {
    mpfr_clears(ref->x, ref->y, ref->exact, ref->error, (mpfr_ptr)NULL);
}

static double nearest(Reference *ref, const struct Function *function, double x, double y) {
    mpfr_set_d(ref->x, x, MPFR_RNDN);
    mpfr_set_d(ref->y, y, MPFR_RNDN);
    if (function->one)
        function->one(ref->exact, ref->x, MPFR_RNDN);
    else
        function->two(ref->exact, ref->x, ref->y, MPFR_RNDN);
    return mpfr_get_d(ref->exact, MPFR_RNDN);
}

/* How far `got` is from the exact answer, in units in the last place of the nearest double. */
static double error_of(Reference *ref, double wanted, double got) {
    if (wanted != wanted || got != got) return wanted != wanted && got != got ? 0 : INFINITY;
    if (wanted == got && isinf(wanted)) return 0;
    if (isinf(wanted) || isinf(got)) /* beside the greatest double, infinity is its neighbour */
        return (wanted > 0) == (got > 0) && fabs(wanted) > 1.7e308 && fabs(got) > 1.7e308
                   ? 0.5
                   : INFINITY;
    int exponent = wanted == 0 ? -1074 : ilogb(wanted) - 52;
    mpfr_sub_d(ref->error, ref->exact, got, MPFR_RNDN);
    mpfr_mul_2si(ref->error, ref->error, -(exponent < -1074 ? -1074 : exponent), MPFR_RNDN);
    return fabs(mpfr_get_d(ref->error, MPFR_RNDN));
}

/* -- the tests -- */

static size_t argument_count = 20000;
static WorldExec executor;
static WorldEngine *engine;
static World *world;

static int open_world(void **state) {
    (void)state;
    WorldEngineDesc desc = {.exec = executor};
    if (world_engine_create(&desc, &engine) != WORLD_OK) return -1;
    WorldStatus status =
        world_open_text(engine, world_text, sizeof world_text - 1, &(WorldDesc){0}, &world);
    if (status != WORLD_OK)
        print_error("%s\n", world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    return status;
}

static int close_world(void **state) {
    (void)state;
    world_close(world);
    world_engine_destroy(engine);
    return 0;
}

static void ask(const struct Function *function, size_t count, const double *arguments,
                double *answers) {
    WorldFunction handle;
    assert_int_equal(world_function(world, function->name, NULL, &handle), WORLD_OK);
    assert_int_equal(world_call_batch(world, handle, count, arguments, answers), WORLD_OK);
}

static void one_unit_in_the_last_place(void **state) {
    (void)state;
    double *arguments = malloc(argument_count * 2 * sizeof *arguments);
    double *answers = malloc(argument_count * sizeof *answers);
    Reference ref;
    reference_init(&ref);
    for (int f = 0; f < FUNCTION_COUNT; f++) {
        const struct Function *function = &functions[f];
        size_t width = function->two ? 2 : 1, at = 0;
        for (size_t i = 0; i < argument_count; i++) {
            arguments[i * width] = function->x();
            if (function->two) arguments[i * width + 1] = function->y();
        }
        ask(function, argument_count, arguments, answers);
        double worst = 0;
        for (size_t i = 0; i < argument_count; i++) {
            const double *row = arguments + i * width;
            double wanted = nearest(&ref, function, row[0], row[width - 1]);
            double error = error_of(&ref, wanted, answers[i]);
            if (error > worst) {
                worst = error;
                at = i;
            }
        }
        print_message("%-10s %.4f at %.17g %.17g\n", function->name, worst, arguments[at * width],
                      arguments[at * width + width - 1]);
        assert_true(worst <= function->bound);
    }
    reference_fini(&ref);
    free(arguments);
    free(answers);
}

/* Zeros of both signs, infinities, NaN, subnormals, ties, and the argument nearest to a quarter
 * turn of all. */
static const double edges[] = {0,
                               -0.0,
                               1,
                               -1,
                               0.5,
                               -0.5,
                               2,
                               -2,
                               3,
                               -3,
                               1024,
                               -1074,
                               -1075,
                               0.1,
                               2.5,
                               1e22,
                               5e-324,
                               -5e-324,
                               2.2e-308,
                               1e-300,
                               1e308,
                               -1e308,
                               NAN,
                               INFINITY,
                               -INFINITY,
                               9007199254740993.0,
                               4503599627370497.5,
                               0x1.6ac5b262ca1ffp+849};
enum { EDGE_COUNT = sizeof edges / sizeof *edges };

static void check_edge(Reference *ref, const struct Function *function, double x, double y) {
    double arguments[2] = {x, y}, got;
    ask(function, 1, arguments, &got);
    double wanted = nearest(ref, function, x, y);
    bool same_zero = wanted != 0 || got != 0 || signbit(wanted) == signbit(got);
    if (error_of(ref, wanted, got) <= function->bound && same_zero) return;
    fail_msg("%s(%g, %g) = %.17g, not %.17g", function->name, x, y, got, wanted);
}

static void edges_answer_as_in_c(void **state) {
    (void)state;
    Reference ref;
    reference_init(&ref);
    for (int f = 0; f < FUNCTION_COUNT; f++)
        for (int i = 0; i < EDGE_COUNT; i++)
            for (int k = 0; k < (functions[f].two ? EDGE_COUNT : 1); k++)
                check_edge(&ref, &functions[f], edges[i], edges[k]);
    reference_fini(&ref);
}

int main(int argc, char **argv) {
    if (argc > 1) argument_count = strtoul(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_unit_in_the_last_place),
        cmocka_unit_test(edges_answer_as_in_c),
    };
    executor = WORLD_EXEC_INTERPRETER;
    int failed = cmocka_run_group_tests_name("interpreter", tests, open_world, close_world);
    executor = WORLD_EXEC_JIT_ALWAYS; /* where this build has machine code */
    WorldEngineDesc desc = {.exec = executor};
    if (world_engine_create(&desc, &engine) != WORLD_OK) return failed;
    world_engine_destroy(engine);
    return failed + cmocka_run_group_tests_name("machine code", tests, open_world, close_world);
}
