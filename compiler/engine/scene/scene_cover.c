/* The ground's cover: kinds as numbers, and as functions for the card that say where their tufts stand. */
#include "compiler/engine/scene/scene.h"
#include "stdlib/library_names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- records of the library whose fields C knows by name -- */

/* The slots of a field; a package that lost one does not compile, by its name. */
static const Slot *field_of(const World *world, const Type *type, const Slot *slots, const char *name, const Type **of) {
    const TreeRecord *record = type->record;
    for (int i = 0; i < record->fields.count; i++) {
        *of = record->fields.items[i].type;
        if (str_equal(symbols_name(&world->compile->symbols, record->fields.items[i].name), str_of(name)))
            return slots + record->slots.items[i];
    }
    abort();
}

static const RtList *list_of(const World *world, const Type *type, const Slot *slots, const char *name) {
    const Type *of;
    return field_of(world, type, slots, name, &of)->r;
}

static const RtGrid *grid_of(const World *world, const Type *type, const Slot *slots, const char *name) {
    const Type *of;
    return field_of(world, type, slots, name, &of)->r;
}

/* -- kinds -- */

#define KIND(field, member) {STD_groundcover_coverKind_##field, offsetof(WorldCoverKind, member)}
static const struct {
    const char *name;
    size_t at; /* as many numbers as the field has slots */
} numbers[] = {
    KIND(style, style), KIND(seed, seed), KIND(density, density), KIND(perCluster, per_cluster), KIND(clusterRadius, cluster_radius),
    KIND(cellFactor, cell_factor), KIND(sizeMax, size_max), KIND(sizeNoise, size_swing), KIND(widthMax, width_max), KIND(lean, lean),
    KIND(bend, bend), KIND(bladesPerTuft, blades_per_tuft), KIND(baseColor, base_color), KIND(tipColor, tip_color),
    KIND(altColor, alt_color), KIND(variation, variation), KIND(dryColor, dry_color), KIND(dryAmount, dry_amount),
    KIND(translucency, translucency), KIND(flower, flower), KIND(flowerCenter, flower_center), KIND(petals, petals), KIND(wind, wind),
    KIND(alignment, alignment), KIND(sink, sink), KIND(albedoNoise, mottle), KIND(range, range), KIND(fadeStart, fade_start),
    KIND(rings, rings), KIND(ringStep, ring_step), KIND(maxInstances, max_instances), KIND(farWeight, far_weight),
};
#undef KIND

static double number_of(const Type *type, int slot, Slot value) {
    char letter = type->slots[slot];
    return letter == 'F' ? value.f : letter == 'W' ? (double)(uint32_t)value.w : (double)value.i;
}

static void read_numbers(const World *world, const Type *type, const Slot *slots, WorldCoverKind *kind) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const Type *of;
        const Slot *from = field_of(world, type, slots, numbers[i].name, &of);
        double *to = (double *)(void *)((char *)kind + numbers[i].at);
        for (int k = 0; k < of->slot_count; k++)
            to[k] = number_of(of, k, from[k]);
    }
    kind->cell = kind->cell_factor * sqrt(kind->per_cluster / kind->density);
    const RtList *ends = list_of(world, type, slots, STD_groundcover_coverKind_ringEnd);
    for (int i = 0; i < 3; i++)
        kind->ring_end[i] = i < (int)kind->rings - 1 ? rt_list_item(ends, i)->f : kind->range;
}

/* The values of cells end with their world, and a layer may not. */
static const void *copy_array(Arena *arena, const void *array, size_t size) {
    if (array == NULL) return NULL;
    void *copy = arena_alloc(arena, size);
    if (size) memcpy(copy, array, size);
    return copy;
}

static void own_mesh(Arena *arena, WorldMesh *mesh) {
    size_t corner = sizeof(float) * mesh->vertex_count;
    mesh->positions = copy_array(arena, mesh->positions, 3 * corner);
    mesh->normals = copy_array(arena, mesh->normals, 3 * corner);
    mesh->colors = copy_array(arena, mesh->colors, 3 * corner);
    mesh->indices = copy_array(arena, mesh->indices, sizeof(uint32_t) * mesh->index_count);
    mesh->coords = copy_array(arena, mesh->coords, 2 * corner);
    mesh->pivots = copy_array(arena, mesh->pivots, 3 * corner);
}

/* A ring without a mesh of its own has that of the ring before. */
static void read_meshes(Gather *g, const Type *type, const Slot *slots, WorldCoverKind *kind) {
    const RtList *meshes = list_of(g->world, type, slots, STD_groundcover_coverKind_meshes);
    for (int i = 0; i < 3; i++) {
        kind->meshes[i] = i ? kind->meshes[i - 1] : NULL;
        const RtMesh *mesh = i < rt_list_length(meshes) ? rt_list_item(meshes, i)->r : NULL;
        if (mesh == NULL || mesh->index_count == 0) continue;
        WorldMesh *flat = ARENA_NEW(g->store->arena, WorldMesh);
        *flat = scene_flat_mesh(mesh, &(SceneLook){0});
        own_mesh(g->store->arena, flat);
        kind->meshes[i] = flat;
    }
}

/* -- what is asked of the package about the part -- */

