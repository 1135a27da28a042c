/* A file of JSON as a value of the type that is wanted: each value of it becomes the tree that the same text in the language would.
 * What it must be, its type says; a mistake is told at the value, with the path to it: biomes[2].conditions[0].min.
 */
#include <math.h>

#include "compiler/check/checker.h"
#include "compiler/files/json.h"
#include "lang/literal.h"
#include "lang/token.h"
#include "stdlib/library_names.h"

typedef struct Where { /* the way to a value from the file's own */
    const struct Where *outer;
    Str name; /* of an object's member, or */
    int index;
} Where;

typedef struct Reading {
    Ctx *x;
    Checker *c;
    Span call; /* where the file is asked for */
    bool told; /* that, with a mistake */
} Reading;

static Tree *value_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at);

/* -- what is said of a value -- */

static void write_path(StrBuf *out, const Where *at) {
    if (at == NULL) return;
    write_path(out, at->outer);
    if (at->name.ptr == NULL)
        strbuf_printf(out, "[%d]", at->index);
    else
        strbuf_printf(out, "%s%.*s", out->len ? "." : "", STR_ARG(at->name));
}

static const char *path_text(const Reading *r, const Where *at) {
    StrBuf out = {.arena = r->c->arena};
    write_path(&out, at);
    return out.len ? strbuf_take(&out).ptr : "the file's value";
}

/* Once is enough: the rest is of the same file. */
static Diag *noted(Reading *r, Diag *diag) {
    if (!r->told) diag_note(r->c->diags, diag, r->call, "the file is read here");
    r->told = true;
    return diag;
}

static Tree *wrong(Reading *r, const JsonValue *value, const Where *at, const char *what) {
    noted(r, diag_add(r->c->diags, DIAG_E_JSON_VALUE, value->span, path_text(r, at), what));
    return tree_poison(r->c, value->span);
}

static const char *found_phrase(const Reading *r, const JsonValue *value) {
    static const char *const kinds[] = {"null",   "true or false", "a number",
                                        "a text", "an array",      "an object"};
    if (value->kind == JSON_TEXT && value->text.len < 40)
        return str_printf(r->c->arena, "the text \"%.*s\"", STR_ARG(value->text)).ptr;
    if (value->kind == JSON_NUMBER && value->text.len < 40)
        return str_printf(r->c->arena, "%.*s", STR_ARG(value->text)).ptr;
    return kinds[value->kind];
}

static Tree *unwanted(Reading *r, const JsonValue *value, const Where *at, const char *wanted) {
    return wrong(
        r, value, at,
        str_printf(r->c->arena, "%s is expected, found %s", wanted, found_phrase(r, value)).ptr);
}

/* -- numbers -- */

/* "35 deg", "0.5 km": a number and its unit. */
static bool read_quantity(Str text, Arena *arena, Str *unit, double *value) {
    size_t at = 0, digits = 0;
    bool minus = text.len && text.ptr[0] == '-';
    for (at = minus; at < text.len && strchr("0123456789.", text.ptr[at]); at++)
        digits += text.ptr[at] != '.';
    if (digits == 0 || at - minus - digits > 1) return false;
    *value = literal_decimal((Str){text.ptr + minus, at - minus}, arena);
    if (minus) *value = -*value;
    while (at < text.len && text.ptr[at] == ' ')
        at++;
    *unit = (Str){text.ptr + at, text.len - at};
    return unit->len > 0;
}

static const char *wanted_number(const Reading *r, const Type *type) {
    if (dims_plain(type->dims)) return "a number";
    const char *phrase = type_phrase(r->c, type);
    return str_printf(r->c->arena, "a number of %s", phrase).ptr;
}

