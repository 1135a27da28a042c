#include "gpu/minimap.h"

#include <math.h>

enum { LEAST_SIDE = 48, BORDER = 12 }; /* pixels of the screen */
static const double share = 0.28, over = 1.04; /* of the picture's height; of the box */

void minimap_init(Minimap *map) {
    *map = (Minimap){0};
    glCreateVertexArrays(1, &map->nothing);
}

void minimap_fini(Minimap *map) {
    glDeleteVertexArrays(1, &map->nothing);
    picture_fini(&map->picture);
    *map = (Minimap){0};
}

void minimap_aim(Minimap *map, Vec low, Vec high) {
    Vec middle = vec_scale(vec_add(low, high), 0.5);
    double side = fmax(fmax(high.x - low.x, high.z - low.z), 1) * over;
    map->camera = (ViewCamera){.from = {middle.x, high.y + side, middle.z},
                               .to = {middle.x, low.y, middle.z},
                               .orthographic = true,
                               .extent = side};
}

double minimap_side(int width, int height) {
    double side = fmin(fmax(share * height, LEAST_SIDE), fmin(width, height) - 2 * BORDER);
    return side < LEAST_SIDE ? 0 : side;
}

void minimap_draw(const Minimap *map, State *state, const Programs *programs, const Eye *eye, int width, int height) {
    GLuint program = programs->names[PROGRAM_MINIMAP];
    double side = minimap_side(width, height);
    if (side == 0) return;
    double x = (eye->at.x - map->camera.from[0]) / map->camera.extent + 0.5, z = (eye->at.z - map->camera.from[2]) / map->camera.extent + 0.5;
    state_pipe(state, &(Pipe){.program = program, .vertices = map->nothing, .blend = true});
    state_texture(0, map->picture.resolved);
    glProgramUniform4f(program, 0, (float)(1 - 2 * (side + BORDER) / width), (float)(1 - 2 * (side + BORDER) / height), (float)(2 * side / width), (float)(2 * side / height));
    glProgramUniform4f(program, 1, (float)x, (float)z, (float)eye->forward.x, (float)eye->forward.z);
    glProgramUniform2f(program, 2, (float)(eye->orthographic ? -1 : eye->half_width), (float)(1 / side));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
