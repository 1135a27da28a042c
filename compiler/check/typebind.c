/* Types as written, matched against types of values, to find what a type parameter stands for.
 *
 * A type parameter whose name begins with Q stands for a quantity (a NUMBER of any dimension), so
 * `Q^2` and `Q / seconds` mean something; any other stands for any type.
 */
#include "compiler/check/checker.h"

static bool is_quantity_name(Checker *c, Symbol name) {
    return symbols_name(c->symbols, name).ptr[0] == 'Q';
}

/* Whether some type parameter in it is not decided yet. */
bool typeexpr_has_unknown(const TypeEnv *env, const AstNode *ast) {
    if (!ast) return false;
    const AstList *list = NULL;
    switch ((int)ast->kind) {
    case AST_TYPE_NAME: {
        const Type **bound = typeexpr_variable(env, ast->type_name.name.symbol);
        if (bound) return !*bound;
        list = &ast->type_name.args;
        break;
    }
    case AST_TYPE_POWER:
        return typeexpr_has_unknown(env, ast->type_power.base);
    case AST_TYPE_PRODUCT:
    case AST_TYPE_QUOTIENT:
        return typeexpr_has_unknown(env, ast->type_pair.left) ||
               typeexpr_has_unknown(env, ast->type_pair.right);
    case AST_TYPE_OPTIONAL:
        return typeexpr_has_unknown(env, ast->type_optional.base);
    case AST_TYPE_TUPLE:
        list = &ast->type_tuple.items;
        break;
    case AST_TYPE_FN:
        if (typeexpr_has_unknown(env, ast->type_fn.result)) return true;
        list = &ast->type_fn.params;
        break;
    case AST_TYPE_GIVEN:
        for (int i = 0; i < ast->type_given.params.count; i++)
            if (typeexpr_has_unknown(env, ast->type_given.params.items[i].type)) return true;
        return typeexpr_has_unknown(env, ast->type_given.result);
    default:
        return false;
    }
    for (int i = 0; i < list->count; i++)
        if (typeexpr_has_unknown(env, list->items[i])) return true;
    return false;
}

/* Whole numbers count as plain ones. */
static bool bind_quantity(Checker *c, const Type **bound, const Type *actual) {
    bool whole = type_is(actual, TYPE_INT) || type_is(actual, TYPE_ONE_OF);
    if (!type_is(actual, TYPE_NUMBER) && !whole) return type_poisoned(actual);
    if (!*bound) *bound = whole ? c->types.number : type_quantity(c, actual->dims);
    return dims_equal((*bound)->dims, actual->dims);
}

/* A whole number gives way to a number: max(1, 2.5) is a number. */
static bool bind_var(Checker *c, Symbol name, const Type **bound, const Type *actual) {
    if (is_quantity_name(c, name)) return bind_quantity(c, bound, actual);
    if (type_is(actual, TYPE_NUMBER) && actual->fraction) actual = c->types.number;
    if (!*bound || (type_is(*bound, TYPE_INT) && actual == c->types.number)) *bound = actual;
    return convert_type_fits(c, actual, *bound);
}

/* base^n = actual: the n-th root, when it is whole in sixths. */
static bool bind_power(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                       const Type *actual) {
    int n = ast->type_power.exponent;
    if (type_is(actual, TYPE_INT)) actual = c->types.number;
    if (!type_is(actual, TYPE_NUMBER) || n == 0) return type_poisoned(actual);
    Dims d = actual->dims;
    if (d.length % n || d.time % n || d.angle % n) return false;
    Dims root = {d.length / n, d.time / n, d.angle / n};
    return typeexpr_bind(c, package, env, ast->type_power.base, type_quantity(c, root));
}

/* One side must be known; the other is what is left. */
static bool bind_pair(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                      const Type *actual) {
    if (type_is(actual, TYPE_INT)) actual = c->types.number;
    if (!type_is(actual, TYPE_NUMBER)) return type_poisoned(actual);
    const AstNode *left = ast->type_pair.left, *right = ast->type_pair.right;
    bool product = ast->kind == AST_TYPE_PRODUCT;
    if (!typeexpr_has_unknown(env, right)) {
        Dims known = typeexpr_resolve(c, package, env, right)->dims;
        Dims rest = dims_add(actual->dims, known, product ? -1 : 1);
        return dims_possible(rest) &&
               typeexpr_bind(c, package, env, left, type_quantity(c, rest));
    }
    if (!typeexpr_has_unknown(env, left)) {
        Dims known = typeexpr_resolve(c, package, env, left)->dims;
        Dims rest = product ? dims_add(actual->dims, known, -1) : dims_add(known, actual->dims, -1);
        return dims_possible(rest) &&
               typeexpr_bind(c, package, env, right, type_quantity(c, rest));
    }
    return true;
}

