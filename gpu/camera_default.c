/* A camera that flatters: the whole land above the sea, or without a land the things, lower, with
 * the sky behind them; from the south-southeast. */
#include "gpu/camera.h"

#include <math.h>

static const double elevation = 30 * M_PI / 180;       /* how far it looks down */
static const double floor_elevation = 15 * M_PI / 180; /* on a floor */
static const double azimuth = 24 * M_PI / 180;         /* from south toward east */
static const double field = 38 * M_PI / 180;
static const double margin = 1.08;
static const double aspect = 16.0 / 9;
static const double clearance = 0.5; /* meters between the eye and a thing's box */
enum { MOST_STEPS = 64 };

/* Places that should be in the picture. */
typedef struct Framing {
    Vec low, high; /* their box */
    Vec right, up, forward;
    Vec middle;
    double distance;        /* at which all of them are seen */
    double lowest, highest; /* how far down and up they are seen, as tangents */
} Framing;

typedef void (*PlaceFn)(Framing *framing, Vec place);

static void grow_box(Framing *framing, Vec p) {
    framing->low =
        (Vec){fmin(framing->low.x, p.x), fmin(framing->low.y, p.y), fmin(framing->low.z, p.z)};
    framing->high =
        (Vec){fmax(framing->high.x, p.x), fmax(framing->high.y, p.y), fmax(framing->high.z, p.z)};
}

/* |sideways| <= (distance + ahead) * tangent, solved for the distance. */
static void grow_distance(Framing *framing, Vec place) {
    Vec p = vec_sub(place, framing->middle);
    double tangent = tan(field / 2) / margin, ahead = vec_dot(p, framing->forward);
    double tall = fabs(vec_dot(p, framing->up)) / tangent - ahead;
    double wide = fabs(vec_dot(p, framing->right)) / (tangent * aspect) - ahead;
    framing->distance = fmax(framing->distance, fmax(tall, wide));
}

static void grow_reach(Framing *framing, Vec place) {
    Vec p = vec_sub(place, framing->middle);
    double up = vec_dot(p, framing->up) / (framing->distance + vec_dot(p, framing->forward));
    framing->lowest = fmin(framing->lowest, up);
    framing->highest = fmax(framing->highest, up);
}

static void each_land_place(const WorldScene *scene, Framing *framing, PlaceFn place) {
    const WorldGridView *land = &scene->land;
    Transform transform = transform_of(scene->land_transform);
    int step = land->columns / 128 + 1;
    for (int j = 0; j < land->rows; j += step)
        for (int i = 0; i < land->columns; i += step) {
            float height = land->heights[(size_t)j * (size_t)land->columns + (size_t)i];
            Vec p = transform_point(
                &transform, (Vec){land->x0 + i * land->cell, height, land->z0 + j * land->cell});
            if (!scene->has_sea || p.y > scene->sea_level) place(framing, p);
        }
}

static void each_thing_place(const WorldScene *scene, Framing *framing, PlaceFn place) {
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        const WorldMesh *mesh = &scene->meshes[group->mesh];
        uint32_t step = mesh->vertex_count / 64 + 1;
        for (uint32_t i = 0; i < group->count; i++) {
            Transform transform = transform_of(group->transforms + 12 * (size_t)i);
            for (uint32_t v = 0; v < mesh->vertex_count; v += step) {
                const float *p = mesh->positions + 3 * (size_t)v;
                place(framing, transform_point(&transform, (Vec){p[0], p[1], p[2]}));
            }
        }
    }
}

static void each_place(const WorldScene *scene, Framing *framing, PlaceFn place) {
    if (scene->land.columns)
        each_land_place(scene, framing, place);
    else
        each_thing_place(scene, framing, place);
}

static void measure_distance(const WorldScene *scene, Framing *framing) {
    framing->distance = 2;
    each_place(scene, framing, grow_distance);
}

/* Raises or lowers the middle until as much is seen above it as below. */
static void center(const WorldScene *scene, Framing *framing) {
    for (int i = 0; i < 3; i++) {
        framing->lowest = framing->highest = 0;
        each_place(scene, framing, grow_reach);
        double off = (framing->lowest + framing->highest) / 2 * framing->distance;
        framing->middle = vec_add(framing->middle, vec_scale(framing->up, off));
        measure_distance(scene, framing);
    }
}

