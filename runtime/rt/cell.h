/* Cells, from inside: how a value came to be, what it was made from, and when it must be made
 * again.
 *
 *     RtCell ── current ──> RtVersion ── deps ──> RtEdge ──> RtEdge     one edge a cell it read
 *       ^                   arena, refs             │ dep ─> the cell read
 *       │                                           │ dep_version ─> its value then (held: what a
 *       │                                           │                value points into outlives it)
 *       └────────────────── reader ─────────────────┘
 *
 * A set, or a value that turns out different, advances the world's clock. Everything that reads a
 * set cell, through any number of steps, gets the mark EMPTY; when it is next read, its edges are
 * looked at in the order in which they were made, and only if one leads to a cell that changed
 * after it was last known good is it worked out again. A value that comes out equal to the old one
 * did not change, so what reads it stays (early cutoff). Nothing makes a cell stale that was set.
 */
#ifndef WORLD_RT_CELL_H
#define WORLD_RT_CELL_H

#include <pthread.h>

#include "runtime/rt/part.h"

typedef struct RtCell RtCell;
typedef struct RtEdge RtEdge;

struct RtEdge {
    RtCell *reader, *dep;
    RtVersion *dep_version;
    RtEdge *next;                          /* of the reader's version, in the order of reading */
    RtEdge *previous_reader, *next_reader; /* of dep->readers; only while the version is current */
};

struct RtVersion { /* touched only under the lock */
    Arena arena;   /* of the objects made meanwhile, of the edges, and of this */
    int64_t refs;
    RtEdge *first, *last;
    bool state;    /* that of what was set by an act or a host */
    bool timed;    /* it was made from the clock */
    bool kept;     /* made for a host: its edges hold what it read, but nothing makes it stale */
    RtCode *code;  /* held too: its closures may name it */
    RtVersion *next_dead; /* of a list being released */
};

struct RtCell {
    RtPart *part;
    int32_t field; /* field_count: the families; field_count + 1: the population, which is never worked out */
    int32_t pending; /* 1 + its number among what acts of this tick set; 0: none does */
    RtVersion *current;
    RtEdge *readers;
    RtCell *next_stale;         /* of a list being emptied */
    uint64_t changed, verified; /* by the world's clock */
};

typedef struct RtBrood RtBrood; /* a part that comes and goes, and all that is made in it */
struct RtBrood {
    RtPart *first, *parts;
    RtBrood *previous, *next;
    int64_t serial;
    bool pending;  /* it stands nowhere yet */
    bool gone;     /* or, of what a loop made, not taken up yet */
    bool made;     /* by a run of a loop that was not the first; else spawned */
    bool held;     /* a host may name it: it is never given back */
    bool reached;  /* by the sweep */
};

typedef struct RtEvaluation RtEvaluation;
struct RtEvaluation {
    RtCell *cell;
    uint32_t id;
    RtVersion *version;
    RtEvaluation *outer;
    struct RtMemberList *made; /* when it runs the families' loops */
};

struct RtWorld {
    Memory *memory;
    Arena arena; /* parts */
    const RtClass *const *classes;
    int class_count;
    RtPart *root, *parts;
    int64_t part_count; /* gone ones counted, until they are given back */
    struct RtLife *life; /* NULL: it has not begun */
    RtBrood *broods, *last_brood; /* the oldest first */
    int64_t gone; /* broods that came to be gone since the last sweep */
    int64_t brood_serial, kept_serial; /* of the newest brood; of the newest when a host kept a value */
    RtEvaluation *running; /* the innermost */
    int depth;
    uint32_t last_evaluation; /* its number; they begin anew half way (cells.c) */
    uint64_t evaluations, clock;
    RtVersion *plain; /* that of every set value which holds no object */
    pthread_mutex_t lock; /* recursive: an evaluation may ask its host, which may ask the world */
};

/* Members that a run of a part's loops has made so far; then the part's own. In the run's arena. */
typedef struct RtMemberList {
    RtPart *part;
    VEC(RtMember) items;
    int32_t *index; /* as RtPart.member_index */
    int32_t index_size;
    bool again;   /* it is not the first run */
    bool differs;
} RtMemberList;

