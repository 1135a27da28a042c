/* A world of an object: opened, asked, closed. What an engine does with a Program, without one (compiler/engine/open,
 * compiler/engine/ask/function.c): the host of its RtWorld finds kernels in the image.
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "compiler/ahead/image.h"
#include "compiler/exec/chunks.h"
#include "runtime/base/clock.h"
#include "runtime/rt/pool.h"

enum { MAX_CALL_SLOTS = 64, BATCH = 64 /* from here on wide kernels */ };

static const uint64_t default_memory = UINT64_C(4) << 30;

/* Loop steps of one call. */
static const int64_t step_limit = 100000000000;

struct WorldAhead {
    Memory memory;
    Arena arena;
    const WorldAheadImage *image;
    RtHost host;
    RtWorld *parts;
    RtPart **selves; /* by answer; NULL: it is no part's */
    RtPool *pool;
    int threads;
    pthread_mutex_t lock; /* of: */
    char error[1024];
};

/* -- running -- */

static void run(Rt *rt, int32_t index, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out) {
    const WorldAhead *world = rt->engine;
    const AheadFunc *func = &world->image->funcs[index];
    bool many = func->many && n >= BATCH && (func->uniform & ~uniform) == 0;
    ChunkRun run = {many ? func->many : func->one, func->params, func->results, many ? world->image->lanes : 1,
                    uniform,                       many ? func->uniform : UINT64_MAX, in, out};
    chunks_run(rt, &run, n);
}

static bool poll(Rt *rt) {
    (void)rt;
    return false;
}

static void begin(WorldAhead *world, Rt *rt, Arena *arena) {
    arena_init(arena, &world->memory);
    rt_init(rt, &world->host, world, arena);
    rt->world = world->parts;
    rt->threads = world->threads;
    rt->pool = world->pool;
    rt->started = rt->polled = clock_seconds();
    rt_steps_set(rt, step_limit);
}

/* -- saying what failed -- */

static const char *message_of(int32_t code) {
    switch (code) {
#define FAULT(NAME, number, message, help)                                                                              \
    case number:                                                                                                       \
        return message;
#include "runtime/base/fault.def"
#undef FAULT
    default:
        return "a fault of the runtime's own";
    }
}

static int line_of(const AheadSource *source, uint32_t place) {
    int line = 0;
    while (line < source->line_count && source->lines[line] <= place)
        line++;
    return line;
}

static WorldAheadStatus tell(WorldAhead *world, const RtFault *fault) {
    const WorldAheadImage *image = world->image;
    bool known = fault->span[0] >= image->authors && fault->span[0] < (uint32_t)image->source_count;
    const AheadSource *source = known ? &image->sources[fault->span[0]] : NULL;
    char place[300] = "";
    if (source && source->line_count)
        snprintf(place, sizeof place, "%.*s:%d: ", STR_ARG(source->name), line_of(source, fault->span[1]));
    pthread_mutex_lock(&world->lock);
    snprintf(world->error, sizeof world->error, "%s%s%s%.*s", place, message_of(fault->code), fault->detail.len ? ": " : "",
             STR_ARG(fault->detail));
    pthread_mutex_unlock(&world->lock);
    return fault->code == RT_FAULT_MEMORY ? WORLD_AHEAD_MEMORY : WORLD_AHEAD_FAULT;
}

/* -- every operation -- */

typedef void (*Body)(WorldAhead *world, Rt *rt, void *args);

static WorldAheadStatus operate(WorldAhead *world, Body body, void *args) {
    Arena arena;
    Rt rt;
    Recover recover;
    begin(world, &rt, &arena);
    if (MEMORY_TRY(&recover)) {
        body(world, &rt, args);
        memory_end_try(&recover);
    } else {
        rt.fault = (RtFault){.code = RT_FAULT_MEMORY};
    }
    WorldAheadStatus status = rt_failed(&rt) ? tell(world, &rt.fault) : WORLD_AHEAD_OK;
    rt_fini(&rt);
    arena_fini(&arena);
    return status;
}

/* -- calls -- */

typedef struct Call {
    const AheadAnswer *answer;
    RtPart *self;
    const Slot *arguments; /* rows */
    Slot *results;         /* rows */
    int64_t n;
    int width, height; /* slots of a row of either */
} Call;

