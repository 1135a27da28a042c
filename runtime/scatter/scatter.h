/* The ordered scatter: rules in turn, each trying spots, keeping some, and keeping clear of what stands.
 *
 * This is the meaning of document 1 and of language.md section 4, with the language's expressions as closures. Who
 * draws when is exactly the order of calls in rule.c; nothing here draws by itself.
 *
 *     spots ── keep ── order ──> sorted ── size, spacing, test, room ── clear? ──> place ──> placed
 *
 * Works on any number of threads with one answer: only conditions that do not draw are asked in batches.
 */
#ifndef WORLD_SCATTER_SCATTER_H
#define WORLD_SCATTER_SCATTER_H

/* clang-format off */

#include "runtime/rt/rt.h"
#include "runtime/scatter/clear.h"

/* How a rule takes its numbers. */
typedef enum ScatterDraws { SCATTER_DRAWS_NONE, SCATTER_DRAWS_SHARED, SCATTER_DRAWS_OWN, SCATTER_DRAWS_PER_SPOT } ScatterDraws;

/* A spot as record `spot` of stdlib/scatter flattens it. */
enum {
    SPOT_X, SPOT_Y, SPOT_Z, SPOT_I, SPOT_J, SPOT_OF, SPOT_ALONG, SPOT_ACROSS, SPOT_SIZE, SPOT_STATE, SPOT_SLOTS
};
/* A thing as record `placed` flattens it. */
enum {
    PLACED_KIND, PLACED_VARIANT, PLACED_X, PLACED_Y, PLACED_Z, PLACED_TURN,
    PLACED_UP_X, PLACED_UP_Y, PLACED_UP_Z, PLACED_SIZE, PLACED_SINK, PLACED_ROOM,
    PLACED_RULE, PLACED_K, PLACED_ID, PLACED_SLOTS
};
enum { SPOT_REFS = 1 << SPOT_OF, PLACED_REFS = 1 << PLACED_KIND | 1 << PLACED_RULE | 1 << PLACED_ID };
#define SPOT_SHAPE ((RtShape){SPOT_SLOTS, SPOT_REFS})
#define PLACED_SHAPE ((RtShape){PLACED_SLOTS, PLACED_REFS})

/* What a rule may try, as record `spots` flattens it. */
enum { SPOTS_LISTED, SPOTS_GROUPS, SPOTS_GROUP, SPOTS_SLOTS };
/* What a rule puts there, as record `copy` does; TURNED and RAISED tell whether TURN and HEIGHT were given. */
enum {
    COPY_KIND, COPY_VARIANT, COPY_TURNED, COPY_TURN, COPY_SIZE, COPY_SINK, COPY_RAISED, COPY_HEIGHT,
    COPY_UP_X, COPY_UP_Y, COPY_UP_Z, COPY_SLOTS
};
/* What a rule's expressions are given, the first of these or all: here, k, spot; size; spacing. */
enum {
    ASK_X, ASK_Y, ASK_Z, ASK_K, ASK_SPOT, ASK_SIZE = ASK_SPOT + SPOT_SLOTS, ASK_SPACING, ASK_SLOTS
};

typedef struct ScatterRule {
    Str name;
    Str path;                     /* full: what its streams and turns are hashed from */
    ScatterDraws draws;
    RtStream *stream;             /* SHARED: the author's; else NULL */
    /* NULL: left out (answers none). What each is given is in stdlib/scatter/scatter.world, record rule. */
    const RtClosure *candidates, *keep, *order, *size, *spacing, *test, *room, *place;
    int64_t at_most;              /* -1: no cap */
    int group;                    /* cap group, -1 none */
    bool blocks;
    bool has_margin;
    double margin;                /* meters; from cottageMargin or footprintMargin */
} ScatterRule;

/* Why a spot holds nothing. */
typedef enum ScatterOutcome {
    SCATTER_PLACED, SCATTER_KEEP, SCATTER_CIRCLE, SCATTER_DISC, SCATTER_CLEARANCE, SCATTER_FOOTPRINT, SCATTER_OFF_LAND,
    SCATTER_CAP,
    SCATTER_OUTCOME_COUNT
} ScatterOutcome;

