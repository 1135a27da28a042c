#include "runtime/scatter/ahead.h"

#include <math.h>

void ahead_init(Ahead *ahead, Arena *arena) {
    enum { ANSWERS = 10 };
    Slot *free = arena_alloc_raw(arena, sizeof(Slot) * AHEAD_STRIDE * (ASK_SLOTS + ANSWERS));
    Slot **answers[ANSWERS] = {&ahead->pass,    &ahead->height,     &ahead->size[0], &ahead->size[1], &ahead->spacing[0],
                               &ahead->spacing[1], &ahead->test[0], &ahead->test[1], &ahead->room[0], &ahead->room[1]};
    for (int i = ASK_K; i < ASK_SLOTS; i++, free += AHEAD_STRIDE)
        ahead->columns[i] = free;
    for (int i = 0; i < 3; i++) /* the place is a spot's: it is written once */
        ahead->columns[ASK_X + i] = ahead->columns[ASK_SPOT + SPOT_X + i];
    for (int i = 0; i < ANSWERS; i++, free += AHEAD_STRIDE)
        *answers[i] = free;
}

void ahead_put(const Ahead *ahead, int64_t at, const Slot *spot, int64_t k) {
    ahead->columns[ASK_K][at] = slot_i(k);
    for (int i = 0; i < SPOT_SLOTS; i++)
        ahead->columns[ASK_SPOT + i][at] = spot[i];
}

bool ahead_ask(const Ahead *ahead, Rt *rt, const RtClosure *closure, int64_t n, Slot *const *out) {
    if (closure == NULL) return true;
    int64_t steps = rt_steps_left(rt);
    rt_call_batch(rt, closure, n, (const Slot *const *)ahead->columns, out);
    if (!rt_failed(rt)) return true;
    if (rt->stop) return false;
    rt->fault = (RtFault){0};
    rt_steps_set(rt, steps);
    return false;
}

void ahead_give_size(Slot *ask, double size) {
    ask[ASK_SIZE] = slot_f(isnan(size) ? 1 : size);
}

void ahead_give_spacing(Slot *ask, double spacing) {
    ask[ASK_SPACING] = slot_f(isnan(spacing) ? 0 : spacing);
}

static double number_at(const RtClosure *closure, Slot *const *answers, int64_t at) {
    return closure && answers[0][at].w ? answers[1][at].f : NAN;
}

bool ahead_take(const Ahead *ahead, const ScatterRule *rule, int64_t at, Numbers *numbers) {
    *numbers = (Numbers){number_at(rule->size, ahead->size, at), number_at(rule->spacing, ahead->spacing, at),
                         number_at(rule->test, ahead->test, at), number_at(rule->room, ahead->room, at)};
    return !((isnan(numbers->size) && rule->size && ahead->size[0][at].w) ||
             (isnan(numbers->spacing) && rule->spacing && ahead->spacing[0][at].w) ||
             (isnan(numbers->test) && rule->test && ahead->test[0][at].w) ||
             (isnan(numbers->room) && rule->room && ahead->room[0][at].w));
}

bool ahead_numbers(const Ahead *a, Rt *rt, const ScatterRule *rule, int64_t n) {
    if (!ahead_ask(a, rt, rule->size, n, a->size)) return false;
    for (int64_t i = 0; i < n; i++)
        a->columns[ASK_SIZE][i] = slot_f(rule->size && a->size[0][i].w ? a->size[1][i].f : 1);
    if (!ahead_ask(a, rt, rule->spacing, n, a->spacing)) return false;
    for (int64_t i = 0; i < n; i++)
        a->columns[ASK_SPACING][i] = slot_f(rule->spacing && a->spacing[0][i].w ? a->spacing[1][i].f : 0);
    return ahead_ask(a, rt, rule->test, n, a->test) && ahead_ask(a, rt, rule->room, n, a->room);
}
