/* The core package's native part: frames of parts, texts, and the order of a sorted list. */
#include <math.h>
#include <stdio.h>

#include "runtime/base/watch.h"
#include "runtime/frame/part_frame.h"
#include "runtime/rt/print.h"
#include "stdlib/stdlib_externs.h"

static Frame world_frame(Rt *rt, RtPart *part) {
    Frame frame = part_frame_in(rt, part, NULL);
    if (rt_failed(rt) || (frame.scale != 0 && isfinite(frame.scale))) return frame;
    rt_fault(rt, RT_FAULT_ARGUMENT, "a part whose scale is %g has no places of its own",
             frame.scale);
    return frame_identity();
}

const RtText *core_pathIn(Rt *rt, RtPart *self, const RtText *name) {
    StrBuf path = {.arena = rt->arena};
    rt_part_path(&path, self);
    if (path.len) strbuf_char(&path, '.');
    strbuf_str(&path, name->text);
    return rt_text(rt, strbuf_take(&path));
}

Vec3 core_fromWorld(Rt *rt, RtPart *self, Vec3 place) {
    Frame frame = world_frame(rt, self);
    return frame_to_local(&frame, place);
}

Vec3 core_toWorld(Rt *rt, RtPart *self, Vec3 place) {
    Frame frame = world_frame(rt, self);
    return frame_to_outer(&frame, place);
}

Vec3 core_turnFromWorld(Rt *rt, RtPart *self, Vec3 way) {
    Frame frame = world_frame(rt, self);
    return frame_direction_to_local(&frame, way);
}

Vec3 core_turnToWorld(Rt *rt, RtPart *self, Vec3 way) {
    Frame frame = world_frame(rt, self);
    return frame_direction_to_outer(&frame, way);
}

bool core_textEqual(Rt *rt, const RtText *a, const RtText *b) {
    (void)rt;
    return str_equal(a->text, b->text);
}

bool core_before(Rt *rt, const RtText *self, const RtText *other) {
    (void)rt;
    return str_compare(self->text, other->text) < 0;
}

const RtText *core_textJoin(Rt *rt, const RtText *a, const RtText *b) {
    RtText *joined = rt_text_create(rt, a->text.len + b->text.len);
    char *to = (char *)(joined + 1);
    memcpy(to, a->text.ptr, a->text.len);
    memcpy(to + a->text.len, b->text.ptr, b->text.len);
    return joined;
}

const RtText *core_textOf(Rt *rt, const RtText *shapes, const RtList *row) {
    ArenaMark mark = arena_mark(rt->arena);
    StrBuf text = {.arena = rt->arena};
    print_shapes(&text, shapes->text, row ? row->items : NULL);
    return rt_text_since(rt, mark, strbuf_take(&text));
}

int64_t core_size(Rt *rt, const RtText *self) {
    (void)rt;
    return (int64_t)self->text.len;
}

bool core_startsWith(Rt *rt, const RtText *self, const RtText *with) {
    (void)rt;
    return str_starts(self->text, with->text);
}

const RtText *core_replacing(Rt *rt, const RtText *self, const RtText *old, const RtText *new_) {
    Str text = self->text, out_of = old->text;
    ArenaMark mark = arena_mark(rt->arena);
    StrBuf out = {.arena = rt->arena};
    while (text.len) {
        bool found = out_of.len && str_starts(text, out_of);
        size_t len = found ? out_of.len : 1;
        strbuf_str(&out, found ? new_->text : (Str){text.ptr, 1});
        text = (Str){text.ptr + len, text.len - len};
    }
    return rt_text_since(rt, mark, strbuf_take(&out));
}

const RtText *core_numberText(Rt *rt, double x) {
    char text[STR_DOUBLE];
    return rt_text(rt, str_double(text, x));
}

const RtText *core_intText(Rt *rt, int64_t x) {
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)x);
    return rt_text(rt, str_of(text));
}

/* -- order -- */

/* What is sorted: a key and the number of its item. */
typedef struct Keyed {
    Slot key;
    int64_t at;
} Keyed;

typedef bool KeyBefore(Slot a, Slot b);

/* Rising, NaN last; the two zeros are equal. */
static inline bool number_before(Slot a, Slot b) {
    return a.f < b.f || (b.f != b.f && a.f == a.f);
}

static inline bool int_before(Slot a, Slot b) {
    return a.i < b.i;
}

/* UTF-8 keeps the order of code points in that of its bytes. */
static inline bool text_before(Slot a, Slot b) {
    const RtText *left = a.r, *right = b.r;
    return left && right && str_compare(left->text, right->text) < 0;
}

/* Merges the sorted runs from[low, middle) and from[middle, high) into `to`. */
static inline __attribute__((always_inline)) void merge_runs(const Keyed *from, Keyed *to,
                                                             int64_t low, int64_t middle,
                                                             int64_t high, KeyBefore *before) {
    int64_t a = low, b = middle;
    for (int64_t i = low; i < high; i++) {
        bool right = a >= middle || (b < high && before(from[b].key, from[a].key));
        to[i] = right ? from[b++] : from[a++];
    }
}

/* A merge sort from runs of one item up: stable, and the same on every machine. Made once for each
 * kind of key. */
static inline __attribute__((always_inline)) const RtList *order_of(Rt *rt, const RtList *keys,
                                                                    KeyBefore *before) {
    int64_t count = rt_list_length(keys);
    RtScratchMark mark = rt_scratch_mark(rt);
    Keyed *order = rt_scratch_push(rt, sizeof(Keyed) * (size_t)(count + 1));
    Keyed *spare = rt_scratch_push(rt, sizeof(Keyed) * (size_t)(count + 1));
    for (int64_t i = 0; i < count; i++)
        order[i] = (Keyed){*rt_list_item(keys, i), i};
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t low = 0; low < count; low += 2 * run) {
            int64_t middle = low + run < count ? low + run : count;
            int64_t high = middle + run < count ? middle + run : count;
            watch_work(high - low);
            merge_runs(order, spare, low, middle, high, before);
        }
        Keyed *sorted = spare;
        spare = order;
        order = sorted;
    }
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, count);
    for (int64_t i = 0; i < count; i++)
        list->items[i] = slot_i(order[i].at);
    list->length = count;
    rt_scratch_pop(rt, mark);
    return list;
}

const RtList *core_sortOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, number_before);
}

const RtList *core_intOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, int_before);
}

const RtList *core_textOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, text_before);
}
