/* Pieces to lines: each line's indent, its comments, and whether it must be parted. */
#include "lang/format.h"

#include <stdlib.h>

#include "lang/ast.h"
#include "lang/format_pieces.h"
#include "lang/grammar.h"
#include "lang/lexer.h"
#include "lang/parse.h"

enum {
    FAR_IN = 56,    /* columns: a bracket that opens further in has its lines by the indent, not under its first item */
    LOOK_BACK = 500 /* pieces: what an author aligns with is near */
};

typedef struct Line {
    size_t start, length; /* of its code, in `code` */
    int columns;          /* of its code */
    Str comment;          /* behind it, or all of it */
    int comment_column;   /* in the author's text */
    bool alone;           /* a comment without code: `columns` is its indent */
    bool blank;           /* a blank line before it */
} Line;

typedef struct Body { /* an open one: the file, or what is under a header */
    int frame, indent, column; /* column: of its lines in the author's text */
} Body;

typedef struct Writer {
    Arena *arena;
    Str text;
    FormatPieces pieces;
    StrBuf code;
    VEC(Line) lines;
    VEC(Body) bodies;
} Writer;

static FormatPiece *piece_at(const Writer *w, int i) {
    return &w->pieces.items[i];
}

/* -- indents -- */

static const Body *top_body(const Writer *w) {
    return &w->bodies.items[w->bodies.count - 1];
}

/* Of the line that closes a bracket: a statement's own block goes by the statement. */
static int closing_indent(const Writer *w, int bracket) {
    const FormatPiece *piece = piece_at(w, bracket), *statement = piece_at(w, piece->statement);
    bool own = piece->token.kind == TOKEN_LBRACE && piece->frame == statement->frame;
    return own ? statement->line_indent : piece->line_indent;
}

/* Of the statements that stand in a frame now. */
static int statement_indent(const Writer *w, int frame) {
    const Body *body = top_body(w);
    return body->frame == frame ? body->indent : closing_indent(w, frame) + FORMAT_INDENT;
}

/* What a line may be aligned with: the first of a bracket or line, what stands behind `,` `:` `=` `=>`, and operators with operators. */
static bool may_align(const Writer *w, int with, int i) {
    int before = with ? piece_at(w, with - 1)->token.kind : TOKEN_NEWLINE;
    bool first = piece_at(w, with)->broken || piece_at(w, with)->begins || before == TOKEN_LPAREN || before == TOKEN_LBRACKET;
    bool behind = before == TOKEN_COMMA || before == TOKEN_COLON || before == TOKEN_ASSIGN || before == TOKEN_ARROW;
    return first || behind || (format_is_binary(&w->pieces, with) && format_is_binary(&w->pieces, i));
}

/* The column of what the author aligned the line of piece i with; -1: nothing. */
static int aligned(const Writer *w, int i) {
    const FormatPiece *piece = piece_at(w, i);
    int least = i - LOOK_BACK > piece->statement ? i - LOOK_BACK : piece->statement;
    if (!piece->token.first_on_line) return -1;
    for (int with = i - 1; with >= least; with--) {
        const FormatPiece *other = piece_at(w, with);
        bool same = other->frame == piece->frame && other->column == piece->column;
        bool moved = other->token.first_on_line && !other->broken; /* it begins no line any more */
        if (same && !moved && other->token.line_start != piece->token.line_start && may_align(w, with, i)) return other->out;
    }
    return -1;
}

/* The column of the `if` whose block ends before piece i, an `else`. */
static int column_of_if(const Writer *w, int i) {
    int at = piece_at(w, i - 1)->match, frame = piece_at(w, i)->frame;
    while (at > piece_at(w, i)->statement && !(piece_at(w, at)->token.kind == TOKEN_IF && piece_at(w, at)->frame == frame))
        at--;
    return piece_at(w, at)->out;
}

/* Of the line that piece i stands on in the author's text. */
static int author_indent(const Writer *w, int i) {
    const char *line = w->text.ptr + piece_at(w, i)->token.line_start;
    return (int)strspn(line, " \t");
}

/* Of a line that goes on: as it was aligned, else under the bracket's first item or a step in, whichever it was nearer to. */
static int continued_indent(const Writer *w, int i) {
    const FormatPiece *piece = piece_at(w, i);
    int column = aligned(w, i), frame = piece->frame;
    if (column >= 0) return column;
    if (frame < piece->statement) return piece_at(w, piece->statement)->line_indent + FORMAT_ON;
    int step = piece_at(w, frame)->line_indent + FORMAT_ON;
    const FormatPiece *first = piece_at(w, frame + 1);
    if (frame + 1 == i || first->broken) return step;
    if (!piece->token.first_on_line) return first->out <= FAR_IN ? first->out : step;
    bool under = abs(piece->column - first->column) < abs(piece->column - author_indent(w, frame) - FORMAT_ON);
    return under ? first->out : step;
}

