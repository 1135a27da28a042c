/* world_edit and world_edit_undo: rows of a log, more or one less; world_edits: what they say. */
#include "compiler/engine/edit/edit.h"

#include <math.h>
#include <stdlib.h>

#include "stdlib/library_names.h"

/* -- a log's new value -- */

typedef struct Row { /* an edit that is to be laid over a layout */
    int log;
    StdEdit edit;
} Row;
typedef VEC(Row) Rows;

typedef struct LogMaking {
    const StdEditLog *before;
    int64_t keep; /* of its rows */
    const Rows *more;
    int log;
} LogMaking;

/* Copies, for the version before ends. */
static RtList *append(Rt *rt, RtList *list, StdEdit edit) {
    edit.id = rt_text(rt, edit.id->text);
    return rt_list_append(rt, list, STD_SHAPE(StdEdit), (const Slot *)(const void *)&edit);
}

static void make_log(Rt *rt, void *user, Slot *slots) {
    const LogMaking *making = user;
    RtList *list = rt_list_create(rt, STD_SHAPE(StdEdit), making->keep + 1);
    for (int64_t i = 0; i < making->keep; i++)
        list = append(rt, list, *(const StdEdit *)(const void *)rt_list_item(making->before->edits, i));
    for (int i = 0; making->more && i < making->more->count; i++)
        if (making->more->items[i].log == making->log)
            list = append(rt, list, making->more->items[i].edit);
    StdEditLog log = {rt_text(rt, making->before->file->text), list};
    memcpy(slots, &log, sizeof log);
}

static WorldStatus set_log(World *world, Rt *rt, LogMaking *making) {
    Slot slots[STD_SLOTS(StdEditLog)];
    RtVersion *version = rt_value_keep(rt, make_log, making, NULL, slots);
    if (version)
        rt_cell_set_kept(rt, rt_world_root(world->parts), making->log, slots, version);
    return entry_fault(world, rt);
}

/* -- what a host asks for -- */

typedef struct EditCall {
    const WorldEdit *edits;
    size_t count;
    const char *layout;
    const char **id;
} EditCall;

static WorldStatus refuse(World *world, DiagId id, const char *what) {
    diag_add(&world->report.diags, id, (Span){0}, what);
    return id == DIAG_E_EDIT_THING || id == DIAG_E_EDIT_LAYOUT ? WORLD_ERROR_NOT_FOUND
                                                               : WORLD_ERROR_ARGUMENT;
}

/* A world without an end publishes what is round one place; what stands elsewhere takes edits as well. */
static bool stands_elsewhere(World *world, Rt *rt, const EditLayout *layout, Str id) {
    if (!parts_is_made_of(world, parts_class(world, layout->part), STR_LIT(STD_worldgen_world))) return false;
    StrBuf text = {.arena = rt->arena};
    rt_part_path(&text, layout->part);
    strbuf_str(&text, STR_LIT("." STD_worldgen_world_has "(\""));
    for (size_t i = 0; i < id.len; i++)
        if (strchr("\"\\\n", id.ptr[i]) == NULL) strbuf_char(&text, id.ptr[i]); /* no id has these */
    strbuf_str(&text, STR_LIT("\")"));
    Question question = {.text = strbuf_take(&text), .asker = layout->part->cls->span};
    return question_compile(world, &question) == WORLD_OK && question_run(world, &question, rt) == WORLD_OK && question.slots[0].w != 0;
}

static bool stands(World *world, Rt *rt, EditLayout *layout, Str id) {
    if (layout->ids == NULL) {
        layout->ids = ARENA_NEW(rt->arena, SymbolTable);
        symbols_init(layout->ids, rt->arena);
        const RtList *list = rt_cell_get(rt, layout->part, layout->field)->r;
        for (int64_t i = 0; i < rt_list_length(list); i++) {
            const StdPlaced *thing = (const void *)rt_list_item(list, i);
            if (thing->id) symbols_intern(layout->ids, thing->id->text);
        }
    }
    return symbols_find(layout->ids, id) != 0 || stands_elsewhere(world, rt, layout, id);
}