static bool ask(Gather *g, const PartVisit *visit, const char *function, const char *more, Question *question) {
    StrBuf text = {.arena = g->rt->arena};
    strbuf_printf(&text, "%s.%s(%s%s)", STD_groundcover, function, scene_path(g, visit->part, STR_LIT("")), more);
    *question = (Question){.text = strbuf_take(&text), .asker = visit->part->cls->span};
    if (question_compile(g->world, question) != WORLD_OK) return g->store->refused = true, false;
    return question_run(g->world, question, g->rt) == WORLD_OK;
}

static bool refuse(const Gather *g, const Glsl *glsl) {
    card_refuse(g, glsl);
    g->store->refused = true;
    return false;
}

/* One buffer of words for all kinds, which read the same maps; for each a function of its own. */
static bool make_card(Gather *g, const PartVisit *visit, WorldCover *cover, WorldCoverKind *kinds) {
    Glsl *glsl = card_begin(g);
    Arena *arena = g->store->arena;
    GlslText made;
    for (size_t k = 0; k < cover->kind_count; k++) {
        Question question;
        if (!ask(g, visit, STD_groundcover_plantingOf, str_printf(g->rt->arena, ", %d", (int)k).ptr, &question)) return false;
        if (!glsl_add(glsl, question.slots[0].r, "cover_tuft")) return refuse(g, glsl);
    }
    if (!glsl_finish(glsl, &made)) return refuse(g, glsl);
    cover->card = (WorldCard){arena_strndup(arena, made.text.ptr, made.shared), made.words, (size_t)made.word_count};
    size_t begin = made.shared;
    for (size_t k = 0; k < cover->kind_count; begin = made.ends[k++])
        kinds[k].function = arena_strndup(arena, made.text.ptr + begin, made.ends[k] - begin);
    return true;
}

static bool make_far_look(Gather *g, const PartVisit *visit, const Type *maps, const Slot *slots, WorldCover *cover) {
    static const char *const names[3] = {STD_groundcover_coverMaps_red, STD_groundcover_coverMaps_green, STD_groundcover_coverMaps_blue};
    for (size_t k = 0; k < cover->kind_count; k++) {
        if (cover->kinds[k].far_weight == 0) continue;
        cover->far_from = fmax(cover->far_from, cover->kinds[k].fade_start);
        cover->far_to = fmax(cover->far_to, cover->kinds[k].range);
    }
    Question question;
    if (cover->far_to == 0) return true;
    if (!ask(g, visit, STD_groundcover_farShare, "", &question)) return false;
    const RtGrid *share = question.slots[0].r;
    size_t count = (size_t)share->columns * (size_t)share->rows;
    float *look = arena_alloc(g->store->arena, 4 * count * sizeof *look);
    for (int c = 0; c < 3; c++) {
        const RtGrid *grid = grid_of(g->world, maps, slots, names[c]);
        for (size_t i = 0; i < count; i++)
            look[4 * i + (size_t)c] = grid->heights[i];
    }
    for (size_t i = 0; i < count; i++)
        look[4 * i + 3] = share->heights[i];
    cover->far_look = look;
    cover->far_columns = share->columns, cover->far_rows = share->rows;
    cover->far_x0 = share->x0, cover->far_z0 = share->z0, cover->far_cell = share->cell;
    return true;
}

static void *make_cover(Gather *g, const PartVisit *visit, int which) {
    (void)which;
    WorldCover *cover = ARENA_NEW(g->store->arena, WorldCover);
    const Type *type = visit->cls->fields.items[visit->cls->value_field].type, *kind_type, *maps_type;
    const Slot *slots = rt_cell_get(g->rt, visit->part, visit->cls->value_field);
    if (rt_failed(g->rt)) return NULL;
    const RtList *list = field_of(g->world, type, slots, STD_groundcover_cover_kinds, &kind_type)->r;
    const Slot *maps = field_of(g->world, type, slots, STD_groundcover_cover_maps, &maps_type);
    int64_t count = rt_list_length(list);
    WorldCoverKind *kinds = ARENA_ARRAY(g->store->arena, WorldCoverKind, count + 1);
    *cover = (WorldCover){.path = scene_path(g, visit->part, STR_LIT("")), .kinds = kinds, .kind_count = (size_t)count};
    if (count == 0) return cover;
    if (!make_card(g, visit, cover, kinds)) return NULL; /* the package has looked at every kind: none has more rings than there is room for */
    for (int64_t k = 0; k < count; k++) {
        const Slot *from = rt_list_item(list, k);
        read_numbers(g->world, kind_type->element, from, &kinds[k]);
        read_meshes(g, kind_type->element, from, &kinds[k]);
    }
    return make_far_look(g, visit, maps_type, maps, cover) ? cover : NULL;
}

bool scene_find_cover(Gather *g, const PartVisit *visit) {
    WorldCover *cover = &g->store->scene.cover;
    if (cover->path || visit->hidden || g->world->desc.no_cover || !parts_is_cover(g->world, visit->cls)) return true;
    const WorldCover *made = scene_layer(g, visit, (SceneLayer){"cover", 0, make_cover});
    if (made) *cover = *made;
    return made != NULL;
}
