/* Walks the children of a syntax node: for questions about text that has no meaning yet. */
#include "compiler/check/checker.h"

typedef void (*AstVisit)(const AstNode *child, void *user);

static void one(const AstNode *ast, AstVisit visit, void *user) {
    if (ast) visit(ast, user);
}

static void list(const AstList *items, AstVisit visit, void *user) {
    for (int i = 0; i < items->count; i++)
        one(items->items[i], visit, user);
}

static void args(const AstArgs *items, AstVisit visit, void *user) {
    for (int i = 0; i < items->count; i++)
        one(items->items[i].value, visit, user);
}

static void params(const AstParams *items, AstVisit visit, void *user) {
    for (int i = 0; i < items->count; i++)
        one(items->items[i].default_value, visit, user);
}

void ast_visit(const AstNode *ast, AstVisit visit, void *user) {
    switch ((int)ast->kind) {
    case AST_TUPLE:
        args(&ast->tuple.items, visit, user);
        break;
    case AST_LIST:
        list(&ast->list.items, visit, user);
        break;
    case AST_RANGE:
        one(ast->range.lo, visit, user);
        one(ast->range.hi, visit, user);
        break;
    case AST_UNARY:
        one(ast->unary.operand, visit, user);
        break;
    case AST_BINARY:
        one(ast->binary.left, visit, user);
        one(ast->binary.right, visit, user);
        break;
    case AST_MEMBER:
        one(ast->member.object, visit, user);
        break;
    case AST_INDEX:
        one(ast->index.object, visit, user);
        one(ast->index.index, visit, user);
        break;
    case AST_CALL:
        one(ast->call.callee, visit, user);
        args(&ast->call.args, visit, user);
        break;
    case AST_LAMBDA:
        params(&ast->lambda.params, visit, user);
        one(ast->lambda.body, visit, user);
        break;
    case AST_IF:
        one(ast->if_.condition, visit, user);
        one(ast->if_.then_block, visit, user);
        one(ast->if_.else_block, visit, user);
        break;
    case AST_BLOCK:
        list(&ast->block.statements, visit, user);
        break;
    case AST_LET:
        one(ast->let.value, visit, user);
        break;
    case AST_ASSIGN:
        one(ast->assign.target, visit, user);
        one(ast->assign.value, visit, user);
        break;
    case AST_EACH:
        one(ast->each.iterable, visit, user);
        one(ast->each.body, visit, user);
        break;
    case AST_PART:
        one(ast->part.index, visit, user);
        one(ast->part.design, visit, user);
        args(&ast->part.options, visit, user);
        list(&ast->part.body, visit, user);
        break;
    case AST_FIELD:
        one(ast->field.within, visit, user);
        one(ast->field.value, visit, user);
        break;
    case AST_FN:
        params(&ast->fn.params, visit, user);
        one(ast->fn.body, visit, user);
        break;
    case AST_CHECK:
        args(&ast->check.options, visit, user);
        one(ast->check.body, visit, user);
        break;
    default:
        break;
    }
}
