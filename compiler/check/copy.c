/* A design called in an expression that is no part line, as in a rule's place: the record `copy`,
 * which says what to make of it and how it stands. Whatever order they are written in, what it
 * draws is drawn in one order. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

/* uniform(0 turn, 1 turn) of the stream that flows here. */
static Tree *drawn_turn(Ctx *x, Span span) {
    Checker *c = x->c;
    Decl *decl = LIBRARY_DECL(c, random, uniform);
    if (!decl) return NULL;
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    for (int i = 0; i < env.count; i++)
        env.types[i] = c->types.angle;
    UnitScale turn;
    Dims dims;
    unit_find(STR_LIT("turn"), &turn, &dims);
    Tree *args[2] = {tree_number(c, 0, c->types.angle, span),
                     tree_number(c, turn.times, c->types.angle, span)};
    return tree_call(x, fn_instance(c, decl, &env), args, 2, span);
}

/* Without using it: looking must not mark a function as one that draws. */
static bool stream_flows(const Ctx *x) {
    while (x->flow == FLOW_OUTER && x->outer)
        x = x->outer;
    return x->flow == FLOW_FN || x->flow == FLOW_GIVEN;
}

/* "variant:, turn:, size:, sink:, height: and up:" */
static Str takes(Checker *c, const struct TreeRecord *record) {
    StrBuf out = {.arena = c->arena};
    for (int i = 0, left = record->fields.count - 1; i < record->fields.count; i++) {
        if (record->fields.items[i].name == c->names.kind) continue;
        if (out.len) strbuf_str(&out, left == 1 ? STR_LIT(" and ") : STR_LIT(", "));
        strbuf_printf(&out, "%s:", name_text(c, record->fields.items[i].name));
        left--;
    }
    return strbuf_take(&out);
}

static void report_argument(Ctx *x, Class *design, const struct TreeRecord *record,
                            const AstArg *arg) {
    Checker *c = x->c;
    Decl *field = arg->name.symbol ? class_member(design, arg->name.symbol) : NULL;
    if (field && field->kind == DECL_FIELD)
        diag_add(c->diags, DIAG_E_COPY_FIELD, arg->span, name_text(c, arg->name.symbol),
                 name_text(c, design->name));
    else {
        Diag *diag = diag_add(
            c->diags, DIAG_E_ARGUMENT_UNKNOWN, arg->span, "copy of", name_text(c, design->name),
            arg->name.symbol ? name_text(c, arg->name.symbol) : "argument without a name");
        diag_help(c->diags, diag, "a copy takes %.*s", STR_ARG(takes(c, record)));
    }
}

/* The written argument for a field of the record, or NULL; warns when it is written after a later
 * one. */
static const AstNode *find_argument(Ctx *x, const AstArgs *args, Symbol name, int *last) {
    for (int i = 0; i < args->count; i++) {
        if (args->items[i].name.symbol != name) continue;
        if (i < *last)
            diag_add(x->c->diags, DIAG_W_COPY_ORDER, args->items[i].span, name_text(x->c, name));
        *last = i;
        return args->items[i].value;
    }
    return NULL;
}

/* Only the turn is drawn; the rest have the defaults of the record. */
static Tree *left_out(Ctx *x, const struct TreeRecord *record, int field, Span span) {
    Checker *c = x->c;
    const Type *type = record->fields.items[field].type;
    if (record->fields.items[field].name == c->names.turn && stream_flows(x)) {
        Tree *turn = drawn_turn(x, span);
        const Ctx *home = x;
        while (home->flow == FLOW_OUTER && home->outer)
            home = home->outer;
        if (home->fn->drawn.start == span.start && home->fn->drawn.file == span.file) home->fn->draws_turn = true;
        if (turn) return convert_to(x, turn, type);
    }
    if (record->defaults.items[field]) {
        Ctx y = {.c = c,
                 .fn = x->fn,
                 .package = package_find(c, symbols_intern(c->symbols, STR_LIT(STD_scatter)))};
        if (!y.package) y.package = x->package;
        return argument_check(&y, NULL, type, record->defaults.items[field], 0);
    }
    if (type_is(type, TYPE_OPTIONAL)) return tree_new(c, TREE_NONE, type, span);
    return convert_to(
        x, tree_int(c, record->fields.items[field].name == c->names.size, c->types.integer, span),
        type);
}

/* Whether a copy takes an argument of that name: a field of the record `copy`, but for the design itself. */
static bool names_option(const Checker *c, const struct TreeRecord *record, Symbol name) {
    for (int i = 0; i < record->fields.count; i++)
        if (name && name != c->names.kind && name == record->fields.items[i].name) return true;
    return false;
}

static void note_option(Checker *c, const struct TreeRecord *record, const AstArg *arg) {
    for (int i = 0; i < record->fields.count; i++)
        if (record->fields.items[i].name == arg->name.symbol)
            uses_param(c, &record->ast->record.fields.items[i], arg->name.span, record->fields.items[i].type);
}

/* The record's fields stand in the order in which they are worked out. */
Tree *copy_check(Ctx *x, Class *design, const AstArgs *args, Span span) {
    Checker *c = x->c;
    class_activate(c, design);
    Decl *decl = typeexpr_find(c, NULL, c->names.copy);
    if (!decl || decl->kind != DECL_RECORD) {
        diag_add(c->diags, DIAG_E_TYPE_UNKNOWN, span, STD_scatter_copy);
        return tree_poison(c, span);
    }
    const Type *type = typeexpr_record(c, decl, NULL, span);
    const struct TreeRecord *record = type->record;
    for (int i = 0; i < args->count; i++)
        if (!names_option(c, record, args->items[i].name.symbol))
            report_argument(x, design, record, &args->items[i]);
        else
            note_option(c, record, &args->items[i]);
    Tree *tree = tree_new(c, TREE_AGGREGATE, type, span);
    int last = -1;
    for (int i = 0; i < record->fields.count; i++) {
        Symbol name = record->fields.items[i].name;
        const Type *want = record->fields.items[i].type;
        Tree *item;
        if (name == c->names.kind) {
            item = tree_new(c, TREE_DESIGN, c->types.design, span);
            item->design = design->tree;
        } else {
            const AstNode *written = find_argument(x, args, name, &last);
            item =
                written ? argument_check(x, NULL, want, written, 0) : left_out(x, record, i, span);
        }
        if (type_poisoned(item->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->items, item);
    }
    return tree;
}
