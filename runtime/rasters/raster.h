/* Measured heights as the files of others hold them, before they are ground: rows of numbers, and what the file says of
 * where they lie and what they mean.
 *
 *     bytes ── a reader ──> head once, then rows in the file's order ──> a sink (measured.c), which keeps them
 *
 * A reader trusts nothing in the bytes. It allocates only once the sink has taken the head, for the sink knows the limits.
 */
#ifndef WORLD_RASTERS_RASTER_H
#define WORLD_RASTERS_RASTER_H

#include "runtime/base/str.h"

typedef enum RasterPlane {
    RASTER_PLANE_NONE,    /* nothing is said of where the samples lie */
    RASTER_PLANE_UNSAID,  /* they lie somewhere, in meters or in degrees */
    RASTER_PLANE_METERS,  /* on a map: east and north in `plane_unit`s */
    RASTER_PLANE_DEGREES  /* on the globe: longitude and latitude */
} RasterPlane;

typedef struct RasterHead {
    int64_t columns, rows;
    RasterPlane plane;
    double east, north;             /* of the northwestern sample's middle, in the plane's units */
    double step_east, step_south;   /* from sample to sample, in the plane's units; more than 0 */
    double plane_unit;              /* meters; 1 but for maps in feet */
    int32_t epsg;                   /* what the plane is called; 0: it is not said */
    bool from_south;                /* the first row is the southernmost */
    bool wants_range;               /* 0 to `greatest` mean nothing by themselves: low and high do */
    double greatest;
    double height_unit;             /* meters of one; 0: in a unit that is not known here, `unknown_unit` */
    double height_zero;             /* meters, of a 0 */
    int unknown_unit;               /* EPSG's number */
    bool has_hole;
    double hole;                    /* the number that stands for no height; NaN: none does but that */
    double (*round)(double number); /* to the nearest that the file's samples can be; NULL: any can */
} RasterHead;

typedef struct RasterSink RasterSink;
struct RasterSink {
    /* False: the reader leaves at once; why, the sink knows. */
    bool (*begin)(RasterSink *sink, const RasterHead *head);
    bool (*row)(RasterSink *sink, const double *values);
    bool left;         /* one of them answered false */
    char reason[200];  /* of a reader: what is wrong with the file, "it ends early" */
};

/* What a call says of a file that cannot say it itself. */
typedef struct RasterSize {
    int64_t columns, rows; /* 0: not said */
} RasterSize;

/* False, with a reason or because the sink left. */
typedef bool (*RasterReader)(Str bytes, RasterSize size, RasterSink *sink);

/* "reason", as printf; answers false. */
bool raster_refuse(RasterSink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool raster_begin(RasterSink *sink, const RasterHead *head);
bool raster_row(RasterSink *sink, const double *values);
/* For RasterHead.round, of 32-bit floats. */
double raster_round_float(double number);
/* A decimal number at the start of a text, with a point in every locale; how many bytes it has, 0 when there is none. */
size_t raster_number(Str text, double *value);

bool raster_read_ascii(Str bytes, RasterSize size, RasterSink *sink); /* ESRI ASCII grid */
bool raster_read_r16(Str bytes, RasterSize size, RasterSink *sink);   /* unsigned 16 bits, little-endian */
bool raster_read_r32(Str bytes, RasterSize size, RasterSink *sink);   /* 32-bit floats, little-endian, meters */
/* SRTM: 1201 or 3601 rows of big-endian 16-bit meters; where it lies its name says, "N46E007.hgt". */
bool raster_read_hgt(Str bytes, Str name, RasterSink *sink);
/* A gray PNG of at most `most` samples, which lie in the arena meanwhile. */
bool raster_read_gray(Arena *arena, Str bytes, uint64_t most, RasterSink *sink);

#endif
