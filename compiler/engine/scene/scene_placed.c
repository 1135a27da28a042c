/* Placed things: a few grown, many placed. For each (kind, variant) one loose copy of the design
 * is made; every thing is an instance of that copy's parts, moved by its own place, turn, lean,
 * size and sink. A list that is state or hangs on the clock moves as parts do (scene_move.c).
 */
#include "compiler/engine/scene/scene.h"
#include "runtime/rt/life.h"

typedef struct Copying {
    Gather *gather;
    SceneCopy *growing;
    Gather inside; /* of it */
} Copying;

static bool collect(void *user, const PartVisit *visit) {
    Copying *copying = user;
    ScenePieces pieces = {0};
    Paint paint;
    if (!scene_read_paint(&copying->inside, visit, &paint)) return false;
    if (visit->hidden) return true;
    if (!scene_read_part(copying->gather, visit, &paint, &pieces)) return false;
    for (int i = 0; i < pieces.items.count; i++) {
        SceneCopyPiece piece = {pieces.items.items[i], visit->frame};
        VEC_PUSH(copying->gather->store->arena, &copying->growing->pieces, piece);
    }
    return true;
}

/* The field by which a design is told which it is; -1: it has none. */
static int variant_field(const Gather *g, const RtPart *part) {
    int field = parts_field(parts_class(g->world, part), &g->world->compile->symbols, STR_LIT("variant"));
    return field < 0 || part->cls->fields[field].slot_types[0] != 'I' ? -1 : field;
}

static SceneCopy *find_copy(const SceneStore *store, const RtClass *kind, int64_t variant) {
    for (int i = 0; i < store->copies.count; i++)
        if (store->copies.items[i].kind == kind && store->copies.items[i].variant == variant) return &store->copies.items[i];
    return NULL;
}

/* NULL after a fault. */
static RtPart *grown_part(const Gather *g, const RtClass *kind, int64_t variant) {
    World *world = g->world;
    GrownPart *grown = world->grown;
    while (grown && !(grown->kind == kind && grown->variant == variant))
        grown = grown->next;
    if (grown) {
        grown->used = true;
        return grown->part;
    }
    grown = ARENA_NEW(&world->compile->arena, GrownPart);
    RtPart *part = rt_part_loose(g->rt, kind);
    int field = part ? variant_field(g, part) : -1;
    Slot slot = slot_i(variant);
    if (field >= 0) rt_cell_set(g->rt, part, field, &slot);
    if (rt_failed(g->rt)) return NULL;
    *grown = (GrownPart){kind, variant, part, true, world->grown};
    return (world->grown = grown)->part;
}

static bool grow(Gather *g, const RtClass *kind, int64_t variant) {
    SceneCopy fresh = {.kind = kind, .variant = variant};
    VEC_PUSH(g->store->arena, &g->store->copies, fresh);
    Copying copying = {.gather = g,
                       .growing = &g->store->copies.items[g->store->copies.count - 1],
                       .inside = {.world = g->world, .rt = g->rt, .store = g->store}};
    RtPart *part = grown_part(g, kind, variant);
    return part && parts_walk(g->world, g->rt, part, collect, &copying);
}

/* Of a kind that moves, all that its `variant` may be: another place of its wings is no other scene. */
static bool grow_all(Gather *g, const RtClass *kind) {
    enum { MOST = 64 };
    RtPart *part = rt_part_loose(g->rt, kind);
    int field = part ? variant_field(g, part) : -1;
    bool told = field >= 0 && part->cls->fields[field].within;
    for (int64_t variant = 0; told && variant < MOST; variant++) {
        Slot slot = slot_i(variant);
        RtFault before = g->rt->fault;
        bool takes = rt_cell_takes(g->rt, part, field, &slot);
        g->rt->fault = before;
        if (takes && !find_copy(g->store, kind, variant) && !grow(g, kind, variant)) return false;
        const SceneCopy *copy = takes ? find_copy(g->store, kind, variant) : NULL;
        for (int i = 0; copy && i < copy->pieces.count; i++)
            if (copy->pieces.items[i].piece.mesh) scene_get_mesh(g->store, &copy->pieces.items[i].piece);
    }
    return !rt_failed(g->rt);
}

