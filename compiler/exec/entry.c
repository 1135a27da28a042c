/* What machine code calls: thin forms of runtime functions with the element and span a fault is
 * given. Natives and cells record faults for lane 0 of the chunk, so the chunk's base is moved to
 * the element for as long as they run.
 */
#include "compiler/exec/entry.h"

#include "compiler/ir/eval.h"
#include "runtime/rt/life.h"

static int64_t enter(Rt *rt, int64_t element) {
    int64_t base = rt->element_base;
    rt->element_base = base + element;
    return base;
}

static void leave(Rt *rt, int64_t base, const uint32_t *span) {
    rt->element_base = base;
    rt_fault_place(rt, span);
}

void entry_fault(Rt *rt, int32_t code, const char *types, const Slot *values, int32_t count,
                        int64_t element, const uint32_t *span) {
    rt_fault_values(rt, (RtFaultCode)code, span, element, types, values, count);
}

/* Faults without details, in order: the lanes in which each failed, its code and the number of its
 * instruction. */
void entry_faults(Rt *rt, const Slot *failed, int32_t count, const int32_t *table,
                         const uint32_t *spans, int64_t element) {
    for (int32_t i = 0; i < count; i++) {
        if (failed[i].w == 0) continue;
        int64_t lane = __builtin_ctzll(failed[i].w);
        RtFaultCode code = (RtFaultCode)table[2 * i];
        rt_fault_at(rt, code, spans + 3 * table[2 * i + 1], element + lane, STR_LIT(""));
    }
}

/* rest.f of as many pairs, the second ones behind all first ones, in the place of the first. */
void entry_rest(Rt *rt, Slot *pairs, int32_t count) {
    (void)rt;
    for (int32_t i = 0; i < count; i++)
        pairs[i].f = eval_rest(pairs[i].f, pairs[count + i].f);
}

/* The lanes' doubles as ints, in their place; those of `wanted` that are none are faults. */
void entry_fault_whole(Rt *rt, Slot *lanes, int32_t count, int64_t wanted, int64_t element,
                              const uint32_t *span) {
    for (int32_t i = 0; i < count; i++) {
        double number = lanes[i].f;
        if (eval_float_to_int(number, &lanes[i].i) || !(wanted >> i & 1)) continue;
        rt_fault_at(rt, RT_FAULT_NOT_AN_INT, span, element + i, STR_LIT(""));
    }
}

void entry_fault_place(Rt *rt, const uint32_t *span) {
    rt_fault_place(rt, span);
}

void entry_fault_index(Rt *rt, int64_t index, int64_t length, int64_t element,
                              const uint32_t *span) {
    rt_fault_index(rt, span, element, index, length);
}

int32_t entry_step_refused(Rt *rt, int64_t element, const uint32_t *span) {
    bool goes_on = rt_step_refused(rt, element);
    if (!goes_on) rt_fault_place(rt, span);
    return goes_on;
}

int32_t entry_steps_ensure(Rt *rt, int64_t steps) {
    return rt_steps_ensure(rt, steps);
}

/* When something has failed, all go to the reserve: the next step asks, and is refused. */
int64_t entry_steps_back(Rt *rt, int64_t fuel) {
    if (!rt_failed(rt) || fuel < 0) return fuel;
    rt->reserve += fuel + 1;
    return -1;
}

int32_t entry_loop_fits(Rt *rt, int64_t begin, int64_t end, int64_t lanes, int64_t element,
                               const uint32_t *span) {
    bool fits = rt_loop_fits(rt, begin, end, lanes, element);
    if (!fits) rt_fault_place(rt, span);
    return fits;
}

static RtShape shape_of(int32_t width, int64_t refs) {
    return (RtShape){width, (uint64_t)refs};
}

RtList *entry_list_new(Rt *rt, int32_t width, int64_t refs, int64_t capacity,
                              int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtList *list = rt_list_room(rt, shape_of(width, refs), capacity);
    leave(rt, base, span);
    return list;
}

RtList *entry_list_append(Rt *rt, RtList *list, int32_t width, int64_t refs,
                                 const Slot *item, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    list = rt_list_append(rt, list, shape_of(width, refs), item);
    leave(rt, base, span);
    return list;
}

RtList *entry_list_fill(Rt *rt, int32_t width, int64_t refs, int64_t length,
                               const Slot *item, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtList *list = rt_list_fill(rt, shape_of(width, refs), length, item);
    leave(rt, base, span);
    return list;
}

/* Whether the index is an item's; else the fault. */
static bool is_inside(Rt *rt, const RtList *list, int64_t index, int64_t element,
                      const uint32_t *span) {
    int64_t length = rt_list_length(list);
    if (index >= 0 && index < length) return true;
    rt_fault_index(rt, span, element, index, length);
    return false;
}

