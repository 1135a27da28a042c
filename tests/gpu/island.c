#include "tests/gpu/island.h"

#include <math.h>

static double wave(double x, double z, double size, double phase) {
    return sin(x / size + phase + 0.7 * sin(z / size * 0.9 + phase * 2)) * cos(z / size * 1.1 - phase);
}

static double ridge(double x, double z, double size, double phase) {
    double w = 1 - fabs(wave(x, z, size, phase));
    return w * w;
}

static double smooth(double from, double to, double x) {
    double t = fmin(1, fmax(0, (x - from) / (to - from)));
    return t * t * (3 - 2 * t);
}

/* Meters in from a wavy coast about 620 m from the middle. */
static double inland(double x, double z) {
    double angle = atan2(z, x);
    return 600 + 60 * sin(3 * angle + 0.6) + 34 * sin(7 * angle + 2) + 12 * wave(x, z, 28, 1) - hypot(x, z);
}

static double height_of(double x, double z) {
    double s = inland(x, z);
    if (s < 0) return -0.3 - fmin(30, -0.05 * s + 0.0003 * s * s);
    double hill = pow(fmax(0, 1 - hypot(x - 40, z + 190) / 470), 1.5) * 160;
    hill *= 0.62 + 0.30 * ridge(x, z, 74, 0.3) + 0.14 * ridge(x, z, 29, 1.7);
    double rolling = 3.2 * wave(x, z, 61, 0.5) + 1.1 * wave(x, z, 19, 2.2);
    return 7 * smooth(0, 90, s) + hill + rolling * smooth(10, 90, s);
}

WorldScene island_bare(int columns, int rows, double cell, const float *heights) {
    return (WorldScene){
        .land = {.columns = columns, .rows = rows, .cell = cell, .x0 = -(columns - 1) * cell / 2,
                 .z0 = -(rows - 1) * cell / 2, .outside = -30, .heights = heights},
        .land_transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
}

WorldScene island_scene(Arena *arena, int points, double cell) {
    float *heights = ARENA_ARRAY(arena, float, points * points);
    WorldScene scene = island_bare(points, points, cell, heights);
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++)
            heights[j * points + i] = (float)height_of(scene.land.x0 + i * cell, scene.land.z0 + j * cell);
    scene.has_sea = true;
    return scene;
}
