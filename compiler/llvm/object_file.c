#include "compiler/llvm/object_file.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct Maker {
    Unit *unit;
    const JitObject *wish;
    Names *names;
    ObjectShape shape;
    void *user;
    LLVMValueRef image; /* declared */
} Maker;

/* -- the image -- */

static LLVMValueRef place_in_image(const Maker *m, size_t at) {
    LLVMValueRef offset = emit_int(m->unit, (int64_t)at);
    return LLVMConstInBoundsGEP2(LLVMInt8TypeInContext(m->unit->context), m->image, &offset, 1);
}

static LLVMValueRef kernel_of(const Maker *m, const JitPointer *pointer) {
    UnitShape shape = m->shape(m->user, pointer);
    const char *name = kernel_name(m->unit->arena, shape).ptr;
    LLVMValueRef kernel = LLVMGetNamedFunction(m->unit->module, name);
    if (kernel) return kernel;
    if (!emit_unit(m->unit, shape)) return NULL;
    kernel = LLVMGetNamedFunction(m->unit->module, name);
    LLVMSetLinkage(kernel, LLVMInternalLinkage);
    return kernel;
}

static LLVMValueRef bytes_of(const Maker *m, size_t from, size_t to) {
    return LLVMConstStringInContext2(m->unit->context, m->wish->image.ptr + from, to - from, true);
}

/* Bytes, a pointer, bytes, ...: as a packed struct, whose pieces lie where the image has them. */
static bool fill_image(Maker *m) {
    const JitObject *wish = m->wish;
    Arena *arena = m->unit->arena;
    int most = 2 * wish->pointer_count + 1, count = 0;
    LLVMValueRef *pieces = ARENA_ARRAY(arena, LLVMValueRef, most);
    size_t at = 0;
    for (int i = 0; i < wish->pointer_count; i++) {
        const JitPointer *pointer = &wish->pointers[i];
        LLVMValueRef value = pointer->kernel ? kernel_of(m, pointer) : place_in_image(m, (size_t)pointer->to);
        if (value == NULL) return false;
        if (pointer->at > at) pieces[count++] = bytes_of(m, at, pointer->at);
        pieces[count++] = value;
        at = pointer->at + m->unit->can.pointer;
    }
    if (wish->image.len > at) pieces[count++] = bytes_of(m, at, wish->image.len);
    LLVMValueRef value = LLVMConstStructInContext(m->unit->context, pieces, (unsigned)count, true);
    LLVMValueRef global = LLVMAddGlobal(m->unit->module, LLVMTypeOf(value), "image");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, 16);
    LLVMReplaceAllUsesWith(m->image, global);
    LLVMDeleteGlobal(m->image);
    LLVMSetValueName2(global, wish->name, strlen(wish->name));
    m->image = global;
    return true;
}

/* Or kernels alone, under their keys; their names stand for what they do where they are loaded. */
static bool emit_kernels(const Maker *m) {
    for (int i = 0; i < m->wish->pointer_count; i++) {
        const JitPointer *pointer = &m->wish->pointers[i];
        LLVMValueRef kernel = kernel_of(m, pointer);
        if (kernel == NULL) return false;
        Str key = str_printf(m->unit->arena, "%016" PRIx64, facts_key(m->unit->program, (int)pointer->to, pointer->form));
        LLVMSetLinkage(kernel, LLVMExternalLinkage);
        LLVMSetValueName2(kernel, key.ptr, key.len);
    }
    return true;
}

/* -- what names stand for -- */

static LLVMValueRef spans_table(const Maker *m, const IrFunc *func, uint64_t address) {
    Unit *unit = m->unit;
    const uint32_t *spans = (const uint32_t *)(uintptr_t)address;
    int count = 3 * ir_size(ir_run_body(func)) + 3;
    LLVMValueRef *words = ARENA_ARRAY(unit->arena, LLVMValueRef, count);
    for (int i = 0; i < count; i++)
        words[i] = emit_word(unit, spans[i]);
    LLVMValueRef table = LLVMAddGlobal(unit->module, LLVMArrayType2(unit->w, (uint64_t)count), "spans");
    LLVMSetInitializer(table, LLVMConstArray2(unit->w, words, (uint64_t)count));
    LLVMSetGlobalConstant(table, true);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    return table;
}

