/* What the names in machine code stand for; see names.h. */
#include "compiler/llvm/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/hash.h"

void names_init(Names *names, EmitProgram *program, const JitEntry *entries) {
    const IrModule *module = program->binding.module;
    *names = (Names){.program = program, .entries = entries};
    symbols_init(&names->funcs, program->arena);
    for (int i = 0; i < module->funcs.count; i++)
        symbols_intern(&names->funcs, module->funcs.items[i]->name);
}

const IrFunc *names_func(Names *names, Str name) {
    Symbol symbol = symbols_find(&names->funcs, name);
    return symbol ? names->program->binding.module->funcs.items[symbol - 1] : NULL;
}

static bool put_span(const IrIns *ins, void *user) {
    uint32_t **at = user;
    *(*at)++ = ins->span.file;
    *(*at)++ = ins->span.start;
    *(*at)++ = ins->span.end;
    return true;
}

static uint64_t span_table(Names *names, const IrFunc *func) {
    uint32_t *table = ARENA_ARRAY(names->program->arena, uint32_t, 3 * ir_size(ir_run_body(func)) + 3);
    uint32_t *at = table;
    ir_each_ins(ir_run_body(func), put_span, &at);
    return (uintptr_t)table;
}

/* "1f-00c0ffee00c0ffee": a text's length and hash. The length first, for a picture's samples are a text too. */
static uint64_t find_text(const Names *names, Str digits) {
    const IrBinding *binding = &names->program->binding;
    for (int i = 0; i < binding->module->texts.count; i++) {
        Str text = binding->module->texts.items[i];
        char name[40];
        int length = snprintf(name, sizeof name, "%zx-", text.len);
        if (!str_starts(digits, (Str){name, (size_t)length})) continue;
        snprintf(name + length, sizeof name - (size_t)length, "%016" PRIx64,
                 hash_bytes(text.ptr, text.len, 0));
        if (str_equal(digits, str_of(name))) return (uintptr_t)binding->texts[i];
    }
    return 0;
}

static uint64_t find_extern(const Names *names, Str name) {
    const IrBinding *binding = &names->program->binding;
    for (int i = 0; i < binding->module->externs.count; i++)
        if (str_equal(name, binding->module->externs.items[i].name))
            return (uintptr_t)binding->externs[i];
    return 0;
}

static uint64_t find_entry(const Names *names, Str name) {
    static const char *const all[] = {
#define ENTRY(name, result, first, others) #name,
#include "compiler/llvm/entry.def"
#undef ENTRY
    };
    for (int i = 0; i < JIT_ENTRY_COUNT; i++)
        if (str_equal(name, str_of(all[i]))) return (uintptr_t)names->entries[i];
    return 0;
}

static Str after(Str name, size_t prefix) {
    return (Str){name.ptr + prefix, name.len - prefix};
}

/* The address (or number) a name stands for; 0: none. */
uint64_t names_resolve(Names *names, Str name) {
    if (str_starts(name, STR_LIT("extern:"))) return find_extern(names, after(name, 7));
    if (str_starts(name, STR_LIT("text:"))) return find_text(names, after(name, 5));
    if (str_starts(name, STR_LIT("class:")))
        return (uintptr_t)names->program->binding.classes[atoi(name.ptr + 6)];
    if (str_starts(name, STR_LIT("func:"))) {
        const IrFunc *func = names_func(names, after(name, 5));
        return func ? (uint64_t)func->index : 0;
    }
    if (str_starts(name, STR_LIT("spans:"))) {
        const IrFunc *func = names_func(names, after(name, 6));
        return func ? span_table(names, func) : 0;
    }
    if (str_equal(name, STR_LIT("code"))) return (uintptr_t)names->program->binding.code;
    return find_entry(names, name);
}

/* "fn:8m:uvv:land.noise" back to the variant; NULL when it is no such name of this program. */
const Variant *names_variant(Names *names, Str name) {
    const char *at = name.ptr + 3, *end = name.ptr + name.len;
    int width = atoi(at);
    while (at < end && *at >= '0' && *at <= '9')
        at++;
    bool masked = at < end && *at == 'm';
    at += masked;
    const char *flags = at + 1;
    const char *colon = flags < end ? memchr(flags, ':', (size_t)(end - flags)) : NULL;
    if (!colon || width < 1 || width > EMIT_WIDTH_MAX) return NULL;
    const IrFunc *func = names_func(names, (Str){colon + 1, (size_t)(end - colon - 1)});
    if (!func || (width > 1 && colon - flags != func->params.count)) return NULL;
    bool *uniform = ARENA_ARRAY(names->program->arena, bool, func->params.count + 1);
    for (int i = 0; i < func->params.count; i++)
        uniform[i] = width == 1 || flags[i] == 'u';
    return variant_get(names->program, func, width, uniform, masked);
}
