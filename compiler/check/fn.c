/* Functions: one instance for each set of types, its body checked when first called, callees before
 * callers. */
#include "compiler/check/checker.h"
#include "runtime/base/watch.h"

/* -- work in progress -- */

/* A note for each step of the loop, in order, from where it closed. */
static void report_loop(Checker *c, const Work *first, const char *what, Span use) {
    bool calls = strcmp(what, "function") == 0;
    Diag *diag =
        diag_add(c->diags, calls ? DIAG_E_CALL_LOOP : DIAG_E_INFER_LOOP, use, first->name.ptr);
    VEC(const Work *) chain = {0};
    for (const Work *at = c->work; at; at = at->outer) {
        VEC_PUSH(c->arena, &chain, at);
        if (at == first) break;
    }
    for (int i = chain.count - 1; i >= 0; i--) {
        const Work *next = i > 0 ? chain.items[i - 1] : first;
        diag_note(c->diags, diag, chain.items[i]->span, "'%.*s' needs '%.*s'",
                  STR_ARG(chain.items[i]->name), STR_ARG(next->name));
    }
}

/* Its mistakes are said aloud, even when what asks for it is only tried. */
bool work_begin(Checker *c, Work *work, const char *what, Str name, Span span, const void *key,
                Span use) {
    for (const Work *at = c->work; at; at = at->outer)
        if (at->key == key) {
            report_loop(c, at, at->what, use.file ? use : span);
            return false;
        }
    *work = (Work){.what = what,
                   .name = str_printf(c->arena, "%.*s", STR_ARG(name)),
                   .span = span,
                   .key = key,
                   .diags = c->diags,
                   .outer = c->work};
    c->work = work;
    c->diags = c->loud;
    return true;
}

void work_end(Checker *c, Work *work) {
    c->work = work->outer;
    c->diags = work->diags;
}

/* -- making -- */

static intptr_t times_used(const Checker *c, Symbol name) {
    void *used = symbolmap_get(&c->home->fn_names, name);
    return (intptr_t)(used ? used : symbolmap_get(&c->world_home.fn_names, name));
}

static void set_used(Checker *c, Symbol name, intptr_t used) {
    symbolmap_put(c->arena, &c->home->fn_names, name, (void *)used);
}

/* Names are unique: a second `land.height.keep` becomes `land.height.keep.2`, always the same one
 * in one text. */
TreeFn *fn_create(Checker *c, Str name, Span span) {
    TreeFn *fn = ARENA_NEW(c->arena, TreeFn);
    Symbol symbol = symbols_intern(c->symbols, name);
    intptr_t used = times_used(c, symbol);
    set_used(c, symbol, used + 1);
    while (used) {
        name =
            str_printf(c->arena, "%.*s.%d", STR_ARG(symbols_name(c->symbols, symbol)), (int)++used);
        if (!times_used(c, symbols_intern(c->symbols, name))) break;
    }
    if (used) {
        set_used(c, symbol, used);
        set_used(c, symbols_find(c->symbols, name), 1);
    }
    *fn = (TreeFn){.name = str_printf(c->arena, "%.*s", STR_ARG(name)),
                   .span = span,
                   .stream_local = -1,
                   .result = c->types.unit,
                   .index = -1};
    return fn;
}

/* Called when the body is done, so a function stands behind all it calls. A question's own are not
 * of the program. */
void fn_finish(Checker *c, TreeFn *fn) {
    if (c->home != &c->world_home) return;
    fn->index = c->program->fns.count;
    VEC_PUSH(c->arena, &c->program->fns, fn);
}

/* With its package or part, for IR and natives: "noise.fbm", "land.height". */
Str fn_name(Checker *c, const Decl *decl) {
    Str name = symbols_name(c->symbols, decl->name);
    Str path = decl->owner ? class_path(c, decl->owner) : decl->package->name;
    if (path.len == 0) return str_printf(c->arena, "%.*s", STR_ARG(name));
    return str_printf(c->arena, "%.*s.%.*s", STR_ARG(path), STR_ARG(name));
}

Str fn_title(Checker *c, const Decl *decl) {
    if (decl->package->prelude && !decl->owner) return str_of(name_text(c, decl->name));
    return fn_name(c, decl);
}

static Str instance_name(Checker *c, Str path, const TypeEnv *env) {
    StrBuf out = {.arena = c->arena};
    strbuf_str(&out, path);
    for (int i = 0; i < env->count; i++)
        strbuf_printf(&out, "%s%s", i ? ", " : "[", type_text(c, env->types[i]));
    if (env->count) strbuf_char(&out, ']');
    return strbuf_take(&out);
}

