/* The emitter's own face: a Variant is one shape in which a function of the IR is compiled, a Unit
 * one LLVM module that is being filled, an Emit one LLVM function that is being written.
 *
 *     Unit (a kernel, or one out-of-line function)
 *       └─ the loop over elements ── calls ──> variant of the asked function
 *                                               └─ variants of what it calls, or a symbol
 *
 * Values: a value that analysis found uniform (the same in all lanes that are on) is an LLVM
 * scalar, any other a vector of `width` lanes. At width 1 everything is scalar and `if` and `for`
 * are branches. At larger widths they run under `mask` (<W x i1>; NULL: all lanes on); lanes that
 * are off hold any values, but never poison.
 */
#ifndef WORLD_COMPILER_LLVM_EMIT_H
#define WORLD_COMPILER_LLVM_EMIT_H

#include <llvm-c/Core.h>

#include "compiler/llvm/program.h"
#include "compiler/llvm/target.h"
#include "runtime/rt/layout.h"

/* A kernel or a function of its own: what jit.c asks for. */
typedef struct UnitShape {
    const Variant *root;
    bool kernel;
    uint64_t uniform; /* of a wide kernel: the columns that are */
} UnitShape;

typedef struct Unit {
    EmitProgram *program;
    Arena *arena; /* gone with the unit */
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    TargetAbility can;
    LLVMTypeRef void_type, b, w, i, f, r, f32;
    VEC(const Variant *) pending; /* declared; in the order of first call */
    int written;                  /* of them */
    VEC(Str) symbols;             /* what the module needs from outside, see session.h */
    int operations;
    bool whole;   /* of an object: what is kept a call is in it too */
    size_t held;  /* counted for LLVM, unit.c */
    bool vectors; /* a loop may become one of vectors */
    Str error;    /* empty: none */
} Unit;

/* Faults without details are not asked about one by one: the lanes in which an operation failed are
 * kept, and before anything else can record a fault, or a block ends, one branch asks whether there
 * was any (fault.c). */
enum { EMIT_PENDING = 16 };
typedef struct PendingFaults {
    LLVMValueRef bad[EMIT_PENDING]; /* scalar, or lanes that are on */
    int64_t code[EMIT_PENDING];
    int site[EMIT_PENDING];
    int count;
} PendingFaults;

/* Of a list or a grid: items (samples), and where they lie. */
typedef struct Header {
    LLVMValueRef length, items; /* NULL: not read yet */
} Header;

/* Where the header of a list is while a loop appends to it: on the stack, which LLVM makes registers. */
typedef struct Grown {
    LLVMValueRef length, items, capacity;
} Grown;

/* Of a whole number in a loop: numbers known before it. */
typedef struct Range {
    LLVMValueRef low, high; /* NULL: not known */
} Range;

typedef struct Emit {
    Unit *unit;
    LLVMBuilderRef builder;
    const Variant *variant;
    const IrFunc *func;
    int width;
    LLVMValueRef fn, rt, element, mask, args_row, results_row;
    LLVMValueRef *values;      /* by IrValue */
    LLVMValueRef *words;       /* by IrValue, of an int: its low 32 bits, where they came with it */
    Header *headers;           /* by IrValue: read before the loop, hoist.c and settle.c */
    Range *ranges;             /* by IrValue, while a loop's checks are asked before it: prove.c */
    const IrIns **made;        /* by IrValue, of that loop */
    bool *natural;             /* by IrValue: an int that is never below 0, natural.c */
    bool *proved;              /* by the first result, of a fault.if the condition: cannot fail */
    bool *settled;             /* by IrValue: a list that stays one object, with one holder, in the loop: settle.c */
    const Grown **grown;       /* by IrValue: a settled list that gets longer */
    LLVMValueRef fuel;         /* where the steps left are while a loop keeps them; NULL: in the Rt */
    int row_args, row_results; /* slots the two rows need */
    int loops; /* that this place is in */
    int texts; /* in which this place stands, version.c */
    int site; /* number of the instruction in its function, in the order of the text */
    PendingFaults pending;
} Emit;

/* -- natural.c -- */
void natural_find(Emit *e); /* fills e->natural */

/* -- emit.c: modules and functions -- */
/* Of an object once for each kernel. False with unit->error. */
bool emit_unit(Unit *unit, UnitShape shape);
void emit_unit_types(Unit *unit); /* of an object before the first */
LLVMTypeRef emit_type(const Unit *unit, IrType type, int lanes);
LLVMTypeRef emit_variant_type(Unit *unit, const Variant *variant);
/* The variant's LLVM function, declared on first wish and its body put on the list. */
LLVMValueRef emit_variant(Unit *unit, const Variant *variant);
/* A symbol from outside, by its name in jit.c; a pointer. */
LLVMValueRef emit_symbol(Unit *unit, Str name);
LLVMValueRef emit_text(Unit *unit, int64_t index);
LLVMValueRef emit_class(Unit *unit, int64_t index);
/* A block of zeros that reads of nothing go to; EMIT_ZERO_SLOTS slots. */
LLVMValueRef emit_zeros(Unit *unit);
/* Calls an entry of entry.def. */
LLVMValueRef emit_entry(Emit *e, JitEntryName name, LLVMValueRef *args, int count);
/* An intrinsic that is overloaded on one type. */
LLVMValueRef emit_intrinsic(Emit *e, const char *name, LLVMTypeRef type, LLVMValueRef *args,
                            int count);

