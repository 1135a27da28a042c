/* Comparing and copying cell values. Two values are equal when nobody who reads them could tell;
 * where that would cost too much to find out, they count as different. */
#include "runtime/rt/cell.h"

static bool texts_equal(const RtText *a, const RtText *b) {
    return str_equal(a->text, b->text);
}

/* Items are compared as bits: lists of numbers by value, lists of objects by identity. */
static bool lists_equal(const RtList *a, const RtList *b) {
    if (a->shape.width != b->shape.width || a->length != b->length) return false;
    size_t bytes = sizeof(Slot) * (size_t)(a->length * a->shape.width);
    return bytes == 0 || memcmp(a->items, b->items, bytes) == 0;
}

static bool grids_equal(const RtGrid *a, const RtGrid *b) {
    if (a->columns != b->columns || a->rows != b->rows) return false;
    double left[] = {a->cell, a->x0, a->z0, a->outside},
           right[] = {b->cell, b->x0, b->z0, b->outside};
    size_t bytes = sizeof(float) * (size_t)a->columns * (size_t)a->rows;
    return memcmp(left, right, sizeof left) == 0 && memcmp(a->heights, b->heights, bytes) == 0;
}

static bool closures_equal(const RtClosure *a, const RtClosure *b) {
    if (a->func != b->func || a->code != b->code || a->capture_count != b->capture_count || a->draws != b->draws)
        return false;
    return memcmp(a->captures, b->captures, sizeof(Slot) * (size_t)a->capture_count) == 0;
}

static bool objects_equal(const RtObject *a, const RtObject *b) {
    if (a == b) return true;
    if (a == NULL || b == NULL || a->kind != b->kind) return false;
    switch ((RtKind)a->kind) {
    case RT_TEXT:
        return texts_equal((const RtText *)a, (const RtText *)b);
    case RT_LIST:
        return lists_equal((const RtList *)a, (const RtList *)b);
    case RT_GRID:
        return grids_equal((const RtGrid *)a, (const RtGrid *)b);
    case RT_CLOSURE:
        return closures_equal((const RtClosure *)a, (const RtClosure *)b);
    case RT_STREAM:
    case RT_SPINE:
    case RT_CURVE:
    case RT_OUTLINE:
    case RT_MESH:
    case RT_DESIGN:
    case RT_PART:
        return false;
    }
    return false;
}

bool value_equal(const char *types, const Slot *a, const Slot *b, int count) {
    for (int i = 0; i < count; i++) {
        bool equal = types[i] == 'R' ? objects_equal(a[i].r, b[i].r) : a[i].w == b[i].w;
        if (!equal) return false;
    }
    return true;
}

Slot value_copy(Rt *rt, char type, Slot value) {
    const RtObject *object = type == 'R' ? value.r : NULL;
    if (object && object->kind == RT_TEXT)
        return slot_r(rt_text(rt, ((const RtText *)object)->text));
    if (object && object->kind == RT_LIST) {
        const RtList *list = (const RtList *)object;
        RtList *copy = rt_list_create(rt, list->shape, list->length);
        size_t bytes = sizeof(Slot) * (size_t)(list->length * list->shape.width);
        if (bytes) memcpy(copy->items, list->items, bytes);
        copy->length = list->length;
        return slot_r(copy);
    }
    return value;
}