/* The locals hold the types the function itself sees; inst->params what a caller may give. */
static void resolve_params(Checker *c, FnInst *inst) {
    Decl *decl = inst->decl;
    const AstParams *params = decl_params(decl);
    inst->params = ARENA_ARRAY(c->arena, const Type *, params->count + 1);
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        if (!param->type)
            diag_add(c->diags, DIAG_E_PARAM_TYPE, param->span, name_text(c, param->name.symbol));
        watch_work(i);
        inst->params[i] = typeexpr_resolve(c, decl->package, &inst->env, param->type);
        for (int k = 0; k < i; k++)
            if (params->items[k].name.symbol == param->name.symbol)
                diag_add(c->diags, DIAG_E_NAME_TWICE, param->name.span,
                         name_text(c, param->name.symbol));
        VEC_PUSH(c->arena, &inst->fn->locals,
                 ((TreeLocal){param->name.symbol, type_inside(c, inst->params[i]), param->is_var, param->name.span}));
        uses_param(c, param, param->name.span, inst->params[i]);
        inst->fn->changes_self |= param->is_var;
    }
    inst->fn->param_count = params->count;
}

/* Its parameters and what it answers, as far as they are written. */
static void resolve_types(Checker *c, FnInst *inst) {
    const Decl *decl = inst->decl;
    TreeFn *fn = inst->fn;
    const AstNode *result = decl->ast->fn.result_type;
    resolve_params(c, inst);
    bool open = typeexpr_open(c, decl->package, result) != NULL && fn->kind == AST_FN_PLAIN;
    fn->result = result && !open
                     ? type_inside(c, typeexpr_resolve(c, decl->package, &inst->env, result))
                     : NULL;
}

/* A mistake of a generic function is one of every call that chooses those types. */
static DiagList *listen(Checker *c, const FnInst *inst, DiagList *inner) {
    DiagList *outer = c->diags;
    diags_init(inner, c->arena, c->input.sources);
    if (inst->env.count) c->diags = inner;
    return outer;
}

static void note_mistake(FnInst *inst, const DiagList *inner) {
    if (inner->items.count == 0 || inst->mistake) return;
    inst->mistake = inner->items.items[0];
    inst->failed = true;
}

static FnInst *create(Checker *c, Decl *decl, const TypeEnv *env) {
    FnInst *inst = ARENA_NEW(c->arena, FnInst);
    inst->decl = decl;
    inst->env = *env;
    inst->env.types = ARENA_ARRAY(c->arena, const Type *, env->count + 1);
    if (env->count) memcpy(inst->env.types, env->types, sizeof *env->types * (size_t)env->count);
    VEC_PUSH(c->arena, &decl->insts, inst);
    inst->fn = fn_create(c, instance_name(c, fn_name(c, decl), env), decl->span);
    TreeFn *fn = inst->fn;
    fn->out_of_line = decl->package->out_of_line;
    if (decl->owner) fn->owner = decl->owner->tree;
    if (decl->kind != DECL_FN) { /* a package's field */
        fn->doc = decl->ast->field.doc;
        const AstNode *type = decl->ast->field.type;
        fn->result = type ? typeexpr_resolve(c, decl->package, NULL, type) : NULL;
        return inst;
    }
    fn->kind = decl->ast->fn.fn_kind;
    fn->doc = decl->ast->fn.doc;
    fn->effect = native_effect_named(decl->ast->fn.effect);
    if (fn->kind == AST_FN_EXTERN) fn->name = fn_name(c, decl); /* one native for all types */
    DiagList inner, *outer = listen(c, inst, &inner);
    resolve_types(c, inst);
    c->diags = outer;
    note_mistake(inst, &inner);
    return inst;
}

/* There is one for each set of types; two calls with the same types share it. */
FnInst *fn_instance(Checker *c, Decl *decl, const TypeEnv *env) {
    static const TypeEnv empty;
    if (!env) env = &empty;
    watch_work(decl->insts.count);
    for (int i = 0; i < decl->insts.count; i++) {
        FnInst *inst = decl->insts.items[i];
        if (!env->count ||
            !memcmp(inst->env.types, env->types, sizeof *env->types * (size_t)env->count))
            return inst;
    }
    Home *home = home_enter(c, &c->world_home);
    FnInst *inst = create(c, decl, env);
    home_enter(c, home);
    return inst;
}

