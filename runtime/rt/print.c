/* Printing by shape.
 *
 * A number is the shortest decimal that, read back with its unit, is the very same double. A length that single precision
 * can hold is the shortest that reads back as that single: grids keep singles, and 4.6 m stored in one should not come
 * back as 4.599999904632568 m.
 */
#include "runtime/rt/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/rt/contents.h"
#include "runtime/rt/part.h"

static const double radians_per_degree = 0.017453292519943295; /* the checker's own factor */

typedef struct Printer {
    StrBuf *out;
    const char *at;
    const Slot *slots;
    int slot;
    bool mute; /* only to pass over a shape: nothing is read or written */
} Printer;

static void add(Printer *p, Str text) {
    if (!p->mute) strbuf_str(p->out, text);
}

static Slot next_slot(Printer *p) {
    int at = p->slot++;
    return p->mute ? slot_r(NULL) : p->slots[at];
}

/* -- reading the shape -- */

static bool accept(Printer *p, char c) {
    if (*p->at != c) return false;
    p->at++;
    return true;
}

/* Up to the mark, which is passed. */
static Str word(Printer *p, char mark) {
    const char *start = p->at;
    while (*p->at != mark)
        p->at++;
    return (Str){start, (size_t)(p->at++ - start)};
}

static long whole(Printer *p) {
    long value = strtol(p->at, NULL, 10);
    word(p, ':');
    return value;
}

/* -- numbers -- */

static bool reads_back(double shown, double factor, double value, bool single) {
    double again = shown * factor;
    return single ? (float)again == (float)value : again == value;
}

/* `value` in a unit that is `factor` of the inner one. */
static void print_number(StrBuf *out, double value, double factor, bool length) {
    bool single = length && (double)(float)value == value;
    double shown = value / factor;
    if (!isfinite(value)) {
        strbuf_double(out, value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", digits, value / factor);
        shown = strtod(text, NULL);
        if (reads_back(shown, factor, value, single)) break;
    }
    strbuf_double(out, shown);
}

/* Whole powers of an angle are shown in degrees. */
static double angle_factor(long power) {
    double factor = 1;
    for (long i = 0; i < power; i++)
        factor *= radians_per_degree;
    for (long i = 0; i < -power; i++)
        factor /= radians_per_degree;
    return factor;
}

static void print_quantity(Printer *p, int count) {
    bool length = *p->at++ == 'm';
    double factor = angle_factor(whole(p));
    Str unit = word(p, ';');
    if (count > 1) add(p, STR_LIT("("));
    for (int i = 0; i < count; i++) {
        if (i) add(p, STR_LIT(", "));
        double value = next_slot(p).f;
        if (!p->mute) print_number(p->out, value, factor, length);
    }
    if (count > 1) add(p, STR_LIT(")"));
    if (unit.len) add(p, STR_LIT(" "));
    add(p, unit);
}

/* -- texts and objects -- */

void print_quoted(StrBuf *out, Str text) {
    strbuf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            strbuf_str(out, STR_LIT("\\n"));
        else if (c < 0x20)
            strbuf_printf(out, "\\u%04x", c);
        else
            strbuf_char(out, (char)c);
    }
    strbuf_char(out, '"');
}

static void print_text(Printer *p, bool quoted) {
    const RtText *object = next_slot(p).r;
    Str text = object ? object->text : STR_LIT("");
    if (quoted && !p->mute)
        print_quoted(p->out, text);
    else
        add(p, text);
}

/* The grid's own words: "heightGrid of 1025 x 1025, 2 m apart". */
static void print_object(Printer *p) {
    add(p, word(p, ';'));
    const RtObject *object = next_slot(p).r;
    if (p->mute || object == NULL || object->kind != RT_GRID) return;
    const RtGrid *grid = (const RtGrid *)object;
    strbuf_printf(p->out, " of %d x %d, ", grid->columns, grid->rows);
    print_number(p->out, grid->cell, 1, true);
    strbuf_str(p->out, STR_LIT(" m apart"));
}

static void print_part(Printer *p) {
    const RtPart *part = next_slot(p).r;
    if (p->mute) return;
    size_t before = p->out->len;
    if (part)
        rt_part_path(p->out, part);
    else
        add(p, STR_LIT("no part"));
    if (p->out->len == before) add(p, STR_LIT("the world"));
}

static void print_design(Printer *p) {
    const RtClass *design = next_slot(p).r;
    add(p, design ? design->name : STR_LIT("no design"));
}

static void print_words(Printer *p) {
    p->slot += (int)whole(p);
    add(p, word(p, ';'));
}

static void print_bytes(Printer *p) {
    size_t count = (size_t)whole(p);
    add(p, (Str){p->at, count});
    p->at += count;
}

