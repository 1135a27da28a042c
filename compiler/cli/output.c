/* What several verbs print in one form. */
#include <math.h>
#include <string.h>

#include "compiler/cli/cli.h"

void output_json_text(FILE *file, const char *text) {
    char shown[STR_JSON];
    fputc('"', file);
    for (Str rest = str_of(text); rest.len;) {
        size_t taken = str_json_character(shown, rest);
        fputs(shown, file);
        rest = (Str){rest.ptr + taken, rest.len - taken};
    }
    fputc('"', file);
}

void output_json_number(FILE *file, double value) {
    if (isfinite(value))
        fprintf(file, "%.17g", value);
    else
        fputs("null", file);
}

void output_json_member(const char *name, double value) {
    printf(", \"%s\": ", name);
    output_json_number(stdout, value);
}

void output_csv_text(FILE *file, const char *text) {
    if (text[strcspn(text, ",\"\r\n")] == '\0') {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"') fputc('"', file);
        fputc(*text, file);
    }
    fputc('"', file);
}

/* -- OpenEXR, uncompressed scan lines of 32-bit floats: the part of the format that exact
 * numbers need. Paper: "OpenEXR File Layout", openexr.com. -- */

static void put_u32(WholeFile *file, uint32_t value) {
    file_add_numbers(file, &value, sizeof value, 1);
}

static void name_attribute(WholeFile *file, const char *name, const char *type, uint32_t size) {
    file_add(file, name, strlen(name) + 1);
    file_add(file, type, strlen(type) + 1);
    put_u32(file, size);
}

static void put_bytes(WholeFile *file, const char *name, const char *type, const void *value, uint32_t size) {
    name_attribute(file, name, type, size);
    file_add(file, value, size);
}

static void put_words(WholeFile *file, const char *name, const char *type, const void *value, uint32_t count) {
    name_attribute(file, name, type, 4 * count);
    file_add_numbers(file, value, 4, count);
}

/* A channel list entry: name, type 2 (float), linearity, sampling 1 x 1. */
static uint32_t add_channel(unsigned char *at, char name) {
    static const unsigned char rest[16] = {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    at[0] = (unsigned char)name;
    at[1] = 0;
    memcpy(at + 2, rest, sizeof rest);
    return 2 + sizeof rest;
}

static void put_header(WholeFile *file, int width, int height, const char *channels) {
    unsigned char list[64];
    uint32_t size = 0;
    for (const char *c = channels; *c; c++)
        size += add_channel(list + size, *c);
    list[size++] = 0;
    int32_t window[4] = {0, 0, width - 1, height - 1};
    float center[2] = {0, 0}, one = 1;
    unsigned char zero = 0;
    put_u32(file, 20000630); /* magic */
    put_u32(file, 2);        /* version, single part, scan lines */
    put_bytes(file, "channels", "chlist", list, size);
    put_bytes(file, "compression", "compression", &zero, 1);
    put_words(file, "dataWindow", "box2i", window, 4);
    put_words(file, "displayWindow", "box2i", window, 4);
    put_bytes(file, "lineOrder", "lineOrder", &zero, 1);
    put_words(file, "pixelAspectRatio", "float", &one, 1);
    put_words(file, "screenWindowCenter", "v2f", center, 2);
    put_words(file, "screenWindowWidth", "float", &one, 1);
    file_add(file, &zero, 1);
}

/* Channels stand in the file by name: B, G, R. */
void output_exr(WholeFile *file, int width, int height, int channels, const float *values) {
    static const int order_rgb[] = {2, 1, 0}, order_one[] = {0};
    const int *order = channels == 3 ? order_rgb : order_one;
    put_header(file, width, height, channels == 3 ? "BGR" : "Y");
    uint32_t row_bytes = (uint32_t)(width * channels) * 4;
    uint64_t first = file->written + (uint64_t)height * 8;
    for (int y = 0; y < height; y++) {
        uint64_t offset = first + (uint64_t)y * (row_bytes + 8);
        file_add_numbers(file, &offset, sizeof offset, 1);
    }
    for (int y = 0; y < height; y++) {
        put_u32(file, (uint32_t)y);
        put_u32(file, row_bytes);
        for (int c = 0; c < channels; c++)
            for (int x = 0; x < width; x++)
                file_add_numbers(file, &values[((size_t)y * (size_t)width + (size_t)x) * (size_t)channels + (size_t)order[c]], 4, 1);
    }
}
