/* The engine itself: options, defaults, its list of worlds. */
#include "compiler/engine/open/open.h"
#include "runtime/rt/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runtime/file/folder.h"

enum { DEFAULT_LEVEL = 2, MOST_NESTING = 250 }; /* the IR nests 256 deep */

static const uint64_t default_memory = UINT64_C(4) << 30;

const char *world_status_text(WorldStatus status) {
    switch (status) {
    case WORLD_OK:
        return "fine";
    case WORLD_ERROR_WORLD:
        return "the world has errors";
    case WORLD_ERROR_ARGUMENT:
        return "a wrong call";
    case WORLD_ERROR_LIMIT:
        return "a limit was reached, or it was stopped";
    case WORLD_ERROR_MEMORY:
        return "out of memory";
    case WORLD_ERROR_FILE:
        return "a file cannot be read";
    case WORLD_ERROR_NOT_FOUND:
        return "there is no such thing";
    case WORLD_ERROR_STALE:
        return "a handle from before the world was reloaded, or of another world";
    case WORLD_ERROR_INTERNAL:
        return "a fault of the engine's own";
    }
    return "unknown status";
}

void world_version(int *major, int *minor, int *patch) {
    if (major) *major = WORLD_VERSION_MAJOR;
    if (minor) *minor = WORLD_VERSION_MINOR;
    if (patch) *patch = WORLD_VERSION_PATCH;
}

static const char *copy_text(Arena *arena, const char *text) {
    return text ? arena_strndup(arena, text, strlen(text)) : NULL;
}

static uint64_t at_most(uint64_t wanted, uint64_t most) {
    return wanted < most ? wanted : most;
}

/* What is above all that can be counted is as good as the most that can. */
static WorldLimits countable(WorldLimits limits) {
    limits.source_bytes = at_most(limits.source_bytes, UINT32_MAX - 1); /* places are 32 bits */
    limits.data_bytes = at_most(limits.data_bytes, PTRDIFF_MAX);
    limits.list_items = at_most(limits.list_items, INT64_MAX);
    limits.grid_samples = at_most(limits.grid_samples, INT64_MAX);
    limits.parts = (uint32_t)at_most(limits.parts, INT32_MAX);
    limits.files = (uint32_t)at_most(limits.files, INT32_MAX);
    limits.nesting = (uint32_t)at_most(limits.nesting, MOST_NESTING);
    return limits;
}

static void copy_desc(WorldEngine *engine, const WorldEngineDesc *desc) {
    engine->desc = *desc;
    engine->desc.limits = countable(desc->limits);
    engine->desc.processor = copy_text(&engine->arena, desc->processor);
    engine->desc.cache_dir = copy_text(&engine->arena, desc->cache_dir);
    engine->desc.stdlib_dir = copy_text(&engine->arena, desc->stdlib_dir);
    engine->level = desc->optimize ? desc->optimize - 1 : DEFAULT_LEVEL;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    engine->threads = desc->threads > 0 ? desc->threads : cores > 0 ? (int)cores : 1;
}

static const char *exec_text(const WorldEngine *engine) {
    if (engine->desc.exec == WORLD_EXEC_JIT_ALWAYS) return "machine code, always";
    return engine->desc.exec == WORLD_EXEC_INTERPRETER ? "interpreter" : "machine code where it pays";
}

/* A cache that is not used is told. */
static const char *cache_text(WorldEngine *engine) {
    const char *dir = engine->desc.cache_dir, *reason = NULL;
    int folder = dir ? folder_open_ours(dir, false, &reason) : -1;
    if (folder >= 0) close(folder);
    return reason ? str_printf(&engine->arena, "; no code is kept in %s: %s", dir, reason).ptr : "";
}

static bool is_processor(const char *name) {
    static const char *const names[] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0) return true;
    return false;
}

static bool desc_is_sound(const WorldEngineDesc *desc) {
    bool width = desc->width == 0 || desc->width == 1 || desc->width == 2 || desc->width == 4 ||
                 desc->width == 8;
    if (desc->processor && !is_processor(desc->processor)) return false;
    return desc->optimize >= 0 && desc->optimize <= 4 && desc->threads >= 0 && width &&
           (unsigned)desc->exec <= WORLD_EXEC_JIT_ALWAYS && desc->limits.build_seconds >= 0;
}

static WorldEngine *engine_allocate(const WorldEngineDesc *desc) {
    uint64_t limit = desc->limits.memory_bytes ? desc->limits.memory_bytes : default_memory;
    Memory memory;
    memory_init(&memory, desc->allocator.resize, desc->allocator.user, (size_t)limit);
    WorldEngine *engine = memory.resize(memory.user, NULL, 0, sizeof *engine);
    if (engine == NULL) return NULL;
    memset(engine, 0, sizeof *engine);
    memory_init(&engine->memory, memory.resize, memory.user, (size_t)limit);
    arena_init(&engine->arena, &engine->memory);
    engine_hold(engine);
    pthread_mutex_init(&engine->lock, NULL);
    return engine;
}

WorldStatus world_engine_create(const WorldEngineDesc *desc, WorldEngine **out) {
    if (desc == NULL || out == NULL || !desc_is_sound(desc)) return WORLD_ERROR_ARGUMENT;
    WorldEngine *engine = engine_allocate(desc);
    if (engine == NULL) return WORLD_ERROR_MEMORY;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        report_init(&engine->report, &engine->memory, NULL);
        copy_desc(engine, desc);
        engine->pool = rt_pool_create(&engine->memory, engine->threads);
        engine->describe =
            str_printf(&engine->arena, "%s, level %d, %d threads%s", exec_text(engine),
                       engine->level, engine->threads, cache_text(engine));
        memory_end_try(&recover);
    } else {
        world_engine_destroy(engine);
        return WORLD_ERROR_MEMORY;
    }
    *out = engine;
    return WORLD_OK;
}

static Compile *read_library(WorldEngine *engine) {
    static const Str nothing;
    CompileInput input = {.memory = &engine->memory, .name = STR_LIT("<library>"), .text = &nothing, .pass_count = COMPILE_PARSE + 1};
    Compile *volatile library = NULL;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        library = compile_create(&input);
        compile_world(library);
        memory_end_try(&recover);
        return library;
    }
    compile_destroy(library);
    return NULL;
}

const Compile *engine_library(WorldEngine *engine) {
    if (engine->desc.stdlib_dir) return NULL;
    pthread_mutex_lock(&engine->lock);
    if (engine->library == NULL) engine->library = read_library(engine);
    const Compile *library = engine->library;
    pthread_mutex_unlock(&engine->lock);
    return library;
}

void world_engine_destroy(WorldEngine *engine) {
    if (engine == NULL) return;
    while (engine->worlds)
        world_close(engine->worlds);
    rt_pool_destroy(engine->pool);
    compile_destroy(engine->failed);
    compile_destroy(engine->library);
    report_fini(&engine->report);
    arena_fini(&engine->arena);
    pthread_mutex_destroy(&engine->lock);
    engine_release(engine);
}

void engine_hold(WorldEngine *engine) {
    atomic_fetch_add(&engine->holders, 1);
}

void engine_release(WorldEngine *engine) {
    if (atomic_fetch_sub(&engine->holders, 1) > 1) return;
    Memory memory = engine->memory;
    memory.resize(memory.user, engine, sizeof *engine, 0);
}

const char *world_engine_describe(const WorldEngine *engine) {
    return engine ? engine->describe.ptr : "";
}
