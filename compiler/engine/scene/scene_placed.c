/* Placed things: a few grown, many placed. For each (kind, variant) one loose copy of the design
 * is made; every thing is an instance of that copy's parts, moved by its own place, turn, lean,
 * size and sink.
 */
#include "compiler/engine/scene/scene.h"

typedef struct CopyPart { /* a mesh of a copy, in the copy's frame */
    ScenePiece piece;
    Frame frame;
} CopyPart;

typedef struct Copy {
    const RtClass *kind;
    int64_t variant;
    VEC(CopyPart) parts;
} Copy;

typedef struct Copies {
    Gather *gather;
    const Paint *paint; /* of the part that holds the things */
    VEC(Copy) items;
    Copy *growing;
    Gather inside; /* of it */
} Copies;

static bool collect(void *user, const PartVisit *visit) {
    Copies *copies = user;
    ScenePieces pieces = {0};
    Paint paint;
    if (!scene_read_paint(&copies->inside, visit, &paint)) return false;
    if (visit->hidden) return true;
    if (!scene_read_part(copies->gather, visit, &paint, &pieces)) return false;
    for (int i = 0; i < pieces.items.count; i++) {
        CopyPart part = {pieces.items.items[i], visit->frame};
        VEC_PUSH(copies->gather->store->arena, &copies->growing->parts, part);
    }
    return true;
}

/* A design that has a field `variant` is told which it is. */
static void set_variant(const Gather *g, RtPart *part, int64_t variant) {
    int field =
        parts_field(parts_class(g->world, part), &g->world->compile->symbols, STR_LIT("variant"));
    if (field < 0 || part->cls->fields[field].slot_types[0] != 'I') return;
    Slot slot = slot_i(variant);
    rt_cell_set(g->rt, part, field, &slot);
}

static bool grow(Copies *copies, const RtClass *kind, int64_t variant) {
    Gather *g = copies->gather;
    Copy fresh = {.kind = kind, .variant = variant};
    VEC_PUSH(g->store->arena, &copies->items, fresh);
    copies->growing = &copies->items.items[copies->items.count - 1];
    copies->inside = (Gather){.world = g->world, .rt = g->rt, .store = g->store};
    RtPart *part = rt_part_loose(g->rt, kind);
    if (part == NULL) return false;
    set_variant(g, part, variant);
    return parts_walk(g->world, g->rt, part, collect, copies);
}

static Copy *find_copy(Copies *copies, const RtClass *kind, int64_t variant) {
    for (int i = 0; i < copies->items.count; i++)
        if (copies->items.items[i].kind == kind && copies->items.items[i].variant == variant)
            return &copies->items.items[i];
    return NULL;
}

/* Where a part of the copy stands: upright, by frames alone. */
static bool stand(const Copies *copies, const StdPlaced *thing, const Frame *holder, const Frame *part, float matrix[12]) {
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
        rt_fault(copies->gather->rt, RT_FAULT_ARGUMENT, "the up of '%.*s' is no direction",
                 STR_ARG(thing->id ? thing->id->text : thing->kind->name));
        return false;
    }
    for (int i = 0; i < 12; i++)
        matrix[i] = (float)rows[i];
    return true;
}

static bool add_thing(Copies *copies, const StdPlaced *thing, const Frame *holder, const char *path) {
    if (thing->kind == NULL) return true;
    if (!find_copy(copies, thing->kind, thing->variant) &&
        !grow(copies, thing->kind, thing->variant))
        return false;
    const Copy *copy = find_copy(copies, thing->kind, thing->variant);
    if (copy->parts.count)
        scene_begin_thing(copies->gather->store, path, thing->kind->name,
                          thing->id ? thing->id->text : STR_LIT(""));
    for (int i = 0; i < copy->parts.count; i++) {
        float matrix[12];
        if (!stand(copies, thing, holder, &copy->parts.items[i].frame, matrix)) return false;
        ScenePiece piece = copy->parts.items[i].piece;
        const float *by = copies->paint->color;
        scene_paint(&piece.paint, (Vec3){(double)by[0], (double)by[1], (double)by[2]});
        scene_add(copies->gather->store, &piece, matrix);
    }
    return true;
}

/* A part that makes members of designs only known when it runs has made its layout into parts
 * already. */
static bool makes_parts(const TreeClass *cls) {
    for (int i = 0; i < cls->families.count; i++)
        if (cls->families.items[i].cls->dynamic_base) return true;
    return false;
}

bool scene_holds_placed(const World *world, const TreeClass *cls) {
    for (int f = 0; f < cls->fields.count; f++)
        if (data_is_placed(world, cls->fields.items[f].type)) return !makes_parts(cls);
    return false;
}

bool scene_add_placed(Gather *g, const PartVisit *visit, const Paint *paint) {
    Copies copies = {.gather = g, .paint = paint};
    if (makes_parts(visit->cls)) return true;
    for (int f = 0; f < visit->cls->fields.count; f++) {
        if (!data_is_placed(g->world, visit->cls->fields.items[f].type)) continue;
        const RtList *list = rt_cell_get(g->rt, visit->part, f)->r;
        if (rt_failed(g->rt)) return false;
        const char *path = scene_path(g, visit->part, visit->part->cls->fields[f].name);
        for (int64_t i = 0; i < rt_list_length(list); i++)
            if (!add_thing(&copies, (const void *)rt_list_item(list, i), &visit->frame, path))
                return false;
    }
    return true;
}
