#include "runtime/export/export.h"

#include <stdio.h>

#include "runtime/export/gltf.h"
#include "runtime/export/heights.h"

static Str ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    return str_of(dot ? dot : "");
}

bool export_takes_scene(const char *path) {
    Str ending = ending_of(path);
    return str_equal(ending, STR_LIT(".glb")) || str_equal(ending, STR_LIT(".gltf"));
}

bool export_takes_land(const char *path) {
    Str ending = ending_of(path);
    HeightFormat format;
    return export_takes_scene(path) || (ending.len == 4 && heights_find_format(ending, &format));
}

static bool write_heights(Arena *arena, const RtGrid *grid, const char *path,
                          const LandExport *land, Str *said) {
    HeightExport how = {.size = land->size,
                        .tile = land->tile,
                        .has_range = land->has_range,
                        .alone = land->alone,
                        .low = land->low,
                        .high = land->high};
    HeightReport report;
    heights_find_format(ending_of(path), &how.format);
    if (!heights_export(arena, grid, path, &how, &report, said)) return false;
    *said = heights_describe(arena, &report);
    if (grid->finer && how.size == 0)
        *said = str_printf(arena, "%.*s; of refined squares the corners alone: --size %d keeps all", STR_ARG(*said),
                           (grid->columns > grid->rows ? grid->columns - 1 : grid->rows - 1) * grid->finer + 1);
    return true;
}

/* As a world in which there is nothing else. */
static bool write_mesh(Arena *arena, const RtGrid *grid, const char *path, const LandExport *land,
                       Str *said) {
    const RtGrid *written;
    double worst = 0;
    GltfReport report;
    if (land->tile || land->has_range) {
        *said = str_printf(arena, "%s: only images have tiles or a scale", path);
        return false;
    }
    if (!heights_resample(arena, grid, land->size, &written, &worst, said)) return false;
    WorldScene scene = {.land = {.columns = written->columns,
                                 .rows = written->rows,
                                 .cell = written->cell,
                                 .x0 = written->x0,
                                 .z0 = written->z0,
                                 .heights = written->heights,
                                 .finer = written->finer,
                                 .tail = (size_t)written->tail},
                        .land_transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    if (!gltf_write(arena, path, "land", EXPORT_THINGS, &scene, &report, said)) return false;
    *said = str_printf(arena, "%d x %d vertices, exact", (int)written->columns, (int)written->rows);
    if (worst > 0)
        *said = str_printf(arena, "%d x %d vertices, resampled with a worst error of %.3g m",
                           (int)written->columns, (int)written->rows, worst);
    return true;
}

typedef struct Wanted {
    const char *path, *name;
    const LandExport *land;
    SceneForm form;
    const WorldScene *scene; /* NULL: the land */
} Wanted;

static bool write_wanted(Arena *arena, const Wanted *wanted, Str *said) {
    const LandExport *land = wanted->land;
    GltfReport report;
    if (land) {
        RtGrid grid = {.head.kind = RT_GRID,
                       .columns = land->columns,
                       .rows = land->rows,
                       .cell = land->cell,
                       .x0 = land->x0,
                       .z0 = land->z0,
                       .outside = land->outside,
                       .reference = land->reference,
                       .finer = land->finer,
                       .tail = (int64_t)land->tail,
                       .heights = (float *)(uintptr_t)land->heights};
        HeightFormat format; /* what has no ending, as a pipe, is given a mesh */
        return heights_find_format(ending_of(wanted->path), &format)
                   ? write_heights(arena, &grid, wanted->path, land, said)
                   : write_mesh(arena, &grid, wanted->path, land, said);
    }
    if (!gltf_write(arena, wanted->path, wanted->name, wanted->form, wanted->scene, &report, said)) return false;
    *said = str_printf(arena, "%llu nodes, %llu meshes, %llu triangles in them",
                       (unsigned long long)report.nodes, (unsigned long long)report.meshes,
                       (unsigned long long)report.triangles);
    return true;
}

static bool write_kept(const Wanted *wanted, char *said, size_t size) {
    Memory memory;
    Arena arena;
    Recover recover;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    bool good = false;
    if (MEMORY_TRY(&recover)) {
        Str sentence = STR_LIT("");
        good = write_wanted(&arena, wanted, &sentence);
        snprintf(said, size, "%.*s", STR_ARG(sentence));
        memory_end_try(&recover);
    } else {
        good = false;
        snprintf(said, size, "out of memory");
    }
    arena_fini(&arena);
    return good;
}

bool export_land(const char *path, const LandExport *land, char *said, size_t size) {
    return write_kept(&(Wanted){.path = path, .land = land}, said, size);
}

bool export_scene(const char *path, const char *name, SceneForm form, const WorldScene *scene, char *said,
                  size_t size) {
    return write_kept(&(Wanted){.path = path, .name = name, .form = form, .scene = scene}, said, size);
}
