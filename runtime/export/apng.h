/* Films as animated PNG files: every viewer of pictures shows the first frame, those that know APNG all of them. */
#ifndef WORLD_EXPORT_APNG_H
#define WORLD_EXPORT_APNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/str.h"
#include "runtime/file/file.h"

typedef struct Apng {
    WholeFile file;
    Arena *scratch; /* the caller's; a frame is packed in it and let go */
    int width, height, frames;
    uint16_t delay[2]; /* how long a frame is shown, seconds: the first by the second */
    uint32_t sequence; /* of the next chunk that is numbered */
    int added;
} Apng;

/* `frames`: how many there will be; each is shown as long as the format has it, from a 65535th of a second to as many seconds. */
bool apng_open(Apng *film, Arena *scratch, const char *path, int width, int height, int frames, double seconds_a_frame);
/* As of png_write_rgba; alpha is not kept. False once something went wrong, also before. */
bool apng_add(Apng *film, const uint8_t *rgba);
/* Puts it in its place; false, with a reason in `error`: nothing is left of it. To be called after apng_open in any case. */
bool apng_close(Apng *film, char *error, size_t size);

#endif
