/* A world while it runs: ticks of one length, what fires in them, and the acts that are done when one ends.
 *
 *     tick:  the clock's fields are set
 *            triggers are read (hidden fields: worked out again only where what they read has changed)
 *            what was put off comes due, then handlers run in the order of the text, a handler's parts in the order
 *            in which they came to be; what they do is only written down:      Act, Act, Act ...
 *            everything that can fail is made ready: values, new parts, room    (a fault: all is as before the tick)
 *            all of it is put in place
 *
 * An act sees the world as the tick began. Slots of a field that two acts set to different values are a fault; what is
 * added to a field adds up, in the order of the acts. An act on a part that is gone does nothing.
 *
 * Spawned parts are broods: a part and all that is made in it, one piece of memory a part, given back once nothing that is
 * kept can name them any more (brood.c). Their numbers are never used again.
 */
#ifndef WORLD_RT_LIFE_H
#define WORLD_RT_LIFE_H

/* clang-format off */

#include "runtime/rt/part.h"

/* Families of what was spawned: this, and the design's index. */
enum { RT_SPAWNED = 1 << 28 };

typedef struct RtLife RtLife;

/* -- what acts say: of a part that is gone, or NULL, nothing -- */
RtPart *rt_act_spawn(Rt *rt, const RtClass *design, RtPart *under, const uint32_t span[3]);
/* `count` slots of a cell, from `slot` (in RtPart.slots) on. */
void rt_act_set(Rt *rt, RtPart *part, int32_t field, int32_t slot, int32_t count, const Slot *slots, bool add,
                const uint32_t span[3]);
void rt_act_remove(Rt *rt, RtPart *part);
void rt_act_remove_after(Rt *rt, RtPart *part, double seconds);
/* Of the part: it falls away with it. */
void rt_act_after(Rt *rt, RtPart *part, double seconds, const RtClosure *then);
void rt_act_say(Rt *rt, Str what);
/* A host may name the part from now on: it is never given back. */
void rt_part_hold(RtPart *part);
/* Whether it has not been removed. */
bool rt_part_exists(Rt *rt, RtPart *part);

/* -- running -- */
typedef struct RtLifeLimits {
    int64_t acts; /* of a tick */
} RtLifeLimits;
/* The world's life, begun if need be: `step` seconds a tick. NULL: no memory. */
RtLife *rt_life(RtWorld *world, double step, RtLifeLimits limits);
RtLife *rt_life_of(const RtWorld *world); /* NULL: it has not begun */
/* One tick, with the keys that were pressed. False: a fault, and everything is as it was before. */
bool rt_life_tick(Rt *rt, RtLife *life, const Str *keys, int key_count);
/* Whether anything of the world may be another since this was asked last. */
bool rt_life_stirred(RtLife *life);
int64_t rt_life_ticks(const RtLife *life);
double rt_life_step(const RtLife *life);
/* Sets the clock's `now` alone, for who looks between ticks. */
void rt_life_show(Rt *rt, RtWorld *world, double seconds);
/* Whether a value hangs on the clock, or is its own. */
bool rt_cell_is_timed(const RtPart *part, int32_t field);
/* Whether a value was set, by an act or a host. */
bool rt_cell_is_state(const RtPart *part, int32_t field);

/* -- what happened -- */
typedef enum RtEventKind { RT_EVENT_SAID, RT_EVENT_SPAWNED, RT_EVENT_REMOVED, RT_EVENT_FIRED } RtEventKind;
typedef struct RtEvent {
    RtEventKind kind;
    int64_t tick;
    Str path; /* of the part; empty for what is said */
    Str text; /* what is said, or the trigger's name */
} RtEvent;
/* The oldest, until the next call; false: there is none. Past ten thousand the oldest go unread. */
bool rt_life_event(RtLife *life, RtEvent *event);

/* -- what is kept: for who writes state down and reads it -- */
typedef struct RtListener { /* a handler of one part */
    RtPart *part;
    int64_t origin, fired; /* every: ticks since when it counts, and how often it has fired */
    double period;         /* it counts for; 0: none yet */
    int8_t held;           /* became: -1 not asked yet */
    /* what they are when the tick is good */
    int64_t next_origin, next_fired;
    double next_period;
    int8_t next_held;
} RtListener;
typedef struct RtLater { /* what was put off */
    int64_t due, order;
    RtPart *of;            /* that put it off, or is to be removed; what is gone has nothing put off */
    const RtClosure *then; /* NULL: it is to be removed */
    RtVersion *version;    /* by which `then` lives */
} RtLater;
int rt_life_handlers(const RtLife *life);                             /* in the order of the text */
RtListener *rt_life_listeners(RtLife *life, int handler, int *count);
int32_t rt_life_acts(const RtLife *life, int handler);                /* the function of its acts */
/* Readies the listeners for what stands now. */
bool rt_life_ready(Rt *rt, RtLife *life);
void rt_life_order(RtLife *life, int handler, const int *order);      /* listener order[i] becomes the i-th */
RtLater *rt_life_laters(RtLife *life, int *count);                    /* in no order */
bool rt_life_put_off(Rt *rt, RtLife *life, RtLater later);            /* the closure is copied */
void rt_life_set_clock(Rt *rt, RtLife *life, int64_t tick, int64_t order);
int64_t rt_life_orders(const RtLife *life);

typedef struct RtFamilyLive { /* what was spawned of a family, by rising number */
    int32_t family;
    int64_t next, given; /* the next number; the same after those of this tick */
    int32_t fresh;       /* how many those are */
    bool stood;          /* one did: only then is it kept */
    RtPart **parts;
    int32_t count, capacity;
} RtFamilyLive;
typedef struct RtPopulation { /* by rising family, so not by what came first */
    RtFamilyLive *families;
    int32_t count, capacity;
} RtPopulation;
/* The parts inside one that are there already. */
typedef void (*RtPartSeen)(void *user, RtPart *part);
void rt_part_each(RtPart *part, RtPartSeen seen, void *user);
int32_t rt_part_family_of(Rt *rt, RtPart *under, const RtClass *design);
/* Whether what holds it still has it: a path then leads from there to it. */
bool rt_part_in_place(const RtPart *part);
/* For state that is read: the part stands at once, under that number; NULL after a fault. It is gone if what it stands under is. */
RtPart *rt_part_stand(Rt *rt, RtPart *under, const RtClass *design, int64_t number);
/* A part that a loop made once, and makes no more. What the loop held is copied. */
RtPart *rt_part_made(Rt *rt, RtPart *under, const RtClass *site, const RtClass *cls, int32_t family, int64_t number, const RtText *id,
                     const Slot *captures);
void rt_part_go(Rt *rt, RtPart *part); /* it is gone at once, and out of place if it was spawned */
void rt_part_numbers(Rt *rt, RtPart *under, int32_t family, int64_t next);
/* Sets a cell to a copy of a value that can be kept, however deep. False: a fault. */
bool rt_cell_keep(Rt *rt, RtPart *part, int32_t field, const Slot *slots);

#endif
