/* What a world has to be built for: only when somebody asks, never while he types, and no longer than the time limit. */
#include "compiler/lsp/lsp.h"

#include "compiler/engine/open/open.h"

enum { LONGEST_SECONDS = 20 };

static bool is_late(void *user, const char *what, double seconds) {
    (void)user, (void)what;
    return seconds > LONGEST_SECONDS;
}

void built_end(WorldEditor *e) {
    if (e->rows) world_table_destroy(e->rows);
    if (e->value) world_value_destroy(e->value);
    if (e->built) world_close(e->built);
    e->rows = NULL;
    e->value = NULL;
    e->built = NULL;
}

static const char *why_not(WorldStatus status) {
    return status == WORLD_ERROR_LIMIT    ? "that takes longer than an editor waits: ask worldc"
           : status == WORLD_ERROR_MEMORY ? "out of memory"
                                          : "that does not work out: worldc says why";
}

static bool is_fine(WorldEditor *e, WorldStatus status) {
    if (status != WORLD_OK) lsp_refuse(e, 0, why_not(status));
    return status == WORLD_OK;
}

static bool open_built(WorldEditor *e, Doc *doc) {
    Str name = doc->path.len ? doc->path : doc->uri, text = doc->lines.text;
    WorldDesc desc = {.name = arena_strndup(&e->scratch, name.ptr, name.len), .progress = is_late};
    if (doc->path.len) desc.folder = files_folder_of(&e->scratch, doc->path);
    if (doc_analysis(e, doc)->compile->diags.error_count) {
        lsp_refuse(e, 0, "the text has mistakes");
        return false;
    }
    return is_fine(e, world_open_text(e->engine, text.ptr, text.len, &desc, &e->built));
}

/* -- world.value: an expression's value, in the world as it is written -- */

static void tell_value(WorldEditor *e, Doc *doc, Str expression, StrBuf *out) {
    bool good = open_built(e, doc) && is_fine(e, world_ask(e->built, arena_strndup(&e->scratch, expression.ptr, expression.len), &e->value));
    if (good) write_text(out, str_of(world_value_text(e->value)));
}

/* -- world.count: what each rule placed -- */

static int64_t cell(const WorldTable *rows, size_t row, const char *column) {
    int at = world_table_find(rows, column);
    return at < 0 || world_table_is_empty(rows, row, at) ? 0 : world_table_int(rows, row, at);
}

static void keep_rows(WorldEditor *e, Doc *doc) {
    int rule = world_table_find(e->rows, "rule");
    memset(&doc->counts, 0, sizeof doc->counts);
    for (size_t i = 0; rule >= 0 && i < world_table_rows(e->rows); i++) {
        const char *name = world_table_text(e->rows, i, rule);
        RuleCount count = {.rule = {arena_strndup(&doc->text_arena, name, strlen(name)), strlen(name)},
                           .placed = cell(e->rows, i, "placed"),
                           .past_cap = cell(e->rows, i, "cap")};
        VEC_PUSH(&doc->text_arena, &doc->counts, count);
    }
}

static void ask_again(WorldEditor *e, const char *method) {
    StrBuf message = {.arena = &e->scratch};
    strbuf_printf(&message, "{\"jsonrpc\":\"2.0\",\"id\":\"%s\",\"method\":\"workspace/%s/refresh\"}", method, method);
    lsp_send(e, &message);
}

static void count(WorldEditor *e, Doc *doc, StrBuf *out) {
    if (!open_built(e, doc) || !is_fine(e, world_stats(e->built, "", &e->rows))) return;
    keep_rows(e, doc);
    if (e->refreshes_lenses) ask_again(e, "codeLens");
    if (e->refreshes_hints) ask_again(e, "inlayHint");
    strbuf_char(out, '[');
    for (int i = 0; i < doc->counts.count; i++) {
        write_item(out);
        write_text(out, str_printf(&e->scratch, "%.*s: %.*s", STR_ARG(doc->counts.items[i].rule), STR_ARG(count_text(&e->scratch, &doc->counts.items[i]))));
    }
    strbuf_char(out, ']');
}

