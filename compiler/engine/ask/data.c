/* Data of a world by path: height grids, what placed things are made of; and setting a field. Paths
 * are expressions. */
#include "compiler/engine/ask/ask.h"

#include "stdlib/library_names.h"

/* -- grids: what an expression answered stays as long as nothing changes, and is the same when it is asked again -- */

static const GridView *find_view(const World *world, Str path) {
    for (const GridView *view = world->grids; view; view = view->next)
        if (str_equal(view->path, path)) return view;
    return NULL;
}

static WorldStatus keep_view(World *world, Rt *rt, Str path, const GridView **out) {
    Question question = {.text = path};
    GridView *view = ARENA_NEW(&world->views, GridView);
    view->path = (Str){arena_strndup(&world->views, path.ptr, path.len), path.len};
    WorldStatus status = question_compile(world, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_OBJECT) return WORLD_ERROR_NOT_FOUND;
    status = question_keep(world, &question, rt, &view->version);
    if (status != WORLD_OK) return status;
    view->grid = question.slots[0].r;
    if (view->grid && view->grid->head.kind == RT_GRID) {
        view->next = world->grids;
        *out = world->grids = view;
        return WORLD_OK;
    }
    rt_value_let_go(world->parts, view->version);
    return WORLD_ERROR_NOT_FOUND;
}

typedef struct GridCall {
    const char *path;
    WorldGridView *view;
} GridCall;

WorldGridView data_grid_view(const RtGrid *grid) {
    return (WorldGridView){.size = sizeof(WorldGridView),
                           .columns = grid->columns,
                           .rows = grid->rows,
                           .cell = grid->cell,
                           .x0 = grid->x0,
                           .z0 = grid->z0,
                           .outside = grid->outside,
                           .heights = grid->heights,
                           .east = grid->reference.east,
                           .north = grid->reference.north,
                           .east_per_meter = grid->reference.east_per_meter,
                           .north_per_meter = grid->reference.north_per_meter,
                           .epsg = grid->reference.epsg,
                           .degrees = grid->reference.degrees,
                           .finer = grid->finer,
                           .tail = (size_t)grid->tail};
}

static WorldStatus get_grid(World *world, Rt *rt, void *args) {
    const GridCall *call = args;
    Str path = str_of(call->path);
    const GridView *view = find_view(world, path);
    WorldStatus status = view ? WORLD_OK : keep_view(world, rt, path, &view);
    if (status != WORLD_OK) return status;
    WorldGridView full = data_grid_view(view->grid);
    return entry_fill(call->view, &full) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

WorldStatus world_grid(World *world, const char *path, WorldGridView *view) {
    if (path == NULL || view == NULL) return WORLD_ERROR_ARGUMENT;
    GridCall call = {path, view};
    return entry_run(world, get_grid, &call);
}

typedef struct IntoCall {
    const char *expression;
    float *heights;
    size_t room;
    WorldGridView *view;
} IntoCall;

static WorldStatus get_grid_into(World *world, Rt *rt, void *args) {
    const IntoCall *call = args;
    Question question = {.text = str_of(call->expression)};
    WorldStatus status = question_compile(world, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_OBJECT) return WORLD_ERROR_NOT_FOUND;
    status = question_run(world, &question, rt);
    if (status != WORLD_OK) return status;
    const RtGrid *grid = question.slots[0].r;
    if (grid == NULL || grid->head.kind != RT_GRID) return WORLD_ERROR_NOT_FOUND;
    if (rt_grid_bytes(grid) / sizeof(float) > call->room) return WORLD_ERROR_ARGUMENT;
    WorldGridView full = data_grid_view(grid);
    full.heights = memcpy(call->heights, grid->heights, rt_grid_bytes(grid));
    return entry_fill(call->view, &full) ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

WorldStatus world_grid_into(World *world, const char *expression, float *heights, size_t room, WorldGridView *view) {
    if (expression == NULL || heights == NULL || view == NULL) return WORLD_ERROR_ARGUMENT;
    IntoCall call = {expression, heights, room, view};
    return entry_run(world, get_grid_into, &call);
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
    if (status == WORLD_OK) world_drop_views(world);
    return status;
}

WorldStatus world_set(World *world, const char *path, const char *expression) {
    if (path == NULL || expression == NULL) return WORLD_ERROR_ARGUMENT;
    SetCall call = {path, expression};
    return entry_change(world, set_field, &call);
}
