/* What each file of the checker offers the others, file by file. Included through checker.h. */
#ifndef WORLD_CHECK_OFFERS_H
#define WORLD_CHECK_OFFERS_H

#include "compiler/check/checker.h"

/* -- check.c -- */
/* Checks every active class, and finishes it. */
void check_drain(Checker *c);
Home *home_enter(Checker *c, Home *home);

/* -- uses.c: what is noted for an editor; nothing when nobody asked -- */
/* The name stands at the end of the span, or is that of what is being called. */
void uses_decl(Ctx *x, const Decl *decl, Span span, const Type *type);
void uses_record_field(Ctx *x, const struct TreeRecord *record, int field, Span span, const Type *type);
void uses_type(Checker *c, const Decl *decl, AstName name, const Type *type);
void uses_local(Ctx *x, const TreeLocal *local, Span at);
void uses_param(Checker *c, const AstParam *param, Span at, const Type *type);
void uses_option(Checker *c, const Decl *field, Span at);
void uses_package(Checker *c, const Package *package, Span at);
void uses_choice(Checker *c, const Type *type, Span at);
void uses_expression(Checker *c, Span at, const Type *type);

/* -- map.c -- */
void *symbolmap_get(const SymbolMap *map, Symbol key);
void symbolmap_put(Arena *arena, SymbolMap *map, Symbol key, void *value);

/* -- types.c -- */
void types_init(Types *types, Arena *arena);
const Type *types_intern(Types *types, Type type);
const Type *type_quantity(Checker *c, Dims dims);
const Type *type_vector(Checker *c, Dims dims);
/* The NUMBER or VECTOR that a product or power is; poison, after an error, when no type has such a power. */
const Type *type_worked_out(Checker *c, TypeKind kind, Dims dims, Span span);
const Type *type_list(Checker *c, const Type *element);
const Type *type_optional(Checker *c, const Type *element);
const Type *type_tuple(Checker *c, const Type *const *items, int count);
const Type *type_fn(Checker *c, const Type *const *params, int count, const Type *result,
                    bool draws);
const Type *type_part(Checker *c, Class *cls);
const Type *type_any_part(Checker *c, const Type *made_of); /* NULL: whatever it is made of, if anything */
const Type *type_object(Checker *c, Symbol name);
const Type *type_object_of(Checker *c, Symbol name, const Type *const *args, int count);
const Type *type_record(Checker *c, TypeKind kind, struct TreeRecord *record,
                        const Type *const *args, int count);
/* A parameter's type as its own function sees it: METERS_OR_NUMBER is meters, ANY_QUANTITY a
 * number. */
const Type *type_inside(Checker *c, const Type *type);
bool dims_equal(Dims a, Dims b);
bool dims_plain(Dims a);
Dims dims_add(Dims a, Dims b, int sign);
Dims dims_power(Dims a, int n);
bool dims_possible(Dims a); /* no power past POWER_MOST */
static inline bool type_is(const Type *type, TypeKind kind) {
    return type->kind == kind;
}
static inline bool type_poisoned(const Type *type) {
    return type->kind == TYPE_POISON;
}
bool type_is_quantity(const Type *type); /* a NUMBER with a dimension */
bool type_is_numeric(const Type *type);  /* INT, U32, NUMBER */

/* -- typename.c -- */
const char *type_text(Checker *c, const Type *type);
const char *type_phrase(Checker *c, const Type *type); /* "a plain number", "meters", "a point" */
const char *type_these(Checker *c, const Type *type,
                       bool second); /* "these are meters", "that is a plain number" */
const char *name_text(Checker *c, Symbol name);

/* -- units.c -- */
typedef struct UnitScale { /* a value v is v * times / over in meters, radians, seconds */
    double times, over;
} UnitScale;
/* Of a unit as written ("m/s^2"); false when unknown. Read no further than to a power that is not possible. */
bool unit_find(Str text, UnitScale *scale, Dims *dims);
Str unit_nearest(Str text);

