/* The prototypes, the thunks and the texts. */
#include "stdlib/gen/gen.h"

#include <stdlib.h>

#include "runtime/base/effect.h"

typedef struct NativeFn {
    const char *package;
    const AstNode *decl;
    Str name, c_name; /* "spine.nearest", "spine_nearest" */
} NativeFn;

typedef struct NativeFns {
    NativeFn *items;
    int count, capacity;
} NativeFns;

static int compare_names(const void *a, const void *b) {
    return str_compare(((const NativeFn *)a)->name, ((const NativeFn *)b)->name);
}

/* Every `extern fn`, sorted by name; two of one name would be one C function, which is an error. */
static NativeFns native_fns(Gen *gen) {
    NativeFns fns = {0};
    for (int p = 0; p < gen->packages.count; p++) {
        const GenPackage *package = &gen->packages.items[p];
        for (int i = 0; i < package->ast->decls.count; i++) {
            const AstNode *decl = package->ast->decls.items[i];
            if (decl->kind != AST_FN || decl->fn.fn_kind != AST_FN_EXTERN) continue;
            Str name = symbols_name(&gen->symbols, decl->fn.name.symbol);
            NativeFn fn = {package->name, decl,
                           str_printf(gen->arena, "%s.%.*s", package->name, STR_ARG(name)),
                           str_printf(gen->arena, "%s_%.*s", package->name, STR_ARG(name))};
            VEC_PUSH(gen->arena, &fns, fn);
        }
    }
    if (fns.count) qsort(fns.items, (size_t)fns.count, sizeof *fns.items, compare_names);
    for (int i = 1; i < fns.count; i++)
        if (str_equal(fns.items[i - 1].name, fns.items[i].name))
            gen_error(gen, fns.items[i].decl->span, "two native functions are called '%.*s'",
                      STR_ARG(fns.items[i].name));
    return fns;
}

/* -- stdlib_externs.h -- */

static void add_prototype(Gen *gen, StrBuf *out, const NativeFn *fn) {
    GenType result = gen_type(gen, fn->decl->fn.result_type);
    bool star = result.text.ptr[result.text.len - 1] == '*';
    strbuf_printf(out, "%.*s%s%.*s(Rt *rt", STR_ARG(result.text), star ? "" : " ",
                  STR_ARG(fn->c_name));
    for (int i = 0; i < fn->decl->fn.params.count; i++) {
        const AstParam *param = &fn->decl->fn.params.items[i];
        if (!param->type)
            gen_error(gen, param->span, "a native function's parameter needs its type");
        GenType type = gen_type(gen, param->type);
        strbuf_printf(out, ", %.*s /* %.*s */", STR_ARG(type.text),
                      STR_ARG(symbols_name(&gen->symbols, param->name.symbol)));
    }
    strbuf_printf(out, ");\n");
}

Str gen_write_header(Gen *gen) {
    StrBuf prototypes = {.arena = gen->arena}, out = {.arena = gen->arena};
    NativeFns fns = native_fns(gen);
    for (int i = 0; i < fns.count; i++)
        add_prototype(gen, &prototypes, &fns.items[i]);
    strbuf_printf(&out, "/* Written by stdlib-gen from the packages: what C implements. */\n"
                        "#ifndef WORLD_STDLIB_EXTERNS_H\n#define WORLD_STDLIB_EXTERNS_H\n\n"
                        "#include \"stdlib/library_layout.h\"\n");
    strbuf_printf(&out, "\n%.*s\n#endif\n", STR_ARG(strbuf_take(&prototypes)));
    return strbuf_take(&out);
}

/* -- stdlib_thunks.c -- */

static void add_argument(StrBuf *out, GenType type, int slot) {
    switch (type.pass) {
    case GEN_F:
        strbuf_printf(out, ", args[%d].f", slot);
        break;
    case GEN_I:
        strbuf_printf(out, ", args[%d].i", slot);
        break;
    case GEN_W:
        strbuf_printf(out, ", (uint32_t)args[%d].w", slot);
        break;
    case GEN_B:
        strbuf_printf(out, ", args[%d].w != 0", slot);
        break;
    case GEN_R:
        strbuf_printf(out, ", args[%d].r", slot);
        break;
    case GEN_STRUCT:
        strbuf_printf(out, ", s%d", slot);
        break;
    case GEN_VOID:
        break;
    }
}

static void add_call(StrBuf *out, GenType result, const char *call) {
    switch (result.pass) {
    case GEN_F:
        strbuf_printf(out, "    results[0] = slot_f(%s);\n", call);
        break;
    case GEN_I:
        strbuf_printf(out, "    results[0] = slot_i(%s);\n", call);
        break;
    case GEN_W:
        strbuf_printf(out, "    results[0] = slot_w(%s);\n", call);
        break;
    case GEN_B:
        strbuf_printf(out, "    results[0] = slot_b(%s);\n", call);
        break;
    case GEN_R:
        strbuf_printf(out, "    results[0] = slot_r(%s);\n", call);
        break;
    case GEN_STRUCT:
        strbuf_printf(out, "    %.*s result = %s;\n    slots_from(results, &result, sizeof result);\n",
                      STR_ARG(result.text), call);
        if (result.refs) strbuf_printf(out, "    slots_settle(results, %.*s_REFS);\n", STR_ARG(result.text));
        break;
    case GEN_VOID:
        strbuf_printf(out, "    %s;\n    (void)results;\n", call);
        break;
    }
}

/* After a fault the code goes on with harmless values: a missing object answers zeros, without a
 * call. */
