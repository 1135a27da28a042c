/* A world twice: compiled ahead of time, and in an engine; every function that the header has is asked the same thousands of
 * things, one by one and many at once, and the answers are the same to the bit. ahead.py writes asked.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <world/world.h>

#include "asked.h" /* OPEN, and `asked`: what the engine calls each function, and its number */

enum { SINGLES = 300, ROWS = 4000, SLOTS = 64 };

static void fail(const char *name, const char *what) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

/* Numbers as places have them, on the ground and past it; whole numbers, truths: by what the engine takes. */
static uint64_t random_state = 1;
static double draw(double low, double high) {
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return low + (high - low) * (double)(random_state >> 11) / 9007199254740992.0;
}

static void fill(WorldAheadSlot *rows, size_t count, const char *letters) {
    size_t width = strlen(letters);
    for (size_t i = 0; i < count * width; i++) {
        char letter = letters[i % width];
        if (letter == 'F')
            rows[i].f = draw(-300, 300);
        else
            rows[i].w = (uint64_t)draw(0, letter == 'B' ? 2 : 40);
    }
}

/* The same status, and after a good call the same bits; what is no number has many. */
static int check_same(const char *name, WorldStatus want, WorldAheadStatus have, const WorldAheadSlot *a, const WorldAheadSlot *b,
                      const char *letters, size_t count) {
    if ((want == WORLD_OK) != (have == WORLD_AHEAD_OK)) fail(name, "one of the two failed");
    size_t height = strlen(letters);
    for (size_t i = 0; want == WORLD_OK && i < count * height; i++) {
        int none = letters[i % height] == 'F' && a[i].f != a[i].f && b[i].f != b[i].f;
        if (!none && a[i].w != b[i].w) fail(name, "the answers differ");
    }
    return want == WORLD_OK;
}

static void compare(World *world, WorldAhead *ahead, int index) {
    static WorldAheadSlot rows[ROWS * SLOTS], want[ROWS * SLOTS], have[ROWS * SLOTS];
    const char *name = asked[index].name;
    WorldFunction function;
    int width, good = 0;
    if (world_function(world, name, NULL, &function) != WORLD_OK) fail(name, "the engine does not know it");
    world_function_shape(world, function, &width, NULL);
    if (width != (int)strlen(asked[index].letters)) fail(name, "takes something else");
    fill(rows, ROWS, asked[index].letters);
    const char *results = world_function_letters(world, function);
    for (int i = 0; i < SINGLES; i++) {
        const WorldAheadSlot *row = rows + i * width;
        WorldStatus status = world_call(world, function, row, want);
        good += check_same(name, status, world_ahead_call(ahead, asked[index].number, 1, row, have), want, have, results, 1);
    }
    WorldStatus status = world_call_batch(world, function, ROWS, rows, want);
    check_same(name, status, world_ahead_call(ahead, asked[index].number, ROWS, rows, have), want, have, results, ROWS);
    if (good == 0) fail(name, "never has an answer");
}

int main(int argc, char **argv) {
    WorldEngine *engine;
    World *world;
    WorldAhead *ahead;
    WorldEngineDesc desc = {.exec = sizeof(void *) == 4 ? WORLD_EXEC_INTERPRETER : WORLD_EXEC_DEFAULT}; /* nothing is compiled within WebAssembly */
    if (argc != 2 || world_engine_create(&desc, &engine) != WORLD_OK) return 2;
    if (world_open_file(engine, argv[1], &(WorldDesc){0}, &world) != WORLD_OK) fail(argv[1], "does not open");
    if (OPEN(NULL, &ahead) != WORLD_AHEAD_OK) fail(argv[1], "does not open, compiled");
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        compare(world, ahead, (int)i);
    WorldAhead *other;
    WorldAheadSlot slot;
    if (world_ahead_open(&IMAGE, 1, NULL, &other) != WORLD_AHEAD_OTHER) fail("a key of another object", "is taken");
    if (world_ahead_call(ahead, -1, 1, &slot, &slot) != WORLD_AHEAD_ARGUMENT) fail("no function", "is called");
    world_ahead_close(ahead);
    world_engine_destroy(engine);
    printf("%zu functions\n", sizeof asked / sizeof *asked);
    return 0;
}
