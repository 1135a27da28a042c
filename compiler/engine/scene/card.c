/* Functions of a world as the graphics card runs them (compiler/glsl). */
#include "compiler/engine/scene/scene.h"

#include "stdlib/library_names.h"

static const IrBinding *binding_of(void *user, const RtCode *code) {
    const Gather *g = user;
    return code ? &((const Overlay *)code)->binding : &g->world->program->binding;
}

/* A map that does not say where it lies is laid over the land. */
static bool find_land(Gather *g) {
    if (g->lazy == NULL) return true;
    WorldStatus status = g->world->scene ? WORLD_OK : scene_gather(g->world, g->rt, g->lazy);
    g->store->refused = status != WORLD_OK;
    if (status == WORLD_OK) g->store->scene = *g->world->scene;
    return status == WORLD_OK;
}

static bool read_map(void *user, const Slot *record, GlslMap *out) {
    if (!find_land(user)) return false;
    const WorldRaster *raster = scene_raster(user, (const void *)record);
    if (raster == NULL) return false;
    *out = (GlslMap){raster->columns, raster->rows, raster->x0, raster->z0, raster->cell, raster->values};
    return true;
}

Glsl *card_begin(Gather *g) {
    GlslInput input = {.arena = g->rt->arena,
                       .words = g->store->arena,
                       .scratch = &g->world->compile->scratch,
                       .rt = g->rt,
                       .authors = g->world->host.authors,
                       .binding = binding_of,
                       .map = read_map,
                       .map_function = STR_LIT(STD_groundlook "." STD_groundlook_valueAt),
                       .map_slots = (int)(sizeof(StdLandMap) / sizeof(Slot)),
                       .user = g};
    return glsl_create(&input);
}

void card_refuse(const Gather *g, const Glsl *glsl) {
    const GlslError *error = glsl_error(glsl);
    if (!rt_failed(g->rt) && !g->store->refused)
        diag_add(&g->world->report.diags, DIAG_E_CARD, error->span, STR_ARG(error->text));
}

/* -- of an expression -- */

typedef struct CardCall {
    const char *function;
    WorldCard *card;
    SceneArenas arenas;
} CardCall;

/* What is handed out lives in the arena of dumps. */
static WorldStatus hand_out(Gather *g, const RtClosure *function, WorldCard *card) {
    World *world = g->world;
    Glsl *glsl = card_begin(g);
    GlslText out;
    if (!glsl_add(glsl, function, "world_function") || !glsl_finish(glsl, &out)) {
        card_refuse(g, glsl);
        return rt_failed(g->rt) ? entry_fault(world, g->rt) : WORLD_ERROR_WORLD;
    }
    inspect_hand_out(world, out.text, &card->text);
    uint32_t *words = arena_alloc(&world->dumped, sizeof *words * (size_t)out.word_count);
    memcpy(words, out.words, sizeof *words * (size_t)out.word_count);
    card->words = words;
    card->word_count = (size_t)out.word_count;
    return WORLD_OK;
}

static WorldStatus card_of(World *world, Rt *rt, void *args) {
    CardCall *call = args;
    if (world->program == NULL) return WORLD_ERROR_WORLD;
    Question question = {.text = str_of(call->function)};
    WorldStatus status = question_compile(world, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_FN) {
        Str why = str_printf(rt->arena, "'%s' is no function", call->function);
        diag_add(&world->report.diags, DIAG_E_CARD, question.fn->span, STR_ARG(why));
        return WORLD_ERROR_WORLD;
    }
    status = question_run(world, &question, rt);
    if (status != WORLD_OK) return status;
    SceneStore store = {.arena = rt->arena};
    Gather g = {.world = world, .rt = rt, .store = &store, .lazy = &call->arenas};
    WorldCard card;
    status = hand_out(&g, question.slots[0].r, &card);
    if (status == WORLD_OK) *call->card = card;
    return status;
}

WorldStatus world_card(World *world, const char *function, WorldCard *card) {
    if (world == NULL || function == NULL || card == NULL) return WORLD_ERROR_ARGUMENT;
    CardCall call = {.function = function, .card = card};
    scene_arenas_init(&call.arenas, world);
    WorldStatus status = entry_run(world, card_of, &call);
    scene_arenas_fini(&call.arenas);
    return status;
}
