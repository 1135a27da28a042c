/* Data of a world as flat arrays: height grids, placed things; and setting a field. Paths are
 * expressions. */
#include "compiler/engine/ask/ask.h"

static WorldStatus ask_path(World *world, Rt *rt, const char *path, Question *question) {
    *question = (Question){.text = str_of(path)};
    WorldStatus status = question_compile(world, question);
    return status == WORLD_OK ? question_run(world, question, rt) : status;
}

/* -- grids -- */

typedef struct GridCall {
    const char *path;
    WorldGridView *view;
} GridCall;

static WorldStatus get_grid(World *world, Rt *rt, void *args) {
    const GridCall *call = args;
    Question question;
    WorldStatus status = ask_path(world, rt, call->path, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_OBJECT) return WORLD_ERROR_NOT_FOUND;
    const RtGrid *grid = question.slots[0].r;
    if (grid == NULL || grid->head.kind != RT_GRID) return WORLD_ERROR_NOT_FOUND;
    *call->view = (WorldGridView){grid->columns, grid->rows,    grid->cell,   grid->x0,
                                  grid->z0,      grid->outside, grid->heights};
    return WORLD_OK;
}

WorldStatus world_grid(World *world, const char *path, WorldGridView *view) {
    if (path == NULL || view == NULL) return WORLD_ERROR_ARGUMENT;
    GridCall call = {path, view};
    return entry_run(world, get_grid, &call);
}

/* -- placed things -- */

bool placed_shape(const World *world, const Type *type, PlacedShape *shape) {
    if (type->kind != TYPE_LIST || type->element->kind != TYPE_RECORD) return false;
    const SymbolTable *symbols = &world->compile->symbols;
    const TreeRecord *record = type->element->record;
    if (!str_equal(symbols_name(symbols, record->name), STR_LIT("placed"))) return false;
    *shape = (PlacedShape){.width = type->element->slot_count};
    struct {
        const char *name;
        int *slot;
        const char *letters;
    } rows[] = {
        {"id", &shape->id, "R"},           {"rule", &shape->rule, "R"}, {"kind", &shape->kind, "R"},
        {"variant", &shape->variant, "I"}, {"k", &shape->k, "I"},       {"at", &shape->at, "FFF"},
        {"turn", &shape->turn, "F"},       {"size", &shape->size, "F"}, {"sink", &shape->sink, "F"},
        {"room", &shape->room, "F"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        *rows[r].slot = -1;
        for (int i = 0; i < record->fields.count; i++)
            if (str_equal(symbols_name(symbols, record->fields.items[i].name),
                          str_of(rows[r].name)) &&
                strcmp(record->fields.items[i].type->slots, rows[r].letters) == 0)
                *rows[r].slot = record->slots.items[i];
        if (*rows[r].slot < 0) return false;
    }
    return true;
}

typedef struct PlacedCall {
    const char *path;
    size_t capacity;
    WorldPlaced *items;
    size_t *count;
} PlacedCall;

static const char *keep_text(World *world, const Slot *slot) {
    const RtText *text = slot->r;
    return text ? arena_strndup(&world->arena, text->text.ptr, text->text.len) : "";
}

static const char *keep_design(World *world, const Slot *slot) {
    const RtClass *cls = slot->r;
    return cls ? arena_strndup(&world->arena, cls->name.ptr, cls->name.len) : "";
}

static WorldPlaced read_placed(World *world, const PlacedShape *shape, const Slot *row) {
    return (WorldPlaced){.id = keep_text(world, row + shape->id),
                         .rule = keep_text(world, row + shape->rule),
                         .kind = keep_design(world, row + shape->kind),
                         .k = row[shape->k].i,
                         .variant = row[shape->variant].i,
                         .at = {row[shape->at].f, row[shape->at + 1].f, row[shape->at + 2].f},
                         .turn = row[shape->turn].f,
                         .size = row[shape->size].f,
                         .sink = row[shape->sink].f,
                         .room = row[shape->room].f};
}

static WorldStatus get_placed(World *world, Rt *rt, void *args) {
    const PlacedCall *call = args;
    Question question;
    PlacedShape shape;
    WorldStatus status = ask_path(world, rt, call->path, &question);
    if (status != WORLD_OK) return status;
    if (!placed_shape(world, question.type, &shape)) return WORLD_ERROR_NOT_FOUND;
    const RtList *list = question.slots[0].r;
    *call->count = (size_t)rt_list_length(list);
    for (size_t i = 0; call->items && i < call->capacity && i < *call->count; i++)
        call->items[i] = read_placed(world, &shape, rt_list_item(list, (int64_t)i));
    return WORLD_OK;
}

WorldStatus world_placed(World *world, const char *path, size_t capacity, WorldPlaced *items,
                         size_t *count) {
    if (path == NULL || count == NULL) return WORLD_ERROR_ARGUMENT;
    PlacedCall call = {path, capacity, items, count};
    return entry_run(world, get_placed, &call);
}

/* -- setting -- */

typedef struct SetCall {
    const char *path, *expression;
} SetCall;

/* "land.walkway" of "land.walkway.halfWidth"; the root when there is no dot. */
static WorldStatus find_holder(World *world, Rt *rt, Str path, RtPart **part, Str *name) {
    *name = str_last_name(path);
    *part = rt_world_root(world->parts);
    if (name->len == path.len) return WORLD_OK;
    Question question = {.text = str_holder_name(path)};
    WorldStatus status = question_compile(world, &question);
    if (status == WORLD_OK) status = question_run(world, &question, rt);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_PART && question.type->kind != TYPE_ANY_PART)
        return WORLD_ERROR_NOT_FOUND;
    *part = question.slots[0].r;
    return *part ? WORLD_OK : WORLD_ERROR_NOT_FOUND;
}

