/* Worlds without an end: chunks are the same in any order and on any thread, come nearest first within a budget, go, and are made anew
 * when a zone reaches them, and only then. */
#include <limits.h>
#include <math.h>
#include <pthread.h>

#include "tests/support/host.h"

static const char text[] =
    "use worldgen\n"
    "field seed: seed = 4\n"
    "field zones: List[worldgen.zone] = []\n"
    "part land\n"
    "  fn height(here: point) meters { 6 m * fbm(here.x / 200 m, here.z / 200 m, seed: 2, octaves: "
    "3) + 3 m }\n"
    "  fn gradient(here: point) direction { (0, 0, 0) }\n"
    "  fn slope(here: point) number { 0 }\n"
    "  fn normal(here: point) direction { (0, 1, 0) }\n"
    "  fn curvature(here: point, over: meters) number { 0 }\n"
    "part pine\n"
    "part stone\n"
    "fn share(recipe: text, layer: text, density: number) worldgen.share { worldgen.share(recipe, "
    "layer, density) }\n"
    "field rules: worldgen.rules = worldgen.rules(\n"
    "    biomes: [worldgen.biome(\"wood\", conditions: [worldgen.condition(\"moisture\", min: 0.5, "
    "blend: 0.1)], transition: 20 m,\n"
    "                            recipes: [share(\"grove\", \"groups\", 0.8), share(\"stone\", "
    "\"stones\", 0.3)]),\n"
    "             worldgen.biome(\"heath\", conditions: [worldgen.condition(\"moisture\", max: "
    "0.5, blend: 0.1)],\n"
    "                            recipes: [share(\"grove\", \"groups\", 0.2), share(\"stone\", "
    "\"stones\", 0.6)])],\n"
    "    recipes: [worldgen.recipe(\"grove\", tags: [\"tree\"], anchor: worldgen.member(\"elder\", "
    "mesh: \"pine\", footprint: 1 m, canopy: 4 m),\n"
    "                  members: [worldgen.member(\"pine\", mesh: \"pine\", count: 2 ..= 5, ring: 5 "
    "m ..= 12 m, footprint: 1 m, canopy: 2 m)]),\n"
    "              worldgen.recipe(\"stone\", anchor: worldgen.member(\"stone\", mesh: \"stone\", "
    "footprint: 1 m))],\n"
    "    noise: [worldgen.noiseField(\"moisture\", scale: 150 m)],\n"
    "    layers: [worldgen.layer(\"groups\", spacing: 24 m, chunkSize: 96 m, drawDistance: 300 "
    "m),\n"
    "             worldgen.layer(\"stones\", spacing: 12 m, chunkSize: 48 m, drawDistance: 150 "
    "m)])\n"
    "part wilds: worldgen.world(rules: rules, over: land, zones: zones, kinds: "
    "[worldgen.kind(\"pine\", pine()), worldgen.kind(\"stone\", stone())])\n";

static int open_wilds(void **state) {
    return begin_host(state, (WorldEngineDesc){.threads = 2}, text);
}

/* What asks few chunks is sooner interpreted than compiled. */
static int open_interpreted(void **state) {
    return begin_host(state, (WorldEngineDesc){.threads = 2, .exec = WORLD_EXEC_INTERPRETER}, text);
}

/* Everything a table says, as one number. */
static uint64_t sum_of(const WorldTable *table) {
    uint64_t sum = 0xCBF29CE484222325u;
    for (size_t row = 0; row < world_table_rows(table); row++)
        for (int c = 0; c < world_table_columns(table); c++) {
            double vector[3] = {world_table_number(table, row, c), 0, 0};
            world_table_vector(table, row, c, vector);
            const char *said = world_table_text(table, row, c);
            for (size_t b = 0; b < sizeof vector; b++)
                sum = (sum ^ ((const unsigned char *)vector)[b]) * 0x100000001B3u;
            for (; *said; said++)
                sum = (sum ^ (unsigned char)*said) * 0x100000001B3u;
        }
    return sum;
}

static WorldFunction things_of(const Host *host) {
    WorldFunction function;
    must(host, world_function(host->world, "wilds.chunkThings", "fn(int, int, int, int) List[placed]",
                              &function));
    return function;
}

static WorldTable *chunk_of(const Host *host, WorldFunction things, int64_t layer, int64_t i,
                            int64_t j) {
    int64_t arguments[] = {layer, i, j, 0};
    WorldTable *table;
    must(host, world_call_table(host->world, things, arguments, &table));
    return table;
}

/* -- any order, any thread -- */

enum { SIDE = 6, CHUNKS = 2 * SIDE * SIDE, ORDERS = 20, THREADS = 2 };

typedef struct Asking {
    const Host *host;
    WorldFunction things;
    const uint64_t *wanted;
    uint32_t seed;
    int wrong; /* the number of the first chunk that differs, or -1 */
} Asking;

