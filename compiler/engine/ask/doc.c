/* Documentation: of a name, of a package, of the whole library. What the library declares is shown as it is written, with
 * its defaults.
 */
#include "compiler/engine/ask/ask.h"
#include "lang/declared.h"

enum { LONGEST_LINE = 120 };

/* -- what the world made -- */

/* A field or function as the part's body, or its design's, declares it; NULL: it does not. */
static const AstNode *declared_in(const World *world, const TreeClass *cls, Str name) {
    for (; cls; cls = cls->base) {
        const AstList *body = cls->ast && cls->ast->kind == AST_PART ? &cls->ast->part.body : NULL;
        for (int i = 0; body && i < body->count; i++) {
            const AstNode *node = body->items[i];
            bool member = node->kind == AST_FN || node->kind == AST_FIELD;
            if (member && str_equal(declared_name(node, &world->compile->symbols), name)) return node;
        }
    }
    return NULL;
}

static void doc_function(World *world, const TreeFn *fn, StrBuf *out) {
    const AstNode *node = declared_in(world, fn->owner, str_last_name(fn->name));
    strbuf_str(out, node ? declared_text(&world->compile->sources, node)
                         : check_signature(world->compile->checker, fn, out->arena));
    strbuf_char(out, '\n');
    if (fn->doc.len) strbuf_printf(out, "%.*s\n", STR_ARG(fn->doc));
}

/* The functions of a part's body and of its designs', a line each. */
static void doc_functions(World *world, const TreeClass *cls, StrBuf *out) {
    for (; cls; cls = cls->base) {
        const AstList *body = cls->ast && cls->ast->kind == AST_PART ? &cls->ast->part.body : NULL;
        for (int i = 0; body && i < body->count; i++)
            if (body->items[i]->kind == AST_FN)
                strbuf_printf(out, "  %.*s\n", STR_ARG(declared_line(out->arena, &world->compile->sources, body->items[i])));
    }
}

static bool doc_class(World *world, Str name, StrBuf *out) {
    const TreeProgram *program = world->compile->program;
    for (int i = 0; i < program->classes.count; i++) {
        const TreeClass *cls = program->classes.items[i];
        if (cls->name.len == 0 || !str_equal(cls->name, name)) continue;
        strbuf_printf(out, "part %.*s\n", STR_ARG(name));
        if (cls->doc.len) strbuf_printf(out, "%.*s\n", STR_ARG(cls->doc));
        for (int f = 0; f < cls->fields.count; f++) {
            const TreeField *field = &cls->fields.items[f];
            if (field->hidden || field->option) continue;
            Str type = type_name(field->type, program->symbols, out->arena);
            strbuf_printf(out, "  field %.*s: %.*s\n",
                          STR_ARG(symbols_name(program->symbols, field->name)), STR_ARG(type));
        }
        doc_functions(world, cls, out);
        return true;
    }
    return false;
}

static const TreeClass *class_named(const TreeProgram *program, Str name) {
    for (int i = 0; i < program->classes.count; i++)
        if (str_equal(program->classes.items[i]->name, name)) return program->classes.items[i];
    return NULL;
}

static bool doc_field(World *world, Str name, StrBuf *out) {
    const TreeProgram *program = world->compile->program;
    const TreeClass *cls = class_named(program, str_holder_name(name));
    Str last = str_last_name(name);
    int index = cls ? parts_field(cls, program->symbols, last) : -1;
    if (index < 0) return false;
    const TreeField *field = &cls->fields.items[index];
    Str type = type_name(field->type, program->symbols, out->arena);
    const AstNode *node = declared_in(world, cls, last);
    bool typed = node && node->kind == AST_FIELD && node->field.type;
    if (typed)
        strbuf_printf(out, "%.*s\n", STR_ARG(declared_text(&world->compile->sources, node)));
    else
        strbuf_printf(out, "field %.*s: %.*s\n", STR_ARG(last), STR_ARG(type));
    if (field->doc.len) strbuf_printf(out, "%.*s\n", STR_ARG(field->doc));
    return true;
}

