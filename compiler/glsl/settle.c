/* Settling: a function's lines worked out as far as they hang on what is there, or copied. */
#include "compiler/glsl/frame.h"

#include <stdarg.h>
#include <stdio.h>

#include "compiler/ir/evaluate.h"
#include "runtime/rt/part.h"

bool glsl_refuse(Glsl *glsl, Span span, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    glsl->error = (GlslError){span, str_printf(glsl->input.arena, "%s", text)};
    return false;
}

/* -- values -- */

IrValue frame_use(Frame *f, IrType type, const Value *value) {
    static const IrOp constants[] = {[IR_B] = IR_CONST_B, [IR_W] = IR_CONST_W, [IR_I] = IR_CONST_I};
    if (value->to) return value->to - 1;
    if (value->cell) {
        IrValue none = ir_emit(f->builder, IR_NULL_R, NULL, 0, 0, 0);
        int64_t cell = value->cell - 1;
        return ir_emit_many(f->builder, IR_FIELD_GET, &none, 1, cell, cell, &type, 1)->results[0];
    }
    if (type == IR_F) return ir_emit_float(f->builder, value->slot.f);
    return ir_emit(f->builder, constants[type], NULL, 0, value->slot.i, 0);
}

Value frame_held(const Frame *f, IrType type, Slot slot, Str name) {
    Value held = value_of(slot);
    if (type == IR_F) held.cell = 1 + glsl_uniform(f->glsl, name, slot.f);
    return held;
}

static void set_known(Frame *f, const IrIns *ins, Slot slot) {
    f->values[ins->results[0]] = value_of(slot);
}

IrValue frame_use_cell(Frame *f, int cell) {
    IrType type = IR_R;
    IrValue none = ir_emit(f->builder, IR_NULL_R, NULL, 0, 0, 0);
    return ir_emit_many(f->builder, IR_FIELD_GET, &none, 1, cell, cell, &type, 1)->results[0];
}

/* -- plain operations -- */

static bool is_plain(const IrOpInfo *info) {
    return info->glsl[0] != '\0';
}

/* Worked out, if all of it is known; a number that hangs on a uniform is worked out on the card as well. */
static void settle_plain(Frame *f, const IrIns *ins) {
    IrType type = frame_type(f, ins->results[0]);
    bool known = true, live = false;
    Slot slots[3] = {{0}};
    IrValue args[3];
    for (int i = 0; i < ins->arg_count; i++) {
        const Value *arg = frame_arg(f, ins, i);
        known &= arg->known;
        live |= value_is_live(arg);
        slots[i] = arg->slot;
    }
    Value *result = &f->values[ins->results[0]];
    *result = (Value){0};
    known = known && ir_evaluate(ins->op, slots, &result->slot);
    result->known = known;
    if (known && (type != IR_F || !live)) return;
    for (int i = 0; i < ins->arg_count; i++)
        args[i] = frame_use(f, frame_type(f, ins->args[i]), frame_arg(f, ins, i));
    result->to = 1 + ir_emit_many(f->builder, ins->op, args, ins->arg_count, 0, 0, &type, 1)->results[0];
}

static bool settle_select(Frame *f, const IrIns *ins) {
    const Value *condition = frame_arg(f, ins, 0), *yes = frame_arg(f, ins, 1), *no = frame_arg(f, ins, 2);
    Value *result = &f->values[ins->results[0]];
    IrType type = frame_type(f, ins->results[0]);
    if (condition->known) {
        *result = condition->slot.w ? *yes : *no;
        return true;
    }
    if (type == IR_R) {
        if (yes->known && no->known && yes->slot.r == no->slot.r) {
            *result = *yes;
            return true;
        }
        return glsl_refuse(f->glsl, frame_span(f, ins), "which object this is hangs on the place it is asked for");
    }
    IrValue args[3] = {condition->to - 1, frame_use(f, type, yes), frame_use(f, type, no)};
    *result = (Value){.to = 1 + ir_emit_many(f->builder, IR_SELECT, args, 3, 0, 0, &type, 1)->results[0]};
    return true;
}

