/* override(params, path: levelParams[2].branches, value: 9): a record with one thing deep inside it
 * set.
 *
 * The path is a form of its own, not a value: names of fields and numbers of list items, from the
 * record down. It is taken apart here into a rebuilding of each record and list on the way.
 */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

typedef struct Step {
    const AstNode *ast;
    AstName name;         /* a field */
    const AstNode *index; /* or an item of a list */
} Step;

typedef VEC(Step) Steps;

/* From the record down; false when it is no path. */
static bool read_path(Ctx *x, const AstNode *ast, Steps *steps) {
    Checker *c = x->c;
    if (ast->kind == AST_NAME) {
        VEC_PUSH(c->arena, steps, ((Step){.ast = ast, .name = {ast->name.symbol, ast->span}}));
        return true;
    }
    if (ast->kind == AST_MEMBER && read_path(x, ast->member.object, steps)) {
        VEC_PUSH(c->arena, steps, ((Step){.ast = ast, .name = ast->member.name}));
        return true;
    }
    if (ast->kind == AST_INDEX && read_path(x, ast->index.object, steps)) {
        VEC_PUSH(c->arena, steps, ((Step){.ast = ast, .index = ast->index.keys.items[0]}));
        return true;
    }
    if (ast->kind != AST_MEMBER && ast->kind != AST_INDEX)
        diag_add(c->diags, DIAG_E_PATH, ast->span);
    return false;
}

/* Names a value that is read several times. */
static Tree *held(Ctx *x, Tree *tree, TreeList *before) {
    int local = ctx_local(x, 0, tree->type, false);
    treelist_push(x->c, before, tree_let(x, local, tree));
    return tree_local(x, local, tree->span);
}

static Tree *rebuild(Ctx *x, Tree *whole, const Steps *steps, int at, const AstNode *value);

/* All fields as they are, but the one of this step. */
static Tree *rebuild_record(Ctx *x, Tree *whole, const Steps *steps, int at, const AstNode *value) {
    Checker *c = x->c;
    AstName name = steps->items[at].name;
    if (!type_is(whole->type, TYPE_RECORD) || !member_find(x, whole, name.symbol, name.span, NULL))
        return member_unknown(x, whole, name.symbol, name.span);
    const struct TreeRecord *record = whole->type->record;
    TreeList before = {0};
    whole = held(x, whole, &before);
    Tree *tree = tree_new(c, TREE_AGGREGATE, whole->type, whole->span);
    for (int i = 0; i < record->fields.count; i++) {
        Tree *field = tree_component(c, whole, record->slots.items[i], record->fields.items[i].type,
                                     name.span);
        if (record->fields.items[i].name == name.symbol)
            field = rebuild(x, field, steps, at + 1, value);
        if (type_poisoned(field->type)) return field;
        treelist_push(c, &tree->items, field);
    }
    return arguments_wrap(c, &before, tree);
}

/* replaced(list, index, item) of the core package. */
static Tree *rebuild_list(Ctx *x, Tree *whole, const Steps *steps, int at, const AstNode *value) {
    Checker *c = x->c;
    const Step *step = &steps->items[at];
    Tree *index = expr_value(x, step->index, c->types.integer);
    if (!type_is(whole->type, TYPE_LIST)) {
        diag_add(c->diags, DIAG_E_NOT_LIST, step->ast->span, type_phrase(c, whole->type));
        return tree_poison(c, step->ast->span);
    }
    if (type_poisoned(index->type)) return index;
    TreeList before = {0};
    whole = held(x, whole, &before);
    index = held(x, index, &before);
    Tree *item = tree_new(c, TREE_ITEM, whole->type->element, step->ast->span);
    item->member.operand = whole;
    item->member.key = index;
    item = rebuild(x, item, steps, at + 1, value);
    Decl *replaced = LIBRARY_DECL(c, core, replaced);
    if (type_poisoned(item->type) || !replaced) return tree_poison(c, step->ast->span);
    Tree *args[3] = {whole, index, item};
    return arguments_wrap(c, &before, call_trees(x, replaced, args, 3, step->ast->span));
}

static Tree *rebuild(Ctx *x, Tree *whole, const Steps *steps, int at, const AstNode *value) {
    if (type_poisoned(whole->type)) return whole;
    if (at == steps->count) return expr_value(x, value, whole->type);
    if (steps->items[at].index) return rebuild_list(x, whole, steps, at, value);
    return rebuild_record(x, whole, steps, at, value);
}

Tree *override_check(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstArgs *args = &ast->call.args;
    const AstNode *record = NULL, *path = NULL, *value = NULL;
    for (int i = 0; i < args->count; i++) {
        Symbol name = args->items[i].name.symbol;
        if (name == c->names.path)
            path = args->items[i].value;
        else if (name == c->names.value)
            value = args->items[i].value;
        else if (name == 0 && i == 0)
            record = args->items[i].value;
        else
            diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, args->items[i].span, "function", "override",
                     name_text(c, name));
    }
    if (!record || !path || !value) {
        diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, ast->span, "override",
                 !record ? "record"
                 : !path ? "path"
                         : "value");
        return tree_poison(c, ast->span);
    }
    Steps steps = {0};
    Tree *whole = expr_check(x, record, NULL);
    Tree *inner = part_value(x, whole);
    if (!read_path(x, path, &steps)) return tree_poison(c, ast->span);
    return rebuild(x, inner ? inner : whole, &steps, 0, value);
}
