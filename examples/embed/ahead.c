/* A host without a compiler: it asks a world that was compiled ahead of time how high the ground is.
 *     worldc compile island.world -o island.o --header island.h
 *     cc ahead.c island.o $(pkg-config --cflags --libs world-ahead)
 */
#include <stdio.h>

#include "island.h"

int main(void) {
    WorldAhead *island;
    const double place[3] = {0, 0, 330};
    double y;
    if (island_open(&(WorldAheadDesc){0}, &island) != WORLD_AHEAD_OK) return 2;
    WorldAheadStatus status = island_land_height(island, place, &y);
    if (status == WORLD_AHEAD_OK)
        printf("%.3f\n", y);
    else
        fprintf(stderr, "%s\n", world_ahead_error(island));
    world_ahead_close(island);
    return status == WORLD_AHEAD_OK ? 0 : 1;
}
