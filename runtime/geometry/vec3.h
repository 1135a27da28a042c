/* Vec3: three doubles: a point (meters: x east, y up, z south), a direction or a linear color.
 * It has the layout of the three slots that a point takes, so a row of slots is read by memcpy.
 */
#ifndef WORLD_GEOMETRY_VEC3_H
#define WORLD_GEOMETRY_VEC3_H

typedef struct Vec3 {
    double x, y, z;
} Vec3;

static inline Vec3 vec3_add(Vec3 a, Vec3 b) {
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b) {
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_scale(Vec3 a, double by) {
    return (Vec3){a.x * by, a.y * by, a.z * by};
}

static inline double vec3_dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b) {
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

#endif
