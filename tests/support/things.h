/* Things that a scatter placed, read from their table into a struct: for tests that look at many.
 */
#ifndef WORLD_TESTS_SUPPORT_THINGS_H
#define WORLD_TESTS_SUPPORT_THINGS_H

#include <stdlib.h>

#include "world/world.h"

typedef struct Thing {
    const char *id, *rule, *kind;
    int64_t k, variant;
    double at[3], turn, size, sink, room;
} Thing;

/* Texts live as long as the table. */
typedef struct Things {
    WorldTable *table;
    Thing *items;
    size_t count;
} Things;

static inline double things_number(const WorldTable *table, size_t row, const char *column) {
    return world_table_number(table, row, world_table_find(table, column));
}

static inline int64_t things_int(const WorldTable *table, size_t row, const char *column) {
    return world_table_int(table, row, world_table_find(table, column));
}

static inline const char *things_text(const WorldTable *table, size_t row, const char *column) {
    return world_table_text(table, row, world_table_find(table, column));
}

static inline Thing things_row(const WorldTable *t, size_t row) {
    Thing thing = {.id = things_text(t, row, "id"),
                   .rule = things_text(t, row, "rule"),
                   .kind = things_text(t, row, "kind"),
                   .k = things_int(t, row, "k"),
                   .variant = things_int(t, row, "variant"),
                   .turn = things_number(t, row, "turn"),
                   .size = things_number(t, row, "size"),
                   .sink = things_number(t, row, "sink"),
                   .room = things_number(t, row, "room")};
    world_table_vector(t, row, world_table_find(t, "at"), thing.at);
    return thing;
}

static inline WorldStatus things_read(World *world, const char *path, Things *things) {
    *things = (Things){0};
    WorldStatus status = world_table(world, path, &things->table);
    if (status != WORLD_OK) return status;
    things->count = world_table_rows(things->table);
    things->items = calloc(things->count + 1, sizeof *things->items);
    if (things->items == NULL) return WORLD_ERROR_MEMORY;
    for (size_t i = 0; i < things->count; i++)
        things->items[i] = things_row(things->table, i);
    return WORLD_OK;
}

static inline void things_free(Things *things) {
    world_table_destroy(things->table);
    free(things->items);
    *things = (Things){0};
}

#endif