/* Of several layouts of one id the first. */
static EditLayout *layout_with(World *world, Rt *rt, const EditLayouts *layouts, Str id) {
    for (int i = 0; i < layouts->count; i++)
        if (stands(world, rt, &layouts->items[i], id)) return &layouts->items[i];
    return NULL;
}

/* Those of one path, or the only one. */
static WorldStatus pick(World *world, Rt *rt, const EditLayouts *layouts, EditLayout **out) {
    StrBuf names = {.arena = rt->arena};
    *out = layouts->items;
    if (layouts->count == 1) return WORLD_OK;
    for (int i = 0; i < layouts->count; i++)
        strbuf_printf(&names, "%s%.*s", i ? ", " : "", STR_ARG(layouts->items[i].path));
    return refuse(world, DIAG_E_EDIT_WHICH, names.ptr);
}

static WorldStatus find_layouts(World *world, Rt *rt, const char *path, EditLayouts *layouts) {
    if (!edit_layouts(world, rt, str_of(path ? path : ""), layouts)) return entry_fault(world, rt);
    if (layouts->count) return WORLD_OK;
    bool one = path && path[0];
    return refuse(world, DIAG_E_EDIT_LAYOUT,
                  one ? str_printf(rt->arena, "'%s' takes no edits", path).ptr : "nothing here takes edits");
}

/* "+7": one more than any number that was given. */
static const RtText *new_id(World *world, Rt *rt, EditLayout *layout, const Rows *rows) {
    const RtList *log = edit_log(world, rt, layout->log)->edits;
    int64_t most = 0;
    for (int64_t i = 0; i < rt_list_length(log) + rows->count; i++) {
        int64_t more = i - rt_list_length(log);
        const StdEdit *edit = more < 0 ? (const void *)rt_list_item(log, i) : &rows->items[more].edit;
        Str given = edit->id->text;
        long long number = given.len < 18 && str_starts(given, STR_LIT("+")) ? strtoll(given.ptr + 1, NULL, 10) : 0;
        if (number > most) most = number;
    }
    Str id;
    do
        id = str_printf(rt->arena, "+%lld", (long long)++most);
    while (stands(world, rt, layout, id));
    return rt_text(rt, id);
}

static StdOptional_double optional(bool has, double value) {
    return (StdOptional_double){.present = has, .value = has ? value : 0};
}

/* What is wrong with an edit's own words, or NULL. */
static const char *mistake(const WorldEdit *edit) {
    bool adds = edit->kind == WORLD_EDIT_ADD;
    if (edit->kind > WORLD_EDIT_ADD) return "a kind that this build does not know";
    if (!adds && (!edit->id || !edit->id[0])) return "no id";
    if (adds && !(edit->design && edit->has_x && edit->has_z)) return "no kind, x and z of what is added";
    if ((edit->has_x && !isfinite(edit->x)) || (edit->has_y && !isfinite(edit->y)) ||
        (edit->has_z && !isfinite(edit->z)))
        return "a place that is no number";
    if (edit->has_turn && !isfinite(edit->turn)) return "a turn that is no number";
    if (edit->has_scale && !(edit->scale > 0 && isfinite(edit->scale))) return "a size that is not above 0";
    if (edit->has_variant && (edit->variant < 0 || edit->variant > INT32_MAX)) return "a variant that is none";
    return NULL;
}

