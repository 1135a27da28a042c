/* Types as shapes: what the running world needs to know of a type to print its values
 * (runtime/rt/print.h). Texts made of values: a shape of bytes and values. */
#include "compiler/check/checker.h"
#include "stdlib/library_names.h"

/* "m", "m^2/s", "1/m"; empty for a plain number. Exponents count sixths. */
static void add_unit(StrBuf *out, const char *name, int sixths, bool *first) {
    if (sixths == 0) return;
    if (!*first) strbuf_char(out, ' ');
    *first = false;
    strbuf_str(out, str_of(name));
    if (sixths == 6) return;
    strbuf_char(out, '^');
    strbuf_double(out, sixths / 6.0);
}

static void add_units(StrBuf *out, Dims dims) {
    static const char *const names[] = {"m", "deg", "s"};
    int powers[] = {dims.length, dims.angle, dims.time};
    bool above = true, below = true;
    for (int i = 0; i < 3; i++)
        add_unit(out, names[i], powers[i] > 0 ? powers[i] : 0, &above);
    for (int i = 0; i < 3; i++) {
        if (powers[i] < 0 && below) strbuf_str(out, above ? STR_LIT("1/") : STR_LIT("/"));
        add_unit(out, names[i], powers[i] < 0 ? -powers[i] : 0, &below);
    }
}

static void add_quantity(StrBuf *out, char kind, Dims dims) {
    strbuf_printf(out, "%c%c%d:", kind, dims.length ? 'm' : '-', dims.angle / 6);
    add_units(out, dims);
    strbuf_char(out, ';');
}

