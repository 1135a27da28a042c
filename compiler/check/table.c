/* The rows of a CSV file by the fields of a record, packed for the data package (runtime/base/pack.h). What
 * a cell must be is said by its field's type; a mistake is told at the cell, with its row and column.
 */
#include <math.h>

#include "compiler/check/checker.h"
#include "compiler/files/csv.h"
#include "lang/literal.h"
#include "runtime/base/pack.h"

typedef struct Table {
    Ctx *x;
    Checker *c;
    Csv csv;
    const struct TreeRecord *record;
    int *columns;    /* by field: its column, or -1 */
    Tree **defaults; /* by field: what stands for a column left out, or for an empty cell */
    StrBuf out;
    uint64_t count;
    Span call; /* where the table is asked for */
    bool told; /* that, with a mistake */
} Table;

static void add_word(Table *t, uint64_t word) {
    strbuf_add(&t->out, (const char *)&word, sizeof word);
}

static void add_number(Table *t, double value) {
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    add_word(t, word);
}

static void add_text(Table *t, Str text) {
    add_word(t, text.len);
    strbuf_add(&t->out, text.ptr, text.len);
}

static const char *field_text(const Table *t, int field) {
    return name_text(t->c, t->record->fields.items[field].name);
}

/* -- what is said of a cell -- */

/* Once is enough: the rest is of the same table. */
static void note_call(Table *t, Diag *diag) {
    if (t->told) return;
    t->told = true;
    diag_note(t->c->diags, diag, t->call, "the table is read here");
}

static void cell_error(Table *t, int field, const CsvCell *cell, const char *what) {
    Span span = cell->span;
    if (span.end == span.start) span.end++; /* an empty cell: what ends it */
    Diag *diag =
        diag_add(t->c->diags, DIAG_E_TABLE_CELL, span, t->csv.row, field_text(t, field), what);
    note_call(t, diag);
}

static const char *is_no(Checker *c, Str text, const char *kind) {
    Str shown = {text.ptr, text.len < 40 ? text.len : 40};
    return str_printf(c->arena, "'%.*s' is no %s", STR_ARG(shown), kind).ptr;
}

static bool cell_is_no(Table *t, int field, const CsvCell *cell, const char *kind) {
    cell_error(t, field, cell, is_no(t->c, cell->text, kind));
    return false;
}

/* -- cells -- */

static size_t count_digits(Str text, size_t at) {
    size_t start = at;
    while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
        at++;
    return at - start;
}

/* The length of a decimal number at the start, without a sign; 0: there is none. Written as programs
 * write them, whatever the host's locale: 12, 0.5, .5, 1e-3. */
static size_t number_length(Str text) {
    size_t whole = count_digits(text, 0), at = whole, fraction = 0;
    if (at < text.len && text.ptr[at] == '.') {
        fraction = count_digits(text, at + 1);
        at += 1 + fraction;
    }
    if (whole + fraction == 0) return 0;
    if (at < text.len && (text.ptr[at] == 'e' || text.ptr[at] == 'E')) {
        size_t sign = at + 1 < text.len && (text.ptr[at + 1] == '-' || text.ptr[at + 1] == '+');
        size_t digits = count_digits(text, at + 1 + sign);
        if (digits) at += 1 + sign + digits;
    }
    return at;
}

static Str skip_sign(Str text, bool *minus) {
    *minus = text.len && text.ptr[0] == '-';
    bool any = *minus || (text.len && text.ptr[0] == '+');
    return (Str){text.ptr + any, text.len - any};
}

/* A plain number is in the base unit of its field; an angle says its own. */
static bool unit_of(Checker *c, Str unit, const Type *type, bool is_zero, UnitScale *scale,
                    const char **wrong) {
    Dims dims;
    if (unit.len == 0) {
        *scale = (UnitScale){1, 1};
        *wrong = "an angle says its unit: 35 deg, 0.25 turn";
        return type->dims.angle == 0 || is_zero;
    }
    if (!unit_find(unit, scale, &dims)) {
        *wrong = str_printf(c->arena, "there is no unit '%.*s'", STR_ARG(unit)).ptr;
        return false;
    }
    if (dims_equal(dims, type->dims)) return true;
    const char *found = type_phrase(c, type_quantity(c, dims));
    const char *wanted = type_phrase(c, type_quantity(c, type->dims));
    *wrong = str_printf(c->arena, "%s expected, found %s", wanted, found).ptr;
    return false;
}

