/* Small vectors and 3x4 transforms, in double on the processor's side. Nothing here decides a
 * world. */
#ifndef WORLD_GPU_MATRIX_H
#define WORLD_GPU_MATRIX_H

typedef struct Vec {
    double x, y, z;
} Vec;

/* Rows of a 3x4 matrix: p -> rows . (p, 1). */
typedef struct Transform {
    double row[3][4];
} Transform;

Vec vec_add(Vec a, Vec b);
Vec vec_sub(Vec a, Vec b);
Vec vec_scale(Vec a, double s);
double vec_dot(Vec a, Vec b);
Vec vec_cross(Vec a, Vec b);
double vec_length(Vec a);
Vec vec_unit(Vec a); /* (0, 1, 0) for a zero vector */

Transform transform_of(const float rows[12]);
Vec transform_point(const Transform *t, Vec p);
/* The same without the fourth column. */
Vec transform_vector(const Transform *t, Vec v);
/* The inverse; of a flattening transform, the identity. */
Transform transform_inverse(const Transform *t);
/* The longest that a vector of length 1 along an axis becomes. */
double transform_scale(const Transform *t);

#endif
