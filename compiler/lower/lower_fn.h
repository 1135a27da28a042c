/* What the files of this room share: a function while it is lowered.
 *
 * A tree node becomes a row of IR values, one a slot of its type. A local is such a row;
 * assigning a `var` puts a new row in its place, and `if` and `each` carry the rows that their
 * inside assigns through yields (that is all that SSA needs in a language without jumps).
 */
#ifndef WORLD_COMPILER_LOWER_LOWER_FN_H
#define WORLD_COMPILER_LOWER_LOWER_FN_H

#include "compiler/lower/lower.h"

typedef struct Slots {
    IrValue *items;
    int count;
} Slots;

typedef struct FnLowering FnLowering;
struct FnLowering {
    Lowering *lowering;
    const TreeProgram *program;
    Arena *arena;
    IrBuilder builder;
    const TreeFn *fn;
    IrValue self, stream; /* -1: none */
    Slots *locals;        /* by local; valid where `defined` */
    bool *defined;
};

/* lower.c: the IR function of what is called or made a value */
int lower_target(FnLowering *l, const TreeFn *fn);

/* lower_expr.c */
Slots lower_tree(FnLowering *l, const Tree *tree);
IrValue lower_single(FnLowering *l, const Tree *tree); /* of a type of one slot */

/* Keeps where the tree's value is; -1: nowhere. */
void lower_note(FnLowering *l, IrValue value, const Tree *tree);

/* lower_op.c */
Slots lower_op(FnLowering *l, const Tree *tree);
Slots lower_convert(FnLowering *l, const Tree *tree);
IrValue lower_equal(FnLowering *l, const Type *type, const IrValue *a, const IrValue *b);

/* lower_list.c */
Slots lower_list(FnLowering *l, const Tree *tree);
/* Bit i: slot i holds an object. */
int64_t lower_object_bits(const char *letters, int count);
IrValue lower_list_append(FnLowering *l, IrValue list, Slots item);
IrValue lower_list_join(FnLowering *l, const Tree *left, const Tree *right);
IrValue lower_list_equal(FnLowering *l, const Type *element, IrValue a, IrValue b);

/* lower_place.c */
/* Gives a place new slots: `apply` makes them of the old ones, which are none unless `reads`. */
typedef Slots PlaceChange(FnLowering *l, void *user, Slots old);
void lower_place(FnLowering *l, const Tree *place, bool reads, PlaceChange *apply, void *user);
int lower_place_root(const Tree *place);
void lower_set(FnLowering *l, const Tree *tree); /* SET */

/* lower_flow.c */
Slots lower_if(FnLowering *l, const Tree *tree); /* IF, AND, OR */
Slots lower_block(FnLowering *l, const Tree *tree);
void lower_statement(FnLowering *l, const Tree *tree);

/* lower_call.c */
Slots lower_call(FnLowering *l, const Tree *tree);
Slots lower_call_value(FnLowering *l, const Tree *tree);
Slots lower_lambda(FnLowering *l, const Tree *tree);
/* A call of the native function of that name, which the module gets on first use. */
Slots lower_native(FnLowering *l, Str name, NativeEffect stated, const IrValue *args, int arg_count,
                   const char *results, int result_count);
void lower_fault(FnLowering *l, const Tree *tree);

/* lower_part.c */
Slots lower_part(FnLowering *l, const Tree *tree); /* ROOT .. FAMILY, DESIGN */
Slots lower_field(FnLowering *l, const Tree *tree, int first, int count);
Slots lower_capture(FnLowering *l, const Tree *tree, int first, int count);
void lower_part_make(FnLowering *l, const Tree *tree);
Slots lower_spawn(FnLowering *l, const Tree *tree);
void lower_act(FnLowering *l, const Tree *tree); /* ACT_SET, ACT_ADD */

/* Small shorthands. */
static inline Slots slots_new(FnLowering *l, int count) {
    return (Slots){ARENA_ARRAY(l->arena, IrValue, count), count};
}

static inline Slots slots_one(FnLowering *l, IrValue value) {
    Slots slots = slots_new(l, 1);
    slots.items[0] = value;
    return slots;
}

static inline IrValue emit1(FnLowering *l, IrOp op, IrValue a) {
    return ir_emit(&l->builder, op, &a, 1, 0, 0);
}

static inline IrValue emit2(FnLowering *l, IrOp op, IrValue a, IrValue b) {
    return ir_emit(&l->builder, op, (IrValue[]){a, b}, 2, 0, 0);
}

static inline IrValue emit_const(FnLowering *l, IrOp op, int64_t value) {
    return ir_emit(&l->builder, op, NULL, 0, value, 0);
}

/* An instruction with results of its own types. */
Slots emit_slots(FnLowering *l, IrOp op, const IrValue *args, int arg_count, int64_t imm,
                 int64_t imm2, const char *letters, int count);
IrType lower_letter(char letter);

#endif