/* -- bodies -- */

/* A native is one function for all types, an intrinsic one IR op. A world has neither: what a host
 * gives it is declared by the host. */
static void check_native(Checker *c, FnInst *inst) {
    TreeFn *fn = inst->fn;
    if (!fn->result) fn->result = c->types.unit;
    fn->acts = fn->effect == NATIVE_ACTS;
    if (inst->decl->package->is_file) {
        Str name = symbols_name(c->symbols, inst->decl->name);
        diag_add(c->diags, DIAG_E_PARSE_FN_BODY, inst->decl->span, STR_ARG(name));
        inst->failed = true;
    } else if (fn->kind == AST_FN_EXTERN) {
        fn->index = c->program->externs.count;
        VEC_PUSH(c->arena, &c->program->externs, fn);
    } else {
        inst->failed = !data_is_form(c, inst->decl) && !intrinsic_find(c, fn, inst->decl->ast);
    }
}

/* The body as what the function answers; in error when it has nothing to give. */
static Tree *fit_body(Ctx *x, const Decl *decl, Tree *body) {
    Checker *c = x->c;
    const Type *result = x->fn->result;
    if (result && type_is(body->type, TYPE_UNIT) && !type_is(result, TYPE_UNIT)) {
        diag_add(c->diags, DIAG_E_NO_RESULT, decl->span, name_text(c, decl->name),
                 type_phrase(c, result));
        body = tree_poison(c, body->span);
    }
    if (result) return convert_to(x, body, result);
    if (!type_is(body->type, TYPE_NONE)) return body;
    diag_add(c->diags, DIAG_E_NO_VALUE, body->span, "none");
    return tree_poison(c, body->span);
}

/* What a function answers whose declaration leaves it open. */
static const Type *result_of(Checker *c, const Decl *decl, const Tree *body) {
    const Type *type =
        type_is(body->type, TYPE_NUMBER) && body->type->fraction ? c->types.number : body->type;
    Decl *open =
        decl->kind == DECL_FN ? typeexpr_open(c, decl->package, decl->ast->fn.result_type) : NULL;
    return open ? typeexpr_closed(c, open, type, body->span) : type;
}

/* A body of the library is read when something calls its function. */
static const AstNode *code_of(Checker *c, const Decl *decl) {
    if (decl->kind != DECL_FN) return decl->ast->field.value;
    const AstNode *body = decl->ast->fn.body;
    return body && body->kind == AST_UNREAD ? parse_body(c->arena, c->symbols, c->diags, body->span) : body;
}

/* A function that is alone of its name calls, by that name, what else has it: never itself, for nothing does. The library's are written
 * with that in mind. */
static const Decl *own_line(const Checker *c, const Decl *decl) {
    if (decl->kind != DECL_FN || (decl->package != c->world && !decl->package->is_file)) return NULL;
    const Class *holder = decl->owner ? decl->owner : decl->package == c->world ? c->root : NULL;
    return symbolmap_get(holder ? &holder->members : &decl->package->values, decl->name) == decl && !decl->next ? decl : NULL;
}

/* A declared result is to be trusted even when the body is wrong: the mistake is reported there. */
static void check_plain(Checker *c, FnInst *inst) {
    TreeFn *fn = inst->fn;
    Decl *decl = inst->decl;
    Ctx x;
    ctx_init(&x, c, fn, decl->package);
    x.env = &inst->env;
    x.own = own_line(c, decl);
    x.flow = FLOW_FN;
    x.acting = decl->kind == DECL_FN ? ACTING_FN : ACTING_NOT;
    if (decl->owner) {
        elaborate_sites(c, decl->owner);
        ctx_set_class(&x, decl->owner);
    }
    for (int i = 0; i < fn->param_count; i++) {
        VEC_PUSH(c->arena, &x.bindings, ((Binding){fn->locals.items[i].name, i}));
        if (type_poisoned(fn->locals.items[i].type)) inst->failed = true;
    }
    const AstNode *code = code_of(c, decl);
    if (decl->kind != DECL_FN) x.value_name = (AstName){decl->name, decl->span};
    Tree *body = code ? leave_body(&x, code, fn->result) : tree_poison(c, decl->span);
    fn->body = fit_body(&x, decl, body);
    if (!fn->result) fn->result = result_of(c, decl, fn->body);
    if (type_poisoned(fn->result)) inst->failed = true;
}

