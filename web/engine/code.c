/* In place of libworld-jit: machine code that came with the page (world_code, compiler/llvm/module_file.h). The browser has compiled the
 * module once (worker.js: Module.code); each Jit has an instance of it, for which names stand for what they do in its program (names.h).
 */
#include <emscripten.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/exec/library.h"
#include "compiler/llvm/names.h"

enum { NAME_ROOM = 4096 };

struct Jit {
    Memory *memory;
    Arena arena;
    EmitProgram program;
    Names names;
    int instance; /* 0: there is none yet */
    void *data;
    int taken;
};

/* The C library's own, which code for 128 bits calls. */
void multiply_wide(void *result, uint64_t a, uint64_t b, uint64_t c, uint64_t d) __asm__("__multi3");

/* Bytes of the module's data, and one more; 0: there is no module. */
EM_JS(int, code_size, (void), {
    if (!Module.code) return 0;
    if (!Module.codes) {
        Module.codes = [null];
        Module.codeKeys = new Set(WebAssembly.Module.exports(Module.code).map(e => e.name));
        Module.codeData = new Uint8Array(WebAssembly.Module.customSections(Module.code, "data")[0]);
    }
    return Module.codeData.length + 1;
});

EM_JS(int, code_has, (const char *key), {
    return Module.codeKeys.has(UTF8ToString(key));
});

/* 0: something that it asks for is not there. */
EM_JS(int, code_open, (void *jit, char *name, int room, void *data), {
    HEAPU8.set(Module.codeData, data);
    const own = { __linear_memory: wasmMemory, __stack_pointer: Module["asm"]["__stack_pointer"],
                  __memory_base: new WebAssembly.Global({ value: "i32" }, data) };
    const env = {}, addresses = {};
    for (const wanted of WebAssembly.Module.imports(Module.code)) {
        if (own[wanted.name]) {
            env[wanted.name] = own[wanted.name];
            continue;
        }
        if (lengthBytesUTF8(wanted.name) >= room) return 0;
        stringToUTF8(wanted.name, name, room);
        const address = _web_code_address(jit, name);
        if (wanted.kind === "function") env[wanted.name] = address ? wasmTable.get(address) : null;
        else addresses[wanted.name] = new WebAssembly.Global({ value: "i32", mutable: true }, address);
    }
    try {
        return Module.codes.push({ exports: new WebAssembly.Instance(Module.code, { env, "GOT.mem": addresses }).exports, taken: [] }) - 1;
    } catch (wrong) {
        console.error(wrong);
        return 0;
    }
});

EM_JS(int, code_kernel, (int instance, const char *key), {
    const code = Module.codes[instance], at = addFunction(code.exports[UTF8ToString(key)]);
    code.taken.push(at);
    Module.kernels = (Module.kernels || 0) + 1;
    return at;
});

EM_JS(void, code_close, (int instance), {
    Module.codes[instance].taken.forEach(removeFunction);
    Module.codes[instance] = null;
});

/* How many kernels the page's worlds have asked for and got: for tests. */
EM_JS(int, code_count, (void), {
    return Module.kernels || 0;
});

EMSCRIPTEN_KEEPALIVE int web_kernels(void) {
    return code_count();
}

EMSCRIPTEN_KEEPALIVE uint32_t web_code_address(struct Jit *jit, const char *name) {
    if (strcmp(name, "__multi3") == 0) return (uint32_t)(uintptr_t)multiply_wide;
    return (uint32_t)names_resolve(&jit->names, str_of(name));
}

static bool open_instance(Jit *jit, Arena *arena) {
    if (jit->taken++) return jit->instance != 0;
    jit->data = memory_resize(jit->memory, NULL, 0, (size_t)code_size());
    jit->instance = code_open(jit, arena_alloc(arena, NAME_ROOM), NAME_ROOM, jit->data);
    return jit->instance != 0;
}

static RtKernel kernel(Jit *jit, int func, JitForm form, bool cached, Arena *arena, Str *error) {
    (void)cached;
    char key[17];
    form.wide = form.wide && jit->program.binding.module->funcs.items[func]->batchable;
    snprintf(key, sizeof key, "%016" PRIx64, facts_key(&jit->program, func, form));
    *error = STR_LIT("the page has no machine code for it");
    if (!code_has(key) || !open_instance(jit, arena)) return NULL;
    return (RtKernel)(uintptr_t)code_kernel(jit->instance, key);
}

static void destroy(Jit *jit) {
    Memory *memory = jit->memory;
    if (jit->instance) code_close(jit->instance);
    if (jit->data) memory_resize(memory, jit->data, (size_t)code_size(), 0);
    arena_fini(&jit->arena);
    memory_resize(memory, jit, sizeof *jit, 0);
}

static Jit *create(Memory *memory, Arena *arena, const JitOptions *options, IrBinding binding, Str *error) {
    (void)arena;
    if (code_size() == 0) {
        *error = STR_LIT("the page came without machine code");
        return NULL;
    }
    Jit *jit = memory_resize(memory, NULL, 0, sizeof *jit);
    *jit = (Jit){.memory = memory, .program = {.binding = binding}};
    arena_init(&jit->arena, memory);
    jit->program.arena = &jit->arena;
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        destroy(jit);
        memory_fail();
    }
    jit->program.facts = ARENA_ARRAY(&jit->arena, FuncFacts, binding.module->funcs.count + 1);
    jit->program.variants = ARENA_ARRAY(&jit->arena, Variant *, binding.module->funcs.count + 1);
    names_init(&jit->names, &jit->program, options->entries);
    memory_end_try(&recover);
    return jit;
}

static int width(const Jit *jit) {
    (void)jit;
    return JIT_WASM_LANES;
}

static Str describe(const Jit *jit, Arena *arena) {
    (void)jit;
    return str_printf(arena, "WebAssembly, %d lanes", JIT_WASM_LANES);
}

static JitStats stats(const Jit *jit) {
    (void)jit;
    return (JitStats){0};
}

static Str no_dump(Jit *jit, int func, JitForm form, bool assembly, Arena *arena, Str *error) {
    (void)jit, (void)func, (void)form, (void)assembly, (void)arena;
    *error = STR_LIT("nothing is compiled in a page");
    return (Str){0};
}

static JitMachine no_machine(Jit *jit, const char *triple, const char *processor, Arena *arena, Str *error) {
    (void)jit, (void)triple, (void)processor, (void)arena;
    *error = STR_LIT("nothing is compiled in a page");
    return (JitMachine){0};
}

static Str no_object(Jit *jit, const JitObject *wish, Arena *arena, Str *error) {
    (void)jit, (void)wish, (void)arena;
    *error = STR_LIT("nothing is compiled in a page");
    return (Str){0};
}

const JitApi *library_open(const char *path, Arena *arena, Str *error) {
    (void)path, (void)arena, (void)error;
    static const JitApi api = {JIT_ABI, create, destroy, width, kernel, no_dump, describe, stats, no_machine, no_object};
    return &api;
}

bool library_compiles(void) {
    return false;
}