static uint64_t sum_at(const Host *host, WorldFunction things, int n) {
    WorldTable *table =
        chunk_of(host, things, n % 2, n / 2 % SIDE - SIDE / 2, n / 2 / SIDE - SIDE / 2);
    uint64_t sum = sum_of(table);
    world_table_destroy(table);
    return sum;
}

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void *ask_in_orders(void *user) {
    Asking *asking = user;
    for (int order = 0; order < ORDERS / THREADS && asking->wrong < 0; order++) {
        int numbers[CHUNKS];
        for (int n = 0; n < CHUNKS; n++)
            numbers[n] = n;
        for (int n = CHUNKS - 1; n > 0; n--) {
            int other = (int)(next_random(&asking->seed) % (uint32_t)(n + 1)), mine = numbers[n];
            numbers[n] = numbers[other];
            numbers[other] = mine;
        }
        for (int n = 0; n < CHUNKS && asking->wrong < 0; n++)
            if (sum_at(asking->host, asking->things, numbers[n]) != asking->wanted[numbers[n]])
                asking->wrong = numbers[n];
    }
    return NULL;
}

static void test_orders(void **state) {
    const Host *host = *state;
    static uint64_t wanted[CHUNKS];
    WorldFunction things = things_of(host);
    int differing = 0;
    for (int n = 0; n < CHUNKS; n++) {
        wanted[n] = sum_at(host, things, n);
        differing += wanted[n] != wanted[0];
    }
    assert_true(differing > CHUNKS / 2);
    pthread_t threads[THREADS];
    Asking asking[THREADS];
    for (int t = 0; t < THREADS; t++) {
        asking[t] = (Asking){host, things, wanted, (uint32_t)(77 + t), -1};
        assert_int_equal(pthread_create(&threads[t], NULL, ask_in_orders, &asking[t]), 0);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    for (int t = 0; t < THREADS; t++)
        if (asking[t].wrong >= 0)
            fail_msg("chunk %d of layer %d differs by the order", asking[t].wrong / 2,
                     asking[t].wrong % 2);
}

/* -- round a viewer -- */

typedef struct Seen {
    double x, z, last; /* the viewer; how far the chunk was that came last */
    size_t come, gone, things;
    bool in_order;
} Seen;

static void count_come(void *user, const WorldChunk *chunk) {
    Seen *seen = user;
    double dx = fmax(fmax(chunk->x - seen->x, seen->x - chunk->x - chunk->size), 0);
    double dz = fmax(fmax(chunk->z - seen->z, seen->z - chunk->z - chunk->size), 0);
    double distance = sqrt(dx * dx + dz * dz);
    seen->in_order = seen->in_order && distance >= seen->last;
    seen->last = distance;
    seen->come++;
    seen->things += world_table_rows(chunk->things);
}

static void count_go(void *user, const WorldChunk *chunk) {
    Seen *seen = user;
    seen->gone++;
    seen->things -= world_table_rows(chunk->things);
}

static WorldChunks *chunks_of(const Host *host, Seen *seen) {
    WorldChunks *chunks;
    *seen = (Seen){.in_order = true};
    WorldChunksDesc desc = {.size = sizeof desc, .come = count_come, .go = count_go, .user = seen};
    must(host, world_chunks_create(host->world, "wilds", &desc, &chunks));
    return chunks;
}

static size_t look_from(const Host *host, WorldChunks *chunks, Seen *seen, double x, double z,
                        double seconds) {
    size_t missing;
    seen->x = x;
    seen->z = z;
    seen->last = 0;
    must(host, world_chunks_update(chunks, x, z, seconds, &missing));
    assert_int_equal(world_chunks_count(chunks), seen->come - seen->gone);
    return missing;
}

static void test_budget(void **state) {
    const Host *host = *state;
    Seen seen;
    WorldChunks *chunks = chunks_of(host, &seen);
    size_t missing = look_from(host, chunks, &seen, 10, 10, 0);
    assert_int_equal(seen.come, 1); /* at least one, however little time there is */
    assert_int_equal(look_from(host, chunks, &seen, 10, 10, 0), missing - 1);
    assert_int_equal(look_from(host, chunks, &seen, 10, 10, 1000), 0);
    assert_int_equal(seen.come, missing + 1);
    assert_true(seen.in_order);
    assert_int_equal(look_from(host, chunks, &seen, 10, 10, 1000), 0);
    assert_int_equal(seen.come, missing + 1); /* nothing is made twice */
    look_from(host, chunks, &seen, 5000, 10, 0);
    assert_int_equal(world_chunks_count(chunks), 1); /* what is far went, all of it */
    world_chunks_destroy(chunks);
    assert_int_equal(seen.come, seen.gone);
    assert_int_equal(seen.things, 0);
}

typedef struct Counted {
    size_t now, most;
} Counted;

static void *count_bytes(void *user, void *pointer, size_t old_size, size_t new_size) {
    Counted *counted = user;
    __atomic_fetch_sub(&counted->now, old_size, __ATOMIC_RELAXED);
    size_t now = __atomic_add_fetch(&counted->now, new_size, __ATOMIC_RELAXED);
    if (now > counted->most) counted->most = now;
    if (new_size) return realloc(pointer, new_size);
    free(pointer);
    return NULL;
}

/* 20 km, and no more memory than the first kilometers took. */
static void test_flight(void **state) {
    (void)state;
    enum { METERS = 20000, STEP = 200, WARM = 3000 };
    Counted counted = {0};
    Host host =
        open_host((WorldEngineDesc){.threads = 1, .allocator = {count_bytes, &counted}}, text);
    Seen seen;
    WorldChunks *chunks = chunks_of(&host, &seen);
    size_t warm = 0, most_chunks = 0;
    for (int x = 0; x <= METERS; x += STEP) {
        assert_int_equal(look_from(&host, chunks, &seen, x, 0.1 * x, 1000), 0);
        if (world_chunks_count(chunks) > most_chunks) most_chunks = world_chunks_count(chunks);
        if (x == WARM) warm = counted.most;
    }
    print_message("20 km: %zu chunks made, at most %zu held, %zu KiB at most\n", seen.come,
                  most_chunks, counted.most / 1024);
    assert_true(most_chunks < 200);
    assert_true(counted.most < warm + warm / 10);
    world_chunks_destroy(chunks);
    world_engine_destroy(host.engine);
    assert_int_equal(counted.now, 0);
}

/* -- zones -- */

enum { KEPT = 256 };

typedef struct Record { /* of the chunks that stand: which, and what they hold */
    Seen seen;
    int count;
    struct {
        int layer;
        int64_t i, j;
        uint64_t sum;
    } items[KEPT];
} Record;

static int layer_number(const WorldChunk *chunk) {
    return strcmp(chunk->layer, "stones") == 0;
}

static int find_record(const Record *record, const WorldChunk *chunk) {
    for (int n = 0; n < record->count; n++)
        if (record->items[n].layer == layer_number(chunk) && record->items[n].i == chunk->i &&
            record->items[n].j == chunk->j)
            return n;
    return record->count;
}

static void record_come(void *user, const WorldChunk *chunk) {
    Record *record = user;
    int n = find_record(record, chunk);
    assert_true(n < KEPT);
    if (n == record->count) record->count++;
    record->items[n].layer = layer_number(chunk);
    record->items[n].i = chunk->i;
    record->items[n].j = chunk->j;
    record->items[n].sum = sum_of(chunk->things);
    record->seen.come++;
}

static void record_go(void *user, const WorldChunk *chunk) {
    (void)chunk;
    ((Record *)user)->seen.gone++;
}

/* Every chunk is what it would be if it were made now. */
static void assert_fresh(const Host *host, const Record *record) {
    WorldFunction things = things_of(host);
    for (int n = 0; n < record->count; n++) {
        WorldTable *table =
            chunk_of(host, things, record->items[n].layer, record->items[n].i, record->items[n].j);
        if (sum_of(table) != record->items[n].sum)
            fail_msg("layer %d, chunk %d,%d is not what it would be now", record->items[n].layer,
                     (int)record->items[n].i, (int)record->items[n].j);
        world_table_destroy(table);
    }
}

static size_t remade(const Host *host, WorldChunks *chunks, Record *record) {
    size_t before = record->seen.come, gone = record->seen.gone;
    must(host, world_chunks_update(chunks, 10, 10, 1000, NULL));
    assert_int_equal(record->seen.come - before, record->seen.gone - gone); /* one for one */
    return record->seen.come - before;
}

static void test_zones(void **state) {
    const Host *host = *state;
    static Record record;
    record = (Record){0};
    WorldChunks *chunks;
    WorldChunksDesc desc = {
        .size = sizeof desc, .come = record_come, .go = record_go, .user = &record};
    must(host, world_chunks_create(host->world, "wilds", &desc, &chunks));
    must(host, world_chunks_update(chunks, 10, 10, 1000, NULL));
    size_t all = world_chunks_count(chunks);
    assert_int_equal(remade(host, chunks, &record), 0);
    must(host, world_set(host->world, "zones",
                         "[worldgen.zone(\"home\", at: (60, 0, 60), radius: 10 m)]"));
    size_t reached = remade(host, chunks, &record);
    print_message("a zone of 10 m reaches %zu of %zu chunks\n", reached, all);
    assert_true(reached > 0 && reached < all / 4);
    assert_fresh(host, &record);
    assert_int_equal(remade(host, chunks, &record), 0);
    must(host, world_set(host->world, "zones",
                         "[worldgen.zone(\"far\", at: (9000, 0, 60), radius: 10 m), "
                         "worldgen.zone(\"home\", at: (60, 0, 60), radius: 10 m)]"));
    assert_int_equal(remade(host, chunks, &record), 0);
    must(host, world_set(host->world, "zones", "[]"));
    assert_int_equal(remade(host, chunks, &record), reached);
    assert_fresh(host, &record);
    must(host, world_set(host->world, "seed", "9"));
    assert_int_equal(remade(host, chunks, &record), all); /* another world */
    assert_fresh(host, &record);
    world_chunks_destroy(chunks);
}

/* -- changes by hand -- */

/* Another chunk of a layer is not made again for a tree that is felled, moved or added in one. */
static void test_changes(void **state) {
    const Host *host = *state;
    static Record record;
    record = (Record){0};
    WorldChunks *chunks;
    WorldChunksDesc desc = {.size = sizeof desc, .come = record_come, .go = record_go, .user = &record};
    must(host, world_set(host->world, "wilds.changes", "editLog(file: \"\", edits: [])"));
    must(host, world_chunks_create(host->world, "wilds", &desc, &chunks));
    must(host, world_chunks_update(chunks, 10, 10, 1000, NULL));
    WorldTable *table = chunk_of(host, things_of(host), 0, 0, 0);
    assert_true(world_table_rows(table) > 3);
    char felled[200], moved[200], set[1000];
    int id = world_table_find(table, "id");
    snprintf(felled, sizeof felled, "%s", world_table_text(table, 0, id));
    snprintf(moved, sizeof moved, "%s", world_table_text(table, 2, id));
    size_t before = world_table_rows(table);
    world_table_destroy(table);
    snprintf(set, sizeof set, "editLog(file: \"\", edits: [edit(action: remove, id: \"%s\")])", felled);
    must(host, world_set(host->world, "wilds.changes", set));
    assert_int_equal(remade(host, chunks, &record), 1);
    assert_fresh(host, &record);
    table = chunk_of(host, things_of(host), 0, 0, 0);
    assert_int_equal(world_table_rows(table), before - 1);
    world_table_destroy(table);
    /* Moved far away, a thing comes with the chunk that it was planned in; one that is added is where it ends up, here (1, -1) of the first layer. */
    snprintf(set, sizeof set,
             "editLog(file: \"\", edits: [edit(action: remove, id: \"%s\"), edit(action: change, id: \"%s\", x: 250 m), edit(action: add, id: \"+1\", kind: "
             "stone, x: 5 m, z: 5 m), edit(action: change, id: \"+1\", x: 100 m, z: -3 m)])",
             felled, moved);
    must(host, world_set(host->world, "wilds.changes", set));
    assert_int_equal(remade(host, chunks, &record), 2);
    assert_fresh(host, &record);
    must(host, world_set(host->world, "wilds.changes", "editLog(file: \"\", edits: [edit(action: remove, id: \"groups@1:x,/no\"), edit(action: remove, id: \"?\")])"));
    assert_int_equal(remade(host, chunks, &record), 2); /* all taken back; of ids that are none, nothing */
    assert_fresh(host, &record);
    world_chunks_destroy(chunks);
}

/* -- a planet -- */

static const char ball[] =
    "use worldgen\n"
    "field zones: List[worldgen.zone] = []\n"
    "field reach: meters = 500 m\n"
    "part pine\n"
    "field rules: worldgen.rules = worldgen.rules(\n"
    "    biomes: [worldgen.biome(\"wood\", conditions: [worldgen.condition(\"latitude\", max: 80, blend: 5)], recipes: [worldgen.share(\"pine\", \"trees\", 0.6)])],\n"
    "    recipes: [worldgen.recipe(\"pine\", anchor: worldgen.member(\"pine\", mesh: \"pine\", footprint: 1 m))],\n"
    "    layers: [worldgen.layer(\"trees\", spacing: 30 m, chunkSize: 200 m, drawDistance: reach)])\n"
    "part planet: worldgen.world(rules: rules, surface: planet, radius: 1 km, ground: up => 20 m * fbm3(up.x * 3, up.y * 3, up.z * 3, seed: 1, octaves: 2), zones: zones,\n"
    "    kinds: [worldgen.kind(\"pine\", pine())])\n";

typedef struct Globe { /* what stands by chunks now, as a sum of its ids' hashes, and of which faces */
    size_t come, gone, things;
    uint64_t ids;
    unsigned faces;
    const WorldTable *held[64]; /* those that came first */
} Globe;

static void count_ids(Globe *globe, const WorldTable *things, uint64_t sign) {
    int id = world_table_find(things, "id");
    for (size_t row = 0; row < world_table_rows(things); row++) {
        uint64_t sum = 0xCBF29CE484222325u;
        for (const char *said = world_table_text(things, row, id); *said; said++)
            sum = (sum ^ (unsigned char)*said) * 0x100000001B3u;
        globe->ids += sign * sum;
    }
    globe->things += sign * world_table_rows(things);
}

static void globe_come(void *user, const WorldChunk *chunk) {
    Globe *globe = user;
    if (globe->come < sizeof globe->held / sizeof *globe->held) globe->held[globe->come] = chunk->things;
    globe->come++;
    globe->faces |= 1u << chunk->face;
    count_ids(globe, chunk->things, 1);
}

static bool holds(const Globe *globe, const char *id) {
    for (size_t n = 0; n < globe->come; n++)
        for (size_t row = 0; row < world_table_rows(globe->held[n]); row++)
            if (strcmp(world_table_text(globe->held[n], row, world_table_find(globe->held[n], "id")), id) == 0) return true;
    return false;
}

static void globe_go(void *user, const WorldChunk *chunk) {
    Globe *globe = user;
    globe->gone++;
    count_ids(globe, chunk->things, (uint64_t)-1);
}

/* All that stands within reach of the viewer is there, over edges and corners of faces as well; round the whole planet nothing is left
 * behind; all of it, seen from everywhere, is each thing once. */
static void test_planet(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 2, .exec = WORLD_EXEC_INTERPRETER}, ball);
    Globe globe = {0};
    WorldChunks *chunks;
    size_t missing, most = 0;
    WorldChunksDesc desc = {.size = sizeof desc, .come = globe_come, .go = globe_go, .user = &globe};
    must(&host, world_chunks_create(host.world, "planet", &desc, &chunks));
    const double corner[3] = {900, 900, 900};
    must(&host, world_chunks_update_at(chunks, corner, 1000, &missing));
    assert_int_equal(missing, 0);
    assert_int_equal(globe.faces, 1u << 0 | 1u << 2 | 1u << 4);
    WorldTable *table;
    must(&host, world_table(host.world, "planet.placementsNear((900, 900, 900), 500 m)", &table));
    assert_true(world_table_rows(table) > 100 && globe.things > world_table_rows(table));
    assert_true(globe.come <= sizeof globe.held / sizeof *globe.held);
    for (size_t row = 0; row < world_table_rows(table); row++)
        assert_true(holds(&globe, world_table_text(table, row, world_table_find(table, "id"))));
    world_table_destroy(table);
    /* A zone at the corner makes anew just what it reaches. */
    size_t all = world_chunks_count(chunks), before = globe.come;
    must(&host, world_set(host.world, "zones", "[worldgen.zone(\"home\", at: (900, 900, 900), radius: 20 m)]"));
    must(&host, world_chunks_update_at(chunks, corner, 1000, &missing));
    print_message("a zone at a corner of faces reaches %zu of %zu chunks\n", globe.come - before, all);
    assert_true(globe.come - before >= 3 && globe.come - before < all / 3);
    must(&host, world_set(host.world, "zones", "[]"));
    for (int n = 0; n <= 24; n++) {
        double at[3] = {1500 * cos(n * 0.2617993877991494), 1500 * sin(n * 0.2617993877991494), 40};
        must(&host, world_chunks_update_at(chunks, at, 1000, &missing));
        if (world_chunks_count(chunks) > most) most = world_chunks_count(chunks);
        assert_int_equal(world_chunks_count(chunks), globe.come - globe.gone);
    }
    assert_true(most < 60);
    world_chunks_destroy(chunks);
    assert_int_equal(globe.things, 0);
    assert_true(globe.ids == 0);
    /* All of it. */
    Globe whole = {0}, known = {0};
    desc.user = &whole;
    desc.keep = 5000;
    must(&host, world_chunks_create(host.world, "planet", &desc, &chunks));
    static const double ends[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    must(&host, world_set(host.world, "reach", "1500 m"));
    for (int n = 0; n < 6; n++)
        must(&host, world_chunks_update_at(chunks, ends[n], 1000, &missing));
    must(&host, world_table(host.world, "planet.placementsNear((0, 1, 0), 3 km)", &table));
    count_ids(&known, table, 1);
    world_table_destroy(table);
    assert_int_equal(whole.things, known.things);
    assert_true(whole.ids == known.ids);
    world_chunks_destroy(chunks);
    world_engine_destroy(host.engine);
}

