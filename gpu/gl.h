/* GL, as the whole room includes it: 4.5 core, loaded by glad, used through direct state access
 * only. */
#ifndef WORLD_GPU_GL_H
#define WORLD_GPU_GL_H

#include "gpu/glad_gl.h"

#endif
