#include "gpu/rows.h"

#include <string.h>

static void drop_span(Rows *rows, size_t at) {
    rows->free_count--;
    memmove(rows->free + at, rows->free + at + 1, (rows->free_count - at) * sizeof *rows->free);
}

bool rows_take(Rows *rows, uint32_t count, uint32_t *first) {
    for (size_t at = 0; at < rows->free_count; at++) {
        RowSpan *span = &rows->free[at];
        if (span->count < count) continue;
        *first = span->first;
        span->first += count;
        span->count -= count;
        rows->used += count;
        if (span->count == 0) drop_span(rows, at);
        return true;
    }
    return false;
}

static void make_room(Rows *rows, Memory *memory) {
    if (rows->free_count < rows->free_room) return;
    size_t room = rows->free_room * 2 + 16;
    rows->free = memory_resize(memory, rows->free, rows->free_room * sizeof *rows->free, room * sizeof *rows->free);
    rows->free_room = room;
}

/* Joined with the spans that it touches. */
static void add_free(Rows *rows, Memory *memory, RowSpan span) {
    size_t at = 0;
    if (span.count == 0) return;
    while (at < rows->free_count && rows->free[at].first < span.first)
        at++;
    RowSpan *before = at > 0 ? &rows->free[at - 1] : NULL, *after = at < rows->free_count ? &rows->free[at] : NULL;
    bool joins = before && before->first + before->count == span.first;
    bool meets = after && span.first + span.count == after->first;
    if (joins) {
        before->count += span.count + (meets ? after->count : 0);
        if (meets) drop_span(rows, at);
    } else if (meets) {
        *after = (RowSpan){span.first, span.count + after->count};
    } else {
        make_room(rows, memory);
        memmove(rows->free + at + 1, rows->free + at, (rows->free_count - at) * sizeof *rows->free);
        rows->free[at] = span;
        rows->free_count++;
    }
}

void rows_give(Rows *rows, Memory *memory, uint32_t first, uint32_t count) {
    add_free(rows, memory, (RowSpan){first, count});
    rows->used -= count;
}

void rows_add(Rows *rows, Memory *memory, uint32_t more) {
    add_free(rows, memory, (RowSpan){rows->count, more});
    rows->count += more;
}

void rows_fini(Rows *rows, Memory *memory) {
    memory_resize(memory, rows->free, rows->free_room * sizeof *rows->free, 0);
    *rows = (Rows){0};
}
