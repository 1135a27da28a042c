#include "gpu/buffer.h"

static GLuint create(const void *data, size_t size, GLbitfield flags) {
    GLuint buffer;
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, (GLsizeiptr)(size ? size : 1), size ? data : NULL, flags);
    return buffer;
}

GLuint buffer_create(const void *data, size_t size) {
    return create(data, size, 0);
}

GLuint buffer_create_dynamic(size_t size) {
    return create(NULL, size, GL_DYNAMIC_STORAGE_BIT);
}

void vertices_add(GLuint vertices, GLuint index, GLint count, GLenum type, size_t offset) {
    glVertexArrayAttribFormat(vertices, index, count, type, type != GL_FLOAT, (GLuint)offset);
    glVertexArrayAttribBinding(vertices, index, 0);
    glEnableVertexArrayAttrib(vertices, index);
}