/* -- a scene that follows an eye -- */

static const char drawn[] =
    "use worldgen\n"
    "use shapes\n"
    "field zones: List[worldgen.zone] = []\n"
    "part land\n"
    "  fn height(here: point) meters { 1 m }\n"
    "  fn gradient(here: point) direction { (0, 0, 0) }\n"
    "  fn slope(here: point) number { 0 }\n"
    "  fn normal(here: point) direction { (0, 1, 0) }\n"
    "  fn curvature(here: point, over: meters) number { 0 }\n"
    "part pine: shapes.cone(radius: 1 m, height: 6 m, sides: 5)\n"
    "field rules: worldgen.rules = worldgen.rules(\n"
    "    biomes: [worldgen.biome(\"wood\", recipes: [worldgen.share(\"pine\", \"trees\", 0.8)])],\n"
    "    recipes: [worldgen.recipe(\"pine\", anchor: worldgen.member(\"pine\", mesh: \"pine\", footprint: 1 m))],\n"
    "    layers: [worldgen.layer(\"trees\", spacing: 25 m, chunkSize: 100 m, drawDistance: 160 m)])\n"
    "part wilds: worldgen.world(rules: rules, over: land, zones: zones, kinds: [worldgen.kind(\"pine\", pine())])\n";

static WorldStatus follow(WorldStream *stream, double x, const WorldScene **scene) {
    size_t missing;
    WorldStatus status = world_stream_scene(stream, (const double[3]){x, 20, 0}, 1000, &missing, scene);
    if (status == WORLD_OK) assert_int_equal(missing, 0);
    return status;
}

