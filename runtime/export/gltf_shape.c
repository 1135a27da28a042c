/* The numbers of a mesh as glTF takes them: normals of length 1, colors from 0 to 1. */
#include "runtime/export/gltf_parts.h"

#include <math.h>

#include "runtime/geometry/scalar.h"
#include "runtime/grid/divided.h"

enum { VERTEX_RUN = 4096 }; /* vertices that are turned at once */

static void grow_box(GltfShape *shape, int axis, double value) {
    shape->low[axis] = scalar_min(shape->low[axis], value);
    shape->high[axis] = scalar_max(shape->high[axis], value);
}

GltfShape gltf_shape_of_mesh(const WorldMesh *mesh) {
    GltfShape shape = {.mesh = mesh, .vertices = mesh->vertex_count, .indices = mesh->index_count};
    for (int axis = 0; axis < 3; axis++) {
        shape.low[axis] = shape.high[axis] = (double)mesh->positions[axis];
        for (uint32_t i = 1; i < mesh->vertex_count; i++)
            grow_box(&shape, axis, (double)mesh->positions[3 * (size_t)i + (size_t)axis]);
    }
    return shape;
}

static DividedWindow all_of(const RtGrid *land) {
    return divided_window(land, 0, 0, land->columns - 1, land->rows - 1);
}

/* Squares that are drawn by the grid's own points. */
static uint64_t count_squares(const DividedWindow *window) {
    uint64_t count = 0;
    for (int32_t j = 0; j < window->j1; j++)
        for (int32_t i = 0; i < window->i1; i++)
            count += !divided_is_square(window, i, j);
    return count;
}

GltfShape gltf_shape_of_land(const RtGrid *land) {
    uint64_t columns = (uint64_t)land->columns, rows = (uint64_t)land->rows;
    DividedWindow window = all_of(land);
    size_t points, triangles;
    divided_count(&window, &points, &triangles);
    GltfShape shape = {.land = land,
                       .vertices = columns * rows + points,
                       .indices = 6 * count_squares(&window) + 3 * triangles,
                       .low = {(double)(float)grid_x(land, 0), (double)land->heights[0],
                               (double)(float)grid_z(land, 0)},
                       .high = {(double)(float)grid_x(land, land->columns - 1),
                                (double)land->heights[0],
                                (double)(float)grid_z(land, land->rows - 1)}};
    for (uint64_t i = 1; i < columns * rows; i++)
        grow_box(&shape, 1, (double)land->heights[i]);
    for (DividedTile tile = {.column = -1}; divided_next(&window, &tile);) {
        const float *heights = finer_patch(&window.tiles, finer_number(&window.tiles, tile.column, tile.row));
        for (size_t i = 0; i < finer_patch_size(&window.tiles); i++)
            grow_box(&shape, 1, (double)heights[i]);
    }
    return shape;
}

uint32_t gltf_shape_views(const GltfShape *shape) {
    return 3 + (shape->mesh && shape->mesh->colors) + (shape->mesh && shape->mesh->coords);
}

uint64_t gltf_shape_bytes(const GltfShape *shape) {
    uint64_t vertex = 24 + (shape->mesh && shape->mesh->colors ? 12 : 0) + (shape->mesh && shape->mesh->coords ? 8 : 0);
    return shape->vertices * vertex + shape->indices * 4;
}

size_t gltf_shape_room(const GltfShape *shape) {
    size_t divided = shape->mesh ? 0 : (size_t)grid_finer(shape->land).side * 24;
    return shape->mesh ? (size_t)VERTEX_RUN * 12 : (size_t)shape->land->columns * 24 + divided;
}

/* -- of a mesh -- */

static void copy_unit(float to[3], const float from[3]) {
    double x = (double)from[0], y = (double)from[1], z = (double)from[2];
    double length = sqrt(x * x + y * y + z * z);
    bool none = !(length > 0) || !isfinite(length);
    to[0] = none ? 0 : (float)(x / length);
    to[1] = none ? 1 : (float)(y / length);
    to[2] = none ? 0 : (float)(z / length);
}

static void copy_held(float to[3], const float from[3]) {
    for (int i = 0; i < 3; i++)
        to[i] = from[i] > 0 ? from[i] < 1 ? from[i] : 1 : 0;
}

static void write_turned(WholeFile *file, const float *from, uint64_t vertices,
                         void (*turn)(float to[3], const float from[3]), float *room) {
    for (uint64_t done = 0; done < vertices; done += VERTEX_RUN) {
        uint64_t run = vertices - done < VERTEX_RUN ? vertices - done : VERTEX_RUN;
        for (uint64_t i = 0; i < run; i++)
            turn(room + 3 * i, from + 3 * (done + i));
        file_add_numbers(file, room, 4, run * 3);
    }
}

