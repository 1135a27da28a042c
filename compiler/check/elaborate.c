/* Families: the each, if and let of a part's body become one function that makes the members when
 * the family is first asked for. What a member's line uses of the loop is captured with the member.
 */
#include "compiler/check/checker.h"

/* The class declared for a part line of this maker. */
static Class *line_class(Class *maker, const AstNode *ast) {
    for (int i = 0; i < maker->lines.count; i++)
        if (maker->lines.items[i]->ast == ast) return maker->lines.items[i];
    return NULL;
}

/* `part tree[i]: thing.kind`: the value field laid out for the line gives way to a design found
 * when it runs. */
static void check_dynamic(Ctx *x, Class *cls, Tree *make) {
    Checker *c = x->c;
    if (!cls->value) return;
    DiagList silent, *loud = suggest_silence(c, &silent);
    Tree *design = expr_check(x, cls->value, NULL);
    c->diags = loud;
    if (!type_is(design->type, TYPE_DESIGN)) return;
    make->part_make.design = expr_check(x, cls->value, NULL);
    cls->dynamic = true;
    if (cls->decls.count || cls->statements.count)
        diag_add(c->diags, DIAG_E_DYNAMIC_BODY, cls->ast->span);
    cls->tree->value_field = -1;
    int last = cls->fields.count - 1;
    if (cls->fields.items[last].is_value) {
        cls->fields.count--;
        cls->tree->fields.count--;
        return;
    }
    for (int i = 0; i < last; i++) /* a body is an error already */
        if (cls->fields.items[i].is_value) {
            cls->fields.items[i].type_state = cls->fields.items[i].within_state = WORK_DONE;
            cls->tree->fields.items[i].type = c->types.poison;
        }
}

/* The locals in sight are kept with the class: what its line uses of them becomes captures, as it
 * is found. */
Tree *elaborate_part(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Class *cls = x->making ? line_class(x->making, ast) : NULL;
    Tree *make = tree_new(c, TREE_PART_MAKE, c->types.unit, ast->span);
    if (!cls) {
        diag_add(c->diags, DIAG_E_PART_HERE, ast->span);
        return tree_poison(c, ast->span);
    }
    make->part_make.site = cls->tree;
    make->part_make.family = cls->decl->index;
    if (ast->part.index) {
        Tree *key = expr_check(x, ast->part.index, NULL);
        if (type_is(key->type, TYPE_TEXT))
            make->part_make.id = key;
        else
            make->part_make.number = convert_to(x, key, c->types.integer);
    } else if (x->in_each) {
        Diag *diag = diag_add(c->diags, DIAG_E_MEMBER_NUMBER, ast->part.path.items[0].span,
                              name_text(c, cls->name));
        diag_help(c->diags, diag, "number each one: part %s[i]", name_text(c, cls->name));
    } else {
        make->part_make.number = tree_int(c, 0, c->types.integer, ast->span);
    }
    for (int i = 0; i < x->bindings.count; i++)
        VEC_PUSH(c->arena, &cls->site, x->bindings.items[i]);
    cls->maker = x->fn;
    cls->make = make;
    check_dynamic(x, cls, make);
    return make;
}

/* What is written on or in a member's line sees the loop that makes it, so that is checked first.
 */
void elaborate_sites(Checker *c, Class *cls) {
    for (Class *at = cls; at; at = at->outer)
        if (at->in_elaborate && !at->make) elaborate_check(c, at->outer);
}

/* Everything of the body that is no field, function, check or lasting child, in the order written.
 */
void elaborate_check(Checker *c, Class *cls) {
    if (!cls->has_elaborate || cls->elaborate_state != WORK_NEW) return;
    cls->elaborate_state = WORK_BUSY;
    Str path = class_path(c, cls);
    TreeFn *fn =
        fn_create(c, str_printf(c->arena, "%.*s%sparts", STR_ARG(path), path.len ? "." : ""),
                  cls->tree->span);
    Ctx x;
    ctx_init(&x, c, fn, cls->package);
    ctx_set_class(&x, cls);
    x.making = cls;
    fn->body = tree_new(c, TREE_BLOCK, c->types.unit, cls->tree->span);
    const AstList *body = cls->ast ? &cls->ast->part.body : &c->input.world->decls;
    AstList lines = {0};
    for (int i = 0; i < body->count; i++) {
        const AstNode *item = body->items[i];
        bool member = item->kind == AST_PART && item->part.index && item->part.path.count == 1;
        if (item->kind == AST_EACH || item->kind == AST_IF || item->kind == AST_LET || member)
            VEC_PUSH(c->arena, &lines, body->items[i]);
    }
    stmt_list(&x, &lines, &fn->body->items);
    fn_finish(c, fn);
    cls->elaborate = fn;
    cls->elaborate_state = WORK_DONE;
}
