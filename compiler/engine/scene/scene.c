/* Everything there is to draw, as flat arrays: parts made of a mesh, placed things, the land. */
#include "compiler/engine/scene/scene.h"

#include "runtime/base/hash.h"
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

static SceneMesh *get_mesh(SceneStore *store, const RtMesh *mesh, bool water) {
    uint64_t hash = hash_mesh(mesh);
    for (int i = 0; i < store->meshes.count; i++) {
        SceneMesh *known = &store->meshes.items[i];
        if (known->hash == hash && known->water == water && same_mesh(known->mesh, mesh))
            return known;
    }
    SceneMesh fresh = {.mesh = mesh, .hash = hash, .water = water};
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

void scene_add(SceneStore *store, const ScenePiece *piece, const Frame *frame) {
    if (piece->mesh->index_count == 0) return;
    SceneMesh *into = get_mesh(store, piece->mesh, piece->water);
    float matrix[12];
    scene_matrix(frame, matrix);
    for (int i = 0; i < 12; i++)
        VEC_PUSH(store->arena, &into->transforms, matrix[i]);
    for (int i = 0; i < 3; i++)
        VEC_PUSH(store->arena, &into->tints, piece->tint[i]);
}

/* -- parts -- */

static bool is_material(const Gather *g, const Type *type) {
    return type->kind == TYPE_RECORD && check_library_record(g->world->compile->checker, type->record,
                                                             STR_LIT(STD_core), STR_LIT(STD_core_material));
}

static void dress(ScenePiece *piece, const StdMaterial *material) {
    const double color[3] = {material->color.x, material->color.y, material->color.z};
    piece->water = material->style == STD_MATERIAL_STYLE_WATER;
    for (int i = 0; i < 3; i++)
        piece->tint[i] *= (float)color[i];
}

/* A record's mesh and the material beside it; without one, the part's. */
static void read_record(const Gather *g, const Type *type, const Slot *slots, ScenePiece *piece,
                        const StdMaterial *material) {
    for (int i = 0; i < type->record->fields.count; i++) {
        const Type *field = type->record->fields.items[i].type;
        if (field->kind == TYPE_OBJECT && slots->r && ((const RtObject *)slots->r)->kind == RT_MESH)
            piece->mesh = slots->r;
        if (is_material(g, field)) material = (const void *)slots;
        slots += field->slot_count;
    }
    if (piece->mesh && material) dress(piece, material);
}

static bool read_piece(const Gather *g, RtPart *part, const TreeClass *cls, int field, ScenePiece *piece) {
    const Type *type = cls->fields.items[field].type;
    bool object = type->kind == TYPE_OBJECT && field == cls->value_field;
    if (!object && type->kind != TYPE_RECORD) return true;
    const Slot *value = rt_cell_get(g->rt, part, field);
    if (rt_failed(g->rt)) return false;
    const StdMaterial *material = (const void *)part_option(g->rt, part, PART_MATERIAL);
    if (!object) {
        read_record(g, type, value, piece, material);
    } else if (value->r && ((const RtObject *)value->r)->kind == RT_MESH) {
        piece->mesh = value->r;
        if (material) dress(piece, material);
    }
    return !rt_failed(g->rt);
}

bool scene_read_part(const Gather *g, RtPart *part, const TreeClass *cls, ScenePieces *pieces) {
    ScenePiece plain = {.tint = {1, 1, 1}};
    const Slot *tint = part_option(g->rt, part, PART_TINT);
    for (int i = 0; tint && i < 3; i++)
        plain.tint[i] = (float)tint[i].f;
    for (int i = 0; i < cls->fields.count; i++) {
        ScenePiece piece = plain;
        if (!cls->fields.items[i].hidden) continue;
        if (!read_piece(g, part, cls, i, &piece)) return false;
        if (piece.mesh) VEC_PUSH(g->store->arena, &pieces->items, piece);
    }
    return !rt_failed(g->rt);
}

static bool gather_part(void *user, const PartVisit *visit) {
    Gather *g = user;
    ScenePieces pieces = {0};
    if (visit->hidden) return true;
    if (g->store->scene.land.columns == 0 && !scene_find_land(g, visit)) return false;
    if (!scene_read_part(g, visit->part, visit->cls, &pieces)) return false;
    for (int i = 0; i < pieces.items.count; i++)
        scene_add(g->store, &pieces.items.items[i], &visit->frame);
    return scene_add_placed(g, visit);
}

/* -- flat arrays -- */

static void finish_meshes(SceneStore *store) {
    int count = store->meshes.count;
    WorldMesh *meshes = ARENA_ARRAY(store->arena, WorldMesh, count + 1);
    WorldInstances *instances = ARENA_ARRAY(store->arena, WorldInstances, count + 1);
    for (int i = 0; i < count; i++) {
        const SceneMesh *from = &store->meshes.items[i];
        const RtMesh *mesh = from->mesh;
        meshes[i] = (WorldMesh){(uint32_t)mesh->vertex_count,
                                (uint32_t)mesh->index_count,
                                mesh->positions,
                                mesh->normals,
                                mesh->colors,
                                mesh->indices,
                                mesh->two_sided,
                                from->water};
        instances[i] = (WorldInstances){(uint32_t)i, (uint32_t)(from->tints.count / 3),
                                        from->transforms.items, from->tints.items};
    }
    store->scene.meshes = meshes;
    store->scene.instances = instances;
    store->scene.mesh_count = store->scene.instance_count = (size_t)count;
}

static WorldStatus gather(World *world, Rt *rt, void *args) {
    const WorldScene **out = args;
    if (world->scene == NULL) {
        SceneStore *store = ARENA_NEW(&world->drawn, SceneStore);
        store->arena = &world->drawn;
        Gather g = {.world = world, .rt = rt, .store = store};
        bool good = parts_walk(world, rt, rt_world_root(world->parts), gather_part, &g);
        if (good) finish_meshes(store);
        WorldStatus status = entry_fault(world, rt);
        if (status != WORLD_OK) return status;
        world->scene = &store->scene;
    }
    *out = world->scene;
    return WORLD_OK;
}

WorldStatus world_scene(World *world, const WorldScene **scene) {
    if (scene == NULL) return WORLD_ERROR_ARGUMENT;
    WorldStatus status = entry_run(world, gather, scene);
    if (status != WORLD_OK && world) world_drop_scene(world); /* what was gathered so far */
    return status;
}
