/* Questions to a checked world: expressions, functions by name, signatures, completion. */
#include <stdlib.h>

#include "compiler/check/checker.h"

/* An evaluation that ran out of memory left things under work, and a home that is gone. */
static void ask_begin(Checker *c, Home *home, const CheckAsker *asker) {
    *home = (Home){.arena = asker->arena};
    home_enter(c, home);
    c->diags = c->loud = asker->diags;
    c->work = NULL;
    c->depth = 0;
}

static void ask_end(Checker *c) {
    home_enter(c, &c->world_home);
    c->diags = c->loud = c->input.diags;
}

static TreeFn *check_expression(Checker *c, const AstNode *expression, Class *of,
                                const Type *wanted) {
    int errors = c->diags->error_count;
    TreeFn *fn = fn_create(c, STR_LIT("ask"), expression->span);
    Ctx x;
    ctx_init(&x, c, fn, c->world);
    ctx_set_class(&x, of);
    fn->body = expr_check(&x, expression, wanted);
    if (wanted) fn->body = convert_to(&x, fn->body, wanted);
    fn->result = fn->body->type;
    if (type_is(fn->result, TYPE_NONE))
        diag_add(c->diags, DIAG_E_NO_VALUE, expression->span, "none");
    if (c->diags->error_count > errors || type_poisoned(fn->result)) return NULL;
    check_drain(c);
    return c->diags->error_count > errors ? NULL : fn;
}

TreeFn *check_question(Checker *c, const CheckAsker *asker, const AstNode *expression, int cls,
                       const Type *wanted) {
    Home home;
    ask_begin(c, &home, asker);
    TreeFn *fn = check_expression(c, expression, c->classes.items[cls], wanted);
    ask_end(c);
    return fn;
}

TreeFn *check_variant(const TreeFn *fn, Tree *body, int number, Arena *arena) {
    TreeFn *variant = ARENA_NEW(arena, TreeFn);
    *variant = *fn;
    variant->name = str_printf(arena, "%.*s#%d", STR_ARG(fn->name), number);
    variant->body = body;
    variant->result = body->type;
    variant->index = -1;
    return variant;
}

/* -- functions by name -- */

static Str take_name(Str *dotted) {
    size_t len = 0;
    while (len < dotted->len && dotted->ptr[len] != '.')
        len++;
    Str name = {dotted->ptr, len};
    size_t past = len < dotted->len ? len + 1 : len;
    *dotted = (Str){dotted->ptr + past, dotted->len - past};
    return name;
}

/* Checked on the spot, with all that it needs. */
static TreeFn *instance_of(Checker *c, Decl *decl) {
    if (decl_type_params(decl)->count) {
        diag_add(c->diags, DIAG_E_GENERIC_ASKED, decl->span, name_text(c, decl->name));
        return NULL;
    }
    int errors = c->diags->error_count;
    FnInst *inst = fn_instance(c, decl, NULL);
    fn_check_body(c, inst, decl->span);
    check_drain(c);
    return inst->failed || c->diags->error_count > errors ? NULL : inst->fn;
}

/* Down from the root, part by part; else a function of the file, the prelude or a package. */
static TreeFn *find_function(Checker *c, Str dotted, Tree **object) {
    Class *at = c->root;
    Tree *path = tree_new(c, TREE_ROOT, type_part(c, c->root), (Span){0});
    Package *package = NULL;
    for (;;) {
        Symbol name = symbols_find(c->symbols, take_name(&dotted));
        Decl *decl = package ? package_value(c->world, package, name) : class_member(at, name);
        if (!decl && at == c->root && !package) {
            Ctx x;
            TreeFn none = {0};
            ctx_init(&x, c, &none, c->world);
            Found found = scope_find(&x, name, true);
            if (found.kind == FOUND_DECL) decl = found.decl;
            if (found.kind == FOUND_PACKAGE) {
                package = found.package;
                if (dotted.len) continue;
            }
        }
        if (!decl) return NULL;
        if (dotted.len == 0) {
            if (decl->kind != DECL_FN) return NULL;
            if (object) *object = decl->owner ? path : NULL;
            return instance_of(c, decl);
        }
        if (decl->kind != DECL_PART || decl->cls->tree->is_design) return NULL;
        at = decl->cls;
        path = tree_part(c, TREE_CHILD, path, decl->index, type_part(c, at), (Span){0});
    }
}

TreeFn *check_find_function(Checker *c, const CheckAsker *asker, Str dotted, Tree **object) {
    Home home;
    ask_begin(c, &home, asker);
    TreeFn *fn = find_function(c, dotted, object);
    ask_end(c);
    return fn;
}

/* -- words -- */

/* The last part of its name, its parameters, its result. */
Str check_signature(Checker *c, const TreeFn *fn, Arena *arena) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, str_last_name(fn->name));
    strbuf_char(&out, '(');
    for (int i = 0; i < fn->param_count; i++) {
        const TreeLocal *param = &fn->locals.items[fn->capture_count + i];
        Str type = type_name(param->type, c->symbols, arena);
        strbuf_printf(&out, "%s%.*s: %.*s", i ? ", " : "",
                      STR_ARG(symbols_name(c->symbols, param->name)), STR_ARG(type));
    }
    strbuf_char(&out, ')');
    if (fn->result && fn->result->kind != TYPE_UNIT) {
        Str type = type_name(fn->result, c->symbols, arena);
        strbuf_printf(&out, " %.*s", STR_ARG(type));
    }
    return strbuf_take(&out);
}

/* -- completion -- */

typedef struct Completion {
    Checker *c;
    Arena *arena;
    Str before, prefix; /* "land." and "he" */
    bool *seen;         /* by symbol */
    VEC(CheckOffer) offers;
} Completion;

