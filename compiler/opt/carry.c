/* Needs: verified IR. Gives: no use of a carried value that is, in every round, what it was at first: the columns of a
 * grid whose items a loop sets, say. Several that trade places are so too when all begin the same. May change: operands
 * and yields only; dce drops what is then idle.
 */
#include "compiler/opt/pass.h"

typedef struct Carry {
    OptMap map;
    bool found;
} Carry;

static IrValue now(const Carry *carry, IrValue value) {
    for (IrValue next; (next = opt_map_get(&carry->map, value)) != value;)
        value = next;
    return value;
}

enum { CARRY_MOST = 64 }; /* values of a loop that are looked at */

typedef struct Carried {
    const IrIns *loop;
    IrValue first[CARRY_MOST];
    bool same[CARRY_MOST];
    int count;
} Carried;

/* Whether a round hands on what value i began with, given that those that are still thought the same are. */
static bool hands_on(const Carry *carry, const Carried *c, int i) {
    const IrRegion *body = &c->loop->regions[0];
    IrValue next = now(carry, body->yields.items[i]);
    if (next == c->first[i]) return true;
    for (int k = 0; k < c->count; k++)
        if (c->same[k] && c->first[k] == c->first[i] && next == body->params.items[k + 1]) return true;
    return false;
}

static bool refute(const Carry *carry, Carried *c) {
    bool changed = false;
    for (int i = 0; i < c->count; i++) {
        if (!c->same[i] || hands_on(carry, c, i)) continue;
        c->same[i] = false;
        changed = true;
    }
    return changed;
}

static void carry_loop(Carry *carry, const IrIns *loop) {
    Carried c = {.loop = loop, .count = loop->result_count < CARRY_MOST ? loop->result_count : CARRY_MOST};
    for (int i = 0; i < c.count; i++) {
        c.first[i] = now(carry, loop->args[i + 2]);
        c.same[i] = true;
    }
    while (refute(carry, &c))
        ;
    for (int i = 0; i < c.count; i++) {
        if (!c.same[i]) continue;
        carry->map.to[loop->regions[0].params.items[i + 1]] = c.first[i];
        carry->map.to[loop->results[i]] = c.first[i];
        carry->found = true;
    }
}

/* Inner loops first: what they hand on is what the outer one does. */
static void carry_region(Carry *carry, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->region_count; k++)
            carry_region(carry, &ins->regions[k]);
        if (ins->op == IR_FOR) carry_loop(carry, ins);
    }
}

static void replace(const Carry *carry, IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        values[i] = now(carry, values[i]);
}

static void replace_region(const Carry *carry, IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        replace(carry, ins->args, ins->arg_count);
        for (int k = 0; k < ins->region_count; k++)
            replace_region(carry, &ins->regions[k]);
    }
    replace(carry, region->yields.items, region->yields.count);
}

void opt_carry(Opt *opt, IrFunc *func) {
    Carry carry = {0};
    opt_map_init(&carry.map, opt, func);
    carry_region(&carry, &func->body);
    if (carry.found) replace_region(&carry, &func->body);
}
