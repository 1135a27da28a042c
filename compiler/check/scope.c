/* Names from the inside out, and what else an expression is surrounded by: self, captures, random
 * numbers.
 *
 * Order: locals; then, class by class outward, own members (the design's too) and the loop values
 * the part was made with; then the file; then packages brought in by `use`, and the prelude; then
 * packages by name.
 */
#include "compiler/check/checker.h"
#include "lang/foreign.h"

/* A function of no part, in which no random numbers flow. */
void ctx_init(Ctx *x, Checker *c, TreeFn *fn, Package *package) {
    *x = (Ctx){.c = c, .fn = fn, .package = package, .flow = FLOW_NONE};
}

void ctx_set_class(Ctx *x, Class *cls) {
    x->self_class = x->scope_class = cls;
    x->scope_up = 0;
    x->fn->owner = cls->tree;
}

void ctx_set_line(Ctx *x, Class *cls) {
    x->self_class = cls;
    x->scope_class = cls->outer;
    x->scope_up = 1;
    x->on_line = true;
    x->fn->owner = cls->tree;
}

int ctx_local(Ctx *x, Symbol name, const Type *type, bool is_var) {
    VEC_PUSH(x->c->arena, &x->fn->locals, ((TreeLocal){name, type, is_var, {0}}));
    return x->fn->locals.count - 1;
}

int ctx_bind(Ctx *x, AstName name, const Type *type, bool is_var) {
    int local = ctx_local(x, name.symbol, type, is_var);
    TreeLocal *held = &x->fn->locals.items[local];
    held->span = name.span;
    uses_local(x, held, name.span);
    VEC_PUSH(x->c->arena, &x->bindings, ((Binding){name.symbol, local}));
    return local;
}

/* -- captures of lambdas and of parts -- */

static int capture(Ctx *x, int outer_local) {
    for (int i = 0; i < x->captures.count; i++)
        if (x->captures.items[i] == outer_local) return x->capture_at.items[i];
    const TreeLocal *outer = &x->outer->fn->locals.items[outer_local];
    int local = ctx_local(x, outer->name, outer->type, false);
    x->fn->locals.items[local].span = x->outer->fn->locals.items[outer_local].span;
    VEC_PUSH(x->c->arena, &x->captures, outer_local);
    VEC_PUSH(x->c->arena, &x->capture_at, local);
    return local;
}

static int find_binding(const Bindings *bindings, Symbol name) {
    for (int i = bindings->count - 1; i >= 0; i--)
        if (bindings->items[i].name == name) return bindings->items[i].local;
    return -1;
}

/* The local here that holds the name, captured through every lambda between; -1 when there is none.
 */
static int find_local(Ctx *x, Symbol name) {
    int local = find_binding(&x->bindings, name);
    if (local >= 0 || !x->outer || x->sealed) return local;
    int outside = find_local(x->outer, name);
    return outside < 0 ? -1 : capture(x, outside);
}

/* A loop value that the class's maker holds: entered into the class's captures. */
static bool find_site(Checker *c, Class *cls, Symbol name, Found *found) {
    int local = find_binding(&cls->site, name);
    if (local < 0) return false;
    int slot = 0, i = 0;
    for (; i < cls->capture_locals.count && cls->capture_locals.items[i] != local; i++)
        slot += cls->tree->captures.items[i].type->slot_count;
    const TreeLocal *held = &cls->maker->locals.items[local];
    if (i == cls->capture_locals.count) {
        if (cls->finished) return false; /* a question: what was not captured is gone */
        VEC_PUSH(c->arena, &cls->capture_locals, local);
        VEC_PUSH(c->arena, &cls->tree->captures, *held);
    }
    *found = (Found){.kind = FOUND_CAPTURE, .cls = cls, .capture = slot, .type = held->type, .held = held};
    return true;
}

/* -- members -- */

Decl *class_member(Class *cls, Symbol name) {
    for (; cls; cls = cls->base) {
        Decl *decl = symbolmap_get(&cls->members, name);
        if (decl) return decl;
    }
    return NULL;
}

/* A field counts when it holds a function. One whose type is being worked out does not: `edge =
 * edge(...)` is the record. */
