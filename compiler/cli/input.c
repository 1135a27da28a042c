/* What verbs read whole: standard input, keys, texts that are written anew. */
#include <errno.h>
#include <stdlib.h>

#include "compiler/cli/cli.h"

char *input_read(const char *path, size_t *length) {
    FILE *file = path ? fopen(path, "rb") : stdin;
    size_t capacity = 1 << 16, got;
    *length = 0;
    if (file == NULL) return NULL;
    char *text = malloc(capacity);
    while (text && (got = fread(text + *length, 1, capacity - *length - 1, file)) > 0) {
        *length += got;
        if (*length + 1 < capacity) continue;
        char *larger = realloc(text, capacity *= 2);
        if (larger == NULL) free(text);
        text = larger;
    }
    int problem = text == NULL ? ENOMEM : ferror(file) ? errno : 0;
    if (path) fclose(file);
    if (problem) free(text);
    errno = problem;
    if (problem) return NULL;
    text[*length] = '\0';
    return text;
}
