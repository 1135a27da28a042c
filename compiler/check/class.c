/* Part lines as classes.
 *
 * A class is declared when its line is read (declare.c), activated when the world holds it or
 * something names it (layout.c), and checked here afterwards: types first, as they are asked for;
 * then values, functions and members.
 */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

Class *class_of(Checker *c, const TreeClass *tree) {
    return c->classes.items[tree->index];
}

/* A class derives from itself. */
bool class_derives(const Class *cls, const Class *base) {
    for (; cls; cls = cls->base)
        if (cls == base) return true;
    return false;
}

Class *class_common(Class *a, Class *b) {
    while (a && !class_derives(b, a))
        a = a->base;
    return a;
}

/* "island.vegetation"; the root's is empty. A design of another file stands behind its package. */
Str class_path(Checker *c, const Class *cls) {
    Str name = symbols_name(c->symbols, cls->name);
    bool elsewhere = !cls->outer && cls->package->is_file;
    if (!cls->outer && !elsewhere) return name;
    Str outer = elsewhere ? cls->package->name : class_path(c, cls->outer);
    if (outer.len == 0) return name;
    return str_printf(c->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name));
}

Class *class_create(Checker *c, Symbol name, const AstNode *ast, Package *package, Class *outer,
                    Span span) {
    Class *cls = ARENA_NEW(c->arena, Class);
    *cls = (Class){.name = name, .ast = ast, .package = package, .outer = outer};
    TreeClass *tree = ARENA_NEW(c->arena, TreeClass);
    *tree = (TreeClass){.index = -1, .value_field = -1, .ast = ast, .span = span};
    if (ast) tree->doc = ast->part.doc;
    tree->outer = outer ? outer->tree : NULL;
    if (package != c->world && !package->is_file) tree->package = package->name;
    cls->tree = tree;
    return cls;
}

/* A part of the world needs all its values; a design may leave them to its copies. */
static void check_missing(Checker *c, Class *cls) {
    if (cls->tree->is_design || !cls->ast) return;
    for (int i = 0; i < cls->fields.count; i++) {
        bool has = false;
        for (Class *at = cls; at && i < at->fields.count && !has; at = at->base)
            has = at->fields.items[i].own;
        if (has || !cls->fields.items[i].decl || cls->dynamic) continue;
        const TreeField *field = &cls->tree->fields.items[i];
        Span span = cls->ast->part.path.count
                        ? cls->ast->part.path.items[cls->ast->part.path.count - 1].span
                        : cls->ast->span;
        Diag *diag = diag_add(c->diags, DIAG_E_FIELD_MISSING, span, name_text(c, field->name));
        diag_note(c->diags, diag, cls->fields.items[i].decl->span,
                  "it is declared here, without one");
    }
}


/* seeds: 0 ..< 100, as two constants. */
static void constant_range(Checker *c, Ctx *x, const AstNode *ast, TreeCheck *check) {
    Tree *range = expr_check(x, ast, NULL);
    bool whole = range->kind == TREE_AGGREGATE && range->items.count == 3 &&
                 range->items.items[0]->kind == TREE_INT &&
                 range->items.items[1]->kind == TREE_INT &&
                 range->items.items[2]->kind == TREE_BOOL;
    if (!whole) {
        if (!type_poisoned(range->type)) diag_add(c->diags, DIAG_E_CHECK_SEEDS, ast->span);
        return;
    }
    check->seeds_lo = range->items.items[0];
    check->seeds_hi = tree_int(c, range->items.items[1]->integer + range->items.items[2]->integer,
                               c->types.integer, ast->span);
}

static void check_declaration(Checker *c, Class *cls, Package *package, const AstNode *ast) {
    TreeCheck check = {.title = ast->check.title, .cls = cls->tree, .span = ast->span};
    Str path = class_path(c, cls);
    check.condition = fn_create(
        c, str_printf(c->arena, "%.*s%scheck", STR_ARG(path), path.len ? "." : ""), ast->span);
    Ctx x;
    ctx_init(&x, c, check.condition, package);
    if (package == cls->package)
        ctx_set_class(&x, cls);
    else
        check.condition->owner = cls->tree; /* a package's own: no part's names are in sight */
    for (int i = 0; i < ast->check.options.count; i++) {
        const AstArg *option = &ast->check.options.items[i];
        if (option->name.symbol == c->names.seeds)
            constant_range(c, &x, option->value, &check);
        else
            diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, option->span, "check",
                     "seeds:", name_text(c, option->name.symbol));
    }
    check.condition->body = expr_value(&x, ast->check.body, c->types.boolean);
    check.condition->result = c->types.boolean;
    fn_finish(c, check.condition);
    if (!type_poisoned(check.condition->body->type))
        check.why = why_check(c, &x, ast->check.body, check.condition->name);
    VEC_PUSH(c->arena, &c->program->checks, check);
}