/* A function's entry block, and its end when all is written. */
void emit_open_body(Emit *e);
void emit_close_body(Emit *e);
/* A row of slots on the function's stack. */
LLVMValueRef emit_row(Emit *e, int slots);
/* Seen in this module only; with an attribute of LLVM's. */
void emit_make_internal(Unit *unit, LLVMValueRef fn, const char *attribute);

/* -- outline.c -- */
void emit_long_region(Emit *e, const IrRegion *region);

/* -- kernel.c -- */
void emit_kernel(Unit *unit, UnitShape shape);
Str kernel_name(Arena *arena, UnitShape shape);

/* -- region.c: control flow -- */
void emit_region(Emit *e, const IrRegion *region);
void emit_one(Emit *e, const IrIns *ins);
LLVMValueRef emit_all_lanes(Emit *e); /* the mask, as a value */
/* What a region yields, each as wide as `like` says. */
LLVMValueRef *emit_yields_like(Emit *e, const IrRegion *region, const IrValue *like, int count);

/* -- loop.c -- */
void emit_for(Emit *e, const IrIns *ins);
void emit_steps(Emit *e, int64_t steps, LLVMBasicBlockRef refused);
LLVMValueRef emit_load_fuel(Emit *e);
LLVMValueRef emit_take_fuel(Emit *e, LLVMValueRef steps); /* asks nobody; what is left */
bool emit_is_leaf(const IrRegion *region);                /* no loop or call inside */
bool emit_may_double(const Emit *e, const IrRegion *region, int most); /* all its texts together have no more operations */

/* -- version.c: an instruction in two texts, the quick one first --
 *
 *     Versions v = versions_open(e, ins);    branch to the quick text or v.plain; write the quick one
 *     versions_turn(e, &v);                  write the plain one
 *     versions_close(e, &v);                 the results are of either
 */
typedef struct Versions {
    const IrIns *ins;
    int site;
    LLVMBasicBlockRef plain, next, from[2];
    LLVMValueRef *results; /* of the quick text */
} Versions;
Versions versions_open(Emit *e, const IrIns *ins);
void versions_turn(Emit *e, Versions *v);
void versions_close(Emit *e, Versions *v);
/* What was written and proved of the values of a region, before it is written again. */
void emit_forget(Emit *e, const IrRegion *region);

/* -- settle.c: lists that stay one object -- */
typedef struct SettledList {
    LLVMValueRef object;
    const IrValue *members;
    int count;
    const Grown *grown; /* NULL: it keeps its length */
} SettledList;
typedef struct Settled {
    VEC(SettledList) lists;
    Versions versions;
} Settled;
bool settle_open(Emit *e, const IrIns *loop, Settled *settled); /* false: there are none, and one text is written */
void settle_turn(Emit *e, Settled *settled);
void settle_close(Emit *e, Settled *settled);
void emit_load_grown(Emit *e, const Grown *grown, LLVMValueRef object);
void emit_store_grown(Emit *e, const Grown *grown, LLVMValueRef object);

/* -- prove.c: checks asked before the loop -- */
typedef struct Proof {
    Versions versions;
    bool counted; /* the quick text takes no steps: they were taken before it */
} Proof;
bool prove_open(Emit *e, const IrIns *loop, Proof *proof); /* false: nothing to prove, and one text is written */
void prove_turn(Emit *e, Proof *proof);
void prove_close(Emit *e, Proof *proof);

/* -- hoist.c: what is read before a loop instead of in it -- */
typedef struct Hoisted {
    const IrValue *values; /* whose headers were read */
    int count;
    bool fuel; /* it keeps the steps left */
} Hoisted;
Hoisted hoist_open(Emit *e, const IrIns *loop);
void hoist_close(Emit *e, Hoisted hoisted); /* behind the loop */
/* From the Rt to where a loop keeps them, or back; nothing when none does. */
void emit_move_fuel(Emit *e, bool from_rt);
/* Behind what may have failed: the step that a loop keeping them takes next is refused, if it has. */
void emit_end_loops(Emit *e);
/* Of a list or a grid that may be null (an empty one): `value`'s, in the lane that is looked at. */
Header emit_header(Emit *e, IrValue value, LLVMValueRef object, bool is_list);
Header emit_read_header(Emit *e, LLVMValueRef object, bool is_list);

/* -- value.c: lanes and small things -- */
/* Where a member of the runtime's structs lies. */
#define AT(e, type, member) layout_place(LAYOUT_##type, offsetof(type, member), (e)->unit->can.pointer)
LLVMValueRef emit_int(const Unit *unit, int64_t value);
LLVMValueRef emit_word(const Unit *unit, uint32_t value);
LLVMValueRef emit_bool(const Unit *unit, bool value);
LLVMValueRef emit_splat(Emit *e, LLVMValueRef scalar, int lanes);
LLVMValueRef emit_value(Emit *e, IrValue value,
                        int lanes); /* splatted when it is uniform and lanes > 1 */
