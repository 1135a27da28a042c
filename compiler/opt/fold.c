/* Needs: verified IR. Gives: operations on constants worked out (by the functions of eval.h, as
 * they would be when run), algebra that is exact for every IEEE value, `if`s and `for`s whose
 * condition is known opened. May change: instructions into constants or simpler ones, operands,
 * regions into the lines of their parent.
 *
 * A checked operation that would fault on its constants is left to fault when it runs. Of NaN only
 * that it is one is kept, which is all that a program can tell.
 */
#include <math.h>

#include "compiler/ir/eval.h"
#include "compiler/ir/evaluate.h"
#include "compiler/opt/pass.h"
#include "runtime/rt/rt.h"

typedef struct Fold {
    Opt *opt;
    IrFunc *func;
    OptMap map;
    IrIns **made_by; /* by value: the instruction that gives it; NULL for parameters */
    int known;       /* values of made_by */
} Fold;

/* -- constants -- */

static const IrIns *maker_of(const Fold *f, IrValue value) {
    return value < f->known ? f->made_by[value] : NULL;
}

static bool constant_of(const Fold *f, IrValue value, Slot *slot) {
    const IrIns *ins = maker_of(f, value);
    if (ins == NULL) return false;
    if (ins->op == IR_CONST_F)
        *slot = slot_f(ins->imm.f);
    else if (ins->op == IR_CONST_B || ins->op == IR_CONST_W || ins->op == IR_CONST_I)
        *slot = slot_i(ins->imm.i);
    else
        return false;
    return true;
}

static bool is_float(const Fold *f, IrValue value, double want) {
    Slot slot, wanted = slot_f(want);
    return constant_of(f, value, &slot) && slot.w == wanted.w; /* by bits: 0 is not -0 */
}

static bool is_int(const Fold *f, IrValue value, int64_t want) {
    Slot slot;
    return constant_of(f, value, &slot) && slot.i == want;
}

static void become_constant(const Fold *f, IrIns *ins, Slot value) {
    static const IrOp ops[] = {IR_CONST_B, IR_CONST_W, IR_CONST_I, IR_CONST_F};
    ins->op = ops[f->func->types.items[ins->results[0]]];
    ins->arg_count = 0;
    ins->imm.i = value.i;
    if (ins->op == IR_CONST_F) ins->imm.f = value.f;
}

/* Works the operation out if all its operands are constants and it does not fault. */
static bool evaluate(const Fold *f, const IrIns *ins, Slot *out) {
    Slot args[2] = {{0}, {0}};
    if (ins->arg_count < 1 || ins->arg_count > 2) return false;
    for (int i = 0; i < ins->arg_count; i++)
        if (!constant_of(f, ins->args[i], &args[i])) return false;
    return ir_evaluate(ins->op, args, out);
}

/* -- algebra: the value an instruction is equal to, or -1 -- */

/* The operand that is left when the other is the constant that changes nothing. */
static IrValue other_than(const Fold *f, const IrIns *ins, int64_t neutral) {
    if (is_int(f, ins->args[1], neutral)) return ins->args[0];
    return is_int(f, ins->args[0], neutral) ? ins->args[1] : -1;
}

static IrValue right_neutral(const Fold *f, const IrIns *ins, int64_t neutral) {
    return is_int(f, ins->args[1], neutral) ? ins->args[0] : -1;
}

static IrValue undo(const Fold *f, const IrIns *ins) {
    const IrIns *inner = maker_of(f, ins->args[0]);
    return inner && inner->op == ins->op ? inner->args[0] : -1;
}

static IrValue simplify_float(const Fold *f, const IrIns *ins) {
    IrValue a = ins->args[0], b = ins->arg_count > 1 ? ins->args[1] : -1;
    if (ins->op == IR_ADD_F) return is_float(f, b, -0.0) ? a : is_float(f, a, -0.0) ? b : -1;
    if (ins->op == IR_SUB_F) return is_float(f, b, 0.0) ? a : -1;
    if (ins->op == IR_MUL_F) return is_float(f, b, 1.0) ? a : is_float(f, a, 1.0) ? b : -1;
    if (ins->op == IR_DIV_F) return is_float(f, b, 1.0) ? a : -1;
    if (ins->op == IR_NEG_F) return undo(f, ins);
    return -1;
}

