/* A host: opens a world and asks how high the ground is. cc minimal.c $(pkg-config --cflags --libs world) */
#include <stdio.h>
#include <world/world.h>

int main(int argc, char **argv) {
    WorldEngine *engine;
    World *world;
    WorldFunction height;
    double place[3] = {0, 0, 330}, y = 0;
    if (argc < 2 || world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return 2;
    WorldStatus status = world_open_file(engine, argv[1], &(WorldDesc){0}, &world);
    if (status != WORLD_OK) {
        fputs(world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN), stderr);
        world_engine_destroy(engine);
        return 1;
    }
    status = world_function(world, "land.height", "fn(point) meters", &height);
    if (status == WORLD_OK) status = world_call(world, height, place, &y);
    if (status == WORLD_OK)
        printf("%.3f\n", y);
    else
        fputs(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN), stderr);
    world_engine_destroy(engine);
    return status == WORLD_OK ? 0 : 1;
}
