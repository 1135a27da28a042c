/* The acts of a tick put in place: first everything that can fail, then what cannot. */
#include <math.h>

#include "runtime/rt/life_inside.h"

/* -- fields -- */

static Pending *pending_of(Rt *rt, RtLife *life, const Act *act) {
    RtCell *cell = &act->part->cells[act->field];
    if (cell->pending) return &life->pending.items[cell->pending - 1];
    const RtField *info = &act->part->cls->fields[act->field];
    const Slot *now = rt_cell_get(rt, act->part, act->field);
    if (rt_failed(rt)) return NULL;
    VEC_ROOM(&life->arena, &life->pending, 1);
    Pending pending = {.cell = cell, .act = act};
    pending.slots = ARENA_ARRAY(&life->tick_arena, Slot, info->slot_count);
    pending.how = ARENA_ARRAY(&life->tick_arena, char, info->slot_count + 1);
    if (info->slot_count) memcpy(pending.slots, now, sizeof *now * (size_t)info->slot_count);
    VEC_PUSH(&life->arena, &life->pending, pending);
    cell->pending = life->pending.count;
    return &life->pending.items[life->pending.count - 1];
}

static void fault_field(Rt *rt, RtFaultCode code, const Act *act) {
    StrBuf path = {.arena = rt->arena};
    rt_part_path(&path, act->part);
    if (path.len) strbuf_char(&path, '.');
    strbuf_str(&path, act->part->cls->fields[act->field].name);
    rt_fault_at(rt, code, act->span, 0, strbuf_take(&path));
}

static bool set_slot(char type, char *how, Slot *slot, Slot value) {
    bool good = *how == 0 || (*how == '=' && value_equal(&type, slot, &value, 1));
    *how = '=';
    *slot = value;
    return good;
}

static void change(Rt *rt, RtLife *life, const Act *act) {
    Pending *pending = pending_of(rt, life, act);
    if (pending == NULL) return;
    const RtField *info = &act->part->cls->fields[act->field];
    int at = act->slot - info->slot;
    for (int i = 0; i < act->count; i++, at++) {
        Slot value = life->values.items[act->first + i], *slot = &pending->slots[at];
        char type = info->slot_types[at], *how = &pending->how[at];
        if (act->kind == ACT_SET) {
            if (!set_slot(type, how, slot, value)) fault_field(rt, RT_FAULT_TWO_ACTS, act);
            continue;
        }
        if (*how == '=') fault_field(rt, RT_FAULT_TWO_ACTS, act);
        *how = '+';
        if (type == 'F')
            slot->f += value.f;
        else if (__builtin_add_overflow(slot->i, value.i, &slot->i))
            fault_field(rt, RT_FAULT_INT_OVERFLOW, act);
    }
}

static void check(Rt *rt, const Pending *pending) {
    const RtPart *part = pending->cell->part;
    const RtField *info = &part->cls->fields[pending->cell->field];
    int64_t thing;
    if (cell_holds_nan(info, pending->slots, &thing)) {
        fault_field(rt, RT_FAULT_NAN, pending->act);
        return;
    }
    if (rt_cell_takes(rt, (RtPart *)(uintptr_t)part, pending->cell->field, pending->slots)) return;
    memcpy(rt->fault.span, pending->act->span, sizeof rt->fault.span);
}

/* A value that is what it was is no change. */
static void ready_fields(Rt *rt, RtLife *life) {
    for (int i = 0; i < life->acts.count && !rt_failed(rt); i++) {
        const Act *act = &life->acts.items[i];
        if ((act->kind == ACT_SET || act->kind == ACT_ADD) && act->count) change(rt, life, act);
    }
    for (int i = 0; i < life->pending.count && !rt_failed(rt); i++) {
        Pending *pending = &life->pending.items[i];
        const RtPart *part = pending->cell->part;
        const RtField *info = &part->cls->fields[pending->cell->field];
        check(rt, pending);
        if (rt_failed(rt)) return;
        bool same = pending->cell->current && rt_cell_is_state(part, pending->cell->field) &&
                    value_equal(info->slot_types, part->slots + info->slot, pending->slots, info->slot_count);
        if (!same) pending->version = cell_copy_value(rt, info, pending->slots);
    }
}

