/* Tables of the public header, written out: as text in columns, as CSV, as JSON. A place is
 * written as its three numbers, in text an angle in degrees. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/cli.h"

enum { CELL_SIZE = 64 }; /* of a number */

/* -- what is written -- */

typedef struct Field { /* a column, or one number of its three */
    int column, part;
    char name[CELL_SIZE];
    int width;
} Field;

typedef struct Fields {
    const WorldTable *table;
    Field *items;
    int count;
} Fields;

/* The place where something stands is x, y, z; of another vector it is said whose they are. */
static void add_column(Fields *fields, int column) {
    static const char *const axes[] = {"x", "y", "z"};
    const char *name = world_table_name(fields->table, column);
    bool vector = world_table_kind(fields->table, column) == WORLD_VALUE_VECTOR;
    bool stands = vector && strcmp(name, "at") == 0;
    for (int part = 0; part < (vector ? 3 : 1); part++) {
        Field *field = &fields->items[fields->count++];
        *field = (Field){.column = column, .part = part};
        snprintf(field->name, sizeof field->name, "%s%s%s", stands ? "" : name,
                 vector && !stands ? "." : "", vector ? axes[part] : "");
    }
}

static bool is_among(const Fields *fields, int column) {
    for (int i = 0; i < fields->count; i++)
        if (fields->items[i].column == column) return true;
    return false;
}

/* The columns of the layout first, then the others, or those of the layout only. */
static bool lay_out(Fields *fields, const WorldTable *table, const TableLayout *layout) {
    *fields = (Fields){.table = table};
    fields->items = calloc((size_t)world_table_columns(table) * 3 + 1, sizeof *fields->items);
    if (fields->items == NULL) return false;
    for (const char *const *name = layout->columns; name && *name; name++)
        if (world_table_find(table, *name) >= 0) add_column(fields, world_table_find(table, *name));
    bool only = layout->only && fields->count;
    for (int c = 0; !only && c < world_table_columns(table); c++)
        if (!is_among(fields, c) &&
            (layout->heading == NULL || strcmp(world_table_name(table, c), layout->heading) != 0))
            add_column(fields, c);
    return true;
}

/* -- text -- */

/* One that is none has no sign: which it has depends on who worked it out. */
static double number_of(const Fields *fields, const Field *field, size_t row) {
    double three[3], number = world_table_number(fields->table, row, field->column);
    if (world_table_vector(fields->table, row, field->column, three)) number = three[field->part];
    return isnan(number) ? (double)NAN : number;
}

/* A cell as a reader wants it, in `buffer` or of the table's own. */
static const char *show(const Fields *fields, const Field *field, size_t row,
                        char buffer[CELL_SIZE]) {
    const WorldTable *table = fields->table;
    WorldValueKind kind = world_table_kind(table, field->column);
    buffer[0] = '\0';
    if (world_table_is_empty(table, row, field->column)) return buffer;
    if (kind == WORLD_VALUE_TEXT) return world_table_text(table, row, field->column);
    if (kind == WORLD_VALUE_BOOL)
        return world_table_int(table, row, field->column) ? "true" : "false";
    if (kind == WORLD_VALUE_INT) {
        snprintf(buffer, CELL_SIZE, "%" PRId64, world_table_int(table, row, field->column));
        return buffer;
    }
    bool angle =
        strcmp(world_table_type(table, field->column), "degrees") == 0; /* the table has radians */
    snprintf(buffer, CELL_SIZE, "%.3f", number_of(fields, field, row) * (angle ? degrees : 1));
    return buffer;
}

static int width_of(const char *text) {
    int width = 0;
    for (; *text; text++)
        width += (*text & 0xc0) != 0x80; /* characters, not bytes */
    return width;
}

static void measure(const Fields *fields) {
    char buffer[CELL_SIZE];
    for (int f = 0; f < fields->count; f++) {
        Field *field = &fields->items[f];
        field->width = width_of(field->name);
        for (size_t row = 0; row < world_table_rows(fields->table); row++) {
            int width = width_of(show(fields, field, row, buffer));
            if (width > field->width) field->width = width;
        }
    }
}

