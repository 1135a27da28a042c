/* The numbers of a mesh as glTF takes them: normals of length 1, colors from 0 to 1. */
#include "runtime/export/gltf_parts.h"

#include <math.h>

#include "runtime/geometry/scalar.h"
#include "runtime/grid/grid.h"

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

GltfShape gltf_shape_of_land(const RtGrid *land) {
    uint64_t columns = (uint64_t)land->columns, rows = (uint64_t)land->rows;
    GltfShape shape = {.land = land,
                       .vertices = columns * rows,
                       .indices = 6 * (columns - 1) * (rows - 1),
                       .low = {(double)(float)grid_x(land, 0), (double)land->heights[0],
                               (double)(float)grid_z(land, 0)},
                       .high = {(double)(float)grid_x(land, land->columns - 1),
                                (double)land->heights[0],
                                (double)(float)grid_z(land, land->rows - 1)}};
    for (uint64_t i = 1; i < shape.vertices; i++)
        grow_box(&shape, 1, (double)land->heights[i]);
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
    return shape->mesh ? (size_t)VERTEX_RUN * 12 : (size_t)shape->land->columns * 24;
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
        file_add(file, room, run * 12);
    }
}

static void write_mesh(const WorldMesh *mesh, WholeFile *file, float *room) {
    file_add(file, mesh->positions, (size_t)mesh->vertex_count * 12);
    write_turned(file, mesh->normals, mesh->vertex_count, copy_unit, room);
    if (mesh->colors) write_turned(file, mesh->colors, mesh->vertex_count, copy_held, room);
    if (mesh->coords) file_add(file, mesh->coords, (size_t)mesh->vertex_count * 8);
    file_add(file, mesh->indices, (size_t)mesh->index_count * 4);
}

/* -- of a land -- */

static void write_positions(const RtGrid *land, WholeFile *file, float *room) {
    for (int32_t row = 0; row < land->rows; row++) {
        for (int32_t i = 0; i < land->columns; i++) {
            room[3 * i] = (float)grid_x(land, i);
            room[3 * i + 1] = grid_get(land, i, row);
            room[3 * i + 2] = (float)grid_z(land, row);
        }
        file_add(file, room, 12 * (size_t)land->columns);
    }
}

static double rise(const RtGrid *land, int32_t i, int32_t j, int32_t di, int32_t dj) {
    int32_t i0 = i > 0 ? i - di : i, i1 = i + 1 < land->columns ? i + di : i;
    int32_t j0 = j > 0 ? j - dj : j, j1 = j + 1 < land->rows ? j + dj : j;
    double run = (i1 - i0 + j1 - j0) * land->cell;
    return ((double)grid_get(land, i1, j1) - (double)grid_get(land, i0, j0)) / run;
}

static void write_normals(const RtGrid *land, WholeFile *file, float *room) {
    for (int32_t row = 0; row < land->rows; row++) {
        for (int32_t i = 0; i < land->columns; i++) {
            const float slope[3] = {(float)-rise(land, i, row, 1, 0), 1,
                                    (float)-rise(land, i, row, 0, 1)};
            copy_unit(room + 3 * i, slope);
        }
        file_add(file, room, 12 * (size_t)land->columns);
    }
}

static void write_indices(const RtGrid *land, WholeFile *file, uint32_t *room) {
    size_t squares = (size_t)land->columns - 1;
    for (int32_t j = 0; j + 1 < land->rows; j++) {
        for (int32_t i = 0; i + 1 < land->columns; i++) {
            uint32_t a = (uint32_t)j * (uint32_t)land->columns + (uint32_t)i, b = a + 1;
            uint32_t c = a + (uint32_t)land->columns, d = c + 1;
            const uint32_t even[6] = {a, c, d, a, d, b}, odd[6] = {a, c, b, b, c, d};
            memcpy(room + 6 * i, (i + j) % 2 == 0 ? even : odd, sizeof even);
        }
        file_add(file, room, 24 * squares);
    }
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
