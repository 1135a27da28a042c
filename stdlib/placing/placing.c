/* What packages that place things share: frames, mistakes, and rows for whoever watches. */
#include "stdlib/placing/placing.h"

#include <math.h>

#include "runtime/frame/part_frame.h"
#include "runtime/grid/grid.h"
#include "runtime/rt/cell.h"
#include "runtime/scatter/parts.h"

RtPart *placing_part_of(const RtClosure *height) {
    const RtObject *held = height ? &height->head : NULL;
    while (held && held->kind == RT_CLOSURE) {
        const RtClosure *closure = (const RtClosure *)(const void *)held;
        held = closure->capture_count ? closure->captures[0].r : NULL;
    }
    return held && held->kind == RT_PART ? (RtPart *)(uintptr_t)held : NULL;
}

RtPart *placing_land_part(const StdLand *over) {
    return placing_part_of(over->height);
}

/* The part whose field is being worked out; NULL when a host asks. */
static RtPart *layout_holder(const Rt *rt) {
    bool asked_by_cell = rt->world && rt->reader != 0;
    return asked_by_cell ? rt->world->running->cell->part : NULL;
}

void placing_checkHolder(Rt *rt, StdLand over) {
    RtPart *land = placing_land_part(&over), *holder = layout_holder(rt);
    if (land == NULL || holder == NULL || clear_check_holder(rt, land, holder) || rt_failed(rt))
        return;
    StrBuf path = {.arena = rt->arena};
    rt_part_path(&path, land);
    rt_fault(
        rt, RT_FAULT_ARGUMENT,
        "what is scattered over '%s' stands in its frame: hold the scatter in a part inside '%s'",
        path.ptr, path.ptr);
}

static Frame frame_from(Rt *rt, RtPart *land, RtPart *part) {
    RtPart *meet = land ? part_frame_meet(land, part) : NULL;
    Frame of_part = part_frame_in(rt, part, meet);
    if (land == NULL || rt_failed(rt)) return of_part;
    Frame of_land = part_frame_in(rt, land, meet), to_land = frame_inverse(&of_land);
    return frame_compose(&to_land, &of_part);
}

static Frame frame_in(Rt *rt, const StdLand *over, RtPart *part) {
    return frame_from(rt, placing_land_part(over), part);
}

Vec3 placing_placeFrom(Rt *rt, RtPart *from, RtPart *part) {
    return frame_from(rt, from, part).at;
}

double placing_scaleFrom(Rt *rt, RtPart *from, RtPart *part) {
    return frame_from(rt, from, part).scale;
}

double placing_turnFrom(Rt *rt, RtPart *from, RtPart *part) {
    return frame_from(rt, from, part).turn;
}

Vec3 placing_placeIn(Rt *rt, StdLand over, RtPart *part) {
    return frame_in(rt, &over, part).at;
}

double placing_scaleIn(Rt *rt, StdLand over, RtPart *part) {
    return frame_in(rt, &over, part).scale;
}

bool placing_ground(Rt *rt, RtPart *land, int index, Ground *ground) {
    const RtGrid *grid = rt_cell_get(rt, land, land->cls->grounds[index])->r;
    if (grid == NULL) return false;
    *ground = (Ground){.x0 = grid->x0,
                       .x1 = grid_x(grid, grid->columns - 1),
                       .z0 = grid->z0,
                       .z1 = grid_z(grid, grid->rows - 1),
                       .slack = grid->cell * GRID_BORDER_SLACK};
    return true;
}

const RtList *placing_groundsOf(Rt *rt, StdLand over) {
    RtPart *land = placing_land_part(&over);
    RtShape shape = {.width = sizeof(StdRectangle) / sizeof(Slot)};
    RtList *list = rt_list_create(rt, shape, 1);
    for (int i = 0; land && i < land->cls->ground_count && !rt_failed(rt); i++) {
        Ground g;
        if (!placing_ground(rt, land, i, &g)) continue;
        Slot row[] = {slot_f(g.x0 - g.slack), slot_f(g.x1 + g.slack), slot_f(g.z0 - g.slack),
                      slot_f(g.z1 + g.slack)};
        list = rt_list_append(rt, list, shape, row);
    }
    return list;
}

double placing_turnIn(Rt *rt, StdLand over, RtPart *part) {
    return frame_in(rt, &over, part).turn;
}

/* -- telling -- */

bool placing_isCounted(Rt *rt) {
    return rt_is_counted(rt);
}

bool placing_asks(Rt *rt) {
    return rt->observer && rt->observer->asks;
}

bool placing_isAsked(Rt *rt, Vec3 here) {
    return rt_is_asked(rt, here.x, here.z);
}

double placing_distanceAsked(Rt *rt, Vec3 here) {
    if (rt->observer == NULL) return NAN;
    double dx = here.x - rt->observer->x, dz = here.z - rt->observer->z;
    return sqrt(dx * dx + dz * dz);
}

static RtObserver *listener(const Rt *rt) {
    return rt->observer && rt->observer->row ? rt->observer : NULL;
}

void placing_row(Rt *rt) {
    RtObserver *to = listener(rt);
    if (to) to->row(to);
}

void placing_tellText(Rt *rt, const RtText *column, const RtText *value) {
    RtObserver *to = listener(rt);
    if (to) to->text(to, column->text.ptr, value->text);
}

void placing_tellInt(Rt *rt, const RtText *column, int64_t value) {
    RtObserver *to = listener(rt);
    if (to) to->whole(to, column->text.ptr, value);
}

void placing_tellNumber(Rt *rt, const RtText *column, double value) {
    RtObserver *to = listener(rt);
    if (to) to->number(to, column->text.ptr, "number", value);
}

void placing_tellMeters(Rt *rt, const RtText *column, double value) {
    RtObserver *to = listener(rt);
    if (to) to->number(to, column->text.ptr, "meters", value);
}

void placing_warn(Rt *rt, const RtText *why) {
    if (rt->observer == NULL || rt->observer->warn == NULL || rt_failed(rt)) return;
    rt->observer->warn(rt->observer, rt, why->text);
}
