/* Numbers as files and hashes have them: the least byte first, whatever the machine's own order is.
 */
#ifndef WORLD_BASE_LITTLE_H
#define WORLD_BASE_LITTLE_H

#include <stdbool.h>
#include <string.h>

static const bool machine_is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

/* The bytes of each number the other way round; `to` may be `from`. */
static inline void bytes_turn(void *to, const void *from, size_t width, size_t count) {
    unsigned char number[8], *out = to;
    const unsigned char *in = from;
    for (size_t i = 0; i < count; i++, in += width, out += width) {
        memcpy(number, in, width);
        for (size_t k = 0; k < width; k++)
            out[k] = number[width - 1 - k];
    }
}

/* Between the machine's order and that of files, either way. */
static inline void little_copy(void *to, const void *from, size_t width, size_t count) {
    if (!machine_is_little)
        bytes_turn(to, from, width, count);
    else
        memmove(to, from, width * count);
}

#endif
