/* Questions about a whole function of a place: asked over a square lattice, which is part of the
 * question. */
#ifndef WORLD_GRID_LATTICE_H
#define WORLD_GRID_LATTICE_H

#include "runtime/rt/rt.h"

/* The greatest of sign * f over the places `every` apart from (-over, -over) to (over, over), the
 * corners included (the last step of a side is shorter when `every` does not divide it). 0 after a
 * fault. */
double lattice_extreme(Rt *rt, const RtClosure *f, double every, double over, double sign);

#endif