static void add_thunk(Gen *gen, StrBuf *out, const NativeFn *fn) {
    StrBuf guard = {.arena = gen->arena}, loads = {.arena = gen->arena},
           call = {.arena = gen->arena};
    GenType result = gen_type(gen, fn->decl->fn.result_type);
    strbuf_printf(&call, "%.*s(rt", STR_ARG(fn->c_name));
    int slot = 0;
    for (int i = 0; i < fn->decl->fn.params.count; i++) {
        GenType type = gen_type(gen, fn->decl->fn.params.items[i].type);
        if (type.pass == GEN_STRUCT)
            strbuf_printf(&loads, "    %.*s s%d;\n    memcpy(&s%d, args + %d, sizeof s%d);\n",
                          STR_ARG(type.text), slot, slot, slot, slot);
        if (type.pass == GEN_R && !type.may_be_null)
            strbuf_printf(&guard, "%s!args[%d].r", guard.len ? " || " : "", slot);
        add_argument(&call, type, slot);
        slot += type.slots;
    }
    strbuf_char(&call, ')');
    strbuf_printf(out, "NATIVE worldrt_native_%.*s(Rt *rt, const Slot *args, Slot *results);\n"
                       "void worldrt_native_%.*s(Rt *rt, const Slot *args, Slot *results) {\n",
                  STR_ARG(fn->c_name), STR_ARG(fn->c_name));
    if (slot == 0) strbuf_printf(out, "    (void)args;\n");
    if (guard.len)
        strbuf_printf(out,
                      "    if (%s) {\n        memset(results, 0, %d * sizeof *results);\n"
                      "        return;\n    }\n",
                      guard.ptr, result.slots);
    strbuf_str(out, strbuf_take(&loads));
    add_call(out, result, strbuf_take(&call).ptr);
    strbuf_printf(out, "}\n\n");
}

/* What it states, or what its signature tells. */
static NativeEffect effect_of(Gen *gen, const AstNode *decl) {
    NativeEffect stated = native_effect_named(decl->fn.effect);
    if (stated) return stated;
    bool looks = false, draws = false, makes = gen_type(gen, decl->fn.result_type).refs != 0;
    for (int i = 0; i < decl->fn.params.count; i++) {
        GenType type = gen_type(gen, decl->fn.params.items[i].type);
        makes |= type.has_closure;
        draws |= type.is_stream;
        looks |= type.has_object;
    }
    return draws ? NATIVE_DRAWS : makes ? NATIVE_ALLOCATES : looks ? NATIVE_READS : NATIVE_FAULTS;
}

static const char *const effect_names[] = {
    NULL,
#define EFFECT(NAME, text) "NATIVE_" #NAME,
#include "runtime/base/effect.def"
#undef EFFECT
};

Str gen_write_thunks(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    NativeFns fns = native_fns(gen);
    strbuf_printf(&out,
                  "/* Written by stdlib-gen: slots to C arguments and back. Objects that were compiled ahead of time name\n"
                  " * these functions. */\n"
                  "#define NATIVE __attribute__((visibility(\"default\"))) void\n"
                  "#include \"stdlib/stdlib_externs.h\"\n#include \"stdlib/stdlib_tables.h\"\n\n");
    for (int i = 0; i < fns.count; i++)
        add_thunk(gen, &out, &fns.items[i]);
    strbuf_printf(&out, "const StdlibExtern stdlib_extern_table[] = {\n");
    for (int i = 0; i < fns.count; i++)
        strbuf_printf(&out, "    {\"%.*s\", worldrt_native_%.*s, %s, %s},\n", STR_ARG(fns.items[i].name),
                      STR_ARG(fns.items[i].c_name), effect_names[effect_of(gen, fns.items[i].decl)],
                      fns.items[i].decl->fn.takes.len ? "true" : "false");
    strbuf_printf(&out, "    {0}};\nconst int stdlib_extern_count = %d;\n", fns.count);
    return strbuf_take(&out);
}

/* -- stdlib_sources.c -- */

static void add_literal(StrBuf *out, Str text) {
    strbuf_printf(out, "     \"");
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '\n')
            strbuf_printf(out, "\\n\"\n     \"");
        else if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c < 32 || c > 126 || c == '?')
            strbuf_printf(out, "\\%03o", c);
        else
            strbuf_char(out, (char)c);
    }
    strbuf_printf(out, "\"");
}

Str gen_write_sources(Gen *gen) {
    StrBuf out = {.arena = gen->arena};
    strbuf_printf(&out, "/* Written by stdlib-gen: the packages' texts. */\n"
                        "#include \"stdlib/stdlib_tables.h\"\n\n"
                        "const StdlibPackage stdlib_package_table[] = {\n");
    for (int i = 0; i < gen->packages.count; i++) {
        const GenPackage *package = &gen->packages.items[i];
        strbuf_printf(&out, "    {\"%s\", STDLIB_%s, %s, (const StdlibFile[]){\n", package->name,
                      package->reach, package->out_of_line ? "true" : "false");
        for (int k = 0; k < package->files.count; k++) {
            const char *name = package->names.items[k];
            strbuf_printf(&out, "    {\"%s/%s.world\", \"std/%s%s%s.world\",\n", package->name, name,
                          k ? package->name : "", k ? "/" : "", name);
            add_literal(&out, gen_file(gen, package, k)->text);
            strbuf_printf(&out, "},\n");
        }
        strbuf_printf(&out, "    }, %d},\n", package->files.count);
    }
    strbuf_printf(&out, "};\nconst int stdlib_package_count = %d;\n", gen->packages.count);
    return strbuf_take(&out);
}
