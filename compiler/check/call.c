/* Calls: of functions and methods, of values, of conversions; which of several forms of a name is meant. */
#include "compiler/check/checker.h"
#include "runtime/base/hash.h"

/* -- one function -- */

static void report_missing(Ctx *x, const Arguments *a, int param) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_MISSING, a->span, a->callee.ptr,
                          name_text(c, a->params[param].name.symbol));
    diag_note(c->diags, diag, a->params[param].span, "it is declared here");
}

/* Every argument as a tree of its parameter's own type. */
static bool fill(Ctx *x, FnInst *inst, Arguments *a, const Symbol *off, TreeList *before) {
    bool good = true;
    for (int i = 0; i < a->count; i++) {
        const Type *type = inst->params[i];
        Symbol outer = x->argument;
        x->argument = a->params[i].name.symbol;
        if (a->trees[i]) a->trees[i] = convert_to(x, a->trees[i], type);
        else if (a->asts[i]) a->trees[i] = argument_check(x, a->params[i].type, type, a->asts[i], off[i]);
        x->argument = outer;
        if (a->trees[i] && type_poisoned(a->trees[i]->type)) good = false;
    }
    if (good) arguments_order(x, a, before);
    for (int i = 0; good && i < a->count; i++) {
        if (a->trees[i]) continue;
        if (!a->params[i].default_value) {
            report_missing(x, a, i);
            return false;
        }
        a->trees[i] = default_value(x, a, i, inst->params[i], inst->decl->package, &inst->env, before);
        if (type_poisoned(a->trees[i]->type)) good = false;
    }
    return good;
}

/* Arguments of a call that went wrong are still looked at, so that their own mistakes show. */
static Tree *call_failed(Ctx *x, const Arguments *a) {
    for (int i = 0; i < a->count; i++)
        if (a->asts && a->asts[i] && !a->trees[i] && a->asts[i]->kind == AST_CALL) expr_check(x, a->asts[i], NULL);
    return tree_poison(x->c, a->span);
}

/* `trees`: the first arguments, worked out already. */
static Tree *call_with(Ctx *x, Decl *decl, Tree *object, Tree **trees, int tree_count, const AstArgs *args, Span span,
                       const Type *expected) {
    Checker *c = x->c;
    const AstParams *params = decl_params(decl);
    Arguments a = {.count = params->count, .params = params->items, .span = span, .callee = fn_name(c, decl)};
    a.trees = ARENA_ARRAY(c->arena, Tree *, a.count + 1);
    for (int i = 0; i < tree_count; i++) a.trees[i] = trees[i];
    if (!arguments_match(x, &a, args, tree_count, "function")) return call_failed(x, &a);
    Symbol *off = ARENA_ARRAY(c->arena, Symbol, a.count + 1);
    for (int i = 0; i < a.count; i++) off[i] = arguments_off(c, &a, i);
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    if (env.count && !generic_bind(x, decl, &env, &a, off, decl->ast->fn.result_type, expected))
        return call_failed(x, &a);
    FnInst *inst = fn_instance(c, decl, &env);
    TreeList before = {0};
    if (!fill(x, inst, &a, off, &before)) return tree_poison(c, span);
    Tree **all = ARENA_ARRAY(c->arena, Tree *, a.count + 2);
    int count = 0;
    if (decl->owner) all[count++] = object;
    for (int i = 0; i < a.count; i++) all[count++] = a.trees[i];
    return arguments_wrap(c, &before, tree_call(x, inst, all, count, span));
}

Tree *call_one(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span, const Type *expected) {
    bool is_self = object && !decl->owner;
    return call_with(x, decl, decl->owner ? object : NULL, &object, is_self, args, span, expected);
}

Tree *call_trees(Ctx *x, Decl *decl, Tree **trees, int count, Span span) {
    static const AstArgs none;
    return call_with(x, decl, NULL, trees, count, &none, span, NULL);
}

/* -- which of several -- */

typedef struct Peek {
    const AstNode *ast;
    const TreeFn *fn;
    Tree *tree;
} Peek;