/* A plain number is meters, seconds, degrees; a text says its unit. */
static Tree *quantity_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Checker *c = r->c;
    UnitScale scale = {1, 1};
    Dims dims = type->dims;
    double number = value->number;
    Str unit = STR_LIT("deg");
    if (value->kind == JSON_TEXT && !dims_plain(type->dims)) {
        if (!read_quantity(value->text, c->arena, &unit, &number))
            return unwanted(r, value, at, wanted_number(r, type));
        if (!unit_find(unit, &scale, &dims))
            return wrong(r, value, at,
                         str_printf(c->arena, "there is no unit '%.*s'", STR_ARG(unit)).ptr);
        if (!dims_equal(dims, type->dims)) return unwanted(r, value, at, wanted_number(r, type));
    } else if (value->kind != JSON_NUMBER) {
        return unwanted(r, value, at, wanted_number(r, type));
    } else if (dims_equal(dims, c->types.angle->dims)) {
        unit_find(unit, &scale, &dims);
    }
    number = number * scale.times / scale.over;
    if (!isfinite(number)) return wrong(r, value, at, "the number is past 1.8e308");
    if (type->fraction && !(number >= 0 && number <= 1))
        return unwanted(r, value, at, "a number from 0 to 1");
    return tree_number(c, number, type, value->span);
}

static Tree *whole_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    bool is_u32 = type_is(type, TYPE_U32);
    double least = is_u32 ? 0 : -9007199254740992.0,
           most = is_u32 ? 4294967295.0 : 9007199254740992.0;
    bool good = value->kind == JSON_NUMBER && value->number == floor(value->number) &&
                value->number >= least && value->number <= most;
    if (!good)
        return unwanted(r, value, at,
                        is_u32 ? "a whole number from 0 to 4294967295" : "a whole number");
    return tree_int(r->c, (int64_t)value->number, type, value->span);
}

/* -- texts and names -- */

static Tree *text_tree(Reading *r, const JsonValue *value, const Where *at) {
    if (value->kind != JSON_TEXT) return unwanted(r, value, at, "a text");
    Tree *tree = tree_new(r->c, TREE_TEXT, r->c->types.text, value->span);
    tree->text = value->text;
    return tree;
}

static Tree *one_of_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Checker *c = r->c;
    StrBuf names = {.arena = c->arena};
    for (int i = 0; i < type->name_count; i++) {
        Str name = symbols_name(c->symbols, type->names[i]);
        if (value->kind == JSON_TEXT && str_equal(name, value->text))
            return tree_int(c, i, type, value->span);
        strbuf_printf(&names, "%s\"%.*s\"", i == 0 ? "one of " : ", ", STR_ARG(name));
    }
    return unwanted(r, value, at, strbuf_take(&names).ptr);
}

/* -- arrays -- */

static Tree *add_items(Reading *r, Tree *tree, const JsonValue *value, const Where *at,
                       const Type *const *types, const Type *each) {
    for (int i = 0; i < value->members.count && !diags_full(r->c->diags); i++) {
        Where here = {at, .index = i};
        Tree *item = value_tree(r, value->members.items[i].value, types ? types[i] : each, &here);
        if (type_poisoned(item->type)) tree->type = r->c->types.poison;
        treelist_push(r->c, &tree->items, item);
    }
    return tree;
}

/* So many numbers in a row: a point, a vector, a color. */
static Tree *triple_tree(Reading *r, const JsonValue *value, const Type *type, const Type *each,
                         const Where *at) {
    if (value->kind != JSON_ARRAY || value->members.count != 3)
        return unwanted(r, value, at, "an array of three numbers");
    return add_items(r, tree_new(r->c, TREE_AGGREGATE, type, value->span), value, at, NULL, each);
}

/* [r, g, b] is linear, "#7a5230" of sRGB. */
static Tree *color_tree(Reading *r, const JsonValue *value, const Where *at) {
    Checker *c = r->c;
    if (value->kind != JSON_TEXT) return triple_tree(r, value, c->types.color, c->types.number, at);
    Tree *hex = text_tree(r, value, at);
    return call_trees(r->x, LIBRARY_DECL(c, colors, rgb), &hex, 1, value->span);
}

