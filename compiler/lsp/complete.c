/* What may be written at a place: of what is known there, what the word that is being written may become. A long list is cut, and said to be, so that
 * the client asks again with the next letter: how an answer is written takes longer than all else. */
#include "compiler/lsp/callee.h"
#include "compiler/lsp/cursor.h"

#include "lang/declared.h"
#include "lang/token.h"

/* The protocol's CompletionItemKind. */
enum { ITEM_FUNCTION = 3, ITEM_FIELD = 5, ITEM_VARIABLE = 6, ITEM_CLASS = 7, ITEM_UNIT = 11, ITEM_KEYWORD = 14, ITEM_CHOICE = 20, ITEM_STRUCT = 22, ITEM_TYPE = 25 };

enum { MOST_OFFERS = 200 };

typedef enum Fit { FIT_NONE, FIT_LETTERS, FIT_BEGINNING } Fit;

typedef struct Offer {
    Str label, detail;
    const AstNode *ast; /* what declares it, or of what type it is, is its detail: written only of what is told */
    const Type *type;
    int kind, order;
    Fit fit;
} Offer;

typedef struct Offers {
    WorldEditor *e;
    const Analysis *a;
    Str word;         /* as far as it is written */
    SymbolTable seen; /* labels: each is offered once, the innermost first */
    VEC(Offer) found;
    int order;        /* arguments before names before words */
} Offers;

