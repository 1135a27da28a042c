/* Nodes of expressions, statements and types. Declarations are build_decl.c's. */
#include "lang/build.h"

#include "lang/grammar.h"
#include "lang/literal.h"

/* -- shared -- */

Span build_span(const Parser *p, Token token) {
    return (Span){p->file, token.start, token.end};
}

static Str text_of(const Parser *p, Token token) {
    return (Str){p->layout.lexer.base + token.start, token.end - token.start};
}

AstName build_ast_name(Parser *p, Token name) {
    if (name.kind == 0) return (AstName){0};
    return (AstName){symbols_intern(p->symbols, text_of(p, name)), build_span(p, name)};
}

Str build_doc(Parser *p, Token first) {
    if (first.doc_start == first.doc_end) return (Str){0};
    Span span = {p->file, first.doc_start, first.doc_end};
    return literal_doc(p->diags->sources, span, p->arena);
}

AstNode *build_node(Parser *p, AstKind kind, Span start, Span end) {
    AstNode *node = ARENA_NEW(p->arena, AstNode);
    node->kind = kind;
    node->height = 1;
    node->span = span_join(start, end);
    return node;
}

static void note_height(const AstNode *child, void *user) {
    int *height = user;
    if (child->height > *height) *height = child->height;
}

AstNode *build_measure(Parser *p, AstNode *node) {
    int below = 0;
    ast_visit(node, note_height, &below);
    node->height = below + 1;
    if (node->height > p->height_limit) parser_stop(p, "the depth of this", p->height_limit);
    return node;
}

/* -- lists -- */

/* Most lists are short, so they begin smaller than VEC_PUSH's. Answers the items with room for one
 * more. */
static void *reserve(Parser *p, void *items, int count, int *capacity, size_t size) {
    if (count < *capacity) return items;
    int wider = *capacity ? *capacity * 2 : 2;
    items = arena_grow(p->arena, items, size * (size_t)count, size * (size_t)wider);
    *capacity = wider;
    return items;
}

AstList build_list(Parser *p, AstList list, AstNode *item) {
    if (item == NULL) return list; /* the version line is no item */
    list.items = reserve(p, list.items, list.count, &list.capacity, sizeof *list.items);
    list.items[list.count++] = item;
    return list;
}

AstNames build_name_list(Parser *p, AstNames list, Token name) {
    list.items = reserve(p, list.items, list.count, &list.capacity, sizeof *list.items);
    list.items[list.count++] = build_ast_name(p, name);
    return list;
}

AstArgs build_args(Parser *p, AstArgs list, AstArg arg) {
    list.items = reserve(p, list.items, list.count, &list.capacity, sizeof *list.items);
    list.items[list.count++] = arg;
    return list;
}

AstArg build_arg(Parser *p, Token name, AstNode *value) {
    AstName as_written = build_ast_name(p, name);
    return (AstArg){as_written, value, span_join(as_written.span, value->span)};
}

AstParams build_params(Parser *p, AstParams list, AstParam param) {
    if (param.name.symbol == 0) return list; /* a mistake stood there */
    list.items = reserve(p, list.items, list.count, &list.capacity, sizeof *list.items);
    list.items[list.count++] = param;
    return list;
}

AstParam build_param(Parser *p, Token name, AstNode *type, AstNode *default_value) {
    AstParam param = {.name = build_ast_name(p, name),
                      .type = type,
                      .default_value = default_value,
                      .doc = build_doc(p, name)};
    param.span = param.name.span;
    if (type) param.span = span_join(param.span, type->span);
    if (default_value) param.span = span_join(param.span, default_value->span);
    return param;
}

/* -- statements -- */

AstNode *build_let(Parser *p, Token word, AstNode *pattern, AstNode *type, AstNode *value) {
    AstNode *node = build_node(p, AST_LET, build_span(p, word), value->span);
    node->let.is_var = word.kind == TOKEN_VAR;
    node->let.pattern = pattern;
    node->let.type = type;
    node->let.value = value;
    return build_measure(p, node);
}

