/* Programs: the shader files of gpu/shaders, embedded by the build, put together by the rows of
 * program.def. */
#ifndef WORLD_GPU_PROGRAM_H
#define WORLD_GPU_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ProgramText {
    const char *name, *text;
} ProgramText;

/* Written by the build (embed.c); ends with a row of NULLs. */
extern const ProgramText program_texts[];

typedef enum ProgramId {
#define PROGRAM(NAME, vertex, fragment) PROGRAM_##NAME,
#include "gpu/program.def"
#undef PROGRAM
    PROGRAM_COUNT
} ProgramId;

/* What is so for a whole scene, told to all programs as constants: for a processor that draws works out both sides of every other choice. */
typedef struct ProgramScene {
    bool planet, day, low;
    int divided; /* into how many squares a side those of the land are that are divided; 0: none is */
} ProgramScene;

/* Another for each. */
static inline uint64_t program_scene_number(const ProgramScene *scene) {
    return scene->planet + 2u * scene->day + 4u * scene->low + 8u * (unsigned)scene->divided;
}

typedef struct Programs {
    unsigned names[PROGRAM_COUNT]; /* GL's; 0 before the first programs_set */
    ProgramScene scene;
} Programs;

/* Compiles and links all for such a scene, where they are not; false with the compiler's first complaint in `error`, and then they are as they were. */
bool programs_set(Programs *programs, ProgramScene scene, char *error, size_t size);
/* One of them with a text of a scene's material in its fragment stage (shaders/material.glsl); 0 with a complaint. */
unsigned program_with(const Programs *programs, ProgramId id, const char *material, char *error, size_t size);
/* One that no row names, of the files of its stages. */
unsigned program_of(const Programs *programs, const char *vertex, const char *fragment, char *error, size_t size);
/* One of a compute stage, with texts of a scene before its files; either may be NULL. */
unsigned program_compute(const Programs *programs, const char *files, const char *first, const char *second, char *error, size_t size);
void programs_fini(Programs *programs);

#endif
