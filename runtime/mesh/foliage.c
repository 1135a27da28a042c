/* Shapes of leaves and needles. */
#include "runtime/math/det_math.h"
#include "runtime/mesh/noise.h"
#include "runtime/mesh/shapes.h"

#include <math.h>

enum { SKIRT_RINGS = 3, BLADE_ROWS = 5 };

static const double golden_turn = 0.38196601125010515; /* of a whole turn: 137.5 degrees */

static Vec3 polar(double radius, double turn, double height) {
    double s, c;
    det_sincos(DET_TURN * turn, &s, &c);
    return (Vec3){radius * c, height, radius * s};
}

/* -- a skirt -- */

/* How far out (of the rim) and how high (of the height) the rings of a skirt lie, from the tip; how
 * light they are. */
static const double skirt_out[SKIRT_RINGS] = {0.30, 0.66, 1.0};
static const double skirt_up[SKIRT_RINGS] = {0.58, 0.24, 0.0};
static const double skirt_light[SKIRT_RINGS] = {0.62, 0.82, 1.12};

/* Ring k: every other place is a notch, deeper toward the rim, and each tooth is a little longer or
 * shorter. */
static uint32_t add_skirt_ring(MeshBuilder *b, double radius, double height, int64_t teeth,
                               uint32_t seed, int k) {
    uint32_t first = (uint32_t)b->vertices.count, places = 2 * (uint32_t)teeth;
    for (uint32_t i = 0; i < places; i++) {
        double deep = i % 2 ? 1 - 0.30 * skirt_out[k] : 1;
        double length = deep * (0.86 + 0.28 * mesh_random(seed, i)) * skirt_out[k];
        double turn = (i + 0.5 * (mesh_random(seed, places + i) - 0.5)) / places;
        double hang = (mesh_random(seed, 2 * places + i) - 0.5) * 0.16 + (i % 2 ? 0.13 : 0);
        uint32_t v = mesh_add_vertex(
            b, polar(radius * length, turn, height * (skirt_up[k] + hang * skirt_out[k])),
            (Vec3){0, 1, 0});
        double light = skirt_light[k] * (i % 2 ? 0.80 : 1);
        b->vertices.items[v].color = (Vec3){light, light, light};
    }
    return first;
}

static void add_skirt_band(MeshBuilder *b, uint32_t upper, uint32_t lower, uint32_t places) {
    for (uint32_t i = 0; i < places; i++) {
        uint32_t next = (i + 1) % places;
        mesh_add_triangle(b, lower + i, upper + i, upper + next);
        mesh_add_triangle(b, lower + i, upper + next, lower + next);
    }
}

/* Copies the rim for an underside that faces down and is dark. */
static void add_underside(MeshBuilder *b, uint32_t rim, uint32_t places, double height) {
    uint32_t first = (uint32_t)b->vertices.count;
    for (uint32_t i = 0; i < places; i++) {
        uint32_t v = mesh_add_vertex(b, b->vertices.items[rim + i].at, (Vec3){0, -1, 0});
        b->vertices.items[v].color = (Vec3){0.45, 0.45, 0.45};
    }
    uint32_t middle = mesh_add_vertex(b, (Vec3){0, 0.30 * height, 0}, (Vec3){0, -1, 0});
    b->vertices.items[middle].color = (Vec3){0.25, 0.25, 0.25};
    for (uint32_t i = 0; i < places; i++)
        mesh_add_triangle(b, first + i, first + (i + 1) % places, middle);
}

RtMesh *shape_skirt(Arena *arena, double radius, double height, int64_t teeth, uint32_t seed) {
    MeshBuilder b = {.arena = arena};
    uint32_t places = 2 * (uint32_t)teeth;
    uint32_t tip = mesh_add_vertex(&b, (Vec3){0, height, 0}, (Vec3){0, 1, 0});
    b.vertices.items[tip].color = (Vec3){0.55, 0.55, 0.55};
    uint32_t ring = add_skirt_ring(&b, radius, height, teeth, seed, 0);
    for (uint32_t i = 0; i < places; i++)
        mesh_add_triangle(&b, ring + i, tip, ring + (i + 1) % places);
    for (int k = 1; k < SKIRT_RINGS; k++) {
        uint32_t lower = add_skirt_ring(&b, radius, height, teeth, seed, k);
        add_skirt_band(&b, ring, lower, places);
        ring = lower;
    }
    add_underside(&b, ring, places, height);
    RtMesh *mesh = mesh_finish(&b);
    mesh_renew_normals(mesh);
    return mesh;
}

/* -- blades -- */

/* A blade is widest a third along, and ends in a point. */
static double blade_width(double t) {
    return t < 0.35 ? 0.35 + 0.65 * sqrt(t / 0.35) : sqrt((1 - t) / 0.65);
}

typedef struct Blade {
    double length, width, turn, rise, droop;
    double light;
} Blade;

static void add_blade(MeshBuilder *b, const Blade *blade) {
    double out = 0, up = 0, step = blade->length / BLADE_ROWS, s, c;
    Vec3 across = polar(1, blade->turn + 0.25, 0);
    uint32_t first = (uint32_t)b->vertices.count;
    for (int row = 0; row <= BLADE_ROWS; row++) {
        double t = (double)row / BLADE_ROWS, half = blade->width / 2 * blade_width(t);
        Vec3 middle = polar(out, blade->turn, up);
        for (int side = -1; side <= 1; side++) {
            Vec3 at = vec3_add(middle, vec3_scale(across, side * half));
            at.y += side == 0 ? 0 : 0.25 * half; /* folded along its middle */
            uint32_t v = mesh_add_vertex(b, at, (Vec3){0, 1, 0});
            double light = blade->light * (0.55 + 0.45 * t) * (side == 0 ? 0.86 : 1);
            b->vertices.items[v].color = (Vec3){light, light, light};
        }
        det_sincos(blade->rise - blade->droop * t, &s, &c);
        out += c * step;
        up += s * step;
    }
    for (uint32_t row = 0; row < BLADE_ROWS; row++)
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t a = first + 3 * row + side;
            mesh_add_triangle(b, a, a + 1, a + 4);
            mesh_add_triangle(b, a, a + 4, a + 3);
        }
}

RtMesh *shape_blades(Arena *arena, const ShapeBlades *blades) {
    MeshBuilder b = {.arena = arena};
    for (uint32_t i = 0; i < (uint32_t)blades->count; i++) {
        double age = blades->count > 1 ? (double)i / (double)(blades->count - 1)
                                       : 0; /* the youngest stands steepest */
        const double u[4] = {mesh_random(blades->seed, 4 * i), mesh_random(blades->seed, 4 * i + 1),
                             mesh_random(blades->seed, 4 * i + 2),
                             mesh_random(blades->seed, 4 * i + 3)};
        Blade blade = {.length = blades->length * (1 - 0.4 * age) * (0.88 + 0.24 * u[0]),
                       .width = blades->width * (1 - 0.3 * age),
                       .turn = golden_turn * i + 0.06 * (u[1] - 0.5),
                       .rise = blades->rise + (DET_PI / 2 - blades->rise) * 0.8 * age +
                               0.2 * (u[2] - 0.5),
                       .droop = blades->droop * (1 - 0.6 * age),
                       .light = 0.85 + 0.3 * u[3]};
        add_blade(&b, &blade);
    }
    RtMesh *mesh = mesh_finish(&b);
    mesh_renew_normals(mesh);
    mesh->two_sided = true;
    return mesh;
}
