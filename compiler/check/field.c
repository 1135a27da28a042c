/* Fields: their types, worked out on demand, and the functions that give and test their values. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

/* The file whose names its type and value see: that of the part's line, or the package of a
 * package's field. */
static Package *package_of(const Class *cls, int index) {
    const Decl *decl = cls->fields.items[index].decl;
    return decl && decl->kind == DECL_CONSTANT ? decl->package : cls->package;
}

/* A package's field has no part's names in sight, and nothing on a line sees whose line it is. */
static void init_context(Ctx *x, Checker *c, Class *cls, int index, TreeFn *fn, bool on_line) {
    ctx_init(x, c, fn, package_of(cls, index));
    x->own = on_line ? cls->decl : cls->fields.items[index].decl;
    if (x->package != cls->package)
        fn->owner = cls->tree;
    else if (on_line)
        ctx_set_line(x, cls);
    else
        ctx_set_class(x, cls);
}

static Str field_path(Checker *c, Class *cls, int index) {
    Str path = class_path(c, cls),
        name = symbols_name(c->symbols, cls->tree->fields.items[index].name);
    return str_printf(c->arena, "%.*s%s%.*s", STR_ARG(path), path.len ? "." : "", STR_ARG(name));
}

/* `field seed = 7`: the world's seed, as if it said so. */
static bool is_seed(const Checker *c, const Class *cls, int index) {
    const FieldInfo *info = &cls->fields.items[index];
    return cls == c->root && info->decl && info->decl->kind == DECL_FIELD &&
           info->decl->name == c->names.seed && info->value && expr_is_literal(info->value);
}

/* NULL: to be inferred. A field of the design has the design's type, whoever sets it. */
static const Type *declared_type(Checker *c, Class *cls, int index, Span use) {
    if (cls->base && index < cls->base->fields.count) return field_type(c, cls->base, index, use);
    const FieldInfo *info = &cls->fields.items[index];
    const AstNode *ast = info->decl && !info->quiet ? info->decl->ast->field.type : NULL;
    Package *package = package_of(cls, index);
    if (!ast && is_seed(c, cls, index)) return c->types.u32;
    if (!ast || (info->value && typeexpr_open(c, package, ast))) return NULL;
    return type_inside(c, typeexpr_resolve(c, package, NULL, ast));
}

/* -- values -- */

/* A child of a part that answers the land contract, made of a spine. */
static bool is_laid(Checker *c, Class *cls, const Type *type) {
    Decl *land = typeexpr_find(c, NULL, c->names.land);
    bool spine = type_is(type, TYPE_OBJECT) && type->name == c->names.spine;
    return spine && cls->outer && land && land->kind == DECL_CONTRACT &&
           value_answers(c, cls->outer, typeexpr_contract(c, land));
}

/* A spine that is a child of a land lies on it: laidOn(value, the land). Done when everything has
 * its type, for the land's own functions may read the spine. */
static void lay_on_land(Checker *c, Class *cls, int index, TreeFn *fn) {
    Decl *decl = LIBRARY_DECL(c, spine, laidOn);
    if (!is_laid(c, cls, fn->result) || !decl) return;
    Ctx x;
    init_context(&x, c, cls, index, fn, true);
    FnInst *inst = fn_instance(c, decl, NULL);
    Decl *land = typeexpr_find(c, NULL, c->names.land);
    Tree *ground = scope_path(&x, cls->outer, 1, fn->body->span);
    Tree *args[2] = {fn->body, convert_to(&x, ground, typeexpr_contract(c, land))};
    if (!type_poisoned(args[1]->type)) fn->body = tree_call(&x, inst, args, 2, fn->body->span);
}

/* A record that says how it is made into something else, as a tree's parameters into a tree, is made so: value.made(options of
 * the part's line). */
static Tree *made_value(Ctx *x, const Class *cls, Tree *value, const AstNode *ast) {
    Checker *c = x->c;
    const AstArgs *args = &cls->made_args;
    if (type_is(value->type, TYPE_RECORD) && method_find(x, value, c->names.made))
        return call_method_named(x, value, c->names.made, args, ast->span, ast->span, NULL);
    for (int i = 0; i < args->count && !type_poisoned(value->type); i++)
        option_unknown(c, cls, &args->items[i]);
    return value;
}

static void check_constant_within(Checker *c, Class *cls, int index, const Tree *value);