static void print_one_of(Printer *p) {
    int64_t wanted = next_slot(p).i;
    Str found = STR_LIT("?");
    for (int64_t i = 0; !accept(p, ';'); i++) {
        Str name = word(p, ',');
        if (i == wanted) found = name;
    }
    add(p, found);
}

/* -- what holds others -- */

static void print_shape(Printer *p);

static void pass_over(Printer *p) {
    bool mute = p->mute;
    p->mute = true;
    print_shape(p);
    p->mute = mute;
}

static void print_list(Printer *p) {
    const RtList *list = next_slot(p).r;
    const char *element = p->at;
    add(p, STR_LIT("["));
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        if (i) add(p, STR_LIT(", "));
        print_shape(&(Printer){.out = p->out, .at = element, .slots = rt_list_item(list, i)});
    }
    add(p, STR_LIT("]"));
    int slot = p->slot;
    pass_over(p);
    p->slot = slot;
}

static void print_tuple(Printer *p) {
    add(p, STR_LIT("("));
    for (int i = 0; !accept(p, ')'); i++) {
        if (i) add(p, STR_LIT(", "));
        print_shape(p);
    }
    add(p, STR_LIT(")"));
}

static void print_record(Printer *p) {
    add(p, word(p, '('));
    add(p, STR_LIT("("));
    for (int i = 0; !accept(p, ')'); i++) {
        if (i) add(p, STR_LIT(", "));
        add(p, word(p, ':'));
        add(p, STR_LIT(": "));
        print_shape(p);
    }
    add(p, STR_LIT(")"));
}

/* A row: 1, (1, "a"). */
static void print_row(StrBuf *out, const char *shapes, int columns, const Slot *row) {
    Printer p = {.out = out, .at = shapes, .slots = row};
    if (columns > 1) strbuf_char(out, '(');
    for (int i = 0; i < columns; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        print_shape(&p);
    }
    if (columns > 1) strbuf_char(out, ')');
}

/* Map([(1, "a"), (2, "b")]), Set([1, 2]). */
static void print_contents(Printer *p) {
    ContainerKind kind = (ContainerKind)(*p->at++ - '0');
    Str name = word(p, '('), letters = word(p, ';');
    const char *shapes = p->at;
    int slot = p->slot;
    while (!accept(p, ')'))
        pass_over(p);
    p->slot = slot + container_slots(kind);
    if (p->mute) return;
    const RtList *rows = contents_rows(p->out->arena, kind, letters, p->slots + slot);
    add(p, name);
    add(p, STR_LIT("(["));
    for (int64_t i = 0; i < rt_list_length(rows); i++) {
        if (i) add(p, STR_LIT(", "));
        print_row(p->out, shapes, container_columns(kind), rt_list_item(rows, i));
    }
    add(p, STR_LIT("])"));
}

static void print_optional(Printer *p) {
    bool present = next_slot(p).w;
    if (present || p->mute) {
        print_shape(p);
        return;
    }
    pass_over(p);
    add(p, STR_LIT("none"));
}

static void print_whole(Printer *p, char kind) {
    Slot slot = next_slot(p);
    char text[STR_INT];
    if (p->mute) return;
    if (kind == 'b')
        strbuf_str(p->out, slot.w ? STR_LIT("true") : STR_LIT("false"));
    else /* a u32 is a whole number of 32 bits */
        strbuf_str(p->out, str_int(text, slot.i));
}

static void print_shape(Printer *p) {
    char kind = *p->at++;
    switch (kind) {
    case 'b':
    case 'i':
    case 'u':
        print_whole(p, kind);
        return;
    case 'n':
        print_quantity(p, 1);
        return;
    case 'v':
        print_quantity(p, 3);
        return;
    case 's':
    case 't':
        print_text(p, kind == 't');
        return;
    case 'l':
        print_list(p);
        return;
    case '(':
        print_tuple(p);
        return;
    case 'r':
        print_record(p);
        return;
    case 'k':
        print_contents(p);
        return;
    case '?':
        print_optional(p);
        return;
    case 'e':
        print_one_of(p);
        return;
    case 'p':
        print_part(p);
        return;
    case 'd':
        print_design(p);
        return;
    case 'o':
        print_object(p);
        return;
    case 'f':
        print_words(p);
        return;
    default: /* '"' */
        print_bytes(p);
        return;
    }
}

void print_shapes(StrBuf *out, Str shapes, const Slot *slots) {
    Printer p = {.out = out, .at = shapes.ptr, .slots = slots};
    while (p.at < shapes.ptr + shapes.len)
        print_shape(&p);
}
