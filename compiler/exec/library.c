#include "compiler/exec/library.h"

#include <dlfcn.h>

#include "runtime/base/module.h"

static const Module module = {"libworld-jit.so", "WORLD_JIT_LIBRARY", "../llvm"};

/* A page's engine has others. */
#pragma weak library_open
#pragma weak library_compiles

bool library_compiles(void) {
    return true;
}

const JitApi *library_open(const char *path, Arena *arena, Str *error) {
    const char *reason;
    void *library = module_open(&module, path, arena, &reason);
    if (!library) {
        *error = str_printf(arena, "no machine code: %s", reason);
        return NULL;
    }
    JitEntryFn entry;
    *(void **)&entry = dlsym(library, "world_jit_entry");
    const JitApi *api = entry ? entry() : NULL;
    if (api && api->abi == JIT_ABI) return api;
    *error = STR_LIT("no machine code: libworld-jit is of another version");
    return NULL;
}
