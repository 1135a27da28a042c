/* What a check that does not hold says of itself: an expression, made of the check's own, that answers a text.
 *
 *     a < b              ->  "'a < b' is \{a} < \{b}"
 *     p && q             ->  if p { why of q } else { why of p }
 *     xs.all(x => c)     ->  { let at = xs.indexWhere(x => !c); the item, and why of c there }
 *
 * What it cannot say more of than that it does not hold is "". Spans are those of the author's text.
 */
#include "compiler/check/checker.h"

static AstNode *node(Checker *c, AstKind kind, Span span) {
    AstNode *made = ARENA_NEW(c->arena, AstNode);
    made->kind = kind;
    made->span = span;
    return made;
}

static AstNode *text_node(Checker *c, Str text, Span span) {
    AstNode *made = node(c, AST_TEXT, span);
    made->text.value = text;
    return made;
}

static AstNode *name_node(Checker *c, Symbol name, Span span) {
    AstNode *made = node(c, AST_NAME, span);
    made->name.symbol = name;
    return made;
}

static Symbol symbol(Checker *c, const char *name) {
    return symbols_intern(c->symbols, str_of(name));
}

/* The author's words for it, on one line. */
static Str words(Checker *c, const AstNode *ast) {
    enum { MOST = 60 };
    Str text = sources_text(c->input.sources, ast->span);
    size_t end = 0;
    while (end < text.len && end < MOST && text.ptr[end] != '\n')
        end++;
    return str_printf(c->arena, "'%.*s%s'", (int)end, text.ptr, end < text.len ? "..." : "");
}

static AstNode *binary(Checker *c, Operator op, AstNode *left, AstNode *right, Span span) {
    AstNode *made = node(c, AST_BINARY, span);
    made->binary.op = op;
    made->binary.op_span = span;
    made->binary.left = left;
    made->binary.right = right;
    return made;
}

static AstNode *not_node(Checker *c, AstNode *operand) {
    AstNode *made = node(c, AST_UNARY, operand->span);
    made->unary.op = OP_NOT;
    made->unary.operand = operand;
    return made;
}

/* Behind what a text with values ends with. */
static void template_text(Checker *c, AstNode *to, Str text) {
    Str *last = &to->template.parts.items[to->template.parts.count - 1]->text.value;
    *last = str_printf(c->arena, "%.*s%.*s", STR_ARG(*last), STR_ARG(text));
}

/* A value between its marks. */
static void template_value(Checker *c, AstNode *to, AstNode *value) {
    template_text(c, to, STR_LIT(WHY_VALUE_BEGIN));
    VEC_PUSH(c->arena, &to->template.parts, value);
    VEC_PUSH(c->arena, &to->template.parts, text_node(c, STR_LIT(WHY_VALUE_END), value->span));
}

/* A text with values: `before`, the value, then what is added behind it. */
static AstNode *template(Checker *c, Str before, AstNode *value) {
    AstNode *made = node(c, AST_TEMPLATE, value->span);
    VEC_PUSH(c->arena, &made->template.parts, text_node(c, before, value->span));
    template_value(c, made, value);
    return made;
}

static AstNode *choice(Checker *c, AstNode *condition, AstNode *yes, AstNode *no) {
    AstNode *made = node(c, AST_IF, condition->span);
    AstNode *blocks[2] = {yes, no};
    for (int i = 0; i < 2; i++) {
        AstNode *block = node(c, AST_BLOCK, blocks[i]->span);
        VEC_PUSH(c->arena, &block->block.statements, blocks[i]);
        *(i ? &made->if_.else_block : &made->if_.then_block) = block;
    }
    made->if_.condition = condition;
    return made;
}

static AstNode *why(Checker *c, bool both, AstNode *ast);

