/* Diagnostics as text.
 *
 *     island.world:3:17: error: expected ')', found '2' [E0101]
 *       3 |   let a = foo(1 2)
 *         |                 ^
 *       note: island.world:1:1: ...
 *       help: ...
 *
 * The quoted line comes from a file that anybody may have written, so control characters and broken
 * UTF-8 never reach the terminal, and a very long line is shown as a window round its span.
 */
#include "lang/diag.h"

#define WINDOW_BYTES 160 /* of a quoted line */
#define WINDOW_BEFORE 60 /* of them before the span, when the line is longer than the window */

typedef struct Paint {
    const char *error, *warning, *bold, *dim, *note, *reset;
} Paint;

static const Paint PLAIN = {"", "", "", "", "", ""};
static const Paint COLOR = {"\x1b[1;31m", "\x1b[1;33m", "\x1b[1m",
                            "\x1b[2m",    "\x1b[36m",   "\x1b[0m"};

/* -- order -- */

static bool goes_before(const Diag *a, const Diag *b) {
    if (a->span.file != b->span.file) return a->span.file < b->span.file;
    if (a->span.start != b->span.start) return a->span.start < b->span.start;
    return a->span.end < b->span.end;
}

/* By insertion: stable, and what a pass reports is nearly sorted already. */
static void sort_diags(DiagList *list) {
    for (int i = 1; i < list->items.count; i++) {
        Diag *moving = list->items.items[i];
        int to = i;
        for (; to > 0 && goes_before(moving, list->items.items[to - 1]); to--)
            list->items.items[to] = list->items.items[to - 1];
        list->items.items[to] = moving;
    }
}

/* -- the quoted line -- */

