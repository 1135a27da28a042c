/* Maps and sets as values to hash and to hand on: what they keep, in its order, and nothing of their tables. */
#include "compiler/engine/ask/ask.h"

bool keyed_open(const World *world, const Type *type, const Slot *slots, Keyed *keyed) {
    const TreeRecord *record = type->record;
    int lists = record_keyed_lists(record, &world->compile->symbols);
    *keyed = (Keyed){.lists = lists, .at = -1};
    for (int i = 0; i < lists; i++) {
        keyed->types[i] = record->fields.items[i].type->element;
        keyed->kept[i] = slots[i].r;
    }
    keyed->hashes = slots[lists].r;
    return lists > 0;
}

bool keyed_next(Keyed *keyed) {
    while (++keyed->at < rt_list_length(keyed->hashes))
        if (rt_list_item(keyed->hashes, keyed->at)->i >= 0) return true;
    return false;
}

const Slot *keyed_item(const Keyed *keyed, int list) {
    return rt_list_item(keyed->kept[list], keyed->at);
}