static bool can_be_called(Checker *c, const Found *found) {
    const Decl *decl = found->decl;
    switch (decl->kind) {
    case DECL_FN:
    case DECL_RECORD:
        return true;
    case DECL_PART:
        return decl->cls->tree->is_design;
    case DECL_FIELD: {
        const Class *cls = found->cls;
        if (decl->index >= cls->fields.count ||
            cls->fields.items[decl->index].type_state == WORK_BUSY)
            return false;
        return type_is(field_type(c, found->cls, decl->index, decl->span), TYPE_FN);
    }
    case DECL_CONSTANT:
    case DECL_FAMILY:
    case DECL_OBJECT:
    case DECL_CONTRACT:
    case DECL_ALIAS:
        return false;
    }
    return false;
}

/* Functions of one name, the first of them, that a lookup passes over. */
typedef struct Passed {
    const Decl *decl;
    const struct Passed *next;
} Passed;

static bool is_skipped(const Ctx *x, const Decl *decl) {
    for (const Passed *at = x->passed; at; at = at->next)
        if (at->decl == decl) return true;
    return decl == x->own;
}

/* Keeps the first find for the error, and says when the search is over. */
static bool accept(Ctx *x, Found found, bool callable, Found *first) {
    if (found.kind == FOUND_NOTHING || (found.kind == FOUND_DECL && is_skipped(x, found.decl))) return false;
    if (first->kind == FOUND_NOTHING) *first = found;
    if (!callable || found.kind != FOUND_DECL || can_be_called(x->c, &found)) {
        *first = found;
        return true;
    }
    return false;
}

/* Each class outward: its members, then what the loop that made it held. A part's line stands outside
 * it, and sees its body last. */
static bool find_in_classes(Ctx *x, Symbol name, bool callable, Found *first) {
    Found found = {0};
    if (x->on_line && find_site(x->c, x->self_class, name, &found)) {
        if (accept(x, found, callable, first)) return true;
    }
    int up = x->scope_up;
    for (Class *cls = x->scope_class; cls; cls = cls->outer, up++) {
        Decl *decl = class_member(cls, name);
        if (decl &&
            accept(x, (Found){.kind = FOUND_DECL, .decl = decl, .cls = cls, .up = up}, callable,
                   first))
            return true;
        if (find_site(x->c, cls, name, &found)) {
            found.up = up;
            if (accept(x, found, callable, first)) return true;
        }
    }
    Decl *body = x->on_line ? symbolmap_get(&x->self_class->members, name) : NULL;
    return body && accept(x, (Found){.kind = FOUND_DECL, .decl = body, .cls = x->self_class},
                          callable, first);
}

static Found found_decl(Decl *decl) {
    return decl ? (Found){.kind = FOUND_DECL, .decl = decl} : (Found){0};
}

/* One name may be declared by several packages of the prelude: a function then has all their forms,
 * joined in a chain on first use. */
static Decl *find_in_prelude(Checker *c, const Package *from, Symbol name) {
    Decl *first = NULL, *last = NULL;
    for (int i = 0; i < c->packages.count; i++) {
        const Package *package = c->packages.items[i];
        Decl *decl = package->prelude ? package_value(from, package, name) : NULL;
        if (!decl) continue;
        if (!first) {
            first = last = decl;
        } else if (decl->kind == DECL_FN && first->kind == DECL_FN) {
            for (last = first; last->next && last != decl; last = last->next)
                continue;
            if (last != decl) last->next = decl;
        }
    }
    return first;
}

/* The file's own names, then what it uses, then the prelude, then records of any package. */
static bool find_in_packages(Ctx *x, Symbol name, bool callable, Found *first) {
    Checker *c = x->c;
    Decl *file = x->package == c->world ? NULL : symbolmap_get(&x->package->values, name);
    if (accept(x, found_decl(file), callable, first)) return true;
    if (x->package == c->world && c->root && !x->scope_class) {
        Decl *decl = symbolmap_get(&c->root->members, name);
        if (decl &&
            accept(x, (Found){.kind = FOUND_DECL, .decl = decl, .cls = c->root}, callable, first))
            return true;
    }
    Decl *own = callable ? symbolmap_get(&x->package->types, name) : NULL;
    if (own && own->kind == DECL_RECORD && accept(x, found_decl(own), callable, first)) return true;
    for (int i = 0; i < x->package->used.count; i++) {
        Decl *used = package_value(x->package, x->package->used.items[i], name);
        if (accept(x, found_decl(used), callable, first)) return true;
    }
    if (accept(x, found_decl(find_in_prelude(c, x->package, name)), callable, first)) return true;
    Decl *type = callable ? typeexpr_find(c, x->package, name) : NULL;
    return type && type->kind == DECL_RECORD && accept(x, found_decl(type), callable, first);
}

