/* Tables: rows under columns that are found by name. A column is kept apart from the others, a cell
 * that was never put is empty, and what a table says it holds itself, so that it outlives the
 * world.
 */
#include <math.h>

#include "compiler/engine/ask/ask.h"

typedef struct Column {
    const char *name, *type;
    WorldValueKind kind;
    VEC(Slot) cells;   /* three a row of a VECTOR */
    VEC(uint8_t) full; /* by row; those past the end are empty */
} Column;

struct WorldTable {
    Arena *arena; /* while it is filled */
    Arena own;    /* it lies in it */
    WorldEngine *engine;
    size_t rows;
    VEC(Column) columns;
    int last; /* column looked up: the next is most often asked for next */
};

/* -- filling -- */

static int find_column(const WorldTable *table, Str name) {
    int count = table->columns.count;
    for (int i = 0; i < count; i++) {
        int at = (table->last + 1 + i) % count;
        if (str_equal(str_of(table->columns.items[at].name), name)) return at;
    }
    return -1;
}

int table_column(WorldTable *table, Str name, Str type, WorldValueKind kind) {
    int found = find_column(table, name);
    if (found < 0) {
        Column column = {.name = arena_strndup(table->arena, name.ptr, name.len),
                         .type = arena_strndup(table->arena, type.ptr, type.len),
                         .kind = kind};
        VEC_PUSH(table->arena, &table->columns, column);
        found = table->columns.count - 1;
    }
    table->last = found;
    return found;
}

void table_begin_row(WorldTable *table) {
    table->rows++;
    table->last = -1;
}

static int cell_width(const Column *column) {
    return column->kind == WORLD_VALUE_VECTOR ? 3 : 1;
}

/* The cells of all rows that there are. */
static Column *fill_up(WorldTable *table, int index) {
    Column *column = &table->columns.items[index];
    while ((size_t)column->full.count < table->rows) {
        for (int i = 0; i < cell_width(column); i++)
            VEC_PUSH(table->arena, &column->cells, slot_f(0));
        VEC_PUSH(table->arena, &column->full, 0);
    }
    return column;
}

/* The cell of the last row. */
static Slot *open_cell(WorldTable *table, int index) {
    Column *column = fill_up(table, index);
    column->full.items[table->rows - 1] = 1;
    return &column->cells.items[(table->rows - 1) * (size_t)cell_width(column)];
}

void table_put(WorldTable *table, int column, Slot value) {
    *open_cell(table, column) = value;
}

static void table_put_number(WorldTable *table, int column, double value) {
    if (!isnan(value)) table_put(table, column, slot_f(value));
}

void table_put_text(WorldTable *table, int column, Str text) {
    const char *copy = arena_strndup(table->arena, text.ptr, text.len);
    table_put(table, column, slot_r((void *)(uintptr_t)copy));
}

void table_put_vector(WorldTable *table, int column, const Slot *three) {
    memcpy(open_cell(table, column), three, 3 * sizeof(Slot));
}

void table_tell_text(WorldTable *table, const char *column, Str text) {
    int at = table_column(table, str_of(column), STR_LIT("text"), WORLD_VALUE_TEXT);
    if (text.len) table_put_text(table, at, text);
}

void table_tell_int(WorldTable *table, const char *column, int64_t value) {
    int at = table_column(table, str_of(column), STR_LIT("int"), WORLD_VALUE_INT);
    if (value != RT_EMPTY) table_put(table, at, slot_i(value));
}

void table_tell_number(WorldTable *table, const char *column, const char *type, double value) {
    int at = table_column(table, str_of(column), str_of(type), WORLD_VALUE_NUMBER);
    table_put_number(table, at, value);
}

/* -- changing what was told -- */

void table_copy_cell(WorldTable *table, int index, size_t from, size_t to) {
    Column *column = fill_up(table, index);
    size_t width = (size_t)cell_width(column);
    column->full.items[to] = column->full.items[from];
    memcpy(&column->cells.items[to * width], &column->cells.items[from * width],
           width * sizeof(Slot));
}

void table_drop_row(WorldTable *table, size_t row) {
    for (int c = 0; c < table->columns.count; c++) {
        for (size_t next = row + 1; next < table->rows; next++)
            table_copy_cell(table, c, next, next - 1);
        Column *column = fill_up(table, c);
        column->full.count--;
        column->cells.count -= cell_width(column);
    }
    table->rows--;
}

