/* Everything there is to draw, as flat arrays: parts made of a mesh, placed things, the land. */
#include "compiler/engine/scene/scene.h"

#include <math.h>

#include "runtime/base/clock.h"
#include "runtime/base/hash.h"
#include "runtime/base/pages.h"
#include "runtime/rt/cell.h"
#include "stdlib/library_names.h"

/* -- meshes, once each: equal contents are one mesh -- */

static uint64_t hash_mesh(const RtMesh *mesh) {
    size_t corners = (size_t)mesh->vertex_count * 3 * sizeof(float);
    uint64_t hash = hash_bytes(mesh->positions, corners, (uint64_t)mesh->two_sided);
    hash = hash_bytes(mesh->colors, corners, hash);
    return hash_bytes(mesh->indices, (size_t)mesh->index_count * sizeof(uint32_t), hash);
}

static bool same_bytes(const void *a, const void *b, size_t size) {
    return a == b || (a && b && memcmp(a, b, size) == 0);
}

static bool same_mesh(const RtMesh *a, const RtMesh *b) {
    if (a == b) return true;
    size_t corners = (size_t)a->vertex_count * 3 * sizeof(float);
    return a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
           a->two_sided == b->two_sided && memcmp(a->positions, b->positions, corners) == 0 &&
           memcmp(a->normals, b->normals, corners) == 0 &&
           memcmp(a->colors, b->colors, corners) == 0 &&
           same_bytes(a->coords, b->coords, corners / 3 * 2) &&
           same_bytes(a->pivots, b->pivots, corners) &&
           memcmp(a->indices, b->indices, (size_t)a->index_count * sizeof(uint32_t)) == 0;
}

static bool is_piece(const SceneStore *store, const SceneMesh *known, const ScenePiece *piece) {
    return scene_same_look(&known->look, &piece->look) && known->of_parts == store->of_parts;
}

/* Copies often share their mesh; it is looked into only when it is not known by where it lies. */
SceneMesh *scene_find_mesh(SceneStore *store, const ScenePiece *piece) {
    for (int i = 0; i < store->meshes.count; i++) {
        SceneMesh *known = &store->meshes.items[i];
        if (known->mesh == piece->mesh && is_piece(store, known, piece)) return known;
    }
    uint64_t hash = hash_mesh(piece->mesh);
    for (int i = 0; i < store->meshes.count; i++) {
        SceneMesh *known = &store->meshes.items[i];
        if (known->hash == hash && is_piece(store, known, piece) && same_mesh(known->mesh, piece->mesh)) return known;
    }
    return NULL;
}

SceneMesh *scene_get_mesh(SceneStore *store, const ScenePiece *piece) {
    SceneMesh *known = scene_find_mesh(store, piece);
    if (known) return known;
    SceneMesh fresh = {.mesh = piece->mesh, .hash = hash_mesh(piece->mesh), .look = piece->look, .of_parts = store->of_parts};
    VEC_PUSH(store->arena, &store->meshes, fresh);
    return &store->meshes.items[store->meshes.count - 1];
}

void scene_matrix(const Frame *frame, float matrix[12]) {
    double c = frame->cos * frame->scale, s = frame->sin * frame->scale;
    double rows[12] = {c, 0,           s,  frame->at.x, 0, frame->scale,
                       0, frame->at.y, -s, 0,           c, frame->at.z};
    for (int i = 0; i < 12; i++)
        matrix[i] = (float)rows[i];
}

bool scene_fits(const Gather *g, const RtPart *part, const char *what, const float matrix[12]) {
    for (int i = 0; i < 12; i++)
        if (!isfinite(matrix[i])) {
            rt_fault_at(g->rt, RT_FAULT_ARGUMENT, part->cls->span, 0,
                        str_printf(g->store->arena, "'%s' stands too far off, or is too large, to be drawn: 3.4e38 is the most", what));
            return false;
        }
    return true;
}

void scene_begin_thing(SceneStore *store, const char *path, Str design, Str id) {
    WorldThing *thing = ARENA_NEW(store->arena, WorldThing);
    const WorldThing *last = store->things.count ? store->things.items[store->things.count - 1] : NULL;
    bool same = last && str_equal(str_of(last->design), design); /* as of what is placed most are */
    *thing = (WorldThing){path, same ? last->design : arena_strndup(store->arena, design.ptr, design.len),
                          arena_strndup(store->arena, id.ptr, id.len)};
    VEC_PUSH(store->arena, &store->things, thing);
}