/* -- declarations as they are written -- */

/* Of a package by its own name only ("shapes.cone"): how it is reached. */
static void doc_reach(StrBuf *out, const CheckPackage *package, Str name) {
    if (package && !package->prelude && !package->is_file)
        strbuf_printf(out, "Of the package %.*s: %.*s.%.*s, or %.*s after `use %.*s`.\n",
                      STR_ARG(package->name), STR_ARG(package->name), STR_ARG(name), STR_ARG(name),
                      STR_ARG(package->name));
}

/* `package`: NULL for the world's own file. */
static bool doc_declarations(World *world, const AstFile *file, const CheckPackage *package,
                             Str name, StrBuf *out) {
    const Compile *c = world->compile;
    bool found = false;
    for (int i = 0; i < file->decls.count; i++) {
        const AstNode *node = file->decls.items[i];
        bool shown = node->kind == AST_FN || node->kind == AST_RECORD ||
                     node->kind == AST_CONTRACT || node->kind == AST_ALIAS ||
                     (package && !package->is_file);
        bool hidden = !shown || (node->is_private && package);
        if (hidden || name.len == 0 || !str_equal(declared_name(node, &c->symbols), name)) continue;
        Str doc = declared_doc(node);
        strbuf_printf(out, "%.*s\n", STR_ARG(declared_text(&c->sources, node)));
        if (doc.len) strbuf_printf(out, "%.*s\n", STR_ARG(doc));
        doc_reach(out, package, name);
        found = true;
    }
    return found;
}

/* "smoothstep", or "math.smoothstep". */
static bool doc_library(World *world, Str name, StrBuf *out) {
    Compile *c = world->compile;
    const char *dot = memchr(name.ptr, '.', name.len);
    Str package = {name.ptr, dot ? (size_t)(dot - name.ptr) : 0};
    Str last = {name.ptr + (dot ? package.len + 1 : 0), name.len - (dot ? package.len + 1 : 0)};
    bool found = dot == NULL && doc_declarations(world, c->ast, NULL, name, out);
    for (int i = 0; i < c->packages.count; i++) {
        const CheckPackage *held = &c->packages.items[i];
        bool wanted = dot ? str_equal(held->name, package) : !held->is_file;
        if (wanted && !held->internal)
            found = doc_declarations(world, held->ast, held, last, out) || found;
    }
    return found;
}

/* -- what there is -- */

static Str heading_of(const World *world, const CheckPackage *package, Arena *arena) {
    return declared_heading(arena, sources_get(&world->compile->sources, package->ast->file)->text);
}

/* A record of many fields by their names alone. */
static Str line_of(const World *world, const AstNode *node, Arena *arena) {
    const Compile *c = world->compile;
    Str line = declared_line(arena, &c->sources, node);
    if (node->kind != AST_RECORD || line.len <= LONGEST_LINE) return line;
    StrBuf out = {.arena = arena};
    strbuf_printf(&out, "record %.*s(", STR_ARG(declared_name(node, &c->symbols)));
    for (int i = 0; i < node->record.fields.count; i++) {
        Symbol name = node->record.fields.items[i].name.symbol;
        strbuf_printf(&out, "%s%.*s", i ? ", " : "", STR_ARG(symbols_name(&c->symbols, name)));
    }
    strbuf_char(&out, ')');
    return strbuf_take(&out);
}

/* A package's declarations, a line each and a line of what it says. */
static bool doc_package(World *world, Str name, StrBuf *out) {
    const Compile *c = world->compile;
    for (int i = 0; i < c->packages.count; i++) {
        const CheckPackage *package = &c->packages.items[i];
        if (package->internal || !str_equal(package->name, name)) continue;
        if (out->len) strbuf_char(out, '\n');
        strbuf_printf(out, "package %.*s\n", STR_ARG(name));
        if (!package->is_file)
            strbuf_printf(out, "%.*s\n", STR_ARG(heading_of(world, package, out->arena)));
        for (int k = 0; k < package->ast->decls.count; k++) {
            const AstNode *node = package->ast->decls.items[k];
            if (node->is_private || declared_name(node, &c->symbols).len == 0) continue;
            Str line = line_of(world, node, out->arena);
            Str said = declared_joined(out->arena, declared_brief(declared_doc(node)));
            strbuf_printf(out, "  %.*s\n", STR_ARG(line));
            if (said.len) strbuf_printf(out, "      %.*s\n", STR_ARG(said));
        }
        return true;
    }
    return false;
}

