/* What a function's values are: ours or lent, by where each is defined, last used and first taken. See hold.h. */
#include "compiler/own/hold.h"

/* -- what an instruction does with its operands -- */

/* Whether an instruction takes operand i; else it only looks at it. */
bool own_takes_operand(const Own *own, const IrIns *ins, int i) {
    switch ((int)ins->op) {
    case IR_LIST_APPEND:
    case IR_CLOSURE:
        return true;
    case IR_LIST_SET:
        return i != 1;
    case IR_LIST_TAKE:
    case IR_LIST_CUT:
        return i == 0;
    case IR_PART_MAKE:
        return i >= 4;
    case IR_FOR:
        return i >= 2;
    case IR_CALL_EXTERN:
        return i == 0 && own->module->externs.items[ins->imm.i].takes;
    case IR_CALL: {
        const IrFunc *callee = own->module->funcs.items[ins->imm.i];
        return callee->takes && callee->takes[i];
    }
    default:
        return false;
    }
}

static Hold hold_of_result(const IrIns *ins) {
    switch ((int)ins->op) {
    case IR_LIST_GET:
    case IR_SELECT:
        return HOLD_COPIED;
    case IR_LIST_NEW:
    case IR_LIST_FILL:
    case IR_LIST_APPEND:
    case IR_LIST_SET:
    case IR_LIST_TAKE:
    case IR_LIST_CUT:
    case IR_CLOSURE:
    case IR_CALL:
    case IR_CALL_CLOSURE:
    case IR_CALL_EXTERN:
    case IR_PART_FAMILY:
    case IR_IF:
    case IR_FOR:
        return HOLD_OURS;
    default:
        return HOLD_LENT;
    }
}

/* -- places -- */

/* Where a value is defined, last used and first taken: numbers of lines in the order of the text; -1 none. */
typedef struct Places {
    int *defined, *used, *taken;
    int line;
    bool *given;  /* by value: a choice that is ours takes it */
    bool refuted; /* in this round over the choices */
} Places;

static void place_uses(const Own *own, Places *p, const IrIns *ins) {
    for (int i = 0; i < ins->arg_count; i++) {
        IrValue value = ins->args[i];
        if (!own_is_object(own, value)) continue;
        p->used[value] = p->line;
        if (own_takes_operand(own, ins, i) && p->taken[value] < 0) p->taken[value] = p->line;
    }
}

static void place_region(Own *own, Places *p, const IrRegion *region, const IrIns *holder) {
    for (int i = 0; i < region->params.count; i++)
        if (own_is_object(own, region->params.items[i]))
            own->hold[region->params.items[i]] = HOLD_OURS;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        p->line++;
        place_uses(own, p, ins);
        for (int k = 0; k < ins->region_count; k++)
            place_region(own, p, &ins->regions[k], ins);
        for (int k = 0; k < ins->result_count; k++) {
            if (!own_is_object(own, ins->results[k])) continue;
            own->hold[ins->results[k]] = hold_of_result(ins);
            p->defined[ins->results[k]] = p->line;
        }
    }
    p->line++;
    for (int i = 0; i < region->yields.count; i++) {
        IrValue value = region->yields.items[i];
        if (!own_is_object(own, value)) continue;
        p->used[value] = p->line;
        bool chosen = holder && holder->op == IR_IF; /* lend_choices settles what it takes */
        if (!chosen && p->taken[value] < 0) p->taken[value] = p->line;
    }
}

/* -- choices: an `if` or a select between values that others keep is kept by them, so nothing is counted -- */

/* What a cell, the program or the caller keeps while the function runs. */
static bool is_kept(const Own *own, const Places *p, IrValue value) {
    return own->hold[value] == HOLD_LENT && own->lender[value] < 0 && p->taken[value] < 0 && !p->given[value];
}

typedef void ChoiceVisitor(Own *own, Places *p, const IrIns *ins, int k, IrValue a, IrValue b);

static void each_choice(Own *own, Places *p, const IrRegion *region, ChoiceVisitor *visit) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->region_count; k++)
            each_choice(own, p, &ins->regions[k], visit);
        if (ins->op == IR_SELECT && own_is_object(own, ins->results[0]))
            visit(own, p, ins, 0, ins->args[1], ins->args[2]);
        for (int k = 0; ins->op == IR_IF && k < ins->result_count; k++)
            if (own_is_object(own, ins->results[k]))
                visit(own, p, ins, k, ins->regions[0].yields.items[k], ins->regions[1].yields.items[k]);
    }
}

static void suppose_lent(Own *own, Places *p, const IrIns *ins, int k, IrValue a, IrValue b) {
    (void)p, (void)a, (void)b;
    own->hold[ins->results[k]] = HOLD_LENT;
}

/* One that somebody takes, or of which a side is ours, is ours: it takes both sides. */
static void refute_lent(Own *own, Places *p, const IrIns *ins, int k, IrValue a, IrValue b) {
    IrValue chosen = ins->results[k];
    if (own->hold[chosen] != HOLD_LENT) return;
    if (is_kept(own, p, chosen) && is_kept(own, p, a) && is_kept(own, p, b)) return;
    own->hold[chosen] = (uint8_t)hold_of_result(ins);
    p->given[a] = p->given[b] = true;
    p->refuted = true;
}

static void rely(Own *own, Places *p, const IrIns *ins, int k, IrValue a, IrValue b) {
    (void)p;
    if (own->hold[ins->results[k]] == HOLD_LENT) own->relied[a] = own->relied[b] = true;
}

/* Each round makes at least one choice ours; what is left is lent whichever way it is looked at. */
static void lend_choices(Own *own, Places *p) {
    each_choice(own, p, &own->func->body, suppose_lent);
    do {
        p->refuted = false;
        each_choice(own, p, &own->func->body, refute_lent);
    } while (p->refuted);
    each_choice(own, p, &own->func->body, rely);
}

/* -- items -- */

/* An item is borrowed from its list when it is never taken, and its list not between its definition and its last
 * use. (A list that is taken while an item of it is live would be retained, and so copied: right, but dear.) */
static void lend_item(Own *own, const Places *p, IrValue list, IrValue item) {
    if (!own_is_object(own, item) || p->taken[item] >= 0) return;
    bool apart = p->taken[list] >= p->defined[item] && p->taken[list] <= p->used[item];
    if (apart) return;
    own->hold[item] = HOLD_LENT;
    own->lender[item] = list;
}

static void lend_items(Own *own, const Places *p, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->region_count; k++)
            lend_items(own, p, &ins->regions[k]);
        for (int k = 0; ins->op == IR_LIST_GET && k < ins->result_count; k++)
            lend_item(own, p, ins->args[0], ins->results[k]);
    }
}

/* -- a function -- */

int *own_places_row(const Own *own) {
    int count = own->func->types.count, *row = ARENA_ARRAY(own->arena, int, count);
    for (int i = 0; i < count; i++)
        row[i] = -1;
    return row;
}

void own_classify(Own *own) {
    Places places = {.defined = own_places_row(own), .used = own_places_row(own), .taken = own_places_row(own)};
    places.given = ARENA_ARRAY(own->arena, bool, own->func->types.count);
    for (int i = 0; i < own->func->params.count; i++)
        if (own_is_object(own, own->func->params.items[i]))
            own->hold[own->func->params.items[i]] = HOLD_LENT;
    place_region(own, &places, &own->func->body, NULL);
    lend_choices(own, &places);
    lend_items(own, &places, &own->func->body);
}