/* What a part is made of: a design found when the world is built makes members only, and a part of the
 * world gives what it is made of itself. */
static Tree *part_made_of(Ctx *x, Tree *tree) {
    Checker *c = x->c;
    Tree *value = tree;
    while (value && type_is(value->type, TYPE_PART))
        value = part_value(x, value);
    if (value && type_is(value->type, TYPE_FN)) {
        diag_add(c->diags, DIAG_E_PART_FUNCTION, tree->span);
        return tree_poison(c, tree->span);
    }
    if (value && !type_is(value->type, TYPE_ANY_PART) && !type_is(value->type, TYPE_DESIGN))
        return value;
    if (value && type_is(value->type, TYPE_DESIGN))
        diag_add(c->diags, DIAG_E_DESIGN_DYNAMIC, tree->span);
    else
        diag_add(c->diags, DIAG_E_PART_COPIED, tree->span, type_phrase(c, tree->type));
    return tree_poison(c, tree->span);
}

static Tree *check_value(Ctx *x, const Class *cls, const FieldInfo *info, const Type *type) {
    Checker *c = x->c;
    Tree *tree =
        type ? argument_check(x, NULL, type, info->value, 0) : expr_check(x, info->value, NULL);
    bool quiet = type_is(tree->type, TYPE_UNIT) && info->quiet;
    if (!quiet && !expr_has_value(c, tree, info->value->span)) return tree_poison(c, tree->span);
    if (info->is_value) return made_value(x, cls, part_made_of(x, tree), info->value);
    if (!type && type_is(tree->type, TYPE_NUMBER) && tree->type->fraction)
        return tree_retype(c, tree, c->types.number);
    return tree;
}

/* Checks the value; answers its type. */
static const Type *check_init(Checker *c, Class *cls, int index, const Type *type, Span use) {
    FieldInfo *info = &cls->fields.items[index];
    if (info->init_state == WORK_DONE) return cls->tree->fields.items[index].init->result;
    TreeField *field = &cls->tree->fields.items[index];
    Work work;
    if (!work_begin(c, &work, "field", field_path(c, cls, index), field->span, info->value, use))
        return c->types.poison;
    info->init_state = WORK_BUSY;
    TreeFn *fn = fn_create(c, field_path(c, cls, index), info->value->span);
    Ctx x;
    init_context(&x, c, cls, index, fn, info->on_line);
    if (!info->is_value) x.value_name = (AstName){field->name, field->span};
    fn->body = check_value(&x, cls, info, type);
    fn->result = type && !type_poisoned(type) ? type : fn->body->type;
    if (!info->is_value) fn_finish(c, fn); /* a part's value may still be laid on a land */
    info = &cls->fields.items[index];
    info->init_state = WORK_DONE;
    cls->tree->fields.items[index].init = fn;
    work_end(c, &work);
    return fn->result;
}

/* A field without a type asks its value for it, and then a loop of such fields is an error; one
 * with a type asks nothing. */
const Type *field_type(Checker *c, Class *cls, int index, Span use) {
    FieldInfo *info = &cls->fields.items[index];
    if (info->type_state == WORK_DONE) return cls->tree->fields.items[index].type;
    elaborate_sites(c, cls);
    if (index >= cls->fields.count)
        return c->types.poison; /* its design is known only when it runs */
    const Type *type = declared_type(c, cls, index, use);
    info = &cls->fields.items[index];
    if (!type && !info->value) {
        Diag *diag = diag_add(c->diags, DIAG_E_FIELD_TYPE, cls->tree->fields.items[index].span,
                              name_text(c, cls->tree->fields.items[index].name));
        diag_help(c->diags, diag, "write its type after a colon, or its value after =");
        type = c->types.poison;
    }
    if (!type) {
        info->type_state = WORK_BUSY;
        type = check_init(c, cls, index, NULL, use);
        const AstNode *ast = info->decl && !info->quiet ? info->decl->ast->field.type : NULL;
        type = typeexpr_closed(c, typeexpr_open(c, package_of(cls, index), ast), type,
                               info->value->span);
    }
    cls->fields.items[index].type_state = WORK_DONE;
    cls->tree->fields.items[index].type = type;
    return type;
}

/* -- within -- */