static void report_generic(Checker *c, const FnInst *inst, Span call) {
    const Diag *first = inst->mistake;
    if (!first) return;
    if (first->id == DIAG_E_KEY_TYPE) { /* the author's types, whatever the library does with them */
        diag_again(c->diags, first, call);
        return;
    }
    Diag *diag = diag_add(c->diags, DIAG_E_GENERIC_BODY, call,
                          instance_name(c, fn_title(c, inst->decl), &inst->env).ptr);
    diag_note(c->diags, diag, first->span, "%.*s", STR_ARG(first->message));
    for (int i = 0; i < first->notes.count; i++)
        diag_note(c->diags, diag, first->notes.items[i].span, "%.*s",
                  STR_ARG(first->notes.items[i].text));
}

/* Whatever is under work calls it: too deep a chain is told at the call that makes it so. */
static void count_call(Checker *c, const FnInst *inst, Span call) {
    if (!c->work || inst->calls <= c->work->calls) return;
    c->work->calls = inst->calls;
    if (inst->calls == CALL_DEPTH)
        diag_add(c->diags, DIAG_E_LIMIT, call, "the depth of calls here", "500");
}

static void check_body(Checker *c, FnInst *inst, Span call) {
    Work work;
    if (inst->env.count > 0 && !limit_instances(c, call)) {
        inst->failed = true;
        inst->state = WORK_DONE;
        if (!inst->fn->result) inst->fn->result = c->types.poison;
        return;
    }
    if (!work_begin(c, &work, "function", fn_title(c, inst->decl), inst->decl->span, inst,
                    call)) {
        inst->failed = true;
        if (!inst->fn->result) inst->fn->result = c->types.poison;
        return;
    }
    inst->state = WORK_BUSY;
    DiagList inner;
    listen(c, inst, &inner); /* until work_end */
    c->depth += 8;
    if (inst->fn->kind == AST_FN_PLAIN)
        check_plain(c, inst);
    else
        check_native(c, inst);
    c->depth -= 8;
    note_mistake(inst, &inner);
    work_end(c, &work);
    inst->state = WORK_DONE;
    report_generic(c, inst, call);
    inst->calls = work.calls + 1;
    count_call(c, inst, call);
    if (inst->fn->kind == AST_FN_PLAIN) fn_finish(c, inst->fn);
}

/* Before a call of it is built, so that its result and whether it draws are known. Under work
 * already: a loop. */
void fn_check_body(Checker *c, FnInst *inst, Span call) {
    if (inst->state == WORK_DONE) {
        report_generic(c, inst, call);
        count_call(c, inst, call);
        return;
    }
    Home *home = home_enter(c, &c->world_home);
    check_body(c, inst, call);
    home_enter(c, home);
}

/* -- fault(condition, code: name, details...) of the standard library -- */

/* belowZero is RT_FAULT_BELOW_ZERO. */
static bool fault_code(Str name, int *code) {
    static const struct {
        const char *text;
        int code;
    } rows[] = {
#define FAULT(NAME, number, message, help) {#NAME, number},
#include "runtime/base/fault.def"
#undef FAULT
    };
    char text[64] = "FAULT_";
    size_t at = 6;
    for (size_t i = 0; i < name.len && at < sizeof text - 3; i++) {
        bool upper = name.ptr[i] >= 'A' && name.ptr[i] <= 'Z';
        if (upper) text[at++] = '_';
        text[at++] = upper ? name.ptr[i] : (char)(name.ptr[i] - 'a' + 'A');
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].text, text) == 0) {
            *code = rows[i].code;
            return true;
        }
    return false;
}

Tree *fault_statement(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstArgs *args = &ast->call.args;
    Tree *tree = tree_new(c, TREE_FAULT, c->types.unit, ast->span);
    bool coded = false;
    for (int i = 0; i < args->count; i++) {
        const AstNode *value = args->items[i].value;
        if (args->items[i].name.symbol == c->names.code)
            coded = value->kind == AST_NAME &&
                    fault_code(symbols_name(c->symbols, value->name.symbol), &tree->fault.code);
        else if (i == 0)
            tree->fault.condition = expr_value(x, value, c->types.boolean);
        else {
            Tree *detail = expr_check(x, value, NULL);
            treelist_push(c, &tree->fault.details, detail);
        }
    }
    if (!coded || !tree->fault.condition) {
        diag_add(c->diags, DIAG_E_FAULT_FORM, ast->span);
        return tree_poison(c, ast->span);
    }
    return tree;
}