AstNode *build_while(Parser *p, Token word, AstNode *condition, AstArgs options, AstNode *body) {
    AstNode *node = build_node(p, AST_WHILE, build_span(p, word), body->span);
    node->while_.condition = condition;
    node->while_.options = options;
    node->while_.body = body;
    return build_measure(p, node);
}

AstNode *build_return(Parser *p, Token word, AstNode *value) {
    Span span = build_span(p, word);
    AstNode *node = build_node(p, AST_RETURN, span, value ? value->span : span);
    node->return_.value = value;
    return build_measure(p, node);
}

AstNode *build_each(Parser *p, Token word, AstNode *pattern, AstNode *iterable, AstNode *body) {
    AstNode *node = build_node(p, AST_EACH, build_span(p, word), body->span);
    node->each.pattern = pattern;
    node->each.iterable = iterable;
    node->each.body = body;
    return build_measure(p, node);
}

static bool can_be_set(const AstNode *target) {
    return target->kind == AST_NAME || target->kind == AST_MEMBER || target->kind == AST_INDEX;
}

AstNode *build_assign(Parser *p, AstNode *target, Token token, AstNode *value) {
    if (!can_be_set(target)) {
        diag_add(p->diags, DIAG_E_PARSE_TARGET, target->span);
        return build_node(p, AST_ERROR, target->span, value->span);
    }
    AstNode *node = build_node(p, AST_ASSIGN, target->span, value->span);
    node->assign.target = target;
    node->assign.op = operator_of_assignment(token.kind);
    node->assign.value = value;
    return build_measure(p, node);
}

AstNode *build_unread(Parser *p, Token body) {
    Span span = build_span(p, body);
    return build_node(p, AST_UNREAD, span, span);
}

AstNode *build_block(Parser *p, Token open, AstList statements, Token close) {
    AstNode *node = build_node(p, AST_BLOCK, build_span(p, open), build_span(p, close));
    node->block.statements = statements;
    build_check_members(p, statements);
    return build_measure(p, node);
}

AstNode *build_pattern_tuple(Parser *p, Token open, AstList items, Token close) {
    AstNode *node = build_node(p, AST_PATTERN_TUPLE, build_span(p, open), build_span(p, close));
    node->pattern_tuple.items = items;
    return build_measure(p, node);
}

/* -- expressions -- */

AstNode *build_error(Parser *p, Token mistake, AstList body) {
    build_check_members(p, body);
    return build_leaf(p, AST_ERROR, mistake);
}

AstNode *build_leaf(Parser *p, AstKind kind, Token token) {
    return build_node(p, kind, build_span(p, token), build_span(p, token));
}

AstNode *build_name(Parser *p, Token name) {
    AstNode *node = build_leaf(p, AST_NAME, name);
    node->name.symbol = build_ast_name(p, name).symbol;
    return node;
}

/* The unit as written but for the blank before it; blanks never stand inside it. None when it was
 * no unit. */
static AstName unit_of(Parser *p, Token number) {
    Token unit = number;
    if (number.unit == 0 || number.made_up) return (AstName){0};
    unit.start = number.unit;
    return build_ast_name(p, unit);
}

static Span digits_of(const Parser *p, Token number) {
    Span digits = build_span(p, number);
    if (number.unit == 0) return digits;
    digits.end = number.unit;
    while (p->layout.lexer.base[digits.end - 1] == ' ' ||
           p->layout.lexer.base[digits.end - 1] == '\t')
        digits.end--;
    return digits;
}

AstNode *build_number(Parser *p, Token number) {
    AstNode *node = build_leaf(p, AST_NUMBER, number);
    LiteralNumber value = literal_number(p->diags, digits_of(p, number));
    node->number.value = value.value;
    node->number.unit = unit_of(p, number);
    node->number.whole = value.whole && number.unit == 0;
    node->number.int_value = node->number.whole ? value.int_value : 0;
    return node;
}

