#include "runtime/scatter/parts.h"

#include <math.h>

#include "runtime/frame/part_frame.h"
#include "runtime/frame/part_option.h"

typedef enum RoomState { ROOM_UNKNOWN, ROOM_NONE, ROOM_STATED } RoomState;

typedef struct Walk {
    ClearSet *set;
    Rt *rt;
    RtPart *land;   /* in whose frame the rooms are stated; NULL: the world's */
    uint8_t *rooms; /* RoomState by class */
} Walk;

/* A part's frame as the land sees it. */
typedef struct Seen {
    Frame frame;
    double measure; /* a meter of the part's holders, in meters of the land; the part's own scale
                       does not count */
} Seen;

/* Whether the class or a design it derives from states a clearance or a footprint. anyPart's own
 * defaults do not count. */
static bool states_room(const Walk *walk, const RtClass *cls) {
    for (; cls->base >= 0; cls = rt_world_class(walk->rt->world, cls->base))
        if (cls->fields[PART_CLEARANCE].given || cls->fields[PART_FOOTPRINT].given) return true;
    return false;
}

/* The same for the class and everything that stands in it: the cells of others are never read, so
 * that a part that reads a scatter's layout does not close a loop. Families whose design is only
 * known when it runs count as stating none. */
static bool room_inside(Walk *walk, int index) {
    const RtClass *cls = rt_world_class(walk->rt->world, index);
    if (walk->rooms[index] == ROOM_UNKNOWN) {
        bool stated = states_room(walk, cls);
        for (int i = 0; i < cls->child_count && !stated; i++)
            stated = room_inside(walk, cls->children[i].cls);
        for (int i = 0; i < cls->family_count && !stated; i++)
            stated = cls->families[i].cls >= 0 && room_inside(walk, cls->families[i].cls);
        walk->rooms[index] = stated ? ROOM_STATED : ROOM_NONE;
    }
    return walk->rooms[index] == ROOM_STATED;
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

static void visit_inside(Walk *walk, RtPart *part, const Seen *seen);

/* The land, or what holds it, as the land sees it: known by the way down to the land, so that the
 * land's own place counts only for what stands outside it. */
static Seen seen_from_land(Walk *walk, const RtPart *holder) {
    Frame down = part_frame_in(walk->rt, walk->land, holder);
    Frame frame = frame_inverse(&down);
    return (Seen){frame, frame.scale};
}

static Seen see(Walk *walk, RtPart *part, const Seen *holder) {
    Seen around = holder ? *holder : seen_from_land(walk, part->parent);
    Frame own = part_frame_own(walk->rt, part);
    return (Seen){frame_compose(&around.frame, &own), around.measure};
}

static void visit(Walk *walk, RtPart *part, const Seen *holder) {
    if (part == NULL || rt_failed(walk->rt)) return;
    bool on_the_way = walk->land && part_frame_holds(part, walk->land);
    bool stated = states_room(walk, part->cls);
    Seen seen = {0};
    if (!on_the_way)
        seen = see(walk, part, holder);
    else if (stated)
        seen = seen_from_land(walk, part);
    if (stated) add_room(walk, part, &seen);
    visit_inside(walk, part, on_the_way ? NULL : &seen);
}

/* `seen` NULL: the part is the land or holds it. */
static void visit_inside(Walk *walk, RtPart *part, const Seen *seen) {
    const RtClass *cls = part->cls;
    for (int i = 0; i < cls->child_count; i++)
        if (room_inside(walk, cls->children[i].cls))
            visit(walk, rt_part_child(walk->rt, part, i), seen);
    for (int f = 0; f < cls->family_count; f++) {
        if (cls->families[f].cls < 0 || !room_inside(walk, cls->families[f].cls)) continue;
        RtList *members = rt_part_family(walk->rt, part, f);
        for (int64_t i = 0; i < rt_list_length(members); i++)
            visit(walk, rt_list_item(members, i)->r, seen);
    }
}

void clear_add_parts(ClearSet *set, Rt *rt, RtPart *land) {
    if (rt->world == NULL) return;
    Walk walk = {.set = set, .rt = rt, .land = land};
    walk.rooms = ARENA_ARRAY(set->discs.arena, uint8_t, rt_world_class_count(rt->world));
    Seen world = {frame_identity(), 1};
    visit_inside(&walk, rt_world_root(rt->world), land ? NULL : &world);
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
