/* Diagnostics: collected in a list, sorted by place, rendered at the end.
 *
 * A Diag owns its text in the list's arena. Adding is cheap and never prints. A second error whose primary
 * span equals an earlier one's is dropped, and so is everything past the limit (20 errors by default).
 */
#ifndef WORLD_LANG_DIAG_H
#define WORLD_LANG_DIAG_H

#include "lang/source.h"
#include "lang/span.h"

typedef enum DiagSeverity { DIAG_ERROR, DIAG_WARNING } DiagSeverity;

typedef enum DiagId {
#define DIAG(NAME, number, severity, message, help) DIAG_##NAME,
#include "lang/diag.def"
#undef DIAG
    DIAG_COUNT
} DiagId;

typedef struct DiagNote {
    Span span; /* file 0: a note without a place */
    Str text;
} DiagNote;

typedef struct DiagFix { /* replace `span` with `text` */
    Span span;
    Str text;
    bool present;
} DiagFix;

typedef struct Diag {
    DiagId id;
    DiagSeverity severity;
    Span span;
    Str message;
    Str help; /* the row's help, or the one diag_help set */
    VEC(DiagNote) notes;
    DiagFix fix;
} Diag;

typedef struct DiagList {
    Arena *arena;
    SourceSet *sources;
    VEC(Diag *) items;
    int error_count, warning_count;
    int limit;   /* errors kept; 0 means 20 */
    int dropped; /* errors past the limit */
} DiagList;

void diags_init(DiagList *list, Arena *arena, SourceSet *sources);
/* Formats the row's message with the arguments. Never NULL; a dropped diagnostic is a scratch one. */
Diag *diag_add(DiagList *list, DiagId id, Span span, ...);
/* The same once more, at another place. */
Diag *diag_again(DiagList *list, const Diag *diag, Span span);
void diag_note(DiagList *list, Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_help(DiagList *list, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_fix(DiagList *list, Diag *diag, Span span, Str replacement);
bool diags_failed(const DiagList *list);
/* Whether as many errors are kept as the limit allows, so that looking for more is in vain. */
bool diags_full(const DiagList *list);

/* "E0301" / "W0701". `text` holds at least 8 bytes. */
void diag_code(DiagId id, char *text);

typedef enum DiagStyle { DIAG_HUMAN, DIAG_HUMAN_COLOR, DIAG_ONE_LINE, DIAG_JSON } DiagStyle;

/* Sorts by file and place, then renders all. JSON is an array of objects with file, line, column, endLine,
 * endColumn, id, severity, message, help, notes, fix. */
Str diags_render(DiagList *list, DiagStyle style, Arena *arena);

/* The nearest of `names` to `wanted` by edit distance (at most 2, and at most a third of its length),
 * or an empty Str. For "did you mean". */
Str diag_nearest(Str wanted, const Str *names, int count);

#endif
