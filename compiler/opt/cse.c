/* Needs: verified IR. Gives: no instruction repeats what one before it, in its own or an outer
 * region, worked out. May change: operands; drops the repetitions.
 *
 * Lists, grids and, while one thing is worked out, cells do not change, so what reads them may be
 * shared too; and so may what faults: the first of the two has recorded the fault. What makes an
 * object may not: it is told by eq.r.
 */
#include "compiler/opt/pass.h"

typedef struct Entry {
    const IrIns *ins;
    struct Entry *next; /* of the same bucket */
    uint32_t bucket;
} Entry;

typedef struct Cse {
    Opt *opt;
    const IrFunc *func;
    OptMap map;
    Entry **buckets; /* heads; entries of a region leave when it ends */
    uint32_t bucket_mask;
    VEC(Entry *) open; /* entries in scope, oldest first */
} Cse;

static bool may_share(const Opt *opt, const IrIns *ins) {
    if (ins->result_count == 0 || ins->region_count) return false;
    return (opt_effects_of_ins(opt, ins) & (EFFECT_MAKES | EFFECT_DRAWS | EFFECT_ACTS)) == 0;
}

static uint32_t hash_ins(const IrIns *ins) {
    uint64_t hash = (uint64_t)ins->op * 0x9e3779b97f4a7c15u ^ (uint64_t)ins->imm.i;
    hash = hash * 0xff51afd7ed558ccdu + (uint64_t)ins->imm2;
    for (int i = 0; i < ins->arg_count; i++)
        hash = (hash ^ (uint64_t)ins->args[i]) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(hash >> 32);
}

static bool are_same(const Cse *cse, const IrIns *a, const IrIns *b) {
    for (int i = 0; i < a->result_count && i < b->result_count; i++)
        if (cse->func->types.items[a->results[i]] != cse->func->types.items[b->results[i]])
            return false;
    return a->op == b->op && a->imm.i == b->imm.i && a->imm2 == b->imm2 &&
           a->arg_count == b->arg_count && a->result_count == b->result_count &&
           (a->arg_count == 0 ||
            memcmp(a->args, b->args, sizeof *a->args * (size_t)a->arg_count) == 0);
}

static const IrIns *find(const Cse *cse, const IrIns *ins) {
    for (const Entry *entry = cse->buckets[hash_ins(ins) & cse->bucket_mask]; entry;
         entry = entry->next)
        if (are_same(cse, entry->ins, ins)) return entry->ins;
    return NULL;
}

static void remember(Cse *cse, const IrIns *ins) {
    Entry *entry = ARENA_NEW(cse->opt->scratch, Entry);
    entry->ins = ins;
    entry->bucket = hash_ins(ins) & cse->bucket_mask;
    entry->next = cse->buckets[entry->bucket];
    cse->buckets[entry->bucket] = entry;
    VEC_PUSH(cse->opt->scratch, &cse->open, entry);
}

static void forget_until(Cse *cse, int count) {
    while (cse->open.count > count) {
        const Entry *entry = cse->open.items[--cse->open.count];
        cse->buckets[entry->bucket] = entry->next;
    }
}

static void share_region(Cse *cse, IrRegion *region) {
    int kept = 0, scope = cse->open.count;
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        opt_map_values(&cse->map, ins->args, ins->arg_count);
        for (int k = 0; k < ins->region_count; k++)
            share_region(cse, &ins->regions[k]);
        const IrIns *earlier = may_share(cse->opt, ins) ? find(cse, ins) : NULL;
        if (earlier) {
            for (int k = 0; k < ins->result_count; k++)
                cse->map.to[ins->results[k]] = earlier->results[k];
            continue;
        }
        if (may_share(cse->opt, ins)) remember(cse, ins);
        region->body.items[kept++] = ins;
    }
    region->body.count = kept;
    opt_map_values(&cse->map, region->yields.items, region->yields.count);
    forget_until(cse, scope);
}

void opt_cse(Opt *opt, IrFunc *func) {
    Cse cse = {.opt = opt, .func = func, .bucket_mask = 63};
    while ((int)cse.bucket_mask < func->types.count)
        cse.bucket_mask = cse.bucket_mask * 2 + 1;
    cse.buckets = ARENA_ARRAY(opt->scratch, Entry *, cse.bucket_mask + 1);
    opt_map_init(&cse.map, opt, func);
    share_region(&cse, &func->body);
}
