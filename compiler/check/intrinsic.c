/* Which IR op an `intrinsic fn` is: the one whose text names it and whose operands are its
 * parameters' slots.
 *
 * The op's text in camel case, with or without its last part, or that last part alone: sqrt is
 * sqrt.f, length is list.length, gridCell or cell is grid.cell, draw is draw.w (its operand is the
 * hidden stream).
 */
#include "compiler/check/checker.h"

static Str camel(char *out, size_t size, const char *text, const char *end) {
    size_t len = 0;
    for (bool upper = false; text < end && len < size; text++) {
        if (*text == '.') {
            upper = true;
            continue;
        }
        out[len++] = upper && *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
        upper = false;
    }
    return (Str){out, len};
}

static bool name_fits(Str name, const char *text) {
    char buffer[48];
    const char *end = text + strlen(text), *dot = strrchr(text, '.');
    if (str_equal(name, camel(buffer, sizeof buffer, text, end))) return true;
    if (!dot) return false;
    return str_equal(name, camel(buffer, sizeof buffer, text, dot)) ||
           str_equal(name, str_of(dot + 1));
}

static bool operands_fit(const TreeFn *fn, IrOp op, const char *operands) {
    char text[32];
    size_t len = 0;
    for (int i = 0; i < fn->param_count; i++)
        for (const char *s = fn->locals.items[i].type->slots; *s && len < sizeof text; s++)
            text[len++] = *s;
    if (op == IR_DRAW_W) return len == 0;
    if (len != strlen(operands)) return false;
    char same = 0;
    for (size_t i = 0; i < len; i++) {
        if (operands[i] != 'x' && operands[i] != text[i]) return false;
        if (operands[i] == 'x' && same && same != text[i]) return false;
        if (operands[i] == 'x') same = text[i];
    }
    return true;
}

bool intrinsic_find(Checker *c, TreeFn *fn, Symbol name, IrOp *op) {
    static const struct {
        const char *text, *operands;
    } rows[] = {
#define OP(NAME, text, operands, results, effect, imm, doc) {text, operands},
#include "compiler/ir/op.def"
#undef OP
    };
    Str wanted = symbols_name(c->symbols, name);
    for (int i = 0; i < IR_OP_COUNT; i++)
        if (name_fits(wanted, rows[i].text) && operands_fit(fn, (IrOp)i, rows[i].operands)) {
            *op = (IrOp)i;
            return true;
        }
    return false;
}
