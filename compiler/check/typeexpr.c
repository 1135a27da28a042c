/* Types as written, to interned types.
 *
 * Types have names of their own, apart from values: the file's, then the library's, by bare name;
 * another file's stand behind its name and a dot.
 */
#include "compiler/check/checker.h"

#include "lang/foreign.h"

const Type **typeexpr_variable(const TypeEnv *env, Symbol name) {
    for (; env; env = env->outer)
        for (int i = 0; i < env->count; i++)
            if (env->names[i].symbol == name) return &env->types[i];
    return NULL;
}

/* `houses.cottage`: the package, and its last name; NULL when there is no dot or no such package. */
static Package *split_name(Checker *c, const Package *from, Symbol name, Symbol *last) {
    Str text = symbols_name(c->symbols, name);
    const char *dot = memchr(text.ptr, '.', text.len);
    if (!dot) return NULL;
    Str first = {text.ptr, (size_t)(dot - text.ptr)};
    *last = symbols_intern(c->symbols, (Str){dot + 1, text.len - first.len - 1});
    return package_named(c, from, symbols_find(c->symbols, first));
}

/* The file's own types, the prelude's, those of the packages that it uses, those of any other of the library. */
Decl *typeexpr_find(Checker *c, Package *package, Symbol name) {
    Symbol last;
    const Package *from = package ? package : c->world;
    const Package *in = from ? split_name(c, from, name, &last) : NULL;
    if (in) return package_type(from, in, last);
    Decl *decl = from ? symbolmap_get(&from->types, name) : NULL;
    for (int i = 0; !decl && i < c->packages.count; i++)
        if (c->packages.items[i]->prelude) decl = package_type(from, c->packages.items[i], name);
    for (int i = 0; from && !decl && i < from->used.count; i++)
        decl = package_type(from, from->used.items[i], name);
    for (int i = 0; !decl && i < c->packages.count; i++)
        if (!c->packages.items[i]->is_file) decl = package_type(from, c->packages.items[i], name);
    return decl;
}

/* -- records and contracts -- */

static void record_fill(Checker *c, struct TreeRecord *record, const AstParams *fields,
                        Package *package, const TypeEnv *env) {
    int slot = 0;
    for (int i = 0; i < fields->count; i++) {
        const AstParam *field = &fields->items[i];
        const Type *type = type_inside(c, typeexpr_resolve(c, package, env, field->type));
        VEC_PUSH(c->arena, &record->fields, ((TreeLocal){field->name.symbol, type, false, field->name.span}));
        VEC_PUSH(c->arena, &record->slots, slot);
        VEC_PUSH(c->arena, &record->defaults, field->default_value);
        slot += type->slot_count;
    }
}

static const Type *make_record(Checker *c, Decl *decl, const Type *const *args, Span span) {
    int count = decl->ast->record.type_params.count;
    TypeEnv env = {.count = count, .names = decl->ast->record.type_params.items};
    env.types = ARENA_ARRAY(c->arena, const Type *, count + 1);
    if (count) memcpy(env.types, args, sizeof *args * (size_t)count);
    struct TreeRecord *record = ARENA_NEW(c->arena, struct TreeRecord);
    record->name = decl->name;
    record->ast = decl->ast;
    record->decl = decl;
    Work work;
    if (!work_begin(c, &work, "record", symbols_name(c->symbols, decl->name), decl->span, decl,
                    span))
        return c->types.poison;
    record_fill(c, record, &decl->ast->record.fields, decl->package, &env);
    work_end(c, &work);
    const Type *type = type_record(c, TYPE_RECORD, record, env.types, count);
    VEC_PUSH(c->arena, &decl->types, type);
    return type;
}

/* A record that holds itself has no end; a list or an optional list of it is fine, being one slot.
 */
const Type *typeexpr_record(Checker *c, Decl *decl, const Type *const *args, Span span) {
    int count = decl->ast->record.type_params.count;
    for (int i = 0; i < decl->types.count; i++) {
        const Type *made = decl->types.items[i];
        if (!count || !memcmp(made->items, args, sizeof *args * (size_t)count)) return made;
    }
    Home *home = home_enter(c, &c->world_home);
    const Type *type = make_record(c, decl, args, span);
    home_enter(c, home);
    return type;
}

