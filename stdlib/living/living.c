/* The living package's native part: what acts say is written down by the runtime. */
#include "runtime/rt/life.h"
#include "runtime/rt/trigger.h"
#include "stdlib/stdlib_externs.h"

void living_say(Rt *rt, const RtText *what) {
    rt_act_say(rt, what->text);
}

void living_remove(Rt *rt, RtPart *self) {
    rt_act_remove(rt, self);
}

bool living_exists(Rt *rt, RtPart *self) {
    return rt_part_exists(rt, self);
}

void living_doAfter(Rt *rt, RtPart *self, double delay, const RtClosure *then) {
    rt_act_after(rt, self, delay, then);
}

void living_removeAfter(Rt *rt, RtPart *self, double delay) {
    rt_act_remove_after(rt, self, delay);
}
