#ifdef WORLD_HAVE_TIFF
#include <math.h>
#include <strings.h>

#include "runtime/rasters/tiff.h"

/* -- tags that libtiff does not know: it hands them out as they stand, so their type is looked at -- */

static const void *find_tag(TIFF *tiff, uint32_t tag, TIFFDataType type, uint32_t *count) {
    void *data = NULL;
    *count = 0;
    const TIFFField *field = TIFFFindField(tiff, tag, TIFF_ANY);
    if (field == NULL || TIFFFieldDataType(field) != type || !TIFFFieldPassCount(field) ||
        TIFFFieldReadCount(field) != TIFF_VARIABLE2)
        return NULL;
    if (!TIFFGetField(tiff, tag, count, &data)) return NULL;
    return data;
}

static Str find_text(TIFF *tiff, uint32_t tag) {
    uint32_t count;
    const char *text = find_tag(tiff, tag, TIFF_ASCII, &count);
    return (Str){text, text ? strnlen(text, count) : 0};
}

typedef struct GeoKeys {
    const uint16_t *entries; /* four each: key, where its value stands, how many, the value or where it begins */
    uint32_t count;          /* of entries */
    const double *doubles;
    uint32_t double_count;
} GeoKeys;

static GeoKeys open_keys(TIFF *tiff) {
    GeoKeys keys = {0};
    uint32_t count;
    const uint16_t *words = find_tag(tiff, TIFF_TAG_GEO_KEYS, TIFF_SHORT, &count);
    keys.doubles = find_tag(tiff, TIFF_TAG_GEO_DOUBLES, TIFF_DOUBLE, &keys.double_count);
    if (words == NULL || count < 4) return keys;
    keys.entries = words + 4; /* behind the version and the count */
    keys.count = words[3] < count / 4 - 1 ? words[3] : count / 4 - 1;
    return keys;
}

static const uint16_t *find_entry(const GeoKeys *keys, uint16_t key) {
    for (uint32_t i = 0; i < keys->count; i++)
        if (keys->entries[4 * i] == key) return keys->entries + 4 * (size_t)i;
    return NULL;
}

static int find_word(const GeoKeys *keys, uint16_t key) {
    const uint16_t *entry = find_entry(keys, key);
    return entry && entry[1] == 0 ? entry[3] : 0;
}

static double find_double(const GeoKeys *keys, uint16_t key) {
    const uint16_t *entry = find_entry(keys, key);
    bool good = entry && entry[1] == TIFF_TAG_GEO_DOUBLES && entry[3] < keys->double_count;
    return good ? keys->doubles[entry[3]] : 0;
}

/* Meters of a unit of length by EPSG's number; 0 when it is not known here. */
static double unit_of(int code) {
    switch (code) {
    case 0:
    case GEO_METER:
        return 1;
    case GEO_FOOT:
        return 0.3048;
    case GEO_SURVEY_FOOT:
        return 1200.0 / 3937.0;
    case 9036:
        return 1000;
    default:
        return 0;
    }
}

/* -- where the samples lie -- */

/* x = place[0] * column + place[1] * row + place[2], and y the same by the three behind; of a sample's corner or middle. */
static bool find_place(TIFF *tiff, double place[6], bool *there, RasterSink *sink) {
    uint32_t count, ties;
    const double *matrix = find_tag(tiff, TIFF_TAG_TRANSFORMATION, TIFF_DOUBLE, &count);
    *there = true;
    if (matrix && count >= 16) {
        memcpy(place, (double[]){matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]}, 6 * sizeof *place);
        return true;
    }
    const double *scale = find_tag(tiff, TIFF_TAG_PIXEL_SCALE, TIFF_DOUBLE, &count);
    const double *tie = find_tag(tiff, TIFF_TAG_TIE_POINTS, TIFF_DOUBLE, &ties);
    if (scale && count >= 2 && tie && ties >= 6) {
        memcpy(place, (double[]){scale[0], 0, tie[3] - tie[0] * scale[0], 0, -scale[1], tie[4] + tie[1] * scale[1]},
               6 * sizeof *place);
        return true;
    }
    if (tie && ties > 6)
        return raster_refuse(sink, "it lies by control points on the ground; warp it to a map first, as gdalwarp does");
    *there = false;
    return true;
}

