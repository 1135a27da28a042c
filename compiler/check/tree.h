/* The checked tree: every name resolved, every node typed, every unit checked, every conversion written out.
 *
 * The checker makes it from the syntax tree (a generic function once for each set of types it is used with);
 * lowering turns it into IR without asking anything again. Quantities are already in meters, radians, seconds.
 */
#ifndef WORLD_COMPILER_CHECK_TREE_H
#define WORLD_COMPILER_CHECK_TREE_H

#include "compiler/check/types.h"
#include "compiler/ir/ir.h"
#include "lang/diag.h"

typedef struct Tree Tree;
typedef struct TreeFn TreeFn;
typedef struct TreeClass TreeClass;

typedef struct TreeList {
    Tree **items;
    int count, capacity;
} TreeList;

typedef enum TreeKind {
    TREE_NUMBER, TREE_INT, TREE_U32, TREE_BOOL, TREE_TEXT, /* constants; ONE_OF values are TREE_INT, NAME values TREE_TEXT */
    TREE_NONE,        /* none of an optional type */
    TREE_SOME,        /* operand as T? */
    TREE_LOCAL,       /* a local of the function: parameter, let, var, each */
    TREE_ROOT,        /* the world's root part */
    TREE_SELF,        /* the part whose function this is */
    TREE_PARENT,      /* of a part */
    TREE_CHILD,       /* child `index` of a part */
    TREE_ITEM,        /* item `key` (INT) of the list `operand` */
    TREE_MEMBER,      /* member of family `index` of a part: number (INT) or id (TEXT) */
    TREE_FAMILY,      /* all members of family `index`: List of parts */
    TREE_FIELD,       /* field `index` of a part */
    TREE_CAPTURE,     /* what the loop that made the part held: slots from `index` on */
    TREE_DESIGN,      /* a design as a value */
    TREE_AGGREGATE,   /* point, vector, color, tuple, record, contract from its items, in order */
    TREE_COMPONENT,   /* slots index .. of an aggregate operand (or of an optional's inside, index 1) */
    TREE_PRESENT,     /* bool: the optional operand is not none */
    TREE_LIST,        /* [a, b, c] */
    TREE_OP,          /* a builtin operator but the logical two; see below */
    TREE_CONVERT,     /* int -> number, u32 -> int, int -> u32: scalar only */
    TREE_AND, TREE_OR,
    TREE_IF,          /* condition, then, else (NULL: unit) */
    TREE_BLOCK,       /* statements; value: the last one's when the type is not unit */
    TREE_LET,         /* local = operand (declares) */
    TREE_ASSIGN,      /* local = operand (a var) */
    TREE_EACH_RANGE,  /* local over INT lo ..< hi (hi exclusive, already widened when closed) */
    TREE_EACH_LIST,   /* item local (and index local, or -1) over a list */
    TREE_CALL,        /* fn with arguments; object first when it is a method; stream when it draws */
    TREE_CALL_VALUE,  /* a function value with arguments */
    TREE_LAMBDA,      /* fn with captured locals (and self) */
    TREE_PART_MAKE,   /* makes a member: statement in an elaborate function */
    TREE_FAULT        /* statement: records the fault `code` when the condition holds (standard library only) */
} TreeKind;

/* Componentwise on POINT, VECTOR, COLOR; a scalar operand of MUL and DIV goes with every component.
 * DIV of ints does not occur: they are converted to numbers. MOD: of INT, U32 or NUMBER (a - b floor(a / b)).
 * EQ and NE: of any equal types, slot by slot (TEXT by content). ADD also joins TEXT and LISTs. */

struct Tree {
    TreeKind kind;
    const Type *type;
    Span span;
    union {
        double number;
        int64_t integer;      /* INT, U32, BOOL */
        Str text;
        int local;
        struct { Tree *operand; int index; } part;       /* PARENT, CHILD, FAMILY, FIELD, CAPTURE */
        struct { Tree *operand; int index; Tree *key; } member; /* MEMBER, ITEM */
        const TreeClass *design;
        TreeList items;                                  /* AGGREGATE, LIST, BLOCK */
        struct { Tree *operand; int index; } component;  /* COMPONENT, PRESENT, SOME, CONVERT */
        struct { Operator op; Tree *left, *right; } op;    /* unary: right NULL; AND, OR too */
        struct { Tree *condition, *then_tree, *else_tree; } if_;
        struct { int local; Tree *value; } let;          /* LET, ASSIGN */
        struct { int item, index; Tree *lo, *hi; Tree *body; } each; /* RANGE: item, lo, hi. LIST: item, index, lo = the list */
        struct { TreeFn *fn; TreeList args; Tree *stream; } call;  /* stream NULL unless fn->draws */
        struct { Tree *callee; TreeList args; Tree *stream; } call_value;
        struct { TreeFn *fn; const int *captures; int capture_count; bool with_self; } lambda;
        /* captures: locals; they become fn's first locals in that order (after self when with_self) */
        struct { const TreeClass *site; int family; Tree *number, *id, *design /* or NULL */;
                 const int *captures; int capture_count; } part_make;
        struct { Tree *condition; int code /* RtFaultCode */; TreeList details /* INT or NUMBER */; } fault;
    };
};

typedef struct TreeLocal {
    Symbol name;
    const Type *type;
    bool is_var;
} TreeLocal;

struct TreeFn {
    Str name;               /* unique: "land.height", "noise.fbm", "lerp[meters]", "island.forest.keep" */
    AstFnKind kind;
    IrOp intrinsic;         /* INTRINSIC: the op it is (operands: its parameters' slots, in order) */
    const TreeClass *owner; /* has a self (first IR parameter, R) when not NULL or when `with_self` */
    bool with_self;
    bool draws;             /* takes a hidden stream (IR parameter after self, R) */
    VEC(TreeLocal) locals;  /* captures, then parameters, come first */
    int capture_count, param_count;
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
    VEC(const AstNode *) defaults;
} TreeRecord;

typedef struct TreeField {
    Symbol name;
    const Type *type;
    TreeFn *init;           /* (self) -> type; NULL: a design's field without a value */
    TreeFn *within;         /* (self, value) -> bool, or NULL */
    Tree *within_lo, *within_hi; /* constants when known, for printing; else NULL */
    bool given, option, hidden; /* hidden: made by the compiler (a part's value) */
    int slot;
    Str doc;
    Span span;
} TreeField;

typedef struct TreeChild {
    Symbol name;
    TreeClass *cls;         /* for a family: the class of its part line (members may differ when design is dynamic) */
} TreeChild;

struct TreeClass {
    Str name;               /* dotted path: "island.vegetation"; the root is "" */
    int index;              /* in TreeProgram.classes; 0 is the root */
    TreeClass *base;        /* design; anyPart when none; NULL for anyPart and the root */
    TreeClass *outer;       /* the class whose body (or dotted name) holds it; NULL for designs at top level */
    bool is_design;
    bool dynamic_base;      /* part tree[i]: thing.kind */
    VEC(TreeField) fields;  /* the base's first, overridden in place */
    VEC(TreeChild) children, families; /* the base's first */
    VEC(TreeFn *) elaborates; /* the base's first */
    VEC(TreeFn *) methods;  /* checked methods of its own body */
    VEC(TreeLocal) captures;
    int value_field;        /* -1, or the hidden field of `part x: spine.through(...)` */
    int slot_count;
    const AstNode *ast;
    Str doc;
    Span span;
};

typedef struct TreeCheck {  /* a `check "..."` declaration */
    Str title;
    TreeFn *condition;      /* (self) -> bool */
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
void tree_print(StrBuf *out, const TreeProgram *program);

#endif