static WorldStatus read_edit(World *world, Rt *rt, const WorldEdit *from, StdEdit *edit) {
    const char *wrong = mistake(from);
    if (wrong) return refuse(world, DIAG_E_EDIT_VALUE, wrong);
    *edit = (StdEdit){.action = (int64_t)from->kind,
                      .x = optional(from->has_x, from->x),
                      .y = optional(from->has_y, from->y),
                      .z = optional(from->has_z, from->z),
                      .turn = optional(from->has_turn, from->turn),
                      .size = optional(from->has_scale, from->scale),
                      .variant = {from->has_variant, from->has_variant ? from->variant : 0}};
    if (from->kind == WORLD_EDIT_REMOVE) *edit = (StdEdit){.action = STD_EDIT_ACTION_REMOVE};
    if (!from->design || from->kind == WORLD_EDIT_REMOVE) return WORLD_OK;
    edit->kind.value = edit_design(world, str_of(from->design));
    edit->kind.present = edit->kind.value != NULL;
    if (edit->kind.present) return WORLD_OK;
    return refuse(world, DIAG_E_EDIT_VALUE,
                  str_printf(rt->arena, "'%s', and there is no such design", from->design).ptr);
}

_Static_assert((int)WORLD_EDIT_REMOVE == (int)STD_EDIT_ACTION_REMOVE && (int)WORLD_EDIT_CHANGE == (int)STD_EDIT_ACTION_CHANGE &&
                   (int)WORLD_EDIT_ADD == (int)STD_EDIT_ACTION_ADD,
               "actions are counted as the library counts them");

/* `all`: the layouts of edits that name none, found once. */
static WorldStatus prepare(World *world, Rt *rt, const WorldEdit *from, EditLayouts *all, Rows *rows) {
    EditLayouts named = {0}, *layouts = from->layout && from->layout[0] ? &named : all;
    EditLayout *layout = NULL;
    Row row = {0};
    WorldStatus status = read_edit(world, rt, from, &row.edit);
    if (status == WORLD_OK && layouts->count == 0) status = find_layouts(world, rt, from->layout, layouts);
    if (status != WORLD_OK) return status;
    if (from->kind == WORLD_EDIT_ADD) {
        status = pick(world, rt, layouts, &layout);
        if (status == WORLD_OK) row.edit.id = new_id(world, rt, layout, rows);
    } else {
        layout = layout_with(world, rt, layouts, str_of(from->id));
        if (!layout) return refuse(world, DIAG_E_EDIT_THING, from->id);
        row.edit.id = rt_text(rt, str_of(from->id));
    }
    if (status != WORLD_OK) return status;
    row.log = layout->log;
    VEC_PUSH(rt->arena, rows, row);
    return entry_fault(world, rt);
}

/* A file's text gets the lines that its log gets. */
static WorldStatus apply_to(World *world, Rt *rt, const Rows *rows, int log) {
    EditFile *file = edit_file(world, rt, log);
    if (file == NULL) return entry_fault(world, rt);
    const StdEditLog *before = edit_log(world, rt, log);
    int64_t count = rt_list_length(before->edits), more = 0;
    for (int i = 0; i < rows->count; i++)
        if (rows->items[i].log == log)
            edit_add_line(world, file, count + more++, &rows->items[i].edit);
    LogMaking making = {before, count, rows, log};
    WorldStatus status = set_log(world, rt, &making);
    if (status == WORLD_OK) file->changed = world->edits_unsaved = true;
    return status;
}

static bool is_first(const Rows *rows, int row) {
    for (int i = 0; i < row; i++)
        if (rows->items[i].log == rows->items[row].log) return false;
    return true;
}

static WorldStatus apply(World *world, Rt *rt, void *args) {
    const EditCall *call = args;
    Rows rows = {0};
    EditLayouts all = {0};
    WorldStatus status = WORLD_OK;
    const char *at = (const char *)call->edits;
    size_t size = call->count ? call->edits->size : 0;
    for (size_t i = 0; i < call->count && status == WORLD_OK; i++, at += size) {
        WorldEdit edit = {.size = sizeof edit};
        memcpy((char *)&edit + sizeof size, at + sizeof size, (size < sizeof edit ? size : sizeof edit) - sizeof size);
        status = prepare(world, rt, &edit, &all, &rows);
    }
    for (int i = 0; i < rows.count && status == WORLD_OK; i++)
        if (is_first(&rows, i)) status = apply_to(world, rt, &rows, rows.items[i].log);
    if (status != WORLD_OK || rows.count == 0) return status;
    world_drop_views(world);
    Str id = rows.items[rows.count - 1].edit.id->text;
    if (call->id) *call->id = arena_strndup(&world->edited, id.ptr, id.len);
    return WORLD_OK;
}

