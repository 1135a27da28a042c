/* A text as it is written, without a world. */
#include "compiler/engine/open/open.h"
#include "lang/format.h"

static WorldStatus format_text(WorldEngine *engine, const char *name, Str text, const char **formatted) {
    Report *report = &engine->report;
    SourceSet *sources = ARENA_NEW(&report->arena, SourceSet);
    sources_init(sources, &report->arena);
    report->diags.sources = sources;
    uint32_t file = sources_add(sources, str_of(name ? name : "<text>"), text);
    Str out = format_file(&report->arena, &report->diags, file);
    *formatted = out.ptr ? out.ptr : "";
    return report_status(&report->diags);
}

static WorldStatus format_guarded(WorldEngine *engine, const char *name, Str text, const char **formatted) {
    Recover recover;
    report_clear(&engine->report, NULL);
    if (!MEMORY_TRY(&recover)) {
        report_clear(&engine->report, NULL);
        return WORLD_ERROR_MEMORY;
    }
    WorldStatus status = format_text(engine, name, text, formatted);
    memory_end_try(&recover);
    return status;
}

WorldStatus world_format(WorldEngine *engine, const char *name, const char *text, size_t length, const char **formatted) {
    if (engine == NULL || formatted == NULL || (text == NULL && length > 0) || length > ENGINE_TEXT_MOST)
        return WORLD_ERROR_ARGUMENT;
    pthread_mutex_lock(&engine->lock);
    WorldStatus status = format_guarded(engine, name, (Str){text ? text : "", length}, formatted);
    pthread_mutex_unlock(&engine->lock);
    return status;
}
