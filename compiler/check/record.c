/* Records are built by calling their name. */
#include "compiler/check/checker.h"

static bool missing(Ctx *x, const Arguments *a, int field) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, a->span, a->callee.ptr,
                          name_text(c, a->params[field].name.symbol));
    diag_note(c->diags, diag, a->params[field].span, "it is declared here");
    return false;
}

/* A field's type as declared: METERS_OR_NUMBER and its like still there. */
static const Type *declared(Ctx *x, Decl *decl, const TypeEnv *env, const Arguments *a, int field) {
    return typeexpr_resolve(x->c, decl->package, env, a->params[field].type);
}

/* Like a call's, but with the record's fields for parameters. */
static bool fill(Ctx *x, const Type *type, Decl *decl, const TypeEnv *env, Arguments *a,
                 TreeList *before) {
    Symbol *off = ARENA_ARRAY(x->c->arena, Symbol, a->count + 1);
    for (int i = 0; i < a->count; i++)
        off[i] = arguments_off(x->c, a, i);
    bool good = true;
    for (int i = 0; i < a->count; i++) {
        const Type *field = type->record->fields.items[i].type;
        Symbol outer = x->argument;
        x->argument = a->params[i].name.symbol;
        if (a->trees[i])
            a->trees[i] = convert_to(x, a->trees[i], field);
        else if (a->asts[i])
            a->trees[i] = argument_check(x, a->params[i].type, declared(x, decl, env, a, i),
                                         a->asts[i], off[i]);
        x->argument = outer;
        if (a->trees[i] && type_poisoned(a->trees[i]->type)) good = false;
    }
    if (good) arguments_order(x, a, before);
    for (int i = 0; good && i < a->count; i++) {
        if (a->trees[i]) continue;
        if (!a->params[i].default_value) return missing(x, a, i);
        a->trees[i] =
            default_value(x, a, i, declared(x, decl, env, a, i), decl->package, env, before);
        good = !type_poisoned(a->trees[i]->type);
    }
    return good;
}

/* r.with(x: 1, y: 2): the fields that are named, and the rest as they are. */
Tree *record_with(Ctx *x, Tree *object, const AstArgs *args, Span span) {
    Checker *c = x->c;
    const struct TreeRecord *record = object->type->record;
    const AstParams *fields = &record->ast->record.fields;
    Arguments a = {.count = fields->count,
                   .params = fields->items,
                   .span = span,
                   .callee = str_of(name_text(c, record->name))};
    for (int i = 0; i < args->count; i++)
        if (!args->items[i].name.symbol) {
            diag_add(c->diags, DIAG_E_WITH_NAMES, args->items[i].span);
            return tree_poison(c, span);
        }
    if (!arguments_match(x, &a, args, 0, "record")) return tree_poison(c, span);
    TreeList before = {0};
    int whole = ctx_local(x, 0, object->type, false);
    treelist_push(c, &before, tree_let(x, whole, object));
    Tree *tree = tree_new(c, TREE_AGGREGATE, object->type, span);
    for (int i = 0; i < a.count; i++) {
        const Type *type = record->fields.items[i].type;
        a.trees[i] = a.asts[i] ? argument_check(x, a.params[i].type, type, a.asts[i], 0)
                               : tree_component(c, tree_local(x, whole, span),
                                                record->slots.items[i], type, span);
        if (type_poisoned(a.trees[i]->type)) tree->type = c->types.poison;
    }
    if (!type_poisoned(tree->type)) arguments_order(x, &a, &before);
    for (int i = 0; i < a.count; i++)
        treelist_push(c, &tree->items, a.trees[i]);
    return arguments_wrap(c, &before, tree);
}

/* A generic record takes its types from its fields, or from the type that is wanted. */
Tree *record_build(Ctx *x, Decl *decl, const AstArgs *args, Span span, const Type *expected) {
    Checker *c = x->c;
    const AstParams *fields = &decl->ast->record.fields;
    Arguments a = {.count = fields->count,
                   .params = fields->items,
                   .span = span,
                   .callee = str_of(name_text(c, decl->name))};
    if (!arguments_match(x, &a, args, 0, "record")) return tree_poison(c, span);
    TypeEnv env;
    generic_open(c, &env, &decl->ast->record.type_params, NULL);
    if (env.count) {
        Symbol *off = ARENA_ARRAY(c->arena, Symbol, a.count + 1);
        bool same = expected && type_is(expected, TYPE_RECORD) && expected->name == decl->name;
        for (int i = 0; same && i < env.count; i++)
            env.types[i] = expected->items[i];
        if (!generic_bind(x, decl, &env, &a, off, NULL, NULL)) return tree_poison(c, span);
    }
    const Type *type = typeexpr_record(c, decl, env.types, span);
    TreeList before = {0};
    const AstNode *outer = x->over;
    if (decl->name == c->names.rule && !decl->package->is_file) x->over = rule_over(x, span);
    bool good = !type_poisoned(type) && fill(x, type, decl, &env, &a, &before);
    x->over = outer;
    if (!good) return tree_poison(c, span);
    Tree *tree = tree_new(c, TREE_AGGREGATE, type, span);
    for (int i = 0; i < a.count; i++)
        treelist_push(c, &tree->items, a.trees[i]);
    return arguments_wrap(c, &before, tree);
}

bool record_has_default(const Checker *c, const AstParam *field) {
    const AstNode *value = field->default_value;
    bool by_place =
        value && value->kind == AST_NAME &&
        (value->name.symbol == c->names.field_name || value->name.symbol == c->names.field_path ||
         value->name.symbol == c->names.around);
    return value && !by_place;
}

Tree *record_of(Ctx *x, const Type *type, Tree **fields, Span span) {
    Checker *c = x->c;
    Decl *decl = type->record->decl;
    const AstParams *params = &decl->ast->record.fields;
    Arguments a = {.count = params->count,
                   .params = params->items,
                   .trees = fields,
                   .span = span,
                   .callee = str_of(name_text(c, decl->name))};
    TypeEnv env;
    generic_open(c, &env, &decl->ast->record.type_params, NULL);
    for (int i = 0; i < env.count; i++)
        env.types[i] = type->items[i];
    TreeList before = {0};
    Tree *tree = tree_new(c, TREE_AGGREGATE, type, span);
    for (int i = 0; i < a.count; i++) {
        if (!fields[i])
            fields[i] = default_value(x, &a, i, declared(x, decl, &env, &a, i), decl->package, &env,
                                      &before);
        if (type_poisoned(fields[i]->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->items, fields[i]);
    }
    return arguments_wrap(c, &before, tree);
}
