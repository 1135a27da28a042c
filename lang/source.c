/* The texts a compile reads, and where a byte of them stands.
 *
 * Line starts are found once, when the first position of a source is asked; a position is then a
 * binary search for the line and a walk along it for the column.
 */
#include "lang/source.h"

void sources_init(SourceSet *set, Arena *arena) {
    *set = (SourceSet){.arena = arena};
    VEC_PUSH(arena, &set->sources, ((Source){.name = STR_LIT(""), .arena = arena}));
}

static Source copy_source(Arena *arena, Str name, Str text) {
    return (Source){.name = {arena_strndup(arena, name.ptr, name.len), name.len},
                    .text = {arena_strndup(arena, text.ptr, text.len), text.len},
                    .arena = arena};
}

uint32_t sources_add(SourceSet *set, Str name, Str text) {
    VEC_PUSH(set->arena, &set->sources, copy_source(set->arena, name, text));
    return (uint32_t)(set->sources.count - 1);
}

uint32_t sources_add_brief(SourceSet *set, Arena *arena, Str name, Str text) {
    Source source = copy_source(arena, name, text);
    int at = set->sources.count - 1;
    while (at > 0 && set->sources.items[at].arena)
        at--;
    if (at <= 0) {
        at = set->sources.count;
        VEC_PUSH(set->arena, &set->sources, source);
    }
    set->sources.items[at] = source;
    return (uint32_t)at;
}

void sources_end(SourceSet *set, uint32_t file) {
    set->sources.items[file] = (Source){.name = STR_LIT("")};
}

const Source *sources_get(const SourceSet *set, uint32_t file) {
    return &set->sources.items[file < (uint32_t)set->sources.count ? file : 0];
}

/* Two passes, so that the table is exactly as long as it must be. */
static void find_lines(SourceSet *set, Source *source) {
    int lines = 1;
    for (size_t i = 0; i < source->text.len; i++)
        lines += source->text.ptr[i] == '\n';
    source->line_starts = ARENA_ARRAY(source->arena ? source->arena : set->arena, uint32_t, lines);
    source->line_count = 1;
    for (size_t i = 0; i < source->text.len; i++)
        if (source->text.ptr[i] == '\n')
            source->line_starts[source->line_count++] = (uint32_t)i + 1;
}

static Source *source_with_lines(SourceSet *set, uint32_t file) {
    Source *source = &set->sources.items[file < (uint32_t)set->sources.count ? file : 0];
    if (source->line_starts == NULL) find_lines(set, source);
    return source;
}

/* The last line that starts at or before `offset`, from 0. */
static int line_of(const Source *source, uint32_t offset) {
    int low = 0, high = source->line_count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

SourcePos sources_position(SourceSet *set, uint32_t file, uint32_t offset) {
    const Source *source = source_with_lines(set, file);
    if (offset > source->text.len) offset = (uint32_t)source->text.len;
    int line = line_of(source, offset);
    int column = 1;
    for (uint32_t i = source->line_starts[line]; i < offset; i++) {
        bool continues =
            ((unsigned char)source->text.ptr[i] & 0xC0) == 0x80; /* inside a code point */
        column += !continues;
    }
    return (SourcePos){.line = line + 1, .column = column};
}

Str sources_line(SourceSet *set, uint32_t file, int line) {
    const Source *source = source_with_lines(set, file);
    if (line < 1 || line > source->line_count) return STR_LIT("");
    uint32_t start = source->line_starts[line - 1];
    size_t end = line < source->line_count ? source->line_starts[line] - 1u : source->text.len;
    if (end > start && source->text.ptr[end - 1] == '\r') end--;
    return (Str){source->text.ptr + start, end - start};
}

Str sources_text(const SourceSet *set, Span span) {
    Str text = sources_get(set, span.file)->text;
    uint32_t end = span.end < text.len ? span.end : (uint32_t)text.len;
    uint32_t start = span.start < end ? span.start : end;
    return (Str){text.ptr ? text.ptr + start : "", end - start};
}
