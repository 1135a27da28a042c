/* The runtime's picture of the library's records and parts, held against the records and parts: one
 * that no longer fits does not compile. */
#include "runtime/frame/part_option.h"
#include "runtime/geometry/spine.h"
#include "runtime/rt/trigger.h"
#include "runtime/scatter/scatter.h"
#include "runtime/solid/solid.h"
#include "runtime/walker/walker.h"
#include "stdlib/library_layout.h"

#define SAME(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours " is not " #theirs)

/* -- the options of a part -- */

SAME(PART_AT, STD_ANY_PART_AT);
SAME(PART_TURN, STD_ANY_PART_TURN);
SAME(PART_HOME, STD_ANY_PART_HOME);
SAME(PART_SCALE, STD_ANY_PART_SCALE);
SAME(PART_HIDDEN, STD_ANY_PART_HIDDEN);
SAME(PART_CLEARANCE, STD_ANY_PART_CLEARANCE);
SAME(PART_FOOTPRINT, STD_ANY_PART_FOOTPRINT);
SAME(PART_TINT, STD_ANY_PART_TINT);
SAME(PART_MATERIAL, STD_ANY_PART_MATERIAL);
SAME(PART_EDGE, STD_ANY_PART_EDGE);
SAME(PART_FINE_OVER, STD_ANY_PART_FINE_OVER);
SAME(PART_MAPS, STD_ANY_PART_MAPS);
SAME(PART_SOLID, STD_ANY_PART_SOLID);
SAME(PART_OPTION_COUNT, STD_ANY_PART_FIELDS);

SAME(SOLID_OWN, STD_SOLID_KIND_OWN);
SAME(SOLID_BOX, STD_SOLID_KIND_BOX);
SAME(SOLID_HULL, STD_SOLID_KIND_HULL);
SAME(SOLID_MESH, STD_SOLID_KIND_MESH);
SAME(SOLID_CAPSULE, STD_SOLID_KIND_CAPSULE);

