/* See carry.h. */
#include "compiler/engine/open/carry.h"

#include "stdlib/library_names.h"

/* Functions may hold functions, and so on. */
enum { MOST_DEEP = 1000 };

bool carry_may(const World *world, const Type *type) {
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_U32:
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
    case TYPE_METERS_OR_NUMBER:
    case TYPE_TEXT:
    case TYPE_NAME:
    case TYPE_PATH:
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
    case TYPE_ONE_OF:
    case TYPE_DESIGN:
    case TYPE_FN:
    case TYPE_PART:
    case TYPE_ANY_PART:
        return true;
    case TYPE_LIST:
    case TYPE_OPTIONAL:
        return carry_may(world, type->element);
    case TYPE_TUPLE:
        for (int i = 0; i < type->item_count; i++)
            if (!carry_may(world, type->items[i])) return false;
        return true;
    case TYPE_RECORD:
        for (int i = 0; i < type->record->fields.count; i++)
            if (!carry_may(world, type->record->fields.items[i].type)) return false;
        return true;
    case TYPE_OBJECT: {
        Str name = symbols_name(&world->compile->symbols, type->name);
        return str_equal(name, STR_LIT(STD_grid_heightGrid)) ||
               str_equal(name, STR_LIT(STD_shapes_mesh));
    }
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_CONTRACT:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
    return false;
}

/* Large ones go from world to world as they are. */
static void *carry_bytes(const Carry *carry, Arena *arena, const void *bytes, size_t size) {
    if (arena_hand_over(arena, carry->from, bytes, size)) return (void *)(uintptr_t)bytes;
    void *copy = arena_alloc_raw(arena, size);
    if (size) memcpy(copy, bytes, size);
    return copy;
}

static RtObject *carry_grid(Carry *carry, const RtObject *object) {
    RtGrid *grid = ARENA_NEW(carry->rt->arena, RtGrid);
    *grid = *(const RtGrid *)(const void *)object;
    grid->heights = carry_bytes(carry, carry->rt->arena, grid->heights, rt_grid_bytes(grid));
    return &grid->head;
}

static RtObject *carry_mesh(Carry *carry, const RtObject *object) {
    RtMesh *mesh = ARENA_NEW(carry->rt->arena, RtMesh);
    *mesh = *(const RtMesh *)(const void *)object;
    size_t corners = sizeof(float) * 3 * (size_t)mesh->vertex_count;
    mesh->positions = carry_bytes(carry, carry->rt->arena, mesh->positions, corners);
    mesh->normals = carry_bytes(carry, carry->rt->arena, mesh->normals, corners);
    mesh->colors = carry_bytes(carry, carry->rt->arena, mesh->colors, corners);
    if (mesh->coords) mesh->coords = carry_bytes(carry, carry->rt->arena, mesh->coords, corners / 3 * 2);
    if (mesh->pivots) mesh->pivots = carry_bytes(carry, carry->rt->arena, mesh->pivots, corners);
    if (mesh->stems) mesh->stems = carry_bytes(carry, carry->rt->arena, mesh->stems, sizeof(float) * STEM_FLOATS * (size_t)mesh->stem_count);
    mesh->indices =
        carry_bytes(carry, carry->rt->arena, mesh->indices, sizeof(uint32_t) * (size_t)mesh->index_count);
    return &mesh->head;
}

static RtObject *carry_object(Carry *carry, const RtObject *object);

static RtObject *lose(Carry *carry, const RtObject *object) {
    (void)object;
    carry->lost = true;
    return NULL;
}

static RtObject *carry_text(Carry *carry, const RtObject *object) {
    return &rt_text(carry->rt, ((const RtText *)object)->text)->head;
}

static RtObject *carry_design(Carry *carry, const RtObject *object) {
    return &carry->world->program->classes[((const RtClass *)object)->index]->head;
}

static RtObject *carry_part(Carry *carry, const RtObject *object) {
    RtPart *part = carry->counterpart(carry->user, (const RtPart *)object);
    return part ? &part->head : lose(carry, object);
}

/* Of what a function captured: it has no type but its shape. */
static RtObject *carry_list(Carry *carry, const RtObject *object) {
    const RtList *list = (const RtList *)object;
    if (list->shape.width > 64) return lose(carry, object);
    RtList *copy = rt_list_create(carry->rt, list->shape, list->length);
    copy->length = list->length;
    for (int64_t i = 0; i < list->length * list->shape.width; i++) {
        bool held = list->shape.refs >> i % list->shape.width & 1;
        copy->items[i] = held ? slot_r(carry_object(carry, list->items[i].r)) : list->items[i];
    }
    return &copy->head;
}

/* A question's function ends with what it was asked for. */
static RtObject *carry_closure(Carry *carry, const RtObject *object) {
    const RtClosure *from = (const RtClosure *)object;
    int func = from->code || from->capture_count > 64 ? -1 : carry->functions[from->func];
    if (func < 0) return lose(carry, object);
    RtClosure *copy = rt_closure(carry->rt, func, from->capture_count, from->refs, from->param_count, from->result_count, from->draws);
    for (int i = 0; i < from->capture_count; i++)
        copy->captures[i] = from->refs >> i & 1 ? slot_r(carry_object(carry, from->captures[i].r)) : from->captures[i];
    return &copy->head;
}

#define carry_stream lose /* streams are drawn from; the rest is laid again, which is cheap */
#define carry_spine lose
#define carry_curve lose
#define carry_outline lose

static RtObject *carry_object(Carry *carry, const RtObject *object) {
    static RtObject *(*const by_kind[RT_KIND_COUNT])(Carry *, const RtObject *) = {
#define KIND(NAME, name) [RT_##NAME] = carry_##name,
#include "runtime/rt/kind.def"
#undef KIND
    };
    if (object == NULL) return NULL;
    if (carry->depth == MOST_DEEP) return lose(carry, object);
    carry->depth++;
    RtObject *copy = by_kind[object->kind](carry, object);
    carry->depth--;
    return copy;
}

static RtList *carry_items(Carry *carry, const Type *element, const RtList *list) {
    RtList *copy = rt_list_create(carry->rt, list->shape, list->length);
    copy->length = list->length;
    for (int64_t i = 0; i < list->length && !carry->lost; i++)
        carry_value(carry, element, rt_list_item(list, i), copy->items + i * list->shape.width);
    return copy;
}

static void carry_record(Carry *carry, const TreeRecord *record, const Slot *from, Slot *to) {
    for (int i = 0; i < record->fields.count; i++) {
        const Type *field = record->fields.items[i].type;
        carry_value(carry, field, from, to);
        from += field->slot_count;
        to += field->slot_count;
    }
}

void carry_value(Carry *carry, const Type *type, const Slot *from, Slot *to) {
    memcpy(to, from, sizeof *to * (size_t)type->slot_count);
    if (type->kind == TYPE_LIST) {
        if (from->r) *to = slot_r(carry_items(carry, type->element, from->r));
    } else if (type->kind == TYPE_OPTIONAL) {
        if (from->w) carry_value(carry, type->element, from + 1, to + 1);
    } else if (type->kind == TYPE_RECORD) {
        carry_record(carry, type->record, from, to);
    } else if (type->kind == TYPE_TUPLE) {
        for (int i = 0; i < type->item_count; from += type->items[i]->slot_count, to += type->items[i]->slot_count, i++)
            carry_value(carry, type->items[i], from, to);
    } else if (type->slot_count == 1 && type->slots[0] == 'R') {
        *to = slot_r(carry_object(carry, from->r));
    }
}
