/* Nodes of declarations, and the rules about which declaration may stand where. */
#include "lang/build.h"

#include "lang/grammar.h"
#include "lang/literal.h"
#include "runtime/base/effect.h"

static Str name_text(const Parser *p, AstName name) {
    return symbols_name(p->symbols, name.symbol);
}

/* -- what may stand where -- */

/* What a message calls a node that stands where it must not. */
static const char *describe(const AstNode *node) {
    if (node->kind == AST_LET) return node->let.is_var ? "'var'" : "'let'";
    return ast_noun(node->kind);
}

static bool is_file_item(AstKind kind) {
    return ast_role(kind) == AST_DECLARATION || kind == AST_ERROR;
}

/* A function outside a contract has a body, unless C or the IR gives it one. */
static void check_fn_body(Parser *p, const AstNode *item) {
    if (item->kind != AST_FN || item->fn.fn_kind != AST_FN_PLAIN || item->fn.body) return;
    diag_add(p->diags, DIAG_E_PARSE_FN_BODY, item->fn.name.span,
             STR_ARG(name_text(p, item->fn.name)));
}

static void check_field_word(Parser *p, const AstNode *item) {
    if (item->kind != AST_FIELD || item->span.start != item->field.name.span.start) return;
    Span before = {item->span.file, item->span.start, item->span.start};
    Diag *diag = diag_add(p->diags, DIAG_E_PARSE_FIELD_WORD, item->field.name.span);
    diag_fix(p->diags, diag, before, STR_LIT("field "));
}

static void check_member(Parser *p, const AstNode *item) {
    if (item->is_private)
        diag_add(p->diags, DIAG_E_PARSE_MISPLACED, item->span, "a private declaration");
    check_fn_body(p, item);
    check_field_word(p, item);
    if (item->kind == AST_RECORD || item->kind == AST_CONTRACT || item->kind == AST_ALIAS ||
        item->kind == AST_USE)
        diag_add(p->diags, DIAG_E_PARSE_MISPLACED, item->span, describe(item));
}

/* What came before a mistake in one line is kept as an item, but no whole one: it is not judged. */
static bool is_whole(AstList items, int i) {
    return i + 1 == items.count || items.items[i + 1]->kind != AST_ERROR;
}

void build_check_members(Parser *p, AstList items) {
    for (int i = 0; i < items.count; i++)
        if (is_whole(items, i)) check_member(p, items.items[i]);
}

static void check_file_item(Parser *p, const AstNode *item) {
    check_fn_body(p, item);
    check_field_word(p, item);
    if (is_file_item(item->kind)) return;
    Diag *diag = diag_add(p->diags, DIAG_E_PARSE_FILE_HOLDS, item->span, describe(item));
    const char *help = ast_way_out(item->kind);
    if (help) diag_help(p->diags, diag, "%s", help);
}

void build_file(Parser *p, AstList items) {
    for (int i = 0; i < items.count; i++)
        if (is_whole(items, i)) check_file_item(p, items.items[i]);
    p->result->decls = items;
}

void build_answer(Parser *p, AstNode *expr) {
    p->answer = expr;
}

/* -- the file's own lines -- */

AstNode *build_version(Parser *p, Token world, Token number) {
    Span span = span_join(build_span(p, world), build_span(p, number));
    LiteralNumber version = literal_number(p->diags, build_span(p, number));
    bool is_version = version.whole && number.unit == 0 && version.int_value >= 1 &&
                      version.int_value <= INT32_MAX;
    if (!is_version) diag_add(p->diags, DIAG_E_PARSE_VERSION, build_span(p, number));
    p->result->version = is_version ? (int)version.int_value : 1;
    p->result->version_span = span;
    return NULL;
}

static bool is_word(const Parser *p, Token token, const char *word) {
    return str_equal(sources_text(p->diags->sources, build_span(p, token)), str_of(word));
}

AstNode *build_use(Parser *p, Token use, Token package, Token as, Token alias) {
    AstNode *node =
        build_node(p, AST_USE, build_span(p, use), build_span(p, alias.kind ? alias : package));
    node->use.package = build_ast_name(p, package);
    node->use.alias = build_ast_name(p, alias);
    if (!as.kind || is_word(p, as, "as")) return node;
    Diag *diag = diag_add(p->diags, DIAG_E_PARSE_UNEXPECTED, build_span(p, as),
                          "'as', 'from' or the end of the line", "another word");
    if (is_word(p, as, "from")) diag_help(p->diags, diag, "a file's path is a text: use houses from \"parts/houses.world\"");
    return node;
}

AstNode *build_use_file(Parser *p, Token use, Token package, Token from, Token path) {
    AstNode *node = build_node(p, AST_USE, build_span(p, use), build_span(p, path));
    node->use.package = build_ast_name(p, package);
    node->use.path = build_text(p, path);
    if (!is_word(p, from, "from"))
        diag_add(p->diags, DIAG_E_PARSE_UNEXPECTED, build_span(p, from), "'from'", "another word");
    return build_measure(p, node);
}

