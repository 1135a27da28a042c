/* A host that moves an island each frame, without a text being read again. */
#include <math.h>
#include <stdio.h>
#include <world/world.h>

enum { FRAMES = 600 };

/* altitude and heading, set together; where the land then stands is worked out from them alone. */
static WorldStatus fly(World *world) {
    WorldField moved[2], stands;
    WorldStatus status = world_field(world, "altitude", "meters", &moved[0]);
    if (status == WORLD_OK) status = world_field(world, "heading", "degrees", &moved[1]);
    if (status == WORLD_OK) status = world_field(world, "land.at", "point", &stands);
    double at[3] = {0};
    for (int frame = 0; frame <= FRAMES && status == WORLD_OK; frame++) {
        double seconds = frame / 60.0, slots[2] = {140 + 20 * sin(seconds), 0.1 * seconds};
        status = world_field_set_all(world, moved, 2, slots);
        if (status == WORLD_OK) status = world_field_get(world, stands, at);
    }
    if (status == WORLD_OK) printf("after %d frames the land stands at %.3f m\n", FRAMES, at[1]);
    return status;
}

int main(int argc, char **argv) {
    WorldEngine *engine;
    World *world = NULL;
    if (argc < 2 || world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return 2;
    WorldStatus status = world_open_file(engine, argv[1], &(WorldDesc){0}, &world);
    if (status == WORLD_OK) status = fly(world);
    if (status != WORLD_OK) fputs(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN), stderr);
    world_engine_destroy(engine);
    return status == WORLD_OK ? 0 : 1;
}
