/* Arguments: written ones sorted to their parameters, checked by what the parameter asks for,
 * defaults filled in. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

/* -- sorting -- */

/* The parameter of that name, or -1. */
static int find_param(const Arguments *a, Symbol name) {
    for (int i = 0; i < a->count; i++)
        if (a->params[i].name.symbol == name) return i;
    return -1;
}

/* "it takes spine, every:, radius:", at most a line of them. */
static void tell_params(Checker *c, Diag *diag, const Arguments *a) {
    StrBuf out = {.arena = c->arena};
    for (int i = 0; i < a->count && out.len < 80; i++)
        strbuf_printf(&out, "%s%s", i ? ", " : "", name_text(c, a->params[i].name.symbol));
    if (a->count) diag_help(c->diags, diag, "it takes %.*s%s", STR_ARG(strbuf_take(&out)), out.len < 80 ? "" : ", ...");
}

/* The nearest parameter is offered, with its colon, as the author would write it. */
static void unknown_param(Ctx *x, const Arguments *a, AstName name, const char *kind) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, name.span, kind, a->callee.ptr,
                          name_text(c, name.symbol));
    Suggest s = suggest_open(c, diag, name.symbol, name.span);
    for (int i = 0; i < a->count; i++)
        suggest_name(&s, a->params[i].name.symbol);
    suggest_close(&s, ":");
    if (diag->help.len == 0) tell_params(c, diag, a);
}

/* The parameter a written argument is for: its name's, else the next one that nothing fills yet; -1
 * after an error. */
static int place_argument(Ctx *x, Arguments *a, const AstArg *arg, int *next, const char *kind) {
    Checker *c = x->c;
    if (arg->name.symbol) {
        int at = find_param(a, arg->name.symbol);
        if (at < 0) unknown_param(x, a, arg->name, kind);
        return at;
    }
    while (*next < a->count && (a->asts[*next] || a->trees[*next]))
        (*next)++;
    if (*next < a->count) return *next;
    tell_params(c, diag_add(c->diags, DIAG_E_ARGUMENT_TOO_MANY, arg->span, a->callee.ptr, a->count), a);
    return -1;
}

bool arguments_match(Ctx *x, Arguments *a, const AstArgs *args, int skip, const char *kind) {
    Checker *c = x->c;
    a->asts = ARENA_ARRAY(c->arena, const AstNode *, a->count + 1);
    if (!a->trees) a->trees = ARENA_ARRAY(c->arena, Tree *, a->count + 1);
    a->order = ARENA_ARRAY(c->arena, int, a->count + 1);
    bool good = true, named = false;
    int next = skip;
    for (int i = 0; i < args->count; i++) {
        const AstArg *arg = &args->items[i];
        if (named && !arg->name.symbol) {
            diag_add(c->diags, DIAG_E_ARGUMENT_ORDER, arg->span);
            return false;
        }
        named = named || arg->name.symbol;
        int at = place_argument(x, a, arg, &next, kind);
        if (at >= 0 && (a->asts[at] || a->trees[at])) {
            diag_add(c->diags, DIAG_E_ARGUMENT_TWICE, arg->span,
                     name_text(c, a->params[at].name.symbol));
            at = -1;
        }
        good = good && at >= 0;
        if (at < 0) continue;
        if (arg->name.symbol) uses_param(c, &a->params[at], arg->name.span, NULL);
        a->asts[at] = arg->value;
        a->order[a->written++] = at;
    }
    return good;
}

/* -- order of evaluation -- */

/* Gives an argument a local, so that it is worked out before the call and can be read by the
 * defaults that use it. A local that cannot change is one already. */
static void name_tree(Ctx *x, Arguments *a, int param, TreeList *before) {
    Tree *tree = a->trees[param];
    if (tree->kind == TREE_LOCAL && !x->fn->locals.items[tree->local].is_var) return;
    int local = ctx_local(x, 0, tree->type, false);
    treelist_push(x->c, before, tree_let(x, local, tree));
    a->trees[param] = tree_local(x, local, tree->span);
}

/* Arguments are worked out as written. That only shows when two of them draw. */
void arguments_order(Ctx *x, Arguments *a, TreeList *before) {
    int drawing = 0, last = -1;
    bool sorted = true;
    for (int i = 0; i < a->written; i++) {
        int param = a->order[i];
        if (!tree_draws(a->trees[param])) continue;
        drawing++;
        if (param < last) sorted = false;
        last = param;
    }
    if (drawing < 2 || sorted) return;
    for (int i = 0; i < a->written; i++)
        if (tree_draws(a->trees[a->order[i]])) name_tree(x, a, a->order[i], before);
}