static bool bind_name(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                      const Type *actual) {
    Symbol name = ast->type_name.name.symbol;
    const AstList *args = &ast->type_name.args;
    const Type **bound = typeexpr_variable(env, name);
    if (bound) return bind_var(c, name, bound, actual);
    if (type_is(actual, TYPE_OPTIONAL) && args->count) return false;
    if (name == c->names.list && args->count == 1)
        return type_is(actual, TYPE_LIST) &&
               typeexpr_bind(c, package, env, args->items[0], actual->element);
    if (name == c->names.vector && args->count == 1)
        return type_is(actual, TYPE_VECTOR) &&
               typeexpr_bind(c, package, env, args->items[0], type_quantity(c, actual->dims));
    if (args->count == 0)
        return convert_type_fits(c, actual, typeexpr_resolve(c, package, env, ast));
    bool named = type_is(actual, TYPE_RECORD) || type_is(actual, TYPE_OBJECT);
    if (!named || actual->name != name || actual->item_count != args->count) return false;
    for (int i = 0; i < args->count; i++)
        if (!typeexpr_bind(c, package, env, args->items[i], actual->items[i])) return false;
    return true;
}

/* A function of what parts are made of takes the parts. */
static bool bind_param(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                       const Type *actual) {
    if (typeexpr_bind(c, package, env, ast, actual)) return true;
    return !typeexpr_has_unknown(env, ast) &&
           convert_argument_fits(c, typeexpr_resolve(c, package, env, ast), actual);
}

/* A stream among the parameters is no parameter of the value. */
static bool bind_fn(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                    const Type *actual) {
    bool given = ast->kind == AST_TYPE_GIVEN;
    int count = given ? ast->type_given.params.count : ast->type_fn.params.count, at = 0;
    if (!type_is(actual, TYPE_FN)) return false;
    for (int i = 0; i < count; i++) {
        const AstNode *type =
            given ? ast->type_given.params.items[i].type : ast->type_fn.params.items[i];
        if (type && type->kind == AST_TYPE_NAME && type->type_name.name.symbol == c->names.stream)
            continue;
        if (at >= actual->item_count || !bind_param(c, package, env, type, actual->items[at++]))
            return false;
    }
    const AstNode *result = given ? ast->type_given.result : ast->type_fn.result;
    return at == actual->item_count &&
           (!result || typeexpr_bind(c, package, env, result, actual->element));
}

static bool bind_tuple(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                       const Type *actual) {
    const AstList *items = &ast->type_tuple.items;
    if (!type_is(actual, TYPE_TUPLE) || actual->item_count != items->count) return false;
    for (int i = 0; i < items->count; i++)
        if (!typeexpr_bind(c, package, env, items->items[i], actual->items[i])) return false;
    return true;
}

bool typeexpr_bind(Checker *c, Package *package, TypeEnv *env, const AstNode *ast,
                   const Type *actual) {
    if (!ast || type_poisoned(actual)) return true;
    switch ((int)ast->kind) {
    case AST_TYPE_NAME:
        return bind_name(c, package, env, ast, actual);
    case AST_TYPE_POWER:
        return bind_power(c, package, env, ast, actual);
    case AST_TYPE_PRODUCT:
    case AST_TYPE_QUOTIENT:
        return bind_pair(c, package, env, ast, actual);
    case AST_TYPE_TUPLE:
        return bind_tuple(c, package, env, ast, actual);
    case AST_TYPE_FN:
    case AST_TYPE_GIVEN:
        return bind_fn(c, package, env, ast, actual);
    case AST_TYPE_OPTIONAL:
        if (type_is(actual, TYPE_NONE)) return true;
        return typeexpr_bind(c, package, env, ast->type_optional.base,
                             type_is(actual, TYPE_OPTIONAL) ? actual->element : actual);
    default:
        return convert_type_fits(c, actual, typeexpr_resolve(c, package, env, ast));
    }
}
