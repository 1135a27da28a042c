/* A span is a range of bytes in one source of a SourceSet; line and column are worked out when shown. */
#ifndef WORLD_LANG_SPAN_H
#define WORLD_LANG_SPAN_H

#include <stdint.h>

typedef struct Span {
    uint32_t file;  /* index in the SourceSet; 0 is "nowhere" */
    uint32_t start; /* byte offset of the first byte */
    uint32_t end;   /* byte offset past the last */
} Span;

static inline Span span_join(Span a, Span b) {
    if (a.file == 0) return b;
    if (b.file != a.file) return a;
    return (Span){a.file, a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

#endif
