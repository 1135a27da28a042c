#include "runtime/walker/walker.h"

#include <math.h>

typedef struct Step {
    double dx, dz;
} Step;

static double height_at(const Walker *walker, double x, double z) {
    return walker->land->height(walker->land->user, x, z);
}

static const double touch = 1e-9; /* meters: as near as that is not in */
static const double slack = 1e-3; /* meters: as much more than a step is one; heights have 24 bits */

/* The highest of an obstacle under a foot: its middle, and four places half as far out as the walker is thick, so that it does not fall between planks. */
static double top_under(const WalkerLand *land, const Obstacle *obstacle, double x, double z, double most) {
    double out = land->radius / 2, places[5][2] = {{x, z}, {x - out, z}, {x + out, z}, {x, z - out}, {x, z + out}}, best = -INFINITY, top;
    for (int i = 0; i < 5; i++)
        if (obstacle_top(obstacle, places[i][0], places[i][1], most, &top)) best = fmax(best, top);
    return best;
}

/* What is stood on at a place by who comes from a height. */
static double floor_at(const Walker *walker, double x, double z, double from) {
    const WalkerLand *land = walker->land;
    double ground = height_at(walker, x, z), most = fmax(from, ground), best = ground;
    for (size_t i = 0; i < land->obstacle_count; i++)
        best = fmax(best, top_under(land, &land->obstacles[i], x, z, most));
    return best;
}

static double step_to(const Walker *walker, double x, double z) {
    return floor_at(walker, x, z, walker->at.y + walker->land->step + slack);
}

static void stand(Walker *walker, double x, double z) {
    walker->at = (Vec3){x, step_to(walker, x, z), z};
}

Walker walker_create(const WalkerLand *land, double x, double z) {
    Walker walker = {.land = land};
    walker.at = (Vec3){x, height_at(&walker, x, z), z};
    stand(&walker, x, z);
    return walker;
}

Walker walker_create_from(const WalkerLand *land, double x, double y, double z) {
    Walker walker = {.land = land};
    walker.at = (Vec3){x, floor_at(&walker, x, z, y), z};
    return walker;
}

/* -- obstacles -- */

typedef struct Contact {
    const Obstacle *obstacle; /* NULL: none */
    uint32_t piece;
    ObstacleGap gap;
} Contact;

static ObstacleGap gap_at(const Walker *walker, const Obstacle *obstacle, uint32_t piece, double x, double z, double foot) {
    const WalkerLand *land = walker->land;
    return obstacle_gap(obstacle, piece, x, z, foot + land->step + slack, foot + land->tall, 2 * land->radius);
}

/* What the walker would be deepest in at a place, if it is not as deep in it where it is. */
static Contact find_contact(const Walker *walker, double x, double z) {
    const WalkerLand *land = walker->land;
    double foot = step_to(walker, x, z);
    Contact worst = {.gap = {land->radius - touch, 1, 0}};
    for (size_t i = 0; i < land->obstacle_count; i++)
        for (uint32_t k = 0; k < obstacle_pieces(&land->obstacles[i]); k++) {
            ObstacleGap gap = gap_at(walker, &land->obstacles[i], k, x, z, foot);
            if (gap.distance >= worst.gap.distance) continue;
            if (gap.distance >= gap_at(walker, &land->obstacles[i], k, walker->at.x, walker->at.z, foot).distance - touch) continue;
            worst = (Contact){&land->obstacles[i], k, gap};
        }
    return worst;
}

/* The wish without what leads on into the obstacle, from where the walker would touch it. */
static Step turned_along(const Walker *walker, const Contact *contact, Step wish) {
    double foot = step_to(walker, walker->at.x + wish.dx, walker->at.z + wish.dz);
    ObstacleGap gap = gap_at(walker, contact->obstacle, contact->piece, walker->at.x, walker->at.z, foot);
    if (gap.distance > 2 * walker->land->radius) gap = contact->gap; /* it is far from here, or not at this height */
    double inward = -(wish.dx * gap.away_x + wish.dz * gap.away_z), room = fmax(0, fmin(gap.distance, 2 * walker->land->radius) - walker->land->radius);
    double back = fmax(0, inward - room);
    return (Step){wish.dx + back * gap.away_x, wish.dz + back * gap.away_z};
}

/* What is left of a wish among obstacles: nothing, when after a few turns it still leads into one. */
static Step hindered(const Walker *walker, Step wish) {
    enum { TURNS = 4 };
    for (int i = 0; i <= TURNS; i++) {
        Contact contact = find_contact(walker, walker->at.x + wish.dx, walker->at.z + wish.dz);
        if (contact.obstacle == NULL) return wish;
        wish = turned_along(walker, &contact, wish);
    }
    return (Step){0, 0};
}

