/* The forest by hand: the keep of examples/island.world's rule `forest` as a C programmer would
 * write it for this one land (the cheapest condition first, stretches of the walkway sorted into
 * squares), and a hash grid of the trees that stand.
 */
#include "tests/bench/forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/noise.h"

static const double west = -230, east = 210, north = 300, south = 520;

/* -- the stream -- */

static uint32_t pcg(uint32_t v) {
    uint32_t s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
    return w >> 22 ^ w;
}

static double draw(uint32_t *state) {
    return (double)(pcg(*state += 0x9E3779B9u) >> 8) * 0x1p-24;
}

/* -- the walkway: for each square of 16 m the stretches that may be nearer than that to a place in
 * it -- */

enum { PATH_REACH = 16, SQUARES = 128, SQUARES_HALF = SQUARES / 2 };

typedef struct Path {
    const ForestLand *land;
    int *stretches, first[SQUARES * SQUARES + 1];
} Path;

static int square_of(double v) {
    int square = (int)floor(v / PATH_REACH) + SQUARES_HALF;
    return square < 0 ? 0 : square >= SQUARES ? SQUARES - 1 : square;
}

/* Calls for each square near stretch k: counts it (stretches NULL) or stores k. */
static void visit_stretch(Path *path, int k, int *fill) {
    const double *a = path->land->course + 2 * k;
    int x0 = square_of(fmin(a[0], a[2]) - PATH_REACH),
        x1 = square_of(fmax(a[0], a[2]) + PATH_REACH);
    int z0 = square_of(fmin(a[1], a[3]) - PATH_REACH),
        z1 = square_of(fmax(a[1], a[3]) + PATH_REACH);
    for (int z = z0; z <= z1; z++)
        for (int x = x0; x <= x1; x++) {
            int square = z * SQUARES + x;
            if (path->stretches) path->stretches[path->first[square] + fill[square]] = k;
            fill[square]++;
        }
}

static void path_init(Path *path, const ForestLand *land) {
    int *fill = calloc(SQUARES * SQUARES, sizeof *fill);
    *path = (Path){.land = land};
    for (int k = 0; k + 1 < land->course_points; k++)
        visit_stretch(path, k, fill);
    for (int i = 0; i < SQUARES * SQUARES; i++)
        path->first[i + 1] = path->first[i] + fill[i];
    path->stretches =
        malloc(sizeof *path->stretches * (size_t)(path->first[SQUARES * SQUARES] + 1));
    memset(fill, 0, SQUARES * SQUARES * sizeof *fill);
    for (int k = 0; k + 1 < land->course_points; k++)
        visit_stretch(path, k, fill);
    free(fill);
}

static double path_distance(const Path *path, double x, double z) {
    int square = square_of(z) * SQUARES + square_of(x);
    double best = (double)PATH_REACH * PATH_REACH;
    for (int i = path->first[square]; i < path->first[square + 1]; i++) {
        const double *a = path->land->course + 2 * path->stretches[i];
        double ux = a[2] - a[0], uz = a[3] - a[1], px = x - a[0], pz = z - a[1];
        double t = clamp01((px * ux + pz * uz) / (ux * ux + uz * uz)), dx = px - t * ux,
               dz = pz - t * uz;
        best = fmin(best, dx * dx + dz * dz);
    }
    return sqrt(best);
}

/* -- the land -- */

static double height_at(const ForestLand *land, double x, double z) {
    double u = (x - land->x0) / land->cell, v = (z - land->z0) / land->cell;
    int last = land->points - 2, i = u < last ? (int)u : last, j = v < last ? (int)v : last;
    const float *at = land->heights + (int64_t)j * land->points + i;
    double s = u - i, t = v - j, a = at[0], b = at[1], c = at[land->points],
           d = at[land->points + 1];
    if ((i + j) % 2 == 0)
        return s >= t ? a + (b - a) * s + (d - b) * t : a + (d - c) * s + (c - a) * t;
    return s + t <= 1 ? a + (b - a) * s + (c - a) * t : d + (c - d) * (1 - s) + (b - d) * (1 - t);
}

static double slope_at(const ForestLand *land, double x, double z) {
    double gx = (height_at(land, x + 1, z) - height_at(land, x - 1, z)) / 2;
    double gz = (height_at(land, x, z + 1) - height_at(land, x, z - 1)) / 2;
    return sqrt(gx * gx + gz * gz);
}

static int is_dressed(double x, double z) {
    static const double area[][2] = {{-190, 285}, {175, 285},  {200, 430}, {175, 540},
                                     {120, 552},  {60, 525},   {0, 507},   {-60, 505},
                                     {-120, 512}, {-200, 545}, {-215, 420}};
    enum { CORNERS = sizeof area / sizeof *area };
    int inside = 0;
    for (int i = 0, j = CORNERS - 1; i < CORNERS; j = i++)
        if ((area[i][1] > z) != (area[j][1] > z) &&
            x < (area[j][0] - area[i][0]) * (z - area[i][1]) / (area[j][1] - area[i][1]) +
                    area[i][0])
            inside = !inside;
    return inside;
}

