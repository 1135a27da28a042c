/* Packages, the standard library's and the author's files, as tables of names: who sees which.
 * Nothing in them is checked here. */
#include "compiler/check/checker.h"
#include "stdlib/library_names.h"

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

/* Functions with a self of different types may share a name, and in the library any; everything else
 * has its own. Forms of one name are all private or all not. */
void package_enter(Checker *c, Package *package, Decl *decl, SymbolMap *map) {
    Decl *earlier = symbolmap_get(map, decl->name);
    if (earlier) {
        bool both = decl->kind == DECL_FN && earlier->kind == DECL_FN && !package->is_file;
        both = both || (decl_takes_self(c, decl) && decl_takes_self(c, earlier));
        both = both && decl->ast->is_private == earlier->ast->is_private;
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

/* -- who sees what -- */

static bool holds(Package *const *items, int count, const Package *package) {
    for (int i = 0; i < count; i++)
        if (items[i] == package) return true;
    return false;
}

/* The library's own files see all: what they make for the types of a file, they make for that file. */
bool package_sees(const Package *from, const Package *in) {
    if (from == in || !from) return true;
    if (in->is_file) return !from->is_file || holds(from->files.items, from->files.count, in);
    return !in->internal || holds(from->used.items, from->used.count, in);
}

bool decl_seen(const Package *from, const Decl *decl) {
    return from == decl->package ||
           (!decl->ast->is_private && package_sees(from, decl->package));
}

Decl *package_value(const Package *from, const Package *in, Symbol name) {
    Decl *decl = symbolmap_get(&in->values, name);
    return decl && decl_seen(from, decl) ? decl : NULL;
}

Decl *package_type(const Package *from, const Package *in, Symbol name) {
    Decl *decl = symbolmap_get(&in->types, name);
    return decl && decl_seen(from, decl) ? decl : NULL;
}

bool package_private(Checker *c, const Package *in, Symbol name, Span span) {
    Decl *decl = symbolmap_get(&in->values, name);
    if (!decl) decl = symbolmap_get(&in->types, name);
    if (!decl || !decl->ast->is_private) return false;
    Diag *diag =
        diag_add(c->diags, DIAG_E_PRIVATE, span, name_text(c, name), name_text(c, in->symbol));
    diag_note(c->diags, diag, decl->span, "it is declared here, for its own file alone");
    return true;
}

Package *package_find(Checker *c, Symbol name) {
    return symbolmap_get(&c->library, name);
}

Decl *package_decl(Checker *c, Str package, Str name) {
    Package *in = package_find(c, symbols_intern(c->symbols, package));
    return in ? symbolmap_get(&in->values, symbols_intern(c->symbols, name)) : NULL;
}

bool check_library_record(Checker *c, const TreeRecord *record, Str package, Str name) {
    const Package *in = package_find(c, symbols_intern(c->symbols, package));
    return in && record->decl->package == in &&
           str_equal(symbols_name(c->symbols, record->name), name);
}

bool type_is_layout(Checker *checker, const Type *type) {
    return type->kind == TYPE_LIST && type->element->kind == TYPE_RECORD &&
           check_library_record(checker, type->element->record, STR_LIT(STD_scatter), STR_LIT(STD_scatter_placed));
}

Package *package_named(Checker *c, const Package *from, Symbol name) {
    Package *own = symbolmap_get(&from->named, name);
    if (own) return own;
    Package *package = package_find(c, name);
    return package && package_sees(from, package) ? package : NULL;
}

/* -- use -- */

static void name_package(Checker *c, Package *in, AstName name, Package *package) {
    Package *earlier = symbolmap_get(&in->named, name.symbol);
    if (earlier && earlier != package)
        diag_add(c->diags, DIAG_E_NAME_TWICE, name.span, name_text(c, name.symbol));
    if (earlier) return;
    symbolmap_put(c->arena, &in->named, name.symbol, package);
    VEC_PUSH(c->arena, &in->names, name.symbol);
}

void package_offer(Suggest *s, const Package *from) {
    for (int i = 0; i < s->c->packages.count && !s->off; i++) {
        const Package *package = s->c->packages.items[i];
        if (!package->is_file && package_sees(from, package)) suggest_name(s, package->symbol);
    }
    for (int i = 0; i < from->names.count; i++)
        suggest_name(s, from->names.items[i]);
}

static void package_unknown(Checker *c, const Package *from, AstName name) {
    Diag *diag = diag_add(c->diags, DIAG_E_PACKAGE_UNKNOWN, name.span, name_text(c, name.symbol));
    Suggest s = suggest_open(c, diag, name.symbol, name.span);
    package_offer(&s, from);
    suggest_close(&s, "");
}

/* `use a as b` gives the package another name; `use a` brings its names into the file. */
static void declare_use(Checker *c, Package *package, const AstNode *ast) {
    AstName name = ast->use.package;
    if (ast->use.path) return; /* see declare_files */
    Package *used = symbolmap_get(&package->named, name.symbol);
    if (!used) used = package_find(c, name.symbol);
    if (!used || (used->internal && package->is_file))
        package_unknown(c, package, name);
    else if (ast->use.alias.symbol)
        name_package(c, package, ast->use.alias, used);
    else
        VEC_PUSH(c->arena, &package->used, used);
}

/* `use a from "..."`: before all else in the file, for other lines may stand above it. */
static void declare_files(Checker *c, Package *package) {
    const Files *files = c->input.files;
    for (int i = 0; files && package->ast && i < files->uses.count; i++) {
        const FileUse *use = &files->uses.items[i];
        if (use->ast->span.file != package->ast->file) continue;
        Package *used = c->packages.items[use->file->package];
        name_package(c, package, use->ast->use.package, used);
        VEC_PUSH(c->arena, &package->files, used);
    }
}

/* -- declarations -- */

/* A part of a package is a design, declared at once and laid out when something uses it. */
static void declare_part(Checker *c, Package *package, const AstNode *ast) {
    if (package == c->world || ast->part.path.count == 0) return;
    if (ast->part.path.count != 1 || ast->part.index) {
        diag_add(c->diags, DIAG_E_PACKAGE_PART, ast->span);
        return;
    }
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
        if (package != c->world)
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
    case AST_ALIAS:
        package_enter(c, package,
                      decl_create(c, DECL_ALIAS, ast->alias.name, ast, package, NULL),
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

static Package *package_create(Checker *c, const CheckPackage *given) {
    Package *package = ARENA_NEW(c->arena, Package);
    *package = (Package){.name = given->name,
                         .symbol = symbols_intern(c->symbols, given->name),
                         .prelude = given->prelude,
                         .internal = given->internal,
                         .out_of_line = given->out_of_line,
                         .is_file = given->is_file,
                         .ast = given->ast};
    VEC_PUSH(c->arena, &c->packages, package);
    return package;
}

/* A name of the file's own would hide the package that it names so. */
void package_check_files(Checker *c, const Package *package) {
    const Files *files = c->input.files;
    for (int i = 0; files && package->ast && i < files->uses.count; i++) {
        const AstNode *use = files->uses.items[i].ast;
        if (use->span.file != package->ast->file) continue;
        const Decl *own = symbolmap_get(&package->values, use->use.package.symbol);
        if (own) declared_twice(c, own, use->use.package);
    }
}

static void declare_all(Checker *c, Package *package) {
    declare_files(c, package);
    for (int i = 0; package->ast && i < package->ast->decls.count; i++)
        package_declare(c, package, package->ast->decls.items[i]);
    package_check_files(c, package);
}

/* Packages are named first, so that any may be used by any. */
void package_load(Checker *c) {
    const CheckInput *input = &c->input;
    for (int i = 0; i < input->package_count; i++) {
        Package *package = package_create(c, &input->packages[i]);
        if (!package->is_file)
            symbolmap_put(c->arena, &c->library, package->symbol, package);
    }
    c->host = package_create(c, &(CheckPackage){.name = STR_LIT("host"), .prelude = true});
    for (int i = 0; i < input->host_fn_count; i++)
        package_declare(c, c->host, input->host_fns[i]);
    for (int i = 0; i < input->package_count; i++)
        declare_all(c, c->packages.items[i]);
    c->world = package_create(
        c, &(CheckPackage){.name = STR_LIT(""), .is_file = true, .ast = input->world});
    declare_files(c, c->world);
}