/* "keep", "circle"...: the words of `worldc stats`. */
const char *scatter_outcome_text(ScatterOutcome outcome);

typedef struct ScatterStats {
    Str rule;
    int64_t candidates;           /* spots made */
    int64_t kept;                 /* passed keep */
    int64_t outcomes[SCATTER_OUTCOME_COUNT];
    uint64_t draws;               /* numbers taken from a shared stream */
    int64_t cap;                  /* -1 none */
    int64_t groups_left;          /* of spots, never made because of the cap */
} ScatterStats;

/* One spot as it was decided, for `explain`. */
typedef struct ScatterTrial {
    int run, rule;                /* of the report's runs and stats */
    int64_t k;
    Slot spot[SPOT_SLOTS];
    uint32_t state;               /* of the rule's stream just before keep was asked */
    ScatterOutcome outcome;
    double size, spacing, test, room; /* NAN: not asked or none */
    Clash clash;                  /* of CIRCLE to FOOTPRINT */
    double land_x, land_z;        /* of OFF_LAND: the nearest place that has ground */
    int64_t past_cap;             /* of CAP: 1 for the first spot the cap refused */
} ScatterTrial;

/* What a land's height is read from reaches so far; so little past it is on it still. */
typedef struct Ground {
    double x0, x1, z0, z1, slack; /* meters */
} Ground;

/* How far (x, z) lies past it, 0 on it; and the nearest place of it. */
double ground_distance(const Ground *ground, double x, double z, double *at_x, double *at_z);

typedef struct GroundList { /* past them all there is no ground */
    const Ground *items;
    int count; /* 0: ground everywhere */
} GroundList;
double grounds_distance(const GroundList *grounds, double x, double z, double *at_x, double *at_z);

/* One scatter that ran: what its trials name by number. It lies where the scatter worked, and no longer. */
typedef struct ScatterRun {
    const ScatterRule *rules;
    int first_rule, rule_count;   /* first_rule: of the report's stats */
    const RtList *placed;         /* Clash.index of CIRCLE */
    ClearSet fixed;               /* and of the others */
    Str land;                     /* the path of the land's part */
    GroundList grounds;           /* where that has ground */
} ScatterRun;

/* The record that Rt.observer may want of "scatter": filled while scatters run. Trials only of spots near the place it asks about. */
typedef struct ScatterReport {
    Arena *arena;
    VEC(ScatterStats) stats;
    VEC(ScatterTrial) trials;
    VEC(ScatterRun) runs;
} ScatterReport;

typedef struct ScatterInput {
    const ScatterRule *rules;
    int rule_count;
    const RtClosure *height;      /* fn(point) meters of the land it goes over */
    GroundList grounds;           /* what that is read from */
    Str land;                     /* the path of its part */
    ClearSet *fixed;              /* what everything keeps clear of */
    int group_count;
    uint32_t seed;                /* of the world, for the stable streams */
} ScatterInput;

/* List[placed]; every shared stream is drawn from its start. After a fault, what stood by then. */
RtList *scatter_run(Rt *rt, const ScatterInput *input);

/* What the expressions of a rule are given before size and spacing: a row of ASK_SIZE slots. */
void scatter_ask(Slot *ask, const Slot *spot, int64_t k);
/* The stable id of what stands on a spot: "forest/3,-7". */
Str scatter_spot_id(Arena *arena, Str rule, const Slot *spot);

/* The stable streams' starts, published in lang/REFERENCE.md:
 * own:     pcg(seed ^ fnv1a(path))
 * perSpot: pcg(pcg(seed ^ fnv1a(path)) ^ fnv1a(of) ^ pcg(i) ^ pcg(pcg(j))) */
uint32_t scatter_own_start(uint32_t seed, Str path);
/* From the second maker on of one rule: pcg(own ^ number). */
uint32_t scatter_maker_start(uint32_t own_start, int64_t maker);
uint32_t scatter_spot_start(uint32_t own_start, int64_t i, int64_t j, Str of);

#endif
