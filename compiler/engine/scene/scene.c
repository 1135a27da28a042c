/* Everything there is to draw, as flat arrays: parts made of a mesh, placed things, the land. */
#include "compiler/engine/scene/scene.h"

#include "runtime/base/hash.h"

/* -- meshes, once each: equal contents are one mesh -- */

static uint64_t hash_mesh(const RtMesh *mesh) {
    size_t corners = (size_t)mesh->vertex_count * 3 * sizeof(float);
    uint64_t hash = hash_bytes(mesh->positions, corners, (uint64_t)mesh->two_sided);
    hash = hash_bytes(mesh->colors, corners, hash);
    return hash_bytes(mesh->indices, (size_t)mesh->index_count * sizeof(uint32_t), hash);
}

static bool same_mesh(const RtMesh *a, const RtMesh *b) {
    if (a == b) return true;
    size_t corners = (size_t)a->vertex_count * 3 * sizeof(float);
    return a->vertex_count == b->vertex_count && a->index_count == b->index_count &&
           a->two_sided == b->two_sided && memcmp(a->positions, b->positions, corners) == 0 &&
           memcmp(a->normals, b->normals, corners) == 0 &&
           memcmp(a->colors, b->colors, corners) == 0 &&
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

void scene_add(SceneStore *store, const RtMesh *mesh, const Frame *frame, const float tint[3],
               bool water) {
    if (mesh->index_count == 0) return;
    SceneMesh *into = get_mesh(store, mesh, water);
    float matrix[12];
    scene_matrix(frame, matrix);
    for (int i = 0; i < 12; i++)
        VEC_PUSH(store->arena, &into->transforms, matrix[i]);
    for (int i = 0; i < 3; i++)
        VEC_PUSH(store->arena, &into->tints, tint[i]);
}

/* -- parts -- */

bool scene_read_part(const Gather *g, RtPart *part, const TreeClass *cls, const RtMesh **mesh,
                     float tint[3]) {
    *mesh = NULL;
    if (cls->value_field < 0 || cls->fields.items[cls->value_field].type->kind != TYPE_OBJECT)
        return true;
    const Slot *value = rt_cell_get(g->rt, part, cls->value_field);
    if (rt_failed(g->rt)) return false;
    const RtObject *object = value->r;
    if (object == NULL || object->kind != RT_MESH) return true;
    *mesh = value->r;
    for (int i = 0; i < 3; i++)
        tint[i] = 1;
    const Slot *own = part_option(g->rt, part, PART_TINT);
    for (int i = 0; own && i < 3; i++)
        tint[i] = (float)own[i].f;
    return !rt_failed(g->rt);
}

static bool is_water(const Gather *g, RtPart *part) {
    const StdMaterial *material = (const void *)part_option(g->rt, part, PART_MATERIAL);
    return material && material->style == STD_MATERIAL_STYLE_WATER;
}

static bool gather_part(void *user, const PartVisit *visit) {
    Gather *g = user;
    const RtMesh *mesh;
    float tint[3];
    if (visit->hidden) return true;
    if (g->store->scene.land.columns == 0 && !scene_find_land(g, visit)) return false;
    if (!scene_read_part(g, visit->part, visit->cls, &mesh, tint)) return false;
    if (mesh) scene_add(g->store, mesh, &visit->frame, tint, is_water(g, visit->part));
    if (rt_failed(g->rt)) return false;
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
