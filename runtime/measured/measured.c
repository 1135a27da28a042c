#include "runtime/measured/measured.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <strings.h>

#include "runtime/base/watch.h"
#include "runtime/rasters/library.h"

typedef struct Reading {
    RasterSink sink; /* first: readers hand it back */
    Rt *rt;
    Str name;
    const MeasuredDesc *desc;
    RasterHead head;
    double unit, zero; /* height = zero + number * unit */
    float *values;     /* from the north; taken from the arena */
    int64_t next_row, holes, first_hole;
    bool starved; /* for want of memory, or because a watch ended it */
} Reading;

__attribute__((format(printf, 2, 3))) static bool fail(const Reading *r, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    rt_fault(r->rt, RT_FAULT_HEIGHTS, "'%.*s' %s", STR_ARG(r->name), text);
    return false;
}

/* -- what numbers mean -- */

static bool choose_range(Reading *r) {
    const MeasuredDesc *desc = r->desc;
    if (!desc->low.given || !desc->high.given)
        return fail(r, "holds numbers from 0 to %g: low: and high: say which heights these are", r->head.greatest);
    if (desc->unit.given) return fail(r, "has its heights from low: to high:, and unit: would say it twice");
    if (!(desc->high.value > desc->low.value)) return fail(r, "has a low: of %g m, and a high: of %g m that is not above it", desc->low.value, desc->high.value);
    r->zero = desc->low.value;
    r->unit = (desc->high.value - desc->low.value) / r->head.greatest;
    return true;
}

static bool choose_unit(Reading *r) {
    const MeasuredDesc *desc = r->desc;
    if (desc->low.given || desc->high.given)
        return fail(r, "holds heights, not shares of a range: low: and high: are of .r16 and .png");
    if (!desc->unit.given && !(r->head.height_unit != 0))
        return fail(r, "counts heights in unit %d of EPSG, which is not known here; unit: says how long it is", r->head.unknown_unit);
    r->unit = desc->unit.given ? desc->unit.value : r->head.height_unit;
    r->zero = desc->unit.given ? 0 : r->head.height_zero;
    return isfinite(r->unit) && r->unit != 0 ? true : fail(r, "has heights in a unit of %g m, which is no length", r->unit);
}

/* -- the sink -- */

static bool begin_samples(Reading *r) {
    int64_t most = grid_limit(r->rt);
    if (r->head.columns < 2 || r->head.rows < 2)
        return fail(r, "has %lld x %lld samples; ground has at least 2 x 2", (long long)r->head.columns, (long long)r->head.rows);
    if (r->head.columns > most / r->head.rows) {
        rt_fault(r->rt, RT_FAULT_LIMIT, "'%.*s' has %lld x %lld samples; at most %lld in all", STR_ARG(r->name),
                 (long long)r->head.columns, (long long)r->head.rows, (long long)most);
        return false;
    }
    if (!(r->head.wants_range ? choose_range(r) : choose_unit(r))) return false;
    if (r->desc->no_data.given) r->head.has_hole = true, r->head.hole = r->desc->no_data.value;
    if (r->head.round) r->head.hole = r->head.round(r->head.hole);
    r->values = arena_take(r->rt->arena, sizeof *r->values * (size_t)(r->head.columns * r->head.rows));
    return true;
}

/* A library is in the middle of its work: nothing jumps over it. */
static bool on_begin(RasterSink *sink, const RasterHead *head) {
    Reading *r = (Reading *)sink;
    Recover recover;
    r->head = *head;
    if (MEMORY_TRY(&recover)) {
        bool good = begin_samples(r);
        memory_end_try(&recover);
        return good;
    }
    r->starved = true;
    return false;
}

