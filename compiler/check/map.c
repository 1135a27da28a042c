/* Names to values: open addressing, keyed by symbol. Has no order and is never walked. */
#include "compiler/check/checker.h"

static uint32_t slot_of(const SymbolMap *map, Symbol key) {
    uint32_t mask = map->capacity - 1, at = (key * 2654435769u) & mask;
    while (map->keys[at] && map->keys[at] != key)
        at = (at + 1) & mask;
    return at;
}

void *symbolmap_get(const SymbolMap *map, Symbol key) {
    if (map->capacity == 0 || key == 0) return NULL;
    uint32_t at = slot_of(map, key);
    return map->keys[at] ? map->values[at] : NULL;
}

static void grow(Arena *arena, SymbolMap *map) {
    SymbolMap old = *map;
    map->capacity = old.capacity ? old.capacity * 2 : 16;
    map->keys = ARENA_ARRAY(arena, Symbol, map->capacity);
    map->values = ARENA_ARRAY(arena, void *, map->capacity);
    for (uint32_t i = 0; i < old.capacity; i++) {
        if (!old.keys[i]) continue;
        uint32_t at = slot_of(map, old.keys[i]);
        map->keys[at] = old.keys[i];
        map->values[at] = old.values[i];
    }
}

void symbolmap_put(Arena *arena, SymbolMap *map, Symbol key, void *value) {
    if ((map->count + 1) * 2 > map->capacity) grow(arena, map);
    uint32_t at = slot_of(map, key);
    if (!map->keys[at]) map->count++;
    map->keys[at] = key;
    map->values[at] = value;
}
