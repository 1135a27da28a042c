/* Which top-level parts are designs, and which design a part line copies. */
#include "compiler/check/checker.h"

enum { DESIGN_DEPTH = 100, DESIGN_WORK = EXPR_DEPTH / DESIGN_DEPTH };

/* -- marking the world's designs, before anything is resolved -- */

/* The first use is kept: an error about a part that is both shows it. */
static void mark(Checker *c, Symbol name, Span span, const char *why) {
    Decl *decl = symbolmap_get(&c->world->values, name);
    if (!decl || decl->kind != DECL_PART || decl->owner != c->root) return;
    decl->cls->tree->is_design = true;
    if (decl->cls->design_use.file) return;
    decl->cls->design_use = span;
    decl->cls->design_why = why;
}

static void mark_expression(Checker *c, const AstNode *ast, const char *why) {
    if (ast && ast->kind == AST_CALL) ast = ast->call.callee;
    if (ast && ast->kind == AST_NAME) mark(c, ast->name.symbol, ast->span, why);
}

static void mark_spawned(Checker *c, const AstNode *ast) {
    c->spawns = true;
    mark_expression(c, ast, "it is spawned here");
    if (ast->kind == AST_CALL) ast = ast->call.callee;
    Decl *decl = ast->kind == AST_NAME ? symbolmap_get(&c->world->values, ast->name.symbol) : NULL;
    if (decl && decl->kind == DECL_PART) decl->cls->spawned = true;
}

/* By text: a name that is called or copied is taken for the top-level part of that name. */
static void mark_uses(const AstNode *ast, void *user) {
    Checker *c = user;
    if (ast->kind == AST_PART) mark_expression(c, ast->part.design, "it is copied here");
    if (ast->kind == AST_CALL) {
        mark_expression(c, ast, "it is copied here");
        const AstNode *callee = ast->call.callee;
        bool spawn = callee->kind == AST_NAME && ast->call.args.count && callee->name.symbol == c->names.spawn;
        if (spawn) mark_spawned(c, ast->call.args.items[0].value);
    }
    ast_visit(ast, mark_uses, user);
}

void design_mark_world(Checker *c) {
    for (int i = 0; i < c->root->decls.count; i++) {
        Decl *decl = c->root->decls.items[i];
        if (decl->kind != DECL_PART) continue;
        const AstList *body = &decl->ast->part.body;
        for (int k = 0; k < body->count; k++)
            if (body->items[k]->kind == AST_FIELD && !body->items[k]->field.value)
                mark(c, decl->name, body->items[k]->field.name.span,
                     "this field has no value, which makes it a design");
    }
    const AstFile *file = c->input.world;
    for (int i = 0; file && i < file->decls.count; i++)
        mark_uses(file->decls.items[i], c);
}

/* -- resolving -- */

static bool is_design(const Decl *decl) {
    return decl->kind == DECL_PART && decl->cls->tree->is_design;
}

static bool can_be_called(const Decl *decl) {
    return decl->kind == DECL_FN || decl->kind == DECL_RECORD || is_design(decl);
}

/* Like scope_find, but before any class has its tables. A line does not see whose line it is. */
static Decl *find_name(Checker *c, const Class *line, Symbol name, bool called) {
    Package *package = line->package;
    for (Class *cls = line->outer; cls; cls = cls->outer) {
        Decl *decl = class_member(cls, name);
        if (decl && decl != line->decl && (!called || can_be_called(decl))) return decl;
    }
    Decl *decl = symbolmap_get(&package->values, name);
    for (int i = 0; !decl && i < package->used.count; i++)
        decl = package_value(package, package->used.items[i], name);
    for (int i = 0; !decl && i < c->packages.count; i++)
        if (c->packages.items[i]->prelude)
            decl = package_value(package, c->packages.items[i], name);
    return decl;
}

/* The design that a line's expression names, or NULL; of a call, its arguments too. */
static Class *named_design(Checker *c, const Class *line, const AstNode *ast, const AstArgs **args) {
    bool called = ast->kind == AST_CALL;
    if (called) {
        *args = &ast->call.args;
        ast = ast->call.callee;
    }
    Decl *decl = NULL;
    AstName said = {0};
    if (ast->kind == AST_NAME) {
        said = (AstName){ast->name.symbol, ast->span};
        decl = find_name(c, line, ast->name.symbol, called);
    } else if (ast->kind == AST_MEMBER && ast->member.object->kind == AST_NAME) {
        Symbol name = ast->member.object->name.symbol, member = ast->member.name.symbol;
        Decl *hides = find_name(c, line, name, false);
        Package *in = hides ? member_behind(c, line->package, hides, member, called)
                            : package_named(c, line->package, name);
        said = ast->member.name;
        if (in) decl = package_value(line->package, in, member);
        if (decl && is_design(decl)) uses_package(c, in, ast->member.object->span);
    }
    if (decl && is_design(decl)) uses_type(c, decl, said, NULL);
    return decl && is_design(decl) ? decl->cls : NULL;
}

