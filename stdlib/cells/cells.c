/* The cells package's native part: a function asked at every cell of a grid, on all cores. */
#include "stdlib/stdlib_externs.h"

enum { BAND_CELLS = 64 * 1024 };

/* Some cells' arguments (column, row, the item's slots) and answers, in columns. */
typedef struct Band {
    int64_t first, count;
    int32_t in_width, out_width;
    Slot **in, **out;
} Band;

static Slot **columns_create(Rt *rt, int32_t width, size_t room) {
    Slot **columns = rt_scratch_push(rt, (size_t)width * sizeof *columns);
    for (int32_t slot = 0; slot < width; slot++)
        columns[slot] = rt_scratch_push(rt, room * sizeof(Slot));
    return columns;
}

static void band_fill(const Band *band, const RtList *items, int64_t columns) {
    int64_t i = band->first % columns, j = band->first / columns;
    for (int64_t k = 0; k < band->count; k++) {
        const Slot *item = rt_list_item(items, band->first + k);
        band->in[0][k].i = i;
        band->in[1][k].i = j;
        for (int32_t slot = 2; slot < band->in_width; slot++)
            band->in[slot][k] = item[slot - 2];
        if (++i < columns) continue;
        i = 0;
        j++;
    }
}

static void band_keep(const Band *band, RtList *to) {
    Slot *row = to->items + band->first * band->out_width;
    for (int64_t k = 0; k < band->count; k++)
        for (int32_t slot = 0; slot < band->out_width; slot++)
            *row++ = band->out[slot][k];
    to->length = band->first + band->count;
}

const RtList *cells_mapCells(Rt *rt, const RtList *items, int64_t columns, const RtClosure *f, const RtList *like) {
    int64_t cells = rt_list_length(items);
    if (cells == 0 || like == NULL || f == NULL || rt_failed(rt)) return NULL;
    RtList *to = rt_list_create(rt, like->shape, cells);
    RtScratchMark mark = rt_scratch_mark(rt);
    size_t room = (size_t)(cells < BAND_CELLS ? cells : BAND_CELLS);
    Band band = {.in_width = items->shape.width + 2, .out_width = like->shape.width};
    band.in = columns_create(rt, band.in_width, room);
    band.out = columns_create(rt, band.out_width, room);
    for (; band.first < cells && !rt_failed(rt) && !rt->stop; band.first += band.count) {
        band.count = cells - band.first < BAND_CELLS ? cells - band.first : BAND_CELLS;
        band_fill(&band, items, columns);
        rt_call_batch(rt, f, band.count, (const Slot *const *)band.in, band.out);
        if (!rt_failed(rt) && !rt->stop) band_keep(&band, to);
    }
    rt_scratch_pop(rt, mark);
    return to;
}