const char *scene_path(const Gather *g, const RtPart *part, Str field) {
    StrBuf path = {.arena = g->store->arena};
    rt_part_path(&path, part);
    if (field.len) strbuf_printf(&path, "%s%.*s", path.len ? "." : "", STR_ARG(field));
    return path.ptr ? path.ptr : "";
}

static void *grown(Arena *arena, void *items, size_t item, int before, int after) {
    return items ? arena_retake(arena, items, item * (size_t)before, item * (size_t)after) : arena_take(arena, item * (size_t)after);
}

/* There may be a great many: what they grow out of is given back, and no more is written than there are. */
static void make_room(Arena *arena, SceneCopies *into) {
    int before = into->things.capacity, after = before ? 2 * before : WORLD_VEC_FIRST;
    if (into->things.count < before) return;
    into->transforms = grown(arena, into->transforms, 12 * sizeof(float), before, after);
    into->tints = grown(arena, into->tints, 3 * sizeof(float), before, after);
    into->things.items = grown(arena, into->things.items, sizeof(uint32_t), before, after);
    into->things.capacity = after;
}

void scene_put_into(Arena *arena, SceneCopies *into, uint32_t thing, const ScenePiece *piece, const float matrix[12]) {
    make_room(arena, into);
    int at = into->things.count++;
    memcpy(into->transforms + 12 * (size_t)at, matrix, 12 * sizeof *matrix);
    memcpy(into->tints + 3 * (size_t)at, piece->paint.color, sizeof piece->paint.color);
    into->things.items[at] = thing;
}

void scene_put_copy(SceneStore *store, SceneMesh *into, const ScenePiece *piece, const float matrix[12]) {
    scene_put_into(store->arena, &into->copies, (uint32_t)store->things.count - 1, piece, matrix);
}

void scene_put(SceneStore *store, const ScenePiece *piece, const float matrix[12]) {
    if (piece->mesh)
        scene_put_copy(store, scene_get_mesh(store, piece), piece, matrix);
    else
        scene_put_body(store, piece, matrix);
}

/* -- parts -- */

static bool is_material(const Gather *g, const Type *type) {
    return type->kind == TYPE_RECORD && check_library_record(g->world->compile->checker, type->record,
                                                             STR_LIT(STD_core), STR_LIT(STD_core_material));
}

void scene_paint(Paint *paint, Vec3 color) {
    const double by[3] = {color.x, color.y, color.z};
    for (int i = 0; i < 3; i++)
        paint->color[i] *= (float)by[i];
}

bool scene_read_paint(Gather *g, const PartVisit *visit, Paint *paint) {
    if (g->paints.count == 0) g->first_depth = visit->depth;
    int depth = visit->depth - g->first_depth;
    const Slot *tint = part_option(g->rt, visit->part, PART_TINT);
    *paint = depth > 0 ? g->paints.items[depth - 1] : (Paint){.color = {1, 1, 1}};
    if (tint) scene_paint(paint, (Vec3){tint[0].f, tint[1].f, tint[2].f});
    if (!scene_read_solid(g, visit, paint)) return false;
    g->paints.count = depth;
    VEC_PUSH(g->store->arena, &g->paints, *paint);
    return !rt_failed(g->rt);
}

/* Only a land is drawn as ground. */
static void dress(Gather *g, const RtPart *part, ScenePiece *piece, const StdMaterial *material) {
    piece->look.water = material->style == STD_MATERIAL_STYLE_WATER;
    piece->look.wind = scene_wind(g->store, material);
    scene_paint(&piece->paint, material->tint);
    scene_material(g, material, &piece->look.material);
    if (material->style != STD_MATERIAL_STYLE_TERRAIN) return;
    StrBuf path = {.arena = g->rt->arena};
    rt_part_path(&path, part);
    rt_fault(g->rt, RT_FAULT_ARGUMENT, "'%s' is a mesh, and shaded(terrain) is how a land is drawn",
             path.ptr);
}

