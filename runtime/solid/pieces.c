#include "runtime/solid/solid.h"

#include "runtime/base/hash.h"
#include "runtime/base/roots.h"
#include "runtime/base/watch.h"

/* The first vertex at each one's place. An open table of their numbers, asked by the place's bits. */
static int32_t *find_same(Arena *arena, const RtMesh *mesh) {
    uint32_t size = 16;
    while (size < 2 * (uint32_t)mesh->vertex_count)
        size *= 2;
    int32_t *table = ARENA_ARRAY(arena, int32_t, size), *same = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        float place[3];
        watch_work(4);
        for (int k = 0; k < 3; k++)
            place[k] = mesh->positions[3 * (size_t)v + (size_t)k] + 0.0f; /* one zero */
        uint32_t slot = (uint32_t)hash_bytes(place, sizeof place, 0) & (size - 1);
        for (; table[slot]; slot = (slot + 1) & (size - 1)) {
            const float *other = mesh->positions + 3 * (size_t)(table[slot] - 1);
            if (other[0] == place[0] && other[1] == place[1] && other[2] == place[2]) break;
        }
        if (table[slot] == 0) table[slot] = v + 1;
        same[v] = table[slot] - 1;
    }
    return same;
}

/* Numbered in the order of their first vertices; the vertices of each in a row. */
static void sort_vertices(Arena *arena, const RtMesh *mesh, SolidPieces *pieces, int32_t *parent) {
    int32_t *of = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        if (pieces->same[v] == v) of[v] = roots_find(parent, v) == v ? pieces->count++ : of[roots_find(parent, v)];
    pieces->first = ARENA_ARRAY(arena, int32_t, pieces->count + 2);
    pieces->vertices = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        if (pieces->same[v] == v) pieces->first[of[v] + 2]++;
    for (int32_t p = 0; p < pieces->count; p++)
        pieces->first[p + 2] += pieces->first[p + 1];
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        if (pieces->same[v] == v) pieces->vertices[pieces->first[of[v] + 1]++] = v;
    for (int32_t t = 0; t < mesh->index_count / 3; t++)
        pieces->of[t] = of[pieces->same[mesh->indices[3 * t]]];
}

SolidPieces solid_pieces(Arena *arena, const RtMesh *mesh) {
    SolidPieces pieces = {.same = find_same(arena, mesh), .of = ARENA_ARRAY(arena, int32_t, mesh->index_count / 3 + 1)};
    int32_t *parent = ARENA_ARRAY(arena, int32_t, mesh->vertex_count + 1);
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        parent[v] = v;
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3)
        for (int k = 1; k < 3; k++)
            roots_join(parent, pieces.same[mesh->indices[i]], pieces.same[mesh->indices[i + k]]);
    sort_vertices(arena, mesh, &pieces, parent);
    return pieces;
}