/* Where a part of the copy stands: upright, by frames alone. */
static bool stand(const Gather *g, const StdPlaced *thing, const Frame *holder, const Frame *part, float matrix[12]) {
    Vec3 at = {thing->at.x, thing->at.y - thing->sink * thing->size, thing->at.z};
    Frame own = frame_make(at, thing->turn, thing->size);
    if (thing->up.x == 0 && thing->up.z == 0 && thing->up.y > 0) {
        Frame stands = frame_compose(holder, &own), frame = frame_compose(&stands, part);
        scene_matrix(&frame, matrix);
        return true;
    }
    double rows[12];
    Frame foot = frame_make(at, 0, 1), around = frame_compose(holder, &foot);
    own.at = (Vec3){0, 0, 0};
    Frame inside = frame_compose(&own, part);
    if (!frame_leaning(&around, &inside, thing->up, rows)) {
        rt_fault(g->rt, RT_FAULT_ARGUMENT, "the up of '%.*s' is no direction",
                 STR_ARG(thing->id ? thing->id->text : thing->kind->name));
        return false;
    }
    for (int i = 0; i < 12; i++)
        matrix[i] = (float)rows[i];
    return true;
}

/* What a list of things is drawn by. */
typedef struct Placing {
    Gather *gather;
    const Paint *paint; /* of the part that holds it */
    const RtPart *part; /* that part */
    const Frame *holder;
    const char *path;
    bool moved; /* no copy may be grown, no mesh added */
    SceneChunk *chunk; /* they stand in it; NULL: in the scene */
} Placing;

static SceneCopies *copies_in(SceneChunk *chunk, uint32_t mesh) {
    for (int i = 0; i < chunk->groups.count; i++)
        if (chunk->groups.items[i].mesh == mesh) return &chunk->groups.items[i].copies;
    SceneGroup group = {.mesh = mesh};
    VEC_PUSH(&chunk->arena, &chunk->groups, group);
    return &chunk->groups.items[chunk->groups.count - 1].copies;
}

static void put_in_chunk(SceneStore *store, SceneChunk *chunk, const ScenePiece *piece, const float matrix[12]) {
    uint32_t mesh = (uint32_t)(scene_get_mesh(store, piece) - store->meshes.items);
    scene_put_into(&chunk->arena, copies_in(chunk, mesh), (uint32_t)chunk->things.count - 1, piece, matrix);
}

static bool put_piece(const Placing *p, const StdPlaced *thing, const SceneCopyPiece *from) {
    SceneStore *store = p->gather->store;
    float matrix[12];
    if (!stand(p->gather, thing, p->holder, &from->frame, matrix) || !scene_fits(p->gather, p->part, p->path, matrix)) return false;
    ScenePiece piece = from->piece;
    if (piece.look.solid == 0) piece.look.solid = p->paint->solid;
    const float *by = p->paint->color;
    scene_paint(&piece.paint, (Vec3){(double)by[0], (double)by[1], (double)by[2]});
    if (p->moved && piece.mesh && !scene_find_mesh(store, &piece)) return false;
    if (!p->chunk)
        scene_put(store, &piece, matrix);
    else if (piece.mesh) /* a solid that is not drawn does not come in chunks */
        put_in_chunk(store, p->chunk, &piece, matrix);
    return true;
}

static bool add_thing(const Placing *p, const StdPlaced *thing) {
    SceneStore *store = p->gather->store;
    if (thing->kind == NULL) return true;
    const SceneCopy *copy = find_copy(store, thing->kind, thing->variant);
    if (copy == NULL && (p->moved || !grow(p->gather, thing->kind, thing->variant))) return false;
    copy = find_copy(store, thing->kind, thing->variant);
    if (copy->pieces.count && !p->chunk) scene_begin_thing(store, p->path, thing->kind->name, thing->id ? thing->id->text : STR_LIT(""));
    for (int i = 0; i < copy->pieces.count; i++)
        if (!put_piece(p, thing, &copy->pieces.items[i])) return false;
    return true;
}

/* A part that makes members of designs only known when it runs has made its layout into parts
 * already. */
static bool makes_parts(const TreeClass *cls) {
    for (int i = 0; i < cls->families.count; i++)
        if (cls->families.items[i].cls->dynamic_base) return true;
    return false;
}

bool scene_placed_moves(const RtPart *part, int field) {
    return rt_cell_is_timed(part, field) || rt_cell_is_state(part, field);
}

bool scene_holds_placed(const Gather *g, const PartVisit *visit) {
    if (makes_parts(visit->cls)) return false;
    for (int f = 0; f < visit->cls->fields.count; f++) {
        if (!type_is_layout(g->world->compile->checker, visit->cls->fields.items[f].type)) continue;
        if (scene_streams(g->world, visit->cls, g->rt, visit->part, f)) return true;
        rt_cell_get(g->rt, visit->part, f);
        if (!scene_placed_moves(visit->part, f)) return true;
    }
    return false;
}

