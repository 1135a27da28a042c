/* The syntax tree: what the author wrote, with spans, and no meaning.
 *
 * One node struct, tagged by kind; the union member that is live is named like the kind. Nodes live in
 * the parse's arena and are never changed after parsing. Lists are plain arrays.
 *
 *     AstFile ── decls ──> PART ── body ──> FIELD, FN, PART, EACH, IF, LET, CHECK, EXPR statements
 *                FIELD, FN, RECORD, CONTRACT, USE, CHECK
 */
#ifndef WORLD_LANG_AST_H
#define WORLD_LANG_AST_H

#include "lang/operator.h"
#include "lang/span.h"
#include "runtime/base/str.h"

typedef struct AstNode AstNode;

typedef struct AstList {
    AstNode **items;
    int count, capacity;
} AstList;

typedef struct AstName { /* a name as written */
    Symbol symbol;       /* 0: left out */
    Span span;
} AstName;

typedef enum AstKind {
    /* expressions */
    AST_NUMBER, AST_BOOL, AST_TEXT, AST_NONE, AST_SELF, AST_NAME,
    AST_TUPLE, AST_LIST, AST_RANGE, AST_UNARY, AST_BINARY,
    AST_MEMBER, AST_INDEX, AST_CALL, AST_LAMBDA, AST_IF, AST_BLOCK,
    /* statements */
    AST_LET, AST_ASSIGN, AST_EACH,
    /* declarations */
    AST_PART, AST_FIELD, AST_FN, AST_RECORD, AST_CONTRACT, AST_USE, AST_CHECK,
    /* patterns (also AST_NAME): `_`, `(a, b)` */
    AST_WILDCARD, AST_PATTERN_TUPLE,
    /* types */
    AST_TYPE_NAME, AST_TYPE_POWER, AST_TYPE_PRODUCT, AST_TYPE_QUOTIENT, AST_TYPE_TUPLE, AST_TYPE_FN,
    AST_TYPE_GIVEN, AST_TYPE_ONE_OF, AST_TYPE_OPTIONAL,
    /* where a mistake was; silently accepted by later passes */
    AST_ERROR,
    AST_KIND_COUNT
} AstKind;

/* An argument of a call, an option of a part, an item of a named tuple. */
typedef struct AstArg {
    AstName name; /* symbol 0: positional */
    AstNode *value;
    Span span;
} AstArg;

typedef struct AstArgs {
    AstArg *items;
    int count, capacity;
} AstArgs;

typedef struct AstParam {
    AstName name;         /* may be `self` in the standard library */
    AstNode *type;        /* NULL: left out (lambdas, fields with a value) */
    AstNode *default_value; /* NULL: required */
    Str doc;
    Span span;
} AstParam;

typedef struct AstParams {
    AstParam *items;
    int count, capacity;
} AstParams;

typedef struct AstNames {
    AstName *items;
    int count, capacity;
} AstNames;

typedef enum AstFnKind { AST_FN_PLAIN, AST_FN_EXTERN, AST_FN_INTRINSIC } AstFnKind;

struct AstNode {
    AstKind kind;
    int height; /* of the tree under it: a leaf is 1; at most ten times the nesting limit */
    Span span;
    union {
        /* `1.8 m`: value 1.8, unit symbol of "m", whole false. `6`: whole true. `4.5 m/s`: unit of "m/s".
         * The value is as written, not scaled; int_value is set when `whole` (0x too). */
        struct { double value; int64_t int_value; bool whole; AstName unit; } number;
        struct { bool value; } boolean;
        struct { Str value; } text; /* decoded */
        struct { Symbol symbol; } name;
        struct { AstArgs items; } tuple; /* (a, b) or (maxLevel: 2, subdivide: 1); (x) alone is no tuple */
        struct { AstList items; } list;
        struct { AstNode *lo, *hi; bool closed; } range; /* lo ..< hi, or lo ..= hi when closed */
        struct { Operator op; AstNode *operand; } unary;
        struct { Operator op; AstNode *left, *right; Span op_span; } binary;
        struct { AstNode *object; AstName name; } member;
        struct { AstNode *object, *index; } index;
        struct { AstNode *callee; AstArgs args; } call;
        struct { AstParams params; AstNode *result_type /* or NULL */, *body; } lambda;
        struct { AstNode *condition, *then_block /* BLOCK */, *else_block /* BLOCK, IF or NULL */; } if_;
        struct { AstList statements; } block; /* its value is its last statement, when that is an expression */
        /* let/var pattern: type = value */
        struct { bool is_var; AstNode *pattern, *type /* or NULL */, *value; } let;
        struct { AstNode *target; Operator op; AstNode *value; } assign; /* op SET, ADD, SUB, MUL, DIV */
        struct { AstNode *pattern, *iterable, *body /* BLOCK, or a body block of declarations */; } each;
        /* part a.b[index]: design, option: value ... with the body's statements and declarations */
        struct { AstNames path; AstNode *index /* or NULL */, *design /* or NULL */; AstArgs options;
                 AstList body; Str doc; } part;
        struct { AstName name; AstNode *type, *within /* RANGE */, *value; Str doc; } field; /* any may be NULL */
        struct { AstFnKind fn_kind; AstName name; AstNames type_params; AstParams params;
                 AstNode *result_type /* or NULL */, *body /* BLOCK; NULL for extern, intrinsic, contract */;
                 Str doc; } fn;
        /* record, or `extern record` (a type implemented in C: no fields) */
        struct { AstName name; AstNames type_params; AstParams fields; bool is_extern; Str doc; } record;
        struct { AstName name; AstList fns; Str doc; } contract;
        struct { AstName package; AstName alias /* or 0 */; } use;
        struct { Str title; AstArgs options; AstNode *body /* BLOCK */; } check;
        struct { AstList items; } pattern_tuple;
        struct { AstName name; AstList args; } type_name;              /* List[T], meters, weberpenn.Tree (one symbol) */
        struct { AstNode *base; int exponent; } type_power;            /* meters^2, Q^-1 */
        struct { AstNode *left, *right; } type_pair;                   /* PRODUCT a * b, QUOTIENT a / b */
        struct { AstList items; } type_tuple;
        struct { AstList params; AstNode *result; } type_fn;           /* fn(T, U) R */
        struct { AstParams params; AstNode *result; } type_given;      /* given(here: point, k: int) T */
        struct { AstNames names; } type_one_of;                        /* one of (a, b, c) */
        struct { AstNode *base; } type_optional;                       /* T? */
    };
};

typedef struct AstFile {
    uint32_t file;
    int version;       /* of `world version N`; 0 when absent */
    Span version_span;
    AstList decls;
} AstFile;

/* The stable text of a tree, S-expressions of at most about 100 columns a line: `worldc dump --ast` and the
 * .ast goldens. */
void ast_print(StrBuf *out, const AstFile *file, const SymbolTable *symbols);
void ast_print_node(StrBuf *out, const AstNode *node, const SymbolTable *symbols, int indent);

#endif
