/* Packages: the standard library's and the world's file as tables of names. Nothing in them is
 * checked here. */
#include "compiler/check/checker.h"

Decl *decl_create(Checker *c, DeclKind kind, AstName name, const AstNode *ast, Package *package,
                  Class *owner) {
    Decl *decl = ARENA_NEW(c->arena, Decl);
    *decl = (Decl){.kind = kind,
                   .name = name.symbol,
                   .span = name.span,
                   .ast = ast,
                   .package = package,
                   .owner = owner};
    return decl;
}

const AstParams *decl_params(const Decl *decl) {
    static const AstParams none;
    return decl->ast && decl->ast->kind == AST_FN ? &decl->ast->fn.params : &none;
}

const AstNames *decl_type_params(const Decl *decl) {
    static const AstNames none;
    return decl->ast && decl->ast->kind == AST_FN ? &decl->ast->fn.type_params : &none;
}

bool decl_takes_self(Checker *c, const Decl *decl) {
    const AstParams *params = decl_params(decl);
    return decl->kind == DECL_FN && params->count && params->items[0].name.symbol == c->names.self;
}

static void declared_twice(Checker *c, const Decl *earlier, AstName name) {
    Diag *diag = diag_add(c->diags, DIAG_E_NAME_TWICE, name.span, name_text(c, name.symbol));
    diag_note(c->diags, diag, earlier->span, "the first one is here");
}

/* Functions with a self of different types may share a name; everything else has its own. */
void package_enter(Checker *c, Package *package, Decl *decl, SymbolMap *map) {
    Decl *earlier = symbolmap_get(map, decl->name);
    if (earlier) {
        bool both = decl->kind == DECL_FN && earlier->kind == DECL_FN && !package->is_world;
        both = both || (decl_takes_self(c, decl) && decl_takes_self(c, earlier));
        if (!both) {
            declared_twice(c, earlier, (AstName){decl->name, decl->span});
            return;
        }
        while (earlier->next)
            earlier = earlier->next;
        earlier->next = decl;
    } else {
        symbolmap_put(c->arena, map, decl->name, decl);
    }
    VEC_PUSH(c->arena, &package->decls, decl);
}

/* `use a as b` gives the package another name; `use a` brings its names into the file. */
static void declare_use(Checker *c, Package *package, const AstNode *ast) {
    Package *used = package_find(c, ast->use.package.symbol);
    if (!used) {
        Diag *diag = diag_add(c->diags, DIAG_E_PACKAGE_UNKNOWN, ast->use.package.span,
                              name_text(c, ast->use.package.symbol));
        Suggest s = suggest_open(c, diag, ast->use.package.symbol, ast->use.package.span);
        for (int i = 0; i < c->packages.count; i++)
            suggest_name(&s, c->packages.items[i]->symbol);
        suggest_close(&s, "");
        return;
    }
    if (ast->use.alias.symbol)
        symbolmap_put(c->arena, &c->package_names, ast->use.alias.symbol, used);
    else
        VEC_PUSH(c->arena, &package->used, used);
}

/* A part of a package is a design, declared at once and laid out when something uses it. */
static void declare_part(Checker *c, Package *package, const AstNode *ast) {
    if (package->is_world || ast->part.path.count != 1) return;
    AstName name = ast->part.path.items[0];
    Decl *decl = decl_create(c, DECL_PART, name, ast, package, NULL);
    decl->cls = class_create(c, name.symbol, ast, package, NULL, ast->span);
    decl->cls->decl = decl;
    decl->cls->tree->is_design = true;
    package_enter(c, package, decl, &package->values);
    class_declare_body(c, decl->cls, &ast->part.body);
}

/* One declaration of a file. The world's fields and parts hang on its root class instead
 * (declare.c). */
void package_declare(Checker *c, Package *package, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_FN:
        package_enter(c, package, decl_create(c, DECL_FN, ast->fn.name, ast, package, NULL),
                      &package->values);
        break;
    case AST_FIELD:
        if (!package->is_world)
            package_enter(c, package,
                          decl_create(c, DECL_CONSTANT, ast->field.name, ast, package, NULL),
                          &package->values);
        break;
    case AST_RECORD: {
        Decl *decl = decl_create(c, ast->record.is_extern ? DECL_OBJECT : DECL_RECORD,
                                 ast->record.name, ast, package, NULL);
        if (ast->record.is_extern) decl->type = type_object(c, decl->name);
        package_enter(c, package, decl, &package->types);
        break;
    }
    case AST_CONTRACT:
        package_enter(c, package,
                      decl_create(c, DECL_CONTRACT, ast->contract.name, ast, package, NULL),
                      &package->types);
        break;
    case AST_PART:
        declare_part(c, package, ast);
        break;
    case AST_USE:
        declare_use(c, package, ast);
        break;
    default:
        break;
    }
}

Package *package_find(Checker *c, Symbol name) {
    return symbolmap_get(&c->package_names, name);
}

static Package *package_create(Checker *c, Str name, bool prelude, bool out_of_line,
                               const AstFile *ast) {
    Package *package = ARENA_NEW(c->arena, Package);
    *package = (Package){.name = name, .prelude = prelude, .out_of_line = out_of_line, .ast = ast};
    package->symbol = symbols_intern(c->symbols, name);
    VEC_PUSH(c->arena, &c->packages, package);
    return package;
}

/* Packages are named first, so that any may be used by any. */
void package_load(Checker *c) {
    const CheckInput *input = &c->input;
    for (int i = 0; i < input->package_count; i++) {
        const CheckPackage *given = &input->packages[i];
        Package *package =
            package_create(c, given->name, given->prelude, given->out_of_line, given->ast);
        symbolmap_put(c->arena, &c->package_names, package->symbol, package);
    }
    c->host = package_create(c, STR_LIT("host"), true, false, NULL);
    for (int i = 0; i < input->host_fn_count; i++)
        package_declare(c, c->host, input->host_fns[i]);
    for (int i = 0; i < c->packages.count; i++) {
        Package *package = c->packages.items[i];
        for (int k = 0; package->ast && k < package->ast->decls.count; k++)
            package_declare(c, package, package->ast->decls.items[k]);
    }
    c->world = package_create(c, STR_LIT(""), false, false, input->world);
    c->world->is_world = true;
}
