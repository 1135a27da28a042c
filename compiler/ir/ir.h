/* The IR: typed, structured SSA. Units are gone, a point is three F values, names are indices.
 *
 * A function is one region: straight-line instructions, some of which (`if`, `for`) hold regions of their own that
 * yield values. There is no other control flow and no recursion (the call graph is acyclic), so every function ends.
 * A value is a number that is unique in its function; params, region params and instruction results define values.
 *
 *     text "by index, in order"
 *     extern @spine.nearest(R, F, F) -> (F) reads
 *     func @name(%0: F, %1: F) -> (F) {
 *       %2 = add.f %0, %1 !1:20:25                        ; the author's span: file:start:end
 *       %3 = lt.f %0, %1
 *       %4: F = if %3 { yield %2 } else { %5 = neg.f %2  yield %5 }
 *       %6: F = for %7 in %8, %9 carry (%10 = %4) { ... yield %11 }
 *       %12: F, %13: F = list.get 1, 3, %1, %2            ; immediates first, then operands
 *       return %6
 *     }
 *
 * Results of an op whose result types are its own ("?") carry them. Printer and reader are exact inverses
 * (but for comments and spacing).
 */
#ifndef WORLD_COMPILER_IR_IR_H
#define WORLD_COMPILER_IR_IR_H

/* clang-format off */

#include "lang/span.h"
#include "runtime/base/str.h"

typedef enum IrType { IR_B, IR_W, IR_I, IR_F, IR_R } IrType;

typedef enum IrOp {
#define OP(NAME, text, operands, results, effect, imm, glsl, doc) IR_##NAME,
#include "compiler/ir/op.def"
#undef OP
    IR_OP_COUNT
} IrOp;

typedef enum IrEffect {
    IR_PURE, IR_FAULTS, IR_READS, IR_DRAWS, IR_ALLOCATES, IR_CHANGES, IR_ACTS, IR_CALLS
} IrEffect;

typedef enum IrImm {
    IR_IMM_NONE, IR_IMM_BOOL, IR_IMM_WORD, IR_IMM_INT, IR_IMM_FLOAT, IR_IMM_TEXT, IR_IMM_FUNC, IR_IMM_EXTERN,
    IR_IMM_SLOT, IR_IMM_SHAPE, IR_IMM_FIELD, IR_IMM_INDEX, IR_IMM_FAULT, IR_IMM_CLOSURE
} IrImm;

typedef struct IrOpInfo {
    const char *text, *operands, *results, *glsl, *doc;
    IrEffect effect;
    IrImm imm;
} IrOpInfo;

const IrOpInfo *ir_op_info(IrOp op);
int ir_imm_count(IrImm imm);            /* immediates an instruction of that kind carries: 0, 1 or 2 */
extern const char ir_type_letters[];    /* "BWIFR", by IrType */
bool ir_type_of_letter(char letter, IrType *type);
extern const char *const ir_effect_names[]; /* "pure", "faults", ... by IrEffect */

typedef int32_t IrValue; /* -1: none */

typedef struct IrIns IrIns;

typedef struct IrRegion {
    VEC(IrValue) params; /* of a `for`: the counter, then the carried values */
    VEC(IrIns *) body;
    VEC(IrValue) yields; /* of a function's region: what it returns; of a `for` that may stop also, last, whether to go on */
} IrRegion;

struct IrIns {
    IrOp op;
    Span span;
    int result_count, arg_count;
    IrValue *results, *args;
    union {
        double f;
        int64_t i; /* BOOL, WORD, INT, and the first immediate of every index kind */
    } imm;
    int64_t imm2;        /* the second immediate: item width, slot offset, family, stream flag */
    IrRegion *regions;   /* IF: [then, else].  FOR: [body].  else NULL */
    int region_count;
};

typedef struct IrFunc {
    Str name;       /* "land.height"; unique in the module */
    int index;
    VEC(IrType) types;   /* by value */
    VEC(IrValue) params;
    VEC(IrType) results;
    IrRegion body;
    Span span;
    bool out_of_line; /* mathematics and noise: kept a call, compiled once per width */
    /* Worked out by ir_analyze: */
    bool batchable;   /* only PURE, FAULTS, READS ops, calls of such, and closures without a stream: may run many lanes at once */
    bool closures;    /* calls some, itself or by a callee */
    bool draws, allocates, acts, reads_parts;
    int weight;       /* instructions, callees included, saturated */
    int call_depth;   /* the longest chain of calls, this one counted */
    /* Worked out by own_count (compiler/own): */
    const IrRegion *counted; /* the body with its counting of holders; NULL: there is nothing to count */
    bool *takes;             /* by parameter: the caller gives up its hold on it; NULL: none */
} IrFunc;