void lsp_command(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    const JsonValue *given = member(params, "arguments");
    int argc = given && given->kind == JSON_ARRAY ? given->members.count : 0;
    Str name = member_text(params, "command"), args[2] = {{0}};
    for (int i = 0; i < argc && i < 2; i++)
        if (given->members.items[i].value->kind == JSON_TEXT) args[i] = given->members.items[i].value->text;
    Doc *doc = doc_find(e, args[0]);
    if (!doc)
        lsp_refuse(e, 0, "that text is not open");
    else if (str_equal(name, STR_LIT("world.count")))
        count(e, doc, out);
    else if (str_equal(name, STR_LIT("world.value")) && args[1].len)
        tell_value(e, doc, args[1], out);
    else
        lsp_refuse(e, 0, "the commands are world.count (the text's address) and world.value (that, and an expression)");
    built_end(e);
}

/* -- where the text writes a rule: a field, or what is given as its name -- */

Str count_text(Arena *arena, const RuleCount *count) {
    if (count->past_cap == 0) return str_printf(arena, "%lld placed", (long long)count->placed);
    return str_printf(arena, "%lld placed, %lld past the cap", (long long)count->placed, (long long)count->past_cap);
}

const RuleCount *count_of(const Doc *doc, const Analysis *a, Symbol rule) {
    for (int i = 0; rule && i < doc->counts.count; i++)
        if (str_equal(doc->counts.items[i].rule, symbols_name(&a->compile->symbols, rule))) return &doc->counts.items[i];
    return NULL;
}

AstName rule_name(const AstNode *ast) {
    if (ast->kind == AST_FIELD) return ast->field.name;
    for (int i = 0; ast->kind == AST_CALL && i < ast->call.args.count; i++) {
        const AstNode *value = ast->call.args.items[i].value;
        if (value && value->kind == AST_NAME) return (AstName){value->name.symbol, value->span};
        if (ast->call.args.items[i].name.symbol) break; /* a rule's name comes first */
    }
    return (AstName){0};
}

typedef struct Lenses {
    WorldEditor *e;
    const Doc *doc;
    const Analysis *a;
    StrBuf *out;
} Lenses;

static void write_lens(const Lenses *l, Span at, Str title) {
    write_item(l->out);
    strbuf_str(l->out, STR_LIT("{\"range\":"));
    write_range(l->out, &l->doc->lines, at.start, at.end);
    strbuf_str(l->out, STR_LIT(",\"command\":{\"title\":"));
    write_text(l->out, title);
    strbuf_str(l->out, STR_LIT(",\"command\":\"world.count\",\"arguments\":["));
    write_text(l->out, l->doc->uri);
    strbuf_str(l->out, STR_LIT("]}}"));
}

/* A field that holds placed things offers to count them; a rule that was counted says what it placed. */
static void add_lenses(const AstNode *ast, void *user) {
    const Lenses *l = user;
    AstName name = rule_name(ast);
    const RuleCount *known = count_of(l->doc, l->a, name.symbol);
    const CheckUse *use = ast->kind == AST_FIELD ? find_name(l->a, l->a->compile->file, name.span.start) : NULL;
    if (known)
        write_lens(l, name.span, count_text(&l->e->scratch, known));
    else if (use && use->type && l->a->compile->checker && type_is_layout(l->a->compile->checker, use->type))
        write_lens(l, name.span, STR_LIT("count what is placed"));
    ast_visit(ast, add_lenses, user);
}

void lsp_lenses(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    Lenses l = {e, doc, doc_analysis(e, doc), out};
    strbuf_char(out, '[');
    for (int i = 0; l.a->compile->ast && i < l.a->compile->ast->decls.count; i++)
        add_lenses(l.a->compile->ast->decls.items[i], &l);
    strbuf_char(out, ']');
}