/* From the inside out. The name whose line this is comes into question when nothing else has it. */
static Found find(Ctx *x, Symbol name, bool callable) {
    Found first = {0};
    int local = find_local(x, name);
    if (local >= 0) {
        Found found = {.kind = FOUND_LOCAL, .local = local};
        bool is_fn = type_is(x->fn->locals.items[local].type, TYPE_FN);
        if (!callable || is_fn) return found;
        first = found;
    }
    if (find_in_classes(x, name, callable, &first)) return first;
    if (find_in_packages(x, name, callable, &first)) return first;
    if (first.kind != FOUND_NOTHING) return first;
    Package *package = package_named(x->c, x->package, name);
    return package ? (Found){.kind = FOUND_PACKAGE, .package = package} : first;
}

Found scope_find(Ctx *x, Symbol name, bool callable) {
    Found found = find(x, name, callable);
    const Decl *own = x->own;
    if (found.kind != FOUND_NOTHING || !own || own->name != name) return found;
    x->own = NULL;
    found = find(x, name, callable);
    x->own = own;
    return found;
}

static bool is_function(const Found *found) {
    return found->kind == FOUND_DECL && found->decl->kind == DECL_FN;
}

static Found find_past(Ctx *x, Symbol name, const Passed *passed) {
    const Passed *before = x->passed;
    x->passed = passed;
    Found found = find(x, name, true);
    x->passed = before;
    return found;
}

/* Arguments are looked at only where there is something further out. The library's own calls mean what they find. */
Found scope_find_taking(Ctx *x, Symbol name, const AstArgs *args) {
    Found first = scope_find(x, name, true), found = first;
    const Passed *passed = NULL;
    bool authors = x->package == x->c->world || x->package->is_file;
    while (authors && is_function(&found)) {
        Passed *more = ARENA_NEW(x->c->arena, Passed);
        *more = (Passed){found.decl, passed};
        passed = more;
        Found outer = find_past(x, name, passed);
        if (found.decl == first.decl && !is_function(&outer)) return first;
        if (form_any_fits(x, found.decl, args)) return found;
        found = outer;
    }
    return first;
}

/* -- self and the parts round it -- */

static void mark_self(Ctx *x) {
    for (; x; x = x->outer)
        x->uses_self = true;
}

/* The root is reached directly, so a function of no part can read the world. */
Tree *scope_path(Ctx *x, Class *cls, int up, Span span) {
    Checker *c = x->c;
    if (cls == c->root) return tree_new(c, TREE_ROOT, type_part(c, c->root), span);
    mark_self(x);
    Tree *path = tree_new(c, TREE_SELF, type_part(c, x->self_class), span);
    Class *at = x->self_class;
    for (; up > 0 && at->outer; up--) {
        at = at->outer;
        path = at == c->root ? tree_new(c, TREE_ROOT, type_part(c, at), span)
                             : tree_part(c, TREE_PARENT, path, 0, type_part(c, at), span);
    }
    return path;
}

/* -- random numbers -- */

static int stream_local(Ctx *x) {
    if (x->fn->stream_local < 0)
        x->fn->stream_local =
            ctx_local(x, x->c->names.stream, type_object(x->c, x->c->names.stream), false);
    return x->fn->stream_local;
}

/* Using a function's stream marks it as one that draws; its callers pass one then. */
static int find_stream(Ctx *x, Span span) {
    switch (x->flow) {
    case FLOW_FN:
        x->fn->draws = true;
        if (!x->fn->drawn.file) x->fn->drawn = span;
        return stream_local(x);
    case FLOW_GIVEN:
        return stream_local(x);
    case FLOW_OUTER: {
        int outside = x->outer ? find_stream(x->outer, span) : -1;
        return outside < 0 ? -1 : capture(x, outside);
    }
    case FLOW_OFF:
    case FLOW_NONE:
    default:
        return -1;
    }
}