/* Things that move have meshes of their own, whose copies are others after every move. */
static bool add_list(Gather *g, const PartVisit *visit, const Paint *paint, int field, bool moved) {
    if (scene_streams(g->world, visit->cls, g->rt, visit->part, field)) return moved || scene_add_streamed(g, visit, paint, field);
    const RtList *list = rt_cell_get(g->rt, visit->part, field)->r;
    bool moves = scene_placed_moves(visit->part, field), before = g->store->of_parts;
    if (rt_failed(g->rt) || (moved && !moves)) return !rt_failed(g->rt);
    Placing placing = {g, paint, visit->part, &visit->frame, scene_path(g, visit->part, visit->part->cls->fields[field].name), moved, NULL};
    const RtClass *kind = NULL;
    bool good = true;
    g->store->of_parts = moves;
    for (int64_t i = 0; good && i < rt_list_length(list); i++) {
        const StdPlaced *thing = (const void *)rt_list_item(list, i);
        if (moves && !moved && thing->kind && thing->kind != kind) good = grow_all(g, kind = thing->kind);
        good = good && add_thing(&placing, thing);
    }
    g->store->of_parts = before;
    return good;
}

static bool add_lists(Gather *g, const PartVisit *visit, const Paint *paint, bool moved) {
    if (makes_parts(visit->cls)) return true;
    for (int f = 0; f < visit->cls->fields.count; f++)
        if (type_is_layout(g->world->compile->checker, visit->cls->fields.items[f].type) && !add_list(g, visit, paint, f, moved)) return false;
    return true;
}

/* -- of a chunk -- */

/* The columns of a table of placed things. */
typedef struct PlacedColumns {
    int kind, variant, at, turn, up, size, sink, id;
} PlacedColumns;

static PlacedColumns columns_of(const WorldTable *table) {
    return (PlacedColumns){world_table_find(table, "kind"), world_table_find(table, "variant"), world_table_find(table, "at"), world_table_find(table, "turn"),
                           world_table_find(table, "up"), world_table_find(table, "size"), world_table_find(table, "sink"), world_table_find(table, "id")};
}

static const RtClass *find_design(const World *world, const char *name) {
    for (int i = 0; i < rt_world_class_count(world->parts); i++) {
        const RtClass *cls = rt_world_class(world->parts, i);
        if (world->compile->program->classes.items[i]->is_design && str_equal(cls->name, str_of(name))) return cls;
    }
    return NULL;
}

static Vec3 read_vector(const WorldTable *table, size_t row, int column) {
    double v[3] = {0};
    world_table_vector(table, row, column, v);
    return (Vec3){v[0], v[1], v[2]};
}

static StdPlaced read_thing(const WorldTable *table, const PlacedColumns *in, size_t row, const RtClass *kind) {
    return (StdPlaced){.kind = kind,
                       .variant = world_table_int(table, row, in->variant),
                       .at = read_vector(table, row, in->at),
                       .turn = world_table_number(table, row, in->turn),
                       .up = read_vector(table, row, in->up),
                       .size = world_table_number(table, row, in->size),
                       .sink = world_table_number(table, row, in->sink)};
}

bool scene_add_chunk(Gather *g, const SceneStreamed *streamed, SceneChunk *chunk) {
    Placing placing = {g, &streamed->paint, streamed->part, &streamed->frame, streamed->layout, false, chunk};
    PlacedColumns in = columns_of(chunk->table);
    const RtClass *kind = NULL;
    const char *design = "";
    for (size_t row = 0; row < world_table_rows(chunk->table); row++) {
        const char *name = world_table_text(chunk->table, row, in.kind);
        if (strcmp(name, design) != 0) kind = find_design(g->world, design = name);
        StdPlaced thing = read_thing(chunk->table, &in, row, kind);
        WorldThing named = {streamed->layout, name, world_table_text(chunk->table, row, in.id)};
        VEC_PUSH(&chunk->arena, &chunk->things, named);
        if (!add_thing(&placing, &thing)) return false;
    }
    return !rt_failed(g->rt);
}

/* -- of a part -- */

bool scene_add_placed(Gather *g, const PartVisit *visit, const Paint *paint) {
    return add_lists(g, visit, paint, false);
}

bool scene_move_placed(Gather *g, const PartVisit *visit, const Paint *paint) {
    return add_lists(g, visit, paint, true);
}
