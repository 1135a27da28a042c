/* Making and changing lists, and the counting of who holds what (compiler/own). What happens most is written out, the
 * rest is a call of entry.def:
 *
 *     list.set:  inside, and nobody else holds it?  ──no──> entry_list_set (the fault; a copy)
 *                    │ yes
 *                 items[index * width + first ..] = values
 *     retain:    holders 0? ──yes──> nothing        a worker's is entry_retain, which counts atomically
 */
#include "compiler/llvm/emit.h"

uint64_t emit_object_bits(const Emit *e, const IrIns *ins, int first) {
    uint64_t bits = 0;
    for (int i = first; i < ins->arg_count && i - first < 64; i++)
        if (e->func->types.items[ins->args[i]] == IR_R) bits |= 1ull << (i - first);
    return bits;
}

/* -- holders -- */

static LLVMValueRef holders_at(Emit *e, LLVMValueRef object) {
    return emit_field_address(e, object, AT(e, RtObject, holders));
}

static LLVMValueRef load_holders(Emit *e, LLVMValueRef object) {
    return LLVMBuildLoad2(e->builder, e->unit->w, holders_at(e, object), "");
}

static LLVMValueRef is_worker(Emit *e) {
    LLVMValueRef worker = emit_load_field(e, e->unit->w, e->rt, AT(e, Rt, worker));
    return LLVMBuildIsNotNull(e->builder, worker, "");
}

/* Stores the number `change` away from `holders`, or when `far` is so calls the entry. */
static void count_holder(Emit *e, LLVMValueRef object, int change, JitEntryName entry) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef counted = emit_block(e, "counted"), near = emit_block(e, "near");
    LLVMBasicBlockRef far = emit_block(e, "far"), next = emit_block(e, "");
    LLVMValueRef holders = load_holders(e, emit_null_to_zeros(e, object));
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, holders, ""), next, counted);
    LLVMPositionBuilderAtEnd(b, counted);
    LLVMValueRef slow = is_worker(e);
    LLVMValueRef one = emit_word(e->unit, 1);
    if (change < 0) slow = LLVMBuildOr(b, slow, LLVMBuildICmp(b, LLVMIntEQ, holders, one, ""), "");
    LLVMBuildCondBr(b, slow, far, near);
    LLVMPositionBuilderAtEnd(b, near);
    LLVMValueRef changed = LLVMBuildAdd(b, holders, emit_word(e->unit, (uint32_t)change), "");
    LLVMBuildStore(b, changed, holders_at(e, object));
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, far);
    emit_entry(e, entry, (LLVMValueRef[]){e->rt, object}, 2);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
}

void emit_retain(Emit *e, LLVMValueRef object) {
    count_holder(e, object, 1, JIT_entry_retain);
}

static void emit_release(Emit *e, LLVMValueRef object) {
    count_holder(e, object, -1, JIT_entry_release);
}

/* -- lists -- */

/* Two ways to a list: the quick one and the entry's. */
typedef struct Ways {
    LLVMBasicBlockRef quick, slow, next, from[2];
    LLVMValueRef lists[2];
} Ways;

/* The list is no null, and nobody else holds it. */
LLVMValueRef emit_is_ours(Emit *e, LLVMValueRef list_or_zeros) {
    LLVMValueRef holders = load_holders(e, list_or_zeros);
    return LLVMBuildICmp(e->builder, LLVMIntEQ, holders, emit_word(e->unit, 1), "");
}

static Ways ways_open(Emit *e, LLVMValueRef quick) {
    Ways ways = {.quick = emit_block(e, "ours"), .slow = emit_block(e, "copy"), .next = emit_block(e, "")};
    LLVMBuildCondBr(e->builder, quick, ways.quick, ways.slow);
    LLVMPositionBuilderAtEnd(e->builder, ways.quick);
    return ways;
}

static void ways_turn(Emit *e, Ways *ways, LLVMValueRef list) {
    ways->lists[0] = list;
    ways->from[0] = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, ways->next);
    LLVMPositionBuilderAtEnd(e->builder, ways->slow);
}

