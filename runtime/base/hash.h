/* Hashes of bytes: XXH3 (64 bits), a published function with the same answer on every machine.
 * Used for caches, world hashes and tables; never for anything random in a world (see stdlib/hash.world).
 */
#ifndef WORLD_BASE_HASH_H
#define WORLD_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *bytes, size_t count, uint64_t seed);
/* Of their little-endian bytes; width: 2, 4 or 8. */
uint64_t hash_numbers(const void *numbers, size_t width, size_t count, uint64_t seed);

/* A running hash: order of updates matters, chunking does not. */
typedef struct Hasher Hasher;
struct Memory;
Hasher *hasher_create(struct Memory *memory);
void hasher_add(Hasher *hasher, const void *bytes, size_t count);
void hasher_add_numbers(Hasher *hasher, const void *numbers, size_t width, size_t count); /* little-endian bytes */
void hasher_add_u64(Hasher *hasher, uint64_t value); /* little-endian bytes */
uint64_t hasher_value(const Hasher *hasher);
void hasher_destroy(Hasher *hasher);

#endif