static void make_contract(Checker *c, Decl *decl) {
    struct TreeRecord *record = ARENA_NEW(c->arena, struct TreeRecord);
    record->name = decl->name;
    record->ast = decl->ast;
    decl->type = c->types.poison; /* a contract that names itself */
    const AstList *fns = &decl->ast->contract.fns;
    for (int i = 0; i < fns->count; i++) {
        const AstNode *fn = fns->items[i];
        if (fn->kind != AST_FN) continue;
        const Type **params = ARENA_ARRAY(c->arena, const Type *, fn->fn.params.count + 1);
        for (int k = 0; k < fn->fn.params.count; k++)
            params[k] = typeexpr_resolve(c, decl->package, NULL, fn->fn.params.items[k].type);
        const Type *result = fn->fn.result_type
                                 ? typeexpr_resolve(c, decl->package, NULL, fn->fn.result_type)
                                 : c->types.unit;
        const Type *type = type_fn(c, params, fn->fn.params.count, result, false);
        VEC_PUSH(c->arena, &record->slots, record->fields.count);
        VEC_PUSH(c->arena, &record->fields, ((TreeLocal){fn->fn.name.symbol, type, false, fn->fn.name.span}));
    }
    decl->type = type_record(c, TYPE_CONTRACT, record, NULL, 0);
}

/* A record of function values, one for each line. */
const Type *typeexpr_contract(Checker *c, Decl *decl) {
    Home *home = home_enter(c, &c->world_home);
    if (!decl->type) make_contract(c, decl);
    home_enter(c, home);
    return decl->type;
}

/* Another name is the same type; one that comes back to itself is none. */
const Type *typeexpr_alias(Checker *c, Decl *decl, Span use) {
    if (decl->type) return decl->type;
    Work work;
    Str name = symbols_name(c->symbols, decl->name);
    if (!work_begin(c, &work, "type", name, decl->span, decl, use)) return c->types.poison;
    const Type *type = typeexpr_resolve(c, decl->package, NULL, decl->ast->alias.type);
    work_end(c, &work);
    decl->type = type;
    return type;
}

/* -- names -- */

static const Type *resolve_args_count(Checker *c, const AstNode *ast, int wanted) {
    diag_add(c->diags, DIAG_E_TYPE_ARGUMENTS, ast->span, name_text(c, ast->type_name.name.symbol),
             wanted, ast->type_name.args.count);
    return c->types.poison;
}

static const Type *unknown_type(Checker *c, Package *package, const AstNode *ast) {
    static const char *const known[] = {
#define TYPE(name, member, slots, c_type) name,
#define GENERIC(name, slots, c_type) name,
#include "lang/type.def"
#undef TYPE
#undef GENERIC
    };
    Symbol name = ast->type_name.name.symbol, last;
    const Package *split = package ? split_name(c, package, name, &last) : NULL;
    if (split && package_private(c, split, last, ast->type_name.name.span)) return c->types.poison;
    Diag *diag =
        diag_add(c->diags, DIAG_E_TYPE_UNKNOWN, ast->type_name.name.span, name_text(c, name));
    const char *foreign = foreign_word(symbols_name(c->symbols, name));
    if (foreign) {
        diag_help(c->diags, diag, "%s", foreign);
        return c->types.poison;
    }
    Suggest s = suggest_open(c, diag, name, ast->type_name.name.span);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        suggest_name(&s, symbols_intern(c->symbols, str_of(known[i])));
    for (int i = 0; i < c->packages.count + 1; i++) {
        Package *in = i ? c->packages.items[i - 1] : package;
        for (int k = 0; in && k < in->decls.count; k++)
            if (in->decls.items[k]->kind >= DECL_RECORD && !(i && in->is_file) &&
                (!package || decl_seen(package, in->decls.items[k])))
                suggest_name(&s, in->decls.items[k]->name);
    }
    suggest_close(&s, "");
    return c->types.poison;
}

