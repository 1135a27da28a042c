/* The checked tree: every name resolved, every node typed, every unit checked, every conversion written out.
 *
 * The checker makes it from the syntax tree (a generic function once for each set of types it is used with);
 * lowering turns it into IR without asking anything again. Quantities are already in meters, radians, seconds.
 */
#ifndef WORLD_COMPILER_CHECK_TREE_H
#define WORLD_COMPILER_CHECK_TREE_H

/* clang-format off */

#include "compiler/check/types.h"
#include "compiler/ir/ir.h"
#include "lang/diag.h"
#include "runtime/base/effect.h"

typedef struct Tree Tree;
typedef struct TreeFn TreeFn;
typedef struct TreeClass TreeClass;

typedef struct TreeList {
    Tree **items;
    int count, capacity;
} TreeList;

typedef enum TreeKind {
#define KIND(NAME, name, shape) TREE_##NAME,
#include "compiler/check/tree.def"
} TreeKind;

typedef enum TreeShape {
    TREE_SHAPE_none,
#define SINGLE(shape, field) TREE_SHAPE_##shape,
#define SHAPE(member, fields) TREE_SHAPE_##member,
#include "compiler/check/tree.def"
} TreeShape;

/* Componentwise on POINT, VECTOR, COLOR; a scalar operand of MUL and DIV goes with every component.
 * DIV of ints does not occur: they are converted to numbers. MOD: of INT, U32 or NUMBER (a - b floor(a / b)).
 * EQ and NE: of any equal types, slot by slot (TEXT by content). ADD also joins TEXT and LISTs. */

struct Tree {
    TreeKind kind;
    const Type *type;
    Span span;
    const int *numbered; /* by what its locals were renumbered last: one node may stand in two places */
    union {
#define SINGLE(shape, field) field
#define SHAPE(member, fields) struct Tree_##member { fields } member;
#define NODE(m) Tree *m;
#define NODES(m) TreeList m;
#define LOCAL(m) int m;
#define CAPTURES(m, count) const int *m; int count;
#define NUMBER(m) int m;
#define INTEGER(m) int64_t m;
#define REAL(m) double m;
#define TEXT(m) Str m;
#define OP(m) Operator m;
#define FN(m) TreeFn *m;
#define CLASS(m) const TreeClass *m;
#define FLAG(m) bool m;
#include "compiler/check/tree.def"
    };
};

/* Of a FAMILY or MEMBER: what was spawned of the design of that class less this. */
enum { TREE_SPAWNED = 1 << 28 };

TreeShape tree_shape(TreeKind kind);
const char *tree_kind_name(TreeKind kind);
/* A case of a switch over the shapes, for readers of tree.def: `of` is what a node of that shape holds. */
#define TREE_CASE(qualifier, shape, kind, place, fields)                                                   \
    case TREE_SHAPE_##shape: {                                                                             \
        qualifier kind *of = place;                                                                        \
        (void)of;                                                                                          \
        fields;                                                                                            \
        break;                                                                                             \
    }
/* Visits a node's children. The body of a lambda is no child. */
typedef void (*TreeVisit)(const Tree *child, void *user);
void tree_visit(const Tree *tree, TreeVisit visit, void *user);

typedef struct TreeLocal {
    Symbol name;
    const Type *type;
    bool is_var;
    Span span; /* of its name where that is written; else file 0 */
} TreeLocal;

struct TreeFn {
    Str name;               /* unique: "land.height", "noise.fbm", "lerp[meters]", "island.forest.keep" */
    AstFnKind kind;
    NativeEffect effect;    /* EXTERN: where it is stated */
    IrOp intrinsic;         /* INTRINSIC: the op it is (operands: its parameters' slots, in order) */
    const TreeClass *owner; /* has a self (first IR parameter, R) when not NULL or when `with_self` */
    bool with_self;
    bool draws;             /* takes a hidden stream (IR parameter after self, R) */
    Span drawn;             /* where its body first does; file 0: it has none */
    bool acts;              /* only what acts may call it */
    Span acted;             /* where its body first does */
    bool draws_turn;        /* and what it draws there is the turn of a copy, left out */
    VEC(TreeLocal) locals;  /* captures, then parameters, come first */
    int capture_count, param_count;
    bool changes_self;      /* its first parameter is `var self`: the IR function gives that back after its results */
    int stream_local;       /* the local that holds the hidden stream: set when `draws` and something reads it; else -1.
                               A `stream` tree of a call is a TREE_LOCAL like any other, and may be captured */
    const Type *result;
    Tree *body;             /* NULL unless PLAIN */
    bool out_of_line;       /* mathematics and noise of the standard library */
    Str doc;
    Span span;
    int index;              /* in TreeProgram.fns; also its IR function (PLAIN) or extern index */
};
/* IR parameters of a function: [self] [stream] captures... params..., each flattened into its slots.
 * A lambda's closure captures self (when with_self) and its captures; its IR parameters are
 * [self] captures... [stream] params...: the captured part first, as RtClosure says. */

