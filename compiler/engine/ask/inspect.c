/* Looking into a world: timings, stages as text, completion. */
#include "compiler/engine/ask/ask.h"

#include <math.h>
#include <stdio.h>

uint64_t world_evaluations(const World *world) {
    if (world == NULL) return 0;
    pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&world->lock;
    pthread_mutex_lock(lock);
    uint64_t count = world->parts ? rt_world_evaluations(world->parts) : 0;
    pthread_mutex_unlock(lock);
    return count;
}

/* Another thread waits, and then nothing is under work. */
double world_progress(const World *world, const char **task) {
    if (task) *task = "";
    if (world == NULL) return -1;
    pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&world->lock;
    pthread_mutex_lock(lock);
    RtTask now = world->task;
    pthread_mutex_unlock(lock);
    if (now.name == NULL) return -1;
    if (task) *task = now.name;
    return now.done;
}

/* -- files -- */

static WorldStatus list_files(World *world, Rt *rt, WorldTable *table, void *args) {
    (void)rt, (void)args;
    const Files *files = &world->compile->files;
    int path = table_column(table, STR_LIT("path"), STR_LIT("text"), WORLD_VALUE_TEXT);
    for (int i = 0; i < files->items.count; i++) {
        const WorldFile *file = files->items.items[i];
        bool own = i == 0, there = own ? world->compile->stamp.exists : file->stamp.exists;
        uint64_t bytes = own ? world->compile->stamp.size : file->stamp.size;
        table_begin_row(table);
        table_put_text(table, path, file->path);
        table_tell_number(table, "bytes", "number", there ? (double)bytes : (double)NAN);
    }
    return WORLD_OK;
}

WorldStatus world_files(World *world, WorldTable **table) {
    return table_look(world, list_files, NULL, table);
}

/* -- timings: the passes, then what the executor did, then what was built -- */

static void add_timing(WorldTable *table, const char *phase, double milliseconds) {
    table_begin_row(table);
    table_tell_text(table, "phase", str_of(phase));
    table_tell_number(table, "milliseconds", "number", milliseconds);
}

/* Of the program and of the questions that are kept. */
static ExecStats machine_code(const World *world) {
    ExecStats stats = exec_stats(world->program->exec);
    for (const Overlay *overlay = world->overlays.first; overlay; overlay = overlay->next)
        if (overlay->exec) exec_stats_add(&stats, exec_stats(overlay->exec));
    return stats;
}

static void add_machine_code(const World *world, WorldTable *table) {
    ExecStats stats = machine_code(world);
    char note[256];
    snprintf(note, sizeof note, "interpreted: %.*s", STR_ARG(stats.reason));
    if (stats.reason.len) add_timing(table, note, 0);
    if (stats.compiled + stats.from_cache == 0) return;
    add_timing(table, "load LLVM", stats.load_ms);
    add_timing(table, "emit", stats.emit_ms);
    add_timing(table, "machine optimize", stats.optimize_ms);
    add_timing(table, "machine code", stats.codegen_ms);
}

static WorldStatus timings(World *world, Rt *rt, WorldTable *table, void *args) {
    (void)rt, (void)args;
    for (int i = 0; i < COMPILE_PASS_COUNT; i++)
        add_timing(table, compile_pass_name((CompilePass)i), world->compile->milliseconds[i]);
    if (world->program) add_machine_code(world, table);
    for (int i = 0; i < world->timings.count; i++)
        add_timing(table, world->timings.items[i].phase, world->timings.items[i].milliseconds);
    return WORLD_OK;
}

WorldStatus world_timings(World *world, WorldTable **table) {
    return table_look(world, timings, NULL, table);
}

