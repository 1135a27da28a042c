#include "gpu/program.h"

#include "gpu/gl.h"

#include <stdio.h>
#include <string.h>

enum { STAGE_FILES = 20 }; /* with the version line and texts of a scene */

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

enum { BEFORE = 3 }; /* texts before a stage's files: what is so of the scene, and two of the scene's own; NULL: none */

/* The texts of a stage's files after the version line and those before; their count, or 0 when a file is missing. */
static int stage_texts(const char *files, const char *const before[BEFORE], const char *texts[STAGE_FILES]) {
    int count = 0;
    texts[count++] = "#version 450 core\n";
    for (int i = 0; i < BEFORE; i++)
        if (before[i]) texts[count++] = before[i];
    while (*files && count < STAGE_FILES) {
        size_t length = strcspn(files, " ");
        const char *text = find_text(files, length);
        if (!text) return 0;
        texts[count++] = text;
        files += length + strspn(files + length, " ");
    }
    return *files ? 0 : count;
}

static void write_constants(const ProgramScene *scene, char *out, size_t size) {
    snprintf(out, size, "#define ON_PLANET %s\n#define HAS_DAY %s\n#define LOW_QUALITY %s\n#define LAND_DIVIDED %d\n", scene->planet ? "true" : "false", scene->day ? "true" : "false",
             scene->low ? "true" : "false", scene->divided);
}

static GLuint compile_stage(GLenum stage, const char *files, const ProgramScene *scene, const char *first, const char *second, char *error, size_t size) {
    const char *texts[STAGE_FILES];
    char constants[128];
    write_constants(scene, constants, sizeof constants);
    int count = stage_texts(files, (const char *[BEFORE]){constants, first, second}, texts);
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

static GLuint link_program(const GLuint stages[2], char *error, size_t size) {
    GLuint program = glCreateProgram();
    for (int i = 0; i < 2; i++)
        if (stages[i]) glAttachShader(program, stages[i]);
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

static GLuint build_program(const ProgramRow *row, const ProgramScene *scene, const char *material, char *error, size_t size) {
    GLuint stages[2] = {compile_stage(GL_VERTEX_SHADER, row->vertex, scene, NULL, NULL, error, size)};
    stages[1] = stages[0] ? compile_stage(GL_FRAGMENT_SHADER, row->fragment, scene, material, NULL, error, size) : 0;
    GLuint program = stages[1] ? link_program(stages, error, size) : 0;
    glDeleteShader(stages[0]);
    glDeleteShader(stages[1]);
    return program;
}

static bool same_scene(const ProgramScene *a, const ProgramScene *b) {
    return program_scene_number(a) == program_scene_number(b);
}

bool programs_set(Programs *programs, ProgramScene scene, char *error, size_t size) {
    Programs made = {.scene = scene};
    if (programs->names[0] && same_scene(&programs->scene, &scene)) return true;
    for (int i = 0; i < PROGRAM_COUNT; i++) {
        made.names[i] = build_program(&rows[i], &scene, NULL, error, size);
        if (made.names[i]) continue;
        programs_fini(&made);
        return false;
    }
    programs_fini(programs);
    *programs = made;
    return true;
}

unsigned program_with(const Programs *programs, ProgramId id, const char *material, char *error, size_t size) {
    return build_program(&rows[id], &programs->scene, material, error, size);
}

unsigned program_of(const Programs *programs, const char *vertex, const char *fragment, char *error, size_t size) {
    return build_program(&(ProgramRow){vertex, fragment}, &programs->scene, NULL, error, size);
}

unsigned program_compute(const Programs *programs, const char *files, const char *first, const char *second, char *error, size_t size) {
    GLuint stages[2] = {compile_stage(GL_COMPUTE_SHADER, files, &programs->scene, first, second, error, size)};
    GLuint program = stages[0] ? link_program(stages, error, size) : 0;
    glDeleteShader(stages[0]);
    return program;
}

void programs_fini(Programs *programs) {
    for (int i = 0; i < PROGRAM_COUNT; i++)
        glDeleteProgram(programs->names[i]);
    *programs = (Programs){0};
}