static IrValue simplify_whole(const Fold *f, const IrIns *ins) {
    bool same = ins->arg_count == 2 && ins->args[0] == ins->args[1];
    if (ins->op == IR_ADD_I || ins->op == IR_ADD_W || ins->op == IR_OR_I || ins->op == IR_XOR_I ||
        ins->op == IR_OR_W || ins->op == IR_XOR_W || ins->op == IR_OR_B || ins->op == IR_XOR_B) {
        IrValue left = other_than(f, ins, 0);
        if (left >= 0) return left;
    }
    if (ins->op == IR_SUB_I || ins->op == IR_SUB_W || ins->op == IR_SHL_I || ins->op == IR_SHR_I ||
        ins->op == IR_SHL_W || ins->op == IR_SHR_W)
        return right_neutral(f, ins, 0);
    if (ins->op == IR_MUL_I || ins->op == IR_MUL_W || ins->op == IR_AND_B) {
        IrValue left = other_than(f, ins, 1);
        if (left >= 0) return left;
    }
    if (ins->op == IR_DIV_I || ins->op == IR_DIV_W) return right_neutral(f, ins, 1);
    if (ins->op == IR_AND_I || ins->op == IR_AND_W) {
        IrValue left = other_than(f, ins, ins->op == IR_AND_I ? -1 : (int64_t)UINT32_MAX);
        if (left >= 0) return left;
    }
    if (same && (ins->op == IR_AND_I || ins->op == IR_OR_I || ins->op == IR_AND_W ||
                 ins->op == IR_OR_W || ins->op == IR_AND_B || ins->op == IR_OR_B))
        return ins->args[0];
    return ins->op == IR_NOT_B ? undo(f, ins) : -1;
}

static IrValue simplify_select(const Fold *f, const IrIns *ins) {
    Slot condition, yes, no;
    if (ins->args[1] == ins->args[2]) return ins->args[1];
    if (constant_of(f, ins->args[0], &condition)) return ins->args[condition.w ? 1 : 2];
    if (f->func->types.items[ins->results[0]] != IR_B) return -1;
    bool plain = constant_of(f, ins->args[1], &yes) && constant_of(f, ins->args[2], &no);
    return plain && yes.w && !no.w ? ins->args[0] : -1;
}

static IrValue simplify(const Fold *f, const IrIns *ins) {
    if (ins->op == IR_SELECT) return simplify_select(f, ins);
    if (ins->arg_count < 1 || ins->result_count != 1) return -1;
    IrType type = f->func->types.items[ins->results[0]];
    return type == IR_F ? simplify_float(f, ins) : simplify_whole(f, ins);
}

/* What is one constant whatever the other operand is. */
static bool absorb(const Fold *f, const IrIns *ins, Slot *out) {
    if (ins->arg_count != 2) return false;
    bool same = ins->args[0] == ins->args[1];
    bool zero = is_int(f, ins->args[0], 0) || is_int(f, ins->args[1], 0);
    bool one = is_int(f, ins->args[0], 1) || is_int(f, ins->args[1], 1);
    *out = slot_i(0);
    if (zero &&
        (ins->op == IR_MUL_I || ins->op == IR_MUL_W || ins->op == IR_AND_I || ins->op == IR_AND_W ||
                 ins->op == IR_AND_B))
        return true;
    if (same &&
        (ins->op == IR_SUB_I || ins->op == IR_SUB_W || ins->op == IR_XOR_I || ins->op == IR_XOR_W ||
         ins->op == IR_XOR_B ||
         ins->op == IR_LT_I || ins->op == IR_NE_I || ins->op == IR_LT_W))
        return true;
    *out = slot_i(1);
    if (one && ins->op == IR_OR_B) return true;
    return same &&
           (ins->op == IR_EQ_I || ins->op == IR_LE_I || ins->op == IR_EQ_W || ins->op == IR_EQ_R);
}

/* A list that was just made has no items, so a loop over them goes (Map() walks the pairs it is given). */
static bool is_length_of_none(const Fold *f, const IrIns *ins, Slot *out) {
    const IrIns *list = ins->op == IR_LIST_LENGTH ? maker_of(f, ins->args[0]) : NULL;
    *out = slot_i(0);
    return list && list->op == IR_LIST_NEW;
}

/* -- rewriting -- */

/* Division by a power of two is multiplication by its inverse, when that is one too: both round the
 * same number. */
static void divide_by_power(Fold *f, IrIns *ins, OptBody *out) {
    Slot b;
    if (ins->op != IR_DIV_F || !constant_of(f, ins->args[1], &b)) return;
    int64_t exponent = eval_exponent(b.f);
    if (exponent < -1000 || exponent > 1000 || fabs(b.f) != eval_power_of_two(exponent)) return;
    IrIns *inverse = ir_ins_create(f->opt->arena, IR_CONST_F, 1, 0);
    inverse->span = ins->span;
    inverse->results[0] = ir_value_new(f->opt->module, f->func, IR_F);
    inverse->imm.f = 1 / b.f;
    VEC_PUSH(f->opt->arena, out, inverse);
    ins->op = IR_MUL_F;
    ins->args[1] = inverse->results[0];
}

