/* Functions of a built world as text for the graphics card.
 *
 *     closures ── settle ──> IR without objects ── ranges ──> emit ──> GLSL, and a buffer of words
 *
 * settle  What a function value holds is there: parts, lists, grids. Whatever hangs on these alone is worked out; what is left
 *         is a module of plain operations that reads numbered cells: a uniform, a column of a list, the heights of a grid.
 * emit    Each operation is the GLSL of its row in op.def, each function of library.def that of the card's own.
 *
 * What differs from the processor: a number has 32 bits, so an answer is as exact as 24 bits of its operands make it; an int has
 * 32, and what range analysis cannot prove to fit is refused; words, and so all hashes, are the same bits. A fault is not
 * told: its operation gives what op.def says, and goes on. Arguments are taken to lie within GLSL_REACH of 0.
 */
#ifndef WORLD_COMPILER_GLSL_GLSL_H
#define WORLD_COMPILER_GLSL_GLSL_H

#include "compiler/ir/bind.h"

/* 131 km, where meters are given. */
enum { GLSL_REACH = 1 << 17 };

/* A map of the library on its lattice, read between its samples. */
typedef struct GlslMap {
    int columns, rows;
    double x0, z0, cell;
    const float *values;
} GlslMap;

typedef struct GlslInput {
    Arena *arena;   /* of what is made */
    Arena *words;   /* of the words, which may be many */
    Arena *scratch; /* another one, left as it was */
    Rt *rt;         /* reads cells, and runs what natives only need known arguments */
    uint32_t authors;
    /* The program, or the overlay, in which a closure's function lies; code as of RtClosure. */
    const IrBinding *(*binding)(void *user, const RtCode *code);
    /* Of a record landMap, whose slots these are: what `map_function` of one, a place and another answer reads there.
     * False after a fault. */
    bool (*map)(void *user, const Slot *record, GlslMap *out);
    Str map_function; /* "groundlook.valueAt" */
    int map_slots;    /* of a landMap */
    void *user;
} GlslInput;

/* What cannot be expressed, where the author wrote it. */
typedef struct GlslError {
    Span span;
    Str text;
} GlslError;

typedef struct GlslText {
    Str text;            /* the functions and all they need; to be put after a line `#version` */
    size_t shared;       /* so much of it is what they need; each of them stands behind it, in the order in which they were added */
    const size_t *ends;  /* of each */
    const uint32_t *words; /* what lies in the buffer that it declares, at binding GLSL_BINDING */
    int64_t word_count;
    const uint64_t *needs; /* of each; bit i: its parameter i */
} GlslText;

enum { GLSL_BINDING = 7 };

typedef struct Glsl Glsl;
Glsl *glsl_create(const GlslInput *input);
/* A function by that name: `void NAME(float a, ..., out float r, ...)`, a parameter a slot. False: see the error. */
bool glsl_add(Glsl *glsl, const RtClosure *closure, const char *name);
bool glsl_finish(Glsl *glsl, GlslText *out);
const GlslError *glsl_error(const Glsl *glsl);

#endif