typedef struct IrExtern {
    Str name;        /* "spine.nearest" */
    VEC(IrType) params, results;
    IrEffect effect; /* PURE, FAULTS, READS, DRAWS or ALLOCATES */
    bool takes;      /* operand 0: else it only looks at it (compiler/own) */
} IrExtern;

typedef struct IrModule {
    Arena *arena;
    VEC(IrFunc *) funcs;
    VEC(IrExtern) externs;
    VEC(Str) texts;
    uint32_t authors; /* the first source that is an author's; 0: all are */
    int64_t emitted; /* instructions so far, by builders and by passes that copy */
} IrModule;

/* Instructions of a module: lowering refuses to make more, optimizing copies none past it. */
enum { IR_MOST = 4000000 };

/* The region that is run. */
static inline const IrRegion *ir_run_body(const IrFunc *func) {
    return func->counted ? func->counted : &func->body;
}
/* Whether a `for` may stop before its bound: its region's last yield says whether to go on. */
static inline bool ir_for_stops(const IrIns *ins) {
    return ins->regions[0].yields.count > ins->result_count;
}
/* What the first immediate names, a function, a native or a text; ptr NULL when it is but a number. */
Str ir_imm_name(const IrModule *module, const IrIns *ins);

/* -- building (build.c): instructions are appended to the innermost open region -- */
typedef struct IrBuilder {
    IrModule *module;
    IrFunc *func;
    IrRegion *region;
    Span span; /* given to every instruction */
} IrBuilder;

IrModule *ir_module_create(Arena *arena);
/* A module that begins with all that `base` holds, which stays as it is: what is added is the new one's alone. Lives in
 * `arena`; base must outlive it. */
IrModule *ir_module_extend(Arena *arena, const IrModule *base);
int ir_module_text(IrModule *module, Str text);       /* interned */
IrFunc *ir_func_create(IrModule *module, Str name);
IrValue ir_func_param(IrModule *module, IrFunc *func, IrType type);
IrValue ir_value_new(IrModule *module, IrFunc *func, IrType type);
/* Appends an instruction of fixed result types; for "x" the type of its last operand. One result or none. */
IrValue ir_emit(IrBuilder *builder, IrOp op, const IrValue *args, int arg_count, int64_t imm, int64_t imm2);
IrValue ir_emit_float(IrBuilder *builder, double value);
/* Appends one whose results are given; they lie consecutively. An `if` gets its two empty regions; a `for` its one,
 * whose params (the counter, the carried values) are made here. Open one with `builder.region = &ins->regions[0]`. */
IrIns *ir_emit_many(IrBuilder *builder, IrOp op, const IrValue *args, int arg_count, int64_t imm, int64_t imm2,
                    const IrType *result_types, int result_count);

/* Adds a value to what the region gives (of a function's body: to what it returns). */
void ir_yield(IrBuilder *builder, IrRegion *region, IrValue value);
/* An instruction that stands nowhere yet; results, args and regions are allocated, not filled. */
IrIns *ir_ins_create(Arena *arena, IrOp op, int result_count, int arg_count);

/* -- walking (walk.c) -- */
/* Visits the instructions of a region, each before those in its own regions, until a visit answers false; answers
 * whether none did. What needs a region's params or yields too, or changes them, walks by itself. */
typedef bool (*IrVisit)(const IrIns *ins, void *user);
bool ir_each_ins(const IrRegion *region, IrVisit visit, void *user);
int ir_size(const IrRegion *region); /* instructions, those in regions too */
/* What machine code of a region has to be made of: the values its instructions take and give, and those of all functions
 * that it calls, each once. `seen`: by function, false at first. */
int64_t ir_reach(const IrModule *module, const IrRegion *region, bool *seen);

/* -- loops on their own (loop.c) -- */
/* A function, added to the module, that is one loop of `from` as it is run: its parameters are the loop's operands (so
 * the first is the round to go on from), then values of `from` by their numbers there; its results are the loop's. */
IrFunc *ir_loop_func(IrModule *module, const IrFunc *from, const IrIns *loop);

/* -- text -- */
void ir_print_module(StrBuf *out, const IrModule *module);
void ir_print_func(StrBuf *out, const IrModule *module, const IrFunc *func);
/* NULL with a message ("line 3: ...") in *error when the text is not a module. Never crashes on any text. */
IrModule *ir_read_module(Arena *arena, Str text, Str *error);

/* -- checking and facts -- */
/* False with a message when the module breaks a rule of this page or of op.def. */
bool ir_verify(const IrModule *module, Arena *arena, Str *error);
/* Of the functions from `first` on only: those before were verified and analyzed. */
bool ir_verify_from(const IrModule *module, int first, Arena *arena, Str *error);
/* Fills the facts of the functions from `first` on, callees first: those before are in use elsewhere and have theirs. */
void ir_analyze(IrModule *module, int first);

#endif
