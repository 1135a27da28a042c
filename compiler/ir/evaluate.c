/* One operation on plain numbers, worked out by eval.h as it would be when run. */
#include "compiler/ir/evaluate.h"

#include "compiler/ir/eval.h"

bool ir_evaluate(IrOp op, const Slot *args, Slot *out) {
#define EXPR1(NAME, R, X, expr)                                                                    \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(args->X) a = args[0].X;                                                         \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define EXPR2(NAME, R, X, Y, expr)                                                                 \
    if (op == IR_##NAME) {                                                                         \
        __typeof__(args->X) a = args[0].X;                                                         \
        __typeof__(args->Y) b = args[1].Y;                                                         \
        out->R = (expr);                                                                           \
        return true;                                                                               \
    }
#define CHECK1(NAME, R, X, function, code)                                                         \
    if (op == IR_##NAME) return function(args[0].X, &out->R);
#define CHECK2(NAME, R, X, Y, function, code)                                                      \
    if (op == IR_##NAME) return function(args[0].X, args[1].Y, &out->R);
#include "compiler/ir/expr.def"
#undef EXPR1
#undef EXPR2
#undef CHECK1
#undef CHECK2
    return false;
}