/* -- typeexpr.c, typebind.c -- */
/* What a type parameter stands for (NULL inside: not known yet); NULL when the name is none. */
const Type **typeexpr_variable(const TypeEnv *env, Symbol name);
const Type *typeexpr_resolve(Checker *c, Package *package, const TypeEnv *env, const AstNode *ast);
/* Binds the unknown type parameters in `ast` so that a value of type `actual` fits. False: it
 * cannot fit. */
bool typeexpr_bind(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                   const Type *actual);
bool typeexpr_has_unknown(const TypeEnv *env, const AstNode *ast);
Decl *typeexpr_find(Checker *c, Package *package, Symbol name);
const Type *typeexpr_record(Checker *c, Decl *decl, const Type *const *args, Span span);
const Type *typeexpr_alias(Checker *c, Decl *decl, Span use);
const Type *typeexpr_contract(Checker *c, Decl *decl);

/* A bare `curve` where a value follows: the declaration whose type parameters the value decides, or
 * NULL. */
Decl *typeexpr_open(Checker *c, Package *package, const AstNode *ast);
/* The type when it is one of those; an error and poison when not. */
const Type *typeexpr_closed(Checker *c, const Decl *open, const Type *type, Span span);

/* -- package.c -- */
void package_load(Checker *c);
void package_declare(Checker *c, Package *package, const AstNode *ast);
/* Once all names of the file are declared. */
void package_check_files(Checker *c, const Package *package);
/* Puts a declaration under its name; an error when there is one already. */
void package_enter(Checker *c, Package *package, Decl *decl, SymbolMap *map);
/* A package of the standard library. */
Package *package_find(Checker *c, Symbol name);
/* A value that a package of the library declares: LIBRARY_DECL(c, core, numbers). NULL in tests without that package. */
Decl *package_decl(Checker *c, Str package, Str name);
#define LIBRARY_DECL(c, package, name)                                                             \
    package_decl(c, STR_LIT(STD_##package), STR_LIT(STD_##package##_##name))
/* The package that a file means by a name. */
Package *package_named(Checker *c, const Package *from, Symbol name);
/* Whether the text of `from` may see what a package declares. */
bool package_sees(const Package *from, const Package *in);
/* That, and it is not private to another file. */
bool decl_seen(const Package *from, const Decl *decl);
/* What `from` sees under a name of another package's values or types; NULL: nothing. */
Decl *package_value(const Package *from, const Package *in, Symbol name);
Decl *package_type(const Package *from, const Package *in, Symbol name);
/* Reports a name that is private to the package that has it; false when it has none. */
bool package_private(Checker *c, const Package *in, Symbol name, Span span);
Decl *decl_create(Checker *c, DeclKind kind, AstName name, const AstNode *ast, Package *package,
                  Class *owner);
bool decl_takes_self(Checker *c, const Decl *decl);
const AstParams *decl_params(const Decl *decl);
const AstNames *decl_type_params(const Decl *decl);

/* -- data.c, table.c, json.c -- */
/* table, json, image, lines, contents of the package data, and edits of its own. */
bool data_is_form(Checker *c, const Decl *decl);
Tree *data_check(Ctx *x, Decl *decl, const AstArgs *args, Span span, const Type *expected);
/* The rows of a CSV source as records of that type, packed; false after an error. `call`: who asks. */
bool table_pack(Ctx *x, uint32_t source, const Type *type, Span call, Str *packed);
/* The value of a JSON source as one of that type; poison after an error. */
Tree *json_check(Ctx *x, uint32_t source, const Type *type, Span call);
/* A quantity as a cell says it, "12", "750 cm", "35 deg", in base units; false with what is wrong with it. */
bool table_quantity(Checker *c, Str text, const Type *type, double *value, const char **wrong);

/* -- edits.c -- */
typedef struct EditsPacked {
    Str rows;
    VEC(Class *) kinds; /* that the rows name by their numbers */
} EditsPacked;
/* The edits of a JSON source as records of that type, packed; no source: none. False after an error. */
bool edits_pack(Ctx *x, uint32_t source, const Type *type, EditsPacked *packed);

/* -- scope.c -- */
typedef enum FoundKind {
    FOUND_NOTHING,
    FOUND_LOCAL,
    FOUND_CAPTURE,
    FOUND_DECL,
    FOUND_PACKAGE
} FoundKind;

typedef struct Found {
    FoundKind kind;
    int local;        /* LOCAL, in the asking context */
    Class *cls;       /* CAPTURE, and DECL in a class: the class of the instance it hangs on */
    int up;           /* how many parents above self that instance stands */
    int capture;      /* slot */
    const Type *type; /* CAPTURE */
    const TreeLocal *held; /* CAPTURE: the local that it was */
    Decl *decl;
    Package *package;
} Found;

void ctx_init(Ctx *x, Checker *c, TreeFn *fn, Package *package);
/* Sets whose self the function has, and that names are seen from that class's body. */
void ctx_set_class(Ctx *x, Class *cls);
/* The scope of an expression on a part line: the part that holds it. */
void ctx_set_line(Ctx *x, Class *cls);
int ctx_local(Ctx *x, Symbol name, const Type *type, bool is_var);
int ctx_bind(Ctx *x, AstName name, const Type *type, bool is_var);
/* From inside out. `callable`: what cannot be called is passed over when something further out can.
 */
Found scope_find(Ctx *x, Symbol name, bool callable);
/* The same of a call's name: functions that do not take its arguments are passed over where some further out do. */
Found scope_find_taking(Ctx *x, Symbol name, const AstArgs *args);
Decl *class_member(Class *cls, Symbol name);
/* The instance of the class `up` parents above self. */
Tree *scope_path(Ctx *x, Class *cls, int up, Span span);
/* The random stream at this place, or NULL after an error. */
Tree *scope_stream(Ctx *x, Span span, Str what, const TreeFn *of); /* of: what draws, where it is known */
void scope_unknown(Ctx *x, Symbol name, Span span, bool callable);

/* -- suggest.c -- */
typedef struct Suggest {
    Checker *c;
    Diag *diag;
    Symbol wanted;
    Span span; /* of the name as written: what the fix replaces */
    StrList names;
    int own; /* of the names, those that are of this alone; -1: all */
    bool off;
} Suggest;
Suggest suggest_open(Checker *c, Diag *diag, Symbol wanted, Span span);
void suggest_name(Suggest *s, Symbol name);
/* The packages that a file may name. */
void package_offer(Suggest *s, const Package *from);
void suggest_members(Suggest *s, const Class *cls);
bool suggest_has(const Suggest *s, Symbol name);
bool suggest_close(Suggest *s, const char *mark);
/* Of what stands behind a dot: where nothing is near, all that there is, when that is little. */
void suggest_close_member(Suggest *s);
/* Makes `silent` the list that errors go to, for a look that says nothing; answers the one before.
 */
DiagList *suggest_silence(Checker *c, DiagList *silent);

/* -- tree.c -- */
Tree *tree_new(Checker *c, TreeKind kind, const Type *type, Span span);
Tree *tree_poison(Checker *c, Span span);
Tree *tree_number(Checker *c, double value, const Type *type, Span span);
Tree *tree_int(Checker *c, int64_t value, const Type *type, Span span);
Tree *tree_local(Ctx *x, int local, Span span);
Tree *tree_op(Checker *c, Operator op, Tree *left, Tree *right, const Type *type, Span span);
Tree *tree_component(Checker *c, Tree *operand, int slot, const Type *type, Span span);
Tree *tree_part(Checker *c, TreeKind kind, Tree *operand, int index, const Type *type, Span span);
Tree *tree_retype(Checker *c, Tree *tree, const Type *type);
Tree *tree_let(Ctx *x, int local, Tree *value);
Tree *tree_not(Checker *c, Tree *operand);
/* A call of a finished instance; arguments are trees of its parameters' own types, the object
 * first. */
Tree *tree_call(Ctx *x, FnInst *inst, Tree **args, int count, Span span);
bool tree_equal(const Tree *a, const Tree *b);
bool tree_draws(const Tree *tree);
/* Gives every local a new number: of the tree itself and the captures of lambdas in it. */
void tree_renumber(Tree *tree, const int *map);

/* -- convert.c -- */
bool convert_fits(Checker *c, const Tree *tree, const Type *type);
bool convert_type_fits(Checker *c, const Type *from, const Type *type);
/* The same, of what a function is given: a part also as what it is made of. */
bool convert_argument_fits(Checker *c, const Type *from, const Type *type);
/* The value as that type, or poison after an error. */
Tree *convert_to(Ctx *x, Tree *tree, const Type *type);
/* The list that the library makes such a value of; NULL: it makes none of a list. */
const Type *convert_list_of(Checker *c, const Type *type);
/* Offers the unit that a bare literal lacks where `type` is wanted; false when there is nothing to
 * offer. */
bool convert_offer_unit(Checker *c, Diag *diag, const Tree *tree, const Type *type);
/* What both can be; NULL when nothing. */
const Type *convert_common(Checker *c, const Tree *a, const Tree *b);

/* -- shape.c: texts made of values -- */
Tree *format_template(Ctx *x, const AstNode *ast);
/* text(x) */
Tree *format_text(Ctx *x, Tree *value, Span span);

/* -- choice.c -- */
/* Where one of (...) is wanted, a name of it stands for its number before anything else of that name;
 * only a local of that very type may hide it, so that a parameter can be handed on. NULL: the name is
 * something else. */
Tree *choice_wanted(Ctx *x, const AstNode *ast, const Type *type);
/* A name that nothing else has, of a one of (...) that the file writes; NULL: none has it. */
Tree *choice_loose(Ctx *x, Symbol name, Span span);

/* -- expr.c, literal.c, name.c, operator.c, member.c -- */
Tree *expr_check(Ctx *x, const AstNode *ast, const Type *expected);
/* The expression as a value of that type. */
Tree *expr_value(Ctx *x, const AstNode *ast, const Type *type);
bool expr_is_literal(const AstNode *ast);
/* Whether it answers something; else it is reported. */
bool expr_has_value(Checker *c, const Tree *tree, Span span);
Tree *expr_number(Ctx *x, const AstNode *ast, const Type *expected);
Tree *expr_tuple(Ctx *x, const AstNode *ast, const Type *expected);
Tree *expr_list(Ctx *x, const AstNode *ast, const Type *expected);
Tree *expr_range(Ctx *x, const AstNode *ast, const Type *expected);
Tree *name_check(Ctx *x, const AstNode *ast, const Type *expected);
Tree *name_found(Ctx *x, const Found *found, Symbol name, Span span, const Type *expected);
Tree *narrow_read(Ctx *x, Tree *tree);
void narrow_by(Ctx *x, Tree *condition, bool truth);
Tree *operator_unary(Ctx *x, const AstNode *ast, const Type *expected);
Tree *operator_binary(Ctx *x, const AstNode *ast, const Type *expected);
Tree *operator_apply(Ctx *x, Operator op, Tree *left, Tree *right, Span span);
Tree *member_check(Ctx *x, const AstNode *ast, const Type *expected);
/* The member of a value, or NULL when it has none of that name. */
Tree *member_find(Ctx *x, Tree *object, Symbol name, Span span, const Type *expected);
Tree *member_index(Ctx *x, const AstNode *ast, const Type *expected);
/* A member that a name leads to, read of that object of the class: NULL of what is nobody's member. */
Tree *read_member(Ctx *x, Class *cls, Decl *decl, Tree *object, Span span, const Type *expected);
Tree *part_value(Ctx *x, Tree *part); /* what a part is made of, or NULL */
const Type *part_value_type(Checker *c, const Type *part, Span span);
Tree *part_opened(Ctx *x, Tree *tree); /* the same, also of each item of a list of parts */
/* Item `keys` of a record that has itemIndex and a field items: NULL when it has not. */
Tree *call_item(Ctx *x, Tree *object, Tree **keys, int count, Span span);
const Type *member_item_type(Ctx *x, Tree *object);
/* The package that `object.member` is of, or NULL: `object` is a value. */
Package *member_package(Ctx *x, const AstNode *object, Symbol member, bool called);
/* The package of a name that a declaration hides, when `member` can only be the package's; else NULL. */
Package *member_behind(Checker *c, const Package *from, const Decl *hides, Symbol member, bool called);
/* Errors about a name that is not there, with the nearest; poison. */
Tree *member_unknown(Ctx *x, Tree *object, Symbol name, Span span);
Tree *member_of_package_unknown(Ctx *x, Package *package, AstName name);

/* -- stmt.c -- */
Tree *stmt_block(Ctx *x, const AstNode *ast, const Type *expected, bool want_value);
Tree *stmt_if(Ctx *x, const AstNode *ast, const Type *expected, bool want_value);
Tree *stmt_check(Ctx *x, const AstNode *ast);
void stmt_list(Ctx *x, const AstList *list, TreeList *out);
void treelist_push(Checker *c, TreeList *list, Tree *tree);

/* -- place.c -- */
/* Whether the tree is a place that may be set: its keys are held in locals, by lets in `before`. */
bool place_hold(Ctx *x, Tree *place, TreeList *before);
Tree *place_set(Checker *c, Tree *place, Tree *value, Span span);
Tree *place_assign(Ctx *x, const AstNode *ast);

/* -- act.c: what happens while a world runs -- */
/* Whether acts may stand here, which makes a function one that acts; after an error, false. `acted`: where what is called does. */
bool act_may(Ctx *x, Span span, const char *what, Span acted);
/* Whether a value of the type can be kept with the world. */
bool act_keeps(const Type *type);
/* The assignment as an act, when it is a field of a part that is set; else NULL. */
Tree *act_assign(Ctx *x, const AstNode *ast);
Tree *act_spawn(Ctx *x, const AstNode *ast);
Tree *act_after(Ctx *x, const AstNode *ast);
/* What was spawned under the part of the design of that name; NULL: nothing can be. */
Tree *act_family(Ctx *x, Tree *part, Symbol name, Span span);

/* -- on.c -- */
bool on_is_handler(const Checker *c, const AstNode *ast);
void on_declare(Checker *c, Class *cls, const AstNode *ast);
void on_check(Checker *c, Class *cls);
void on_finish(Checker *c, TreeClass *tree, const Class *cls, const TreeClass *base);

/* -- leave.c -- */
Tree *leave_check(Ctx *x, const AstNode *ast); /* while, break, continue, return */
/* A function's body, which may return early. `result` is NULL where none is written: what is returned then is nothing. */
Tree *leave_body(Ctx *x, const AstNode *code, const Type *result);
/* The line that gives a function's answer, in such a body. */
Tree *leave_tail(Ctx *x, const AstNode *ast);
/* The lines that are worked out while no flag from `mark` on is set. */
Tree *leave_guard(Ctx *x, int mark, TreeList rest, Span span);
/* Whether nothing can follow it. */
bool leave_always(const AstNode *ast);
void leave_open_loop(Ctx *x, LoopScope *loop);
void leave_close_loop(Ctx *x, LoopScope *loop, TreeList *before, TreeList *body, Tree **stay, Span span);

/* -- rule.c -- */
/* The land that a rule's scatter goes over, as its text says it; NULL: no scatter says, or several say different ones. */
const AstNode *rule_over(Ctx *x, Span rule);
/* What a name of a rule means when it is one of the land's: land.name. NULL: it is none, or the rule has it itself. */
const AstNode *rule_land_member(Ctx *x, const Found *found, AstName name);


/* -- callee.c, call.c, form.c, method.c, arguments.c, generic.c -- */
bool ast_mentions(const AstNode *ast, Symbol name);
/* Whether the function takes the object and the first `count` arguments. */
bool form_fits(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, int count);
/* Whether one of its forms takes these arguments, whoever its self is. */
bool form_any_fits(Ctx *x, Decl *decl, const AstArgs *args);
Tree *call_check(Ctx *x, const AstNode *ast, const Type *expected);
/* Calls a function of this name, whichever of its forms fits; `object` is the self written before
 * the dot, or NULL. */
Tree *call_trees(Ctx *x, Decl *decl, Tree **trees, int count, Span span);
Tree *call_one(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span,
               const Type *expected);
Tree *call_decl(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span,
                const Type *expected);
Tree *call_method_named(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span,
                        Span name_span, const Type *expected);
/* The library's function of that name whose self takes the object, or NULL. */
Decl *method_find(Ctx *x, Tree *object, Symbol name);
/* The type of its parameter of that number for such an object; NULL: the arguments decide. */
const Type *method_wants(Ctx *x, Decl *decl, const Tree *object, int param);
bool method_named(Checker *c, const Package *from, Symbol name);
/* A library function named for an operator whose self and second parameter take these; NULL when
 * there is none. */
Tree *call_operator(Ctx *x, Symbol name, Tree *left, Tree *right, Span span);
/* `params`: names of the parameters when they are known, else NULL. */
Tree *call_value(Ctx *x, Tree *callee, const AstArgs *args, const AstParams *params, Span span);
/* A written argument for a parameter; `type_ast` may be NULL. `off`: see Ctx.off_name. */
Tree *argument_check(Ctx *x, const AstNode *type_ast, const Type *type, const AstNode *ast,
                     Symbol off);
typedef struct Arguments {
    int count;
    const AstParam *params;
    const AstNode **asts; /* by parameter; NULL: left out */
    Tree **trees;
    int *order; /* parameters in the order written */
    int written;
    Span span;
    Str callee;
} Arguments;
/* Sorts written arguments by parameter; the first `skip` are there already. False after an error.
 */
bool arguments_match(Ctx *x, Arguments *a, const AstArgs *args, int skip, const char *kind);
Symbol arguments_off(Checker *c, const Arguments *a, int param);
/* Lets for the arguments when they are written in another order than the parameters and draw. */
void arguments_order(Ctx *x, Arguments *a, TreeList *before);
Tree *arguments_wrap(Checker *c, TreeList *before, Tree *value);
Tree *record_with(Ctx *x, Tree *object, const AstArgs *args, Span span);
Tree *record_build(Ctx *x, Decl *decl, const AstArgs *args, Span span, const Type *expected);
/* A record of these fields, each of its type, NULL where the default is meant. */
Tree *record_of(Ctx *x, const Type *type, Tree **fields, Span span);
/* Whether a field has a default that does not hang on where the record is written. */
bool record_has_default(const Checker *c, const AstParam *field);
Tree *default_value(Ctx *x, Arguments *a, int param, const Type *type, Package *package,
                    const TypeEnv *env, TreeList *before);
void generic_open(Checker *c, TypeEnv *env, const AstNames *names, const TypeEnv *outer);
/* Finds what the type parameters stand for, checking the arguments it needs for that. False after
 * an error. */
bool generic_bind(Ctx *x, Decl *decl, TypeEnv *env, Arguments *a, const Symbol *off,
                  const AstNode *result, const Type *expected);

/* -- override.c -- */
Tree *override_check(Ctx *x, const AstNode *ast);

/* -- lambda.c, value.c -- */
typedef struct LambdaShape {
    const Type **params; /* poison: not known */
    int count;
    const Type *result; /* NULL: whatever the body answers */
    bool draws, acts;
    Symbol off;           /* with draws: the option that was left out, so that nothing flows */
    const AstNode *given; /* AST_TYPE_GIVEN whose names a bare expression sees */
} LambdaShape;
Tree *lambda_make(Ctx *x, const AstNode *ast, const LambdaShape *shape);
Tree *lambda_check(Ctx *x, const AstNode *ast, const Type *expected);
/* An expression as a function whose parameters are the names of a `given(...)`. */
Tree *lambda_given(Ctx *x, const AstNode *given, const Type *type, const AstNode *ast,
                   Symbol off_name);
Tree *value_of_fn(Ctx *x, Decl *decl, Tree *object, Span span, const Type *expected);
Tree *value_adapt_fn(Ctx *x, Tree *fn, const Type *type);
Tree *value_contract(Ctx *x, Tree *part, const Type *contract);
bool value_answers(Checker *c, Class *cls, const Type *contract);
Str value_missing(Checker *c, Class *cls, const Type *contract);

/* -- why.c -- */
/* A function of the same self as `like` that says why the condition does not hold, or NULL. */
TreeFn *why_check(Checker *c, const Ctx *like, AstNode *condition, Str name);

/* -- lint.c -- */
void lint_stream(Checker *c, Tree *call);
void lint_fraction(Checker *c, const Tree *tree, const Type *type);

/* -- fn.c, intrinsic.c -- */
FnInst *fn_instance(Checker *c, Decl *decl, const TypeEnv *env);
void fn_check_body(Checker *c, FnInst *inst, Span call);
TreeFn *fn_create(Checker *c, Str name, Span span);
void fn_finish(Checker *c, TreeFn *fn); /* enters it into the program */
Str fn_name(Checker *c, const Decl *decl);
Str fn_title(Checker *c, const Decl *decl); /* as an author writes it: without a prelude package */
bool intrinsic_find(Checker *c, TreeFn *fn, const AstNode *ast); /* false: after an error */
/* Pushes work; false, after an error that shows the loop, when it is under work already. */
bool work_begin(Checker *c, Work *work, const char *what, Str name, Span span, const void *key,
                Span use);
void work_end(Checker *c, Work *work);
Tree *fault_statement(Ctx *x, const AstNode *ast);
/* same.c: a == b where records of the library say what is the same; NULL: nothing there does */
Tree *same_check(Ctx *x, Tree *left, Tree *right, Span span);
Tree *key_hash(Ctx *x, const AstNode *ast); /* key.c: hashOf(key) */

/* -- shown.c -- */
void shown_check(Checker *c, Class *cls);
void shown_check_world(Checker *c);
/* -- declare.c, layout.c, class.c, design.c, field.c, elaborate.c, copy.c -- */
void class_declare_world(Checker *c);
Class *class_create(Checker *c, Symbol name, const AstNode *ast, Package *package, Class *outer,
                    Span span);
void class_declare_body(Checker *c, Class *cls, const AstList *body);
void class_activate(Checker *c, Class *cls);
void option_unknown(Checker *c, const Class *cls, const AstArg *arg);
void class_check(Checker *c, Class *cls);
void class_finish(Checker *c, Class *cls);
Class *class_of(Checker *c, const TreeClass *tree);
bool class_derives(const Class *cls, const Class *base);
Class *class_common(Class *a, Class *b); /* the last class that both derive from */
Str class_path(Checker *c, const Class *cls);
void design_mark_world(Checker *c);
void design_resolve(Checker *c, Class *cls);
void design_check_holding(Checker *c);

/* -- limit.c -- */
const Type *limit_type(Checker *c, const Type *type, Span span);
void limit_trees(Checker *c, Span span);
bool limit_instances(Checker *c, Span call);
const Type *field_type(Checker *c, Class *cls, int index, Span use);
void field_check(Checker *c, Class *cls, int index);
void elaborate_check(Checker *c, Class *cls);
void elaborate_sites(Checker *c, Class *cls);
Tree *elaborate_part(Ctx *x, const AstNode *ast);
Tree *copy_check(Ctx *x, Class *design, const AstArgs *args, Span span);

#endif
