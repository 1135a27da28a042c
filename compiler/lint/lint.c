/* The walks over a world, and which of their findings are worth a warning. The words are
 * lint_say.c's. */
#include "compiler/lint/lint.h"

#include <math.h>
#include <stdlib.h>

#include "compiler/lint/noise.h"
#include "compiler/lint/say.h"
#include "compiler/range/range.h"

enum { MAX_INITS = 64 }; /* a field that more classes than this set may be anything */

typedef VEC(const TreeClass *) ClassList;

typedef struct Lint {
    const LintInput *input;
    Ranges *ranges;
    ClassList *derived; /* by class: those made directly from it */
    LintFills fills;
} Lint;

static int ir_of(const Lint *lint, const TreeFn *fn) {
    return fn ? lint->input->lowering->ir_index.items[fn->index] : -1;
}

/* -- cells -- */

typedef struct Inits {
    int funcs[MAX_INITS];
    int count;
    bool open; /* too many, or set by something unknown */
} Inits;

static void add_inits(const Lint *lint, const TreeClass *cls, int field, Inits *inits) {
    int func = ir_of(lint, cls->fields.items[field].init);
    bool known = inits->count > 0 && func == inits->funcs[inits->count - 1];
    if (inits->count == MAX_INITS) inits->open = true;
    if (inits->open) return;
    if (func >= 0 && !known) inits->funcs[inits->count++] = func;
    const ClassList *derived = &lint->derived[cls->index];
    for (int i = 0; i < derived->count; i++)
        add_inits(lint, derived->items[i], field, inits);
}

/* Fields that every part has (at, turn) may be set by a part line whose design is known only when
 * it runs. */
static bool is_everyones(const TreeClass *cls, int field) {
    const TreeClass *first = cls;
    while (first->base)
        first = first->base;
    return first != cls && field < first->fields.count;
}

