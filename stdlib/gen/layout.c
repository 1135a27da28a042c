/* library_layout.h and library_names.h: what C may know of the packages' declarations by name. */
#include "stdlib/gen/gen.h"

/* -- library_layout.h -- */

static void add_object_types(Gen *gen, StrBuf *out) {
    for (int p = 0; p < gen->packages.count; p++) {
        const AstList *decls = &gen->packages.items[p].ast->decls;
        for (int i = 0; i < decls->count; i++) {
            const AstNode *decl = decls->items[i];
            if (decl->kind != AST_RECORD || !decl->record.is_extern) continue;
            Str name = symbols_name(&gen->symbols, decl->record.name.symbol);
            Str upper = gen_capitalized(gen->arena, name);
            /* The one object whose C name is older than its name in the language. */
            Str known = str_equal(name, STR_LIT("heightGrid")) ? STR_LIT("Grid") : upper;
            strbuf_printf(out, "typedef struct Rt%.*s Rt%.*s;\n", STR_ARG(known), STR_ARG(upper));
        }
    }
}

static void add_structs(Gen *gen, StrBuf *out) {
    for (int i = 0; i < gen->structs.count; i++) {
        GenType made = gen->structs.items[i].type;
        strbuf_printf(out, "\ntypedef struct %.*s {\n%.*s} %.*s;\n", STR_ARG(made.text),
                      STR_ARG(strbuf_take(&gen->structs.items[i].members)), STR_ARG(made.text));
        strbuf_printf(out, "_Static_assert(sizeof(%.*s) == %d * sizeof(Slot), \"slots\");\n",
                      STR_ARG(made.text), made.slots);
        strbuf_printf(out, "#define %.*s_REFS UINT64_C(0x%llx)\n", STR_ARG(made.text),
                      (unsigned long long)made.refs);
    }
}

/* "fineOver" as "FINE_OVER". */
static void add_upper(Gen *gen, StrBuf *out, Symbol symbol) {
    Str name = symbols_name(&gen->symbols, symbol);
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c >= 'A' && c <= 'Z' && i) strbuf_char(out, '_');
        strbuf_char(out, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
}

static void add_constant(Gen *gen, StrBuf *out, Symbol of, Symbol member, Symbol name) {
    strbuf_printf(out, "    STD_");
    add_upper(gen, out, of);
    if (member) strbuf_char(out, '_');
    add_upper(gen, out, member);
    strbuf_char(out, '_');
    add_upper(gen, out, name);
    strbuf_printf(out, ",\n");
}

/* The numbers of a `one of`: STD_EDGE_KIND_SEA. */
static void add_numbers(Gen *gen, StrBuf *out, Symbol of, const AstParams *params) {
    for (int i = 0; i < params->count; i++) {
        const AstParam *param = &params->items[i];
        if (!param->type || param->type->kind != AST_TYPE_ONE_OF) continue;
        const AstNames *names = &param->type->type_one_of.names;
        strbuf_printf(out, "\nenum {\n");
        for (int k = 0; k < names->count; k++)
            add_constant(gen, out, of, param->name.symbol, names->items[k].symbol);
        strbuf_printf(out, "};\n");
    }
}

/* The fields of a part, which come first in every design of it: STD_ANY_PART_TURN. */
static void add_fields(Gen *gen, StrBuf *out, const AstNode *part) {
    Symbol name = part->part.path.items[0].symbol;
    strbuf_printf(out, "\nenum {\n");
    for (int i = 0; i < part->part.body.count; i++) {
        const AstNode *item = part->part.body.items[i];
        if (item->kind == AST_FIELD) add_constant(gen, out, name, 0, item->field.name.symbol);
    }
    strbuf_printf(out, "    STD_");
    add_upper(gen, out, name);
    strbuf_printf(out, "_FIELDS\n};\n");
}

static void add_enums(Gen *gen, StrBuf *out, const AstNode *decl) {
    if (decl->kind == AST_PART) add_fields(gen, out, decl);
    if (decl->kind == AST_RECORD)
        add_numbers(gen, out, decl->record.name.symbol, &decl->record.fields);
    if (decl->kind == AST_FN && decl->fn.fn_kind == AST_FN_EXTERN)
        add_numbers(gen, out, decl->fn.name.symbol, &decl->fn.params);
}

