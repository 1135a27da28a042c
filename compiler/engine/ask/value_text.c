/* Values as an author writes them: 4.6 m, 12 deg, (0, 4.6, 330) m, edge(kind: 1, wade: 0.6 m,
 * ...).
 *
 * A number is the shortest decimal that, read back with its unit, is the very same double. A
 * length that single precision can hold is the shortest that reads back as that single: grids
 * keep singles, and 4.6 m stored in one should not come back as 4.599999904632568 m. The JSON
 * form always has every bit.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/engine/ask/ask.h"

static const double radians_per_degree = 0.017453292519943295; /* the checker's own factor */

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

/* "m", "m^2/s", "1/m"; empty for a plain number. Exponents count sixths. */
static void add_unit(StrBuf *out, const char *name, int sixths) {
    if (sixths == 0) return;
    if (out->len && out->ptr[out->len - 1] != '/') strbuf_char(out, ' ');
    strbuf_str(out, str_of(name));
    if (sixths == 6) return;
    if (sixths % 6 == 0)
        strbuf_printf(out, "^%d", sixths / 6);
    else
        strbuf_printf(out, "^%g", sixths / 6.0);
}

static Str unit_of(Arena *arena, Dims dims) {
    static const char *const names[] = {"m", "deg", "s"};
    int powers[] = {dims.length, dims.angle, dims.time};
    StrBuf above = {.arena = arena}, below = {.arena = arena};
    for (int i = 0; i < 3; i++) {
        add_unit(&above, names[i], powers[i] > 0 ? powers[i] : 0);
        add_unit(&below, names[i], powers[i] < 0 ? -powers[i] : 0);
    }
    if (below.len == 0) return strbuf_take(&above);
    if (above.len == 0) strbuf_char(&above, '1');
    strbuf_char(&above, '/');
    strbuf_str(&above, strbuf_take(&below));
    return strbuf_take(&above);
}

/* Whole powers of an angle are shown in degrees. */
static double factor_of(Dims dims) {
    double factor = 1;
    for (int i = 0; i < dims.angle / 6; i++)
        factor *= radians_per_degree;
    for (int i = 0; i < -dims.angle / 6; i++)
        factor /= radians_per_degree;
    return factor;
}

static void print_quantity(StrBuf *out, Dims dims, const Slot *slots, int count) {
    if (count > 1) strbuf_char(out, '(');
    for (int i = 0; i < count; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        print_number(out, slots[i].f, factor_of(dims), dims.length != 0);
    }
    if (count > 1) strbuf_char(out, ')');
    Str unit = unit_of(out->arena, dims);
    if (unit.len) strbuf_printf(out, " %.*s", STR_ARG(unit));
}

/* The grid's own words: "heightGrid of 1025 x 1025, 2 m apart". */
static void print_object(const ValuePrinter *p, const Type *type, const RtObject *object) {
    strbuf_str(p->out, symbols_name(&p->world->compile->symbols, type->name));
    if (object == NULL || object->kind != RT_GRID) return;
    const RtGrid *grid = (const RtGrid *)object;
    strbuf_printf(p->out, " of %d x %d, ", grid->columns, grid->rows);
    print_number(p->out, grid->cell, 1, true);
    strbuf_str(p->out, STR_LIT(" m apart"));
}

static void print_list(const ValuePrinter *p, const Type *element, const RtList *list) {
    strbuf_char(p->out, '[');
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        if (i) strbuf_str(p->out, STR_LIT(", "));
        value_print(p, element, rt_list_item(list, i));
    }
    strbuf_char(p->out, ']');
}

static void print_tuple(const ValuePrinter *p, const Type *type, const Slot *slots) {
    strbuf_char(p->out, '(');
    for (int i = 0; i < type->item_count; slots += type->items[i]->slot_count, i++) {
        if (i) strbuf_str(p->out, STR_LIT(", "));
        value_print(p, type->items[i], slots);
    }
    strbuf_char(p->out, ')');
}

static void print_record(const ValuePrinter *p, const Type *type, const Slot *slots) {
    const TreeRecord *record = type->record;
    const SymbolTable *symbols = &p->world->compile->symbols;
    strbuf_str(p->out, symbols_name(symbols, record->name));
    strbuf_char(p->out, '(');
    for (int i = 0; i < record->fields.count; i++) {
        Str name = symbols_name(symbols, record->fields.items[i].name);
        strbuf_printf(p->out, i ? ", %.*s: " : "%.*s: ", STR_ARG(name));
        value_print(p, record->fields.items[i].type, slots + record->slots.items[i]);
    }
    strbuf_char(p->out, ')');
}

static void print_part(StrBuf *out, const RtPart *part) {
    if (part == NULL) {
        strbuf_str(out, STR_LIT("no part"));
        return;
    }
    size_t before = out->len;
    rt_part_path(out, part);
    if (out->len == before) strbuf_str(out, STR_LIT("the world"));
}

static void print_text(StrBuf *out, const RtText *text) {
    value_json_text(out, text ? text->text : STR_LIT(""));
}

static Str name_of(const ValuePrinter *p, const Type *type, int64_t index) {
    if (index < 0 || index >= type->name_count) return STR_LIT("?");
    return symbols_name(&p->world->compile->symbols, type->names[index]);
}

void value_print(const ValuePrinter *p, const Type *type, const Slot *slots) {
    StrBuf *out = p->out;
    const RtClass *design;
    switch (type->kind) {
    case TYPE_BOOL:
        strbuf_str(out, slots[0].w ? STR_LIT("true") : STR_LIT("false"));
        return;
    case TYPE_INT:
        strbuf_printf(out, "%lld", (long long)slots[0].i);
        return;
    case TYPE_U32:
        strbuf_printf(out, "%llu", (unsigned long long)slots[0].w);
        return;
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
        print_quantity(out, type->dims, slots, 1);
        return;
    case TYPE_METERS_OR_NUMBER:
        print_quantity(out, (Dims){.length = 6}, slots, 1);
        return;
    case TYPE_POINT:
        print_quantity(out, (Dims){.length = 6}, slots, 3);
        return;
    case TYPE_VECTOR:
        print_quantity(out, type->dims, slots, 3);
        return;
    case TYPE_COLOR:
        print_quantity(out, (Dims){0}, slots, 3);
        return;
    case TYPE_TEXT:
    case TYPE_NAME:
    case TYPE_PATH:
        print_text(out, slots[0].r);
        return;
    case TYPE_LIST:
        print_list(p, type->element, slots[0].r);
        return;
    case TYPE_TUPLE:
        print_tuple(p, type, slots);
        return;
    case TYPE_RECORD:
        print_record(p, type, slots);
        return;
    case TYPE_PART:
    case TYPE_ANY_PART:
        print_part(out, slots[0].r);
        return;
    case TYPE_OBJECT:
        print_object(p, type, slots[0].r);
        return;
    case TYPE_ONE_OF:
        strbuf_str(out, name_of(p, type, slots[0].i));
        return;
    case TYPE_DESIGN:
        design = slots[0].r;
        strbuf_str(out, design ? design->name : STR_LIT("no design"));
        return;
    case TYPE_OPTIONAL:
        if (slots[0].w)
            value_print(p, type->element, slots + 1);
        else
            strbuf_str(out, STR_LIT("none"));
        return;
    case TYPE_FN:
    case TYPE_CONTRACT:
        strbuf_str(out, type_name(type, &p->world->compile->symbols, out->arena));
        return;
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
    strbuf_str(out, STR_LIT("none"));
}
