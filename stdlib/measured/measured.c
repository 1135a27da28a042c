/* The measured package's native part. The checker puts a file's name and its bytes where the call has the name (compiler/check/data.c). */
#include "runtime/measured/measured.h"

#include "stdlib/stdlib_externs.h"

static Maybe maybe(StdOptional_double value) {
    return (Maybe){value.present, value.value};
}

const RtHeightGrid *measured_heights(Rt *rt, const RtText *file, StdOptional_double cell, StdOptional_double spacing, int64_t columns,
                                     int64_t rows, StdOptional_double low, StdOptional_double high, StdOptional_double unit,
                                     StdOptional_double no_data, int64_t plane, int64_t holes, StdOptional_double east,
                                     StdOptional_double north, double outside) {
    _Static_assert((int)MEASURED_FILE == (int)STD_HEIGHTS_PLANE_AS_FILE && (int)MEASURED_DEGREES == (int)STD_HEIGHTS_PLANE_DEGREES &&
                       (int)MEASURED_FILL == (int)STD_HEIGHTS_HOLES_FILL && (int)MEASURED_OUTSIDE == (int)STD_HEIGHTS_HOLES_OUTSIDE,
                   "choices are counted as the library counts them");
    MeasuredDesc desc = {.cell = maybe(cell),
                         .spacing = maybe(spacing),
                         .size = {columns, rows},
                         .low = maybe(low),
                         .high = maybe(high),
                         .unit = maybe(unit),
                         .no_data = maybe(no_data),
                         .plane = (MeasuredPlane)plane,
                         .holes = (MeasuredHoles)holes,
                         .east = maybe(east),
                         .north = maybe(north),
                         .outside = outside};
    size_t name = strnlen(file->text.ptr, file->text.len);
    Str bytes = name < file->text.len ? (Str){file->text.ptr + name + 1, file->text.len - name - 1} : (Str){"", 0};
    return measured_read(rt, (Str){file->text.ptr, name}, bytes, &desc);
}

const RtHeightGrid *measured_resampled(Rt *rt, const RtHeightGrid *grid, double cell) {
    return measured_resample(rt, grid, cell);
}

const RtHeightGrid *measured_placedLike(Rt *rt, const RtHeightGrid *grid, const RtHeightGrid *other) {
    return measured_refer(rt, grid, other);
}

static bool lies_somewhere(Rt *rt, const RtHeightGrid *grid) {
    if (grid->reference.east_per_meter > 0) return true;
    rt_fault(rt, RT_FAULT_HEIGHTS, "this ground does not say where on the earth it lies");
    return false;
}

double measured_eastAt(Rt *rt, const RtHeightGrid *grid, Vec3 here) {
    return lies_somewhere(rt, grid) ? grid->reference.east + here.x * grid->reference.east_per_meter : 0;
}

double measured_northAt(Rt *rt, const RtHeightGrid *grid, Vec3 here) {
    return lies_somewhere(rt, grid) ? grid->reference.north - here.z * grid->reference.north_per_meter : 0;
}
