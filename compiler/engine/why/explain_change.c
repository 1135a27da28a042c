/* The least change of a number that would let a spot stand: "raise 0.42 to 0.431".
 *
 * The new number is written with the fewest decimals, in the author's unit, that hold and go
 * past the bound by at most a twentieth of the way to it; it is read back exactly as the checker
 * reads it before it is proposed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/engine/why/why.h"

typedef struct Unit {
    const char *text;
    double times, over; /* a value v is v * times / over in inner units */
} Unit;

static const Unit units[] = {
#define UNIT(text, times, over, length, angle, time) {text, times, over},
#include "compiler/check/units.def"
#undef UNIT
};

static const Unit no_unit = {"", 1, 1};

static const Unit *find_unit(Str text) {
    if (text.len == 0) return &no_unit;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_equal(text, str_of(units[i].text))) return &units[i];
    return NULL;
}

/* The unit a literal is written in; NULL when it is not written plainly. */
static const Unit *unit_of_literal(Explain *e, const Tree *tree) {
    char *end;
    const char *text = explain_text(e, sources_text(&e->world->compile->sources, tree->span));
    strtod(text, &end);
    if (end == text) return NULL;
    while (*end == ' ')
        end++;
    return find_unit(str_of(end));
}

/* The unit values of the type are shown in; NULL: one that cannot be written (m/s). */
static const Unit *unit_of_type(const Type *type) {
    Dims d = type->dims;
    if (type->kind == TYPE_INT || (d.length == 0 && d.angle == 0 && d.time == 0)) return &no_unit;
    if (d.length == 6 && d.angle == 0 && d.time == 0) return find_unit(STR_LIT("m"));
    if (d.angle == 6 && d.length == 0 && d.time == 0) return find_unit(STR_LIT("deg"));
    if (d.time == 6 && d.length == 0 && d.angle == 0) return find_unit(STR_LIT("s"));
    return NULL;
}

const char *explain_text(Explain *e, Str text) {
    return arena_strndup(e->arena, text.ptr, text.len);
}

double explain_unit(Explain *e, const Tree *literal) {
    const Unit *unit = unit_of_literal(e, literal);
    return unit ? unit->times / unit->over : 0;
}

const Tree *explain_literal(const Tree *tree) {
    for (;;) {
        switch ((int)tree->kind) {
        case TREE_NUMBER:
        case TREE_INT:
            return tree;
        case TREE_SOME:
        case TREE_CONVERT:
            tree = tree->component.operand;
            break;
        case TREE_BLOCK:
            if (tree->items.count != 1) return NULL;
            tree = tree->items.items[0];
            break;
        case TREE_OP:
            return tree->op.op == OP_NEG && explain_literal(tree->op.left) ? tree : NULL;
        default:
            return NULL;
        }
    }
}

static bool holds(const Threshold *t, double value) {
    switch ((int)t->op) {
    case OP_LT:
        return value < t->bound;
    case OP_LE:
        return value <= t->bound;
    case OP_GT:
        return value > t->bound;
    default:
        return value >= t->bound;
    }
}

static bool rises(const Threshold *t) {
    return t->op == OP_GT || t->op == OP_GE;
}

/* The number with so many decimals nearest past the bound, as text; answers how far past, or -1
 * when it does not hold. */
static double try_decimals(const Threshold *t, const Unit *unit, int decimals, char text[64]) {
    double power = 1;
    for (int i = 0; i < decimals; i++)
        power *= 10;
    double shown = t->bound * unit->over / unit->times * power;
    double whole = rises(t) ? ceil(shown) : floor(shown);
    for (int step = 0; step < 2; step++) {
        snprintf(text, 64, "%.*f", decimals, (whole + (rises(t) ? step : -step)) / power);
        double value = strtod(text, NULL) * unit->times / unit->over;
        if (holds(t, value)) return fabs(value - t->bound);
    }
    return -1;
}

static bool find_number(const Threshold *t, const Unit *unit, char text[64]) {
    double enough = 0.05 * fabs(t->now - t->bound), least = 1e-6 * (1 + fabs(t->bound));
    int most = t->type->kind == TYPE_INT ? 0 : 12;
    if (!isfinite(t->bound) || fabs(t->bound) > 1e12) return false;
    for (int decimals = 0; decimals <= most; decimals++) {
        double past = try_decimals(t, unit, decimals, text);
        if (past >= 0 && (past <= enough || past <= least || most == 0)) return true;
    }
    return false;
}

static Edit edit_of(Explain *e, Span span, const char *text) {
    SourceSet *sources = &e->world->compile->sources;
    SourcePos begin = sources_position(sources, span.file, span.start);
    SourcePos end = sources_position(sources, span.file, span.end);
    return (Edit){.file = explain_text(e, sources_get(sources, span.file)->name),
                  .line = begin.line,
                  .column = begin.column,
                  .end_line = end.line,
                  .end_column = end.column,
                  .text = text};
}

static const char *shown_value(Explain *e, const Threshold *t) {
    Slot slot = t->type->kind == TYPE_INT ? slot_i((int64_t)t->now) : slot_f(t->now);
    StrBuf value = {.arena = e->arena};
    value_print(&(ValuePrinter){e->world, &value}, t->type, &slot);
    return explain_text(e, strbuf_take(&value));
}

void explain_change(Explain *e, const Threshold *t, Trial *out) {
    const Tree *literal = explain_literal(t->tree);
    const Unit *unit = literal ? unit_of_literal(e, literal) : NULL;
    if (unit == NULL) unit = unit_of_type(t->type);
    char number[64];
    if (unit == NULL || !find_number(t, unit, number)) return;
    const char *verb = rises(t) ? "raise" : "lower";
    Str text = str_printf(e->arena, "%s%s%s", number, unit->text[0] ? " " : "", unit->text);
    const char *source = explain_text(e, sources_text(&e->world->compile->sources, t->tree->span));
    Str advice = literal ? str_printf(e->arena, "%s %s to %.*s", verb, source, STR_ARG(text))
                         : str_printf(e->arena, "%s %s from %s to %.*s", verb, source,
                                      shown_value(e, t), STR_ARG(text));
    out->advice = explain_text(e, advice);
    if (literal) out->edit = edit_of(e, literal->span, explain_text(e, text));
}
