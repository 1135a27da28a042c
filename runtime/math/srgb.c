#include "runtime/math/srgb.h"

#include <stdbool.h>

/* Whether a linear number is at least that of a code of sRGB's curve. Its power 2.4 is a twelfth over a fifth, so that only
 * products are compared. */
static bool reaches(double linear, double code) {
    if (code <= 0.04045) return linear >= code / 12.92;
    double base = (code + 0.055) / 1.055, base4 = base * base * base * base;
    return linear * linear * linear * linear * linear >= base4 * base4 * base4;
}

/* The largest byte from half a step below which it is. */
uint8_t srgb_byte(double linear) {
    int least = 0, most = 255;
    while (least < most) {
        int middle = (least + most + 1) / 2;
        if (reaches(linear, (middle - 0.5) / 255))
            least = middle;
        else
            most = middle - 1;
    }
    return (uint8_t)least;
}
