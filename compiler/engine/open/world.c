/* Worlds: opening, reloading, closing. */
#include "compiler/engine/open/overlay.h"
#include "compiler/engine/open/recall.h"
#include "runtime/base/watch.h"

/* -- opening -- */

static uint32_t source_limit(const WorldEngine *engine) {
    uint64_t wanted = engine->desc.limits.source_bytes;
    return wanted ? (uint32_t)wanted : DEFAULT_SOURCE_BYTES;
}

static CompileInput input_of(World *world) {
    const WorldEngine *engine = world->engine;
    CompileInput input = {
        .memory = &world->engine->memory,
        .name = world->name,
        .text = world->from_file ? NULL : &world->text,
        .folder = world->desc.folder,
        .data_bytes = engine->desc.limits.data_bytes,
        .samples = engine->desc.limits.grid_samples,
        .file_count = (int)engine->desc.limits.files, /* see engine.c: they fit */
        .stdlib_dir = engine->desc.stdlib_dir,
        .host_count = engine->host_count,
        .limits = {source_limit(engine), (int)engine->desc.limits.nesting},
        .optimize = engine->level,
        .pass_count = world->desc.stop_after ? compile_stage(str_of(world->desc.stop_after)) : 0,
        .only_check = world->desc.only_check,
        .before = world->before,
        .library = world->before ? engine_library(world->engine) : NULL,
        .execute = program_execute,
        .user = world};
    Str *signatures = ARENA_ARRAY(&world->arena, Str, engine->host_count);
    for (int i = 0; i < engine->host_count; i++)
        signatures[i] = engine->hosts[i]->signature;
    input.host_signatures = signatures;
    return input;
}

static RtLimits limits_of(const WorldEngine *engine) {
    const WorldLimits *wanted = &engine->desc.limits;
    return (RtLimits){wanted->list_items ? (int64_t)wanted->list_items : DEFAULT_LIST_ITEMS,
                      wanted->grid_samples ? (int64_t)wanted->grid_samples : DEFAULT_GRID_SAMPLES,
                      wanted->parts ? (int64_t)wanted->parts : DEFAULT_PARTS};
}

/* Recursive: a host's visitor or progress hook may ask the world that called it. */
static void init_lock(pthread_mutex_t *lock) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
}

/* All that needs no further memory; fill_world does the rest. */
static World *world_allocate(WorldEngine *engine, const WorldDesc *desc) {
    Arena arena;
    arena_init(&arena, &engine->memory);
    World *world = ARENA_NEW(&arena, World);
    world->arena = arena;
    world->engine = engine;
    world->desc = *desc;
    world->host = (RtHost){program_run, entry_poll, recall_cell, limits_of(engine)};
    arena_init(&world->scratch, &engine->memory);
    arena_init(&world->dumped, &engine->memory);
    arena_init(&world->views, &engine->memory);
    arena_init(&world->moving, &engine->memory);
    arena_init(&world->edited, &engine->memory);
    arena_init(&world->timed, &engine->memory);
    report_init(&world->report, &engine->memory, NULL);
    init_lock(&world->lock);
    return world;
}

/* What a text became; the two of a reload change places as a whole. */
typedef struct Loaded {
    Compile *compile;
    Program *program;
    OverlayList overlays;
    RtWorld *parts;
    Handles handles;
    GrownPart *grown;
} Loaded;

static Loaded take_loaded(World *world) {
    Loaded loaded = {world->compile, world->program, world->overlays, world->parts,
                     world->handles, world->grown};
    world->compile = NULL;
    world->program = NULL;
    world->overlays = (OverlayList){0};
    world->parts = NULL;
    world->handles = (Handles){0};
    world->grown = NULL;
    return loaded;
}

static void drop_loaded(World *world) {
    Loaded loaded = take_loaded(world);
    for (int i = 0; i < loaded.handles.kept.count; i++)
        rt_value_let_go(loaded.parts, loaded.handles.kept.items[i]);
    if (loaded.parts) rt_world_destroy(loaded.parts);
    overlays_destroy(loaded.overlays.first);
    program_destroy(loaded.program);
    compile_destroy(loaded.compile);
}

