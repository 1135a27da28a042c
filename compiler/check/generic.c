/* What the type parameters of a call stand for. Arguments that say most are looked at first:
 * values, then bare literals (a zero fits any quantity) and functions (whose parameters the values
 * decide). */
#include "compiler/check/checker.h"

void generic_open(Checker *c, TypeEnv *env, const AstNames *names, const TypeEnv *outer) {
    *env = (TypeEnv){.count = names->count, .names = names->items, .outer = outer};
    env->types = ARENA_ARRAY(c->arena, const Type *, names->count + 1);
}

static const AstNode *plain_type(const AstNode *type) {
    return type && type->kind == AST_TYPE_OPTIONAL ? type->type_optional.base : type;
}

/* What adapts to the types that the other arguments decide. */
static bool comes_late(const AstNode *ast, const AstNode *type) {
    return expr_is_literal(ast) || ast->kind == AST_LAMBDA ||
           plain_type(type)->kind == AST_TYPE_GIVEN ||
           (ast->kind == AST_LIST && ast->list.items.count == 0);
}

/* A function whose parameters are known by now, but not what it answers. */
static Tree *check_function(Ctx *x, Decl *decl, const TypeEnv *env, const AstNode *type,
                            const AstNode *ast, Symbol off, bool any_result) {
    Checker *c = x->c;
    type = plain_type(type);
    bool given = type->kind == AST_TYPE_GIVEN;
    if (!given && (type->kind != AST_TYPE_FN || ast->kind != AST_LAMBDA))
        return expr_check(x, ast, NULL);
    int count = given ? type->type_given.params.count : type->type_fn.params.count, kept = 0;
    const Type **params = ARENA_ARRAY(c->arena, const Type *, count + 1);
    bool draws = false;
    for (int i = 0; i < count; i++) {
        const AstNode *of =
            given ? type->type_given.params.items[i].type : type->type_fn.params.items[i];
        const Type *param = typeexpr_resolve(c, decl->package, env, of);
        if (type_is(param, TYPE_OBJECT) && param->name == c->names.stream)
            draws = true;
        else
            params[kept++] = param;
    }
    const AstNode *result_ast = given ? type->type_given.result : type->type_fn.result;
    const Type *result = any_result || typeexpr_has_unknown(env, result_ast)
                             ? NULL
                             : typeexpr_resolve(c, decl->package, env, result_ast);
    LambdaShape shape = {.params = params,
                         .count = kept,
                         .result = result,
                         .draws = draws,
                         .off = off,
                         .given = given ? type : NULL};
    return lambda_make(x, ast, &shape);
}

/* Nothing fits the declared shape at all: the declaration is shown. */
static void report_fit(Ctx *x, const Arguments *a, int param, const Tree *tree, const TypeEnv *env,
                       Decl *decl) {
    Checker *c = x->c;
    const AstNode *type = a->params[param].type;
    const char *name = name_text(c, a->params[param].name.symbol);
    if (!typeexpr_has_unknown(env, type)) {
        convert_to(x, (Tree *)(uintptr_t)tree, typeexpr_resolve(c, decl->package, env, type));
        return;
    }
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_FIT, tree->span, name, a->callee.ptr,
                          type_phrase(c, tree->type));
    Str written = sources_text(c->input.sources, type->span);
    diag_note(c->diags, diag, a->params[param].span, "it is declared as %.*s", STR_ARG(written));
}

/* A parameter of the bare type T, where T is a whole number until a number comes: max(1, 2.5). */
static bool whole_so_far(Checker *c, const TypeEnv *env, const AstNode *type) {
    for (int i = 0; i < env->count && type->kind == AST_TYPE_NAME; i++)
        if (env->names[i].symbol == type->type_name.name.symbol)
            return env->types[i] == c->types.integer;
    return false;
}

/* fold(0, fn(sum, x) { sum + x / 2 }): the function answers more than the whole number it begins
 * with. */
static void widen_by_function(Ctx *x, Decl *decl, TypeEnv *env, const AstNode *type,
                              const AstNode *ast) {
    Checker *c = x->c;
    type = plain_type(type);
    if (ast->kind != AST_LAMBDA || type->kind != AST_TYPE_FN) return;
    if (!type->type_fn.result || !whole_so_far(c, env, type->type_fn.result)) return;
    DiagList silent, *loud = suggest_silence(c, &silent);
    Tree *tree = check_function(x, decl, env, type, ast, 0, true);
    c->diags = loud;
    if (type_is(tree->type, TYPE_FN) && type_is(tree->type->element, TYPE_NUMBER))
        typeexpr_bind(c, decl->package, env, type->type_fn.result, tree->type->element);
}