bool table_quantity(Checker *c, Str whole, const Type *type, double *value, const char **wrong) {
    bool minus;
    UnitScale scale;
    Str text = skip_sign(whole, &minus);
    size_t length = number_length(text);
    Str unit = {text.ptr + length, text.len - length};
    while (unit.len && (*unit.ptr == ' ' || *unit.ptr == '\t'))
        unit.ptr++, unit.len--;
    bool odd = unit.len && !((*unit.ptr | 0x20) >= 'a' && (*unit.ptr | 0x20) <= 'z');
    *wrong = is_no(c, whole, "number");
    if (length == 0 || odd) return false;
    *value = literal_decimal((Str){text.ptr, length}, c->arena);
    *wrong = is_no(c, whole, "number: it is past 1.8e308");
    if (isinf(*value) || !unit_of(c, unit, type, *value == 0, &scale, wrong)) return false;
    *value = *value * scale.times / scale.over;
    if (minus) *value = -*value;
    return true;
}

static bool pack_quantity(Table *t, int field, const CsvCell *cell, const Type *type) {
    double value;
    const char *wrong;
    if (!table_quantity(t->c, cell->text, type, &value, &wrong)) {
        cell_error(t, field, cell, wrong);
        return false;
    }
    add_number(t, value);
    return true;
}

static bool pack_int(Table *t, int field, const CsvCell *cell, bool is_u32) {
    bool minus;
    int64_t value = 0;
    Str text = skip_sign(cell->text, &minus);
    bool good = text.len > 0 && count_digits(text, 0) == text.len;
    for (size_t i = 0; good && i < text.len; i++)
        good = !__builtin_mul_overflow(value, 10, &value) &&
               !__builtin_sub_overflow(value, text.ptr[i] - '0', &value); /* INT64_MIN has no positive */
    good = good && (minus || !__builtin_mul_overflow(value, -1, &value));
    if (!good || (is_u32 && (value < 0 || value > UINT32_MAX)))
        return cell_is_no(t, field, cell, is_u32 ? "whole number of 32 bits" : "whole number");
    add_word(t, (uint64_t)value);
    return true;
}

static bool pack_bool(Table *t, int field, const CsvCell *cell) {
    bool yes = str_equal(cell->text, STR_LIT("true"));
    if (!yes && !str_equal(cell->text, STR_LIT("false")))
        return cell_is_no(t, field, cell, "bool: write true or false");
    add_word(t, yes);
    return true;
}

