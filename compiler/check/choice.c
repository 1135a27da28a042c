/* The bare names of one of (...): where one is wanted, and where nothing is. */
#include "compiler/check/checker.h"

Tree *choice_wanted(Ctx *x, const AstNode *ast, const Type *type) {
    Checker *c = x->c;
    Symbol name = ast->name.symbol;
    Found found = scope_find(x, name, false);
    if (found.kind == FOUND_LOCAL && x->fn->locals.items[found.local].type == type) return NULL;
    for (int i = 0; i < type->name_count; i++)
        if (type->names[i] == name) {
            uses_choice(c, type, ast->span);
            return tree_int(c, i, type, ast->span);
        }
    bool value = found.kind == FOUND_LOCAL || found.kind == FOUND_CAPTURE ||
                 (found.kind == FOUND_DECL && found.decl->kind == DECL_FIELD);
    if (value) return NULL;
    Diag *diag = diag_add(c->diags, DIAG_E_ONE_OF, ast->span,
                          type_text(c, type) + strlen("one of "), name_text(c, name));
    Suggest s = suggest_open(c, diag, name, ast->span);
    for (int i = 0; i < type->name_count; i++)
        suggest_name(&s, type->names[i]);
    suggest_close(&s, "");
    return tree_poison(c, ast->span);
}

/* -- where nothing is wanted: the names that the file itself writes -- */

typedef struct Choice {
    const Type *type, *other; /* other: a second type that has the name, or NULL */
    int number;
} Choice;

typedef struct Gather {
    Checker *c;
    Package *into, *from;
} Gather;

static void add_choice(const Gather *g, const Type *type, int number) {
    Arena *arena = g->c->world_home.arena;
    Choice *known = symbolmap_get(&g->into->choices, type->names[number]);
    if (known) {
        if (known->type != type && !known->other) known->other = type;
        return;
    }
    Choice *choice = ARENA_NEW(arena, Choice);
    *choice = (Choice){.type = type, .number = number};
    symbolmap_put(arena, &g->into->choices, type->names[number], choice);
}

static void gather(const AstNode *ast, void *user) {
    const Gather *g = user;
    if (ast->kind == AST_TYPE_ONE_OF) {
        const Type *type = typeexpr_resolve(g->c, g->from, NULL, ast);
        for (int i = 0; i < type->name_count; i++)
            add_choice(g, type, i);
    }
    ast_visit(ast, gather, user);
}

static void gather_file(Checker *c, Package *into, Package *from) {
    for (int i = 0; from->ast && i < from->ast->decls.count; i++)
        gather(from->ast->decls.items[i], &(Gather){c, into, from});
}

/* By text, and once: of the file, and of the files that it uses. */
static void gather_choices(Checker *c, Package *package) {
    package->has_choices = true;
    gather_file(c, package, package);
    for (int i = 0; i < package->files.count; i++)
        gather_file(c, package, package->files.items[i]);
}

Tree *choice_loose(Ctx *x, Symbol name, Span span) {
    Checker *c = x->c;
    Package *package = x->package;
    if (!package->is_file) return NULL;
    if (!package->has_choices) gather_choices(c, package);
    const Choice *choice = symbolmap_get(&package->choices, name);
    if (!choice) return NULL;
    uses_choice(c, choice->type, span);
    if (!choice->other) return tree_int(c, choice->number, choice->type, span);
    diag_add(c->diags, DIAG_E_CHOICE_TWO, span, name_text(c, name), type_text(c, choice->type),
             type_text(c, choice->other));
    return tree_poison(c, span);
}
