#include "runtime/base/module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void module_program_folder(char *out, size_t size) {
    ssize_t length = readlink("/proc/self/exe", out, size - 1);
    while (length > 0 && out[length - 1] != '/')
        length--;
    if (length > 0)
        out[length] = '\0';
    else
        snprintf(out, size, "./");
}

/* The directory of the file that this code was loaded from, with its slash. A program that was found by the system's search is told without
 * where. */
static Str own_directory(Arena *arena) {
    Dl_info info;
    const char *slash = NULL;
    char program[4096];
    if (dladdr((void *)(uintptr_t)&module_open, &info) && info.dli_fname)
        slash = strrchr(info.dli_fname, '/');
    if (slash) return str_printf(arena, "%.*s", (int)(slash + 1 - info.dli_fname), info.dli_fname);
    module_program_folder(program, sizeof program);
    return str_printf(arena, "%s", program);
}

static void *open_first(const char *const *places, int count, const char **reason) {
    void *library = NULL;
    for (int i = 0; i < count && !library; i++)
        library = dlopen(places[i], RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) *reason = dlerror();
    return library;
}

void *module_open(const Module *module, const char *path, Arena *arena, const char **reason) {
    if (!path) path = getenv(module->variable);
    if (path) return open_first(&path, 1, reason);
    Str own = own_directory(arena);
    const char *places[] = {
        str_printf(arena, "%.*s%s", STR_ARG(own), module->file).ptr,
        str_printf(arena, "%.*s%s/%s", STR_ARG(own), module->folder, module->file).ptr,
        str_printf(arena, "%s/%s", WORLD_LIBDIR, module->file).ptr,
        module->file,
    };
    return open_first(places, 4, reason);
}
