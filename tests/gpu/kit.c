#include "tests/gpu/kit.h"

#include "runtime/math/det_math.h"
#include "runtime/mesh/noise.h"

#include <math.h>

enum { KIT_MOST = 96 };

typedef struct Kit {
    Arena *arena;
    const RtMesh *meshes[KIT_MOST];
    int64_t count;
} Kit;

static void add(Kit *kit, const RtMesh *mesh) {
    if (kit->count < KIT_MOST) kit->meshes[kit->count++] = mesh;
}

static RtMesh *finish(const Kit *kit) {
    return mesh_merge(kit->arena, kit->meshes, kit->count);
}

static RtMesh *colored(Arena *arena, const RtMesh *mesh, double r, double g, double b) {
    return mesh_paint(arena, mesh, (Vec3){r, g, b}, (Vec3){r, g, b});
}

RtMesh *kit_pine(Arena *arena, double height, uint32_t seed) {
    Kit kit = {arena, {0}, 0};
    int tiers = 9;
    add(&kit, colored(arena,
                      shape_limb(arena, (Vec3){0, -0.3, 0}, (Vec3){0, 0.8 * height, 0},
                                 0.022 * height, 0.005 * height, 7),
                      0.095, 0.066, 0.045));
    for (int i = 0; i < tiers; i++) {
        double up = (double)i / tiers, u = mesh_random(seed, 100 + (uint32_t)i),
               v = mesh_random(seed, 200 + (uint32_t)i);
        double radius = height * (0.205 * pow(1 - up, 0.9) + 0.022) * (0.9 + 0.2 * u);
        double tall = height * (0.20 - 0.06 * up);
        RtMesh *skirt = shape_skirt(arena, radius, tall, 10 - i / 2, seed * 31 + (uint32_t)i);
        skirt = mesh_rotate(arena, skirt, (Vec3){cos(20 * u), 0, sin(20 * u)}, 0.16 * (v - 0.5));
        skirt =
            mesh_move(arena, skirt, (Vec3){0, height * (0.13 + 0.75 * up + 0.03 * (v - 0.5)), 0});
        add(&kit, colored(arena, skirt, 0.058 + 0.02 * u, 0.112 + 0.03 * v, 0.042));
    }
    return finish(&kit);
}

RtMesh *kit_maple(Arena *arena, double height, uint32_t seed) {
    Kit kit = {arena, {0}, 0};
    Vec3 fork = {0, 0.30 * height, 0};
    add(&kit,
        colored(arena,
                shape_limb(arena, (Vec3){0, -0.3, 0}, fork, 0.030 * height, 0.021 * height, 8),
                0.13, 0.098, 0.072));
    for (uint32_t i = 0; i < 11; i++) {
        double a = 2.39996 * i + mesh_random(seed, i),
               out = i == 0 ? 0 : height * (0.13 + 0.12 * mesh_random(seed, 50 + i));
        double up = height * (i < 6 ? 0.52 + 0.12 * mesh_random(seed, 80 + i)
                                    : 0.72 + 0.10 * mesh_random(seed, 80 + i));
        if (i == 0) up = 0.66 * height;
        if (i >= 6) out *= 0.55;
        double size = height * (0.145 + 0.06 * mesh_random(seed, 120 + i)) * (i == 0 ? 1.5 : 1);
        Vec3 at = {out * cos(a), up, out * sin(a)};
        add(&kit, colored(arena, shape_limb(arena, fork, at, 0.014 * height, 0.005 * height, 5),
                          0.13, 0.098, 0.072));
        RtMesh *puff =
            mesh_scale(arena, shape_sphere(arena, 1, 16), (Vec3){size, 0.78 * size, size});
        puff = mesh_roughen(arena, puff, 0.30 * size, 0.55 * size, seed * 17 + i);
        puff = mesh_roughen(arena, puff, 0.10 * size, 0.24 * size, seed * 29 + i);
        puff = mesh_mottle(arena, puff, 0.34, 0.22 * size, seed + i);
        puff = mesh_paint(arena, puff, (Vec3){0.052, 0.085, 0.022}, (Vec3){0.215, 0.275, 0.070});
        add(&kit, mesh_move(arena, puff, at));
    }
    return finish(&kit);
}

