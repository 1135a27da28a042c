/* Bodies as they are in the end: of functions that mean what they meant in a text before, with the numbers and places of this one; and of
 * those that were worked on, out of all that was made on the way. */
#include "compiler/opt/pass.h"

#include <stdlib.h>

typedef struct Numbers { /* old ones to new ones; -1: there is none */
    int *funcs, *externs, *texts;
} Numbers;

typedef struct Taking {
    IrModule *module;
    const OptBefore *before; /* NULL: what is copied is this module's own */
    Numbers to;
    bool lost; /* something of the function is not here */
} Taking;

/* -- numbers -- */

typedef struct Named {
    Str name;
    int number;
} Named;

static int compare(const void *left, const void *right) {
    const Named *a = left, *b = right;
    size_t least = a->name.len < b->name.len ? a->name.len : b->name.len;
    int order = least ? memcmp(a->name.ptr, b->name.ptr, least) : 0;
    return order ? order : (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

/* Names of the old table by the new one's numbers. Each name stands once in a table. */
static int *renumber(const Named *from, int from_count, Named *to, int to_count, Arena *arena) {
    int *numbers = ARENA_ARRAY(arena, int, from_count + 1);
    if (to_count) qsort(to, (size_t)to_count, sizeof *to, compare);
    for (int i = 0; i < from_count; i++) {
        const Named *found = to_count ? bsearch(&from[i], to, (size_t)to_count, sizeof *to, compare) : NULL;
        numbers[i] = found ? found->number : -1;
    }
    return numbers;
}

static Named *texts_of(const IrModule *module, Arena *arena) {
    Named *named = ARENA_ARRAY(arena, Named, module->texts.count + 1);
    for (int i = 0; i < module->texts.count; i++)
        named[i] = (Named){module->texts.items[i], i};
    return named;
}

static Named *externs_of(const IrModule *module, Arena *arena) {
    Named *named = ARENA_ARRAY(arena, Named, module->externs.count + 1);
    for (int i = 0; i < module->externs.count; i++)
        named[i] = (Named){module->externs.items[i].name, i};
    return named;
}

static Numbers number_all(const IrModule *module, const OptBefore *before, Arena *arena) {
    const IrModule *old = before->module;
    Numbers to = {.funcs = ir_match(before->before, before->now, arena),
                  .externs = renumber(externs_of(old, arena), old->externs.count, externs_of(module, arena), module->externs.count, arena),
                  .texts = renumber(texts_of(old, arena), old->texts.count, texts_of(module, arena), module->texts.count, arena)};
    return to;
}

static int64_t number_in(Taking *t, const IrIns *from) {
    int to = 0;
    switch ((int)ir_op_info(from->op)->imm) {
    case IR_IMM_FUNC:
    case IR_IMM_CLOSURE:
        to = from->imm.i < t->before->before->count ? t->to.funcs[from->imm.i] : -1;
        break;
    case IR_IMM_EXTERN:
        to = t->to.externs[from->imm.i];
        break;
    case IR_IMM_TEXT:
        to = t->to.texts[from->imm.i];
        break;
    default:
        return from->imm.i; /* the bits of a float too */
    }
    t->lost |= to < 0;
    return to;
}

/* -- copies -- */

static IrValue *copy_values(Taking *t, const IrValue *values, int count) {
    IrValue *copy = ARENA_ARRAY(t->module->arena, IrValue, count);
    if (count) memcpy(copy, values, sizeof *copy * (size_t)count);
    return copy;
}
#define COPY_VALUES(t, to, from) ((to)->items = copy_values(t, (from)->items, (from)->count), (to)->count = (to)->capacity = (from)->count)

static void copy_region(Taking *t, const IrRegion *from, IrRegion *to);

static IrIns *copy_ins(Taking *t, const IrIns *from) {
    IrIns *ins = ir_ins_create(t->module->arena, from->op, from->result_count, from->arg_count);
    ins->span = from->span;
    ins->imm = from->imm;
    if (t->before) {
        t->module->emitted++;
        t->lost |= !t->before->move(t->before->user, &ins->span);
        ins->imm.i = number_in(t, from);
    }
    ins->imm2 = from->imm2;
    if (from->arg_count) memcpy(ins->args, from->args, sizeof *ins->args * (size_t)from->arg_count);
    if (from->result_count) memcpy(ins->results, from->results, sizeof *ins->results * (size_t)from->result_count);
    for (int k = 0; k < from->region_count; k++)
        copy_region(t, &from->regions[k], &ins->regions[k]);
    return ins;
}

static void copy_region(Taking *t, const IrRegion *from, IrRegion *to) {
    *to = (IrRegion){0};
    COPY_VALUES(t, &to->params, &from->params);
    COPY_VALUES(t, &to->yields, &from->yields);
    to->body.items = ARENA_ARRAY(t->module->arena, IrIns *, from->body.count);
    to->body.count = to->body.capacity = from->body.count;
    for (int i = 0; i < from->body.count && !t->lost; i++)
        to->body.items[i] = copy_ins(t, from->body.items[i]);
}

static bool take_body(Taking *t, const IrFunc *from, IrFunc *func) {
    IrRegion body;
    t->lost = false;
    copy_region(t, &from->body, &body);
    if (t->lost) return false;
    IrType *types = ARENA_ARRAY(t->module->arena, IrType, from->types.count);
    if (from->types.count) memcpy(types, from->types.items, sizeof *types * (size_t)from->types.count);
    func->body = body;
    COPY_VALUES(t, &func->params, &from->params);
    func->types.items = types;
    func->types.count = func->types.capacity = from->types.count;
    return true;
}

bool *opt_take(IrModule *module, const OptBefore *before, Arena *scratch) {
    bool *taken = ARENA_ARRAY(scratch, bool, module->funcs.count + 1);
    Taking t = {module, before, number_all(module, before, scratch), false};
    for (int i = 0; i < before->before->count; i++) {
        int to = t.to.funcs[i];
        if (to >= 0) taken[to] = take_body(&t, before->module->funcs.items[i], module->funcs.items[to]);
    }
    return taken;
}

void opt_settle(const Opt *opt) {
    Taking t = {.module = opt->module};
    for (int i = opt->first; i < opt->module->funcs.count; i++) {
        IrFunc *func = opt->module->funcs.items[i];
        if (!(opt->done && opt->done[i])) take_body(&t, func, func);
    }
}
