#include "gpu/cover_blocks.h"

#include "runtime/base/finer.h"

#include <math.h>

enum { SQUARE = 8, LEAST_SIDE = 4, MOST_SIDE = 48 };

/* -- heights -- */

/* Of the tile that holds a square, when it is divided. */
static void add_divided(const FinerTiles *tiles, int i, int j, float *range) {
    int64_t number = finer_number(tiles, i * SQUARE / FINER_TILE, j * SQUARE / FINER_TILE);
    if (number < 0) return;
    const float *heights = finer_patch(tiles, number);
    for (size_t k = 0; k < finer_patch_size(tiles); k++) {
        range[0] = fminf(range[0], heights[k]);
        range[1] = fmaxf(range[1], heights[k]);
    }
}

static void range_of(const WorldGridView *land, const FinerTiles *tiles, int i, int j, float *range) {
    range[0] = INFINITY, range[1] = -INFINITY;
    for (int row = j * SQUARE; row <= (j + 1) * SQUARE && row < land->rows; row++)
        for (int column = i * SQUARE; column <= (i + 1) * SQUARE && column < land->columns; column++) {
            float height = land->heights[(size_t)row * (size_t)land->columns + (size_t)column];
            range[0] = fminf(range[0], height);
            range[1] = fmaxf(range[1], height);
        }
    add_divided(tiles, i, j, range);
}

CoverHeights cover_heights(Arena *arena, const WorldGridView *land) {
    CoverHeights heights = {.side = SQUARE * land->cell, .x0 = land->x0, .z0 = land->z0};
    if (land->columns < 2) return heights;
    heights.columns = (land->columns - 2) / SQUARE + 1;
    heights.rows = (land->rows - 2) / SQUARE + 1;
    float *range = arena_alloc(arena, 2 * sizeof *range * (size_t)heights.columns * (size_t)heights.rows);
    FinerTiles tiles = finer_tiles(land->columns, land->rows, land->finer, land->heights + (size_t)land->columns * (size_t)land->rows);
    for (int j = 0; j < heights.rows; j++)
        for (int i = 0; i < heights.columns; i++)
            range_of(land, &tiles, i, j, range + 2 * ((size_t)j * (size_t)heights.columns + (size_t)i));
    heights.range = range;
    return heights;
}

static int square_at(double place, double from, double side, int count) {
    double at = floor((place - from) / side);
    return at < 0 ? 0 : at >= count ? count - 1 : (int)at;
}

void cover_height_range(const CoverHeights *heights, double x0, double x1, double z0, double z1, double *low, double *high) {
    *low = *high = 0;
    if (heights->columns == 0) return;
    int i0 = square_at(x0, heights->x0, heights->side, heights->columns), i1 = square_at(x1, heights->x0, heights->side, heights->columns);
    int j0 = square_at(z0, heights->z0, heights->side, heights->rows), j1 = square_at(z1, heights->z0, heights->side, heights->rows);
    *low = INFINITY, *high = -INFINITY;
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++) {
            const float *range = heights->range + 2 * ((size_t)j * (size_t)heights->columns + (size_t)i);
            *low = fmin(*low, (double)range[0]);
            *high = fmax(*high, (double)range[1]);
        }
}

/* -- how far tufts reach: as the shaders cover.vert and cover_mesh.vert make them -- */

static double mesh_reach(const WorldCoverKind *kind) {
    double reach = 0;
    for (int ring = 0; ring < 3 && kind->meshes[ring]; ring++)
        for (uint32_t v = 0; v < 3 * kind->meshes[ring]->vertex_count; v += 3) {
            const float *p = kind->meshes[ring]->positions + v;
            reach = fmax(reach, sqrt((double)(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])));
        }
    return reach * (1 + 0.14 * kind->wind);
}

double cover_reach(const WorldCoverKind *kind) {
    double blade = 1 + 0.75 * (kind->lean + kind->bend) + 0.42 * kind->wind; /* in the strongest wind */
    switch ((int)kind->style) {
    case WORLD_COVER_BLADES:
        return 0.7 + blade;
    case WORLD_COVER_FLOWERS:
        return 0.35 + blade;
    case WORLD_COVER_PATCHES:
        return 2.5 + kind->lean;
    case WORLD_COVER_LITTER:
        return 5 + kind->lean;
    default:
        return mesh_reach(kind);
    }
}

double cover_margin(const WorldCoverKind *kind, double widened) {
    return cover_reach(kind) * kind->size_max * (1 + kind->size_swing) + 2 * kind->width_max * widened + kind->sink + 0.05;
}

/* -- blocks -- */

int cover_block_side(const WorldCoverKind *kind, double to) {
    double side = fmax(to / 8, 2) / kind->cell;
    return side < LEAST_SIDE ? LEAST_SIDE : side > MOST_SIDE ? MOST_SIDE : (int)side;
}

CoverBox cover_box(const CoverRing *ring, CoverBlock block) {
    double cell = ring->kind->cell, out = ring->kind->cluster_radius;
    CoverBox box = {.low = {block.x * cell - out, 0, block.z * cell - out},
                    .high = {(block.x + ring->side) * cell + out, 0, (block.z + ring->side) * cell + out}};
    cover_height_range(ring->heights, box.low.x, box.high.x, box.low.z, box.high.z, &box.low.y, &box.high.y);
    Vec margin = {ring->margin, ring->margin, ring->margin};
    return (CoverBox){vec_sub(box.low, margin), vec_add(box.high, margin)};
}

static double gap(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0;
}

static double far_side(double x, double low, double high) {
    return fmax(fabs(x - low), fabs(x - high));
}

static bool is_wanted(const CoverRing *ring, const CoverBox *box) {
    const Vec *e = &ring->eye, *low = &box->low, *high = &box->high;
    Vec near = {gap(e->x, low->x, high->x), gap(e->y, low->y, high->y), gap(e->z, low->z, high->z)};
    Vec far = {far_side(e->x, low->x, high->x), far_side(e->y, low->y, high->y), far_side(e->z, low->z, high->z)};
    if (vec_length(near) > ring->to || vec_length(far) < ring->from) return false;
    if (ring->seen == NULL) return true;
    Vec middle = transform_point(ring->to_world, vec_scale(vec_add(*low, *high), 0.5));
    double radius = vec_length(vec_sub(*high, *low)) / 2 * transform_scale(ring->to_world);
    return eye_sees_ball(ring->seen, vec_sub(middle, ring->seen->at), radius);
}

int cover_list(Arena *arena, const CoverRing *ring, CoverBlock **blocks) {
    double side = ring->side * ring->kind->cell, reach = ring->to + ring->kind->cluster_radius;
    VEC(CoverBlock) list = {0};
    for (int z = (int)floor((ring->eye.z - reach) / side); z <= (int)floor((ring->eye.z + reach) / side); z++)
        for (int x = (int)floor((ring->eye.x - reach) / side); x <= (int)floor((ring->eye.x + reach) / side); x++) {
            CoverBlock block = {x * ring->side, z * ring->side};
            CoverBox box = cover_box(ring, block);
            if (is_wanted(ring, &box)) VEC_PUSH(arena, &list, block);
        }
    *blocks = list.items;
    return list.count;
}