static int indent_of(const Writer *w, int i) {
    const FormatPiece *piece = piece_at(w, i);
    if (piece->token.kind == TOKEN_END) return 0;
    if (piece->match >= 0 && piece->match < i) return closing_indent(w, piece->match);
    if (piece->begins) return statement_indent(w, piece->frame);
    return piece->token.kind == TOKEN_ELSE ? column_of_if(w, i) : continued_indent(w, i);
}

/* -- gaps: comments and blank lines -- */

static Str trimmed(const char *start, const char *end) {
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    return (Str){start, (size_t)(end - start)};
}

/* The indent of a comment alone before piece i: of the body it was written in, where bodies end there. */
static int comment_indent(const Writer *w, int i, int column) {
    const FormatPiece *piece = piece_at(w, i);
    for (int b = w->bodies.count - 1, left = piece->closed; left > 0 && b > 0; b--, left--)
        if (column >= w->bodies.items[b].column) return w->bodies.items[b].indent;
    if (piece->match >= 0 && piece->match < i)
        return closing_indent(w, piece->match) + (piece->token.kind == TOKEN_RBRACE ? FORMAT_INDENT : FORMAT_ON);
    return -1; /* of the piece itself */
}

/* The comments in the gap before piece i: the first may stand behind the line before. Those alone get their indent later where
 * it is the piece's; `*blank`: a blank line stands right before the piece. */
static void take_gap(Writer *w, int i, bool *blank) {
    const FormatPiece *piece = piece_at(w, i);
    const char *at = w->text.ptr + piece->gap, *end = w->text.ptr + piece->token.start, *line = at;
    int newlines = 0;
    for (; at < end; at++) {
        if (*at == '\n') {
            newlines++;
            line = at + 1;
        }
        if (*at != '/' || at[1] != '/') continue;
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL) stop = end;
        Str comment = trimmed(at, stop);
        bool behind = newlines == 0 && i > 0 && w->lines.count > 0 && !w->lines.items[w->lines.count - 1].alone;
        if (behind) {
            w->lines.items[w->lines.count - 1].comment = comment;
            const char *begin = at;
            while (begin > w->text.ptr && begin[-1] != '\n')
                begin--;
            w->lines.items[w->lines.count - 1].comment_column = format_columns((Str){begin, (size_t)(at - begin)});
        } else {
            int column = format_columns((Str){line, (size_t)(at - line)});
            Line alone = {.comment = comment, .alone = true, .columns = comment_indent(w, i, column), .blank = newlines > 1 && w->lines.count > 0};
            if (i > 0 && w->lines.count && piece_at(w, i - 1)->token.kind == TOKEN_LBRACE && !w->lines.items[w->lines.count - 1].alone) alone.blank = false;
            VEC_PUSH(w->arena, &w->lines, alone);
        }
        newlines = 0;
        at = stop - 1;
    }
    *blank = newlines > 1;
}

/* -- lines -- */

/* What stands between piece i and the one before it on its line. */
static const char *glue(const Writer *w, int i) {
    if (piece_at(w, i)->begins && piece_at(w, i - 1)->token.kind != TOKEN_LBRACE) return "; ";
    return format_space(&w->pieces, i) ? " " : "";
}

/* The columns of pieces from..<to on a line with that indent; answers where it ends. */
static int lay_out(Writer *w, int from, int to, int indent) {
    int column = indent;
    for (int i = from; i < to; i++) {
        FormatPiece *piece = piece_at(w, i);
        if (i > from) column += (int)strlen(glue(w, i));
        piece->out = column;
        piece->line_indent = indent;
        column += format_columns(piece->text);
    }
    return column;
}

static void write_line(Writer *w, int from, int to, int columns, bool blank) {
    Line line = {.start = w->code.len, .columns = columns, .blank = blank};
    for (int i = from; i < to; i++) {
        if (i > from) strbuf_str(&w->code, str_of(glue(w, i)));
        strbuf_str(&w->code, piece_at(w, i)->text);
    }
    line.length = w->code.len - line.start;
    VEC_PUSH(w->arena, &w->lines, line);
}

/* Past the last piece of a line, or of the first `most` of them. */
static int line_end(const Writer *w, int from, int most) {
    int to = from + 1;
    while (to < w->pieces.count - 1 && to - from < most && !piece_at(w, to)->broken)
        to++;
    return to;
}

/* Parts the line while it is too long and can be parted. A piece has a column at least, so few of them tell. */
static int fit_line(Writer *w, int from, int indent, int *columns) {
    for (int most = FORMAT_WIDTH + 1;;) {
        int to = line_end(w, from, most);
        *columns = lay_out(w, from, to, indent);
        if (*columns <= FORMAT_WIDTH || format_break(&w->pieces, w->text, from, to)) {
            if (*columns <= FORMAT_WIDTH) return to;
        } else if (to - from < most) {
            return to;
        } else {
            most *= 2;
        }
    }
}

