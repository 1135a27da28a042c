/* Asking a finished world, from inside: questions, functions, values, data by path. */
#ifndef WORLD_COMPILER_ENGINE_ASK_ASK_H
#define WORLD_COMPILER_ENGINE_ASK_ASK_H

#include "compiler/engine/open/overlay.h"

/* -- question.c: expressions of an author, asked of the world -- */
typedef struct Question {
    Str text;
    const Type *wanted; /* NULL: whatever it is */
    const TreeFn *fn;
    Callee callee; /* lives while the operation does, unless it is held */
    const Type *type;
    Slot *slots; /* the answer */
} Question;
/* Parses, checks and lowers; the answer's type is known afterwards. */
WorldStatus question_compile(World *world, Question *question);
/* Runs it; the answer lies in `arena`. */
WorldStatus question_run(World *world, Question *question, Rt *rt);
/* The same, kept (runtime/rt/part.h). */
WorldStatus question_keep(World *world, Question *question, Rt *rt, RtVersion **version);

/* -- value.c, value_text.c, value_json.c -- */
WorldValue *value_create(World *world, const Type *type, const Slot *slots);
typedef struct ValuePrinter {
    World *world;
    StrBuf *out;
} ValuePrinter;
void value_print(const ValuePrinter *printer, const Type *type, const Slot *slots);
void value_print_json(const ValuePrinter *printer, const Type *type, const Slot *slots);
void value_json_text(StrBuf *out, Str text);

/* OK, or that a handle is of a text that is not loaded any more, or of another world. */
static inline WorldStatus handle_status(const World *world, uint32_t generation) {
    return generation == world->handles.generation ? WORLD_OK : WORLD_ERROR_STALE;
}

/* -- function.c -- */
typedef struct FunctionHandle {
    Str name;
    const TreeFn *fn; /* NULL: `closure` is called */
    Callee callee;
    RtPart *self; /* of a method */
    const RtClosure *closure;
    const Type *type;       /* of the closure */
    int arguments, results; /* slots */
    const char *argument_letters, *result_letters;
} FunctionHandle;

/* -- data.c -- */
typedef struct PlacedShape {
    int width;                                                  /* slots a thing */
    int id, rule, kind, variant, k, at, turn, size, sink, room; /* slot of each */
} PlacedShape;
/* False: the type is no List[placed]. */
bool placed_shape(const World *world, const Type *type, PlacedShape *shape);

/* The part and field of a dotted path: "island.vegetation.layout". */
WorldStatus data_find_field(World *world, Rt *rt, Str path, RtPart **part, int *field);

#endif
