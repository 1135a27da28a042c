/* What ast.def says of each kind of node, and the walk made of it. */
#include "lang/ast.h"

typedef struct Row {
    AstRole role;
    AstShape shape;
    const char *head, *noun;
} Row;

static const Row ROWS[AST_KIND_COUNT] = {
#define KIND(NAME, ROLE, shape, head, noun)                                                        \
    [AST_##NAME] = {AST_##ROLE, AST_SHAPE_##shape, head, noun},
#include "lang/ast.def"
};

AstRole ast_role(AstKind kind) {
    return ROWS[kind].role;
}

AstShape ast_shape(AstKind kind) {
    return ROWS[kind].shape;
}

const char *ast_head(AstKind kind) {
    return ROWS[kind].head;
}

const char *ast_noun(AstKind kind) {
    return ROWS[kind].noun;
}

/* -- the walk -- */

static void one(const AstNode *child, AstVisit visit, void *user) {
    if (child) visit(child, user);
}

static void list(AstList items, AstVisit visit, void *user) {
    for (int i = 0; i < items.count; i++)
        one(items.items[i], visit, user);
}

static void args(AstArgs items, AstVisit visit, void *user) {
    for (int i = 0; i < items.count; i++)
        one(items.items[i].value, visit, user);
}

static void params(AstParams items, AstVisit visit, void *user) {
    for (int i = 0; i < items.count; i++) {
        one(items.items[i].type, visit, user);
        one(items.items[i].default_value, visit, user);
    }
}

void ast_visit(const AstNode *node, AstVisit visit, void *user) {
    switch (ast_shape(node->kind)) {
    case AST_SHAPE_none:
        break;
#define SHAPE(member, fields)                                                                      \
    case AST_SHAPE_##member: {                                                                     \
        const struct Ast_##member *of = &node->member;                                             \
        (void)of;                                                                                  \
        fields;                                                                                    \
        break;                                                                                     \
    }
#define NODE(m) one(of->m, visit, user);
#define NODES(m) list(of->m, visit, user);
#define ARGS(m) args(of->m, visit, user);
#define PARAMS(m) params(of->m, visit, user);
#include "lang/ast.def"
    }
}

const char *ast_way_out(AstKind kind) {
    if (kind == AST_LET) return "a name for a value of the file is a field: field x = 3";
    if (kind == AST_RETURN) return "a return leaves a function: it stands in the { } of a fn";
    if (kind == AST_BREAK || kind == AST_CONTINUE) return "it leaves a loop: it stands in the { } of an each or a while";
    if (kind == AST_EACH || kind == AST_IF) return "what makes parts stands in the body of a part, what works out a value in the { } of a fn";
    if (kind == AST_ASSIGN || kind == AST_WHILE) return "what changes a variable stands in the { } of a fn";
    return NULL;
}