/* A function that draws says where, since its caller may not see it. */
static void note_drawn(Checker *c, Diag *diag, const TreeFn *of) {
    if (!of || !of->drawn.file) return;
    diag_note(c->diags, diag, of->drawn, of->draws_turn ? "it draws the turn of this copy, which is left out; turn: 0 deg draws nothing" : "it draws here");
}

Tree *scope_stream(Ctx *x, Span span, Str what, const TreeFn *of) {
    Checker *c = x->c;
    int local = find_stream(x, span);
    if (local >= 0) return tree_local(x, local, span);
    const Ctx *source = x;
    while (source->flow == FLOW_OUTER && source->outer)
        source = source->outer;
    if (source->flow == FLOW_OFF) {
        const char *option = name_text(c, source->off_name);
        Diag *diag = diag_add(c->diags, DIAG_E_DRAW_OFF, span, option, what.ptr);
        diag_help(c->diags, diag, "give it a stream: %s: randomStream(seed: 1, salt: 1)", option);
    } else {
        Diag *diag = diag_add(c->diags, DIAG_E_DRAW_NOWHERE, span, what.ptr);
        note_drawn(c, diag, of);
    }
    return NULL;
}

/* -- unknown names -- */

/* What is called is looked for among what can be; a value among values and the author's own
 * functions. */
static void offer_decl(Suggest *to, const Decl *decl, bool own, bool callable) {
    bool can = decl->kind == DECL_FN || decl->kind == DECL_RECORD || decl->kind == DECL_PART;
    bool is = decl->kind < DECL_RECORD && (own || decl->kind != DECL_FN);
    if (callable ? can : is) suggest_name(to, decl->name);
}

static void offer_locals(Suggest *to, const Ctx *x, bool callable) {
    for (const Ctx *at = x; at; at = at->outer)
        for (int i = 0; i < at->bindings.count; i++) {
            const TreeLocal *local = &at->fn->locals.items[at->bindings.items[i].local];
            if (!callable || type_is(local->type, TYPE_FN)) suggest_name(to, local->name);
        }
}

static void offer_classes(Suggest *to, const Ctx *x, bool callable) {
    for (const Class *cls = x->scope_class; cls; cls = cls->outer) {
        for (const Class *at = cls; at; at = at->base)
            for (int i = 0; i < at->decls.count; i++)
                offer_decl(to, at->decls.items[i], true, callable);
        for (int i = 0; i < cls->site.count; i++)
            suggest_name(to, cls->site.items[i].name);
    }
}

/* A name that a package of the library has, or that is a type's. */
static bool offer_elsewhere(Ctx *x, Diag *diag, Symbol name) {
    Checker *c = x->c;
    for (int i = 0; i < c->packages.count; i++) {
        const Package *in = c->packages.items[i];
        const Decl *decl = in->is_file || in->internal ? NULL : symbolmap_get(&in->values, name);
        if (!decl || !decl_seen(x->package, decl)) continue;
        diag_help(c->diags, diag, "a package has it: %.*s.%s, or 'use %.*s' above", STR_ARG(in->name), name_text(c, name),
                  STR_ARG(in->name));
        return true;
    }
    const Decl *type = typeexpr_find(c, x->package, name);
    if (!type || type->kind != DECL_ALIAS) return false;
    diag_help(c->diags, diag, "it is a type; names of a one of (...) stand alone, without it");
    return true;
}

void scope_unknown(Ctx *x, Symbol name, Span span, bool callable) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_NAME_UNKNOWN, span, name_text(c, name));
    const char *foreign = foreign_word(symbols_name(c->symbols, name));
    if (foreign) diag_help(c->diags, diag, "%s", foreign);
    if (foreign || c->diags->dropped || offer_elsewhere(x, diag, name)) return;
    Suggest s = suggest_open(c, diag, name, span);
    offer_locals(&s, x, callable);
    offer_classes(&s, x, callable);
    package_offer(&s, x->package);
    for (int i = 0; i < c->packages.count && !s.off; i++) {
        const Package *package = c->packages.items[i];
        if (!package->prelude && package != x->package) continue;
        for (int k = 0; k < package->decls.count; k++)
            if (decl_seen(x->package, package->decls.items[k]))
                offer_decl(&s, package->decls.items[k], package == x->package, callable);
    }
    suggest_close(&s, "");
}
