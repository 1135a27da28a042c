/* Expressions: one dispatch, each kind in the file of its concern. */
#include "compiler/check/checker.h"

/* A bare number, perhaps negative: what may still become meters, or a u32. */
bool expr_is_literal(const AstNode *ast) {
    if (ast->kind == AST_UNARY && ast->unary.op == OP_NEG) ast = ast->unary.operand;
    return ast->kind == AST_NUMBER && !ast->number.unit.symbol;
}

static Tree *constant_text(Ctx *x, const AstNode *ast) {
    Tree *tree = tree_new(x->c, TREE_TEXT, x->c->types.text, ast->span);
    tree->text = ast->text.value;
    return tree;
}

/* In a function of the library self is a parameter; in a part, the part. */
static Tree *self_check(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    for (const Ctx *at = x; at; at = at->outer) /* a library function's own parameter */
        for (int i = 0; i < at->bindings.count; i++)
            if (at->bindings.items[i].name == c->names.self) {
                Found found = scope_find(x, c->names.self, false);
                return name_found(x, &found, c->names.self, ast->span, NULL);
            }
    if (!x->scope_class) {
        diag_add(c->diags, DIAG_E_NO_SELF, ast->span);
        return tree_poison(c, ast->span);
    }
    return scope_path(x, x->scope_class, x->scope_up, ast->span);
}

bool expr_has_value(Checker *c, const Tree *tree, Span span) {
    bool none = type_is(tree->type, TYPE_NONE);
    if (!none && !type_is(tree->type, TYPE_UNIT)) return true;
    Diag *diag = diag_add(c->diags, DIAG_E_NO_VALUE, span, type_phrase(c, tree->type));
    if (none) diag_help(c->diags, diag, "where its type is said it may be none: let x: meters? = none");
    else if (tree->kind == TREE_IF) diag_help(c->diags, diag, "an if that is a value has an else");
    return false;
}

static Tree *misplaced(Ctx *x, const AstNode *ast) {
    diag_add(x->c->diags, DIAG_E_NOT_VALUE, ast->span);
    return tree_poison(x->c, ast->span);
}

static Tree *dispatch(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    switch (ast->kind) {
    case AST_NUMBER:
        return expr_number(x, ast, expected);
    case AST_BOOL:
        return tree_int(c, ast->boolean.value, c->types.boolean, ast->span);
    case AST_TEXT:
        return constant_text(x, ast);
    case AST_TEMPLATE:
        return format_template(x, ast);
    case AST_NONE:
        return tree_new(c, TREE_NONE, c->types.none, ast->span);
    case AST_SELF:
        return self_check(x, ast);
    case AST_NAME:
        return name_check(x, ast, expected);
    case AST_TUPLE:
        return expr_tuple(x, ast, expected);
    case AST_LIST:
        return expr_list(x, ast, expected);
    case AST_RANGE:
        return expr_range(x, ast, expected);
    case AST_UNARY:
        return operator_unary(x, ast, expected);
    case AST_BINARY:
        return operator_binary(x, ast, expected);
    case AST_MEMBER:
        return member_check(x, ast, expected);
    case AST_INDEX:
        return member_index(x, ast, expected);
    case AST_CALL:
        return call_check(x, ast, expected);
    case AST_LAMBDA:
        return lambda_check(x, ast, expected);
    case AST_IF:
        return stmt_if(x, ast, expected, true);
    case AST_BLOCK:
        return stmt_block(x, ast, expected, true);
    case AST_UNREAD: /* code_of read it */
    case AST_ERROR:
        return tree_poison(c, ast->span);
#define STATEMENT(NAME, shape, head, noun) case AST_##NAME:
#include "lang/ast.def"
        return stmt_check(x, ast);
#define EXPRESSION(NAME, shape, head, noun)
#define STATEMENT(NAME, shape, head, noun)
#define KIND(NAME, ROLE, shape, head, noun) case AST_##NAME:
#include "lang/ast.def"
    case AST_KIND_COUNT:
        return misplaced(x, ast);
    }
    return misplaced(x, ast);
}

/* `expected` is a wish, not a demand: it decides what a literal, a tuple, a lambda or a bare name
 * is taken for. */
Tree *expr_check(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    if (!ast) return tree_poison(c, (Span){0});
    if (c->depth >= EXPR_DEPTH) {
        diag_add(c->diags, DIAG_E_LIMIT, ast->span, "what is nested here", "2000");
        return tree_poison(c, ast->span);
    }
    c->depth++;
    Tree *tree = dispatch(x, ast, expected);
    uses_expression(c, ast->span, tree->type);
    c->depth--;
    return tree;
}

Tree *expr_value(Ctx *x, const AstNode *ast, const Type *type) {
    return convert_to(x, expr_check(x, ast, type_inside(x->c, type)), type);
}
