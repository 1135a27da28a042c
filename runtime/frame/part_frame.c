#include "runtime/frame/part_frame.h"

#include "runtime/frame/part_option.h"

Frame part_frame_own(Rt *rt, RtPart *part) {
    if (!part_has_options(part->cls)) return frame_identity();
    const Slot *at = part_option(rt, part, PART_AT);
    const Slot *turn = part_option(rt, part, PART_TURN);
    const Slot *scale = part_option(rt, part, PART_SCALE);
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
