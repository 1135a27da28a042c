/* Operations on objects, for one lane: lists, grids, parts, cells, closures, streams and native
 * functions. Reads are loads at the offsets of the runtime's structs; whatever makes or changes
 * something is a call of entry.def. No object (null) reads as zeros: loads go to a block of zeros
 * instead, so nothing branches for it.
 *
 *     field.get:  part null? ──yes──> entry_cell_read
 *                    │ no                  ^
 *                 mark fresh? ───no────────┘       the test of rt_cell_get in part.h
 *                    │ yes
 *                 part->slots + offset
 */
#include "compiler/llvm/emit.h"
#include "runtime/random/stream.h"

LLVMValueRef emit_load_field(Emit *e, LLVMTypeRef type, LLVMValueRef object, size_t offset) {
    return LLVMBuildLoad2(e->builder, type, emit_field_address(e, object, offset), "");
}

LLVMValueRef emit_null_to_zeros(Emit *e, LLVMValueRef object) {
    LLVMValueRef none = LLVMBuildIsNull(e->builder, object, "");
    return LLVMBuildSelect(e->builder, none, emit_zeros(e->unit), object, "");
}

/* A field of an object that may be null. */
static LLVMValueRef read_field(Emit *e, LLVMTypeRef type, LLVMValueRef object, size_t offset) {
    return emit_load_field(e, type, emit_null_to_zeros(e, object), offset);
}

static LLVMValueRef read_widened(Emit *e, LLVMValueRef object, size_t offset) {
    LLVMValueRef narrow = read_field(e, e->unit->w, object, offset);
    return LLVMBuildSExt(e->builder, narrow, e->unit->i, "");
}

static void load_results(Emit *e, const IrIns *ins, LLVMValueRef row, LLVMValueRef *results) {
    for (int i = 0; i < ins->result_count; i++)
        results[i] = emit_load_slot(e, emit_slot_address(e, row, i),
                                    e->func->types.items[ins->results[i]], 1);
}

/* Puts operands first.. in the row of arguments. */
LLVMValueRef emit_store_args(Emit *e, const IrIns *ins, const LLVMValueRef *args, int first) {
    for (int i = first; i < ins->arg_count; i++)
        emit_store_slot(e, emit_slot_address(e, e->args_row, i - first), args[i],
                        e->func->types.items[ins->args[i]], 1);
    if (e->row_args < ins->arg_count - first) e->row_args = ins->arg_count - first;
    return ins->arg_count > first ? e->args_row : LLVMConstNull(e->unit->r);
}

LLVMValueRef emit_results_row(Emit *e, int count) {
    if (e->row_results < count) e->row_results = count;
    return count > 0 ? e->results_row : LLVMConstNull(e->unit->r);
}

/* -- lists and grids -- */

/* Where an index is asked about; no blocks when it was proved to be inside. */
typedef struct Check {
    LLVMBasicBlockRef outside, next;
} Check;

static Check check_open(Emit *e, const IrIns *ins, LLVMValueRef index, LLVMValueRef length) {
    if (e->proved[ins->results[0]]) return (Check){0};
    Check check = {emit_block(e, "outside"), emit_block(e, "")};
    LLVMBasicBlockRef inside = emit_block(e, "inside");
    LLVMValueRef bad = LLVMBuildICmp(e->builder, LLVMIntUGE, index, length, "");
    LLVMBuildCondBr(e->builder, bad, check.outside, inside);
    LLVMPositionBuilderAtEnd(e->builder, check.outside);
    emit_call_fault_index(e, bad, index, length);
    LLVMBuildBr(e->builder, check.next);
    LLVMPositionBuilderAtEnd(e->builder, inside);
    return check;
}

/* Outside: the fault was called, and zeros. */
static void check_close(Emit *e, const IrIns *ins, Check check, LLVMValueRef *results) {
    if (!check.next) return;
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(e->builder), check.outside};
    LLVMBuildBr(e->builder, check.next);
    LLVMPositionBuilderAtEnd(e->builder, check.next);
    for (int i = 0; i < ins->result_count; i++) {
        LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(results[i]), "");
        LLVMValueRef values[] = {results[i], LLVMConstNull(LLVMTypeOf(results[i]))};
        LLVMAddIncoming(phi, values, from, 2);
        results[i] = phi;
    }
}