/* How thickly forest grows; below 0 where the rule keeps nothing. */
static double density_where_kept(const Path *path, double x, double z) {
    double h = height_at(path->land, x, z), distance,
           pad = sqrt((x + 4) * (x + 4) + (z - 338) * (z - 338));
    if (!(h > 2.6) || !is_dressed(x, z) || !(slope_at(path->land, x, z) < 0.42)) return -1;
    distance = path_distance(path, x, z);
    if (!(distance > 4.5)) return -1;
    double thick = smooth(2.8, 4.2, h) * (1 - smooth(50, 85, h)) * smooth(34, 58, pad) *
                   smooth(2.2, 4.5, distance);
    double density = thick * (0.55 + 0.45 * smooth(-0.25, 0.3, fbm(x / 55, z / 55, 61, 3)));
    return density > 0.18 ? density : -1;
}

/* -- trees that stand, in a hash grid whose cell is the widest two rooms -- */

enum { BUCKETS = 1 << 16 };

typedef struct Stand {
    const ForestTree *trees;
    int *next, heads[BUCKETS];
    double cell;
} Stand;

static int *bucket(Stand *stand, int64_t x, int64_t z) {
    return &stand->heads[((uint64_t)x * 0x9E3779B97F4A7C15u ^ (uint64_t)z * 0xC2B2AE3D27D4EB4Fu) >>
                             20 &
                         (BUCKETS - 1)];
}

static int is_clear(Stand *stand, double x, double z, double radius) {
    int64_t cx = (int64_t)floor(x / stand->cell), cz = (int64_t)floor(z / stand->cell);
    for (int64_t j = cz - 1; j <= cz + 1; j++)
        for (int64_t i = cx - 1; i <= cx + 1; i++)
            for (int k = *bucket(stand, i, j); k >= 0; k = stand->next[k]) {
                const ForestTree *tree = &stand->trees[k];
                double dx = tree->x - x, dz = tree->z - z, needed = tree->room + radius;
                if (dx * dx + dz * dz < needed * needed) return 0;
            }
    return 1;
}

static void stand_add(Stand *stand, int k) {
    const ForestTree *tree = &stand->trees[k];
    int *head =
        bucket(stand, (int64_t)floor(tree->x / stand->cell), (int64_t)floor(tree->z / stand->cell));
    stand->next[k] = *head;
    *head = k;
}

/* -- planting -- */

typedef struct Spot {
    double x, z;
} Spot;

static Spot *draw_spots(double cell, uint32_t *stream, int64_t *count) {
    int64_t columns = (int64_t)ceil((east - west) / cell),
            rows = (int64_t)ceil((south - north) / cell);
    Spot *spots = malloc(sizeof *spots * (size_t)(columns * rows)), *spot = spots;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++, spot++) {
            spot->x = west + ((double)column + draw(stream)) * cell;
            spot->z = north + ((double)row + draw(stream)) * cell;
        }
    *count = columns * rows;
    return spots;
}

int64_t LAND(forest_plant)(const ForestLand *land, double cell, uint32_t seed, ForestTree *trees) {
    uint32_t stream = pcg(seed ^ 9 * 0x85ebca6bu);
    double scale = cell / 6;
    int64_t count, standing = 0;
    Path *path = malloc(sizeof *path);
    Stand *stand = malloc(sizeof *stand);
    path_init(path, land);
    Spot *spots = draw_spots(cell, &stream, &count);
    *stand =
        (Stand){.trees = trees, .next = malloc(sizeof(int) * (size_t)count), .cell = 13 * scale};
    memset(stand->heads, -1, sizeof stand->heads);
    for (int64_t k = 0; k < count; k++) {
        double x = spots[k].x, z = spots[k].z, density = density_where_kept(path, x, z);
        double spacing = (7 + 6 * (1 - density)) * scale;
        if (density < 0 || !is_clear(stand, x, z, spacing / 2)) continue;
        ForestTree *tree = &trees[standing];
        *tree = (ForestTree){
            .x = x, .y = height_at(land, x, z), .z = z, .room = spacing / 2 - 0.4 * scale, .k = k};
        tree->variant = (int)(draw(&stream) * 6);
        tree->size = 0.8 + 0.5 * draw(&stream);
        tree->turn = 6.283185307179586 * draw(&stream);
        stand_add(stand, (int)standing++);
    }
    free(stand->next);
    free(stand);
    free(spots);
    free(path->stretches);
    free(path);
    return standing;
}