/* The scene holds just what the chunks' functions answer within reach, each by its id. */
static void assert_round(const Host *host, const WorldScene *scene, double x) {
    char asked[300];
    WorldTable *table;
    snprintf(asked, sizeof asked, "wilds.plan.chunksNear(rules.layers[0], (%g, 20, 0), 160 m).map(c => wilds.chunkThings(0, c.i, c.j)).flatten()", x);
    must(host, world_table(host->world, asked, &table));
    int id = world_table_find(table, "id");
    size_t copies = 0;
    for (size_t g = 0; g < scene->instance_count; g++) copies += scene->instances[g].count;
    assert_true(copies == scene->thing_count && copies >= world_table_rows(table) && world_table_rows(table) > 20);
    for (size_t row = 0; row < world_table_rows(table); row++) {
        size_t found = 0;
        for (size_t t = 0; t < scene->thing_count; t++) found += strcmp(scene->things[t]->id, world_table_text(table, row, id)) == 0;
        assert_int_equal(found, 1);
    }
    world_table_destroy(table);
}

static void test_stream(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.threads = 1, .exec = WORLD_EXEC_INTERPRETER}, drawn);
    WorldStream *stream;
    const WorldScene *scene, *again, *bare;
    must(&host, world_stream_create(host.world, &stream));
    must(&host, follow(stream, 10, &scene));
    assert_round(&host, scene, 10);
    must(&host, follow(stream, 11, &again));
    assert_ptr_equal(again, scene); /* nothing came */
    must(&host, world_scene(host.world, &bare));
    assert_int_equal(bare->thing_count, 0); /* what streams bring it leaves out */
    uint64_t shape = scene->shape;
    must(&host, follow(stream, 4000, &scene));
    assert_true(scene->shape == shape && scene->instances != bare->instances);
    assert_round(&host, scene, 4000);
    /* Little by little. */
    size_t missing, before = scene->thing_count, calls = 1;
    must(&host, world_stream_scene(stream, (const double[3]){9000, 0, 0}, 0, &missing, &scene));
    assert_true(missing > 3);
    for (; missing; calls++) must(&host, world_stream_scene(stream, (const double[3]){9000, 0, 0}, 0, &missing, &scene));
    assert_true(calls > 4 && scene->thing_count > before / 2);
    assert_round(&host, scene, 9000);
    /* What is set is seen, and a text that is read again. */
    must(&host, world_set(host.world, "zones", "[worldgen.zone(\"bare\", at: (9000, 0, 0), radius: 400 m, excludes: [\"*\"])]"));
    must(&host, follow(stream, 9000, &scene));
    assert_int_equal(scene->thing_count, 0);
    must(&host, world_set(host.world, "zones", "[]"));
    must(&host, follow(stream, 9000, &scene));
    assert_round(&host, scene, 9000);
    must(&host, world_reload(host.world));
    must(&host, follow(stream, 9000, &scene));
    assert_round(&host, scene, 9000);
    /* Round its own viewer, and without a stream. */
    must(&host, world_stream_scene(stream, NULL, 1000, &missing, &scene));
    assert_round(&host, scene, 0);
    assert_int_equal(world_stream_scene(stream, (const double[3]){NAN, 0, 0}, 1, NULL, &scene), WORLD_ERROR_ARGUMENT);
    world_stream_destroy(stream);
    must(&host, world_scene(host.world, &bare));
    assert_true(bare->thing_count > 20);
    world_engine_destroy(host.engine);
}

