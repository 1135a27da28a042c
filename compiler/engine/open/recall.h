/* Recall: after a reload, cells whose meaning did not change take their values from the world
 * before.
 *
 * A cell is the same when its init function is (its IR, and that of all it calls), and every
 * cell it read is; one that was set, when it was set to the same. Two worlds are only compared when their classes are laid
 * out alike and no part came or went while the old one ran; then parts are found by their places in the tree.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_RECALL_H
#define WORLD_COMPILER_ENGINE_OPEN_RECALL_H

#include "compiler/engine/open/open.h"

typedef struct Recall Recall;

typedef struct RecallSide {
    const Compile *compile;
    const Program *program;
    RtWorld *parts;
    const GrownPart *grown;
} RecallSide;

/* Whether parts have come to it or gone from it. */
bool recall_is_vain(const RtWorld *before);
/* Copies what is the same from `before` into the world's fresh parts. Failing to is no error: it
 * is worked out then. */
void recall_values(World *world, const RecallSide *before);
/* RtHost.recall: gives a cell its old value, when one is waiting for it. */
bool recall_cell(Rt *rt, RtPart *part, int32_t field, Slot *slots);

#endif
