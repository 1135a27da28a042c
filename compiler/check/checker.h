/* What the files of the checker share: declarations, scopes, contexts. Nothing outside
 * compiler/check includes it.
 *
 * The checker works on demand. A name is declared when its file is read, but a class is laid out, a
 * field typed and a function's body checked when something first needs it, callees before callers;
 * `check_world` then asks for everything the world's file holds. What is being worked out stands on
 * the `work` stack, so that a loop is found when it closes and can be shown.
 *
 *     Package ── names ──> Decl ──> FnInst (a function for one set of types) ──> TreeFn
 *                               ──> Class (a part line) ──> TreeClass
 *
 * Ctx: the function being checked: its locals, whose self it has, where its random numbers come from.
 */
#ifndef WORLD_CHECK_CHECKER_H
#define WORLD_CHECK_CHECKER_H

#include "compiler/check/check.h"

typedef struct Package Package;
typedef struct Class Class;
typedef struct Decl Decl;
typedef struct FnInst FnInst;
typedef struct Ctx Ctx;

/* Expressions and functions under work, one in another: each takes well under 2 KiB of stack. */
enum { EXPR_DEPTH = 2000 };

/* Calls one in another when a world runs; what is made of them (closures, wrappers) is deeper. */
enum { CALL_DEPTH = 500 };

typedef struct SymbolMap { /* names to anything; never iterated, so it has no order */
    Symbol *keys;
    void **values;
    uint32_t count, capacity;
} SymbolMap;

/* What the type parameters of a generic declaration stand for; a NULL type is not known yet. */
typedef struct TypeEnv {
    int count;
    const AstName *names;
    const Type **types;
    const struct TypeEnv *outer;
} TypeEnv;

typedef enum DeclKind {
    DECL_FN,
    DECL_FIELD,
    DECL_CONSTANT /* a field of a package */,
    DECL_PART,
    DECL_FAMILY,
    DECL_RECORD,
    DECL_OBJECT,
    DECL_CONTRACT,
    DECL_ALIAS /* another name of a type */
} DeclKind;

struct Decl {
    DeclKind kind;
    Symbol name;
    Span span;
    const AstNode *ast;
    Package *package;
    Class *owner;            /* of fields, parts and methods: the class whose body they stand in */
    int index;               /* FIELD, PART, FAMILY: in the owner's table */
    Class *cls;              /* PART, FAMILY */
    Decl *next;              /* FN: another of this name, for another self */
    VEC(FnInst *) insts;     /* FN, CONSTANT */
    VEC(const Type *) types; /* RECORD: one for each set of type arguments */
    const Type *type;        /* OBJECT, CONTRACT, ALIAS */
};

struct Package {
    Str name;
    Symbol symbol;
    bool prelude, internal, out_of_line;
    bool is_file; /* an author's: the world's own, or one that a file uses */
    const AstFile *ast;
    SymbolMap values, types; /* of Decl */
    VEC(Decl *) decls;       /* in the order written */
    VEC(Package *) used;     /* whose names are this file's without a dot */
    SymbolMap named;         /* packages by the names that only this file gives them */
    VEC(Symbol) names;       /* those names */
    VEC(Package *) files;    /* what it uses `from` files */
    SymbolMap choices;       /* the names of one of (...) written in it: see choice.c */
    bool has_choices;
};

typedef enum WorkState { WORK_NEW, WORK_BUSY, WORK_DONE } WorkState;

typedef struct Work { /* something being worked out */
    const char *what; /* "field", "function" */
    Str name;
    Span span;
    const void *key;
    int calls; /* how deep the calls go that it makes */
    DiagList *diags; /* of what asks for it */
    struct Work *outer;
} Work;

struct FnInst {
    Decl *decl;
    TreeFn *fn;
    TypeEnv env;
    const Type **params; /* as declared: METERS_OR_NUMBER and its like still there */
    WorkState state;
    bool failed;
    const Diag *mistake; /* of a generic function's body: said at every call */
    int calls;           /* how deep its calls go, itself counted */
    TreeFn *as_value, *of_self, *of_part; /* wrappers that make it a value: see value.c */
};

typedef struct FieldInfo { /* beside each TreeField of a class */
    Decl *decl;            /* NULL when hidden */
    const AstNode *value;  /* NULL: none, or as in the base */
    bool own;              /* the value stands on this class's line or in its body */
    bool on_line;          /* and there: scoped in the part that holds it */
    bool is_value;         /* the value the part is made of */
    bool quiet;            /* an expression statement of a body: unit is allowed */
    WorkState type_state, init_state, within_state;
} FieldInfo;

typedef struct HandlerInfo {
    const AstNode *ast; /* the call of `on` */
    Decl *trigger;      /* of the hidden field that holds it */
    TreeFn *acts;
} HandlerInfo;

typedef struct Binding {
    Symbol name;
    int local;
} Binding;

typedef VEC(Binding) Bindings;
typedef VEC(Str) StrList;