/* 5 km, and no more memory than the first took. */
static void test_stream_far(void **state) {
    (void)state;
    Counted counted = {0};
    Host host = open_host((WorldEngineDesc){.threads = 1, .exec = WORLD_EXEC_INTERPRETER, .allocator = {count_bytes, &counted}}, drawn);
    WorldStream *stream;
    const WorldScene *scene;
    size_t warm = 0;
    must(&host, world_stream_create(host.world, &stream));
    for (int x = 0; x <= 5000; x += 100) {
        must(&host, follow(stream, x, &scene));
        assert_true(scene->thing_count > 40 && scene->thing_count < 1000 && scene->mesh_count == 1);
        if (x == 1000) warm = counted.most;
    }
    print_message("a stream over 5 km: %zu KiB at most, %zu after 1 km\n", counted.most / 1024, warm / 1024);
    assert_true(counted.most < warm + warm / 20);
    world_stream_destroy(stream);
    world_engine_destroy(host.engine);
    assert_int_equal(counted.now, 0);
}

static WorldStatus live_stream(Scarce *scarce) {
    WorldEngineDesc desc = scarce_desc(scarce);
    WorldEngine *engine = NULL;
    World *world = NULL;
    WorldStream *stream = NULL;
    const WorldScene *scene;
    WorldStatus status = world_engine_create(&desc, &engine);
    if (status == WORLD_OK) status = world_open_text(engine, drawn, strlen(drawn), &(WorldDesc){0}, &world);
    if (status == WORLD_OK) status = world_stream_create(world, &stream);
    for (int n = 0; status == WORLD_OK && n < 3; n++) status = follow(stream, 50 * n, &scene);
    world_stream_destroy(stream);
    world_engine_destroy(engine);
    return status;
}

