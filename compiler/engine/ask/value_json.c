/* Values as JSON: meters, radians, seconds and plain numbers to their last bit; arrays for
 * points, lists and tuples. */
#include <math.h>

#include "compiler/engine/ask/ask.h"

/* JSON has no infinities and no NaN. */
static void value_json_number(StrBuf *out, double value) {
    if (isfinite(value))
        strbuf_double(out, value);
    else
        strbuf_str(out, STR_LIT("null"));
}

static void json_numbers(StrBuf *out, const Slot *slots, int count) {
    strbuf_char(out, '[');
    for (int i = 0; i < count; i++) {
        if (i) strbuf_char(out, ',');
        value_json_number(out, slots[i].f);
    }
    strbuf_char(out, ']');
}

static void json_list(const ValuePrinter *p, const Type *element, const RtList *list) {
    strbuf_char(p->out, '[');
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        if (i) strbuf_char(p->out, ',');
        value_print_json(p, element, rt_list_item(list, i));
    }
    strbuf_char(p->out, ']');
}

static void json_tuple(const ValuePrinter *p, const Type *type, const Slot *slots) {
    strbuf_char(p->out, '[');
    for (int i = 0; i < type->item_count; slots += type->items[i]->slot_count, i++) {
        if (i) strbuf_char(p->out, ',');
        value_print_json(p, type->items[i], slots);
    }
    strbuf_char(p->out, ']');
}

/* A list of items, or of pairs. */
static void json_contents(const ValuePrinter *p, const Contents *contents) {
    bool pairs = contents->columns > 1;
    strbuf_char(p->out, '[');
    for (int64_t i = 0; i < rt_list_length(contents->rows); i++) {
        const Slot *row = rt_list_item(contents->rows, i);
        if (i) strbuf_char(p->out, ',');
        if (pairs) strbuf_char(p->out, '[');
        for (int k = 0; k < contents->columns; row += contents->types[k]->slot_count, k++) {
            if (k) strbuf_char(p->out, ',');
            value_print_json(p, contents->types[k], row);
        }
        if (pairs) strbuf_char(p->out, ']');
    }
    strbuf_char(p->out, ']');
}

static void json_record(const ValuePrinter *p, const Type *type, const Slot *slots) {
    const TreeRecord *record = type->record;
    Contents contents;
    if (contents_open(p->world, p->out->arena, type, slots, &contents)) {
        json_contents(p, &contents);
        return;
    }
    strbuf_char(p->out, '{');
    for (int i = 0; i < record->fields.count; i++) {
        if (i) strbuf_char(p->out, ',');
        print_quoted(p->out,
                        symbols_name(&p->world->compile->symbols, record->fields.items[i].name));
        strbuf_char(p->out, ':');
        value_print_json(p, record->fields.items[i].type, slots + record->slots.items[i]);
    }
    strbuf_char(p->out, '}');
}

static void json_grid(StrBuf *out, const RtGrid *grid) {
    strbuf_printf(out, "{\"columns\":%d,\"rows\":%d,\"cell\":", grid->columns, grid->rows);
    value_json_number(out, grid->cell);
    strbuf_str(out, STR_LIT(",\"x0\":"));
    value_json_number(out, grid->x0);
    strbuf_str(out, STR_LIT(",\"z0\":"));
    value_json_number(out, grid->z0);
    strbuf_str(out, STR_LIT(",\"outside\":"));
    value_json_number(out, grid->outside);
    strbuf_char(out, '}');
}

/* Anything that has no numbers of its own: the text an author would write, as a string. */
static void json_words(const ValuePrinter *p, const Type *type, const Slot *slots) {
    StrBuf words = {.arena = p->out->arena};
    value_print(&(ValuePrinter){p->world, &words}, type, slots);
    print_quoted(p->out, strbuf_take(&words));
}

void value_print_json(const ValuePrinter *p, const Type *type, const Slot *slots) {
    const RtText *text;
    const RtObject *object;
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_U32:
        value_print(p, type, slots);
        return;
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
    case TYPE_METERS_OR_NUMBER:
        value_json_number(p->out, slots[0].f);
        return;
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        json_numbers(p->out, slots, 3);
        return;
    case TYPE_TEXT:
    case TYPE_NAME:
    case TYPE_PATH:
        text = slots[0].r;
        print_quoted(p->out, text ? text->text : STR_LIT(""));
        return;
    case TYPE_LIST:
        json_list(p, type->element, slots[0].r);
        return;
    case TYPE_TUPLE:
        json_tuple(p, type, slots);
        return;
    case TYPE_RECORD:
        json_record(p, type, slots);
        return;
    case TYPE_OPTIONAL:
        if (slots[0].w)
            value_print_json(p, type->element, slots + 1);
        else
            strbuf_str(p->out, STR_LIT("null"));
        return;
    case TYPE_OBJECT:
        object = slots[0].r;
        if (object && object->kind == RT_GRID)
            json_grid(p->out, slots[0].r);
        else
            json_words(p, type, slots);
        return;
    case TYPE_PART:
    case TYPE_ANY_PART:
    case TYPE_DESIGN:
    case TYPE_ONE_OF:
    case TYPE_FN:
    case TYPE_CONTRACT:
        json_words(p, type, slots);
        return;
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
    strbuf_str(p->out, STR_LIT("null"));
}
