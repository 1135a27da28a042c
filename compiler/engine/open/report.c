/* Diagnostics as a host sees them, and faults as diagnostics. */
#include <stdio.h>

#include "compiler/engine/open/open.h"

void report_init(Report *report, Memory *memory, SourceSet *sources) {
    arena_init(&report->arena, memory);
    diags_init(&report->diags, &report->arena, sources);
    report->shown = &report->diags;
}

void report_fini(Report *report) {
    arena_fini(&report->arena);
}

void report_clear(Report *report, SourceSet *sources) {
    Memory *memory = report->arena.memory;
    report_fini(report);
    report_init(report, memory, sources);
}

WorldStatus report_status_of(DiagId id) {
    if (id == DIAG_E_LIMIT || id == DIAG_E_FAULT_LIMIT || id == DIAG_E_FAULT_STOPPED) return WORLD_ERROR_LIMIT;
    if (id == DIAG_E_LIMIT_MEMORY || id == DIAG_E_FAULT_MEMORY) return WORLD_ERROR_MEMORY;
    if (id == DIAG_E_NO_MACHINE_CODE || id == DIAG_E_STAGE) return WORLD_ERROR_NOT_FOUND;
    if (id == DIAG_E_FILE_READ) return WORLD_ERROR_FILE;
    return id == DIAG_E_INTERNAL ? WORLD_ERROR_INTERNAL : WORLD_ERROR_WORLD;
}

WorldStatus report_status(const DiagList *diags) {
    for (int i = 0; i < diags->items.count; i++) {
        WorldStatus status = report_status_of(diags->items.items[i]->id);
        if (status != WORLD_ERROR_WORLD) return status;
    }
    return diags->error_count ? WORLD_ERROR_WORLD : WORLD_OK;
}

void report_stage(DiagList *diags, const char *stage) {
    Diag *diag = diag_add(diags, DIAG_E_STAGE, (Span){0}, stage);
    diag_help(diags, diag, "stages are %.*s", STR_ARG(compile_stage_names(diags->arena)));
}

/* -- faults -- */

static DiagId id_of_fault(int32_t code) {
    switch (code) {
#define FAULT(NAME, number, message, help)                                                         \
    case number:                                                                                   \
        return DIAG_E_##NAME;
#include "runtime/base/fault.def"
#undef FAULT
    default:
        return DIAG_E_INTERNAL;
    }
}

enum { PATH_SHOWN = 160 }; /* bytes of a path in a sentence: parts may stand thousands deep */

Str report_path(Arena *arena, const RtPart *part) {
    StrBuf path = {.arena = arena};
    rt_part_path(&path, part);
    Str all = strbuf_take(&path);
    if (all.len <= PATH_SHOWN) return all;
    int half = PATH_SHOWN / 2;
    return str_printf(arena, "%.*s ... %.*s", half, all.ptr, half, all.ptr + all.len - half);
}

/* "while 'land.ground' was being worked out" */
static void note_cell(World *world, Diag *diag, const RtFault *fault) {
    StrBuf path = {.arena = &world->report.arena};
    const RtPart *part = fault->part;
    strbuf_str(&path, report_path(path.arena, part));
    if (fault->field >= part->cls->field_count) {
        diag_note(&world->report.diags, diag, (Span){0},
                  "while the parts of '%.*s' were being made", STR_ARG(strbuf_take(&path)));
        return;
    }
    const RtField *field = &part->cls->fields[fault->field];
    if (path.len && field->name.len) strbuf_char(&path, '.');
    strbuf_str(&path, field->name);
    diag_note(&world->report.diags, diag, (Span){field->span[0], field->span[1], field->span[2]},
              "while '%.*s' was being worked out", STR_ARG(strbuf_take(&path)));
}

/* What the time limit ended says so. */
void report_late(const World *world, DiagList *diags, Diag *diag) {
    char seconds[STR_DOUBLE];
    diag->message = str_printf(diags->arena, "%.*s: the time limit of %s s", STR_ARG(diag->message),
                               str_double(seconds, world->engine->desc.limits.build_seconds).ptr);
    diag->help = STR_LIT("raise it with --time-limit, or ask for less");
}

/* An operation that was left: out of memory, or told to stop and late. */
void report_ended(const World *world, DiagList *diags, WorldStatus status, bool late) {
    if (status == WORLD_ERROR_MEMORY) {
        char limit[32];
        Memory *memory = &world->engine->memory;
        bool starved = atomic_load_explicit(&memory->starved, memory_order_relaxed);
        snprintf(limit, sizeof limit, "limit %zu bytes", memory->limit);
        Diag *diag = diag_add(diags, DIAG_E_LIMIT_MEMORY, (Span){0}, starved ? "the system gives no more" : limit);
        if (starved) diag->help = STR_LIT("ask for less, or let it have more: ulimit -v says how much");
        return;
    }
    Diag *diag = diag_add(diags, DIAG_E_FAULT_STOPPED, (Span){0});
    if (late) report_late(world, diags, diag);
}