static void doc_index(World *world, StrBuf *out) {
    const Compile *c = world->compile;
    for (int i = 0; i < c->packages.count; i++) {
        const CheckPackage *package = &c->packages.items[i];
        if (package->internal || package->is_file) continue;
        Str said = declared_brief(heading_of(world, package, out->arena));
        strbuf_printf(out, "%-12.*s %.*s\n", STR_ARG(package->name), STR_ARG(said));
    }
    strbuf_printf(out,
                  "\nworldc doc PACKAGE lists what a package has; worldc doc NAME explains it.\n");
}

/* -- near names -- */

typedef struct Names {
    Arena *arena;
    VEC(Str) items;
} Names;

static void add_names(Names *names, const AstFile *file, const SymbolTable *symbols) {
    for (int i = 0; i < file->decls.count; i++) {
        Str name = declared_name(file->decls.items[i], symbols);
        if (name.len && !file->decls.items[i]->is_private)
            VEC_PUSH(names->arena, &names->items, name);
    }
}

/* The last name of what was asked for is looked for among all. */
static void report_missing(World *world, Rt *rt, Str name) {
    const Compile *c = world->compile;
    DiagList *diags = &world->report.diags;
    Names names = {.arena = rt->arena};
    add_names(&names, c->ast, &c->symbols);
    for (int i = 0; i < c->packages.count; i++) {
        const CheckPackage *package = &c->packages.items[i];
        if (package->internal) continue;
        VEC_PUSH(names.arena, &names.items, package->name);
        add_names(&names, package->ast, &c->symbols);
    }
    Diag *diag = diag_add(diags, DIAG_E_DOC_NAME, (Span){0}, STR_ARG(name));
    Str near = diag_nearest(str_last_name(name), names.items.items, names.items.count);
    if (near.len) diag_help(diags, diag, "did you mean '%.*s'?", STR_ARG(near));
}

/* -- world_doc -- */

typedef struct DocCall {
    const char *name;
    const char **text;
} DocCall;

/* A function of the world's parts: one of the library or of a file is shown as it is written. */
static bool doc_method(World *world, Rt *rt, Str name, StrBuf *out) {
    Tree *object = NULL;
    DiagList silent; /* a generic function is no error here */
    diags_init(&silent, rt->arena, &world->compile->sources);
    const TreeFn *fn = check_find_function(world->compile->checker,
                                           &(CheckAsker){rt->arena, &silent}, name, &object);
    if (fn && object) doc_function(world, fn, out);
    return fn && object;
}

static WorldStatus doc(World *world, Rt *rt, void *args) {
    const DocCall *call = args;
    Str name = str_of(call->name);
    StrBuf out = {.arena = rt->arena};
    if (name.len == 0) doc_index(world, &out);
    bool found = name.len == 0 || doc_method(world, rt, name, &out) ||
                 doc_field(world, name, &out) || doc_class(world, name, &out) ||
                 doc_library(world, name, &out);
    if (!(name.len && doc_package(world, name, &out)) && !found) {
        report_missing(world, rt, name);
        return WORLD_ERROR_NOT_FOUND;
    }
    inspect_hand_out(world, strbuf_take(&out), call->text);
    return WORLD_OK;
}

WorldStatus world_doc(World *world, const char *name, const char **text) {
    if (name == NULL || text == NULL) return WORLD_ERROR_ARGUMENT;
    DocCall call = {name, text};
    return entry_run(world, doc, &call);
}