/* x < 0 ? -x : x + 0, which is how the library says |x|. */
static void become_absolute(Fold *f, IrIns *ins) {
    if (ins->op != IR_SELECT) return;
    const IrIns *below = maker_of(f, ins->args[0]), *turned = maker_of(f, ins->args[1]), *sum = maker_of(f, ins->args[2]);
    if (!below || below->op != IR_LT_F || !turned || turned->op != IR_NEG_F || !sum || sum->op != IR_ADD_F) return;
    IrValue x = below->args[0];
    bool zeros = is_float(f, below->args[1], 0.0) && is_float(f, sum->args[1], 0.0);
    if (!zeros || turned->args[0] != x || sum->args[0] != x) return;
    ins->op = IR_ABS_F;
    ins->arg_count = 1;
    ins->args[0] = x;
}

static void fold_region(Fold *f, IrRegion *region);
static void fold_into(Fold *f, const IrRegion *region, OptBody *out);

static void replace_results(Fold *f, const IrIns *ins, const IrValue *values) {
    for (int i = 0; i < ins->result_count; i++)
        f->map.to[ins->results[i]] = opt_map_get(&f->map, values[i]);
}

/* An `if` whose condition is known: the side it takes, in its place. */
static bool open_if(Fold *f, const IrIns *ins, OptBody *out) {
    Slot condition;
    if (!constant_of(f, ins->args[0], &condition)) return false;
    const IrRegion *side = &ins->regions[condition.w ? 0 : 1];
    fold_into(f, side, out);
    replace_results(f, ins, side->yields.items);
    return true;
}

/* A `for` that never runs, or once. */
static bool open_for(Fold *f, IrIns *ins, OptBody *out) {
    Slot from, to;
    const IrRegion *body = &ins->regions[0];
    bool same = ins->args[0] == ins->args[1];
    bool known = constant_of(f, ins->args[0], &from) && constant_of(f, ins->args[1], &to);
    if (same || (known && from.i >= to.i)) {
        replace_results(f, ins, ins->args + 2);
        return true;
    }
    if (!known || from.i != to.i - 1) return false;
    f->map.to[body->params.items[0]] = ins->args[0];
    for (int i = 1; i < body->params.count; i++)
        f->map.to[body->params.items[i]] = ins->args[i + 1];
    fold_into(f, body, out);
    replace_results(f, ins, body->yields.items);
    return true;
}

/* A result that is the same value on both sides is that value. */
static void merge_same_yields(Fold *f, const IrIns *ins) {
    if (ins->op != IR_IF) return;
    for (int i = 0; i < ins->result_count; i++) {
        IrValue yes = ins->regions[0].yields.items[i], no = ins->regions[1].yields.items[i];
        if (yes == no) f->map.to[ins->results[i]] = yes;
    }
}

static bool is_idle_fault(const Fold *f, const IrIns *ins) {
    return ins->op == IR_FAULT_IF && is_int(f, ins->args[0], 0);
}

static void fold_ins(Fold *f, IrIns *ins, OptBody *out) {
    Slot value;
    opt_map_values(&f->map, ins->args, ins->arg_count);
    if (is_idle_fault(f, ins)) return;
    if (ins->op == IR_IF && open_if(f, ins, out)) return;
    if (ins->op == IR_FOR && open_for(f, ins, out)) return;
    for (int i = 0; i < ins->region_count; i++)
        fold_region(f, &ins->regions[i]);
    merge_same_yields(f, ins);
    if (evaluate(f, ins, &value) || absorb(f, ins, &value) || is_length_of_none(f, ins, &value))
        become_constant(f, ins, value);
    IrValue same = simplify(f, ins);
    if (same >= 0) {
        f->map.to[ins->results[0]] = same;
        return;
    }
    divide_by_power(f, ins, out);
    become_absolute(f, ins);
    for (int i = 0; i < ins->result_count; i++)
        f->made_by[ins->results[i]] = ins;
    VEC_PUSH(f->opt->arena, out, ins);
}

static void fold_into(Fold *f, const IrRegion *region, OptBody *out) {
    for (int i = 0; i < region->body.count; i++)
        fold_ins(f, region->body.items[i], out);
}

static void fold_region(Fold *f, IrRegion *region) {
    OptBody out = {0};
    fold_into(f, region, &out);
    opt_set_body(region, out);
    opt_map_values(&f->map, region->yields.items, region->yields.count);
}

void opt_fold(Opt *opt, IrFunc *func) {
    Fold fold = {.opt = opt, .func = func, .known = func->types.count};
    fold.made_by = ARENA_ARRAY(opt->scratch, IrIns *, fold.known);
    opt_map_init(&fold.map, opt, func);
    fold_region(&fold, &func->body);
}
