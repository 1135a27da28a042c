/* Tables by the names of their columns, and things that a scatter placed as rows of one: all that knows only the public
 * header, for tests read tables too.
 */
#ifndef WORLD_COMPILER_CLI_PLACED_H
#define WORLD_COMPILER_CLI_PLACED_H

#include "world/world.h"

/* A cell by its column's name: NAN, 0, "" where there is none. */
static inline double table_number(const WorldTable *table, size_t row, const char *column) {
    return world_table_number(table, row, world_table_find(table, column));
}

static inline int64_t table_int(const WorldTable *table, size_t row, const char *column) {
    return world_table_int(table, row, world_table_find(table, column));
}

static inline const char *table_text(const WorldTable *table, size_t row, const char *column) {
    return world_table_text(table, row, world_table_find(table, column));
}

/* Texts live as long as the table. */
typedef struct Placed {
    const char *id, *rule, *kind;
    int64_t k, variant;
    double at[3], turn, up[3], size, sink, room;
} Placed;

static inline Placed placed_read(const WorldTable *table, size_t row) {
    Placed placed = {.id = table_text(table, row, "id"),
                     .rule = table_text(table, row, "rule"),
                     .kind = table_text(table, row, "kind"),
                     .k = table_int(table, row, "k"),
                     .variant = table_int(table, row, "variant"),
                     .turn = table_number(table, row, "turn"),
                     .size = table_number(table, row, "size"),
                     .sink = table_number(table, row, "sink"),
                     .room = table_number(table, row, "room")};
    world_table_vector(table, row, world_table_find(table, "at"), placed.at);
    world_table_vector(table, row, world_table_find(table, "up"), placed.up);
    return placed;
}

#endif