AstNode *build_text(Parser *p, Token text) {
    bool opens_hole = text.kind == TOKEN_TEXT_BEGIN || text.kind == TOKEN_TEXT_MIDDLE;
    AstNode *node = build_leaf(p, AST_TEXT, text);
    node->text.value = literal_text(p->diags, build_span(p, text), opens_hole, p->arena);
    return node;
}

AstNode *build_template(Parser *p, Token open, AstNode *value) {
    AstNode *first = build_text(p, open);
    AstNode *node = build_node(p, AST_TEMPLATE, first->span, value->span);
    node->template.parts = build_list(p, build_list(p, (AstList){0}, first), value);
    return build_measure(p, node);
}

AstNode *build_template_part(Parser *p, AstNode *node, Token text, AstNode *value) {
    AstNode *part = build_text(p, text);
    node->template.parts = build_list(p, node->template.parts, part);
    if (value) node->template.parts = build_list(p, node->template.parts, value);
    node->span = span_join(node->span, part->span);
    if (value && value->height >= node->height) node->height = value->height + 1;
    if (node->height > p->height_limit) parser_stop(p, "the depth of this", p->height_limit);
    return node;
}

AstNode *build_bool(Parser *p, Token token, bool value) {
    AstNode *node = build_leaf(p, AST_BOOL, token);
    node->boolean.value = value;
    return node;
}

AstNode *build_tuple(Parser *p, Token open, AstArgs items, Token close) {
    if (items.count == 1 && items.items[0].name.symbol == 0) return items.items[0].value;
    AstNode *node = build_node(p, AST_TUPLE, build_span(p, open), build_span(p, close));
    node->tuple.items = items;
    return build_measure(p, node);
}

AstNode *build_list_node(Parser *p, Token open, AstList items, Token close) {
    AstNode *node = build_node(p, AST_LIST, build_span(p, open), build_span(p, close));
    node->list.items = items;
    return build_measure(p, node);
}

AstNode *build_member(Parser *p, AstNode *object, Token name) {
    AstNode *node = build_node(p, AST_MEMBER, object->span, build_span(p, name));
    node->member.object = object;
    node->member.name = build_ast_name(p, name);
    return build_measure(p, node);
}

AstNode *build_index(Parser *p, AstNode *object, AstList keys, Token close) {
    AstNode *node = build_node(p, AST_INDEX, object->span, build_span(p, close));
    node->index.object = object;
    node->index.keys = keys;
    return build_measure(p, node);
}

AstNode *build_call(Parser *p, AstNode *callee, AstArgs args, Token close) {
    AstNode *node = build_node(p, AST_CALL, callee->span, build_span(p, close));
    node->call.callee = callee;
    node->call.args = args;
    return build_measure(p, node);
}

AstNode *build_unary(Parser *p, Operator op, Token token, AstNode *operand) {
    AstNode *node = build_node(p, AST_UNARY, build_span(p, token), operand->span);
    node->unary.op = op;
    node->unary.operand = operand;
    return build_measure(p, node);
}

AstNode *build_binary(Parser *p, AstNode *left, Token token, AstNode *right) {
    AstNode *node = build_node(p, AST_BINARY, left->span, right->span);
    node->binary.op = operator_of(token.kind);
    node->binary.left = left;
    node->binary.right = right;
    node->binary.op_span = build_span(p, token);
    return build_measure(p, node);
}

AstNode *build_range(Parser *p, AstNode *lo, AstNode *hi, bool closed) {
    AstNode *node = build_node(p, AST_RANGE, lo->span, hi->span);
    node->range.lo = lo;
    node->range.hi = hi;
    node->range.closed = closed;
    return build_measure(p, node);
}

AstNode *build_arrow(Parser *p, Token param, AstNode *body) {
    AstNode *node = build_node(p, AST_LAMBDA, build_span(p, param), body->span);
    node->lambda.params = build_params(p, (AstParams){0}, build_param(p, param, NULL, NULL));
    node->lambda.body = body;
    return build_measure(p, node);
}

