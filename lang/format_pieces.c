/* The layout's tokens with what the formatter wants to know of each. */
#include "lang/format_pieces.h"

#include "lang/grammar.h"
#include "lang/layout.h"
#include "lang/parse.h"

int format_columns(Str text) {
    int columns = 0;
    for (size_t i = 0; i < text.len; i++)
        columns += ((unsigned char)text.ptr[i] & 0xC0) != 0x80;
    return columns;
}

typedef struct Reader {
    Arena *arena;
    const char *base;
    uint32_t length; /* of the text */
    FormatPieces pieces;
    VEC(int) brackets; /* the open ones, pieces */
    int opened, closed; /* since the last piece */
    bool begins;
} Reader;

static int open_bracket(const Reader *reader) {
    return reader->brackets.count ? reader->brackets.items[reader->brackets.count - 1] : -1;
}

static bool is_opener(int kind) {
    return kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE || kind == TOKEN_TEXT_BEGIN;
}

static bool is_closer(int kind) {
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE || kind == TOKEN_TEXT_END;
}

/* The statement of a piece that begins none: of the one before it, or of the bracket that it closes. */
static int statement_before(const Reader *reader, const FormatPiece *piece) {
    int at = piece->match >= 0 ? piece->match : reader->pieces.count - 1;
    return at < 0 ? 0 : reader->pieces.items[at].statement;
}

/* `6m` and `6   m` are `6 m`. */
static Str text_of(const Reader *reader, Token token) {
    Str text = {reader->base + token.start, token.end - token.start};
    int count = reader->pieces.count;
    bool is_place = count && reader->pieces.items[count - 1].token.kind == TOKEN_DOT;
    if (token.kind != TOKEN_NUMBER || token.unit == 0 || is_place) return text;
    size_t digits = token.unit - token.start;
    while (digits > 0 && (text.ptr[digits - 1] == ' ' || text.ptr[digits - 1] == '\t'))
        digits--;
    return str_printf(reader->arena, "%.*s %.*s", (int)digits, text.ptr, (int)(token.end - token.unit), reader->base + token.unit);
}

/* Of a token, by the one before it on its line. */
static int column_of(const Reader *reader, Token token) {
    const FormatPiece *before = reader->pieces.count ? &reader->pieces.items[reader->pieces.count - 1] : NULL;
    bool same = before && before->token.line_start == token.line_start;
    uint32_t from = same ? before->token.start : token.line_start;
    return (same ? before->column : 0) + format_columns((Str){reader->base + from, token.start - from});
}

static void add(Reader *reader, Token token) {
    int index = reader->pieces.count;
    uint32_t gap = index ? reader->pieces.items[index - 1].token.end : 0;
    if (token.kind == TOKEN_END) token.start = token.end = reader->length;
    FormatPiece piece = {.token = token, .text = text_of(reader, token), .gap = gap, .match = -1,
                         .opened = reader->opened, .closed = reader->closed, .begins = reader->begins || token.kind == TOKEN_END,
                         .broken = index > 0 && (reader->closed > 0 || memchr(reader->base + gap, '\n', token.start - gap))};
    piece.column = column_of(reader, token);
    if (is_closer(token.kind)) {
        piece.match = open_bracket(reader);
        reader->pieces.items[piece.match].match = index;
        reader->brackets.count--;
    }
    piece.frame = open_bracket(reader);
    piece.begins = piece.begins && piece.match < 0;
    piece.statement = piece.begins ? index : statement_before(reader, &piece);
    reader->opened = reader->closed = 0;
    reader->begins = token.kind == TOKEN_LBRACE;
    VEC_PUSH(reader->arena, &reader->pieces, piece);
    if (is_opener(token.kind)) VEC_PUSH(reader->arena, &reader->brackets, index);
}

/* The first piece at or past a place in the text. */
static int find_piece(const FormatPieces *pieces, uint32_t place) {
    int low = 0, high = pieces->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pieces->items[middle].token.start < place) low = middle + 1;
        else high = middle;
    }
    return low;
}

static void mark_unit(FormatPieces *pieces, Span span) {
    for (int i = find_piece(pieces, span.start); i < pieces->count && pieces->items[i].token.start < span.end; i++) {
        int kind = pieces->items[i].token.kind;
        pieces->items[i].in_unit = kind == TOKEN_STAR || kind == TOKEN_SLASH || kind == TOKEN_CARET || kind == TOKEN_MINUS;
    }
}

