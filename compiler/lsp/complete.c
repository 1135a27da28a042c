/* What may be written at a place. */
#include "compiler/lsp/callee.h"
#include "compiler/lsp/cursor.h"

#include "lang/declared.h"
#include "lang/token.h"

/* The protocol's CompletionItemKind. */
enum { ITEM_FUNCTION = 3, ITEM_FIELD = 5, ITEM_VARIABLE = 6, ITEM_CLASS = 7, ITEM_UNIT = 11, ITEM_KEYWORD = 14, ITEM_CHOICE = 20, ITEM_STRUCT = 22, ITEM_TYPE = 25 };

typedef struct Offers {
    WorldEditor *e;
    const Analysis *a;
    StrBuf *out;
    SymbolTable seen; /* labels: each is offered once, the innermost first */
    int order;        /* arguments before names before words */
} Offers;

static void offer(Offers *o, Str label, int kind, Str detail) {
    if (label.len == 0 || symbols_find(&o->seen, label)) return;
    symbols_intern(&o->seen, label);
    write_item(o->out);
    strbuf_str(o->out, STR_LIT("{\"label\":"));
    write_text(o->out, label);
    strbuf_printf(o->out, ",\"kind\":%d,\"sortText\":\"%d", kind, o->order);
    for (size_t i = 0; i < label.len; i++)
        if (label.ptr[i] != '"') strbuf_char(o->out, label.ptr[i]);
    strbuf_char(o->out, '"');
    if (detail.len) {
        strbuf_str(o->out, STR_LIT(",\"detail\":"));
        write_text(o->out, detail);
    }
    strbuf_char(o->out, '}');
}

static Str symbol_text(const Offers *o, Symbol symbol) {
    return symbols_name(&o->a->compile->symbols, symbol);
}

static Str type_text(const Offers *o, const Type *type) {
    return type && type->kind != TYPE_POISON ? type_name(type, &o->a->compile->symbols, &o->e->scratch) : STR_LIT("");
}

/* -- names in sight, from the inside out -- */

static void offer_declaration(Offers *o, const AstNode *ast) {
    static const int kinds[AST_KIND_COUNT] = {[AST_FN] = ITEM_FUNCTION, [AST_FIELD] = ITEM_FIELD, [AST_PART] = ITEM_CLASS, [AST_RECORD] = ITEM_STRUCT, [AST_ALIAS] = ITEM_TYPE, [AST_CONTRACT] = ITEM_TYPE};
    if (kinds[ast->kind]) offer(o, declared_name(ast, &o->a->compile->symbols), kinds[ast->kind], declared_line(&o->e->scratch, &o->a->compile->sources, ast));
}

static void offer_pattern(const AstNode *pattern, void *user) {
    Offers *o = user;
    const CheckUse *use = pattern->kind == AST_NAME ? find_name(o->a, pattern->span.file, pattern->span.start) : NULL;
    if (pattern->kind == AST_NAME) offer(o, symbol_text(o, pattern->name.symbol), ITEM_VARIABLE, type_text(o, use ? use->type : NULL));
    if (pattern->kind == AST_PATTERN_TUPLE) ast_visit(pattern, offer_pattern, o);
}

static void offer_params(Offers *o, const AstParams *params) {
    for (int i = 0; i < params->count; i++)
        offer(o, symbol_text(o, params->items[i].name.symbol), ITEM_VARIABLE, sources_text(&o->a->compile->sources, params->items[i].span));
}

/* Lets before the place; declarations wherever they stand. */
static void offer_lines(Offers *o, const AstList *lines, uint32_t offset) {
    for (int i = 0; i < lines->count; i++) {
        const AstNode *line = lines->items[i];
        if (line->kind == AST_LET && line->span.end < offset) offer_pattern(line->let.pattern, o);
        offer_declaration(o, line);
    }
}

static void offer_class(Offers *o, const AstNode *part) {
    const TreeProgram *program = o->a->compile->program;
    for (int i = 0; program && i < program->classes.count; i++) {
        const TreeClass *cls = program->classes.items[i];
        for (int k = 0; cls->ast == part && k < cls->fields.count; k++)
            if (!cls->fields.items[k].hidden) offer(o, symbol_text(o, cls->fields.items[k].name), ITEM_FIELD, type_text(o, cls->fields.items[k].type));
    }
}

static void offer_scope(Offers *o, const NodePath *path, uint32_t offset) {
    for (int i = path->count - 1; i >= 0; i--) {
        const AstNode *at = path->items[i];
        if (at->kind == AST_BLOCK) offer_lines(o, &at->block.statements, offset);
        if (at->kind == AST_EACH) offer_pattern(at->each.pattern, o);
        if (at->kind == AST_LAMBDA) offer_params(o, &at->lambda.params);
        if (at->kind == AST_FN) offer_params(o, &at->fn.params);
        if (at->kind == AST_PART) {
            offer_lines(o, &at->part.body, offset);
            offer_class(o, at);
        }
    }
    offer_lines(o, &o->a->compile->ast->decls, offset);
}

/* -- what the checker knows by name -- */

static void offer_known(Offers *o, const Type *type, Str prefix, int kind) {
    CheckOffer *found;
    int count = o->a->compile->checker ? check_offers(o->a->compile->checker, type, prefix, &o->e->scratch, &found) : 0;
    for (int i = 0; i < count; i++)
        if (found[i].ast)
            offer_declaration(o, found[i].ast);
        else
            offer(o, str_last_name(found[i].name), kind, STR_LIT(""));
}

