/* Exact answers to questions about doubles: on which side of a line a point lies.
 *
 * A border rule is only a rule when it holds for every point, so the sign is that of the real
 * number, not of its rounded form (after Shewchuk, "Adaptive Precision Floating-Point Arithmetic",
 * 1997, without the middle stages: a filter, then the exact sum).
 */
#ifndef WORLD_GEOMETRY_EXACT_H
#define WORLD_GEOMETRY_EXACT_H

/* The sign of (bx - ax)(py - ay) - (by - ay)(px - ax): 1, 0 or -1. Coordinates are finite and below
 * 1e150 in size. */
int exact_side(double ax, double ay, double bx, double by, double px, double py);

#endif