/* Both, with "; " between them; one alone when the other says nothing. */
static AstNode *joined(Checker *c, AstNode *a, AstNode *b) {
    if (a->kind == AST_TEXT) return b;
    if (b->kind == AST_TEXT) return a;
    AstNode *gap = binary(c, OP_ADD, a, text_node(c, STR_LIT("; "), a->span), a->span);
    return binary(c, OP_ADD, gap, b, a->span);
}

/* A name of one of (...) and none mean nothing alone: then the left side must do. */
static AstNode *sides(Checker *c, bool both, const AstNode *ast) {
    AstNode *left = ast->binary.left, *right = ast->binary.right;
    bool whole = both && right->kind != AST_NONE;
    Str said = words(c, whole ? ast : left);
    AstNode *made = template(c, str_printf(c->arena, "%.*s is ", STR_ARG(said)), left);
    if (!whole) return made;
    template_text(c, made, str_printf(c->arena, " %s ", operator_text(ast->binary.op)));
    template_value(c, made, right);
    return made;
}

/* -- xs.all(x => condition) -- */

static AstNode *call_method(Checker *c, AstNode *object, const char *name, AstNode *argument) {
    AstNode *callee = node(c, AST_MEMBER, object->span), *call = node(c, AST_CALL, object->span);
    callee->member.object = object;
    callee->member.name = (AstName){symbol(c, name), object->span};
    call->call.callee = callee;
    VEC_PUSH(c->arena, &call->call.args, ((AstArg){.value = argument, .span = argument->span}));
    return call;
}

static AstNode *let_node(Checker *c, Symbol name, AstNode *value) {
    AstNode *made = node(c, AST_LET, value->span);
    made->let.pattern = name_node(c, name, value->span);
    made->let.value = value;
    return made;
}

static AstNode *lambda_with(Checker *c, const AstNode *lambda, AstNode *body) {
    AstNode *made = node(c, AST_LAMBDA, lambda->span);
    made->lambda = lambda->lambda;
    made->lambda.result_type = NULL;
    made->lambda.body = body;
    return made;
}

/* "item 2 is ...: " and why of the test there; the item goes by the lambda's own name. */
static AstNode *item_text(Checker *c, bool both, const AstNode *test, Symbol list, Symbol at) {
    Span span = test->span;
    AstNode *item = node(c, AST_INDEX, span), *lines = node(c, AST_BLOCK, span);
    item->index.object = name_node(c, list, span);
    VEC_PUSH(c->arena, &item->index.keys, name_node(c, at, span));
    Symbol name = test->lambda.params.items[0].name.symbol;
    VEC_PUSH(c->arena, &lines->block.statements, let_node(c, name, item));
    AstNode *made = template(c, STR_LIT("item "), name_node(c, at, span));
    template_text(c, made, STR_LIT(" is "));
    template_value(c, made, name_node(c, name, span));
    VEC_PUSH(c->arena, &lines->block.statements, joined(c, made, why(c, both, test->lambda.body)));
    return lines;
}

static AstNode *all_items(Checker *c, bool both, AstNode *list, AstNode *test) {
    Symbol held = symbol(c, "the list"), at = symbol(c, "the place"); /* no author's names */
    AstNode *made = node(c, AST_BLOCK, list->span);
    AstNode *fails = lambda_with(c, test, not_node(c, test->lambda.body));
    VEC_PUSH(c->arena, &made->block.statements, let_node(c, held, list));
    AstNode *place = call_method(c, name_node(c, held, list->span), "indexWhere", fails);
    VEC_PUSH(c->arena, &made->block.statements, let_node(c, at, place));
    AstNode *none = binary(c, OP_EQ, name_node(c, at, list->span), node(c, AST_NONE, list->span), list->span);
    VEC_PUSH(c->arena, &made->block.statements,
             choice(c, none, text_node(c, STR_LIT(""), list->span), item_text(c, both, test, held, at)));
    return made;
}