/* Only the condition stays: what follows may take it to be false. */
static void settle_fault(Frame *f, const IrIns *ins) {
    const Value *condition = frame_arg(f, ins, 0);
    if (condition->known) return;
    IrValue arg = condition->to - 1;
    ir_emit_many(f->builder, IR_FAULT_IF, &arg, 1, ins->imm.i, 0, NULL, 0);
}

/* -- objects -- */

static Str cell_name(const Frame *f, const RtPart *part, const RtField *field, int64_t slot) {
    StrBuf out = {.arena = f->glsl->input.arena};
    rt_part_path(&out, part);
    strbuf_printf(&out, "%s%.*s", out.len ? "." : "", STR_ARG(field->name));
    if (field->slot_count > 1) strbuf_printf(&out, "[%lld]", (long long)slot);
    return strbuf_take(&out);
}

static bool settle_field(Frame *f, const IrIns *ins) {
    RtPart *part = frame_arg(f, ins, 0)->slot.r;
    if (part == NULL) return glsl_refuse(f->glsl, frame_span(f, ins), "there is no part here to read from");
    const RtField *field = &part->cls->fields[ins->imm.i];
    const Slot *slots = rt_cell_get(f->glsl->input.rt, part, (int32_t)ins->imm.i);
    int64_t first = ins->imm2 - field->slot;
    for (int i = 0; i < ins->result_count; i++)
        f->values[ins->results[i]] = frame_held(f, frame_type(f, ins->results[i]), slots[first + i],
                                                cell_name(f, part, field, first + i));
    return !rt_failed(f->glsl->input.rt);
}

static bool settle_captures(Frame *f, const IrIns *ins) {
    const RtPart *part = frame_arg(f, ins, 0)->slot.r;
    for (int i = 0; i < ins->result_count; i++) {
        int64_t at = ins->imm.i + i;
        Slot slot = part && at < part->capture_count ? part->captures[at] : slot_i(0);
        f->values[ins->results[i]] = frame_held(f, frame_type(f, ins->results[i]), slot, STR_LIT("captured"));
    }
    return true;
}

/* A whole number of a column: its word is how far it lies above the least of them, so that what is made of it can be proved to
 * fit. */
static IrValue whole_of(Frame *f, int column, IrValue word) {
    const GlslCell *cell = &f->glsl->cells.items[column];
    IrType type = IR_W;
    IrValue most = ir_emit(f->builder, IR_CONST_W, NULL, 0, cell->most - cell->least, 0);
    IrValue past = ir_emit(f->builder, IR_LT_W, (IrValue[]){most, word}, 2, 0, 0);
    IrValue held = ir_emit_many(f->builder, IR_SELECT, (IrValue[]){past, most, word}, 3, 0, 0, &type, 1)->results[0];
    IrValue whole = ir_emit(f->builder, IR_W_TO_I, &held, 1, 0, 0);
    IrValue least = ir_emit(f->builder, IR_CONST_I, NULL, 0, cell->least, 0);
    return ir_emit(f->builder, IR_ADD_I, (IrValue[]){whole, least}, 2, 0, 0);
}

/* An item of which is not known which it is: from a column for each of its slots. */
static bool settle_item(Frame *f, const IrIns *ins) {
    const RtList *list = frame_arg(f, ins, 0)->slot.r;
    const Value *index = frame_arg(f, ins, 1);
    for (int i = 0; i < ins->result_count; i++) {
        IrType type = frame_type(f, ins->results[i]);
        int slot = (int)ins->imm.i + i;
        Value *result = &f->values[ins->results[i]];
        if (index->known) {
            bool inside = index->slot.i >= 0 && index->slot.i < rt_list_length(list);
            *result = value_of(inside ? rt_list_item(list, index->slot.i)[slot] : slot_i(0));
            continue;
        }
        if (type == IR_R)
            return glsl_refuse(f->glsl, frame_span(f, ins), "which item of a list of objects this is hangs on the place it is asked for");
        if (rt_list_length(list) == 0) {
            *result = value_of(slot_i(0));
            continue;
        }
        int column = glsl_column(f->glsl, list, slot, type);
        if (f->glsl->cells.items[column].most - f->glsl->cells.items[column].least > INT32_MAX)
            return glsl_refuse(f->glsl, frame_span(f, ins), "the whole numbers of a list lie farther apart than 31 bits reach");
        IrValue args[2] = {frame_use_cell(f, column), index->to - 1};
        IrType word = type == IR_I ? IR_W : type;
        IrValue item = ir_emit_many(f->builder, IR_LIST_GET, args, 2, 0, 1, &word, 1)->results[0];
        *result = (Value){.to = 1 + (type == IR_I ? whole_of(f, column, item) : item)};
    }
    return true;
}