static LLVMValueRef ways_close(Emit *e, Ways *ways, LLVMValueRef list) {
    ways->lists[1] = list;
    ways->from[1] = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, ways->next);
    LLVMPositionBuilderAtEnd(e->builder, ways->next);
    LLVMValueRef phi = LLVMBuildPhi(e->builder, e->unit->r, "");
    LLVMAddIncoming(phi, ways->lists, ways->from, 2);
    return phi;
}

/* Of a list that is none of nothing. */
static LLVMValueRef items_of(Emit *e, IrValue list, LLVMValueRef object) {
    if (e->settled[list]) return emit_header(e, list, object, true).items;
    return emit_load_field(e, e->unit->r, object, AT(e, RtList, items));
}

/* The slots of item `index` from `first` on. */
static LLVMValueRef row_of(Emit *e, LLVMValueRef items, LLVMValueRef index, int64_t width, int64_t first) {
    LLVMValueRef at = LLVMBuildMul(e->builder, index, emit_int(e->unit, width), "");
    at = LLVMBuildAdd(e->builder, at, emit_int(e->unit, first), "");
    return LLVMBuildGEP2(e->builder, e->unit->i, items, &at, 1, "");
}

static void store_row(Emit *e, const IrIns *ins, const LLVMValueRef *args, int first, LLVMValueRef row) {
    for (int i = first; i < ins->arg_count; i++)
        emit_store_slot(e, emit_slot_address(e, row, i - first), args[i],
                        e->func->types.items[ins->args[i]], 1);
}

static LLVMValueRef width_of(const Emit *e, const IrIns *ins) {
    return emit_word(e->unit, (uint32_t)ins->imm2);
}

static LLVMValueRef list_new(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    LLVMValueRef call[] = {e->rt,   width_of(e, ins), emit_int(e->unit, ins->imm.i),
                           args[0], emit_element(e),  emit_span(e)};
    return emit_entry(e, JIT_entry_list_new, call, 6);
}

static LLVMValueRef list_fill(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    LLVMValueRef row = emit_store_args(e, ins, args, 1);
    LLVMValueRef call[] = {e->rt, width_of(e, ins), emit_int(e->unit, ins->imm.i), args[0],
                           row,   emit_element(e),  emit_span(e)};
    return emit_entry(e, JIT_entry_list_fill, call, 7);
}

/* Behind the slow way the header is another. */
static LLVMValueRef call_append(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    const Grown *grown = e->grown[ins->args[0]];
    LLVMValueRef call[] = {e->rt,          args[0],
                           width_of(e, ins), emit_int(e->unit, ins->imm.i),
                           emit_store_args(e, ins, args, 1), emit_element(e), emit_span(e)};
    if (grown) emit_store_grown(e, grown, args[0]);
    LLVMValueRef list = emit_entry(e, JIT_entry_list_append, call, 7);
    if (grown) emit_load_grown(e, grown, args[0]);
    return list;
}

static LLVMValueRef list_append(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    LLVMBuilderRef b = e->builder;
    bool settled = e->settled[ins->args[0]];
    const Grown *grown = e->grown[ins->args[0]];
    LLVMValueRef list = settled ? args[0] : emit_null_to_zeros(e, args[0]);
    LLVMValueRef length = emit_header(e, ins->args[0], list, true).length;
    LLVMValueRef capacity = grown ? LLVMBuildLoad2(b, e->unit->i, grown->capacity, "")
                                  : emit_load_field(e, e->unit->i, list, AT(e, RtList, capacity));
    LLVMValueRef quick = LLVMBuildICmp(b, LLVMIntSLT, length, capacity, "");
    if (!settled) quick = LLVMBuildAnd(b, emit_is_ours(e, list), quick, "");
    Ways ways = ways_open(e, quick);
    store_row(e, ins, args, 1, row_of(e, items_of(e, ins->args[0], args[0]), length, ins->imm2, 0));
    LLVMValueRef longer = LLVMBuildAdd(b, length, emit_int(e->unit, 1), "");
    LLVMBuildStore(b, longer, grown ? grown->length : emit_field_address(e, args[0], AT(e, RtList, length)));
    ways_turn(e, &ways, args[0]);
    list = ways_close(e, &ways, call_append(e, ins, args));
    return settled ? args[0] : list;
}