bool emit_is_uniform(const Emit *e, IrValue value);
bool emit_is_vector(LLVMValueRef value);
LLVMBasicBlockRef emit_block(Emit *e, const char *name);
LLVMValueRef emit_phi(Emit *e, LLVMValueRef values[2], LLVMBasicBlockRef from[2]);
LLVMValueRef emit_any(Emit *e, LLVMValueRef lanes); /* is one of them on? lanes may be scalar */
LLVMValueRef emit_lane_bits(Emit *e, LLVMValueRef lanes);  /* <W x i1> as the low bits of an i64 */
LLVMValueRef emit_first_lane(Emit *e, LLVMValueRef lanes); /* its number; one must be on */
LLVMValueRef emit_and_mask(Emit *e, LLVMValueRef lanes);   /* those that are on as well */
LLVMValueRef emit_element(Emit *e);                        /* of the first lane that is on */
LLVMValueRef emit_field_address(Emit *e, LLVMValueRef object, size_t offset); /* in bytes */
LLVMValueRef emit_slot_address(Emit *e, LLVMValueRef row, int64_t index);
LLVMTypeRef emit_stored_type(const Unit *unit, IrType type, int lanes); /* how a type lies in a slot */
LLVMValueRef emit_from_slot(Emit *e, LLVMValueRef slot, IrType type, int lanes); /* as it was stored */
LLVMValueRef emit_load_slot(Emit *e, LLVMValueRef address, IrType type, int lanes);
void emit_store_slot(Emit *e, LLVMValueRef address, LLVMValueRef value, IrType type, int lanes);

/* -- fault.c -- */
/* A fault of the current instruction for the first lane of `bad` that is on. */
void emit_fault(Emit *e, LLVMValueRef bad, int64_t code);
/* The value, or a fault and zero. */
LLVMValueRef emit_or_fault(Emit *e, LLVMValueRef bad, int64_t code, LLVMValueRef value);
void emit_flush_faults(Emit *e);
void emit_fault_if(Emit *e, const IrIns *ins);
/* An index outside [0, length): `bad` scalar with a scalar index, or lanes that are on with one by
 * lane. */
void emit_fault_index(Emit *e, LLVMValueRef bad, LLVMValueRef index, LLVMValueRef length);
/* Behind a call: what has failed ends the loops, and a fault inside the library is told here, if it is an author's. */
void emit_after_call(Emit *e, bool tells);
void emit_call_fault_index(Emit *e, LLVMValueRef bad, LLVMValueRef index, LLVMValueRef length); /* here, without asking */
/* The address of the current instruction's span. */
LLVMValueRef emit_span(Emit *e);

/* -- scalar.c, convert.c: operations on B, W, I and F -- */
bool emit_scalar(Emit *e, const IrIns *ins, int lanes); /* true when it was one */
LLVMValueRef emit_exponent(Emit *e, LLVMValueRef a, int lanes);
LLVMValueRef emit_scale(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes);
LLVMValueRef emit_float_to_int(Emit *e, const IrIns *ins, int lanes);
LLVMValueRef emit_whole(Emit *e, const IrIns *ins, int lanes);
LLVMValueRef emit_power(Emit *e, LLVMValueRef a, int lanes);
LLVMValueRef emit_rest(Emit *e, LLVMValueRef a, LLVMValueRef b, int lanes);
LLVMValueRef emit_int_to_float(Emit *e, LLVMValueRef a, int lanes);
LLVMValueRef emit_round_f32(Emit *e, LLVMValueRef a, int lanes);

/* -- object.c: lists, grids, parts, closures, externs; one lane's operands in, its results out --
 */
void emit_object(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results);

/* -- list.c: making and changing lists, and the counting of holders -- */
bool emit_list(Emit *e, const IrIns *ins, const LLVMValueRef *args, LLVMValueRef *results);
uint64_t emit_object_bits(const Emit *e, const IrIns *ins, int first); /* bit i: operand first + i is one */
void emit_retain(Emit *e, LLVMValueRef object);
LLVMValueRef emit_is_ours(Emit *e, LLVMValueRef list_or_zeros); /* nobody else holds it */
/* Operands first.. in a row in memory, and a row for results: a NULL pointer when there are none. */
LLVMValueRef emit_store_args(Emit *e, const IrIns *ins, const LLVMValueRef *args, int first);
LLVMValueRef emit_results_row(Emit *e, int count);

/* No object reads as zeros. */
LLVMValueRef emit_null_to_zeros(Emit *e, LLVMValueRef object);
LLVMValueRef emit_load_field(Emit *e, LLVMTypeRef type, LLVMValueRef object, size_t offset);
LLVMValueRef emit_grid_size(Emit *e, LLVMValueRef grid); /* samples and tail; grid not null */

/* -- lanes.c: object operations whose operands differ by lane -- */
void emit_lanes(Emit *e, const IrIns *ins);

/* -- gather.c: items of one list and samples of one grid, by lane; true when it was that -- */
bool emit_gather(Emit *e, const IrIns *ins);

#endif
