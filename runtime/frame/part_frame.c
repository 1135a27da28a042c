#include "runtime/frame/part_frame.h"

/* The slots of an option, or NULL when the part has none of that name. */
static const Slot *read_option(Rt *rt, RtPart *part, const char *name) {
    const RtClass *cls = part->cls;
    for (int i = 0; i < cls->field_count; i++)
        if (cls->fields[i].option && str_equal(cls->fields[i].name, str_of(name)))
            return rt_cell_get(rt, part, i);
    return NULL;
}

Frame part_frame_own(Rt *rt, RtPart *part) {
    const Slot *at = read_option(rt, part, "at");
    const Slot *turn = read_option(rt, part, "turn");
    const Slot *scale = read_option(rt, part, "scale");
    if (at == NULL || turn == NULL || scale == NULL) return frame_identity();
    return frame_make((Vec3){at[0].f, at[1].f, at[2].f}, turn->f, scale->f);
}

Frame part_frame_in(Rt *rt, RtPart *part, const RtPart *outer) {
    Frame frame = frame_identity();
    for (; part && part != outer && !rt_failed(rt); part = part->parent) {
        Frame own = part_frame_own(rt, part);
        frame = frame_compose(&own, &frame);
    }
    return frame;
}

bool part_frame_holds(const RtPart *outer, const RtPart *part) {
    while (part && part != outer)
        part = part->parent;
    return part != NULL;
}

RtPart *part_frame_meet(RtPart *a, RtPart *b) {
    while (a->parent && !part_frame_holds(a, b))
        a = a->parent;
    return a;
}
