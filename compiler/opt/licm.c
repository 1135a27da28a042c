/* Needs: verified IR. Gives: operations of a loop's own lines that are the same in every round
 * stand before the loop. May change: the place of PURE operations and of reads of lists and grids.
 *
 * A loop may run no round at all, so only what nobody can tell is moved: no faults, no calls, no
 * reads of cells.
 */
#include "compiler/opt/pass.h"

typedef struct Licm {
    Opt *opt;
    int *depths; /* by value: loops round its definition */
    int depth;   /* loops round the current place */
} Licm;

static bool may_move(const IrIns *ins) {
    IrEffect effect = ir_op_info(ins->op)->effect;
    if (effect == IR_PURE) return true;
    return ins->op == IR_LIST_LENGTH || (ins->op >= IR_GRID_COLUMNS && ins->op <= IR_GRID_OUTSIDE);
}

/* Whether all operands come from outside of the innermost loop. */
static bool is_same_each_round(const Licm *l, const IrIns *ins) {
    for (int i = 0; i < ins->arg_count; i++)
        if (l->depths[ins->args[i]] >= l->depth) return false;
    return true;
}

static void define(Licm *l, const IrValue *values, int count, int depth) {
    for (int i = 0; i < count; i++)
        l->depths[values[i]] = depth;
}

static void move_out_of_region(Licm *l, IrRegion *region, OptBody *before);

/* Puts the loop into `out` behind what moves out of it. That is then a line of the loop round this
 * one, if any. */
static void move_out_of_loop(Licm *l, IrIns *loop, OptBody *out) {
    l->depth++;
    define(l, loop->regions[0].params.items, loop->regions[0].params.count, l->depth);
    move_out_of_region(l, &loop->regions[0], out);
    l->depth--;
    VEC_PUSH(l->opt->arena, out, loop);
}

/* `before`: where to put what moves, when the region is a loop's body; else NULL. */
static void move_out_of_region(Licm *l, IrRegion *region, OptBody *before) {
    OptBody out = {0};
    OptBody lines = {0};
    for (int i = 0; i < region->body.count; i++) {
        IrIns *ins = region->body.items[i];
        if (ins->op == IR_FOR) {
            move_out_of_loop(l, ins, &lines);
        } else {
            for (int k = 0; k < ins->region_count; k++)
                move_out_of_region(l, &ins->regions[k], NULL);
            VEC_PUSH(l->opt->arena, &lines, ins);
        }
    }
    for (int i = 0; i < lines.count; i++) {
        IrIns *ins = lines.items[i];
        bool moves =
            before && ins->region_count == 0 && may_move(ins) && is_same_each_round(l, ins);
        define(l, ins->results, ins->result_count, moves ? l->depth - 1 : l->depth);
        if (moves)
            VEC_PUSH(l->opt->arena, before, ins);
        else
            VEC_PUSH(l->opt->arena, &out, ins);
    }
    opt_set_body(region, out);
}

void opt_licm(Opt *opt, IrFunc *func) {
    Licm licm = {.opt = opt, .depths = ARENA_ARRAY(opt->scratch, int, func->types.count)};
    move_out_of_region(&licm, &func->body, NULL);
}
