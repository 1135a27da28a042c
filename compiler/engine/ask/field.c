/* Fields as typed handles: read and set in slots, without text.
 *
 * A set takes the world's lock and, when the value holds no object, allocates nothing: it costs the
 * field's `within`, if it has one, and a mark on each value that rests on it.
 */
#include <math.h>

#include "compiler/engine/ask/ask.h"
#include "runtime/rt/life.h"

typedef struct FieldHandle {
    Str path;
    RtPart *part;
    bool is_of_member; /* its part, or one that holds it, was made by a loop, which may run again */
    int field;
    const Type *type;
} FieldHandle;

/* -- finding -- */

typedef struct FindField {
    const char *path, *type;
    WorldField *field;
} FindField;

static const FieldHandle *find_known(const World *world, Str path, uint32_t *id) {
    const HandleList *known = &world->handles.fields;
    for (*id = 1; *id <= (uint32_t)known->count; ++*id) {
        const FieldHandle *handle = handle_get(known, *id);
        if (str_equal(handle->path, path)) return handle;
    }
    return NULL;
}

static bool is_of_member(const RtPart *part) {
    for (; part; part = part->parent)
        if (part->family >= 0) return true;
    return false;
}

static WorldStatus check_type(World *world, Rt *rt, const Type *type, const char *wanted) {
    if (strchr(type->slots, 'R')) return WORLD_ERROR_ARGUMENT;
    if (wanted == NULL) return WORLD_OK;
    Str found = type_name(type, &world->compile->symbols, rt->arena);
    if (str_equal(found, str_of(wanted))) return WORLD_OK;
    diag_add(&world->report.diags, DIAG_E_FUNCTION_SIGNATURE, (Span){0}, STR_ARG(str_of(wanted)),
             STR_ARG(found));
    return WORLD_ERROR_ARGUMENT;
}

static WorldStatus find_new(World *world, Rt *rt, const char *path, FieldHandle *handle) {
    WorldStatus status = data_find_field(world, rt, str_of(path), &handle->part, &handle->field);
    if (status != WORLD_OK) return status;
    handle->is_of_member = is_of_member(handle->part);
    rt_part_hold(handle->part);
    handle->type = parts_class(world, handle->part)->fields.items[handle->field].type;
    return WORLD_OK;
}

static uint32_t hand_out(World *world, Str path, const FieldHandle *found) {
    Arena *arena = &world->compile->arena;
    FieldHandle *handle = ARENA_NEW(arena, FieldHandle);
    *handle = *found;
    handle->path = (Str){arena_strndup(arena, path.ptr, path.len), path.len};
    return handle_add(arena, &world->handles.fields, handle);
}

static WorldStatus find(World *world, Rt *rt, void *args) {
    const FindField *wanted = args;
    Str path = str_of(wanted->path);
    uint32_t id;
    FieldHandle fresh = {0};
    const FieldHandle *known = find_known(world, path, &id);
    WorldStatus status = known ? WORLD_OK : find_new(world, rt, wanted->path, &fresh);
    if (status == WORLD_OK)
        status = check_type(world, rt, known ? known->type : fresh.type, wanted->type);
    if (status != WORLD_OK) return status;
    if (known == NULL) id = hand_out(world, path, &fresh);
    *wanted->field = (WorldField){id, world->handles.generation};
    return WORLD_OK;
}

WorldStatus world_field(World *world, const char *path, const char *type, WorldField *field) {
    if (path == NULL || field == NULL) return WORLD_ERROR_ARGUMENT;
    FindField wanted = {path, type, field};
    return entry_run(world, find, &wanted);
}

static WorldStatus get_handle(const World *world, WorldField field, const FieldHandle **handle) {
    if (world == NULL || field.id == 0) return WORLD_ERROR_ARGUMENT;
    WorldStatus status = handle_status(world, field.generation);
    if (status != WORLD_OK) return status;
    *handle = handle_get(&world->handles.fields, field.id);
    return *handle ? WORLD_OK : WORLD_ERROR_ARGUMENT;
}

const char *world_field_letters(World *world, WorldField field) {
    const FieldHandle *handle;
    return get_handle(world, field, &handle) == WORLD_OK ? handle->type->slots : "";
}

/* The part that stands where the handle's stood, all loops run; NULL after a fault. */
static RtPart *part_now(Rt *rt, RtPart *part) {
    VEC(const RtPart *) path = {0};
    for (; part->parent; part = part->parent)
        VEC_PUSH(rt->arena, &path, part);
    for (int i = path.count - 1; part && i >= 0; i--) {
        const RtPart *was = path.items[i];
        part = was->family >= 0 ? rt_part_member(rt, part, was->family, was->number, was->id)
                                : rt_part_child(rt, part, was->place);
    }
    return part;
}

