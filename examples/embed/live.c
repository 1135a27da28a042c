/* A host of a world that lives: time goes on, keys come in, what happens is told. */
#include <stdio.h>
#include <string.h>
#include <world/world.h>

static void tell(World *world) {
    WorldEvent event = {.size = sizeof event};
    while (world_event_next(world, &event))
        if (event.kind == WORLD_EVENT_SAID)
            printf("%4lld  \"%s\"\n", (long long)event.tick, event.text);
        else if (event.kind == WORLD_EVENT_SPAWNED && strcmp(event.path, "boss.army.troll[0]") == 0)
            printf("%4lld  an army, %s first\n", (long long)event.tick, event.path);
}

/* Ten seconds of frames as they come, not of one length; "h" hits the boss in the first. */
static WorldStatus live(World *world) {
    WorldStatus status = world_press(world, "h");
    double at[3] = {0};
    WorldField field;
    for (int frame = 0; frame < 700 && status == WORLD_OK; frame++) {
        status = world_step(world, frame % 3 ? 0.012 : 0.019);
        tell(world);
    }
    if (status == WORLD_OK) status = world_field(world, "boss.army.troll[3].at", "point", &field);
    if (status == WORLD_OK) status = world_field_get(world, field, at);
    if (status == WORLD_OK) printf("the fourth troll stands at (%.2f, %.2f, %.2f)\n", at[0], at[1], at[2]);
    return status;
}

int main(int argc, char **argv) {
    WorldEngine *engine;
    World *world = NULL;
    if (argc < 2 || world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return 2;
    WorldStatus status = world_open_file(engine, argv[1], &(WorldDesc){0}, &world);
    if (status == WORLD_OK) status = live(world);
    if (status != WORLD_OK) fputs(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN), stderr);
    world_engine_destroy(engine);
    return status == WORLD_OK ? 0 : 1;
}
