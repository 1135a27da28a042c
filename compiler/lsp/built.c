/* What a world has to be built for: only when somebody asks, never while he types, and no longer than the time limit. */
#include "compiler/lsp/lsp.h"

#include <stdlib.h>

#include "compiler/engine/open/open.h"

enum { LONGEST_SECONDS = 20, EVERYWHERE = 1000000000 /* m */ };

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

static Str count_text(Arena *arena, const RuleCount *count) {
    if (count->past_cap == 0) return str_printf(arena, "%lld placed", (long long)count->placed);
    return str_printf(arena, "%lld placed, %lld past the cap", (long long)count->placed, (long long)count->past_cap);
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

/* -- world.why: what became of a rule's spots, the most first, each with the least that would have let one stand -- */

typedef struct Fate {
    const char *outcome, *condition, *advice;
    int count;
} Fate;
typedef VEC(Fate) FateList;

static const char *text_of(const WorldTable *rows, size_t row, const char *column) {
    int at = world_table_find(rows, column);
    return at < 0 || world_table_is_empty(rows, row, at) ? "" : world_table_text(rows, row, at);
}

static int compare_fates(const void *a, const void *b) {
    const Fate *m = a, *n = b;
    if (m->count != n->count) return m->count > n->count ? -1 : 1;
    int order = strcmp(m->outcome, n->outcome);
    return order ? order : strcmp(m->condition, n->condition);
}

static void add_fate(Arena *arena, FateList *fates, const Fate *one) {
    for (int i = 0; i < fates->count; i++) {
        Fate *known = &fates->items[i];
        if (strcmp(known->outcome, one->outcome) != 0 || strcmp(known->condition, one->condition) != 0) continue;
        known->count++;
        if (!*known->advice) known->advice = one->advice;
        return;
    }
    VEC_PUSH(arena, fates, *one);
}

static Str fates_text(Arena *arena, const FateList *fates, Str rule) {
    StrBuf text = {.arena = arena};
    strbuf_str(&text, rule);
    for (int i = 0; i < fates->count; i++) {
        const Fate *fate = &fates->items[i];
        strbuf_printf(&text, "%s %d %s%s%s", i ? ";" : ":", fate->count, fate->outcome, *fate->condition ? " " : "", fate->condition);
        if (*fate->advice) strbuf_printf(&text, " (of one: %s)", fate->advice);
    }
    return strbuf_take(&text);
}

static void show(WorldEditor *e, Str text) {
    StrBuf message = {.arena = &e->scratch};
    strbuf_str(&message, STR_LIT("{\"jsonrpc\":\"2.0\",\"method\":\"window/showMessage\",\"params\":{\"type\":3,\"message\":"));
    write_text(&message, text);
    strbuf_str(&message, STR_LIT("}}"));
    lsp_send(e, &message);
}

static void tell_why(WorldEditor *e, Doc *doc, Str rule, StrBuf *out) {
    FateList fates = {0};
    if (!open_built(e, doc) || !is_fine(e, world_explain(e->built, "", 0, 0, EVERYWHERE, &e->rows))) return;
    for (size_t i = 0; i < world_table_rows(e->rows); i++) {
        Fate one = {text_of(e->rows, i, "outcome"), text_of(e->rows, i, "condition"), text_of(e->rows, i, "advice"), 1};
        if (str_equal(str_of(text_of(e->rows, i, "rule")), rule)) add_fate(&e->scratch, &fates, &one);
    }
    if (fates.count == 0) {
        lsp_refuse(e, 0, "no rule that placed something is called so");
        return;
    }
    qsort(fates.items, (size_t)fates.count, sizeof *fates.items, compare_fates);
    Str text = fates_text(&e->scratch, &fates, rule);
    show(e, text);
    write_text(out, text);
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
    else if (str_equal(name, STR_LIT("world.why")) && args[1].len)
        tell_why(e, doc, args[1], out);
    else
        lsp_refuse(e, 0, "the commands are world.count (the text's address), world.value (that, and an expression) and world.why (that, and a rule)");
    built_end(e);
}

/* -- where the text writes a rule: a field, or what is given as its name -- */

const RuleCount *count_of(const Doc *doc, const Analysis *a, Symbol rule) {
    for (int i = 0; rule && i < doc->counts.count; i++)
        if (str_equal(doc->counts.items[i].rule, symbols_name(&a->compile->symbols, rule))) return &doc->counts.items[i];
    return NULL;
}

AstName rule_name(const Analysis *a, const AstNode *ast) {
    if (ast->kind == AST_FIELD) return ast->field.name;
    for (int i = 0; ast->kind == AST_CALL && i < ast->call.args.count; i++) {
        const AstNode *value = ast->call.args.items[i].value;
        bool names = str_equal(symbols_name(&a->compile->symbols, ast->call.args.items[i].name.symbol), STR_LIT("name"));
        if (names && value && value->kind == AST_NAME) return (AstName){value->name.symbol, value->span};
    }
    return (AstName){0};
}

typedef struct Lenses {
    WorldEditor *e;
    const Doc *doc;
    const Analysis *a;
    StrBuf *out;
} Lenses;

static void write_lens(const Lenses *l, Span at, Str title, const RuleCount *known) {
    write_item(l->out);
    strbuf_str(l->out, STR_LIT("{\"range\":"));
    write_range(l->out, &l->doc->lines, at.start, at.end);
    strbuf_str(l->out, STR_LIT(",\"command\":{\"title\":"));
    write_text(l->out, title);
    strbuf_str(l->out, STR_LIT(",\"command\":"));
    write_text(l->out, known ? STR_LIT("world.why") : STR_LIT("world.count"));
    strbuf_str(l->out, STR_LIT(",\"arguments\":["));
    write_text(l->out, l->doc->uri);
    if (known) strbuf_char(l->out, ',');
    if (known) write_text(l->out, known->rule);
    strbuf_str(l->out, STR_LIT("]}}"));
}

/* A field that holds placed things offers to count them; a rule that was counted says what it placed. */
static void add_lenses(const AstNode *ast, void *user) {
    const Lenses *l = user;
    AstName name = rule_name(l->a, ast);
    const RuleCount *known = count_of(l->doc, l->a, name.symbol);
    const CheckUse *use = ast->kind == AST_FIELD ? find_name(l->a, l->a->compile->file, name.span.start) : NULL;
    if (known)
        write_lens(l, name.span, str_printf(&l->e->scratch, "%.*s; why?", STR_ARG(count_text(&l->e->scratch, known))), known);
    else if (use && use->type && l->a->compile->checker && type_is_layout(l->a->compile->checker, use->type))
        write_lens(l, name.span, STR_LIT("count what is placed"), NULL);
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