static const Type *resolve_declared(Checker *c, Package *package, const TypeEnv *env, Decl *decl,
                                    const AstNode *ast) {
    const AstList *args = &ast->type_name.args;
    bool plain = decl->kind == DECL_CONTRACT || decl->kind == DECL_ALIAS;
    int wanted = plain ? 0 : decl->ast->record.type_params.count;
    if (args->count != wanted) return resolve_args_count(c, ast, wanted);
    if (decl->kind == DECL_ALIAS) return typeexpr_alias(c, decl, ast->span);
    if (decl->kind == DECL_CONTRACT) return typeexpr_contract(c, decl);
    const Type **types = ARENA_ARRAY(c->arena, const Type *, wanted + 1);
    for (int i = 0; i < wanted; i++) {
        types[i] = typeexpr_resolve(c, package, env, args->items[i]);
        if (type_poisoned(types[i])) return types[i];
    }
    if (decl->kind == DECL_OBJECT) return type_object_of(c, decl->name, types, wanted);
    return typeexpr_record(c, decl, types, ast->span);
}

static Decl *find_part(Checker *c, const Package *package, Symbol name) {
    Symbol last;
    if (!package) return NULL;
    const Package *in = split_name(c, package, name, &last);
    return in ? package_value(package, in, last) : symbolmap_get(&package->values, name);
}

/* The package of `drainage.river`, which is one name. */
static void note_package(Checker *c, const Package *package, AstName name) {
    Symbol last;
    const Package *in = package ? split_name(c, package, name.symbol, &last) : NULL;
    uint32_t length = in ? (uint32_t)symbols_name(c->symbols, last).len + 1 : 0;
    if (in && name.span.end - name.span.start > length) uses_package(c, in, (Span){name.span.file, name.span.start, name.span.end - length});
}

/* Type parameters, List and vector, the builtin names, declared types, then parts. */
static const Type *resolve_name(Checker *c, Package *package, const TypeEnv *env,
                                const AstNode *ast) {
    Symbol name = ast->type_name.name.symbol;
    const AstList *args = &ast->type_name.args;
    const Type **bound = typeexpr_variable(env, name);
    if (bound) return *bound ? *bound : c->types.poison;
    if (name == c->names.list) {
        if (args->count != 1) return resolve_args_count(c, ast, 1);
        return type_list(c, typeexpr_resolve(c, package, env, args->items[0]));
    }
    if (name == c->names.vector) {
        if (args->count != 1) return resolve_args_count(c, ast, 1);
        const Type *of = typeexpr_resolve(c, package, env, args->items[0]);
        return type_is(of, TYPE_NUMBER) ? type_vector(c, of->dims) : c->types.poison;
    }
    const Type *builtin = symbolmap_get(&c->builtin_types, name);
    if (builtin) return args->count ? resolve_args_count(c, ast, 0) : builtin;
    Decl *decl = typeexpr_find(c, package, name);
    if (decl) {
        const Type *type = resolve_declared(c, package, env, decl, ast);
        uses_type(c, decl, ast->type_name.name, type);
        note_package(c, package, ast->type_name.name);
        return type;
    }
    Decl *part = find_part(c, package, name);
    if (part && part->kind == DECL_PART) {
        class_activate(c, part->cls);
        uses_type(c, part, ast->type_name.name, type_part(c, part->cls));
        note_package(c, package, ast->type_name.name);
        return type_part(c, part->cls);
    }
    return unknown_type(c, package, ast);
}

/* -- other shapes -- */

static const Type *resolve_quantity(Checker *c, Package *package, const TypeEnv *env,
                                    const AstNode *ast) {
    const Type *type = typeexpr_resolve(c, package, env, ast);
    if (type_is(type, TYPE_NUMBER) || type_poisoned(type)) return type;
    diag_add(c->diags, DIAG_E_TYPE_NOT_QUANTITY, ast->span, type_phrase(c, type));
    return c->types.poison;
}

static const Type *resolve_pair(Checker *c, Package *package, const TypeEnv *env,
                                const AstNode *ast) {
    const Type *left = resolve_quantity(c, package, env, ast->type_pair.left);
    const Type *right = resolve_quantity(c, package, env, ast->type_pair.right);
    if (type_poisoned(left) || type_poisoned(right)) return c->types.poison;
    Dims dims = dims_add(left->dims, right->dims, ast->kind == AST_TYPE_PRODUCT ? 1 : -1);
    return type_worked_out(c, TYPE_NUMBER, dims, ast->span);
}

static const Type *resolve_power(Checker *c, Package *package, const TypeEnv *env,
                                 const AstNode *ast) {
    const Type *base = resolve_quantity(c, package, env, ast->type_power.base);
    if (type_poisoned(base)) return base;
    return type_worked_out(c, TYPE_NUMBER, dims_power(base->dims, ast->type_power.exponent),
                           ast->span);
}

