/* Texts, lists and closures. All live in rt->arena. */
#include "runtime/rt/rt.h"

RtText *rt_text(Rt *rt, Str text) {
    RtText *object = ARENA_NEW(rt->arena, RtText);
    object->head.kind = RT_TEXT;
    object->text = (Str){arena_strndup(rt->arena, text.ptr, text.len), text.len};
    return object;
}

static RtList *new_list(Rt *rt, int width, int64_t length, Slot *items, RtListBuffer *buffer) {
    RtList *list = ARENA_NEW(rt->arena, RtList);
    *list = (RtList){
        .head = {RT_LIST}, .width = width, .length = length, .items = items, .buffer = buffer};
    return list;
}

static size_t item_bytes(int width, int64_t count) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)width * sizeof(Slot), (size_t)count, &bytes)) memory_fail();
    return bytes;
}

/* False, with the fault, when a list may not be that long. */
static bool list_fits(Rt *rt, int64_t length) {
    int64_t most = rt->host ? rt->host->limits.list_items : 0;
    if (most == 0 || length <= most) return true;
    rt_fault(rt, RT_FAULT_LIMIT, "a list of %lld items; at most %lld", (long long)length, (long long)most);
    return false;
}

RtList *rt_list_create(Rt *rt, int width, int64_t capacity) {
    if (capacity < 0 || !list_fits(rt, capacity)) capacity = 0;
    RtListBuffer *buffer = ARENA_NEW(rt->arena, RtListBuffer);
    buffer->capacity = capacity;
    return new_list(rt, width, 0, arena_alloc(rt->arena, item_bytes(width, capacity)), buffer);
}

/* Takes the place after the list's last item, if nobody has: two lists that grow from one share its
 * storage only once, also when two threads try. */
static bool claim_next(const RtList *list) {
    RtListBuffer *buffer = list->buffer;
    int64_t expected = list->length;
    return buffer && expected < buffer->capacity &&
           __atomic_compare_exchange_n(&buffer->used, &expected, expected + 1, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Doubled, but never past the limit, which is for what is there. */
static int64_t next_capacity(const Rt *rt, int64_t length) {
    int64_t most = rt->host ? rt->host->limits.list_items : 0, wanted = length < 4 ? 4 : length * 2;
    return most && wanted > most ? most : wanted;
}

RtList *rt_list_append(Rt *rt, RtList *list, int width, const Slot *item) {
    int64_t length = rt_list_length(list);
    RtList *longer;
    if (!list_fits(rt, length + 1)) return list;
    if (list && claim_next(list)) {
        longer = new_list(rt, width, length + 1, list->items, list->buffer);
    } else {
        longer = rt_list_create(rt, width, next_capacity(rt, length));
        if (length) memcpy(longer->items, list->items, item_bytes(width, length));
        longer->length = longer->buffer->used = length + 1;
    }
    if (width) memcpy(longer->items + length * width, item, item_bytes(width, 1));
    return longer;
}

RtClosure *rt_closure(Rt *rt, int32_t func, int captures, int params, int results, bool draws) {
    RtClosure *closure = arena_alloc(rt->arena, sizeof *closure + sizeof(Slot) * (size_t)captures);
    *closure = (RtClosure){.head = {RT_CLOSURE},
                           .func = func,
                           .capture_count = captures,
                           .param_count = params,
                           .result_count = results,
                           .draws = draws};
    return closure;
}
