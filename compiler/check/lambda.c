/* Functions written where they are used: `p => ...`, `fn(...) { }`, and expressions that a
 * given(...) parameter asks for. What they use of the function round them is captured, in the order
 * met. */
#include "compiler/check/checker.h"

/* A lambda sees what its surroundings see. Its stream is its own when its type has one. */
static void open_context(Ctx *y, Ctx *x, const AstNode *ast, const LambdaShape *shape) {
    Checker *c = x->c;
    Str part = x->argument ? symbols_name(c->symbols, x->argument) : STR_LIT("fn");
    TreeFn *fn = fn_create(
        c, str_printf(c->arena, "%.*s.%.*s", STR_ARG(x->fn->name), STR_ARG(part)), ast->span);
    ctx_init(y, c, fn, x->package);
    y->outer = x;
    y->env = x->env;
    y->self_class = x->self_class;
    y->scope_class = x->scope_class;
    y->scope_up = x->scope_up;
    y->on_line = x->on_line;
    y->own = x->own;
    y->value_name = x->value_name;
    y->over = x->over;
    y->flow = !shape->draws ? FLOW_OUTER : shape->off ? FLOW_OFF : FLOW_GIVEN;
    y->off_name = shape->off;
    fn->draws = shape->draws;
    y->acting = shape->acts ? ACTING_ON : ACTING_NOT;
    fn->acts = shape->acts;
}

static bool is_stream_param(Checker *c, const AstParam *param) {
    return param->type && param->type->kind == AST_TYPE_NAME &&
           param->type->type_name.name.symbol == c->names.stream;
}

/* The names of the given(...); the stream has no name in the expression. */
static void bind_given(Ctx *y, const LambdaShape *shape) {
    const AstParams *params = &shape->given->type_given.params;
    for (int i = 0, at = 0; i < params->count && at < shape->count; i++)
        if (!is_stream_param(y->c, &params->items[i]))
            ctx_bind(y, params->items[i].name, shape->params[at++], false);
}

/* Types come from the lambda, else from what is expected. One parameter more than expected is the
 * stream. */
static bool bind_written(Ctx *y, const AstNode *ast, const LambdaShape *shape) {
    Checker *c = y->c;
    const AstParams *params = &ast->lambda.params;
    bool stream = shape->draws && params->count == shape->count + 1;
    if (params->count != shape->count && !stream) {
        diag_add(c->diags, DIAG_E_LAMBDA_COUNT, ast->span, shape->count, params->count);
        return false;
    }
    for (int i = 0; i < shape->count; i++) {
        const AstParam *param = &params->items[i];
        const Type *type =
            param->type ? typeexpr_resolve(c, y->package, y->env, param->type) : shape->params[i];
        if (type_poisoned(type) && !param->type)
            diag_add(c->diags, DIAG_E_LAMBDA_TYPE, param->span, name_text(c, param->name.symbol));
        ctx_bind(y, param->name, type, false);
    }
    if (!stream) return true;
    y->fn->stream_local = ctx_bind(y, params->items[shape->count].name,
                                   type_object(c, c->names.stream), false);
    return true;
}

/* Captures come first among the locals, then the parameters, then the rest. */
static void order_locals(Ctx *y) {
    Checker *c = y->c;
    TreeFn *fn = y->fn;
    int count = fn->locals.count, next = 0;
    if (y->captures.count == 0) return;
    int *map = ARENA_ARRAY(c->arena, int, count + 1);
    TreeLocal *locals = ARENA_ARRAY(c->arena, TreeLocal, count + 1);
    for (int i = 0; i < count; i++)
        map[i] = -1;
    for (int i = 0; i < y->capture_at.count; i++)
        map[y->capture_at.items[i]] = next++;
    for (int i = 0; i < count; i++)
        if (map[i] < 0) map[i] = next++;
    for (int i = 0; i < count; i++)
        locals[map[i]] = fn->locals.items[i];
    memcpy(fn->locals.items, locals, sizeof *locals * (size_t)count);
    if (fn->stream_local >= 0) fn->stream_local = map[fn->stream_local];
    tree_renumber(fn->body, map);
    fn->capture_count = y->captures.count;
}

