/* The containers' native part: a fault whose detail is a text. */
#include "stdlib/stdlib_externs.h"

int64_t containers_refuseKey(Rt *rt, const RtText *key) {
    rt_fault(rt, RT_FAULT_NO_KEY, "%.*s", STR_ARG(key->text));
    return 0;
}