static bool pack_one_of(Table *t, int field, const CsvCell *cell, const Type *type) {
    for (int i = 0; i < type->name_count; i++)
        if (str_equal(symbols_name(t->c->symbols, type->names[i]), cell->text)) {
            add_word(t, (uint64_t)i);
            return true;
        }
    StrBuf what = {.arena = t->c->arena};
    strbuf_printf(&what, "'%.*s' is none of", STR_ARG(cell->text));
    for (int i = 0; i < type->name_count; i++)
        strbuf_printf(&what, "%s %.*s", i ? "," : "",
                      STR_ARG(symbols_name(t->c->symbols, type->names[i])));
    cell_error(t, field, cell, what.ptr);
    return false;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    char low = (char)(c | 0x20);
    return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* #7a5230, of sRGB. */
static bool pack_color(Table *t, int field, const CsvCell *cell) {
    bool good = cell->text.len == 7 && cell->text.ptr[0] == '#';
    for (size_t i = 1; good && i < 7; i++)
        good = hex_digit(cell->text.ptr[i]) >= 0;
    if (!good) return cell_is_no(t, field, cell, "color: write it as #7a5230");
    for (int i = 1; i < 7; i += 2)
        add_word(t, (uint64_t)(hex_digit(cell->text.ptr[i]) * 16 + hex_digit(cell->text.ptr[i + 1])));
    return true;
}

static bool pack_cell(Table *t, int field, const CsvCell *cell, const Type *type) {
    switch ((int)type->kind) {
    case TYPE_NUMBER:
        return pack_quantity(t, field, cell, type);
    case TYPE_INT:
        return pack_int(t, field, cell, false);
    case TYPE_U32:
        return pack_int(t, field, cell, true);
    case TYPE_BOOL:
        return pack_bool(t, field, cell);
    case TYPE_ONE_OF:
        return pack_one_of(t, field, cell, type);
    case TYPE_COLOR:
        return pack_color(t, field, cell);
    case TYPE_OPTIONAL:
        add_word(t, 1);
        return pack_cell(t, field, cell, type->element);
    case TYPE_TEXT:
        add_text(t, cell->text);
        return true;
    default:
        return false;
    }
}

/* -- what stands for a cell that is empty, or a column that is left out -- */

/* A value that is written out, slot by slot; false when something must be worked out for it. */
static bool pack_constant(Table *t, const Tree *tree) {
    switch ((int)tree->kind) {
    case TREE_NUMBER:
        add_number(t, tree->number);
        return true;
    case TREE_INT:
    case TREE_U32:
    case TREE_BOOL:
        add_word(t, (uint64_t)tree->integer);
        return true;
    case TREE_TEXT:
        add_text(t, tree->text);
        return true;
    case TREE_NONE:
        for (const char *slot = tree->type->slots; *slot; slot++)
            add_word(t, *slot == 'R' ? PACK_NULL : 0);
        return true;
    case TREE_SOME:
        add_word(t, 1);
        return pack_constant(t, tree->component.operand);
    case TREE_LIST:
        if (tree->items.count) return false;
        add_word(t, PACK_NULL);
        return true;
    case TREE_AGGREGATE:
        for (int i = 0; i < tree->items.count; i++)
            if (!pack_constant(t, tree->items.items[i])) return false;
        return true;
    default:
        return false;
    }
}

static bool pack_empty(Table *t, int field, const CsvCell *cell, const Type *type) {
    if (t->defaults[field]) return pack_constant(t, t->defaults[field]);
    if (type_is(type, TYPE_OPTIONAL)) {
        Tree none = {.kind = TREE_NONE, .type = type};
        return pack_constant(t, &none);
    }
    if (type_is(type, TYPE_TEXT)) return pack_cell(t, field, cell, type);
    cell_error(t, field, cell, "it is empty");
    return false;
}

/* -- the header -- */

static int find_field(const Table *t, Str name) {
    for (int i = 0; i < t->record->fields.count; i++)
        if (str_equal(symbols_name(t->c->symbols, t->record->fields.items[i].name), name)) return i;
    return -1;
}

static void column_unknown(Table *t, const CsvCell *cell) {
    Checker *c = t->c;
    Symbol name = symbols_intern(c->symbols, cell->text);
    Diag *diag = diag_add(c->diags, DIAG_E_TABLE_COLUMN, cell->span,
                          name_text(c, t->record->name), name_text(c, name));
    Suggest s = suggest_open(c, diag, name, cell->span);
    for (int i = 0; i < t->record->fields.count; i++)
        suggest_name(&s, t->record->fields.items[i].name);
    suggest_close(&s, "");
    if (memchr(cell->text.ptr, ';', cell->text.len) || memchr(cell->text.ptr, '\t', cell->text.len))
        diag_help(c->diags, diag, "columns are separated by ','");
    note_call(t, diag);
}

/* Which column each field has. Every mistake of the header is told. */
static bool match_columns(Table *t) {
    bool good = true;
    for (int i = 0; i < t->csv.cells.count; i++) {
        const CsvCell *cell = &t->csv.cells.items[i];
        int field = find_field(t, cell->text);
        if (field < 0) {
            column_unknown(t, cell);
            good = false;
        } else if (t->columns[field] >= 0) {
            Diag *diag =
                diag_add(t->c->diags, DIAG_E_TABLE_TWICE, cell->span, field_text(t, field));
            note_call(t, diag);
            good = false;
        } else {
            t->columns[field] = i;
        }
    }
    return good;
}

static bool can_be_cell(const Type *type) {
    if (type_is(type, TYPE_OPTIONAL)) type = type->element;
    return type_is_numeric(type) || type_is(type, TYPE_BOOL) || type_is(type, TYPE_ONE_OF) ||
           type_is(type, TYPE_COLOR) || type_is(type, TYPE_TEXT);
}

/* A field without a column has a default that is written out; one with a column is of a cell's type. */
static bool check_field(Table *t, int field) {
    Checker *c = t->c;
    const Type *type = t->record->fields.items[field].type;
    if (t->columns[field] >= 0 && can_be_cell(type)) return true;
    if (t->columns[field] >= 0) {
        const CsvCell *cell = &t->csv.cells.items[t->columns[field]];
        Diag *diag = diag_add(c->diags, DIAG_E_TABLE_FIELD, cell->span, field_text(t, field),
                              type_phrase(c, type));
        note_call(t, diag);
        return false;
    }
    if (t->defaults[field]) return true;
    Diag *diag = diag_add(c->diags, DIAG_E_TABLE_MISSING, t->csv.span, field_text(t, field));
    note_call(t, diag);
    return false;
}

/* The defaults that are written out: 3 m, "", none, (1, 0, 0). */
static void check_defaults(Table *t) {
    Checker *c = t->c;
    for (int i = 0; i < t->record->fields.count; i++) {
        const AstNode *ast = t->record->defaults.items[i];
        if (!ast) continue;
        DiagList silent, *loud = suggest_silence(c, &silent);
        Ctx x;
        TreeFn fn = {.stream_local = -1};
        const Type *type = t->record->fields.items[i].type;
        ctx_init(&x, c, &fn, t->record->decl->package);
        Tree *tree = argument_check(&x, NULL, type, ast, 0);
        c->diags = loud;
        size_t before = t->out.len;
        if (!type_poisoned(tree->type) && pack_constant(t, tree)) t->defaults[i] = tree;
        t->out.len = before;
    }
}

/* -- rows -- */

static void add_letters(Table *t) {
    for (int i = 0; i < t->record->fields.count; i++) {
        const Type *type = t->record->fields.items[i].type;
        const Type *of = type_is(type, TYPE_OPTIONAL) ? type->element : type;
        for (const char *slot = type->slots; *slot; slot++) {
            bool colored = type_is(of, TYPE_COLOR) && *slot == 'F' && t->columns[i] >= 0;
            strbuf_char(&t->out, colored ? 'C' : *slot);
        }
    }
}

static bool pack_row(Table *t) {
    bool good = true;
    for (int i = 0; i < t->record->fields.count; i++) {
        const Type *type = t->record->fields.items[i].type;
        if (t->columns[i] < 0) {
            pack_constant(t, t->defaults[i]);
            continue;
        }
        const CsvCell *cell = &t->csv.cells.items[t->columns[i]];
        good = (cell->text.len ? pack_cell(t, i, cell, type) : pack_empty(t, i, cell, type)) && good;
    }
    return good;
}

static bool check_width(Table *t, int width) {
    if (t->csv.cells.count == width) return true;
    Diag *diag = diag_add(t->c->diags, DIAG_E_TABLE_RAGGED, t->csv.span, width, t->csv.row,
                          t->csv.cells.count);
    note_call(t, diag);
    return false;
}

static bool pack_rows(Table *t) {
    int width = t->csv.cells.count;
    bool good = true;
    while (!diags_full(t->c->diags) && csv_next(&t->csv)) {
        good = check_width(t, width) && pack_row(t) && good;
        t->count++;
    }
    return good && !t->csv.failed;
}

bool table_pack(Ctx *x, uint32_t source, const Type *type, Span call, Str *packed) {
    Checker *c = x->c;
    int count = type->record->fields.count;
    Table t = {.x = x, .c = c, .record = type->record, .call = call, .out = {.arena = c->arena}};
    t.columns = ARENA_ARRAY(c->arena, int, count + 1);
    t.defaults = ARENA_ARRAY(c->arena, Tree *, count + 1);
    memset(t.columns, -1, sizeof *t.columns * (size_t)count);
    csv_open(&t.csv, c->arena, c->diags, source);
    check_defaults(&t);
    if (!csv_next(&t.csv)) {
        if (!t.csv.failed) {
            Span span = {source, 0, 0};
            note_call(&t, diag_add(c->diags, DIAG_E_TABLE_EMPTY, span));
        }
        return false;
    }
    bool good = match_columns(&t);
    for (int i = 0; i < count; i++)
        good = check_field(&t, i) && good;
    if (!good) return false;
    PackRows head = {.width = (uint64_t)type->slot_count};
    strbuf_add(&t.out, (const char *)&head, sizeof head);
    add_letters(&t);
    if (!pack_rows(&t)) return false;
    head.count = t.count;
    memcpy(t.out.ptr, &head, sizeof head);
    *packed = strbuf_take(&t.out);
    return true;
}
