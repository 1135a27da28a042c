/* Text over the picture: lines on a dark panel at the top left. */
#ifndef WORLD_GPU_OVERLAY_H
#define WORLD_GPU_OVERLAY_H

#include "gpu/program.h"
#include "gpu/state.h"

enum { OVERLAY_BOXES = 4096, OVERLAY_BORDER = 6 }; /* the second: of a panel, font pixels */

/* A glyph or a filled rectangle, in pixels from the top left. */
typedef struct OverlayBox {
    float x, y, width, height;
    float ink[4];
    float glyph; /* -1: filled */
} OverlayBox;

typedef struct Overlay {
    GLuint vertices, buffer, font_map;
    OverlayBox boxes[OVERLAY_BOXES]; /* of this frame */
    int count;
} Overlay;

void overlay_init(Overlay *overlay);
void overlay_fini(Overlay *overlay);
/* Adds lines (separated by '\n') on a panel; `scale` screen pixels a font pixel. What does not fit
 * is left out. */
void overlay_text(Overlay *overlay, const char *text, int x, int y, int scale);
/* How large its text is, font pixels wide, and how many lines. */
void overlay_measure(const char *text, int *width, int *lines);
/* So many pixels of a picture of that height a font pixel is. */
int overlay_scale(int height);
/* How high its panel is, pixels. */
int overlay_height(const char *text, int scale);
/* Draws what was added into the current target, and forgets it. */
void overlay_draw(Overlay *overlay, State *state, const Programs *programs, int width, int height);

#endif
