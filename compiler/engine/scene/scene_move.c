/* A scene after the world ran on: where its parts are by now, and which came and went. The meshes, the land and what was placed stay as
 * they were gathered; where any of those is another, the scene is gathered anew.
 *
 * What moves lies in an arena of its own (World.moving), which is another after every move.
 */
#include "compiler/engine/scene/scene.h"
#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"
#include "stdlib/library_names.h"

/* Whether a field's value, which the scene was made from, is another since. A stale one is worked out: it may come to the same. */
static bool is_other(Rt *rt, const SceneStore *store, RtPart *part, int32_t field) {
    if (part->cells[field].current == NULL) return false;
    rt_cell_get(rt, part, field);
    return rt_failed(rt) || part->cells[field].changed > store->stamp;
}

static bool is_trigger(const RtClass *cls, int field) {
    for (int i = 0; i < cls->handler_count; i++)
        if (cls->handlers[i].field == field) return true;
    return false;
}

/* Of a part that is drawn, or holds what is placed, or is the land: all that is no place. */
static bool part_is_other(const Gather *g, RtPart *part) {
    const TreeClass *cls = parts_class(g->world, part);
    for (int i = 0; i < part->cls->field_count; i++) {
        const TreeField *field = &cls->fields.items[i];
        bool option = field->option && i > PART_TINT && i != PART_SOLID; /* which is met where it is put */
        bool stands = type_is_layout(g->world->compile->checker, field->type) && !scene_streams(g->world, cls, g->rt, part, i) && !scene_placed_moves(part, i);
        bool drawn = option || (field->hidden && !is_trigger(part->cls, i)) || stands;
        if (drawn && !part->cls->fields[i].clock && is_other(g->rt, g->store, part, i)) return true;
    }
    for (int i = 0; i < part->cls->ground_count; i++)
        if (is_other(g->rt, g->store, part, part->cls->grounds[i])) return true;
    return part->marks[part->cls->field_count] == RT_MARK_EMPTY && part->cells[part->cls->field_count].current;
}

bool scene_stands(const Gather *g, const PartVisit *visit, const Paint *paint) {
    SceneStore *store = g->store;
    bool stands = scene_holds_placed(g, visit) || scene_is_land(g->world, visit->cls) || parts_is_cover(g->world, visit->cls) ||
                  parts_is_made_of(g->world, visit->cls, STR_LIT(STD_oceanwaves_ocean));
    if (!stands) return false;
    store->still = hash_bytes(&visit->part, sizeof visit->part, store->still);
    store->still = hash_bytes(&visit->frame, sizeof visit->frame, store->still);
    store->still = hash_bytes(paint, sizeof *paint, store->still);
    return true;
}

static SceneMesh *known_mesh(SceneStore *store, const ScenePiece *piece) {
    for (int i = 0; i < store->meshes.count; i++) {
        SceneMesh *mesh = &store->meshes.items[i];
        if (mesh->of_parts && mesh->mesh == piece->mesh && scene_same_look(&mesh->look, &piece->look)) return mesh;
    }
    return scene_find_mesh(store, piece);
}

static bool move_part(void *user, const PartVisit *visit) {
    Gather *g = user;
    ScenePieces pieces = {0};
    Paint paint;
    float matrix[12];
    if (!scene_read_paint(g, visit, &paint)) return false;
    if (visit->hidden) return true;
    if (scene_stands(g, visit, &paint) && visit->part->brood && part_is_other(g, visit->part)) return false;
    if (!scene_find_camera(g, visit) || !scene_find_sky(g, visit) || !scene_find_wind(g, visit) || !scene_find_lamp(g, visit)) return false;
    if (!scene_read_part(g, visit, &paint, &pieces)) return false;
    if (pieces.items.count) scene_begin_thing(g->store, scene_path(g, visit->part, STR_LIT("")), parts_design(visit->cls), STR_LIT(""));
    scene_matrix(&visit->frame, matrix);
    if (pieces.items.count && !scene_fits(g, visit->part, scene_path(g, visit->part, STR_LIT("")), matrix)) return false;
    for (int i = 0; i < pieces.items.count; i++) {
        const ScenePiece *piece = &pieces.items.items[i];
        SceneMesh *mesh = piece->mesh ? known_mesh(g->store, piece) : NULL;
        if (piece->mesh && mesh == NULL) return false; /* one that the scene has not */
        if (mesh)
            scene_put_copy(g->store, mesh, piece, matrix);
        else
            scene_put_body(g->store, piece, matrix);
    }
    return scene_move_placed(g, visit, &paint);
}

/* What moves is put anew, and may say another solid at each step. */
static void begin_bodies(SceneStore *store, const SceneStore *from) {
    memset(&store->bodies, 0, sizeof store->bodies);
    for (int i = 0; i < from->bodies.count; i++)
        if (!from->bodies.items[i].of_parts) VEC_PUSH(store->arena, &store->bodies, from->bodies.items[i]);
    store->bumped = NULL;
}

/* The store as a move begins it, in `arena`: what stands still is the old one's. */
static SceneStore *begin_move(const SceneStore *from, Arena *arena) {
    SceneStore *store = ARENA_NEW(arena, SceneStore);
    *store = *from;
    store->arena = arena;
    store->meshes.items = ARENA_ARRAY(arena, SceneMesh, from->meshes.count + 1);
    store->meshes.capacity = from->meshes.count + 1;
    for (int i = 0; i < from->meshes.count; i++) {
        SceneMesh *mesh = &store->meshes.items[i];
        *mesh = from->meshes.items[i];
        if (!mesh->of_parts) continue;
        mesh->copies = (SceneCopies){0};
    }
    begin_bodies(store, from);
    store->things.items = ARENA_ARRAY(arena, const WorldThing *, from->still_things + 1);
    if (from->still_things) memcpy(store->things.items, from->things.items, sizeof *from->things.items * (size_t)from->still_things);
    store->things.count = store->things.capacity = from->still_things;
    store->things.capacity++;
    memset(&store->cameras, 0, sizeof store->cameras);
    memset(&store->lamps, 0, sizeof store->lamps);
    store->scene.sky = (WorldSky){0};
    store->scene.wind = (WorldWind){0};
    store->still = 0;
    return store;
}

static bool gather_moved(World *world, Rt *rt, SceneStore *store) {
    Gather g = {.world = world, .rt = rt, .store = store};
    for (int i = 0; i < store->parts.count; i++)
        if (part_is_other(&g, store->parts.items[i])) return false;
    store->of_parts = true;
    return parts_walk(world, rt, rt_world_root(world->parts), move_part, &g);
}

/* False: the scene is to be gathered anew, or a fault says why it cannot be. */
bool scene_move(World *world, Rt *rt) {
    const SceneStore *from = SCENE_STORE(world->scene);
    Arena arena;
    Recover recover;
    arena_init(&arena, &world->engine->memory);
    bool good = false;
    if (MEMORY_TRY(&recover)) {
        SceneStore *store = begin_move(from, &arena);
        store->stamp = from->stamp;
        good = gather_moved(world, rt, store) && store->still == from->still;
        if (good) {
            scene_finish(store);
            world->scene = &store->scene;
        }
        memory_end_try(&recover);
    } else {
        arena_fini(&arena);
        memory_fail();
    }
    Arena old = good ? world->moving : arena;
    if (good) world->moving = arena;
    arena_fini(&old);
    return good;
}