static void enter_bodies(Writer *w, int i) {
    const FormatPiece *piece = piece_at(w, i);
    w->bodies.count -= piece->closed;
    if (piece->opened == 0) return;
    int header = piece_at(w, i - 1)->statement;
    Body body = {piece->frame, piece_at(w, header)->line_indent + FORMAT_INDENT, piece->column};
    VEC_PUSH(w->arena, &w->bodies, body);
}

/* Comments before it have its indent where they have none of their own. */
static void indent_comments(Writer *w, int before, int indent) {
    for (int k = before - 1; k >= 0 && w->lines.items[k].alone && w->lines.items[k].columns < 0; k--)
        w->lines.items[k].columns = indent;
}

static void write_lines(Writer *w) {
    int last = w->pieces.count - 1;
    bool blank = false;
    for (int from = 0, to; from < last; from = to) {
        take_gap(w, from, &blank);
        enter_bodies(w, from);
        bool opened = from > 0 && piece_at(w, from - 1)->token.kind == TOKEN_LBRACE && !w->lines.items[w->lines.count - 1].alone;
        bool closes = piece_at(w, from)->token.kind == TOKEN_RBRACE;
        int indent = indent_of(w, from), end;
        indent_comments(w, w->lines.count, indent);
        to = fit_line(w, from, indent, &end);
        write_line(w, from, to, end, blank && from > 0 && !opened && !closes);
    }
    take_gap(w, last, &blank);
    indent_comments(w, w->lines.count, 0);
}

/* -- text -- */

/* Comments behind lines that stand under one another from line k on: they still do. Answers past the last of them. */
static int comments_end(const Writer *w, int k, int *columns) {
    int column = w->lines.items[k].comment_column;
    *columns = 0;
    for (int first = k; k < w->lines.count; k++) {
        const Line *line = &w->lines.items[k];
        if (line->alone || line->comment.len == 0 || line->comment_column != column || (line->blank && k > first)) break;
        *columns = line->columns > *columns ? line->columns : *columns;
    }
    return k;
}

static void put_blanks(StrBuf *out, int count) {
    for (int i = 0; i < count; i++)
        strbuf_char(out, ' ');
}

static Str assemble(Writer *w) {
    StrBuf out = {.arena = w->arena};
    int together = 0, columns = 0; /* lines before `together` have their comments behind `columns` */
    for (int k = 0; k < w->lines.count; k++) {
        const Line *line = &w->lines.items[k];
        Str code = {w->code.ptr + line->start, line->length};
        if (line->blank) strbuf_char(&out, '\n');
        put_blanks(&out, line->alone ? line->columns : line->columns - format_columns(code));
        strbuf_str(&out, code);
        if (line->comment.len && !line->alone) {
            if (k >= together) together = comments_end(w, k, &columns);
            put_blanks(&out, columns + 2 - line->columns);
        }
        strbuf_str(&out, line->comment);
        strbuf_char(&out, '\n');
    }
    return strbuf_take(&out);
}

static Str format_tree(Arena *arena, DiagList *diags, const AstFile *file) {
    Writer w = {.arena = arena, .text = sources_get(diags->sources, file->file)->text, .code = {.arena = arena}};
    w.pieces = format_pieces(arena, diags, file);
    VEC_PUSH(arena, &w.bodies, ((Body){-1, 0, 0}));
    write_lines(&w);
    return assemble(&w);
}

/* -- the same world -- */

static Str tree_text(Arena *arena, const AstFile *file, const SymbolTable *symbols) {
    StrBuf out = {.arena = arena};
    ast_print(&out, file, symbols);
    return strbuf_take(&out);
}

Str format_file(Arena *arena, DiagList *diags, uint32_t file) {
    SymbolTable symbols;
    symbols_init(&symbols, arena);
    const AstFile *tree = parse_file(arena, &symbols, diags, file, (ParseLimits){0});
    if (diags_failed(diags)) return (Str){0};
    Str text = format_tree(arena, diags, tree);
    uint32_t again = sources_add(diags->sources, sources_get(diags->sources, file)->name, text);
    const AstFile *tree_again = parse_file(arena, &symbols, diags, again, (ParseLimits){0});
    if (!diags_failed(diags) && str_equal(tree_text(arena, tree, &symbols), tree_text(arena, tree_again, &symbols))) return text;
    diag_add(diags, DIAG_E_INTERNAL, (Span){file, 0, 0}, STR_ARG(STR_LIT("formatted, this would be another world")));
    return (Str){0};
}
