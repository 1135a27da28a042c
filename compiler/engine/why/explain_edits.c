/* What rules tried and what edits made of it, as one row.
 *
 * A rule tells that a thing stands where it put it, and the package `edits` what became of that. Where both speak of one
 * thing at one place, the edits' word stays, in the rule's row.
 */
#include "compiler/engine/why/why.h"

typedef struct Columns {
    int id, x, z, outcome, reason, edited;
} Columns;

static bool same_thing(const WorldTable *table, const Columns *columns, size_t a, size_t b) {
    return strcmp(world_table_text(table, a, columns->id), world_table_text(table, b, columns->id)) == 0 &&
           world_table_number(table, a, columns->x) == world_table_number(table, b, columns->x) &&
           world_table_number(table, a, columns->z) == world_table_number(table, b, columns->z);
}

/* The rule's row about the thing of an edit's row, or -1. */
static int64_t find_tried(const WorldTable *table, const Columns *columns, size_t first, size_t edit) {
    for (size_t row = first; row < world_table_rows(table); row++)
        if (world_table_is_empty(table, row, columns->edited) && same_thing(table, columns, row, edit) &&
            strcmp(world_table_text(table, row, columns->outcome), "placed") == 0)
            return (int64_t)row;
    return -1;
}

void explain_edits(WorldTable *table, size_t first) {
    const Columns columns = {.id = world_table_find(table, "id"),
                             .x = world_table_find(table, "x"),
                             .z = world_table_find(table, "z"),
                             .outcome = world_table_find(table, "outcome"),
                             .reason = world_table_find(table, "reason"),
                             .edited = world_table_find(table, "edited")};
    if (columns.edited < 0) return;
    for (size_t row = first; row < world_table_rows(table);) {
        bool edit = !world_table_is_empty(table, row, columns.edited);
        int64_t tried = edit ? find_tried(table, &columns, first, row) : -1;
        if (tried < 0) {
            row++;
            continue;
        }
        table_copy_cell(table, columns.outcome, row, (size_t)tried);
        table_copy_cell(table, columns.reason, row, (size_t)tried);
        table_copy_cell(table, columns.edited, row, (size_t)tried);
        table_drop_row(table, row);
    }
}