typedef struct TreeRecord {
    Symbol name;
    VEC(TreeLocal) fields;
    VEC(int) slots;         /* first slot of each field */
    const AstNode *ast;
    struct Decl *decl;      /* the checker's own */
    VEC(const AstNode *) defaults;
} TreeRecord;

typedef struct TreeField {
    Symbol name;
    const Type *type;
    TreeFn *init;           /* (self) -> type; NULL: a design's field without a value */
    TreeFn *within;         /* (self, value) -> bool, or NULL */
    Tree *within_lo, *within_hi; /* constants when known, for printing; else NULL */
    bool given, option, hidden, clock; /* hidden: made by the compiler (a part's value); clock: the world's time */
    int slot;
    Str doc;
    Span span;
} TreeField;

typedef struct TreeChild {
    Symbol name;
    TreeClass *cls;         /* for a family: the class of its part line (members may differ when design is dynamic) */
} TreeChild;

typedef struct TreeHandler { /* on(trigger, { acts }) of a part's body */
    int field;              /* hidden: the trigger */
    TreeFn *acts;           /* (self); NULL after a mistake */
    Span span;
} TreeHandler;

struct TreeClass {
    Str name;               /* dotted path: "island.vegetation"; the root is "" */
    Str package;            /* of the library that declares it: "light"; empty for the world's own, and those of its files */
    int index;              /* in TreeProgram.classes; 0 is the root */
    TreeClass *base;        /* design; anyPart when none; NULL for anyPart and the root */
    TreeClass *outer;       /* the class whose body (or dotted name) holds it; NULL for designs at top level */
    bool is_design;
    bool dynamic_base;      /* part tree[i]: thing.kind */
    VEC(TreeField) fields;  /* the base's first, overridden in place */
    VEC(TreeChild) children, families; /* the base's first */
    VEC(TreeFn *) elaborates; /* the base's first */
    VEC(TreeHandler) handlers; /* the base's first */
    VEC(TreeFn *) methods;  /* checked methods of its own body */
    VEC(TreeLocal) captures;
    int value_field;        /* -1, or the hidden field of `part x: spine.through(...)` */
    int slot_count;
    const AstNode *ast;
    Str doc;
    Span span;
};

/* Round each value in what `why` answers, so that who shows it can cut long ones. */
#define WHY_VALUE_BEGIN "\x02"
#define WHY_VALUE_END "\x03"

typedef struct TreeCheck {  /* a `check "..."` declaration */
    Str title;
    TreeFn *condition;      /* (self) -> bool */
    TreeFn *why;            /* (self) -> text: what its sides are, for when it does not hold; NULL: nothing to say */
    TreeClass *cls;
    Tree *seeds_lo, *seeds_hi; /* constants or NULL */
    Span span;
} TreeCheck;

typedef struct TreeProgram {
    Arena *arena;
    SymbolTable *symbols;
    VEC(TreeClass *) classes; /* [0] the root: the file's own fields, functions and parts */
    VEC(TreeFn *) fns;        /* every function that can run, callees before callers */
    VEC(TreeFn *) externs;    /* native functions that are called, by extern index */
    VEC(TreeCheck) checks;
} TreeProgram;

/* A readable form, for `worldc dump --tree` and tests. */
/* Name empty: all of it, else the functions and the class of that name; false: there is none. */
bool tree_print(StrBuf *out, const TreeProgram *program, Str name);

#endif