static void list_get(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results) {
    Header list = emit_header(e, ins->args[0], args[0], true);
    Check check = check_open(e, ins, args[1], list.length);
    LLVMValueRef at = LLVMBuildMul(e->builder, args[1], emit_int(e->unit, ins->imm2), "");
    at = LLVMBuildAdd(e->builder, at, emit_int(e->unit, ins->imm.i), "");
    load_results(e, ins, LLVMBuildGEP2(e->builder, e->unit->i, list.items, &at, 1, ""), results);
    check_close(e, ins, check, results);
}

LLVMValueRef emit_grid_size(Emit *e, LLVMValueRef grid) {
    LLVMValueRef columns = emit_load_field(e, e->unit->w, grid, AT(e, RtGrid, columns));
    LLVMValueRef rows = emit_load_field(e, e->unit->w, grid, AT(e, RtGrid, rows));
    LLVMValueRef tail = emit_load_field(e, e->unit->i, grid, AT(e, RtGrid, tail));
    columns = LLVMBuildSExt(e->builder, columns, e->unit->i, "");
    columns = LLVMBuildMul(e->builder, columns, LLVMBuildSExt(e->builder, rows, e->unit->i, ""), "");
    return LLVMBuildAdd(e->builder, columns, tail, "");
}

static void grid_get(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results) {
    Header grid = emit_header(e, ins->args[0], args[0], false);
    Check check = check_open(e, ins, args[1], grid.length);
    LLVMValueRef index = args[1];
    LLVMValueRef at = LLVMBuildGEP2(e->builder, e->unit->f32, grid.items, &index, 1, "");
    LLVMValueRef sample = LLVMBuildLoad2(e->builder, e->unit->f32, at, "");
    results[0] = LLVMBuildFPExt(e->builder, sample, e->unit->f, "");
    check_close(e, ins, check, results);
}

/* -- parts and cells -- */

/* mark == reader, or a host asks and the cell is ready; never when it is empty. */
static LLVMValueRef is_fresh(Emit *e, LLVMValueRef part, int64_t field) {
    LLVMBuilderRef b = e->builder;
    LLVMValueRef marks = emit_load_field(e, e->unit->r, part, AT(e, RtPart, marks));
    LLVMValueRef mark = emit_load_field(e, e->unit->w, marks, sizeof(uint32_t) * (size_t)field);
    LLVMSetOrdering(mark, LLVMAtomicOrderingAcquire); /* the slots were written before it */
    LLVMSetAlignment(mark, sizeof(uint32_t));
    LLVMValueRef reader = emit_load_field(e, e->unit->w, e->rt, AT(e, Rt, reader));
    LLVMValueRef read = LLVMBuildICmp(b, LLVMIntEQ, mark, reader, "");
    LLVMValueRef host = LLVMBuildIsNull(b, reader, "");
    LLVMValueRef busy = emit_word(e->unit, RT_MARK_BUSY);
    LLVMValueRef ready = LLVMBuildICmp(b, LLVMIntNE, mark, busy, "");
    LLVMValueRef free = LLVMBuildOr(b, read, LLVMBuildAnd(b, host, ready, ""), "");
    return LLVMBuildAnd(b, free, LLVMBuildIsNotNull(b, mark, ""), "");
}

static void field_get(Emit *e, const IrIns *ins, LLVMValueRef part, LLVMValueRef *results) {
    LLVMBuilderRef b = e->builder;
    LLVMBasicBlockRef some = emit_block(e, "part"), fresh = emit_block(e, "fresh");
    LLVMBasicBlockRef read = emit_block(e, "read"), next = emit_block(e, "");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, part, ""), read, some);
    LLVMPositionBuilderAtEnd(b, some);
    LLVMBuildCondBr(b, is_fresh(e, part, ins->imm.i), fresh, read);
    LLVMPositionBuilderAtEnd(b, fresh);
    LLVMValueRef slots = emit_load_field(e, e->unit->r, part, AT(e, RtPart, slots));
    LLVMValueRef rows[2] = {emit_slot_address(e, slots, ins->imm2)};
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, read);
    LLVMValueRef field = emit_word(e->unit, (uint32_t)ins->imm.i);
    LLVMValueRef slot = emit_word(e->unit, (uint32_t)ins->imm2);
    LLVMValueRef call[] = {e->rt, part, field, slot, emit_element(e), emit_span(e)};
    rows[1] = emit_entry(e, JIT_entry_cell_read, call, 6);
    LLVMBasicBlockRef from[2] = {fresh, LLVMGetInsertBlock(b)};
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef row = LLVMBuildPhi(b, e->unit->r, "");
    LLVMAddIncoming(row, rows, from, 2);
    load_results(e, ins, row, results);
}

