/* Watches: what works long under a public entry is asked, now and then, whether it is to end.
 *
 * An entry arms a watch on its thread; whatever runs below says how much it does (`watch_work`), and when the watch wants
 * the end, work leaves through memory_fail to the recovery point that was armed last. Who handles that tells the two
 * apart by `ended`, which stays: what was caught on the way and went on with less ends at its next step.
 *
 *     entry: watch_begin ── arena blocks, loops: watch_work ── ends? ── memory_fail ──> recovery points ──> entry
 *
 * Arenas say it of every block they take, so only loops that allocate nothing say it themselves. Code of a world counts
 * steps of its own (rt_step), which end with a fault that has a place; a watch is what is left for the rest.
 *
 * Threads: a watch belongs to the thread that armed it; others, without one, do not look.
 */
#ifndef WORLD_BASE_WATCH_H
#define WORLD_BASE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Watch {
    bool (*ends)(void *user); /* true: end now */
    void *user;
    double until; /* by clock_seconds, when a time limit is over; 0: there is none */
    bool ended;
    int64_t left; /* work until `ends` is asked */
    struct Watch *outer;
} Watch;

void watch_begin(Watch *watch);
void watch_end(const Watch *watch);
/* So much work was done, in steps of some nanoseconds. */
void watch_work(int64_t steps);
/* The same for code that must not be left in the middle: true when it is to end. */
bool watch_due(int64_t steps);
/* Whether the innermost watch has ended. */
bool watch_ended(void);
/* Seconds until its time limit is over; infinite when there is none: for what cannot be stopped once it has begun. */
double watch_seconds(void);

#endif