static void each_decl(Gen *gen, StrBuf *out, void (*add)(Gen *, StrBuf *, const AstNode *)) {
    for (int p = 0; p < gen->packages.count; p++)
        for (int i = 0; i < gen->packages.items[p].ast->decls.count; i++)
            add(gen, out, gen->packages.items[p].ast->decls.items[i]);
}

Str gen_write_layout(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    strbuf_printf(
        &out, "/* Written by stdlib-gen from the packages: how records and parts lie in slots, and "
              "what numbers\n * the names of a `one of` have. */\n"
              "#ifndef WORLD_LIBRARY_LAYOUT_H\n#define WORLD_LIBRARY_LAYOUT_H\n\n"
              "#include <stddef.h>\n\n#include \"runtime/geometry/vec3.h\"\n"
              "#include \"runtime/rt/part.h\"\n#include \"runtime/rt/rt.h\"\n\n"
              "/* The first slot of a record's field. */\n"
              "#define STD_SLOT(type, field) ((int)(offsetof(type, field) / sizeof(Slot)))\n"
              "#define STD_SLOTS(type) ((int)(sizeof(type) / sizeof(Slot)))\n"
              "/* The shape of a list of such records. */\n"
              "#define STD_SHAPE(type) ((RtShape){STD_SLOTS(type), type##_REFS})\n\n");
    add_object_types(gen, &out);
    add_structs(gen, &out);
    each_decl(gen, &out, add_enums);
    strbuf_printf(&out, "\n#endif\n");
    return strbuf_take(&out);
}

/* -- library_names.h -- */

typedef struct Names {
    Gen *gen;
    StrBuf *out;
    const char *package;
    Symbol of;
} Names;

static void add_name(const Names *names, Symbol symbol) {
    Str name = symbols_name(&names->gen->symbols, symbol);
    strbuf_printf(names->out, "#define STD_%s_", names->package);
    if (names->of) {
        strbuf_str(names->out, symbols_name(&names->gen->symbols, names->of));
        strbuf_char(names->out, '_');
    }
    strbuf_printf(names->out, "%.*s \"%.*s\"\n", STR_ARG(name), STR_ARG(name));
}

static void add_members(Names *names, Symbol of, const AstParams *params, const AstList *items) {
    add_name(names, of);
    names->of = of;
    for (int i = 0; params && i < params->count; i++)
        add_name(names, params->items[i].name.symbol);
    for (int i = 0; items && i < items->count; i++)
        if (items->items[i]->kind == AST_FN || items->items[i]->kind == AST_FIELD)
            add_name(names, items->items[i]->kind == AST_FN ? items->items[i]->fn.name.symbol
                                                            : items->items[i]->field.name.symbol);
    names->of = 0;
}

static void add_names(Names *names, const AstNode *decl) {
    switch ((int)decl->kind) {
    case AST_FN:
        add_name(names, decl->fn.name.symbol);
        break;
    case AST_FIELD:
        add_name(names, decl->field.name.symbol);
        break;
    case AST_RECORD:
        add_members(names, decl->record.name.symbol, &decl->record.fields, NULL);
        break;
    case AST_CONTRACT:
        add_members(names, decl->contract.name.symbol, NULL, &decl->contract.fns);
        break;
    case AST_PART:
        add_members(names, decl->part.path.items[0].symbol, NULL, &decl->part.body);
        break;
    default:
        break;
    }
}

Str gen_write_names(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    strbuf_printf(
        &out, "/* Written by stdlib-gen from the packages: every name that they declare, so that C "
              "which says one\n * that is gone does not compile. STD_core_textEqual is "
              "\"textEqual\", STD_core \"core\". */\n"
              "#ifndef WORLD_LIBRARY_NAMES_H\n#define WORLD_LIBRARY_NAMES_H\n\n"
              "/* \"core.textEqual\" */\n"
              "#define STD_QUALIFIED(package, name) STD_##package \".\" STD_##package##_##name\n");
    for (int p = 0; p < gen->packages.count; p++) {
        Names names = {gen, &out, gen->packages.items[p].name, 0};
        strbuf_printf(&out, "\n#define STD_%s \"%s\"\n", names.package, names.package);
        for (int i = 0; i < gen->packages.items[p].ast->decls.count; i++)
            add_names(&names, gen->packages.items[p].ast->decls.items[i]);
    }
    strbuf_printf(&out, "\n#endif\n");
    return strbuf_take(&out);
}
