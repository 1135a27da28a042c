/* From a grid to the function that fills it, and down its calls to the author's own call of a
 * noise. */
#include "compiler/lint/noise.h"

#include <math.h>

#include "compiler/range/walk.h"
#include "stdlib/library_names.h"

bool lint_has_cells(const LintInput *input, int func) {
    Str name = input->lowering->module->funcs.items[func]->name;
    return str_starts(name, STR_LIT(STD_noise ".")) ||
           str_starts(name, STR_LIT(STD_noisekernel "."));
}

/* -- grids -- */

static Str callee_name(const IrModule *module, const IrIns *ins) {
    if (ins->op == IR_CALL) return module->funcs.items[ins->imm.i]->name;
    return module->externs.items[ins->imm.i].name;
}

void lint_note_fill(const LintInput *input, LintFills *fills, int func, const IrIns *ins,
                    const Range *args) {
    Str name = callee_name(input->lowering->module, ins);
    if (!str_equal(name, STR_LIT(STD_QUALIFIED(grid, heightGrid))) &&
        !str_equal(name, STR_LIT(STD_QUALIFIED(grid, heightGridOver))))
        return;
    if (!range_is_point(IR_F, args[0])) return;
    LintFill fill = {func, ins, args[0].lo};
    VEC_PUSH(input->scratch, fills, fill);
}

/* The function that gives the heights, when it is made where the grid is. */
static int filler(const Ranges *ranges, const LintFill *fill) {
    for (int i = 0; i < fill->ins->arg_count; i++) {
        const IrIns *def = ranges->funcs[fill->func].defs[fill->ins->args[i]];
        if (def && def->op == IR_CLOSURE) return (int)def->imm.i;
    }
    return -1;
}

/* -- down the calls -- */

typedef struct Search {
    const LintInput *input;
    double cell;
    VEC(const IrIns *) told;
} Search;

static bool in_authors_file(const Search *search, const IrIns *call) {
    return call->span.file >= search->input->file;
}

static bool calls_author(const Search *search, const IrIns *call) {
    return search->input->lowering->module->funcs.items[call->imm.i]->span.file >=
           search->input->file;
}

static void tell(Search *search, const IrIns *call, double samples) {
    for (int i = 0; i < search->told.count; i++)
        if (search->told.items[i] == call) return;
    VEC_PUSH(search->input->scratch, &search->told, call);
    StrBuf size = {.arena = search->input->scratch};
    strbuf_printf(&size, "%.3g m", samples * search->cell);
    diag_add(search->input->diags, DIAG_W_FINE_NOISE, call->span, strbuf_take(&size).ptr,
             search->cell);
}

/* `step`: how far the parameter goes from one sample of the grid to the next. */
static void look(Search *search, const RangeContext *context, int param, double step) {
    for (int i = 0; i < context->floors.count; i++) {
        const RangeFloor *floor = &context->floors.items[i];
        double moved = fabs(floor->value.factor * step);
        if (floor->value.param != param || moved <= 0.5 || floor->callee == NULL) continue;
        if (!in_authors_file(search, floor->ins)) continue;
        if (!calls_author(search, floor->ins)) {
            tell(search, floor->ins, 1 / moved);
            continue;
        }
        look(search, floor->callee, floor->callee_param, floor->passed * step);
    }
}

void lint_judge_noise(const LintInput *input, const Ranges *ranges, const LintFills *fills) {
    for (int i = 0; i < fills->count; i++) {
        const LintFill *fill = &fills->items[i];
        Search search = {.input = input, .cell = fill->cell};
        int func = filler(ranges, fill);
        if (func < 0) continue;
        int params =
            input->lowering->module->funcs.items[func]->params.count; /* x, y, z are the last */
        const RangeFunc *facts = &ranges->funcs[func];
        for (int k = 0; k < facts->contexts.count && params >= 3; k++) {
            look(&search, facts->contexts.items[k], params - 3, fill->cell);
            look(&search, facts->contexts.items[k], params - 1, fill->cell);
        }
    }
}
