/* The tree of parts: where each stands in the frame of the root, and the fields that every part
 * has. */
#include "compiler/engine/open/open.h"

#include "runtime/frame/part_frame.h"
#include "runtime/frame/part_option.h"
#include "runtime/rt/life.h"
#include "stdlib/library_names.h"

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

/* The library has one part of each of these names; an author's may be called so too. */
bool parts_is_made_of(const World *world, const TreeClass *cls, Str name) {
    for (; cls; cls = cls->base)
        if (cls->span.file < world->compile->file && str_equal(str_last_name(cls->name), name)) return true;
    return false;
}

bool parts_is_cover(const World *world, const TreeClass *cls) {
    if (cls->value_field < 0) return false;
    const Type *type = cls->fields.items[cls->value_field].type;
    return type->kind == TYPE_RECORD && check_library_record(world->compile->checker, type->record, STR_LIT(STD_groundcover),
                                                             STR_LIT(STD_groundcover_cover));
}

/* Where the part stands in what holds it, and whether it is hidden, unless it is already. */
static bool read_place(Rt *rt, RtPart *part, Frame *frame, bool *hidden) {
    *frame = part_frame_own(rt, part);
    const Slot *own = rt_failed(rt) ? NULL : part_option(rt, part, PART_HIDDEN);
    if (own && own->w) *hidden = true;
    return !rt_failed(rt);
}

/* -- the walk: a list of the parts that hold the one at hand, for members may hold members without end -- */

typedef struct Step {
    PartVisit visit;
    int next; /* of its children, then of its members */
} Step;

typedef struct Walk {
    World *world;
    Rt *rt;
    VEC(Step) path;
} Walk;

/* The part as what holds it sees it, put at the end of the path. */
static bool enter(Walk *w, RtPart *part, const PartVisit *outer) {
    Frame own;
    if (part == NULL || !rt_step(w->rt, 1, 0)) return false; /* it could not be made */
    Step step = {.visit = {.part = part,
                           .cls = parts_class(w->world, part),
                           .depth = outer->depth + 1,
                           .hidden = outer->hidden}};
    if (!read_place(w->rt, part, &own, &step.visit.hidden)) return false;
    step.visit.frame = frame_compose(&outer->frame, &own);
    VEC_PUSH(w->rt->arena, &w->path, step);
    return true;
}

static RtPart *spawned(const RtPart *part, int at) {
    for (int i = 0; part->population && i < part->population->count; i++) {
        const RtFamilyLive *family = &part->population->families[i];
        if (at < family->count) return family->parts[at];
        at -= family->count;
    }
    return NULL;
}

/* The next part inside; NULL: there is none, or it could not be made (rt->fault). */
static RtPart *next_inside(Rt *rt, Step *step) {
    RtPart *part = step->visit.part;
    int at = step->next++, children = part->cls->child_count;
    if (at < children) return rt_part_child(rt, part, at);
    if (at == children) rt_part_elaborate(rt, part);
    if (rt_failed(rt)) return NULL;
    at -= children;
    return at < part->member_count ? part->members[at].part : spawned(part, at - part->member_count);
}

/* Everything that holds the part, from the root on. */
static bool enter_holders(Walk *w, const RtPart *part) {
    VEC(RtPart *) holders = {0};
    for (RtPart *at = part->parent; at; at = at->parent)
        VEC_PUSH(w->rt->arena, &holders, at);
    PartVisit outer = {.frame = frame_identity(), .depth = -2};
    for (int i = holders.count - 1; i >= 0; i--) {
        if (!enter(w, holders.items[i], &outer)) return false;
        outer = w->path.items[w->path.count - 1].visit;
    }
    if (w->path.count == 0) VEC_PUSH(w->rt->arena, &w->path, (Step){.visit = outer});
    return true;
}

bool parts_walk(World *world, Rt *rt, RtPart *part, PartVisitor visitor, void *user) {
    Walk w = {.world = world, .rt = rt};
    if (!enter_holders(&w, part)) return false;
    int outside = w.path.count;
    do {
        PartVisit outer = w.path.items[w.path.count - 1].visit;
        if (!enter(&w, part, &outer)) return false;
        PartVisit visit = w.path.items[w.path.count - 1].visit;
        if (part->parent && !visitor(user, &visit)) return false;
        while (w.path.count > outside) {
            do part = next_inside(rt, &w.path.items[w.path.count - 1]);
            while (part && part->gone && !rt_failed(rt));
            if (rt_failed(rt)) return false;
            if (part) break;
            w.path.count--;
        }
    } while (w.path.count > outside);
    return true;
}
