/* Where blanks stand between two tokens of one line. */
#include "lang/format.h"

#include "lang/grammar.h"

static int kind_at(const FormatPieces *pieces, int i) {
    return i < 0 ? TOKEN_NEWLINE : pieces->items[i].token.kind;
}

static bool opens(int kind) {
    return kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_TEXT_BEGIN || kind == TOKEN_TEXT_MIDDLE;
}

static bool closes(int kind) {
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_TEXT_MIDDLE || kind == TOKEN_TEXT_END;
}

/* What a value may end with. */
static bool ends_value(int kind) {
    return kind == TOKEN_NUMBER || kind == TOKEN_TEXT || kind == TOKEN_TRUE || kind == TOKEN_FALSE || kind == TOKEN_NONE ||
           kind == TOKEN_SELF || kind == TOKEN_UNDERSCORE || kind == TOKEN_QUESTION || kind == TOKEN_RBRACE || kind == TOKEN_TEXT_END ||
           kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || (kind != TOKEN_NEWLINE && token_group(kind) == TOKEN_GROUP_LITERAL);
}

bool format_is_binary(const FormatPieces *pieces, int i) {
    int kind = kind_at(pieces, i);
    if (kind == TOKEN_DOT || kind == TOKEN_COMMA || kind == TOKEN_NOT) return false;
    if (kind == TOKEN_MINUS) return !pieces->items[i].begins && ends_value(kind_at(pieces, i - 1));
    TokenGroup group = token_group(kind);
    return group == TOKEN_GROUP_JOINS || group == TOKEN_GROUP_ENDS;
}

/* `one of (a, b)`: the one name that is no function. */
static bool is_of(const FormatPieces *pieces, int i) {
    return kind_at(pieces, i - 1) == TOKEN_ONE;
}

static bool space_before_bracket(const FormatPieces *pieces, int i) {
    int before = kind_at(pieces, i - 1);
    if (before == TOKEN_FN || before == TOKEN_GIVEN) return false;
    if (!ends_value(before)) return true;
    if (is_of(pieces, i - 1)) return true;
    return pieces->items[i].is_result; /* fn f() (int, int) */
}

/* Whether a dot beside a number is none of its own, as the author wrote it. */
static bool parts_digits(const FormatPieces *pieces, int i) {
    const FormatPiece *piece = &pieces->items[i];
    return (kind_at(pieces, i - 1) == TOKEN_NUMBER || kind_at(pieces, i) == TOKEN_NUMBER) && piece->gap < piece->token.start;
}

bool format_space(const FormatPieces *pieces, int i) {
    int before = kind_at(pieces, i - 1), kind = kind_at(pieces, i);
    if (opens(before) || closes(kind) || kind == TOKEN_COMMA || kind == TOKEN_COLON || kind == TOKEN_QUESTION) return false;
    if (before == TOKEN_DOT || kind == TOKEN_DOT) return parts_digits(pieces, i);
    if (before == TOKEN_LBRACE && kind == TOKEN_RBRACE) return false;
    if (before == TOKEN_NOT) return false;
    if (before == TOKEN_MINUS && !format_is_binary(pieces, i - 1)) return false;
    if (pieces->items[i].in_unit || (i > 0 && pieces->items[i - 1].in_unit)) return false;
    if (kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET) return space_before_bracket(pieces, i);
    return true;
}
