/* The tree of parts: where each stands in the frame of the root, and the fields that every part
 * has. */
#include "compiler/engine/open/open.h"

#include "runtime/frame/part_frame.h"
#include "runtime/frame/part_option.h"

const TreeClass *parts_class(const World *world, const RtPart *part) {
    return world->compile->program->classes.items[part->cls->index];
}

Str parts_design(const TreeClass *cls) {
    for (; cls; cls = cls->base)
        if (cls->is_design && cls->base) return cls->name;
    return STR_LIT("");
}

int parts_field(const TreeClass *cls, const SymbolTable *symbols, Str name) {
    Symbol symbol = symbols_find(symbols, name);
    for (int i = 0; symbol && i < cls->fields.count; i++)
        if (cls->fields.items[i].name == symbol) return i;
    return -1;
}

/* Where the part stands in what holds it, and whether it is hidden, unless it is already. */
static bool read_place(Rt *rt, RtPart *part, Frame *frame, bool *hidden) {
    *frame = part_frame_own(rt, part);
    const Slot *own = rt_failed(rt) ? NULL : part_option(rt, part, PART_HIDDEN);
    if (own && own->w) *hidden = true;
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
    if (!read_place(w->rt, part, &own, &visit.hidden)) return false;
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
static bool outer_visit(Rt *rt, RtPart *part, PartVisit *visit) {
    *visit = (PartVisit){.frame = frame_identity(), .depth = -2};
    if (part == NULL) return true;
    PartVisit outer;
    Frame own;
    if (!outer_visit(rt, part->parent, &outer)) return false;
    visit->hidden = outer.hidden;
    if (!read_place(rt, part, &own, &visit->hidden)) return false;
    visit->frame = frame_compose(&outer.frame, &own);
    visit->depth = outer.depth + 1;
    return true;
}

bool parts_walk(World *world, Rt *rt, RtPart *part, PartVisitor visitor, void *user) {
    Walk w = {world, rt, visitor, user};
    PartVisit outer;
    return outer_visit(rt, part->parent, &outer) && walk(&w, part, outer);
}
