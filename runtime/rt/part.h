/* Parts: classes as the compiler describes them, instances, and cells that are worked out once.
 *
 * Every `part` line is one class. A class derives from its design (whose fields come first, at the same indices),
 * and every class derives from `anyPart` of the standard library, whose fields are the options of a part line.
 * An instance has its class's cells; a cell's value is worked out when something first reads it, by calling the
 * field's init function with the instance, and what it read is remembered.
 *
 *     cell mark:  0 not worked out   RT_MARK_BUSY being worked out   else the last evaluation that recorded a read
 *
 * (a value that was set has RT_MARK_SET, which no evaluation has)
 *
 * A read by evaluation r is free when mark == r (already recorded) or when r is 0 (a host's question) and the
 * cell is ready; everything else goes through cell_read, which computes, records the edge and sets the mark.
 * Machine code inlines exactly that test.
 *
 * Threads: a world may be read by many. A ready cell is read without a lock; whoever meets an unready one works it
 * out under the world's lock. Setting a cell asks for quiet: no other thread may be reading.
 * Objects made while a cell is worked out live as long as that value, or anything worked out from it, does.
 *
 * A part made in a loop (`part lantern[i]`) is a member of a family; the loop runs (the class's `elaborate`
 * function) when the family is first asked for. The values the loop body uses are the instance's captures.
 * `part tree[i]: thing.kind` has a design only known when it runs: then `cls` is that design's class and `site`
 * the line's own class, whose option initializers (marked `given`) win over the design's.
 */
#ifndef WORLD_RT_PART_H
#define WORLD_RT_PART_H

/* clang-format off */

#include "runtime/rt/rt.h"

typedef struct RtPart RtPart;
typedef struct RtClass RtClass;

typedef struct RtField {
    Str name;
    int32_t slot, slot_count; /* where its value lies in RtPart.slots */
    const char *slot_types;   /* slot_count letters of B W I F R */
    const char *thing_types;  /* of a list of placed things: those of a thing, whose numbers are held to be numbers; else NULL */
    int32_t init;             /* function(self) -> slots; -1: has no value and must be given by the copy */
    int32_t within;           /* 1 + function(self, slots) -> bool that every value must satisfy; 0: none */
    bool given;               /* init comes from this class's own part line or body */
    bool option;              /* declared by anyPart */
    bool clock;               /* of the world's time: what reads it is worked out again at every step */
    uint32_t span[3];
} RtField;

typedef struct RtChild {      /* a child that always exists */
    Str name;
    int32_t cls;
} RtChild;

typedef struct RtFamily {
    Str name;
    int32_t cls;              /* of its part line; -1 when its design is only known when it runs */
} RtFamily;

typedef struct RtHandler {    /* on(trigger, { acts }) */
    int32_t field;            /* the trigger, a record of the library (life.c) */
    int32_t acts;             /* function(self) */
    uint32_t span[3];
} RtHandler;

struct RtClass {
    RtObject head;            /* RT_DESIGN: a design as a value is a pointer to its class */
    Str name;                 /* "island.vegetation" */
    int32_t index;
    int32_t base;             /* class it derives from, -1 none */
    RtField *fields;
    int32_t field_count, slot_count;
    RtChild *children;        /* the base's first */
    int32_t child_count;
    RtFamily *families;       /* the base's first */
    int32_t family_count;
    const int32_t *elaborates; /* functions(self) that make the members of its families; the base's first */
    int32_t elaborate_count;
    RtHandler *handlers;      /* the base's first */
    int32_t handler_count;
    const int32_t *grounds;   /* fields with the height grids that its function `height` reads, of a land */
    int32_t ground_count;
    const char *capture_types; /* of what the loop holds that makes its parts: letters as of fields */
    int32_t value_field;      /* of `part x: spine.through(...)`: the hidden field that holds the value; else -1 */
    uint32_t span[3];
};

typedef struct RtMember {
    int32_t family;
    int64_t number;           /* when `id` is NULL */
    const RtText *id;
    RtPart *part;
} RtMember;

struct RtPart {
    RtObject head;            /* RT_PART */
    const RtClass *cls;
    const RtClass *site;      /* the part line's class; == cls unless the design is dynamic */
    RtPart *parent;           /* NULL for the root */
    int32_t depth;            /* how many parts it stands in */
    struct RtWorld *world;
    Slot *slots;              /* cls->slot_count */
    uint32_t *marks;          /* cls->field_count, one more for the families as a whole, and one for the population */
    Slot *captures;
    int32_t capture_count;
    struct RtVersion *made_by; /* by which objects among the captures live; NULL: there are none */
    int32_t family;           /* -1: a child */
    int32_t place;            /* child index or member index in the parent */
    int64_t number;           /* of a member */
    const RtText *id;
    RtPart **children;        /* cls->child_count */
    RtMember *members;        /* of all families of the class, in order of making */
    int32_t member_count;
    int32_t *member_index;    /* hash table of places in `members` + 1, by family and number or id */
    int32_t member_index_size;
    struct RtVersion *members_by; /* by which those two tables live; NULL: there are none */
    struct RtCell *cells;     /* how each field, then the families, then the population came to be (runtime/rt/cell.h) */
    Str name;                 /* "lantern[3]" */
    RtPart *next;             /* of all parts of the world, or of its brood */
    struct RtPopulation *population; /* what was spawned under it (life.h); NULL: nothing */
    struct RtBrood *brood;    /* of what was spawned; NULL: it lives as long as the world */
    size_t bytes;             /* of its piece of memory */
    uint32_t walked;          /* by the last walk over what lives */
    bool listens;             /* its handlers are known */
    bool ran;                 /* the loops of its families have, well or not */
    bool gone;                /* removed, or what holds it is */
};

