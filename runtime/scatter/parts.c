#include "runtime/scatter/parts.h"

#include <math.h>

#include "runtime/frame/part_frame.h"
#include "runtime/frame/part_option.h"

/* A part's frame as the land sees it. */
typedef struct Seen {
    Frame frame;
    double measure; /* a meter of the part's holders, in meters of the land; the part's own scale
                       does not count */
} Seen;

/* A part whose inside is looked through. */
typedef struct Step {
    RtPart *part;
    Seen seen;
    bool on_the_way; /* it is the land or holds it: nothing is seen from there */
    int child, family;
    RtList *members; /* of the family at hand */
    int64_t member;
} Step;

typedef struct Walk {
    ClearSet *set;
    Rt *rt;
    RtPart *land;    /* in whose frame the rooms are stated; NULL: the world's */
    bool *rooms;     /* by class: whether it, or something that stands in it, states one */
    VEC(Step) path;  /* for members may hold members without end */
} Walk;

/* Whether the class or a design it derives from states a clearance or a footprint. anyPart's own
 * defaults do not count. */
static bool states_room(const Walk *walk, const RtClass *cls) {
    for (; cls->base >= 0; cls = rt_world_class(walk->rt->world, cls->base))
        if (cls->fields[PART_CLEARANCE].given || cls->fields[PART_FOOTPRINT].given) return true;
    return false;
}

/* Whether one that stands in the class has a room. Families whose design is only known when it runs count as stating
 * none. */
static bool room_inside(const Walk *walk, const RtClass *cls) {
    for (int i = 0; i < cls->child_count; i++)
        if (walk->rooms[cls->children[i].cls]) return true;
    for (int i = 0; i < cls->family_count; i++)
        if (cls->families[i].cls >= 0 && walk->rooms[cls->families[i].cls]) return true;
    return false;
}

static bool find_room(Walk *walk, int index) {
    const RtClass *cls = rt_world_class(walk->rt->world, index);
    if (walk->rooms[index] || !(states_room(walk, cls) || room_inside(walk, cls))) return false;
    return walk->rooms[index] = true;
}

/* The classes in which a room is stated: the cells of others are never read, so that a part that reads a scatter's layout
 * does not close a loop. A class may stand in itself, so they are gone through, to and fro, until nothing changes. */
static void find_rooms(Walk *walk) {
    int count = rt_world_class_count(walk->rt->world);
    walk->rooms = ARENA_ARRAY(walk->set->discs.arena, bool, count);
    for (bool changed = true; changed && rt_step(walk->rt, count, 0);) {
        changed = false;
        for (int i = 0; i < count; i++)
            changed |= find_room(walk, i);
        for (int i = count - 1; i >= 0; i--)
            changed |= find_room(walk, i);
    }
}

/* Its path, where the set's names lie. */
static Str path_of(const ClearSet *set, const RtPart *part) {
    StrBuf path = {.arena = set->discs.arena};
    rt_part_path(&path, part);
    return strbuf_take(&path);
}

static void add_footprints(ClearSet *set, const RtPart *part, const Frame *frame,
                           const RtList *rectangles, double clearance) {
    Str path = path_of(set, part);
    for (int64_t i = 0; i < rt_list_length(rectangles); i++) {
        const Slot *r = rt_list_item(rectangles, i);
        Footprint footprint = {.x = frame->at.x,
                               .z = frame->at.z,
                               .cos = frame->cos,
                               .sin = frame->sin,
                               .x0 = r[RECTANGLE_X0].f * frame->scale,
                               .x1 = r[RECTANGLE_X1].f * frame->scale,
                               .z0 = r[RECTANGLE_Z0].f * frame->scale,
                               .z1 = r[RECTANGLE_Z1].f * frame->scale,
                               .clearance = clearance,
                               .part = path};
        VEC_PUSH(set->discs.arena, &set->footprints, footprint);
    }
}

