#include "tests/gpu/island.h"

#include "runtime/mesh/noise.h"
#include "tests/bench/land.h"
#include "tests/gpu/kit.h"

#include <math.h>

static double wave(double x, double z, double size, double phase) {
    return sin(x / size + phase + 0.7 * sin(z / size * 0.9 + phase * 2)) *
           cos(z / size * 1.1 - phase);
}

/* The land of examples/island.world before its walkway, as the benchmarks have it in C. */
static double height_of(double x, double z) {
    static double hill_top; /* a constant of the formula */
    if (hill_top == 0) hill_top = land_scalar_hill_top();
    return land_scalar_height(x, z, hill_top);
}

WorldScene island_bare(int columns, int rows, double cell, const float *heights) {
    return (WorldScene){.land = {.columns = columns,
                                 .rows = rows,
                                 .cell = cell,
                                 .x0 = -(columns - 1) * cell / 2,
                                 .z0 = -(rows - 1) * cell / 2,
                                 .outside = -30,
                                 .heights = heights},
                        .land_transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0},
                        .land_tint = {1, 1, 1}};
}

/* -- things -- */

enum { KINDS = 13, PINES = 3, MAPLES = 3, ROCKS = 3, MOST_COPIES = 3000 };

typedef struct Plot {
    Arena *arena;
    WorldMesh *meshes;
    WorldInstances *groups;
    float *transforms[KINDS], *tints[KINDS];
} Plot;

static void add_kind(Plot *plot, uint32_t kind, const RtMesh *mesh) {
    plot->meshes[kind] = (WorldMesh){(uint32_t)mesh->vertex_count,
                                     (uint32_t)mesh->index_count,
                                     mesh->positions,
                                     mesh->normals,
                                     mesh->colors,
                                     mesh->indices,
                                     mesh->two_sided};
    plot->transforms[kind] = ARENA_ARRAY(plot->arena, float, MOST_COPIES * 12);
    plot->tints[kind] = ARENA_ARRAY(plot->arena, float, MOST_COPIES * 3);
    plot->groups[kind] = (WorldInstances){kind, 0, plot->transforms[kind], plot->tints[kind]};
}

static void stand(Plot *plot, uint32_t kind, double x, double z, double turn, double size) {
    WorldInstances *group = &plot->groups[kind];
    if (group->count == MOST_COPIES) return;
    float c = (float)(cos(turn) * size), s = (float)(sin(turn) * size);
    const float rows[12] = {c,  0, s, (float)x, 0, (float)size, 0, (float)height_of(x, z),
                            -s, 0, c, (float)z};
    float shade = 0.86f + 0.28f * (float)mesh_random(kind, group->count);
    for (int i = 0; i < 12; i++)
        plot->transforms[kind][group->count * 12 + (uint32_t)i] = rows[i];
    for (int i = 0; i < 3; i++)
        plot->tints[kind][group->count * 3 + (uint32_t)i] = shade;
    group->count++;
}

/* The house and what is about it. Its front looks south. */
static const double house_x = -16, house_z = 330;

static void add_kinds(Plot *plot) {
    Arena *arena = plot->arena;
    for (uint32_t i = 0; i < 3; i++) {
        add_kind(plot, i, kit_pine(arena, 9 + 2.5 * i, 11 + i));
        add_kind(plot, 3 + i, kit_maple(arena, 7.5 + i, 31 + i));
        add_kind(plot, 6 + i, kit_rock(arena, 51 + i));
    }
    add_kind(plot, 9, kit_cottage(arena));
    add_kind(plot, 10, kit_lantern(arena));
    add_kind(plot, 11, kit_amphora(arena));
    add_kind(plot, 12, kit_fern(arena, 7));
}

static void plant_forest(Plot *plot, uint32_t tries) {
    for (uint32_t i = 0; i < tries; i++) {
        double x = 1200 * mesh_random(1, i) - 600, z = 1200 * mesh_random(2, i) - 600,
               h = height_of(x, z);
        double clump = wave(x, z, 47, 3) + 0.5 * wave(x, z, 21, 4), pick = mesh_random(3, i);
        double steep = hypot(height_of(x + 1, z) - h, height_of(x, z + 1) - h);
        if (h < 3.5 || h > 95 || steep > 0.6 || clump < 0.15 ||
            hypot(x - house_x, z - house_z) < 26)
            continue;
        uint32_t kind = (uint32_t)(mesh_random(4, i) * 3) + (pick < 0.2 + h / 45 ? 0 : 3);
        stand(plot, kind, x, z, 6.28 * mesh_random(5, i), 0.75 + 0.5 * mesh_random(6, i));
    }
    for (uint32_t i = 0; i < tries / 6; i++) {
        double x = 1240 * mesh_random(7, i) - 620, z = 1240 * mesh_random(8, i) - 620,
               h = height_of(x, z);
        double u = mesh_random(9, i);
        if (h > 0.1) stand(plot, 6 + i % 3, x, z, 40 * u, 0.4 + 2.2 * u * u * u);
    }
}

static void dress_house(Plot *plot) {
    stand(plot, 9, house_x, house_z, 0, 1);
    stand(plot, 11, house_x + 4.2, house_z + 3.2, 0, 1);
    stand(plot, 3, house_x + 13, house_z + 3, 1, 1.1);
    stand(plot, 4, house_x - 12, house_z + 7, 2, 1);
    stand(plot, 1, house_x - 9, house_z - 9, 0.5, 1);
    stand(plot, 2, house_x + 8, house_z - 12, 0.2, 1);
    for (int i = 0; i < 8; i++)
        stand(plot, 10, house_x + (i % 2 ? 1.5 : -1.5), house_z + 5 + 3 * (i / 2), 0, 1);
    for (uint32_t i = 0; i < 60; i++) {
        double a = 6.28 * mesh_random(10, i), r = 6.5 + 7 * mesh_random(11, i);
        stand(plot, i % 4 ? 12 : 6 + i % 3, house_x + 1.1 * r * cos(a), house_z - 2 + r * sin(a),
              9 * a, 0.5 + 0.6 * mesh_random(12, i));
    }
}

static void add_things(Arena *arena, WorldScene *scene, uint32_t tries) {
    Plot plot = {.arena = arena,
                 .meshes = ARENA_ARRAY(arena, WorldMesh, KINDS),
                 .groups = ARENA_ARRAY(arena, WorldInstances, KINDS)};
    add_kinds(&plot);
    plant_forest(&plot, tries);
    dress_house(&plot);
    scene->meshes = plot.meshes;
    scene->instances = plot.groups;
    scene->mesh_count = scene->instance_count = KINDS;
}

WorldScene island_scene(Arena *arena, int points, double cell, uint32_t tries) {
    float *heights = ARENA_ARRAY(arena, float, points *points);
    WorldScene scene = island_bare(points, points, cell, heights);
    for (int j = 0; j < points; j++)
        for (int i = 0; i < points; i++)
            heights[j * points + i] =
                (float)height_of(scene.land.x0 + i * cell, scene.land.z0 + j * cell);
    scene.has_sea = true;
    memcpy(scene.land_tint, (float[]){0.11f, 0.14f, 0.04f}, sizeof scene.land_tint); /* grass */
    add_things(arena, &scene, tries);
    return scene;
}
