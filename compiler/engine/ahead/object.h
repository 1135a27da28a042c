/* A world compiled ahead of time: what a host may ask of it, the image of its object (compiler/ahead/image.h), and the C
 * header. Every function of the program that something other than a function calls becomes a kernel.
 */
#ifndef WORLD_COMPILER_ENGINE_AHEAD_OBJECT_H
#define WORLD_COMPILER_ENGINE_AHEAD_OBJECT_H

#include "compiler/ahead/image.h"
#include "compiler/engine/open/open.h"

/* Parts that stand deeper are asked nothing by a host. */
enum { OBJECT_DEPTH = 32 };

/* A part that always exists, by its place among the children of each that holds it. */
typedef struct ObjectPlace {
    const TreeClass *cls;
    Str name; /* "land.brook"; empty: the root */
    const int32_t *path;
    int32_t depth;
} ObjectPlace;

typedef struct ObjectAnswer {
    const TreeFn *fn; /* NULL: it is the value of that part's field */
    int field;
    ObjectPlace place;
    Str name;   /* "land_height" */
    int func;
    bool self;  /* it is that part's */
    const char *why; /* it is left out: why; else NULL */
} ObjectAnswer;

typedef struct ObjectGrid {
    ObjectPlace place;
    int field;
    const RtGrid *grid;
} ObjectGrid;

typedef struct Object {
    World *world;
    Arena *arena;
    Str prefix; /* "island" */
    uint64_t key;
    JitMachine machine; /* that it is for */
    AheadNeeds needs;
    VEC(ObjectPlace) places;
    VEC(ObjectAnswer) answers;
    VEC(ObjectGrid) grids;
} Object;

/* -- answers.c -- */
void object_find_places(Object *object);
void object_find_answers(Object *object);
const Type *object_result(const ObjectAnswer *answer);
static inline int object_param_count(const ObjectAnswer *answer) { return answer->fn ? answer->fn->param_count : 0; }
/* C's word for a parameter or result of that type, or NULL when no host can give it: "double", "int64_t"; of three
 * numbers "double", with *three. `member`: of a WorldAheadSlot. */
const char *object_c_type(const Type *type, bool *three, char *member);

/* -- header.c -- */
Str object_header(const Object *object);

/* -- image.c -- */
typedef struct ObjectImage {
    Str bytes;
    const JitPointer *pointers;
    int pointer_count;
    const size_t *texts, *classes;
} ObjectImage;
ObjectImage object_image(const Object *object);
/* What an image would lead to, without one. */
typedef struct ObjectKernels {
    const JitPointer *items;
    int count;
} ObjectKernels;
ObjectKernels object_kernels(const Object *object);

#endif
