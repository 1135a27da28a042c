/* What a function reads of the built world: numbered cells, once each, and their words. */
#include "compiler/glsl/settle.h"

static int add(Glsl *glsl, GlslCell cell) {
    VEC_PUSH(glsl->input.arena, &glsl->cells, cell);
    return glsl->cells.count - 1;
}

static int find(const Glsl *glsl, const GlslCell *wanted) {
    for (int i = 0; i < glsl->cells.count; i++) {
        const GlslCell *cell = &glsl->cells.items[i];
        if (cell->kind != wanted->kind) continue;
        if (cell->kind == GLSL_UNIFORM ? cell->value == wanted->value && str_equal(cell->name, wanted->name)
                                       : cell->object == wanted->object && cell->slot == wanted->slot)
            return i;
    }
    return -1;
}

/* A function that answers the value: what range analysis takes a uniform to be. */
static int bound_of(Glsl *glsl, double value) {
    IrFunc *func = ir_func_create(glsl->module, STR_LIT("uniform"));
    IrBuilder builder = {.module = glsl->module, .func = func, .region = &func->body};
    VEC_PUSH(glsl->input.arena, &func->results, IR_F);
    ir_yield(&builder, &func->body, ir_emit_float(&builder, value));
    return func->index;
}

int glsl_uniform(Glsl *glsl, Str name, double value) {
    GlslCell cell = {.kind = GLSL_UNIFORM, .name = name, .value = value, .type = IR_F, .count = 1};
    int known = find(glsl, &cell);
    if (known >= 0) return known;
    cell.bound = bound_of(glsl, value);
    return add(glsl, cell);
}

int glsl_column(Glsl *glsl, const RtList *list, int slot, IrType type) {
    Str name = str_printf(glsl->input.arena, "slot %d of a list of %lld", slot, (long long)list->length);
    GlslCell cell = {.kind = GLSL_COLUMN, .name = name, .object = list, .slot = slot, .type = type, .count = list->length};
    int known = find(glsl, &cell);
    if (known >= 0) return known;
    for (int64_t i = 0; type == IR_I && i < list->length; i++) {
        int64_t item = rt_list_item(list, i)[slot].i;
        if (i == 0 || item < cell.least) cell.least = item;
        if (i == 0 || item > cell.most) cell.most = item;
    }
    return add(glsl, cell);
}

int glsl_grid(Glsl *glsl, const RtGrid *grid) {
    Str name = str_printf(glsl->input.arena, "a grid of %d by %d", grid->columns, grid->rows);
    GlslCell cell = {.kind = GLSL_GRID, .name = name, .object = grid, .type = IR_F, .count = rt_grid_count(grid)};
    int known = find(glsl, &cell);
    return known >= 0 ? known : add(glsl, cell);
}

int glsl_map(Glsl *glsl, const GlslMap *map) {
    Str name = str_printf(glsl->input.arena, "a map of %d by %d", map->columns, map->rows);
    GlslCell cell = {.kind = GLSL_MAP, .name = name, .object = map->values, .map = *map, .type = IR_F,
                     .count = (int64_t)map->columns * map->rows};
    int known = find(glsl, &cell);
    return known >= 0 ? known : add(glsl, cell);
}

/* -- words -- */

static uint32_t float_word(double value) {
    float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
}

static void fill_column(const GlslCell *cell, uint32_t *words) {
    for (int64_t i = 0; i < cell->count; i++) {
        Slot slot = rt_list_item(cell->object, i)[cell->slot];
        words[i] = cell->type == IR_F ? float_word(slot.f) : (uint32_t)(slot.i - cell->least);
    }
}

bool glsl_fill(Glsl *glsl, GlslText *out) {
    int64_t count = 0;
    for (int i = 0; i < glsl->cells.count; i++) {
        glsl->cells.items[i].base = count;
        count += glsl->cells.items[i].count;
    }
    if (count > INT32_MAX) return glsl_refuse(glsl, (Span){0}, "what is read, %lld numbers, is too much", (long long)count);
    uint32_t *words = arena_alloc_raw(glsl->input.words, sizeof *words * (size_t)(count + 1));
    words[count] = 0;
    for (int i = 0; i < glsl->cells.count; i++) {
        const GlslCell *cell = &glsl->cells.items[i];
        uint32_t *to = words + cell->base;
        if (cell->kind == GLSL_UNIFORM)
            *to = float_word(cell->value);
        else if (cell->kind == GLSL_GRID)
            memcpy(to, ((const RtGrid *)cell->object)->heights, sizeof *to * (size_t)cell->count);
        else if (cell->kind == GLSL_MAP)
            memcpy(to, cell->object, sizeof *to * (size_t)cell->count);
        else
            fill_column(cell, to);
    }
    out->words = words;
    out->word_count = count ? count : 1; /* no buffer is empty */
    return true;
}
