/* The exact side test: agrees with whole-number arithmetic where doubles would round. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/geometry/exact.h"

static int sign_of(__int128 value) {
    return (value > 0) - (value < 0);
}

/* Whole coordinates near 2^50: their products need 100 bits and more, so the filter cannot decide.
 */
static void test_against_integers(void **state) {
    (void)state;
    uint64_t random = 1;
    int on_line = 0;
    for (int i = 0; i < 200000; i++) {
        int64_t c[6];
        for (int k = 0; k < 4; k++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            c[k] = (int64_t)(random >> 14) - ((int64_t)1 << 49);
        }
        int64_t numerator =
            (int64_t)(random >> 60); /* a point on the line, or one unit beside it */
        c[2] = c[0] + (c[2] >> 8) * 16;
        c[3] = c[1] + (c[3] >> 8) * 16;
        c[4] = c[0] + (c[2] - c[0]) / 16 * numerator;
        c[5] = c[1] + (c[3] - c[1]) / 16 * numerator + (int64_t)(random >> 40 & 3) - 1;
        __int128 side =
            (__int128)(c[2] - c[0]) * (c[5] - c[1]) - (__int128)(c[3] - c[1]) * (c[4] - c[0]);
        assert_int_equal(exact_side((double)c[0], (double)c[1], (double)c[2], (double)c[3],
                                    (double)c[4], (double)c[5]),
                         sign_of(side));
        on_line += side == 0;
    }
    assert_true(on_line > 10000);
}

static void test_tenths(void **state) {
    (void)state;
    /* 0.1 * 3 is not 0.3 in doubles: the point lies beside the line, by 2^-54. */
    assert_int_equal(exact_side(0, 0, 1, 3, 0.1, 0.3), -1);
    assert_int_equal(exact_side(0, 0, 0.1, 0.3, 0.2, 0.6), 0);
    assert_int_equal(exact_side(0, 0, 1, 1, 1e-300, 1e-300), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_integers),
        cmocka_unit_test(test_tenths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
