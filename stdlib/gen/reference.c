/* LIBRARY.md: what every package that authors see declares, with what its comments say. */

#include "lang/declared.h"
#include "stdlib/gen/gen.h"

static bool is_shown(const GenPackage *package) {
    return strcmp(package->reach, "INTERNAL") != 0;
}

static const char *reach_of(const GenPackage *package) {
    return strcmp(package->reach, "PRELUDE") == 0 ? "everywhere" : "by its name, or after `use`";
}

static void add_contents(const Gen *gen, StrBuf *out) {
    strbuf_printf(out, "| package | known | |\n|---|---|---|\n");
    for (int i = 0; i < gen->packages.count; i++) {
        const GenPackage *package = &gen->packages.items[i];
        if (!is_shown(package)) continue;
        Str said = declared_brief(declared_heading(gen->arena, gen_file(gen, package, 0)->text));
        strbuf_printf(out, "| [%s](#%s) | %s | %.*s |\n", package->name, package->name,
                      reach_of(package), STR_ARG(said));
    }
}

static void add_said(const Gen *gen, StrBuf *out, const char *indent, Str code, Str doc) {
    Str said = declared_joined(gen->arena, doc);
    strbuf_printf(out, "%s- `%.*s`%s%.*s\n", indent, STR_ARG(code), said.len ? ": " : "",
                  STR_ARG(said));
}

static void add_members(const Gen *gen, StrBuf *out, const AstList *members) {
    for (int i = 0; i < members->count; i++) {
        const AstNode *member = members->items[i];
        if (declared_name(member, &gen->symbols).len && !member->is_private)
            add_said(gen, out, "  ", declared_line(gen->arena, &gen->sources, member),
                     declared_doc(member));
    }
}

static void add_declaration(const Gen *gen, StrBuf *out, const AstNode *node) {
    if (node->is_private || declared_name(node, &gen->symbols).len == 0) return;
    add_said(gen, out, "", declared_line(gen->arena, &gen->sources, node), declared_doc(node));
    if (node->kind == AST_PART) add_members(gen, out, &node->part.body);
    if (node->kind == AST_CONTRACT) add_members(gen, out, &node->contract.fns);
    if (node->kind != AST_RECORD) return;
    for (int i = 0; i < node->record.fields.count; i++) {
        const AstParam *field = &node->record.fields.items[i];
        if (field->doc.len)
            add_said(gen, out, "  ", symbols_name(&gen->symbols, field->name.symbol), field->doc);
    }
}

Str gen_write_reference(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    strbuf_printf(&out, "# The standard library\n\n"
                        "What every package declares, made from the declarations themselves "
                        "(stdlib/NAME) by the build: "
                        "`ninja -C build\nlibrary-reference` writes this file anew. `worldc doc` "
                        "shows the same.\n\n");
    add_contents(gen, &out);
    for (int i = 0; i < gen->packages.count; i++) {
        const GenPackage *package = &gen->packages.items[i];
        if (!is_shown(package)) continue;
        strbuf_printf(&out, "\n## %s\n\n%.*s\n\n", package->name,
                      STR_ARG(declared_heading(gen->arena, gen_file(gen, package, 0)->text)));
        for (int k = 0; k < package->ast->decls.count; k++)
            add_declaration(gen, &out, package->ast->decls.items[k]);
    }
    return strbuf_take(&out);
}