static bool count_fits(const Decl *decl, const AstArgs *args, int skip) {
    const AstParams *params = decl_params(decl);
    int given = skip + args->count, required = 0;
    for (int i = 0; i < params->count; i++) required += params->items[i].default_value == NULL;
    if (given > params->count || given < required) return false;
    for (int i = 0; i < args->count; i++) {
        bool found = !args->items[i].name.symbol;
        for (int k = skip; !found && k < params->count; k++)
            found = params->items[k].name.symbol == args->items[i].name.symbol;
        if (!found) return false;
    }
    return true;
}

static bool lambda_fits(const AstNode *lambda, const AstNode *type) {
    if (type->kind == AST_TYPE_FN) return type->type_fn.params.count == lambda->lambda.params.count;
    return type->kind != AST_TYPE_NAME;
}

/* Looks at an argument without saying anything. What was seen in this function is kept, so that calls nested in
 * calls of functions with several forms cost no more than their number squared. */
static Tree *peek(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const uint64_t pair[2] = {(uint64_t)(uintptr_t)ast, (uint64_t)(uintptr_t)x->fn};
    Symbol key = (Symbol)hash_bytes(pair, sizeof pair, 0) | 1;
    Peek *seen = symbolmap_get(&c->peeks, key);
    if (seen && seen->ast == ast && seen->fn == x->fn) return seen->tree;
    DiagList silent, *loud = c->diags;
    diags_init(&silent, c->arena, c->input.sources);
    c->diags = &silent;
    Tree *tree = expr_check(x, ast, NULL);
    c->diags = loud;
    seen = ARENA_NEW(c->arena, Peek);
    *seen = (Peek){ast, x->fn, tree};
    symbolmap_put(c->arena, &c->peeks, key, seen);
    return tree;
}

/* Whether the first `count` written arguments (and the object) fit. */
static bool fits(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, int count) {
    Checker *c = x->c;
    const AstParams *params = decl_params(decl);
    int skip = object && !decl->owner;
    if (!count_fits(decl, args, skip)) return false;
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    if (skip && !typeexpr_bind(c, decl->package, &env, params->items[0].type, object->type)) return false;
    for (int i = 0; i < count && !args->items[i].name.symbol; i++) {
        const AstNode *type = params->items[skip + i].type, *ast = args->items[i].value;
        if (!type || type->kind == AST_TYPE_GIVEN || type->kind == AST_TYPE_ONE_OF) continue;
        if (ast->kind == AST_LAMBDA) {
            if (!lambda_fits(ast, type)) return false;
            continue;
        }
        Tree *tree = peek(x, ast);
        if (type_poisoned(tree->type)) continue;
        bool ok = typeexpr_bind(c, decl->package, &env, type, tree->type);
        Tree *value = !ok && type_is(tree->type, TYPE_PART) ? part_value(x, tree) : NULL;
        if (value) ok = typeexpr_bind(c, decl->package, &env, type, value->type);
        if (!ok && !typeexpr_has_unknown(&env, type)) {
            const Type *want = typeexpr_resolve(c, decl->package, &env, type);
            ok = convert_fits(c, tree, want) ||
                 (ast->kind == AST_TUPLE && convert_fits(c, expr_check(x, ast, want), want));
        }
        if (!ok) return false;
    }
    return true;
}

static Tree *report_none_fits(Ctx *x, Decl *decl, Span span) {
    Checker *c = x->c;
    Diag *diag = diag_add(c->diags, DIAG_E_NO_FORM, span, name_text(c, decl->name));
    for (; decl; decl = decl->next) {
        Str text = sources_text(c->input.sources, decl->ast->span);
        size_t line = 0;
        while (line < text.len && text.ptr[line] != '{' && text.ptr[line] != '\n') line++;
        diag_note(c->diags, diag, decl->span, "%.*s", (int)line, text.ptr);
    }
    return tree_poison(c, span);
}

