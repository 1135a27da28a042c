/* A settled module as text. A value is a variable, a constant stands where it is used, and what nobody uses is left out. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "compiler/glsl/settle.h"
#include "compiler/range/range.h"

enum { MOST_STEPS = 20 * 1000 * 1000, MOST_CONTEXTS = 1000, MOST_WALKED = 100, MOST_ROUNDS = 1 << 16 };

static const char *const type_names[] = {[IR_B] = "bool", [IR_W] = "uint", [IR_I] = "int", [IR_F] = "float"};

typedef struct Emit {
    Glsl *glsl;
    StrBuf *out;
    Range **ranges; /* by function and value: over all that the entries ask; empty where it is never worked out */
    const IrFunc *func;
    bool *live;         /* by value */
    const char **names; /* by value: a variable or a constant */
    int indent;
} Emit;

static IrType type_of(const Emit *e, IrValue value) {
    return e->func->types.items[value];
}

/* -- ranges -- */

static void note_range(void *user, int func, IrValue value, Range range) {
    Emit *e = user;
    IrType type = e->glsl->module->funcs.items[func]->types.items[value];
    if (type == IR_I) e->ranges[func][value] = range_join(type, e->ranges[func][value], range);
}

static RangeCell read_cell(void *user, int func, const IrIns *ins) {
    const Emit *e = user;
    const GlslCell *cell = &e->glsl->cells.items[ins->imm.i];
    (void)func;
    return cell->kind == GLSL_UNIFORM ? (RangeCell){&cell->bound, 1, 0} : (RangeCell){0};
}

static Range argument_range(IrType type) {
    Range range = range_full(type);
    if (type == IR_F) {
        range.lo = -GLSL_REACH, range.hi = GLSL_REACH;
        range.nan = range.made = false;
    } else if (type == IR_I)
        range.least = -GLSL_REACH, range.most = GLSL_REACH;
    return range;
}

static bool find_ranges(Emit *e) {
    Glsl *glsl = e->glsl;
    Arena *arena = glsl->input.arena;
    e->ranges = ARENA_ARRAY(arena, Range *, glsl->module->funcs.count + 1);
    for (int i = 0; i < glsl->module->funcs.count; i++) {
        const IrFunc *func = glsl->module->funcs.items[i];
        e->ranges[i] = ARENA_ARRAY(arena, Range, func->types.count + 1);
        for (int k = 0; k < func->types.count; k++)
            e->ranges[i][k] = range_empty(func->types.items[k]);
    }
    RangeInput input = {.arena = arena, .scratch = glsl->input.scratch, .module = glsl->module, .cell = read_cell,
                        .worked = note_range, .user = e, .contexts = MOST_CONTEXTS, .rounds = MOST_WALKED, .steps = MOST_STEPS};
    Ranges *ranges = ranges_create(&input);
    for (int i = 0; i < glsl->entries.count; i++) {
        const IrFunc *func = glsl->entries.items[i].func;
        Range *args = ARENA_ARRAY(arena, Range, func->params.count + 1);
        for (int k = 0; k < func->params.count; k++)
            args[k] = argument_range(func->types.items[func->params.items[k]]);
        ranges_enter(ranges, func->index, args);
        if (ranges_late(ranges)) return glsl_refuse(glsl, func->span, "it is too long to prove its whole numbers small");
    }
    return true;
}

/* Whether a whole number fits into the card's 32 bits. */
static bool fits(Emit *e, IrValue value, Span span) {
    if (type_of(e, value) != IR_I) return true;
    Range range = e->ranges[e->func->index][value];
    if (range_is_empty(IR_I, range) || (range.least >= INT32_MIN && range.most <= INT32_MAX)) return true;
    return glsl_refuse(e->glsl, span,
                       "a whole number may be anything from %" PRId64 " to %" PRId64 " here, and has 32 bits there: hold what it is made of with clamp",
                       range.least, range.most);
}

/* -- what is used -- */

static void mark_region(Emit *e, const IrRegion *region);

static void mark(Emit *e, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        e->live[values[i]] = true;
}

static void mark_ins(Emit *e, const IrIns *ins) {
    bool live = false;
    for (int i = 0; i < ins->result_count; i++)
        live |= e->live[ins->results[i]];
    if (!live) return;
    if (ins->op == IR_FOR || ins->op == IR_CALL || ins->op == IR_CALL_EXTERN) mark(e, ins->results, ins->result_count);
    mark(e, ins->args, ins->arg_count);
    for (int k = 0; k < ins->region_count; k++) {
        const IrRegion *region = &ins->regions[k];
        for (int i = 0; i < region->yields.count; i++)
            if (ins->op == IR_FOR || e->live[ins->results[i]]) e->live[region->yields.items[i]] = true;
        mark_region(e, region);
    }
}

