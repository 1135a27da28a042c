#include "compiler/engine/open/kept.h"

static Kept **bucket(KeptTable *table, uint64_t key) {
    return &table->buckets[key % KEPT_BUCKETS];
}

Kept *kept_find(KeptTable *table, uint64_t key) {
    Kept *kept = *bucket(table, key);
    while (kept && !(kept->key == key && kept->what))
        kept = kept->next;
    if (kept) kept->used = true;
    return kept;
}

Kept *kept_begin(KeptTable *table, Memory *memory, uint64_t key) {
    Arena arena;
    arena_init(&arena, memory);
    Kept *kept = ARENA_NEW(&arena, Kept), **first = bucket(table, key);
    *kept = (Kept){.key = key, .arena = arena, .used = true, .next = *first};
    *first = kept;
    return kept;
}

static void give_back(Kept **at) {
    Kept *kept = *at;
    *at = kept->next;
    Arena arena = kept->arena;
    arena_fini(&arena);
}

void kept_spoil(Kept *kept) {
    if (kept->reads) rt_value_let_go(kept->of, kept->reads);
    kept->reads = NULL;
    kept->what = NULL;
}

void kept_spoil_all(KeptTable *table, const RtWorld *of) {
    for (int i = 0; i < KEPT_BUCKETS; i++)
        for (Kept *kept = table->buckets[i]; kept; kept = kept->next)
            if (kept->reads && kept->of == of) kept_spoil(kept);
}

void kept_sweep(KeptTable *table) {
    for (int i = 0; i < KEPT_BUCKETS; i++)
        for (Kept **at = &table->buckets[i]; *at;) {
            if (!(*at)->used || (*at)->what == NULL) {
                kept_spoil(*at);
                give_back(at);
                continue;
            }
            (*at)->used = false;
            at = &(*at)->next;
        }
}

void kept_fini(KeptTable *table) {
    for (int i = 0; i < KEPT_BUCKETS; i++)
        while (table->buckets[i])
            give_back(&table->buckets[i]);
}