Tree *call_decl(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span, const Type *expected) {
    if (!decl->next) return call_one(x, decl, object, args, span, expected);
    int arity = 0;
    Decl *only = NULL;
    for (Decl *at = decl; at; at = at->next)
        if (count_fits(at, args, object && !at->owner)) {
            arity++;
            if (!only) only = at;
        }
    if (arity == 1) return call_one(x, only, object, args, span, expected);
    for (Decl *at = decl; at; at = at->next)
        if (fits(x, at, object, args, args->count)) return call_one(x, at, object, args, span, expected);
    /* The first argument says which form was meant, and that form's own message what is wrong with the others. */
    for (Decl *at = decl; at && !object && args->count > 1; at = at->next)
        if (fits(x, at, object, args, 1)) return call_one(x, at, object, args, span, expected);
    return report_none_fits(x, decl, span);
}

/* -- values -- */

Tree *call_value(Ctx *x, Tree *callee, const AstArgs *args, const AstParams *params, Span span) {
    Checker *c = x->c;
    const Type *type = callee->type;
    if (type_poisoned(type)) return callee;
    if (!type_is(type, TYPE_FN)) {
        diag_add(c->diags, DIAG_E_NOT_FUNCTION, callee->span, type_phrase(c, type));
        return tree_poison(c, span);
    }
    bool stream_written = type->draws && args->count == type->item_count + 1;
    Tree *tree = tree_new(c, TREE_CALL_VALUE, type->element, span);
    tree->call_value.callee = callee;
    if (args->count != type->item_count && !stream_written) {
        diag_add(c->diags, DIAG_E_ARGUMENT_COUNT, span, type->item_count, args->count);
        return tree_poison(c, span);
    }
    for (int i = 0; i < type->item_count; i++) {
        AstName name = args->items[i].name;
        if (name.symbol && (!params || params->items[i].name.symbol != name.symbol)) {
            diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, name.span, "function", type_text(c, type), name_text(c, name.symbol));
            return tree_poison(c, span);
        }
        Tree *arg = expr_value(x, args->items[i].value, type->items[i]);
        if (type_poisoned(arg->type)) tree->type = c->types.poison;
        treelist_push(c, &tree->call_value.args, arg);
    }
    if (stream_written)
        tree->call_value.stream = expr_value(x, args->items[type->item_count].value, type_object(c, c->names.stream));
    else if (type->draws) tree->call_value.stream = scope_stream(x, span, STR_LIT("this function"));
    if (type->draws && (!tree->call_value.stream || type_poisoned(tree->call_value.stream->type)))
        return tree_poison(c, span);
    return tree;
}

/* -- methods -- */

static Tree *own_method(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span, const Type *expected) {
    Checker *c = x->c;
    const Type *type = object->type;
    if (type_is(type, TYPE_PART)) {
        Class *cls = class_of(c, type->cls);
        Decl *decl = class_member(cls, name);
        if (decl && decl->kind == DECL_FN) return call_decl(x, decl, decl->owner ? object : NULL, args, span, expected);
        if (decl && decl->kind == DECL_FIELD && type_is(field_type(c, cls, decl->index, span), TYPE_FN))
            return call_value(x, member_find(x, object, name, span, NULL), args, NULL, span);
    }
    if (type_is(type, TYPE_RECORD) || type_is(type, TYPE_CONTRACT)) {
        Tree *member = member_find(x, object, name, span, NULL);
        const AstParams *params = NULL;
        for (int i = 0; member && type_is(type, TYPE_CONTRACT) && i < type->record->fields.count; i++)
            if (type->record->fields.items[i].name == name)
                params = &type->record->ast->contract.fns.items[i]->fn.params;
        if (member && type_is(member->type, TYPE_FN)) return call_value(x, member, args, params, span);
    }
    return NULL;
}

static bool takes_self(Checker *c, const Decl *decl, const Tree *object) {
    TypeEnv env;
    if (!decl_takes_self(c, decl)) return false;
    generic_open(c, &env, decl_type_params(decl), NULL);
    return typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, object->type);
}

/* Of the package's functions of this name whose self takes the object: the only one, or the one whose parameters
 * take the arguments, or the first. */