static const AstNode *result_of(const AstNode *node) {
    if (node->kind == AST_FN) return node->fn.result_type;
    if (node->kind == AST_LAMBDA) return node->lambda.result_type;
    if (node->kind == AST_TYPE_FN) return node->type_fn.result;
    return node->kind == AST_TYPE_GIVEN ? node->type_given.result : NULL;
}

/* What only the tree knows: which `/` divide units, and which `(` begin a result. */
static void mark(const AstNode *node, void *of) {
    FormatPieces *pieces = of;
    const AstNode *result = result_of(node);
    if (result) pieces->items[find_piece(pieces, result->span.start)].is_result = true;
    if (node->kind == AST_TYPE_PRODUCT || node->kind == AST_TYPE_QUOTIENT || node->kind == AST_TYPE_POWER)
        mark_unit(pieces, node->span);
    else
        ast_visit(node, mark, pieces);
}

FormatPieces format_pieces(Arena *arena, DiagList *diags, const AstFile *file) {
    Layout layout;
    Str text = sources_get(diags->sources, file->file)->text;
    Reader reader = {.arena = arena, .base = text.ptr, .length = (uint32_t)text.len, .begins = true};
    layout_init(&layout, arena, diags, (Span){.file = file->file}, PARSE_NESTING, true);
    for (Token token = {0}; token.kind != TOKEN_END;) {
        token = layout_next(&layout);
        reader.opened += token.kind == TOKEN_INDENT;
        reader.closed += token.kind == TOKEN_DEDENT;
        reader.begins = reader.begins || token.kind == TOKEN_INDENT || token.kind == TOKEN_NEWLINE;
        if (token.kind == TOKEN_END || token_group(token.kind) != TOKEN_GROUP_LAYOUT) add(&reader, token);
    }
    for (int i = 0; i < file->decls.count; i++)
        mark(file->decls.items[i], &reader.pieces);
    return reader.pieces;
}

/* -- where a line may be parted -- */

/* No line ends in a value within a text. */
static bool is_in_text(const FormatPieces *pieces, int i) {
    for (int at = pieces->items[i].frame; at >= 0; at = pieces->items[at].frame)
        if (pieces->items[at].token.kind == TOKEN_TEXT_BEGIN) return true;
    return false;
}

static bool in_parens(const FormatPieces *pieces, int i) {
    int frame = pieces->items[i].frame;
    return frame >= 0 && pieces->items[frame].token.kind != TOKEN_LBRACE;
}

/* The best first. */
typedef enum Place { PLACE_COMMA, PLACE_LOGIC, PLACE_SUM, PLACE_PRODUCT, PLACE_METHOD, PLACE_OPENER, PLACE_VALUE, PLACE_NONE } Place;

static Place place_of_operator(const FormatPieces *pieces, int i, int kind) {
    if (!format_is_binary(pieces, i)) return PLACE_NONE;
    if (kind == TOKEN_OR || kind == TOKEN_AND) return PLACE_LOGIC;
    if (kind == TOKEN_STAR || kind == TOKEN_SLASH || kind == TOKEN_PERCENT) return PLACE_PRODUCT;
    return kind == TOKEN_PLUS || (kind == TOKEN_MINUS && in_parens(pieces, i)) ? PLACE_SUM : PLACE_NONE;
}

/* What kind of place it is to begin a line with piece i. */
static Place place_of(const FormatPieces *pieces, int i) {
    int before = pieces->items[i - 1].token.kind, kind = pieces->items[i].token.kind;
    if (is_in_text(pieces, i) || is_closer(kind) || kind == TOKEN_TEXT_MIDDLE) return PLACE_NONE;
    if (before == TOKEN_COMMA) return PLACE_COMMA;
    if (before == TOKEN_LPAREN || before == TOKEN_LBRACKET) return PLACE_OPENER;
    if (before == TOKEN_ASSIGN || before == TOKEN_ARROW) return PLACE_VALUE;
    if (kind == TOKEN_DOT) return before == TOKEN_RPAREN || before == TOKEN_RBRACKET ? PLACE_METHOD : PLACE_NONE;
    return place_of_operator(pieces, i, kind);
}