WorldStatus world_edit(World *world, const WorldEdit *edits, size_t count, const char **id) {
    if (count && (edits == NULL || edits->size <= sizeof edits->size)) return WORLD_ERROR_ARGUMENT;
    EditCall call = {.edits = edits, .count = count, .id = id};
    return entry_change(world, apply, &call);
}

/* -- undoing -- */

static WorldStatus undo(World *world, Rt *rt, void *args) {
    const EditCall *call = args;
    EditLayouts layouts = {0};
    EditLayout *layout;
    WorldStatus status = find_layouts(world, rt, call->layout, &layouts);
    if (status == WORLD_OK) status = pick(world, rt, &layouts, &layout);
    if (status != WORLD_OK) return status;
    EditFile *file = edit_file(world, rt, layout->log);
    if (file == NULL) return entry_fault(world, rt);
    const StdEditLog *before = edit_log(world, rt, layout->log);
    if (rt_list_length(before->edits) == 0) return refuse(world, DIAG_E_EDIT_UNDO, file->path.ptr);
    LogMaking making = {before, rt_list_length(before->edits) - 1, NULL, layout->log};
    status = set_log(world, rt, &making);
    if (status != WORLD_OK) return status;
    file->changed = world->edits_unsaved = true;
    world_drop_views(world);
    return WORLD_OK;
}

WorldStatus world_edit_undo(World *world, const char *layout) {
    EditCall call = {.layout = layout};
    return entry_change(world, undo, &call);
}

/* -- looking -- */

static void tell(WorldTable *table, const EditLayout *layout, Str file, const StdEdit *edit) {
    static const char *const actions[] = {"remove", "change", "add"};
    table_begin_row(table);
    table_tell_text(table, "path", layout->path);
    table_tell_text(table, "file", file);
    table_tell_text(table, "edit", str_of(actions[edit->action]));
    table_tell_text(table, "id", edit->id->text);
    table_tell_text(table, "kind", edit->kind.present ? edit->kind.value->name : (Str){0});
    table_tell_int(table, "variant", edit->variant.present ? edit->variant.value : RT_EMPTY);
    table_tell_number(table, "x", "meters", edit->x.present ? edit->x.value : NAN);
    table_tell_number(table, "y", "meters", edit->y.present ? edit->y.value : NAN);
    table_tell_number(table, "z", "meters", edit->z.present ? edit->z.value : NAN);
    table_tell_number(table, "turn", "degrees", edit->turn.present ? edit->turn.value : NAN);
    table_tell_number(table, "size", "number", edit->size.present ? edit->size.value : NAN);
}

static WorldStatus list_edits(World *world, Rt *rt, WorldTable *table, void *args) {
    EditLayouts layouts = {0};
    WorldStatus status = find_layouts(world, rt, args, &layouts);
    for (int i = 0; i < layouts.count; i++) {
        const StdEditLog *log = edit_log(world, rt, layouts.items[i].log);
        for (int64_t k = 0; k < rt_list_length(log->edits); k++)
            tell(table, &layouts.items[i], log->file->text, (const void *)rt_list_item(log->edits, k));
    }
    return status == WORLD_OK ? entry_fault(world, rt) : status;
}

WorldStatus world_edits(World *world, const char *layout, WorldTable **table) {
    return table_entry(world, list_edits, (void *)(uintptr_t)layout, table);
}
