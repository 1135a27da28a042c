/* Whole numbers that are never below 0, whatever the program is given: lengths, counters from 0, sums and remainders of such.
 * Of them a division rounded down, as the language divides, is the processor's own. A fault gives 0, so nothing here hangs
 * on there being none.
 *
 * All are held for natural at first; what refutes one is looked for until there is nothing more, for what a loop carries is
 * made of itself.
 */
#include "compiler/llvm/emit.h"

typedef struct Search {
    Emit *e;
    bool changed;
} Search;

static bool is_natural(const Search *search, IrValue value) {
    return search->e->natural[value];
}

static void refute_if(Search *search, IrValue value, bool refuted) {
    if (!refuted || !search->e->natural[value]) return;
    search->e->natural[value] = false;
    search->changed = true;
}

static bool is_made_natural(const Search *search, const IrIns *ins) {
    bool a = ins->arg_count > 0 && is_natural(search, ins->args[0]);
    bool b = ins->arg_count > 1 && is_natural(search, ins->args[1]);
    switch ((int)ins->op) {
    case IR_CONST_I:
        return ins->imm.i >= 0;
    case IR_W_TO_I:
    case IR_B_TO_I:
    case IR_LIST_LENGTH:
        return true;
    case IR_ADD_I:
    case IR_MUL_I:
    case IR_WRAP_ADD_I: /* which never does: opt/narrow.c */
    case IR_WRAP_MUL_I:
    case IR_DIV_I:
    case IR_OR_I:
    case IR_XOR_I:
        return a && b;
    case IR_MOD_I: /* of the sign of b */
        return b;
    case IR_AND_I:
        return a || b;
    case IR_SHR_I:
        return a;
    case IR_SELECT:
        return b && is_natural(search, ins->args[2]);
    default:
        return false;
    }
}

static void search_region(Search *search, const IrRegion *region);

static void search_if(Search *search, const IrIns *ins) {
    for (int k = 0; k < 2; k++) {
        search_region(search, &ins->regions[k]);
        for (int i = 0; i < ins->result_count; i++)
            refute_if(search, ins->results[i], !is_natural(search, ins->regions[k].yields.items[i]));
    }
}

static void search_for(Search *search, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    const IrValue *params = body->params.items;
    refute_if(search, params[0], !is_natural(search, ins->args[0]));
    for (int i = 0; i < ins->result_count; i++)
        refute_if(search, params[i + 1], !is_natural(search, ins->args[i + 2]));
    search_region(search, body);
    for (int i = 0; i < ins->result_count; i++) {
        refute_if(search, params[i + 1], !is_natural(search, body->yields.items[i]));
        refute_if(search, ins->results[i], !is_natural(search, params[i + 1]));
    }
}

static void search_region(Search *search, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ins->op == IR_IF)
            search_if(search, ins);
        else if (ins->op == IR_FOR)
            search_for(search, ins);
        else
            for (int k = 0; k < ins->result_count; k++)
                refute_if(search, ins->results[k], !is_made_natural(search, ins));
    }
}

void natural_find(Emit *e) {
    Search search = {.e = e};
    e->natural = ARENA_ARRAY(e->unit->arena, bool, e->func->types.count);
    for (int i = 0; i < e->func->types.count; i++)
        e->natural[i] = e->func->types.items[i] == IR_I;
    for (int i = 0; i < e->func->params.count; i++)
        e->natural[e->func->params.items[i]] = false;
    do {
        search.changed = false;
        search_region(&search, ir_run_body(e->func));
    } while (search.changed);
}
