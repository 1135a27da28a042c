/* Settling of regions: a side that is decided stands in its parent's lines; a loop over objects goes round by round. */
#include "compiler/glsl/frame.h"

enum { MOST_ROUNDS = 256 }; /* of a loop that is written out */

/* The types of an instruction's results but objects; their count. */
static int plain_types(const Frame *f, const IrIns *ins, IrType *types) {
    int count = 0;
    for (int i = 0; i < ins->result_count; i++)
        if (frame_type(f, ins->results[i]) != IR_R) types[count++] = frame_type(f, ins->results[i]);
    return count;
}

static bool same_object(const Value *a, const Value *b) {
    return a->known && b->known && a->slot.r == b->slot.r && a->closure == b->closure;
}

/* -- if -- */

static bool take_side(Frame *f, const IrIns *ins, const IrRegion *side) {
    if (!settle_body(f, side)) return false;
    for (int i = 0; i < ins->result_count; i++)
        f->values[ins->results[i]] = f->values[side->yields.items[i]];
    return true;
}

bool settle_if(Frame *f, const IrIns *ins) {
    const Value *condition = frame_arg(f, ins, 0);
    if (condition->known) return take_side(f, ins, &ins->regions[condition->slot.w ? 0 : 1]);
    Arena *arena = f->glsl->input.arena;
    IrType *types = ARENA_ARRAY(arena, IrType, ins->result_count + 1);
    int count = plain_types(f, ins, types);
    IrValue arg = condition->to - 1;
    IrIns *copy = ir_emit_many(f->builder, IR_IF, &arg, 1, 0, 0, types, count);
    IrRegion *outer = f->builder->region;
    for (int side = 0; side < 2; side++) {
        f->builder->region = &copy->regions[side];
        if (!settle_body(f, &ins->regions[side])) return false;
        for (int i = 0; i < ins->result_count; i++) {
            IrType type = frame_type(f, ins->results[i]);
            const Value *yield = &f->values[ins->regions[side].yields.items[i]];
            if (type != IR_R) ir_yield(f->builder, f->builder->region, frame_use(f, type, yield));
        }
    }
    f->builder->region = outer;
    for (int i = 0, k = 0; i < ins->result_count; i++) {
        const Value *yes = &f->values[ins->regions[0].yields.items[i]], *no = &f->values[ins->regions[1].yields.items[i]];
        if (frame_type(f, ins->results[i]) != IR_R)
            f->values[ins->results[i]] = (Value){.to = 1 + copy->results[k++]};
        else if (same_object(yes, no))
            f->values[ins->results[i]] = *yes;
        else
            return glsl_refuse(f->glsl, frame_span(f, ins), "which object this is hangs on the place it is asked for");
    }
    return true;
}

/* -- for -- */

static bool is_plain_op(const IrIns *ins, void *user) {
    const Frame *f = user;
    if (ins->op == IR_CALL_CLOSURE || ins->op == IR_PART_MEMBER) return false;
    if (ins->op == IR_LIST_GET)
        for (int i = 0; i < ins->result_count; i++)
            if (frame_type(f, ins->results[i]) == IR_R) return false;
    return true;
}

/* Whether rounds meet different objects. */
static bool goes_by_rounds(Frame *f, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        if (frame_type(f, ins->results[i]) == IR_R) return true;
    return !ir_each_ins(&ins->regions[0], is_plain_op, f);
}

static bool write_rounds(Frame *f, const IrIns *ins, int64_t from, int64_t to) {
    const IrRegion *body = &ins->regions[0];
    Value *carried = ARENA_ARRAY(f->glsl->input.arena, Value, ins->result_count + 1);
    for (int i = 0; i < ins->result_count; i++)
        carried[i] = *frame_arg(f, ins, i + 2);
    for (int64_t round = from; round < to; round++) {
        if (round - from >= MOST_ROUNDS)
            return glsl_refuse(f->glsl, frame_span(f, ins), "a loop over objects goes round more than %d times", MOST_ROUNDS);
        f->values[body->params.items[0]] = value_of(slot_i(round));
        for (int i = 0; i < ins->result_count; i++)
            f->values[body->params.items[i + 1]] = carried[i];
        if (!settle_body(f, body)) return false;
        for (int i = 0; i < ins->result_count; i++)
            carried[i] = f->values[body->yields.items[i]];
        if (!ir_for_stops(ins)) continue;
        const Value *goes_on = &f->values[body->yields.items[ins->result_count]];
        if (!goes_on->known) return glsl_refuse(f->glsl, frame_span(f, ins), "whether a loop over objects ends hangs on the place it is asked for");
        if (!goes_on->slot.w) break;
    }
    for (int i = 0; i < ins->result_count; i++)
        f->values[ins->results[i]] = carried[i];
    return true;
}

static bool copy_loop(Frame *f, const IrIns *ins) {
    Arena *arena = f->glsl->input.arena;
    const IrRegion *body = &ins->regions[0];
    int count = ins->result_count;
    IrType *types = ARENA_ARRAY(arena, IrType, count + 1);
    IrValue *args = ARENA_ARRAY(arena, IrValue, count + 2);
    for (int i = 0; i < count + 2; i++)
        args[i] = frame_use(f, frame_type(f, ins->args[i]), frame_arg(f, ins, i));
    plain_types(f, ins, types);
    IrIns *copy = ir_emit_many(f->builder, IR_FOR, args, count + 2, 0, 0, types, count);
    IrRegion *outer = f->builder->region;
    f->builder->region = &copy->regions[0];
    for (int i = 0; i <= count; i++)
        f->values[body->params.items[i]] = (Value){.to = 1 + copy->regions[0].params.items[i]};
    if (!settle_body(f, body)) return false;
    for (int i = 0; i < body->yields.count; i++) {
        IrType type = i < count ? types[i] : IR_B;
        ir_yield(f->builder, f->builder->region, frame_use(f, type, &f->values[body->yields.items[i]]));
    }
    f->builder->region = outer;
    for (int i = 0; i < count; i++)
        f->values[ins->results[i]] = (Value){.to = 1 + copy->results[i]};
    return true;
}

bool settle_for(Frame *f, const IrIns *ins) {
    const Value *from = frame_arg(f, ins, 0), *to = frame_arg(f, ins, 1);
    if (!goes_by_rounds(f, ins)) return copy_loop(f, ins);
    if (from->known && to->known) return write_rounds(f, ins, from->slot.i, to->slot.i);
    return glsl_refuse(f->glsl, frame_span(f, ins), "how often a loop over objects goes round hangs on the place it is asked for");
}
