#include "gpu/walk.h"

#include <math.h>

static const double stride = 0.25; /* meters of the world: no step is longer */
static const double sight = 3000,
                    low = 30;  /* meters of the land: how far it looks, from how low it does not */
static const double reach = 1; /* meters of the land: its gradient is over so far either side */

static const double breadth = 0.25, tall = 1.8, step_up = 0.4; /* of a walker, meters of the world: its radius, height, and how far up it steps */

void walk_init(Walk *walk) {
    *walk = (Walk){0};
    memory_init(&walk->memory, NULL, NULL, 0);
    arena_init(&walk->near, &walk->memory);
}

void walk_fini(Walk *walk) {
    arena_fini(&walk->near);
}

/* -- what is near -- */

static double farthest(const double *p) {
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

/* How far a solid reaches from the place of its frame. */
static double reach_of(const WorldSolid *solid) {
    double most = solid->kind == WORLD_SOLID_CAPSULE ? fmax(farthest(solid->from), farthest(solid->to)) + solid->radius : 0;
    for (uint32_t i = 0; i < solid->point_count; i++)
        most = fmax(most, farthest(solid->points + 3 * (size_t)i));
    return most;
}

/* Solid to land: what the copy's rows carry to the world, and the world's to the land. */
static void rows_to_land(const Walk *walk, const float *transform, double rows[12]) {
    const Transform copy = transform_of(transform);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            const double *to = walk->to_land.row[i];
            rows[4 * i + k] = to[0] * copy.row[0][k] + to[1] * copy.row[1][k] + to[2] * copy.row[2][k] + (k == 3 ? to[3] : 0);
        }
}

typedef VEC(Obstacle) Obstacles;

static void add_group(Walk *walk, const WorldSolids *all, const WorldSolidGroup *group, Vec place, double within, Obstacles *near) {
    double far = 0;
    for (uint32_t i = 0; i < group->count; i++)
        far = fmax(far, reach_of(&all->solids[group->first + i]));
    for (uint32_t k = 0; k < group->copies; k++) {
        const float *t = group->transforms + 12 * (size_t)k;
        Vec from = {(double)t[3], (double)t[7], (double)t[11]}, across = {(double)t[0], (double)t[4], (double)t[8]};
        if (vec_length(vec_sub(from, place)) > far * vec_length(across) + within) continue;
        double rows[12];
        rows_to_land(walk, t, rows);
        for (uint32_t i = 0; i < group->count; i++)
            VEC_PUSH(&walk->near, near, obstacle_make(&walk->near, &all->solids[group->first + i], rows));
    }
}

/* The obstacles that a way of that length from a place of the world may meet. Without memory for them there are none. */
static void find_obstacles(Walk *walk, Vec place, double length) {
    const WorldSolids *all = walk->loop && walk->loop->solids ? walk->loop->solids(walk->loop->user) : NULL;
    Obstacles near = {0};
    Recover recover;
    arena_fini(&walk->near);
    walk->land.obstacle_count = 0;
    if (all == NULL || !MEMORY_TRY(&recover)) return;
    for (size_t i = 0; i < all->group_count; i++)
        add_group(walk, all, &all->groups[i], place, length + breadth + tall, &near);
    memory_end_try(&recover);
    walk->land.obstacles = near.items;
    walk->land.obstacle_count = (size_t)near.count;
}

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
    double smaller = transform_scale(&walk->to_land);
    walk->land.radius = breadth * smaller;
    walk->land.tall = tall * smaller;
    walk->land.step = step_up * smaller;
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
    find_obstacles(walk, transform_point(&walk->to_world, spot), low);
    walk->walker = walker_create_from(&walk->land, spot.x, spot.y, spot.z);
    return true;
}

WalkerOutcome walk_go(Walk *walk, Vec way) {
    double length = sqrt(way.x * way.x + way.z * way.z);
    int steps = (int)ceil(length / stride);
    WalkerOutcome outcome = WALKER_STAYED;
    if (steps < 1 || walk->land.height == NULL) return outcome;
    find_obstacles(walk, walk_feet(walk), length);
    Vec step = transform_vector(&walk->to_land, (Vec){way.x / steps, 0, way.z / steps});
    for (int i = 0; i < steps && outcome != WALKER_FELL; i++)
        outcome = walker_step(&walk->walker, step.x, step.z);
    return outcome;
}

Vec walk_feet(const Walk *walk) {
    Vec3 at = walk->walker.at;
    return transform_point(&walk->to_world, (Vec){at.x, at.y, at.z});
}
