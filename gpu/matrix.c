#include "gpu/matrix.h"

#include <math.h>

Vec vec_add(Vec a, Vec b) {
    return (Vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

Vec vec_sub(Vec a, Vec b) {
    return (Vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

Vec vec_scale(Vec a, double s) {
    return (Vec){a.x * s, a.y * s, a.z * s};
}

double vec_dot(Vec a, Vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

Vec vec_cross(Vec a, Vec b) {
    return (Vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

double vec_length(Vec a) {
    return sqrt(vec_dot(a, a));
}

Vec vec_unit(Vec a) {
    double length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : (Vec){0, 1, 0};
}

Transform transform_of(const float rows[12]) {
    Transform t;
    for (int i = 0; i < 12; i++)
        t.row[i / 4][i % 4] = rows[i];
    return t;
}

static double row_dot(const double row[4], Vec v) {
    return row[0] * v.x + row[1] * v.y + row[2] * v.z;
}

Vec transform_vector(const Transform *t, Vec v) {
    return (Vec){row_dot(t->row[0], v), row_dot(t->row[1], v), row_dot(t->row[2], v)};
}

Vec transform_point(const Transform *t, Vec p) {
    Vec v = transform_vector(t, p);
    return (Vec){v.x + t->row[0][3], v.y + t->row[1][3], v.z + t->row[2][3]};
}

static Vec column(const Transform *t, int j) {
    return (Vec){t->row[0][j], t->row[1][j], t->row[2][j]};
}

/* The rows of the inverse are the cross products of the columns over the determinant. */
Transform transform_inverse(const Transform *t) {
    Vec a = column(t, 0), b = column(t, 1), c = column(t, 2);
    double determinant = vec_dot(a, vec_cross(b, c));
    if (determinant == 0) return (Transform){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    Vec rows[3] = {vec_cross(b, c), vec_cross(c, a), vec_cross(a, b)};
    Transform inverse;
    for (int i = 0; i < 3; i++) {
        Vec r = vec_scale(rows[i], 1 / determinant);
        inverse.row[i][0] = r.x;
        inverse.row[i][1] = r.y;
        inverse.row[i][2] = r.z;
        inverse.row[i][3] = -vec_dot(r, column(t, 3));
    }
    return inverse;
}

double transform_scale(const Transform *t) {
    double most = 0;
    for (int j = 0; j < 3; j++) {
        double length = vec_length(column(t, j));
        if (length > most) most = length;
    }
    return most;
}
