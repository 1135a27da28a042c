#include "runtime/scatter/ids.h"

#include "runtime/random/stream.h"

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
