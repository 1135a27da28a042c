/* Settling of calls: a function without objects stays one; of any other the lines take the call's place. */
#include "compiler/glsl/frame.h"

enum { MAX_DEPTH = 200 };

/* -- in the call's place -- */

static bool settle_inside(Frame *f, const IrIns *ins, const IrBinding *binding, const IrFunc *callee, const Value *args) {
    if (f->glsl->depth >= MAX_DEPTH) return glsl_refuse(f->glsl, frame_span(f, ins), "function values call each other too deeply");
    Frame inner = {.glsl = f->glsl, .builder = f->builder, .binding = binding, .func = callee, .call = frame_span(f, ins)};
    inner.values = ARENA_ARRAY(f->glsl->input.arena, Value, callee->types.count + 1);
    for (int i = 0; i < callee->params.count; i++)
        inner.values[callee->params.items[i]] = args[i];
    f->glsl->depth++;
    bool good = settle_body(&inner, &callee->body);
    f->glsl->depth--;
    for (int i = 0; i < ins->result_count; i++)
        f->values[ins->results[i]] = inner.values[callee->body.yields.items[i]];
    return good;
}

/* -- as a function -- */

static bool copy_func(Frame *f, const IrIns *ins, const IrFunc *callee, IrFunc **out) {
    Glsl *glsl = f->glsl;
    for (int i = 0; i < glsl->copies.count; i++)
        if (glsl->copies.items[i].from == callee) {
            *out = glsl->copies.items[i].to;
            return true;
        }
    IrFunc *to = ir_func_create(glsl->module, callee->name);
    to->span = frame_span(f, ins);
    IrBuilder builder = {.module = glsl->module, .func = to, .region = &to->body};
    Frame inner = {.glsl = glsl, .builder = &builder, .binding = f->binding, .func = callee, .call = frame_span(f, ins)};
    inner.values = ARENA_ARRAY(glsl->input.arena, Value, callee->types.count + 1);
    for (int i = 0; i < callee->params.count; i++) {
        IrValue param = callee->params.items[i];
        inner.values[param] = (Value){.to = 1 + ir_func_param(glsl->module, to, callee->types.items[param])};
    }
    if (!settle_body(&inner, &callee->body)) return false;
    for (int i = 0; i < callee->results.count; i++) {
        VEC_PUSH(glsl->input.arena, &to->results, callee->results.items[i]);
        const Value *value = &inner.values[callee->body.yields.items[i]];
        ir_yield(&builder, &to->body, frame_use(&inner, callee->results.items[i], value));
    }
    GlslCopy copy = {callee, to};
    VEC_PUSH(glsl->input.arena, &glsl->copies, copy);
    *out = to;
    return true;
}

static void emit_call(Frame *f, const IrIns *ins, IrOp op, int index) {
    Arena *arena = f->glsl->input.arena;
    IrValue *args = ARENA_ARRAY(arena, IrValue, ins->arg_count + 1);
    IrType *types = ARENA_ARRAY(arena, IrType, ins->result_count + 1);
    for (int i = 0; i < ins->arg_count; i++)
        args[i] = frame_use(f, frame_type(f, ins->args[i]), frame_arg(f, ins, i));
    for (int i = 0; i < ins->result_count; i++)
        types[i] = frame_type(f, ins->results[i]);
    IrIns *copy = ir_emit_many(f->builder, op, args, ins->arg_count, index, 0, types, ins->result_count);
    for (int i = 0; i < ins->result_count; i++)
        f->values[ins->results[i]] = (Value){.to = 1 + copy->results[i]};
}

static int library_extern(Glsl *glsl, Str name) {
    IrModule *module = glsl->module;
    for (int i = 0; i < module->externs.count; i++)
        if (str_equal(module->externs.items[i].name, name)) return i;
    IrExtern found = {.name = name, .effect = IR_PURE};
    VEC_PUSH(glsl->input.arena, &module->externs, found);
    return module->externs.count - 1;
}

static bool holds_objects(const IrFunc *func) {
    for (int i = 0; i < func->params.count; i++)
        if (func->types.items[func->params.items[i]] == IR_R) return true;
    for (int i = 0; i < func->results.count; i++)
        if (func->results.items[i] == IR_R) return true;
    return func->draws || func->allocates || func->acts;
}

/* -- natives: what only needs what is known is asked now -- */