/* A record's mesh and the material beside it; without one, the part's. */
static void read_record(Gather *g, const RtPart *part, const Type *type, const Slot *slots, ScenePiece *piece,
                        const StdMaterial *material) {
    for (int i = 0; i < type->record->fields.count; i++) {
        const Type *field = type->record->fields.items[i].type;
        if (field->kind == TYPE_OBJECT && slots->r && ((const RtObject *)slots->r)->kind == RT_MESH)
            piece->mesh = slots->r;
        if (is_material(g, field)) material = (const void *)slots;
        slots += field->slot_count;
    }
    if (piece->mesh && material) dress(g, part, piece, material);
}

static bool read_piece(Gather *g, RtPart *part, const TreeClass *cls, int field, ScenePiece *piece) {
    const Type *type = cls->fields.items[field].type;
    bool object = type->kind == TYPE_OBJECT;
    if (!object && type->kind != TYPE_RECORD) return true;
    const Slot *value = rt_cell_get(g->rt, part, field);
    if (rt_failed(g->rt)) return false;
    const StdMaterial *material = (const void *)part_option(g->rt, part, PART_MATERIAL);
    if (!object) {
        read_record(g, part, type, value, piece, material);
    } else if (value->r && ((const RtObject *)value->r)->kind == RT_MESH) {
        piece->mesh = value->r;
        if (material) dress(g, part, piece, material);
    }
    return !rt_failed(g->rt) && !g->store->refused;
}

bool scene_read_part(Gather *g, const PartVisit *visit, const Paint *paint, ScenePieces *pieces) {
    const TreeClass *cls = visit->cls;
    scene_add_solid(g, visit, paint, pieces);
    for (int i = 0; i < cls->fields.count; i++) {
        ScenePiece piece = {.paint = *paint, .look = {.solid = paint->solid}};
        if (!cls->fields.items[i].hidden) continue;
        if (!read_piece(g, visit->part, cls, i, &piece)) return false;
        if (piece.mesh && piece.mesh->index_count)
            VEC_PUSH(g->store->arena, &pieces->items, piece);
    }
    return !rt_failed(g->rt);
}

static bool gather_part(void *user, const PartVisit *visit) {
    Gather *g = user;
    ScenePieces pieces = {0};
    Paint paint;
    if (!scene_read_paint(g, visit, &paint)) return false;
    if (visit->part->brood == NULL) VEC_PUSH(g->store->arena, &g->store->parts, visit->part);
    if (visit->hidden) return true;
    scene_stands(g, visit, &paint);
    if (!scene_find_camera(g, visit) || !scene_find_sky(g, visit) || !scene_find_wind(g, visit) || !scene_find_ocean(g, visit) || !scene_find_lamp(g, visit) ||
        !scene_find_cover(g, visit))
        return false;
    if (g->store->scene.land.columns == 0 && g->store->scene.land_source.heights == NULL && !scene_find_land(g, visit, &paint)) return false;
    if (!scene_read_part(g, visit, &paint, &pieces)) return false;
    if (pieces.items.count)
        scene_begin_thing(g->store, scene_path(g, visit->part, STR_LIT("")),
                          parts_design(visit->cls), STR_LIT(""));
    float matrix[12];
    scene_matrix(&visit->frame, matrix);
    if (pieces.items.count && !scene_fits(g, visit->part, scene_path(g, visit->part, STR_LIT("")), matrix)) return false;
    g->store->of_parts = true;
    for (int i = 0; i < pieces.items.count; i++)
        scene_put(g->store, &pieces.items.items[i], matrix);
    g->store->of_parts = false;
    return scene_add_placed(g, visit, &paint);
}

/* -- flat arrays -- */