/* Whether a copy's box holds the place, with room about it. */
static bool holds(const WorldMesh *mesh, const float *rows, Vec place) {
    Transform to_world = transform_of(rows), back = transform_inverse(&to_world);
    Vec own = transform_point(&back, place);
    Vec low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    double room = clearance / transform_scale(&to_world);
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->positions + 3 * (size_t)v;
        low = (Vec){fmin(low.x, p[0]), fmin(low.y, p[1]), fmin(low.z, p[2])};
        high = (Vec){fmax(high.x, p[0]), fmax(high.y, p[1]), fmax(high.z, p[2])};
    }
    return own.x > low.x - room && own.y > low.y - room && own.z > low.z - room && own.x < high.x + room && own.y < high.y + room && own.z < high.z + room;
}

/* A ball about a copy's origin that holds it holds the place, too: only then is its box looked at. */
static bool is_near(const WorldMesh *mesh, const float *rows, Vec place, double reach) {
    Transform to_world = transform_of(rows);
    Vec origin = {(double)rows[3], (double)rows[7], (double)rows[11]};
    return mesh->vertex_count > 0 && vec_length(vec_sub(place, origin)) < reach * transform_scale(&to_world) + clearance;
}

static bool is_inside(const WorldScene *scene, Vec place) {
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        const WorldMesh *mesh = &scene->meshes[group->mesh];
        double reach = 0;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            const float *p = mesh->positions + 3 * (size_t)v;
            reach = fmax(reach, vec_length((Vec){p[0], p[1], p[2]}));
        }
        for (uint32_t i = 0; i < group->count; i++) {
            const float *rows = group->transforms + 12 * (size_t)i;
            if (is_near(mesh, rows, place, reach) && holds(mesh, rows, place)) return true;
        }
    }
    return false;
}

/* Back, until nothing is about the eye: no picture begins in a tree. */
static Vec clear_of_things(const WorldScene *scene, Vec from, Vec back, double distance) {
    for (int i = 0; i < MOST_STEPS && is_inside(scene, from); i++)
        from = vec_add(from, vec_scale(back, fmax(distance * 0.1, 2 * clearance)));
    return from;
}

/* A land without an end, with nothing on it: as somebody sees it who stands well over it. */
static ViewCamera over_function(const WorldScene *scene) {
    Transform transform = transform_of(scene->land_transform);
    const double place[2] = {0, 0};
    float height = 0;
    if (!scene->land_source.heights(scene->land_source.user, 1, place, &height)) height = 0;
    Vec from = transform_point(&transform, (Vec){0, (double)height + 40, 0});
    return (ViewCamera){.from = {from.x, from.y, from.z}, .to = {from.x, from.y - 20, from.z - 100}, .fov = field};
}

ViewCamera view_default_camera(const WorldScene *scene) {
    if (scene->land_source.heights && scene->instance_count == 0) return over_function(scene);
    Framing framing = {.low = {INFINITY, INFINITY, INFINITY},
                       .high = {-INFINITY, -INFINITY, -INFINITY}};
    each_place(scene, &framing, grow_box);
    if (framing.low.x > framing.high.x) framing.low = framing.high = (Vec){0};
    framing.middle = vec_scale(vec_add(framing.low, framing.high), 0.5);
    double down = scene->land.columns ? elevation : floor_elevation;
    Vec back = {cos(down) * sin(azimuth), sin(down), cos(down) * cos(azimuth)};
    framing.forward = vec_scale(back, -1);
    framing.right = vec_unit(vec_cross(framing.forward, (Vec){0, 1, 0}));
    framing.up = vec_cross(framing.right, framing.forward);
    measure_distance(scene, &framing);
    center(scene, &framing);
    Vec from = clear_of_things(scene, vec_add(framing.middle, vec_scale(back, framing.distance)), back, framing.distance);
    return (ViewCamera){.from = {from.x, from.y, from.z},
                        .to = {framing.middle.x, framing.middle.y, framing.middle.z},
                        .fov = field};
}
