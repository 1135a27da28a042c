/* The walker package's native part: the runtime's walker over a land's own answers. */
#include "runtime/walker/walker.h"

#include "runtime/frame/frame.h"
#include "runtime/geometry/outline.h"
#include "runtime/solid/solid.h"
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

/* -- obstacles: in an arena of their own, which ends with the step -- */

static void add_solids(SolidList *solids, const StdObstacle *from) {
    const StdSolid *solid = &from->solid;
    if (solid->kind == STD_SOLID_KIND_CAPSULE)
        solid_add_capsule(solids, solid->from, solid->to, solid->radius);
    else
        solid_add_mesh(solids, from->mesh, (SolidRule)solid->kind);
}

static void add_obstacles(Arena *arena, Arena *scratch, const RtList *among, WalkerLand *land) {
    VEC(Obstacle) all = {0};
    for (int64_t i = 0; i < rt_list_length(among); i++) {
        const StdObstacle *from = (const void *)rt_list_item(among, i);
        SolidList solids = {.arena = arena, .scratch = scratch};
        Frame frame = frame_make(from->at, from->turn, from->scale);
        double c = frame.cos * frame.scale, s = frame.sin * frame.scale;
        const double rows[12] = {c, 0, s, frame.at.x, 0, frame.scale, 0, frame.at.y, -s, 0, c, frame.at.z};
        add_solids(&solids, from);
        for (int k = 0; k < solids.items.count; k++)
            VEC_PUSH(arena, &all, obstacle_make(arena, &solids.items.items[k], rows));
    }
    land->obstacles = all.items;
    land->obstacle_count = (size_t)all.count;
}

static Vec3 step_among(WalkerLand *land, const RtList *among, Arena *arena, Arena *scratch, Vec3 from, Vec3 by) {
    add_obstacles(arena, scratch, among, land);
    Walker walker = walker_create_from(land, from.x, from.y + land->step, from.z);
    walker_step(&walker, by.x, by.z);
    return walker.at;
}

/* What is left on the way through a recovery point is given back. */
static Vec3 walk_among(Rt *rt, WalkerLand *land, const RtList *among, Vec3 from, Vec3 by) {
    Arena arena, scratch;
    Recover recover;
    Vec3 at = from;
    arena_init(&arena, rt->arena->memory);
    arena_init(&scratch, rt->arena->memory);
    bool good = MEMORY_TRY(&recover);
    if (good) {
        at = step_among(land, among, &arena, &scratch, from, by);
        memory_end_try(&recover);
    }
    arena_fini(&scratch);
    arena_fini(&arena);
    if (!good) memory_fail();
    return at;
}

Vec3 walker_walk(Rt *rt, StdLand ground, StdEdge edge, Vec3 from, Vec3 by,
                 StdOptional_constRtOutline border, const RtList *among, StdBody who) {
    Asked asked = {rt, &ground};
    WalkerLand land = {.height = ask_height,
                       .gradient = ask_gradient,
                       .user = &asked,
                       .edge = (WalkerEdge)edge.kind,
                       .wade = edge.wade,
                       .fall_to = edge.to,
                       .radius = who.radius,
                       .tall = who.tall,
                       .step = who.step};
    bool bordered =
        edge.kind == WALKER_WALL || edge.kind == WALKER_WRAP || edge.kind == WALKER_FALL;
    if (bordered && !border.present) {
        rt_fault(rt, RT_FAULT_ARGUMENT,
                 "this edge holds a walker at the land's border: say which, border: grid.border()");
        return from;
    }
    if (!(who.radius > 0 && who.step >= 0 && who.tall > who.step)) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "a body is thicker than 0 m, and taller than its step");
        return from;
    }
    if (bordered) {
        PlanBox box = border.value->box;
        land.x0 = box.x0, land.x1 = box.x1, land.z0 = box.z0, land.z1 = box.z1;
    }
    if (rt_list_length(among)) return walk_among(rt, &land, among, from, by);
    Walker walker = walker_create(&land, from.x, from.z);
    walker_step(&walker, by.x, by.z);
    return walker.at;
}
