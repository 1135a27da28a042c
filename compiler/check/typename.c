/* Types in the author's words: as written in a program, and as said in a sentence. */
#include "compiler/check/checker.h"

static void add_type(StrBuf *out, const Type *type, const SymbolTable *symbols);

static void add_power(StrBuf *out, const char *unit, int sixths) {
    strbuf_str(out, str_of(unit));
    if (sixths == 6) return;
    if (sixths % 6 == 0)
        strbuf_printf(out, "^%d", sixths / 6);
    else if (sixths % 3 == 0)
        strbuf_printf(out, "^(%d/2)", sixths / 3);
    else if (sixths % 2 == 0)
        strbuf_printf(out, "^(%d/3)", sixths / 2);
    else
        strbuf_printf(out, "^(%d/6)", sixths);
}

/* meters^2/seconds; a dimension with nothing above the line begins with 1. */
static void add_dims(StrBuf *out, Dims dims) {
    const struct {
        const char *name;
        int power;
    } parts[] = {{"meters", dims.length}, {"degrees", dims.angle}, {"seconds", dims.time}};
    bool any = false;
    for (int i = 0; i < 3; i++) {
        if (parts[i].power <= 0) continue;
        if (any) strbuf_str(out, STR_LIT(" * "));
        add_power(out, parts[i].name, parts[i].power);
        any = true;
    }
    if (!any) strbuf_char(out, '1');
    for (int i = 0; i < 3; i++) {
        if (parts[i].power >= 0) continue;
        strbuf_char(out, '/');
        add_power(out, parts[i].name, -parts[i].power);
    }
}

static void add_items(StrBuf *out, const Type *const *items, int count,
                      const SymbolTable *symbols) {
    for (int i = 0; i < count; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        add_type(out, items[i], symbols);
    }
}

/* The hidden stream shows as it is written in a declaration. */
static void add_fn(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    strbuf_str(out, STR_LIT("fn("));
    add_items(out, type->items, type->item_count, symbols);
    if (type->draws) strbuf_str(out, type->item_count ? STR_LIT(", stream") : STR_LIT("stream"));
    strbuf_char(out, ')');
    if (type->element->kind != TYPE_UNIT) strbuf_char(out, ' ');
    if (type->element->kind != TYPE_UNIT) add_type(out, type->element, symbols);
}

static void add_one_of(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    strbuf_str(out, STR_LIT("one of ("));
    for (int i = 0; i < type->name_count; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        strbuf_str(out, symbols_name(symbols, type->names[i]));
    }
    strbuf_char(out, ')');
}

static void add_named(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    strbuf_str(out, symbols_name(symbols, type->name));
    if (type->item_count == 0) return;
    strbuf_char(out, '[');
    add_items(out, type->items, type->item_count, symbols);
    strbuf_char(out, ']');
}

static void add_vector(StrBuf *out, Dims dims) {
    if (dims_plain(dims))
        strbuf_str(out, STR_LIT("direction"));
    else if (dims_equal(dims, (Dims){.length = 6}))
        strbuf_str(out, STR_LIT("offset"));
    else {
        strbuf_str(out, STR_LIT("vector["));
        add_dims(out, dims);
        strbuf_char(out, ']');
    }
}

