/* Worlds compiled ahead of time, and the library that runs them: libworld-ahead, which has the runtime and the natives
 * of the standard library, and nothing of the compiler.
 *
 *     worldc compile ──> island.o:  the image below, which names kernels, classes, texts     ──┐
 *                                   machine code, which names worldrt_entry_*, worldrt_native_*├─> a host
 *                        island.h:  a C function for each that a host may ask                  │
 *                                                               libworld-ahead ────────────────┘
 *
 * An object holds the whole program, so that every field can be worked out as in an engine: nothing of a built world is
 * needed (with --static the grids that were worked out lie in it too). The image is data of these very types,
 * which the linker finishes: all it points at lies in the object. Nothing is read or changed when a world is opened.
 */
#ifndef WORLD_COMPILER_AHEAD_IMAGE_H
#define WORLD_COMPILER_AHEAD_IMAGE_H

#include "runtime/rt/layout.h"
#include "world/ahead.h"

/* Bump it when the meaning of this, rt.h, part.h or entry.def changes; sizes are seen by themselves. */
enum { AHEAD_VERSION = 3 };
#define AHEAD_ABI(SIZE)                                                                                                \
    ((uint32_t)(AHEAD_VERSION << 24 | SIZE(WorldAheadImage) << 16) +                                                   \
     (uint32_t)(SIZE(RtClass) + 3 * SIZE(RtField) + 5 * SIZE(RtPart) + 7 * SIZE(Rt)))

/* Columns of `many`: those whose bit is in `uniform` hold one value for all elements, the others differ. */
typedef struct AheadFunc {
    RtKernel one;  /* of any n and any uniform columns; NULL: only functions of the object call it */
    RtKernel many; /* of at least AheadImage.lanes elements; NULL: there is none */
    uint64_t uniform;
    int32_t params, results;
} AheadFunc;

/* A function that a host may ask, or a field of a part. */
typedef struct AheadAnswer {
    int32_t func;
    int32_t field;       /* -1: func is asked */
    int32_t depth;       /* -1: it is no part's; else the part stands so deep, by `path` */
    const int32_t *path; /* children, from the root on */
    const char *arguments, *results; /* letters of B W I F */
} AheadAnswer;

/* An author's text, for who reads where a fault is. */
typedef struct AheadSource {
    Str name;
    const uint32_t *lines; /* where each begins */
    int32_t line_count;
} AheadSource;

/* A grid that was worked out when the object was made. */
typedef struct AheadGrid {
    int32_t depth, field;
    const int32_t *path;
    const RtGrid *grid;
} AheadGrid;

/* What a processor must have. */
typedef enum AheadNeeds { AHEAD_ANY, AHEAD_SSE4_1, AHEAD_AVX2, AHEAD_AVX512 } AheadNeeds;

struct WorldAheadImage {
    uint32_t abi, needs;
    uint64_t key;
    RtLimits limits;
    uint32_t authors; /* see RtHost */
    uint32_t seed; /* in place of the text's, when has_seed */
    int32_t lanes;
    bool has_seed;
    int32_t seed_field; /* of the root; -1: none */
    int32_t class_count, func_count, answer_count, source_count, grid_count;
    const RtClass *const *classes;
    const AheadFunc *funcs;
    const AheadAnswer *answers;
    const AheadSource *sources; /* by number; of those before `authors` nothing is told */
    const AheadGrid *grids;
};

/* As of runtime/rt/layout.h. */
#define LAYOUT_AheadFunc "ppiww"
#define LAYOUT_AheadAnswer "wwwppp"
#define LAYOUT_AheadSource "{" LAYOUT_Str "}pw"
#define LAYOUT_AheadGrid "wwpp"
#define LAYOUT_WorldAheadImage "wwi{" LAYOUT_RtLimits "}wwwbwwwwww" "ppppp"

#endif
