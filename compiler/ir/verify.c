/* The rules of ir.h and op.def, checked: every value defined once and used only where it is in
 * scope; operands and results of the types their rows give; regions of the right shape; immediates
 * in range; no recursion. The first breach is reported. Facts are not needed and not touched.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "compiler/ir/ir.h"
#include "runtime/rt/rt.h"

enum { MAX_NESTING = 256, MAX_CALL_DEPTH = 2000 };

typedef enum Scope { SCOPE_UNDEFINED, SCOPE_OPEN, SCOPE_CLOSED } Scope;

typedef struct Verifier {
    const IrModule *module;
    Arena *arena;
    const IrFunc *func;
    uint8_t *scopes; /* Scope, by value */
    const IrIns *ins;
    Str *error;
} Verifier;

static bool breach(Verifier *v, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool breach(Verifier *v, const char *format, ...) {
    char what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    StrBuf out = {.arena = v->arena};
    strbuf_printf(&out, "func @%.*s: ", STR_ARG(v->func->name));
    if (v->ins && v->ins->result_count) strbuf_printf(&out, "%%%d = ", v->ins->results[0]);
    if (v->ins) strbuf_printf(&out, "%s: ", ir_op_info(v->ins->op)->text);
    strbuf_str(&out, str_of(what));
    *v->error = strbuf_take(&out);
    return false;
}

/* -- values -- */

static bool define_value(Verifier *v, IrValue value) {
    if (value < 0 || value >= v->func->types.count)
        return breach(v, "there is no value %%%d", value);
    if (v->func->types.items[value] > IR_R) return breach(v, "%%%d has no type", value);
    if (v->scopes[value] != SCOPE_UNDEFINED) return breach(v, "%%%d is defined twice", value);
    v->scopes[value] = SCOPE_OPEN;
    return true;
}

static bool use_value(Verifier *v, IrValue value) {
    if (value < 0 || value >= v->func->types.count)
        return breach(v, "there is no value %%%d", value);
    return v->scopes[value] == SCOPE_OPEN ||
           breach(v, "%%%d is used where it is not defined", value);
}

static IrType type_of(const Verifier *v, IrValue value) {
    return v->func->types.items[value];
}

static bool check_type(Verifier *v, IrValue value, IrType want, const char *what, int number) {
    return type_of(v, value) == want ||
           breach(v, "%s %d is %c, not %c", what, number + 1, ir_type_letters[type_of(v, value)],
                  ir_type_letters[want]);
}

static bool check_types(Verifier *v, const IrValue *values, int count, const IrType *want,
                        int want_count, const char *what) {
    if (count != want_count) return breach(v, "%d %ss, not %d", count, what, want_count);
    for (int i = 0; i < count; i++)
        if (!check_type(v, values[i], want[i], what, i)) return false;
    return true;
}

/* Operands against a row of op.def: letters, x for one type throughout, * for any further ones. */
static bool check_operands(Verifier *v, const IrIns *ins, const char *letters, IrType *x) {
    int i = 0;
    bool x_known = false;
    for (; letters[i] && letters[i] != '*'; i++) {
        if (i >= ins->arg_count) return breach(v, "too few operands");
        IrType want;
        if (!ir_type_of_letter(letters[i], &want)) {
            if (!x_known) *x = type_of(v, ins->args[i]);
            x_known = true;
            want = *x;
        }
        if (!check_type(v, ins->args[i], want, "operand", i)) return false;
    }
    return i == ins->arg_count || letters[i] == '*' || breach(v, "too many operands");
}

static bool check_results(Verifier *v, const IrIns *ins, const char *letters, IrType x) {
    if (letters[0] == '?') return true;
    int count = letters[0] != '\0';
    IrType want = x;
    if (count) ir_type_of_letter(letters[0], &want);
    return check_types(v, ins->results, ins->result_count, &want, count, "result");
}

/* -- what an op asks beyond its row -- */

static bool check_range(Verifier *v, int64_t value, int64_t limit, const char *what) {
    return (value >= 0 && value < limit) ||
           breach(v, "%s %" PRId64 " is out of range", what, value);
}

static bool is_fault_code(int64_t code) {
    switch (code) {
#define FAULT(NAME, number, message, help) case number:
#include "runtime/base/fault.def"
#undef FAULT
        return true;
    default:
        return false;
    }
}

static bool check_closure(Verifier *v, const IrIns *ins) {
    const IrModule *module = v->module;
    if (!check_range(v, ins->imm.i, module->funcs.count, "function") ||
        !check_range(v, ins->imm2, 2, "stream flag"))
        return false;
    const IrFunc *target = module->funcs.items[ins->imm.i];
    if (ins->arg_count + ins->imm2 > target->params.count) return breach(v, "too many captures");
    for (int i = 0; i < ins->arg_count + (int)ins->imm2; i++) {
        IrType want = target->types.items[target->params.items[i]];
        IrType found = i < ins->arg_count ? type_of(v, ins->args[i]) : IR_R;
        if (found != want)
            return breach(v, "parameter %d of @%.*s is %c, not %c", i + 1, STR_ARG(target->name),
                          ir_type_letters[want], ir_type_letters[found]);
    }
    return true;
}

/* The bits of an item's slots that hold objects, against the operands that fill them. */
static bool check_shape_bits(Verifier *v, const IrIns *ins) {
    uint64_t bits = (uint64_t)ins->imm.i;
    if (ins->imm2 < 64 && bits >> ins->imm2) return breach(v, "objects past the item's width");
    for (int i = 1; i < ins->arg_count && i <= 64; i++)
        if ((bits >> (i - 1) & 1) != (type_of(v, ins->args[i]) == IR_R))
            return breach(v, "slot %d is not what the shape says", i - 1);
    return true;
}

static bool check_immediates(Verifier *v, const IrIns *ins) {
    const IrModule *module = v->module;
    switch (ir_op_info(ins->op)->imm) {
    case IR_IMM_NONE:
    case IR_IMM_INT:
    case IR_IMM_FLOAT:
        return true;
    case IR_IMM_BOOL:
        return check_range(v, ins->imm.i, 2, "bool");
    case IR_IMM_WORD:
        return check_range(v, ins->imm.i, (int64_t)UINT32_MAX + 1, "word");
    case IR_IMM_TEXT:
        return check_range(v, ins->imm.i, module->texts.count, "text");
    case IR_IMM_FUNC:
        return check_range(v, ins->imm.i, module->funcs.count, "function");
    case IR_IMM_EXTERN:
        return check_range(v, ins->imm.i, module->externs.count, "extern");
    case IR_IMM_SLOT:
    case IR_IMM_FIELD:
        return check_range(v, ins->imm.i, INT32_MAX, "immediate") &&
               check_range(v, ins->imm2, INT32_MAX, "second immediate");
    case IR_IMM_SHAPE:
        return check_range(v, ins->imm2, INT32_MAX, "item width") && check_shape_bits(v, ins);
    case IR_IMM_INDEX:
        return check_range(v, ins->imm.i, INT32_MAX, "index");
    case IR_IMM_FAULT:
        return is_fault_code(ins->imm.i) || breach(v, "there is no fault %" PRId64, ins->imm.i);
    case IR_IMM_CLOSURE:
        return check_closure(v, ins);
    }
    return false;
}

static bool check_call(Verifier *v, const IrIns *ins) {
    const IrFunc *callee = v->module->funcs.items[ins->imm.i];
    if (ins->arg_count != callee->params.count)
        return breach(v, "%d operands, not %d", ins->arg_count, callee->params.count);
    for (int i = 0; i < ins->arg_count; i++) {
        IrType want = callee->types.items[callee->params.items[i]];
        if (!check_type(v, ins->args[i], want, "operand", i)) return false;
    }
    return check_types(v, ins->results, ins->result_count, callee->results.items,
                       callee->results.count, "result");
}

static bool check_extern_call(Verifier *v, const IrIns *ins) {
    const IrExtern *native = &v->module->externs.items[ins->imm.i];
    if (native->takes && (native->params.count == 0 || native->params.items[0] != IR_R)) return breach(v, "a native takes what is no object");
    return check_types(v, ins->args, ins->arg_count, native->params.items, native->params.count,
                       "operand") &&
           check_types(v, ins->results, ins->result_count, native->results.items,
                       native->results.count, "result");
}

static bool check_list(Verifier *v, const IrIns *ins) {
    bool whole = ins->op == IR_LIST_APPEND || ins->op == IR_LIST_FILL;
    if (whole && ins->arg_count - 1 != ins->imm2)
        return breach(v, "%d slots for an item of %" PRId64, ins->arg_count - 1, ins->imm2);
    int64_t slots = ins->op == IR_LIST_GET    ? ins->result_count
                    : ins->op == IR_LIST_SET  ? ins->arg_count - 2
                    : ins->op == IR_LIST_TAKE ? ins->result_count - 1
                                              : 0;
    if (slots && ins->imm.i + slots > ins->imm2)
        return breach(v, "slots %" PRId64 " to %" PRId64 " of an item of %" PRId64, ins->imm.i,
                      ins->imm.i + slots, ins->imm2);
    if (ins->op == IR_LIST_TAKE && ins->result_count == 0) return breach(v, "no results");
    for (int i = 0; ins->op == IR_LIST_TAKE && i < ins->result_count; i++)
        if (!check_type(v, ins->results[i], IR_R, "result", i)) return false;
    return true;
}

static bool check_details(Verifier *v, const IrIns *ins) {
    for (int i = 1; i < ins->arg_count; i++)
        if (type_of(v, ins->args[i]) == IR_B || type_of(v, ins->args[i]) == IR_W)
            return breach(v, "operand %d is no number and no text", i + 1);
    return true;
}

/* -- regions -- */

static bool check_region(Verifier *v, const IrRegion *region, int depth);

/* What a region gives, against the results of the instruction that holds it; a `for` may say last whether to go on. */
static bool check_yields(Verifier *v, const IrIns *ins, const IrRegion *region) {
    bool stops = ins->op == IR_FOR && region->yields.count == ins->result_count + 1;
    if (stops && !check_type(v, region->yields.items[ins->result_count], IR_B, "yield", ins->result_count))
        return false;
    if (region->yields.count - stops != ins->result_count)
        return breach(v, "a region yields %d values, not %d", region->yields.count,
                      ins->result_count);
    for (int i = 0; i < ins->result_count; i++)
        if (!check_type(v, region->yields.items[i], type_of(v, ins->results[i]), "yield", i))
            return false;
    return true;
}

static bool check_if(Verifier *v, const IrIns *ins, int depth) {
    for (int i = 0; i < 2; i++) {
        if (ins->regions[i].params.count) return breach(v, "a region of `if` has parameters");
        if (!check_region(v, &ins->regions[i], depth)) return false;
        v->ins = ins;
        if (!check_yields(v, ins, &ins->regions[i])) return false;
    }
    return true;
}

static bool check_for(Verifier *v, const IrIns *ins, int depth) {
    const IrRegion *body = &ins->regions[0];
    int carried = ins->arg_count - 2;
    if (ins->result_count != carried)
        return breach(v, "%d results, not %d", ins->result_count, carried);
    if (body->params.count != carried + 1)
        return breach(v, "%d region parameters, not %d", body->params.count, carried + 1);
    for (int i = 0; i < body->params.count; i++) {
        IrValue param = body->params.items[i];
        if (param < 0 || param >= v->func->types.count)
            return breach(v, "there is no value %%%d", param);
        IrType want = i == 0 ? IR_I : type_of(v, ins->args[i + 1]);
        if (!check_type(v, param, want, "region parameter", i)) return false;
        if (i && !check_type(v, ins->results[i - 1], want, "result", i - 1)) return false;
    }
    if (!check_region(v, body, depth)) return false;
    v->ins = ins;
    return check_yields(v, ins, body);
}

static bool check_shape(Verifier *v, const IrIns *ins, int depth) {
    if (ins->op == IR_IF) return check_if(v, ins, depth + 1);
    if (ins->op == IR_FOR) return check_for(v, ins, depth + 1);
    if (ins->region_count) return breach(v, "it holds regions");
    if (ins->op == IR_CALL) return check_call(v, ins);
    if (ins->op == IR_CALL_EXTERN) return check_extern_call(v, ins);
    if (ins->op == IR_FAULT_IF) return check_details(v, ins);
    return check_list(v, ins);
}

static bool check_ins(Verifier *v, const IrIns *ins, int depth) {
    const IrOpInfo *info = ir_op_info(ins->op);
    IrType x = IR_B;
    v->ins = ins;
    for (int i = 0; i < ins->arg_count; i++)
        if (!use_value(v, ins->args[i])) return false;
    for (int i = 0; i < ins->result_count; i++) {
        IrValue result = ins->results[i];
        if (result < 0 || result >= v->func->types.count)
            return breach(v, "there is no value %%%d", result);
    }
    if (!check_operands(v, ins, info->operands, &x) || !check_results(v, ins, info->results, x) ||
        !check_immediates(v, ins) || !check_shape(v, ins, depth))
        return false;
    v->ins = ins;
    for (int i = 0; i < ins->result_count; i++)
        if (!define_value(v, ins->results[i])) return false;
    return true;
}

static bool check_region(Verifier *v, const IrRegion *region, int depth) {
    if (depth > MAX_NESTING) return breach(v, "regions nest deeper than %d", MAX_NESTING);
    for (int i = 0; i < region->params.count; i++)
        if (!define_value(v, region->params.items[i])) return false;
    for (int i = 0; i < region->body.count; i++)
        if (!check_ins(v, region->body.items[i], depth)) return false;
    for (int i = 0; i < region->yields.count; i++)
        if (!use_value(v, region->yields.items[i])) return false;
    /* the region's values end with it */
    for (int i = 0; i < region->params.count; i++)
        v->scopes[region->params.items[i]] = SCOPE_CLOSED;
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        for (int k = 0; k < ins->result_count; k++)
            v->scopes[ins->results[k]] = SCOPE_CLOSED;
    }
    return true;
}