static bool settle_sample(Frame *f, const IrIns *ins) {
    const RtGrid *grid = frame_arg(f, ins, 0)->slot.r;
    const Value *index = frame_arg(f, ins, 1);
    IrType type = IR_F;
    set_known(f, ins, slot_f(0));
    if (grid == NULL) return true;
    IrValue args[2] = {frame_use_cell(f, glsl_grid(f->glsl, grid)), frame_use(f, IR_I, index)};
    f->values[ins->results[0]] =
        (Value){.to = 1 + ir_emit_many(f->builder, IR_GRID_GET, args, 2, 0, 0, &type, 1)->results[0]};
    return true;
}

static Slot grid_fact(IrOp op, const RtGrid *grid) {
    static const RtGrid none;
    if (grid == NULL) grid = &none;
    switch ((int)op) {
    case IR_GRID_COLUMNS:
        return slot_i(grid->columns);
    case IR_GRID_ROWS:
        return slot_i(grid->rows);
    case IR_GRID_FINER:
        return slot_i(grid->finer);
    case IR_GRID_CELL:
        return slot_f(grid->cell);
    case IR_GRID_X0:
        return slot_f(grid->x0);
    case IR_GRID_Z0:
        return slot_f(grid->z0);
    default:
        return slot_f(grid->outside);
    }
}

static bool settle_part(Frame *f, const IrIns *ins, RtPart *part) {
    set_known(f, ins, slot_r(part));
    return !rt_failed(f->glsl->input.rt);
}

static bool make_closure(Frame *f, const IrIns *ins) {
    Value *captures = ARENA_ARRAY(f->glsl->input.arena, Value, ins->arg_count + 1);
    for (int i = 0; i < ins->arg_count; i++)
        captures[i] = *frame_arg(f, ins, i);
    f->values[ins->results[0]] = (Value){.known = true, .closure = ins, .captures = captures};
    return true;
}

/* -- lists that are made of what is known -- */

static RtShape shape_of(const IrIns *ins) {
    return (RtShape){(int32_t)ins->imm2, (uint64_t)ins->imm.i};
}

static bool append(Frame *f, const IrIns *ins) {
    Rt *rt = f->glsl->input.rt;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *item = rt_scratch_push(rt, sizeof *item * (size_t)ins->arg_count);
    bool known = true;
    for (int i = 1; i < ins->arg_count; i++) {
        known &= frame_arg(f, ins, i)->known && !frame_arg(f, ins, i)->closure;
        item[i - 1] = frame_arg(f, ins, i)->slot;
    }
    RtList *list = frame_arg(f, ins, 0)->slot.r;
    rt_retain(rt, list); /* whoever else has it keeps it as it is */
    if (known) set_known(f, ins, slot_r(rt_list_append(rt, list, shape_of(ins), item)));
    rt_scratch_pop(rt, mark);
    return known || glsl_refuse(f->glsl, frame_span(f, ins), "an item of a list that is made here hangs on the place it is asked for");
}

static bool refuse_op(Frame *f, const IrIns *ins) {
    const IrOpInfo *info = ir_op_info(ins->op);
    return glsl_refuse(f->glsl, frame_span(f, ins), "'%s' (%s) cannot be worked out there", info->text, info->doc);
}

/* -- dispatch -- */

