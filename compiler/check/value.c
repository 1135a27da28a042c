/* Functions as values: `land.height` without a call, a top-level function, and a part as a
 * contract, which is one function value for each method. A wrapper function closes over the part
 * the method is asked of. */
#include "compiler/check/checker.h"

/* -- wrappers -- */

static TreeFn *build_wrapper(Checker *c, FnInst *inst, bool with_self, bool with_part) {
    TreeFn *of = inst->fn;
    TreeFn *fn = fn_create(c, str_printf(c->arena, "%.*s.value", STR_ARG(of->name)), of->span);
    Ctx y;
    ctx_init(&y, c, fn, inst->decl->package);
    y.flow = FLOW_FN;
    Tree *call = tree_new(c, TREE_CALL, of->result, of->span);
    call->call.fn = of;
    if (with_self) {
        fn->with_self = true;
        fn->owner = of->owner;
        treelist_push(c, &call->call.args,
                      tree_new(c, TREE_SELF, type_part(c, class_of(c, of->owner)), of->span));
    }
    if (with_part) {
        int part = ctx_local(&y, 0, type_part(c, class_of(c, of->owner)), false);
        treelist_push(c, &call->call.args, tree_local(&y, part, of->span));
        fn->capture_count = 1;
    }
    for (int i = 0; i < of->param_count; i++) {
        const TreeLocal *param = &of->locals.items[i];
        treelist_push(c, &call->call.args,
                      tree_local(&y, ctx_local(&y, param->name, param->type, false), of->span));
    }
    fn->param_count = of->param_count;
    if (of->draws) call->call.stream = scope_stream(&y, of->span, of->name, NULL);
    fn->result = of->result;
    fn->body = call;
    fn_finish(c, fn);
    return fn;
}

/* A function of the instance's parameters that calls it: for natives and intrinsics, and for
 * methods, whose part is self or the first capture. It is the instance's, so it stays. */
static TreeFn *make_wrapper(Checker *c, FnInst *inst, bool with_self, bool with_part) {
    Home *home = home_enter(c, &c->world_home);
    TreeFn *fn = build_wrapper(c, inst, with_self, with_part);
    home_enter(c, home);
    return fn;
}

static const Type *fn_type(Checker *c, const TreeFn *fn) {
    const Type **params = ARENA_ARRAY(c->arena, const Type *, fn->param_count + 1);
    for (int i = 0; i < fn->param_count; i++)
        params[i] = fn->locals.items[fn->capture_count + i].type;
    return type_fn(c, params, fn->param_count, fn->result, fn->draws);
}

/* `held` is what the wrapper captures; it is named first unless it is a local. */
static Tree *closure(Ctx *x, TreeFn *fn, const Type *type, Tree *held, Span span) {
    Checker *c = x->c;
    TreeList before = {0};
    Tree *tree = tree_new(c, TREE_LAMBDA, type, span);
    tree->lambda.fn = fn;
    tree->lambda.with_self = fn->with_self;
    if (held) {
        int local = held->kind == TREE_LOCAL ? held->local : ctx_local(x, 0, held->type, false);
        if (held->kind != TREE_LOCAL) treelist_push(c, &before, tree_let(x, local, held));
        int *captures = ARENA_NEW(c->arena, int);
        *captures = local;
        tree->lambda.captures = captures;
        tree->lambda.capture_count = 1;
    }
    return arguments_wrap(c, &before, tree);
}

/* -- functions by name -- */

static FnInst *generic_value(Ctx *x, Decl *decl, Span span, const Type *expected) {
    Checker *c = x->c;
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    const AstParams *params = decl_params(decl);
    if (env.count && expected && type_is(expected, TYPE_FN))
        for (int i = 0; i < params->count && i < expected->item_count; i++)
            typeexpr_bind(c, decl->package, &env, params->items[i].type, expected->items[i]);
    for (int i = 0; i < env.count; i++) {
        if (env.types[i]) continue;
        diag_add(c->diags, DIAG_E_GENERIC_UNKNOWN, span, name_text(c, env.names[i].symbol),
                 fn_title(c, decl).ptr);
        return NULL;
    }
    return fn_instance(c, decl, &env);
}

/* Of several forms the one that takes what is expected. */
static Decl *pick_form(Checker *c, Decl *decl, const Type *expected) {
    if (!decl->next || !expected || !type_is(expected, TYPE_FN)) return decl;
    for (Decl *at = decl; at; at = at->next) {
        const AstParams *params = decl_params(at);
        if (params->count != expected->item_count) continue;
        TypeEnv env;
        generic_open(c, &env, decl_type_params(at), NULL);
        bool fits = true;
        for (int i = 0; fits && i < params->count; i++)
            fits = typeexpr_bind(c, at->package, &env, params->items[i].type, expected->items[i]);
        if (fits) return at;
    }
    return decl;
}

/* A plain function is its own closure; a method's closure holds its part; natives need a wrapper,
 * for a closure is a function of the module. */
