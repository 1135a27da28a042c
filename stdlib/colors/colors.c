/* The colors package's native part: the digits of a color. */
#include "stdlib/stdlib_externs.h"

uint32_t colors_colorWord(Rt *rt, const RtText *hex) {
    uint32_t word = 0;
    if (!str_color(hex->text, &word))
        rt_fault(rt, RT_FAULT_ARGUMENT, "the color \"%.*s\": it is written #rrggbb or #rgb",
                 STR_ARG(hex->text));
    return word;
}
