/* See short.h. One walk in the order of the text: what a list is made from stands before it, so its length is known when it is met. */
#include "compiler/opt/short.h"

/* -- webs -- */

static int find(const Shorts *s, int value) {
    while (s->web[value] != value)
        value = s->web[value] = s->web[s->web[value]];
    return value;
}

ShortWeb *shorts_web(const Shorts *s, IrValue list) {
    if (list >= s->count || s->web[list] == SHORT_NONE) return NULL;
    return s->webs[find(s, list)];
}

bool shorts_good(const Shorts *s, IrValue list) {
    const ShortWeb *web = shorts_web(s, list);
    return web && !web->leaves && !web->grows;
}

static void leave(const Shorts *s, IrValue value) {
    ShortWeb *web = shorts_web(s, value);
    if (web) web->leaves = true;
}

static void leave_all(const Shorts *s, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        leave(s, values[i]);
}

/* Slots of an item hold values of one type: others would read their bits. */
static void note_type(ShortWeb *web, int64_t slot, IrType type) {
    if (slot < 0 || slot >= web->width || (web->typed[slot] && web->types[slot] != type)) {
        web->leaves = true;
        return;
    }
    web->typed[slot] = true;
    web->types[slot] = type;
}

static void note_types(const Shorts *s, ShortWeb *web, int64_t first, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        note_type(web, first + i, s->func->types.items[values[i]]);
}

static void merge(ShortWeb *into, const ShortWeb *web) {
    into->leaves |= web->leaves || into->width != web->width;
    into->grows |= web->grows;
    for (int slot = 0; slot < web->width && !into->leaves; slot++)
        if (web->typed[slot]) note_type(into, slot, web->types[slot]);
}

static void begin(Shorts *s, IrValue list, int64_t width, int64_t length) {
    if (width < 1 || width > SHORT_WIDTH || length < 0 || length > SHORT_ITEMS) return;
    s->web[list] = list;
    s->length[list] = (int)length;
    s->webs[list] = ARENA_NEW(s->opt->scratch, ShortWeb);
    *s->webs[list] = (ShortWeb){.width = (int)width};
}

static void join(Shorts *s, IrValue a, IrValue b) {
    int one = find(s, a), other = find(s, b);
    if (one == other) return;
    merge(s->webs[one], s->webs[other]);
    s->web[other] = one;
}

/* `to` is another list of the web that `from` belongs to. */
static void go_on(Shorts *s, IrValue to, IrValue from, int64_t length) {
    ShortWeb *web = shorts_web(s, from);
    s->web[to] = find(s, from);
    s->length[to] = (int)length;
    web->leaves |= length > SHORT_ITEMS || length * web->width > SHORT_SLOTS;
}

/* -- numbers -- */

bool shorts_number(const Shorts *s, IrValue value, int64_t *number) {
    const IrIns *made = value < s->count ? s->made[value] : NULL;
    if (made && made->op == IR_CONST_I)
        *number = made->imm.i;
    else if (s->walked && made && made->op == IR_LIST_LENGTH && shorts_good(s, made->args[0]))
        *number = s->length[made->args[0]];
    else
        return false;
    return true;
}

bool shorts_counter(const Shorts *s, IrValue value, int64_t *least, int64_t *most) {
    const IrIns *loop = value < s->count ? s->counters[value] : NULL;
    int64_t end;
    if (!loop || !shorts_number(s, loop->args[0], least) || !shorts_number(s, loop->args[1], &end)) return false;
    *most = end - 1;
    return true;
}

/* -- the walk -- */

/* A known place must be inside: a fault wants its list as an object. Any other is chosen among few. Of what grows the length is
 * not known yet. */
static void index_list(const Shorts *s, const IrIns *ins, int slots) {
    IrValue list = ins->args[0];
    int64_t at;
    if (shorts_web(s, list)->grows) return;
    if (shorts_number(s, ins->args[1], &at)) {
        if (at < 0 || at >= s->length[list]) leave(s, list);
    } else if (s->length[list] == 0 || s->length[list] * slots > SHORT_CHOICE) {
        leave(s, list);
    }
}

/* Of several ways: all lists of one length, or none of them is short. */
static void meet(Shorts *s, IrValue result, IrValue a, IrValue b) {
    if (!shorts_web(s, a) || !shorts_web(s, b) || s->length[a] != s->length[b]) {
        leave(s, a);
        leave(s, b);
        return;
    }
    join(s, a, b);
    go_on(s, result, a, s->length[a]);
}

static void walk(Shorts *s, const IrRegion *region);

