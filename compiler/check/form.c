/* Functions of one name: which of their forms takes these arguments. */
#include "compiler/check/checker.h"
#include "runtime/base/hash.h"

typedef struct Peek {
    const AstNode *ast;
    const TreeFn *fn;
    Tree *tree;
} Peek;

/* By number and names of the arguments alone. */
static bool count_fits(const Decl *decl, const AstArgs *args, int skip) {
    const AstParams *params = decl_params(decl);
    int given = skip + args->count, required = 0;
    for (int i = 0; i < params->count; i++)
        required += params->items[i].default_value == NULL;
    if (given > params->count || given < required) return false;
    for (int i = 0; i < args->count; i++) {
        bool found = !args->items[i].name.symbol;
        for (int k = skip; !found && k < params->count; k++)
            found = params->items[k].name.symbol == args->items[i].name.symbol;
        if (!found) return false;
    }
    return true;
}

/* By the number of its parameters alone; its types are the callee's business. */
static bool lambda_fits(const AstNode *lambda, const AstNode *type) {
    if (type->kind == AST_TYPE_FN) return type->type_fn.params.count == lambda->lambda.params.count;
    return type->kind != AST_TYPE_NAME;
}

/* Looks at an argument without saying anything. What was seen in this function is kept, so that
 * calls nested in calls of functions with several forms cost no more than their number squared. */
static Tree *peek(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const uint64_t pair[2] = {(uint64_t)(uintptr_t)ast, (uint64_t)(uintptr_t)x->fn};
    Symbol key = (Symbol)hash_bytes(pair, sizeof pair, 0) | 1;
    Peek *seen = symbolmap_get(&c->home->peeks, key);
    if (seen && seen->ast == ast && seen->fn == x->fn) return seen->tree;
    DiagList silent, *loud = suggest_silence(c, &silent);
    Tree *tree = expr_check(x, ast, NULL);
    c->diags = loud;
    seen = ARENA_NEW(c->arena, Peek);
    *seen = (Peek){ast, x->fn, tree};
    symbolmap_put(c->arena, &c->home->peeks, key, seen);
    return tree;
}

/* Whether a written tuple can be taken for that. */
static bool tuple_fits(Ctx *x, const AstNode *ast, const Type *want) {
    DiagList silent, *loud = suggest_silence(x->c, &silent);
    Tree *tree = expr_check(x, ast, want);
    x->c->diags = loud;
    return !type_poisoned(tree->type) && convert_fits(x->c, tree, want);
}

/* The parameter that a written argument is for: count_fits holds. */
static const AstNode *type_for(const AstParams *params, const AstArg *arg, int place) {
    for (int k = 0; arg->name.symbol && k < params->count; k++)
        if (params->items[k].name.symbol == arg->name.symbol) return params->items[k].type;
    return params->items[place].type;
}

/* Whether the first `count` written arguments (and the object) fit. */
bool form_fits(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, int count) {
    Checker *c = x->c;
    const AstParams *params = decl_params(decl);
    int skip = object && !decl->owner;
    if (!count_fits(decl, args, skip)) return false;
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    if (skip && !typeexpr_bind(c, decl->package, &env, params->items[0].type, object->type))
        return false;
    for (int i = 0; i < count; i++) {
        const AstNode *type = type_for(params, &args->items[i], skip + i), *ast = args->items[i].value;
        if (!type || type->kind == AST_TYPE_GIVEN || type->kind == AST_TYPE_ONE_OF) continue;
        if (ast->kind == AST_LAMBDA) {
            if (!lambda_fits(ast, type)) return false;
            continue;
        }
        Tree *tree = peek(x, ast);
        if (type_poisoned(tree->type)) continue;
        bool ok = typeexpr_bind(c, decl->package, &env, type, tree->type);
        Tree *value = ok ? NULL : part_opened(x, tree);
        if (value) ok = typeexpr_bind(c, decl->package, &env, type, value->type);
        if (!ok && !typeexpr_has_unknown(&env, type)) {
            const Type *want = typeexpr_resolve(c, decl->package, &env, type);
            ok = convert_fits(c, tree, want) || (ast->kind == AST_TUPLE && tuple_fits(x, ast, want));
        }
        if (!ok) return false;
    }
    return true;
}

bool form_any_fits(Ctx *x, Decl *decl, const AstArgs *args) {
    for (; decl; decl = decl->next)
        if (form_fits(x, decl, NULL, args, args->count)) return true;
    return false;
}

/* "(offset, direction)": what the arguments are, a mistake among them left to its own message. */
static Str found_types(Ctx *x, const Tree *object, const AstArgs *args, bool *point) {
    Checker *c = x->c;
    StrBuf out = {.arena = c->arena};
    strbuf_char(&out, '(');
    for (int i = object ? -1 : 0; i < args->count; i++) {
        const AstNode *ast = i < 0 ? NULL : args->items[i].value;
        const Type *type = !ast ? object->type : ast->kind == AST_LAMBDA ? NULL : peek(x, ast)->type;
        if (out.len > 1) strbuf_str(&out, STR_LIT(", "));
        if (ast && args->items[i].name.symbol)
            strbuf_printf(&out, "%s: ", name_text(c, args->items[i].name.symbol));
        strbuf_str(&out, str_of(type ? type_text(c, type) : "fn"));
        *point = *point || (type && type_is(type, TYPE_POINT));
    }
    strbuf_char(&out, ')');
    return strbuf_take(&out);
}

static bool takes_vector(const Decl *decl, const Checker *c) {
    const AstParams *params = decl_params(decl);
    for (int i = 0; i < params->count; i++) {
        const AstNode *type = params->items[i].type;
        Symbol name = type && type->kind == AST_TYPE_NAME ? type->type_name.name.symbol : 0;
        if (name == c->names.vector) return true;
    }
    return false;
}

/* What was found, and a note for each form, as it is declared. */
static Tree *report_none_fits(Ctx *x, Decl *decl, const Tree *object, const AstArgs *args, Span span) {
    Checker *c = x->c;
    bool point = false, vector = false;
    uses_decl(x, decl, x->said, NULL);
    Str found = found_types(x, object, args, &point);
    Diag *diag = diag_add(c->diags, DIAG_E_NO_FORM, span, name_text(c, decl->name), found.ptr);
    for (const Decl *at = decl; at; at = at->next)
        vector = vector || takes_vector(at, c);
    if (point && vector)
        diag_help(c->diags, diag, "a point is no way: p - q of two points is one, or offset(x, y, z)");
    for (; decl; decl = decl->next) {
        Str text = sources_text(c->input.sources, decl->ast->span);
        size_t line = 0;
        while (line < text.len && text.ptr[line] != '{' && text.ptr[line] != '\n')
            line++;
        diag_note(c->diags, diag, decl->span, "%.*s", (int)line, text.ptr);
    }
    return tree_poison(c, span);
}

/* Forms are told apart by number and names first, for that needs no look at the arguments. */
Tree *call_decl(Ctx *x, Decl *decl, Tree *object, const AstArgs *args, Span span,
                const Type *expected) {
    if (data_is_form(x->c, decl)) return data_check(x, decl, args, span, expected);
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
        if (form_fits(x, at, object, args, args->count))
            return call_one(x, at, object, args, span, expected);
    /* The first argument says which form was meant, and that form's own message what is wrong with
     * the others. */
    for (Decl *at = decl; at && !object && args->count > 1; at = at->next)
        if (form_fits(x, at, object, args, 1)) return call_one(x, at, object, args, span, expected);
    return report_none_fits(x, decl, object, args, span);
}
