#include "gpu/program.h"

#include "gpu/gl.h"

#include <stdio.h>
#include <string.h>

enum { STAGE_FILES = 14 }; /* with the version line and a material */

typedef struct ProgramRow {
    const char *vertex, *fragment;
} ProgramRow;

static const ProgramRow rows[PROGRAM_COUNT] = {
#define PROGRAM(NAME, vertex, fragment) {vertex, fragment},
#include "gpu/program.def"
#undef PROGRAM
};

static const char *find_text(const char *name, size_t length) {
    for (const ProgramText *text = program_texts; text->name; text++)
        if (strlen(text->name) == length && memcmp(text->name, name, length) == 0)
            return text->text;
    return NULL;
}

/* The texts of a stage's files after the version line and a material, which may be NULL; their count, or 0 when a file is missing. */
static int stage_texts(const char *files, const char *material, const char *texts[STAGE_FILES]) {
    int count = 0;
    texts[count++] = "#version 450 core\n";
    if (material) texts[count++] = material;
    while (*files && count < STAGE_FILES) {
        size_t length = strcspn(files, " ");
        const char *text = find_text(files, length);
        if (!text) return 0;
        texts[count++] = text;
        files += length + strspn(files + length, " ");
    }
    return *files ? 0 : count;
}

static GLuint compile_stage(GLenum stage, const char *files, const char *material, char *error, size_t size) {
    const char *texts[STAGE_FILES];
    int count = stage_texts(files, material, texts);
    GLuint shader = glCreateShader(stage);
    glShaderSource(shader, count, texts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    char log[512] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    snprintf(error, size, "shader %s: %s", files, log);
    glDeleteShader(shader);
    return 0;
}

static GLuint link_program(GLuint vertex, GLuint fragment, char *error, size_t size) {
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    GLint good = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (good) return program;
    char log[512] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    snprintf(error, size, "shaders do not link: %s", log);
    glDeleteProgram(program);
    return 0;
}

static GLuint build_program(const ProgramRow *row, const char *material, char *error, size_t size) {
    GLuint vertex = compile_stage(GL_VERTEX_SHADER, row->vertex, NULL, error, size);
    GLuint fragment = vertex ? compile_stage(GL_FRAGMENT_SHADER, row->fragment, material, error, size) : 0;
    GLuint program = fragment ? link_program(vertex, fragment, error, size) : 0;
    glDeleteShader(vertex);
    glDeleteShader(fragment);
    return program;
}

bool programs_init(Programs *programs, char *error, size_t size) {
    *programs = (Programs){0};
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        programs->names[i] = build_program(&rows[i], NULL, error, size);
        if (!programs->names[i]) {
            programs_fini(programs);
            return false;
        }
    }
    return true;
}

unsigned program_with(ProgramId id, const char *material, char *error, size_t size) {
    return build_program(&rows[id], material, error, size);
}

void programs_fini(Programs *programs) {
    for (int i = 0; i < PROGRAM_COUNT; i++)
        glDeleteProgram(programs->names[i]);
    *programs = (Programs){0};
}
