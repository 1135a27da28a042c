/* A scatter's rules see the names of the land that it goes over: `dressed(here)` is
 * `land.dressed(here)`, when the part and the file of the rule have no such name of their own.
 *
 * A rule may be a field beside its scatter, so the land is looked for in the text: in the scatters of
 * the parts round the rule, the innermost part first, those that name the rule before others. Where
 * they name several lands, none is meant. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

typedef struct OverSearch {
    Ctx *x;
    Span rule; /* the rule's own call */
    const AstNode *named, *any; /* the land of the scatters that name the rule; of all */
    bool two_named, two;
} OverSearch;

static bool same_text(const OverSearch *search, const AstNode *a, const AstNode *b) {
    const SourceSet *sources = search->x->c->input.sources;
    return str_equal(sources_text(sources, a->span), sources_text(sources, b->span));
}

static void note(const OverSearch *search, const AstNode *over, const AstNode **met, bool *two) {
    if (*met && !same_text(search, *met, over)) *two = true;
    if (!*met) *met = over;
}

static bool names_rule(const OverSearch *search, const AstNode *call) {
    bool inside = call->span.file == search->rule.file && call->span.start <= search->rule.start &&
                  search->rule.end <= call->span.end;
    Symbol name = search->x->value_name.symbol;
    return inside || (name && ast_mentions(call, name));
}

static void search_calls(const AstNode *ast, void *user) {
    OverSearch *search = user;
    bool call = ast->kind == AST_CALL && ast->call.callee->kind == AST_NAME &&
                ast->call.callee->name.symbol == search->x->c->names.scatter;
    for (int i = 0; call && i < ast->call.args.count; i++) {
        const AstArg *arg = &ast->call.args.items[i];
        if (!str_equal(symbols_name(search->x->c->symbols, arg->name.symbol), STR_LIT("over")))
            continue;
        note(search, arg->value, &search->any, &search->two);
        if (names_rule(search, ast)) note(search, arg->value, &search->named, &search->two_named);
    }
    ast_visit(ast, search_calls, user);
}

/* The part that `land` or `part.of.land` is; NULL: none, or a name of a function's own. */
static Class *part_named(Ctx *x, const AstNode *over) {
    if (over->kind == AST_MEMBER) {
        Class *holder = part_named(x, over->member.object);
        Decl *decl = holder ? class_member(holder, over->member.name.symbol) : NULL;
        return decl && decl->kind == DECL_PART ? decl->cls : NULL;
    }
    if (over->kind != AST_NAME) return NULL;
    Found found = scope_find(x, over->name.symbol, false);
    return found.kind == FOUND_DECL && found.decl->kind == DECL_PART ? found.decl->cls : NULL;
}

const AstNode *rule_over(Ctx *x, Span rule) {
    OverSearch search = {.x = x, .rule = rule};
    for (Class *cls = x->scope_class; cls && !search.any; cls = cls->outer) {
        if (cls->ast) {
            ast_visit(cls->ast, search_calls, &search);
        } else {
            const AstFile *file = cls->package->ast;
            for (int i = 0; i < file->decls.count; i++)
                search_calls(file->decls.items[i], &search);
        }
    }
    const AstNode *over = search.named ? search.named : search.any;
    bool two = search.named ? search.two_named : search.two;
    return over && !two && part_named(x, over) ? over : NULL;
}

/* Of the part, the file or the function itself. */
static bool is_own(const Ctx *x, const Found *found) {
    if (found->kind == FOUND_LOCAL || found->kind == FOUND_CAPTURE) return true;
    return found->kind == FOUND_DECL && (found->cls || found->decl->package == x->package);
}

const AstNode *rule_land_member(Ctx *x, const Found *found, AstName name) {
    if (!x->over || !x->package->is_file || is_own(x, found)) return NULL;
    Class *land = part_named(x, x->over);
    if (!land || !class_member(land, name.symbol)) return NULL;
    AstNode *member = ARENA_NEW(x->c->arena, AstNode);
    *member = (AstNode){.kind = AST_MEMBER, .span = name.span};
    member->member.object = (AstNode *)(uintptr_t)x->over;
    member->member.name = name;
    return member;
}
