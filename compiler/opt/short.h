/* Short lists: which lists of a function have a length that is known when it compiles, and never leave it, so that their items may be
 * values (slots.c) and the loops over them may be lines (unroll.c).
 *
 *     list.new ──> append ──> append ──┬── set ──> get, length           a web: one list as it changes, and what an `if` or a
 *     list.new ──> append ──> append ──┘                                 loop makes of several. All of it is short, or none.
 */
#ifndef WORLD_COMPILER_OPT_SHORT_H
#define WORLD_COMPILER_OPT_SHORT_H

#include "compiler/opt/pass.h"

enum {
    SHORT_ITEMS = 16,  /* the longest */
    SHORT_WIDTH = 16,  /* slots of an item */
    SHORT_SLOTS = 64,  /* of a list */
    SHORT_CHOICE = 32, /* slots that a number known only at run time may choose among */
};

typedef struct ShortWeb {
    int width;
    bool leaves; /* it is handed to something that wants an object, or its lengths are not one number where ways meet */
    bool grows;  /* a loop makes it longer; once that is lines, it has a length */
    bool typed[SHORT_WIDTH];
    IrType types[SHORT_WIDTH];
} ShortWeb;

typedef struct Shorts {
    Opt *opt;
    IrFunc *func;
    bool walked;            /* what is said of webs is all there is to say: before, no length may be relied on */
    int count;              /* of the values below */
    int *web;               /* by value: a value of its web nearer to the one that stands for it, or SHORT_NONE */
    int *length;            /* by value that is a list of some web */
    ShortWeb **webs;        /* by the value that stands for a web */
    const IrIns **made;     /* by value: the instruction that gives it */
    const IrIns **counters; /* by value: the loop whose counter it is */
} Shorts;

enum { SHORT_NONE = -1 };

/* False: it makes no list. */
bool shorts_find(Shorts *s, Opt *opt, IrFunc *func);
/* The web of a list that is made here; NULL: it is none. Its length holds when all of the web is good. */
ShortWeb *shorts_web(const Shorts *s, IrValue list);
/* Whether the list has a length that is known, and its items may be values. */
bool shorts_good(const Shorts *s, IrValue list);
/* A whole number that is known: a constant, or the length of such a list. */
bool shorts_number(const Shorts *s, IrValue value, int64_t *number);
/* The least and the greatest that a counter of a loop with known bounds is. */
bool shorts_counter(const Shorts *s, IrValue value, int64_t *least, int64_t *most);

#endif