/* An end of within. */
static Tree *bound(Ctx *x, const AstNode *ast, const Type *type) {
    Tree *tree = expr_check(x, ast, type);
    if (expr_is_literal(ast) &&
        type_is(type, TYPE_NUMBER)) { /* plain literals are in the field's own unit */
        double value = tree->kind == TREE_INT ? (double)tree->integer : tree->number;
        return tree_number(x->c, value, type, ast->span);
    }
    return convert_to(x, tree, type);
}

static void check_within(Checker *c, Class *cls, int index) {
    FieldInfo *info = &cls->fields.items[index];
    const AstNode *range = info->decl && !info->quiet ? info->decl->ast->field.within : NULL;
    TreeField *field = &cls->tree->fields.items[index];
    bool inherited = cls->base && index < cls->base->fields.count;
    if (!range || inherited || type_poisoned(field->type)) return;
    if (!type_is_numeric(field->type) || range->kind != AST_RANGE) {
        diag_add(c->diags, DIAG_E_WITHIN_TYPE, range->span, type_phrase(c, field->type));
        return;
    }
    const Type *type =
        type_is(field->type, TYPE_NUMBER) ? type_quantity(c, field->type->dims) : field->type;
    TreeFn *fn = fn_create(
        c, str_printf(c->arena, "%.*s.within", STR_ARG(field_path(c, cls, index))), range->span);
    Ctx x;
    init_context(&x, c, cls, index, fn, false);
    int value = ctx_local(&x, field->name, field->type, false);
    fn->param_count = 1;
    Tree *lo = bound(&x, range->range.lo, type), *hi = bound(&x, range->range.hi, type);
    if (type_poisoned(lo->type) || type_poisoned(hi->type)) return;
    Tree *both = tree_new(c, TREE_AND, c->types.boolean, range->span);
    both->op.left =
        tree_op(c, OP_LE, lo, tree_local(&x, value, range->span), c->types.boolean, range->span);
    both->op.right = tree_op(c, range->range.closed ? OP_LE : OP_LT,
                             tree_local(&x, value, range->span), hi, c->types.boolean, range->span);
    fn->body = both;
    fn->result = c->types.boolean;
    fn_finish(c, fn);
    field = &cls->tree->fields.items[index];
    field->within = fn;
    field->within_lo = lo->kind == TREE_NUMBER || lo->kind == TREE_INT ? lo : NULL;
    field->within_hi = hi->kind == TREE_NUMBER || hi->kind == TREE_INT ? hi : NULL;
}

static double constant(const Tree *tree) {
    return tree->kind == TREE_INT ? (double)tree->integer : tree->number;
}

/* A written number that is plainly outside is an error where it is written. */
static void check_constant_within(Checker *c, Class *cls, int index, const Tree *value) {
    Class *owner = cls;
    while (owner->base && index < owner->base->fields.count)
        owner = owner->base;
    field_check(c, owner, index);
    const TreeField *field = &owner->tree->fields.items[index];
    if (!field->within_lo || !field->within_hi ||
        (value->kind != TREE_NUMBER && value->kind != TREE_INT))
        return;
    double v = constant(value), lo = constant(field->within_lo), hi = constant(field->within_hi);
    bool closed = owner->fields.items[index].decl->ast->field.within->range.closed;
    if (v >= lo && (closed ? v <= hi : v < hi)) return;
    Diag *diag = diag_add(c->diags, DIAG_E_FIELD_WITHIN, value->span, name_text(c, field->name));
    diag_note(c->diags, diag, field->within_lo->span, "its range is declared here");
}

/* What comes after the type: the range, then the value of its own. */
static void check_rest(Checker *c, Class *cls, int index, const Type *type) {
    check_within(c, cls, index);
    const FieldInfo *info = &cls->fields.items[index];
    if (!info->own || !info->value) return;
    check_init(c, cls, index, type, cls->tree->fields.items[index].span);
    TreeFn *init = cls->tree->fields.items[index].init;
    if (!init) return; /* one of a loop of types, reported */
    if (cls->fields.items[index].is_value) {
        lay_on_land(c, cls, index, init);
        fn_finish(c, init);
    } else {
        check_constant_within(c, cls, index, init->body);
    }
}

void field_check(Checker *c, Class *cls, int index) {
    const Type *type = field_type(c, cls, index, cls->tree->fields.items[index].span);
    if (index >= cls->fields.count) return; /* a design known only when it runs took its place */
    if (cls->fields.items[index].within_state != WORK_NEW) return;
    cls->fields.items[index].within_state = WORK_DONE;
    check_rest(c, cls, index, type);
}
