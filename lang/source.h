/* The texts a compile reads. A source keeps its bytes for as long as anything points into them. */
#ifndef WORLD_LANG_SOURCE_H
#define WORLD_LANG_SOURCE_H

#include "lang/span.h"
#include "runtime/base/str.h"

typedef struct Source {
    Str name; /* as the author would name it: a path, or "<ask>", or "std/noise.world" */
    Str text;
    uint32_t *line_starts; /* made on first use */
    int line_count;
    Arena *arena; /* of line_starts; NULL: the place of a source that is no more */
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
/* The same for a text that ends before the set does, copied into an arena of its own; its number may be another's
 * afterwards. */
uint32_t sources_add_brief(SourceSet *set, Arena *arena, Str name, Str text);
void sources_end(SourceSet *set, uint32_t file);
const Source *sources_get(const SourceSet *set, uint32_t file);
SourcePos sources_position(SourceSet *set, uint32_t file, uint32_t offset);
/* The text of a line (from 1), without its newline. */
Str sources_line(SourceSet *set, uint32_t file, int line);
Str sources_text(const SourceSet *set, Span span);

#endif