static bool ask_native(Frame *f, const IrIns *ins) {
    const IrExtern *native = &f->binding->module->externs.items[ins->imm.i];
    Rt *rt = f->glsl->input.rt;
    bool known = native->effect != IR_DRAWS;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *args = rt_scratch_push(rt, sizeof *args * (size_t)(ins->arg_count + 1));
    Slot *results = rt_scratch_push(rt, sizeof *results * (size_t)(ins->result_count + 1));
    memset(results, 0, sizeof *results * (size_t)ins->result_count);
    for (int i = 0; i < ins->arg_count; i++) {
        const Value *arg = frame_arg(f, ins, i);
        known &= arg->known && arg->closure == NULL;
        args[i] = arg->slot;
    }
    if (known) f->binding->externs[ins->imm.i](rt, args, results);
    for (int i = 0; known && i < ins->result_count; i++)
        f->values[ins->results[i]] = value_of(results[i]);
    rt_scratch_pop(rt, mark);
    if (!known)
        return glsl_refuse(f->glsl, frame_span(f, ins), "'%.*s' is native, and the card has none of it", STR_ARG(native->name));
    return !rt_failed(rt);
}

/* -- maps: what is native, or too much for a pixel, is read from a lattice -- */

/* Of a map, a place (x, y, z) and another answer. */
static bool read_map(Frame *f, const IrIns *ins, Str name) {
    const GlslInput *input = &f->glsl->input;
    int slots = input->map_slots;
    Slot *record = ARENA_ARRAY(input->arena, Slot, slots);
    GlslMap map;
    for (int i = 0; i < slots; i++) {
        if (!frame_arg(f, ins, i)->known || frame_arg(f, ins, i)->closure)
            return glsl_refuse(f->glsl, frame_span(f, ins), "which map is read hangs on the place it is asked for");
        record[i] = frame_arg(f, ins, i)->slot;
    }
    if (!input->map(input->user, record, &map)) return false;
    IrValue args[4] = {frame_use_cell(f, glsl_map(f->glsl, &map))};
    const int wanted[3] = {slots, slots + 2, slots + 3};
    for (int i = 0; i < 3; i++)
        args[i + 1] = frame_use(f, IR_F, frame_arg(f, ins, wanted[i]));
    IrType type = IR_F;
    int native = library_extern(f->glsl, name);
    f->values[ins->results[0]] =
        (Value){.to = 1 + ir_emit_many(f->builder, IR_CALL_EXTERN, args, 4, native, 0, &type, 1)->results[0]};
    return true;
}

/* Of a grid and a place (x, y, z): the height of the triangle there. */
static bool read_ground(Frame *f, const IrIns *ins, Str name) {
    const RtGrid *grid = frame_arg(f, ins, 0)->slot.r;
    if (!frame_arg(f, ins, 0)->known)
        return glsl_refuse(f->glsl, frame_span(f, ins), "which grid is read hangs on the place it is asked for");
    if (grid == NULL) {
        f->values[ins->results[0]] = value_of(slot_f(0));
        return true;
    }
    Value columns = value_of(slot_i(grid->columns)), x0 = value_of(slot_f(grid->x0)), z0 = value_of(slot_f(grid->z0)),
          cell = value_of(slot_f(grid->cell)), outside = value_of(slot_f(grid->outside));
    IrValue args[] = {frame_use_cell(f, glsl_grid(f->glsl, grid)),    frame_use(f, IR_I, &columns), frame_use(f, IR_F, &x0),
                      frame_use(f, IR_F, &z0),                        frame_use(f, IR_F, &cell),    frame_use(f, IR_F, &outside),
                      frame_use(f, IR_F, frame_arg(f, ins, 1)),       frame_use(f, IR_F, frame_arg(f, ins, 3))};
    IrType type = IR_F;
    int native = library_extern(f->glsl, name), count = sizeof args / sizeof *args;
    f->values[ins->results[0]] =
        (Value){.to = 1 + ir_emit_many(f->builder, IR_CALL_EXTERN, args, count, native, 0, &type, 1)->results[0]};
    return true;
}

/* A grid with divided squares is read as the library says it. */
static bool is_divided(Frame *f, const IrIns *ins) {
    const Value *grid = frame_arg(f, ins, 0);
    return grid->known && grid->slot.r && ((const RtGrid *)grid->slot.r)->finer;
}

bool settle_call(Frame *f, const IrIns *ins) {
    if (ins->op == IR_CALL_EXTERN) return ask_native(f, ins);
    const IrFunc *callee = f->binding->module->funcs.items[ins->imm.i];
    if (str_equal(callee->name, f->glsl->input.map_function)) return read_map(f, ins, callee->name);
    if (str_equal(callee->name, STR_LIT("grid.heightAt")) && !is_divided(f, ins)) return read_ground(f, ins, callee->name);
    if (glsl_library(callee->name)) {
        emit_call(f, ins, IR_CALL_EXTERN, library_extern(f->glsl, callee->name));
        return true;
    }
    if (holds_objects(callee)) {
        Value *args = ARENA_ARRAY(f->glsl->input.arena, Value, ins->arg_count + 1);
        for (int i = 0; i < ins->arg_count; i++)
            args[i] = *frame_arg(f, ins, i);
        return settle_inside(f, ins, f->binding, callee, args);
    }
    IrFunc *copy;
    if (!copy_func(f, ins, callee, &copy)) return false;
    emit_call(f, ins, IR_CALL, copy->index);
    return true;
}

