/* What a scatter keeps clear of, and what a spot's circle meets: rooms, discs, clearances, footprints. */
#ifndef WORLD_SCATTER_CLEAR_H
#define WORLD_SCATTER_CLEAR_H

/* clang-format off */

#include "runtime/base/str.h"
#include "runtime/scatter/index.h"

/* A rectangle on the plan, in the frame of the part that stands on it. */
typedef struct Footprint {
    double x, z;           /* the part's place, meters */
    double cos, sin;       /* of its turn */
    double x0, x1, z0, z1; /* in its frame, meters of the world (scaled) */
    double clearance;      /* the part's own margin, meters */
    Str part;
} Footprint;

/* Discs and footprints that stand before any rule runs. */
typedef struct ClearSet {
    DiscIndex discs;       /* keepClearOf */
    DiscIndex clearances;  /* tag: index in names */
    VEC(Footprint) footprints;
    VEC(Str) names;        /* parts with a clearance */
} ClearSet;

typedef enum ClashKind { CLASH_NONE, CLASH_CIRCLE, CLASH_DISC, CLASH_CLEARANCE, CLASH_FOOTPRINT } ClashKind;

/* What was in the way first, in that order of kinds. */
typedef struct Clash {
    ClashKind kind;
    int index;       /* placed thing, disc, part name, footprint */
    double distance; /* between centers; footprints: how far inside the grown rectangle, meters */
    double needed;   /* the distance at which it is clear (sum of radii; footprints: the margin used) */
} Clash;

void clear_init(ClearSet *set, Arena *arena);

/* Whether (x, z) lies strictly inside the rectangle grown by `grow` on all four sides; *depth says how deep. */
bool footprint_contains(const Footprint *footprint, double x, double z, double grow, double *depth);

/* Tests a circle against rooms placed (by the caller's index) and the fixed set. `margin` replaces the parts' own
 * when has_margin. With radius NAN (test: none) only footprints count, with radius 0, and only when has_margin. With
 * `only_kind` nothing but the kind is said, sooner. */
Clash clear_test(ClearSet *fixed, DiscIndex *rooms, double x, double z, double radius, bool has_margin,
                 double margin, bool only_kind);

#endif
