/* Calls of one function or function value: arguments, type parameters, defaults, then the call. */
#include "compiler/check/checker.h"

/* -- one function -- */

/* Points at the call, and at the parameter in a note. */
static void report_missing(Ctx *x, const Arguments *a, int param) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, a->span, a->callee.ptr,
                          name_text(c, a->params[param].name.symbol));
    diag_note(c->diags, diag, a->params[param].span, "it is declared here");
}

/* Every argument as a tree of its parameter's own type. */
static bool fill(Ctx *x, FnInst *inst, Arguments *a, const Symbol *off, TreeList *before) {
    bool good = true;
    for (int i = 0; i < a->count; i++) {
        const Type *type = inst->params[i];
        Symbol outer = x->argument;
        x->argument = a->params[i].name.symbol;
        if (a->trees[i])
            a->trees[i] = convert_to(x, a->trees[i], type);
        else if (a->asts[i])
            a->trees[i] = argument_check(x, a->params[i].type, type, a->asts[i], off[i]);
        x->argument = outer;
        if (a->trees[i] && type_poisoned(a->trees[i]->type)) good = false;
    }
    if (good) arguments_order(x, a, before);
    for (int i = 0; good && i < a->count; i++) {
        if (a->trees[i]) continue;
        if (!a->params[i].default_value) {
            report_missing(x, a, i);
            return false;
        }
        a->trees[i] =
            default_value(x, a, i, inst->params[i], inst->decl->package, &inst->env, before);
        if (type_poisoned(a->trees[i]->type)) good = false;
    }
    return good;
}

/* Arguments of a call that went wrong are still looked at, so that their own mistakes show. */
static Tree *call_failed(Ctx *x, const Arguments *a) {
    for (int i = 0; i < a->count; i++)
        if (a->asts && a->asts[i] && !a->trees[i] && a->asts[i]->kind == AST_CALL)
            expr_check(x, a->asts[i], NULL);
    return tree_poison(x->c, a->span);
}

/* A written color is looked at now, and pointed at; one that is worked out, when it is. */
static bool color_good(Checker *c, const Tree *hex) {
    uint32_t word;
    if (hex->kind != TREE_TEXT || str_color(hex->text, &word)) return true;
    diag_add(c->diags, DIAG_E_COLOR, hex->span, STR_ARG(hex->text));
    return false;
}

/* `trees`: the first arguments, worked out already. */
static Tree *call_with(Ctx *x, Decl *decl, Tree *object, Tree **trees, int tree_count,
                       const AstArgs *args, Span span, const Type *expected) {
    Checker *c = x->c;
    const AstParams *params = decl_params(decl);
    Arguments a = {
        .count = params->count, .params = params->items, .span = span, .callee = fn_title(c, decl)};
    a.trees = ARENA_ARRAY(c->arena, Tree *, a.count + 1);
    uses_decl(x, decl, x->said, NULL);
    for (int i = 0; i < tree_count; i++)
        a.trees[i] = trees[i];
    if (!arguments_match(x, &a, args, tree_count, "function")) return call_failed(x, &a);
    Symbol *off = ARENA_ARRAY(c->arena, Symbol, a.count + 1);
    for (int i = 0; i < a.count; i++)
        off[i] = arguments_off(c, &a, i);
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    if (env.count && !generic_bind(x, decl, &env, &a, off, decl->ast->fn.result_type, expected))
        return call_failed(x, &a);
    FnInst *inst = fn_instance(c, decl, &env);
    uses_decl(x, decl, x->said, inst->fn->result);
    TreeList before = {0};
    if (!fill(x, inst, &a, off, &before)) return tree_poison(c, span);
    if (a.count && a.params[0].is_var && !place_hold(x, a.trees[0], &before)) {
        diag_add(c->diags, DIAG_E_CHANGES, span, fn_title(c, decl).ptr);
        return tree_poison(c, span);
    }
    Tree **all = ARENA_ARRAY(c->arena, Tree *, a.count + 2);
    int count = 0;
    if (decl->owner) all[count++] = object;
    for (int i = 0; i < a.count; i++)
        all[count++] = a.trees[i];
    Tree *call = tree_call(x, inst, all, count, span);
    if (decl->name == c->names.random_stream) lint_stream(c, call);
    if (decl->name == c->names.rgb && !decl->package->is_file && !color_good(c, all[0]))
        return tree_poison(c, span);
    return arguments_wrap(c, &before, call);
}

Tree *call_one(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span,
               const Type *expected) {
    bool is_self = object && !decl->owner;
    return call_with(x, decl, decl->owner ? object : NULL, &object, is_self, args, span, expected);
}

Tree *call_trees(Ctx *x, Decl *decl, Tree **trees, int count, Span span) {
    static const AstArgs none;
    return call_with(x, decl, NULL, trees, count, &none, span, NULL);
}

/* -- values -- */

Tree *call_value(Ctx *x, Tree *callee, const AstArgs *args, const AstParams *params, Span span) {
    Checker *c = x->c;
    const Type *type = callee->type;
    if (type_poisoned(type)) return callee;
    if (!type_is(type, TYPE_FN)) {
        Diag *diag = diag_add(c->diags, DIAG_E_NOT_FUNCTION, callee->span, type_phrase(c, type));
        const char *help = type_is(type, TYPE_LIST)                       ? "an item is xs[0]"
                           : args->count == 0                            ? "it is a value already: leave out the ()"
                           : type_is_numeric(type) && args->count == 1 ? "a product is written a * b"
                                                                          : NULL;
        if (help) diag_help(c->diags, diag, "%s", help);
        return tree_poison(c, span);
    }
    bool stream_written = type->draws && args->count == type->item_count + 1;
    Tree *tree = tree_new(c, TREE_CALL_VALUE, type->element, span);
    tree->call_value.callee = callee;
    if (args->count != type->item_count && !stream_written) {
        diag_add(c->diags, DIAG_E_ARGUMENT_COUNT, span, type->item_count, args->count);
        return tree_poison(c, span);
    }
    for (int i = 0; i < type->item_count; i++) {
        AstName name = args->items[i].name;
        if (name.symbol && (!params || params->items[i].name.symbol != name.symbol)) {
            diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, name.span, "function", type_text(c, type),
                     name_text(c, name.symbol));
            return tree_poison(c, span);
        }
        Tree *arg = expr_value(x, args->items[i].value, type->items[i]);
        if (type_poisoned(arg->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->call_value.args, arg);
    }
    if (stream_written)
        tree->call_value.stream =
            expr_value(x, args->items[type->item_count].value, type_object(c, c->names.stream));
    else if (type->draws)
        tree->call_value.stream = scope_stream(x, span, STR_LIT("this function"), NULL);
    if (type->draws && (!tree->call_value.stream || type_poisoned(tree->call_value.stream->type)))
        return tree_poison(c, span);
    return tree;
}