static void walk_if(Shorts *s, const IrIns *ins) {
    walk(s, &ins->regions[0]);
    walk(s, &ins->regions[1]);
    for (int i = 0; i < ins->result_count; i++)
        meet(s, ins->results[i], ins->regions[0].yields.items[i], ins->regions[1].yields.items[i]);
}

static void walk_for(Shorts *s, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    s->counters[body->params.items[0]] = ins;
    for (int i = 0; i < ins->result_count; i++)
        if (shorts_web(s, ins->args[i + 2])) go_on(s, body->params.items[i + 1], ins->args[i + 2], s->length[ins->args[i + 2]]);
    walk(s, body);
    for (int i = 0; i < ins->result_count; i++) {
        IrValue param = body->params.items[i + 1], next = body->yields.items[i];
        if (!shorts_web(s, param) || !shorts_web(s, next)) {
            leave(s, param);
            leave(s, next);
            continue;
        }
        join(s, param, next);
        if (s->length[param] != s->length[next]) shorts_web(s, param)->grows = true;
        go_on(s, ins->results[i], param, s->length[param]);
    }
}

static void walk_changed(Shorts *s, const IrIns *ins) {
    IrValue list = ins->args[0];
    bool longer = ins->op == IR_LIST_APPEND;
    int first = longer ? 1 : 2;
    ShortWeb *web = shorts_web(s, list);
    leave_all(s, ins->args + first, ins->arg_count - first);
    if (!web) return;
    if (!longer) index_list(s, ins, ins->arg_count - first);
    if (ins->imm2 != web->width) web->leaves = true;
    note_types(s, web, longer ? 0 : ins->imm.i, ins->args + first, ins->arg_count - first);
    go_on(s, ins->results[0], list, s->length[list] + longer);
}

static void walk_filled(Shorts *s, const IrIns *ins) {
    int64_t length;
    leave_all(s, ins->args + 1, ins->arg_count - 1);
    if (!shorts_number(s, ins->args[0], &length)) return;
    begin(s, ins->results[0], ins->imm2, length);
    ShortWeb *web = shorts_web(s, ins->results[0]);
    if (web) note_types(s, web, 0, ins->args + 1, ins->arg_count - 1);
}

static void walk_got(const Shorts *s, const IrIns *ins) {
    ShortWeb *web = shorts_web(s, ins->args[0]);
    if (!web) return;
    index_list(s, ins, ins->result_count);
    if (ins->imm2 != web->width) web->leaves = true;
    note_types(s, web, ins->imm.i, ins->results, ins->result_count);
}

static void walk_ins(Shorts *s, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        s->made[ins->results[i]] = ins;
    if (ins->op == IR_LIST_NEW)
        begin(s, ins->results[0], ins->imm2, 0);
    else if (ins->op == IR_LIST_FILL)
        walk_filled(s, ins);
    else if (ins->op == IR_LIST_APPEND || ins->op == IR_LIST_SET)
        walk_changed(s, ins);
    else if (ins->op == IR_LIST_GET)
        walk_got(s, ins);
    else if (ins->op == IR_SELECT)
        meet(s, ins->results[0], ins->args[1], ins->args[2]);
    else if (ins->op == IR_IF)
        walk_if(s, ins);
    else if (ins->op == IR_FOR)
        walk_for(s, ins);
    else if (ins->op != IR_LIST_LENGTH)
        leave_all(s, ins->args, ins->arg_count);
}

static void walk(Shorts *s, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++)
        walk_ins(s, region->body.items[i]);
}

static bool makes_none(const IrIns *ins, void *user) {
    (void)user;
    return ins->op != IR_LIST_NEW && ins->op != IR_LIST_FILL;
}

bool shorts_find(Shorts *s, Opt *opt, IrFunc *func) {
    if (ir_each_ins(&func->body, makes_none, NULL)) return false;
    int count = func->types.count;
    *s = (Shorts){.opt = opt, .func = func, .count = count};
    s->web = ARENA_ARRAY(opt->scratch, int, count);
    s->length = ARENA_ARRAY(opt->scratch, int, count);
    s->webs = ARENA_ARRAY(opt->scratch, ShortWeb *, count);
    s->made = ARENA_ARRAY(opt->scratch, const IrIns *, count);
    s->counters = ARENA_ARRAY(opt->scratch, const IrIns *, count);
    for (int i = 0; i < count; i++)
        s->web[i] = SHORT_NONE;
    walk(s, &func->body);
    s->walked = true;
    leave_all(s, func->body.yields.items, func->body.yields.count);
    return true;
}
