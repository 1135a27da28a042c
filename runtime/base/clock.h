/* Time that only goes forward, for measuring and for limits; nothing a world answers depends on it. */
#ifndef WORLD_BASE_CLOCK_H
#define WORLD_BASE_CLOCK_H

#include <time.h>

static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static inline double clock_ms(void) {
    return clock_seconds() * 1e3;
}

#endif
