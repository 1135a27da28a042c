/* What stood in a spot's way, and how little would have to give: a smaller test, or a place a
 * little farther off. */
#include <math.h>

#include "compiler/engine/why/why.h"

static const double step = 1e-3; /* advice is given to the millimeter */

typedef struct Disc {
    double x, z, radius;
} Disc;

static bool find_disc(const DiscIndex *index, int tag, Disc *disc) {
    for (int i = 0; i < index->entries.count; i++) {
        const DiscEntry *entry = &index->entries.items[i];
        if (entry->tag != tag) continue;
        *disc = (Disc){entry->x, entry->z, entry->radius};
        return true;
    }
    return false;
}

static bool disc_of_clash(const ScatterRun *run, const Clash *clash, Disc *disc) {
    if (clash->kind == CLASH_DISC) return find_disc(&run->fixed.discs, clash->index, disc);
    if (clash->kind == CLASH_CLEARANCE)
        return find_disc(&run->fixed.clearances, clash->index, disc);
    if (clash->index >= rt_list_length(run->placed)) return false;
    const Slot *thing = rt_list_item(run->placed, clash->index);
    *disc = (Disc){thing[PLACED_X].f, thing[PLACED_Z].f, thing[PLACED_ROOM].f};
    return true;
}

static Str name_of_clash(Arena *arena, const ScatterRun *run, const Clash *clash) {
    switch (clash->kind) {
    case CLASH_CIRCLE: {
        const RtText *id = rt_list_item(run->placed, clash->index)[PLACED_ID].r;
        return id->text;
    }
    case CLASH_DISC:
        return str_printf(arena, "disc %d of keepClearOf", clash->index);
    case CLASH_CLEARANCE:
        return run->fixed.names.items[clash->index];
    case CLASH_FOOTPRINT:
        return run->fixed.footprints.items[clash->index].part;
    case CLASH_NONE:
        break;
    }
    return STR_LIT("");
}

static double to_step(double value) {
    return floor(value / step + 0.5) * step;
}

static bool has_ground(const ScatterRun *run, double x, double z) {
    double near_x, near_z;
    return grounds_distance(&run->grounds, x, z, &near_x, &near_z) == 0;
}

/* Whether the place will do: what stands off the land needs no ground, and neither does where it is sent. */
static bool take_move(const ScatterRun *run, double x, double z, Trial *out) {
    bool good = has_ground(run, x, z) || !has_ground(run, out->x, out->z);
    out->move_x = good ? x : NAN;
    out->move_z = good ? z : NAN;
    return good;
}

/* Away from the disc's middle, until it is clear: straight, or where no ground is there, ever farther to the sides. */
static void move_from_disc(const ScatterRun *run, const Disc *disc, double needed, Trial *out) {
    static const double turns[][2] = {{1, 0}, {0.86602540378443865, 0.5}, {0.5, 0.86602540378443865}, {0, 1},
                                      {-0.5, 0.86602540378443865}, {-0.86602540378443865, 0.5}, {-1, 0}};
    double dx = out->x - disc->x, dz = out->z - disc->z, length = sqrt(dx * dx + dz * dz);
    double east = length > 0 ? dx / length : 1, south = length > 0 ? dz / length : 0;
    for (size_t i = 0; i < 2 * sizeof turns / sizeof *turns; i++) {
        double cos = turns[i / 2][0], sin = i % 2 ? -turns[i / 2][1] : turns[i / 2][1];
        double x = to_step(disc->x + (east * cos - south * sin) * (needed + step));
        double z = to_step(disc->z + (east * sin + south * cos) * (needed + step));
        if (take_move(run, x, z, out)) return;
    }
}

/* Out through the nearest side of the grown rectangle behind which there is ground. */
static void move_from_footprint(const ScatterRun *run, const Footprint *f, double grow, Trial *out) {
    double dx = out->x - f->x, dz = out->z - f->z;
    double lx = dx * f->cos - dz * f->sin, lz = dx * f->sin + dz * f->cos;
    double west = lx - (f->x0 - grow), east = f->x1 + grow - lx;
    double north = lz - (f->z0 - grow), south = f->z1 + grow - lz;
    double far[] = {west, east, north, south}; /* of several nearest the order of asking: east, west, south, north */
    static const int order[] = {1, 0, 3, 2};
    for (int tries = 0; tries < 4; tries++) {
        int side = order[0];
        for (int i = 1; i < 4; i++)
            if (far[order[i]] < far[side]) side = order[i];
        double sign = side % 2 ? 1 : -1, out_x = side < 2 ? lx + sign * (far[side] + step) : lx,
               out_z = side < 2 ? lz : lz + sign * (far[side] + step);
        if (take_move(run, to_step(f->x + out_x * f->cos + out_z * f->sin),
                      to_step(f->z - out_x * f->sin + out_z * f->cos), out))
            return;
        far[side] = INFINITY;
    }
}

