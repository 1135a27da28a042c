/* Questions: an author's expression, checked against the finished world, lowered and
 * interpreted. */
#include <math.h>

#include "compiler/engine/ask/ask.h"

void question_take_diags(World *world, int before) {
    DiagList *from = &world->compile->diags;
    for (int i = before; i < from->items.count; i++) {
        Diag *diag = from->items.items[i];
        VEC_PUSH(&world->report.arena, &world->report.diags.items, diag);
        if (diag->severity == DIAG_ERROR)
            world->report.diags.error_count++;
        else
            world->report.diags.warning_count++;
    }
    from->items.count = before;
    from->error_count = 0;
    from->dropped = 0;
}

/* A question asked before is not compiled again, so that a host may ask one for ever. */
static const TreeFn *find_asked(const World *world, const Question *question) {
    Symbol symbol = symbols_find(&world->compile->symbols, question->text);
    for (int i = world->asked.count; symbol && i-- > 0;) {
        const AskedQuestion *asked = &world->asked.items[i];
        if (asked->text == symbol && asked->wanted == question->wanted) return asked->fn;
    }
    return NULL;
}

static void found(World *world, Question *question, const TreeFn *fn) {
    question->fn = fn;
    question->func = world->compile->lowering.ir_index.items[fn->index];
    question->type = fn->result;
}

WorldStatus question_compile(World *world, Question *question) {
    Compile *c = world->compile;
    const TreeFn *asked = find_asked(world, question);
    if (asked) {
        found(world, question, asked);
        return WORLD_OK;
    }
    int before = c->diags.items.count;
    uint32_t file = sources_add(&c->sources, STR_LIT("<ask>"), question->text);
    AstNode *ast = parse_expression(&c->arena, &c->symbols, &c->diags, file, c->input.limits);
    question->fn = ast && !diags_failed(&c->diags)
                       ? check_question(c->checker, ast, 0, question->wanted)
                       : NULL;
    bool good = question->fn && !diags_failed(&c->diags) && program_grow(world);
    question_take_diags(world, before);
    if (!good) {
        WorldStatus status = report_status(&world->report.diags);
        return status == WORLD_OK ? WORLD_ERROR_WORLD : status;
    }
    AskedQuestion known = {symbols_intern(&c->symbols, question->text), question->wanted,
                           question->fn};
    VEC_PUSH(&c->arena, &world->asked, known);
    found(world, question, question->fn);
    return WORLD_OK;
}

/* An answer that is no number is a mistake, as it is in a field. */
static void check_numbers(Rt *rt, const Question *question) {
    const Span *span = &question->fn->span;
    uint32_t place[3] = {span->file, span->start, span->end};
    for (int i = 0; i < question->type->slot_count; i++) {
        double value = question->slots[i].f;
        if (question->type->slots[i] != 'F' || isfinite(value)) continue;
        rt_fault_at(rt, isnan(value) ? RT_FAULT_NAN : RT_FAULT_FIELD_INFINITE, place, 0,
                    STR_LIT(""));
        return;
    }
}

WorldStatus question_run(World *world, Question *question, Rt *rt) {
    Slot self = slot_r(rt_world_root(world->parts));
    const Slot *in[1] = {&self};
    int count = question->type->slot_count;
    question->slots = ARENA_ARRAY(rt->arena, Slot, count + 1);
    Slot **out = ARENA_ARRAY(rt->arena, Slot *, count + 1);
    for (int i = 0; i < count; i++)
        out[i] = &question->slots[i];
    program_run(rt, question->func, 1, 1, in, out);
    check_numbers(rt, question);
    return entry_fault(world, rt);
}

/* -- world_ask -- */

typedef struct Ask {
    const char *expression;
    WorldValue **value;
} Ask;

static WorldStatus ask(World *world, Rt *rt, void *args) {
    const Ask *wanted = args;
    Question question = {.text = str_of(wanted->expression)};
    WorldStatus status = question_compile(world, &question);
    if (status == WORLD_OK) status = question_run(world, &question, rt);
    if (status == WORLD_OK) *wanted->value = value_create(world, question.type, question.slots);
    return status;
}

WorldStatus world_ask(World *world, const char *expression, WorldValue **value) {
    if (expression == NULL || value == NULL) return WORLD_ERROR_ARGUMENT;
    Ask wanted = {expression, value};
    return entry_run(world, ask, &wanted);
}
