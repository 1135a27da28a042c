#include "runtime/rasters/raster.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/watch.h"

bool raster_refuse(RasterSink *sink, const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (!sink->reason[0]) vsnprintf(sink->reason, sizeof sink->reason, format, args);
    va_end(args);
    return false;
}

bool raster_begin(RasterSink *sink, const RasterHead *head) {
    sink->left = !sink->begin(sink, head);
    return !sink->left;
}

bool raster_row(RasterSink *sink, const double *values) {
    sink->left = !sink->row(sink, values);
    return !sink->left;
}

/* What is written with too few digits for the greatest float is past it. */
double raster_round_float(double number) {
    return number > (double)FLT_MAX ? (double)FLT_MAX : number < -(double)FLT_MAX ? -(double)FLT_MAX : (double)(float)number;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* The digits without their point and the zeros before them, and how many stood behind it; as many as a double can tell apart. */
static size_t take_digits(Str text, size_t at, char *out, size_t room, size_t *count, int *shift) {
    bool point = false, any = false, leads = true;
    for (; at < text.len && (is_digit(text.ptr[at]) || (text.ptr[at] == '.' && !point)); at++) {
        if (text.ptr[at] == '.') {
            point = true;
            continue;
        }
        any = true;
        leads = leads && text.ptr[at] == '0';
        bool kept = *count < room && !leads;
        if (kept) out[(*count)++] = text.ptr[at];
        *shift += !kept && !leads;
        *shift -= point;
    }
    return any ? at : 0;
}

static size_t take_exponent(Str text, size_t at, int *shift) {
    size_t digits = at + 1;
    if (at >= text.len || (text.ptr[at] != 'e' && text.ptr[at] != 'E')) return at;
    bool minus = digits < text.len && text.ptr[digits] == '-';
    if (minus || (digits < text.len && text.ptr[digits] == '+')) digits++;
    size_t end = digits;
    int exponent = 0;
    for (; end < text.len && is_digit(text.ptr[end]); end++)
        if (exponent < 10000) exponent = exponent * 10 + (text.ptr[end] - '0');
    if (end == digits) return at;
    *shift += minus ? -exponent : exponent;
    return end;
}

/* strtod takes its point from the locale, so it is given none. */
size_t raster_number(Str text, double *value) {
    char digits[64];
    size_t count = 0, at = 0;
    int shift = 0;
    if (text.len && (text.ptr[0] == '-' || text.ptr[0] == '+')) digits[count++] = text.ptr[at++];
    at = take_digits(text, at, digits, 40, &count, &shift);
    if (at == 0) return 0;
    at = take_exponent(text, at, &shift);
    bool zero = count == 0 || !is_digit(digits[count - 1]);
    snprintf(digits + count, sizeof digits - count, "%se%d", zero ? "0" : "", shift);
    *value = strtod(digits, NULL);
    return at;
}