static Tree *tuple_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    if (value->kind != JSON_ARRAY || value->members.count != type->item_count)
        return unwanted(r, value, at,
                        str_printf(r->c->arena, "an array of %d", type->item_count).ptr);
    return add_items(r, tree_new(r->c, TREE_AGGREGATE, type, value->span), value, at, type->items,
                     NULL);
}

/* -- records -- */

static bool is_text(const Type *type) {
    return type_is(type, TYPE_TEXT) || type_is(type, TYPE_NAME);
}

/* A field whose name is a word of the language ends in `_`: "field" is `field_`. */
static int find_field(const Checker *c, const struct TreeRecord *record, Str name) {
    for (int i = 0; i < record->fields.count; i++) {
        Str field = symbols_name(c->symbols, record->fields.items[i].name);
        Str word = {field.ptr, field.len - 1};
        bool is_word = field.ptr[field.len - 1] == '_' && token_is_keyword(word);
        if (str_equal(is_word ? word : field, name)) return i;
    }
    return -1;
}

static void field_unknown(Reading *r, const JsonMember *member, const struct TreeRecord *record,
                          const Where *at) {
    Checker *c = r->c;
    Symbol name = symbols_intern(c->symbols, member->name);
    Diag *diag = diag_add(c->diags, DIAG_E_JSON_FIELD, member->span, path_text(r, at),
                          name_text(c, record->name), name_text(c, name));
    Suggest s = suggest_open(c, diag, name, member->span);
    for (int i = 0; i < record->fields.count; i++)
        suggest_name(&s, record->fields.items[i].name);
    suggest_close(&s, "");
    noted(r, diag);
}

/* The fields that an object gives. Every mistake is told. */
static bool give_fields(Reading *r, const JsonValue *value, const struct TreeRecord *record,
                        const Where *at, Tree **given) {
    bool good = true;
    for (int i = 0; i < value->members.count && !diags_full(r->c->diags); i++) {
        const JsonMember *member = &value->members.items[i];
        int field = find_field(r->c, record, member->name);
        if (field < 0) {
            field_unknown(r, member, record, at);
            good = false;
            continue;
        }
        Where here = {at, .name = member->name};
        given[field] = value_tree(r, member->value, record->fields.items[field].type, &here);
        good = !type_poisoned(given[field]->type) && good;
    }
    return good;
}

static Tree *record_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at,
                         Tree **given) {
    Checker *c = r->c;
    const struct TreeRecord *record = type->record;
    const AstParams *fields = &record->ast->record.fields;
    if (value->kind != JSON_OBJECT) return unwanted(r, value, at, "an object");
    bool good = give_fields(r, value, record, at, given);
    for (int i = 0; i < fields->count; i++) {
        if (given[i] || record_has_default(c, &fields->items[i])) continue;
        const char *name = name_text(c, record->fields.items[i].name);
        noted(r, diag_add(c->diags, DIAG_E_JSON_MISSING, value->span, path_text(r, at), name));
        good = false;
    }
    return good ? record_of(r->x, type, given, value->span) : tree_poison(c, value->span);
}

static Tree *object_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Tree **given = ARENA_ARRAY(r->c->arena, Tree *, type->record->fields.count + 1);
    return record_tree(r, value, type, at, given);
}

/* [lo, hi], its upper end with it. */
static Tree *range_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Checker *c = r->c;
    if (value->kind != JSON_ARRAY || value->members.count != 2)
        return unwanted(r, value, at, "an array of two, from and to");
    Tree *tree = tree_new(c, TREE_AGGREGATE, type, value->span);
    add_items(r, tree, value, at, NULL, type->record->fields.items[0].type);
    treelist_push(c, &tree->items, tree_int(c, true, c->types.boolean, value->span));
    return tree;
}