void scene_finish(SceneStore *store) {
    int count = store->meshes.count;
    WorldInstances *instances = ARENA_ARRAY(store->arena, WorldInstances, count + 1);
    const uint32_t **things = ARENA_ARRAY(store->arena, const uint32_t *, count + 1);
    for (int i = 0; i < count; i++) {
        const SceneMesh *from = &store->meshes.items[i];
        const SceneCopies *copies = &from->copies;
        instances[i] = (WorldInstances){(uint32_t)i, (uint32_t)copies->things.count, copies->transforms, copies->tints, from->of_parts ? 0 : (uint64_t)i + 1};
        things[i] = copies->things.items;
    }
    store->scene.meshes = store->flat;
    store->scene.cameras = store->cameras.items;
    store->scene.camera_count = (size_t)store->cameras.count;
    store->scene.lamps = store->lamps.items;
    store->scene.lamp_count = (size_t)store->lamps.count;
    store->scene.materials = store->cards.items;
    store->scene.material_count = (size_t)store->cards.count;
    store->scene.surfaces = store->surfaces.items;
    store->scene.things = store->things.items;
    store->scene.thing_count = (size_t)store->things.count;
    store->scene.instance_things = things;
    store->scene.instances = instances;
    store->scene.mesh_count = store->scene.instance_count = (size_t)count;
}

void scene_flatten(Gather *g) {
    SceneStore *store = g->store;
    WorldMesh *flat = ARENA_ARRAY(store->arena, WorldMesh, store->meshes.count + 1);
    if (store->flat_count) memcpy(flat, store->flat, sizeof *flat * (size_t)store->flat_count);
    store->flat = flat;
    scene_make_levels(g);
    for (; store->flat_count < store->meshes.count; store->flat_count++) {
        ArenaMark mark = arena_mark(store->scratch);
        flat[store->flat_count] = scene_levels(g, &store->meshes.items[store->flat_count]);
        arena_release(store->scratch, mark);
    }
}

typedef struct SceneCall {
    SceneArenas arenas;
    const WorldScene **scene;
    bool first; /* of a world whose text nobody changed */
} SceneCall;

/* A view that shows one of another world is not to take this for it. */
uint64_t scene_new_shape(World *world) {
    struct { uint64_t generation, shapes; double now; } made = {world->handles.generation, ++world->shapes, clock_ms()};
    return hash_bytes(&made, sizeof made, 0) | 1;
}

WorldStatus scene_gather(World *world, Rt *rt, SceneArenas *arenas) {
    SceneStore *store = ARENA_NEW(&arenas->scene, SceneStore);
    for (GrownPart *grown = world->grown; grown; grown = grown->next)
        grown->used = false;
    store->arena = &arenas->scene;
    store->scratch = &arenas->scratch;
    Gather g = {.world = world, .rt = rt, .store = store};
    bool good = parts_walk(world, rt, rt_world_root(world->parts), gather_part, &g);
    if (good) {
        scene_flatten(&g);
        scene_finish(store);
        scene_drop_rasters(store);
    }
    WorldStatus status = entry_fault(world, rt);
    if (status != WORLD_OK) return status;
    if (store->refused) return WORLD_ERROR_WORLD;
    arena_absorb(&world->views, &arenas->scene);
    store->arena = store->scratch = NULL;
    store->stamp = rt_world_clock(world->parts);
    store->still_things = store->things.count;
    store->scene.shape = scene_new_shape(world);
    world->scene = &store->scene;
    kept_sweep(&world->kept);
    return WORLD_OK;
}

WorldStatus scene_renew(World *world, Rt *rt, SceneArenas *arenas) {
    if (world->scene && world->lived && !scene_move(world, rt)) {
        WorldStatus failed = entry_fault(world, rt);
        if (failed != WORLD_OK) return failed;
        world_drop_views(world);
    }
    WorldStatus status = world->scene ? WORLD_OK : scene_gather(world, rt, arenas);
    if (status == WORLD_OK) world->lived = false;
    return status;
}

static WorldStatus get_scene(World *world, Rt *rt, void *args) {
    SceneCall *call = args;
    call->first = world->shapes == 0 && atomic_load(&world->engine->generations) == 1;
    WorldStatus status = scene_renew(world, rt, &call->arenas);
    if (status == WORLD_OK) *call->scene = world->scene;
    return status;
}

WorldStatus world_scene(World *world, const WorldScene **scene) {
    if (world == NULL || scene == NULL) return WORLD_ERROR_ARGUMENT;
    SceneCall call = {.scene = scene};
    scene_arenas_init(&call.arenas, world);
    WorldStatus status = entry_run(world, get_scene, &call);
    scene_arenas_fini(&call.arenas);
    if (call.first) pages_let_go(); /* what it was made with; an edit keeps that for the next */
    return status;
}
