#include "runtime/base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "runtime/base/little.h"
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

uint64_t hash_numbers(const void *numbers, size_t width, size_t count, uint64_t seed) {
    if (machine_is_little) return hash_bytes(numbers, width * count, seed);
    XXH3_state_t state;
    XXH3_INITSTATE(&state);
    XXH3_64bits_reset_withSeed(&state, seed);
    unsigned char bytes[8];
    for (const char *at = numbers; count; at += width, count--) {
        bytes_turn(bytes, at, width, 1);
        XXH3_64bits_update(&state, bytes, width);
    }
    return XXH3_64bits_digest(&state);
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

void hasher_add_numbers(Hasher *hasher, const void *numbers, size_t width, size_t count) {
    if (machine_is_little) {
        hasher_add(hasher, numbers, width * count);
        return;
    }
    unsigned char bytes[8];
    for (const char *at = numbers; count; at += width, count--) {
        bytes_turn(bytes, at, width, 1);
        hasher_add(hasher, bytes, width);
    }
}

void hasher_add_u64(Hasher *hasher, uint64_t value) {
    hasher_add_numbers(hasher, &value, sizeof value, 1);
}

uint64_t hasher_value(const Hasher *hasher) {
    return XXH3_64bits_digest(&hasher->state);
}

void hasher_destroy(Hasher *hasher) {
    if (hasher) memory_resize(hasher->memory, hasher->allocation, HASHER_BYTES, 0);
}
