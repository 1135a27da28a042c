/* Faults: the first is kept, by element, then by when it was met. Steps that loops take count here
 * too. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "runtime/rt/rt.h"

static const uint32_t nowhere[3];

void rt_fault_merge(Rt *rt, const RtFault *fault) {
    if (fault->code == RT_FAULT_NONE) return;
    if (rt_failed(rt) && rt->fault.element <= fault->element) return;
    rt->fault = *fault;
}

void rt_fault_at(Rt *rt, RtFaultCode code, const uint32_t span[3], int64_t element, Str detail) {
    int64_t place = rt->element_base + element;
    RtFault fault = {.code = (int32_t)code, .element = place, .index = place, .detail = detail};
    memcpy(fault.span, span, sizeof fault.span);
    rt_fault_merge(rt, &fault);
}

/* What is no number has no sign: which it has depends on who worked it out. */
static void drop_signs(char *text) {
    for (char *at = text; (at = strstr(at, "-nan")) != NULL;)
        memmove(at, at + 1, strlen(at));
}

void rt_fault(Rt *rt, RtFaultCode code, const char *format, ...) {
    if (rt_failed_by(rt, 0)) return;
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    drop_signs(text);
    rt_fault_at(rt, code, nowhere, 0, str_printf(rt->arena, "%s", text));
}

void rt_fault_place(Rt *rt, const uint32_t span[3]) {
    uint32_t authors = rt->host && rt->host->authors ? rt->host->authors : 1;
    if (rt_failed(rt) && rt->fault.span[0] < authors)
        memcpy(rt->fault.span, span, sizeof rt->fault.span);
}

void rt_fault_index(Rt *rt, const uint32_t span[3], int64_t element, int64_t index,
                    int64_t length) {
    rt_fault_values(rt, RT_FAULT_INDEX, span, element, "II", (Slot[]){slot_i(index), slot_i(length)}, 2);
}

void rt_fault_values(Rt *rt, RtFaultCode code, const uint32_t span[3], int64_t element,
                     const char *types, const Slot *values, int count) {
    StrBuf detail = {.arena = rt->arena};
    if (code == RT_FAULT_CELL) { /* of a grid: i, j, columns, rows */
        strbuf_printf(&detail, "(%" PRId64 ", %" PRId64 ") of %" PRId64 " x %" PRId64, values[0].i, values[1].i,
                      values[2].i, values[3].i);
        count = 0;
    } else if (code == RT_FAULT_INDEX && count == 2) { /* of a list: the place, and how many there are */
        strbuf_printf(&detail, "index %" PRId64 " of %" PRId64, values[0].i, values[1].i);
        count = 0;
    }
    for (int i = 0; i < count; i++) {
        if (i && types[i] != 'R' && types[i - 1] != 'R') strbuf_str(&detail, STR_LIT(", "));
        if (types[i] == 'R' && values[i].r)
            strbuf_str(&detail, ((const RtText *)values[i].r)->text);
        else if (types[i] == 'F')
            strbuf_double(&detail, values[i].f);
        else
            strbuf_printf(&detail, "%" PRId64, values[i].i);
    }
    rt_fault_at(rt, code, span, element, strbuf_take(&detail));
}

void rt_poll(Rt *rt) {
    const RtHost *host = rt->host;
    if (host && host->poll && host->poll(rt)) rt->stop = 1;
}

static void refill(Rt *rt) {
    rt_steps_set(rt, rt_steps_left(rt));
    rt_poll(rt);
}

bool rt_step_refused(Rt *rt, int64_t element) {
    if (rt_failed_by(rt, element)) return false;
    if (rt->stop == 0 && rt->fuel < 0 && rt->reserve > 0) refill(rt);
    if (rt->stop == 0 && rt->fuel >= 0) return true;
    if (rt->stop)
        rt_fault_at(rt, RT_FAULT_STOPPED, nowhere, element, STR_LIT(""));
    else
        rt_fault_at(rt, RT_FAULT_LIMIT, nowhere, element, STR_LIT("steps"));
    return false;
}

bool rt_steps_ensure(Rt *rt, int64_t steps) {
    if (rt->fuel >= steps) return true;
    rt_poll(rt);
    int64_t more = steps - rt->fuel;
    if (rt->stop || rt_failed(rt) || more > rt->reserve) return false;
    if (more < RT_INSTALLMENT) more = rt->reserve < RT_INSTALLMENT ? rt->reserve : RT_INSTALLMENT;
    rt->reserve -= more;
    rt->fuel += more;
    return true;
}

bool rt_loop_fits(Rt *rt, int64_t begin, int64_t end, int64_t lanes, int64_t element) {
    if (end <= begin) return true;
    uint64_t rounds = (uint64_t)end - (uint64_t)begin;
    if (rounds <= (uint64_t)(INT64_MAX / lanes) && (int64_t)rounds * lanes <= rt_steps_left(rt))
        return true;
    rt_fault_at(rt, RT_FAULT_LIMIT, nowhere, element, STR_LIT("steps"));
    return false;
}