WorldStatus data_find_field(World *world, Rt *rt, Str path, RtPart **part, int *field) {
    Str name;
    WorldStatus status = find_holder(world, rt, path, part, &name);
    if (status != WORLD_OK) return status;
    *field = parts_field(parts_class(world, *part), &world->compile->symbols, name);
    return *field < 0 ? WORLD_ERROR_NOT_FOUND : WORLD_OK;
}

/* Whether a set cell's own copies are all that the value needs: texts, and lists of plain values.
 */
static bool can_be_copied(const Type *type) {
    int count = type->kind == TYPE_RECORD ? type->record->fields.count : type->item_count;
    if (strchr(type->slots, 'R') == NULL) return true;
    switch ((int)type->kind) {
    case TYPE_TEXT:
        return true;
    case TYPE_LIST:
        return strchr(type->element->slots, 'R') == NULL;
    case TYPE_OPTIONAL:
        return can_be_copied(type->element);
    case TYPE_TUPLE:
    case TYPE_RECORD:
        for (int i = 0; i < count; i++)
            if (!can_be_copied(type->kind == TYPE_RECORD ? type->record->fields.items[i].type
                                                         : type->items[i]))
                return false;
        return true;
    default:
        return false;
    }
}

static WorldStatus set_to_answer(World *world, Rt *rt, RtPart *part, int field,
                                 Question *question) {
    RtVersion *version = NULL;
    bool copied = can_be_copied(question->wanted);
    WorldStatus status =
        copied ? question_run(world, question, rt) : question_keep(world, question, rt, &version);
    if (status != WORLD_OK) return status;
    if (copied)
        rt_cell_set(rt, part, field, question->slots);
    else
        rt_cell_set_kept(rt, part, field, question->slots, version);
    return entry_fault(world, rt);
}

static WorldStatus set_field(World *world, Rt *rt, void *args) {
    const SetCall *call = args;
    RtPart *part;
    int field;
    WorldStatus status = data_find_field(world, rt, str_of(call->path), &part, &field);
    if (status != WORLD_OK) return status;
    const Type *type = parts_class(world, part)->fields.items[field].type;
    Question question = {.text = str_of(call->expression), .wanted = type};
    status = question_compile(world, &question);
    if (status == WORLD_OK) status = set_to_answer(world, rt, part, field, &question);
    if (status == WORLD_OK) world_was_set(world);
    return status;
}

WorldStatus world_set(World *world, const char *path, const char *expression) {
    if (path == NULL || expression == NULL) return WORLD_ERROR_ARGUMENT;
    SetCall call = {path, expression};
    return entry_run(world, set_field, &call);
}