static bool settle_object(Frame *f, const IrIns *ins) {
    Rt *rt = f->glsl->input.rt;
    const Value *a = ins->arg_count ? frame_arg(f, ins, 0) : NULL, *b = ins->arg_count > 1 ? frame_arg(f, ins, 1) : NULL;
    switch ((int)ins->op) {
    case IR_CONST_TEXT:
        set_known(f, ins, slot_r(f->binding->texts[ins->imm.i]));
        return true;
    case IR_CONST_DESIGN:
        set_known(f, ins, slot_r(f->binding->classes[ins->imm.i]));
        return true;
    case IR_NULL_R:
        set_known(f, ins, slot_r(NULL));
        return true;
    case IR_EQ_R:
        set_known(f, ins, slot_i(a->slot.r == b->slot.r));
        return true;
    case IR_LIST_NEW:
        if (!a->known) return refuse_op(f, ins);
        set_known(f, ins, slot_r(rt_list_room(rt, shape_of(ins), a->slot.i)));
        return !rt_failed(rt);
    case IR_LIST_APPEND:
        return append(f, ins) && !rt_failed(rt);
    case IR_LIST_LENGTH:
        set_known(f, ins, slot_i(rt_list_length(a->slot.r)));
        return true;
    case IR_LIST_GET:
        return settle_item(f, ins);
    case IR_GRID_GET:
        return settle_sample(f, ins);
    case IR_GRID_COLUMNS:
    case IR_GRID_ROWS:
    case IR_GRID_FINER:
    case IR_GRID_CELL:
    case IR_GRID_X0:
    case IR_GRID_Z0:
    case IR_GRID_OUTSIDE:
        set_known(f, ins, grid_fact(ins->op, a->slot.r));
        return true;
    case IR_PART_ROOT:
        return settle_part(f, ins, rt_world_root(rt->world));
    case IR_PART_PARENT:
        return settle_part(f, ins, a->slot.r ? ((const RtPart *)a->slot.r)->parent : NULL);
    case IR_PART_CHILD:
        return settle_part(f, ins, rt_part_child(rt, a->slot.r, (int32_t)ins->imm.i));
    case IR_PART_MEMBER:
        if (!b->known) return refuse_op(f, ins);
        return settle_part(f, ins, rt_part_member(rt, a->slot.r, (int32_t)ins->imm.i, b->slot.i, frame_arg(f, ins, 2)->slot.r));
    case IR_PART_FAMILY:
        set_known(f, ins, slot_r(rt_part_family(rt, a->slot.r, (int32_t)ins->imm.i)));
        return !rt_failed(rt);
    case IR_FIELD_GET:
        return settle_field(f, ins);
    case IR_CAPTURE_GET:
        return settle_captures(f, ins);
    case IR_CLOSURE:
        return make_closure(f, ins);
    default:
        return refuse_op(f, ins);
    }
}

bool settle_ins(Frame *f, const IrIns *ins) {
    Span span = frame_span(f, ins);
    f->builder->span = span;
    if (++f->glsl->size > 200000) return glsl_refuse(f->glsl, span, "this becomes more than 200000 operations");
    switch ((int)ins->op) {
    case IR_CONST_B:
    case IR_CONST_W:
    case IR_CONST_I:
        set_known(f, ins, slot_i(ins->imm.i));
        return true;
    case IR_CONST_F:
        set_known(f, ins, slot_f(ins->imm.f));
        return true;
    case IR_IF:
        return settle_if(f, ins);
    case IR_FOR:
        return settle_for(f, ins);
    case IR_CALL:
    case IR_CALL_EXTERN:
        return settle_call(f, ins);
    case IR_CALL_CLOSURE:
        return settle_call_closure(f, ins);
    case IR_SELECT:
        return settle_select(f, ins);
    case IR_FAULT_IF:
        settle_fault(f, ins);
        return true;
    default:
        break;
    }
    if (!is_plain(ir_op_info(ins->op))) return settle_object(f, ins);
    settle_plain(f, ins);
    return true;
}

bool settle_body(Frame *f, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++)
        if (!settle_ins(f, region->body.items[i])) return false;
    return true;
}