Diag *report_fault(World *world, const RtFault *fault) {
    DiagList *diags = &world->report.diags;
    Span span = {fault->span[0], fault->span[1], fault->span[2]};
    DiagId id = id_of_fault(fault->code);
    if (id == DIAG_E_INTERNAL) return diag_add(diags, id, span, STR_ARG(fault->detail));
    Diag *diag = diag_add(diags, id, span);
    if (fault->detail.len)
        diag->message =
            str_printf(diags->arena, "%.*s: %.*s", STR_ARG(diag->message), STR_ARG(fault->detail));
    if (fault->part) note_cell(world, diag, fault);
    return diag;
}

/* -- the public face: under the lock of whose report it is -- */

typedef struct Reading {
    DiagList *list;
    pthread_mutex_t *lock;
} Reading;

static bool begin_reading(Reading *reading, const WorldEngine *engine, const World *world) {
    if (world == NULL && engine == NULL) return false;
    pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)(world ? &world->lock : &engine->lock);
    pthread_mutex_lock(lock);
    *reading = (Reading){.list = world ? world->report.shown : engine->report.shown, .lock = lock};
    return true;
}

static void end_reading(const Reading *reading) {
    pthread_mutex_unlock(reading->lock);
}

size_t world_diagnostic_count(const WorldEngine *engine, const World *world) {
    Reading reading;
    if (!begin_reading(&reading, engine, world)) return 0;
    size_t count = reading.list ? (size_t)reading.list->items.count : 0;
    end_reading(&reading);
    return count;
}

static const char *text_of(DiagList *list, Str text) {
    return arena_strndup(list->arena, text.ptr, text.len);
}

static WorldDiagnostic describe(DiagList *list, const Diag *diag) {
    char code[8];
    diag_code(diag->id, code);
    WorldDiagnostic out = {.size = sizeof out,
                           .id = text_of(list, str_of(code)),
                           .severity = diag->severity == DIAG_ERROR ? WORLD_SEVERITY_ERROR
                                                                    : WORLD_SEVERITY_WARNING,
                           .file = "",
                           .message = text_of(list, diag->message),
                           .help = text_of(list, diag->help)};
    if (diag->span.file == 0) return out;
    SourcePos begin = sources_position(list->sources, diag->span.file, diag->span.start);
    SourcePos end = sources_position(list->sources, diag->span.file, diag->span.end);
    out.file = text_of(list, sources_get(list->sources, diag->span.file)->name);
    out.line = begin.line;
    out.column = begin.column;
    out.end_line = end.line;
    out.end_column = end.column;
    return out;
}

static WorldStatus read_diagnostic(const Reading *reading, size_t index, WorldDiagnostic *out) {
    DiagList *list = reading->list;
    if (list == NULL || index >= (size_t)list->items.count) return WORLD_ERROR_NOT_FOUND;
    Recover recover;
    if (!MEMORY_TRY(&recover)) return WORLD_ERROR_MEMORY;
    WorldDiagnostic full = describe(list, list->items.items[index]);
    memory_end_try(&recover);
    return entry_fill(out, &full) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

WorldStatus world_diagnostic(const WorldEngine *engine, const World *world, size_t index,
                             WorldDiagnostic *diagnostic) {
    Reading reading;
    if (diagnostic == NULL || !begin_reading(&reading, engine, world)) return WORLD_ERROR_ARGUMENT;
    WorldStatus status = read_diagnostic(&reading, index, diagnostic);
    end_reading(&reading);
    return status;
}

/* Of E_LIMIT_MEMORY, where what was found takes more memory to say than is left. */
static const char *no_room_to_say(DiagStyle style) {
    if (style == DIAG_JSON)
        return "[{\"file\": \"\", \"line\": 0, \"column\": 0, \"endLine\": 0, \"endColumn\": 0, \"id\": \"E0602\", \"severity\": \"error\", "
               "\"message\": \"out of memory while it was said what is wrong\", \"help\": \"raise it with --memory, or ask for less\", \"notes\": [], "
               "\"fix\": null}]\n";
    return "error: out of memory while it was said what is wrong [E0602]\n  help: raise it with --memory, or ask for less\n";
}

static const char *render(const Reading *reading, DiagStyle style) {
    Recover recover;
    if (reading->list == NULL) return "";
    if (!MEMORY_TRY(&recover)) return no_room_to_say(style);
    const char *text =
        text_of(reading->list, diags_render(reading->list, style, reading->list->arena));
    memory_end_try(&recover);
    return text;
}

const char *world_diagnostics_text(WorldEngine *engine, World *world, WorldStyle style) {
    static const DiagStyle styles[] = {DIAG_HUMAN, DIAG_HUMAN_COLOR, DIAG_ONE_LINE, DIAG_JSON};
    Reading reading;
    if ((unsigned)style >= sizeof styles / sizeof *styles ||
        !begin_reading(&reading, engine, world))
        return "";
    const char *text = render(&reading, styles[style]);
    end_reading(&reading);
    return text;
}