static bool on_row(RasterSink *sink, const double *numbers) {
    Reading *r = (Reading *)sink;
    int64_t columns = r->head.columns, row = r->head.from_south ? r->head.rows - 1 - r->next_row : r->next_row;
    float *out = r->values + row * columns;
    if (watch_due(columns * 4) || r->rt->stop) return r->starved = true, false;
    for (int64_t i = 0; i < columns; i++) {
        bool hole = !isfinite(numbers[i]) || (r->head.has_hole && numbers[i] == r->head.hole);
        out[i] = hole ? NAN : (float)(r->zero + numbers[i] * r->unit);
        if (!isfinite(out[i]) && r->holes++ == 0) r->first_hole = row * columns + i;
        if (isinf(out[i])) out[i] = NAN;
    }
    r->next_row++;
    return true;
}

/* -- the file -- */

static bool begins(Str bytes, const char *magic, size_t length) {
    return bytes.len >= length && memcmp(bytes.ptr, magic, length) == 0;
}

static bool has_ending(Str name, const char *ending) {
    size_t length = strlen(ending);
    return name.len > length && strncasecmp(name.ptr + name.len - length, ending, length) == 0;
}

static bool read_by_library(Reading *r, Str bytes, bool tiff) {
    const char *reason = "", *what = tiff ? "GeoTIFF" : "OpenEXR";
    const RasterLibrary *library = raster_library(r->rt->arena, &reason);
    if (library == NULL) return fail(r, "is not read: this build reads no %s (%.200s)", what, reason);
    RasterReader reader = tiff ? library->read_tiff : library->read_exr;
    if (reader == NULL) return fail(r, "is not read: this build has no library for %s", what);
    return reader(bytes, r->desc->size, &r->sink);
}

/* By what it begins with, or else by its ending: numbers alone say nothing of themselves. */
static bool read_file(Reading *r, Str bytes) {
    bool raw = has_ending(r->name, ".r16") || has_ending(r->name, ".r32");
    if (!raw && (r->desc->size.columns || r->desc->size.rows)) return fail(r, "says its size itself: columns: and rows: are of .r16 and .r32");
    if (has_ending(r->name, ".r16")) return raster_read_r16(bytes, r->desc->size, &r->sink);
    if (has_ending(r->name, ".r32")) return raster_read_r32(bytes, r->desc->size, &r->sink);
    if (has_ending(r->name, ".hgt")) return raster_read_hgt(bytes, r->name, &r->sink);
    if (has_ending(r->name, ".asc")) return raster_read_ascii(bytes, r->desc->size, &r->sink);
    if (begins(bytes, "II*\0", 4) || begins(bytes, "MM\0*", 4) || begins(bytes, "II+\0", 4) || begins(bytes, "MM\0+", 4))
        return read_by_library(r, bytes, true);
    if (begins(bytes, "\x76\x2f\x31\x01", 4)) return read_by_library(r, bytes, false);
    if (begins(bytes, "\x89PNG", 4)) return raster_read_gray(r->rt->arena, bytes, (uint64_t)grid_limit(r->rt), &r->sink);
    return fail(r, "is no file of heights: GeoTIFF, OpenEXR and PNG are known by their beginning, .asc .hgt .r16 and .r32 by their ending");
}

static bool read_samples(Reading *r, Str bytes) {
    bool good = read_file(r, bytes);
    if (r->starved) {
        rt_poll(r->rt);
        if (!rt_failed(r->rt)) memory_fail();
    }
    if (good || rt_failed(r->rt)) return good;
    return fail(r, "cannot be read: %s", r->sink.reason);
}

/* -- holes -- */

static bool close_holes(Reading *r) {
    int64_t count = r->head.columns * r->head.rows, columns = r->head.columns;
    if (r->holes == 0) return true;
    if (r->holes == count) return fail(r, "holds no height at all: each of its %lld samples is a hole", (long long)count);
    if (r->desc->holes == MEASURED_REFUSE)
        return fail(r, "has no height at %lld of its %lld samples, the first in column %lld, row %lld from the northwest, counted from 0; holes: fill closes them from their rims, "
                       "holes: outside gives them the height past the land", (long long)r->holes, (long long)count,
                    (long long)(r->first_hole % columns), (long long)(r->first_hole / columns));
    if (r->desc->holes == MEASURED_FILL) measured_fill(r->rt, r->values, (int32_t)columns, (int32_t)r->head.rows);
    for (int64_t i = 0; i < count && r->desc->holes == MEASURED_OUTSIDE; i++)
        if (isnan(r->values[i])) r->values[i] = (float)r->desc->outside;
    return !rt_failed(r->rt);
}

