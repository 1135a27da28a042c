/* The cells package's native part: a function asked at every cell of a grid, on all cores. */
#include "stdlib/stdlib_externs.h"

/* Cells that a thread takes at a time: what they are asked with and what they answer stays in its nearest cache. */
enum { SHARE_CELLS = 4 * RT_CHUNK };

typedef struct Cells {
    const RtList *items;
    int64_t columns; /* 0: the function is asked of items alone, without column and row */
    const RtClosure *f;
    RtList *to;
} Cells;

static Slot **columns_create(Rt *rt, int32_t width, int64_t rows) {
    Slot **columns = rt_scratch_push(rt, (size_t)width * sizeof *columns);
    for (int32_t slot = 0; slot < width; slot++)
        columns[slot] = rt_scratch_push(rt, (size_t)rows * sizeof(Slot));
    return columns;
}

static int32_t places(const Cells *cells) {
    return cells->columns ? 2 : 0;
}

static void fill_places(const Cells *cells, int64_t first, int64_t count, Slot **in) {
    int64_t i = first % cells->columns, j = first / cells->columns;
    for (int64_t k = 0; k < count; k++) {
        in[0][k].i = i;
        in[1][k].i = j;
        if (++i < cells->columns) continue;
        i = 0;
        j++;
    }
}

static void fill_items(const Cells *cells, int64_t first, int64_t count, Slot **in) {
    int32_t width = cells->items->shape.width;
    const Slot *item = rt_list_item(cells->items, first);
    for (int64_t k = 0; k < count; k++)
        for (int32_t slot = 0; slot < width; slot++)
            in[slot][k] = *item++;
}

static void keep(const Cells *cells, int64_t first, int64_t count, Slot *const *out) {
    int32_t width = cells->to->shape.width;
    Slot *row = cells->to->items + first * width;
    for (int64_t k = 0; k < count; k++)
        for (int32_t slot = 0; slot < width; slot++)
            *row++ = out[slot][k];
}

/* Filled and kept by whoever works it out: done for all cells by one thread, they would take longer than a cheap function does. */
static void map_share(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Cells *cells = user;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot **in = columns_create(rt, cells->items->shape.width + places(cells), end - begin);
    Slot **out = columns_create(rt, cells->to->shape.width, end - begin);
    if (cells->columns) fill_places(cells, begin, end - begin, in);
    fill_items(cells, begin, end - begin, in + places(cells));
    rt_call_batch(rt, cells->f, end - begin, (const Slot *const *)in, out);
    if (!rt_failed(rt) && !rt->stop) keep(cells, begin, end - begin, out);
    rt_scratch_pop(rt, mark);
}

static const RtList *map(Rt *rt, const RtList *items, int64_t columns, const RtClosure *f, const RtList *like) {
    int64_t count = rt_list_length(items);
    if (count == 0 || like == NULL || f == NULL || rt_failed(rt)) return NULL;
    Cells cells = {items, columns, f, rt_list_create(rt, like->shape, count)};
    rt_parallel(rt, count, SHARE_CELLS, map_share, &cells);
    if (!rt_failed(rt) && !rt->stop) cells.to->length = count;
    return cells.to;
}

const RtList *cells_mapCells(Rt *rt, const RtList *items, int64_t columns, const RtClosure *f, const RtList *like) {
    return map(rt, items, columns, f, like);
}

const RtList *cells_mapItems(Rt *rt, const RtList *items, const RtClosure *f, const RtList *like) {
    return map(rt, items, 0, f, like);
}
