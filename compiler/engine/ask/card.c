/* Functions of a world as the graphics card runs them. */
#include "compiler/engine/ask/ask.h"
#include "compiler/glsl/glsl.h"

static const IrBinding *binding_of(void *user, const RtCode *code) {
    const World *world = user;
    return code ? &((const Overlay *)code)->binding : &world->program->binding;
}

static Glsl *begin(World *world, Rt *rt, Arena *scratch) {
    GlslInput input = {.arena = rt->arena,
                       .scratch = scratch,
                       .rt = rt,
                       .authors = world->host.authors,
                       .binding = binding_of,
                       .user = world};
    return glsl_create(&input);
}

static WorldStatus refused(World *world, const Rt *rt, const Glsl *glsl) {
    const GlslError *error = glsl_error(glsl);
    if (rt_failed(rt)) return entry_fault(world, rt);
    diag_add(&world->report.diags, DIAG_E_CARD, error->span, STR_ARG(error->text));
    return WORLD_ERROR_WORLD;
}

/* What is handed out lives in the arena of dumps. */
static WorldStatus hand_out(World *world, Rt *rt, Question *question, WorldCard *card) {
    Glsl *glsl = begin(world, rt, &world->compile->scratch);
    GlslText out;
    bool good = glsl_add(glsl, question->slots[0].r, "world_function") && glsl_finish(glsl, &out);
    if (!good) return refused(world, rt, glsl);
    inspect_hand_out(world, out.text, &card->text);
    card->words = arena_alloc(&world->dumped, sizeof *out.words * (size_t)out.word_count);
    memcpy((void *)(uintptr_t)card->words, out.words, sizeof *out.words * (size_t)out.word_count);
    card->word_count = (size_t)out.word_count;
    return WORLD_OK;
}

static WorldStatus card_of(World *world, Rt *rt, const char *expression, WorldCard *card) {
    if (world->program == NULL) return WORLD_ERROR_WORLD;
    Question question = {.text = str_of(expression)};
    WorldStatus status = question_compile(world, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_FN) {
        Str why = str_printf(rt->arena, "'%s' is no function", expression);
        diag_add(&world->report.diags, DIAG_E_CARD, question.fn->span, STR_ARG(why));
        return WORLD_ERROR_WORLD;
    }
    status = question_run(world, &question, rt);
    return status == WORLD_OK ? hand_out(world, rt, &question, card) : status;
}

WorldStatus card_dump(World *world, Rt *rt, const char *expression, const char **text) {
    WorldCard card;
    WorldStatus status = card_of(world, rt, expression ? expression : "", &card);
    if (status == WORLD_OK) *text = card.text;
    return status;
}

typedef struct CardCall {
    const char *function;
    WorldCard *card;
} CardCall;

static WorldStatus card(World *world, Rt *rt, void *args) {
    const CardCall *call = args;
    WorldCard found;
    WorldStatus status = card_of(world, rt, call->function, &found);
    if (status == WORLD_OK) *call->card = found;
    return status;
}

WorldStatus world_card(World *world, const char *function, WorldCard *out) {
    if (world == NULL || function == NULL || out == NULL) return WORLD_ERROR_ARGUMENT;
    CardCall call = {function, out};
    return entry_run(world, card, &call);
}
