#include "runtime/geometry/exact.h"

#include <math.h>

/* A number written as a sum of doubles that do not overlap, smallest first. */
typedef struct Expansion {
    double parts[16];
    int count;
} Expansion;

/* a + b = *sum + *rest, exactly (Knuth). */
static void two_sum(double a, double b, double *sum, double *rest) {
    *sum = a + b;
    double b_virtual = *sum - a;
    *rest = (a - (*sum - b_virtual)) + (b - b_virtual);
}

/* a = *high + *low with at most 26 bits each (Dekker). */
static void split(double a, double *high, double *low) {
    double scaled = 134217729.0 * a; /* 2^27 + 1 */
    *high = scaled - (scaled - a);
    *low = a - *high;
}

static void expansion_add(Expansion *sum, double value) {
    for (int i = 0; i < sum->count; i++)
        two_sum(value, sum->parts[i], &value, &sum->parts[i]);
    sum->parts[sum->count++] = value;
}

static void expansion_add_product(Expansion *sum, double a, double b) {
    double product = a * b, a_high, a_low, b_high, b_low;
    split(a, &a_high, &a_low);
    split(b, &b_high, &b_low);
    double rest = a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
    expansion_add(sum, rest);
    expansion_add(sum, product);
}

static int expansion_sign(const Expansion *sum) {
    for (int i = sum->count - 1; i >= 0; i--)
        if (sum->parts[i] != 0) return sum->parts[i] > 0 ? 1 : -1;
    return 0;
}

/* (bx - ax)(py - ay) - (by - ay)(px - ax), multiplied out so that every product is of given
 * numbers. */
static int side_in_full(double ax, double ay, double bx, double by, double px, double py) {
    Expansion sum = {.count = 0};
    expansion_add_product(&sum, bx, py);
    expansion_add_product(&sum, -bx, ay);
    expansion_add_product(&sum, -ax, py);
    expansion_add_product(&sum, -by, px);
    expansion_add_product(&sum, by, ax);
    expansion_add_product(&sum, ay, px);
    return expansion_sign(&sum);
}

int exact_side(double ax, double ay, double bx, double by, double px, double py) {
    double left = (bx - ax) * (py - ay), right = (by - ay) * (px - ax);
    double side = left - right;
    double bound = 4e-16 * (fabs(left) + fabs(right)); /* over (3 + 16 eps) eps, Shewchuk's bound */
    if (side > bound) return 1;
    if (side < -bound) return -1;
    return side_in_full(ax, ay, bx, by, px, py);
}
