/* One function on its way through settling. */
#ifndef WORLD_COMPILER_GLSL_FRAME_H
#define WORLD_COMPILER_GLSL_FRAME_H

#include "compiler/glsl/settle.h"

/* What a value of a function is: known now, or one of the settled function, or both (a uniform and what is made of uniforms
 * alone: conditions and whole numbers are decided by what it is now, numbers are worked out on the card). */
typedef struct Value {
    bool known;
    Slot slot;
    int cell;            /* 1 + that of a uniform, or 0 */
    IrValue to;          /* 1 + the value, or 0: a constant */
    const IrIns *closure; /* a function value that is made in sight */
    const struct Value *captures;
} Value;

typedef struct Frame {
    Glsl *glsl;
    IrBuilder *builder; /* of the settled function */
    const IrBinding *binding;
    const IrFunc *func;
    Value *values;
    Span call; /* the author's, of what is inside the library */
} Frame;

static inline IrType frame_type(const Frame *f, IrValue value) {
    return f->func->types.items[value];
}

static inline const Value *frame_arg(const Frame *f, const IrIns *ins, int i) {
    return &f->values[ins->args[i]];
}

static inline Span frame_span(const Frame *f, const IrIns *ins) {
    return ins->span.file >= f->glsl->input.authors ? ins->span : f->call;
}

static inline bool value_is_live(const Value *v) {
    return !v->known || v->cell || v->to;
}

static inline Value value_of(Slot slot) {
    return (Value){.known = true, .slot = slot};
}

/* settle.c */
/* The value in the settled function; of one that is known, a constant. */
IrValue frame_use(Frame *f, IrType type, const Value *value);
/* An object of the world as a value there: that of its cell. */
IrValue frame_use_cell(Frame *f, int cell);
/* What a cell or a capture holds: a number is a uniform by that name. */
Value frame_held(const Frame *f, IrType type, Slot slot, Str name);
bool settle_ins(Frame *f, const IrIns *ins);
bool settle_body(Frame *f, const IrRegion *region);

/* region.c */
bool settle_if(Frame *f, const IrIns *ins);
bool settle_for(Frame *f, const IrIns *ins);

/* call.c */
bool settle_call(Frame *f, const IrIns *ins);
bool settle_call_closure(Frame *f, const IrIns *ins);

#endif