static char small(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* A label begins with the word, or has its letters in their order: what more is written fits no other. */
static Fit fit_of(Str label, Str word) {
    size_t at = 0, first = 0;
    for (size_t i = 0; i < label.len && at < word.len; i++) {
        if (small(label.ptr[i]) != small(word.ptr[at])) continue;
        first = at++ ? first : i;
        if (at == word.len) return first == 0 && i + 1 == word.len ? FIT_BEGINNING : FIT_LETTERS;
    }
    return word.len ? FIT_NONE : FIT_BEGINNING;
}

static void add_offer(Offers *o, Offer offered) {
    offered.fit = fit_of(offered.label, o->word);
    offered.order = o->order;
    if (offered.label.len == 0 || !offered.fit || symbols_find(&o->seen, offered.label)) return;
    symbols_intern(&o->seen, offered.label);
    VEC_PUSH(&o->e->scratch, &o->found, offered);
}

static void offer(Offers *o, Str label, int kind, Str detail) {
    add_offer(o, (Offer){.label = label, .kind = kind, .detail = detail});
}

static void offer_typed(Offers *o, Str label, int kind, const Type *type) {
    add_offer(o, (Offer){.label = label, .kind = kind, .type = type});
}

static Str symbol_text(const Offers *o, Symbol symbol) {
    return symbols_name(&o->a->compile->symbols, symbol);
}

static Str detail_of(const Offers *o, const Offer *offered) {
    const Type *type = offered->type;
    if (offered->ast) return declared_line(&o->e->scratch, &o->a->compile->sources, offered->ast);
    return type && type->kind != TYPE_POISON ? type_name(type, &o->a->compile->symbols, &o->e->scratch) : offered->detail;
}

static void write_offer(const Offers *o, const Offer *offered, StrBuf *out) {
    Str detail = detail_of(o, offered);
    write_item(out);
    strbuf_str(out, STR_LIT("{\"label\":"));
    write_text(out, offered->label);
    strbuf_printf(out, ",\"kind\":%d,\"sortText\":\"%d", offered->kind, offered->order);
    for (size_t i = 0; i < offered->label.len; i++)
        if (offered->label.ptr[i] != '"') strbuf_char(out, offered->label.ptr[i]);
    strbuf_char(out, '"');
    if (detail.len) {
        strbuf_str(out, STR_LIT(",\"detail\":"));
        write_text(out, detail);
    }
    strbuf_char(out, '}');
}

/* Where there are too many, those that begin with the word go first. */
static void write_offers(const Offers *o, StrBuf *out) {
    int left = MOST_OFFERS;
    bool cut = o->word.len > 0 || o->found.count > left;
    strbuf_printf(out, "{\"isIncomplete\":%s,\"items\":[", cut ? "true" : "false");
    for (Fit fit = FIT_BEGINNING; fit > FIT_NONE; fit--)
        for (int i = 0; i < o->found.count && left > 0; i++) {
            if (o->found.items[i].fit != fit) continue;
            write_offer(o, &o->found.items[i], out);
            left--;
        }
    strbuf_str(out, STR_LIT("]}"));
}

/* -- names in sight, from the inside out -- */

static void offer_declaration(Offers *o, const AstNode *ast) {
    static const int kinds[AST_KIND_COUNT] = {[AST_FN] = ITEM_FUNCTION, [AST_FIELD] = ITEM_FIELD, [AST_PART] = ITEM_CLASS, [AST_RECORD] = ITEM_STRUCT, [AST_ALIAS] = ITEM_TYPE, [AST_CONTRACT] = ITEM_TYPE};
    if (kinds[ast->kind]) add_offer(o, (Offer){.label = declared_name(ast, &o->a->compile->symbols), .kind = kinds[ast->kind], .ast = ast});
}

static void offer_pattern(const AstNode *pattern, void *user) {
    Offers *o = user;
    const CheckUse *use = pattern->kind == AST_NAME ? find_name(o->a, pattern->span.file, pattern->span.start) : NULL;
    if (pattern->kind == AST_NAME) offer_typed(o, symbol_text(o, pattern->name.symbol), ITEM_VARIABLE, use ? use->type : NULL);
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
            if (!cls->fields.items[k].hidden) offer_typed(o, symbol_text(o, cls->fields.items[k].name), ITEM_FIELD, cls->fields.items[k].type);
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
        offer_typed(o, symbol_text(o, record->fields.items[i].name), ITEM_FIELD, record->fields.items[i].type);
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

static void offer_argument(Offers *o, const AstArgs *written, Symbol name, Str detail, const Type *type) {
    Str label = str_printf(&o->e->scratch, "%.*s:", STR_ARG(symbol_text(o, name)));
    if (!is_written(written, name)) add_offer(o, (Offer){.label = label, .kind = ITEM_FIELD, .detail = detail, .type = type});
}

/* Those that have no value yet, with a colon. */
static void offer_arguments(Offers *o, const Callee *callee) {
    const AstArgs *written = callee->call->kind == AST_CALL ? &callee->call->call.args : &callee->call->part.options;
    for (int i = callee->skip; callee->params && i < callee->params->count; i++)
        offer_argument(o, written, callee->params->items[i].name.symbol, sources_text(&o->a->compile->sources, callee->params->items[i].span), NULL);
    for (int i = 0; callee->cls && i < callee->cls->fields.count; i++)
        if (!callee->cls->fields.items[i].hidden)
            offer_argument(o, written, callee->cls->fields.items[i].name, STR_LIT(""), callee->cls->fields.items[i].type);
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
    o->order = 3;
    offer_words(o); /* before the library, which may be cut */
    o->order = 2;
    offer_known(o, NULL, STR_LIT(""), ITEM_FUNCTION);
}

void lsp_completion(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    uint32_t offset = params_offset(doc, member(params, "position")), word = text_word_start(doc->lines.text, offset);
    Cursor at = cursor_at(e, doc, offset);
    Offers o = {.e = e, .a = at.analysis, .word = {doc->lines.text.ptr + word, offset - word}};
    symbols_init(&o.seen, &e->scratch);
    if (at.place == CURSOR_UNIT) o.word.len = 0; /* digits are no word */
    if (at.place == CURSOR_UNIT) offer_units(&o);
    bool read = at.analysis && at.analysis->compile->ast;
    if (read && at.place == CURSOR_MEMBER) offer_members(&o, &at);
    if (read && at.place == CURSOR_TYPE) offer_types(&o);
    if (read && (at.place == CURSOR_LINE || at.place == CURSOR_VALUE)) offer_values(&o, &at);
    write_offers(&o, out);
}
