#include "runtime/walker/walker.h"

#include <math.h>

typedef struct Step {
    double dx, dz;
} Step;

static double height_at(const Walker *walker, double x, double z) {
    return walker->land->height(walker->land->user, x, z);
}

static void stand(Walker *walker, double x, double z) {
    walker->at = (Vec3){x, height_at(walker, x, z), z};
}

Walker walker_create(const WalkerLand *land, double x, double z) {
    Walker walker = {.land = land};
    stand(&walker, x, z);
    return walker;
}

/* -- sea -- */

static bool wadeable(const Walker *walker, Step step) {
    double lowest = -walker->land->wade;
    if (walker->at.y < lowest) lowest = walker->at.y;
    return height_at(walker, walker->at.x + step.dx, walker->at.z + step.dz) >= lowest;
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

WalkerOutcome walker_step(Walker *walker, double dx, double dz) {
    if (!isfinite(dx) || !isfinite(dz) || (dx == 0 && dz == 0)) return WALKER_STAYED;
    double x = walker->at.x + dx, z = walker->at.z + dz;
    switch (walker->land->edge) {
    case WALKER_SEA:
        return step_by_sea(walker, (Step){dx, dz});
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