static void mark_region(Emit *e, const IrRegion *region) {
    for (int i = region->body.count; i-- > 0;)
        mark_ins(e, region->body.items[i]);
}

static bool is_live(const Emit *e, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++)
        if (e->live[ins->results[i]]) return true;
    return false;
}

/* -- names and constants -- */

static const char *name_of(Emit *e, IrValue value) {
    if (e->names[value] == NULL) e->names[value] = str_printf(e->glsl->input.arena, "v%d", value).ptr;
    return e->names[value];
}

static const char *float_text(Arena *arena, double value) {
    float single = (float)value;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    if (!isfinite(single)) return str_printf(arena, "uintBitsToFloat(0x%08xu)", bits).ptr;
    char text[40];
    snprintf(text, sizeof text, "%.9g", (double)single);
    const char *point = strpbrk(text, ".e") ? "" : ".0";
    return str_printf(arena, signbit(single) ? "(%s%s)" : "%s%s", text, point).ptr;
}

static const char *constant_text(Arena *arena, const IrIns *ins) {
    if (ins->op == IR_CONST_F) return float_text(arena, ins->imm.f);
    if (ins->op == IR_CONST_W) return str_printf(arena, "%uu", (uint32_t)ins->imm.i).ptr;
    if (ins->op == IR_CONST_B) return ins->imm.i ? "true" : "false";
    if (ins->imm.i == INT32_MIN) return "(-2147483647 - 1)";
    return str_printf(arena, ins->imm.i < 0 ? "(%" PRId64 ")" : "%" PRId64, ins->imm.i).ptr;
}

static void line(Emit *e) {
    for (int i = 0; i < e->indent; i++)
        strbuf_str(e->out, STR_LIT("    "));
}

static void declare(Emit *e, IrValue value) {
    line(e);
    strbuf_printf(e->out, "%s %s", type_names[type_of(e, value)], name_of(e, value));
}

/* -- instructions -- */

static void emit_template(Emit *e, const IrIns *ins) {
    declare(e, ins->results[0]);
    strbuf_str(e->out, STR_LIT(" = "));
    for (const char *c = ir_op_info(ins->op)->glsl; *c; c++) {
        bool operand = *c == '%' && c[1] >= 'a' && c[1] < 'a' + ins->arg_count;
        if (operand)
            strbuf_str(e->out, str_of(name_of(e, ins->args[*++c - 'a'])));
        else
            strbuf_char(e->out, *c);
    }
    strbuf_str(e->out, STR_LIT(";\n"));
}

static const GlslCell *cell_of(const Emit *e, const IrIns *ins) {
    return &e->glsl->cells.items[ins->imm.i];
}

/* A word of the buffer as a value of its type. */
static void emit_word(Emit *e, IrValue result, const char *word) {
    static const char *const before[] = {[IR_B] = "bool(", [IR_W] = "uint(", [IR_I] = "int(", [IR_F] = "uintBitsToFloat("};
    declare(e, result);
    strbuf_printf(e->out, " = %s%s);\n", before[type_of(e, result)], word);
}

/* Of a uniform its word; of a list or a grid where its words are, for whoever reads one. */
static void emit_cell(Emit *e, const IrIns *ins) {
    const GlslCell *cell = cell_of(e, ins);
    Arena *arena = e->glsl->input.arena;
    if (cell->kind == GLSL_UNIFORM)
        emit_word(e, ins->results[0], str_printf(arena, "card_words[%" PRId64 "]", cell->base).ptr);
    else if (cell->kind == GLSL_MAP)
        e->names[ins->results[0]] =
            str_printf(arena, "%" PRId64 ", %d, %d, %s, %s, %s", cell->base, cell->map.columns, cell->map.rows,
                       float_text(arena, cell->map.x0), float_text(arena, cell->map.z0), float_text(arena, cell->map.cell)).ptr;
    else
        e->names[ins->results[0]] = str_printf(arena, "%" PRId64 ", %" PRId64, cell->base, cell->count).ptr;
}

static void emit_read(Emit *e, const IrIns *ins) {
    Str word = str_printf(e->glsl->input.arena, "card_word(%s, %s)", name_of(e, ins->args[0]), name_of(e, ins->args[1]));
    emit_word(e, ins->results[0], word.ptr);
}