AstNode *build_check(Parser *p, Token check, Token title, AstArgs options, AstNode *body) {
    AstNode *node = build_node(p, AST_CHECK, build_span(p, check), body->span);
    node->check.title = literal_text(p->diags, build_span(p, title), false, p->arena);
    node->check.options = options;
    node->check.body = body;
    return build_measure(p, node);
}

AstNode *build_alias(Parser *p, Token word, Token name, AstNode *type) {
    AstNode *node = build_node(p, AST_ALIAS, build_span(p, word), type->span);
    node->alias.name = build_ast_name(p, name);
    node->alias.type = type;
    node->alias.doc = build_doc(p, word);
    return build_measure(p, node);
}

AstNode *build_contract_name(Parser *p, Token contract, Token name) {
    AstNode *node = build_node(p, AST_CONTRACT, build_span(p, contract), build_span(p, name));
    node->contract.name = build_ast_name(p, name);
    node->contract.doc = build_doc(p, contract);
    return node;
}

AstNode *build_contract(Parser *p, AstNode *contract, AstList fns) {
    contract->contract.fns = fns;
    for (int i = 0; i < fns.count; i++) {
        const AstNode *fn = fns.items[i];
        if (!is_whole(fns, i)) continue;
        if (fn->is_private || (fn->kind != AST_FN && fn->kind != AST_ERROR))
            diag_add(p->diags, DIAG_E_PARSE_CONTRACT, fn->span,
                     fn->is_private ? "a private one" : describe(fn));
        if (fn->kind != AST_FN || fn->fn.body == NULL) continue;
        Diag *diag = diag_add(p->diags, DIAG_E_PARSE_FN_EXTRA_BODY, fn->fn.body->span,
                              STR_ARG(name_text(p, fn->fn.name)));
        diag_help(p->diags, diag,
                  "a contract names functions; a part that answers it gives their bodies");
    }
    return build_measure(p, contract);
}

/* -- declarations that only their own file sees -- */

AstNode *build_private(Parser *p, Token word, AstNode *item) {
    Str *doc = item->kind == AST_FN         ? &item->fn.doc
               : item->kind == AST_RECORD   ? &item->record.doc
               : item->kind == AST_PART     ? &item->part.doc
               : item->kind == AST_FIELD    ? &item->field.doc
               : item->kind == AST_CONTRACT ? &item->contract.doc
                                            : NULL;
    if (doc == NULL) return item; /* a mistake was reported in it */
    *doc = build_doc(p, word);
    item->is_private = true;
    item->span = span_join(build_span(p, word), item->span);
    return item;
}

/* -- fields and parts -- */

static AstNode *within_of(Parser *p, AstArgs options) {
    AstNode *within = NULL;
    for (int i = 0; i < options.count; i++) {
        const AstArg *option = &options.items[i];
        Str name = name_text(p, option->name);
        if (!str_equal(name, STR_LIT("within")))
            diag_add(p->diags, DIAG_E_PARSE_FIELD_OPTION, option->name.span, STR_ARG(name));
        else if (option->value->kind != AST_RANGE)
            diag_add(p->diags, DIAG_E_PARSE_WITHIN, option->value->span);
        else
            within = option->value;
    }
    return within;
}

AstNode *build_field(Parser *p, Token field, Token name, AstNode *type, AstArgs options,
                     AstNode *value) {
    AstNode *node = build_node(p, AST_FIELD, build_span(p, field), build_span(p, name));
    node->field.name = build_ast_name(p, name);
    node->field.type = type;
    node->field.within = within_of(p, options);
    node->field.value = value;
    node->field.doc = build_doc(p, field);
    if (type) node->span = span_join(node->span, type->span);
    if (options.count) node->span = span_join(node->span, options.items[options.count - 1].span);
    if (value) node->span = span_join(node->span, value->span);
    return build_measure(p, node);
}

AstNode *build_part_name(Parser *p, Token part, AstNames path, AstNode *index) {
    AstNode *node = build_node(p, AST_PART, build_span(p, part), path.items[path.count - 1].span);
    node->part.path = path;
    node->part.index = index;
    node->part.doc = build_doc(p, part);
    if (index) node->span = span_join(node->span, index->span);
    return build_measure(p, node);
}

AstNode *build_part(Parser *p, AstNode *part, AstNode *design, AstArgs options) {
    part->part.design = design;
    part->part.options = options;
    if (design) part->span = span_join(part->span, design->span);
    if (options.count) part->span = span_join(part->span, options.items[options.count - 1].span);
    return build_measure(p, part);
}

AstNode *build_part_body(Parser *p, AstNode *part, AstList body) {
    part->part.body = body;
    if (body.count) part->span = span_join(part->span, body.items[body.count - 1]->span);
    build_check_members(p, body);
    return build_measure(p, part);
}

