#include "runtime/scatter/parts.h"

#include "runtime/frame/frame.h"

/* Where anyPart's options lie: at the same index in every class that derives from it. */
typedef struct Options {
    int at, turn, scale, clearance, footprint;
} Options;

typedef enum RoomState { ROOM_UNKNOWN, ROOM_NONE, ROOM_STATED } RoomState;

typedef struct Walk {
    ClearSet *set;
    Rt *rt;
    Options options;
    uint8_t *rooms; /* RoomState by class */
} Walk;

static int find_option(const RtClass *cls, const char *name) {
    for (int i = 0; i < cls->field_count; i++)
        if (cls->fields[i].option && str_equal(cls->fields[i].name, str_of(name))) return i;
    return -1;
}

/* False for a class without options (the root's). */
static bool find_options(const RtClass *cls, Options *options) {
    *options = (Options){find_option(cls, "at"), find_option(cls, "turn"), find_option(cls, "scale"),
                         find_option(cls, "clearance"), find_option(cls, "footprint")};
    return options->at >= 0 && options->turn >= 0 && options->scale >= 0 && options->clearance >= 0 &&
           options->footprint >= 0;
}

/* Whether the class or a design it derives from states a clearance or a footprint. anyPart's own defaults do not count. */
static bool states_room(const Walk *walk, const RtClass *cls) {
    for (; cls->base >= 0; cls = rt_world_class(walk->rt->world, cls->base))
        if (cls->fields[walk->options.clearance].given || cls->fields[walk->options.footprint].given) return true;
    return false;
}

/* The same for the class and everything that stands in it: the cells of others are never read, so that a part that reads a
 * scatter's layout does not close a loop. Families whose design is only known when it runs count as stating none. */
static bool room_inside(Walk *walk, int index) {
    const RtClass *cls = rt_world_class(walk->rt->world, index);
    if (walk->rooms[index] == ROOM_UNKNOWN) {
        bool stated = states_room(walk, cls);
        for (int i = 0; i < cls->child_count && !stated; i++) stated = room_inside(walk, cls->children[i].cls);
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

static void add_footprints(ClearSet *set, const RtPart *part, const Frame *frame, const RtList *rectangles,
                           double clearance) {
    Str path = path_of(set, part);
    for (int64_t i = 0; i < rt_list_length(rectangles); i++) {
        const Slot *r = rt_list_item(rectangles, i); /* record rectangle: x0, x1, z0, z1 */
        Footprint footprint = {.x = frame->at.x, .z = frame->at.z, .cos = frame->cos, .sin = frame->sin,
                               .x0 = r[0].f * frame->scale, .x1 = r[1].f * frame->scale, .z0 = r[2].f * frame->scale,
                               .z1 = r[3].f * frame->scale, .clearance = clearance, .part = path};
        VEC_PUSH(set->discs.arena, &set->footprints, footprint);
    }
}

static void add_room(Walk *walk, RtPart *part, const Frame *frame) {
    ClearSet *set = walk->set;
    double clearance = rt_cell_get(walk->rt, part, walk->options.clearance)->f;
    const RtList *footprint = rt_cell_get(walk->rt, part, walk->options.footprint)->r;
    if (rt_list_length(footprint)) {
        add_footprints(set, part, frame, footprint, clearance);
    } else if (clearance > 0) {
        discs_add(&set->clearances, frame->at.x, frame->at.z, clearance, set->names.count);
        VEC_PUSH(set->discs.arena, &set->names, path_of(set, part));
    }
}

static void visit_inside(Walk *walk, RtPart *part, const Frame *frame);

static void visit(Walk *walk, RtPart *part, const Frame *outer) {
    if (part == NULL || rt_failed(walk->rt)) return;
    const Slot *at = rt_cell_get(walk->rt, part, walk->options.at);
    Vec3 place = {at[0].f, at[1].f, at[2].f};
    double turn = rt_cell_get(walk->rt, part, walk->options.turn)->f;
    Frame local = frame_make(place, turn, rt_cell_get(walk->rt, part, walk->options.scale)->f);
    Frame frame = frame_compose(outer, &local);
    if (states_room(walk, part->cls)) add_room(walk, part, &frame);
    visit_inside(walk, part, &frame);
}

static void visit_inside(Walk *walk, RtPart *part, const Frame *frame) {
    const RtClass *cls = part->cls;
    for (int i = 0; i < cls->child_count; i++)
        if (room_inside(walk, cls->children[i].cls)) visit(walk, rt_part_child(walk->rt, part, i), frame);
    for (int f = 0; f < cls->family_count; f++) {
        if (cls->families[f].cls < 0 || !room_inside(walk, cls->families[f].cls)) continue;
        RtList *members = rt_part_family(walk->rt, part, f);
        for (int64_t i = 0; i < rt_list_length(members); i++) visit(walk, rt_list_item(members, i)->r, frame);
    }
}

void clear_add_parts(ClearSet *set, Rt *rt) {
    if (rt->world == NULL) return;
    Walk walk = {.set = set, .rt = rt};
    int count = rt_world_class_count(rt->world), first = 0;
    walk.rooms = ARENA_ARRAY(set->discs.arena, uint8_t, count);
    while (first < count && !find_options(rt_world_class(rt->world, first), &walk.options)) first++;
    if (first == count) return;
    Frame world = frame_identity();
    visit_inside(&walk, rt_world_root(rt->world), &world);
}