/* A parameter of type `stream` is the hidden stream: it makes the function one that draws. */
static const Type *resolve_fn(Checker *c, const Type **params, int count, const Type *result) {
    bool draws = false;
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (type_is(params[i], TYPE_OBJECT) && params[i]->name == c->names.stream)
            draws = true;
        else
            params[kept++] = params[i];
    }
    return type_fn(c, params, kept, result, draws);
}

static const Type *resolve_fn_type(Checker *c, Package *package, const TypeEnv *env,
                                   const AstNode *ast) {
    bool given = ast->kind == AST_TYPE_GIVEN;
    int count = given ? ast->type_given.params.count : ast->type_fn.params.count;
    const Type **params = ARENA_ARRAY(c->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++) {
        const AstNode *type =
            given ? ast->type_given.params.items[i].type : ast->type_fn.params.items[i];
        params[i] = type ? typeexpr_resolve(c, package, env, type) : c->types.poison;
    }
    const AstNode *result = given ? ast->type_given.result : ast->type_fn.result;
    return resolve_fn(c, params, count,
                      result ? typeexpr_resolve(c, package, env, result) : c->types.unit);
}

/* Two lists of the same names in the same order are one type. */
static const Type *resolve_one_of(Checker *c, const AstNode *ast) {
    const AstNames *names = &ast->type_one_of.names;
    Symbol *symbols = ARENA_ARRAY(c->arena, Symbol, names->count + 1);
    for (int i = 0; i < names->count; i++)
        symbols[i] = names->items[i].symbol;
    return types_intern(&c->types,
                        (Type){.kind = TYPE_ONE_OF, .names = symbols, .name_count = names->count});
}

static const Type *resolve_tuple(Checker *c, Package *package, const TypeEnv *env,
                                 const AstNode *ast) {
    const AstList *list = &ast->type_tuple.items;
    const Type **items = ARENA_ARRAY(c->arena, const Type *, list->count + 1);
    for (int i = 0; i < list->count; i++)
        items[i] = typeexpr_resolve(c, package, env, list->items[i]);
    return type_tuple(c, items, list->count);
}

static const Type *resolve(Checker *c, Package *package, const TypeEnv *env, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_TYPE_NAME:
        return resolve_name(c, package, env, ast);
    case AST_TYPE_POWER:
        return resolve_power(c, package, env, ast);
    case AST_TYPE_PRODUCT:
    case AST_TYPE_QUOTIENT:
        return resolve_pair(c, package, env, ast);
    case AST_TYPE_TUPLE:
        return resolve_tuple(c, package, env, ast);
    case AST_TYPE_FN:
    case AST_TYPE_GIVEN:
        return resolve_fn_type(c, package, env, ast);
    case AST_TYPE_ONE_OF:
        return resolve_one_of(c, ast);
    case AST_TYPE_OPTIONAL:
        return type_optional(c, typeexpr_resolve(c, package, env, ast->type_optional.base));
    default:
        return c->types.poison;
    }
}

/* Poison for what was reported, and for what is no type. */
const Type *typeexpr_resolve(Checker *c, Package *package, const TypeEnv *env, const AstNode *ast) {
    return ast ? limit_type(c, resolve(c, package, env, ast), ast->span) : c->types.poison;
}

Decl *typeexpr_open(Checker *c, Package *package, const AstNode *ast) {
    if (!ast || ast->kind != AST_TYPE_NAME || ast->type_name.args.count) return NULL;
    Decl *decl = typeexpr_find(c, package, ast->type_name.name.symbol);
    bool generic = decl && (decl->kind == DECL_RECORD || decl->kind == DECL_OBJECT) &&
                   decl->ast->record.type_params.count;
    return generic ? decl : NULL;
}

const Type *typeexpr_closed(Checker *c, const Decl *open, const Type *type, Span span) {
    bool named = type_is(type, TYPE_RECORD) || type_is(type, TYPE_OBJECT);
    if (!open || type_poisoned(type) || (named && type->name == open->name)) return type;
    diag_add(c->diags, DIAG_E_TYPE_MISMATCH, span, name_text(c, open->name), type_phrase(c, type));
    return c->types.poison;
}