RtMesh *kit_rock(Arena *arena, uint32_t seed) {
    RtMesh *rock = mesh_roughen(arena, shape_sphere(arena, 1, 14), 0.16, 0.9, seed);
    rock = mesh_roughen(arena, mesh_chip(arena, rock, 9, 0.66, seed), 0.03, 0.22, seed ^ 0x5bd1);
    rock = mesh_flatten(arena, mesh_scale(arena, rock, (Vec3){0.62, 0.45, 0.5}), -0.2);
    rock = mesh_facet(arena, mesh_move(arena, rock, (Vec3){0, 0.2, 0}));
    rock = mesh_paint(arena, rock, (Vec3){0.17, 0.155, 0.13}, (Vec3){0.36, 0.345, 0.315});
    return mesh_mottle(arena, rock, 0.16, 0.3, seed);
}

RtMesh *kit_fern(Arena *arena, uint32_t seed) {
    const ShapeBlades blades = {11, 0.85, 0.15, 0.95, 1.7, seed};
    return mesh_paint(arena, shape_blades(arena, &blades), (Vec3){0.10, 0.18, 0.035},
                      (Vec3){0.17, 0.30, 0.055});
}

RtMesh *kit_lantern(Arena *arena) {
    static const ShapePoint post[] = {{0, 0},        {0.12, 0},    {0.12, 0.05}, {0.08, 0.09},
                                      {0.032, 0.13}, {0.03, 0.80}, {0.06, 0.84}, {0, 0.84}};
    static const ShapePoint cap[] = {{0, 0},        {0.19, 0},     {0.17, 0.025}, {0.05, 0.11},
                                     {0.03, 0.115}, {0.022, 0.15}, {0, 0.165}};
    Kit kit = {arena, {0}, 0};
    add(&kit, shape_lathe(arena, post, 8, 12, false));
    add(&kit, mesh_move(arena, shape_box(arena, (Vec3){0.22, 0.025, 0.22}), (Vec3){0, 0.84, 0}));
    for (int i = 0; i < 4; i++)
        add(&kit, mesh_move(arena, shape_box(arena, (Vec3){0.022, 0.22, 0.022}),
                            (Vec3){i % 2 ? 0.088 : -0.088, 0.86, i / 2 ? 0.088 : -0.088}));
    add(&kit, mesh_move(arena,
                        mesh_rotate(arena, shape_lathe(arena, cap, 7, 4, true), (Vec3){0, 1, 0},
                                    DET_PI / 4),
                        (Vec3){0, 1.08, 0}));
    RtMesh *frame = colored(arena, finish(&kit), 0.045, 0.042, 0.040);
    RtMesh *glass =
        mesh_move(arena, shape_box(arena, (Vec3){0.155, 0.215, 0.155}), (Vec3){0, 0.863, 0});
    const RtMesh *both[2] = {frame, colored(arena, glass, 2.4, 1.6, 0.72)};
    return mesh_merge(arena, both, 2);
}

RtMesh *kit_amphora(Arena *arena) {
    static const ShapePoint profile[] = {
        {0, 0},       {0.13, 0},    {0.15, 0.03},  {0.22, 0.16}, {0.29, 0.34},  {0.31, 0.48},
        {0.28, 0.64}, {0.19, 0.77}, {0.115, 0.85}, {0.10, 0.92}, {0.125, 0.97}, {0.17, 0.985},
        {0.17, 1.01}, {0.13, 1.01}, {0.085, 0.93}, {0.08, 0.85}, {0, 0.80}};
    RtMesh *body = shape_lathe(arena, profile, 17, 28, false);
    return mesh_mottle(
        arena, mesh_paint(arena, body, (Vec3){0.30, 0.115, 0.05}, (Vec3){0.46, 0.20, 0.095}), 0.10,
        0.14, 5);
}

/* A box by its corners, in a color. */
static void add_block(Kit *kit, Vec3 low, Vec3 high, double r, double g, double b) {
    RtMesh *box = shape_box(kit->arena, vec3_sub(high, low));
    add(kit, colored(kit->arena,
                     mesh_move(kit->arena, box,
                               (Vec3){(low.x + high.x) / 2, low.y, (low.z + high.z) / 2}),
                     r, g, b));
}

static void add_roof(Kit *kit, double width, double length, double rise, double overhang, Vec3 at) {
    double half = width / 2, out = half + overhang, drop = overhang * rise / half, thick = 0.16;
    const ShapePoint west[4] = {{0, rise}, {0, rise + thick}, {-out, thick - drop}, {-out, -drop}};
    const ShapePoint east[4] = {{0, rise}, {out, -drop}, {out, thick - drop}, {0, rise + thick}};
    for (int i = 0; i < 2; i++) {
        RtMesh *side = shape_prism(kit->arena, i ? east : west, 4, length + 2 * overhang);
        add(kit, mesh_move(kit->arena, colored(kit->arena, side, 0.24, 0.095, 0.060), at));
    }
}