static AstNode *count_items(Checker *c, AstNode *list) {
    AstNode *callee = node(c, AST_MEMBER, list->span), *call = node(c, AST_CALL, list->span);
    callee->member.object = list;
    callee->member.name = (AstName){symbol(c, "length"), list->span};
    call->call.callee = callee;
    AstNode *made = template(c, STR_LIT("none of the "), call);
    template_text(c, made, str_printf(c->arena, " items of %.*s", STR_ARG(words(c, list))));
    return made;
}

static AstNode *of_call(Checker *c, bool both, AstNode *ast) {
    const AstNode *callee = ast->call.callee;
    bool method = callee->kind == AST_MEMBER && ast->call.args.count == 1;
    Str name = method ? symbols_name(c->symbols, callee->member.name.symbol) : STR_LIT("");
    AstNode *test = method ? ast->call.args.items[0].value : NULL;
    bool one = test && test->kind == AST_LAMBDA && test->lambda.params.count == 1 &&
               test->lambda.params.items[0].name.symbol;
    if (one && str_equal(name, STR_LIT("all"))) return all_items(c, both, callee->member.object, test);
    if (str_equal(name, STR_LIT("any"))) return count_items(c, callee->member.object);
    return text_node(c, STR_LIT(""), ast->span);
}

static AstNode *of_block(Checker *c, bool both, const AstNode *ast) {
    AstNode *made = node(c, AST_BLOCK, ast->span);
    const AstList *list = &ast->block.statements;
    for (int i = 0; i + 1 < list->count; i++)
        VEC_PUSH(c->arena, &made->block.statements, list->items[i]);
    if (list->count) VEC_PUSH(c->arena, &made->block.statements, why(c, both, list->items[list->count - 1]));
    return made;
}

static AstNode *why(Checker *c, bool both, AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_BLOCK:
        return of_block(c, both, ast);
    case AST_IF:
        if (!ast->if_.else_block) break;
        return choice(c, ast->if_.condition, why(c, both, ast->if_.then_block), why(c, both, ast->if_.else_block));
    case AST_CALL:
        return of_call(c, both, ast);
    case AST_UNARY:
        if (ast->unary.op == OP_NOT && ast->unary.operand->kind == AST_BINARY &&
            operator_compares(ast->unary.operand->binary.op))
            return sides(c, both, ast->unary.operand);
        break;
    case AST_BINARY:
        if (operator_compares(ast->binary.op)) return sides(c, both, ast);
        if (ast->binary.op == OP_AND)
            return choice(c, ast->binary.left, why(c, both, ast->binary.right), why(c, both, ast->binary.left));
        if (ast->binary.op == OP_OR)
            return joined(c, why(c, both, ast->binary.left), why(c, both, ast->binary.right));
        break;
    default:
        break;
    }
    return text_node(c, STR_LIT(""), ast->span);
}

static TreeFn *try_check(Checker *c, const Ctx *like, bool both, AstNode *condition, Str name) {
    DiagList silent, *loud = suggest_silence(c, &silent);
    TreeFn *fn = fn_create(c, str_printf(c->arena, "%.*s.why", STR_ARG(name)), condition->span);
    Ctx x;
    ctx_init(&x, c, fn, like->package);
    if (like->self_class)
        ctx_set_class(&x, like->self_class);
    else
        fn->owner = like->fn->owner;
    fn->body = expr_value(&x, why(c, both, condition), c->types.text);
    fn->result = c->types.text;
    c->diags = loud;
    return silent.error_count || silent.dropped > 1 || type_poisoned(fn->body->type) ? NULL : fn;
}

/* Tried in silence: what goes wrong is either told of the condition already, or no more than a text that is missing. */
TreeFn *why_check(Checker *c, const Ctx *like, AstNode *condition, Str name) {
    TreeFn *fn = try_check(c, like, true, condition, name);
    if (!fn) fn = try_check(c, like, false, condition, name);
    if (fn) fn_finish(c, fn);
    return fn;
}
