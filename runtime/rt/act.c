/* What acts say, written down until the tick ends. */
#include "runtime/rt/life_inside.h"

static RtLife *acting(Rt *rt) {
    RtLife *life = rt->world ? rt->world->life : NULL;
    if (life && life->acting) return life;
    rt_fault(rt, RT_FAULT_ARGUMENT, "nothing may act here");
    return NULL;
}

static Act *add_act(Rt *rt, RtLife *life, ActKind kind, RtPart *part) {
    if (life->acts.count >= life->limits.acts) {
        rt_fault(rt, RT_FAULT_LIMIT, "acts of one tick; at most %lld", (long long)life->limits.acts);
        return NULL;
    }
    Act act = {.kind = kind, .part = part};
    VEC_PUSH(&life->arena, &life->acts, act);
    return &life->acts.items[life->acts.count - 1];
}

/* A part that was gone when the state was written down is none in the state that was read. */
static bool is_gone(const RtPart *part) {
    return part == NULL || part->gone;
}

/* -- setting -- */

/* Of a part that stands nowhere yet: at once, for nobody else sees it. */
static void set_now(Rt *rt, RtPart *part, int32_t field, int32_t slot, int32_t count, const Slot *slots, bool add,
                    const uint32_t span[3]) {
    const RtField *info = &part->cls->fields[field];
    Slot all[RT_FIELD_SLOTS];
    memset(all, 0, sizeof *all * (size_t)info->slot_count);
    int at = slot - info->slot;
    if (add || count < info->slot_count) memcpy(all, rt_cell_get(rt, part, field), sizeof *all * (size_t)info->slot_count);
    for (int i = 0; i < count; i++) {
        Slot *to = &all[at + i];
        if (!add)
            *to = slots[i];
        else if (info->slot_types[at + i] == 'F')
            to->f += slots[i].f;
        else if (__builtin_add_overflow(to->i, slots[i].i, &to->i))
            rt_fault_at(rt, RT_FAULT_INT_OVERFLOW, span, 0, info->name);
    }
    if (!rt_failed_by(rt, 0) && !rt_cell_keep(rt, part, field, all)) memcpy(rt->fault.span, span, sizeof rt->fault.span);
}

void rt_act_set(Rt *rt, RtPart *part, int32_t field, int32_t slot, int32_t count, const Slot *slots, bool add,
                const uint32_t span[3]) {
    RtLife *life = rt_failed_by(rt, 0) ? NULL : acting(rt);
    if (life == NULL || is_gone(part)) return;
    if (part->brood && part->brood->pending) {
        set_now(rt, part, field, slot, count, slots, add, span);
        return;
    }
    Act *act = add_act(rt, life, add ? ACT_ADD : ACT_SET, part);
    if (act == NULL) return;
    act->field = field;
    act->slot = slot;
    act->count = count;
    act->first = life->values.count;
    memcpy(act->span, span, sizeof act->span);
    const char *types = part->cls->fields[field].slot_types + (slot - part->cls->fields[field].slot);
    for (int i = 0; i < count; i++) {
        if (types[i] == 'R') rt_retain(rt, slots[i].r); /* until the tick's arena goes */
        VEC_PUSH(&life->arena, &life->values, slots[i]);
    }
}

/* -- parts -- */

RtPart *rt_act_spawn(Rt *rt, const RtClass *design, RtPart *under, const uint32_t span[3]) {
    RtLife *life = rt_failed_by(rt, 0) ? NULL : acting(rt);
    if (life == NULL || is_gone(under)) return NULL;
    Act *act = add_act(rt, life, ACT_SPAWN, NULL);
    if (act == NULL) return NULL;
    memcpy(act->span, span, sizeof act->span);
    int at = life->acts.count - 1;
    RtPart *part = brood_create(rt, life, design, under, span);
    life->acts.items[at].part = part;
    return part;
}

void rt_act_remove(Rt *rt, RtPart *part) {
    RtLife *life = acting(rt);
    if (life == NULL || is_gone(part)) return;
    if (part->parent)
        add_act(rt, life, ACT_REMOVE, part);
    else
        rt_fault(rt, RT_FAULT_ARGUMENT, "the world itself cannot be removed, only what stands in it");
}

/* -- what is put off -- */

static Act *put_off(Rt *rt, RtPart *part, double seconds) {
    RtLife *life = acting(rt);
    if (life == NULL || is_gone(part)) return NULL;
    if (!(seconds >= 0) || seconds / life->step > 9e15) {
        rt_fault(rt, RT_FAULT_ARGUMENT, "a duration of %g s", seconds);
        return NULL;
    }
    Act *act = add_act(rt, life, ACT_LATER, NULL);
    double ticks = seconds / life->step;
    int64_t whole = (int64_t)ticks;
    if (ticks - (double)whole > 1e-6) whole++;
    if (act) act->later = (RtLater){.of = part, .due = life->tick + (whole > 0 ? whole : 1)};
    return act;
}

void rt_act_remove_after(Rt *rt, RtPart *part, double seconds) {
    put_off(rt, part, seconds);
}

void rt_act_after(Rt *rt, RtPart *part, double seconds, const RtClosure *then) {
    Act *act = put_off(rt, part, seconds);
    if (act == NULL) return;
    rt_retain(rt, then);
    act->later.then = then;
}

void rt_act_say(Rt *rt, Str what) {
    RtLife *life = acting(rt);
    Act *act = life ? add_act(rt, life, ACT_SAY, NULL) : NULL;
    if (act) act->text = (Str){arena_strndup(&life->tick_arena, what.ptr, what.len), what.len};
}

/* The parts that were to be stand nowhere, and their numbers are free again. */
void life_forget_acts(Rt *rt, RtLife *life) {
    (void)rt;
    for (int i = 0; i < life->pending.count; i++) {
        version_release(life->world, life->pending.items[i].version);
        life->pending.items[i].cell->pending = 0;
    }
    for (int i = 0; i < life->acts.count; i++)
        version_release(life->world, life->acts.items[i].later.version);
    int kept = 0;
    for (int i = 0; i < life->holders.count; i++)
        if (!life->holders.items[i]->brood || !life->holders.items[i]->brood->pending) life->holders.items[kept++] = life->holders.items[i];
    life->holders.count = kept;
    for (int i = life->spawned.count - 1; i >= 0; i--)
        brood_forget(life->world, life->spawned.items[i]);
    for (int i = 0; i < life->handler_count; i++)
        life->handlers[i].fresh.count = 0;
    life->acts.count = life->values.count = life->pending.count = life->spawned.count = 0;
    life_untell(life);
}
