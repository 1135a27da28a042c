/* Buffers and vertex arrays, as every kind of drawn thing makes them. */
#ifndef WORLD_GPU_BUFFER_H
#define WORLD_GPU_BUFFER_H

#include "gpu/gl.h"

#include <stddef.h>

/* Never changed again. An empty one holds a byte, which GL asks for. */
GLuint buffer_create(const void *data, size_t size);
/* To be written with glNamedBufferSubData. */
GLuint buffer_create_dynamic(size_t size);

/* Describes an attribute of `count` numbers at `offset` of a vertex in buffer binding 0; whole
 * numbers become fractions. */
void vertices_add(GLuint vertices, GLuint index, GLint count, GLenum type, size_t offset);

#endif
