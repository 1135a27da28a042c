#include "gpu/land_paths.h"

#include <math.h>

enum { MOST_TEXELS = 2048 };

static const double finest_texel = 0.25; /* meters */

static void grow_box(const WorldPath *path, double low[2], double high[2]) {
    for (size_t i = 0; i < path->point_count; i++)
        for (int axis = 0; axis < 2; axis++) {
            double at = path->points[2 * i + (size_t)axis],
                   reach = path->half_width + LAND_PATHS_REACH;
            low[axis] = fmin(low[axis], at - reach);
            high[axis] = fmax(high[axis], at + reach);
        }
}

static double segment_distance(const double *a, const double *b, double x, double z) {
    double dx = b[0] - a[0], dz = b[1] - a[1], length = dx * dx + dz * dz;
    double t = length > 0 ? fmax(0, fmin(1, ((x - a[0]) * dx + (z - a[1]) * dz) / length)) : 0;
    return hypot(a[0] + t * dx - x, a[1] + t * dz - z);
}

static int texel_at(double offset, double texel, int count) {
    return (int)fmax(0, fmin(count - 1, floor(offset / texel)));
}

/* Lowers the distances round one stretch of a path. */
static void draw_stretch(LandPaths *map, const double *a, const double *b, double half_width) {
    double reach = half_width + LAND_PATHS_REACH;
    int i0 = texel_at(fmin(a[0], b[0]) - reach - map->x0, map->texel, map->columns);
    int i1 = texel_at(fmax(a[0], b[0]) + reach - map->x0, map->texel, map->columns);
    int j0 = texel_at(fmin(a[1], b[1]) - reach - map->z0, map->texel, map->rows);
    int j1 = texel_at(fmax(a[1], b[1]) + reach - map->z0, map->texel, map->rows);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            double x = map->x0 + (i + 0.5) * map->texel, z = map->z0 + (j + 0.5) * map->texel;
            float *distance = &map->distances[(size_t)j * (size_t)map->columns + (size_t)i];
            *distance = fminf(*distance, (float)(segment_distance(a, b, x, z) - half_width));
        }
}

static LandPaths begin(Arena *arena, const double low[2], const double high[2]) {
    LandPaths map = {.x0 = low[0], .z0 = low[1]};
    double extent = fmax(high[0] - low[0], high[1] - low[1]);
    map.texel = fmax(finest_texel, extent / (MOST_TEXELS - 1));
    map.columns = (int)ceil((high[0] - low[0]) / map.texel);
    map.rows = (int)ceil((high[1] - low[1]) / map.texel);
    size_t texels = (size_t)map.columns * (size_t)map.rows;
    map.distances = ARENA_ARRAY(arena, float, texels);
    for (size_t i = 0; i < texels; i++)
        map.distances[i] = (float)LAND_PATHS_REACH;
    return map;
}

LandPaths land_paths_build(Arena *arena, const WorldPath *paths, size_t count) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t p = 0; p < count; p++)
        grow_box(&paths[p], low, high);
    if (!(low[0] < high[0])) return (LandPaths){0};
    LandPaths map = begin(arena, low, high);
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i + 1 < paths[p].point_count; i++)
            draw_stretch(&map, paths[p].points + 2 * i, paths[p].points + 2 * (i + 1),
                         paths[p].half_width);
    return map;
}
