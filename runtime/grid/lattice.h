/* Questions about a whole function of a place: asked over a square lattice, which is part of the
 * question. */
#ifndef WORLD_GRID_LATTICE_H
#define WORLD_GRID_LATTICE_H

#include "runtime/geometry/vec3.h"
#include "runtime/rt/rt.h"

typedef struct LatticeTop {
    double value;
    Vec3 place; /* of several, the first: row by row from the corner of smallest x and z; y is 0 */
} LatticeTop;

/* The greatest of sign * f over the places `every` apart from (-over, -over) to (over, over), the
 * corners included (the last step of a side is shorter when `every` does not divide it). Zeros
 * after a fault. */
LatticeTop lattice_extreme(Rt *rt, const RtClosure *f, double every, double over, double sign);

#endif
