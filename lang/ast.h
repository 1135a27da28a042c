/* The syntax tree: what the author wrote, with spans, and no meaning.
 *
 * One node struct, tagged by kind; ast.def says which union member is live and what it holds. Nodes live
 * in the parse's arena and are never changed after parsing. Lists are plain arrays.
 *
 *     AstFile ── decls ──> PART ── body ──> FIELD, FN, PART, EACH, IF, LET, CHECK, EXPR statements
 *                FIELD, FN, RECORD, CONTRACT, USE, CHECK
 */
#ifndef WORLD_LANG_AST_H
#define WORLD_LANG_AST_H

/* clang-format off */

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
#define KIND(NAME, ROLE, shape, head, noun) AST_##NAME,
#include "lang/ast.def"
    AST_KIND_COUNT
} AstKind;

typedef enum AstRole {
    AST_EXPRESSION,
    AST_STATEMENT,
    AST_DECLARATION,
    AST_PATTERN,
    AST_TYPE
} AstRole;

typedef enum AstShape {
    AST_SHAPE_none,
#define SHAPE(member, fields) AST_SHAPE_##member,
#include "lang/ast.def"
} AstShape;

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
    bool is_var;          /* `var self`: what the function is called on is changed */
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
    bool is_private; /* a declaration that only its own file sees */
    Span span;
    union {
#define SHAPE(member, fields) struct Ast_##member { fields } member;
#define NODE(m) AstNode *m;
#define NODES(m) AstList m;
#define LABELED(m, label) AstNode *m;
#define ARGS(m) AstArgs m;
#define PARAMS(m) AstParams m;
#define NAME(m) AstName m;
#define NAMES(m, label) AstNames m;
#define PATH(m) AstNames m;
#define QUOTED(m) Str m;
#define SAID(m, label) Str m;
#define COUNT(m) int m;
#define SETS(m) Operator m;
#define DATA(type, m) type m;
#include "lang/ast.def"
    };
};

typedef struct AstFile {
    uint32_t file;
    int version;       /* of `world version N`; 0 when absent */
    Span version_span;
    AstList decls;
} AstFile;

AstRole ast_role(AstKind kind);
AstShape ast_shape(AstKind kind);
const char *ast_head(AstKind kind); /* of its S-expression */
const char *ast_noun(AstKind kind); /* "a field", "an expression" */
/* Where a statement belongs that stands among declarations; NULL when there is nothing to say. */
const char *ast_way_out(AstKind kind);

/* Visits a node's children, in the order of ast.def: expressions, patterns, types, declarations. */
typedef void (*AstVisit)(const AstNode *child, void *user);
void ast_visit(const AstNode *node, AstVisit visit, void *user);

/* The stable text of a tree, S-expressions of at most about 100 columns a line: `worldc dump --ast` and the
 * .ast goldens. */
void ast_print(StrBuf *out, const AstFile *file, const SymbolTable *symbols);
void ast_print_node(StrBuf *out, const AstNode *node, const SymbolTable *symbols, int indent);
/* Only the declarations that a dotted name leads to ("land.height"). False: there are none. */
bool ast_print_named(StrBuf *out, const AstFile *file, const SymbolTable *symbols, Str name);

#endif
