/* The standard library as the compiler and the engine see it: the embedded text of every package,
 * and the native functions that the texts declare with `extern fn`.
 *
 * Both tables are written by stdlib/gen from the packages themselves, so a builtin is declared in
 * one place.
 */
#ifndef WORLD_STDLIB_STDLIB_H
#define WORLD_STDLIB_STDLIB_H

#include "runtime/base/effect.h"
#include "runtime/rt/rt.h"

/* Who reaches a package's names, and how: see packages.def. */
typedef enum StdlibReach { STDLIB_PRELUDE, STDLIB_BY_NAME, STDLIB_INTERNAL } StdlibReach;

typedef struct StdlibFile {
    const char *path; /* under the library's folder: "noise/noise.world" */
    const char *name; /* how a diagnostic names it: "std/noise.world" */
    const char *text; /* terminated */
} StdlibFile;

typedef struct StdlibPackage {
    const char *name; /* "noise" */
    StdlibReach reach;
    bool out_of_line; /* its functions stay calls in machine code */
    const StdlibFile *files; /* at least one; that of the package's name is the first */
    int file_count;
} StdlibPackage;

typedef struct StdlibExtern {
    const char *name; /* "random.randomStream" */
    RtThunk thunk;
    NativeEffect effect; /* stated, or read off the signature */
    bool takes;          /* its first argument is given to it: it lets go of it, or changes it where nobody else holds it */
} StdlibExtern;

/* All packages, in the order of packages.def: one may use those before it without naming them. */
const StdlibPackage *stdlib_packages(int *count);

/* All native functions, sorted by name. */
const StdlibExtern *stdlib_externs(int *count);

/* By "package.function"; NULL when there is none. */
const StdlibExtern *stdlib_find_extern(Str name);
RtThunk stdlib_find(Str name);

#endif
