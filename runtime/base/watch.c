#include "runtime/base/watch.h"

#include <math.h>
#include <stddef.h>

#include "runtime/base/clock.h"
#include "runtime/base/memory.h"

enum { WORK = 1 << 16 }; /* between two looks */

static Watch **watch_slot(void) {
    static _Thread_local Watch *innermost;
    return &innermost;
}

void watch_begin(Watch *watch) {
    watch->ended = false;
    watch->left = 0;
    watch->outer = *watch_slot();
    *watch_slot() = watch;
}

void watch_end(const Watch *watch) {
    *watch_slot() = watch->outer;
}

bool watch_due(int64_t steps) {
    Watch *watch = *watch_slot();
    if (watch == NULL) return false;
    watch->left -= steps;
    if (watch->left >= 0) return false;
    watch->ended = watch->ended || watch->ends(watch->user);
    watch->left = watch->ended ? -1 : WORK;
    return watch->ended;
}

void watch_work(int64_t steps) {
    if (watch_due(steps)) memory_fail();
}

bool watch_ended(void) {
    const Watch *watch = *watch_slot();
    return watch && watch->ended;
}

double watch_seconds(void) {
    const Watch *watch = *watch_slot();
    return watch && watch->until > 0 ? watch->until - clock_seconds() : INFINITY;
}
