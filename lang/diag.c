/* The list of diagnostics: adding, dropping what repeats or is too much, and "did you mean".
 *
 * Rendering is diag_render.c's.
 */
#include "lang/diag.h"

#include <stdarg.h>
#include <stdio.h>

#define DEFAULT_LIMIT 20
#define NEAREST_MAX_LENGTH 64 /* longer names are never guessed at */

typedef struct Row {
    int number;
    DiagSeverity severity;
    const char *message, *help;
} Row;

static const Row ROWS[DIAG_COUNT] = {
#define DIAG(NAME, number, severity, message, help) {number, DIAG_##severity, message, help},
#include "lang/diag.def"
#undef DIAG
};

void diags_init(DiagList *list, Arena *arena, SourceSet *sources) {
    *list = (DiagList){.arena = arena, .sources = sources};
}

static Str format_text(Arena *arena, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0) length = 0;
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return (Str){text, (size_t)length};
}

static bool same_place(Span a, Span b) {
    return a.file == b.file && a.start == b.start && a.end == b.end;
}

/* Only a place can repeat: messages without one (file 0) are all kept. */
static bool is_repeated(const DiagList *list, Span span) {
    if (span.file == 0) return false;
    for (int i = 0; i < list->items.count; i++) {
        const Diag *earlier = list->items.items[i];
        if (earlier->severity == DIAG_ERROR && same_place(earlier->span, span)) return true;
    }
    return false;
}

bool diags_full(const DiagList *list) {
    return list->error_count >= (list->limit ? list->limit : DEFAULT_LIMIT);
}

/* Counts it, and answers whether it is to be kept. */
static bool is_kept(DiagList *list, DiagSeverity severity, Span span) {
    if (severity == DIAG_WARNING) return true;
    if (is_repeated(list, span)) return false;
    if (!diags_full(list)) return true;
    list->dropped++;
    return false;
}

/* Counted once it is there: what has no room for its message is no error that was told. */
static void keep(DiagList *list, Diag *diag) {
    VEC_PUSH(list->arena, &list->items, diag);
    if (diag->severity == DIAG_WARNING)
        list->warning_count++;
    else
        list->error_count++;
}

Diag *diag_add(DiagList *list, DiagId id, Span span, ...) {
    const Row *row = &ROWS[id];
    Diag *diag = ARENA_NEW(list->arena, Diag);
    diag->id = id;
    diag->severity = row->severity;
    diag->span = span;
    diag->help = str_of(row->help);
    if (!is_kept(list, row->severity, span)) return diag;
    va_list args;
    va_start(args, span);
    diag->message = format_text(list->arena, row->message, args);
    va_end(args);
    keep(list, diag);
    return diag;
}

Diag *diag_again(DiagList *list, const Diag *earlier, Span span) {
    Diag *diag = ARENA_NEW(list->arena, Diag);
    *diag = *earlier;
    diag->span = span;
    diag->notes.capacity = diag->notes.count; /* the earlier one's: not to be written behind */
    if (is_kept(list, diag->severity, span)) keep(list, diag);
    return diag;
}

void diag_note(DiagList *list, Diag *diag, Span span, const char *format, ...) {
    va_list args;
    va_start(args, format);
    DiagNote note = {.span = span, .text = format_text(list->arena, format, args)};
    va_end(args);
    VEC_PUSH(list->arena, &diag->notes, note);
}

void diag_help(DiagList *list, Diag *diag, const char *format, ...) {
    va_list args;
    va_start(args, format);
    diag->help = format_text(list->arena, format, args);
    va_end(args);
}

void diag_fix(DiagList *list, Diag *diag, Span span, Str replacement) {
    char *copy = arena_strndup(list->arena, replacement.ptr, replacement.len);
    diag->fix = (DiagFix){.span = span, .text = {copy, replacement.len}, .present = true};
}

bool diags_failed(const DiagList *list) {
    return list->error_count > 0;
}

void diag_code(DiagId id, char *text) {
    snprintf(text, 8, "%c%04d", ROWS[id].severity == DIAG_ERROR ? 'E' : 'W',
             ROWS[id].number % 10000);
}

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static int min3(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

static bool same_letter(char a, char b) {
    return lower(a) == lower(b);
}

/* Letters changed, left out, put in, or exchanged with the next; letter case apart. Both are at most
 * NEAREST_MAX_LENGTH long. */
static int edit_distance(Str a, Str b) {
    int rows[3][NEAREST_MAX_LENGTH + 1];
    for (int j = 0; j <= (int)b.len; j++)
        rows[0][j] = j;
    for (int i = 1; i <= (int)a.len; i++) {
        int *row = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= (int)b.len; j++) {
            bool same = same_letter(a.ptr[i - 1], b.ptr[j - 1]);
            row[j] = min3(above[j] + 1, row[j - 1] + 1, above[j - 1] + !same);
            bool turned = i > 1 && j > 1 && same_letter(a.ptr[i - 1], b.ptr[j - 2]) &&
                          same_letter(a.ptr[i - 2], b.ptr[j - 1]);
            if (turned && before[j - 2] + 1 < row[j]) row[j] = before[j - 2] + 1;
        }
    }
    return rows[a.len % 3][b.len];
}

Str diag_nearest(Str wanted, const Str *names, int count) {
    Str best = STR_LIT("");
    int allowed = (int)(wanted.len / 3) < 2 ? (int)(wanted.len / 3) : 2;
    if (wanted.len > NEAREST_MAX_LENGTH) return best;
    for (int i = 0; i < count; i++) {
        if (names[i].len > NEAREST_MAX_LENGTH || str_equal(names[i], wanted)) continue;
        int distance = edit_distance(wanted, names[i]);
        if (distance > allowed) continue;
        best = names[i];
        allowed = distance - 1; /* the first of equals stays */
    }
    return best;
}