/* The checks of a part's body, or of a file. */
static void check_declarations(Checker *c, Class *cls, Package *package, const AstList *list) {
    for (int i = 0; i < list->count; i++)
        if (list->items[i]->kind == AST_CHECK)
            check_declaration(c, cls, package, list->items[i]);
}

/* A file's functions hang on no part: they reach the root by name. A generic one waits for a call. */
static void check_file(Checker *c, Package *package) {
    for (int i = 0; i < package->decls.count; i++) {
        Decl *decl = package->decls.items[i];
        if (decl->kind == DECL_FN && decl_type_params(decl)->count == 0 && !decl->owner)
            fn_check_body(c, fn_instance(c, decl, NULL), decl->span);
        if (decl->kind == DECL_RECORD && decl->ast->record.type_params.count == 0)
            typeexpr_record(c, decl, NULL, decl->span);
        if (decl->kind == DECL_CONTRACT) typeexpr_contract(c, decl);
        if (decl->kind == DECL_ALIAS) typeexpr_alias(c, decl, decl->span);
    }
    if (package->ast) check_declarations(c, c->root, package, &package->ast->decls);
}

static void check_methods(Checker *c, Class *cls) {
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        if (decl->kind != DECL_FN || decl_type_params(decl)->count) continue;
        FnInst *inst = fn_instance(c, decl, NULL);
        fn_check_body(c, inst, decl->span);
        VEC_PUSH(c->arena, &cls->tree->methods, inst->fn);
    }
}

/* A member's line sees the loop that makes it, so the maker is checked before it. */
void class_check(Checker *c, Class *cls) {
    if (cls->check_state != WORK_NEW) return;
    cls->check_state = WORK_DONE;
    if (cls->in_elaborate) elaborate_check(c, cls->outer);
    for (int i = 0; i < cls->fields.count; i++)
        field_check(c, cls, i);
    check_missing(c, cls);
    shown_check(c, cls);
    if (cls != c->root) check_methods(c, cls);
    elaborate_check(c, cls);
    on_check(c, cls);
    if (cls->ast) check_declarations(c, cls, cls->package, &cls->ast->part.body);
    for (int i = 0; cls == c->root && i < c->packages.count; i++)
        if (c->packages.items[i]->is_file) check_file(c, c->packages.items[i]);
}

/* Each field's slot, and what the base says of those it declared. */
static void finish_fields(TreeClass *tree, const Class *cls, const TreeClass *base) {
    int slot = 0;
    for (int i = 0; i < tree->fields.count; i++) {
        TreeField *field = &tree->fields.items[i];
        if (base && i < base->fields.count) {
            const TreeField *from = &base->fields.items[i];
            field->type = from->type;
            field->within = from->within;
            field->within_lo = from->within_lo;
            field->within_hi = from->within_hi;
            field->doc = from->doc;
            if (!cls->fields.items[i].own) field->init = from->init;
        }
        field->slot = slot;
        slot += field->type ? field->type->slot_count : 0;
    }
    tree->slot_count = slot;
}

static TreeClass *family_class(const Class *cls, int family) {
    for (int i = 0; i < cls->decls.count; i++) {
        const Decl *decl = cls->decls.items[i];
        if (decl->kind == DECL_FAMILY && decl->index == family) return decl->cls->tree;
    }
    return NULL;
}

/* The base's families, and what makes them, come first. */
static void finish_families(Checker *c, TreeClass *tree, const Class *cls, const TreeClass *base) {
    tree->elaborates.count = 0;
    for (int i = 0; base && i < base->elaborates.count; i++)
        VEC_PUSH(c->arena, &tree->elaborates, base->elaborates.items[i]);
    if (cls->elaborate) VEC_PUSH(c->arena, &tree->elaborates, cls->elaborate);
    for (int i = 0; i < tree->families.count; i++) {
        TreeClass *own = family_class(cls, i);
        if (base && i < base->families.count)
            tree->families.items[i] = base->families.items[i];
        else if (own)
            tree->families.items[i].cls = own;
    }
}

/* What only holds once everything is checked: inherited values, slots, who makes what. */
void class_finish(Checker *c, Class *cls) {
    TreeClass *tree = cls->tree;
    if (cls->finished) return;
    cls->finished = true;
    if (cls->base) {
        class_finish(c, cls->base);
        tree->base = cls->base->tree;
    }
    const TreeClass *base = cls->base ? cls->base->tree : NULL;
    finish_fields(tree, cls, base);
    finish_families(c, tree, cls, base);
    on_finish(c, tree, cls, base);
    tree->dynamic_base = cls->dynamic;
    if (cls->make == NULL) return;
    cls->make->part_make.captures = cls->capture_locals.items;
    cls->make->part_make.capture_count = cls->capture_locals.count;
}