/* Captures that the part has not are zeros. */
static void capture_get(Emit *e, const IrIns *ins, LLVMValueRef part, LLVMValueRef *results) {
    part = emit_null_to_zeros(e, part);
    LLVMValueRef count = read_widened(e, part, AT(e, RtPart, capture_count));
    LLVMValueRef captures = emit_load_field(e, e->unit->r, part, AT(e, RtPart, captures));
    LLVMValueRef last = emit_int(e->unit, ins->imm.i + ins->result_count);
    LLVMValueRef missing = LLVMBuildICmp(e->builder, LLVMIntSLT, count, last, "");
    LLVMValueRef at = emit_int(e->unit, ins->imm.i);
    LLVMValueRef row = LLVMBuildGEP2(e->builder, e->unit->i, captures, &at, 1, "");
    row = LLVMBuildSelect(e->builder, missing, emit_zeros(e->unit), row, "");
    load_results(e, ins, row, results);
}

static LLVMValueRef part_root(Emit *e) {
    return emit_entry(e, JIT_entry_part_root, &e->rt, 1);
}

/* part.child and part.family: an index, and the fault's place. */
static LLVMValueRef part_indexed(Emit *e, JitEntryName entry, const IrIns *ins, LLVMValueRef part) {
    LLVMValueRef index = emit_word(e->unit, (uint32_t)ins->imm.i);
    LLVMValueRef call[] = {e->rt, part, index, emit_element(e), emit_span(e)};
    return emit_entry(e, entry, call, 5);
}

static LLVMValueRef part_member(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    LLVMValueRef family = emit_word(e->unit, (uint32_t)ins->imm.i);
    LLVMValueRef call[] = {e->rt, args[0], family, args[1], args[2], emit_element(e), emit_span(e)};
    return emit_entry(e, JIT_entry_part_member, call, 7);
}

static void part_make(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    for (int i = 4; i < ins->arg_count; i++) /* a part is read by many threads */
        if (e->func->types.items[ins->args[i]] == IR_R)
            emit_entry(e, JIT_entry_freeze, (LLVMValueRef[]){args[i]}, 1);
    LLVMValueRef captures = emit_store_args(e, ins, args, 4);
    LLVMValueRef call[] = {e->rt,
                           args[0],
                           emit_word(e->unit, (uint32_t)ins->imm.i),
                           emit_word(e->unit, (uint32_t)ins->imm2),
                           args[1],
                           args[2],
                           args[3],
                           emit_word(e->unit, (uint32_t)(ins->arg_count - 4)),
                           captures,
                           emit_element(e),
                           emit_span(e)};
    emit_entry(e, JIT_entry_part_make, call, 11);
}

static LLVMValueRef act_spawn(Emit *e, const LLVMValueRef *args) {
    LLVMValueRef call[] = {e->rt, args[0], args[1], emit_element(e), emit_span(e)};
    return emit_entry(e, JIT_entry_act_spawn, call, 5);
}

static void act_set(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    LLVMValueRef call[] = {e->rt,
                           args[0],
                           emit_word(e->unit, (uint32_t)ins->imm.i),
                           emit_word(e->unit, (uint32_t)ins->imm2),
                           emit_word(e->unit, (uint32_t)(ins->arg_count - 1)),
                           emit_store_args(e, ins, args, 1),
                           emit_word(e->unit, ins->op == IR_ACT_ADD),
                           emit_element(e),
                           emit_span(e)};
    emit_entry(e, JIT_entry_act_set, call, 9);
}

/* -- functions and streams -- */