static void test_stream_in_scarcity(void **state) {
    (void)state;
    assert_scarcity(live_stream);
}

/* -- what is kept, what fails -- */

/* However far past its reach a host keeps chunks, none is listed for that: what there is is looked at. */
static void test_keep(void **state) {
    const Host *host = *state;
    Seen seen = {0};
    WorldChunks *chunks;
    WorldChunksDesc desc = {.size = sizeof desc, .come = count_come, .go = count_go, .user = &seen, .keep = 1e7};
    must(host, world_chunks_create(host->world, "wilds", &desc, &chunks));
    assert_int_equal(look_from(host, chunks, &seen, 10, 10, 1000), 0);
    size_t first = seen.come;
    assert_int_equal(look_from(host, chunks, &seen, 5000, 10, 1000), 0);
    assert_int_equal(seen.gone, 0);
    assert_int_equal(look_from(host, chunks, &seen, 10, 10, 1000), 0);
    assert_true(seen.come > first);
    assert_int_equal(seen.gone, 0);
    size_t all = seen.come;
    look_from(host, chunks, &seen, 3e7, 10, 0);
    assert_int_equal(seen.gone, all);
    world_chunks_destroy(chunks);
    /* As near as its own side past the reach, when nothing is said: 300 m and 96, 150 m and 48. */
    chunks = chunks_of(host, &seen);
    look_from(host, chunks, &seen, 10, 10, 1000);
    first = seen.gone;
    look_from(host, chunks, &seen, 10 + 40, 10, 1000);
    assert_int_equal(seen.gone, first);
    look_from(host, chunks, &seen, 10 + 200, 10, 1000);
    assert_true(seen.gone > first && seen.gone < seen.come);
    world_chunks_destroy(chunks);
}