/* The lets, then the value: one expression. */
Tree *arguments_wrap(Checker *c, TreeList *before, Tree *value) {
    if (before->count == 0) return value;
    Tree *tree = tree_new(c, TREE_BLOCK, value->type, value->span);
    tree->items = *before;
    treelist_push(c, &tree->items, value);
    return tree;
}

/* -- checking -- */

/* The stream a given(...) argument would draw from, when the callee has it as an option that this
 * call leaves out or sets to none: then nothing flows. */
Symbol arguments_off(Checker *c, const Arguments *a, int param) {
    const AstNode *type = a->params[param].type;
    if (type && type->kind == AST_TYPE_OPTIONAL) type = type->type_optional.base;
    if (!type || type->kind != AST_TYPE_GIVEN) return 0;
    const AstParams *names = &type->type_given.params;
    for (int i = 0; i < names->count; i++) {
        const AstNode *of = names->items[i].type;
        bool stream =
            of && of->kind == AST_TYPE_NAME && of->type_name.name.symbol == c->names.stream;
        for (int k = 0; stream && k < a->count; k++)
            if (a->params[k].name.symbol == names->items[i].name.symbol && !a->trees[k] &&
                (!a->asts[k] || a->asts[k]->kind == AST_NONE))
                return names->items[i].name.symbol;
    }
    return 0;
}

/* A bare name is its text. */
static Tree *name_value(Checker *c, Symbol name, Span span) {
    Tree *tree = tree_new(c, TREE_TEXT, c->types.name, span);
    tree->text = symbols_name(c->symbols, name);
    return tree;
}

/* A name kept as its text; only a parameter of that kind may hide it, so that it can be handed on. */
static Tree *bare_name(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    if (ast->kind == AST_NONE) return name_value(c, 0, ast->span);
    if (ast->kind != AST_NAME) {
        diag_add(c->diags, DIAG_E_BARE_NAME, ast->span);
        return tree_poison(c, ast->span);
    }
    Found found = scope_find(x, ast->name.symbol, false);
    bool passed =
        found.kind == FOUND_LOCAL && type_is(x->fn->locals.items[found.local].type, TYPE_NAME);
    return passed ? name_found(x, &found, ast->name.symbol, ast->span, NULL)
                  : name_value(c, ast->name.symbol, ast->span);
}

/* A given(...) parameter handed on to another function. */
static bool passes_on(Ctx *x, const AstNode *ast, const Type *type) {
    if (ast->kind != AST_NAME || !type_is(type, TYPE_FN)) return false;
    Found found = scope_find(x, ast->name.symbol, false);
    return found.kind == FOUND_LOCAL &&
           convert_type_fits(x->c, x->fn->locals.items[found.local].type, type_inside(x->c, type));
}

/* The order matters: an absent given(...) first, then bare names, then expressions that the callee
 * asks, then values. */
Tree *argument_check(Ctx *x, const AstNode *type_ast, const Type *type, const AstNode *ast,
                     Symbol off) {
    Checker *c = x->c;
    const Type *inside = type_is(type, TYPE_OPTIONAL) ? type->element : type;
    if (type_ast && type_ast->kind == AST_TYPE_OPTIONAL) type_ast = type_ast->type_optional.base;
    bool none = ast->kind == AST_NONE && type_is(type, TYPE_OPTIONAL);
    bool absent =
        ast->kind == AST_NONE && type_is(type, TYPE_FN) && type_is(type->element, TYPE_OPTIONAL);
    if (absent)
        return tree_new(c, TREE_NONE, type_inside(c, type), ast->span); /* no function at all */
    if (passes_on(x, ast, inside))
        return convert_to(x, expr_check(x, ast, NULL), type_inside(c, type));
    if (type_ast && type_ast->kind == AST_TYPE_GIVEN && !none && type_is(inside, TYPE_FN))
        return convert_to(x, lambda_given(x, type_ast, inside, ast, off), type_inside(c, type));
    if (!none && type_is(inside, TYPE_NAME)) return convert_to(x, bare_name(x, ast), type);
    return expr_value(x, ast, type);
}

/* -- defaults -- */

typedef struct Mention {
    Symbol name;
    bool found;
} Mention;

static void find_mention(const AstNode *ast, void *user) {
    Mention *mention = user;
    if (ast->kind == AST_NAME && ast->name.symbol == mention->name)
        mention->found = true;
    else if (!mention->found)
        ast_visit(ast, find_mention, user);
}

bool ast_mentions(const AstNode *ast, Symbol name) {
    Mention mention = {.name = name};
    find_mention(ast, &mention);
    return mention.found;
}

/* The name of the field or let in whose value the call stands. */
static Tree *field_name_default(Ctx *x, const Arguments *a, int param) {
    Checker *c = x->c;
    if (x->value_name.symbol) return name_value(c, x->value_name.symbol, a->span);
    const char *name = name_text(c, a->params[param].name.symbol);
    diag_help(c->diags, diag_add(c->diags, DIAG_E_NEEDS_NAME, a->span, name), "write it: %s: forest", name);
    return tree_poison(c, a->span);
}

