#include "gpu/hand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double sight = 5000; /* meters */

Ray hand_ray(const Eye *eye, double right, double up) {
    Vec across = vec_add(vec_scale(eye->right, right * eye->half_width),
                         vec_scale(eye->up, up * eye->half_height));
    if (eye->orthographic) return (Ray){vec_add(eye->at, across), eye->forward};
    return (Ray){eye->at, vec_unit(vec_add(eye->forward, across))};
}

/* -- what a ray meets -- */

static Vec corner(const WorldMesh *mesh, uint32_t vertex) {
    const float *p = mesh->positions + 3 * (size_t)vertex;
    return (Vec){(double)p[0], (double)p[1], (double)p[2]};
}

/* A ball round a mesh. */
static double measure(const WorldMesh *mesh, Vec *middle) {
    Vec low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        Vec p = corner(mesh, v);
        low = (Vec){fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z)};
        high = (Vec){fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z)};
    }
    *middle = vec_scale(vec_add(low, high), 0.5);
    return vec_length(vec_sub(high, low)) / 2;
}

static bool meets_ball(const Ray *ray, Vec middle, double radius) {
    Vec to = vec_sub(middle, ray->from);
    double along = fmax(vec_dot(to, ray->way), 0);
    return vec_length(vec_sub(to, vec_scale(ray->way, along))) <= radius;
}

/* How far along the triangle is met, from either side; NAN: it is not. */
static double meet_triangle(const Ray *ray, Vec a, Vec b, Vec c) {
    Vec ab = vec_sub(b, a), ac = vec_sub(c, a), across = vec_cross(ray->way, ac);
    double det = vec_dot(ab, across);
    if (det == 0) return NAN;
    Vec from = vec_sub(ray->from, a), other = vec_cross(from, ab);
    double u = vec_dot(from, across) / det, v = vec_dot(ray->way, other) / det;
    double along = vec_dot(ac, other) / det;
    return u >= 0 && v >= 0 && u + v <= 1 && along >= 0 ? along : NAN;
}

/* In the mesh's own frame, in which the way keeps the length that it has in the world as a measure. */
static double meet_copy(const WorldMesh *mesh, const Transform *to_world, const Ray *ray, double most) {
    Transform inside = transform_inverse(to_world);
    Ray own = {transform_point(&inside, ray->from), transform_vector(&inside, ray->way)};
    for (uint32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        double along = meet_triangle(&own, corner(mesh, mesh->indices[i]), corner(mesh, mesh->indices[i + 1]),
                                     corner(mesh, mesh->indices[i + 2]));
        if (along < most) most = along;
    }
    return most;
}

const WorldThing *hand_find(const WorldScene *scene, const Ray *ray, double most, double *distance) {
    const WorldThing *found = NULL;
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        const WorldMesh *mesh = &scene->meshes[group->mesh];
        Vec middle;
        double radius = measure(mesh, &middle);
        for (uint32_t k = 0; k < group->count && !mesh->water; k++) {
            Transform to_world = transform_of(group->transforms + 12 * (size_t)k);
            if (!meets_ball(ray, transform_point(&to_world, middle), radius * transform_scale(&to_world)))
                continue;
            double along = meet_copy(mesh, &to_world, ray, most);
            if (!(along < most)) continue;
            most = along;
            found = scene->things[scene->instance_things[g][k]];
        }
    }
    *distance = most;
    return found;
}

/* Along the ray, in steps that shorten near the ground, then by halves. */
bool hand_reach(const Walk *walk, double level, const Ray *ray, double *distance) {
    double before = 0, gap;
    for (double d = 0; d < sight; d += fmax(0.25, fabs(gap) / 4)) {
        Vec p = vec_add(ray->from, vec_scale(ray->way, d));
        double ground = level;
        if (walk->land.height && !walk_find_ground(walk, p, &ground)) ground = -INFINITY;
        gap = isfinite(ground) ? p.y - ground : 40;
        if (gap > 0) {
            before = d;
            continue;
        }
        for (int i = 0; i < 40; i++) {
            double middle = (before + d) / 2;
            Vec q = vec_add(ray->from, vec_scale(ray->way, middle));
            if (walk->land.height) walk_find_ground(walk, q, &ground);
            if (q.y > ground)
                before = middle;
            else
                d = middle;
        }
        *distance = d;
        return true;
    }
    return false;
}

/* -- taking, carrying, setting down -- */

static void say(Hand *hand, const char *words) {
    snprintf(hand->words, sizeof hand->words, "%s", words ? words : "");
}

void hand_begin(Hand *hand, const ViewLoop *loop, const Walk *walk) {
    *hand = (Hand){.loop = loop, .walk = walk, .scene = loop ? loop->scene : NULL};
}

void hand_set_scene(Hand *hand, const WorldScene *scene) {
    hand->scene = scene;
    hand->drags = false;
}

bool hand_is_blind(const Hand *hand) {
    return hand->loop->edits && hand->scene == NULL;
}

bool hand_take(Hand *hand, const Ray *ray) {
    double most = sight, distance;
    hand->holds = hand->drags = false;
    say(hand, "");
    if (!hand->scene || !hand->loop->edits) return false;
    if (hand_reach(hand->walk, -INFINITY, ray, &distance)) most = distance + 0.5; /* behind a hill it is not seen */
    const WorldThing *thing = hand_find(hand->scene, ray, most, &distance);
    if (!thing || !thing->id[0]) return false;
    hand->holds = true;
    hand->at = vec_add(ray->from, vec_scale(ray->way, distance));
    say(hand, hand->loop->edits->pick(hand->loop->user, thing));
    return true;
}

void hand_carry(Hand *hand, const Ray *ray) {
    double distance;
    if (!hand->holds || !hand_reach(hand->walk, hand->at.y, ray, &distance)) return;
    hand->drags = true;
    hand->to = vec_add(ray->from, vec_scale(ray->way, distance));
    snprintf(hand->words, sizeof hand->words, "TO (%.2f, %.2f)", hand->to.x, hand->to.z);
}

/* The scene is another's now: it is looked at no more. */
static void edited(Hand *hand, const char *words) {
    say(hand, words);
    hand->scene = NULL;
    hand->drags = false;
}

void hand_drop(Hand *hand) {
    if (!hand->drags) return;
    const double to[3] = {hand->to.x, hand->to.y, hand->to.z};
    edited(hand, hand->loop->edits->move(hand->loop->user, to));
}

void hand_remove(Hand *hand) {
    if (!hand->holds) return;
    hand->holds = false;
    edited(hand, hand->loop->edits->remove(hand->loop->user));
}

void hand_undo(Hand *hand) {
    if (!hand->loop->edits) return;
    hand->holds = false;
    edited(hand, hand->loop->edits->undo(hand->loop->user));
}
