/* Materials: the functions of a record material as one text for the graphics card, each material once. */
#include "compiler/engine/scene/scene.h"

#include <math.h>

enum { COLOR, ROUGHNESS, METAL, TRANSLUCENCY, EMISSION, BUMP };

/* In the order of SceneMaterial.channels. The text defines the capitals where there is such a function. */
static const struct {
    const char *defined, *function;
} channels[SCENE_CHANNELS] = {
    {"MATERIAL_COLOR", "material_color"},               {"MATERIAL_ROUGHNESS", "material_roughness"},
    {"MATERIAL_METAL", "material_metal"},               {"MATERIAL_TRANSLUCENCY", "material_translucency"},
    {"MATERIAL_EMISSION", "material_emission"},         {"MATERIAL_BUMP", "material_bump"},
};

enum { TIME = 10, GIVEN = 17 }; /* the slot of the time among what the functions are given: at, normal, height, slope, distance, pixel, time, own, across, along, tilePixel */

/* Function values are the same when they are of one text and have captured the same. */
static bool same_function(const RtClosure *a, const RtClosure *b) {
    if (a == b) return true;
    return a && b && a->func == b->func && a->code == b->code && a->capture_count == b->capture_count &&
           memcmp(a->captures, b->captures, sizeof *a->captures * (size_t)a->capture_count) == 0;
}

static const SceneMaterial *find(const SceneStore *store, const SceneMaterial *wanted) {
    for (int i = 0; i < store->materials.count; i++) {
        const SceneMaterial *known = &store->materials.items[i];
        bool same = true;
        for (int k = 0; k < SCENE_CHANNELS; k++)
            same &= same_function(known->channels[k], wanted->channels[k]);
        if (same) return known;
    }
    return NULL;
}

/* What a channel that needs nothing it is given says. */
static void ask_constant(Rt *rt, const RtClosure *channel, float *out, int count) {
    const Slot given[GIVEN] = {{0}};
    Slot said[1 + 3]; /* whether, and what */
    rt_call(rt, channel, NULL, given, said);
    for (int k = 0; k < count && said[0].w && !rt_failed(rt); k++)
        out[k] = (float)said[1 + k].f;
}

static WorldSurface find_constants(Rt *rt, const SceneMaterial *material, const uint64_t *needs) {
    WorldSurface said = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, NAN};
    float *const outs[SCENE_CHANNELS] = {[COLOR] = said.color, [ROUGHNESS] = &said.roughness, [METAL] = &said.metal, [EMISSION] = said.emission};
    for (int k = 0; k < SCENE_CHANNELS; k++) {
        if (material->channels[k] == NULL) continue;
        if (outs[k] && *needs == 0) ask_constant(rt, material->channels[k], outs[k], k == COLOR || k == EMISSION ? 3 : 1);
        needs++;
    }
    return said;
}

static bool is_timed(const SceneMaterial *material, const uint64_t *needs) {
    bool timed = false;
    for (int k = 0; k < SCENE_CHANNELS; k++)
        if (material->channels[k]) timed |= *needs++ >> TIME & 1;
    return timed;
}

static bool compile(Gather *g, const SceneMaterial *material, WorldCard *card, WorldSurface *surface) {
    SceneStore *store = g->store;
    Glsl *glsl = card_begin(g);
    StrBuf text = {.arena = store->arena};
    GlslText made;
    for (int k = 0; k < SCENE_CHANNELS; k++) {
        if (material->channels[k] == NULL) continue;
        strbuf_printf(&text, "#define %s\n", channels[k].defined);
        if (glsl_add(glsl, material->channels[k], channels[k].function)) continue;
        card_refuse(g, glsl);
        return false;
    }
    if (!glsl_finish(glsl, &made)) {
        card_refuse(g, glsl);
        return false;
    }
    *surface = find_constants(g->rt, material, made.needs);
    if (is_timed(material, made.needs)) strbuf_str(&text, STR_LIT("#define MATERIAL_TIMED\n"));
    strbuf_str(&text, made.text);
    *card = (WorldCard){strbuf_take(&text).ptr, made.words, (size_t)made.word_count};
    return true;
}

/* Functions of different parts may say the same. */
int scene_add_card(SceneStore *store, const SceneCard *made) {
    const WorldCard *card = &made->card;
    if (made->plain) return 0;
    for (int i = 0; i < store->cards.count; i++) {
        const WorldCard *known = &store->cards.items[i];
        if (known->word_count == card->word_count && strcmp(known->text, card->text) == 0 &&
            memcmp(known->words, card->words, sizeof *card->words * card->word_count) == 0)
            return i + 1;
    }
    VEC_PUSH(store->arena, &store->cards, *card);
    VEC_PUSH(store->arena, &store->surfaces, made->surface);
    return store->cards.count;
}

int scene_wind(SceneStore *store, const StdMaterial *material) {
    if (material->wind == NULL) return 0;
    for (int i = 0; i < store->winds.count; i++)
        if (same_function(store->winds.items[i], material->wind)) return i + 1;
    VEC_PUSH(store->arena, &store->winds, material->wind);
    return store->winds.count;
}

static SceneMaterial channels_of(const StdMaterial *from) {
    return (SceneMaterial){.channels = {from->color, from->roughness, from->metal, from->translucency, from->emission, from->bump}};
}

static bool make_card(Gather *g, const SceneMaterial *material, SceneCard *card) {
    *card = (SceneCard){.plain = true};
    for (int k = 0; k < SCENE_CHANNELS; k++)
        card->plain &= material->channels[k] == NULL;
    if (card->plain || compile(g, material, &card->card, &card->surface)) return true;
    g->store->refused = true;
    return false;
}

bool scene_make_card(Gather *g, const StdMaterial *material, SceneCard *card) {
    SceneMaterial of = channels_of(material);
    return make_card(g, &of, card);
}

bool scene_material(Gather *g, const StdMaterial *from, int *number) {
    SceneStore *store = g->store;
    SceneMaterial material = channels_of(from);
    const SceneMaterial *known = find(store, &material);
    if (known == NULL) {
        SceneCard card;
        if (!make_card(g, &material, &card)) return false;
        material.material = scene_add_card(store, &card);
        VEC_PUSH(store->arena, &store->materials, material);
        known = &material;
    }
    *number = known->material;
    return true;
}