/* The last name of a field's or a method's title; all of a function's that stands in no part. */
static Str home_name(const Ctx *x) {
    while (x->outer)
        x = x->outer;
    Str name = x->fn->name;
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] == '[') name.len = i; /* a generic one's types */
    for (size_t i = name.len; x->scope_class && i > 0; i--)
        if (name.ptr[i - 1] == '.') return (Str){name.ptr + i, name.len - i};
    return name;
}

/* Where the call stands: the part, which is known when the world runs, the field or function, the let. */
static Tree *field_path_default(Ctx *x, Span span) {
    Checker *c = x->c;
    Str name = home_name(x), let = symbols_name(c->symbols, x->value_name.symbol);
    if (x->value_name.symbol && !str_equal(let, name))
        name = str_printf(c->arena, "%.*s.%.*s", STR_ARG(name), STR_ARG(let));
    Tree *text = tree_new(c, TREE_TEXT, c->types.text, span);
    text->text = name;
    Decl *decl = LIBRARY_DECL(c, core, pathIn);
    if (!x->scope_class || !decl) return text;
    Tree *part = scope_path(x, x->scope_class, x->scope_up, span);
    Tree *args[2] = {convert_to(x, part, c->types.any_part), text};
    return tree_call(x, fn_instance(c, decl, NULL), args, 2, span);
}

/* What has the parameter's name where the call stands. */
static Tree *around_default(Ctx *x, const Arguments *a, int param, const Type *type) {
    Checker *c = x->c;
    const AstParam *p = &a->params[param];
    if (scope_find(x, p->name.symbol, false).kind == FOUND_NOTHING) {
        Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, a->span, a->callee.ptr,
                              name_text(c, p->name.symbol));
        diag_note(c->diags, diag, p->span, "nothing of that name stands around the call either");
        return tree_poison(c, a->span);
    }
    AstNode *name = ARENA_NEW(c->arena, AstNode);
    *name = (AstNode){.kind = AST_NAME, .span = a->span};
    name->name.symbol = p->name.symbol;
    return argument_check(x, p->type, type, name, 0);
}

/* A default that does not go with this call's types (smoothstep of meters up to 1) has to be given.
 */
static void report_default(Checker *c, const Arguments *a, int param, const Diag *inner) {
    if (inner->severity != DIAG_ERROR) return;
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, a->span, a->callee.ptr,
                          name_text(c, a->params[param].name.symbol));
    diag_note(c->diags, diag, inner->span, "its default does not fit: %.*s",
              STR_ARG(inner->message));
}

/* A default is an expression of the callee's file in which the earlier parameters are seen. */
Tree *default_value(Ctx *x, Arguments *a, int param, const Type *type, Package *package,
                    const TypeEnv *env, TreeList *before) {
    Checker *c = x->c;
    const AstParam *p = &a->params[param];
    if (type_is(type, TYPE_NAME) && p->default_value->kind == AST_NAME &&
        p->default_value->name.symbol == c->names.field_name)
        return field_name_default(x, a, param);
    if (type_is(type, TYPE_TEXT) && p->default_value->kind == AST_NAME &&
        p->default_value->name.symbol == c->names.field_path)
        return field_path_default(x, a->span);
    if (p->default_value->kind == AST_NAME && p->default_value->name.symbol == c->names.around)
        return around_default(x, a, param, type);
    Bindings seen = {0};
    for (int i = 0; i < param; i++) {
        if (!a->trees[i] || !ast_mentions(p->default_value, a->params[i].name.symbol)) continue;
        name_tree(x, a, i, before);
        if (a->trees[i]->kind == TREE_LOCAL)
            VEC_PUSH(c->arena, &seen, ((Binding){a->params[i].name.symbol, a->trees[i]->local}));
    }
    Ctx saved = *x;
    x->package = package;
    x->env = env;
    x->bindings = seen;
    x->scope_class = NULL;
    x->on_line = false;
    x->sealed = true;
    DiagList inner = {0}, *outer = c->diags;
    bool generic = env && env->count;
    diags_init(&inner, c->arena, c->input.sources);
    if (generic) c->diags = &inner;
    Tree *tree = argument_check(x, p->type, type, p->default_value, 0);
    c->diags = outer;
    if (inner.items.count) report_default(c, a, param, inner.items.items[0]);
    x->package = saved.package;
    x->env = saved.env;
    x->bindings = saved.bindings;
    x->scope_class = saved.scope_class;
    x->on_line = saved.on_line;
    x->sealed = saved.sealed;
    return tree;
}