/* A part of the author's own may answer as a world that worldgen.world made does: here of many small chunks, so that lists of them grow. */
static const char many[] =
    "use worldgen\n"
    "part a\n"
    "  field base: int = 1\n"
    "  field kinds: int = 1\n"
    "  fn chunkLayers() List[worldgen.chunkLayer] { [worldgen.chunkLayer(id: \"all\", size: 1 m, reach: 700 m)] }\n"
    "  fn chunksNear(layer: int, viewer: point, within: meters) List[worldgen.chunkPlace] {\n"
    "    (0 ..< 700).toList().map(i => worldgen.chunkPlace(face: 0, i: i, j: 0, x: i * 1 m, z: 0 m, size: 1 m, distance: i * 1 m))\n"
    "  }\n"
    "  fn chunkFar(layer: int, i: int, j: int, face: int, viewer: point) meters { abs(i * 1 m - viewer.x) }\n"
    "  fn chunkThings(layer: int, i: int, j: int, face: int) List[placed] { [] }\n"
    "  fn chunkState(layer: int, i: int, j: int, face: int) u32 { u32(0) }\n";

static WorldStatus make_all(const Host *host, const WorldChunksDesc *desc) {
    WorldChunks *chunks;
    WorldStatus status = world_chunks_create(host->world, "a", desc, &chunks);
    if (status != WORLD_OK) return status;
    status = world_chunks_update(chunks, 0, 0, 1000, NULL);
    world_chunks_destroy(chunks);
    return status;
}

