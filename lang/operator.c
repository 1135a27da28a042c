/* What operator.def says of each operator. */
#include "lang/operator.h"

#include "lang/grammar.h"
#include "lang/token.h"

typedef struct Row {
    int token;
    OperatorClass class;
    const char *function;
} Row;

static const Row ROWS[OP_COUNT] = {
    [OP_SET] = {TOKEN_ASSIGN, OPERATOR_NONE, ""},
#define UNARY(NAME, TOKEN, CLASS) [OP_##NAME] = {TOKEN_##TOKEN, OPERATOR_##CLASS, ""},
#define BINARY(NAME, TOKEN, CLASS, function)                                                       \
    [OP_##NAME] = {TOKEN_##TOKEN, OPERATOR_##CLASS, function},
#include "lang/operator.def"
};

const char *operator_text(Operator op) {
    return token_text(ROWS[op].token);
}

OperatorClass operator_class(Operator op) {
    return ROWS[op].class;
}

bool operator_compares(Operator op) {
    return ROWS[op].class == OPERATOR_EQUALITY || ROWS[op].class == OPERATOR_ORDER;
}

const char *operator_function(Operator op) {
    return ROWS[op].function;
}

Operator operator_of(int token) {
    static const Operator of_token[] = {
#define BINARY(NAME, TOKEN, CLASS, function) [TOKEN_##TOKEN] = OP_##NAME,
#include "lang/operator.def"
    };
    return of_token[token];
}

Operator operator_of_assignment(int token) {
    static const Operator of_token[] = {
#define ASSIGNMENT(TOKEN, NAME) [TOKEN_##TOKEN] = OP_##NAME,
#include "lang/operator.def"
    };
    return of_token[token];
}
