/* What a loop need not ask each round.
 *
 *   headers   A value never changes, so the length and the items of a list that comes from outside the loop
 *             are read before it, and its rounds find them in registers. (Whoever changes a list takes it, and
 *             what a loop has from outside it cannot take: compiler/own.)
 *   fuel      While nothing in a loop takes steps but its own loops, the steps left are kept in a register and
 *             go back to the Rt when the loop ends, or asks.
 */
#include "compiler/llvm/emit.h"

typedef struct Look {
    Emit *e;
    VEC(IrValue) found;
} Look;

static bool reads_list(IrOp op) {
    return op == IR_LIST_GET || op == IR_LIST_LENGTH;
}

Header emit_read_header(Emit *e, LLVMValueRef object, bool is_list) {
    Header header;
    object = emit_null_to_zeros(e, object);
    header.length = is_list ? emit_load_field(e, e->unit->i, object, AT(e, RtList, length))
                            : emit_grid_size(e, object);
    size_t items = is_list ? AT(e, RtList, items) : AT(e, RtGrid, heights);
    header.items = emit_load_field(e, e->unit->r, object, items);
    return header;
}

/* What was emitted already is from outside. */
static bool look_at(const IrIns *ins, void *user) {
    Look *look = user;
    Emit *e = look->e;
    if (!reads_list(ins->op) && ins->op != IR_GRID_GET) return true;
    IrValue value = ins->args[0];
    if (!e->values[value] || e->headers[value].items || !emit_is_uniform(e, value)) return true;
    e->headers[value] = emit_header(e, value, e->values[value], reads_list(ins->op));
    VEC_PUSH(e->unit->arena, &look->found, value);
    return true;
}

/* Whether it, or what it calls, may touch the Rt's steps. */
static bool takes_steps(const Emit *e, const IrRegion *region, bool loops) {
    if (region->body.count > EMIT_BLOCK_LIMIT) return true; /* a chain of functions: outline.c */
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        IrEffect effect = ir_op_info(ins->op)->effect;
        bool plain = effect == IR_PURE || effect == IR_FAULTS || effect == IR_CHANGES || ins->op == IR_LIST_NEW ||
                     ins->op == IR_LIST_LENGTH || (ins->op >= IR_GRID_COLUMNS && ins->op <= IR_GRID_OUTSIDE);
        if (ins->op == IR_CALL) {
            const IrFunc *callee = e->unit->program->binding.module->funcs.items[ins->imm.i];
            plain = callee->weight <= EMIT_STEP_WEIGHT && !takes_steps(e, ir_run_body(callee), false);
        }
        if (!plain && ins->op != IR_IF && !(loops && ins->op == IR_FOR)) return true;
        for (int k = 0; k < ins->region_count; k++)
            if (takes_steps(e, &ins->regions[k], loops)) return true;
    }
    return false;
}

Hoisted hoist_open(Emit *e, const IrIns *loop) {
    Look look = {.e = e};
    Hoisted hoisted = {0};
    ir_each_ins(&loop->regions[0], look_at, &look);
    hoisted.values = look.found.items;
    hoisted.count = look.found.count;
    if (e->fuel || takes_steps(e, &loop->regions[0], true)) return hoisted;
    hoisted.fuel = true;
    e->fuel = emit_row(e, 1);
    emit_move_fuel(e, true);
    return hoisted;
}

void hoist_close(Emit *e, Hoisted hoisted) {
    for (int i = 0; i < hoisted.count; i++)
        e->headers[hoisted.values[i]] = (Header){0};
    if (!hoisted.fuel) return;
    emit_move_fuel(e, false);
    e->fuel = NULL;
}

void emit_end_loops(Emit *e) {
    if (!e->fuel || e->width > 1) return;
    LLVMValueRef left = emit_entry(e, JIT_entry_steps_back, (LLVMValueRef[]){e->rt, emit_load_fuel(e)}, 2);
    LLVMBuildStore(e->builder, left, e->fuel);
}

void emit_move_fuel(Emit *e, bool from_rt) {
    if (!e->fuel) return;
    LLVMValueRef at = emit_field_address(e, e->rt, AT(e, Rt, fuel));
    LLVMValueRef fuel = LLVMBuildLoad2(e->builder, e->unit->i, from_rt ? at : e->fuel, "");
    LLVMBuildStore(e->builder, fuel, from_rt ? e->fuel : at);
}

Header emit_header(Emit *e, IrValue value, LLVMValueRef object, bool is_list) {
    const Grown *grown = e->grown[value];
    if (e->headers[value].items) return e->headers[value];
    if (!grown) return emit_read_header(e, object, is_list);
    return (Header){LLVMBuildLoad2(e->builder, e->unit->i, grown->length, ""),
                    LLVMBuildLoad2(e->builder, e->unit->r, grown->items, "")};
}
