/* The texts a compile reads. A source keeps its bytes for as long as anything points into them. */
#ifndef WORLD_LANG_SOURCE_H
#define WORLD_LANG_SOURCE_H

#include "lang/span.h"
#include "runtime/base/str.h"

typedef struct Source {
    Str name;             /* as the author would name it: a path, or "<ask>", or "std/noise.world" */
    Str text;
    uint32_t *line_starts; /* made on first use */
    int line_count;
} Source;

typedef struct SourceSet {
    Arena *arena;
    VEC(Source) sources; /* [0] is empty: file 0 is "nowhere" */
} SourceSet;

typedef struct SourcePos {
    int line;   /* from 1 */
    int column; /* from 1, in characters (UTF-8 code points), tabs count one */
} SourcePos;

void sources_init(SourceSet *set, Arena *arena);
/* Copies name and text. */
uint32_t sources_add(SourceSet *set, Str name, Str text);
const Source *sources_get(const SourceSet *set, uint32_t file);
SourcePos sources_position(SourceSet *set, uint32_t file, uint32_t offset);
/* The text of a line (from 1), without its newline. */
Str sources_line(SourceSet *set, uint32_t file, int line);
Str sources_text(const SourceSet *set, Span span);

#endif
