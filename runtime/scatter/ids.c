#include "runtime/scatter/ids.h"

#include "runtime/random/stream.h"
#include "runtime/scatter/scatter.h"

/* -- what they say -- */

static char *put_text(char *to, Str text) {
    if (text.len) memcpy(to, text.ptr, text.len);
    return to + text.len;
}

static char *put_whole(char *to, int64_t value) {
    char digits[20];
    int count = 0;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do digits[count++] = (char)('0' + left % 10);
    while (left /= 10);
    if (value < 0) *to++ = '-';
    while (count)
        *to++ = digits[--count];
    return to;
}

enum { ID_NUMBERS = 48 }; /* bytes that two numbers and what stands between may take */

/* "forest/-7:73", "ferns/forest/-7:73/2": the rule, what it goes round, where its spot came from. */
static size_t put_id(char *id, Str rule, const Slot *spot) {
    const RtText *of = spot[SPOT_OF].r;
    char *to = put_text(id, rule);
    *to++ = '/';
    if (of && of->text.len) {
        to = put_text(to, of->text);
        *to++ = '/';
    }
    to = put_whole(to, spot[SPOT_I].i);
    if (spot[SPOT_J].i != -1) {
        *to++ = ':';
        to = put_whole(to, spot[SPOT_J].i);
    }
    return (size_t)(to - id);
}

static size_t most_of_id(Str rule, const Slot *spot) {
    const RtText *of = spot[SPOT_OF].r;
    return rule.len + (of ? of->text.len : 0) + ID_NUMBERS;
}

Str scatter_spot_id(Arena *arena, Str rule, const Slot *spot) {
    char *id = arena_alloc(arena, most_of_id(rule, spot));
    return (Str){id, put_id(id, rule, spot)};
}

RtText *ids_text(Rt *rt, Str rule, const Slot *spot) {
    RtScratchMark mark = rt_scratch_mark(rt);
    char *id = rt_scratch_push(rt, most_of_id(rule, spot));
    RtText *text = rt_text(rt, (Str){id, put_id(id, rule, spot)});
    rt_scratch_pop(rt, mark);
    return text;
}

/* -- each once -- */

static const RtText **find_slot(const IdSet *ids, const RtText *id) {
    uint32_t at = pcg_hash(stream_name_hash(id->text)) & (ids->size - 1);
    while (ids->slots[at] && !str_equal(ids->slots[at]->text, id->text))
        at = (at + 1) & (ids->size - 1);
    return &ids->slots[at];
}

static void resize(IdSet *ids, uint32_t size) {
    IdSet larger = {ids->arena, ARENA_ARRAY(ids->arena, const RtText *, (int64_t)size), size,
                    ids->count};
    for (uint32_t i = 0; i < size; i++)
        larger.slots[i] = NULL;
    for (uint32_t i = 0; i < ids->size; i++)
        if (ids->slots[i]) *find_slot(&larger, ids->slots[i]) = ids->slots[i];
    *ids = larger;
}

void ids_init(IdSet *ids, Arena *arena) {
    *ids = (IdSet){.arena = arena};
    resize(ids, 64);
}

bool ids_add(IdSet *ids, const RtText *id) {
    const RtText **slot = find_slot(ids, id);
    if (*slot) return false;
    *slot = id;
    if (++ids->count > ids->size / 2) resize(ids, ids->size * 2);
    return true;
}
