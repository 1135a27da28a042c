/* Needs: verified IR; callees are done before their callers. Gives: the bodies of small functions,
 * of those that ask a native what the caller asked it before (so that `cse` can answer once), and of
 * functions that are handed a closure made in sight (so that `direct` can resolve what they call), in
 * place of their calls. May change: such calls into lines of their region.
 *
 * Functions marked out_of_line stay calls unless they are small and call nothing, or a closure is
 * at stake. An inlined line keeps its author's span; one of the library's gets that of the call, where its faults
 * are told.
 */
#include "compiler/opt/pass.h"

enum { SMALL = 64, ASKS_AGAIN = 256, WITH_CLOSURE = 600, MAX_CALLER = 3000 };

typedef struct Inline {
    Opt *opt;
    IrFunc *func;
    OptMap map;
    VEC(bool) closures; /* by value, as far as it goes: made by `closure` */
    bool *asked;        /* by native: the caller calls it, further up */
    int size;           /* of the caller, as it grows */
} Inline;

static bool is_closure(const Inline *in, IrValue value) {
    return value < in->closures.count && in->closures.items[value];
}

static void mark_closure(Inline *in, IrValue value) {
    while (in->closures.count <= value)
        VEC_PUSH(in->opt->scratch, &in->closures, false);
    in->closures.items[value] = true;
}

static bool gets_closure(const Inline *in, const IrIns *call) {
    uint64_t wanted = in->opt->closure_params[call->imm.i];
    for (int i = 0; i < call->arg_count && i < 64; i++)
        if ((wanted >> i & 1) && is_closure(in, call->args[i])) return true;
    return false;
}

static bool is_no_call(const IrIns *ins, void *user) {
    (void)user;
    return ins->op != IR_CALL && ins->op != IR_CALL_CLOSURE && ins->op != IR_CALL_EXTERN;
}

static bool asks_again(const Inline *in, const IrFunc *callee) {
    for (int i = 0; i < callee->body.body.count; i++) {
        const IrIns *ins = callee->body.body.items[i];
        if (ins->op == IR_CALL_EXTERN && ins->arg_count && in->asked[ins->imm.i]) return true;
    }
    return false;
}

static bool should_inline(const Inline *in, const IrIns *call) {
    const IrFunc *callee = in->opt->module->funcs.items[call->imm.i];
    int size = ir_size(&callee->body);
    if (in->size + size > MAX_CALLER || in->opt->module->emitted + size > IR_MOST) return false;
    if (size <= WITH_CLOSURE && gets_closure(in, call)) return true;
    if (size <= ASKS_AGAIN && !callee->out_of_line && asks_again(in, callee)) return true;
    return size <= SMALL && (!callee->out_of_line || ir_each_ins(&callee->body, is_no_call, NULL));
}

/* -- the caller -- */

static void inline_lines(Inline *in, const OptBody *lines, OptBody *out);

/* The callee's lines may hold calls that are worth taking in only here, where the closure is known;
 * they end, for calls do not come round. */
static void inline_call(Inline *in, const IrIns *call, OptBody *out) {
    const IrFunc *callee = in->opt->module->funcs.items[call->imm.i];
    OptCopy copy = {.opt = in->opt, .func = in->func, .from = callee, .call = call->span};
    OptBody lines = {0};
    opt_map_init(&copy.map, in->opt, callee);
    for (int i = 0; i < call->arg_count; i++)
        copy.map.to[callee->params.items[i]] = call->args[i];
    opt_copy_body(&copy, &callee->body, &lines);
    in->size += ir_size(&callee->body);
    inline_lines(in, &lines, out);
    for (int i = 0; i < call->result_count; i++) {
        IrValue result = opt_map_get(&in->map, copy.map.to[callee->body.yields.items[i]]);
        opt_map_set(&in->map, in->opt, call->results[i], result);
    }
}

static void inline_region(Inline *in, IrRegion *region) {
    OptBody lines = {0}, out = {0};
    lines.items = region->body.items;
    lines.count = region->body.count;
    inline_lines(in, &lines, &out);
    opt_set_body(region, out);
    opt_map_values(&in->map, region->yields.items, region->yields.count);
}

static void inline_lines(Inline *in, const OptBody *lines, OptBody *out) {
    for (int i = 0; i < lines->count; i++) {
        IrIns *ins = lines->items[i];
        opt_map_values(&in->map, ins->args, ins->arg_count);
        for (int k = 0; k < ins->region_count; k++)
            inline_region(in, &ins->regions[k]);
        if (ins->op == IR_CALL_EXTERN) in->asked[ins->imm.i] = true;
        if (ins->op == IR_CLOSURE) mark_closure(in, ins->results[0]);
        if (ins->op == IR_CALL && should_inline(in, ins))
            inline_call(in, ins, out);
        else
            VEC_PUSH(in->opt->arena, out, ins);
    }
}

void opt_inline(Opt *opt, IrFunc *func) {
    Inline in = {.opt = opt, .func = func, .size = ir_size(&func->body)};
    in.asked = ARENA_ARRAY(opt->scratch, bool, opt->module->externs.count + 1);
    opt_map_init(&in.map, opt, func);
    inline_region(&in, &func->body);
}
