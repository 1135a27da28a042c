/* world_answers: what a land's functions of a point say of one place. */
#include <math.h>

#include "compiler/engine/why/why.h"

#include "stdlib/library_names.h"

typedef struct Answers {
    World *world;
    Rt *rt;
    WorldTable *table;
    double x, z;
} Answers;

static bool asks_point(const TreeFn *fn) {
    return fn->kind == AST_FN_PLAIN && fn->body && !fn->draws && fn->param_count == 1 &&
           fn->locals.items[fn->capture_count].type->kind == TYPE_POINT &&
           fn->result->kind != TYPE_UNIT;
}

/* A copy's land answers with its design's functions; what it declares itself comes first. */
static const TreeFn *find_height(const TreeClass *cls) {
    for (; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++)
            if (asks_point(cls->methods.items[i]) &&
                str_equal(str_last_name(cls->methods.items[i]->name), STR_LIT(STD_core_land_height)))
                return cls->methods.items[i];
    return NULL;
}

static bool is_known(const Answers *a, Str name) {
    int column = world_table_find(a->table, "text");
    for (size_t i = 0; i < world_table_rows(a->table); i++)
        if (str_equal(str_of(world_table_text(a->table, i, column)), name)) return true;
    return false;
}

static void add_answer(Answers *a, const PartVisit *visit, const TreeFn *fn) {
    Slot args[4] = {slot_r(visit->part), slot_f(a->x), slot_f(0), slot_f(a->z)};
    const Slot *in[4] = {&args[0], &args[1], &args[2], &args[3]};
    int count = fn->result->slot_count;
    Slot *slots = ARENA_ARRAY(a->rt->arena, Slot, count + 1);
    Slot **out = ARENA_ARRAY(a->rt->arena, Slot *, count + 1);
    for (int i = 0; i < count; i++)
        out[i] = &slots[i];
    program_run(a->rt, a->world->compile->lowering.ir_index.items[fn->index], 1, 0xf, in, out);
    if (rt_failed(a->rt)) return;
    StrBuf value = {.arena = a->rt->arena};
    value_print(&(ValuePrinter){a->world, &value}, fn->result, slots);
    table_begin_row(a->table);
    table_tell_text(a->table, "text", str_last_name(fn->name));
    table_tell_text(a->table, "value", strbuf_take(&value));
    table_tell_number(a->table, "number", "number",
                      fn->result->kind == TYPE_NUMBER ? slots[0].f : NAN);
}

/* The first part with a height answers; then the walk ends. */
static bool ask_land(void *user, const PartVisit *visit) {
    Answers *a = user;
    if (find_height(visit->cls) == NULL) return true;
    for (const TreeClass *cls = visit->cls; cls; cls = cls->base)
        for (int i = 0; i < cls->methods.count; i++) {
            const TreeFn *fn = cls->methods.items[i];
            if (!asks_point(fn) || is_known(a, str_last_name(fn->name))) continue;
            add_answer(a, visit, fn);
            if (rt_failed(a->rt)) return false;
        }
    return false;
}

static WorldStatus ask_place(World *world, Rt *rt, WorldTable *table, void *args) {
    const double *place = args;
    Answers answers = {world, rt, table, place[0], place[1]};
    parts_walk(world, rt, rt_world_root(world->parts), ask_land, &answers);
    return entry_fault(world, rt);
}

WorldStatus world_answers(World *world, double x, double z, WorldTable **table) {
    double place[2] = {x, z};
    if (!isfinite(x) || !isfinite(z)) return WORLD_ERROR_ARGUMENT;
    return table_entry(world, ask_place, place, table);
}
