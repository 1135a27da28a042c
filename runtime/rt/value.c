/* Comparing and copying cell values. Two values are equal when nobody who reads them could tell;
 * where that would cost too much to find out, they count as different. */
#include "runtime/rt/cell.h"

/* -- equal: of two objects of one kind -- */

static bool equal_text(const RtObject *a, const RtObject *b) {
    return str_equal(((const RtText *)a)->text, ((const RtText *)b)->text);
}

/* Items are compared as bits: lists of numbers by value, lists of objects by identity. */
static bool equal_list(const RtObject *left, const RtObject *right) {
    const RtList *a = (const RtList *)left, *b = (const RtList *)right;
    if (a->shape.width != b->shape.width || a->length != b->length) return false;
    size_t bytes = sizeof(Slot) * (size_t)(a->length * a->shape.width);
    return bytes == 0 || memcmp(a->items, b->items, bytes) == 0;
}

static bool equal_grid(const RtObject *a_object, const RtObject *b_object) {
    const RtGrid *a = (const RtGrid *)a_object, *b = (const RtGrid *)b_object;
    if (a->columns != b->columns || a->rows != b->rows || a->finer != b->finer || a->tail != b->tail) return false;
    double left[] = {a->cell, a->x0, a->z0, a->outside},
           right[] = {b->cell, b->x0, b->z0, b->outside};
    return memcmp(left, right, sizeof left) == 0 && reference_equal(&a->reference, &b->reference) &&
           memcmp(a->heights, b->heights, rt_grid_bytes(a)) == 0;
}

static bool equal_closure(const RtObject *left, const RtObject *right) {
    const RtClosure *a = (const RtClosure *)left, *b = (const RtClosure *)right;
    if (a->func != b->func || a->code != b->code || a->capture_count != b->capture_count ||
        a->draws != b->draws)
        return false;
    return memcmp(a->captures, b->captures, sizeof(Slot) * (size_t)a->capture_count) == 0;
}

/* Two of these that are not one object count as different. */
#define equal_stream NULL
#define equal_spine NULL
#define equal_curve NULL
#define equal_outline NULL
#define equal_mesh NULL
#define equal_design NULL
#define equal_part NULL

static bool objects_equal(const RtObject *a, const RtObject *b) {
    static bool (*const equal[RT_KIND_COUNT])(const RtObject *, const RtObject *) = {
#define KIND(NAME, name) [RT_##NAME] = equal_##name,
#include "runtime/rt/kind.def"
#undef KIND
    };
    if (a == b) return true;
    return a && b && a->kind == b->kind && equal[a->kind] && equal[a->kind](a, b);
}

bool value_equal(const char *types, const Slot *a, const Slot *b, int count) {
    for (int i = 0; i < count; i++) {
        bool equal = types[i] == 'R' ? objects_equal(a[i].r, b[i].r) : a[i].w == b[i].w;
        if (!equal) return false;
    }
    return true;
}

/* -- copy: what a cell that is set must keep of its own -- */

static RtObject *copy_text(Rt *rt, RtObject *object) {
    return &rt_text(rt, ((const RtText *)object)->text)->head;
}

static RtObject *copy_object(Rt *rt, RtObject *object);

/* However deep its items are. */
static RtObject *copy_list(Rt *rt, RtObject *object) {
    const RtList *list = (const RtList *)object;
    RtList *copy = rt_list_create(rt, list->shape, list->length);
    size_t bytes = sizeof(Slot) * (size_t)(list->length * list->shape.width);
    if (bytes) memcpy(copy->items, list->items, bytes);
    copy->length = list->length;
    for (int64_t i = 0; list->shape.refs && i < list->length; i++)
        for (int k = 0; k < list->shape.width && k < 64; k++) {
            Slot *slot = &copy->items[i * list->shape.width + k];
            if ((list->shape.refs >> k & 1) && slot->r) slot->r = copy_object(rt, slot->r);
        }
    return &copy->head;
}

/* Whoever sets these keeps them. */
#define copy_closure NULL
#define copy_stream NULL
#define copy_grid NULL
#define copy_spine NULL
#define copy_curve NULL
#define copy_outline NULL
#define copy_mesh NULL
#define copy_design NULL
#define copy_part NULL

static RtObject *copy_object(Rt *rt, RtObject *object) {
    static RtObject *(*const copy[RT_KIND_COUNT])(Rt *, RtObject *) = {
#define KIND(NAME, name) [RT_##NAME] = copy_##name,
#include "runtime/rt/kind.def"
#undef KIND
    };
    return copy[object->kind] ? copy[object->kind](rt, object) : object;
}

Slot value_copy(Rt *rt, char type, Slot value) {
    return type == 'R' && value.r ? slot_r(copy_object(rt, value.r)) : value;
}