static RtPart *get_part(Rt *rt, const FieldHandle *handle) {
    if (!handle->is_of_member) return handle->part;
    RtPart *part = part_now(rt, handle->part);
    if (part == NULL || part->cls == handle->part->cls) return part;
    rt_fault(rt, RT_FAULT_NO_VALUE, "a field of that part, which is a copy of another design now");
    return NULL;
}

/* -- reading -- */

typedef struct GetCall {
    const FieldHandle *handle;
    Slot *slots;
} GetCall;

static void get(Rt *rt, void *args) {
    const GetCall *call = args;
    RtPart *part = get_part(rt, call->handle);
    const Slot *slots = part ? rt_cell_get(rt, part, call->handle->field) : NULL;
    if (!rt_failed(rt) && slots)
        memcpy(call->slots, slots, sizeof *slots * (size_t)call->handle->type->slot_count);
}

WorldStatus world_field_get(World *world, WorldField field, void *slots) {
    const FieldHandle *handle;
    WorldStatus status = get_handle(world, field, &handle);
    if (status != WORLD_OK) return status;
    if (slots == NULL) return WORLD_ERROR_ARGUMENT;
    GetCall call = {handle, slots};
    return entry_call(world, get, &call);
}

/* -- setting -- */

static bool is_value(const Type *type, Slot *slots);

/* What stands behind an optional that is none says nothing: it becomes zero. */
static bool is_optional(const Type *type, Slot *slots) {
    if (slots->w) return slots->w == 1 && is_value(type->element, slots + 1);
    memset(slots, 0, sizeof *slots * (size_t)type->slot_count);
    return true;
}

static bool are_items(const Type *type, Slot *slots) {
    bool record = type->kind == TYPE_RECORD;
    int count = record ? type->record->fields.count : type->item_count;
    for (int i = 0; i < count; i++) {
        const Type *item = record ? type->record->fields.items[i].type : type->items[i];
        if (!is_value(item, slots)) return false;
        slots += item->slot_count;
    }
    return true;
}

/* Whether the slots are a value of the type. */
static bool is_value(const Type *type, Slot *slots) {
    if (type->kind == TYPE_OPTIONAL) return is_optional(type, slots);
    if (type->kind == TYPE_RECORD || type->kind == TYPE_TUPLE) return are_items(type, slots);
    if (type->kind == TYPE_ONE_OF) return slots->i >= 0 && slots->i < type->name_count;
    for (int i = 0; i < type->slot_count; i++) {
        char letter = type->slots[i];
        if (letter == 'F'   ? !isfinite(slots[i].f)
            : letter == 'B' ? slots[i].w > 1
                            : letter == 'W' && slots[i].w > UINT32_MAX)
            return false;
    }
    return true;
}

typedef struct FieldSet {
    const FieldHandle *handle;
    RtPart *part;
    Slot *slots;
} FieldSet;

typedef struct SetCall {
    const WorldField *fields;
    size_t count;
    const Slot *slots;
} SetCall;

/* What one set is of, looked at but not done. */
static WorldStatus prepare(World *world, Rt *rt, WorldField field, const Slot *slots,
                           FieldSet *set) {
    WorldStatus status = get_handle(world, field, &set->handle);
    if (status != WORLD_OK) return status;
    size_t bytes = sizeof *slots * (size_t)set->handle->type->slot_count;
    set->slots = rt_scratch_push(rt, bytes);
    memcpy(set->slots, slots, bytes);
    if (!is_value(set->handle->type, set->slots)) return WORLD_ERROR_ARGUMENT;
    set->part = get_part(rt, set->handle);
    if (set->part) rt_cell_takes(rt, set->part, set->handle->field, set->slots);
    return entry_fault(world, rt);
}

/* All of them or none. */
static WorldStatus set(World *world, Rt *rt, void *args) {
    const SetCall *call = args;
    const Slot *slots = call->slots;
    FieldSet *sets = rt_scratch_push(rt, sizeof *sets * call->count);
    for (size_t i = 0; i < call->count; i++) {
        WorldStatus status = prepare(world, rt, call->fields[i], slots, &sets[i]);
        if (status != WORLD_OK) return status;
        slots += sets[i].handle->type->slot_count;
    }
    for (size_t i = 0; i < call->count; i++)
        rt_cell_put(rt, sets[i].part, sets[i].handle->field, sets[i].slots);
    world_drop_views(world);
    return WORLD_OK;
}

WorldStatus world_field_set_all(World *world, const WorldField *fields, size_t count,
                                const void *slots) {
    if (world == NULL || (count && (fields == NULL || slots == NULL)) ||
        count > SIZE_MAX / 2 / sizeof(FieldSet))
        return WORLD_ERROR_ARGUMENT;
    SetCall call = {fields, count, slots};
    return count ? entry_change(world, set, &call) : WORLD_OK;
}

WorldStatus world_field_set(World *world, WorldField field, const void *slots) {
    return world_field_set_all(world, &field, 1, slots);
}
