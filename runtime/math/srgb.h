/* sRGB (IEC 61966-2-1) of linear light, the same on every machine. */
#ifndef WORLD_MATH_SRGB_H
#define WORLD_MATH_SRGB_H

#include <stdint.h>

/* The byte nearest to a linear number along sRGB's curve: 0 below 0 and of what is no number, 255 past 1. */
uint8_t srgb_byte(double linear);

#endif