static void read_field(Rt *rt, const Call *call, int64_t n, Slot *const *out) {
    const Slot *value = rt_cell_get(rt, call->self, call->answer->field);
    for (int i = 0; i < call->height; i++)
        for (int64_t e = 0; e < n; e++)
            out[i][e] = value[i];
}

static void run_columns(Rt *rt, const Call *call, int64_t n, const Slot *const *in, Slot *const *out) {
    const Slot *columns[MAX_CALL_SLOTS];
    Slot self = slot_r(call->self);
    int first = call->self != NULL;
    columns[0] = &self;
    for (int i = 0; i < call->width; i++)
        columns[first + i] = in[i];
    run(rt, call->answer->func, n, (uint64_t)first, columns, out);
}

/* Rows [begin, end), as columns and back. */
static void run_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Call *call = user;
    int64_t n = end - begin;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *columns = rt_scratch_push(rt, sizeof *columns * (size_t)(n * (call->width + call->height)));
    const Slot *in[MAX_CALL_SLOTS];
    Slot *out[MAX_CALL_SLOTS];
    for (int i = 0; i < call->width; i++) {
        in[i] = columns + i * n;
        for (int64_t e = 0; e < n; e++)
            columns[i * n + e] = call->arguments[(begin + e) * call->width + i];
    }
    for (int i = 0; i < call->height; i++)
        out[i] = columns + (call->width + i) * n;
    if (call->answer->field >= 0)
        read_field(rt, call, n, out);
    else
        run_columns(rt, call, n, in, out);
    for (int64_t e = 0; e < n; e++)
        for (int i = 0; i < call->height; i++)
            call->results[(begin + e) * call->height + i] = out[i][e];
    rt_scratch_pop(rt, mark);
}

/* The rows are the host's only when all are worked out. */
static void run_call(WorldAhead *world, Rt *rt, void *args) {
    (void)world;
    const Call *call = args;
    Call own = *call;
    size_t bytes;
    if (__builtin_mul_overflow((size_t)call->n, sizeof(Slot) * (size_t)call->height, &bytes)) memory_fail();
    Slot row[MAX_CALL_SLOTS];
    own.results = call->n == 1 ? row : arena_alloc_raw(rt->arena, bytes);
    if (call->n == 1)
        run_rows(rt, &own, 0, 1);
    else
        rt_parallel(rt, call->n, RT_CHUNK, run_rows, &own);
    if (!rt_failed(rt)) memcpy(call->results, own.results, bytes);
}

/* Whether bools and u32 among the arguments are such. */
static bool are_sound(const AheadAnswer *answer, size_t n, const Slot *arguments) {
    size_t width = strlen(answer->arguments);
    if (strpbrk(answer->arguments, "BW") == NULL) return true;
    for (size_t i = 0; i < n * width; i++) {
        char letter = answer->arguments[i % width];
        if ((letter == 'B' && arguments[i].w > 1) || (letter == 'W' && arguments[i].w > UINT32_MAX)) return false;
    }
    return true;
}

WorldAheadStatus world_ahead_call(WorldAhead *world, int function, size_t n, const WorldAheadSlot *arguments,
                                  WorldAheadSlot *results) {
    if (world == NULL || function < 0 || function >= world->image->answer_count) return WORLD_AHEAD_ARGUMENT;
    const AheadAnswer *answer = &world->image->answers[function];
    Call call = {answer,     world->selves[function], (const Slot *)arguments,         (Slot *)results,
                 (int64_t)n, (int)strlen(answer->arguments), (int)strlen(answer->results)};
    bool missing = n && ((call.width && !arguments) || (call.height && !results));
    if (missing || n > INT64_MAX / MAX_CALL_SLOTS || !are_sound(answer, n, call.arguments)) return WORLD_AHEAD_ARGUMENT;
    return n ? operate(world, run_call, &call) : WORLD_AHEAD_OK;
}

const char *world_ahead_error(const WorldAhead *world) {
    return world ? world->error : "";
}

/* -- opening -- */

static bool runs_here(const WorldAheadImage *image) {
#ifdef __x86_64__
    __builtin_cpu_init();
    switch ((AheadNeeds)image->needs) {
    case AHEAD_ANY:
        return true;
    case AHEAD_SSE4_1:
        return __builtin_cpu_supports("sse4.1");
    case AHEAD_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    case AHEAD_AVX512:
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    }
    return false;
#else
    return image->needs == AHEAD_ANY;
#endif
}