/* -- the ground -- */

/* From its northwestern corner on. */
static RtGrid *resampled(Rt *rt, const RtGrid *from, double step_x, double step_z, double cell) {
    GridShape shape = {resample_count(from->columns, step_x, cell), resample_count(from->rows, step_z, cell), cell, from->x0, from->z0,
                       from->outside};
    if (!(cell > 0) || shape.columns < 2 || shape.rows < 2) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "a cell of %g m; of this ground it is more than 0 m, and at most its shorter side, %g m", cell,
                 fmin((from->columns - 1) * step_x, (from->rows - 1) * step_z));
        return NULL;
    }
    RtGrid *grid = grid_create(rt, &shape);
    if (grid == NULL) return NULL;
    grid->reference = from->reference;
    grid->part = from->part;
    resample_values(rt, &(Resampling){.from = from->heights,
                                      .columns = from->columns,
                                      .rows = from->rows,
                                      .step_x = step_x / cell,
                                      .step_z = step_z / cell,
                                      .to = grid->heights,
                                      .to_columns = grid->columns,
                                      .to_rows = grid->rows});
    return grid;
}

static bool check_desc(const Reading *r) {
    const MeasuredDesc *desc = r->desc;
    if (desc->cell.given && !(desc->cell.value > 0 && desc->cell.value <= 1e9)) return fail(r, "is wanted at a cell of %g m: it is more than 0 m", desc->cell.value);
    if (desc->spacing.given && !(desc->spacing.value > 0 && desc->spacing.value <= 1e9))
        return fail(r, "is said to have a spacing of %g m: it is more than 0 m", desc->spacing.value);
    if (!isfinite((float)desc->outside)) return fail(r, "is wanted with an outside of %g m", desc->outside);
    return true;
}

static RtGrid *to_ground(Reading *r) {
    MeasuredPlace place;
    if (!measured_place(r->rt, r->name, &r->head, r->desc, &place) || !close_holes(r)) return NULL;
    RtGrid *file = arena_take(r->rt->arena, sizeof *file);
    *file = (RtGrid){.head = {RT_GRID, 1},
                     .columns = (int32_t)r->head.columns,
                     .rows = (int32_t)r->head.rows,
                     .cell = place.step_x,
                     .x0 = place.x0,
                     .z0 = place.z0,
                     .outside = r->desc->outside,
                     .heights = r->values,
                     .reference = place.reference};
    double cell = r->desc->cell.given ? r->desc->cell.value : place.step_x;
    bool same = fabs(cell - place.step_x) <= 1e-9 * cell && fabs(cell - place.step_z) <= 1e-6 * cell;
    RtGrid *ground = same ? file : resampled(r->rt, file, place.step_x, place.step_z, cell);
    return ground && grid_check(r->rt, ground) ? ground : NULL;
}

RtGrid *measured_read(Rt *rt, Str name, Str bytes, const MeasuredDesc *desc) {
    Reading r = {.sink = {.begin = on_begin, .row = on_row}, .rt = rt, .name = name, .desc = desc};
    if (!check_desc(&r) || !read_samples(&r, bytes)) return NULL;
    return to_ground(&r);
}

RtGrid *measured_resample(Rt *rt, const RtGrid *grid, double cell) {
    return resampled(rt, grid, grid->cell, grid->cell, cell);
}

RtGrid *measured_refer(Rt *rt, const RtGrid *grid, const RtGrid *like) {
    RtGrid *copy = grid_copy(rt, grid);
    copy->reference = like->reference;
    return copy;
}
