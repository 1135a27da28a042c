/* The tree of parts: where each stands in the frame of the root, and the fields that every part
 * has. */
#include "compiler/engine/open/open.h"

const TreeClass *parts_class(const World *world, const RtPart *part) {
    return world->compile->program->classes.items[part->cls->index];
}

int parts_field(const TreeClass *cls, const SymbolTable *symbols, Str name) {
    Symbol symbol = symbols_find(symbols, name);
    for (int i = 0; symbol && i < cls->fields.count; i++)
        if (cls->fields.items[i].name == symbol) return i;
    return -1;
}

const Slot *parts_read(World *world, Rt *rt, RtPart *part, Str name, const Type **type) {
    const TreeClass *cls = parts_class(world, part);
    int field = parts_field(cls, &world->compile->symbols, name);
    if (field < 0) return NULL;
    if (type) *type = cls->fields.items[field].type;
    const Slot *slots = rt_cell_get(rt, part, field);
    return rt_failed(rt) ? NULL : slots;
}

/* A field of so many numbers into `out`, which keeps its default when there is none. */
static bool read_numbers(World *world, Rt *rt, RtPart *part, Str name, int count, double *out) {
    const Type *type;
    const Slot *slots = parts_read(world, rt, part, name, &type);
    if (slots == NULL) return !rt_failed(rt);
    if (type->slot_count == count && type->slots[0] == 'F')
        for (int i = 0; i < count; i++)
            out[i] = slots[i].f;
    return true;
}

static bool read_frame(World *world, Rt *rt, RtPart *part, Frame *frame) {
    double at[3] = {0, 0, 0}, turn = 0, scale = 1;
    bool good = read_numbers(world, rt, part, STR_LIT("at"), 3, at) &&
                read_numbers(world, rt, part, STR_LIT("turn"), 1, &turn) &&
                read_numbers(world, rt, part, STR_LIT("scale"), 1, &scale);
    *frame = frame_make((Vec3){at[0], at[1], at[2]}, turn, scale);
    return good;
}

static bool read_hidden(World *world, Rt *rt, RtPart *part, bool *hidden) {
    const Slot *slots = parts_read(world, rt, part, STR_LIT("hidden"), NULL);
    if (slots && slots[0].w) *hidden = true;
    return !rt_failed(rt);
}

typedef struct Walk {
    World *world;
    Rt *rt;
    PartVisitor visitor;
    void *user;
} Walk;

static bool walk(const Walk *w, RtPart *part, PartVisit outer) {
    Frame own;
    if (part == NULL) return false; /* it could not be made */
    PartVisit visit = {.part = part,
                       .cls = parts_class(w->world, part),
                       .depth = outer.depth + 1,
                       .hidden = outer.hidden};
    if (!read_frame(w->world, w->rt, part, &own) ||
        !read_hidden(w->world, w->rt, part, &visit.hidden))
        return false;
    visit.frame = frame_compose(&outer.frame, &own);
    if (part->parent && !w->visitor(w->user, &visit)) return false;
    for (int i = 0; i < part->cls->child_count; i++)
        if (!walk(w, rt_part_child(w->rt, part, i), visit)) return false;
    rt_part_elaborate(w->rt, part);
    if (rt_failed(w->rt)) return false;
    for (int i = 0; i < part->member_count; i++)
        if (!walk(w, part->members[i].part, visit)) return false;
    return true;
}

/* The frame and depth of what holds a part. */
static bool outer_visit(World *world, Rt *rt, RtPart *part, PartVisit *visit) {
    *visit = (PartVisit){.frame = frame_identity(), .depth = -2};
    if (part == NULL) return true;
    PartVisit outer;
    Frame own;
    if (!outer_visit(world, rt, part->parent, &outer) || !read_frame(world, rt, part, &own))
        return false;
    visit->frame = frame_compose(&outer.frame, &own);
    visit->depth = outer.depth + 1;
    visit->hidden = outer.hidden;
    return read_hidden(world, rt, part, &visit->hidden);
}

bool parts_walk(World *world, Rt *rt, RtPart *part, PartVisitor visitor, void *user) {
    Walk w = {world, rt, visitor, user};
    PartVisit outer;
    return outer_visit(world, rt, part->parent, &outer) && walk(&w, part, outer);
}