static LLVMValueRef closure(Emit *e, const IrIns *ins, const LLVMValueRef *args) {
    const IrFunc *func = e->unit->program->binding.module->funcs.items[ins->imm.i];
    int draws = ins->imm2 != 0, params = func->params.count - ins->arg_count - draws;
    LLVMValueRef symbol =
        emit_symbol(e->unit, str_printf(e->unit->arena, "func:%.*s", STR_ARG(func->name)));
    LLVMValueRef index = LLVMBuildPtrToInt(e->builder, symbol, e->unit->i, "");
    LLVMValueRef call[] = {e->rt,
                           LLVMBuildTrunc(e->builder, index, e->unit->w, ""),
                           emit_word(e->unit, (uint32_t)ins->arg_count),
                           emit_int(e->unit, (int64_t)emit_object_bits(e, ins, 0)),
                           emit_word(e->unit, (uint32_t)params),
                           emit_word(e->unit, (uint32_t)func->results.count),
                           emit_word(e->unit, (uint32_t)draws)};
    LLVMValueRef object = emit_entry(e, JIT_entry_closure, call, 7);
    if (emit_is_own(e->unit->program, (int)ins->imm.i))
        LLVMBuildStore(e->builder, emit_symbol(e->unit, STR_LIT("code")),
                       emit_field_address(e, object, AT(e, RtClosure, code)));
    LLVMValueRef captures = emit_field_address(e, object, AT(e, RtClosure, captures));
    for (int i = 0; i < ins->arg_count; i++)
        emit_store_slot(e, emit_slot_address(e, captures, i), args[i],
                        e->func->types.items[ins->args[i]], 1);
    return object;
}

static void call_closure(Emit *e, const IrIns *ins, const LLVMValueRef *args,
                         LLVMValueRef *results) {
    LLVMValueRef row = emit_results_row(e, ins->result_count);
    for (int i = 0; i < ins->result_count; i++) /* the answer of what is no closure */
        LLVMBuildStore(e->builder, emit_int(e->unit, 0), emit_slot_address(e, row, i));
    LLVMValueRef call[] = {e->rt, args[0],         args[1],     emit_store_args(e, ins, args, 2),
                           row,   emit_element(e), emit_span(e)};
    emit_entry(e, JIT_entry_call_closure, call, 7);
    load_results(e, ins, row, results);
}

static void call_extern(Emit *e, const IrIns *ins, const LLVMValueRef *args,
                        LLVMValueRef *results) {
    const IrExtern *native = &e->unit->program->binding.module->externs.items[ins->imm.i];
    LLVMValueRef row = emit_results_row(e, ins->result_count);
    LLVMValueRef thunk =
        emit_symbol(e->unit, str_printf(e->unit->arena, "extern:%.*s", STR_ARG(native->name)));
    LLVMValueRef call[] = {e->rt,
                           thunk,
                           emit_store_args(e, ins, args, 0),
                           row,
                           emit_int(e->unit, ins->result_count),
                           emit_element(e),
                           emit_span(e)};
    emit_entry(e, JIT_entry_call_extern, call, 7);
    load_results(e, ins, row, results);
}

/* pcg_hash of runtime/math/pcg.h. */
static LLVMValueRef pcg(Emit *e, LLVMValueRef v) {
    LLVMBuilderRef b = e->builder;
    Unit *u = e->unit;
    LLVMValueRef s = LLVMBuildMul(b, v, emit_word(u, 747796405u), "");
    s = LLVMBuildAdd(b, s, emit_word(u, 2891336453u), "");
    LLVMValueRef by =
        LLVMBuildAdd(b, LLVMBuildLShr(b, s, emit_word(u, 28), ""), emit_word(u, 4), "");
    LLVMValueRef w = LLVMBuildXor(b, LLVMBuildLShr(b, s, by, ""), s, "");
    w = LLVMBuildMul(b, w, emit_word(u, 277803737u), "");
    return LLVMBuildXor(b, LLVMBuildLShr(b, w, emit_word(u, 22), ""), w, "");
}