static void offer(Completion *to, Symbol name, const AstNode *ast) {
    Str text = symbols_name(to->c->symbols, name);
    if (to->seen[name] || !str_starts(text, to->prefix)) return;
    to->seen[name] = true;
    Str full = to->before.len ? str_printf(to->arena, "%.*s%.*s", STR_ARG(to->before), STR_ARG(text)) : text;
    VEC_PUSH(to->arena, &to->offers, ((CheckOffer){full, ast}));
}

static void offer_class(Completion *to, const Class *cls) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->decls.count; i++)
            offer(to, cls->decls.items[i]->name, cls->decls.items[i]->ast);
}

static void offer_package(Completion *to, const Package *package) {
    for (int i = 0; i < package->decls.count; i++)
        if (package->decls.items[i]->kind < DECL_OBJECT &&
            decl_seen(to->c->world, package->decls.items[i]))
            offer(to, package->decls.items[i]->name, package->decls.items[i]->ast);
}

static void offer_methods(Completion *to, const Type *type) {
    Checker *c = to->c;
    for (int i = 0; i < c->packages.count; i++)
        for (int k = 0; k < c->packages.items[i]->decls.count; k++) {
            const Decl *decl = c->packages.items[i]->decls.items[k];
            if (!decl_takes_self(c, decl) || !decl_seen(c->world, decl)) continue;
            TypeEnv env;
            generic_open(c, &env, decl_type_params(decl), NULL);
            if (typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, type))
                offer(to, decl->name, decl->ast);
        }
}

static void offer_axes(Completion *to, const Type *type) {
    const Checker *c = to->c;
    bool color = type_is(type, TYPE_COLOR);
    if (!color && !type_is(type, TYPE_POINT) && !type_is(type, TYPE_VECTOR)) return;
    offer(to, color ? c->names.r : c->names.x, NULL);
    offer(to, color ? c->names.g : c->names.y, NULL);
    offer(to, color ? c->names.b : c->names.z, NULL);
}

static void offer_value(Completion *to, const Type *type) {
    offer_axes(to, type);
    if (type_is(type, TYPE_RECORD) || type_is(type, TYPE_CONTRACT))
        for (int i = 0; i < type->record->fields.count; i++)
            offer(to, type->record->fields.items[i].name, NULL);
    offer_methods(to, type);
}

static void offer_inside(Completion *to, Str path) {
    Checker *c = to->c;
    Class *at = c->root;
    while (path.len) {
        Symbol name = symbols_find(c->symbols, take_name(&path));
        Decl *decl = class_member(at, name);
        if (!decl) {
            Package *package = at == c->root ? package_named(c, c->world, name) : NULL;
            if (package && path.len == 0) offer_package(to, package);
            return;
        }
        if (decl->kind == DECL_FIELD && path.len == 0) {
            offer_value(to, field_type(c, at, decl->index, decl->span));
            return;
        }
        if (decl->kind != DECL_PART || decl->cls->tree->is_design) return;
        at = decl->cls;
    }
    offer_class(to, at);
    int value = at->tree->value_field;
    if (value >= 0) offer_value(to, field_type(c, at, value, (Span){0}));
}

static int compare(const void *a, const void *b) {
    return str_compare(((const CheckOffer *)a)->name, ((const CheckOffer *)b)->name);
}

static void offer_of_type(Completion *to, const Type *type) {
    if (type_is(type, TYPE_PART)) offer_class(to, class_of(to->c, type->cls));
    if (type_is(type, TYPE_ANY_PART)) offer_class(to, to->c->any_part);
    offer_value(to, type);
}

static void offer_in_sight(Completion *to) {
    Checker *c = to->c;
    offer_class(to, c->root);
    for (int i = 0; i < c->packages.count; i++) {
        const Package *package = c->packages.items[i];
        if (package == c->world || package->prelude) offer_package(to, package);
        if (!package->is_file && package_sees(c->world, package)) offer(to, package->symbol, NULL);
    }
    for (int i = 0; i < c->world->names.count; i++)
        offer(to, c->world->names.items[i], NULL);
}

int check_offers(Checker *c, const Type *type, Str prefix, Arena *arena, CheckOffer **offers) {
    Home home;
    DiagList silent;
    Str last = str_last_name(prefix);
    Completion to = {.c = c, .arena = arena, .before = {prefix.ptr, prefix.len - last.len}, .prefix = last}; /* before: the dot too */
    diags_init(&silent, arena, c->input.sources);
    to.seen = ARENA_ARRAY(arena, bool, c->symbols->count);
    ask_begin(c, &home, &(CheckAsker){arena, &silent});
    if (type)
        offer_of_type(&to, type);
    else if (to.before.len)
        offer_inside(&to, str_holder_name(prefix));
    else
        offer_in_sight(&to);
    ask_end(c);
    if (to.offers.count) qsort(to.offers.items, (size_t)to.offers.count, sizeof(CheckOffer), compare);
    *offers = to.offers.items;
    return to.offers.count;
}

static int names_of(const CheckOffer *offers, int count, Arena *arena, Str **names) {
    *names = ARENA_ARRAY(arena, Str, count + 1);
    for (int i = 0; i < count; i++)
        (*names)[i] = offers[i].name;
    return count;
}

int check_complete_value(Checker *c, const Type *type, Str prefix, Arena *arena, Str **names) {
    CheckOffer *offers;
    int count = check_offers(c, type, prefix, arena, &offers);
    return names_of(offers, count, arena, names);
}

int check_complete(Checker *c, Str prefix, Arena *arena, Str **names) {
    CheckOffer *offers;
    int count = check_offers(c, NULL, prefix, arena, &offers);
    return names_of(offers, count, arena, names);
}