/* -- sea -- */

static bool wadeable(const Walker *walker, Step step) {
    double lowest = -walker->land->wade;
    if (walker->at.y < lowest) lowest = walker->at.y;
    return step_to(walker, walker->at.x + step.dx, walker->at.z + step.dz) >= lowest;
}

static Step without_seaward(const Walker *walker, Step step) {
    const WalkerLand *land = walker->land;
    Vec3 up = land->gradient(land->user, walker->at.x + step.dx, walker->at.z + step.dz);
    double square = up.x * up.x + up.z * up.z;
    double inland = step.dx * up.x + step.dz * up.z; /* times the slope's size */
    if (!(square > 0) || inland >= 0) return step;
    return (Step){step.dx - up.x * (inland / square), step.dz - up.z * (inland / square)};
}

static WalkerOutcome step_by_sea(Walker *walker, Step wish) {
    Step slid = without_seaward(walker, wish);
    const Step tries[] = {wish, slid, {slid.dx, 0}, {0, slid.dz}};
    for (int i = 0; i < 4; i++) {
        if (tries[i].dx == 0 && tries[i].dz == 0) continue;
        if (!wadeable(walker, tries[i])) continue;
        stand(walker, walker->at.x + tries[i].dx, walker->at.z + tries[i].dz);
        return i == 0 ? WALKER_MOVED : WALKER_SLID;
    }
    return WALKER_STAYED;
}

/* -- the borders -- */

static double clamp_to(double v, double lo, double hi) {
    return v < lo ? lo : v > hi ? hi : v;
}

static WalkerOutcome step_by_wall(Walker *walker, double x, double z) {
    const WalkerLand *land = walker->land;
    double in_x = clamp_to(x, land->x0, land->x1), in_z = clamp_to(z, land->z0, land->z1);
    bool moved = in_x != walker->at.x || in_z != walker->at.z;
    stand(walker, in_x, in_z);
    if (in_x == x && in_z == z) return WALKER_MOVED;
    return moved ? WALKER_SLID : WALKER_STAYED;
}

/* The far side's border is the near side's, so a place lies in [lo, hi). */
static double wrap_to(double v, double lo, double hi) {
    double size = hi - lo, wrapped = v - size * floor((v - lo) / size);
    return wrapped < hi ? wrapped : lo;
}

static WalkerOutcome step_by_wrap(Walker *walker, double x, double z) {
    const WalkerLand *land = walker->land;
    double in_x = wrap_to(x, land->x0, land->x1), in_z = wrap_to(z, land->z0, land->z1);
    stand(walker, in_x, in_z);
    return in_x == x && in_z == z ? WALKER_MOVED : WALKER_CROSSED;
}

static WalkerOutcome step_by_fall(Walker *walker, double x, double z) {
    const WalkerLand *land = walker->land;
    bool inside = x >= land->x0 && x <= land->x1 && z >= land->z0 && z <= land->z1;
    if (inside)
        stand(walker, x, z);
    else
        walker->at = land->fall_to;
    return inside ? WALKER_MOVED : WALKER_FELL;
}

static WalkerOutcome step_by_edge(Walker *walker, Step step) {
    double x = walker->at.x + step.dx, z = walker->at.z + step.dz;
    switch (walker->land->edge) {
    case WALKER_SEA:
        return step_by_sea(walker, step);
    case WALKER_WALL:
        return step_by_wall(walker, x, z);
    case WALKER_WRAP:
        return step_by_wrap(walker, x, z);
    case WALKER_FALL:
        return step_by_fall(walker, x, z);
    case WALKER_OPEN:
        break;
    }
    stand(walker, x, z);
    return WALKER_MOVED;
}

/* The edge may turn a step anew; one that it turns into an obstacle is not made. */
static WalkerOutcome step_among(Walker *walker, Step wish) {
    Walker before = *walker;
    Step step = hindered(walker, wish);
    if (step.dx == 0 && step.dz == 0) return WALKER_STAYED;
    WalkerOutcome outcome = step_by_edge(walker, step);
    if (outcome == WALKER_SLID && find_contact(&before, walker->at.x, walker->at.z).obstacle) {
        *walker = before;
        return WALKER_STAYED;
    }
    bool whole = step.dx == wish.dx && step.dz == wish.dz;
    return outcome == WALKER_MOVED && !whole ? WALKER_SLID : outcome;
}

WalkerOutcome walker_step(Walker *walker, double dx, double dz) {
    if (!isfinite(dx) || !isfinite(dz) || (dx == 0 && dz == 0)) return WALKER_STAYED;
    if (walker->land->obstacle_count) return step_among(walker, (Step){dx, dz});
    return step_by_edge(walker, (Step){dx, dz});
}