ContainerKind record_contents(const TreeRecord *record, const SymbolTable *symbols,
                              const Type *types[2]) {
    static const struct {
        const char *package, *name;
    } rows[CONTAINER_KIND_COUNT] = {
#define CONTAINER(NAME, package, Name, slots, columns)                                             \
    [CONTAINER_##NAME] = {STD_##package, STD_##package##_##Name},
#include "runtime/base/container.def"
#undef CONTAINER
    };
    const Package *package = record->decl->package;
    if (package->is_file) return CONTAINER_NONE;
    ContainerKind kind = CONTAINER_KIND_COUNT;
    while (--kind != CONTAINER_NONE)
        if (str_equal(symbols_name(symbols, record->name), str_of(rows[kind].name)) &&
            str_equal(package->name, str_of(rows[kind].package)))
            break;
    for (int i = 0; kind != CONTAINER_NONE && i < container_columns(kind); i++)
        types[i] = record->fields.items[i].type->element;
    if (kind == CONTAINER_JOINED) types[0] = record->fields.items[0].type;
    return kind;
}

static void add_contents(StrBuf *out, Str name, ContainerKind kind, const Type *const types[2],
                         const SymbolTable *symbols) {
    const char *letters = kind == CONTAINER_HEAP ? types[1]->slots : "";
    strbuf_printf(out, "k%d%.*s(%s;", kind, STR_ARG(name), letters);
    for (int i = 0; i < container_columns(kind); i++)
        type_shape(out, types[i], symbols);
    strbuf_char(out, ')');
}

static void add_record(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    const TreeRecord *record = type->record;
    Str name = symbols_name(symbols, record->name);
    const Type *types[2];
    ContainerKind kind = record_contents(record, symbols, types);
    if (kind) {
        add_contents(out, name, kind, types, symbols);
        return;
    }
    strbuf_printf(out, "r%.*s(", STR_ARG(name));
    for (int i = 0; i < record->fields.count; i++) {
        strbuf_printf(out, "%.*s:", STR_ARG(symbols_name(symbols, record->fields.items[i].name)));
        type_shape(out, record->fields.items[i].type, symbols);
    }
    strbuf_char(out, ')');
}

static void add_words(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    Str words = type_name(type, symbols, out->arena);
    strbuf_printf(out, "f%d:%.*s;", type->slot_count, STR_ARG(words));
}

static void add_bytes(StrBuf *out, Str bytes) {
    strbuf_printf(out, "\"%zu:", bytes.len);
    strbuf_str(out, bytes);
}

void type_shape(StrBuf *out, const Type *type, const SymbolTable *symbols) {
    switch (type->kind) {
    case TYPE_BOOL:
        strbuf_char(out, 'b');
        return;
    case TYPE_INT:
        strbuf_char(out, 'i');
        return;
    case TYPE_U32:
        strbuf_char(out, 'u');
        return;
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
        add_quantity(out, 'n', type->dims);
        return;
    case TYPE_METERS_OR_NUMBER:
        add_quantity(out, 'n', (Dims){.length = 6});
        return;
    case TYPE_POINT:
        add_quantity(out, 'v', (Dims){.length = 6});
        return;
    case TYPE_VECTOR:
    case TYPE_COLOR:
        add_quantity(out, 'v', type->dims);
        return;
    case TYPE_TEXT:
    case TYPE_NAME:
    case TYPE_PATH:
        strbuf_char(out, 't');
        return;
    case TYPE_LIST:
        strbuf_char(out, 'l');
        type_shape(out, type->element, symbols);
        return;
    case TYPE_OPTIONAL:
        strbuf_char(out, '?');
        type_shape(out, type->element, symbols);
        return;
    case TYPE_TUPLE:
        strbuf_char(out, '(');
        for (int i = 0; i < type->item_count; i++)
            type_shape(out, type->items[i], symbols);
        strbuf_char(out, ')');
        return;
    case TYPE_RECORD:
        add_record(out, type, symbols);
        return;
    case TYPE_ONE_OF:
        strbuf_char(out, 'e');
        for (int i = 0; i < type->name_count; i++)
            strbuf_printf(out, "%.*s,", STR_ARG(symbols_name(symbols, type->names[i])));
        strbuf_char(out, ';');
        return;
    case TYPE_PART:
    case TYPE_ANY_PART:
        strbuf_char(out, 'p');
        return;
    case TYPE_DESIGN:
        strbuf_char(out, 'd');
        return;
    case TYPE_OBJECT:
        strbuf_printf(out, "o%.*s;", STR_ARG(symbols_name(symbols, type->name)));
        return;
    case TYPE_FN:
    case TYPE_CONTRACT:
        add_words(out, type, symbols);
        return;
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        break;
    }
    add_bytes(out, STR_LIT("none"));
}

/* -- texts made of values: textOf(shapes, [(a, b, c)]), one call for all of a text -- */

typedef struct Format {
    StrBuf shapes;
    TreeList values;
    bool bad;
} Format;

/* A text stands as it is; everything else as `ask` prints it. */
static void format_value(Ctx *x, Format *format, Tree *value) {
    Checker *c = x->c;
    const Type *type = value->type;
    bool nothing = type_is(type, TYPE_UNIT) || type_is(type, TYPE_NONE);
    if (nothing) diag_add(c->diags, DIAG_E_NO_VALUE, value->span, type_phrase(c, type));
    format->bad = format->bad || nothing || type_poisoned(type);
    if (type_is(type, TYPE_TEXT) || type_is(type, TYPE_NAME))
        strbuf_char(&format->shapes, 's');
    else
        type_shape(&format->shapes, type, c->symbols);
    treelist_push(c, &format->values, value);
}

static Tree *format_call(Ctx *x, Format *format, Span span) {
    Checker *c = x->c;
    Package *core = package_find(c, symbols_find(c->symbols, STR_LIT("core")));
    Decl *decl =
        core ? symbolmap_get(&core->values, symbols_find(c->symbols, STR_LIT("textOf"))) : NULL;
    if (!decl || format->bad) return tree_poison(c, span);
    const Type **types = ARENA_ARRAY(c->arena, const Type *, format->values.count + 1);
    for (int i = 0; i < format->values.count; i++)
        types[i] = format->values.items[i]->type;
    Tree *row = tree_new(c, TREE_AGGREGATE, type_tuple(c, types, format->values.count), span);
    row->items = format->values;
    Tree *args[2] = {tree_new(c, TREE_TEXT, c->types.text, span),
                     tree_new(c, TREE_LIST, type_list(c, row->type), span)};
    args[0]->text = strbuf_take(&format->shapes);
    treelist_push(c, &args[1]->items, row);
    return call_trees(x, decl, args, 2, span);
}

Tree *format_template(Ctx *x, const AstNode *ast) {
    Format format = {.shapes.arena = x->c->arena};
    for (int i = 0; i < ast->template.parts.count; i++) {
        const AstNode *part = ast->template.parts.items[i];
        if (i % 2) /* between two written pieces */
            format_value(x, &format, expr_check(x, part, NULL));
        else if (part->text.value.len)
            add_bytes(&format.shapes, part->text.value);
    }
    return format_call(x, &format, ast->span);
}

Tree *format_text(Ctx *x, Tree *value, Span span) {
    if (value->kind == TREE_TEXT) diag_add(x->c->diags, DIAG_W_TEXT_ITSELF, span);
    if (type_is(value->type, TYPE_TEXT)) return value;
    Format format = {.shapes.arena = x->c->arena};
    format_value(x, &format, value);
    return format_call(x, &format, span);
}
