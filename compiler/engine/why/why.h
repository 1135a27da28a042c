/* What rules did and why, from inside: scatters watched once more, an explanation that is being
 * written, and the parts of a rule's condition. */
#ifndef WORLD_COMPILER_ENGINE_WHY_WHY_H
#define WORLD_COMPILER_ENGINE_WHY_WHY_H

#include "compiler/engine/ask/ask.h"
#include "runtime/scatter/scatter.h"

/* -- stats.c: what scatters did, told by working their fields out once more under an observer -- */

/* Runs `each` for the field, or for every field that holds placed things when the path is empty.
 * The report is of that field alone; what it points at lives while `each` runs. */
typedef WorldStatus (*LayoutFn)(World *world, Rt *rt, Str path, const ScatterReport *report,
                                void *user);
typedef struct LayoutVisit {
    Str path;
    WorldTable *rows;    /* of what packages tell, headed by the path */
    bool asks;           /* about a place: */
    double x, z, radius; /* meters */
    LayoutFn each;
    void *user;
} LayoutVisit;
WorldStatus layouts_visit(World *world, Rt *rt, const LayoutVisit *visit);

/* -- explain.c -- */

/* One part of a condition that is joined by &&, and what it compares. The functions take what
 * the whole takes, and do first what stands before the part, so that they draw the same numbers. */
typedef struct KeepPart KeepPart;
struct KeepPart {
    const Tree *tree;
    int whole, left, right; /* functions of the explanation's overlay; -1: an alternative, no comparison */
    VEC(KeepPart) either;   /* the comparisons among what || joins */
};

typedef struct KeepParts {
    const RtCode *code; /* the condition's */
    int func;
    VEC(KeepPart) parts;
} KeepParts;

typedef struct Answer { /* of an expression of the text; text NULL: none */
    const char *text, *value;
    double number; /* NAN when it is no number */
} Answer;

typedef struct Edit { /* of the author's text; text NULL: none */
    const char *file;
    int line, column, end_line, end_column;
    const char *text; /* what to write there */
} Edit;

/* One spot as a rule decided it; texts are "" and numbers NAN where there are none. world.h says
 * what each is under the column of its name. */
typedef struct Trial {
    ScatterOutcome outcome;
    double x, z, distance;
    double test; /* meters; the radius it was tried with */
    const char *condition;
    Answer left, right;
    const char *other;
    double other_distance, needed, test_allowed, move_x, move_z;
    int64_t past_cap;
    const char *advice;
    Edit edit;
} Trial;

typedef struct Explain {
    World *world;
    Rt *rt;
    Arena *arena; /* of the explanation */
    WorldTable *table;
    double x, z;
    Overlay *overlay;       /* of the conditions of the layout under way; NULL: none was taken apart */
    VEC(KeepParts *) keeps; /* in its arena */
} Explain;

/* A number of the text that must become another for something to hold: `op` says how it must
 * compare with `bound`. */
typedef struct Threshold {
    const Tree *tree; /* the expression that gives it */
    const Type *type;
    double now, bound; /* inner units */
    Operator op;       /* LT, LE, GT, GE */
} Threshold;

/* -- explain_edits.c -- */
/* What edits tell of things in the rows from the first on is put in the rows of the rules that placed them. */
void explain_edits(WorldTable *table, size_t first);

/* -- explain_keep.c -- */
/* Takes a condition apart; its functions run after overlay_finish. NULL: it is none of the text's. */
const KeepParts *keep_parts_get(Explain *explain, const RtClosure *keep);
void explain_keep(Explain *explain, const ScatterRule *rule, const ScatterTrial *trial, Trial *out);

/* -- explain_change.c -- */
/* The least change: advice in words, and the edit when the expression is a literal. */
void explain_change(Explain *explain, const Threshold *threshold, Trial *out);
/* The literal that a tree comes down to, or NULL. */
const Tree *explain_literal(const Tree *tree);
const char *explain_text(Explain *explain, Str text);
/* How many inner units one of a literal's own is; 0: it is not written plainly. */
double explain_unit(Explain *explain, const Tree *literal);

/* -- explain_clash.c -- */
void explain_clash(Explain *explain, const ScatterRun *run, const ScatterRule *rule,
                   const ScatterTrial *trial, Trial *out);
void explain_off_land(Explain *explain, const ScatterRun *run, const ScatterTrial *trial, Trial *out);

#endif
