/* Interned types: making them, their slots, and arithmetic on dimensions.
 *
 * Two equal types are one pointer, so the checker compares pointers. Slots are worked out when a
 * type is made.
 */
#include "compiler/check/checker.h"
#include "runtime/base/hash.h"

bool dims_equal(Dims a, Dims b) {
    return a.length == b.length && a.time == b.time && a.angle == b.angle;
}

bool dims_plain(Dims a) {
    return a.length == 0 && a.time == 0 && a.angle == 0;
}

Dims dims_add(Dims a, Dims b, int sign) {
    return (Dims){a.length + sign * b.length, a.time + sign * b.time, a.angle + sign * b.angle};
}

Dims dims_power(Dims a, int n) {
    return (Dims){a.length * n, a.time * n, a.angle * n};
}

static bool power_possible(int32_t sixths) {
    return sixths >= -SIXTHS * POWER_MOST && sixths <= SIXTHS * POWER_MOST;
}

bool dims_possible(Dims a) {
    return power_possible(a.length) && power_possible(a.time) && power_possible(a.angle);
}

bool type_is_quantity(const Type *type) {
    return type->kind == TYPE_NUMBER && !dims_plain(type->dims);
}

bool type_is_numeric(const Type *type) {
    return type->kind == TYPE_INT || type->kind == TYPE_U32 || type->kind == TYPE_NUMBER;
}

static uint64_t hash_type(const Type *type) {
    uint64_t head[] = {type->kind,
                       (uint64_t)(uint32_t)type->dims.length | (uint64_t)type->dims.time << 32,
                       (uint64_t)type->dims.angle,
                       (uint64_t)type->fraction | (uint64_t)type->draws << 1,
                       (uint64_t)(uintptr_t)type->element,
                       (uint64_t)(uintptr_t)type->record,
                       (uint64_t)(uintptr_t)type->cls,
                       type->name};
    uint64_t hash = hash_bytes(head, sizeof head, 0);
    hash = hash_bytes(type->items, sizeof *type->items * (size_t)type->item_count, hash);
    return hash_bytes(type->names, sizeof *type->names * (size_t)type->name_count, hash);
}

static bool equal(const Type *a, const Type *b) {
    return a->kind == b->kind && dims_equal(a->dims, b->dims) && a->fraction == b->fraction &&
           a->draws == b->draws && a->element == b->element && a->record == b->record &&
           a->cls == b->cls && a->name == b->name && a->item_count == b->item_count &&
           a->name_count == b->name_count &&
           (!a->item_count ||
            !memcmp(a->items, b->items, sizeof *a->items * (size_t)a->item_count)) &&
           (!a->name_count ||
            !memcmp(a->names, b->names, sizeof *a->names * (size_t)a->name_count));
}