static const char *func_name(Emit *e, const IrFunc *func) {
    StrBuf out = {.arena = e->glsl->input.arena};
    for (int i = 0; i < e->glsl->entries.count; i++)
        if (e->glsl->entries.items[i].func == func) return e->glsl->entries.items[i].name;
    strbuf_printf(&out, "f%d", func->index);
    bool before = false; /* two low lines in a row are GLSL's own */
    for (size_t i = 0; i < func->name.len; i++) {
        char c = func->name.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && before) continue;
        if (i == 0) strbuf_char(&out, '_');
        strbuf_char(&out, letter ? c : '_');
        before = !letter;
    }
    return strbuf_take(&out).ptr;
}

/* One result is answered, several go out through parameters. */
static void emit_call(Emit *e, const IrIns *ins) {
    const IrModule *module = e->glsl->module;
    const char *callee = ins->op == IR_CALL ? func_name(e, module->funcs.items[ins->imm.i])
                                            : glsl_library(module->externs.items[ins->imm.i].name);
    if (ins->result_count == 1) {
        declare(e, ins->results[0]);
        strbuf_printf(e->out, " = %s(", callee);
    } else {
        for (int i = 0; i < ins->result_count; i++) {
            declare(e, ins->results[i]);
            strbuf_str(e->out, STR_LIT(";\n"));
        }
        line(e);
        strbuf_printf(e->out, "%s(", callee);
    }
    for (int i = 0; i < ins->arg_count; i++)
        strbuf_printf(e->out, "%s%s", i ? ", " : "", name_of(e, ins->args[i]));
    for (int i = 0; ins->result_count > 1 && i < ins->result_count; i++)
        strbuf_printf(e->out, "%s%s", i || ins->arg_count ? ", " : "", name_of(e, ins->results[i]));
    strbuf_str(e->out, STR_LIT(");\n"));
}

static bool emit_region(Emit *e, const IrRegion *region);

static bool emit_if(Emit *e, const IrIns *ins) {
    for (int i = 0; i < ins->result_count; i++) {
        if (!e->live[ins->results[i]]) continue;
        declare(e, ins->results[i]);
        strbuf_str(e->out, STR_LIT(";\n"));
    }
    line(e);
    strbuf_printf(e->out, "if (%s) {\n", name_of(e, ins->args[0]));
    for (int side = 0; side < 2; side++) {
        e->indent++;
        if (!emit_region(e, &ins->regions[side])) return false;
        for (int i = 0; i < ins->result_count; i++) {
            if (!e->live[ins->results[i]]) continue;
            line(e);
            strbuf_printf(e->out, "%s = %s;\n", name_of(e, ins->results[i]), name_of(e, ins->regions[side].yields.items[i]));
        }
        e->indent--;
        line(e);
        strbuf_str(e->out, side ? STR_LIT("}\n") : STR_LIT("} else {\n"));
    }
    return true;
}

/* The carried values are the results, changed by each round; all next ones are worked out before any is put in place. */
static void emit_next(Emit *e, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    for (int i = 0; i < ins->result_count; i++) {
        line(e);
        strbuf_printf(e->out, "%s n%d = %s;\n", type_names[type_of(e, ins->results[i])], ins->results[i],
                      name_of(e, body->yields.items[i]));
    }
    for (int i = 0; i < ins->result_count; i++) {
        line(e);
        strbuf_printf(e->out, "%s = n%d;\n", name_of(e, ins->results[i]), ins->results[i]);
    }
    if (!ir_for_stops(ins)) return;
    line(e);
    strbuf_printf(e->out, "if (!%s) break;\n", name_of(e, body->yields.items[ins->result_count]));
}

static bool emit_for(Emit *e, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    const Range *ranges = e->ranges[e->func->index];
    Range from = ranges[ins->args[0]], to = ranges[ins->args[1]];
    bool bounded = range_is_empty(IR_I, from) || range_is_empty(IR_I, to) ||
                   (from.least > INT32_MIN && to.most < INT32_MAX && to.most - from.least <= MOST_ROUNDS);
    if (!bounded) return glsl_refuse(e->glsl, ins->span, "a loop may go round more than %d times", MOST_ROUNDS);
    for (int i = 0; i < ins->result_count; i++) {
        declare(e, ins->results[i]);
        strbuf_printf(e->out, " = %s;\n", name_of(e, ins->args[i + 2]));
        e->names[body->params.items[i + 1]] = name_of(e, ins->results[i]);
    }
    const char *counter = name_of(e, body->params.items[0]);
    line(e);
    strbuf_printf(e->out, "for (int %s = %s; %s < %s; %s++) {\n", counter, name_of(e, ins->args[0]), counter,
                  name_of(e, ins->args[1]), counter);
    e->indent++;
    if (!emit_region(e, body)) return false;
    emit_next(e, ins);
    e->indent--;
    line(e);
    strbuf_str(e->out, STR_LIT("}\n"));
    return true;
}