bool rt_cell_keep(Rt *rt, RtPart *part, int32_t field, const Slot *slots) {
    static const uint32_t nowhere[3];
    const RtField *info = &part->cls->fields[field];
    int64_t thing;
    if (cell_holds_nan(info, slots, &thing)) {
        rt_fault_at(rt, RT_FAULT_NAN, nowhere, 0, info->name);
        return false;
    }
    if (!rt_cell_takes(rt, part, field, slots)) return false;
    Slot copy[RT_FIELD_SLOTS];
    if (info->slot_count) memcpy(copy, slots, sizeof *slots * (size_t)info->slot_count);
    RtVersion *version = cell_copy_value(rt, info, copy);
    cell_put(rt->world, &part->cells[field], copy, version);
    return true;
}

/* -- the rest -- */

static RtClosure *copy_closure(Rt *rt, const RtClosure *from) {
    RtClosure *copy = rt_closure(rt, from->func, from->capture_count, from->refs, from->param_count, from->result_count, from->draws);
    for (int i = 0; i < from->capture_count; i++) {
        bool held = i < 64 && (from->refs >> i & 1);
        copy->captures[i] = held ? value_copy(rt, 'R', from->captures[i]) : from->captures[i];
    }
    rt_freeze(copy);
    return copy;
}

RtVersion *life_hold(Rt *rt, const RtClosure **closure) {
    Arena *arena = rt->arena;
    Recover recover;
    RtVersion *volatile version = version_create(rt->world);
    if (!MEMORY_TRY(&recover)) {
        rt->arena = arena;
        version_release(rt->world, version);
        memory_fail();
    }
    version->state = true;
    rt->arena = &version->arena;
    *closure = copy_closure(rt, *closure);
    rt->arena = arena;
    memory_end_try(&recover);
    return version;
}

static void ready_rest(Rt *rt, RtLife *life) {
    int laters = 0;
    for (int i = 0; i < life->acts.count && !rt_failed(rt); i++) {
        Act *act = &life->acts.items[i];
        if (act->kind == ACT_SPAWN) {
            brood_room(act->part);
            life_listen(rt, life, act->part, true);
            life_event(life, RT_EVENT_SPAWNED, act->part, STR_LIT(""));
        }
        if (act->kind == ACT_REMOVE) {
            act->event = life->fresh.count;
            life_event(life, RT_EVENT_REMOVED, act->part, STR_LIT(""));
        }
        if (act->kind == ACT_SAY) life_event(life, RT_EVENT_SAID, NULL, act->text);
        if (act->kind != ACT_LATER) continue;
        if (act->later.then) act->later.version = life_hold(rt, &act->later.then);
        laters++;
    }
    VEC_ROOM(&life->arena, &life->laters, laters);
}

/* Room in the tables for those that come to be. */
static void ready_listeners(RtLife *life) {
    for (int h = 0; h < life->handler_count; h++) {
        Handler *handler = &life->handlers[h];
        VEC_ROOM(&life->arena, &handler->listeners, handler->fresh.count);
    }
}

static void put_fields(RtLife *life) {
    for (int i = 0; i < life->pending.count; i++) {
        Pending *pending = &life->pending.items[i];
        pending->cell->pending = 0;
        if (pending->version) cell_put(life->world, pending->cell, pending->slots, pending->version);
        pending->version = NULL;
    }
}

static void put_rest(Rt *rt, RtLife *life) {
    bool went = false;
    for (int i = 0; i < life->acts.count; i++) {
        Act *act = &life->acts.items[i];
        if (act->kind == ACT_SPAWN) {
            brood_stand(life, act->part->brood);
            if (act->part->parent->gone) went |= part_go(life, act->part);
        }
        if (act->kind == ACT_REMOVE) {
            bool goes = part_go(life, act->part);
            if (!goes) life_event_drop(life, act->event); /* it was gone already, by another act */
            went |= goes;
        }
        if (act->kind != ACT_LATER) continue;
        act->later.order = life->order++;
        rt_life_put_off(rt, life, act->later);
        act->later.version = NULL;
    }
    for (int h = 0; h < life->handler_count; h++) {
        Handler *handler = &life->handlers[h];
        for (int i = 0; i < handler->fresh.count; i++)
            handler->listeners.items[handler->listeners.count++] = handler->fresh.items[i];
        handler->fresh.count = 0;
    }
    if (went) life_drop_gone(life);
}

bool life_commit(Rt *rt, RtLife *life) {
    ready_fields(rt, life);
    if (!rt_failed(rt)) ready_rest(rt, life);
    if (rt_failed(rt)) return false;
    ready_listeners(life);
    life->stirred |= life->acts.count > 0;
    life_keep_members(life);
    life_keep_triggers(life);
    put_fields(life);
    put_rest(rt, life);
    life_tell(life);
    life->acts.count = life->spawned.count = life->pending.count = life->values.count = 0;
    return true;
}
