/* world_explain: every spot tried near a place, with what decided it.
 *
 * The trials come from a scatter that runs again under an observer (stats.c); here they become
 * words. See explain_keep.c for conditions and explain_clash.c for what stood in the way.
 */
#include <math.h>

#include "compiler/engine/why/why.h"

/* -- one trial -- */

static void explain_trial(Explain *e, const ScatterReport *report, const ScatterTrial *trial,
                          Trial *out) {
    const ScatterRun *run = &report->runs.items[trial->run];
    const ScatterRule *rule = &run->rules[trial->rule - run->first_rule];
    switch (trial->outcome) {
    case SCATTER_KEEP:
        explain_keep(e, rule, trial, out);
        break;
    case SCATTER_CIRCLE:
    case SCATTER_DISC:
    case SCATTER_CLEARANCE:
    case SCATTER_FOOTPRINT:
        explain_clash(e, run, rule, trial, out);
        break;
    case SCATTER_OFF_LAND:
        explain_off_land(e, run, trial, out);
        break;
    case SCATTER_CAP: {
        long long cap = (long long)rule->at_most, more = (long long)trial->past_cap;
        out->past_cap = trial->past_cap;
        out->advice = explain_text(
            e, str_printf(e->arena, "raise atMost from %lld to %lld, or less if others are refused",
                          cap, cap + more));
        break;
    }
    case SCATTER_PLACED:
    case SCATTER_OUTCOME_COUNT:
        break;
    }
}

static Trial begin_trial(const Explain *e, const ScatterTrial *trial) {
    double x = trial->spot[SPOT_X].f, z = trial->spot[SPOT_Z].f, dx = x - e->x, dz = z - e->z;
    return (Trial){.outcome = trial->outcome,
                   .x = x,
                   .z = z,
                   .distance = sqrt(dx * dx + dz * dz),
                   .test = trial->test,
                   .condition = "",
                   .left = {.number = NAN},
                   .right = {.number = NAN},
                   .other = "",
                   .other_distance = NAN,
                   .needed = NAN,
                   .test_allowed = NAN,
                   .move_x = NAN,
                   .move_z = NAN,
                   .advice = ""};
}

/* -- its row -- */

static void tell_text(WorldTable *table, const char *column, const char *text) {
    table_tell_text(table, column, text ? str_of(text) : (Str){0});
}

static void tell_meters(WorldTable *table, const char *column, double value) {
    table_tell_number(table, column, "meters", value);
}

static void tell_sides(WorldTable *table, const Trial *trial) {
    tell_text(table, "left.text", trial->left.text);
    tell_text(table, "left.value", trial->left.value);
    table_tell_number(table, "left.number", "number", trial->left.number);
    tell_text(table, "right.text", trial->right.text);
    tell_text(table, "right.value", trial->right.value);
    table_tell_number(table, "right.number", "number", trial->right.number);
}

static void tell_clash(WorldTable *table, const Trial *trial) {
    tell_text(table, "other", trial->other);
    tell_meters(table, "otherDistance", trial->other_distance);
    tell_meters(table, "needed", trial->needed);
    tell_meters(table, "testAllowed", trial->test_allowed);
    tell_meters(table, "moveX", trial->move_x);
    tell_meters(table, "moveZ", trial->move_z);
}

static void tell_edit(WorldTable *table, const Edit *edit) {
    bool known = edit->text != NULL;
    tell_text(table, "edit.file", edit->file);
    table_tell_int(table, "edit.line", known ? edit->line : RT_EMPTY);
    table_tell_int(table, "edit.column", known ? edit->column : RT_EMPTY);
    table_tell_int(table, "edit.endLine", known ? edit->end_line : RT_EMPTY);
    table_tell_int(table, "edit.endColumn", known ? edit->end_column : RT_EMPTY);
    tell_text(table, "edit.text", edit->text);
}

static void tell_trial(const Explain *e, Str path, Str rule, const ScatterTrial *from,
                       const Trial *trial) {
    WorldTable *table = e->table;
    table_begin_row(table);
    table_tell_text(table, "path", path);
    table_tell_text(table, "rule", rule);
    table_tell_text(table, "id", scatter_spot_id(e->arena, rule, from->spot));
    table_tell_int(table, "k", from->k);
    tell_meters(table, "x", trial->x);
    tell_meters(table, "z", trial->z);
    tell_meters(table, "distance", trial->distance);
    tell_text(table, "outcome", scatter_outcome_text(trial->outcome));
    table_tell_number(table, "size", "number", from->size);
    tell_meters(table, "spacing", from->spacing);
    tell_meters(table, "test", from->test);
    tell_meters(table, "room", from->room);
    tell_text(table, "condition", trial->condition);
    tell_sides(table, trial);
    tell_clash(table, trial);
    table_tell_int(table, "pastCap", trial->outcome == SCATTER_CAP ? trial->past_cap : RT_EMPTY);
    tell_text(table, "advice", trial->advice);
    tell_edit(table, &trial->edit);
}

/* -- all of them -- */

/* All conditions are taken apart before the first is asked. */
static bool prepare(Explain *e, const ScatterReport *report) {
    e->overlay = NULL;
    e->keeps.items = NULL;
    e->keeps.count = e->keeps.capacity = 0;
    for (int i = 0; i < report->trials.count; i++) {
        const ScatterTrial *trial = &report->trials.items[i];
        const ScatterRun *run = &report->runs.items[trial->run];
        if (trial->outcome == SCATTER_KEEP)
            keep_parts_get(e, run->rules[trial->rule - run->first_rule].keep);
    }
    return e->overlay == NULL || overlay_finish(e->overlay);
}

static WorldStatus explain_layout(World *world, Rt *rt, Str path, const ScatterReport *report,
                                  void *user) {
    Explain *e = user;
    if (!prepare(e, report)) return WORLD_ERROR_INTERNAL;
    for (int i = 0; i < report->trials.count && !rt_failed(rt); i++) {
        const ScatterTrial *trial = &report->trials.items[i];
        Trial out = begin_trial(e, trial);
        explain_trial(e, report, trial, &out);
        tell_trial(e, path, report->stats.items[trial->rule].rule, trial, &out);
    }
    return entry_fault(world, rt);
}

typedef struct ExplainCall {
    const char *path;
    double x, z, radius;
} ExplainCall;

static WorldStatus explain(World *world, Rt *rt, WorldTable *table, void *args) {
    const ExplainCall *call = args;
    Explain e = {.world = world,
                 .rt = rt,
                 .arena = rt->arena,
                 .table = table,
                 .x = call->x,
                 .z = call->z};
    LayoutVisit visit = {.path = str_of(call->path),
                         .rows = table,
                         .asks = true,
                         .x = call->x,
                         .z = call->z,
                         .radius = call->radius,
                         .each = explain_layout,
                         .user = &e};
    return layouts_visit(world, rt, &visit);
}

WorldStatus world_explain(World *world, const char *path, double x, double z, double radius,
                          WorldTable **table) {
    if (path == NULL || !isfinite(x) || !isfinite(z) || !(radius >= 0)) return WORLD_ERROR_ARGUMENT;
    ExplainCall call = {path, x, z, radius};
    return table_entry(world, explain, &call, table);
}
