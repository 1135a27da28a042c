/* How the checker hands the values of a file to the data package: as the bytes of a text, so that they
 * are part of what the cell that unpacks them means. Never kept in a file: numbers are as in memory.
 *
 *     rows     PackRows | a letter a slot | 8 bytes a slot, in the order of the letters
 *              F I W B: the value; C: a byte of sRGB, or from 256 on an F; R: a text's length, and that many bytes more
 *     samples  PackSamples | samples as a picture file has them
 */
#ifndef WORLD_BASE_PACK_H
#define WORLD_BASE_PACK_H

#include <stdint.h>

typedef struct PackRows {
    uint64_t width, count;
} PackRows;

typedef struct PackSamples {
    uint64_t count;           /* columns times rows */
    uint32_t channels, bytes; /* of a sample, and of a channel: 16 bits the higher byte first */
} PackSamples;

/* The length of an R that is no object: an empty list. */
#define PACK_NULL UINT64_MAX

#endif