static bool is_continuation(char c) {
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Bytes of the well-formed UTF-8 character at `text`, 0 when there is none or it is a control character. */
static size_t shown_length(const char *text, size_t left) {
    unsigned char first = (unsigned char)text[0];
    size_t length = str_character((Str){text, left});
    bool control = first < 0x20 || first == 0x7F || (first == 0xC2 && length && (unsigned char)text[1] < 0xA0); /* the last: C1 */
    return control ? 0 : length;
}

/* Adds text as it may be shown: what may not is a '?', a tab stays. Answers the characters added.
 */
static int add_shown(StrBuf *out, Str text) {
    int shown = 0;
    for (size_t i = 0; i < text.len; shown++) {
        size_t length = text.ptr[i] == '\t' ? 1 : shown_length(text.ptr + i, text.len - i);
        if (length)
            strbuf_add(out, text.ptr + i, length);
        else
            strbuf_char(out, '?');
        i += length ? length : 1;
    }
    return shown;
}

/* Blanks as wide as add_shown's text: tabs stay tabs, so that the carets stand under the span. */
static void add_blanks(StrBuf *out, Str text) {
    for (size_t i = 0; i < text.len;) {
        size_t length = shown_length(text.ptr + i, text.len - i);
        strbuf_char(out, text.ptr[i] == '\t' ? '\t' : ' ');
        i += length ? length : 1;
    }
}

static Str slice(Str text, size_t start, size_t end) {
    return (Str){text.ptr + start, end - start};
}

typedef struct Window { /* the part of a line that is quoted, and the span in it, as offsets in the
                           line */
    size_t start, end, span_start, span_end;
} Window;

static Window window_of(Str line, size_t span_start, size_t span_end) {
    Window window = {0, line.len, span_start, span_end};
    if (line.len > WINDOW_BYTES) {
        if (span_start > WINDOW_BEFORE) window.start = span_start - WINDOW_BEFORE;
        if (window.start + WINDOW_BYTES < line.len) window.end = window.start + WINDOW_BYTES;
        while (window.start < span_start && is_continuation(line.ptr[window.start]))
            window.start++;
        while (window.end < line.len && is_continuation(line.ptr[window.end]))
            window.end++;
    }
    if (window.span_end > window.end) window.span_end = window.end;
    return window;
}

static void add_quote(StrBuf *out, DiagList *list, Span span, const char *color,
                      const Paint *paint) {
    SourcePos start = sources_position(list->sources, span.file, span.start);
    Str line = sources_line(list->sources, span.file, start.line);
    size_t line_start = (size_t)(line.ptr - sources_get(list->sources, span.file)->text.ptr);
    size_t from = span.start - line_start, to = span.end - line_start;
    if (from > line.len) from = line.len; /* the line's end */
    if (to > line.len) to = line.len;     /* only the span's first line is quoted */
    Window window = window_of(line, from, to < from ? from : to);

    strbuf_printf(out, "%s%5d |%s %s", paint->dim, start.line, paint->reset,
                  window.start ? "..." : "");
    add_shown(out, slice(line, window.start, window.end));
    strbuf_printf(out, "%s\n%s      |%s %s", window.end < line.len ? "..." : "", paint->dim,
                  paint->reset, window.start ? "   " : "");
    add_blanks(out, slice(line, window.start, window.span_start));
    strbuf_str(out, str_of(color));
    StrBuf ignored = {.arena = list->arena};
    int width = add_shown(&ignored, slice(line, window.span_start, window.span_end));
    for (int i = 0; i < (width ? width : 1); i++)
        strbuf_char(out, '^');
    strbuf_printf(out, "%s\n", paint->reset);
}

/* -- one diagnostic -- */

/* "file:line:column: ", or nothing for a message without a place. */
static void add_place(StrBuf *out, DiagList *list, Span span) {
    if (span.file == 0) return;
    SourcePos at = sources_position(list->sources, span.file, span.start);
    add_shown(out, sources_get(list->sources, span.file)->name);
    strbuf_printf(out, ":%d:%d: ", at.line, at.column);
}

static const char *severity_word(const Diag *diag) {
    return diag->severity == DIAG_ERROR ? "error" : "warning";
}

static void add_headline(StrBuf *out, DiagList *list, const Diag *diag, const Paint *paint) {
    char code[8];
    diag_code(diag->id, code);
    const char *color = diag->severity == DIAG_ERROR ? paint->error : paint->warning;
    strbuf_str(out, str_of(paint->bold));
    add_place(out, list, diag->span);
    strbuf_printf(out, "%s%s%s:%s %s", paint->reset, color, severity_word(diag), paint->reset,
                  paint->bold);
    add_shown(out, diag->message);
    strbuf_printf(out, "%s %s[%s]%s\n", paint->reset, paint->dim, code, paint->reset);
}

static void add_human(StrBuf *out, DiagList *list, const Diag *diag, const Paint *paint) {
    add_headline(out, list, diag, paint);
    const char *color = diag->severity == DIAG_ERROR ? paint->error : paint->warning;
    if (diag->span.file) add_quote(out, list, diag->span, color, paint);
    for (int i = 0; i < diag->notes.count; i++) {
        const DiagNote *note = &diag->notes.items[i];
        strbuf_printf(out, "  %snote:%s ", paint->note, paint->reset);
        add_place(out, list, note->span);
        add_shown(out, note->text);
        strbuf_char(out, '\n');
        if (note->span.file) add_quote(out, list, note->span, paint->note, paint);
    }
    if (diag->help.len == 0) return;
    strbuf_printf(out, "  %shelp:%s ", paint->note, paint->reset);
    add_shown(out, diag->help);
    strbuf_char(out, '\n');
}

/* -- JSON -- */

static void add_json_place(StrBuf *out, DiagList *list, Span span) {
    SourcePos start = sources_position(list->sources, span.file, span.start);
    SourcePos end = sources_position(list->sources, span.file, span.end);
    strbuf_printf(out, "\"file\": ");
    strbuf_json_text(out, sources_get(list->sources, span.file)->name);
    strbuf_printf(out, ", \"line\": %d, \"column\": %d, \"endLine\": %d, \"endColumn\": %d",
                  span.file ? start.line : 0, span.file ? start.column : 0,
                  span.file ? end.line : 0, span.file ? end.column : 0);
}

static void add_json_field(StrBuf *out, const char *name, Str text) {
    strbuf_printf(out, ", \"%s\": ", name);
    strbuf_json_text(out, text);
}

static void add_json(StrBuf *out, DiagList *list, const Diag *diag) {
    char code[8];
    diag_code(diag->id, code);
    strbuf_printf(out, "  {");
    add_json_place(out, list, diag->span);
    add_json_field(out, "id", str_of(code));
    add_json_field(out, "severity", str_of(severity_word(diag)));
    add_json_field(out, "message", diag->message);
    add_json_field(out, "help", diag->help);
    strbuf_printf(out, ", \"notes\": [");
    for (int i = 0; i < diag->notes.count; i++) {
        strbuf_printf(out, i ? ", {" : "{");
        add_json_place(out, list, diag->notes.items[i].span);
        add_json_field(out, "text", diag->notes.items[i].text);
        strbuf_char(out, '}');
    }
    strbuf_printf(out, "], \"fix\": ");
    if (diag->fix.present) {
        strbuf_char(out, '{');
        add_json_place(out, list, diag->fix.span);
        add_json_field(out, "text", diag->fix.text);
        strbuf_char(out, '}');
    } else {
        strbuf_printf(out, "null");
    }
    strbuf_char(out, '}');
}

/* -- all of them -- */

static void add_dropped(StrBuf *out, const DiagList *list) {
    if (list->dropped == 0) return;
    strbuf_printf(out, "and more: only the first %d errors are shown\n", list->error_count);
}

static Str render_json(DiagList *list, StrBuf *out) {
    strbuf_char(out, '[');
    for (int i = 0; i < list->items.count; i++) {
        strbuf_printf(out, i ? ",\n" : "\n");
        add_json(out, list, list->items.items[i]);
    }
    strbuf_printf(out, list->items.count ? "\n]\n" : "]\n");
    return strbuf_take(out);
}

Str diags_render(DiagList *list, DiagStyle style, Arena *arena) {
    StrBuf out = {.arena = arena};
    sort_diags(list);
    if (style == DIAG_JSON) return render_json(list, &out);
    for (int i = 0; i < list->items.count; i++) {
        const Diag *diag = list->items.items[i];
        if (style == DIAG_ONE_LINE)
            add_headline(&out, list, diag, &PLAIN);
        else
            add_human(&out, list, diag, style == DIAG_HUMAN_COLOR ? &COLOR : &PLAIN);
    }
    add_dropped(&out, list);
    return strbuf_take(&out);
}
