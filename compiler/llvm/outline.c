/* Long regions: LLVM's cost grows with the square of a block, so a region of more than
 * EMIT_BLOCK_LIMIT operations is emitted as a chain of functions that are never inlined, each with
 * EMIT_CHUNK of them. Values that one chunk takes from before it or leaves to those after it lie in
 * a frame in the caller, a cell of `width` slots each:
 *
 *     store what comes from outside the region -> frame
 *     chunk 0(frame): load, EMIT_CHUNK operations, store -> frame
 *     chunk 1(frame): ...
 *     load what the region yields
 */
#include "compiler/llvm/emit.h"

typedef struct Frame {
    const IrRegion *region;
    LLVMValueRef cells;
    int *cell;     /* by value: its cell, -1 none */
    bool *outside; /* by value: defined before the region */
    int count;
} Frame;

static void note_uses(const IrRegion *region, int begin, int end, bool *used) {
    for (int i = begin; i < end; i++) {
        const IrIns *ins = region->body.items[i];
        for (int a = 0; a < ins->arg_count; a++)
            used[ins->args[a]] = true;
        for (int r = 0; r < ins->region_count; r++) {
            const IrRegion *inner = &ins->regions[r];
            note_uses(inner, 0, inner->body.count, used);
            for (int y = 0; y < inner->yields.count; y++)
                used[inner->yields.items[y]] = true;
        }
    }
}

/* The number of the chunk in which the region itself defines a value; -1: elsewhere. */
static int *chunk_of_values(Emit *e, const IrRegion *region) {
    int *chunk = ARENA_ARRAY(e->unit->arena, int, e->func->types.count);
    for (int v = 0; v < e->func->types.count; v++)
        chunk[v] = -1;
    for (int i = 0; i < region->body.count; i++)
        for (int r = 0; r < region->body.items[i]->result_count; r++)
            chunk[region->body.items[i]->results[r]] = i / EMIT_CHUNK;
    return chunk;
}

/* Gives a cell to what is used in another chunk than where it is defined, or is yielded. A value is
 * known to come from outside by having been emitted already. */
static void assign_cells(Emit *e, Frame *frame, const int *chunk) {
    const IrRegion *region = frame->region;
    int count = e->func->types.count;
    frame->cell = ARENA_ARRAY(e->unit->arena, int, count);
    frame->outside = ARENA_ARRAY(e->unit->arena, bool, count);
    bool *crosses = ARENA_ARRAY(e->unit->arena, bool, count);
    bool *used = ARENA_ARRAY(e->unit->arena, bool, count);
    for (int begin = 0; begin < region->body.count; begin += EMIT_CHUNK) {
        int left = region->body.count - begin;
        memset(used, 0, (size_t)count);
        note_uses(region, begin, begin + (left < EMIT_CHUNK ? left : EMIT_CHUNK), used);
        for (int v = 0; v < count; v++)
            crosses[v] |= used[v] && chunk[v] != begin / EMIT_CHUNK;
    }
    for (int i = 0; i < region->yields.count; i++)
        crosses[region->yields.items[i]] = true;
    for (int v = 0; v < count; v++) {
        frame->outside[v] = chunk[v] < 0 && e->values[v];
        bool known = frame->outside[v] || chunk[v] >= 0;
        frame->cell[v] = crosses[v] && known ? frame->count++ : -1;
    }
}

static LLVMValueRef cell_address(Emit *e, const Frame *frame, IrValue value) {
    return emit_slot_address(e, frame->cells, (int64_t)frame->cell[value] * e->width);
}

static void store_cell(Emit *e, const Frame *frame, IrValue value) {
    LLVMValueRef store =
        LLVMBuildStore(e->builder, e->values[value], cell_address(e, frame, value));
    LLVMSetAlignment(store, sizeof(Slot));
}

static void load_cell(Emit *e, const Frame *frame, IrValue value) {
    LLVMTypeRef type =
        emit_type(e->unit, e->func->types.items[value], emit_is_uniform(e, value) ? 1 : e->width);
    LLVMValueRef load = LLVMBuildLoad2(e->builder, type, cell_address(e, frame, value), "");
    LLVMSetAlignment(load, sizeof(Slot));
    e->values[value] = load;
}

