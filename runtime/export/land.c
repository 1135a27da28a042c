#include "runtime/export/land.h"

#include <stdio.h>

#include "runtime/export/heights.h"
#include "runtime/export/land_glb.h"

static Str ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return str_of(dot ? dot : "");
}

bool land_export_knows(const char *path) {
    Str ending = ending_of(path);
    HeightFormat format;
    return str_equal(ending, STR_LIT(".glb")) ||
           (ending.len == 4 && heights_find_format(ending, &format));
}

static bool write_heights(Arena *arena, const RtGrid *grid, const char *path,
                          const LandExport *land, Str *said) {
    HeightExport how = {.size = land->size,
                        .tile = land->tile,
                        .has_range = land->has_range,
                        .low = land->low,
                        .high = land->high};
    HeightReport report;
    if (!heights_find_format(ending_of(path), &how.format)) {
        *said = str_printf(arena, "%s: heights go to .r32 .exr .r16 .png or .glb", path);
        return false;
    }
    if (!heights_export(arena, grid, path, &how, &report, said)) return false;
    *said = heights_describe(arena, &report);
    return true;
}

static bool write_land(Arena *arena, const char *path, const LandExport *land, Str *said) {
    RtGrid grid = {.head.kind = RT_GRID,
                   .columns = land->columns,
                   .rows = land->rows,
                   .cell = land->cell,
                   .x0 = land->x0,
                   .z0 = land->z0,
                   .outside = land->outside,
                   .heights = (float *)(uintptr_t)land->heights};
    if (!str_equal(ending_of(path), STR_LIT(".glb")))
        return write_heights(arena, &grid, path, land, said);
    if (land->size || land->tile) {
        *said = str_printf(arena, "%s: only images have a size of their own or tiles", path);
        return false;
    }
    if (!land_glb_write(arena, path, &grid, said)) return false;
    *said = str_printf(arena, "%d x %d vertices, exact", land->columns, land->rows);
    return true;
}

bool land_export(const char *path, const LandExport *land, char *said, size_t size) {
    Memory memory;
    Arena arena;
    Recover recover;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    bool good = false;
    if (MEMORY_TRY(&recover)) {
        Str sentence = STR_LIT("");
        good = write_land(&arena, path, land, &sentence);
        snprintf(said, size, "%.*s", STR_ARG(sentence));
        memory_end_try(&recover);
    } else {
        good = false;
        snprintf(said, size, "out of memory");
    }
    arena_fini(&arena);
    return good;
}