static Tree *close_context(Ctx *y, Ctx *x, const AstNode *ast, const Type *result) {
    Checker *c = x->c;
    TreeFn *fn = y->fn;
    fn->result = result;
    const Type **params = ARENA_ARRAY(c->arena, const Type *, fn->param_count + 1);
    for (int i = 0; i < fn->param_count; i++)
        params[i] = fn->locals.items[i].type;
    const Type *type = type_fn(c, params, fn->param_count, result, fn->draws);
    fn->draws = fn->draws && fn->stream_local >= 0; /* who asks may give it a stream: one that takes none is asked in batches */
    order_locals(y);
    if (y->uses_self) {
        fn->with_self = true;
        fn->owner = x->self_class ? x->self_class->tree : NULL;
    }
    fn_finish(c, fn);
    Tree *tree = tree_new(c, TREE_LAMBDA, type, ast->span);
    tree->lambda.fn = fn;
    tree->lambda.captures = y->captures.items;
    tree->lambda.capture_count = y->captures.count;
    tree->lambda.with_self = fn->with_self;
    return tree;
}

/* A bare expression for a given(...) and a written function end the same way. */
Tree *lambda_make(Ctx *x, const AstNode *ast, const LambdaShape *shape) {
    Checker *c = x->c;
    Ctx y;
    open_context(&y, x, ast, shape);
    bool written =
        ast->kind == AST_LAMBDA && (!shape->given || ast->lambda.params.count == shape->count ||
                                    (shape->draws && ast->lambda.params.count == shape->count + 1));
    if (written) {
        if (!bind_written(&y, ast, shape)) return tree_poison(c, ast->span);
    } else if (shape->given) {
        bind_given(&y, shape);
    }
    y.fn->param_count = shape->count;
    const Type *result = shape->result;
    if (written && ast->lambda.result_type)
        result = typeexpr_resolve(c, y.package, y.env, ast->lambda.result_type);
    const AstNode *code = written ? ast->lambda.body : ast;
    bool unit = result && type_is(result, TYPE_UNIT);
    const Type *wanted = result ? type_inside(c, result) : NULL;
    Tree *body = written || shape->acts ? leave_body(&y, code, wanted) : expr_check(&y, code, wanted);
    if (result && !unit) body = convert_to(&y, body, result);
    if (type_poisoned(body->type) || (result && type_poisoned(result)))
        return tree_poison(c, ast->span);
    if (!result && type_is(body->type, TYPE_NONE)) {
        diag_add(c->diags, DIAG_E_NO_VALUE, code->span, "none");
        return tree_poison(c, ast->span);
    }
    y.fn->body = body;
    return close_context(&y, x, ast, unit ? result : body->type);
}

Tree *lambda_check(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    while (expected && type_is(expected, TYPE_OPTIONAL))
        expected = expected->element;
    int count = ast->lambda.params.count;
    LambdaShape shape = {.count = count};
    shape.params = ARENA_ARRAY(c->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++)
        shape.params[i] = c->types.poison;
    if (expected && type_is(expected, TYPE_FN)) {
        shape.count = expected->item_count;
        shape.params = (const Type **)(uintptr_t)expected->items;
        shape.result = expected->element;
        shape.draws = expected->draws;
    }
    return lambda_make(x, ast, &shape);
}

Tree *lambda_given(Ctx *x, const AstNode *given, const Type *type, const AstNode *ast,
                   Symbol off_name) {
    LambdaShape shape = {.params = (const Type **)(uintptr_t)type->items,
                         .count = type->item_count,
                         .result = type->element,
                         .draws = type->draws,
                         .off = off_name,
                         .given = given};
    return lambda_make(x, ast, &shape);
}