/* {"turf": {"scale": 400}} where a list of records is wanted: the names are the records' first fields. */
static Tree *keyed_list(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Checker *c = r->c;
    const struct TreeRecord *record = type->element->record;
    Tree *list = tree_new(c, TREE_LIST, type, value->span);
    for (int i = 0; i < value->members.count && !diags_full(c->diags); i++) {
        const JsonMember *member = &value->members.items[i];
        Where here = {at, .name = member->name};
        Tree **given = ARENA_ARRAY(c->arena, Tree *, record->fields.count + 1);
        given[0] = tree_new(c, TREE_TEXT, c->types.text, member->span);
        given[0]->text = member->name;
        Tree *item;
        if (member->value->kind != JSON_OBJECT && record->fields.count == 2) {
            given[1] = value_tree(r, member->value, record->fields.items[1].type, &here);
            item = type_poisoned(given[1]->type)
                       ? given[1]
                       : record_of(r->x, type->element, given, member->span);
        } else {
            item = record_tree(r, member->value, type->element, &here, given);
        }
        if (type_poisoned(item->type)) list->type = c->types.poison;
        treelist_push(c, &list->items, item);
    }
    return list;
}

static Tree *list_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    bool keyed = value->kind == JSON_OBJECT && type_is(type->element, TYPE_RECORD) &&
                 is_text(type->element->record->fields.items[0].type);
    if (keyed) return keyed_list(r, value, type, at);
    if (value->kind != JSON_ARRAY) return unwanted(r, value, at, "an array");
    return add_items(r, tree_new(r->c, TREE_LIST, type, value->span), value, at, NULL,
                     type->element);
}

/* -- any -- */

static Tree *optional_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    if (value->kind == JSON_NULL) return tree_new(r->c, TREE_NONE, type, value->span);
    Tree *inside = value_tree(r, value, type->element, at);
    if (type_poisoned(inside->type)) return inside;
    Tree *some = tree_new(r->c, TREE_SOME, type, value->span);
    some->component.operand = inside;
    return some;
}

static Tree *value_tree(Reading *r, const JsonValue *value, const Type *type, const Where *at) {
    Checker *c = r->c;
    switch ((int)type->kind) {
    case TYPE_NUMBER:
        return quantity_tree(r, value, type, at);
    case TYPE_INT:
    case TYPE_U32:
        return whole_tree(r, value, type, at);
    case TYPE_BOOL:
        if (value->kind != JSON_BOOL) return unwanted(r, value, at, "true or false");
        return tree_int(c, value->truth, type, value->span);
    case TYPE_TEXT:
    case TYPE_NAME:
        return text_tree(r, value, at);
    case TYPE_ONE_OF:
        return one_of_tree(r, value, type, at);
    case TYPE_COLOR:
        return color_tree(r, value, at);
    case TYPE_POINT:
        return triple_tree(r, value, type, c->types.meters, at);
    case TYPE_VECTOR:
        return triple_tree(r, value, type, type_quantity(c, type->dims), at);
    case TYPE_TUPLE:
        return tuple_tree(r, value, type, at);
    case TYPE_LIST:
        return list_tree(r, value, type, at);
    case TYPE_OPTIONAL:
        return optional_tree(r, value, type, at);
    case TYPE_RECORD:
        return type->name == c->names.range && value->kind != JSON_OBJECT
                   ? range_tree(r, value, type, at)
                   : object_tree(r, value, type, at);
    default:
        return wrong(r, value, at, str_printf(c->arena, "%s is no data", type_phrase(c, type)).ptr);
    }
}

Tree *json_check(Ctx *x, uint32_t source, const Type *type, Span call) {
    Checker *c = x->c;
    Reading r = {.x = x, .c = c, .call = call};
    const JsonValue *value = json_read(c->arena, c->diags, source);
    return value ? value_tree(&r, value, type, NULL) : tree_poison(c, call);
}
