/* What a call calls: a function, a design, a record, a type as a conversion, a value. */
#include "compiler/check/checker.h"

/* number(x), int(x), u32(x), text(x). */
static Tree *conversion(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Symbol name = ast->call.callee->name.symbol;
    const Type *type = symbolmap_get(&c->builtin_types, name);
    bool takes_one = type && (type == c->types.number || type == c->types.integer ||
                              type == c->types.u32 || type == c->types.text);
    if (!takes_one) return NULL;
    if (ast->call.args.count != 1) {
        diag_add(c->diags, DIAG_E_ARGUMENT_COUNT, ast->span, 1, ast->call.args.count);
        return tree_poison(c, ast->span);
    }
    Tree *operand = expr_check(x, ast->call.args.items[0].value, NULL);
    const Type *from = operand->type;
    if (type_poisoned(from)) return operand;
    if (type == c->types.text) return format_text(x, operand, ast->span);
    bool plain = type_is_numeric(from) && dims_plain(from->dims);
    plain = plain || (type_is(from, TYPE_ONE_OF) && type_is(type, TYPE_INT)) ||
            (type_is(from, TYPE_BOOL) && type_is(type, TYPE_INT));
    if (!plain || (type_is(type, TYPE_U32) && type_is(from, TYPE_NUMBER))) {
        Diag *diag = diag_add(c->diags, DIAG_E_CONVERSION, ast->span, type_text(c, type),
                              type_phrase(c, from));
        if (type_is_quantity(from)) diag_help(c->diags, diag, "divide by a unit first: x / 1 m");
        if (type_is(from, TYPE_NUMBER) && dims_plain(from->dims))
            diag_help(c->diags, diag, "say how it is rounded: u32(int(x))");
        return tree_poison(c, ast->span);
    }
    if (from == type || type_is(from, TYPE_ONE_OF)) return tree_retype(c, operand, type);
    if (convert_fits(c, operand, type)) return convert_to(x, operand, type);
    Tree *tree = tree_new(c, TREE_CONVERT, type, ast->span);
    tree->component.operand = operand;
    return tree;
}

/* A design called in an expression is a copy of it; everything else that is no function must be a
 * value that is one. */
static Tree *call_found(Ctx *x, const Found *found, const AstNode *ast, Symbol name, Span name_span,
                        const Type *expected) {
    Decl *decl = found->decl;
    const AstArgs *args = &ast->call.args;
    if (found->kind == FOUND_DECL) {
        if (decl->kind != DECL_FN) uses_decl(x, decl, name_span, NULL);
        if (decl->kind == DECL_RECORD) return record_build(x, decl, args, ast->span, expected);
        if (decl->kind == DECL_PART && decl->cls->tree->is_design)
            return copy_check(x, decl->cls, args, ast->span);
        if (decl->kind == DECL_FN) {
            Tree *object = decl->owner ? scope_path(x, found->cls, found->up, name_span) : NULL;
            return call_decl(x, decl, object, args, ast->span, expected);
        }
    }
    if (found->kind == FOUND_NOTHING) {
        scope_unknown(x, name, name_span, true);
        return tree_poison(x->c, name_span);
    }
    Tree *callee = name_found(x, found, name, name_span, NULL);
    return call_value(x, callee, args, NULL, ast->span);
}

/* flow(), in the standard library: the stream that flows here. */
static Tree *flowing(Ctx *x, const AstNode *ast) {
    Tree *stream = scope_stream(x, ast->span, STR_LIT("flow"), NULL);
    return stream ? stream : tree_poison(x->c, ast->span);
}

/* point(x, y, z), offset(...), direction(...), color(...). */
static Tree *constructor(Ctx *x, const AstNode *ast) {
    const Type *type = symbolmap_get(&x->c->builtin_types, ast->call.callee->name.symbol);
    bool space = type && (type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR) ||
                          type_is(type, TYPE_COLOR));
    if (!space || ast->call.args.count != 3) return NULL;
    AstNode tuple = {.kind = AST_TUPLE, .span = ast->span, .tuple.items = ast->call.args};
    return expr_tuple(x, &tuple, type);
}

