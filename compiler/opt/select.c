/* Needs: verified IR. Gives: `if`s whose sides are a few PURE operations as those operations and
 * selects. May change: such an `if` into lines of its parent region.
 *
 * Working both sides out costs less than choosing one when the sides are small: on many lanes both
 * are mostly worked out anyway. What could be told from outside (a fault, a read, a call) keeps the
 * `if`.
 */
#include "compiler/opt/pass.h"

enum { MAX_COST = 16, SLOW_COST = 6 };

/* Of one side; more than MAX_COST when it must not be made unconditional. */
static int cost_of(const IrRegion *region) {
    int cost = 0;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ir_op_info(ins->op)->effect != IR_PURE) return MAX_COST + 1;
        if (ins->op == IR_SCALE_F) return MAX_COST + 1; /* a score of instructions */
        bool slow = ins->op == IR_DIV_F || ins->op == IR_SQRT_F;
        bool free = ir_op_info(ins->op)->operands[0] == '\0';
        cost += slow ? SLOW_COST : free ? 0 : 1;
    }
    return cost;
}

static void convert_region(Opt *opt, IrRegion *region);

static void append_select(Opt *opt, const IrIns *ins, int index, OptBody *out) {
    IrIns *select = ir_ins_create(opt->arena, IR_SELECT, 1, 3);
    select->span = ins->span;
    select->results[0] = ins->results[index];
    select->args[0] = ins->args[0];
    for (int k = 0; k < 2; k++)
        select->args[k + 1] = ins->regions[k].yields.items[index];
    VEC_PUSH(opt->arena, out, select);
}

static void convert_ins(Opt *opt, IrIns *ins, OptBody *out) {
    for (int k = 0; k < ins->region_count; k++)
        convert_region(opt, &ins->regions[k]);
    if (ins->op != IR_IF || cost_of(&ins->regions[0]) + cost_of(&ins->regions[1]) > MAX_COST) {
        VEC_PUSH(opt->arena, out, ins);
        return;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < ins->regions[k].body.count; i++)
            VEC_PUSH(opt->arena, out, ins->regions[k].body.items[i]);
    for (int i = 0; i < ins->result_count; i++)
        append_select(opt, ins, i, out);
}

static void convert_region(Opt *opt, IrRegion *region) {
    OptBody out = {0};
    for (int i = 0; i < region->body.count; i++)
        convert_ins(opt, region->body.items[i], &out);
    opt_set_body(region, out);
}

void opt_select(Opt *opt, IrFunc *func) {
    convert_region(opt, &func->body);
}