static void put_loaded(World *world, Loaded loaded) {
    world->compile = loaded.compile;
    world->program = loaded.program;
    world->overlays = loaded.overlays;
    world->parts = loaded.parts;
    world->handles = loaded.handles;
    world->grown = loaded.grown;
}

static void drop_grids(World *world) {
    for (const GridView *view = world->grids; view; view = view->next)
        rt_value_let_go(world->parts, view->version);
    world->grids = NULL;
}

void world_drop_views(World *world) {
    drop_grids(world);
    world->scene = NULL;
    world->lived = false;
    arena_fini(&world->moving);
    arena_fini(&world->views);
}

void world_has_lived(World *world) {
    world->lived = true;
    drop_grids(world);
    if (world->scene == NULL) arena_fini(&world->views);
}

void world_forget_timings(World *world) {
    memset(&world->timings, 0, sizeof world->timings);
    arena_fini(&world->timed);
}

static void forget_edits(World *world) {
    world->edit_files = NULL;
    world->edits_unsaved = false;
    arena_fini(&world->edited);
}

static void world_free(World *world) {
    world_drop_views(world);
    kept_spoil_all(&world->kept, world->parts);
    forget_edits(world);
    world_forget_timings(world);
    drop_loaded(world);
    kept_fini(&world->kept);
    compile_destroy(world->rejected);
    report_fini(&world->report);
    rt_scratch_fini(&world->spare, &world->engine->memory);
    arena_fini(&world->scratch);
    arena_fini(&world->dumped);
    if (world->source) memory_resize(&world->engine->memory, world->source, strlen(world->source) + 1, 0);
    pthread_mutex_destroy(&world->lock);
    Arena arena = world->arena; /* the World lies in its own arena */
    arena_fini(&arena);
}

/* The world's own field `seed` takes the value of the description. */
static void apply_seed(World *world) {
    if (!world->desc.has_seed) return;
    RtPart *root = rt_world_root(world->parts);
    int field = parts_field(parts_class(world, root), &world->compile->symbols, STR_LIT("seed"));
    if (field < 0 || root->cls->fields[field].slot_types[0] != 'W') return;
    Arena arena;
    Rt rt;
    Slot seed = slot_w(world->desc.seed);
    arena_init(&arena, &world->engine->memory);
    entry_rt(world, &rt, &arena);
    rt_cell_set(&rt, root, field, &seed);
    rt_fini(&rt);
    arena_fini(&arena);
}

static WorldStatus load(World *world) {
    CompileInput input = input_of(world);
    world->compile = compile_create(&input);
    world->report.shown = &world->compile->diags;
    if (world->desc.stop_after && input.pass_count == 0)
        report_stage(&world->compile->diags, world->desc.stop_after);
    bool good = world->report.shown->error_count == 0 && compile_world(world->compile);
    if (!good) return report_status(&world->compile->diags);
    if (world->made == NULL) return WORLD_OK; /* it stops before it can run */
    world->program = world->made;
    world->made = NULL;
    world->parts = rt_world_create(&world->engine->memory, world->program->binding.classes,
                                   world->program->class_count);
    world->handles.generation = atomic_fetch_add(&world->engine->generations, 1) + 1;
    apply_seed(world);
    world->untouched = rt_world_clock(world->parts);
    return WORLD_OK;
}

typedef struct Load {
    World *world;
    Watch watch;
    Rt rt; /* for its clock */
} Load;

static bool load_ends(void *user) {
    Load *loading = user;
    return entry_poll(&loading->rt);
}

/* Why it was left: what was said, or a stop, or memory; which is said now, if there is room. */
static WorldStatus report_left(const Load *loading) {
    const World *world = loading->world;
    WorldStatus status = loading->watch.ended ? WORLD_ERROR_LIMIT : WORLD_ERROR_MEMORY;
    Recover recover;
    if (world->compile == NULL) return status;
    if (diags_failed(&world->compile->diags)) return report_status(&world->compile->diags);
    arena_fini(&world->compile->scratch);
    if (MEMORY_TRY(&recover)) {
        report_ended(world, &world->compile->diags, status, entry_is_late(&loading->rt));
        memory_end_try(&recover);
    }
    return status;
}