static WorldStatus tell_work(World *world, Rt *rt, void *args) {
    (void)rt;
    ExecStats stats = machine_code(world);
    WorldWork work = {.size = sizeof work,
                      .fields = rt_world_evaluations(world->parts),
                      .functions = (uint64_t)stats.compiled,
                      .loaded = (uint64_t)stats.from_cache,
                      .levels = world->kept.levels,
                      .layers = world->kept.layers};
    return entry_fill(args, &work) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

WorldStatus world_work(World *world, WorldWork *work) {
    return world && work ? entry_run(world, tell_work, work) : WORLD_ERROR_ARGUMENT;
}

/* -- dumps -- */

typedef struct TextCall {
    const char *stage, *name;
    const char **text;
} TextCall;

void inspect_hand_out(World *world, Str text, const char **out) {
    Memory *memory = world->dumped.memory;
    Arena fresh;
    arena_init(&fresh, memory);
    *out = arena_strndup(&fresh, text.ptr, text.len);
    arena_fini(&world->dumped);
    world->dumped = fresh;
}

static int find_function(const World *world, Str name) {
    const IrModule *module = world->program->binding.module;
    for (int i = 0; i < module->funcs.count; i++)
        if (str_equal(module->funcs.items[i]->name, name)) return i;
    return -1;
}

static WorldStatus dump_machine_code(World *world, Rt *rt, const TextCall *call, bool assembly) {
    if (world->program == NULL) return WORLD_ERROR_WORLD;
    const IrModule *module = world->program->binding.module;
    int only = call->name ? find_function(world, str_of(call->name)) : -1;
    if (call->name && only < 0) return WORLD_ERROR_NOT_FOUND;
    StrBuf out = {.arena = rt->arena};
    for (int i = 0; i < module->funcs.count; i++) {
        Str error = {0};
        if (call->name && i != only) continue;
        Str text = exec_dump(world->program->exec, i, assembly, rt->arena, &error);
        if (error.len) {
            diag_add(&world->report.diags, DIAG_E_NO_MACHINE_CODE, (Span){0}, STR_ARG(error));
            return WORLD_ERROR_NOT_FOUND;
        }
        strbuf_str(&out, text);
    }
    inspect_hand_out(world, strbuf_take(&out), call->text);
    return WORLD_OK;
}

static WorldStatus dump(World *world, Rt *rt, void *args) {
    const TextCall *call = args;
    Str stage = str_of(call->stage);
    if (compile_stage(stage) == 0) {
        report_stage(&world->report.diags, call->stage);
        return WORLD_ERROR_NOT_FOUND;
    }
    if (str_equal(stage, STR_LIT("llvm")) || str_equal(stage, STR_LIT("asm")))
        return dump_machine_code(world, rt, call, str_equal(stage, STR_LIT("asm")));
    StrBuf out = {.arena = rt->arena};
    if (!compile_dump(world->compile, stage, str_of(call->name ? call->name : ""), &out))
        return WORLD_ERROR_NOT_FOUND;
    inspect_hand_out(world, strbuf_take(&out), call->text);
    return WORLD_OK;
}

static WorldStatus dump_card(World *world, const char *name, const char **text) {
    WorldCard card;
    WorldStatus status = world_card(world, name ? name : "", &card);
    if (status == WORLD_OK) *text = card.text;
    return status;
}

WorldStatus world_dump(World *world, const char *stage, const char *name, const char **text) {
    if (stage == NULL || text == NULL) return WORLD_ERROR_ARGUMENT;
    if (strcmp(stage, "glsl") == 0) return dump_card(world, name, text);
    TextCall call = {stage, name, text};
    return entry_look(world, dump, &call);
}

/* -- completion -- */

typedef struct CompleteCall {
    const char *prefix;
    const char *const **names;
    size_t *count;
} CompleteCall;

/* What stands before the dot may be any expression; its type says what may follow. */
static int complete_value(World *world, Rt *rt, Str prefix, Str **names) {
    Question question = {.text = str_holder_name(prefix)};
    if (question.text.len == 0) return 0;
    WorldStatus status = question_compile(world, &question);
    report_clear(&world->report,
                 &world->compile->sources); /* a line that is not finished is no mistake */
    if (status != WORLD_OK) return 0;
    return check_complete_value(world->compile->checker, question.type, prefix, rt->arena, names);
}

static WorldStatus complete(World *world, Rt *rt, void *args) {
    const CompleteCall *call = args;
    Str *found, prefix = str_of(call->prefix);
    int count = check_complete(world->compile->checker, prefix, rt->arena, &found);
    if (count == 0) count = complete_value(world, rt, prefix, &found);
    arena_fini(&world->scratch);
    const char **names = ARENA_ARRAY(&world->scratch, const char *, count + 1);
    for (int i = 0; i < count; i++)
        names[i] = arena_strndup(&world->scratch, found[i].ptr, found[i].len);
    *call->names = names;
    *call->count = (size_t)count;
    return WORLD_OK;
}

WorldStatus world_complete(World *world, const char *prefix, const char *const **names,
                           size_t *count) {
    if (prefix == NULL || names == NULL || count == NULL) return WORLD_ERROR_ARGUMENT;
    CompleteCall call = {prefix, names, count};
    return entry_run(world, complete, &call);
}
