/* A world that runs, from inside: steps, and state written down and read (runtime/rt/life.h does the work of a tick). */
#ifndef WORLD_COMPILER_ENGINE_LIVE_LIVE_H
#define WORLD_COMPILER_ENGINE_LIVE_LIVE_H

#include "compiler/engine/ask/ask.h"
#include "compiler/files/json.h"
#include "runtime/rt/life.h"

/* The world's life, begun if need be; NULL after an error, which is reported. */
RtLife *live_begin(World *world, Rt *rt, WorldStatus *status);

/* The parts that a state names, written or read. */
typedef struct StateParts {
    World *world;
    Rt *rt;
    VEC(RtPart *) gone; /* out of place: "~0", "~1" ... as the state comes to them, each behind those that its row names */
    VEC(Str) rows;      /* of those, while it is written */
    int *index;         /* while it is written: a table of places in `gone` + 1 */
    int index_size, depth;
} StateParts;

/* -- state_value.c: values that can be kept (check: act_keeps), as JSON and back -- */
void state_write(StateParts *parts, StrBuf *out, const Type *type, const Slot *slots);
/* False: it is no value of the type, or names a part that is not there. */
bool state_read(StateParts *parts, const Type *type, const JsonValue *json, Slot *slots);
/* The part of a path; NULL: there is none. */
RtPart *state_find_part(StateParts *parts, Str path);
/* A design's whole name, which no other has: "light.lamp"; and the design of one. */
Str state_design(const World *world, Arena *arena, const RtClass *cls);
const RtClass *state_find_design(const World *world, Str name);

/* -- state_gone.c: parts that are gone, and have no path any more, but are named -- */
/* The part itself or what it stands in, when it is gone and no path leads to it. NULL: one does. */
RtPart *state_out_of_place(const RtPart *part);
void state_write_part(StateParts *parts, StrBuf *out, const RtPart *part);
/* The part made again, and gone; `was`, when that is still as the row says; NULL: there is no place for it. */
RtPart *state_read_gone(StateParts *parts, const JsonValue *row, RtPart *was);
/* The type's name, by which what is kept knows its field again. */
Str state_type(const World *world, Arena *arena, const Type *type);

/* -- state.c -- */
/* Everything that is state, as one text that says the same of the same state. */
Str state_text(World *world, Rt *rt, Arena *arena);
/* The handler's name, and that of a function that was put off: of its acts. */
Str live_handler_name(World *world, const RtLife *life, int handler);

#endif