/* Parameters first, of every function: calls and closures look at their types. */
static bool check_params(Verifier *v, const IrFunc *func) {
    v->func = func;
    v->ins = NULL;
    v->scopes = ARENA_ARRAY(v->arena, uint8_t, func->types.count);
    if (func->body.params.count) return breach(v, "the body has region parameters");
    for (int i = 0; i < func->params.count; i++)
        if (!define_value(v, func->params.items[i])) return false;
    return true;
}

static bool check_func(Verifier *v, const IrFunc *func) {
    if (!check_params(v, func)) return false;
    if (!check_region(v, &func->body, 0)) return false;
    v->ins = NULL;
    return check_types(v, func->body.yields.items, func->body.yields.count, func->results.items,
                       func->results.count, "returned value");
}

/* -- the call graph -- */

typedef struct CallWalk {
    Verifier *v;
    int *depths; /* by function: 0 not seen, -1 being walked, else 1 + the longest chain of calls
                    below it */
} CallWalk;

static bool walk_calls(CallWalk *walk, const IrFunc *func, int above);

typedef struct Caller {
    CallWalk *walk;
    int above, deepest;
} Caller;

static bool walk_call(const IrIns *ins, void *user) {
    Caller *caller = user;
    CallWalk *walk = caller->walk;
    if (ins->op != IR_CALL && ins->op != IR_CLOSURE) return true;
    if (!walk_calls(walk, walk->v->module->funcs.items[ins->imm.i], caller->above + 1))
        return false;
    int depth = walk->depths[ins->imm.i] + 1;
    if (depth > caller->deepest) caller->deepest = depth;
    return true;
}

