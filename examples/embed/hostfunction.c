/* A host that gives its world functions of its own: the tide as it is now, and a wind that knows where it blows. */
#include <stdio.h>
#include <string.h>
#include <world/world.h>

static double tide(double at, double strength) {
    double hours = at / 3600;
    double phase = hours / 12.42 - (double)(long)(hours / 12.42);
    return strength * (phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase); /* a triangle will do */
}

static void wind(void *user, double x, double y, double z, double *out) {
    const double *strength = user;
    out[0] = *strength * (z < 0 ? 1 : -1);
    out[1] = 0;
    out[2] = (x + y) * 0;
}

static const char world_text[] = "field level = tide(1.5 h) + 2 m\n"
                                 "fn push(here: point) number { length(wind(here)) }\n";

static int fail(WorldEngine *engine, World *world) {
    fputs(world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN), stderr);
    world_engine_destroy(engine);
    return 1;
}

int main(void) {
    double strength = 3;
    WorldEngine *engine;
    World *world = NULL;
    WorldValue *level, *push;
    if (world_engine_create(&(WorldEngineDesc){0}, &engine) != WORLD_OK) return 2;
    if (world_register(engine, "tide(at: seconds, strength: meters = 1 m) meters",
                       (void (*)(void))tide, NULL) ||
        world_register(engine, "wind(here: point) direction", (void (*)(void))wind, &strength) ||
        world_open_text(engine, world_text, strlen(world_text), &(WorldDesc){.name = "tides"},
                        &world) ||
        world_ask(world, "level", &level) || world_ask(world, "push((4, 0, -2))", &push))
        return fail(engine, world);
    printf("level %s, wind %s\n", world_value_text(level), world_value_text(push));
    world_value_destroy(level);
    world_value_destroy(push);
    world_engine_destroy(engine);
    return 0;
}
