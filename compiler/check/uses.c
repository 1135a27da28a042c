#include "compiler/check/checker.h"

static bool is_noted(const Checker *c, Span at) {
    return c->input.uses && at.file >= c->input.uses->first_file;
}

static void note(Checker *c, CheckUse use) {
    if (is_noted(c, use.at)) VEC_PUSH(c->input.arena, &c->input.uses->items, use);
}

static CheckUseKind kind_of(const Decl *decl) {
    switch (decl->kind) {
    case DECL_FN:
        return CHECK_USE_FN;
    case DECL_FIELD:
    case DECL_CONSTANT:
        return CHECK_USE_FIELD;
    case DECL_PART:
    case DECL_FAMILY:
        return CHECK_USE_PART;
    case DECL_RECORD:
        return CHECK_USE_RECORD;
    case DECL_OBJECT:
    case DECL_CONTRACT:
    case DECL_ALIAS:
        break;
    }
    return CHECK_USE_TYPE;
}

/* The name at the end of what stands there, which is how `a.b.name` and a bare name end; else the name of what is being called. */
static bool find_place(const Ctx *x, Symbol name, Span span, Span *at) {
    const Checker *c = x->c;
    Str wanted = symbols_name(c->symbols, name);
    const Span places[2] = {{span.file, span.end - (uint32_t)wanted.len, span.end}, x->said};
    for (int i = 0; i < 2; i++) {
        *at = places[i];
        if (is_noted(c, *at) && at->end >= at->start && at->end - at->start == wanted.len && str_equal(sources_text(c->input.sources, *at), wanted)) return true;
    }
    return false;
}

void uses_decl(Ctx *x, const Decl *decl, Span span, const Type *type) {
    Span at;
    if (!x->c->input.uses || !find_place(x, decl->name, span, &at)) return;
    note(x->c, (CheckUse){at, decl->span, kind_of(decl), decl->ast, NULL, type});
}

void uses_type(Checker *c, const Decl *decl, AstName name, const Type *type) {
    Str last = symbols_name(c->symbols, decl->name); /* of weberpenn.Tree, which is one name */
    if (name.span.end - name.span.start > last.len) name.span.start = name.span.end - (uint32_t)last.len;
    note(c, (CheckUse){name.span, decl->span, kind_of(decl), decl->ast, NULL, type});
}

/* Names that the compiler made up stand in no text. */
void uses_local(Ctx *x, const TreeLocal *local, Span at) {
    const Checker *c = x->c;
    bool written = local->span.file && is_noted(c, at) && str_equal(sources_text(c->input.sources, at), symbols_name(c->symbols, local->name));
    if (written) note(x->c, (CheckUse){at, local->span, CHECK_USE_LOCAL, NULL, NULL, local->type});
}

void uses_param(Checker *c, const AstParam *param, Span at, const Type *type) {
    note(c, (CheckUse){at, param->name.span, CHECK_USE_PARAM, NULL, param, type});
}

void uses_record_field(Ctx *x, const struct TreeRecord *record, int field, Span span, const Type *type) {
    Span at;
    if (!x->c->input.uses || !find_place(x, record->fields.items[field].name, span, &at)) return;
    if (record->ast->kind == AST_CONTRACT) {
        const AstNode *fn = record->ast->contract.fns.items[field];
        note(x->c, (CheckUse){at, fn->kind == AST_FN ? fn->fn.name.span : (Span){0}, CHECK_USE_FN, fn, NULL, type});
    } else {
        const AstParam *param = &record->ast->record.fields.items[field];
        note(x->c, (CheckUse){at, param->name.span, CHECK_USE_FIELD, NULL, param, type});
    }
}

void uses_option(Checker *c, const Decl *field, Span at) {
    note(c, (CheckUse){at, field->span, CHECK_USE_FIELD, field->ast, NULL, NULL});
}

void uses_package(Checker *c, const Package *package, Span at) {
    note(c, (CheckUse){at, (Span){package->ast ? package->ast->file : 0, 0, 0}, CHECK_USE_PACKAGE, NULL, NULL, NULL});
}

void uses_choice(Checker *c, const Type *type, Span at) {
    note(c, (CheckUse){at, {0}, CHECK_USE_CHOICE, NULL, NULL, type});
}

void uses_expression(Checker *c, Span at, const Type *type) {
    if (is_noted(c, at) && !type_poisoned(type)) VEC_PUSH(c->input.arena, &c->input.uses->types, ((CheckTyped){at, type}));
}
