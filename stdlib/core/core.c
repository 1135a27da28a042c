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

const RtList *core_split(Rt *rt, const RtText *self, const RtText *at) {
    Str text = self->text, by = at->text;
    RtShape shape = {.width = 1, .refs = 1};
    RtList *list = rt_list_create(rt, shape, 1);
    for (size_t end = 0; end <= text.len && !rt_failed(rt);) {
        bool last = end == text.len;
        bool found = by.len && str_starts((Str){text.ptr + end, text.len - end}, by);
        if (found || last) {
            Slot piece = slot_r((void *)rt_text(rt, (Str){text.ptr, end}));
            list = rt_list_append(rt, list, shape, &piece);
            text = (Str){text.ptr + end + (found ? by.len : 0), text.len - end - (found ? by.len : 0)};
        }
        if (last && !found) break;
        end = found ? 0 : end + 1;
    }
    return list;
}

int64_t core_wholeNumber(Rt *rt, const RtText *self, int64_t otherwise) {
    (void)rt;
    Str text = self->text;
    bool minus = text.len && *text.ptr == '-';
    int64_t value = 0;
    if (text.len == (size_t)minus) return otherwise;
    for (size_t i = minus; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9) return otherwise;
        if (__builtin_mul_overflow(value, 10, &value) || __builtin_sub_overflow(value, digit, &value)) return otherwise;
    }
    if (minus) return value; /* summed below 0, where there is one number more */
    return value == INT64_MIN ? otherwise : -value;
}

const RtText *core_numberText(Rt *rt, double x) {
    char text[STR_DOUBLE];
    return rt_text(rt, str_double(text, x));
}

const RtText *core_intText(Rt *rt, int64_t x) {
    char text[STR_INT];
    return rt_text(rt, str_int(text, x));
}

/* -- order -- */

/* What is sorted: a key and the number of its item. */
typedef struct Keyed {
    Slot key;
    int64_t at;
} Keyed;

typedef bool KeyBefore(Slot a, Slot b);

/* UTF-8 keeps the order of code points in that of its bytes. */
static inline bool text_before(Slot a, Slot b) {
    const RtText *left = a.r, *right = b.r;
    return left && right && str_compare(left->text, right->text) < 0;
}

/* -- ranks: whole numbers that rise as the keys do, and are equal where they are -- */

enum { DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS, RANK_DIGITS = 64 / DIGIT_BITS };

static const uint64_t top_bit = 1ull << 63;

static Slot int_rank(Slot key) {
    return (Slot){.w = key.w ^ top_bit};
}

/* The bits of a number rise with it, those of numbers below 0 the other way; NaN is last, the two zeros are equal. */
static Slot number_rank(Slot key) {
    if (key.f != key.f) return (Slot){.w = UINT64_MAX};
    if (key.f == 0) return (Slot){.w = top_bit};
    return (Slot){.w = key.w & top_bit ? ~key.w : key.w | top_bit};
}

static inline bool rank_before(Slot a, Slot b) {
    return a.w < b.w;
}

static inline int digit_of(Keyed keyed, int digit) {
    return (int)(keyed.key.w >> (digit * DIGIT_BITS) & (DIGIT_VALUES - 1));
}

static Slot text_key(Slot key) {
    return key;
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

typedef struct Sorting {
    Keyed *order, *spare;
    int64_t count;
} Sorting;

static void swap_sides(Sorting *s) {
    Keyed *sorted = s->spare;
    s->spare = s->order;
    s->order = sorted;
}

/* A merge sort from runs of one item up: stable, and the same on every machine. Made once for each
 * kind of key. */
static inline __attribute__((always_inline)) void merge_sort(Sorting *s, KeyBefore *before) {
    int64_t count = s->count;
    for (int64_t run = 1; run < count; run *= 2) {
        for (int64_t low = 0; low < count; low += 2 * run) {
            int64_t middle = low + run < count ? low + run : count;
            int64_t high = middle + run < count ? middle + run : count;
            watch_work(high - low);
            merge_runs(s->order, s->spare, low, middle, high, before);
        }
        swap_sides(s);
    }
}

/* By ranks from the lowest digit up, each digit in its own stable pass; one in which all agree needs none. */
static void digit_sort(Sorting *s) {
    int64_t counts[RANK_DIGITS][DIGIT_VALUES] = {0};
    for (int64_t i = 0; i < s->count; i++)
        for (int digit = 0; digit < RANK_DIGITS; digit++)
            counts[digit][digit_of(s->order[i], digit)]++;
    for (int digit = 0; digit < RANK_DIGITS; digit++) {
        int64_t *places = counts[digit], next = 0;
        if (places[digit_of(s->order[0], digit)] == s->count) continue;
        for (int value = 0; value < DIGIT_VALUES; value++) {
            int64_t here = places[value];
            places[value] = next;
            next += here;
        }
        watch_work(s->count);
        for (int64_t i = 0; i < s->count; i++)
            s->spare[places[digit_of(s->order[i], digit)]++] = s->order[i];
        swap_sides(s);
    }
}

static void sort_ranks(Sorting *s) {
    if (s->count < DIGIT_VALUES)
        merge_sort(s, rank_before);
    else
        digit_sort(s);
}

static void sort_texts(Sorting *s) {
    merge_sort(s, text_before);
}

/* The places of the keys in their order; `key_of` makes of each what `sort` compares. */
static const RtList *order_of(Rt *rt, const RtList *keys, Slot (*key_of)(Slot key), void (*sort)(Sorting *s)) {
    int64_t count = rt_list_length(keys);
    RtScratchMark mark = rt_scratch_mark(rt);
    Sorting s = {.count = count};
    s.order = rt_scratch_push(rt, sizeof(Keyed) * (size_t)(count + 1));
    s.spare = rt_scratch_push(rt, sizeof(Keyed) * (size_t)(count + 1));
    for (int64_t i = 0; i < count; i++)
        s.order[i] = (Keyed){key_of(*rt_list_item(keys, i)), i};
    sort(&s);
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, count);
    for (int64_t i = 0; i < count; i++)
        list->items[i] = slot_i(s.order[i].at);
    list->length = count;
    rt_scratch_pop(rt, mark);
    return list;
}

const RtList *core_sortOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, number_rank, sort_ranks);
}

const RtList *core_intOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, int_rank, sort_ranks);
}

const RtList *core_textOrder(Rt *rt, const RtList *keys) {
    return order_of(rt, keys, text_key, sort_texts);
}