/* What names no design is a value the part is made of. */
static void find_base(Checker *c, Class *cls) {
    const AstNode *design = cls->ast ? cls->ast->part.design : NULL;
    if (!design || design->kind == AST_ERROR) return;
    const AstArgs *args = NULL;
    Class *base = named_design(c, cls, design, &args);
    if (!base) {
        cls->value = design;
        return;
    }
    cls->design_args = args;
    if (base->base_state == WORK_BUSY || base == cls) {
        diag_add(c->diags, DIAG_E_DESIGN_LOOP, design->span, name_text(c, base->name));
        return;
    }
    if (c->depth + DESIGN_WORK > EXPR_DEPTH || base->depth >= DESIGN_DEPTH) {
        diag_add(c->diags, DIAG_E_LIMIT, design->span, "the number of designs behind this one",
                 "100");
        return;
    }
    c->depth += DESIGN_WORK;
    class_activate(c, base);
    c->depth -= DESIGN_WORK;
    cls->depth = base->depth + 1;
    cls->base = base;
}

/* Once for each class, the design's before its own. */
void design_resolve(Checker *c, Class *cls) {
    if (cls->base_state != WORK_NEW) return;
    cls->base_state = WORK_BUSY;
    bool has_base = cls != c->root && cls != c->any_part;
    if (has_base) {
        class_activate(c, c->any_part);
        cls->base = c->any_part;
        find_base(c, cls);
    }
    cls->base_state = WORK_DONE;
}

/* -- what stands in itself -- */

typedef struct Holding { /* a class on the way down from the root */
    const TreeClass *cls;
    VEC(const TreeClass *) held; /* what always stands in it */
    int next;                    /* of those */
} Holding;

typedef struct Holdings {
    VEC(Holding) path;
    bool *seen, *on_path; /* by class */
} Holdings;

/* Whether the loop goes round at least once, as far as its text tells. */
static bool loops_once(const Tree *tree) {
    const Tree *lo = tree->each.lo, *hi = tree->each.hi;
    if (tree->kind == TREE_EACH_LIST) return lo->kind == TREE_LIST && lo->items.count > 0 && !tree->each.stay;
    return tree->kind == TREE_EACH_RANGE && lo->kind == TREE_INT && hi->kind == TREE_INT && lo->integer < hi->integer && !tree->each.stay;
}

/* The members that these lines make whatever holds. */
static void add_members(Checker *c, Holding *holding, const Tree *tree) {
    if (tree->kind == TREE_PART_MAKE && !tree->part_make.design) VEC_PUSH(c->arena, &holding->held, tree->part_make.site);
    if (tree->kind == TREE_EACH_LIST || tree->kind == TREE_EACH_RANGE) {
        if (loops_once(tree)) add_members(c, holding, tree->each.body);
    } else if (tree->kind == TREE_BLOCK) {
        for (int i = 0; i < tree->items.count; i++)
            add_members(c, holding, tree->items.items[i]);
    }
}

static void enter_class(Checker *c, Holdings *h, const TreeClass *cls) {
    h->seen[cls->index] = h->on_path[cls->index] = true;
    Holding holding = {.cls = cls};
    for (int i = 0; i < cls->children.count; i++)
        VEC_PUSH(c->arena, &holding.held, cls->children.items[i].cls);
    for (int i = 0; i < cls->elaborates.count; i++)
        if (cls->elaborates.items[i]->body) add_members(c, &holding, cls->elaborates.items[i]->body);
    VEC_PUSH(c->arena, &h->path, holding);
}

/* The way from the part to itself is what is on the path from it on. */
static void report_endless(Checker *c, const Holdings *h, const TreeClass *cls) {
    Diag *diag = diag_add(c->diags, DIAG_E_PART_ENDLESS, cls->span, STR_ARG(cls->name));
    int first = h->path.count;
    while (h->path.items[--first].cls != cls) {}
    for (int i = first; i < h->path.count && h->path.count - first > 1; i++) {
        const TreeClass *to = i + 1 < h->path.count ? h->path.items[i + 1].cls : cls;
        diag_note(c->diags, diag, to->span, "'%.*s' holds '%.*s'",
                  STR_ARG(h->path.items[i].cls->name), STR_ARG(to->name));
    }
}

static void walk_holdings(Checker *c, Holdings *h, const TreeClass *from) {
    enter_class(c, h, from);
    while (h->path.count) {
        Holding *last = &h->path.items[h->path.count - 1];
        if (last->next == last->held.count) {
            h->on_path[last->cls->index] = false;
            h->path.count--;
            continue;
        }
        const TreeClass *child = last->held.items[last->next++];
        if (h->on_path[child->index])
            report_endless(c, h, child);
        else if (!h->seen[child->index])
            enter_class(c, h, child);
    }
}

/* A part in which what always stands leads back to it. What an if makes may end, and an each over what is not written there. */
void design_check_holding(Checker *c) {
    Holdings h = {.seen = ARENA_ARRAY(c->arena, bool, c->classes.count + 1),
                  .on_path = ARENA_ARRAY(c->arena, bool, c->classes.count + 1)};
    for (int i = 0; i < c->classes.count; i++)
        if (!h.seen[i]) walk_holdings(c, &h, c->classes.items[i]->tree);
}