static LLVMValueRef text_place(const Maker *m, uint64_t address) {
    const IrBinding *binding = &m->unit->program->binding;
    for (int i = 0; i < binding->module->texts.count; i++)
        if ((uintptr_t)binding->texts[i] == address) return place_in_image(m, m->wish->texts[i]);
    return NULL;
}

/* "containers.sort[int]" is the native "containers.sort". */
static LLVMValueRef native_function(const Maker *m, Str name) {
    Unit *unit = m->unit;
    StrBuf symbol = {.arena = unit->arena};
    strbuf_printf(&symbol, "worldrt_native_");
    for (size_t i = 0; i < name.len && name.ptr[i] != '['; i++)
        strbuf_char(&symbol, name.ptr[i] == '.' ? '_' : name.ptr[i]);
    LLVMValueRef fn = LLVMGetNamedFunction(unit->module, symbol.ptr);
    if (fn) return fn;
    LLVMTypeRef params[] = {unit->r, unit->r, unit->r};
    return LLVMAddFunction(unit->module, symbol.ptr, LLVMFunctionType(unit->void_type, params, 3, false));
}

static Str after(Str name, size_t prefix) {
    return (Str){name.ptr + prefix, name.len - prefix};
}

static LLVMValueRef meaning(const Maker *m, Str name) {
    Unit *unit = m->unit;
    if (str_starts(name, STR_LIT("extern:"))) return native_function(m, after(name, 7));
    uint64_t value = names_resolve(m->names, name);
    if (str_starts(name, STR_LIT("text:"))) return text_place(m, value);
    if (str_starts(name, STR_LIT("class:"))) return place_in_image(m, m->wish->classes[strtol(name.ptr + 6, NULL, 10)]);
    if (str_starts(name, STR_LIT("func:"))) return LLVMConstIntToPtr(emit_int(unit, (int64_t)value), unit->r);
    if (str_starts(name, STR_LIT("spans:"))) return spans_table(m, names_func(m->names, after(name, 6)), value);
    return NULL;
}

static bool define_name(const Maker *m, Str name, Str *error) {
    Unit *unit = m->unit;
    if (str_starts(name, STR_LIT("entry_"))) { /* the linker's, under its outward name */
        Str outward = str_printf(unit->arena, "worldrt_%.*s", STR_ARG(name));
        LLVMSetValueName2(LLVMGetNamedFunction(unit->module, name.ptr), outward.ptr, outward.len);
        return true;
    }
    LLVMValueRef symbol = LLVMGetNamedGlobal(unit->module, name.ptr);
    if (symbol == NULL) return true; /* memcpy and the like */
    LLVMValueRef value = meaning(m, name);
    if (value == NULL) {
        *error = str_printf(unit->arena, "machine code asks for '%.*s', which this program has not", STR_ARG(name));
        return false;
    }
    LLVMReplaceAllUsesWith(symbol, value);
    LLVMDeleteGlobal(symbol);
    return true;
}

/* Of what lies in it alone: other programs' tools take a colon for the end of a file's name. */
static void rename_functions(const Unit *unit) {
    for (LLVMValueRef fn = LLVMGetFirstFunction(unit->module); fn; fn = LLVMGetNextFunction(fn)) {
        size_t length;
        const char *name = LLVMGetValueName2(fn, &length);
        char *plain = arena_strndup(unit->arena, name, length);
        for (char *at = plain; (at = strchr(at, ':'));)
            *at = '.';
        if (memcmp(plain, name, length) != 0) LLVMSetValueName2(fn, plain, length);
    }
}

bool object_file_build(Unit *unit, const JitObject *wish, const Target *target, Names *names, ObjectShape shape, void *user,
                       Memory *memory, Arena *arena, Str *error) {
    Maker maker = {unit, wish, names, shape, user, NULL};
    unit->whole = true;
    emit_unit_types(unit);
    if (wish->name) maker.image = LLVMAddGlobal(unit->module, LLVMInt8TypeInContext(unit->context), "image declared");
    if (wish->name ? !fill_image(&maker) : !emit_kernels(&maker)) {
        *error = unit->error;
        return false;
    }
    for (int i = 0; wish->name && i < unit->symbols.count; i++)
        if (!define_name(&maker, unit->symbols.items[i], error)) return false;
    rename_functions(unit);
    return unit_hold(unit, memory, error) && target_optimize(target, unit->module, unit->vectors, arena, error);
}
