#include "runtime/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/base/memory.h"

struct Hasher {
    XXH3_state_t state; /* first: it asks for 64-byte alignment */
    Memory *memory;
    void *allocation;
};

enum { HASHER_BYTES = sizeof(Hasher) + 64 };

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed) {
    return XXH3_64bits_withSeed(count ? bytes : "", count, seed);
}

Hasher *hasher_create(Memory *memory) {
    char *allocation = memory_resize(memory, NULL, 0, HASHER_BYTES);
    Hasher *hasher = (Hasher *)(((uintptr_t)allocation + 63) & ~(uintptr_t)63);
    hasher->memory = memory;
    hasher->allocation = allocation;
    XXH3_INITSTATE(&hasher->state);
    XXH3_64bits_reset(&hasher->state);
    return hasher;
}

void hasher_add(Hasher *hasher, const void *bytes, size_t count) {
    if (count) XXH3_64bits_update(&hasher->state, bytes, count);
}

void hasher_add_u64(Hasher *hasher, uint64_t value) {
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(value >> (8 * i));
    hasher_add(hasher, bytes, sizeof bytes);
}

uint64_t hasher_value(const Hasher *hasher) {
    return XXH3_64bits_digest(&hasher->state);
}

void hasher_destroy(Hasher *hasher) {
    if (hasher) memory_resize(hasher->memory, hasher->allocation, HASHER_BYTES, 0);
}