static RtPart *part_at(Rt *rt, const int32_t *path, int depth) {
    RtPart *part = rt_world_root(rt->world);
    for (int i = 0; part && i < depth; i++)
        part = rt_part_child(rt, part, path[i]);
    return part;
}

/* The seed, the grids that lie in the object, and whose functions are asked. */
static void settle(WorldAhead *world, Rt *rt, void *args) {
    const WorldAheadImage *image = world->image;
    const WorldAheadDesc *desc = args;
    Slot seed = slot_w(desc->has_seed ? desc->seed : image->seed);
    if (desc->has_seed || image->has_seed) rt_cell_set(rt, rt_world_root(world->parts), image->seed_field, &seed);
    for (int i = 0; i < image->grid_count && !rt_failed(rt); i++) {
        const AheadGrid *grid = &image->grids[i];
        Slot slot = slot_r(grid->grid);
        rt_cell_set(rt, part_at(rt, grid->path, grid->depth), grid->field, &slot);
    }
    world->selves = ARENA_ARRAY(&world->arena, RtPart *, image->answer_count + 1);
    for (int i = 0; i < image->answer_count && !rt_failed(rt); i++)
        if (image->answers[i].depth >= 0) world->selves[i] = part_at(rt, image->answers[i].path, image->answers[i].depth);
}

static WorldAhead *allocate(const WorldAheadImage *image, const WorldAheadDesc *desc) {
    Memory memory;
    size_t limit = (size_t)(desc->memory_bytes ? desc->memory_bytes : default_memory);
    memory_init(&memory, NULL, NULL, limit);
    WorldAhead *world = memory.resize(memory.user, NULL, 0, sizeof *world);
    if (world == NULL) return NULL;
    memset(world, 0, sizeof *world);
    memory_init(&world->memory, NULL, NULL, limit);
    arena_init(&world->arena, &world->memory);
    pthread_mutex_init(&world->lock, NULL);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    world->threads = desc->threads > 0 ? desc->threads : cores > 0 ? (int)cores : 1;
    world->image = image;
    world->host = (RtHost){.run = run, .poll = poll, .limits = image->limits, .authors = image->authors};
    return world;
}

static bool create_parts(WorldAhead *world) {
    Recover recover;
    if (!MEMORY_TRY(&recover)) return false;
    world->pool = rt_pool_create(&world->memory, world->threads);
    world->parts = rt_world_create(&world->memory, world->image->classes, world->image->class_count);
    memory_end_try(&recover);
    return true;
}

/* A seed for a world that has none, or of which grids lie in the object that were made with another. */
static bool takes(const WorldAheadImage *image, const WorldAheadDesc *desc) {
    return !desc->has_seed || (image->seed_field >= 0 && image->grid_count == 0);
}

WorldAheadStatus world_ahead_open(const WorldAheadImage *image, uint64_t key, const WorldAheadDesc *desc,
                                  WorldAhead **out) {
    static const WorldAheadDesc plain;
    if (image == NULL || out == NULL) return WORLD_AHEAD_ARGUMENT;
    if (image->abi != AHEAD_ABI(sizeof) || image->key != key) return WORLD_AHEAD_OTHER;
    if (!runs_here(image)) return WORLD_AHEAD_MACHINE;
    desc = desc ? desc : &plain;
    if (!takes(image, desc) || desc->threads < 0) return WORLD_AHEAD_ARGUMENT;
    WorldAhead *world = allocate(image, desc);
    if (world == NULL) return WORLD_AHEAD_MEMORY;
    WorldAheadStatus status = create_parts(world) ? operate(world, settle, (void *)(uintptr_t)desc) : WORLD_AHEAD_MEMORY;
    if (status != WORLD_AHEAD_OK) {
        world_ahead_close(world);
        return status;
    }
    *out = world;
    return WORLD_AHEAD_OK;
}

void world_ahead_close(WorldAhead *world) {
    if (world == NULL) return;
    if (world->parts) rt_world_destroy(world->parts);
    rt_pool_destroy(world->pool);
    pthread_mutex_destroy(&world->lock);
    arena_fini(&world->arena);
    Memory memory = {.resize = world->memory.resize, .user = world->memory.user};
    memory.resize(memory.user, world, sizeof *world, 0);
}