/* Texts stand to the left and numbers to the right; nothing trails. */
static void print_cell(const Fields *fields, const Field *field, const char *text, int *owed) {
    int space = field->width - width_of(text);
    bool left = world_table_kind(fields->table, field->column) == WORLD_VALUE_TEXT;
    if (text[0]) printf("%*s%s", *owed + (left ? 0 : space), "", text);
    *owed = 2 + (text[0] ? (left ? space : 0) : *owed + field->width);
}

static void print_line(const Fields *fields, size_t row, bool head, int indent) {
    char buffer[CELL_SIZE];
    int owed = indent;
    for (int f = 0; f < fields->count; f++) {
        const Field *field = &fields->items[f];
        print_cell(fields, field, head ? field->name : show(fields, field, row, buffer), &owed);
    }
    putchar('\n');
}

static void print_text(const Fields *fields, const TableLayout *layout) {
    const char *heading = NULL;
    int indent = layout->heading ? 2 : 0;
    measure(fields);
    if (layout->heading == NULL) print_line(fields, 0, true, indent);
    for (size_t row = 0; row < world_table_rows(fields->table); row++) {
        const char *now = layout->heading ? table_text(fields->table, row, layout->heading) : NULL;
        if (now && (heading == NULL || strcmp(heading, now) != 0)) {
            puts(now);
            print_line(fields, 0, true, indent);
        }
        heading = now;
        print_line(fields, row, false, indent);
    }
}

/* -- CSV and JSON: every bit -- */

static void print_exact(const Fields *fields, const Field *field, size_t row, bool json) {
    WorldValueKind kind = world_table_kind(fields->table, field->column);
    if (kind == WORLD_VALUE_BOOL)
        fputs(world_table_int(fields->table, row, field->column) ? "true" : "false", stdout);
    else if (kind == WORLD_VALUE_INT)
        printf("%" PRId64, world_table_int(fields->table, row, field->column));
    else if (json)
        output_json_number(stdout, number_of(fields, field, row));
    else
        printf("%.17g", number_of(fields, field, row));
}

static void print_csv(const Fields *fields) {
    for (int f = 0; f < fields->count; f++)
        printf(f ? ",%s" : "%s", fields->items[f].name);
    putchar('\n');
    for (size_t row = 0; row < world_table_rows(fields->table); row++) {
        for (int f = 0; f < fields->count; f++) {
            const Field *field = &fields->items[f];
            if (f) putchar(',');
            if (world_table_kind(fields->table, field->column) == WORLD_VALUE_TEXT)
                output_csv_text(stdout, world_table_text(fields->table, row, field->column));
            else if (!world_table_is_empty(fields->table, row, field->column))
                print_exact(fields, field, row, false);
        }
        putchar('\n');
    }
}

static void print_json_cell(const Fields *fields, const Field *field, size_t row) {
    if (world_table_is_empty(fields->table, row, field->column))
        fputs("null", stdout);
    else if (world_table_kind(fields->table, field->column) == WORLD_VALUE_TEXT)
        output_json_text(stdout, world_table_text(fields->table, row, field->column));
    else
        print_exact(fields, field, row, true);
}

static void print_json(const Fields *fields) {
    size_t rows = world_table_rows(fields->table);
    for (size_t row = 0; row < rows; row++) {
        fputs(row ? ",\n {" : "[{", stdout);
        for (int f = 0; f < fields->count; f++) {
            if (f) fputs(", ", stdout);
            output_json_text(stdout, fields->items[f].name);
            fputs(": ", stdout);
            print_json_cell(fields, &fields->items[f], row);
        }
        putchar('}');
    }
    puts(rows ? "]" : "[]");
}

bool table_print(const Cli *cli, const WorldTable *table, const TableLayout *layout) {
    TableLayout all = {.columns = layout->columns};
    bool exact = cli->has[OPTION_JSON] || cli->has[OPTION_CSV];
    Fields fields;
    if (!lay_out(&fields, table, exact ? &all : layout)) return false;
    if (cli->has[OPTION_JSON])
        print_json(&fields);
    else if (cli->has[OPTION_CSV])
        print_csv(&fields);
    else
        print_text(&fields, layout);
    free(fields.items);
    return true;
}
