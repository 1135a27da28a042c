/* The pieces of a line, as HTML or without their marks. */
#include "compiler/manual/markdown.h"

enum { DEEPEST = 8 }; /* pieces in one another */

typedef enum PieceKind { PIECE_TEXT, PIECE_CODE, PIECE_STRONG, PIECE_LINK, PIECE_PICTURE } PieceKind;

typedef struct Piece {
    PieceKind kind;
    Str text, target;
} Piece;

static Str from(Str text, size_t at) {
    return (Str){text.ptr + at, text.len - at};
}

/* Where `what` is found at or after `at`; the length: nowhere. */
static size_t find(Str text, size_t at, const char *what) {
    size_t length = strlen(what);
    for (; at + length <= text.len; at++)
        if (memcmp(text.ptr + at, what, length) == 0) return at;
    return text.len;
}

/* `code`; ``code with a ` in it``. 0: nothing closes it. */
static size_t read_code(Str text, Piece *piece) {
    char marks[8] = "";
    size_t count = 0;
    while (count < text.len && count + 1 < sizeof marks && text.ptr[count] == '`')
        marks[count++] = '`';
    if (count == 0 || count == text.len || text.ptr[count] == '`') return 0;
    size_t end = find(text, count, marks);
    if (end == text.len) return 0;
    *piece = (Piece){PIECE_CODE, {text.ptr + count, end - count}, {0}};
    return end + count;
}

static size_t read_strong(Str text, Piece *piece) {
    if (!str_starts(text, STR_LIT("**"))) return 0;
    size_t end = find(text, 2, "**");
    if (end == text.len || end == 2) return 0;
    *piece = (Piece){PIECE_STRONG, {text.ptr + 2, end - 2}, {0}};
    return end + 2;
}

/* Past the bracket that closes the one it begins with; 0: none does. */
static size_t bracket_end(Str text) {
    int open = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '\\') i++;
        else if (text.ptr[i] == '[') open++;
        else if (text.ptr[i] == ']' && --open == 0) return i + 1;
    }
    return 0;
}

/* [text](target), and with `mark` before it a picture. */
static size_t read_link(Str text, Piece *piece) {
    size_t mark = text.len && text.ptr[0] == '!';
    Str rest = from(text, mark);
    if (rest.len == 0 || rest.ptr[0] != '[') return 0;
    size_t end = bracket_end(rest);
    if (end == 0 || end == rest.len || rest.ptr[end] != '(') return 0;
    size_t close = find(rest, end, ")");
    if (close == rest.len) return 0;
    *piece = (Piece){mark ? PIECE_PICTURE : PIECE_LINK, {rest.ptr + 1, end - 2}, {rest.ptr + end + 1, close - end - 1}};
    return mark + close + 1;
}

/* \* is a star. */
static size_t read_escaped(Str text, Piece *piece) {
    if (text.len < 2 || text.ptr[0] != '\\' || !strchr("\\`*_{}[]()#+-.!|<>", text.ptr[1])) return 0;
    *piece = (Piece){PIECE_TEXT, {text.ptr + 1, 1}, {0}};
    return 2;
}

/* Takes the first piece of a text that is not empty. */
static Piece next_piece(Str *text) {
    Piece piece = {0};
    size_t taken = read_escaped(*text, &piece);
    if (!taken) taken = read_code(*text, &piece);
    if (!taken) taken = read_strong(*text, &piece);
    if (!taken) taken = read_link(*text, &piece);
    if (!taken) {
        for (taken = 1; taken < text->len && !strchr("\\`*[!", text->ptr[taken]);)
            taken++;
        piece = (Piece){PIECE_TEXT, {text->ptr, taken}, {0}};
    }
    *text = from(*text, taken);
    return piece;
}

void html_escape(StrBuf *out, Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '<') strbuf_str(out, STR_LIT("&lt;"));
        else if (c == '>') strbuf_str(out, STR_LIT("&gt;"));
        else if (c == '&') strbuf_str(out, STR_LIT("&amp;"));
        else if (c == '"') strbuf_str(out, STR_LIT("&quot;"));
        else strbuf_char(out, c);
    }
}

static void write_pieces(const Markdown *to, Str text, int line, int depth);

/* What stands between marks: as text where they are too deep. */
static void write_inside(const Markdown *to, Str text, int line, int depth) {
    if (depth < DEEPEST) write_pieces(to, text, line, depth + 1);
    else html_escape(to->out, text);
}

static void write_target(const Markdown *to, const Piece *piece, int line) {
    html_escape(to->out, to->link(to->user, piece->target, line));
}

static void write_piece(const Markdown *to, const Piece *piece, int line, int depth) {
    StrBuf *out = to->out;
    switch (piece->kind) {
    case PIECE_TEXT: html_escape(out, piece->text); break;
    case PIECE_CODE:
        strbuf_str(out, STR_LIT("<code>"));
        html_escape(out, piece->text);
        strbuf_str(out, STR_LIT("</code>"));
        break;
    case PIECE_STRONG:
        strbuf_str(out, STR_LIT("<strong>"));
        write_inside(to, piece->text, line, depth);
        strbuf_str(out, STR_LIT("</strong>"));
        break;
    case PIECE_LINK:
        strbuf_str(out, STR_LIT("<a href=\""));
        write_target(to, piece, line);
        strbuf_str(out, STR_LIT("\">"));
        write_inside(to, piece->text, line, depth);
        strbuf_str(out, STR_LIT("</a>"));
        break;
    case PIECE_PICTURE:
        strbuf_str(out, STR_LIT("<img src=\""));
        write_target(to, piece, line);
        strbuf_str(out, STR_LIT("\" loading=\"lazy\" alt=\""));
        html_escape(out, markdown_plain(to->arena, piece->text));
        strbuf_str(out, STR_LIT("\">"));
    }
}

static void write_pieces(const Markdown *to, Str text, int line, int depth) {
    while (text.len) {
        Piece piece = next_piece(&text);
        write_piece(to, &piece, line, depth);
    }
}

void markdown_write_text(const Markdown *to, Str text, int line) {
    write_pieces(to, text, line, 0);
}

static void add_plain(StrBuf *out, Str text, int depth) {
    while (text.len) {
        Piece piece = next_piece(&text);
        bool holds = piece.kind == PIECE_STRONG || piece.kind == PIECE_LINK || piece.kind == PIECE_PICTURE;
        if (holds && depth < DEEPEST) add_plain(out, piece.text, depth + 1);
        else strbuf_str(out, piece.text);
    }
}

Str markdown_plain(Arena *arena, Str text) {
    StrBuf out = {.arena = arena};
    add_plain(&out, text, 0);
    return strbuf_take(&out);
}

Str markdown_picture(Str text) {
    if (text.len == 0) return text;
    Piece piece = next_piece(&text);
    return piece.kind == PIECE_PICTURE && text.len == 0 ? piece.target : (Str){0};
}

Str markdown_first_code(Str *text) {
    Str rest = *text;
    Piece piece = {0};
    size_t taken = read_code(rest, &piece);
    if (taken) *text = from(rest, taken);
    return piece.text;
}
