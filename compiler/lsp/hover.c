/* What is this, and where is it declared. */
#include "compiler/lsp/lsp.h"

#include "lang/declared.h"

static const char *kind_text(CheckUseKind kind) {
    static const char *const texts[] = {
        [CHECK_USE_FN] = "fn",     [CHECK_USE_FIELD] = "field", [CHECK_USE_PART] = "part",   [CHECK_USE_RECORD] = "record", [CHECK_USE_TYPE] = "type",
        [CHECK_USE_PARAM] = "parameter", [CHECK_USE_LOCAL] = "let",   [CHECK_USE_PACKAGE] = "use", [CHECK_USE_CHOICE] = "one of"};
    return texts[kind];
}

static Str type_text(const Analysis *a, const Type *type, Arena *arena) {
    return type && type->kind != TYPE_POISON ? type_name(type, &a->compile->symbols, arena) : STR_LIT("");
}

/* -- what a field is when it is made of numbers alone -- */

static bool fold(const Tree *tree, double *value) {
    double left = 0, right = 0;
    if (!tree || (tree->type->kind != TYPE_NUMBER && tree->type->kind != TYPE_INT)) return false;
    if (tree->kind == TREE_NUMBER) *value = tree->number;
    if (tree->kind == TREE_INT) *value = (double)tree->integer;
    if (tree->kind == TREE_NUMBER || tree->kind == TREE_INT) return true;
    if (tree->kind == TREE_CONVERT) return fold(tree->component.operand, value);
    if (tree->kind != TREE_OP || !fold(tree->op.left, &left) || (tree->op.right && !fold(tree->op.right, &right))) return false;
    Operator op = tree->op.op;
    *value = op == OP_NEG ? -left : op == OP_ADD ? left + right : op == OP_SUB ? left - right : op == OP_MUL ? left * right : left / right;
    bool whole = tree->type->kind != TYPE_INT || (*value < 9e15 && *value > -9e15); /* past that it may have been rounded */
    return whole && *value - *value == 0 && (op == OP_NEG || op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV);
}

static Str constant_text(Arena *arena, const Type *type, double value) {
    char text[STR_DOUBLE];
    const Dims d = type->dims;
    bool plain = type->kind == TYPE_INT || (!d.length && !d.angle && !d.time);
    bool meters = d.length == 6 && !d.angle && !d.time, seconds = d.time == 6 && !d.length && !d.angle;
    if (!plain && !meters && !seconds) return STR_LIT("");
    return str_printf(arena, "%.*s%s", STR_ARG(str_double(text, value)), plain ? "" : meters ? " m" : " s");
}

/* Of the declaration itself: parts that are made of its design may give the field another. */
static Str folded_text(const Analysis *a, const AstNode *field, Arena *arena) {
    const TreeProgram *program = a->compile->program;
    Span written = field->field.value->span;
    double value;
    for (int i = 0; program && i < program->classes.count; i++)
        for (int k = 0; k < program->classes.items[i]->fields.count; k++) {
            const TreeFn *init = program->classes.items[i]->fields.items[k].init;
            const Tree *body = init ? init->body : NULL;
            bool here = body && body->span.file == written.file && body->span.start >= written.start && body->span.end <= written.end;
            if (here && fold(body, &value)) return constant_text(arena, body->type, value);
        }
    return STR_LIT("");
}

