/* The oceanwaves package's native part: the runtime's ocean as the language asks it. */
#include "runtime/ocean/ocean.h"

#include "stdlib/stdlib_externs.h"

static OceanSpec spec_of(StdSeaState sea, uint32_t seed, int64_t points) {
    return (OceanSpec){sea.wind, sea.direction.x, sea.direction.z, sea.fetch, seed, (int)points};
}

double oceanwaves_heightOf(Rt *rt, StdSeaState sea) {
    (void)rt;
    OceanSpec spec = spec_of(sea, 0, OCEAN_LEAST);
    return ocean_is_sound(&spec) ? ocean_significant_height(&spec) : 0;
}

double oceanwaves_peakOf(Rt *rt, StdSeaState sea) {
    (void)rt;
    OceanSpec spec = spec_of(sea, 0, OCEAN_LEAST);
    return ocean_is_sound(&spec) ? ocean_peak(&spec) : 1;
}

const RtList *oceanwaves_sizesOf(Rt *rt, StdSeaState sea) {
    OceanSpec spec = spec_of(sea, 0, OCEAN_LEAST);
    if (!ocean_is_sound(&spec) || rt_failed(rt)) return NULL;
    double sizes[OCEAN_TILES];
    ocean_sizes(&spec, sizes);
    RtList *list = rt_list_create(rt, (RtShape){1, 0}, OCEAN_TILES);
    for (int tile = 0; tile < OCEAN_TILES; tile++)
        list->items[tile].f = sizes[tile];
    list->length = OCEAN_TILES;
    return list;
}

const RtList *oceanwaves_wavesOf(Rt *rt, StdSeaState sea, uint32_t seed, int64_t points) {
    OceanSpec spec = spec_of(sea, seed, points);
    if (!ocean_is_sound(&spec) || rt_failed(rt)) return NULL;
    size_t count = ocean_cell_count(&spec);
    RtScratchMark mark = rt_scratch_mark(rt);
    OceanWave *waves = rt_scratch_push(rt, count * sizeof *waves);
    ocean_waves(&spec, waves);
    RtList *list = rt_list_create(rt, (RtShape){2, 0}, (int64_t)count);
    for (size_t k = 0; k < count; k++) {
        list->items[2 * k].f = (double)waves[k].real;
        list->items[2 * k + 1].f = (double)waves[k].imaginary;
    }
    list->length = (int64_t)count;
    rt_scratch_pop(rt, mark);
    return list;
}

const RtList *oceanwaves_cellsAt(Rt *rt, StdOceanSpec from, double time) {
    OceanSpec spec = spec_of(from.sea, from.seed, from.points);
    size_t count = ocean_is_sound(&spec) ? ocean_cell_count(&spec) : 0;
    if (count == 0 || rt_failed(rt)) return NULL;
    if (rt_list_length(from.waves) != (int64_t)count) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "an OceanSpec of %d points has %lld waves; forSea makes one", spec.points,
                 (long long)rt_list_length(from.waves));
        return NULL;
    }
    RtScratchMark mark = rt_scratch_mark(rt);
    Fft *fft = rt_scratch_push(rt, sizeof *fft);
    OceanWave *waves = rt_scratch_push(rt, count * sizeof *waves);
    OceanCell *cells = rt_scratch_push(rt, count * sizeof *cells);
    float *work = rt_scratch_push(rt, ocean_work_count(&spec) * sizeof *work);
    for (size_t k = 0; k < count; k++)
        waves[k] = (OceanWave){(float)from.waves->items[2 * k].f, (float)from.waves->items[2 * k + 1].f};
    fft_init(fft, spec.points);
    ocean_surface(&spec, fft, waves, time, cells, work);
    RtList *list = rt_list_create(rt, (RtShape){4, 0}, (int64_t)count);
    for (size_t k = 0; k < count; k++) {
        const float parts[4] = {cells[k].height, cells[k].east, cells[k].south, cells[k].spread};
        for (size_t part = 0; part < 4; part++)
            list->items[4 * k + part].f = (double)parts[part];
    }
    list->length = (int64_t)count;
    rt_scratch_pop(rt, mark);
    return list;
}