enum { RT_MARK_EMPTY = 0, RT_MARK_SET = 1, RT_MARK_BUSY = 0xffffffffu };

/* Parts stand in one another no deeper. */
enum { RT_PART_DEPTH = 4096 };

/* No field has more slots than this. */
enum { RT_FIELD_SLOTS = 1024 };

typedef struct RtWorld RtWorld;

/* Classes must outlive the world. Class 0 is the root's (the file itself). */
RtWorld *rt_world_create(Memory *memory, const RtClass *const *classes, int class_count);
void rt_world_destroy(RtWorld *world);
RtPart *rt_world_root(RtWorld *world);
const RtClass *rt_world_class(const RtWorld *world, int index);
int rt_world_class_count(const RtWorld *world);

/* Out-of-line read of a cell: works it out if need be and records the read. Answers the slots; after a fault
 * they are zero. Called with the field's index. */
const Slot *rt_cell_read(Rt *rt, RtPart *part, int32_t field);
static inline const Slot *rt_cell_get(Rt *rt, RtPart *part, int32_t field) {
    if (part == NULL) return rt_cell_read(rt, part, field); /* a fault, and zeros */
    uint32_t mark = __atomic_load_n(&part->marks[field], __ATOMIC_ACQUIRE);
    if (mark == rt->reader || (rt->reader == 0 && mark != RT_MARK_EMPTY && mark != RT_MARK_BUSY)) {
        if (mark != RT_MARK_EMPTY) return part->slots + part->cls->fields[field].slot;
    }
    return rt_cell_read(rt, part, field);
}

/* Sets a cell from outside (a host, an act). What read it is marked to be worked out again, and nothing else.
 * A value outside the field's `within` is a fault and sets nothing. Texts and lists of numbers are copied, other
 * objects must outlive the world. */
/* When, by the world's clock, a field came to the value that it has now. */
uint64_t rt_cell_changed(Rt *rt, RtPart *part, int32_t field);
void rt_cell_set(Rt *rt, RtPart *part, int32_t field, const Slot *slots);
/* The two halves of it: whether the field takes the value (the fault says why not), and the setting. */
bool rt_cell_takes(Rt *rt, RtPart *part, int32_t field, const Slot *slots);
void rt_cell_put(Rt *rt, RtPart *part, int32_t field, const Slot *slots);

/* A value that a host keeps, or sets a cell to: what it was made from is held, and what was made meanwhile lives, as
 * long as it does. NULL after a fault. `code` (may be NULL) is held too. */
typedef struct RtVersion RtVersion;
typedef void (*RtMaker)(Rt *rt, void *user, Slot *slots);
RtVersion *rt_value_keep(Rt *rt, RtMaker make, void *user, RtCode *code, Slot *slots);
void rt_value_let_go(RtWorld *world, RtVersion *version);
/* Whether what it was made from is as it was at that time of the world's clock. */
bool rt_value_holds(Rt *rt, const RtVersion *version, uint64_t since);
/* Sets a cell to it, and takes it over. */
void rt_cell_set_kept(Rt *rt, RtPart *part, int32_t field, const Slot *slots, RtVersion *version);

/* Children and members. A missing member is a fault and answers NULL. */
RtPart *rt_part_child(Rt *rt, RtPart *part, int32_t child);
RtPart *rt_part_member(Rt *rt, RtPart *part, int32_t family, int64_t number, const RtText *id);
/* All members of a family, as a List of parts, in order of making. */
RtList *rt_part_family(Rt *rt, RtPart *part, int32_t family);
/* For elaborate functions: makes a member. design NULL: the site's own class. */
void rt_part_make(Rt *rt, RtPart *parent, int32_t site, int32_t family, int64_t number, const RtText *id,
                  const RtClass *design, int32_t capture_count, const Slot *captures, const uint32_t span[3]);
/* A copy of a design that hangs in no part's tree (its parent is the root): for drawing what is placed. NULL after
 * a fault. It lives as long as the world. */
RtPart *rt_part_loose(Rt *rt, const RtClass *design);
/* Runs the families' loops if they have not run. */
void rt_part_elaborate(Rt *rt, RtPart *part);

/* "land.brook"; nothing for the root. */
void rt_part_path(StrBuf *out, const RtPart *part);

/* How often cells were worked out since the world was made: for tests of "and nothing else". */
uint64_t rt_world_evaluations(const RtWorld *world);
/* What a value that changes from now on is later than. */
uint64_t rt_world_clock(const RtWorld *world);

#endif
