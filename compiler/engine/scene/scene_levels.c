/* Levels of detail: what a mesh is as it is drawn, and what stands for it where it looks small. */
#include "compiler/engine/scene/scene.h"

#include "runtime/base/hash.h"
#include "runtime/mesh/cards.h"
#include "runtime/mesh/levels.h"

#include "runtime/geometry/scalar.h"

#include <math.h>

typedef struct Level {
    double below, share, smallest, off; /* pixels; of the triangles; of the mesh's size, as is how far it may lie off */
    int least;                     /* triangles */
} Level;

static const Level levels[] = {
    {260, 0.25, 0.03, 0.05, 200}, {150, 0.08, 0.08, 0.05, 80}, {45, 0.022, 0.2, 0.05, 40}, {18, 0.006, 0.4, 0.05, 24}, {9, 0.001, 0.6, 0.2, 12}, {4, 0.0005, 0.8, 0.45, 4}};
enum { LEVELS = sizeof levels / sizeof *levels, WORTH_TRIANGLES = 48, WORTH_LEAVES = 16, SMALL_TRIANGLES = 900 };
/* A crown of so many triangles is a picture of it on cards where it looks small: a texel is a little smaller than a pixel. */
enum { CROWN_TRIANGLES = 2000, CARD_TEXELS = 128 };
static const double cards_below = 130;
static const double most_wind = 10;
static const float ground_size = 1000; /* meters: a mesh as large as that is ground, made as fine as it should be seen */
static const double small_below = 45; /* pixels: where a mesh of few triangles begins to have fewer */

WorldMesh scene_flat_mesh(const RtMesh *mesh, const SceneLook *look) {
    return (WorldMesh){.vertex_count = (uint32_t)mesh->vertex_count,
                       .index_count = (uint32_t)mesh->index_count,
                       .positions = mesh->positions,
                       .normals = mesh->normals,
                       .colors = mesh->colors,
                       .indices = mesh->indices,
                       .coords = mesh->coords,
                       .pivots = mesh->pivots,
                       .two_sided = mesh->two_sided,
                       .water = look->water,
                       .material = look->material};
}

static WorldMesh *add_level(Arena *arena, const RtMesh *mesh, double below, WorldMesh *finer) {
    WorldMesh *next = ARENA_NEW(arena, WorldMesh);
    *next = scene_flat_mesh(mesh, &(SceneLook){.material = finer->material});
    finer->coarser = next;
    finer->coarser_below = below;
    return next;
}

static void add_cards(Arena *arena, Arena *scratch, const RtMesh *mesh, WorldMesh *finer) {
    MeshCards cards = mesh_cards(arena, scratch, mesh, CARD_TEXELS);
    WorldPicture *picture = ARENA_NEW(arena, WorldPicture);
    *picture = (WorldPicture){cards.width, cards.height, cards.picture};
    add_level(arena, cards.mesh, cards_below, finer)->picture = picture;
}

static bool is_ground(const RtMesh *mesh) {
    for (int32_t v = 1; v < mesh->vertex_count; v++)
        for (int axis = 0; axis < 3; axis++)
            if (fabsf(mesh->positions[3 * (size_t)v + (size_t)axis] - mesh->positions[axis]) > ground_size) return true;
    return false;
}

static bool is_worth_levels(const RtMesh *mesh, const SceneLook *look) {
    return mesh->index_count / 3 >= (mesh->two_sided ? WORTH_LEAVES : WORTH_TRIANGLES) && !look->water && !is_ground(mesh);
}

/* Each is made of the mesh itself, so that no error adds up. */
static void add_levels(Arena *arena, Arena *scratch, const RtMesh *mesh, WorldMesh *flat) {
    int32_t triangles = mesh->index_count / 3, before = triangles;
    const MeshPieces *pieces = mesh_pieces(scratch, mesh);
    bool crown = mesh->two_sided && triangles >= CROWN_TRIANGLES;
    for (int i = 0; i < LEVELS && !(crown && levels[i].below < cards_below); i++) {
        if (triangles < SMALL_TRIANGLES && levels[i].below > small_below) continue;
        double share = fmax(levels[i].share, (double)levels[i].least / triangles);
        const RtMesh *coarse = mesh_coarser(arena, scratch, pieces, share, levels[i].smallest, levels[i].off);
        if (coarse->index_count / 3 > before * 0.7) continue;
        before = coarse->index_count / 3;
        flat = add_level(arena, coarse, levels[i].below, flat);
    }
    if (crown) add_cards(arena, scratch, mesh, flat);
}

