/* A program is made top down: a function is a budget of instructions; each is a random row of
 * op.def whose operands are values in scope or fresh constants. Regions take their part of the
 * budget. */
#include "tests/support/irgen.h"

#include <math.h>

#include "compiler/ir/eval.h"
#include "compiler/own/own.h"

enum { LIST_WIDTH = 2, MAX_DEPTH = 3, MAX_ROUNDS = 3 };

typedef struct Pool {
    VEC(IrValue) values[5]; /* by IrType; of R only plain lists */
    VEC(IrValue) grids, streams, closures;
    VEC(IrValue) nests; /* lists of lists */
} Pool;

typedef struct Gen {
    IrGenOptions options;
    IrGenProgram *program;
    IrBuilder builder;
    Arena *arena;
    Pool pool;
    uint64_t drawn;
    int budget, depth, loops;
} Gen;

uint64_t irgen_hash(uint64_t seed, uint64_t index) {
    uint64_t z = seed * 0x9e3779b97f4a7c15u + index + 0x632be59bd9b4e019u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double irgen_double(uint64_t bits) {
    static const double awkward[] = {0.0,
                                     -0.0,
                                     1.0,
                                     -1.0,
                                     0.5,
                                     INFINITY,
                                     -INFINITY,
                                     NAN,
                                     0x1p-1074,
                                     0x1p1023,
                                     0x1.fffffffffffffp52,
                                     3.0,
                                     1e-300,
                                     -7.25,
                                     0x1p63,
                                     1e9};
    uint64_t pick = bits % 8;
    if (pick == 0 && bits / 512 % 2) return awkward[bits / 8 % 16];
    double unit = (double)(bits >> 11) * 0x1p-53;
    if (pick == 1) return eval_scale(unit - 0.5, (int64_t)(bits >> 3 & 127) - 64);
    return unit * 40 - 20;
}

int64_t irgen_int(uint64_t bits) {
    static const int64_t awkward[] = {0, 1, -1, INT64_MAX, INT64_MIN, 7, 1ll << 32, 3};
    if (bits % 64 == 0) return awkward[bits / 64 % 8];
    return (int64_t)(bits / 16 % 41) - 20;
}

/* A fuzzer's bytes, two at a time, while there are any; then, or without them, the seed. */
static uint64_t draw(Gen *g) {
    IrGenOptions *options = &g->options;
    if (options->bytes == NULL) return irgen_hash(options->seed, g->drawn++);
    if (options->byte_count < 2) return 0;
    uint64_t pair = options->bytes[0] | (uint64_t)options->bytes[1] << 8;
    options->bytes += 2;
    options->byte_count -= 2;
    return pair | irgen_hash(0, pair) << 16;
}

static int below(Gen *g, int n) {
    return (int)(draw(g) % (uint64_t)n);
}

static IrType type_of(const Gen *g, IrValue value) {
    return g->builder.func->types.items[value];
}

static IrValue emit(Gen *g, IrOp op, const IrValue *args, int count, int64_t imm, int64_t imm2) {
    g->builder.span.start++;
    g->builder.span.end = g->builder.span.start + 1;
    g->budget--;
    return ir_emit(&g->builder, op, args, count, imm, imm2);
}

static IrValue emit_constant(Gen *g, IrType type) {
    switch (type) {
    case IR_B:
        return emit(g, IR_CONST_B, NULL, 0, below(g, 2), 0);
    case IR_W:
        return emit(g, IR_CONST_W, NULL, 0,
                    (int64_t)(uint32_t)(below(g, 2) ? draw(g) : draw(g) % 40), 0);
    case IR_I:
        return emit(g, IR_CONST_I, NULL, 0, irgen_int(draw(g)), 0);
    case IR_F:
        g->builder.span.start++;
        return ir_emit_float(&g->builder, irgen_double(draw(g)));
    case IR_R: /* the list that came as a parameter, seldom null */
        if (g->pool.values[IR_R].count && below(g, 16)) return g->pool.values[IR_R].items[0];
        return emit(g, IR_NULL_R, NULL, 0, 0, 0);
    }
    return -1;
}

static IrValue pick(Gen *g, IrType type) {
    int count = g->pool.values[type].count;
    if (count == 0 || below(g, 8) == 0) return emit_constant(g, type);
    int back =
        below(g, 3) ? below(g, count < 6 ? count : 6) : below(g, count); /* mostly recent ones */
    return g->pool.values[type].items[count - 1 - back];
}

static void offer(Gen *g, IrValue value) {
    if (value >= 0) VEC_PUSH(g->arena, &g->pool.values[type_of(g, value)], value);
}

static void offer_results(Gen *g, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        offer(g, ins->results[i]);
}

static IrIns *emit_many(Gen *g, IrOp op, const IrValue *args, int count, int64_t imm, int64_t imm2,
                        const IrType *types, int type_count) {
    g->builder.span.start++;
    g->builder.span.end = g->builder.span.start + 1;
    g->budget--;
    return ir_emit_many(&g->builder, op, args, count, imm, imm2, types, type_count);
}

/* -- plain operations, from the table -- */

static bool is_plain(IrOp op) {
    const IrOpInfo *info = ir_op_info(op);
    if (info->imm != IR_IMM_NONE || info->operands[0] == '\0' || info->results[0] == '?')
        return false;
    if (info->effect != IR_PURE && info->effect != IR_FAULTS) return false;
    return strspn(info->operands, "BWIFx") == strlen(info->operands);
}

static void gen_plain(Gen *g) {
    IrOp op;
    int tries = 0; /* bytes that ended say 0 for ever */
    do
        op = tries++ < 100 ? (IrOp)below(g, IR_OP_COUNT) : IR_ADD_F;
    while (!is_plain(op) || (ir_op_info(op)->effect == IR_FAULTS && below(g, 4)));
    const char *letters = ir_op_info(op)->operands;
    IrType x = (IrType)below(g, 4);
    IrValue args[4];
    int count = (int)strlen(letters);
    for (int i = 0; i < count; i++) {
        IrType type = x;
        ir_type_of_letter(letters[i], &type);
        args[i] = pick(g, type);
    }
    offer(g, emit(g, op, args, count, 0, 0));
}

/* A whole number in [0, limit), by a mask that cannot fault. */
static IrValue small_int(Gen *g, int64_t limit_bits) {
    IrValue word = emit(g, IR_I_TO_W, (IrValue[]){pick(g, IR_I)}, 1, 0, 0);
    IrValue mask = emit(g, IR_CONST_W, NULL, 0, limit_bits, 0);
    IrValue low = emit(g, IR_AND_W, (IrValue[]){word, mask}, 2, 0, 0);
    return emit(g, IR_W_TO_I, (IrValue[]){low}, 1, 0, 0);
}

/* -- objects -- */

static IrValue pick_index(Gen *g) {
    return below(g, 24) ? small_int(g, 3) : pick(g, IR_I);
}

static void gen_list(Gen *g) {
    IrValue list = pick(g, IR_R);
    int what = below(g, g->options.batchable ? 3 : 10);
    if (what < 2) {
        IrType types[2] = {IR_F, IR_F};
        int offset = below(g, 2);
        offer_results(g, emit_many(g, IR_LIST_GET, (IrValue[]){list, pick_index(g)}, 2, offset,
                                   LIST_WIDTH, types, 1 + below(g, 2 - offset)));
    } else if (what == 2) {
        offer(g, emit(g, IR_LIST_LENGTH, &list, 1, 0, 0));
    } else if (what == 3) {
        offer(g, emit(g, IR_LIST_NEW, (IrValue[]){small_int(g, 7)}, 1, 0, LIST_WIDTH));
    } else if (what == 4) {
        IrValue args[] = {list, pick(g, IR_F), pick(g, IR_F)};
        offer(g, emit(g, IR_LIST_APPEND, args, 3, 0, LIST_WIDTH));
    } else if (what == 5) {
        IrValue args[] = {small_int(g, 7), pick(g, IR_F), pick(g, IR_F)};
        offer(g, emit(g, IR_LIST_FILL, args, 3, 0, LIST_WIDTH));
    } else if (what == 6) {
        IrValue rest = below(g, 4) ? emit(g, IR_LIST_LENGTH, &list, 1, 0, 0) : small_int(g, 1);
        offer(g, emit(g, IR_LIST_CUT, (IrValue[]){list, rest}, 2, 0, 0));
    } else {
        int offset = below(g, 2);
        IrValue args[] = {list, pick_index(g), pick(g, IR_F), pick(g, IR_F)};
        offer(g, emit(g, IR_LIST_SET, args, 3 + below(g, 2 - offset), offset, LIST_WIDTH));
    }
}

/* Lists of lists: made, grown, read, changed, and an item taken out, changed and put back. */
static void gen_nest(Gen *g) {
    enum { ONE_OBJECT = 1 };
    IrValue room = small_int(g, 3), list = pick(g, IR_R), made;
    int count = g->pool.nests.count;
    if (g->options.batchable) return;
    if (count == 0 || below(g, 4) == 0) {
        made = emit(g, IR_LIST_FILL, (IrValue[]){room, list}, 2, ONE_OBJECT, 1);
        VEC_PUSH(g->arena, &g->pool.nests, made);
        return;
    }
    IrValue nest = g->pool.nests.items[below(g, count)], index = pick_index(g);
    IrType types[2] = {IR_R, IR_R};
    int what = below(g, 5);
    if (what < 2) {
        offer_results(g, emit_many(g, IR_LIST_GET, (IrValue[]){nest, index}, 2, 0, 1, types, 1));
        return;
    }
    if (what == 2) {
        made = emit(g, IR_LIST_APPEND, (IrValue[]){nest, list}, 2, ONE_OBJECT, 1);
    } else if (what == 3) {
        made = emit(g, IR_LIST_SET, (IrValue[]){nest, index, list}, 3, 0, 1);
    } else {
        IrIns *take = emit_many(g, IR_LIST_TAKE, (IrValue[]){nest, index}, 2, 0, 1, types, 2);
        IrValue args[] = {take->results[1], pick(g, IR_F), pick(g, IR_F)};
        IrValue longer = emit(g, IR_LIST_APPEND, args, 3, 0, LIST_WIDTH);
        made = emit(g, IR_LIST_SET, (IrValue[]){take->results[0], index, longer}, 3, 0, 1);
    }
    VEC_PUSH(g->arena, &g->pool.nests, made);
}

static void gen_grid(Gen *g) {
    static const IrOp facts[] = {IR_GRID_COLUMNS, IR_GRID_ROWS, IR_GRID_CELL,
                                 IR_GRID_X0,      IR_GRID_Z0,   IR_GRID_OUTSIDE};
    if (g->pool.grids.count == 0) return;
    IrValue grid = g->pool.grids.items[below(g, g->pool.grids.count)];
    if (below(g, 3) == 0)
        offer(g, emit(g, facts[below(g, 6)], &grid, 1, 0, 0));
    else
        offer(g, emit(g, IR_GRID_GET,
                      (IrValue[]){grid, below(g, 24) ? small_int(g, 3) : pick(g, IR_I)}, 2, 0, 0));
}

static void gen_draw(Gen *g) {
    if (g->options.batchable || g->pool.streams.count == 0) return;
    offer(g, emit(g, IR_DRAW_W, &g->pool.streams.items[0], 1, 0, 0));
}

static void gen_text(Gen *g) {
    IrValue a = emit(g, IR_CONST_TEXT, NULL, 0, below(g, 2), 0);
    IrValue b = emit(g, IR_CONST_TEXT, NULL, 0, below(g, 2), 0);
    IrValue chosen = emit(g, IR_SELECT, (IrValue[]){pick(g, IR_B), a, b}, 3, 0, 0);
    offer(g, emit(g, IR_EQ_R, (IrValue[]){chosen, a}, 2, 0, 0));
}

static void gen_fault(Gen *g) {
    IrValue rare = emit(g, IR_EQ_I, (IrValue[]){pick(g, IR_I), pick(g, IR_I)}, 2, 0, 0);
    IrValue also = emit(g, IR_AND_B, (IrValue[]){rare, pick(g, IR_B)}, 2, 0, 0);
    also = emit(
        g, IR_AND_B,
        (IrValue[]){also, emit(g, IR_LT_F, (IrValue[]){pick(g, IR_F), pick(g, IR_F)}, 2, 0, 0)}, 2,
        0, 0);
    IrValue args[] = {also, pick(g, IR_F), pick(g, IR_I)};
    emit(g, IR_FAULT_IF, args, 1 + below(g, 3), RT_FAULT_ARGUMENT, 0);
}

/* -- calls -- */

static void gen_extern(Gen *g) {
    const IrModule *module = g->program->module;
    int index = below(g, module->externs.count);
    const IrExtern *native = &module->externs.items[index];
    IrValue args[4];
    for (int i = 0; i < native->params.count; i++)
        args[i] = pick(g, native->params.items[i]);
    offer_results(g, emit_many(g, IR_CALL_EXTERN, args, native->params.count, index, 0,
                               native->results.items, native->results.count));
}

static bool pick_arg(Gen *g, const IrFunc *callee, int func, int param, IrValue *arg) {
    IrGenKind kind = g->program->kinds[func][param];
    if (kind == IRGEN_GRID && g->pool.grids.count == 0) return false;
    if (kind == IRGEN_STREAM && g->pool.streams.count == 0) return false;
    if (kind == IRGEN_CLOSURE)
        *arg = g->pool.closures.items[0]; /* all but function 0 have one, and none is called by that */
    else if (kind == IRGEN_GRID)
        *arg = g->pool.grids.items[0];
    else if (kind == IRGEN_STREAM)
        *arg = g->pool.streams.items[0];
    else
        *arg = pick(g, callee->types.items[callee->params.items[param]]);
    return true;
}

static bool pick_args(Gen *g, const IrFunc *callee, int from, IrValue *args) {
    for (int i = from; i < callee->params.count; i++)
        if (!pick_arg(g, callee, callee->index, i, &args[i])) return false;
    return true;
}

static void gen_call(Gen *g) {
    int index = g->builder.func->index;
    IrValue args[16];
    if (index == 0 || g->loops > 1) return;
    const IrFunc *callee = g->program->module->funcs.items[below(g, index)];
    if (!pick_args(g, callee, 0, args)) return;
    offer_results(g, emit_many(g, IR_CALL, args, callee->params.count, callee->index, 0,
                               callee->results.items, callee->results.count));
}

/* The closure that came as a parameter. */
static void call_given(Gen *g) {
    const IrFunc *callee = g->program->module->funcs.items[0];
    int first = g->program->captures, rest = callee->params.count - first;
    IrValue args[18] = {g->pool.closures.items[0], emit(g, IR_NULL_R, NULL, 0, 0, 0)}, given[18];
    if (!pick_args(g, callee, first, given)) return;
    memcpy(args + 2, given + first, sizeof *args * (size_t)rest);
    offer_results(g, emit_many(g, IR_CALL_CLOSURE, args, rest + 2, 0, 0, callee->results.items, callee->results.count));
}

/* A closure of an earlier function over its first parameters, called at once. */
static void gen_closure(Gen *g) {
    int index = g->builder.func->index;
    IrValue args[18];
    if (index == 0 || g->loops > 1) return;
    if (g->options.batchable) {
        call_given(g);
        return;
    }
    const IrFunc *callee = g->program->module->funcs.items[below(g, index)];
    int captures = below(g, callee->params.count + 1);
    if (!pick_args(g, callee, 0, args + 2)) return;
    args[0] = args[1] = -1;
    IrType type = IR_R;
    IrIns *closure = emit_many(g, IR_CLOSURE, args + 2, captures, callee->index, 0, &type, 1);
    IrValue call[18] = {closure->results[0], emit(g, IR_NULL_R, NULL, 0, 0, 0)};
    int rest = callee->params.count - captures;
    memcpy(call + 2, args + 2 + captures, sizeof *call * (size_t)rest);
    offer_results(g, emit_many(g, IR_CALL_CLOSURE, call, rest + 2, 0, 0, callee->results.items,
                               callee->results.count));
}

/* -- regions -- */

static void gen_body(Gen *g, int budget);

typedef struct Scope {
    IrRegion *region;
    int counts[5], nests;
    int budget;
} Scope;

static Scope open_region(Gen *g, IrRegion *region) {
    Scope scope = {.region = g->builder.region, .budget = g->budget};
    for (int t = 0; t < 5; t++)
        scope.counts[t] = g->pool.values[t].count;
    scope.nests = g->pool.nests.count;
    g->builder.region = region;
    g->depth++;
    return scope;
}

static void close_region(Gen *g, Scope scope, const IrType *types, int count) {
    IrRegion *region = g->builder.region;
    for (int i = 0; i < count; i++)
        ir_yield(&g->builder, region, pick(g, types[i]));
    g->builder.region = scope.region;
    for (int t = 0; t < 5; t++)
        g->pool.values[t].count = scope.counts[t];
    g->pool.nests.count = scope.nests;
    g->depth--;
}

static int pick_types(Gen *g, IrType *types) {
    int count = below(g, 4);
    for (int i = 0; i < count; i++)
        types[i] = (IrType)below(g, below(g, 4) ? 4 : 5);
    return count;
}

static void gen_if(Gen *g) {
    IrType types[4];
    int count = pick_types(g, types), part = g->budget / 3;
    IrValue condition = pick(g, IR_B);
    IrIns *ins = emit_many(g, IR_IF, &condition, 1, 0, 0, types, count);
    for (int side = 0; side < 2; side++) {
        Scope scope = open_region(g, &ins->regions[side]);
        gen_body(g, below(g, 4) ? part : 0);
        close_region(g, scope, types, count);
    }
    offer_results(g, ins);
}

static void gen_for(Gen *g) {
    IrType types[4];
    int count = pick_types(g, types), part = g->budget / 2;
    IrValue args[6] = {below(g, 2) ? emit(g, IR_CONST_I, NULL, 0, below(g, 3), 0)
                                   : small_int(g, 1)};
    args[1] = below(g, 2) ? emit(g, IR_CONST_I, NULL, 0, below(g, MAX_ROUNDS + 2), 0)
                          : small_int(g, MAX_ROUNDS);
    for (int i = 0; i < count; i++)
        args[i + 2] = pick(g, types[i]);
    IrIns *ins = emit_many(g, IR_FOR, args, count + 2, 0, 0, types, count);
    Scope scope = open_region(g, &ins->regions[0]);
    for (int i = 0; i < ins->regions[0].params.count; i++)
        offer(g, ins->regions[0].params.items[i]);
    g->loops++;
    gen_body(g, part);
    g->loops--;
    IrValue go_on = below(g, 3) ? -1 : pick(g, IR_B); /* one in three may stop */
    close_region(g, scope, types, count);
    if (go_on >= 0) ir_yield(&g->builder, &ins->regions[0], go_on);
    offer_results(g, ins);
}

/* -- sweeps: loops of many rounds over one list, to its ends and sometimes past them -- */

static IrValue constant_i(Gen *g, int64_t value) {
    return emit(g, IR_CONST_I, NULL, 0, value, 0);
}

/* i * c + d, sometimes of the other loop too, sometimes so large that it overflows. */
static IrValue sweep_index(Gen *g, IrValue i, IrValue other) {
    static const int64_t factors[] = {1, 1, 1, 1, 2, -1, INT64_MAX / 4};
    IrValue factor = constant_i(g, factors[below(g, 20) ? below(g, 5) : below(g, 7)]);
    IrValue scaled = emit(g, IR_MUL_I, (IrValue[]){i, factor}, 2, 0, 0);
    IrValue far = below(g, 3) ? constant_i(g, below(g, 3) - 1) : below(g, 2) ? other : pick(g, IR_I);
    IrValue index = emit(g, below(g, 4) ? IR_ADD_I : IR_SUB_I, (IrValue[]){scaled, far}, 2, 0, 0);
    if (below(g, 3)) return index;
    return emit(g, IR_MOD_I, (IrValue[]){index, constant_i(g, 1 + below(g, 30))}, 2, 0, 0);
}

static IrValue sweep_change(Gen *g, IrValue list, IrValue index) {
    IrValue x = pick(g, IR_F);
    if (below(g, 5) == 0) return emit(g, IR_LIST_APPEND, (IrValue[]){list, x, pick(g, IR_F)}, 3, 0, LIST_WIDTH);
    return emit(g, IR_LIST_SET, (IrValue[]){list, index, x}, 3, below(g, 2), LIST_WIDTH);
}

/* The list changed on one side of a condition. */
static IrValue sweep_if(Gen *g, IrValue list, IrValue index) {
    IrType types[] = {IR_R};
    IrValue condition = pick(g, IR_B);
    IrIns *ins = emit_many(g, IR_IF, &condition, 1, 0, 0, types, 1);
    for (int side = 0; side < 2; side++) {
        Scope scope = open_region(g, &ins->regions[side]);
        IrValue changed = side ? list : sweep_change(g, list, index);
        ir_yield(&g->builder, g->builder.region, changed);
        close_region(g, scope, NULL, 0);
    }
    return ins->results[0];
}

static IrValue sweep_loop(Gen *g, IrValue list, IrValue other, int inner) {
    IrType types[] = {IR_R, IR_F, IR_I};
    IrValue length = emit(g, IR_LIST_LENGTH, &list, 1, 0, 0);
    IrValue end = emit(g, IR_ADD_I, (IrValue[]){length, constant_i(g, below(g, 3) - 2)}, 2, 0, 0);
    IrValue args[] = {constant_i(g, below(g, 4) ? below(g, 2) : -1), end, list, pick(g, IR_F), pick(g, IR_I)};
    IrIns *loop = emit_many(g, IR_FOR, args, 5, 0, 0, types, 3);
    const IrValue *params = loop->regions[0].params.items;
    Scope scope = open_region(g, &loop->regions[0]);
    for (int i = 0; i < 4; i++)
        offer(g, params[i]);
    IrValue now = params[1], sum = params[2];
    for (int i = 1 + below(g, 4); i > 0; i--) {
        IrValue index = sweep_index(g, params[0], other);
        IrIns *got = emit_many(g, IR_LIST_GET, (IrValue[]){below(g, 6) ? now : list, index}, 2, 0, LIST_WIDTH,
                               (IrType[]){IR_F}, 1);
        sum = emit(g, IR_ADD_F, (IrValue[]){sum, got->results[0]}, 2, 0, 0);
        offer(g, sum);
        if (below(g, 3)) now = below(g, 3) ? sweep_change(g, now, index) : sweep_if(g, now, index);
    }
    if (inner > 0) now = sweep_loop(g, now, params[0], inner - 1);
    IrValue yields[] = {now, sum, below(g, 2) ? params[3] : emit(g, IR_ADD_I, (IrValue[]){params[3], params[0]}, 2, 0, 0)};
    for (int i = 0; i < 3; i++)
        ir_yield(&g->builder, &loop->regions[0], yields[i]);
    if (below(g, 4) == 0) ir_yield(&g->builder, &loop->regions[0], pick(g, IR_B));
    close_region(g, scope, NULL, 0);
    offer_results(g, loop);
    return loop->results[0];
}

static void gen_sweep(Gen *g) {
    IrValue fill[] = {constant_i(g, below(g, 4) ? 7 + below(g, 6) : below(g, 7)), pick(g, IR_F), pick(g, IR_F)};
    IrValue list = below(g, 8) ? emit(g, IR_LIST_FILL, fill, 3, 0, LIST_WIDTH) : pick(g, IR_R);
    if (below(g, 4) == 0) offer(g, list); /* others may hold it */
    sweep_loop(g, list, pick(g, IR_I), below(g, 6) ? 0 : 1);
}

/* -- short lists: of a length that is known, walked, changed, made one of another; now and then they leave -- */

static IrValue short_new(Gen *g, int length) {
    IrValue list = emit(g, IR_LIST_NEW, (IrValue[]){constant_i(g, length)}, 1, 0, LIST_WIDTH);
    for (int i = 0; i < length; i++)
        list = emit(g, IR_LIST_APPEND, (IrValue[]){list, pick(g, IR_F), pick(g, IR_F)}, 3, 0, LIST_WIDTH);
    return list;
}

static IrValue short_item(Gen *g, IrValue list, IrValue index) {
    return emit_many(g, IR_LIST_GET, (IrValue[]){list, index}, 2, below(g, 2), LIST_WIDTH, (IrType[]){IR_F}, 1)->results[0];
}

static IrValue short_changed(Gen *g, IrValue list, int length) {
    IrValue index = below(g, 3) ? constant_i(g, below(g, length + (below(g, 4) == 0))) : pick_index(g);
    return emit(g, IR_LIST_SET, (IrValue[]){list, index, pick(g, IR_F)}, 3, below(g, 2), LIST_WIDTH);
}

/* Changed on one side, and on the other left, or made longer too. */
static IrValue short_if(Gen *g, IrValue list, int length) {
    IrValue condition = pick(g, IR_B);
    IrIns *ins = emit_many(g, IR_IF, &condition, 1, 0, 0, (IrType[]){IR_R}, 1);
    for (int side = 0; side < 2; side++) {
        Scope scope = open_region(g, &ins->regions[side]);
        IrValue changed = side || below(g, 6) ? list : emit(g, IR_LIST_APPEND, (IrValue[]){list, pick(g, IR_F), pick(g, IR_F)}, 3, 0, LIST_WIDTH);
        if (side == 0 && changed == list) changed = short_changed(g, list, length);
        ir_yield(&g->builder, g->builder.region, changed);
        close_region(g, scope, NULL, 0);
    }
    return ins->results[0];
}

/* Sums a list up while it makes another of it, which has as many items or half as many again. */
static IrValue short_walk(Gen *g, IrValue list) {
    IrType types[] = {IR_R, IR_F};
    IrValue end = below(g, 5) ? emit(g, IR_LIST_LENGTH, &list, 1, 0, 0) : constant_i(g, below(g, 6));
    IrValue args[] = {constant_i(g, 0), end, below(g, 2) ? list : short_new(g, below(g, 2)), pick(g, IR_F)};
    IrIns *loop = emit_many(g, IR_FOR, args, 4, 0, 0, types, 2);
    const IrValue *params = loop->regions[0].params.items;
    Scope scope = open_region(g, &loop->regions[0]);
    IrValue item = short_item(g, list, params[0]), sum = emit(g, IR_ADD_F, (IrValue[]){params[2], item}, 2, 0, 0);
    offer(g, sum);
    IrValue next = below(g, 3) ? emit(g, IR_LIST_APPEND, (IrValue[]){params[1], item, sum}, 3, 0, LIST_WIDTH)
                               : emit(g, IR_LIST_SET, (IrValue[]){params[1], params[0], sum}, 3, 0, LIST_WIDTH);
    ir_yield(&g->builder, &loop->regions[0], next);
    ir_yield(&g->builder, &loop->regions[0], sum);
    if (below(g, 4) == 0) ir_yield(&g->builder, &loop->regions[0], pick(g, IR_B));
    close_region(g, scope, NULL, 0);
    offer(g, loop->results[1]);
    return loop->results[0];
}

static void gen_short(Gen *g) {
    int length = 1 + below(g, 4);
    IrValue list = short_new(g, length);
    for (int i = below(g, 4); i > 0; i--) {
        int what = below(g, 3);
        list = what == 0 ? short_changed(g, list, length) : what == 1 ? short_if(g, list, length) : short_walk(g, list);
    }
    offer(g, emit(g, IR_LIST_LENGTH, &list, 1, 0, 0));
    offer(g, short_item(g, list, below(g, 2) ? constant_i(g, 0) : pick_index(g)));
    if (below(g, 8) == 0) offer(g, list); /* others may hold it */
}

static void gen_one(Gen *g) {
    int what = below(g, 32);
    if (!g->options.batchable && g->loops == 0 && below(g, 24) == 0) {
        gen_short(g);
        return;
    }
    if (g->options.sweeps && !g->options.batchable && g->loops == 0 && below(g, 96) == 0) {
        gen_sweep(g);
        return;
    }
    if (what < 2 && g->depth < MAX_DEPTH)
        gen_if(g);
    else if (what < 4 && g->depth < MAX_DEPTH && g->loops < 2)
        gen_for(g);
    else if (what < 6)
        below(g, 4) ? gen_list(g) : gen_nest(g);
    else if (what < 7)
        gen_grid(g);
    else if (what < 8)
        gen_draw(g);
    else if (what < 9)
        gen_text(g);
    else if (what < 10)
        gen_fault(g);
    else if (what < 11)
        gen_extern(g);
    else if (what < 13)
        gen_call(g);
    else if (what < 14)
        gen_closure(g);
    else
        gen_plain(g);
}

static void gen_body(Gen *g, int budget) {
    int outer = g->budget;
    g->budget = budget;
    for (int i = 0; i < budget && g->budget > 0; i++)
        gen_one(g);
    g->budget = outer - budget;
}

/* -- functions and modules -- */

static void gen_params(Gen *g, IrFunc *func) {
    IrModule *module = g->program->module;
    static const IrType numbers[] = {IR_B, IR_W, IR_I, IR_I, IR_F, IR_F, IR_F};
    int count = 3 + below(g, 5);
    IrGenKind *kinds = ARENA_ARRAY(g->arena, IrGenKind, count + 3);
    g->program->kinds[func->index] = kinds;
    for (int i = 0; i < count; i++)
        offer(g, ir_func_param(module, func, numbers[below(g, 7)]));
    kinds[count] = IRGEN_LIST;
    offer(g, ir_func_param(module, func, IR_R));
    kinds[count + 1] = IRGEN_GRID;
    VEC_PUSH(g->arena, &g->pool.grids, ir_func_param(module, func, IR_R));
    if (g->options.batchable && func->index == 0) {
        g->program->captures = below(g, count + 1);
        return;
    }
    bool closure = g->options.batchable;
    kinds[count + 2] = closure ? IRGEN_CLOSURE : IRGEN_STREAM;
    IrValue last = ir_func_param(module, func, IR_R);
    if (closure)
        VEC_PUSH(g->arena, &g->pool.closures, last);
    else
        VEC_PUSH(g->arena, &g->pool.streams, last);
}

static void gen_func(Gen *g) {
    IrModule *module = g->program->module;
    IrFunc *func = ir_func_create(module, str_printf(g->arena, "f%d", module->funcs.count));
    int count = 1 + below(g, 4);
    g->builder = (IrBuilder){.module = module,
                             .func = func,
                             .region = &func->body,
                             .span = {1, (uint32_t)func->index * 10000, 0}};
    g->pool = (Pool){0};
    g->depth = g->loops = 0;
    g->budget = 1 << 20;
    func->out_of_line = below(g, 4) == 0;
    gen_params(g, func);
    gen_body(g, g->options.size);
    for (int i = 0; i < count; i++) {
        IrType type = (IrType)below(g, below(g, 4) ? 4 : 5);
        VEC_PUSH(g->arena, &func->results, type);
        ir_yield(&g->builder, &func->body, pick(g, type));
    }
}

static void add_extern(IrModule *module, const char *name, const char *params, const char *results,
                       IrEffect effect) {
    IrExtern native = {.name = str_of(name), .effect = effect};
    IrType type;
    for (const char *c = params; ir_type_of_letter(*c, &type); c++)
        VEC_PUSH(module->arena, &native.params, type);
    for (const char *c = results; ir_type_of_letter(*c, &type); c++)
        VEC_PUSH(module->arena, &native.results, type);
    VEC_PUSH(module->arena, &module->externs, native);
}

static void extern_mix(Rt *rt, const Slot *args, Slot *results) {
    (void)rt;
    results[0] = slot_f(args[0].f * 0.5 + (double)(args[1].i & 0xff));
    results[1] = slot_b(args[0].f < 0);
}

static void extern_refuse(Rt *rt, const Slot *args, Slot *results) {
    if ((irgen_hash(1, args[0].w) & 0x3ff) == 7) rt_fault(rt, RT_FAULT_ARGUMENT, "unlucky");
    results[0] = slot_i(args[0].i & 0xffff);
}

const RtThunk irgen_externs[] = {extern_mix, extern_refuse};

static RtText *make_text(Arena *arena, Str text) {
    RtText *object = ARENA_NEW(arena, RtText);
    *object = (RtText){{RT_TEXT}, text};
    return object;
}

IrGenProgram *irgen_create(Arena *arena, IrGenOptions options) {
    if (options.funcs == 0) options.funcs = 4;
    if (options.size == 0) options.size = 30;
    IrGenProgram *program = ARENA_NEW(arena, IrGenProgram);
    Gen gen = {.options = options, .program = program, .arena = arena};
    program->module = ir_module_create(arena);
    program->kinds = ARENA_ARRAY(arena, IrGenKind *, options.funcs);
    program->texts = ARENA_ARRAY(arena, RtText *, 2);
    for (int i = 0; i < 2; i++) {
        Str text = i ? STR_LIT("b \"quoted\"\n") : STR_LIT("a");
        ir_module_text(program->module, text);
        program->texts[i] = make_text(arena, text);
    }
    add_extern(program->module, "test.mix", "FI", "FB", IR_PURE);
    add_extern(program->module, "test.refuse", "I", "I", IR_FAULTS);
    for (int i = 0; i < options.funcs; i++)
        gen_func(&gen);
    ir_analyze(program->module, 0);
    own_count(program->module, 0);
    return program;
}

IrBinding irgen_binding(const IrGenProgram *program) {
    return (IrBinding){program->module, irgen_externs, program->texts, NULL};
}

/* -- arguments and answers -- */

static RtGrid *make_grid(Rt *rt, uint64_t seed) {
    RtGrid *grid = ARENA_NEW(rt->arena, RtGrid);
    *grid = (RtGrid){.head = {RT_GRID},
                     .columns = 2 + (int)(seed % 2),
                     .rows = 3,
                     .cell = 1.5,
                     .x0 = -2,
                     .z0 = 4,
                     .outside = -30};
    grid->heights = ARENA_ARRAY(rt->arena, float, grid->columns * grid->rows);
    for (int i = 0; i < grid->columns * grid->rows; i++)
        grid->heights[i] = (float)irgen_double(irgen_hash(seed, (uint64_t)i) | 2);
    return grid;
}

static RtList *make_list(Rt *rt, uint64_t seed) {
    RtList *list = NULL;
    for (uint64_t i = 0; i < (seed % 64 ? 4 : seed / 64 % 4);
         i++) { /* seldom too short for an index */
        Slot item[LIST_WIDTH];
        for (uint64_t k = 0; k < LIST_WIDTH; k++)
            item[k] = slot_f(irgen_double(irgen_hash(seed, 2 * i + k)));
        list = rt_list_append(rt, list, (RtShape){LIST_WIDTH, 0}, item);
    }
    return list;
}

static Slot make_number(IrType type, uint64_t bits) {
    if (type == IR_B) return slot_b(bits & 1);
    if (type == IR_W) return slot_w((uint32_t)(bits & 16 ? bits >> 32 : bits % 40));
    if (type == IR_I) return slot_i(irgen_int(bits));
    return slot_f(irgen_double(bits));
}

static RtClosure *make_closure(Rt *rt, const IrGenProgram *program, uint64_t seed) {
    const IrFunc *of = program->module->funcs.items[0];
    Slot args[18];
    irgen_args(rt, program, 0, seed, args);
    RtClosure *closure = rt_closure(rt, 0, program->captures, 0, of->params.count - program->captures, of->results.count, false);
    memcpy(closure->captures, args, sizeof *args * (size_t)program->captures);
    return closure;
}

void irgen_args(Rt *rt, const IrGenProgram *program, int func, uint64_t seed, Slot *args) {
    const IrFunc *f = program->module->funcs.items[func];
    for (int i = 0; i < f->params.count; i++) {
        uint64_t bits = irgen_hash(seed, (uint64_t)i);
        IrType type = f->types.items[f->params.items[i]];
        args[i] = slot_r(NULL);
        if (type != IR_R) {
            args[i] = make_number(type, bits);
        } else if (program->kinds[func][i] == IRGEN_LIST) {
            args[i] = slot_r(make_list(rt, bits));
        } else if (program->kinds[func][i] == IRGEN_GRID) {
            args[i] = slot_r(bits % 11 ? make_grid(rt, bits) : NULL);
        } else if (program->kinds[func][i] == IRGEN_CLOSURE) {
            args[i] = slot_r(bits % 29 ? make_closure(rt, program, bits) : NULL);
        } else if (bits % 11) {
            RtStream *stream = ARENA_NEW(rt->arena, RtStream);
            stream->head.kind = RT_STREAM;
            stream->state = (uint32_t)bits;
            args[i] = slot_r(stream);
        }
    }
}

static bool same_lists(const RtList *a, const RtList *b) {
    if (rt_list_length(a) != rt_list_length(b)) return false;
    for (int64_t i = 0; i < rt_list_length(a) * LIST_WIDTH; i++)
        if (!irgen_same(IR_F, a->items[i], b->items[i])) return false;
    return true;
}

bool irgen_same(IrType type, Slot a, Slot b) {
    if (type == IR_F && isnan(a.f) && isnan(b.f)) return true;
    return type == IR_R ? same_lists(a.r, b.r) : a.w == b.w;
}
