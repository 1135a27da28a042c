/* What a function means, as a number; and how a world's classes are laid out. */
#include "compiler/engine/open/recall.h"
#include "runtime/base/hash.h"

typedef struct Hashing {
    const IrModule *module;
    uint64_t *hashes;
    bool *done;
} Hashing;

static uint64_t mix(uint64_t hash, uint64_t value) {
    return hash_bytes(&value, sizeof value, hash);
}

static uint64_t mix_text(uint64_t hash, Str text) {
    return hash_bytes(text.ptr, text.len, mix(hash, text.len));
}

static uint64_t hash_func(Hashing *h, int index);

/* The first immediate by what it names, not by its number in a table. */
static uint64_t mix_immediate(Hashing *h, uint64_t hash, const IrIns *ins) {
    IrImm imm = ir_op_info(ins->op)->imm;
    if (imm == IR_IMM_FUNC || imm == IR_IMM_CLOSURE)
        return mix(hash, hash_func(h, (int)ins->imm.i));
    Str name = ir_imm_name(h->module, ins);
    return name.ptr ? mix_text(hash, name) : mix(hash, (uint64_t)ins->imm.i);
}

static uint64_t mix_values(uint64_t hash, const IrValue *values, int count) {
    return hash_bytes(values, sizeof *values * (size_t)count, mix(hash, (uint64_t)count));
}

static uint64_t mix_region(Hashing *h, uint64_t hash, const IrRegion *region) {
    hash = mix_values(hash, region->params.items, region->params.count);
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        hash = mix(hash, ins->op);
        hash = mix_values(hash, ins->results, ins->result_count);
        hash = mix_values(hash, ins->args, ins->arg_count);
        hash = mix(mix_immediate(h, hash, ins), (uint64_t)ins->imm2);
        for (int k = 0; k < ins->region_count; k++)
            hash = mix_region(h, hash, &ins->regions[k]);
    }
    return mix_values(hash, region->yields.items, region->yields.count);
}

static uint64_t hash_func(Hashing *h, int index) {
    if (h->done[index]) return h->hashes[index];
    const IrFunc *func = h->module->funcs.items[index];
    uint64_t hash = mix((uint64_t)func->params.count, (uint64_t)func->results.count);
    hash =
        hash_bytes(func->types.items, sizeof *func->types.items * (size_t)func->types.count, hash);
    hash = mix_region(h, hash, &func->body);
    h->done[index] = true; /* the call graph has no cycles */
    h->hashes[index] = hash;
    return hash;
}

uint64_t *recall_hash_functions(const IrModule *module, Arena *arena) {
    Hashing h = {module, ARENA_ARRAY(arena, uint64_t, module->funcs.count + 1),
                 ARENA_ARRAY(arena, bool, module->funcs.count + 1)};
    for (int i = 0; i < module->funcs.count; i++)
        hash_func(&h, i);
    return h.hashes;
}

static uint64_t mix_children(uint64_t hash, const TreeProgram *program, const TreeChild *items,
                             int count) {
    for (int i = 0; i < count; i++) {
        hash = mix_text(hash, symbols_name(program->symbols, items[i].name));
        hash = mix(hash, (uint64_t)items[i].cls->index);
    }
    return mix(hash, (uint64_t)count);
}

uint64_t recall_hash_layout(const TreeProgram *program, Arena *arena) {
    uint64_t hash = (uint64_t)program->classes.count;
    for (int i = 0; i < program->classes.count; i++) {
        const TreeClass *cls = program->classes.items[i];
        hash = mix(mix_text(hash, cls->name), cls->base ? (uint64_t)cls->base->index : UINT64_MAX);
        for (int f = 0; f < cls->fields.count; f++) {
            const TreeField *field = &cls->fields.items[f];
            hash = mix_text(hash, symbols_name(program->symbols, field->name));
            hash = mix(mix_text(hash, type_name(field->type, program->symbols, arena)),
                       (uint64_t)field->slot);
        }
        hash = mix_children(hash, program, cls->children.items, cls->children.count);
        hash = mix_children(hash, program, cls->families.items, cls->families.count);
    }
    return hash;
}
