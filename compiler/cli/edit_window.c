#include "compiler/cli/edit_window.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* -- what it is -- */

static void add(EditWindow *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(EditWindow *e, const char *format, ...) {
    size_t length = strlen(e->words);
    va_list args;
    va_start(args, format);
    vsnprintf(e->words + length, sizeof e->words - length, format, args);
    va_end(args);
}

static bool find_row(const WorldTable *table, const char *id, size_t *row) {
    for (*row = 0; *row < world_table_rows(table); ++*row)
        if (strcmp(table_text(table, *row, "id"), id) == 0) return true;
    return false;
}

/* What its rule and the edits say of it. */
static void add_why(EditWindow *e, const Placed *placed) {
    WorldTable *why;
    size_t row;
    if (world_explain(e->cli->world, e->layout, placed->at[0], placed->at[2], 0.001, &why) != WORLD_OK) return;
    if (find_row(why, e->id, &row)) {
        const char *reason = table_text(why, row, "reason");
        double test = table_number(why, row, "test");
        if (reason[0])
            add(e, "\nSTANDS: %s", reason);
        else if (!isnan(test))
            add(e, "\nSTANDS: KEPT, AND CLEAR WITHIN %.2f M", test);
    }
    world_table_destroy(why);
}

static bool takes_edits(const EditWindow *e) {
    WorldTable *edits;
    if (world_edits(e->cli->world, e->layout, &edits) != WORLD_OK) return false;
    world_table_destroy(edits);
    return true;
}

/* What is not in the layout itself came in a chunk. */
static void describe(EditWindow *e, const char *design) {
    WorldTable *table;
    size_t row;
    e->words[0] = '\0';
    if (world_table(e->cli->world, e->layout, &table) != WORLD_OK) return;
    if (find_row(table, e->id, &row)) {
        Placed placed = placed_read(table, row);
        add(e, "%s  %s %lld\nRULE %s AT (%.2f, %.2f)\nSIZE %.2f TURN %.0f DEG", e->id, placed.kind, (long long)placed.variant,
            placed.rule, placed.at[0], placed.at[2], placed.size, placed.turn * degrees);
        if (placed.sink != 0) add(e, " SINK %.2f", placed.sink);
        if (placed.room > 0) add(e, " ROOM %.2f", placed.room);
        add_why(e, &placed);
    } else {
        add(e, "%s  %s", e->id, design);
    }
    world_table_destroy(table);
    add(e, takes_edits(e) ? "\nDELETE, DRAG, CTRL Z" : "\nITS LAYOUT TAKES NO EDITS");
}

static const char *pick(void *user, const WorldThing *thing) {
    EditWindow *e = user;
    snprintf(e->layout, sizeof e->layout, "%s", thing->path);
    snprintf(e->id, sizeof e->id, "%s", thing->id);
    describe(e, thing->design);
    return e->words;
}

/* -- what is done to it -- */

/* Kept at once; what went wrong is shown, and told. */
static const char *finish(EditWindow *e, WorldStatus status, const char *done) {
    WorldDiagnostic first = {.size = sizeof first};
    if (status == WORLD_OK) status = world_edit_save(e->cli->world);
    bool told = world_diagnostic(e->cli->engine, e->cli->world, 0, &first) == WORLD_OK;
    snprintf(e->words, sizeof e->words, "%s", status == WORLD_OK ? done : told ? first.message : world_status_text(status));
    if (status != WORLD_OK) session_report(e->cli, status);
    e->edited = true; /* the scene is another, or is to be looked at again */
    return e->words;
}

static const char *remove_thing(void *user) {
    EditWindow *e = user;
    char done[300];
    WorldEdit edit = {.size = sizeof edit, .kind = WORLD_EDIT_REMOVE, .layout = e->layout, .id = e->id};
    snprintf(done, sizeof done, "REMOVED %s", e->id);
    return finish(e, world_edit(e->cli->world, &edit, 1, NULL), done);
}

typedef struct Holder { /* the part whose field the layout is */
    const char *path;
    size_t length;
    WorldPartInfo info;
    bool found;
} Holder;

static bool find_holder(void *user, const WorldPartInfo *part) {
    Holder *holder = user;
    holder->found = strlen(part->path) == holder->length && strncmp(part->path, holder->path, holder->length) == 0;
    if (holder->found) holder->info = *part;
    return !holder->found;
}

/* A place of the world as the layout counts places; one of a field of the file's own is the same. */
static bool to_layout(const EditWindow *e, const double to[3], double *x, double *z) {
    const char *dot = strrchr(e->layout, '.');
    Holder holder = {.path = e->layout, .length = dot ? (size_t)(dot - e->layout) : 0, .info = {.scale = 1}};
    if (dot && (world_parts(e->cli->world, "", find_holder, &holder) != WORLD_OK || !holder.found)) return false;
    const WorldPartInfo *part = &holder.info;
    double dx = (to[0] - part->at[0]) / part->scale, dz = (to[2] - part->at[2]) / part->scale;
    *x = dx * cos(part->turn) - dz * sin(part->turn);
    *z = dx * sin(part->turn) + dz * cos(part->turn);
    return isfinite(*x) && isfinite(*z);
}

static const char *move_thing(void *user, const double to[3]) {
    EditWindow *e = user;
    WorldEdit edit = {.size = sizeof edit, .kind = WORLD_EDIT_CHANGE, .layout = e->layout, .id = e->id, .has_x = true, .has_z = true};
    if (!to_layout(e, to, &edit.x, &edit.z)) return finish(e, WORLD_ERROR_NOT_FOUND, "");
    edit.x = round(edit.x * 100) / 100; /* centimeters */
    edit.z = round(edit.z * 100) / 100;
    const char *words = finish(e, world_edit(e->cli->world, &edit, 1, NULL), "MOVED");
    if (strcmp(words, "MOVED") == 0) describe(e, "");
    return e->words;
}

/* Of the layout that was touched last; of the only one when none was. */
static const char *undo(void *user) {
    EditWindow *e = user;
    return finish(e, world_edit_undo(e->cli->world, e->layout[0] ? e->layout : NULL), "UNDONE");
}

const ViewEdits edit_window = {pick, remove_thing, move_thing, undo};