/* What an option is, as its readers take it. */
#define IS(option, type)                                                                           \
    _Static_assert(_Generic(&((StdAnyPart *)NULL)->option, type * : 1, default : 0), #option)

IS(at, Vec3);
IS(turn, double);
IS(home, Vec3);
IS(scale, double);
IS(hidden, uint64_t);
IS(clearance, double);
IS(footprint, const RtList *);
IS(tint, Vec3);
IS(material, StdMaterial);
IS(edge, StdEdge);
IS(fineOver, StdOptional_constRtOutline);
IS(maps, const RtList *);
IS(solid, StdOptional_StdSolid);

SAME(RECTANGLE_X0, STD_SLOT(StdRectangle, x0));
SAME(RECTANGLE_X1, STD_SLOT(StdRectangle, x1));
SAME(RECTANGLE_Z0, STD_SLOT(StdRectangle, z0));
SAME(RECTANGLE_Z1, STD_SLOT(StdRectangle, z1));
SAME(RECTANGLE_SLOTS, STD_SLOTS(StdRectangle));

/* -- triggers -- */

SAME(TRIGGER_KIND, STD_SLOT(StdTrigger, kind));
SAME(TRIGGER_HOLDS, STD_SLOT(StdTrigger, holds));
SAME(TRIGGER_PERIOD, STD_SLOT(StdTrigger, period));
SAME(TRIGGER_NAME, STD_SLOT(StdTrigger, name));
SAME(TRIGGER_SLOTS, STD_SLOTS(StdTrigger));
SAME(TRIGGER_CHANGE, STD_TRIGGER_KIND_CHANGE);
SAME(TRIGGER_BEAT, STD_TRIGGER_KIND_BEAT);
SAME(TRIGGER_PRESS, STD_TRIGGER_KIND_PRESS);

/* -- the scatter -- */

SAME(SPOT_X, STD_SLOT(StdSpot, at.x));
SAME(SPOT_Y, STD_SLOT(StdSpot, at.y));
SAME(SPOT_Z, STD_SLOT(StdSpot, at.z));
SAME(SPOT_I, STD_SLOT(StdSpot, i));
SAME(SPOT_J, STD_SLOT(StdSpot, j));
SAME(SPOT_OF, STD_SLOT(StdSpot, of));
SAME(SPOT_ALONG, STD_SLOT(StdSpot, along));
SAME(SPOT_ACROSS, STD_SLOT(StdSpot, across));
SAME(SPOT_SIZE, STD_SLOT(StdSpot, size));
SAME(SPOT_STATE, STD_SLOT(StdSpot, state));
SAME(SPOT_SLOTS, STD_SLOTS(StdSpot));
SAME(SPOT_REFS, StdSpot_REFS);

SAME(SPOTS_LISTED, STD_SLOT(StdSpots, listed));
SAME(SPOTS_GROUPS, STD_SLOT(StdSpots, groups));
SAME(SPOTS_GROUP, STD_SLOT(StdSpots, group));
SAME(SPOTS_SLOTS, STD_SLOTS(StdSpots));

SAME(COPY_KIND, STD_SLOT(StdCopy, kind));
SAME(COPY_VARIANT, STD_SLOT(StdCopy, variant));
SAME(COPY_TURNED, STD_SLOT(StdCopy, turn.present));
SAME(COPY_TURN, STD_SLOT(StdCopy, turn.value));
SAME(COPY_SIZE, STD_SLOT(StdCopy, size));
SAME(COPY_SINK, STD_SLOT(StdCopy, sink));
SAME(COPY_RAISED, STD_SLOT(StdCopy, height.present));
SAME(COPY_HEIGHT, STD_SLOT(StdCopy, height.value));
SAME(COPY_UP_X, STD_SLOT(StdCopy, up.x));
SAME(COPY_UP_Z, STD_SLOT(StdCopy, up.z));
SAME(COPY_SLOTS, STD_SLOTS(StdCopy));

SAME(PLACED_KIND, STD_SLOT(StdPlaced, kind));
SAME(PLACED_VARIANT, STD_SLOT(StdPlaced, variant));
SAME(PLACED_X, STD_SLOT(StdPlaced, at.x));
SAME(PLACED_Y, STD_SLOT(StdPlaced, at.y));
SAME(PLACED_Z, STD_SLOT(StdPlaced, at.z));
SAME(PLACED_TURN, STD_SLOT(StdPlaced, turn));
SAME(PLACED_UP_X, STD_SLOT(StdPlaced, up.x));
SAME(PLACED_UP_Z, STD_SLOT(StdPlaced, up.z));
SAME(PLACED_SIZE, STD_SLOT(StdPlaced, size));
SAME(PLACED_SINK, STD_SLOT(StdPlaced, sink));
SAME(PLACED_ROOM, STD_SLOT(StdPlaced, room));
SAME(PLACED_RULE, STD_SLOT(StdPlaced, rule));
SAME(PLACED_K, STD_SLOT(StdPlaced, k));
SAME(PLACED_ID, STD_SLOT(StdPlaced, id));
SAME(PLACED_SLOTS, STD_SLOTS(StdPlaced));
SAME(PLACED_REFS, StdPlaced_REFS);

/* What a rule's expressions are given: the last has all of it, the others the beginning. */
SAME(ASK_X, STD_SLOT(StdRulePlace, here.x));
SAME(ASK_Y, STD_SLOT(StdRulePlace, here.y));
SAME(ASK_Z, STD_SLOT(StdRulePlace, here.z));
SAME(ASK_K, STD_SLOT(StdRulePlace, k));
SAME(ASK_SPOT, STD_SLOT(StdRulePlace, spot));
SAME(ASK_SIZE, STD_SLOT(StdRulePlace, size));
SAME(ASK_SPACING, STD_SLOT(StdRulePlace, spacing));
SAME(ASK_SLOTS, STD_SLOTS(StdRulePlace));
SAME(ASK_SPOT, STD_SLOT(StdRuleKeep, spot));
SAME(ASK_SIZE, STD_SLOTS(StdRuleKeep));
SAME(ASK_SIZE, STD_SLOTS(StdRuleOrder));
SAME(ASK_SIZE, STD_SLOTS(StdRuleSize));
SAME(ASK_SPACING, STD_SLOTS(StdRuleSpacing));
SAME(ASK_SLOTS, STD_SLOTS(StdRuleTest));
SAME(ASK_SLOTS, STD_SLOTS(StdRuleRoom));

/* -- numbers of names -- */

SAME(WALKER_OPEN, STD_EDGE_KIND_OPEN);
SAME(WALKER_SEA, STD_EDGE_KIND_SEA);
SAME(WALKER_WALL, STD_EDGE_KIND_WALL);
SAME(WALKER_WRAP, STD_EDGE_KIND_WRAP);
SAME(WALKER_FALL, STD_EDGE_KIND_FALL);
SAME(SPINE_UNIFORM, STD_THROUGH_KIND_UNIFORM);
SAME(SPINE_CENTRIPETAL, STD_THROUGH_KIND_CENTRIPETAL);
SAME(SPINE_STRAIGHT, STD_THROUGH_KIND_STRAIGHT);
SAME(SPINE_DOUBLED, STD_THROUGH_ENDS_DOUBLED);
SAME(SPINE_OPEN, STD_THROUGH_ENDS_OPEN);