/* A type of no value (unit, none) has no slots. */
static void add_slots(StrBuf *out, const Type *type) {
    switch (type->kind) {
    case TYPE_BOOL:
        strbuf_char(out, 'B');
        break;
    case TYPE_INT:
    case TYPE_ONE_OF:
        strbuf_char(out, 'I');
        break;
    case TYPE_U32:
        strbuf_char(out, 'W');
        break;
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
    case TYPE_METERS_OR_NUMBER:
        strbuf_char(out, 'F');
        break;
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        strbuf_add(out, "FFF", 3);
        break;
    case TYPE_TUPLE:
        for (int i = 0; i < type->item_count; i++)
            strbuf_str(out, str_of(type->items[i]->slots));
        break;
    case TYPE_RECORD:
    case TYPE_CONTRACT:
        for (int i = 0; i < type->record->fields.count; i++)
            strbuf_str(out, str_of(type->record->fields.items[i].type->slots));
        break;
    case TYPE_OPTIONAL:
        strbuf_char(out, 'B');
        strbuf_str(out, str_of(type->element->slots));
        break;
    case TYPE_TEXT:
    case TYPE_LIST:
    case TYPE_FN:
    case TYPE_OBJECT:
    case TYPE_PART:
    case TYPE_ANY_PART:
    case TYPE_DESIGN:
    case TYPE_NAME:
        strbuf_char(out, 'R');
        break;
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_PATH:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
}

/* Records that hold two lists of another, which holds two of a third, double with each: what walks over types is bounded by this. */
static int unfolded(const Type *type) {
    int64_t sum = 1;
    if (type->element) sum += type->element->unfolded;
    for (int i = 0; i < type->item_count; i++)
        sum += type->items[i]->unfolded;
    for (int i = 0; type->kind == TYPE_RECORD && i < type->record->fields.count; i++)
        sum += type->record->fields.items[i].type->unfolded;
    return sum < 2 * TYPE_UNFOLDED ? (int)sum : 2 * TYPE_UNFOLDED;
}

static void grow(Types *types) {
    uint32_t old_count = types->slot_count;
    const Type **old = types->slots;
    types->slot_count = old_count ? old_count * 2 : 128;
    types->slots = ARENA_ARRAY(types->arena, const Type *, types->slot_count);
    for (uint32_t i = 0; i < old_count; i++) {
        if (!old[i]) continue;
        uint32_t at = (uint32_t)hash_type(old[i]) & (types->slot_count - 1);
        while (types->slots[at])
            at = (at + 1) & (types->slot_count - 1);
        types->slots[at] = old[i];
    }
}

/* The items and names are copied; the caller's arrays may be its own. */
const Type *types_intern(Types *types, Type type) {
    if ((types->count + 1) * 2 > types->slot_count) grow(types);
    uint32_t mask = types->slot_count - 1, at = (uint32_t)hash_type(&type) & mask;
    for (; types->slots[at]; at = (at + 1) & mask)
        if (equal(types->slots[at], &type)) return types->slots[at];
    Type *made = ARENA_NEW(types->arena, Type);
    *made = type;
    if (type.item_count) {
        const Type **items = ARENA_ARRAY(types->arena, const Type *, type.item_count);
        memcpy(items, type.items, sizeof *items * (size_t)type.item_count);
        made->items = items;
    }
    if (type.name_count) {
        Symbol *names = ARENA_ARRAY(types->arena, Symbol, type.name_count);
        memcpy(names, type.names, sizeof *names * (size_t)type.name_count);
        made->names = names;
    }
    StrBuf slots = {.arena = types->arena};
    add_slots(&slots, made);
    made->slots = strbuf_take(&slots).ptr;
    made->slot_count = (int)slots.len;
    made->unfolded = unfolded(made);
    types->slots[at] = made;
    types->count++;
    return made;
}

void types_init(Types *types, Arena *arena) {
    *types = (Types){.arena = arena};
#define SIMPLE(member, KIND) types->member = types_intern(types, (Type){.kind = KIND})
    SIMPLE(poison, TYPE_POISON);
    SIMPLE(unit, TYPE_UNIT);
    SIMPLE(none, TYPE_NONE);
    SIMPLE(boolean, TYPE_BOOL);
    SIMPLE(integer, TYPE_INT);
    SIMPLE(u32, TYPE_U32);
    SIMPLE(number, TYPE_NUMBER);
    SIMPLE(text, TYPE_TEXT);
    SIMPLE(point, TYPE_POINT);
    SIMPLE(direction, TYPE_VECTOR);
    SIMPLE(color, TYPE_COLOR);
    SIMPLE(any_part, TYPE_ANY_PART);
    SIMPLE(design, TYPE_DESIGN);
    SIMPLE(name, TYPE_NAME);
    SIMPLE(path, TYPE_PATH);
    SIMPLE(any_quantity, TYPE_ANY_QUANTITY);
    SIMPLE(meters_or_number, TYPE_METERS_OR_NUMBER);
#undef SIMPLE
    types->fraction = types_intern(types, (Type){.kind = TYPE_NUMBER, .fraction = true});
    types->meters = types_intern(types, (Type){.kind = TYPE_NUMBER, .dims = {.length = SIXTHS}});
    types->angle = types_intern(types, (Type){.kind = TYPE_NUMBER, .dims = {.angle = SIXTHS}});
    types->seconds = types_intern(types, (Type){.kind = TYPE_NUMBER, .dims = {.time = SIXTHS}});
    types->offset = types_intern(types, (Type){.kind = TYPE_VECTOR, .dims = {.length = SIXTHS}});
}

const Type *type_quantity(Checker *c, Dims dims) {
    return types_intern(&c->types, (Type){.kind = TYPE_NUMBER, .dims = dims});
}

const Type *type_vector(Checker *c, Dims dims) {
    return types_intern(&c->types, (Type){.kind = TYPE_VECTOR, .dims = dims});
}

const Type *type_worked_out(Checker *c, TypeKind kind, Dims dims, Span span) {
    const Type *type = types_intern(&c->types, (Type){.kind = kind, .dims = dims});
    if (dims_possible(dims)) return type;
    diag_add(c->diags, DIAG_E_UNIT_POWER, span, type_text(c, type_quantity(c, dims)));
    return c->types.poison;
}

const Type *type_list(Checker *c, const Type *element) {
    if (type_poisoned(element)) return element;
    return types_intern(&c->types, (Type){.kind = TYPE_LIST, .element = element});
}

/* T?? is T?. */
const Type *type_optional(Checker *c, const Type *element) {
    if (type_poisoned(element) || type_is(element, TYPE_OPTIONAL)) return element;
    return types_intern(&c->types, (Type){.kind = TYPE_OPTIONAL, .element = element});
}

const Type *type_tuple(Checker *c, const Type *const *items, int count) {
    for (int i = 0; i < count; i++)
        if (type_poisoned(items[i])) return items[i];
    return types_intern(&c->types, (Type){.kind = TYPE_TUPLE, .items = items, .item_count = count});
}

const Type *type_fn(Checker *c, const Type *const *params, int count, const Type *result,
                    bool draws) {
    for (int i = 0; i < count; i++)
        if (type_poisoned(params[i])) return params[i];
    return types_intern(&c->types, (Type){.kind = TYPE_FN,
                                          .items = params,
                                          .item_count = count,
                                          .element = result,
                                          .draws = draws});
}

const Type *type_part(Checker *c, Class *cls) {
    return types_intern(&c->types, (Type){.kind = TYPE_PART, .cls = cls->tree});
}

const Type *type_any_part(Checker *c, const Type *made_of) {
    return types_intern(&c->types, (Type){.kind = TYPE_ANY_PART, .element = made_of});
}

const Type *type_object(Checker *c, Symbol name) {
    return types_intern(&c->types, (Type){.kind = TYPE_OBJECT, .name = name});
}

const Type *type_object_of(Checker *c, Symbol name, const Type *const *args, int count) {
    return types_intern(
        &c->types, (Type){.kind = TYPE_OBJECT, .name = name, .items = args, .item_count = count});
}

const Type *type_record(Checker *c, TypeKind kind, struct TreeRecord *record,
                        const Type *const *args, int count) {
    return types_intern(&c->types, (Type){.kind = kind,
                                          .record = record,
                                          .name = record->name,
                                          .items = args,
                                          .item_count = count});
}

const Type *type_inside(Checker *c, const Type *type) {
    const Type *items[16], *element;
    switch ((int)type->kind) {
    case TYPE_METERS_OR_NUMBER:
        return c->types.meters;
    case TYPE_ANY_QUANTITY:
        return c->types.number;
    case TYPE_OPTIONAL:
        return type_optional(c, type_inside(c, type->element));
    case TYPE_LIST:
        return type_list(c, type_inside(c, type->element));
    case TYPE_TUPLE:
        if (type->item_count > 16) return type;
        for (int i = 0; i < type->item_count; i++)
            items[i] = type_inside(c, type->items[i]);
        return type_tuple(c, items, type->item_count);
    case TYPE_FN:
        element = type_inside(c, type->element);
        return element == type->element
                   ? type
                   : type_fn(c, type->items, type->item_count, element, type->draws);
    default:
        return type;
    }
}