static void write_mesh(const WorldMesh *mesh, WholeFile *file, float *room) {
    file_add_numbers(file, mesh->positions, 4, (size_t)mesh->vertex_count * 3);
    write_turned(file, mesh->normals, mesh->vertex_count, copy_unit, room);
    if (mesh->colors) write_turned(file, mesh->colors, mesh->vertex_count, copy_held, room);
    if (mesh->coords) file_add_numbers(file, mesh->coords, 4, (size_t)mesh->vertex_count * 2);
    file_add_numbers(file, mesh->indices, 4, mesh->index_count);
}

/* -- of a land -- */

static void write_positions(const RtGrid *land, WholeFile *file, float *room) {
    for (int32_t row = 0; row < land->rows; row++) {
        for (int32_t i = 0; i < land->columns; i++) {
            room[3 * i] = (float)grid_x(land, i);
            room[3 * i + 1] = grid_get(land, i, row);
            room[3 * i + 2] = (float)grid_z(land, row);
        }
        file_add_numbers(file, room, 4, 3 * (size_t)land->columns);
    }
    DividedWindow window = all_of(land);
    for (DividedTile tile = {.column = -1}; divided_next(&window, &tile);)
        for (int32_t q = tile.q0; q <= tile.q1; q++) {
            divided_points(&window, &tile, q, room);
            file_add_numbers(file, room, 4, 3 * (size_t)divided_row_points(&tile));
        }
}

static double rise(const RtGrid *land, int32_t i, int32_t j, int32_t di, int32_t dj) {
    int32_t i0 = i > 0 ? i - di : i, i1 = i + 1 < land->columns ? i + di : i;
    int32_t j0 = j > 0 ? j - dj : j, j1 = j + 1 < land->rows ? j + dj : j;
    double run = (i1 - i0 + j1 - j0) * land->cell;
    return ((double)grid_get(land, i1, j1) - (double)grid_get(land, i0, j0)) / run;
}

static double held(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/* Ways the ground faces in place of points, by what lies a fine square beside them. */
static void face_points(const RtGrid *land, int32_t count, float *room) {
    double step = land->cell / land->finer, x1 = grid_x(land, land->columns - 1), z1 = grid_z(land, land->rows - 1);
    for (float *at = room; at < room + 3 * (size_t)count; at += 3) {
        double x = (double)at[0], z = (double)at[2], west = held(x - step, land->x0, x1), east = held(x + step, land->x0, x1);
        double north = held(z - step, land->z0, z1), south = held(z + step, land->z0, z1);
        const float slope[3] = {(float)((grid_height_at(land, west, z) - grid_height_at(land, east, z)) / (east - west)), 1,
                                (float)((grid_height_at(land, x, north) - grid_height_at(land, x, south)) / (south - north))};
        copy_unit(at, slope);
    }
}

static void write_normals(const RtGrid *land, WholeFile *file, float *room) {
    for (int32_t row = 0; row < land->rows; row++) {
        for (int32_t i = 0; i < land->columns; i++) {
            const float slope[3] = {(float)-rise(land, i, row, 1, 0), 1,
                                    (float)-rise(land, i, row, 0, 1)};
            copy_unit(room + 3 * i, slope);
        }
        file_add_numbers(file, room, 4, 3 * (size_t)land->columns);
    }
    DividedWindow window = all_of(land);
    for (DividedTile tile = {.column = -1}; divided_next(&window, &tile);)
        for (int32_t q = tile.q0; q <= tile.q1; q++) {
            divided_points(&window, &tile, q, room);
            face_points(land, divided_row_points(&tile), room);
            file_add_numbers(file, room, 4, 3 * (size_t)divided_row_points(&tile));
        }
}

static void write_indices(const RtGrid *land, WholeFile *file, uint32_t *room) {
    DividedWindow window = all_of(land);
    for (int32_t j = 0; j + 1 < land->rows; j++) {
        size_t count = 0;
        for (int32_t i = 0; i + 1 < land->columns; i++) {
            if (divided_is_square(&window, i, j)) continue;
            uint32_t a = (uint32_t)j * (uint32_t)land->columns + (uint32_t)i, b = a + 1;
            uint32_t c = a + (uint32_t)land->columns, d = c + 1;
            const uint32_t even[6] = {a, c, d, a, d, b}, odd[6] = {a, c, b, b, c, d};
            memcpy(room + 6 * count++, (i + j) % 2 == 0 ? even : odd, sizeof even);
        }
        file_add_numbers(file, room, 4, 6 * count);
    }
    for (DividedTile tile = {.column = -1}; divided_next(&window, &tile);)
        for (int32_t q = tile.q0; q < tile.q1; q++)
            file_add_numbers(file, room, 4, 3 * (size_t)divided_triangles(&window, &tile, q, room));
}

void gltf_shape_write(const GltfShape *shape, WholeFile *file, float *room) {
    if (shape->mesh) {
        write_mesh(shape->mesh, file, room);
        return;
    }
    write_positions(shape->land, file, room);
    write_normals(shape->land, file, room);
    write_indices(shape->land, file, (uint32_t *)(void *)room);
}