/* What wind does to a mesh, vertex by vertex; what is said of no place is as it was. */
static const float *work_wind(Gather *g, const RtClosure *wind, const WorldMesh *mesh) {
    float *out = arena_alloc(g->store->arena, sizeof *out * mesh->vertex_count);
    for (uint32_t v = 0; v < mesh->vertex_count && !rt_failed(g->rt); v++) {
        Slot at[3], said[2]; /* whether, and what */
        for (int k = 0; k < 3; k++)
            at[k] = slot_f((double)mesh->positions[3 * (size_t)v + (size_t)k]);
        rt_call(g->rt, wind, NULL, at, said);
        out[v] = said[0].w ? (float)scalar_clamp(said[1].f, 0, most_wind) : 1;
    }
    return out;
}

/* -- kept from scene to scene -- */

static uint64_t add_array(uint64_t hash, const void *array, size_t size) {
    return array ? hash_bytes(array, size, hash) : hash + 1;
}

/* Of all that the levels of a mesh are made of. */
static uint64_t hash_levels(const RtMesh *mesh) {
    size_t corners = (size_t)mesh->vertex_count * sizeof(float);
    const int64_t shape[] = {mesh->vertex_count, mesh->index_count, mesh->two_sided};
    uint64_t hash = hash_bytes(shape, sizeof shape, 0);
    hash = hash_bytes(mesh->positions, 3 * corners, hash);
    hash = hash_bytes(mesh->normals, 3 * corners, hash);
    hash = hash_bytes(mesh->colors, 3 * corners, hash);
    hash = hash_bytes(mesh->indices, (size_t)mesh->index_count * sizeof(uint32_t), hash);
    return add_array(add_array(hash, mesh->coords, 2 * corners), mesh->pivots, 3 * corners) | 1;
}

typedef struct LevelWork {
    const RtMesh *mesh;
    uint64_t key;
    Kept *kept; /* that gets them */
} LevelWork;

typedef struct LevelWorks {
    VEC(LevelWork) items;
    Memory *memory;
} LevelWorks;

static void make_levels(const LevelWork *work, Memory *memory) {
    Arena scratch;
    Recover recover;
    volatile bool good = false;
    if (work->kept->what) return;
    arena_init(&scratch, memory);
    if (MEMORY_TRY(&recover)) {
        WorldMesh *flat = ARENA_NEW(&work->kept->arena, WorldMesh);
        *flat = scene_flat_mesh(work->mesh, &(SceneLook){0});
        add_levels(&work->kept->arena, &scratch, work->mesh, flat);
        work->kept->what = flat;
        memory_end_try(&recover);
        good = true;
    }
    arena_fini(&scratch);
    if (!good) memory_fail();
}

static void make_some(Rt *rt, void *user, int64_t begin, int64_t end) {
    const LevelWorks *works = user;
    (void)rt;
    for (int64_t i = begin; i < end; i++)
        make_levels(&works->items.items[i], works->memory);
}

static bool is_among(const LevelWorks *works, uint64_t key) {
    for (int i = 0; i < works->items.count; i++)
        if (works->items.items[i].key == key) return true;
    return false;
}

/* Those that are new, on all cores. */
void scene_make_levels(Gather *g) {
    SceneStore *store = g->store;
    KeptTable *table = &g->world->kept;
    LevelWorks works = {.memory = &g->world->engine->memory};
    for (int i = store->flat_count; i < store->meshes.count; i++) {
        SceneMesh *from = &store->meshes.items[i];
        if (!is_worth_levels(from->mesh, &from->look)) continue;
        from->levels = hash_levels(from->mesh);
        if (kept_find(table, from->levels) || is_among(&works, from->levels)) continue;
        LevelWork work = {from->mesh, from->levels, kept_begin(table, works.memory, from->levels)};
        VEC_PUSH(store->scratch, &works.items, work);
    }
    rt_parallel(g->rt, works.items.count, 1, make_some, &works);
    table->levels += (uint64_t)works.items.count;
}

/* The material's number, and wind, are a scene's own. */
static void copy_levels(Arena *arena, const WorldMesh *from, WorldMesh *to) {
    for (; from->coarser; from = from->coarser) {
        WorldMesh *next = ARENA_NEW(arena, WorldMesh);
        *next = *from->coarser;
        next->material = to->material;
        to->coarser = next;
        to->coarser_below = from->coarser_below;
        to = next;
    }
}

WorldMesh scene_levels(Gather *g, const SceneMesh *from) {
    SceneStore *store = g->store;
    WorldMesh flat = scene_flat_mesh(from->mesh, &from->look);
    const Kept *kept = from->levels ? kept_find(&g->world->kept, from->levels) : NULL;
    if (kept) copy_levels(store->arena, kept->what, &flat);
    for (WorldMesh *mesh = &flat; from->look.wind && mesh; mesh = (WorldMesh *)(uintptr_t)mesh->coarser)
        mesh->wind = work_wind(g, store->winds.items[from->look.wind - 1], mesh);
    return flat;
}
