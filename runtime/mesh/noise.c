#include "runtime/mesh/noise.h"

#include "runtime/math/pcg.h"

#include <math.h>

static double to_unit(uint32_t h) {
    return (h >> 8) * 0x1p-24;
}

double mesh_random(uint32_t seed, uint32_t index) {
    return to_unit(pcg_hash(seed ^ pcg_hash(index)));
}

static double corner(int64_t x, int64_t y, int64_t z, uint32_t seed) {
    return to_unit(pcg_hash((uint32_t)x + pcg_hash((uint32_t)y + pcg_hash((uint32_t)z + pcg_hash(seed)))));
}

static double fade(double t) {
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double mix(double a, double b, double t) {
    return a + (b - a) * t;
}

double mesh_noise(Vec3 at, uint32_t seed) {
    double fx = floor(at.x), fy = floor(at.y), fz = floor(at.z);
    int64_t x = (int64_t)fx, y = (int64_t)fy, z = (int64_t)fz;
    double u = fade(at.x - fx), v = fade(at.y - fy), w = fade(at.z - fz);
    double layer[2];
    for (int k = 0; k < 2; k++) {
        double near = mix(corner(x, y, z + k, seed), corner(x + 1, y, z + k, seed), u);
        double far = mix(corner(x, y + 1, z + k, seed), corner(x + 1, y + 1, z + k, seed), u);
        layer[k] = mix(near, far, v);
    }
    return 2 * mix(layer[0], layer[1], w) - 1;
}
