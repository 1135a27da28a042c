/* Variants: the shapes in which one function is compiled, and the analysis that finds which values
 * are the same in all lanes. It starts from "all uniform" and only takes back, so loops reach their
 * fixed point quickly.
 *
 * "Uniform" is a promise about the lanes that are on: a loop whose bounds are uniform runs for all
 * of them alike, even inside an `if` that only some have taken.
 */
#include "compiler/llvm/program.h"

typedef struct Analysis {
    EmitProgram *program;
    const IrFunc *func;
    int width;
    bool *uniform;
    bool changed;
} Analysis;

static void clear(Analysis *a, IrValue value) {
    if (!a->uniform[value]) return;
    a->uniform[value] = false;
    a->changed = true;
}

static bool all_uniform(const Analysis *a, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        if (!a->uniform[values[i]]) return false;
    return true;
}

static void analyze_region(Analysis *a, const IrRegion *region);

static void analyze_if(Analysis *a, const IrIns *ins) {
    analyze_region(a, &ins->regions[0]);
    analyze_region(a, &ins->regions[1]);
    for (int i = 0; i < ins->result_count; i++) {
        bool same = a->uniform[ins->args[0]] && a->uniform[ins->regions[0].yields.items[i]] &&
                    a->uniform[ins->regions[1].yields.items[i]];
        if (!same) clear(a, ins->results[i]);
    }
}

/* A carried value is uniform when it starts so, every step yields so, and all lanes take the same
 * steps. */
static void analyze_for(Analysis *a, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    bool stops = ir_for_stops(ins), together = all_uniform(a, ins->args, 2);
    if (!together) clear(a, body->params.items[0]);
    bool outer_changed = a->changed;
    do {
        outer_changed |= a->changed;
        a->changed = false;
        analyze_region(a, body);
        if (stops && !a->uniform[body->yields.items[ins->result_count]]) { /* lanes leave one by one */
            together = false;
            clear(a, body->params.items[0]);
        }
        for (int i = 0; i < ins->result_count; i++) {
            bool same =
                together && a->uniform[ins->args[i + 2]] && a->uniform[body->yields.items[i]];
            if (same) continue;
            clear(a, body->params.items[i + 1]);
            clear(a, ins->results[i]);
        }
    } while (a->changed);
    a->changed = outer_changed;
}

static void analyze_call(Analysis *a, const IrIns *ins) {
    const IrFunc *callee = a->program->binding.module->funcs.items[ins->imm.i];
    bool *params = ARENA_ARRAY(a->program->arena, bool, ins->arg_count);
    for (int i = 0; i < ins->arg_count; i++)
        params[i] = a->uniform[ins->args[i]];
    const Variant *variant = variant_get(a->program, callee, a->width, params, true);
    for (int i = 0; i < ins->result_count; i++)
        if (!variant_result_uniform(variant, i)) clear(a, ins->results[i]);
}

static void analyze_region(Analysis *a, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (ins->op == IR_IF)
            analyze_if(a, ins);
        else if (ins->op == IR_FOR)
            analyze_for(a, ins);
        else if (ins->op == IR_CALL)
            analyze_call(a, ins);
        else if (!all_uniform(a, ins->args, ins->arg_count))
            for (int j = 0; j < ins->result_count; j++)
                clear(a, ins->results[j]);
    }
}

static void analyze(EmitProgram *program, Variant *variant) {
    const IrFunc *func = variant->func;
    variant->uniform = ARENA_ARRAY(program->arena, bool, func->types.count);
    memset(variant->uniform, true, (size_t)func->types.count);
    if (variant->width == 1) return;
    Analysis a = {program, func, variant->width, variant->uniform, false};
    for (int i = 0; i < func->params.count; i++)
        if (!variant->uniform_params[i]) clear(&a, func->params.items[i]);
    analyze_region(&a, ir_run_body(func));
}

/* "fn:8m:uvv:land.height": lanes, m for a mask, u or v by parameter. */
static Str variant_name(Arena *arena, const Variant *variant) {
    StrBuf name = {.arena = arena};
    strbuf_printf(&name, "fn:%d%s:", variant->width, variant->masked ? "m" : "");
    for (int i = 0; variant->width > 1 && i < variant->func->params.count; i++)
        strbuf_char(&name, variant->uniform_params[i] ? 'u' : 'v');
    strbuf_char(&name, ':');
    strbuf_str(&name, variant->func->name);
    return strbuf_take(&name);
}

/* Brings the wish to a few standard shapes: nothing that differs by lane is the scalar function; an
 * out-of-line function takes its numbers by lane always, so that few variants of it exist. */
static void normalize(EmitProgram *program, Variant *wish, const bool *uniform_params) {
    const IrFunc *func = wish->func;
    bool varies = false;
    wish->uniform_params = ARENA_ARRAY(program->arena, bool, func->params.count);
    for (int i = 0; i < func->params.count; i++)
        varies |= !uniform_params[i];
    if (!varies) wish->width = 1;
    for (int i = 0; i < func->params.count; i++) {
        bool number = func->types.items[func->params.items[i]] == IR_F;
        wish->uniform_params[i] =
            wish->width == 1 || (uniform_params[i] && !(emit_is_apart(func) && number));
    }
    wish->masked = wish->masked && wish->width > 1 && facts_of(program, func->index)->masked;
}

const Variant *variant_get(EmitProgram *program, const IrFunc *func, int width,
                           const bool *uniform_params, bool masked) {
    Variant wish = {.func = func, .width = width, .masked = masked};
    normalize(program, &wish, uniform_params);
    for (Variant *v = program->variants[func->index]; v; v = v->next) {
        bool same = v->width == wish.width && v->masked == wish.masked &&
                    memcmp(v->uniform_params, wish.uniform_params, (size_t)func->params.count) == 0;
        if (same) return v;
    }
    Variant *variant = ARENA_NEW(program->arena, Variant);
    *variant = wish;
    variant->name = variant_name(program->arena, variant);
    analyze(program, variant);
    variant->next = program->variants[func->index];
    program->variants[func->index] = variant;
    return variant;
}
