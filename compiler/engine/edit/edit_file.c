/* Files of edits: their lines, as they are read and written. */
#include "compiler/engine/edit/edit.h"

#include <math.h>

#include "compiler/files/json.h"
#include "runtime/file/file.h"

/* -- an edit as a line -- */

static void add_number(StrBuf *out, const char *name, const StdOptional_double *value) {
    if (!value->present) return;
    strbuf_printf(out, ", \"%s\": ", name);
    strbuf_double(out, value->value);
}

/* In degrees where these say it to the bit. */
static void add_turn(StrBuf *out, const StdOptional_double *turn) {
    static const double degree = 0.017453292519943295; /* the language's own */
    if (!turn->present) return;
    double degrees = turn->value / degree, round = nearbyint(degrees * 1e6) / 1e6;
    bool exact = round * degree == turn->value || degrees * degree == turn->value;
    strbuf_printf(out, ", \"turn\": \"");
    strbuf_double(out, !exact ? turn->value : round * degree == turn->value ? round : degrees);
    strbuf_printf(out, exact ? " deg\"" : " rad\"");
}

static Str line_of(Arena *arena, const StdEdit *edit) {
    static const char *const actions[] = {[STD_EDIT_ACTION_REMOVE] = "remove",
                                          [STD_EDIT_ACTION_CHANGE] = "change",
                                          [STD_EDIT_ACTION_ADD] = "add"};
    StrBuf out = {.arena = arena};
    strbuf_printf(&out, "{\"%s\": ", actions[edit->action]);
    print_quoted(&out, edit->id->text);
    if (edit->kind.present) {
        strbuf_printf(&out, ", \"kind\": ");
        print_quoted(&out, edit->kind.value->name);
    }
    if (edit->variant.present)
        strbuf_printf(&out, ", \"variant\": %lld", (long long)edit->variant.value);
    add_number(&out, "x", &edit->x);
    add_number(&out, "y", &edit->y);
    add_number(&out, "z", &edit->z);
    add_turn(&out, &edit->turn);
    add_number(&out, "size", &edit->size);
    strbuf_char(&out, '}');
    return strbuf_take(&out);
}

/* -- reading -- */

static WorldFile *find_source(const World *world, Str path) {
    const Files *files = &world->compile->files;
    for (int i = 1; i < files->items.count; i++)
        if (files->items.items[i]->name.len == 0 && str_equal(files->items.items[i]->path, path))
            return files->items.items[i];
    return NULL;
}

/* The edits of a file that was found sound when the world compiled. */
static void read_lines(World *world, const WorldFile *source, EditFile *file) {
    if (source->source == 0) return;
    SourceSet *sources = &world->compile->sources;
    DiagList silent;
    diags_init(&silent, &world->edited, sources);
    const JsonValue *json = json_read(&world->edited, &silent, source->source);
    const JsonValue *edits = json ? json_member(json, STR_LIT("edits")) : NULL;
    for (int i = 0; edits && i < edits->members.count; i++)
        VEC_PUSH(&world->edited, &file->lines, sources_text(sources, edits->members.items[i].value->span));
}

EditFile *edit_file(World *world, Rt *rt, int log) {
    for (EditFile *file = world->edit_files; file; file = file->next)
        if (file->log == log) return file;
    const StdEditLog *value = edit_log(world, rt, log);
    WorldFile *source = value->file ? find_source(world, value->file->text) : NULL;
    if (source == NULL) return NULL;
    EditFile *file = ARENA_NEW(&world->edited, EditFile);
    file->log = log;
    file->source = source;
    file->path = files_shown(&world->compile->files, &world->edited, source);
    file->stamp = source->stamp;
    read_lines(world, source, file);
    file->next = world->edit_files;
    world->edit_files = file;
    return file;
}

/* What lies past the log's rows was taken back, or did not come to be. */
void edit_add_line(World *world, EditFile *file, int64_t count, const StdEdit *edit) {
    Str line = line_of(&world->edited, edit);
    file->lines.count = (int)count;
    VEC_PUSH(&world->edited, &file->lines, line);
}

/* -- writing: a line an edit -- */

static bool write_lines(const EditFile *file, int64_t count, WholeFile *out) {
    static const char head[] = "{\"version\": 1, \"edits\": [", foot[] = "\n]}\n";
    if (!file_open(out, file->path.ptr)) return false;
    file_add(out, head, sizeof head - 1);
    for (int64_t i = 0; i < count; i++) {
        file_add(out, i ? ",\n  " : "\n  ", i ? 4 : 3);
        file_add(out, file->lines.items[i].ptr, file->lines.items[i].len);
    }
    file_add(out, foot, sizeof foot - 1);
    return file_commit(out);
}

static WorldStatus save_file(World *world, Rt *rt, EditFile *file) {
    FileStamp now = file_stamp(file->path.ptr);
    if (!file_stamp_equal(&now, &file->stamp)) {
        diag_add(&world->report.diags, DIAG_E_EDITS_CHANGED, (Span){0}, STR_ARG(file->path));
        return WORLD_ERROR_FILE;
    }
    WholeFile out;
    if (!write_lines(file, rt_list_length(edit_log(world, rt, file->log)->edits), &out)) {
        diag_add(&world->report.diags, DIAG_E_FILE_WRITE, (Span){0},
                 file_sentence(&out, rt->arena).ptr);
        return WORLD_ERROR_FILE;
    }
    file->changed = false;
    file->stamp = file->source->stamp = file_stamp(file->path.ptr); /* what is loaded says the same */
    return WORLD_OK;
}

static WorldStatus save(World *world, Rt *rt, void *args) {
    (void)args;
    WorldStatus status = WORLD_OK;
    for (EditFile *file = world->edit_files; file; file = file->next) {
        WorldStatus one = file->changed ? save_file(world, rt, file) : WORLD_OK;
        if (status == WORLD_OK) status = one;
    }
    if (status == WORLD_OK) world->edits_unsaved = false;
    return status;
}

WorldStatus world_edit_save(World *world) {
    return entry_run(world, save, NULL);
}