static bool walk_calls(CallWalk *walk, const IrFunc *func, int above) {
    int *depth = &walk->depths[func->index];
    walk->v->func = func;
    walk->v->ins = NULL;
    if (*depth == -1) return breach(walk->v, "it calls itself");
    if (above + *depth > MAX_CALL_DEPTH)
        return breach(walk->v, "calls nest deeper than %d", MAX_CALL_DEPTH);
    if (*depth > 0) return true;
    Caller caller = {walk, above, 1};
    *depth = -1;
    if (!ir_each_ins(&func->body, walk_call, &caller)) return false;
    *depth = caller.deepest;
    return true;
}

/* Machine code is found by names. */
static bool check_names(Verifier *v, int first) {
    SymbolTable names;
    symbols_init(&names, v->arena);
    for (int i = first; i < v->module->funcs.count; i++) {
        v->func = v->module->funcs.items[i];
        if (symbols_find(&names, v->func->name)) return breach(v, "another function has this name");
        symbols_intern(&names, v->func->name);
    }
    return true;
}

bool ir_verify_from(const IrModule *module, int first, Arena *arena, Str *error) {
    Verifier verifier = {.module = module, .arena = arena, .error = error};
    if (!check_names(&verifier, first)) return false;
    CallWalk walk = {&verifier, ARENA_ARRAY(arena, int, module->funcs.count)};
    for (int i = 0; i < first; i++)
        walk.depths[i] = module->funcs.items[i]->call_depth;
    for (int i = first; i < module->funcs.count; i++)
        if (!check_params(&verifier, module->funcs.items[i])) return false;
    for (int i = first; i < module->funcs.count; i++)
        if (!check_func(&verifier, module->funcs.items[i])) return false;
    for (int i = first; i < module->funcs.count; i++)
        if (!walk_calls(&walk, module->funcs.items[i], 0)) return false;
    return true;
}

bool ir_verify(const IrModule *module, Arena *arena, Str *error) {
    return ir_verify_from(module, 0, arena, error);
}
