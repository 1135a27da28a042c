#include "runtime/scatter/clear.h"

#include <math.h>

#include "runtime/base/watch.h"

void clear_init(ClearSet *set, Arena *arena) {
    *set = (ClearSet){0};
    discs_init(&set->discs, arena);
    discs_init(&set->clearances, arena);
}

bool footprint_contains(const Footprint *f, double x, double z, double grow, double *depth) {
    double dx = x - f->x, dz = z - f->z;
    /* Turned about the vertical, counterclockwise from above: local x runs along (cos, -sin) on
     * (east, south). */
    double lx = dx * f->cos - dz * f->sin, lz = dx * f->sin + dz * f->cos;
    double left = lx - (f->x0 - grow), right = f->x1 + grow - lx;
    double near = lz - (f->z0 - grow), far = f->z1 + grow - lz;
    double least = left < right ? left : right;
    if (near < least) least = near;
    if (far < least) least = far;
    *depth = least;
    return least > 0;
}

static Clash disc_clash(ClashKind kind, DiscIndex *index, double x, double z, double radius,
                        bool only_kind) {
    if (only_kind) return (Clash){.kind = discs_overlap(index, x, z, radius) ? kind : CLASH_NONE};
    const DiscEntry *entry = discs_first_overlap(index, x, z, radius);
    if (entry == NULL) return (Clash){0};
    double dx = entry->x - x, dz = entry->z - z;
    return (Clash){.kind = kind,
                   .index = entry->tag,
                   .distance = sqrt(dx * dx + dz * dz),
                   .needed = entry->radius + radius};
}

static Clash footprint_clash(const ClearSet *fixed, double x, double z, double radius,
                             bool has_margin, double margin) {
    if (fixed->footprints.count) watch_work(fixed->footprints.count);
    for (int i = 0; i < fixed->footprints.count; i++) {
        const Footprint *footprint = &fixed->footprints.items[i];
        double grow = radius + (has_margin ? margin : footprint->clearance), depth;
        if (footprint_contains(footprint, x, z, grow, &depth))
            return (Clash){.kind = CLASH_FOOTPRINT, .index = i, .distance = depth, .needed = grow};
    }
    return (Clash){0};
}

Clash clear_test(ClearSet *fixed, DiscIndex *rooms, double x, double z, double radius,
                 bool has_margin, double margin, bool only_kind) {
    if (isnan(radius))
        return has_margin ? footprint_clash(fixed, x, z, 0, true, margin) : (Clash){0};
    Clash clash = disc_clash(CLASH_CIRCLE, rooms, x, z, radius, only_kind);
    if (clash.kind == CLASH_NONE)
        clash = disc_clash(CLASH_DISC, &fixed->discs, x, z, radius, only_kind);
    if (clash.kind == CLASH_NONE)
        clash = disc_clash(CLASH_CLEARANCE, &fixed->clearances, x, z, radius, only_kind);
    if (clash.kind == CLASH_NONE) clash = footprint_clash(fixed, x, z, radius, has_margin, margin);
    return clash;
}