/* (runtime, element, frame, mask if there is one) */
static LLVMTypeRef chunk_type(const Emit *e) {
    LLVMTypeRef params[] = {e->unit->r, e->unit->i, e->unit->r, NULL};
    if (e->mask) params[3] = LLVMTypeOf(e->mask);
    return LLVMFunctionType(e->unit->void_type, params, e->mask ? 4 : 3, false);
}

static void load_value(Emit *e, const Frame *frame, IrValue value) {
    if (frame->cell[value] >= 0 && !e->values[value]) load_cell(e, frame, value);
}

/* Loads what an instruction and its regions use. */
static void load_uses(Emit *e, const Frame *frame, const IrIns *ins) {
    for (int a = 0; a < ins->arg_count; a++)
        load_value(e, frame, ins->args[a]);
    for (int r = 0; r < ins->region_count; r++) {
        const IrRegion *inner = &ins->regions[r];
        for (int i = 0; i < inner->body.count; i++)
            load_uses(e, frame, inner->body.items[i]);
        for (int y = 0; y < inner->yields.count; y++)
            load_value(e, frame, inner->yields.items[y]);
    }
}

/* Each value is loaded where it is first needed and stored where it is made: few are alive at once.
 */
static void write_chunk(Emit *e, const Frame *frame, int begin, int end) {
    for (int i = begin; i < end; i++) {
        const IrIns *ins = frame->region->body.items[i];
        load_uses(e, frame, ins);
        emit_one(e, ins);
        for (int r = 0; r < ins->result_count; r++)
            if (frame->cell[ins->results[r]] >= 0) store_cell(e, frame, ins->results[r]);
    }
    emit_flush_faults(e);
    LLVMBuildRetVoid(e->builder);
}

static LLVMValueRef emit_chunk(Emit *e, const Frame *frame, int begin, int end) {
    Emit inner = *e;
    Frame mine = *frame;
    inner.values = ARENA_ARRAY(e->unit->arena, LLVMValueRef, e->func->types.count);
    inner.headers = ARENA_ARRAY(e->unit->arena, Header, e->func->types.count);
    inner.fn = LLVMAddFunction(e->unit->module, "chunk", chunk_type(e));
    emit_make_internal(e->unit, inner.fn, "noinline");
    inner.rt = LLVMGetParam(inner.fn, 0);
    inner.element = LLVMGetParam(inner.fn, 1);
    mine.cells = LLVMGetParam(inner.fn, 2);
    if (e->mask) inner.mask = LLVMGetParam(inner.fn, 3);
    emit_open_body(&inner);
    write_chunk(&inner, &mine, begin, end);
    emit_close_body(&inner);
    e->site = inner.site;
    return inner.fn;
}

static void call_chunk(Emit *e, const Frame *frame, LLVMValueRef fn) {
    LLVMValueRef args[] = {e->rt, e->element, frame->cells, e->mask};
    LLVMValueRef call = LLVMBuildCall2(e->builder, chunk_type(e), fn, args, e->mask ? 4 : 3, "");
    LLVMSetInstructionCallConv(call, LLVMFastCallConv);
}

void emit_long_region(Emit *e, const IrRegion *region) {
    Frame frame = {.region = region};
    const int *chunk = chunk_of_values(e, region);
    assign_cells(e, &frame, chunk);
    frame.cells = emit_row(e, frame.count * e->width);
    for (int v = 0; v < e->func->types.count; v++)
        if (frame.outside[v] && frame.cell[v] >= 0) store_cell(e, &frame, v);
    for (int begin = 0; begin < region->body.count; begin += EMIT_CHUNK) {
        int left = region->body.count - begin;
        LLVMBasicBlockRef here = LLVMGetInsertBlock(e->builder);
        LLVMValueRef fn =
            emit_chunk(e, &frame, begin, begin + (left < EMIT_CHUNK ? left : EMIT_CHUNK));
        LLVMPositionBuilderAtEnd(e->builder, here);
        call_chunk(e, &frame, fn);
    }
    for (int i = 0; i < region->yields.count; i++)
        if (!frame.outside[region->yields.items[i]]) load_cell(e, &frame, region->yields.items[i]);
}
