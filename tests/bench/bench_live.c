/* A world that runs: ten thousand spawned parts that act every tick, one field of a hundred thousand parts, and birds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/table.h"
#include "world/world.h"

enum { PARTS = 10000, TURNS = 15 };

static const char sparks_text[] = "part spark\n  field n: number = 0\n  on(every(1 ms), { n += 0.5 })\n"
                                  "part fire\n  on(became(clock.tick > 1), { each i in 0 ..< 10000 { spawn(spark(n: i), under: self) } })\n";

static const char posts_text[] = "part row\n  field height: meters = 1 m\n  field unread = 1\n"
                                 "  each i in 0 ..< 100000 { part post[i], at: (i * 1 m, 0 m, 0 m) }\n"
                                 "  on(every(1 ms), { height += 1 m })\n"
                                 "field high: meters = row.height * 2\n";

static const char birds_text[] = "use boidflock\nfield step: seconds = 1 s / 30\n"
                                 "fn hills(p: point) meters { 30 m * smooth(0, 0.8, value2(p.x / 60 m, p.z / 60 m, 3).value) }\n"
                                 "part birds: boidflock.flocks(ground: hills, kin: (0 ..< 5882).toList().map(i =>\n"
                                 "    boidflock.flock(home: (i % 77 * 80 m, 0 m, floor(i / 77) * 80 m))))\n";

static World *open_world(WorldEngine *engine, const char *text) {
    World *world = NULL;
    bench_require(world_open_text(engine, text, strlen(text), &(WorldDesc){0}, &world) == WORLD_OK, "a world that runs opens");
    return world;
}

static void tick(void *user) {
    bench_require(world_tick(user) == WORLD_OK, "a tick is good");
}

/* The same by hand: who is due, then one number each. */
typedef struct Spark {
    double n, period;
    long origin, fired;
} Spark;

typedef struct Fire {
    Spark sparks[PARTS];
    long tick;
} Fire;

static void tick_by_hand(void *user) {
    Fire *fire = user;
    fire->tick++;
    for (int i = 0; i < PARTS; i++) {
        Spark *spark = &fire->sparks[i];
        long count = (long)((double)(fire->tick - spark->origin) / 60 / spark->period + 1e-6);
        if (count <= spark->fired) continue;
        spark->fired = count;
        spark->n += 0.5;
    }
}

static void run_sparks(WorldEngine *engine) {
    static Fire fire;
    World *world = open_world(engine, sparks_text);
    for (int i = 0; i < PARTS; i++)
        fire.sparks[i] = (Spark){i, 1e-3, 0, 0};
    for (int i = 0; i < 60; i++)
        tick(world);
    BenchSide sides[] = {{tick, world, 0}, {tick_by_hand, &fire, 0}};
    bench_measure(sides, 2, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"10 000 spawned parts, each acting: a tick", "ms", sides[0].seconds * 1e3, sides[1].seconds * 1e3, BENCH_TIME, 6});
    world_close(world);
}

static void run_field(WorldEngine *engine) {
    World *world = open_world(engine, posts_text);
    bench_require(world_build(world) == WORLD_OK, "a hundred thousand parts build");
    tick(world);
    tick(world);
    BenchSide side = {tick, world, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"one field set beside 100 000 parts: a tick", "us", side.seconds * 1e6, 0, BENCH_TIME, 100});
    world_close(world);
}

static void run_birds(WorldEngine *engine) {
    World *world = open_world(engine, birds_text);
    for (int i = 0; i < 30; i++)
        tick(world);
    BenchSide side = {tick, world, 0};
    bench_measure(&side, 1, TURNS, BENCH_CPU);
    bench_row(&(BenchRow){"100 000 birds in flocks of 17: a tick", "ms", side.seconds * 1e3, 0, BENCH_TIME, 60});
    world_close(world);
}

void bench_live(const BenchPlace *place) {
    WorldEngine *engine;
    (void)place;
    bench_require(world_engine_create(&(WorldEngineDesc){.threads = 1}, &engine) == WORLD_OK, "an engine");
    run_sparks(engine);
    run_field(engine);
    run_birds(engine);
    world_engine_destroy(engine);
}
