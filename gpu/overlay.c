#include "gpu/overlay.h"

#include "gpu/buffer.h"
#include "gpu/font.h"

#include <stddef.h>

static void create_font_map(Overlay *overlay) {
    glCreateTextures(GL_TEXTURE_2D, 1, &overlay->font_map);
    glTextureStorage2D(overlay->font_map, 1, GL_R8UI, FONT_ROWS, font_glyph_count);
    glTextureParameteri(overlay->font_map, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTextureParameteri(overlay->font_map, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    for (int i = 0; i < font_glyph_count; i++)
        glTextureSubImage2D(overlay->font_map, 0, 0, i, FONT_ROWS, 1, GL_RED_INTEGER,
                            GL_UNSIGNED_BYTE, font_glyphs[i].rows);
}

void overlay_init(Overlay *overlay) {
    overlay->count = 0;
    create_font_map(overlay);
    overlay->buffer = buffer_create_dynamic(sizeof overlay->boxes);
    glCreateVertexArrays(1, &overlay->vertices);
    glVertexArrayVertexBuffer(overlay->vertices, 0, overlay->buffer, 0, sizeof(OverlayBox));
    glVertexArrayBindingDivisor(overlay->vertices, 0, 1);
    vertices_add(overlay->vertices, 0, 4, GL_FLOAT, offsetof(OverlayBox, x));
    vertices_add(overlay->vertices, 1, 4, GL_FLOAT, offsetof(OverlayBox, ink));
    vertices_add(overlay->vertices, 2, 1, GL_FLOAT, offsetof(OverlayBox, glyph));
}

void overlay_fini(Overlay *overlay) {
    glDeleteTextures(1, &overlay->font_map);
    glDeleteBuffers(1, &overlay->buffer);
    glDeleteVertexArrays(1, &overlay->vertices);
    overlay->count = 0;
}

static void add_box(Overlay *overlay, OverlayBox box) {
    if (overlay->count < OVERLAY_BOXES) overlay->boxes[overlay->count++] = box;
}

static void measure(const char *text, int *columns, int *lines) {
    int column = 0;
    *columns = 0;
    *lines = 1;
    for (; *text; text++) {
        column = *text == '\n' ? 0 : column + 1;
        if (*text == '\n') ++*lines;
        if (column > *columns) *columns = column;
    }
}

void overlay_measure(const char *text, int *width, int *lines) {
    measure(text, width, lines);
    *width *= FONT_ADVANCE;
}

int overlay_scale(int height) {
    return height > 900 ? 2 : 1;
}

int overlay_height(const char *text, int scale) {
    int columns, lines;
    measure(text, &columns, &lines);
    return lines * FONT_LINE * scale + 2 * OVERLAY_BORDER * scale;
}

void overlay_text(Overlay *overlay, const char *text, int x, int y, int scale) {
    int columns, lines, column = 0, line = 0, border = OVERLAY_BORDER * scale;
    measure(text, &columns, &lines);
    add_box(overlay, (OverlayBox){(float)x,
                                  (float)y,
                                  (float)(columns * FONT_ADVANCE * scale + 2 * border),
                                  (float)(lines * FONT_LINE * scale + 2 * border),
                                  {0.01f, 0.015f, 0.02f, 0.62f},
                                  -1});
    for (; *text; text++) {
        int glyph = font_find_glyph(*text);
        if (glyph >= 0)
            add_box(overlay,
                    (OverlayBox){(float)(x + border + column * FONT_ADVANCE * scale),
                                 (float)(y + border + line * FONT_LINE * scale + 2 * scale),
                                 (float)(FONT_ADVANCE * scale),
                                 (float)(FONT_ROWS * scale),
                                 {0.92f, 0.93f, 0.88f, 1},
                                 (float)glyph});
        column = *text == '\n' ? 0 : column + 1;
        line += *text == '\n';
    }
}

void overlay_draw(Overlay *overlay, State *state, const Programs *programs, int width, int height) {
    if (overlay->count == 0) return;
    glNamedBufferSubData(overlay->buffer, 0,
                         (GLsizeiptr)(sizeof(OverlayBox) * (size_t)overlay->count), overlay->boxes);
    state_pipe(state, &(Pipe){.program = programs->names[PROGRAM_TEXT],
                              .vertices = overlay->vertices,
                              .blend = true});
    state_texture(0, overlay->font_map);
    glProgramUniform2f(programs->names[PROGRAM_TEXT], 0, (float)width, (float)height);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, overlay->count);
    overlay->count = 0;
}