static WorldStatus load_guarded(World *world) {
    Load loading = {.world = world};
    Recover recover;
    WorldStatus status;
    world->loading = true;
    world->working = "the text";
    entry_rt(world, &loading.rt, NULL);
    world->asker = &loading.rt;
    loading.watch = (Watch){.ends = load_ends, .user = &loading, .until = loading.rt.until};
    watch_begin(&loading.watch);
    if (MEMORY_TRY(&recover)) {
        status = load(world);
        memory_end_try(&recover);
        watch_end(&loading.watch);
    } else {
        watch_end(&loading.watch);
        status = report_left(&loading);
    }
    program_destroy(world->made); /* it did not get into service */
    world->made = NULL;
    world->working = "";
    world->asker = NULL;
    world->loading = false;
    return status;
}

/* Of what no memory was left for, this alone is said, once its memory is back. */
static void keep_memory_failure(World *world) {
    Report *report = &world->engine->report;
    Recover recover;
    report_clear(report, NULL);
    if (!MEMORY_TRY(&recover)) return;
    report_ended(world, &report->diags, WORLD_ERROR_MEMORY, false);
    memory_end_try(&recover);
}

/* Keeps the texts of a failed open for the engine's diagnostics. */
static void keep_failure(World *world, WorldStatus status) {
    WorldEngine *engine = world->engine;
    compile_destroy(engine->failed);
    engine->failed = NULL;
    if (status == WORLD_ERROR_MEMORY || world->compile == NULL) {
        drop_loaded(world);
        keep_memory_failure(world);
        return;
    }
    engine->failed = world->compile;
    engine->report.shown = &world->compile->diags;
    world->compile = NULL;
}

static void link_world(World *world) {
    WorldEngine *engine = world->engine;
    pthread_mutex_lock(&engine->lock);
    world->next = engine->worlds;
    engine->worlds = world;
    pthread_mutex_unlock(&engine->lock);
}

static WorldStatus open_world(World *world, World **out) {
    WorldStatus status = load_guarded(world);
    bool kept = status == WORLD_ERROR_WORLD && world->desc.keep_on_error;
    if (status == WORLD_OK || kept) {
        link_world(world);
        *out = world;
        return status;
    }
    pthread_mutex_lock(&world->engine->lock);
    keep_failure(world, status);
    pthread_mutex_unlock(&world->engine->lock);
    world_free(world);
    return status;
}

typedef struct Opening {
    WorldEngine *engine;
    const WorldDesc *desc;
    Str name;
    const Str *text;
} Opening;

static Str copy_text(Arena *arena, Str text) {
    return (Str){arena_strndup(arena, text.ptr, text.len), text.len};
}

/* Of a text past the limit nothing is looked at: there need not be as much as was said. */
static Str take_text(World *world, Str text) {
    if (text.len <= source_limit(world->engine)) return copy_text(&world->arena, text);
    char *blank = arena_alloc(&world->arena, text.len);
    memset(blank, ' ', text.len);
    return (Str){blank, text.len};
}

static bool fill_world(World *world, const Opening *opening) {
    Recover recover;
    if (!MEMORY_TRY(&recover)) return false;
    world->name = copy_text(&world->arena, opening->name);
    world->from_file = opening->text == NULL;
    if (opening->text) world->text = take_text(world, *opening->text);
    if (opening->desc->folder)
        world->desc.folder = copy_text(&world->arena, str_of(opening->desc->folder)).ptr;
    memory_end_try(&recover);
    return true;
}

static World *allocate_guarded(const Opening *opening) {
    Recover recover;
    if (!MEMORY_TRY(&recover)) return NULL;
    World *world = world_allocate(opening->engine, opening->desc);
    memory_end_try(&recover);
    return world;
}

