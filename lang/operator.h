/* Operators: one numbering for the syntax tree and the checked one (operator.def). */
#ifndef WORLD_LANG_OPERATOR_H
#define WORLD_LANG_OPERATOR_H

#include <stdbool.h>

typedef enum Operator {
    OP_SET, /* plain `=` of an assignment: not an operator */
#define UNARY(NAME, TOKEN, CLASS) OP_##NAME,
#define BINARY(NAME, TOKEN, CLASS, function) OP_##NAME,
#include "lang/operator.def"
    OP_COUNT
} Operator;

typedef enum OperatorClass {
    OPERATOR_NONE,
    OPERATOR_SUM,
    OPERATOR_PRODUCT,
    OPERATOR_REMAINDER,
    OPERATOR_EQUALITY,
    OPERATOR_ORDER,
    OPERATOR_LOGIC,
    OPERATOR_BITS
} OperatorClass;

/* "+" */
const char *operator_text(Operator op);
OperatorClass operator_class(Operator op);
/* Equality or order: the answer is a bool. */
bool operator_compares(Operator op);
/* "plus", the function that other types give it by; "" where there is none. */
const char *operator_function(Operator op);

/* Of the token between two operands, and of an assignment's. */
Operator operator_of(int token);
Operator operator_of_assignment(int token);

#endif
