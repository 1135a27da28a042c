/* `object.name(...)`: a part's own functions, then the library's whose self takes the object, then
 * those of the value a part is made of. Operators on objects are library functions too. */
#include "compiler/check/checker.h"

/* A part's function or function-valued field; a record's or contract's function. */
static Tree *own_method(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span,
                        const Type *expected) {
    Checker *c = x->c;
    const Type *type = object->type;
    if (type_is(type, TYPE_PART)) {
        Class *cls = class_of(c, type->cls);
        Decl *decl = class_member(cls, name);
        if (decl && decl->kind == DECL_FN)
            return call_decl(x, decl, decl->owner ? object : NULL, args, span, expected);
        if (decl && decl->kind == DECL_FIELD &&
            type_is(field_type(c, cls, decl->index, span), TYPE_FN))
            return call_value(x, member_find(x, object, name, span, NULL), args, NULL, span);
    }
    if (type_is(type, TYPE_RECORD) || type_is(type, TYPE_CONTRACT)) {
        Tree *member = member_find(x, object, name, span, NULL);
        const AstParams *params = NULL;
        for (int i = 0; member && type_is(type, TYPE_CONTRACT) && i < type->record->fields.count;
             i++)
            if (type->record->fields.items[i].name == name)
                params = &type->record->ast->contract.fns.items[i]->fn.params;
        if (member && type_is(member->type, TYPE_FN))
            return call_value(x, member, args, params, span);
    }
    return NULL;
}

static bool takes_self(Checker *c, const Decl *decl, const Tree *object) {
    TypeEnv env;
    if (!decl_takes_self(c, decl)) return false;
    generic_open(c, &env, decl_type_params(decl), NULL);
    return typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, object->type);
}

/* Of the package's functions of this name whose self takes the object: the only one, or the one
 * whose parameters take the arguments, or the first. */
static Decl *find_method(Ctx *x, Package *package, Tree *object, Symbol name, const AstArgs *args) {
    Decl *first = NULL;
    int count = 0;
    for (Decl *decl = package_value(x->package, package, name); decl; decl = decl->next) {
        if (decl->kind != DECL_FN || !takes_self(x->c, decl, object)) continue;
        if (count++ == 0) first = decl;
    }
    if (count < 2) return first;
    for (Decl *decl = first; decl; decl = decl->next)
        if (decl->kind == DECL_FN && takes_self(x->c, decl, object) &&
            form_fits(x, decl, object, args, args->count))
            return decl;
    return first;
}

Decl *method_find(Ctx *x, Tree *object, Symbol name) {
    static const AstArgs none;
    Checker *c = x->c;
    Decl *decl = find_method(x, x->package, object, name, &none);
    for (int i = 0; !decl && i < c->packages.count; i++)
        decl = find_method(x, c->packages.items[i], object, name, &none);
    return decl;
}

const Type *method_wants(Ctx *x, Decl *decl, const Tree *object, int param) {
    Checker *c = x->c;
    const AstParams *params = decl_params(decl);
    TypeEnv env;
    if (param >= params->count || !params->items[param].type) return NULL;
    generic_open(c, &env, decl_type_params(decl), NULL);
    typeexpr_bind(c, decl->package, &env, params->items[0].type, object->type);
    const AstNode *type = params->items[param].type;
    return typeexpr_has_unknown(&env, type) ? NULL : typeexpr_resolve(c, decl->package, &env, type);
}

/* Whether some function of that name has a self. */
bool method_named(Checker *c, const Package *from, Symbol name) {
    for (int i = 0; i < c->packages.count; i++)
        for (Decl *decl = package_value(from, c->packages.items[i], name); decl; decl = decl->next)
            if (decl_takes_self(c, decl)) return true;
    return false;
}

/* Functions of any package whose self takes the object: the asking file's package first. */
static Tree *library_method(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span,
                            const Type *expected) {
    Checker *c = x->c;
    Decl *decl = find_method(x, x->package, object, name, args);
    for (int i = 0; !decl && i < c->packages.count; i++)
        decl = find_method(x, c->packages.items[i], object, name, args);
    return decl ? call_one(x, decl, object, args, span, expected) : NULL;
}

/* The part itself before what it is made of, and functions before fields that hold one. */
Tree *call_method_named(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span,
                        Span name_span, const Type *expected) {
    if (type_poisoned(object->type)) return object;
    Tree *tree = own_method(x, object, name, args, span, expected);
    if (!tree) tree = library_method(x, object, name, args, span, expected);
    if (!tree && type_is(object->type, TYPE_RECORD) && name == x->c->names.with)
        tree = record_with(x, object, args, span);
    if (tree) return tree;
    Tree *value = part_value(x, object);
    if (value && !type_poisoned(value->type)) {
        tree = own_method(x, value, name, args, span, expected);
        if (!tree) tree = library_method(x, value, name, args, span, expected);
        if (tree) return tree;
    }
    Tree *member = member_find(x, object, name, name_span, NULL);
    if (member) return call_value(x, member, args, NULL, span);
    return value && type_poisoned(value->type) ? value : member_unknown(x, object, name, name_span);
}

/* Both operands decide; NULL leaves the error to the operator. */
Tree *call_operator(Ctx *x, Symbol name, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    for (int i = 0; i < c->packages.count; i++)
        for (Decl *decl = package_value(x->package, c->packages.items[i], name); decl;
             decl = decl->next) {
            if (decl->kind != DECL_FN || decl_params(decl)->count != 2 ||
                !takes_self(c, decl, left))
                continue;
            TypeEnv env;
            generic_open(c, &env, decl_type_params(decl), NULL);
            typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, left->type);
            if (!typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[1].type,
                               right->type))
                continue;
            Tree *trees[2] = {left, right};
            return call_trees(x, decl, trees, 2, span);
        }
    return NULL;
}
