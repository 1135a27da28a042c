/* What runs with a parameter, and how fast: x / 300 goes from cell to cell of a noise once in 300.
 * Bends are left out: of x + 40 * fbm(x / 300, ...) only the x counts.
 */
#include <math.h>

#include "compiler/range/walk.h"

Linear linear_join(Linear a, Linear b) {
    if (a.param < 0 || b.param < 0) return a.param < 0 ? b : a;
    return fabs(b.factor) > fabs(a.factor) ? b : a;
}

static Linear sum(Linear a, Linear b, double sign) {
    b.factor *= sign;
    if (a.param < 0 || a.param != b.param) return linear_join(a, b);
    return (Linear){a.param, a.factor + b.factor};
}

static Linear times(Linear a, Range factor) {
    if (!range_is_point(IR_F, factor)) return (Linear){.param = -1};
    a.factor *= factor.lo;
    return a;
}

static Linear over(Linear a, Range divisor) {
    if (!range_is_point(IR_F, divisor) || divisor.lo == 0) return (Linear){.param = -1};
    a.factor /= divisor.lo;
    return a;
}

/* -- floors -- */

static void add_floor(Walk *walk, RangeFloor floor) {
    RangeContext *context = walk->context;
    if (floor.value.param < 0 || floor.value.factor == 0) return;
    for (int i = 0; i < context->floors.count; i++) {
        RangeFloor *known = &context->floors.items[i];
        if (known->ins != floor.ins || known->value.param != floor.value.param) continue;
        if (fabs(known->value.factor) < fabs(floor.value.factor)) *known = floor;
        return;
    }
    VEC_PUSH(walk->ranges->input.arena, &context->floors, floor);
}

static bool has_cells(const Walk *walk) {
    const RangeInput *input = &walk->ranges->input;
    return input->has_cells && input->has_cells(input->user, walk->func->index);
}

void walk_linear(Walk *walk, const IrIns *ins) {
    Linear *out = &walk->linear[ins->results[0]], none = {.param = -1};
    Linear a = ins->arg_count > 0 ? walk->linear[ins->args[0]] : none;
    Linear b = ins->arg_count > 1 ? walk->linear[ins->args[1]] : none;
    *out = none;
    if (ins->op == IR_ADD_F)
        *out = sum(a, b, 1);
    else if (ins->op == IR_SUB_F)
        *out = sum(a, b, -1);
    else if (ins->op == IR_MUL_F)
        *out = linear_join(times(a, walk->env[ins->args[1]]), times(b, walk->env[ins->args[0]]));
    else if (ins->op == IR_DIV_F)
        *out = over(a, walk->env[ins->args[1]]);
    else if (ins->op == IR_NEG_F)
        *out = (Linear){a.param, -a.factor};
    else if (ins->op == IR_FLOOR_F && has_cells(walk))
        add_floor(walk, (RangeFloor){.ins = ins, .value = a});
}

void walk_linear_call(Walk *walk, const IrIns *ins, const RangeContext *callee) {
    for (int i = 0; i < ins->result_count; i++) {
        Linear inside = callee->linear[i];
        if (inside.param < 0) continue;
        Linear arg = walk->linear[ins->args[inside.param]];
        walk->linear[ins->results[i]] = (Linear){arg.param, arg.factor * inside.factor};
    }
    for (int i = 0; i < callee->floors.count; i++) {
        Linear inside = callee->floors.items[i].value;
        Linear arg = walk->linear[ins->args[inside.param]];
        add_floor(walk, (RangeFloor){.ins = ins,
                                     .value = {arg.param, arg.factor * inside.factor},
                                     .callee = callee,
                                     .callee_param = inside.param,
                                     .passed = arg.factor});
    }
}