/* stream_next, written out; no stream is a fault and gives 0. */
static LLVMValueRef draw(Emit *e, LLVMValueRef stream) {
    LLVMBuilderRef b = e->builder;
    LLVMTypeRef w = e->unit->w, i = e->unit->i;
    LLVMBasicBlockRef some = emit_block(e, "draw"), next = emit_block(e, "");
    LLVMValueRef none = LLVMBuildIsNull(b, stream, "");
    emit_fault(e, none, RT_FAULT_NO_VALUE);
    emit_flush_faults(e);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b);
    LLVMBuildCondBr(b, none, next, some);
    LLVMPositionBuilderAtEnd(b, some);
    LLVMValueRef state_at = emit_field_address(e, stream, AT(e, RtStream, state));
    LLVMValueRef drawn_at = emit_field_address(e, stream, AT(e, RtStream, drawn));
    LLVMValueRef drawn = LLVMBuildLoad2(b, i, drawn_at, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, drawn, emit_int(e->unit, 1), ""), drawn_at);
    LLVMValueRef state = LLVMBuildLoad2(b, w, state_at, "");
    state = LLVMBuildAdd(b, state, emit_word(e->unit, STREAM_STEP), "");
    LLVMBuildStore(b, state, state_at);
    LLVMValueRef values[2] = {emit_word(e->unit, 0), pcg(e, state)};
    LLVMBasicBlockRef from[2] = {before, LLVMGetInsertBlock(b)};
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    LLVMValueRef number = LLVMBuildPhi(b, w, "");
    LLVMAddIncoming(number, values, from, 2);
    return number;
}

static LLVMValueRef grid_field(Emit *e, LLVMValueRef grid, size_t offset) {
    return read_field(e, e->unit->f, grid, offset);
}

/* The scalar operations are scalar.c's, control flow region.c's: they do not come here. */
void emit_object(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results) {
    LLVMTypeRef r = e->unit->r;
    if (emit_list(e, ins, args, results)) return;
    switch ((int)ins->op) {
    case IR_CONST_TEXT:
        results[0] = emit_text(e->unit, ins->imm.i);
        break;
    case IR_CONST_DESIGN:
        results[0] = emit_class(e->unit, ins->imm.i);
        break;
    case IR_CALL_CLOSURE:
        call_closure(e, ins, args, results);
        break;
    case IR_CALL_EXTERN:
        call_extern(e, ins, args, results);
        break;
    case IR_CLOSURE:
        results[0] = closure(e, ins, args);
        break;
    case IR_LIST_LENGTH:
        results[0] = emit_header(e, ins->args[0], args[0], true).length;
        break;
    case IR_LIST_GET:
        list_get(e, ins, args, results);
        break;
    case IR_GRID_GET:
        grid_get(e, ins, args, results);
        break;
    case IR_GRID_COLUMNS:
        results[0] = read_widened(e, args[0], AT(e, RtGrid, columns));
        break;
    case IR_GRID_ROWS:
        results[0] = read_widened(e, args[0], AT(e, RtGrid, rows));
        break;
    case IR_GRID_FINER:
        results[0] = read_widened(e, args[0], AT(e, RtGrid, finer));
        break;
    case IR_GRID_CELL:
        results[0] = grid_field(e, args[0], AT(e, RtGrid, cell));
        break;
    case IR_GRID_X0:
        results[0] = grid_field(e, args[0], AT(e, RtGrid, x0));
        break;
    case IR_GRID_Z0:
        results[0] = grid_field(e, args[0], AT(e, RtGrid, z0));
        break;
    case IR_GRID_OUTSIDE:
        results[0] = grid_field(e, args[0], AT(e, RtGrid, outside));
        break;
    case IR_PART_ROOT:
        results[0] = part_root(e);
        break;
    case IR_PART_PARENT:
        results[0] = read_field(e, r, args[0], AT(e, RtPart, parent));
        break;
    case IR_PART_CHILD:
        results[0] = part_indexed(e, JIT_entry_part_child, ins, args[0]);
        break;
    case IR_PART_MEMBER:
        results[0] = part_member(e, ins, args);
        break;
    case IR_PART_FAMILY:
        results[0] = part_indexed(e, JIT_entry_part_family, ins, args[0]);
        break;
    case IR_PART_MAKE:
        part_make(e, ins, args);
        break;
    case IR_ACT_SPAWN:
        results[0] = act_spawn(e, args);
        break;
    case IR_ACT_SET:
    case IR_ACT_ADD:
        act_set(e, ins, args);
        break;
    case IR_FIELD_GET:
        field_get(e, ins, args[0], results);
        break;
    case IR_CAPTURE_GET:
        capture_get(e, ins, args[0], results);
        break;
    case IR_DRAW_W:
        results[0] = draw(e, args[0]);
        break;
    default:
        break;
    }
}
