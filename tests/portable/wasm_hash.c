/* The engine as WebAssembly, without what a hash has no use for: prints the hash of each world it is given. */
#include <inttypes.h>
#include <stdio.h>
#include <world/world.h>

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        WorldEngine *engine;
        World *world;
        uint64_t hash = 0;
        if (world_engine_create(&(WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER, .threads = 1}, &engine) != WORLD_OK) return 2;
        WorldStatus status = world_open_file(engine, argv[i], &(WorldDesc){0}, &world);
        bool open = status == WORLD_OK;
        if (open) status = world_hash(world, &hash);
        if (status != WORLD_OK) {
            fputs(world_diagnostics_text(engine, open ? world : NULL, WORLD_STYLE_ONE_LINE), stderr);
            return 1;
        }
        printf("%016" PRIx64 "\n", hash);
        world_engine_destroy(engine);
    }
    return 0;
}
