/* The walker package's native part: the runtime's walker over a land's own answers. */
#include "runtime/walker/walker.h"

#include "runtime/geometry/outline.h"
#include "stdlib/stdlib_externs.h"

typedef struct Asked {
    Rt *rt;
    const StdLand *ground;
} Asked;

static double ask_height(void *user, double x, double z) {
    const Asked *asked = user;
    Slot here[3] = {slot_f(x), slot_f(0), slot_f(z)}, height = slot_f(0);
    rt_call(asked->rt, asked->ground->height, NULL, here, &height);
    return height.f;
}

static Vec3 ask_gradient(void *user, double x, double z) {
    const Asked *asked = user;
    Slot here[3] = {slot_f(x), slot_f(0), slot_f(z)}, up[3] = {{0}};
    rt_call(asked->rt, asked->ground->gradient, NULL, here, up);
    return (Vec3){up[0].f, up[1].f, up[2].f};
}

Vec3 walker_walk(Rt *rt, StdLand ground, StdEdge edge, Vec3 from, Vec3 by,
                 StdOptional_constRtOutline border) {
    Asked asked = {rt, &ground};
    WalkerLand land = {.height = ask_height,
                       .gradient = ask_gradient,
                       .user = &asked,
                       .edge = (WalkerEdge)edge.kind,
                       .wade = edge.wade,
                       .fall_to = edge.to};
    bool bordered =
        edge.kind == WALKER_WALL || edge.kind == WALKER_WRAP || edge.kind == WALKER_FALL;
    if (bordered && !border.present) {
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "this edge holds a walker at the land's border: say which, border: grid.border()");
        return from;
    }
    if (bordered) {
        PlanBox box = border.value->box;
        land.x0 = box.x0, land.x1 = box.x1, land.z0 = box.z0, land.z1 = box.z1;
    }
    Walker walker = walker_create(&land, from.x, from.z);
    walker_step(&walker, by.x, by.z);
    return walker.at;
}