AstNode *build_lambda(Parser *p, Token fn, AstParams params, AstNode *result, AstNode *body) {
    AstNode *node = build_node(p, AST_LAMBDA, build_span(p, fn), body->span);
    node->lambda.params = params;
    node->lambda.result_type = result;
    node->lambda.body = body;
    return build_measure(p, node);
}

AstNode *build_if(Parser *p, Token word, AstNode *condition, AstNode *then_block,
                  AstNode *else_block) {
    Span end = else_block ? else_block->span : then_block->span;
    AstNode *node = build_node(p, AST_IF, build_span(p, word), end);
    node->if_.condition = condition;
    node->if_.then_block = then_block;
    node->if_.else_block = else_block;
    return build_measure(p, node);
}

/* -- types -- */

/* The name of names with dots between, whatever stands round the dots. */
static Str dotted_name(Parser *p, Str text) {
    StrBuf out = {.arena = p->arena};
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '/') i += strcspn(text.ptr + i, "\n"); /* a comment */
        else if (!strchr(" \t\r\n", text.ptr[i])) strbuf_char(&out, text.ptr[i]);
    }
    return strbuf_take(&out);
}

AstNode *build_type_name(Parser *p, Token name, AstList args, Token end) {
    AstNode *node = build_node(p, AST_TYPE_NAME, build_span(p, name), build_span(p, end));
    node->type_name.name = (AstName){symbols_intern(p->symbols, dotted_name(p, text_of(p, name))), build_span(p, name)};
    node->type_name.args = args;
    return build_measure(p, node);
}

AstNode *build_type_pair(Parser *p, AstKind kind, AstNode *left, AstNode *right) {
    AstNode *node = build_node(p, kind, left->span, right->span);
    node->type_pair.left = left;
    node->type_pair.right = right;
    return build_measure(p, node);
}

AstNode *build_type_power(Parser *p, AstNode *base, int sign, Token exponent) {
    AstNode *node = build_node(p, AST_TYPE_POWER, base->span, build_span(p, exponent));
    LiteralNumber value = literal_number(p->diags, digits_of(p, exponent));
    if (!value.whole || exponent.unit || value.int_value > 9)
        diag_add(p->diags, DIAG_E_PARSE_UNEXPECTED, build_span(p, exponent),
                 "a whole number up to 9 as the power", "another number");
    node->type_power.base = base;
    node->type_power.exponent = value.int_value > 9 ? sign : sign * (int)value.int_value;
    return build_measure(p, node);
}

AstNode *build_type_tuple(Parser *p, Token open, AstList items, Token close) {
    if (items.count == 1) return items.items[0];
    AstNode *node = build_node(p, AST_TYPE_TUPLE, build_span(p, open), build_span(p, close));
    node->type_tuple.items = items;
    return build_measure(p, node);
}

AstNode *build_type_fn(Parser *p, Token fn, AstList params, AstNode *result) {
    AstNode *node = build_node(p, AST_TYPE_FN, build_span(p, fn), result->span);
    node->type_fn.params = params;
    node->type_fn.result = result;
    return build_measure(p, node);
}

AstNode *build_type_given(Parser *p, Token given, AstParams params, AstNode *result) {
    AstNode *node = build_node(p, AST_TYPE_GIVEN, build_span(p, given), result->span);
    node->type_given.params = params;
    node->type_given.result = result;
    return build_measure(p, node);
}

AstNode *build_type_one_of(Parser *p, Token one, AstNames names, Token close) {
    AstNode *node = build_node(p, AST_TYPE_ONE_OF, build_span(p, one), build_span(p, close));
    node->type_one_of.names = names;
    return node;
}

AstNode *build_type_optional(Parser *p, AstNode *base, Token mark) {
    AstNode *node = build_node(p, AST_TYPE_OPTIONAL, base->span, build_span(p, mark));
    node->type_optional.base = base;
    return build_measure(p, node);
}
