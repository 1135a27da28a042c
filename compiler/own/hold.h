/* What the two halves of this room share: what a function's values are (hold.c), and the walk that counts (own.c). */
#ifndef WORLD_COMPILER_OWN_HOLD_H
#define WORLD_COMPILER_OWN_HOLD_H

#include "compiler/ir/ir.h"

typedef VEC(IrValue) Values;

typedef enum Hold {
    HOLD_NONE,    /* no object */
    HOLD_LENT,    /* BORROWED: somebody else keeps it */
    HOLD_OURS,    /* OWNED from its definition on */
    HOLD_COPIED   /* OWNED once it was retained, right behind its definition */
} Hold;

typedef struct Own {
    IrModule *module;
    IrFunc *func;
    Arena *arena;
    uint8_t *hold;   /* Hold, by value */
    IrValue *lender; /* by value: of one borrowed from a list, the list; else -1 */
    bool *relied;    /* by value: another one is borrowed from whoever keeps it, so it must stay his */
    bool *live;      /* by value: it is used later */
    bool *moved;     /* by value: somebody took it for the last time */
    Values trail;    /* values that became live, in that order */
    bool writes;     /* whether lines are written, or only looked at */
    bool counts;     /* something was written */
} Own;

static inline bool own_is_object(const Own *own, IrValue value) {
    return own->func->types.items[value] == IR_R;
}

/* Whether an instruction takes operand i; else it only looks at it. */
bool own_takes_operand(const Own *own, const IrIns *ins, int i);
/* A number by value, each -1. */
int *own_places_row(const Own *own);
/* Fills hold, lender and relied; parameters are LENT. */
void own_classify(Own *own);

#endif