static bool take_place(const double place[6], bool points, RasterHead *head, RasterSink *sink) {
    double half = points ? 0 : 0.5;
    for (int i = 0; i < 6; i++)
        if (!isfinite(place[i])) return raster_refuse(sink, "where it lies is no number");
    if (fabs(place[1]) > 1e-9 * fabs(place[0]) || fabs(place[3]) > 1e-9 * fabs(place[4]))
        return raster_refuse(sink, "it is rotated against north; warp it to a map first, as gdalwarp does");
    if (!(place[0] > 0) || place[4] == 0) return raster_refuse(sink, "its samples run from east to west, or lie on each other");
    head->step_east = place[0];
    head->step_south = fabs(place[4]);
    head->from_south = place[4] > 0;
    head->east = place[2] + half * place[0];
    head->north = place[5] + half * place[4];
    if (head->from_south) head->north += (double)(head->rows - 1) * place[4];
    return true;
}

static bool take_units(const GeoKeys *keys, RasterHead *head, RasterSink *sink) {
    int model = find_word(keys, GEO_MODEL), linear = find_word(keys, GEO_LINEAR_UNIT);
    int angular = find_word(keys, GEO_ANGULAR_UNIT), vertical = find_word(keys, GEO_VERTICAL_UNIT);
    if (model != 0 && model != 1 && model != 2) return raster_refuse(sink, "its places are neither of a map nor of longitude and latitude");
    head->plane = model == 0 ? RASTER_PLANE_UNSAID : model == 1 ? RASTER_PLANE_METERS : RASTER_PLANE_DEGREES;
    head->plane_unit = 1;
    if (head->plane == RASTER_PLANE_DEGREES && angular != 0 && angular != GEO_DEGREE)
        return raster_refuse(sink, "its angles are not counted in degrees, but in unit %d of EPSG", angular);
    if (head->plane != RASTER_PLANE_DEGREES) head->plane_unit = linear == GEO_USER_DEFINED ? find_double(keys, GEO_LINEAR_SIZE) : unit_of(linear);
    if (!(head->plane_unit > 1e-6 && head->plane_unit < 1e6)) return raster_refuse(sink, "its map is counted in unit %d of EPSG, which is not known here", linear);
    int code = find_word(keys, model == 2 ? GEO_GEOGRAPHIC : GEO_PROJECTED);
    head->epsg = code == GEO_USER_DEFINED ? 0 : code;
    head->height_unit = unit_of(vertical);
    head->unknown_unit = vertical;
    return true;
}

/* -- what GDAL adds -- */

/* The number of <Item ... role="scale">0.1</Item>. */
static bool find_role(Str metadata, const char *role, double *value) {
    size_t length = strlen(role);
    for (size_t i = 0; i + length < metadata.len; i++) {
        if (memcmp(metadata.ptr + i, role, length) != 0) continue;
        const char *close = memchr(metadata.ptr + i, '>', metadata.len - i);
        if (close == NULL) return false;
        size_t at = (size_t)(close + 1 - metadata.ptr);
        return raster_number((Str){metadata.ptr + at, metadata.len - at}, value) > 0;
    }
    return false;
}

