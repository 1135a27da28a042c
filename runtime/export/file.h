/* Files that are whole or not there: written beside their target under another name, and renamed
 * when all is well. A writer that fails leaves what stood at the target as it was. Errors are
 * sentences, in the arena.
 */
#ifndef WORLD_EXPORT_FILE_H
#define WORLD_EXPORT_FILE_H

#include <stdio.h>

#include "runtime/base/str.h"

typedef struct ExportFile {
    Arena *arena;
    const char *path, *temporary;
    FILE *stream; /* NULL for a library that opens `temporary` itself */
} ExportFile;

bool export_file_open(ExportFile *file, Arena *arena, const char *path, Str *error);
/* Only names it: for libraries that open files themselves. */
void export_file_name(ExportFile *file, Arena *arena, const char *path);
bool export_file_add(ExportFile *file, const void *bytes, size_t count, Str *error);
/* Closes and renames. On failure nothing is left of the new file. */
bool export_file_commit(ExportFile *file, Str *error);
void export_file_abandon(ExportFile *file);

/* All of a file. False with an error; a missing file has `*missing` set and no error. */
bool export_file_read(Arena *arena, const char *path, Str *bytes, bool *missing, Str *error);

#endif
