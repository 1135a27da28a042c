/* Functions: their signatures first, so that any may name any other, then their bodies. */
#include "compiler/lower/lower_fn.h"

IrType lower_letter(char letter) {
    IrType type = IR_R;
    ir_type_of_letter(letter, &type);
    return type;
}

static void add_params(FnLowering *l, const char *letters, Slots *slots) {
    int count = (int)strlen(letters);
    *slots = slots_new(l, count);
    for (int i = 0; i < count; i++)
        slots->items[i] =
            ir_func_param(l->builder.module, l->builder.func, lower_letter(letters[i]));
}

static bool has_self(const TreeFn *fn) {
    return fn->owner != NULL || fn->with_self;
}

/* [self] captures... [stream] params...; a function that is no lambda captures nothing. */
static void add_all_params(FnLowering *l) {
    const TreeFn *fn = l->fn;
    IrModule *module = l->builder.module;
    l->self = has_self(fn) ? ir_func_param(module, l->builder.func, IR_R) : -1;
    l->stream = -1;
    for (int i = 0; i < fn->capture_count + fn->param_count; i++) {
        if (i == fn->capture_count && fn->draws)
            l->stream = ir_func_param(module, l->builder.func, IR_R);
        add_params(l, fn->locals.items[i].type->slots, &l->locals[i]);
        l->defined[i] = true;
    }
    if (fn->draws && l->stream < 0) l->stream = ir_func_param(module, l->builder.func, IR_R);
    if (l->stream >= 0 && fn->stream_local >= 0) {
        Slots *local = &l->locals[fn->stream_local];
        *local = slots_new(l, 1);
        local->items[0] = l->stream;
        l->defined[fn->stream_local] = true;
    }
}

static FnLowering *declare_fn(Lowering *lowering, const TreeProgram *program, Arena *arena,
                              const TreeFn *fn) {
    FnLowering *l = ARENA_NEW(arena, FnLowering);
    IrFunc *func = ir_func_create(lowering->module, fn->name);
    *l = (FnLowering){.lowering = lowering, .program = program, .arena = arena, .fn = fn};
    l->builder = (IrBuilder){lowering->module, func, &func->body, fn->span};
    l->locals = ARENA_ARRAY(arena, Slots, fn->locals.count);
    l->defined = ARENA_ARRAY(arena, bool, fn->locals.count);
    func->span = fn->span;
    func->out_of_line = fn->out_of_line;
    add_all_params(l);
    for (const char *letter = fn->result->slots; *letter; letter++)
        VEC_PUSH(lowering->module->arena, &func->results, lower_letter(*letter));
    const char *changed = fn->changes_self ? fn->locals.items[0].type->slots : "";
    for (; *changed; changed++)
        VEC_PUSH(lowering->module->arena, &func->results, lower_letter(*changed));
    return l;
}

static void lower_body(FnLowering *l) {
    Slots value = lower_tree(l, l->fn->body);
    for (int i = 0; i < l->fn->result->slot_count; i++)
        ir_yield(&l->builder, &l->builder.func->body, value.items[i]);
    for (int i = 0; l->fn->changes_self && i < l->locals[0].count; i++)
        ir_yield(&l->builder, &l->builder.func->body, l->locals[0].items[i]);
}

void lower_program(Lowering *lowering, const TreeProgram *program, Arena *arena) {
    VEC(FnLowering *) fresh = {0};
    for (int i = 0; i < program->fns.count; i++) {
        const TreeFn *fn = program->fns.items[i];
        bool plain = fn->kind == AST_FN_PLAIN && fn->body != NULL;
        VEC_PUSH(arena, &lowering->ir_index, plain ? lowering->module->funcs.count : -1);
        if (plain) VEC_PUSH(arena, &fresh, declare_fn(lowering, program, arena, fn));
    }
    for (int i = 0; i < fresh.count && !lowering->over; i++) {
        lower_body(fresh.items[i]);
        if (lowering->module->emitted > IR_MOST) lowering->over = fresh.items[i]->fn;
    }
}

/* -- questions -- */

Lowering lower_begin_question(const Lowering *base, Arena *arena) {
    return (Lowering){.module = ir_module_extend(arena, base->module),
                      .base = base,
                      .first = base->module->funcs.count};
}

/* -1: the program lacks it. */
static int find_in_program(const Lowering *lowering, const TreeProgram *program,
                           const TreeFn *fn) {
    bool known = fn->index >= 0 && fn->index < lowering->ir_index.count &&
                 program->fns.items[fn->index] == fn;
    return known ? lowering->ir_index.items[fn->index] : -1;
}

static int find_added(const Lowering *lowering, const TreeFn *fn) {
    for (int i = lowering->added.count - 1; i >= 0; i--)
        if (lowering->added.items[i]->fn == fn) return lowering->first + i;
    return -1;
}

/* A body may call what is only declared by then, so nothing is lowered inside another's. */
int lower_target(FnLowering *l, const TreeFn *fn) {
    Lowering *lowering = l->lowering;
    if (!lowering->base) return find_in_program(lowering, l->program, fn);
    int func = find_in_program(lowering->base, l->program, fn);
    if (func < 0) func = find_added(lowering, fn);
    if (func >= 0) return func;
    FnLowering *fresh = declare_fn(lowering, l->program, l->arena, fn);
    VEC_PUSH(l->arena, &lowering->added, fresh);
    return fresh->builder.func->index;
}

int lower_find(Lowering *lowering, const TreeProgram *program, const TreeFn *fn, Arena *arena) {
    FnLowering from = {.lowering = lowering, .program = program, .arena = arena};
    int func = lower_target(&from, fn);
    for (; lowering->lowered < lowering->added.count; lowering->lowered++)
        lower_body(lowering->added.items[lowering->lowered]);
    return func;
}

const TreeFn *lower_tree_of(const Lowering *lowering, const TreeProgram *program, int func) {
    if (lowering->base && func >= lowering->first)
        return lowering->added.items[func - lowering->first]->fn;
    const Lowering *of = lowering->base ? lowering->base : lowering;
    for (int i = 0; i < of->ir_index.count; i++)
        if (of->ir_index.items[i] == func) return program->fns.items[i];
    return NULL;
}
