/* A world's life, from inside: what act.c, brood.c, life.c and commit.c share. See life.h. */
#ifndef WORLD_RT_LIFE_INSIDE_H
#define WORLD_RT_LIFE_INSIDE_H

#include "runtime/rt/cell.h"
#include "runtime/rt/life.h"

enum { EVENTS_KEPT = 10000 };

typedef enum ActKind { ACT_SET, ACT_ADD, ACT_SPAWN, ACT_REMOVE, ACT_LATER, ACT_SAY } ActKind;

typedef struct Act {
    ActKind kind;
    RtPart *part; /* NULL: of none */
    int32_t field, slot, count;
    int32_t first; /* of its values */
    int event;     /* of a removal: its number in RtLife.fresh */
    RtLater later;
    Str text;
    uint32_t span[3];
} Act;

typedef struct Handler {
    int32_t field, acts;
    uint32_t span[3];
    VEC(RtListener) listeners;
    VEC(RtListener) fresh; /* of parts that come to be when the tick ends */
    RtListener *before;    /* as the tick began, in its arena, when they were found anew since */
    int before_count;
    int first_due, due;    /* of this tick, among Life.due */
} Handler;

typedef struct Pending { /* a field that acts of this tick set */
    RtCell *cell;
    Slot *slots;
    char *how; /* by slot: 0, '=' or '+' */
    RtVersion *version;
    const Act *act;
} Pending;

struct RtLife {
    RtWorld *world;
    Arena arena; /* of what stays; the life lies in it */
    Arena tick_arena;
    double step;
    int64_t tick, order; /* order: how much was put off so far */
    RtLifeLimits limits;
    int32_t now, dt, ticks; /* the clock's fields, of the root; -1: there is none */
    Handler *handlers;
    int handler_count;
    int32_t **table_of; /* by class: the number of each of its handlers */
    bool *lives;        /* by class: whether handlers stand in it, or in what it holds */
    uint32_t walk;
    bool walked;        /* the listeners are known */
    uint64_t walked_at; /* by the world's clock: a loop may have run since, for who asked */
    VEC(RtPart *) holders; /* whose families may come to be others */
    bool undoable;         /* nothing of the tick is in place yet */
    bool found;            /* who listens was found anew in it */
    VEC(RtMembers) replaced; /* by loops that ran in it, and the parts that went with them */
    VEC(RtPart *) went;
    bool ticking;          /* a tick is under way: what is there came to be before it */
    bool stirred;          /* something was done, or reads the clock */
    bool acting;           /* acts are heard */
    VEC(Act) acts;
    VEC(Slot) values;
    VEC(Pending) pending;
    VEC(RtBrood *) spawned; /* of this tick */
    VEC(Slot) due;          /* parts whose handlers are due */
    VEC(RtLater) laters, came; /* a heap by when they are due; of this tick */
    VEC(RtEvent) fresh;
    RtEvent *events; /* a ring */
    int event_first, event_count;
    RtEvent shown;
};

/* act.c */
void life_forget_acts(Rt *rt, RtLife *life);

/* brood.c */
/* A part that stands nowhere yet, with its number and name. NULL after a fault. */
RtPart *brood_create(Rt *rt, RtLife *life, const RtClass *design, RtPart *under, const uint32_t span[3]);
/* Room for what was created, so that standing needs none. */
void brood_room(RtPart *part);
void brood_stand(RtLife *life, RtBrood *brood);
void brood_forget(RtWorld *world, RtBrood *brood);
/* The part and all that it holds is gone. Answers whether it was not already. */
bool part_go(RtLife *life, RtPart *part);
/* It is not gone after all. */
void part_back(RtWorld *world, RtPart *part);
/* Gives back what nothing names any more, when there is enough of it. */
void brood_sweep(RtWorld *world);

/* life.c: listeners of a part and of all that is made in it, as they are when the tick ends. False after a fault. */
bool life_listen(Rt *rt, RtLife *life, RtPart *part, bool fresh);
/* Nothing that is gone listens, or has anything put off. */
void life_drop_gone(RtLife *life);
/* Events of a good tick, and of one that was not. */
void life_tell(RtLife *life);
void life_untell(RtLife *life);
/* What listeners of the tick came to is so. */
void life_keep_triggers(RtLife *life);
void life_event(RtLife *life, RtEventKind kind, const RtPart *part, Str text);
/* The event of that number in life->fresh did not come to pass. */
void life_event_drop(RtLife *life, int event);

/* undo.c: from now on loops and listeners can be put back; they are; what loops did is so. */
void life_may_undo(RtLife *life);
void life_undo_members(RtLife *life);
void life_keep_members(RtLife *life);
/* Who listens is about to be found anew. */
void life_note_listeners(RtLife *life);

/* commit.c: a copy of a closure, and the version by which it lives. */
RtVersion *life_hold(Rt *rt, const RtClosure **closure);
/* All acts of the tick, or none */
bool life_commit(Rt *rt, RtLife *life);

#endif