static Decl *find_method(Ctx *x, Package *package, Tree *object, Symbol name, const AstArgs *args) {
    Decl *first = NULL;
    int count = 0;
    for (Decl *decl = symbolmap_get(&package->values, name); decl; decl = decl->next) {
        if (decl->kind != DECL_FN || !takes_self(x->c, decl, object)) continue;
        if (count++ == 0) first = decl;
    }
    if (count < 2) return first;
    for (Decl *decl = first; decl; decl = decl->next)
        if (decl->kind == DECL_FN && takes_self(x->c, decl, object) &&
            fits(x, decl, object, args, args->count))
            return decl;
    return first;
}

/* Functions of any package whose self takes the object: the asking file's package first. */
static Tree *library_method(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span, const Type *expected) {
    Checker *c = x->c;
    Decl *decl = find_method(x, x->package, object, name, args);
    for (int i = 0; !decl && i < c->packages.count; i++)
        decl = find_method(x, c->packages.items[i], object, name, args);
    return decl ? call_one(x, decl, object, args, span, expected) : NULL;
}

Tree *call_method_named(Ctx *x, Tree *object, Symbol name, const AstArgs *args, Span span, Span name_span,
                        const Type *expected) {
    if (type_poisoned(object->type)) return object;
    Tree *tree = own_method(x, object, name, args, span, expected);
    if (!tree) tree = library_method(x, object, name, args, span, expected);
    if (tree) return tree;
    Tree *value = part_value(x, object);
    if (value && !type_poisoned(value->type)) {
        tree = own_method(x, value, name, args, span, expected);
        if (!tree) tree = library_method(x, value, name, args, span, expected);
        if (tree) return tree;
    }
    Tree *member = member_find(x, object, name, name_span, NULL);
    if (member) return call_value(x, member, args, NULL, span);
    return value && type_poisoned(value->type) ? value : member_unknown(x, object, name, name_span);
}

Tree *call_operator(Ctx *x, Symbol name, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    for (int i = 0; i < c->packages.count; i++)
        for (Decl *decl = symbolmap_get(&c->packages.items[i]->values, name); decl; decl = decl->next) {
            if (decl->kind != DECL_FN || decl_params(decl)->count != 2 || !takes_self(c, decl, left)) continue;
            TypeEnv env;
            generic_open(c, &env, decl_type_params(decl), NULL);
            typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, left->type);
            if (!typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[1].type, right->type)) continue;
            Tree *trees[2] = {left, right};
            return call_trees(x, decl, trees, 2, span);
        }
    return NULL;
}

/* -- what is called -- */

/* number(x), int(x), u32(x). */
static Tree *conversion(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Symbol name = ast->call.callee->name.symbol;
    const Type *type = symbolmap_get(&c->builtin_types, name);
    if (!type || (type != c->types.number && type != c->types.integer && type != c->types.u32)) return NULL;
    if (ast->call.args.count != 1) {
        diag_add(c->diags, DIAG_E_ARGUMENT_COUNT, ast->span, 1, ast->call.args.count);
        return tree_poison(c, ast->span);
    }
    Tree *operand = expr_check(x, ast->call.args.items[0].value, NULL);
    const Type *from = operand->type;
    if (type_poisoned(from)) return operand;
    bool plain = type_is_numeric(from) && dims_plain(from->dims);
    plain = plain || (type_is(from, TYPE_ONE_OF) && type_is(type, TYPE_INT)) ||
            (type_is(from, TYPE_BOOL) && type_is(type, TYPE_INT));
    if (!plain || (type_is(type, TYPE_U32) && type_is(from, TYPE_NUMBER))) {
        Diag *diag = diag_add(c->diags, DIAG_E_CONVERSION, ast->span, type_text(c, type), type_phrase(c, from));
        if (type_is_quantity(from)) diag_help(c->diags, diag, "divide by a unit first: x / 1 m");
        if (type_is(from, TYPE_NUMBER) && dims_plain(from->dims))
            diag_help(c->diags, diag, "say how it is rounded: u32(int(x))");
        return tree_poison(c, ast->span);
    }
    if (from == type || type_is(from, TYPE_ONE_OF)) return tree_retype(c, operand, type);
    if (convert_fits(c, operand, type)) return convert_to(x, operand, type);
    Tree *tree = tree_new(c, TREE_CONVERT, type, ast->span);
    tree->component.operand = operand;
    return tree;
}