static void add_type(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    static const char *const words[TYPE_KIND_COUNT] = {[TYPE_POISON] = "?",
                                                       [TYPE_UNIT] = "nothing",
                                                       [TYPE_NONE] = "none",
                                                       [TYPE_BOOL] = "bool",
                                                       [TYPE_INT] = "int",
                                                       [TYPE_U32] = "u32",
                                                       [TYPE_TEXT] = "text",
                                                       [TYPE_POINT] = "point",
                                                       [TYPE_COLOR] = "color",
                                                       [TYPE_ANY_PART] = "anyPart",
                                                       [TYPE_DESIGN] = "design",
                                                       [TYPE_NAME] = "name",
                                                       [TYPE_PATH] = "path",
                                                       [TYPE_ANY_QUANTITY] = "anyQuantity",
                                                       [TYPE_METERS_OR_NUMBER] = "metersOrNumber"};
    if (words[type->kind]) {
        strbuf_str(out, str_of(words[type->kind]));
        return;
    }
    switch ((int)type->kind) {
    case TYPE_NUMBER:
        if (!dims_plain(type->dims))
            add_dims(out, type->dims);
        else
            strbuf_str(out, type->fraction ? STR_LIT("fraction") : STR_LIT("number"));
        break;
    case TYPE_VECTOR:
        add_vector(out, type->dims);
        break;
    case TYPE_TUPLE:
        strbuf_char(out, '(');
        add_items(out, type->items, type->item_count, symbols);
        strbuf_char(out, ')');
        break;
    case TYPE_LIST:
        strbuf_str(out, STR_LIT("List["));
        add_type(out, type->element, symbols);
        strbuf_char(out, ']');
        break;
    case TYPE_OPTIONAL:
        add_type(out, type->element, symbols);
        strbuf_char(out, '?');
        break;
    case TYPE_FN:
        add_fn(out, type, symbols);
        break;
    case TYPE_ONE_OF:
        add_one_of(out, type, symbols);
        break;
    case TYPE_PART:
        strbuf_str(out, type->cls->name.len ? type->cls->name : STR_LIT("the world"));
        break;
    case TYPE_RECORD:
    case TYPE_CONTRACT:
    case TYPE_OBJECT:
    case TYPE_VAR:
    default:
        add_named(out, type, symbols);
        break;
    }
}

Str type_name(const Type *type, const SymbolTable *symbols, Arena *arena) {
    StrBuf out = {.arena = arena};
    add_type(&out, type, symbols);
    return strbuf_take(&out);
}

const char *type_text(Checker *c, const Type *type) {
    return type_name(type, c->symbols, c->arena).ptr;
}

const char *name_text(Checker *c, Symbol name) {
    Str text = symbols_name(c->symbols, name);
    return arena_strndup(c->arena, text.ptr, text.len);
}

/* The word and its article. Quantities and lists of things need none. */
const char *type_phrase(Checker *c, const Type *type) {
    const char *text = type_text(c, type);
    switch ((int)type->kind) {
    case TYPE_NUMBER:
        if (!dims_plain(type->dims)) return text;
        return type->fraction ? "a fraction" : "a plain number";
    case TYPE_INT:
        return "a whole number";
    case TYPE_UNIT:
        return "no value";
    case TYPE_NONE:
        return "none";
    case TYPE_ANY_QUANTITY:
        return "a number or quantity";
    case TYPE_METERS_OR_NUMBER:
        return "meters or a plain number";
    case TYPE_TEXT:
        return "text";
    case TYPE_FN:
        return str_printf(c->arena, "a function %s", text).ptr;
    case TYPE_PART:
        return type->cls->name.len ? str_printf(c->arena, "the part '%s'", text).ptr : "the world";
    case TYPE_ANY_PART:
        return "a part";
    case TYPE_TUPLE:
        return str_printf(c->arena, "the tuple %s", text).ptr;
    case TYPE_ONE_OF:
        return text;
    case TYPE_OPTIONAL:
        return str_printf(c->arena, "%s or none", type_phrase(c, type->element)).ptr;
    case TYPE_LIST:
        return str_printf(c->arena, "a %s", text).ptr;
    default:
        return str_printf(c->arena, strchr("aeio", text[0]) ? "an %s" : "a %s", text).ptr;
    }
}

/* For sentences of two: "these are meters, that is a plain number". */
const char *type_these(Checker *c, const Type *type, bool second) {
    bool plural = type_is_quantity(type);
    const char *pronoun =
        second ? (plural ? "those are" : "that is") : (plural ? "these are" : "this is");
    return str_printf(c->arena, "%s %s", pronoun, type_phrase(c, type)).ptr;
}