enum { LAST = 1 << 20 };

typedef struct Choice {
    int piece; /* that begins the new line; -1: none */
    int depth; /* brackets round it, from the line's first piece on: below 0 when it closes some */
    Place place;
    bool fits; /* what stands before it */
} Choice;

static bool fits(const FormatPiece *piece) {
    return piece->out + format_columns(piece->text) <= FORMAT_WIDTH;
}

/* The one least deep of those before which the line fits, and of these the last; if none fits, the first. */
static bool is_better(Choice a, Choice b) {
    if (b.piece < 0 || a.fits != b.fits) return b.piece < 0 || a.fits;
    if (!a.fits || a.depth != b.depth) return a.fits && a.depth < b.depth;
    return a.place <= b.place;
}

static Choice choose(const FormatPieces *pieces, int from, int to) {
    Choice best = {.piece = -1};
    int depth = -is_closer(pieces->items[from].token.kind);
    for (int i = from + 1; i < to; i++) {
        const FormatPiece *before = &pieces->items[i - 1];
        depth += is_opener(before->token.kind) - is_closer(pieces->items[i].token.kind);
        if (!fits(before) && best.piece >= 0) break; /* nothing better comes */
        Choice choice = {i, depth, place_of(pieces, i), fits(before)};
        if (choice.place == PLACE_OPENER || choice.place == PLACE_VALUE) choice.depth += LAST; /* rather in what comes than before it */
        if (choice.place != PLACE_NONE && is_better(choice, best)) best = choice;
    }
    return best;
}

/* The least deep block on the line, and how deep; -1: none. */
static int find_block(const FormatPieces *pieces, int from, int to, int *at_depth) {
    int found = -1, depth = 0;
    for (int i = from; i < to && fits(&pieces->items[i]); i++) {
        const FormatPiece *piece = &pieces->items[i];
        depth -= is_closer(piece->token.kind);
        bool is_block = piece->token.kind == TOKEN_LBRACE && piece->match > i + 1 && !piece[1].broken && !is_in_text(pieces, i);
        if (is_block && (found < 0 || depth < *at_depth)) {
            found = i;
            *at_depth = depth;
        }
        depth += is_opener(piece->token.kind);
    }
    return found;
}

/* Every statement of the block begins a line; that of its `else` too. */
static void open_block(FormatPieces *pieces, int brace) {
    int close = pieces->items[brace].match;
    for (int i = brace + 1; i < close; i++)
        if (pieces->items[i].begins && pieces->items[i].frame == brace) pieces->items[i].broken = true;
    pieces->items[close].broken = true;
    if (pieces->items[close + 1].token.kind != TOKEN_ELSE) return;
    for (int i = close + 1; i < pieces->count && !pieces->items[i].begins; i++)
        if (pieces->items[i].token.kind == TOKEN_LBRACE && pieces->items[i].match > i + 1) {
            open_block(pieces, i);
            return;
        }
}

static bool has_comment(const FormatPieces *pieces, Str text, int i) {
    const FormatPiece *piece = &pieces->items[i];
    for (uint32_t at = piece->gap; at < piece->token.start; at++)
        if (text.ptr[at] == '/') return true;
    return false;
}

/* Where a bracket's items are parted by us at `from`, the author's next line, which begins at `next`, goes on with the rest. */
static void join_next(FormatPieces *pieces, Str text, int from, int next) {
    if (next == pieces->count || pieces->items[next].frame != pieces->items[from].frame || pieces->items[next].begins) return;
    if (place_of(pieces, next) == PLACE_COMMA && !has_comment(pieces, text, next)) pieces->items[next].broken = false;
}

bool format_break(FormatPieces *pieces, Str text, int from, int to) {
    int depth = 0, block = find_block(pieces, from, to, &depth);
    Choice best = choose(pieces, from, to);
    if (block >= 0 && (best.piece < 0 || !best.fits || depth <= best.depth)) {
        open_block(pieces, block);
    } else if (best.piece >= 0) {
        pieces->items[best.piece].broken = true;
        if (best.place == PLACE_COMMA) join_next(pieces, text, best.piece, to);
    }
    return block >= 0 || best.piece >= 0;
}
