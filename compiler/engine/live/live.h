/* A world that runs, from inside: steps, and state written down and read (runtime/rt/life.h does the work of a tick). */
#ifndef WORLD_COMPILER_ENGINE_LIVE_LIVE_H
#define WORLD_COMPILER_ENGINE_LIVE_LIVE_H

#include "compiler/engine/ask/ask.h"
#include "compiler/files/json.h"
#include "runtime/rt/life.h"

/* The world's life, begun if need be; NULL after an error, which is reported. */
RtLife *live_begin(World *world, Rt *rt, WorldStatus *status);

/* -- state_value.c: values that can be kept (check: act_keeps), as JSON and back -- */
void state_write(World *world, StrBuf *out, const Type *type, const Slot *slots);
/* False: it is no value of the type, or names a part that does not stand. */
bool state_read(World *world, Rt *rt, const Type *type, const JsonValue *json, Slot *slots);
void state_write_part(StrBuf *out, const RtPart *part);
/* The part of a path; NULL: there is none. */
RtPart *state_find_part(World *world, Rt *rt, Str path);
/* A design's whole name, which no other has: "light.lamp"; and the design of one. */
Str state_design(const World *world, Arena *arena, const RtClass *cls);
const RtClass *state_find_design(const World *world, Str name);
/* The type's name, by which what is kept knows its field again. */
Str state_type(const World *world, Arena *arena, const Type *type);

/* -- state.c -- */
/* Everything that is state, as one text that says the same of the same state. */
Str state_text(World *world, Rt *rt, Arena *arena);
/* The handler's name, and that of a function that was put off: of its acts. */
Str live_handler_name(World *world, const RtLife *life, int handler);

#endif