struct Class {
    TreeClass *tree;
    Symbol name;
    const AstNode *ast; /* PART; NULL for the root */
    Package *package;
    Class *outer, *base;
    Decl *decl;
    SymbolMap members;      /* own ones, of Decl */
    VEC(Decl *) decls;      /* own ones, in order */
    VEC(Decl *) statements; /* hidden fields of expression statements, and of triggers */
    VEC(HandlerInfo) handlers;
    VEC(FieldInfo) fields;  /* beside tree->fields */
    const AstNode *value; /* of `part x: spine.through(...)`, or a design known only when it runs */
    const AstArgs *design_args;
    AstArgs made_args; /* options that are no fields: arguments of the value's function `made` */
    int depth; /* designs it derives from, one from the other */
    WorkState base_state, layout_state, check_state, elaborate_state;
    bool in_elaborate;       /* made by a line in an each or if */
    bool has_elaborate;      /* its body has such lines */
    bool finished;           /* nothing about it changes any more */
    bool dynamic;            /* a member whose design is known only when it runs */
    bool spawned;            /* a design that a spawn names */
    VEC(Class *) lines;      /* the classes of its members' lines */
    TreeFn *elaborate;       /* makes its members */
    Tree *make;              /* the statement that makes this member */
    Bindings site;           /* locals in sight at that line */
    VEC(int) capture_locals; /* beside tree->captures: locals of the maker */
    const TreeFn *maker;
    Span design_use; /* first use as a design; file 0: none */
    const char *design_why;
};

/* Where random numbers come from. */
typedef enum Flow {
    FLOW_NONE,  /* nowhere: a field's value, a check */
    FLOW_FN,    /* from whoever calls: using it marks the function */
    FLOW_GIVEN, /* from the stream handed in with the arguments */
    FLOW_OFF,   /* from nowhere, because this call leaves its stream out */
    FLOW_OUTER  /* as outside the lambda */
} Flow;

/* Whether acts may stand here. */
typedef enum Acting {
    ACTING_NOT,
    ACTING_FN, /* in a function: an act makes it one that acts */
    ACTING_ON  /* in on(...) or after(...) */
} Acting;

/* A loop whose body is being checked: the flags that its break and continue set, -1 while there are none. */
typedef struct LoopScope {
    int broke, skipped;
    int mark; /* flags in Ctx.leaving when it began */
    struct LoopScope *outer;
} LoopScope;

struct Ctx {
    Checker *c;
    TreeFn *fn;
    Ctx *outer; /* of a lambda: the function it stands in */
    Package *package;
    const TypeEnv *env;
    Bindings bindings;
    Class *self_class;    /* whose instance self is, or NULL */
    Class *scope_class;   /* innermost class whose names are seen, or NULL */
    int scope_up;         /* how many parents above self it stands */
    bool on_line;         /* the loop values of self_class are seen */
    const Decl *own;      /* whose own line this is: not what its name means here, if anything else is */
    const struct Passed *passed; /* functions that do not take what a call gives: its name is looked up past them */
    Class *making;        /* of an elaborate function: the class */
    VEC(Tree *) narrowed; /* optionals known to hold a value here */
    Flow flow;
    Acting acting;
    Symbol off_name;     /* FLOW_OFF: the option left out */
    Symbol argument;     /* the parameter whose argument is being checked: names its lambda */
    Span said;           /* where the name stands of what is being called */
    AstName value_name;  /* of the field or let being given its value */
    const AstNode *over; /* in a rule: the land whose names are known too, as its scatter says it */
    VEC(int) captures;   /* of a lambda: locals of outer */
    VEC(int) capture_at; /* and the locals here that hold them */
    bool uses_self;
    bool in_each;
    bool sealed;     /* a default value: locals of the caller are out of sight */
    bool raw_tuples; /* a tuple of three literals stays a tuple */
    /* leaving early; see leave.c */
    LoopScope *loop;         /* the innermost, or NULL */
    VEC(int) leaving;        /* flags that what was checked so far may have set */
    bool returns;            /* in the body of a function that returns early: */
    int returned, answer;    /* its flag, the local of its answer */
    const Type *answer_type;
    const AstNode *tail;     /* the line that gives the answer */
};

typedef struct Types {
    Arena *arena;
    const Type **slots;
    uint32_t slot_count, count;
    const Type *poison, *unit, *none, *boolean, *integer, *u32, *number, *fraction, *meters, *angle,
        *seconds, *text, *point, *offset, *direction, *color, *any_part, *design, *name, *path,
        *any_quantity, *meters_or_number;
} Types;

/* Where what is being checked lives: with the world, or with a question, which ends. */
typedef struct Home {
    Arena *arena;
    SymbolMap fn_names; /* how often each name was given to a function */
    SymbolMap peeks;    /* see form.c */
    int64_t trees, instances; /* made in it; see limit.c */
} Home;

struct Checker {
    CheckInput input;
    Home *home; /* &world_home, or the question's */
    Home world_home;
    Arena *arena; /* home's */
    SymbolTable *symbols;
    DiagList *diags;
    DiagList *loud; /* of whoever asks: what is only tried is told to another */
    TreeProgram *program;
    Types types;
    VEC(Package *) packages;
    Package *world, *host;
    SymbolMap library;    /* the standard library's packages, by name */
    VEC(Class *) classes; /* by TreeClass.index */
    int made_classes;     /* those that the world is made of; 0: it is still being checked */
    Class *root, *any_part;
    bool spawns; /* something is spawned somewhere */
    Work *work;
    int depth;               /* of expressions and functions under work */
    VEC(Tree *) streams;     /* the world's calls of randomStream */
    SymbolMap builtin_types; /* "meters" to const Type */
    struct {
        Symbol self, x, y, z, r, g, b, land, copy, stream, spine, random_stream, rgb, with, fault,
            code, turn, size, kind, field_name, field_path, around, rule, scatter, path, override_, list, vector, seeds, value, flow,
            seed, world_seed, range, at_most, items, item_index, set_item, hash_of, hashed, same,
            made, on, after, spawn, under, lifetime, entered, left, trigger, clock, step;
    } names;
};

#include "compiler/check/offers.h"

#endif
