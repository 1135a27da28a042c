/* A world that was compiled ahead of time: what a host needs of it beside the header that `worldc compile` wrote.
 *
 *     worldc compile island.world -o island.o --header island.h
 *     cc host.c island.o $(pkg-config --cflags --libs world-ahead)
 *
 * The object holds the world's functions as machine code and what its parts are made of; libworld-ahead the runtime, without
 * a compiler. Fields are worked out when something first asks for them, as in an engine, and to the same bits.
 *
 * Lengths are in meters, angles in radians, times in seconds. Threads: a world may be asked by many; it is opened and closed
 * by one, while nobody asks.
 */
#ifndef WORLD_AHEAD_H
#define WORLD_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef WORLD_API
#define WORLD_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WorldAhead WorldAhead;           /* an open world */
typedef struct WorldAheadImage WorldAheadImage; /* what an object holds */

typedef enum WorldAheadStatus {
    WORLD_AHEAD_OK,
    WORLD_AHEAD_FAULT,    /* it could not be worked out: world_ahead_error says why */
    WORLD_AHEAD_MEMORY,
    WORLD_AHEAD_ARGUMENT, /* a wrong call: NULL, a bool that is neither 0 nor 1, no such function */
    WORLD_AHEAD_OTHER,    /* the object is of another version of the library, or the header of another object */
    WORLD_AHEAD_MACHINE   /* the object was made for a processor with more than this one has */
} WorldAheadStatus;

/* Zeros are the defaults. */
typedef struct WorldAheadDesc {
    uint64_t memory_bytes; /* the most it may hold; 0: 4 GiB */
    int threads;           /* that work on one question; 0: all cores */
    bool has_seed;         /* in place of the world's own field `seed`: */
    uint32_t seed;
} WorldAheadDesc;

/* What crosses a call: a quantity, an int, or a u32 or bool. */
typedef union WorldAheadSlot {
    double f;
    int64_t i;
    uint64_t w;
} WorldAheadSlot;

/* Works nothing out yet. The header's own `..._open` calls it, with the key by which object and header know each other. */
WORLD_API WorldAheadStatus world_ahead_open(const WorldAheadImage *image, uint64_t key, const WorldAheadDesc *desc,
                                            WorldAhead **world);
WORLD_API void world_ahead_close(WorldAhead *world); /* may be NULL */
/* n calls of a function, by its number in the header: rows of slots, one after the other; a point takes three. After anything but
 * OK the results are as they were. Many at once run on all threads. */
WORLD_API WorldAheadStatus world_ahead_call(WorldAhead *world, int function, size_t n, const WorldAheadSlot *arguments,
                                            WorldAheadSlot *results);
/* Why the last call that failed did, with the place in the world's text; "" when none has. It stays until the next one that fails. */
WORLD_API const char *world_ahead_error(const WorldAhead *world);

#ifdef __cplusplus
}
#endif

#endif