/* A function as it is written; of everything else what its declaration does not say, its type, as well. */
static void write_declaration(StrBuf *out, const Analysis *a, const CheckUse *use) {
    const SourceSet *sources = &a->compile->sources;
    Str name = sources_text(sources, use->at), type = type_text(a, use->type, out->arena);
    bool typed = use->ast && use->ast->kind == AST_FIELD && use->ast->field.type;
    if (use->kind == CHECK_USE_CHOICE)
        strbuf_printf(out, "%.*s: %.*s", STR_ARG(name), STR_ARG(type));
    else if (use->ast && (use->kind != CHECK_USE_FIELD || typed))
        strbuf_str(out, declared_joined(out->arena, declared_text(sources, use->ast)));
    else if (use->param && use->param->type)
        strbuf_printf(out, "%s %.*s", kind_text(use->kind), STR_ARG(declared_joined(out->arena, sources_text(sources, use->param->span))));
    else
        strbuf_printf(out, "%s %.*s%s%.*s", kind_text(use->kind), STR_ARG(name), type.len ? ": " : "", STR_ARG(type));
    bool value = use->ast && use->ast->kind == AST_FIELD && !typed && use->ast->field.value;
    Str text = value ? declared_joined(out->arena, sources_text(sources, use->ast->field.value->span)) : STR_LIT("");
    if (text.len && text.len < 80) strbuf_printf(out, " = %.*s", STR_ARG(text));
    bool field = use->ast && use->ast->kind == AST_FIELD && use->ast->field.value;
    Str folded = field ? folded_text(a, use->ast, out->arena) : STR_LIT("");
    if (folded.len && !str_equal(folded, sources_text(sources, use->ast->field.value->span))) strbuf_printf(out, " // %.*s", STR_ARG(folded));
}

static Str doc_text(WorldEditor *e, const Analysis *a, const CheckUse *use) {
    if (use->kind == CHECK_USE_PACKAGE && use->name.file) return declared_heading(&e->scratch, sources_get(&a->compile->sources, use->name.file)->text);
    return use->param && use->param->doc.len ? use->param->doc : use->ast ? declared_doc(use->ast) : STR_LIT("");
}

static void write_hover(StrBuf *out, const Doc *doc, Str text, Span at) {
    strbuf_str(out, STR_LIT("{\"contents\":{\"kind\":\"markdown\",\"value\":"));
    write_text(out, text);
    strbuf_str(out, STR_LIT("},\"range\":"));
    write_range(out, &doc->lines, at.start, at.end);
    strbuf_char(out, '}');
}

/* The smallest expression round an offset. */
static const CheckTyped *value_at(const Analysis *a, uint32_t offset) {
    const CheckTyped *best = NULL;
    for (int i = 0; i < a->value_count; i++) {
        const CheckTyped *value = &a->values[i];
        bool round = value->at.file == a->compile->file && value->at.start <= offset && offset < value->at.end;
        if (round && (!best || value->at.end - value->at.start <= best->at.end - best->at.start)) best = value;
    }
    return best;
}

void lsp_hover(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const Analysis *a = doc_analysis(e, doc);
    uint32_t offset = params_offset(doc, member(params, "position"));
    const CheckUse *use = find_name(a, a->compile->file, offset);
    const CheckTyped *value = use ? NULL : value_at(a, offset);
    StrBuf text = {.arena = &e->scratch};
    strbuf_str(&text, STR_LIT("```world\n"));
    if (use)
        write_declaration(&text, a, use);
    else if (value)
        strbuf_str(&text, type_text(a, value->type, &e->scratch));
    else
        return;
    strbuf_str(&text, STR_LIT("\n```"));
    Str said = use ? doc_text(e, a, use) : STR_LIT("");
    if (said.len) strbuf_printf(&text, "\n\n%.*s", STR_ARG(said));
    write_hover(out, doc, strbuf_take(&text), use ? use->at : value->at);
}

void lsp_definition(WorldEditor *e, const JsonValue *params, StrBuf *out) {
    Doc *doc = params_doc(e, params);
    if (!doc) return;
    const Analysis *a = doc_analysis(e, doc);
    const CheckUse *use = find_name(a, a->compile->file, params_offset(doc, member(params, "position")));
    Str path = use && use->name.file ? source_path(doc, a, use->name.file) : STR_LIT("");
    bool here = use && use->name.file == a->compile->file;
    if (path.len == 0 && !here) return; /* the library that is built in is no file */
    Lines lines = source_lines(e, a, use->name.file);
    strbuf_str(out, STR_LIT("{\"uri\":"));
    write_text(out, here ? doc->uri : uri_of(&e->scratch, path));
    strbuf_str(out, STR_LIT(",\"range\":"));
    write_range(out, &lines, use->name.start, use->name.end);
    strbuf_char(out, '}');
}