/* Members of a part as they were, with a hold on the version by which they live. */
typedef struct RtMembers {
    RtPart *part;
    RtMember *items;
    int32_t *index;
    int32_t count, index_size;
    RtVersion *by;
} RtMembers;
/* They are its members again, and what came in their place is gone; the loops run anew when they are next asked for. */
void part_members_back(RtWorld *world, const RtMembers *was);
/* undo.c: what a loop does in a tick is undone with it. Leaves when there is no memory. */
void life_note_members(struct RtLife *life, RtPart *part);
void life_note_gone(struct RtLife *life, RtPart *part);

/* Readies a cell (see cells.c) and answers whether it is; the caller holds the lock. */
bool cell_make_ready(Rt *rt, RtCell *cell);
/* cell_make_ready with the lock taken when a host asks, then the record of the read. False: a
 * fault, or a worker that must leave it to its launcher. */
bool cell_read(Rt *rt, RtCell *cell);
/* It is worked out anew when it is next read, whatever it was made from. */
void cell_forget(RtWorld *world, RtCell *cell);
/* Everything that rests on the cell is looked at again when it is read. */
void cell_changed(RtWorld *world, RtCell *cell);
/* Whether a number of a field's value, or of a thing that it places, is not a number; `thing` is which one, -1 none. */
bool cell_holds_nan(const RtField *info, const Slot *slots, int64_t *thing);
/* Puts a value in place with the version it lives by; allocates nothing. */
void cell_put(RtWorld *world, RtCell *cell, const Slot *slots, RtVersion *version);
/* The version of a value that is set: copies of its texts and lists, in `slots`. Leaves when there is no memory. */
RtVersion *cell_copy_value(Rt *rt, const RtField *info, Slot *slots);
/* Nothing that reads its cells does so any more. */
void cell_orphan(RtWorld *world, RtCell *cell);
/* Lets all values of a part's cells go. */
void cell_fini(RtWorld *world, RtCell *cell);
RtVersion *version_create(RtWorld *world);
void version_release(RtWorld *world, RtVersion *version);

/* Runs the loops of a part; afterwards part->members are the new ones. Answers whether anything
 * differs. */
bool part_make_members(Rt *rt, RtPart *part, RtEvaluation *evaluation);

/* A part of its own piece of memory, `extra` bytes behind it (part_extra). In the brood, or NULL. Leaves when there is no memory. */
RtPart *part_create(RtWorld *world, const RtClass *cls, const RtClass *site, RtPart *parent, RtBrood *brood, size_t extra);
/* Lets its values go, and gives its memory back. */
void part_fini(RtWorld *world, RtPart *part);
void part_give(RtWorld *world, RtPart *part);
bool parts_fit(Rt *rt, const RtPart *parent, const uint32_t span[3]);
static inline RtCell *part_population(RtPart *part) { return &part->cells[part->cls->field_count + 1]; }
/* Not what a loop made, nor what stands in what was spawned. */
static inline bool part_is_spawned(const RtPart *part) { return part->brood && part->brood->first == part && !part->brood->made; }
/* brood.c */
/* The first part of a new brood, which stands nowhere. Leaves when there is no memory. */
RtPart *brood_begin(RtWorld *world, const RtClass *cls, const RtClass *site, RtPart *parent, size_t extra);
void brood_link(RtWorld *world, RtBrood *brood);
/* A loop makes the member no more. */
void member_drop(RtWorld *world, RtPart *part);
/* No evaluation has recorded a read: their numbers begin anew. While none runs. */
void world_renumber(RtWorld *world);
void life_destroy(struct RtLife *life);
void brood_destroy_all(RtWorld *world);
/* The member of what was spawned, or NULL. */
RtPart *population_find(const RtPart *part, int32_t family, int64_t number);
/* Appends what was spawned of a family; records the read. */
RtList *population_list(Rt *rt, RtPart *part, int32_t family, RtList *list);

/* The fault's text in rt->arena, or without memory none: what it lies in ends. Never leaves. */
void rt_fault_keep(Rt *rt, RtFault *fault);
bool value_equal(const char *types, const Slot *a, const Slot *b, int count);
/* A copy in rt->arena of a text or list of plain numbers; other objects as they are. */
Slot value_copy(Rt *rt, char type, Slot value);

void world_lock(Rt *rt, RtWorld *world);
void world_unlock(Rt *rt, RtWorld *world);

#endif
