/* The things of a file by their meshes: a node for all copies of one, as EXT_mesh_gpu_instancing has it. What such a node cannot say,
 * for it knows a turn and a size alone, stands beside it as nodes of its own.
 */
#include <math.h>
#include <string.h>

#include "runtime/export/gltf_parts.h"

enum { PLACE, TURN, SIZE, TINT };
const uint32_t gltf_crowd_widths[GLTF_CROWD_LISTS] = {3, 4, 3, 3};

static const double askew = 1e-4; /* the cosine of an angle that counts as a right one */

/* A 3x4 matrix's columns as lengths, and divided by them; false: they stand askew, or there is nothing left of one. */
static bool split(const float m[12], double turn[3][3], float sizes[3]) {
    double axes[3][3];
    for (int k = 0; k < 3; k++) {
        for (int row = 0; row < 3; row++)
            axes[k][row] = (double)m[4 * row + k];
        double length = sqrt(axes[k][0] * axes[k][0] + axes[k][1] * axes[k][1] + axes[k][2] * axes[k][2]);
        if (!(length > 0) || !isfinite(length)) return false;
        sizes[k] = (float)length;
        for (int row = 0; row < 3; row++)
            turn[row][k] = axes[k][row] / length;
    }
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        double cosine = turn[0][k] * turn[0][next] + turn[1][k] * turn[1][next] + turn[2][k] * turn[2][next];
        if (fabs(cosine) > askew) return false;
    }
    return true;
}

static double determinant(double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* A turn as a quaternion, from its largest part on (Shepperd, "Quaternion from Rotation Matrix", 1978). */
static void quaternion(double m[3][3], float out[4]) {
    double squares[4] = {1 + m[0][0] - m[1][1] - m[2][2], 1 - m[0][0] + m[1][1] - m[2][2], 1 - m[0][0] - m[1][1] + m[2][2],
                         1 + m[0][0] + m[1][1] + m[2][2]};
    int most = 3;
    for (int k = 0; k < 3; k++)
        if (squares[k] > squares[most]) most = k;
    double twice = sqrt(squares[most]), share = 0.5 / twice;
    double sums[4][4] = {{0, m[0][1] + m[1][0], m[0][2] + m[2][0], m[2][1] - m[1][2]},
                         {m[0][1] + m[1][0], 0, m[1][2] + m[2][1], m[0][2] - m[2][0]},
                         {m[0][2] + m[2][0], m[1][2] + m[2][1], 0, m[1][0] - m[0][1]},
                         {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 0}};
    for (int k = 0; k < 4; k++)
        out[k] = (float)(k == most ? 0.5 * twice : sums[most][k] * share);
}

/* Whether a copy is one of the crowd's, which it is added to. */
static bool join(GltfCrowd *crowd, const float transform[12], const float tint[3]) {
    double turn[3][3];
    float sizes[3];
    if (!split(transform, turn, sizes)) return false;
    if (determinant(turn) < 0) { /* a mirror is a size below none */
        sizes[0] = -sizes[0];
        for (int row = 0; row < 3; row++)
            turn[row][0] = -turn[row][0];
    }
    uint32_t nth = crowd->count++;
    for (int row = 0; row < 3; row++)
        crowd->lists[PLACE][3 * nth + (uint32_t)row] = transform[4 * row + 3];
    quaternion(turn, crowd->lists[TURN] + 4 * nth);
    memcpy(crowd->lists[SIZE] + 3 * nth, sizes, sizeof sizes);
    memcpy(crowd->lists[TINT] + 3 * nth, tint, sizeof sizes);
    return true;
}

uint64_t gltf_crowd_bytes(const GltfCrowd *crowd) {
    uint64_t floats = 0;
    for (int list = 0; list < GLTF_CROWD_LISTS; list++)
        floats += gltf_crowd_widths[list];
    return floats * 4 * crowd->count;
}

void gltf_crowd_write(const GltfCrowd *crowd, WholeFile *file) {
    for (int list = 0; list < GLTF_CROWD_LISTS; list++)
        file_add_numbers(file, crowd->lists[list], 4, (size_t)gltf_crowd_widths[list] * crowd->count);
}

/* A kind is what copies of a mesh have in common: their id is theirs alone. */
static const WorldThing *kind_of(const Gltf *g, const WorldThing *thing) {
    WorldThing *kind = ARENA_NEW(g->arena, WorldThing);
    *kind = (WorldThing){.path = thing->path, .design = thing->design, .id = ""};
    return kind;
}

static void add_group(Gltf *g, const WorldInstances *group, const uint32_t *things) {
    static const float plain[3] = {1, 1, 1};
    GltfCrowd crowd = {0};
    uint32_t shape = gltf_add_shapes(g, &g->scene->meshes[group->mesh]), first = (uint32_t)g->copies.count;
    const WorldThing *thing = kind_of(g, g->scene->things[things[0]]);
    GltfNode node = {.kind = NODE_COPY, .name = thing->design[0] ? thing->design : thing->path, .thing = thing, .count = 1};
    for (int list = 0; list < GLTF_CROWD_LISTS; list++)
        crowd.lists[list] = ARENA_ARRAY(g->arena, float, (size_t)group->count * gltf_crowd_widths[list]);
    VEC_PUSH(g->arena, &g->copies, ((GltfCopy){gltf_clad(g, shape, plain), gltf_no_transform}));
    for (uint32_t k = 0; k < group->count; k++) {
        const float *transform = group->transforms + 12 * (size_t)k, *tint = group->tints + 3 * (size_t)k;
        if (join(&crowd, transform, tint)) continue;
        node.first = (uint32_t)g->copies.count;
        VEC_PUSH(g->arena, &g->copies, ((GltfCopy){gltf_clad(g, shape, tint), transform}));
        VEC_PUSH(g->arena, &g->nodes, node);
    }
    if (crowd.count == 0) return;
    VEC_PUSH(g->arena, &g->crowds, crowd);
    node.first = first;
    node.crowd = (uint32_t)g->crowds.count;
    VEC_PUSH(g->arena, &g->nodes, node);
}

void gltf_add_crowds(Gltf *g) {
    for (size_t i = 0; i < g->scene->instance_count; i++)
        if (g->scene->instances[i].count) add_group(g, &g->scene->instances[i], g->scene->instance_things[i]);
    g->root_count = (uint32_t)g->nodes.count;
}