RtList *entry_list_set(Rt *rt, RtList *list, int64_t index, int32_t first, int64_t count,
                              const Slot *slots, int64_t refs, int64_t element,
                              const uint32_t *span) {
    if (is_inside(rt, list, index, element, span))
        return rt_list_set(rt, list, index, first, (int)count, slots);
    for (int64_t i = 0; i < count && i < 64; i++)
        if (refs >> i & 1) rt_release(rt, slots[i].r);
    return list;
}

RtList *entry_list_take(Rt *rt, RtList *list, int64_t index, int32_t first, int64_t count,
                               Slot *objects, int64_t element, const uint32_t *span) {
    memset(objects, 0, sizeof *objects * (size_t)count);
    if (!is_inside(rt, list, index, element, span)) return list;
    return rt_list_take(rt, list, index, first, (int)count, objects);
}

RtList *entry_list_cut(Rt *rt, RtList *list, int64_t length, int64_t element,
                              const uint32_t *span) {
    if (length >= 0 && length <= rt_list_length(list)) return rt_list_cut(rt, list, length);
    rt_fault_index(rt, span, element, length, rt_list_length(list));
    return list;
}

void entry_retain(Rt *rt, const RtObject *object) {
    rt_retain(rt, object);
}

void entry_release(Rt *rt, const RtObject *object) {
    rt_release(rt, object);
}

void entry_freeze(const RtObject *object) {
    rt_freeze(object);
}

RtClosure *entry_closure(Rt *rt, int32_t func, int32_t captures, int64_t refs,
                                int32_t params, int32_t results, int32_t draws) {
    return rt_closure(rt, func, captures, refs, params, results, draws != 0);
}

void entry_call_closure(Rt *rt, const RtClosure *closure, RtStream *stream, const Slot *args,
                               Slot *results, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    rt_call(rt, closure, stream, args, results);
    leave(rt, base, span);
}

/* A native is not asked once this element or one before it has failed: what it would be given is what a fault left. Its
 * results are then none, as every failed native's may be. */
void entry_call_extern(Rt *rt, RtThunk thunk, const Slot *args, Slot *results, int64_t count,
                              int64_t element, const uint32_t *span) {
    if (rt_failed_by(rt, element)) {
        if (count) memset(results, 0, sizeof *results * (size_t)count);
        return;
    }
    int64_t base = enter(rt, element);
    thunk(rt, args, results);
    leave(rt, base, span);
}

RtPart *entry_part_root(Rt *rt) {
    return rt->world ? rt_world_root(rt->world) : NULL;
}

RtPart *entry_part_child(Rt *rt, RtPart *part, int32_t child, int64_t element,
                                const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtPart *result = rt_part_child(rt, part, child);
    leave(rt, base, span);
    return result;
}

RtPart *entry_part_member(Rt *rt, RtPart *part, int32_t family, int64_t number,
                                 const RtText *id, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtPart *result = rt_part_member(rt, part, family, number, id);
    leave(rt, base, span);
    return result;
}

RtList *entry_part_family(Rt *rt, RtPart *part, int32_t family, int64_t element,
                                 const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtList *result = rt_part_family(rt, part, family);
    leave(rt, base, span);
    return result;
}

void entry_part_make(Rt *rt, RtPart *parent, int32_t site, int32_t family, int64_t number,
                            const RtText *id, const RtClass *design, int32_t count,
                            const Slot *captures, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    rt_part_make(rt, parent, site, family, number, id, design, count, captures, span);
    leave(rt, base, span);
}

RtPart *entry_act_spawn(Rt *rt, const RtClass *design, RtPart *under, int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    RtPart *result = rt_act_spawn(rt, design, under, span);
    leave(rt, base, span);
    return result;
}

void entry_act_set(Rt *rt, RtPart *part, int32_t field, int32_t slot, int32_t count, const Slot *slots, int32_t add,
                          int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    rt_act_set(rt, part, field, slot, count, slots, add, span);
    leave(rt, base, span);
}

/* The slots from `slot` (counted in the part) on, which are the field's or the last of them. */
const Slot *entry_cell_read(Rt *rt, RtPart *part, int32_t field, int32_t slot,
                                   int64_t element, const uint32_t *span) {
    int64_t base = enter(rt, element);
    const Slot *slots = rt_cell_read(rt, part, field);
    leave(rt, base, span);
    return part ? slots + (slot - part->cls->fields[field].slot) : slots;
}

/* Chosen by its type, so that a function of another has no choice. */
const JitEntry entry_table[JIT_ENTRY_COUNT] = {
#define A(type) , type
#define ENTRY(name, result, first, others)                                                         \
    _Generic(&name, result(*)(first others) : (JitEntry)name),
#include "compiler/llvm/entry.def"
#undef ENTRY
#undef A
};
