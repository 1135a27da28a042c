/* Questions: an author's expression, checked against the finished world, lowered and interpreted as
 * an overlay that ends. */
#include <math.h>
#include <string.h>

#include "compiler/engine/ask/ask.h"

static void found(Question *question, Overlay *overlay) {
    question->fn = overlay->fn;
    question->callee = (Callee){overlay, overlay->lowering.first};
    question->type = overlay->fn->result;
}

/* NULL after a mistake, which is reported. */
static const TreeFn *check(World *world, const Question *question, Overlay *overlay) {
    Compile *c = world->compile;
    DiagList *diags = &world->report.diags;
    int before = diags->error_count;
    overlay->file =
        sources_add_brief(&c->sources, &overlay->arena, STR_LIT("<ask>"), question->text);
    AstNode *ast =
        parse_expression(&overlay->arena, &c->symbols, diags, overlay->file, c->input.limits);
    if (ast == NULL || diags->error_count > before) return NULL;
    return check_question(c->checker, &(CheckAsker){&overlay->arena, diags}, ast, 0,
                          question->wanted);
}

WorldStatus question_compile(World *world, Question *question) {
    Overlay *overlay = overlay_find(world, question->text, question->wanted);
    if (overlay == NULL) {
        overlay = overlay_create(world);
        overlay->fn = check(world, question, overlay);
        if (overlay->fn) overlay_add(overlay, overlay->fn);
        if (overlay->fn == NULL || !overlay_finish(overlay)) {
            WorldStatus status = report_status(&world->report.diags);
            return status == WORLD_OK ? WORLD_ERROR_WORLD : status;
        }
        overlay->wanted = question->wanted;
        overlay->text = sources_get(&world->compile->sources, overlay->file)->text;
    }
    found(question, overlay);
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

static void run(Rt *rt, void *user, Slot *slots) {
    const World *world = rt->engine;
    const Question *question = user;
    Slot self = slot_r(rt_world_root(world->parts));
    const Slot *in[1] = {&self};
    Slot **out = rt_scratch_push(rt, sizeof *out * (size_t)question->type->slot_count);
    for (int i = 0; i < question->type->slot_count; i++)
        out[i] = &slots[i];
    callee_run(rt, question->callee, 1, 1, in, out);
    check_numbers(rt, question);
}

WorldStatus question_run(World *world, Question *question, Rt *rt) {
    question->slots = ARENA_ARRAY(rt->arena, Slot, question->type->slot_count);
    run(rt, question, question->slots);
    if (question->asker && rt_failed(rt) && rt->fault.span[0] == question->fn->span.file)
        memcpy(rt->fault.span, question->asker, sizeof rt->fault.span);
    return entry_fault(world, rt);
}

WorldStatus question_keep(World *world, Question *question, Rt *rt, RtVersion **version) {
    question->slots = ARENA_ARRAY(rt->arena, Slot, question->type->slot_count);
    RtCode *code = question->callee.overlay ? &question->callee.overlay->code : NULL;
    *version = rt_value_keep(rt, run, question, code, question->slots);
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