/* One of two passes over the arguments: those that decide, then those that adapt. */
static bool bind_pass(Ctx *x, Decl *decl, TypeEnv *env, Arguments *a, const Symbol *off,
                      bool late) {
    Checker *c = x->c;
    for (int i = 0; i < a->count; i++) {
        const AstNode *type = a->params[i].type;
        bool given_tree = a->trees[i] && !a->asts[i]; /* self, or an operand */
        bool known = !type || !typeexpr_has_unknown(env, type);
        if (known && late && type && a->asts[i] && !a->trees[i])
            widen_by_function(x, decl, env, type, a->asts[i]);
        bool may_widen = known && type && whole_so_far(c, env, type);
        if (known && !may_widen) continue;
        if (given_tree ? late
                       : (!a->asts[i] || a->trees[i] || comes_late(a->asts[i], type) != late))
            continue;
        if (!a->trees[i])
            a->trees[i] = check_function(x, decl, env, type, a->asts[i], off[i], false);
        if (type_poisoned(a->trees[i]->type)) return false;
        if (typeexpr_bind(c, decl->package, env, type, a->trees[i]->type)) continue;
        Tree *value = part_opened(x, a->trees[i]);
        if (value && typeexpr_bind(c, decl->package, env, type, value->type)) {
            a->trees[i] = value;
            continue;
        }
        if (may_widen) continue; /* said when it is converted */
        report_fit(x, a, i, a->trees[i], env, decl);
        return false;
    }
    return true;
}

/* What names of a one of (...), tuples of three and parts made of a value are, the wanted type says, also where it is of
 * what is wanted: oneOf([forest, meadow], seed: i), Map([(1, land.brook)]). */
static bool decides(const Type *expected) {
    if (!expected) return false;
    switch ((int)expected->kind) {
    case TYPE_ONE_OF:
    case TYPE_COLOR:
    case TYPE_VECTOR:
    case TYPE_POINT:
    case TYPE_OBJECT:
        return true;
    case TYPE_OPTIONAL:
    case TYPE_LIST:
        return decides(expected->element);
    case TYPE_RECORD:
        for (int i = 0; i < expected->item_count; i++)
            if (decides(expected->items[i])) return true;
        return false;
    default:
        return false;
    }
}

static bool lists_none(const Arguments *a) {
    for (int i = 0; i < a->count; i++)
        for (int k = 0; a->asts[i] && a->asts[i]->kind == AST_LIST && k < a->asts[i]->list.items.count; k++)
            if (a->asts[i]->list.items.items[k]->kind == AST_NONE) return true;
    return false;
}

/* Where a T? is wanted of what answers a T, a T is: tile.at(i, j), of a Grid[color], for a color?; oneOf([none, red]) aside. */
static const Type *wanted_of(const AstNode *result, const Type *expected, const Arguments *a) {
    bool within = type_is(expected, TYPE_OPTIONAL) && result->kind != AST_TYPE_OPTIONAL && !lists_none(a);
    return within ? expected->element : expected;
}

/* After the arguments the wanted result may decide; a quantity nobody decides is a plain number. */
bool generic_bind(Ctx *x, Decl *decl, TypeEnv *env, Arguments *a, const Symbol *off,
                  const AstNode *result, const Type *expected) {
    Checker *c = x->c;
    if (result && decides(expected)) typeexpr_bind(c, decl->package, env, result, wanted_of(result, expected, a));
    if (!bind_pass(x, decl, env, a, off, false) || !bind_pass(x, decl, env, a, off, true))
        return false;
    if (expected && result && typeexpr_has_unknown(env, result))
        typeexpr_bind(c, decl->package, env, result, expected);
    for (int i = 0; i < env->count; i++) {
        if (env->types[i]) continue;
        if (symbols_name(c->symbols, env->names[i].symbol).ptr[0] == 'Q') {
            env->types[i] = c->types.number;
            continue;
        }
        diag_add(c->diags, DIAG_E_GENERIC_UNKNOWN, a->span, name_text(c, env->names[i].symbol),
                 a->callee.ptr);
        return false;
    }
    return true;
}