/* -- the entry of every function that hands out a table -- */

typedef struct TableCall {
    Arena arena;
    WorldTable *table;
    TableBody body;
    void *args;
} TableCall;

static WorldStatus fill_table(World *world, Rt *rt, void *args) {
    TableCall *call = args;
    call->table = ARENA_NEW(&call->arena, WorldTable);
    call->table->arena = &call->arena;
    call->table->last = -1;
    return call->body(world, rt, call->table, call->args);
}

typedef WorldStatus (*TableEntry)(World *world, EntryBody body, void *args);

static WorldStatus hand_out(World *world, TableEntry entry, TableCall call, WorldTable **out) {
    if (world == NULL || out == NULL) return WORLD_ERROR_ARGUMENT;
    arena_init(&call.arena, &world->engine->memory);
    WorldStatus status = entry(world, fill_table, &call);
    if (status == WORLD_OK) {
        call.table->own = call.arena;
        call.table->arena = NULL;
        call.table->engine = world->engine;
        engine_hold(world->engine);
        *out = call.table;
    } else {
        arena_fini(&call.arena);
    }
    return status;
}

WorldStatus table_entry(World *world, TableBody body, void *args, WorldTable **out) {
    return hand_out(world, entry_run, (TableCall){.body = body, .args = args}, out);
}

WorldStatus table_look(World *world, TableBody body, void *args, WorldTable **out) {
    return hand_out(world, entry_look, (TableCall){.body = body, .args = args}, out);
}

/* -- the public face -- */

void world_table_destroy(WorldTable *table) {
    if (table == NULL) return;
    WorldEngine *engine = table->engine;
    Arena arena = table->own;
    arena_fini(&arena);
    engine_release(engine);
}

size_t world_table_rows(const WorldTable *table) {
    return table ? table->rows : 0;
}

int world_table_columns(const WorldTable *table) {
    return table ? table->columns.count : 0;
}

int world_table_find(const WorldTable *table, const char *name) {
    for (int i = 0; table && name && i < table->columns.count; i++)
        if (strcmp(table->columns.items[i].name, name) == 0) return i;
    return -1;
}

static const Column *get_column(const WorldTable *table, int column) {
    return table && column >= 0 && column < table->columns.count ? &table->columns.items[column]
                                                                 : NULL;
}

const char *world_table_name(const WorldTable *table, int column) {
    const Column *found = get_column(table, column);
    return found ? found->name : "";
}

const char *world_table_type(const WorldTable *table, int column) {
    const Column *found = get_column(table, column);
    return found ? found->type : "";
}

WorldValueKind world_table_kind(const WorldTable *table, int column) {
    const Column *found = get_column(table, column);
    return found ? found->kind : WORLD_VALUE_NONE;
}

static const Slot *get_cell(const WorldTable *table, size_t row, int column) {
    const Column *found = get_column(table, column);
    if (found == NULL || row >= (size_t)found->full.count || !found->full.items[row]) return NULL;
    return &found->cells.items[row * (size_t)cell_width(found)];
}

bool world_table_is_empty(const WorldTable *table, size_t row, int column) {
    return get_cell(table, row, column) == NULL;
}

double world_table_number(const WorldTable *table, size_t row, int column) {
    const Slot *cell = get_cell(table, row, column);
    WorldValueKind kind = world_table_kind(table, column);
    if (cell == NULL || kind == WORLD_VALUE_TEXT || kind == WORLD_VALUE_VECTOR) return NAN;
    return kind == WORLD_VALUE_NUMBER ? cell->f : (double)cell->i;
}

int64_t world_table_int(const WorldTable *table, size_t row, int column) {
    const Slot *cell = get_cell(table, row, column);
    WorldValueKind kind = world_table_kind(table, column);
    return cell && (kind == WORLD_VALUE_INT || kind == WORLD_VALUE_BOOL) ? cell->i : 0;
}

const char *world_table_text(const WorldTable *table, size_t row, int column) {
    const Slot *cell = get_cell(table, row, column);
    return cell && world_table_kind(table, column) == WORLD_VALUE_TEXT ? cell->r : "";
}

bool world_table_vector(const WorldTable *table, size_t row, int column, double out[3]) {
    const Slot *cell = get_cell(table, row, column);
    if (cell == NULL || world_table_kind(table, column) != WORLD_VALUE_VECTOR) return false;
    for (int i = 0; i < 3; i++)
        out[i] = cell[i].f;
    return true;
}
