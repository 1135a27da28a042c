/* What the emitter must know of a function and everything it calls: whether lanes that are off may
 * run it, and the hash of all its machine code depends on. The hash leaves spans out (machine code
 * finds them through a table), so moving a function within its file costs nothing.
 */
#include "compiler/llvm/program.h"
#include "runtime/base/hash.h"

typedef struct Walk {
    EmitProgram *program;
    FuncFacts *facts;
} Walk;

static void add_u64(Walk *walk, uint64_t value) {
    walk->facts->hash = hash_bytes(&value, sizeof value, walk->facts->hash);
}

static void add_str(Walk *walk, Str text) {
    walk->facts->hash = hash_bytes(text.ptr, text.len, walk->facts->hash + text.len);
}

static void add_values(Walk *walk, const IrFunc *func, const IrValue *values, int count) {
    add_u64(walk, (uint64_t)count);
    for (int i = 0; i < count; i++)
        add_u64(walk, (uint64_t)values[i] << 8 | (uint64_t)func->types.items[values[i]]);
}

static void add_callee(Walk *walk, int64_t index) {
    const FuncFacts *callee = facts_of(walk->program, (int)index);
    add_u64(walk, callee->hash);
    walk->facts->masked |= callee->masked;
}

/* Immediates by what they mean, not by their index, wherever machine code goes by the meaning. */
static void add_immediates(Walk *walk, const IrIns *ins) {
    const IrModule *module = walk->program->binding.module;
    IrImm imm = ir_op_info(ins->op)->imm;
    Str name = ir_imm_name(module, ins);
    add_u64(walk, (uint64_t)ins->imm2);
    if (name.ptr)
        add_str(walk, name);
    else
        add_u64(walk, (uint64_t)ins->imm.i);
    if (imm == IR_IMM_FUNC) add_callee(walk, ins->imm.i);
    if (imm != IR_IMM_CLOSURE) return;
    const IrFunc *func = module->funcs.items[ins->imm.i];
    add_u64(walk, (uint64_t)func->params.count << 32 | (uint64_t)func->results.count);
    add_u64(walk, emit_is_own(walk->program, (int)ins->imm.i));
}

static void add_region(Walk *walk, const IrFunc *func, const IrRegion *region) {
    walk->facts->size += region->body.count;
    add_values(walk, func, region->params.items, region->params.count);
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        IrEffect effect = ir_op_info(ins->op)->effect;
        walk->facts->makes |= ins->op == IR_LIST_NEW || ins->op == IR_LIST_FILL;
        walk->facts->loops |= ins->op == IR_FOR;
        bool calls = ins->op == IR_IF || ins->op == IR_CALL;
        if (effect != IR_PURE && !calls) walk->facts->masked = true;
        if (ins->result_count > EMIT_ZERO_SLOTS) walk->facts->size += EMIT_UNIT_LIMIT; /* refused */
        add_u64(walk, (uint64_t)ins->op);
        add_immediates(walk, ins);
        add_values(walk, func, ins->args, ins->arg_count);
        add_values(walk, func, ins->results, ins->result_count);
        for (int r = 0; r < ins->region_count; r++)
            add_region(walk, func, &ins->regions[r]);
    }
    add_values(walk, func, region->yields.items, region->yields.count);
}

uint64_t facts_key(EmitProgram *program, int func, JitForm form) {
    Str name = program->binding.module->funcs.items[func]->name;
    uint64_t parts[] = {JIT_ABI, facts_of(program, func)->hash, form.wide, form.wide ? form.uniform : 0};
    return hash_bytes(name.ptr, name.len, hash_bytes(parts, sizeof parts, 0));
}

const FuncFacts *facts_of(EmitProgram *program, int index) {
    FuncFacts *facts = &program->facts[index];
    if (facts->known) return facts;
    const IrFunc *func = program->binding.module->funcs.items[index];
    Walk walk = {program, facts};
    add_u64(&walk, func->out_of_line);
    add_u64(&walk, (uint64_t)func->weight);
    facts->masked = func->weight > EMIT_STEP_WEIGHT;
    add_values(&walk, func, func->params.items, func->params.count);
    for (int i = 0; func->takes && i < func->params.count; i++)
        add_u64(&walk, func->takes[i]);
    add_region(&walk, func, ir_run_body(func));
    facts->known = true;
    return facts;
}
