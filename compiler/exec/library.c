/* See library.h. No state is kept: the system's loader knows what is open already. */
#include "compiler/exec/library.h"

#include <dlfcn.h>
#include <stdlib.h>

static const char file_name[] = "libworld-jit.so";

/* The directory of the file that this code was loaded from, with its slash. */
static Str own_directory(Arena *arena) {
    Dl_info info;
    const char *slash = NULL;
    if (dladdr((void *)(uintptr_t)&library_open, &info) && info.dli_fname)
        slash = strrchr(info.dli_fname, '/');
    if (!slash) return STR_LIT("./");
    return str_printf(arena, "%.*s", (int)(slash + 1 - info.dli_fname), info.dli_fname);
}

static void *open_first(const char *const *places, int count) {
    void *library = NULL;
    for (int i = 0; i < count && !library; i++)
        library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    return library;
}

static void *open_library(const char *path, Arena *arena) {
    if (!path) path = getenv("WORLD_JIT_LIBRARY");
    if (path) return open_first(&path, 1);
    const char *places[] = {
        str_printf(arena, "%.*s%s", STR_ARG(own_directory(arena)), file_name).ptr,
        str_printf(arena, "%.*s../llvm/%s", STR_ARG(own_directory(arena)), file_name)
            .ptr, /* not installed yet */
        WORLD_LIBDIR "/libworld-jit.so",
        file_name,
    };
    return open_first(places, 4);
}

const JitApi *library_open(const char *path, Arena *arena, Str *error) {
    void *library = open_library(path, arena);
    if (!library) {
        *error = str_printf(arena, "no machine code: %s", dlerror());
        return NULL;
    }
    JitEntryFn entry;
    *(void **)&entry = dlsym(library, "world_jit_entry");
    const JitApi *api = entry ? entry() : NULL;
    if (api && api->abi == JIT_ABI) return api;
    *error = STR_LIT("no machine code: libworld-jit is of another version");
    return NULL;
}
