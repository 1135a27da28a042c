/* Units as written after a number: one of units.def, a power of one (m^2), or several joined by *
 * and /. */
#include "compiler/check/checker.h"

typedef struct UnitRow {
    Str text;
    double times, over;
    int8_t length, angle, time;
} UnitRow;

static const UnitRow rows[] = {
#define UNIT(text, times, over, length, angle, time)                                               \
    {{text, sizeof(text) - 1}, times, over, length, angle, time},
#include "compiler/check/units.def"
#undef UNIT
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

static const UnitRow *find_row(Str text) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (str_equal(rows[i].text, text)) return &rows[i];
    return NULL;
}

/* `^2` at the start of text: the exponent, 1 when there is none; 0 when it is no exponent of one
 * digit. */
static int take_exponent(Str *text) {
    if (text->len == 0 || text->ptr[0] != '^') return 1;
    if (text->len < 2 || text->ptr[1] < '1' || text->ptr[1] > '9') return 0;
    int exponent = text->ptr[1] - '0';
    *text = (Str){text->ptr + 2, text->len - 2};
    return exponent;
}

static Str take_word(Str *text) {
    size_t len = 0;
    while (len < text->len && text->ptr[len] != '/' && text->ptr[len] != '*' &&
           text->ptr[len] != '^')
        len++;
    Str word = {text->ptr, len};
    *text = (Str){text->ptr + len, text->len - len};
    return word;
}

/* Left to right: m/s/s is m/s^2. */
bool unit_find(Str text, UnitScale *scale, Dims *dims) {
    *scale = (UnitScale){1, 1};
    *dims = (Dims){0};
    for (int sign = 1;;) {
        const UnitRow *row = find_row(take_word(&text));
        int exponent = take_exponent(&text);
        if (!row || exponent == 0) return false;
        for (int i = 0; i < exponent; i++) {
            scale->times *= sign > 0 ? row->times : row->over;
            scale->over *= sign > 0 ? row->over : row->times;
            Dims one = {row->length * SIXTHS, row->time * SIXTHS, row->angle * SIXTHS};
            *dims = dims_add(*dims, one, sign);
        }
        if (text.len == 0 || !dims_possible(*dims)) return true;
        sign = text.ptr[0] == '/' ? -1 : 1;
        text = (Str){text.ptr + 1, text.len - 1};
    }
}

Str unit_nearest(Str text) {
    static const struct {
        const char *said, *meant;
    } spellings[] = {
        {"meter", "m"},     {"meters", "m"},    {"metre", "m"},       {"metres", "m"},
        {"M", "m"},         {"degrees", "deg"}, {"degree", "deg"},    {"radians", "rad"},
        {"turns", "turn"},  {"sec", "s"},       {"seconds", "s"},     {"hz", "Hz"},
        {"minutes", "min"}, {"hours", "h"},     {"kilometers", "km"}, {"centimeters", "cm"}};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (str_equal(text, str_of(spellings[i].said))) return str_of(spellings[i].meant);
    Str names[ROW_COUNT];
    for (int i = 0; i < ROW_COUNT; i++)
        names[i] = rows[i].text;
    return diag_nearest(text, names, ROW_COUNT);
}
