#include "gpu/things_order.h"

#include <math.h>

enum { AXIS_BITS = 10, DIGIT_BITS = 10, DIGITS = 3 }; /* of a place on the curve: a digit at each pass */

typedef struct Keyed {
    uint32_t key, number;
} Keyed;

/* Its bits, two zeros between each and the next. */
static uint32_t spread(uint32_t v) {
    v = (v | v << 16) & 0x030000ff;
    v = (v | v << 8) & 0x0300f00f;
    v = (v | v << 4) & 0x030c30c3;
    return (v | v << 2) & 0x09249249;
}

static void find_box(const float *transforms, uint32_t count, float low[3], float high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY, high[axis] = -INFINITY;
        for (uint32_t i = 0; i < count; i++) {
            float at = transforms[12 * (size_t)i + 4 * (size_t)axis + 3];
            low[axis] = fminf(low[axis], at), high[axis] = fmaxf(high[axis], at);
        }
    }
}

/* Along Morton's curve through their box, whose cells are cubes. */
static void key_all(const float *transforms, uint32_t count, Keyed *out) {
    float low[3], high[3];
    find_box(transforms, count, low, high);
    float side = fmaxf(fmaxf(high[0] - low[0], high[1] - low[1]), fmaxf(high[2] - low[2], 1e-20f));
    float cells = (float)((1 << AXIS_BITS) - 1) / side;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t key = 0;
        for (int axis = 0; axis < 3; axis++)
            key |= spread((uint32_t)((transforms[12 * (size_t)i + 4 * (size_t)axis + 3] - low[axis]) * cells)) << axis;
        out[i] = (Keyed){key, i};
    }
}

static void sort_by_digit(const Keyed *from, Keyed *to, uint32_t count, int shift) {
    uint32_t starts[1 << DIGIT_BITS] = {0}, sum = 0;
    for (uint32_t i = 0; i < count; i++)
        starts[from[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++;
    for (int digit = 0; digit < 1 << DIGIT_BITS; digit++) {
        uint32_t many = starts[digit];
        starts[digit] = sum;
        sum += many;
    }
    for (uint32_t i = 0; i < count; i++)
        to[starts[from[i].key >> shift & ((1 << DIGIT_BITS) - 1)]++] = from[i];
}

uint32_t *things_order(Arena *arena, const float *transforms, uint32_t count) {
    uint32_t *order = arena_alloc_raw(arena, sizeof *order * (size_t)count);
    Keyed *keyed = arena_alloc_raw(arena, sizeof *keyed * (size_t)count), *other = arena_alloc_raw(arena, sizeof *other * (size_t)count);
    key_all(transforms, count, keyed);
    for (int digit = 0; digit < DIGITS; digit++) {
        sort_by_digit(keyed, other, count, digit * DIGIT_BITS);
        Keyed *swapped = keyed;
        keyed = other, other = swapped;
    }
    for (uint32_t i = 0; i < count; i++)
        order[i] = keyed[i].number;
    return order;
}