/* Inside, and ours. */
static LLVMValueRef is_settable(Emit *e, IrValue list, LLVMValueRef object, LLVMValueRef index) {
    bool settled = e->settled[list];
    LLVMValueRef some = settled ? object : emit_null_to_zeros(e, object);
    LLVMValueRef length = emit_header(e, list, some, true).length;
    LLVMValueRef inside = LLVMBuildICmp(e->builder, LLVMIntULT, index, length, "");
    return settled ? inside : LLVMBuildAnd(e->builder, inside, emit_is_ours(e, some), "");
}

static LLVMValueRef call_set(Emit *e, const IrIns *ins, const LLVMValueRef *args, uint64_t objects) {
    LLVMValueRef call[] = {e->rt,
                           args[0],
                           args[1],
                           emit_word(e->unit, (uint32_t)ins->imm.i),
                           emit_int(e->unit, ins->arg_count - 2),
                           emit_store_args(e, ins, args, 2),
                           emit_int(e->unit, (int64_t)objects),
                           emit_element(e),
                           emit_span(e)};
    if (e->grown[ins->args[0]]) emit_store_grown(e, e->grown[ins->args[0]], args[0]);
    return emit_entry(e, JIT_entry_list_set, call, 9);
}

/* What was there is let go when the new value stands. */
static LLVMValueRef list_set(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    int count = ins->arg_count - 2;
    uint64_t objects = emit_object_bits(e, ins, 2);
    if (e->proved[ins->results[0]]) {
        LLVMValueRef items = e->headers[ins->args[0]].items;
        store_row(e, ins, args, 2, row_of(e, items, args[1], ins->imm2, ins->imm.i));
        return args[0];
    }
    LLVMValueRef *old = ARENA_ARRAY(e->unit->arena, LLVMValueRef, count + 1);
    Ways ways = ways_open(e, is_settable(e, ins->args[0], args[0], args[1]));
    LLVMValueRef row = row_of(e, items_of(e, ins->args[0], args[0]), args[1], ins->imm2, ins->imm.i);
    for (int i = 0; i < count && i < 64; i++)
        if (objects >> i & 1) old[i] = emit_load_slot(e, emit_slot_address(e, row, i), IR_R, 1);
    store_row(e, ins, args, 2, row);
    for (int i = 0; i < count && i < 64; i++)
        if (objects >> i & 1) emit_release(e, old[i]);
    ways_turn(e, &ways, args[0]);
    LLVMValueRef list = ways_close(e, &ways, call_set(e, ins, args, objects));
    return e->settled[ins->args[0]] ? args[0] : list;
}

static void list_take(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results) {
    int count = ins->result_count - 1;
    LLVMValueRef out = emit_results_row(e, count);
    LLVMValueRef call[] = {e->rt,
                           args[0],
                           args[1],
                           emit_word(e->unit, (uint32_t)ins->imm.i),
                           emit_int(e->unit, count),
                           out,
                           emit_element(e),
                           emit_span(e)};
    results[0] = emit_entry(e, JIT_entry_list_take, call, 8);
    for (int i = 0; i < count; i++)
        results[i + 1] = emit_load_slot(e, emit_slot_address(e, out, i), IR_R, 1);
}

static LLVMValueRef list_cut(Emit *e, const LLVMValueRef *args) {
    LLVMValueRef call[] = {e->rt, args[0], args[1], emit_element(e), emit_span(e)};
    return emit_entry(e, JIT_entry_list_cut, call, 5);
}

bool emit_list(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results) {
    switch ((int)ins->op) {
    case IR_LIST_NEW:
        results[0] = list_new(e, ins, args);
        return true;
    case IR_LIST_FILL:
        results[0] = list_fill(e, ins, args);
        return true;
    case IR_LIST_APPEND:
        results[0] = list_append(e, ins, args);
        return true;
    case IR_LIST_SET:
        results[0] = list_set(e, ins, args);
        return true;
    case IR_LIST_TAKE:
        list_take(e, ins, args, results);
        return true;
    case IR_LIST_CUT:
        results[0] = list_cut(e, args);
        return true;
    case IR_RETAIN:
        emit_retain(e, args[0]);
        return true;
    case IR_RELEASE:
        emit_release(e, args[0]);
        return true;
    default:
        return false;
    }
}
