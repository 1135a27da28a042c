/* Measured heights: files of heights that others made, as ground.
 *
 *     bytes ── reader ──> raster: numbers, holes as NaN ──> placed ──> holes filled ──> resampled ──> RtGrid
 *              (rasters)                                    place.c    holes.c          resample.c    with its Reference
 *
 * The file says what it can, the call says the rest; what neither says, or what would change a height without being asked, is a
 * fault that says which argument decides it. The ground lies round the middle of the file's samples, or of what the call names, so
 * that its own coordinates stay small; where that is on the earth stays with it.
 */
#ifndef WORLD_MEASURED_MEASURED_H
#define WORLD_MEASURED_MEASURED_H

#include "runtime/grid/grid.h"
#include "runtime/rasters/raster.h"

typedef struct Maybe {
    bool given;
    double value;
} Maybe;

typedef enum MeasuredPlane { MEASURED_FILE, MEASURED_METERS, MEASURED_DEGREES } MeasuredPlane;
typedef enum MeasuredHoles { MEASURED_REFUSE, MEASURED_FILL, MEASURED_OUTSIDE } MeasuredHoles;

/* What a call says; each has the name of its argument. */
typedef struct MeasuredDesc {
    Maybe cell;        /* of the ground, meters: the file's samples, averaged or read between, when it is another than theirs */
    Maybe spacing;     /* of the file's samples, meters */
    RasterSize size;   /* of files that are numbers alone */
    Maybe low, high;   /* heights of the least and the greatest number of such files, meters */
    Maybe unit;        /* meters of a 1 in others */
    Maybe no_data;     /* the number that is no height */
    MeasuredPlane plane;
    MeasuredHoles holes;
    Maybe east, north; /* what lies at x = 0, z = 0, as the file counts */
    double outside;
} MeasuredDesc;

/* `name`: of the file, whose ending says what it is. NULL after a fault. */
RtGrid *measured_read(Rt *rt, Str name, Str bytes, const MeasuredDesc *desc);
/* The same ground at another cell, from its northwestern corner on. NULL after a fault. */
RtGrid *measured_resample(Rt *rt, const RtGrid *grid, double cell);
/* The same ground, said to lie where another does: for one that was made anew from its heights. */
RtGrid *measured_refer(Rt *rt, const RtGrid *grid, const RtGrid *like);

/* -- place.c -- */

typedef struct MeasuredPlace {
    double step_x, step_z; /* meters between samples */
    double x0, z0;         /* of the northwestern sample */
    Reference reference;
} MeasuredPlace;

/* False after a fault. */
bool measured_place(Rt *rt, Str name, const RasterHead *head, const MeasuredDesc *desc, MeasuredPlace *place);

/* -- holes.c -- */

/* Gives every NaN among values that are not all NaN a height: that of a skin stretched over the rims, which has no top or hollow
 * of its own. In the working storage; the same on any number of threads. */
void measured_fill(Rt *rt, float *values, int32_t columns, int32_t rows);

/* -- resample.c -- */

typedef struct Resampling {
    const float *from;
    int32_t columns, rows;     /* of from */
    double step_x, step_z;     /* of its samples, in cells of the result */
    float *to;
    int32_t to_columns, to_rows;
} Resampling;

/* How many samples a side of `count` at `step` has at `cell`. */
int64_t resample_count(int64_t count, double step, double cell);
/* Between samples in straight lines; where the result is coarser, the mean of those lines over a cell: of a plane the same plane. */
void resample_values(Rt *rt, const Resampling *r);

#endif