static bool emit_ins(Emit *e, const IrIns *ins) {
    if (ins->op == IR_FAULT_IF || !is_live(e, ins)) return true;
    for (int i = 0; i < ins->result_count && ins->op != IR_FOR; i++) /* what a loop carries is looked at in its body */
        if (e->live[ins->results[i]] && !fits(e, ins->results[i], ins->span)) return false;
    switch ((int)ins->op) {
    case IR_CONST_B:
    case IR_CONST_W:
    case IR_CONST_I:
    case IR_CONST_F:
        e->names[ins->results[0]] = constant_text(e->glsl->input.arena, ins);
        return true;
    case IR_NULL_R:
        return true;
    case IR_FIELD_GET:
        emit_cell(e, ins);
        return true;
    case IR_LIST_GET:
    case IR_GRID_GET:
        emit_read(e, ins);
        return true;
    case IR_CALL:
    case IR_CALL_EXTERN:
        emit_call(e, ins);
        return true;
    case IR_IF:
        return emit_if(e, ins);
    case IR_FOR:
        return emit_for(e, ins);
    default:
        emit_template(e, ins);
        return true;
    }
}

static bool emit_region(Emit *e, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++)
        if (!emit_ins(e, region->body.items[i])) return false;
    return true;
}

/* -- functions -- */

static void emit_head(Emit *e, bool answers) {
    const IrFunc *func = e->func;
    strbuf_printf(e->out, "%s %s(", answers ? type_names[func->results.items[0]] : "void", func_name(e, func));
    for (int i = 0; i < func->params.count; i++)
        strbuf_printf(e->out, "%s%s %s", i ? ", " : "", type_names[type_of(e, func->params.items[i])],
                      name_of(e, func->params.items[i]));
    for (int i = 0; !answers && i < func->results.count; i++)
        strbuf_printf(e->out, "%sout %s r%d", i || func->params.count ? ", " : "", type_names[func->results.items[i]], i);
    strbuf_str(e->out, STR_LIT(") {\n"));
}

static bool is_entry(const Emit *e) {
    for (int i = 0; i < e->glsl->entries.count; i++)
        if (e->glsl->entries.items[i].func == e->func) return true;
    return false;
}

static bool emit_func(Emit *e, const IrFunc *func) {
    Arena *arena = e->glsl->input.arena;
    e->func = func;
    e->live = ARENA_ARRAY(arena, bool, func->types.count + 1);
    e->names = ARENA_ARRAY(arena, const char *, func->types.count + 1);
    mark(e, func->body.yields.items, func->body.yields.count);
    mark_region(e, &func->body);
    bool answers = func->results.count == 1 && !is_entry(e);
    emit_head(e, answers);
    for (int i = 0; i < func->params.count; i++)
        if (e->live[func->params.items[i]] && !fits(e, func->params.items[i], func->span)) return false;
    e->indent = 1;
    if (!emit_region(e, &func->body)) return false;
    for (int i = 0; i < func->results.count; i++) {
        const char *value = name_of(e, func->body.yields.items[i]);
        if (answers)
            strbuf_printf(e->out, "    return %s;\n", value);
        else
            strbuf_printf(e->out, "    r%d = %s;\n", i, value);
    }
    strbuf_str(e->out, STR_LIT("}\n"));
    return true;
}

/* -- the whole -- */

static void list_cells(const Glsl *glsl, StrBuf *out) {
    for (int i = 0; i < glsl->cells.count; i++) {
        const GlslCell *cell = &glsl->cells.items[i];
        strbuf_printf(out, "// card_words[%" PRId64 "]: %.*s\n", cell->base, STR_ARG(cell->name));
    }
}

/* A copy is listed when it is whole, so after all that it calls. */
bool glsl_emit(Glsl *glsl, StrBuf *out, GlslText *made) {
    size_t *ends = ARENA_ARRAY(glsl->input.arena, size_t, glsl->entries.count + 1);
    uint64_t *needs = ARENA_ARRAY(glsl->input.arena, uint64_t, glsl->entries.count + 1);
    Emit e = {.glsl = glsl, .out = out};
    if (!find_ranges(&e)) return false;
    strbuf_str(out, str_of(glsl_prelude));
    list_cells(glsl, out);
    for (int i = 0; i < glsl->copies.count; i++)
        if (!emit_func(&e, glsl->copies.items[i].to)) return false;
    made->shared = out->len;
    made->ends = ends;
    made->needs = needs;
    for (int i = 0; i < glsl->entries.count; i++) {
        if (!emit_func(&e, glsl->entries.items[i].func)) return false;
        for (int k = 0; k < e.func->params.count && k < 64; k++)
            needs[i] |= (uint64_t)e.live[e.func->params.items[k]] << k;
        ends[i] = out->len;
    }
    return true;
}
