/* Needs: verified IR. Gives: the rounds of loops over short lists (short.h) as lines, so that each knows its place in the list, and a
 * list that a loop makes item by item has a length. May change: such a `for` into lines of its region.
 *
 * A loop that may stop becomes rounds in each other, each under the `if` of the one before. The steps that its rounds took are
 * not taken any more: they bound loops, and this is none.
 */
#include "compiler/opt/short.h"

enum { MOST_ROUNDS = SHORT_ITEMS, MOST_LINES = 200 };

typedef struct Unroll {
    const Shorts *shorts;
    OptMap map; /* results of the loops that went */
    bool found;
} Unroll;

/* -- which loops -- */

typedef struct Walked {
    const Shorts *shorts;
    IrValue counter;
} Walked;

/* Whether no short list is asked for the item of the round. */
static bool asks_no_item(const IrIns *ins, void *user) {
    const Walked *w = user;
    if ((ins->op != IR_LIST_GET && ins->op != IR_LIST_SET) || ins->args[1] != w->counter) return true;
    const ShortWeb *web = shorts_web(w->shorts, ins->args[0]);
    return !web || web->leaves;
}

static bool makes_longer(const Shorts *s, const IrIns *loop, int64_t rounds) {
    for (int i = 0; i < loop->result_count; i++) {
        const ShortWeb *web = shorts_web(s, loop->regions[0].params.items[i + 1]);
        if (!web || web->leaves || !web->grows) continue;
        int first = s->length[loop->args[i + 2]], next = s->length[loop->regions[0].yields.items[i]];
        int64_t last = first + rounds * (next - first);
        if (last <= SHORT_ITEMS && last * web->width <= SHORT_SLOTS) return true;
    }
    return false;
}

static bool should_unroll(const Shorts *s, const IrIns *loop, int64_t *from, int64_t *rounds) {
    const IrRegion *body = &loop->regions[0];
    int64_t end;
    if (!shorts_number(s, loop->args[0], from) || !shorts_number(s, loop->args[1], &end)) return false;
    if (end <= *from || end > *from + MOST_ROUNDS || (end - *from) * ir_size(body) > MOST_LINES) return false;
    if (s->opt->module->emitted + MOST_LINES > IR_MOST) return false;
    *rounds = end - *from;
    Walked walked = {s, body->params.items[0]};
    return makes_longer(s, loop, *rounds) || !ir_each_ins(body, asks_no_item, &walked);
}

/* -- lines instead -- */

typedef struct Rounds {
    OptCopy copy;
    const IrIns *loop;
    int64_t end;
} Rounds;

static IrValue number(const Rounds *r, int64_t value, OptBody *out) {
    IrIns *ins = ir_ins_create(r->copy.opt->arena, IR_CONST_I, 1, 0);
    ins->span = r->loop->span;
    ins->imm.i = value;
    ins->results[0] = ir_value_new(r->copy.opt->module, r->copy.func, IR_I);
    VEC_PUSH(r->copy.opt->arena, out, ins);
    return ins->results[0];
}

static void write_rounds(Rounds *r, int64_t at, IrValue *carried, OptBody *out);

static void hand_on(const Rounds *r, IrRegion *region, const IrValue *values) {
    for (int i = 0; i < r->loop->result_count; i++)
        VEC_PUSH(r->copy.opt->arena, &region->yields, values[i]);
}

/* if go { the rest } else { what is carried } */
static void write_rest(Rounds *r, int64_t at, IrValue go, IrValue *carried, OptBody *out) {
    Opt *opt = r->copy.opt;
    int count = r->loop->result_count;
    IrIns *rest = ir_ins_create(opt->arena, IR_IF, count, 1);
    OptBody body = {0};
    rest->span = r->loop->span;
    rest->args[0] = go;
    hand_on(r, &rest->regions[1], carried);
    write_rounds(r, at, carried, &body);
    opt_set_body(&rest->regions[0], body);
    hand_on(r, &rest->regions[0], carried);
    for (int i = 0; i < count; i++)
        carried[i] = rest->results[i] = ir_value_new(opt->module, r->copy.func, r->copy.func->types.items[r->loop->results[i]]);
    VEC_PUSH(opt->arena, out, rest);
}

/* The rounds from `at` on; `carried` becomes what the last one hands on. */
static void write_rounds(Rounds *r, int64_t at, IrValue *carried, OptBody *out) {
    const IrRegion *body = &r->loop->regions[0];
    Opt *opt = r->copy.opt;
    int count = r->loop->result_count;
    opt_map_set(&r->copy.map, opt, body->params.items[0], number(r, at, out));
    for (int i = 0; i < count; i++)
        opt_map_set(&r->copy.map, opt, body->params.items[i + 1], carried[i]);
    opt_copy_body(&r->copy, body, out);
    for (int i = 0; i < count; i++)
        carried[i] = opt_map_get(&r->copy.map, body->yields.items[i]);
    if (at + 1 == r->end) return;
    if (ir_for_stops(r->loop))
        write_rest(r, at + 1, opt_map_get(&r->copy.map, body->yields.items[count]), carried, out);
    else
        write_rounds(r, at + 1, carried, out);
}

static void write_loop(Unroll *u, const IrIns *loop, int64_t from, int64_t rounds, OptBody *out) {
    const Shorts *s = u->shorts;
    Rounds r = {.copy = {.opt = s->opt, .func = s->func, .from = s->func}, .loop = loop, .end = from + rounds};
    IrValue *carried = ARENA_ARRAY(s->opt->scratch, IrValue, loop->result_count);
    opt_map_init(&r.copy.map, s->opt, s->func);
    opt_map_values(&u->map, r.copy.map.to, r.copy.map.count);
    memcpy(carried, loop->args + 2, sizeof *carried * (size_t)loop->result_count);
    write_rounds(&r, from, carried, out);
    for (int i = 0; i < loop->result_count; i++)
        opt_map_set(&u->map, s->opt, loop->results[i], carried[i]);
    u->found = true;
}

static void unroll_region(Unroll *u, IrRegion *region) {
    OptBody out = {0};
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        int64_t from, rounds;
        bool unrolled = ins->op == IR_FOR && should_unroll(u->shorts, ins, &from, &rounds);
        opt_map_values(&u->map, ins->args, ins->arg_count);
        if (unrolled) {
            write_loop(u, ins, from, rounds, &out);
            continue;
        }
        for (int k = 0; k < ins->region_count; k++)
            unroll_region(u, &ins->regions[k]);
        VEC_PUSH(u->shorts->opt->arena, &out, ins);
    }
    opt_set_body(region, out);
    opt_map_values(&u->map, region->yields.items, region->yields.count);
}

/* One loop may stand in another, or walk what another makes. */
enum { UNROLL_TIMES = 3 };

void opt_unroll(Opt *opt, IrFunc *func) {
    for (int i = 0; i < UNROLL_TIMES; i++) {
        Shorts shorts;
        if (!shorts_find(&shorts, opt, func)) return;
        Unroll unroll = {.shorts = &shorts};
        opt_map_init(&unroll.map, opt, func);
        unroll_region(&unroll, &func->body);
        if (!unroll.found) return;
    }
}