static World *make_world(const Opening *opening) {
    World *world = allocate_guarded(opening);
    if (world == NULL || fill_world(world, opening)) return world;
    world_free(world);
    return NULL;
}

WorldStatus world_open_file(WorldEngine *engine, const char *path, const WorldDesc *desc,
                            World **out) {
    if (engine == NULL || path == NULL || desc == NULL || out == NULL) return WORLD_ERROR_ARGUMENT;
    Opening opening = {engine, desc, str_of(path), NULL};
    World *world = make_world(&opening);
    return world ? open_world(world, out) : WORLD_ERROR_MEMORY;
}

WorldStatus world_open_text(WorldEngine *engine, const char *text, size_t length,
                            const WorldDesc *desc, World **out) {
    if (engine == NULL || text == NULL || desc == NULL || out == NULL || length > PTRDIFF_MAX)
        return WORLD_ERROR_ARGUMENT;
    size_t most = (size_t)source_limit(engine);
    Str content = {text, length <= most ? length : most + 1}; /* one too many is refused like any number */
    Opening opening = {engine, desc, str_of(desc->name ? desc->name : "<text>"), &content};
    World *world = make_world(&opening);
    return world ? open_world(world, out) : WORLD_ERROR_MEMORY;
}

/* -- reloading: a second world is made beside the first, and takes its place when it is sound -- */

/* The failed text's diagnostics stay readable until the next reload. */
static void keep_old(World *world, Loaded old) {
    compile_destroy(world->rejected);
    world->rejected = world->compile;
    world->compile = NULL;
    drop_loaded(world); /* what there was memory for */
    put_loaded(world, old);
}

/* What did not change keeps its value, when parts and fields stand where they stood. */
static void recall_from(World *world, const Loaded *old) {
    if (old->program == NULL || recall_is_vain(old->parts) || old->compile->layout != world->compile->layout) return;
    RecallSide side = {old->compile, old->program, old->parts, old->grown};
    recall_values(world, &side);
}

WorldStatus world_reload(World *world) {
    if (world == NULL || host_place(world) == HOST_ON_WORKER) return WORLD_ERROR_ARGUMENT;
    pthread_mutex_lock(&world->lock);
    if (!entry_may_change(world)) {
        pthread_mutex_unlock(&world->lock);
        return WORLD_ERROR_ARGUMENT;
    }
    world_drop_views(world);
    Loaded old = take_loaded(world);
    world->before = old.program ? old.compile : NULL;
    WorldStatus status = load_guarded(world);
    world->before = NULL;
    if (status == WORLD_OK) {
        recall_from(world, &old);
        kept_spoil_all(&world->kept, old.parts); /* what was not recalled */
        world->kept.levels = world->kept.layers = 0;
        Loaded fresh = take_loaded(world);
        put_loaded(world, old);
        drop_loaded(world);
        put_loaded(world, fresh);
        world_forget_timings(world);
        forget_edits(world);
        compile_destroy(world->rejected);
        world->rejected = NULL;
    } else {
        keep_old(world, old);
    }
    pthread_mutex_unlock(&world->lock);
    return status;
}

bool world_stale(World *world) {
    Recover recover;
    if (world == NULL) return false;
    pthread_mutex_lock(&world->lock);
    const Compile *last = world->rejected ? world->rejected : world->compile;
    volatile bool stale = false;
    if (last && MEMORY_TRY(&recover)) {
        stale = compile_is_stale(last);
        memory_end_try(&recover);
    }
    pthread_mutex_unlock(&world->lock);
    return stale;
}

/* -- closing -- */

void world_close(World *world) {
    if (world == NULL) return;
    WorldEngine *engine = world->engine;
    pthread_mutex_lock(&engine->lock);
    for (World **at = &engine->worlds; *at; at = &(*at)->next)
        if (*at == world) {
            *at = world->next;
            break;
        }
    pthread_mutex_unlock(&engine->lock);
    world_free(world);
}