static const LoweredTree *find_tree(const Lint *lint, int func, IrValue value) {
    int low = 0, high = lint->input->lowering->trees.count;
    while (low < high) {
        int middle = (low + high) / 2;
        const LoweredTree *at = &lint->input->lowering->trees.items[middle];
        if (at->func == func && at->value == value) return at;
        if (at->func < func || (at->func == func && at->value < value))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static RangeCell cell_of(void *user, int func, const IrIns *ins) {
    const Lint *lint = user;
    const LoweredTree *found = find_tree(lint, func, ins->results[0]);
    if (found == NULL) return (RangeCell){0};
    const TreeClass *cls = found->tree->part.operand->type->cls;
    int field = found->tree->part.index;
    if (cls == NULL || is_everyones(cls, field)) return (RangeCell){0};
    Inits inits = {.count = 0};
    add_inits(lint, cls, field, &inits);
    if (inits.open || inits.count == 0) return (RangeCell){0};
    int *kept = ARENA_ARRAY(lint->input->scratch, int, inits.count);
    memcpy(kept, inits.funcs, sizeof *kept * (size_t)inits.count);
    return (RangeCell){kept, inits.count, (int)ins->imm2 - cls->fields.items[field].slot};
}

/* -- the walks -- */

static void note_call(void *user, int func, const IrIns *ins, const Range *args) {
    Lint *lint = user;
    lint_note_fill(lint->input, &lint->fills, func, ins, args);
}

static void enter(Lint *lint, const TreeFn *fn) {
    int func = ir_of(lint, fn);
    if (func >= 0) ranges_enter(lint->ranges, func, NULL);
}

static void walk_class(Lint *lint, const TreeClass *cls) {
    for (int i = 0; i < cls->fields.count; i++)
        enter(lint, cls->fields.items[i].init);
    for (int i = 0; i < cls->elaborates.count; i++)
        enter(lint, cls->elaborates.items[i]);
}

static bool is_authors(const Lint *lint, const TreeFn *fn) {
    return fn->span.file >= lint->input->file && ir_of(lint, fn) >= 0;
}

static bool has_cells(void *user, int func) {
    const Lint *lint = user;
    return lint_has_cells(lint->input, func);
}

/* What nobody in the world calls is for whoever asks: for any argument. */
static void walk_world(Lint *lint) {
    const TreeProgram *program = lint->input->program;
    for (int i = 0; i < program->classes.count; i++)
        walk_class(lint, program->classes.items[i]);
    for (int i = 0; i < program->checks.count; i++)
        enter(lint, program->checks.items[i].condition);
    for (int i = 0; i < program->fns.count; i++) {
        const TreeFn *fn = program->fns.items[i];
        if (is_authors(lint, fn) && !ranges_entered(lint->ranges, ir_of(lint, fn))) enter(lint, fn);
    }
}

/* -- conditions -- */

typedef struct Finding {
    const Tree *tree;
    RangeVerdict verdict;
} Finding;

static int compare_findings(const void *a, const void *b) {
    const Finding *x = a, *y = b;
    if (x->tree->span.file != y->tree->span.file)
        return x->tree->span.file < y->tree->span.file ? -1 : 1;
    if (x->tree->span.start != y->tree->span.start)
        return x->tree->span.start < y->tree->span.start ? -1 : 1;
    if (x->tree->span.end != y->tree->span.end)
        return x->tree->span.end < y->tree->span.end ? -1 : 1;
    return (x->verdict.func > y->verdict.func) - (x->verdict.func < y->verdict.func);
}

/* A generic function is in the module once for each set of types: all of them must agree. */
static void add_verdict(Finding *sum, const Finding *more) {
    IrType type = IR_I;
    ir_type_of_letter(ir_op_info(sum->verdict.ins->op)->operands[0], &type);
    sum->verdict.seen_true |= more->verdict.seen_true;
    sum->verdict.seen_false |= more->verdict.seen_false;
    sum->verdict.left = range_join(type, sum->verdict.left, more->verdict.left);
    sum->verdict.right = range_join(type, sum->verdict.right, more->verdict.right);
}

static bool in_check(const Lint *lint, Span span) {
    const TreeProgram *program = lint->input->program;
    for (int i = 0; i < program->checks.count; i++) {
        Span check = program->checks.items[i].span;
        if (check.start <= span.start && span.end <= check.end) return true;
    }
    return false;
}

static void judge(Lint *lint, const Finding *finding) {
    const RangeVerdict *verdict = &finding->verdict;
    if (verdict->seen_true && verdict->seen_false) return;
    if (!verdict->left.varies && !verdict->right.varies) return;
    if (in_check(lint, finding->tree->span)) return;
    lint_say_condition(lint->input, finding->tree, verdict);
}

static void judge_conditions(Lint *lint) {
    RangeVerdict *found;
    VEC(Finding) findings = {0};
    int count = ranges_comparisons(lint->ranges, lint->input->scratch, &found);
    for (int i = 0; i < count; i++) {
        const LoweredTree *tree = find_tree(lint, found[i].func, found[i].ins->results[0]);
        if (tree == NULL || tree->tree->span.file < lint->input->file) continue;
        Finding finding = {tree->tree, found[i]};
        VEC_PUSH(lint->input->scratch, &findings, finding);
    }
    if (findings.count)
        qsort(findings.items, (size_t)findings.count, sizeof(Finding), compare_findings);
    for (int i = 0; i < findings.count; i++) {
        Finding sum = findings.items[i];
        Span span = sum.tree->span;
        for (; i + 1 < findings.count; i++) {
            Span next = findings.items[i + 1].tree->span;
            if (next.file != span.file || next.start != span.start || next.end != span.end) break;
            add_verdict(&sum, &findings.items[i + 1]);
        }
        judge(lint, &sum);
    }
}

/* -- fractions -- */

/* What is not bounded at all says more of what is not known than of the author's function. */
static bool leaves_unit(Range range) {
    const double slack = 1e-9;
    return range.varies && ((range.lo < -slack && range.lo > -INFINITY) ||
                            (range.hi > 1 + slack && range.hi < INFINITY));
}

static void judge_fractions(Lint *lint) {
    const TreeProgram *program = lint->input->program;
    for (int i = 0; i < program->fns.count; i++) {
        const TreeFn *fn = program->fns.items[i];
        if (!is_authors(lint, fn) || fn->result->kind != TYPE_NUMBER || !fn->result->fraction)
            continue;
        Range range = ranges_answer(lint->ranges, ir_of(lint, fn), 0);
        if (leaves_unit(range)) lint_say_fraction(lint->input, fn, range);
    }
}

static void list_derived(Lint *lint) {
    const TreeProgram *program = lint->input->program;
    lint->derived = ARENA_ARRAY(lint->input->scratch, ClassList, program->classes.count);
    for (int i = 0; i < program->classes.count; i++) {
        const TreeClass *cls = program->classes.items[i];
        if (cls->base) VEC_PUSH(lint->input->scratch, &lint->derived[cls->base->index], cls);
    }
}

void lint_ranges(const LintInput *input) {
    Lint lint = {.input = input};
    list_derived(&lint);
    RangeInput range_input = {.arena = input->scratch,
                              .scratch = input->diags->arena,
                              .module = input->lowering->module,
                              .cell = cell_of,
                              .has_cells = has_cells,
                              .called = note_call,
                              .user = &lint};
    lint.ranges = ranges_create(&range_input);
    walk_world(&lint);
    judge_conditions(&lint);
    judge_fractions(&lint);
    lint_judge_noise(input, lint.ranges, &lint.fills);
}