/* -- functions and records -- */

AstNode *build_fn(Parser *p, Token fn, Token name, AstNames type_params, AstParams params,
                  Token close, AstNode *result, AstNode *body) {
    AstNode *node = build_node(p, AST_FN, build_span(p, fn), build_span(p, close));
    node->fn.name = build_ast_name(p, name);
    node->fn.type_params = type_params;
    node->fn.params = params;
    node->fn.result_type = result;
    node->fn.body = body;
    node->fn.doc = build_doc(p, fn);
    if (result) node->span = span_join(node->span, result->span);
    if (body) node->span = span_join(node->span, body->span);
    return build_measure(p, node);
}

static void made_elsewhere(Parser *p, AstFnKind kind, Token word, AstNode *fn) {
    fn->fn.fn_kind = kind;
    fn->span = span_join(build_span(p, word), fn->span);
    fn->fn.doc = build_doc(p, word);
    if (fn->fn.body == NULL) return;
    Diag *diag = diag_add(p->diags, DIAG_E_PARSE_FN_EXTRA_BODY, fn->fn.body->span,
                          STR_ARG(name_text(p, fn->fn.name)));
    diag_help(p->diags, diag, "an %s fn is made elsewhere; leave out the word or the { }",
              kind == AST_FN_EXTERN ? "extern" : "intrinsic");
}

AstNode *build_intrinsic_fn(Parser *p, Token word, AstNode *fn, Token op) {
    made_elsewhere(p, AST_FN_INTRINSIC, word, fn);
    if (op.kind == 0) return fn; /* the checker makes it */
    fn->fn.op = literal_text(p->diags, build_span(p, op), false, p->arena);
    fn->span = span_join(fn->span, build_span(p, op));
    return fn;
}

/* Of `takes: grid`, where that is the first parameter. */
static bool is_first_param(Parser *p, const AstNode *fn, Str name) {
    return fn->fn.params.count > 0 && name.len && str_equal(name_text(p, fn->fn.params.items[0].name), name);
}

/* `effect: draws` and the like: what a signature cannot tell of what is made in C. */
AstNode *build_extern_fn(Parser *p, Token word, AstNode *fn, AstArgs options) {
    made_elsewhere(p, AST_FN_EXTERN, word, fn);
    for (int i = 0; i < options.count; i++) {
        const AstArg *option = &options.items[i];
        Str said = option->value->kind == AST_NAME ? symbols_name(p->symbols, option->value->name.symbol) : (Str){0};
        Str name = name_text(p, option->name);
        if (str_equal(name, STR_LIT("takes")) && is_first_param(p, fn, said))
            fn->fn.takes = said;
        else if (str_equal(name, STR_LIT("effect")) && native_effect_named(said) != NATIVE_UNSTATED)
            fn->fn.effect = said;
        else
            diag_add(p->diags, DIAG_E_PARSE_EFFECT, option->span);
        fn->span = span_join(fn->span, option->span);
    }
    return fn;
}

AstNode *build_record_name(Parser *p, Token record, Token name, AstNames type_params) {
    AstNode *node = build_node(p, AST_RECORD, build_span(p, record), build_span(p, name));
    node->record.name = build_ast_name(p, name);
    node->record.type_params = type_params;
    node->record.doc = build_doc(p, record);
    return node;
}

static AstParam field_as_param(Parser *p, const AstNode *item) {
    if (item->kind != AST_FIELD || item->field.type == NULL || item->field.within) {
        if (item->kind != AST_ERROR) diag_add(p->diags, DIAG_E_PARSE_RECORD, item->span);
        return (AstParam){0};
    }
    return (AstParam){.name = item->field.name,
                      .type = item->field.type,
                      .default_value = item->field.value,
                      .doc = item->field.doc,
                      .span = item->span};
}

AstNode *build_record(Parser *p, AstNode *record, AstList fields) {
    for (int i = 0; i < fields.count; i++)
        if (is_whole(fields, i))
            record->record.fields =
                build_params(p, record->record.fields, field_as_param(p, fields.items[i]));
    if (fields.count)
        record->span = span_join(record->span, fields.items[fields.count - 1]->span);
    else if (p->mistake_at <= record->span.start) /* a mistake in its line may be why */
        diag_add(p->diags, DIAG_E_PARSE_RECORD_EMPTY, record->record.name.span,
                 STR_ARG(name_text(p, record->record.name)));
    return build_measure(p, record);
}

AstNode *build_extern_record(Parser *p, Token word, AstNode *record) {
    record->record.is_extern = true;
    record->record.doc = build_doc(p, word);
    record->span = span_join(build_span(p, word), record->span);
    return record;
}

AstNode *build_record_field(Parser *p, Token name, AstNode *type, AstNode *default_value) {
    return build_field(p, name, name, type, (AstArgs){0}, default_value);
}
