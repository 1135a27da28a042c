/* The options of a part line, as runtime and engine read them: where `anyPart` of the standard
 * library declares them, and so where every part has them. stdlib/layout.c holds the order against
 * the library's.
 *
 * Reading one works out its cell and nothing else, and is remembered as any reading of a cell is.
 */
#ifndef WORLD_FRAME_PART_OPTION_H
#define WORLD_FRAME_PART_OPTION_H

#include "runtime/rt/part.h"

typedef enum PartOption {
    PART_AT,        /* a point */
    PART_TURN,      /* radians */
    PART_HOME,      /* a point */
    PART_SCALE,     /* a number */
    PART_HIDDEN,    /* a bool */
    PART_CLEARANCE, /* meters */
    PART_FOOTPRINT, /* List[rectangle] */
    PART_TINT,      /* a color */
    PART_MATERIAL,  /* record material */
    PART_EDGE,      /* record edge */
    PART_FINE_OVER, /* outline? */
    PART_MAPS,      /* List[landMap] */
    PART_SOLID,     /* record solid? */
    PART_OPTION_COUNT
} PartOption;

/* Record rectangle, as its slots lie. */
enum { RECTANGLE_X0, RECTANGLE_X1, RECTANGLE_Z0, RECTANGLE_Z1, RECTANGLE_SLOTS };

/* The root is the file, which has no line and no options. */
static inline bool part_has_options(const RtClass *cls) {
    return cls->field_count >= PART_OPTION_COUNT && cls->fields[0].option;
}

/* The option's slots; NULL of the root. After a fault they are zero. */
static inline const Slot *part_option(Rt *rt, RtPart *part, PartOption option) {
    return part_has_options(part->cls) ? rt_cell_get(rt, part, (int32_t)option) : NULL;
}

#endif