static void add_window(Kit *kit, double x, double y, double z, bool side) {
    double w = side ? 0.05 : 0.42, d = side ? 0.42 : 0.05, f = 0.07;
    add_block(kit, (Vec3){x - w - (side ? 0 : f), y - f, z - d - (side ? f : 0)},
              (Vec3){x + w + (side ? 0 : f), y + 1.0 + f, z + d + (side ? f : 0)}, 0.66, 0.64,
              0.58);
    double in = side ? 0.015 : 0, out = side ? 0 : 0.015;
    for (int i = 0; i < 4; i++) {
        double half_w = side ? w : w / 2, half_d = side ? d / 2 : d,
               px = x + (side ? 0 : (i % 2 ? w / 2 : -w / 2)),
               pz = z + (side ? (i % 2 ? d / 2 : -d / 2) : 0);
        double py = y + (i / 2 ? 0.52 : 0.02);
        add_block(kit, (Vec3){px - half_w - in + out, py, pz - half_d + in - out},
                  (Vec3){px + half_w + in - out, py + 0.46, pz + half_d - in + out}, 0.10, 0.15,
                  0.19);
    }
}

RtMesh *kit_cottage(Arena *arena) {
    Kit kit = {arena, {0}, 0};
    const ShapePoint main_walls[5] = {{-3.05, 0}, {3.05, 0}, {3.05, 2.6}, {0, 4.9}, {-3.05, 2.6}};
    add_block(&kit, (Vec3){-3.15, -0.5, -6.3}, (Vec3){3.15, 0.35, 0.1}, 0.30, 0.285, 0.26);
    add(&kit,
        mesh_move(arena, colored(arena, shape_prism(arena, main_walls, 5, 6.0), 0.72, 0.68, 0.59),
                  (Vec3){0, 0.2, -3.1}));
    add_roof(&kit, 6.1, 6.0, 2.3, 0.45, (Vec3){0, 2.8, -3.1});
    /* chimney */
    add_block(&kit, (Vec3){1.35, 3.2, -5.1}, (Vec3){2.05, 6.0, -4.4}, 0.33, 0.17, 0.12);
    add_block(&kit, (Vec3){1.28, 6.0, -5.17}, (Vec3){2.12, 6.14, -4.33}, 0.26, 0.25, 0.23);
    /* porch: floor, posts, roof, steps */
    add_block(&kit, (Vec3){-2.4, -0.3, 0.1}, (Vec3){2.4, 0.35, 1.8}, 0.34, 0.26, 0.18);
    for (int i = 0; i < 4; i++) {
        double x = -2.25 + 1.5 * i;
        add_block(&kit, (Vec3){x - 0.06, 0.35, 1.58}, (Vec3){x + 0.06, 2.45, 1.70}, 0.66, 0.64,
                  0.58);
    }
    RtMesh *porch =
        mesh_rotate(arena, shape_box(arena, (Vec3){5.2, 0.12, 2.15}), (Vec3){1, 0, 0}, 0.24);
    add(&kit, mesh_move(arena, colored(arena, porch, 0.24, 0.095, 0.060), (Vec3){0, 2.62, 0.98}));
    add_block(&kit, (Vec3){-0.75, -0.3, 1.8}, (Vec3){0.75, 0.16, 2.15}, 0.30, 0.285, 0.26);
    add_block(&kit, (Vec3){-0.75, -0.3, 2.15}, (Vec3){0.75, 0.0, 2.5}, 0.30, 0.285, 0.26);
    /* door and windows */
    add_block(&kit, (Vec3){-0.55, 0.35, -0.1}, (Vec3){0.55, 2.35, 0.0}, 0.66, 0.64, 0.58);
    add_block(&kit, (Vec3){-0.45, 0.35, -0.08}, (Vec3){0.45, 2.25, 0.03}, 0.055, 0.16, 0.155);
    add_block(&kit, (Vec3){0.28, 1.25, 0.0}, (Vec3){0.35, 1.32, 0.07}, 0.55, 0.42, 0.16);
    add_window(&kit, -1.75, 1.15, -0.08, false);
    add_window(&kit, 1.75, 1.15, -0.08, false);
    for (int i = 0; i < 4; i++)
        add_window(&kit, i % 2 ? 3.03 : -3.03, 1.15, i / 2 ? -1.8 : -4.4, true);
    return finish(&kit);
}