/* The largest whole number of steps at which the circles do not overlap, by the index's own
 * test. */
static double clear_test_radius(const Disc *disc, const Trial *out) {
    double dx = disc->x - out->x, dz = disc->z - out->z, far = dx * dx + dz * dz;
    double allowed = floor((sqrt(far) - disc->radius) / step) * step;
    while (allowed >= 0 && far < (disc->radius + allowed) * (disc->radius + allowed))
        allowed -= step;
    return allowed >= 0 ? allowed : NAN;
}

static double footprint_test_radius(const Footprint *f, double margin, const Trial *out) {
    double depth, allowed = floor((out->test - out->other_distance) / step) * step;
    while (allowed >= 0 && footprint_contains(f, out->x, out->z, allowed + margin, &depth))
        allowed -= step;
    return allowed >= 0 ? allowed : NAN;
}

/* The change of `test:`, which is an edit when it is a literal. */
static void advise_test(Explain *e, const ScatterRule *rule, StrBuf *advice, Trial *out) {
    const TreeFn *fn = overlay_closure_fn(e->world, rule->test);
    const Tree *literal = fn && fn->body ? explain_literal(fn->body) : NULL;
    if (isnan(out->test_allowed)) return;
    if (literal) {
        Threshold threshold = {.tree = fn->body,
                               .type = literal->type,
                               .now = out->test,
                               .bound = out->test_allowed,
                               .op = OP_LE};
        explain_change(e, &threshold, out);
    }
    strbuf_printf(advice, "a test of at most %.3f m (it is ", out->test_allowed);
    strbuf_double(advice, out->test);
    strbuf_str(advice, STR_LIT(" m), or "));
}

/* What the thing in the way asks for, where that alone would do. */
static void advise_other(const ScatterRule *rule, const Clash *clash, StrBuf *advice,
                         const Trial *out) {
    double test = isnan(out->test) ? 0 : out->test,
           clearance = floor((clash->distance - test) / step) * step;
    double margin = floor((rule->margin - clash->distance) / step) * step; /* distance: how deep */
    if (clash->kind == CLASH_CLEARANCE && clearance >= 0)
        strbuf_printf(advice, "a clearance of %s of at most %.3f m, or ", out->other, clearance);
    if (clash->kind == CLASH_FOOTPRINT && rule->has_margin && margin >= 0)
        strbuf_printf(advice, "a margin of at most %.3f m, or ", margin);
}

static void advise(Explain *e, const ScatterRule *rule, const Clash *clash, Trial *out) {
    StrBuf advice = {.arena = e->arena};
    double dx = out->move_x - out->x, dz = out->move_z - out->z;
    advise_test(e, rule, &advice, out);
    advise_other(rule, clash, &advice, out);
    if (isnan(out->move_x))
        strbuf_str(&advice, STR_LIT("a place where the land has ground"));
    else
        strbuf_printf(&advice, "%.3f m away, at (%.3f, %.3f)", sqrt(dx * dx + dz * dz), out->move_x, out->move_z);
    out->advice = explain_text(e, strbuf_take(&advice));
}

void explain_clash(Explain *e, const ScatterRun *run, const ScatterRule *rule,
                   const ScatterTrial *trial, Trial *out) {
    const Clash *clash = &trial->clash;
    out->other_distance = clash->distance;
    out->needed = clash->needed;
    Disc disc;
    if (clash->kind == CLASH_FOOTPRINT) {
        const Footprint *footprint = &run->fixed.footprints.items[clash->index];
        move_from_footprint(run, footprint, clash->needed, out);
        if (!isnan(out->test))
            out->test_allowed = footprint_test_radius(footprint, clash->needed - out->test, out);
    } else if (disc_of_clash(run, clash, &disc)) {
        move_from_disc(run, &disc, clash->needed, out);
        out->test_allowed = clear_test_radius(&disc, out);
    } else {
        return;
    }
    out->other = explain_text(e, name_of_clash(e->arena, run, clash));
    advise(e, rule, clash, out);
}

/* The nearest place with ground, or a height that needs none. */
void explain_off_land(Explain *e, const ScatterRun *run, const ScatterTrial *trial, Trial *out) {
    out->other = explain_text(e, run->land);
    out->other_distance = trial->clash.distance;
    out->move_x = trial->land_x;
    out->move_z = trial->land_z;
    out->advice = explain_text(
        e, str_printf(e->arena, "%.3f m away, at (%.3f, %.3f), or a `height:` of its own in `place:`",
                      trial->clash.distance, trial->land_x, trial->land_z));
}
