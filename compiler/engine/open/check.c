/* A check asked, and reported. */
#include "compiler/engine/open/check.h"

enum { VALUE_SHOWN = 300, /* bytes */ PARTS_SHOWN = 4 };

/* Up to `mark`, or all; answers what is behind it. */
static Str until(Str text, const char *mark, Str *found) {
    *found = (Str){text.ptr, 0};
    while (found->len < text.len && text.ptr[found->len] != *mark)
        found->len++;
    size_t past = found->len < text.len ? found->len + 1 : text.len;
    return (Str){text.ptr + past, text.len - past};
}

static void put_value(StrBuf *out, Str value) {
    size_t shown = value.len;
    if (shown > VALUE_SHOWN) {
        shown = VALUE_SHOWN;
        while (((unsigned char)value.ptr[shown] & 0xc0) == 0x80) /* within a character */
            shown--;
    }
    strbuf_add(out, value.ptr, shown);
    if (shown < value.len) strbuf_printf(out, " ... (%zu bytes)", value.len);
}

/* Long values by their beginnings. */
static Str shown_why(Arena *arena, Str why) {
    StrBuf out = {.arena = arena};
    while (why.len) {
        Str words, value;
        why = until(why, WHY_VALUE_BEGIN, &words);
        strbuf_str(&out, words);
        why = until(why, WHY_VALUE_END, &value);
        put_value(&out, value);
    }
    return strbuf_take(&out);
}

/* One error, with the first parts that it failed in. */
static void report_failures(World *world, const TreeCheck *check, const CheckFailures *failures) {
    DiagList *diags = &world->report.diags;
    const CheckFailure *first = failures->items;
    if (failures->count == 0) return;
    Diag *diag = diag_add(diags, DIAG_E_CHECK_FAILED, check->span, STR_ARG(check->title));
    for (int i = 0; i < failures->count && i < PARTS_SHOWN; i++) {
        Str why = shown_why(&world->report.arena, first[i].why);
        if (first[i].path.len) diag_note(diags, diag, (Span){0}, "in '%.*s'", STR_ARG(first[i].path));
        if (why.len) diag_note(diags, diag, (Span){0}, "%.*s", STR_ARG(why));
    }
    if (failures->count > PARTS_SHOWN) diag_note(diags, diag, (Span){0}, "and in %d more", failures->count - PARTS_SHOWN);
    if (first->seeded) diag_note(diags, diag, (Span){0}, "with seed %lld", (long long)first->seed);
}

/* A check that nothing is asked of can not fail: a design's, of which the world has no copy. */
static void warn_unasked(World *world, const TreeCheck *check) {
    diag_add(&world->report.diags, DIAG_W_CHECK_UNASKED, check->span, STR_ARG(check->title), STR_ARG(check->cls->name));
}

typedef struct Asking {
    World *world;
    Rt *rt;
    const TreeCheck *check;
    CheckFailures *failures;
    int asked;
} Asking;

static Slot run_fn(const Asking *asking, const TreeFn *fn, RtPart *part) {
    Slot self = slot_r(part), answer = {0};
    const Slot *in[1] = {&self};
    Slot *out[1] = {&answer};
    program_run(asking->rt, asking->world->compile->lowering.ir_index.items[fn->index], 1, 1, in, out);
    return answer;
}

/* A fault on the way is none of the check's. */
static Str find_why(const Asking *asking, RtPart *part) {
    if (asking->check->why == NULL) return STR_LIT("");
    Slot answer = run_fn(asking, asking->check->why, part);
    bool good = !rt_failed(asking->rt) && answer.r;
    asking->rt->fault = (RtFault){0};
    return good ? ((const RtText *)answer.r)->text : STR_LIT("");
}

static bool ask_condition(Asking *asking, RtPart *part) {
    Rt *rt = asking->rt;
    asking->asked++;
    Slot answer = run_fn(asking, asking->check->condition, part);
    if (rt_failed(rt)) return false;
    if (answer.w == 0) {
        CheckFailure failure = {.path = report_path(rt->arena, part), .why = find_why(asking, part)};
        VEC_PUSH(rt->arena, asking->failures, failure);
    }
    return true;
}

/* A design's check is asked of each of its copies. */
static bool ask_part(void *user, const PartVisit *visit) {
    Asking *asking = user;
    const TreeClass *cls = visit->cls;
    while (cls && cls != asking->check->cls)
        cls = cls->base;
    return cls == NULL || ask_condition(asking, visit->part);
}

int check_ask(World *world, Rt *rt, const TreeCheck *check, CheckFailures *failures) {
    Asking asking = {world, rt, check, failures, 0};
    RtPart *root = rt_world_root(rt->world);
    if (check->cls->index == 0)
        ask_condition(&asking, root);
    else
        parts_walk(world, rt, root, ask_part, &asking);
    return asking.asked;
}

static int seed_field(World *world) {
    RtPart *root = rt_world_root(world->parts);
    int field = parts_field(parts_class(world, root), &world->compile->symbols, STR_LIT("seed"));
    return field >= 0 && root->cls->fields[field].slot_types[0] == 'W' ? field : -1;
}

static WorldStatus check_all(World *world, Rt *rt, void *args) {
    (void)args;
    const TreeProgram *program = world->compile->program;
    int failures = 0;
    Checks checks = {world, ARENA_ARRAY(rt->arena, Check, program->checks.count), program->checks.count,
                     seed_field(world)};
    for (int i = 0; i < checks.count && !rt_failed(rt); i++) {
        Check *check = &checks.items[i];
        const TreeCheck *tree = &program->checks.items[i];
        check->tree = tree;
        check->seeded = tree->seeds_lo && tree->seeds_hi && checks.seed >= 0;
        check->failed = INT64_MAX;
        if (!check->seeded) check->asked = check_ask(world, rt, tree, &check->failures);
    }
    if (!rt_failed(rt)) checks_run_seeds(&checks, rt);
    for (int i = 0; i < checks.count; i++) {
        const Check *check = &checks.items[i];
        failures += check->failures.count;
        report_failures(world, check->tree, &check->failures);
        if (check->asked == 0 && !rt_failed(rt)) warn_unasked(world, check->tree);
    }
    WorldStatus status = entry_fault(world, rt);
    return status == WORLD_OK && failures ? WORLD_ERROR_WORLD : status;
}

WorldStatus world_check(World *world) {
    return entry_change(world, check_all, NULL);
}
