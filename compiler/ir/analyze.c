/* The facts of every function, worked out from its instructions and its callees' facts, callees
 * first. Needs a verified module (no recursion). A closure that is called may be anything, so such
 * a call counts as drawing and allocating. One that is given no stream draws nothing, so lanes may
 * call it in any order; what acts is never called as a closure by another function: the runtime alone does, when a tick is at it.
 */
#include "compiler/ir/ir.h"

enum { MAX_WEIGHT = 1 << 28 };

static void analyze_func(IrModule *module, IrFunc *func, bool *done);

/* As the verifier counts: a function that is made a value may be called. */
static void add_depth(IrFunc *func, const IrFunc *callee) {
    if (func->call_depth <= callee->call_depth) func->call_depth = callee->call_depth + 1;
}

static void add_call(IrFunc *func, const IrFunc *callee) {
    func->batchable &= callee->batchable;
    func->closures |= callee->closures;
    func->draws |= callee->draws;
    func->allocates |= callee->allocates;
    func->acts |= callee->acts;
    func->reads_parts |= callee->reads_parts;
    func->weight += callee->weight;
    add_depth(func, callee);
    if (func->weight > MAX_WEIGHT) func->weight = MAX_WEIGHT;
}

static void add_effect(IrFunc *func, IrEffect effect) {
    func->batchable &= effect == IR_PURE || effect == IR_FAULTS || effect == IR_READS;
    func->draws |= effect == IR_DRAWS;
    func->allocates |= effect == IR_ALLOCATES || effect == IR_CHANGES;
    func->acts |= effect == IR_ACTS;
}

static bool reads_parts(IrOp op) {
    return op == IR_PART_ROOT || op == IR_PART_PARENT || op == IR_PART_CHILD ||
           op == IR_PART_MEMBER || op == IR_PART_FAMILY || op == IR_FIELD_GET ||
           op == IR_CAPTURE_GET;
}

typedef struct Analysis {
    IrModule *module;
    IrFunc *func;
    bool *done;
} Analysis;

typedef struct Definition {
    IrValue value;
    IrOp op;
} Definition;

static bool find_definition(const IrIns *ins, void *user) {
    Definition *wanted = user;
    for (int i = 0; i < ins->result_count; i++)
        if (ins->results[i] == wanted->value) wanted->op = ins->op;
    return true;
}

static bool has_stream(const IrFunc *func, const IrIns *call) {
    Definition stream = {call->args[1], IR_CALL};
    ir_each_ins(&func->body, find_definition, &stream);
    return stream.op != IR_NULL_R;
}

static bool analyze_ins(const IrIns *ins, void *user) {
    Analysis *a = user;
    IrFunc *func = a->func;
    if (func->weight < MAX_WEIGHT) func->weight++;
    func->reads_parts |= reads_parts(ins->op);
    if (ins->op == IR_CALL) {
        analyze_func(a->module, a->module->funcs.items[ins->imm.i], a->done);
        add_call(func, a->module->funcs.items[ins->imm.i]);
    } else if (ins->op == IR_CALL_EXTERN) {
        add_effect(func, a->module->externs.items[ins->imm.i].effect);
    } else if (ins->op == IR_CALL_CLOSURE) {
        func->closures = func->draws = func->allocates = func->reads_parts = true;
        func->batchable &= !has_stream(func, ins);
    } else if (ins->op == IR_CLOSURE) {
        analyze_func(a->module, a->module->funcs.items[ins->imm.i], a->done);
        add_depth(func, a->module->funcs.items[ins->imm.i]);
        add_effect(func, ir_op_info(ins->op)->effect);
    } else if (ins->region_count == 0) {
        add_effect(func, ir_op_info(ins->op)->effect);
    }
    return true;
}

static void analyze_func(IrModule *module, IrFunc *func, bool *done) {
    if (done[func->index]) return;
    done[func->index] = true;
    func->batchable = true;
    func->closures = func->draws = func->allocates = func->acts = func->reads_parts = false;
    func->weight = 0;
    func->call_depth = 1;
    ir_each_ins(&func->body, analyze_ins, &(Analysis){module, func, done});
}

void ir_analyze(IrModule *module, int first) {
    bool *done = ARENA_ARRAY(module->arena, bool, module->funcs.count);
    for (int i = 0; i < first; i++)
        done[i] = true;
    for (int i = first; i < module->funcs.count; i++)
        analyze_func(module, module->funcs.items[i], done);
}
