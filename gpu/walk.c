#include "gpu/walk.h"

#include <math.h>

static const double stride = 0.25; /* meters of the world: no step is longer */
static const double sight = 3000,
                    low = 30;  /* meters of the land: how far it looks, from how low it does not */
static const double reach = 1; /* meters of the land: its gradient is over so far either side */

static double ask_height(void *user, double x, double z) {
    const Walk *walk = user;
    return walk->loop->ground(walk->loop->user, x, z);
}

/* As a land's gradient is defined. */
static Vec3 ask_gradient(void *user, double x, double z) {
    double dx = ask_height(user, x + reach, z) - ask_height(user, x - reach, z);
    double dz = ask_height(user, x, z + reach) - ask_height(user, x, z - reach);
    return (Vec3){dx / (2 * reach), 0, dz / (2 * reach)};
}

_Static_assert((int)WALKER_FALL == (int)WORLD_EDGE_FALL, "edges are counted alike");

static void update_height(Walk *walk) {
    walk->land.height = walk->has_land && walk->loop ? ask_height : NULL;
    walk->land.gradient = ask_gradient;
    walk->land.user = walk;
}

void walk_set_scene(Walk *walk, const WorldScene *scene) {
    const WorldGridView *land = &scene->land;
    bool endless = scene->land_source.heights != NULL;
    walk->has_land = land->columns > 0 || endless;
    update_height(walk);
    if (!walk->has_land) return;
    walk->land.x0 = land->x0;
    walk->land.z0 = land->z0;
    walk->land.x1 = land->x0 + (land->columns - 1) * land->cell;
    walk->land.z1 = land->z0 + (land->rows - 1) * land->cell;
    if (endless) walk->land.x0 = walk->land.z0 = -INFINITY, walk->land.x1 = walk->land.z1 = INFINITY;
    walk->land.edge = (WalkerEdge)scene->land_edge.kind;
    walk->land.wade = scene->land_edge.wade;
    walk->land.fall_to = (Vec3){scene->land_edge.fall_to[0], scene->land_edge.fall_to[1],
                                scene->land_edge.fall_to[2]};
    walk->to_world = transform_of(scene->land_transform);
    walk->to_land = transform_inverse(&walk->to_world);
}

void walk_set_loop(Walk *walk, const ViewLoop *loop) {
    walk->loop = loop && loop->ground ? loop : NULL;
    update_height(walk);
}

static bool within_border(const WalkerLand *land, Vec p) {
    return p.x >= land->x0 && p.x <= land->x1 && p.z >= land->z0 && p.z <= land->z1;
}

bool walk_find_ground(const Walk *walk, Vec place, double *height) {
    const WalkerLand *land = &walk->land;
    if (land->height == NULL || land->edge == WALKER_FALL) return false; /* one may fly under it */
    Vec here = transform_point(&walk->to_land, place);
    if (land->edge != WALKER_SEA && !within_border(land, here)) return false;
    here.y = land->height(land->user, here.x, here.z);
    *height = transform_point(&walk->to_world, here).y;
    return true;
}

static bool can_stand(const WalkerLand *land, Vec p, double ground) {
    return within_border(land, p) && (land->edge != WALKER_SEA || ground >= -land->wade);
}

/* In the land's frame: along the look, in steps that shorten near the ground. */
static bool find_spot(const WalkerLand *land, Vec from, Vec ahead, Vec *spot) {
    double gap;
    for (double d = 0; d < sight; d += fmax(0.5, gap / 4)) {
        Vec p = vec_add(from, vec_scale(ahead, d));
        double ground = land->height(land->user, p.x, p.z);
        gap = p.y - ground;
        *spot = p;
        if ((gap <= 0 || (d == 0 && gap < low)) && can_stand(land, p, ground)) return true;
    }
    return false;
}

bool walk_begin(Walk *walk, Vec eye, Vec forward) {
    if (walk->land.height == NULL) return false;
    Vec here = transform_point(&walk->to_land, eye), spot;
    Vec ahead = vec_unit(transform_vector(&walk->to_land, forward));
    if (!find_spot(&walk->land, here, ahead, &spot)) return false;
    walk->walker = walker_create(&walk->land, spot.x, spot.z);
    return true;
}

WalkerOutcome walk_go(Walk *walk, Vec way) {
    double length = sqrt(way.x * way.x + way.z * way.z);
    int steps = (int)ceil(length / stride);
    WalkerOutcome outcome = WALKER_STAYED;
    if (steps < 1 || walk->land.height == NULL) return outcome;
    Vec step = transform_vector(&walk->to_land, (Vec){way.x / steps, 0, way.z / steps});
    for (int i = 0; i < steps && outcome != WALKER_FELL; i++)
        outcome = walker_step(&walk->walker, step.x, step.z);
    return outcome;
}

Vec walk_feet(const Walk *walk) {
    Vec3 at = walk->walker.at;
    return transform_point(&walk->to_world, (Vec){at.x, at.y, at.z});
}
