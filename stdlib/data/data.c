/* The data package's native part: what the checker packed (runtime/base/pack.h), unpacked. */
#include "runtime/base/pack.h"
#include "stdlib/stdlib_externs.h"

static const char *take(const char *at, void *out, size_t size) {
    memcpy(out, at, size);
    return at + size;
}

/* Bytes of color are sRGB. */
static Slot linear_byte(const RtList *linear, uint64_t byte) {
    return *rt_list_item(linear, (int64_t)byte);
}

const RtList *data_unpackRows(Rt *rt, const RtText *packed, const RtList *linear) {
    PackRows head;
    const char *at = take(packed->text.ptr, &head, sizeof head), *letters = at;
    at += head.width;
    RtShape shape = {.width = (int32_t)head.width};
    for (uint64_t k = 0; k < head.width && k < 64; k++)
        shape.refs |= (uint64_t)(letters[k] == 'R') << k;
    RtList *list = rt_list_create(rt, shape, (int64_t)head.count);
    Slot *row = ARENA_ARRAY(rt->arena, Slot, head.width + 1);
    for (uint64_t i = 0; i < head.count && !rt_failed(rt); i++) {
        for (uint64_t k = 0; k < head.width; k++) {
            at = take(at, &row[k].w, sizeof row[k].w);
            if (letters[k] == 'C' && row[k].w < 256) row[k] = linear_byte(linear, row[k].w);
            if (letters[k] != 'R') continue;
            uint64_t length = row[k].w;
            bool none = length == PACK_NULL;
            row[k] = slot_r(none ? NULL : (void *)rt_text(rt, (Str){at, (size_t)length}));
            if (!none) at += length;
        }
        list = rt_list_append(rt, list, shape, row);
    }
    return list;
}

/* 8 bits of color are sRGB; all else is a share of the largest value. */
static Slot sample_value(const PackSamples *head, const uint8_t *at, const RtList *linear) {
    if (head->bytes == 2) return slot_f((at[0] * 256 + at[1]) / 65535.0);
    return head->channels == 3 ? linear_byte(linear, at[0]) : slot_f(at[0] / 255.0);
}

const RtList *data_unpackSamples(Rt *rt, const RtText *packed, const RtList *linear) {
    PackSamples head;
    const uint8_t *at = (const uint8_t *)take(packed->text.ptr, &head, sizeof head);
    RtShape shape = {.width = (int32_t)head.channels};
    RtList *list = rt_list_create(rt, shape, (int64_t)head.count);
    for (uint64_t i = 0; i < head.count && !rt_failed(rt); i++) {
        Slot row[3];
        for (uint32_t k = 0; k < head.channels; k++, at += head.bytes)
            row[k] = sample_value(&head, at, linear);
        list = rt_list_append(rt, list, shape, row);
    }
    return list;
}