Tree *value_of_fn(Ctx *x, Decl *decl, Tree *object, Span span, const Type *expected) {
    Checker *c = x->c;
    if (data_is_form(c, decl)) {
        diag_add(c->diags, DIAG_E_DATA_NAME, span, name_text(c, decl->name));
        return tree_poison(c, span);
    }
    FnInst *inst = generic_value(x, pick_form(c, decl, expected), span, expected);
    if (!inst) return tree_poison(c, span);
    fn_check_body(c, inst, span);
    if (inst->failed) return tree_poison(c, span);
    TreeFn *fn = inst->fn;
    if (fn->changes_self) {
        diag_add(c->diags, DIAG_E_CHANGES_VALUE, span, fn_title(c, decl).ptr);
        return tree_poison(c, span);
    }
    if (fn->acts) {
        diag_add(c->diags, DIAG_E_ACT_VALUE, span, fn_title(c, decl).ptr);
        return tree_poison(c, span);
    }
    bool given_stream = expected && type_is(expected, TYPE_FN) && expected->draws;
    if (fn->draws && !given_stream) {
        diag_add(c->diags, DIAG_E_DRAW_VALUE, span, fn_title(c, decl).ptr);
        return tree_poison(c, span);
    }
    if (object && object->kind == TREE_SELF) {
        if (!inst->of_self) inst->of_self = make_wrapper(c, inst, true, false);
        return closure(x, inst->of_self, fn_type(c, inst->of_self), NULL, span);
    }
    if (object) {
        if (!inst->of_part) inst->of_part = make_wrapper(c, inst, false, true);
        return closure(x, inst->of_part, fn_type(c, inst->of_part), object, span);
    }
    if (fn->kind == AST_FN_PLAIN) return closure(x, fn, fn_type(c, fn), NULL, span);
    if (!inst->as_value) inst->as_value = make_wrapper(c, inst, false, false);
    return closure(x, inst->as_value, fn_type(c, inst->as_value), NULL, span);
}

/* -- function values of another shape -- */

/* A closure that converts: each argument on the way in, the answer on the way out. */
Tree *value_adapt_fn(Ctx *x, Tree *value, const Type *type) {
    Checker *c = x->c;
    const Type *from = value->type;
    TreeFn *fn =
        fn_create(c, str_printf(c->arena, "%.*s.adapted", STR_ARG(x->fn->name)), value->span);
    Ctx y;
    ctx_init(&y, c, fn, x->package);
    y.flow = type->draws ? FLOW_GIVEN : FLOW_NONE;
    fn->draws = type->draws;
    fn->capture_count = 1;
    fn->param_count = type->item_count;
    Tree *call = tree_new(c, TREE_CALL_VALUE, from->element, value->span);
    call->call_value.callee = tree_local(&y, ctx_local(&y, 0, from, false), value->span);
    for (int i = 0; i < type->item_count; i++) {
        Tree *arg = tree_local(&y, ctx_local(&y, 0, type->items[i], false), value->span);
        treelist_push(c, &call->call_value.args, convert_to(&y, arg, from->items[i]));
    }
    if (from->draws) call->call_value.stream = scope_stream(&y, value->span, fn->name, NULL);
    fn->draws = fn->stream_local >= 0;
    fn->body = convert_to(&y, call, type->element);
    fn->result = type_inside(c, type->element);
    fn_finish(c, fn);
    return closure(x, fn, type_inside(c, type), value, value->span);
}

/* -- contracts -- */

static Decl *method_for(Class *cls, Symbol name) {
    Decl *decl = class_member(cls, name);
    return decl && decl->kind == DECL_FN && decl->owner ? decl : NULL;
}

/* By names and numbers of parameters; types are checked when it is converted, and the error is
 * about that method. */
bool value_answers(Checker *c, Class *cls, const Type *contract) {
    (void)c;
    for (int i = 0; i < contract->record->fields.count; i++) {
        const TreeLocal *asked = &contract->record->fields.items[i];
        Decl *decl = method_for(cls, asked->name);
        if (!decl || decl_params(decl)->count != asked->type->item_count) return false;
    }
    return contract->record->fields.count > 0;
}

Str value_missing(Checker *c, Class *cls, const Type *contract) {
    StrBuf out = {.arena = c->arena};
    for (int i = 0; i < contract->record->fields.count; i++) {
        const TreeLocal *asked = &contract->record->fields.items[i];
        Decl *decl = method_for(cls, asked->name);
        if (decl && decl_params(decl)->count == asked->type->item_count) continue;
        strbuf_printf(&out, "%s%s", out.len ? ", " : "", name_text(c, asked->name));
    }
    return strbuf_take(&out);
}

/* The part once, then each method as a closure over it. */
Tree *value_contract(Ctx *x, Tree *part, const Type *contract) {
    Checker *c = x->c;
    Class *cls = class_of(c, part->type->cls);
    TreeList before = {0};
    if (part->kind != TREE_LOCAL && part->kind != TREE_SELF) {
        int local = ctx_local(x, 0, part->type, false);
        treelist_push(c, &before, tree_let(x, local, part));
        part = tree_local(x, local, part->span);
    }
    Tree *tree = tree_new(c, TREE_AGGREGATE, contract, part->span);
    for (int i = 0; i < contract->record->fields.count; i++) {
        const TreeLocal *asked = &contract->record->fields.items[i];
        Tree *method = value_of_fn(x, method_for(cls, asked->name), part, part->span, asked->type);
        method = convert_to(x, method, asked->type);
        if (type_poisoned(method->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->items, method);
    }
    return arguments_wrap(c, &before, tree);
}