static void add_room(Walk *walk, RtPart *part, const Seen *seen) {
    ClearSet *set = walk->set;
    double clearance = part_option(walk->rt, part, PART_CLEARANCE)->f * seen->measure;
    const RtList *footprint = part_option(walk->rt, part, PART_FOOTPRINT)->r;
    if (rt_list_length(footprint)) {
        add_footprints(set, part, &seen->frame, footprint, clearance);
    } else if (clearance > 0) {
        discs_add(&set->clearances, seen->frame.at.x, seen->frame.at.z, clearance,
                  set->names.count);
        VEC_PUSH(set->discs.arena, &set->names, path_of(set, part));
    }
}

/* The land, or what holds it, as the land sees it: known by the way down to the land, so that the
 * land's own place counts only for what stands outside it. */
static Seen seen_from_land(Walk *walk, const RtPart *holder) {
    Frame down = part_frame_in(walk->rt, walk->land, holder);
    Frame frame = frame_inverse(&down);
    return (Seen){frame, frame.scale};
}

static Seen see(Walk *walk, RtPart *part, const Step *holder) {
    Seen around = holder->on_the_way ? seen_from_land(walk, part->parent) : holder->seen;
    Frame own = part_frame_own(walk->rt, part);
    return (Seen){frame_compose(&around.frame, &own), around.frame.scale};
}

static void visit(Walk *walk, RtPart *part, const Step *holder) {
    Step step = {.part = part, .on_the_way = walk->land && part_frame_holds(part, walk->land)};
    bool stated = states_room(walk, part->cls);
    if (!step.on_the_way)
        step.seen = see(walk, part, holder);
    else if (stated)
        step.seen = seen_from_land(walk, part);
    if (stated) add_room(walk, part, &step.seen);
    VEC_PUSH(walk->rt->arena, &walk->path, step);
}

/* The next member with a room, family by family; NULL: there is none, or a fault. */
static RtPart *next_member(const Walk *walk, Step *step) {
    const RtClass *cls = step->part->cls;
    while (step->member == rt_list_length(step->members)) {
        if (step->family == cls->family_count || rt_failed(walk->rt)) return NULL;
        int family = step->family++, of = cls->families[family].cls;
        bool stated = of >= 0 && walk->rooms[of];
        step->members = stated ? rt_part_family(walk->rt, step->part, family) : NULL;
        step->member = 0;
    }
    return rt_list_item(step->members, step->member++)->r;
}

static RtPart *next_inside(const Walk *walk, Step *step) {
    const RtClass *cls = step->part->cls;
    while (step->child < cls->child_count) {
        int child = step->child++;
        if (walk->rooms[cls->children[child].cls]) return rt_part_child(walk->rt, step->part, child);
    }
    return next_member(walk, step);
}

void clear_add_parts(ClearSet *set, Rt *rt, RtPart *land) {
    if (rt->world == NULL) return;
    Walk walk = {.set = set, .rt = rt, .land = land};
    find_rooms(&walk);
    Step world = {.part = rt_world_root(rt->world), .seen = {frame_identity(), 1}, .on_the_way = land != NULL};
    VEC_PUSH(rt->arena, &walk.path, world);
    while (walk.path.count && rt_step(rt, 1, 0)) {
        Step *last = &walk.path.items[walk.path.count - 1];
        RtPart *part = next_inside(&walk, last);
        if (rt_failed(rt)) return;
        if (part == NULL) {
            walk.path.count--;
            continue;
        }
        Step holder = *last;
        visit(&walk, part, &holder);
    }
}

/* -- layouts -- */

static const double same_place = 1e-6, same_size = 1e-9; /* meters; radians and factors */

static bool is_still(const Frame *frame) {
    return fabs(frame->at.x) < same_place && fabs(frame->at.y) < same_place &&
           fabs(frame->at.z) < same_place && fabs(frame->sin) < same_size && frame->cos > 0 &&
           fabs(frame->scale - 1) < same_size;
}

bool clear_check_holder(Rt *rt, RtPart *land, RtPart *holder) {
    RtPart *meet = part_frame_meet(land, holder);
    Frame of_land = part_frame_in(rt, land, meet), of_holder = part_frame_in(rt, holder, meet);
    if (rt_failed(rt)) return false;
    Frame to_land = frame_inverse(&of_land);
    Frame between = frame_compose(&to_land, &of_holder);
    return is_still(&between);
}
