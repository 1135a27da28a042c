#include "compiler/ir/meaning.h"

#include <stdlib.h>

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

typedef struct Named {
    uint64_t hash;
    int number;
} Named;

static int compare(const void *left, const void *right) {
    const Named *a = left, *b = right;
    if (a->hash != b->hash) return a->hash < b->hash ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static const int *order_by_hash(const uint64_t *hashes, int count, Arena *arena) {
    Named *named = ARENA_ARRAY(arena, Named, count + 1);
    int *order = ARENA_ARRAY(arena, int, count + 1);
    for (int i = 0; i < count; i++)
        named[i] = (Named){hashes[i], i};
    qsort(named, (size_t)count, sizeof *named, compare);
    for (int i = 0; i < count; i++)
        order[i] = named[i].number;
    return order;
}

IrMeanings ir_meanings(const IrModule *module, Arena *arena) {
    int count = module->funcs.count;
    Hashing h = {module, ARENA_ARRAY(arena, uint64_t, count + 1), ARENA_ARRAY(arena, bool, count + 1)};
    for (int i = 0; i < count; i++)
        hash_func(&h, i);
    return (IrMeanings){h.hashes, order_by_hash(h.hashes, count, arena), count};
}

/* How many from there on mean the same. */
static int count_same(const IrMeanings *meanings, int from) {
    int count = 1;
    while (from + count < meanings->count && meanings->of[meanings->order[from + count]] == meanings->of[meanings->order[from]])
        count++;
    return count;
}

int *ir_match(const IrMeanings *before, const IrMeanings *now, Arena *arena) {
    int *match = ARENA_ARRAY(arena, int, before->count + 1);
    for (int i = 0, k = 0, count; i < before->count; i += count) {
        uint64_t wanted = before->of[before->order[i]];
        count = count_same(before, i);
        while (k < now->count && now->of[now->order[k]] < wanted)
            k++;
        bool same = k < now->count && now->of[now->order[k]] == wanted && count_same(now, k) == count;
        for (int turn = 0; turn < count; turn++)
            match[before->order[i + turn]] = same ? now->order[k + turn] : -1;
    }
    return match;
}
