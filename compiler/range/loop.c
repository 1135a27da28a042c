/* Loops. One with known ends and few rounds is walked round by round, so fbm's octaves add up to
 * their exact sum. Of any other, the carried values are joined over rounds until they hold still;
 * what still moves after two rounds is widened, after eight given up. Nothing that was known possible is forgotten on
 * the way, a NaN that the program makes neither: else the rounds would never hold still. Where runs with faults count, any
 * loop may end after any round.
 */
#include "compiler/range/walk.h"

enum { MAX_UNROLLED = 2, WIDEN_AFTER = 2, GIVE_UP_AFTER = 8 };

typedef struct Loop {
    const IrIns *ins;
    const IrRegion *body;
    Range from, to; /* of the counter: `to` is past the last */
    int count;      /* carried values */
    Range *carried;
} Loop;

static IrType carried_type(const Walk *walk, const Loop *loop, int i) {
    return walk_type(walk, loop->ins->results[i]);
}

static void walk_round(Walk *walk, const Loop *loop, Range counter) {
    walk_set(walk, loop->body->params.items[0], counter);
    for (int i = 0; i < loop->count; i++)
        walk_set(walk, loop->body->params.items[i + 1], loop->carried[i]);
    int mark = walk->trail.count;
    walk_region(walk, loop->body);
    walk_undo(walk, mark); /* what a fault ruled out in the body holds only where the body ran */
}

static Range yielded(const Walk *walk, const Loop *loop, int i) {
    return walk->env[loop->body->yields.items[i]];
}

/* What is carried out of a round after which the loop may end, more than `ended`, which is that of the rounds before. */
static void leave_round(const Walk *walk, const Loop *loop, bool varies, Range *ended) {
    for (int k = 0; k < loop->count; k++) {
        ended[k] = range_join(carried_type(walk, loop, k), ended[k], loop->carried[k]);
        ended[k].varies |= varies;
    }
}

static void walk_rounds(Walk *walk, Loop *loop) {
    Range *ended = ARENA_ARRAY(walk->ranges->input.scratch, Range, loop->count), goes_on = range_int(1);
    for (int k = 0; k < loop->count; k++)
        ended[k] = range_empty(carried_type(walk, loop, k));
    walk->ranges->unrolled++;
    for (int64_t i = loop->from.least; i < loop->to.least && goes_on.most; i++) {
        Range counter = range_int(i);
        counter.varies = true;
        walk_round(walk, loop, counter);
        for (int k = 0; k < loop->count; k++)
            loop->carried[k] = yielded(walk, loop, k);
        if (ir_for_stops(loop->ins)) goes_on = yielded(walk, loop, loop->count);
        bool last = i == loop->to.least - 1;
        if (goes_on.least == 0 || last) leave_round(walk, loop, !last && goes_on.varies, ended);
    }
    walk->ranges->unrolled--;
    for (int k = 0; k < loop->count; k++)
        loop->carried[k] = ended[k];
}

/* One more value of the row; true when it covers nothing new. */
static bool absorb(Walk *walk, Loop *loop, int i, int round) {
    IrType type = carried_type(walk, loop, i);
    Range before = loop->carried[i], next = range_join(type, before, yielded(walk, loop, i));
    if (range_equal(type, before, next)) return true;
    if (round >= WIDEN_AFTER) next = range_widen(type, before, next);
    if (round >= GIVE_UP_AFTER) next = range_join(type, range_full(type), next);
    loop->carried[i] = next;
    return false;
}

/* When the steps are used up, one more round must do, whatever it yields. */
static void give_up(Walk *walk, Loop *loop) {
    for (int i = 0; i < loop->count; i++) {
        IrType type = carried_type(walk, loop, i);
        loop->carried[i] = range_join(type, range_full(type), loop->carried[i]);
    }
}

static void walk_until_still(Walk *walk, Loop *loop) {
    Range counter = {.least = loop->from.least, .most = loop->to.most - 1, .varies = true};
    bool still = false;
    for (int round = 0; !still; round++) {
        if (ranges_spent(walk->ranges)) give_up(walk, loop);
        walk_round(walk, loop, counter);
        still = true;
        for (int i = 0; i < loop->count; i++)
            still &= absorb(walk, loop, i, round);
    }
}

/* The answers: what the last round yields, and what came in when there may be no round. */
static void answer(Walk *walk, const Loop *loop) {
    bool surely = loop->from.most < loop->to.least && !walk->ranges->input.alone;
    bool varies = loop->from.varies || loop->to.varies;
    if (ir_for_stops(loop->ins)) varies |= yielded(walk, loop, loop->count).varies;
    for (int i = 0; i < loop->count; i++) {
        Range out = yielded(walk, loop, i);
        if (!surely)
            out = range_join(carried_type(walk, loop, i), out, walk->env[loop->ins->args[i + 2]]);
        out.varies |= varies;
        walk_set(walk, loop->ins->results[i], out);
    }
}

static void take_carried(Walk *walk, const Loop *loop) {
    for (int i = 0; i < loop->count; i++)
        walk_set(walk, loop->ins->results[i], loop->carried[i]);
}

void walk_for(Walk *walk, const IrIns *ins) {
    Loop loop = {.ins = ins,
                 .body = &ins->regions[0],
                 .count = ins->result_count,
                 .from = walk->env[ins->args[0]],
                 .to = walk->env[ins->args[1]]};
    loop.carried = ARENA_ARRAY(walk->ranges->input.scratch, Range, loop.count);
    for (int i = 0; i < loop.count; i++)
        loop.carried[i] = walk->env[ins->args[i + 2]];

    bool known = !walk->ranges->input.alone && range_is_point(IR_I, loop.from) && range_is_point(IR_I, loop.to) &&
                 walk->ranges->unrolled < MAX_UNROLLED && !ranges_spent(walk->ranges);
    if (range_is_empty(IR_I, loop.from) || range_is_empty(IR_I, loop.to) ||
        loop.to.most <= loop.from.least) {
        take_carried(walk, &loop); /* no round */
    } else if (known && loop.to.least <= loop.from.least + walk->ranges->input.rounds) {
        walk_rounds(walk, &loop);
        take_carried(walk, &loop);
    } else {
        walk_until_still(walk, &loop);
        answer(walk, &loop);
    }
}