static void take_gdal(TIFF *tiff, RasterHead *head) {
    Str hole = find_text(tiff, TIFF_TAG_GDAL_NODATA), metadata = find_text(tiff, TIFF_TAG_GDAL_METADATA);
    while (hole.len && *hole.ptr == ' ')
        hole.ptr++, hole.len--;
    head->has_hole = raster_number(hole, &head->hole) > 0;
    if (hole.len >= 3 && strncasecmp(hole.ptr, "nan", 3) == 0) head->has_hole = true, head->hole = NAN;
    double scale = 1, zero = 0;
    find_role(metadata, "role=\"scale\"", &scale);
    find_role(metadata, "role=\"offset\"", &zero);
    head->height_zero = zero * head->height_unit;
    head->height_unit *= scale;
}

bool geokeys_read(TIFF *tiff, RasterHead *head, RasterSink *sink) {
    GeoKeys keys = open_keys(tiff);
    double place[6];
    bool there;
    if (!find_place(tiff, place, &there, sink) || !take_units(&keys, head, sink)) return false;
    take_gdal(tiff, head);
    if (there) return take_place(place, find_word(&keys, GEO_RASTER) == 2, head, sink);
    head->plane = RASTER_PLANE_NONE;
    return true;
}

/* -- writing -- */

static const TIFFFieldInfo fields[] = {
    {TIFF_TAG_PIXEL_SCALE, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"GeoPixelScale"},
    {TIFF_TAG_TIE_POINTS, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"GeoTiePoints"},
    {TIFF_TAG_GEO_KEYS, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, (char *)"GeoKeyDirectory"},
};

static int linear_unit(double per_meter) {
    static const int codes[] = {GEO_METER, GEO_FOOT, GEO_SURVEY_FOOT};
    for (int i = 0; i < 3; i++)
        if (fabs(per_meter * unit_of(codes[i]) - 1) < 1e-9) return codes[i];
    return 0;
}

static bool write_keys(TIFF *tiff, const Reference *reference) {
    uint16_t words[4 * 8] = {1, 1, 1, 0}, *next = words + 4;
    bool lies = reference->east_per_meter > 0;
#define PUT(key, value) memcpy(next, (uint16_t[]){(key), 0, 1, (uint16_t)(value)}, 4 * sizeof *next), next += 4
    int code = reference->epsg > 0 && reference->epsg < GEO_USER_DEFINED ? reference->epsg : GEO_USER_DEFINED;
    PUT(GEO_MODEL, lies && reference->degrees ? 2 : 1);
    PUT(GEO_RASTER, 1);
    if (lies && reference->degrees) {
        PUT(GEO_GEOGRAPHIC, code);
        PUT(GEO_ANGULAR_UNIT, GEO_DEGREE);
    } else {
        int unit = lies ? linear_unit(reference->east_per_meter) : GEO_METER;
        PUT(GEO_PROJECTED, code);
        if (unit) PUT(GEO_LINEAR_UNIT, unit);
    }
#undef PUT
    uint32_t count = (uint32_t)(next - words);
    words[3] = (uint16_t)(count / 4 - 1);
    return TIFFSetField(tiff, TIFF_TAG_GEO_KEYS, (int)count, words);
}

/* Places are of the corner of the northwestern sample's area. A land that lies nowhere lies round 0, 0. */
bool geokeys_write(TIFF *tiff, const RasterImage *image) {
    Reference at = image->reference;
    if (!(at.east_per_meter > 0)) at = (Reference){.east_per_meter = 1, .north_per_meter = 1};
    double west = image->x0 - image->cell / 2, edge = image->z0 - image->cell / 2;
    double scale[3] = {image->cell * at.east_per_meter, image->cell * at.north_per_meter, 0};
    double tie[6] = {0, 0, 0, at.east + west * at.east_per_meter, at.north - edge * at.north_per_meter, 0};
    TIFFMergeFieldInfo(tiff, fields, sizeof fields / sizeof *fields);
    return TIFFSetField(tiff, TIFF_TAG_PIXEL_SCALE, 3, scale) && TIFFSetField(tiff, TIFF_TAG_TIE_POINTS, 6, tie) &&
           write_keys(tiff, &image->reference);
}
#else
typedef int world_no_geokeys;
#endif