/* Of a package its declarations, of a value what its type has. */
static void offer_members(Offers *o, const Cursor *at) {
    const Type *type = find_type_before(o->a, o->a->compile->file, at->offset);
    const struct TreeRecord *record = type && (type->kind == TYPE_RECORD || type->kind == TYPE_CONTRACT) ? type->record : NULL;
    for (int i = 0; record && i < record->fields.count; i++)
        offer(o, symbol_text(o, record->fields.items[i].name), ITEM_FIELD, type_text(o, record->fields.items[i].type));
    Str prefix = type || !at->before.len ? STR_LIT("") : str_printf(&o->e->scratch, "%.*s.", STR_ARG(at->before));
    if (type || prefix.len) offer_known(o, type, prefix, ITEM_FIELD);
}

static void offer_types(Offers *o) {
    static const char *const known[] = {
#define TYPE(name, member, slots, c_type) name,
#define GENERIC(name, slots, c_type) name,
#include "lang/type.def"
#undef TYPE
#undef GENERIC
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        offer(o, str_of(known[i]), ITEM_TYPE, STR_LIT(""));
    const AstFile *ast = o->a->compile->ast;
    for (int i = 0; ast && i < ast->decls.count; i++) {
        const AstNode *decl = ast->decls.items[i];
        if (decl->kind == AST_RECORD || decl->kind == AST_ALIAS || decl->kind == AST_CONTRACT || decl->kind == AST_PART) offer_declaration(o, decl);
    }
}

static void offer_units(Offers *o) {
    static const char *const units[] = {
#define UNIT(text, times, over, length, angle, time) text,
#include "compiler/check/units.def"
#undef UNIT
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        offer(o, str_of(units[i]), ITEM_UNIT, STR_LIT(""));
}

static void offer_words(Offers *o) {
    static const char *const words[] = {
#define TOKEN(NAME, text, GROUP) TOKEN_GROUP_##GROUP == TOKEN_GROUP_WORD ? text : NULL,
#include "lang/token.def"
#undef TOKEN
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i]) offer(o, str_of(words[i]), ITEM_KEYWORD, STR_LIT(""));
}

/* -- arguments -- */

static bool is_written(const AstArgs *args, Symbol name) {
    for (int i = 0; i < args->count; i++)
        if (args->items[i].name.symbol == name) return true;
    return false;
}

static void offer_argument(Offers *o, const AstArgs *written, Symbol name, Str detail) {
    if (!is_written(written, name)) offer(o, str_printf(&o->e->scratch, "%.*s:", STR_ARG(symbol_text(o, name))), ITEM_FIELD, detail);
}

/* Those that have no value yet, with a colon. */
static void offer_arguments(Offers *o, const Callee *callee) {
    const AstArgs *written = callee->call->kind == AST_CALL ? &callee->call->call.args : &callee->call->part.options;
    for (int i = callee->skip; callee->params && i < callee->params->count; i++)
        offer_argument(o, written, callee->params->items[i].name.symbol, sources_text(&o->a->compile->sources, callee->params->items[i].span));
    for (int i = 0; callee->cls && i < callee->cls->fields.count; i++)
        if (!callee->cls->fields.items[i].hidden)
            offer_argument(o, written, callee->cls->fields.items[i].name, type_text(o, callee->cls->fields.items[i].type));
}

/* Behind `keep:` the names that are given there, behind a one of (...) its names. */
static void offer_wanted(Offers *o, const Callee *callee, int argument) {
    const AstParam *param = callee_param(callee, argument);
    const AstNode *type = param ? param->type : NULL;
    if (type && type->kind == AST_TYPE_OPTIONAL) type = type->type_optional.base;
    if (type && type->kind == AST_TYPE_GIVEN) offer_params(o, &type->type_given.params);
    for (int i = 0; type && type->kind == AST_TYPE_ONE_OF && i < type->type_one_of.names.count; i++)
        offer(o, symbol_text(o, type->type_one_of.names.items[i].symbol), ITEM_CHOICE, STR_LIT(""));
}

/* A named argument's value is being written; else another argument may begin here. */
static bool has_name(const Callee *callee, int argument, uint32_t offset) {
    const AstArgs *args = callee->call->kind == AST_CALL ? &callee->call->call.args : &callee->call->part.options;
    return argument >= 0 && argument < args->count && args->items[argument].name.symbol && args->items[argument].value && offset <= args->items[argument].value->span.start;
}

static void offer_values(Offers *o, const Cursor *at) {
    NodePath path = {0};
    Callee callee;
    find_path(o->a, &o->e->scratch, at->offset, &path);
    if (at->place == CURSOR_VALUE && callee_at(o->a, &path, at->offset, &callee)) {
        int argument = callee_argument(&callee, at->offset);
        offer_wanted(o, &callee, argument);
        if (!has_name(&callee, argument, at->offset)) offer_arguments(o, &callee);
    }
    o->order = 1;
    offer_scope(o, &path, at->offset);
    o->order = 2;
    offer_known(o, NULL, STR_LIT(""), ITEM_FUNCTION);
    o->order = 3;
    offer_words(o);
}

void lsp_completion(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    Cursor at = cursor_at(e, doc, params_offset(doc, member(params, "position")));
    Offers o = {.e = e, .a = at.analysis, .out = out};
    symbols_init(&o.seen, &e->scratch);
    strbuf_char(out, '[');
    if (at.place == CURSOR_UNIT) offer_units(&o);
    bool read = at.analysis && at.analysis->compile->ast;
    if (read && at.place == CURSOR_MEMBER) offer_members(&o, &at);
    if (read && at.place == CURSOR_TYPE) offer_types(&o);
    if (read && (at.place == CURSOR_LINE || at.place == CURSOR_VALUE)) offer_values(&o, &at);
    strbuf_char(out, ']');
}
