/* Things that a scatter placed, read from their table into a struct: for tests that look at many.
 */
#ifndef WORLD_TESTS_SUPPORT_THINGS_H
#define WORLD_TESTS_SUPPORT_THINGS_H

#include <stdlib.h>

#include "compiler/cli/placed.h"

typedef Placed Thing;

/* Texts live as long as the table. */
typedef struct Things {
    WorldTable *table;
    Thing *items;
    size_t count;
} Things;

static inline WorldStatus things_read(World *world, const char *path, Things *things) {
    *things = (Things){0};
    WorldStatus status = world_table(world, path, &things->table);
    if (status != WORLD_OK) return status;
    things->count = world_table_rows(things->table);
    things->items = calloc(things->count + 1, sizeof *things->items);
    if (things->items == NULL) return WORLD_ERROR_MEMORY;
    for (size_t i = 0; i < things->count; i++)
        things->items[i] = placed_read(things->table, i);
    return WORLD_OK;
}

static inline void things_free(Things *things) {
    world_table_destroy(things->table);
    free(things->items);
    *things = (Things){0};
}

#endif
