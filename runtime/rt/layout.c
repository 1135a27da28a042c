#include "runtime/rt/layout.h"

#include <string.h>

/* How far a walk over members is, here and there. */
typedef struct Walk {
    const char *at;
    size_t wanted; /* place here */
    size_t found;  /* and there */
    size_t pointer;
    const char *from; /* what is copied, and where it goes; NULL: nothing is */
    char *to;
} Walk;

typedef struct Place {
    size_t at[2], align[2]; /* here, there */
} Place;

static void align(Place *place, int side, size_t to) {
    place->at[side] = (place->at[side] + to - 1) & ~(to - 1);
    if (place->align[side] < to) place->align[side] = to;
}

static size_t size_of(char kind, size_t pointer) {
    return kind == 'p' ? pointer : kind == 'i' ? 8 : kind == 'w' ? 4 : 1;
}

/* Of a longer pointer the low bytes are copied, which lie last on some machines. */
static size_t skipped(char kind, size_t pointer) {
    const uint16_t one = 1;
    bool first = *(const uint8_t *)&one == 1;
    return first ? 0 : size_of(kind, sizeof(void *)) - size_of(kind, pointer);
}

static Place walk_struct(Walk *walk, Place start);

/* The struct inside begins where the largest of its members may. */
static void walk_inside(Walk *walk, Place *place) {
    const char *at = walk->at;
    Walk dry = {.at = at, .wanted = SIZE_MAX, .pointer = walk->pointer};
    Place inside = walk_struct(&dry, (Place){{0, 0}, {1, 1}});
    for (int side = 0; side < 2; side++)
        align(place, side, inside.align[side]);
    walk_struct(walk, *place);
    for (int side = 0; side < 2; side++)
        place->at[side] += inside.at[side];
}

/* To the end of the struct, its padding included. */
static Place walk_struct(Walk *walk, Place start) {
    Place place = {{start.at[0], start.at[1]}, {1, 1}};
    for (; *walk->at && *walk->at != '}'; walk->at++) {
        if (*walk->at == '{') {
            walk->at++;
            walk_inside(walk, &place);
            continue;
        }
        for (int side = 0; side < 2; side++)
            align(&place, side, size_of(*walk->at, side ? walk->pointer : sizeof(void *)));
        if (place.at[0] == walk->wanted) walk->found = place.at[1];
        if (walk->to) memcpy(walk->to + place.at[1], walk->from + place.at[0] + skipped(*walk->at, walk->pointer), size_of(*walk->at, walk->pointer));
        place.at[0] += size_of(*walk->at, sizeof(void *));
        place.at[1] += size_of(*walk->at, walk->pointer);
    }
    for (int side = 0; side < 2; side++)
        align(&place, side, place.align[side]);
    return place;
}

size_t layout_size(const char *layout, size_t pointer) {
    Walk walk = {.at = layout, .wanted = SIZE_MAX, .pointer = pointer};
    return walk_struct(&walk, (Place){{0, 0}, {1, 1}}).at[1];
}

void layout_copy(const char *layout, size_t pointer, const void *from, void *to) {
    Walk walk = {.at = layout, .wanted = SIZE_MAX, .pointer = pointer, .from = from, .to = to};
    walk_struct(&walk, (Place){{0, 0}, {1, 1}});
}

size_t layout_place(const char *layout, size_t offset, size_t pointer) {
    Walk walk = {.at = layout, .wanted = offset, .found = SIZE_MAX, .pointer = pointer};
    walk_struct(&walk, (Place){{0, 0}, {1, 1}});
    return walk.found;
}
