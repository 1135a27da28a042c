/* Two texts of one instruction behind a condition: the quick one is written first. What stands inside is written as often,
 * and may double again: so all its texts are counted before one more is begun. */
#include "compiler/llvm/emit.h"

static void forget(Emit *e, IrValue value) {
    e->values[value] = NULL;
    e->ranges[value] = (Range){0};
    e->proved[value] = false;
}

void emit_forget(Emit *e, const IrRegion *region) {
    for (int i = 0; i < region->params.count; i++)
        forget(e, region->params.items[i]);
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->result_count; k++)
            forget(e, ins->results[k]);
        for (int k = 0; k < ins->region_count; k++)
            emit_forget(e, &ins->regions[k]);
    }
}

/* One that takes or gives many values, of a record say, is many operations in machine code. */
static int operations(const IrRegion *region) {
    enum { VALUES = 2 };
    int count = 0;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        count += 1 + (ins->arg_count + ins->result_count) / VALUES;
        for (int k = 0; k < ins->region_count; k++)
            count += operations(&ins->regions[k]);
    }
    return count;
}

bool emit_may_double(const Emit *e, const IrRegion *region, int most) {
    return e->texts * operations(region) <= most;
}

Versions versions_open(Emit *e, const IrIns *ins) {
    e->texts *= 2;
    return (Versions){.ins = ins, .site = e->site, .plain = emit_block(e, "plain"), .next = emit_block(e, "")};
}

static void leave(Emit *e, Versions *v, int side) {
    v->from[side] = LLVMGetInsertBlock(e->builder);
    LLVMBuildBr(e->builder, v->next);
}

void versions_turn(Emit *e, Versions *v) {
    v->results = ARENA_ARRAY(e->unit->arena, LLVMValueRef, v->ins->result_count + 1);
    for (int i = 0; i < v->ins->result_count; i++)
        v->results[i] = e->values[v->ins->results[i]];
    leave(e, v, 0);
    for (int k = 0; k < v->ins->region_count; k++)
        emit_forget(e, &v->ins->regions[k]);
    e->site = v->site;
    LLVMPositionBuilderAtEnd(e->builder, v->plain);
}

void versions_close(Emit *e, Versions *v) {
    e->texts /= 2;
    leave(e, v, 1);
    LLVMPositionBuilderAtEnd(e->builder, v->next);
    for (int i = 0; i < v->ins->result_count; i++) {
        IrValue result = v->ins->results[i];
        LLVMValueRef both[] = {v->results[i], e->values[result]};
        LLVMValueRef phi = LLVMBuildPhi(e->builder, LLVMTypeOf(both[0]), "");
        LLVMAddIncoming(phi, both, v->from, 2);
        e->values[result] = phi;
    }
}