static Tree *call_found(Ctx *x, const Found *found, const AstNode *ast, Symbol name, Span name_span,
                        const Type *expected) {
    Decl *decl = found->decl;
    const AstArgs *args = &ast->call.args;
    if (found->kind == FOUND_DECL) {
        if (decl->kind == DECL_RECORD) return record_build(x, decl, args, ast->span, expected);
        if (decl->kind == DECL_PART && decl->cls->tree->is_design) return copy_check(x, decl->cls, args, ast->span);
        if (decl->kind == DECL_FN) {
            Tree *object = decl->owner ? scope_path(x, found->cls, found->up, name_span) : NULL;
            return call_decl(x, decl, object, args, ast->span, expected);
        }
    }
    Tree *callee = name_found(x, found, name, name_span, NULL);
    return call_value(x, callee, args, NULL, ast->span);
}

/* flow(), in the standard library: the stream that flows here. */
static Tree *flowing(Ctx *x, const AstNode *ast) {
    Tree *stream = scope_stream(x, ast->span, STR_LIT("flow"));
    return stream ? stream : tree_poison(x->c, ast->span);
}

/* point(x, y, z), offset(...), direction(...), color(...). */
static Tree *constructor(Ctx *x, const AstNode *ast) {
    const Type *type = symbolmap_get(&x->c->builtin_types, ast->call.callee->name.symbol);
    bool space = type && (type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR) || type_is(type, TYPE_COLOR));
    if (!space || ast->call.args.count != 3) return NULL;
    AstNode tuple = {.kind = AST_TUPLE, .span = ast->span, .tuple.items = ast->call.args};
    return expr_tuple(x, &tuple, type);
}

static bool is_act(Checker *c, Symbol name) {
    static const char *const acts[] = {"on", "spawn", "remove", "hide", "show", "became", "every", "entered"};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        if (str_equal(symbols_name(c->symbols, name), str_of(acts[i]))) return true;
    return false;
}

static Tree *call_name(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    Symbol name = ast->call.callee->name.symbol;
    if (!x->package->is_world && name == c->names.fault) return fault_statement(x, ast);
    if (!x->package->is_world && name == c->names.flow) return flowing(x, ast);
    Found found = scope_find(x, name, true);
    bool callable = found.kind == FOUND_DECL && found.decl->kind == DECL_FN;
    if (!callable && found.kind != FOUND_LOCAL) {
        Tree *made = conversion(x, ast);
        if (!made) made = constructor(x, ast);
        if (made) return made;
    }
    if (found.kind == FOUND_NOTHING && name == x->c->names.override_) return override_check(x, ast);
    if (found.kind == FOUND_NOTHING && is_act(x->c, name)) {
        diag_add(x->c->diags, DIAG_E_ACTS, ast->call.callee->span, name_text(x->c, name));
        return tree_poison(x->c, ast->span);
    }
    return call_found(x, &found, ast, name, ast->call.callee->span, expected);
}

static Tree *call_in_package(Ctx *x, Package *package, const AstNode *ast, const Type *expected) {
    AstName name = ast->call.callee->member.name;
    Decl *decl = symbolmap_get(&package->values, name.symbol);
    if (!decl) {
        decl = symbolmap_get(&package->types, name.symbol);
        if (!decl || decl->kind != DECL_RECORD) return member_of_package_unknown(x, package, name);
    }
    Found found = {.kind = FOUND_DECL, .decl = decl};
    return call_found(x, &found, ast, name.symbol, name.span, expected);
}

Tree *call_check(Ctx *x, const AstNode *ast, const Type *expected) {
    const AstNode *callee = ast->call.callee;
    if (callee->kind == AST_NAME) return call_name(x, ast, expected);
    if (callee->kind == AST_MEMBER) {
        Package *package = member_package(x, callee->member.object);
        if (package) return call_in_package(x, package, ast, expected);
        Tree *object = expr_check(x, callee->member.object, NULL);
        AstName name = callee->member.name;
        return call_method_named(x, object, name.symbol, &ast->call.args, ast->span, name.span, expected);
    }
    return call_value(x, expr_check(x, callee, NULL), &ast->call.args, NULL, ast->span);
}