/* -- function values -- */

static const IrFunc *open_object(Frame *f, const RtClosure *closure, const IrBinding **binding, Value *args) {
    const GlslInput *input = &f->glsl->input;
    *binding = input->binding(input->user, closure->code);
    const IrFunc *func = (*binding)->module->funcs.items[closure->func];
    for (int i = 0; i < closure->capture_count; i++)
        args[i] = frame_held(f, func->types.items[func->params.items[i]], closure->captures[i], STR_LIT("captured"));
    return func;
}

bool settle_call_closure(Frame *f, const IrIns *ins) {
    const Value *called = frame_arg(f, ins, 0);
    const RtClosure *object = called->slot.r;
    if (!called->closure && !object) return glsl_refuse(f->glsl, frame_span(f, ins), "there is no function here to call");
    int captures = called->closure ? called->closure->arg_count : object->capture_count;
    bool draws = called->closure ? called->closure->imm2 != 0 : object->draws;
    if (draws) return glsl_refuse(f->glsl, frame_span(f, ins), "the function that is called draws random numbers in turn");
    Value *args = ARENA_ARRAY(f->glsl->input.arena, Value, captures + ins->arg_count);
    const IrBinding *binding = f->binding;
    const IrFunc *func;
    if (called->closure) {
        func = binding->module->funcs.items[called->closure->imm.i];
        memcpy(args, called->captures, sizeof *args * (size_t)captures);
    } else
        func = open_object(f, object, &binding, args);
    for (int i = 2; i < ins->arg_count; i++)
        args[captures + i - 2] = *frame_arg(f, ins, i);
    return settle_inside(f, ins, binding, func, args);
}

/* -- the whole -- */

Glsl *glsl_create(const GlslInput *input) {
    Glsl *glsl = ARENA_NEW(input->arena, Glsl);
    glsl->input = *input;
    glsl->module = ir_module_create(input->arena);
    return glsl;
}

const GlslError *glsl_error(const Glsl *glsl) {
    return &glsl->error;
}

/* A call of the closure with anything, from a function that is nothing else. */
bool glsl_add(Glsl *glsl, const RtClosure *closure, const char *name) {
    const IrBinding *binding = glsl->input.binding(glsl->input.user, closure->code);
    const IrFunc *callee = binding->module->funcs.items[closure->func];
    int captures = closure->capture_count;
    if (closure->draws) return glsl_refuse(glsl, callee->span, "it draws random numbers in turn");
    IrFunc *func = ir_func_create(glsl->module, str_of(name));
    func->span = callee->span;
    IrBuilder builder = {.module = glsl->module, .func = func, .region = &func->body};
    Frame f = {.glsl = glsl, .builder = &builder, .binding = binding, .func = callee, .call = callee->span};
    f.values = ARENA_ARRAY(glsl->input.arena, Value, callee->types.count + 1);
    for (int i = 0; i < callee->params.count; i++) {
        IrValue param = callee->params.items[i];
        IrType type = callee->types.items[param];
        if (i < captures)
            f.values[param] = frame_held(&f, type, closure->captures[i], STR_LIT("captured"));
        else if (type == IR_R)
            return glsl_refuse(glsl, callee->span, "a parameter of it is an object");
        else
            f.values[param] = (Value){.to = 1 + ir_func_param(glsl->module, func, type)};
    }
    if (!settle_body(&f, &callee->body)) return false;
    for (int i = 0; i < callee->results.count; i++) {
        if (callee->results.items[i] == IR_R) return glsl_refuse(glsl, callee->span, "what it answers is an object");
        VEC_PUSH(glsl->input.arena, &func->results, callee->results.items[i]);
        ir_yield(&builder, &func->body, frame_use(&f, callee->results.items[i], &f.values[callee->body.yields.items[i]]));
    }
    GlslEntry entry = {func, name};
    VEC_PUSH(glsl->input.arena, &glsl->entries, entry);
    return true;
}

bool glsl_finish(Glsl *glsl, GlslText *out) {
    StrBuf text = {.arena = glsl->input.arena};
    if (!glsl_fill(glsl, out) || !glsl_emit(glsl, &text, out)) return false;
    out->text = strbuf_take(&text);
    return true;
}
