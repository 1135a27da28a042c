/* What a scatter did that its author would want to know: rules that place nothing, that met their
 * cap, or that draw the numbers of another. */
#include "compiler/engine/open/overlay.h"
#include "runtime/scatter/scatter.h"

static Span rule_span(const World *world, const ScatterRule *rule) {
    const TreeFn *fn = overlay_closure_fn(world, rule->place);
    return fn ? fn->span : (Span){0};
}

/* "of 40 spots, keep refuses 12, circle 28" */
static Str refusals(Arena *arena, const ScatterStats *stats) {
    if (stats->cap == 0) return STR_LIT("its cap is 0");
    if (stats->candidates == 0) return STR_LIT("it has no spots to try");
    StrBuf out = {.arena = arena};
    strbuf_printf(&out, "of %lld spots", (long long)stats->candidates);
    const char *verb = " refuses";
    for (int i = SCATTER_KEEP; i < SCATTER_OUTCOME_COUNT; i++) {
        if (stats->outcomes[i] == 0) continue;
        strbuf_printf(&out, ", %s%s %lld", scatter_outcome_text((ScatterOutcome)i), verb,
                      (long long)stats->outcomes[i]);
        verb = "";
    }
    return strbuf_take(&out);
}

static void warn_rule(World *world, const ScatterRule *rule, const ScatterStats *stats) {
    DiagList *diags = &world->report.diags;
    Arena *arena = &world->report.arena;
    if (stats->outcomes[SCATTER_PLACED] == 0) {
        Str why = refusals(arena, stats);
        diag_add(diags, DIAG_W_RULE_EMPTY, rule_span(world, rule), STR_ARG(stats->rule),
                 STR_ARG(why));
        return;
    }
    int64_t spots = stats->outcomes[SCATTER_CAP];
    if (spots == 0 && stats->groups_left == 0) return;
    Str left = spots ? str_printf(arena, "%lld spots", (long long)spots)
                     : str_printf(arena, "%lld groups of spots", (long long)stats->groups_left);
    diag_add(diags, DIAG_W_RULE_CAPPED, rule_span(world, rule), STR_ARG(stats->rule),
             (long long)stats->cap, STR_ARG(left));
}

/* An earlier rule whose stream is another object with the same numbers. */
static const ScatterRule *find_twin(const ScatterReport *report, int run, int index) {
    const RtStream *stream = report->runs.items[run].rules[index].stream;
    for (int r = 0; stream && r <= run; r++) {
        const ScatterRun *other = &report->runs.items[r];
        for (int i = 0; i < other->rule_count && (r < run || i < index); i++)
            if (other->rules[i].stream && other->rules[i].stream != stream &&
                other->rules[i].stream->start == stream->start)
                return &other->rules[i];
    }
    return NULL;
}

/* Seeds and salts that the text gives as numbers are compared by the checker. */
static bool is_told(const World *world) {
    const DiagList *diags = &world->compile->diags;
    for (int i = 0; i < diags->items.count; i++)
        if (diags->items.items[i]->id == DIAG_W_STREAM_TWICE) return true;
    return false;
}

void build_warn_of(World *world, const RtField *field, Str why) {
    diag_add(&world->report.diags, DIAG_W_LAYOUT,
             (Span){field->span[0], field->span[1], field->span[2]}, STR_ARG(why));
}

void build_warn(World *world, const ScatterReport *report) {
    for (int r = 0; r < report->runs.count; r++) {
        const ScatterRun *run = &report->runs.items[r];
        for (int i = 0; i < run->rule_count; i++) {
            const ScatterRule *rule = &run->rules[i], *twin = find_twin(report, r, i);
            warn_rule(world, rule, &report->stats.items[run->first_rule + i]);
            if (twin && !is_told(world))
                diag_add(&world->report.diags, DIAG_W_RULES_STREAM, rule_span(world, rule),
                         STR_ARG(twin->name), STR_ARG(rule->name));
        }
    }
}
