#include "runtime/grid/lattice.h"

#include <math.h>

#include "runtime/geometry/scalar.h"

enum { MAX_SIDE = 1 << 15, BAND_POINTS = 64 * 1024 };

typedef struct Lattice {
    double every, over;
    int64_t side;            /* points */
    Slot *x, *y, *z, *value; /* a band of them */
} Lattice;

static double lattice_place(const Lattice *lattice, int64_t i) {
    return scalar_min(-lattice->over + (double)i * lattice->every, lattice->over);
}

/* Works f out at `count` points from number `first` on, row by row, and takes them into `best`. */
static bool take_band(Rt *rt, const RtClosure *f, const Lattice *lattice, int64_t first,
                      int64_t count, double sign, LatticeTop *best) {
    for (int64_t i = 0; i < count; i++) {
        lattice->x[i].f = lattice_place(lattice, (first + i) % lattice->side);
        lattice->y[i].f = 0;
        lattice->z[i].f = lattice_place(lattice, (first + i) / lattice->side);
    }
    const Slot *in[] = {lattice->x, lattice->y, lattice->z};
    Slot *out[] = {lattice->value};
    rt_call_batch(rt, f, count, in, out);
    if (rt_failed(rt) || rt->stop) return false;
    for (int64_t i = 0; i < count; i++) {
        double value = sign * lattice->value[i].f;
        if (isnan(value)) {
            rt_fault(rt, RT_FAULT_NAN, "the value at (%g m, %g m)", lattice->x[i].f,
                     lattice->z[i].f);
            return false;
        }
        if (value > best->value || first + i == 0)
            *best = (LatticeTop){value, {lattice->x[i].f, 0, lattice->z[i].f}};
    }
    return true;
}

LatticeTop lattice_extreme(Rt *rt, const RtClosure *f, double every, double over, double sign) {
    double steps = ceil(2 * over / every);
    if (!(every > 0 && over > 0 && steps < MAX_SIDE)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "every is %g m and over %g m: more than 0 m each, and at most %d places a side",
                 every, over, (int)MAX_SIDE);
        return (LatticeTop){0};
    }
    RtScratchMark mark = rt_scratch_mark(rt);
    Lattice lattice = {.every = every, .over = over, .side = (int64_t)steps + 1};
    int64_t all = lattice.side * lattice.side, band = all < BAND_POINTS ? all : BAND_POINTS;
    lattice.x = rt_scratch_push(rt, sizeof(Slot) * (size_t)band);
    lattice.y = rt_scratch_push(rt, sizeof(Slot) * (size_t)band);
    lattice.z = rt_scratch_push(rt, sizeof(Slot) * (size_t)band);
    lattice.value = rt_scratch_push(rt, sizeof(Slot) * (size_t)band);
    LatticeTop best = {.value = -INFINITY};
    bool good = true;
    for (int64_t first = 0; good && first < all; first += band)
        good =
            take_band(rt, f, &lattice, first, all - first < band ? all - first : band, sign, &best);
    rt_scratch_pop(rt, mark);
    return good ? best : (LatticeTop){0};
}
