/* Files that appear whole or not at all: written under a temporary name beside the target and
 * renamed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/cli.h"

bool output_open(Output *output, const char *path) {
    *output = (Output){.file = stdout};
    if (strcmp(path, "-") == 0) return true;
    size_t length = strlen(path) + 32;
    output->path = strdup(path);
    output->temporary = malloc(length);
    if (output->path && output->temporary) {
        snprintf(output->temporary, length, "%s.%ld.tmp", path, (long)getpid());
        output->file = fopen(output->temporary, "wb");
        if (output->file) return true;
    }
    free(output->path);
    free(output->temporary);
    fprintf(stderr, "worldc: cannot write '%s'\n", path);
    return false;
}

bool output_close(Output *output, bool good) {
    if (output->path == NULL) return fflush(stdout) == 0 && good;
    good = !ferror(output->file) && good;
    good = fclose(output->file) == 0 && good;
    good = good && rename(output->temporary, output->path) == 0;
    if (!good) {
        remove(output->temporary);
        fprintf(stderr, "worldc: cannot write '%s'\n", output->path);
    }
    free(output->path);
    free(output->temporary);
    return good;
}

void output_json_text(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
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

/* -- OpenEXR, uncompressed scan lines of 32-bit floats: the part of the format that exact
 * numbers need. Paper: "OpenEXR File Layout", openexr.com. Little-endian, like the machines this
 * runs on. -- */

static void put_u32(FILE *file, uint32_t value) {
    fwrite(&value, sizeof value, 1, file);
}

static void put_attribute(FILE *file, const char *name, const char *type, const void *value,
                          uint32_t size) {
    fwrite(name, 1, strlen(name) + 1, file);
    fwrite(type, 1, strlen(type) + 1, file);
    put_u32(file, size);
    fwrite(value, 1, size, file);
}

/* A channel list entry: name, type 2 (float), linearity, sampling 1 x 1. */
static uint32_t add_channel(unsigned char *at, char name) {
    static const unsigned char rest[16] = {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
    at[0] = (unsigned char)name;
    at[1] = 0;
    memcpy(at + 2, rest, sizeof rest);
    return 2 + sizeof rest;
}

static void put_header(FILE *file, int width, int height, const char *channels) {
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
    put_attribute(file, "channels", "chlist", list, size);
    put_attribute(file, "compression", "compression", &zero, 1);
    put_attribute(file, "dataWindow", "box2i", window, sizeof window);
    put_attribute(file, "displayWindow", "box2i", window, sizeof window);
    put_attribute(file, "lineOrder", "lineOrder", &zero, 1);
    put_attribute(file, "pixelAspectRatio", "float", &one, sizeof one);
    put_attribute(file, "screenWindowCenter", "v2f", center, sizeof center);
    put_attribute(file, "screenWindowWidth", "float", &one, sizeof one);
    fputc(0, file);
}

/* Channels stand in the file by name: B, G, R. */
bool output_exr(FILE *file, int width, int height, int channels, const float *values) {
    static const int order_rgb[] = {2, 1, 0}, order_one[] = {0};
    const int *order = channels == 3 ? order_rgb : order_one;
    put_header(file, width, height, channels == 3 ? "BGR" : "Y");
    uint32_t row_bytes = (uint32_t)(width * channels) * 4;
    uint64_t first = (uint64_t)ftell(file) + (uint64_t)height * 8;
    for (int y = 0; y < height; y++) {
        uint64_t offset = first + (uint64_t)y * (row_bytes + 8);
        fwrite(&offset, sizeof offset, 1, file);
    }
    for (int y = 0; y < height; y++) {
        put_u32(file, (uint32_t)y);
        put_u32(file, row_bytes);
        for (int c = 0; c < channels; c++)
            for (int x = 0; x < width; x++)
                fwrite(&values[((size_t)y * (size_t)width + (size_t)x) * (size_t)channels +
                               (size_t)order[c]],
                       4, 1, file);
    }
    return !ferror(file);
}
