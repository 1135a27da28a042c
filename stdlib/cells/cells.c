/* The cells package's native part: a function asked at every cell of a grid, on all cores. */
#include "stdlib/stdlib_externs.h"

enum { BAND_CELLS = 64 * 1024 };

typedef struct Band {
    int64_t first, count;
    Slot *i, *j, **out; /* columns of slots: arguments, results */
} Band;

static Band band_create(Rt *rt, int64_t cells, int32_t width) {
    size_t room = (size_t)(cells < BAND_CELLS ? cells : BAND_CELLS);
    Band band = {.i = rt_scratch_push(rt, room * sizeof(Slot)), .j = rt_scratch_push(rt, room * sizeof(Slot))};
    band.out = rt_scratch_push(rt, (size_t)width * sizeof *band.out);
    for (int32_t slot = 0; slot < width; slot++)
        band.out[slot] = rt_scratch_push(rt, room * sizeof(Slot));
    return band;
}

static void band_run(Rt *rt, const Band *band, int64_t columns, const RtClosure *f, RtList *to) {
    for (int64_t k = 0; k < band->count; k++) {
        band->i[k].i = (band->first + k) % columns;
        band->j[k].i = (band->first + k) / columns;
    }
    const Slot *in[] = {band->i, band->j};
    rt_call_batch(rt, f, band->count, in, band->out);
    if (rt_failed(rt) || rt->stop) return;
    int32_t width = to->shape.width;
    for (int64_t k = 0; k < band->count; k++)
        for (int32_t slot = 0; slot < width; slot++)
            to->items[(band->first + k) * width + slot] = band->out[slot][k];
    to->length = band->first + band->count;
}

const RtList *cells_mapCells(Rt *rt, int64_t columns, int64_t rows, const RtClosure *f, const RtList *like) {
    if (like == NULL || f == NULL || rt_failed(rt)) return NULL;
    int64_t cells = columns * rows; /* of a grid that there is */
    RtList *to = rt_list_create(rt, like->shape, cells);
    RtScratchMark mark = rt_scratch_mark(rt);
    Band band = band_create(rt, cells, like->shape.width);
    for (; band.first < cells && !rt_failed(rt) && !rt->stop; band.first += band.count) {
        band.count = cells - band.first < BAND_CELLS ? cells - band.first : BAND_CELLS;
        band_run(rt, &band, columns, f, to);
    }
    rt_scratch_pop(rt, mark);
    return to;
}
