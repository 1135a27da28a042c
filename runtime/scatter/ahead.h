/* Expressions that draw nothing, asked over many spots at once and before it is known which of these will be tried: an answer that
 * nobody comes to is thrown away. So is all of a batch in which one has a fault, which may be nobody's: then spot by spot is asked,
 * and who comes to it meets it in his turn. Private to runtime/scatter.
 */
#ifndef WORLD_SCATTER_AHEAD_H
#define WORLD_SCATTER_AHEAD_H

#include "runtime/scatter/scatter.h"

enum {
    AHEAD_LEAST = 16, /* spots: fewer are as soon asked one by one */
    AHEAD_FIRST = 64, /* and twice as many each time: a cap may be near */
    AHEAD_MOST = 2048,
    AHEAD_STRIDE = AHEAD_MOST + 24 /* slots from column to column: no power of two, whose columns would share their places in the cache */
};

/* What a rule answers of a spot; NAN: none. */
typedef struct Numbers {
    double size, spacing, test, room;
} Numbers;

/* What a spot is given, and what was answered, in columns. */
typedef struct Ahead {
    Slot *columns[ASK_SLOTS];
    Slot *pass, *size[2], *spacing[2], *test[2], *room[2], *height;
} Ahead;

void ahead_init(Ahead *ahead, Arena *arena);
void ahead_put(const Ahead *ahead, int64_t at, const Slot *spot, int64_t k);
/* Of the first n. False: somewhere there is a fault, of which nothing is told unless it is a stop. Without a closure there is
 * nothing to answer. */
bool ahead_ask(const Ahead *ahead, Rt *rt, const RtClosure *closure, int64_t n, Slot *const *out);

/* A rule's numbers of the first n. */
bool ahead_numbers(const Ahead *ahead, Rt *rt, const ScatterRule *rule, int64_t n);
/* Those of one spot. False: one is no number, and whoever asks is told. */
bool ahead_take(const Ahead *ahead, const ScatterRule *rule, int64_t at, Numbers *numbers);
/* Into the row that the expressions after it are given. */
void ahead_give_size(Slot *ask, double size);
void ahead_give_spacing(Slot *ask, double spacing);

#endif