/* Whatever allocation fails, it says so, and nothing is lost. */
static void test_scarce(void **state) {
    (void)state;
    Scarce scarce = {.limit = LONG_MAX};
    Host host = open_host(scarce_desc(&scarce), many);
    Seen seen = {0};
    WorldChunksDesc desc = {.size = sizeof desc, .come = count_come, .go = count_go, .user = &seen};
    must(&host, make_all(&host, &desc)); /* what is worked out once is there */
    assert_int_equal(seen.come, 700);
    long held = scarce.held;
    WorldStatus status = WORLD_ERROR_MEMORY;
    for (long wishes = 0; status != WORLD_OK; wishes += 1 + wishes / 32) {
        scarce.limit = scarce.wishes + wishes;
        status = make_all(&host, &desc);
        scarce.limit = LONG_MAX;
        if (status != WORLD_OK) assert_int_equal(status, WORLD_ERROR_MEMORY);
        if (scarce.held != held) fail_msg("%ld blocks lost when wish %ld failed", scarce.held - held, wishes + 1);
    }
    assert_int_equal(seen.come, seen.gone);
    world_engine_destroy(host.engine);
    assert_int_equal(scarce.held, 0);
}

/* A part of the author's own whose functions are called as those are that a host asks, and are of other types. */
static void test_other_types(void **state) {
    (void)state;
    Host host = open_host((WorldEngineDesc){.exec = WORLD_EXEC_INTERPRETER},
                          "part a\n"
                          "  fn chunkThings(layer: int, i: int, j: int, face: int) List[placed] { [] }\n"
                          "  fn chunkState(layer: int, i: int, j: int, face: int) u32 { u32(0) }\n"
                          "  fn chunksNear(layer: int, viewer: number, within: meters) List[int] { [1] }\n");
    WorldChunks *chunks = NULL;
    WorldChunksDesc desc = {.size = sizeof desc};
    assert_int_equal(world_chunks_create(host.world, "a", &desc, &chunks), WORLD_ERROR_ARGUMENT);
    assert_null(chunks);
    assert_non_null(strstr(world_diagnostics_text(host.engine, host.world, WORLD_STYLE_HUMAN), "fn(int, point, meters) List[chunkPlace]"));
    world_engine_destroy(host.engine);
}

static void test_refused(void **state) {
    const Host *host = *state;
    WorldChunks *chunks = NULL;
    WorldChunksDesc desc = {.size = sizeof desc};
    assert_int_not_equal(world_chunks_create(host->world, "land", &desc, &chunks), WORLD_OK);
    assert_int_not_equal(world_chunks_create(host->world, "nothing", &desc, &chunks), WORLD_OK);
    assert_int_equal(world_chunks_create(host->world, NULL, &desc, &chunks), WORLD_ERROR_ARGUMENT);
    assert_int_equal(world_chunks_create(host->world, "wilds", &(WorldChunksDesc){0}, &chunks),
                     WORLD_ERROR_ARGUMENT);
    assert_null(chunks);
    must(host, world_chunks_create(host->world, "wilds", &desc,
                                   &chunks)); /* hooks are the host's to leave out */
    assert_int_equal(world_chunks_update(chunks, NAN, 0, 1, NULL), WORLD_ERROR_ARGUMENT);
    must(host, world_set(host->world, "wilds.version", "7"));
    assert_int_equal(world_chunks_update(chunks, 0, 0, 0, NULL), WORLD_ERROR_WORLD);
    assert_first_id(host, host->world, "E0512");
    must(host, world_set(host->world, "wilds.version", "1"));
    must(host, world_chunks_update(chunks, 0, 0, 0, NULL));
    world_chunks_destroy(chunks);
    world_chunks_destroy(NULL);
    int64_t arguments[4] = {0};
    WorldTable *table;
    WorldFunction height;
    must(host, world_function(host->world, "land.height", NULL, &height));
    assert_int_equal(world_call_table(host->world, height, arguments, &table),
                     WORLD_ERROR_NOT_FOUND);
    assert_int_equal(world_call_table(host->world, things_of(host), NULL, &table),
                     WORLD_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_orders, open_wilds, end_host),
        cmocka_unit_test_setup_teardown(test_budget, open_interpreted, end_host),
        cmocka_unit_test(test_flight),
        cmocka_unit_test_setup_teardown(test_zones, open_interpreted, end_host),
        cmocka_unit_test_setup_teardown(test_changes, open_interpreted, end_host),
        cmocka_unit_test(test_planet),
        cmocka_unit_test_setup_teardown(test_keep, open_interpreted, end_host),
        cmocka_unit_test(test_scarce),
        cmocka_unit_test(test_other_types),
        cmocka_unit_test_setup_teardown(test_refused, open_interpreted, end_host),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_stream_far),
        cmocka_unit_test(test_stream_in_scarcity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