/* What is no function: spawn, after, and `on`, which stands elsewhere. NULL: another name. */
static Tree *act_form(Ctx *x, const AstNode *ast, Symbol name) {
    Checker *c = x->c;
    if (name == c->names.spawn) return act_spawn(x, ast);
    if (name == c->names.after) return act_after(x, ast);
    if (name != c->names.on) return NULL;
    diag_add(c->diags, DIAG_E_ON, ast->call.callee->span);
    return tree_poison(c, ast->span);
}

/* foliage(self, ...): a function of the library that is not in sight, whose self the first argument is. */
static Tree *call_as_method(Ctx *x, const AstNode *ast, Symbol name, const Type *expected) {
    const AstArgs *args = &ast->call.args;
    if (args->count == 0 || args->items[0].name.symbol || !method_named(x->c, x->package, name))
        return NULL;
    Tree *object = expr_check(x, args->items[0].value, NULL);
    const AstArgs rest = {.items = args->items + 1, .count = args->count - 1};
    return call_method_named(x, object, name, &rest, ast->span, ast->call.callee->span, expected);
}

/* What is declared goes first, so a world may have its own `number` or `override`; then types as
 * conversions and constructors; then the forms that are no functions. */
static Tree *call_name(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    Symbol name = ast->call.callee->name.symbol;
    if (!x->package->is_file && name == c->names.fault) return fault_statement(x, ast);
    if (!x->package->is_file && name == c->names.hash_of) return key_hash(x, ast);
    if (!x->package->is_file && name == c->names.flow) return flowing(x, ast);
    Found found = scope_find_taking(x, name, &ast->call.args);
    AstName said = {name, ast->call.callee->span};
    const AstNode *member = rule_land_member(x, &found, said);
    if (member) {
        AstNode *call = ARENA_NEW(c->arena, AstNode);
        *call = *ast;
        call->call.callee = (AstNode *)(uintptr_t)member;
        return call_check(x, call, expected);
    }
    bool callable = found.kind == FOUND_DECL && found.decl->kind == DECL_FN;
    if (!callable && found.kind != FOUND_LOCAL) {
        Tree *made = conversion(x, ast);
        if (!made) made = constructor(x, ast);
        if (made) return made;
    }
    if (found.kind == FOUND_NOTHING && name == x->c->names.override_) return override_check(x, ast);
    Tree *act = found.kind == FOUND_NOTHING ? act_form(x, ast, name) : NULL;
    if (act) return act;
    Tree *method = found.kind == FOUND_NOTHING ? call_as_method(x, ast, name, expected) : NULL;
    return method ? method : call_found(x, &found, ast, name, ast->call.callee->span, expected);
}

/* package.name(...): its functions and designs, then its records. */
static Tree *call_in_package(Ctx *x, Package *package, const AstNode *ast, const Type *expected) {
    AstName name = ast->call.callee->member.name;
    Decl *decl = package_value(x->package, package, name.symbol);
    if (!decl) {
        decl = package_type(x->package, package, name.symbol);
        if (!decl || decl->kind != DECL_RECORD) return member_of_package_unknown(x, package, name);
    }
    Found found = {.kind = FOUND_DECL, .decl = decl};
    return call_found(x, &found, ast, name.symbol, name.span, expected);
}

static Tree *call_callee(Ctx *x, const AstNode *ast, const Type *expected) {
    const AstNode *callee = ast->call.callee;
    if (callee->kind == AST_NAME) return call_name(x, ast, expected);
    if (callee->kind == AST_MEMBER) {
        Package *package = member_package(x, callee->member.object, callee->member.name.symbol, true);
        if (package) uses_package(x->c, package, callee->member.object->span);
        if (package) return call_in_package(x, package, ast, expected);
        Tree *object = expr_check(x, callee->member.object, NULL);
        AstName name = callee->member.name;
        return call_method_named(x, object, name.symbol, &ast->call.args, ast->span, name.span,
                                 expected);
    }
    return call_value(x, expr_check(x, callee, NULL), &ast->call.args, NULL, ast->span);
}

Tree *call_check(Ctx *x, const AstNode *ast, const Type *expected) {
    const AstNode *callee = ast->call.callee;
    Span outer = x->said;
    x->said = callee->kind == AST_MEMBER ? callee->member.name.span : callee->span;
    Tree *tree = call_callee(x, ast, expected);
    x->said = outer;
    return tree;
}
