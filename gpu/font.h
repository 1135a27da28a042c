/* A small font of five by seven pixels, drawn for this project: capitals, digits and the marks that
 * a help text needs. */
#ifndef WORLD_GPU_FONT_H
#define WORLD_GPU_FONT_H

#include <stdint.h>

enum { FONT_ROWS = 7, FONT_ADVANCE = 6, FONT_LINE = 11 };

typedef struct FontGlyph {
    char character;
    uint8_t rows[FONT_ROWS];
} FontGlyph;

extern const FontGlyph font_glyphs[];
extern const int font_glyph_count;

/* Its number, small letters as capitals; -1 for a space and for what the font lacks. */
int font_find_glyph(char c);

#endif
