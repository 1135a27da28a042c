/* The guard package's native part: faults that name a parameter. */
#include "stdlib/stdlib_externs.h"

int64_t guard_whole(Rt *rt, const RtText *what, int64_t value, int64_t least, int64_t most) {
    if (value >= least && value <= most) return value;
    rt_fault(rt, RT_FAULT_ARGUMENT, "%.*s: %lld, between %lld and %lld are possible",
             STR_ARG(what->text), (long long)value, (long long)least, (long long)most);
    return least;
}

double guard_within(Rt *rt, const RtText *what, double value, double least, double most) {
    if (value >= least && value <= most) return value;
    rt_fault(rt, RT_FAULT_ARGUMENT, "%.*s: %g, from %g to %g is possible", STR_ARG(what->text),
             value, least, most);
    return least;
}
