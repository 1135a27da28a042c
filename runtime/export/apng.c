#include "runtime/export/apng.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "runtime/export/png.h"

static void put_u32(uint8_t *at, uint32_t value) {
    for (int k = 0; k < 4; k++)
        at[k] = (uint8_t)(value >> (24 - 8 * k));
}

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void put_u16(uint8_t *at, uint32_t value) {
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void add_chunk(Apng *film, const char *type, const uint8_t *head, size_t head_size, const uint8_t *body, size_t body_size) {
    uint8_t begin[8], sum[4];
    put_u32(begin, (uint32_t)(head_size + body_size));
    memcpy(begin + 4, type, 4);
    uLong crc = crc32(0, begin + 4, 4);
    if (head_size) crc = crc32(crc, head, (uInt)head_size);
    if (body_size) crc = crc32(crc, body, (uInt)body_size);
    put_u32(sum, (uint32_t)crc);
    file_add(&film->file, begin, sizeof begin);
    if (head_size) file_add(&film->file, head, head_size);
    if (body_size) file_add(&film->file, body, body_size);
    file_add(&film->file, sum, sizeof sum);
}

/* How long the frame is shown; it replaces all of the one before. */
static void add_control(Apng *film) {
    uint8_t control[26] = {0};
    put_u32(control, film->sequence++);
    put_u32(control + 4, (uint32_t)film->width);
    put_u32(control + 8, (uint32_t)film->height);
    put_u16(control + 20, film->delay[0]);
    put_u16(control + 22, film->delay[1]);
    add_chunk(film, "fcTL", control, sizeof control, NULL, 0);
}

/* Before the first frame stands what its picture says of itself, and how many follow. */
static void add_head(Apng *film, const uint8_t *chunk, size_t size) {
    static const uint8_t signature[8] = {137, 80, 78, 71, 13, 10, 26, 10};
    bool first = memcmp(chunk + 4, "IHDR", 4) == 0;
    if (first) file_add(&film->file, signature, sizeof signature);
    file_add(&film->file, chunk, size + 12);
    uint8_t control[8] = {0};
    put_u32(control, (uint32_t)film->frames);
    if (first) add_chunk(film, "acTL", control, sizeof control, NULL, 0);
}

/* The chunks of a frame's own picture, taken into the film's. */
static void add_chunks(Apng *film, Str picture) {
    bool begun = false;
    for (size_t at = 8; at + 12 <= picture.len;) {
        const uint8_t *chunk = (const uint8_t *)picture.ptr + at;
        size_t size = read_u32(chunk);
        bool data = memcmp(chunk + 4, "IDAT", 4) == 0;
        if (data && !begun) add_control(film);
        begun |= data;
        uint8_t number[4];
        if (data && film->added) put_u32(number, film->sequence++);
        if (data)
            add_chunk(film, film->added ? "fdAT" : "IDAT", number, film->added ? 4 : 0, chunk + 8, size);
        else if (film->added == 0 && memcmp(chunk + 4, "IEND", 4) != 0)
            add_head(film, chunk, size);
        at += size + 12;
    }
}

/* The nearest fraction of two 16-bit numbers, the shortest of those. */
static void find_delay(double seconds, uint16_t delay[2]) {
    double wanted = fmin(fmax(seconds, 1.0 / UINT16_MAX), UINT16_MAX), least = INFINITY;
    for (int by = 1; by <= UINT16_MAX; by++) {
        double count = fmax(1, round(wanted * by)), off = fabs(count / by - wanted);
        if (count > UINT16_MAX) return;
        if (!(off < least * (1 - 1e-6))) continue;
        least = off;
        delay[0] = (uint16_t)count, delay[1] = (uint16_t)by;
        if (off < 1e-12 * wanted) return;
    }
}

bool apng_open(Apng *film, Arena *scratch, const char *path, int width, int height, int frames, double seconds_a_frame) {
    *film = (Apng){.scratch = scratch, .width = width, .height = height, .frames = frames};
    find_delay(seconds_a_frame, film->delay);
    return file_open(&film->file, path);
}

bool apng_add(Apng *film, const uint8_t *rgba) {
    if (film->file.problem) return false;
    ArenaMark mark = arena_mark(film->scratch);
    Str picture = png_encode_rgb(film->scratch, film->width, film->height, rgba);
    if (picture.len)
        add_chunks(film, picture);
    else
        file_fail(&film->file, ENOMEM);
    arena_release(film->scratch, mark);
    film->added++;
    return film->file.problem == 0;
}

bool apng_close(Apng *film, char *error, size_t size) {
    if (film->file.stream && film->file.problem == 0) {
        if (film->added == film->frames)
            add_chunk(film, "IEND", NULL, 0, NULL, 0);
        else
            file_fail(&film->file, ECANCELED);
    }
    if (film->file.stream && file_commit(&film->file)) return true;
    snprintf(error, size, "cannot write '%s': %s", film->file.path, strerror(film->file.problem));
    return false;
}
