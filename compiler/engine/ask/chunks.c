/* Chunks that come and go round a viewer.
 *
 * What stands in a chunk the world's own functions say (stdlib/worldgen: chunkLayers, chunkThings, chunkState); here is only
 * which are wanted, in what order, and which are not what they were. After something was set, all are another when the plan
 * without its zones is, else those whose state is: a zone that is set makes anew just the chunks it reaches.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/engine/ask/ask.h"
#include "runtime/base/clock.h"
#include "runtime/rt/cell.h"

enum { BUCKETS = 1024, PATH_MOST = 256 };

typedef struct Chunk Chunk;
struct Chunk {
    int layer;
    int64_t i, j;
    uint32_t state;
    bool old; /* another would be made now */
    WorldTable *things;
    Chunk *next; /* of its bucket, or of the free ones */
};

typedef struct Layer {
    const char *id; /* of `layers` */
    double size, reach;
} Layer;

typedef struct Wanted { /* a chunk that is missing */
    double distance;
    int layer;
    int64_t i, j;
} Wanted;

struct WorldChunks {
    World *world;
    WorldChunksDesc desc;
    Arena arena;
    char path[PATH_MOST];
    WorldFunction things, state;
    WorldTable *layers; /* id, size, reach */
    uint64_t clock,
        base; /* the world's when it was last looked at; when the plan without zones came to be */
    Chunk *buckets[BUCKETS], *spare;
    size_t count;
    VEC(Wanted) wanted;
};

static Layer layer_of(const WorldChunks *c, int k) {
    size_t row = (size_t)k;
    return (Layer){world_table_text(c->layers, row, world_table_find(c->layers, "id")),
                   world_table_number(c->layers, row, world_table_find(c->layers, "size")),
                   world_table_number(c->layers, row, world_table_find(c->layers, "reach"))};
}

static WorldChunk shown(const WorldChunks *c, const Chunk *chunk) {
    Layer layer = layer_of(c, chunk->layer);
    return (WorldChunk){layer.id,
                        chunk->i,
                        chunk->j,
                        (double)chunk->i * layer.size,
                        (double)chunk->j * layer.size,
                        layer.size,
                        chunk->things};
}

/* -- the chunks there are -- */

static Chunk **place_of(WorldChunks *c, int layer, int64_t i, int64_t j) {
    uint64_t h = (uint64_t)i * 0x9E3779B97F4A7C15u ^ (uint64_t)j * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)layer << 7;
    Chunk **at = &c->buckets[(h ^ h >> 29) % BUCKETS];
    while (*at && ((*at)->layer != layer || (*at)->i != i || (*at)->j != j))
        at = &(*at)->next;
    return at;
}

static void let_go(WorldChunks *c, WorldTable *things, const Chunk *chunk) {
    Chunk gone = *chunk;
    gone.things = things;
    WorldChunk said = shown(c, &gone);
    if (c->desc.go) c->desc.go(c->desc.user, &said);
    world_table_destroy(things);
}

static void remove_chunk(WorldChunks *c, Chunk **at) {
    Chunk *chunk = *at;
    *at = chunk->next;
    c->count--;
    let_go(c, chunk->things, chunk);
    chunk->next = c->spare;
    c->spare = chunk;
}

static double distance_to(const WorldChunks *c, int k, int64_t i, int64_t j, double x, double z) {
    double size = layer_of(c, k).size, x0 = (double)i * size, z0 = (double)j * size;
    double dx = fmax(fmax(x0 - x, x - x0 - size), 0), dz = fmax(fmax(z0 - z, z - z0 - size), 0);
    return sqrt(dx * dx + dz * dz);
}

static void drop_far(WorldChunks *c, double x, double z) {
    for (int b = 0; b < BUCKETS; b++)
        for (Chunk **at = &c->buckets[b]; *at;) {
            Layer layer = layer_of(c, (*at)->layer);
            double keep = c->desc.keep > 0 ? c->desc.keep : layer.size;
            bool is_far =
                distance_to(c, (*at)->layer, (*at)->i, (*at)->j, x, z) > layer.reach + keep;
            if (is_far)
                remove_chunk(c, at);
            else
                at = &(*at)->next;
        }
}

static void drop_all(WorldChunks *c) {
    for (int b = 0; b < BUCKETS; b++)
        while (c->buckets[b])
            remove_chunk(c, &c->buckets[b]);
}

/* -- what changed -- */

static WorldStatus find_function(WorldChunks *c, const char *name, const char *signature,
                                 WorldFunction *out) {
    char full[PATH_MOST + 32];
    snprintf(full, sizeof full, "%s.%s", c->path, name);
    return world_function(c->world, full, signature, out);
}

static bool same_layers(const WorldTable *a, const WorldTable *b) {
    bool same = world_table_rows(a) == world_table_rows(b);
    for (size_t row = 0; same && row < world_table_rows(a); row++) {
        int id = world_table_find(a, "id"), size = world_table_find(a, "size");
        same = strcmp(world_table_text(a, row, id), world_table_text(b, row, id)) == 0 &&
               world_table_number(a, row, size) == world_table_number(b, row, size);
    }
    return same;
}

/* The handles, and the layers; of a world that was reloaded, anew. Chunks of other layers go. */
static WorldStatus find_functions(WorldChunks *c) {
    WorldFunction layers;
    WorldTable *table;
    WorldStatus status =
        find_function(c, "chunkThings", "fn(int, int, int) List[placed]", &c->things);
    if (status == WORLD_OK)
        status = find_function(c, "chunkState", "fn(int, int, int) u32", &c->state);
    if (status == WORLD_OK) status = find_function(c, "chunkLayers", NULL, &layers);
    if (status == WORLD_OK) status = world_call_table(c->world, layers, NULL, &table);
    if (status != WORLD_OK) return status;
    if (c->layers && !same_layers(c->layers, table)) drop_all(c);
    world_table_destroy(c->layers);
    c->layers = table;
    return WORLD_OK;
}

typedef struct Look {
    WorldChunks *chunks;
    uint64_t base;
} Look;

/* When the plan without zones, and what stands for its meshes, came to be. */
static WorldStatus look_at_base(World *world, Rt *rt, void *args) {
    static const char *const names[] = {"base", "kinds"};
    Look *look = args;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        RtPart *part;
        int field;
        Str path = str_printf(rt->arena, "%s.%s", look->chunks->path, names[n]);
        WorldStatus status = data_find_field(world, rt, path, &part, &field);
        if (status != WORLD_OK) return status;
        uint64_t changed = rt_cell_changed(rt, part, field);
        if (changed > look->base) look->base = changed;
    }
    return entry_fault(world, rt);
}

static WorldStatus state_of(const WorldChunks *c, int layer, int64_t i, int64_t j,
                            uint32_t *state) {
    int64_t arguments[] = {layer, i, j};
    uint64_t answer = 0;
    WorldStatus status = world_call(c->world, c->state, arguments, &answer);
    *state = (uint32_t)answer;
    return status;
}

static WorldStatus mark_old(WorldChunks *c, bool all) {
    for (int b = 0; b < BUCKETS; b++)
        for (Chunk *chunk = c->buckets[b]; chunk; chunk = chunk->next) {
            uint32_t state = chunk->state;
            WorldStatus status =
                all ? WORLD_OK : state_of(c, chunk->layer, chunk->i, chunk->j, &state);
            if (status != WORLD_OK) return status;
            chunk->old = chunk->old || all || state != chunk->state;
        }
    return WORLD_OK;
}

/* Finds out which chunks are not what they would be now. A reload may have changed anything. */
static WorldStatus look_again(WorldChunks *c) {
    Look look = {.chunks = c};
    uint64_t clock = c->world->parts ? c->world->parts->clock : 0;
    bool reloaded = handle_status(c->world, c->things.generation) != WORLD_OK;
    if (!reloaded && clock == c->clock) return WORLD_OK;
    WorldStatus status = entry_run(c->world, look_at_base, &look);
    bool all = reloaded || look.base != c->base;
    if (status == WORLD_OK && all) status = find_functions(c);
    if (status == WORLD_OK) status = mark_old(c, all);
    if (status != WORLD_OK) return status;
    c->base = look.base;
    c->clock = c->world->parts->clock;
    return WORLD_OK;
}

/* -- what is missing -- */

static void want(WorldChunks *c, int layer, double x, double z) {
    Layer l = layer_of(c, layer);
    int64_t i0 = (int64_t)floor((x - l.reach) / l.size),
            i1 = (int64_t)floor((x + l.reach) / l.size);
    int64_t j0 = (int64_t)floor((z - l.reach) / l.size),
            j1 = (int64_t)floor((z + l.reach) / l.size);
    for (int64_t j = j0; j <= j1; j++)
        for (int64_t i = i0; i <= i1; i++) {
            double distance = distance_to(c, layer, i, j, x, z);
            if (distance > l.reach) continue;
            const Chunk *there = *place_of(c, layer, i, j);
            if (!there || there->old)
                VEC_PUSH(&c->arena, &c->wanted, ((Wanted){distance, layer, i, j}));
        }
}

/* The nearest first; of equally near ones the earlier layer's, then by row and column. */
static int compare_wanted(const void *a, const void *b) {
    const Wanted *m = a, *n = b;
    if (m->distance != n->distance) return m->distance < n->distance ? -1 : 1;
    if (m->layer != n->layer) return m->layer - n->layer;
    if (m->j != n->j) return m->j < n->j ? -1 : 1;
    return m->i < n->i ? -1 : m->i > n->i;
}

static Chunk *new_chunk(WorldChunks *c) {
    Chunk *chunk = c->spare;
    if (chunk) c->spare = chunk->next;
    return chunk ? chunk : ARENA_NEW(&c->arena, Chunk);
}

static WorldStatus make(WorldChunks *c, const Wanted *wanted) {
    int64_t arguments[] = {wanted->layer, wanted->i, wanted->j};
    uint32_t state;
    WorldTable *things;
    WorldStatus status = state_of(c, wanted->layer, wanted->i, wanted->j, &state);
    if (status == WORLD_OK) status = world_call_table(c->world, c->things, arguments, &things);
    if (status != WORLD_OK) return status;
    Chunk **at = place_of(c, wanted->layer, wanted->i, wanted->j);
    WorldTable *before = *at ? (*at)->things : NULL;
    if (*at == NULL) {
        *at = new_chunk(c);
        c->count++;
        (*at)->next = NULL;
    }
    Chunk *chunk = *at;
    *chunk = (Chunk){wanted->layer, wanted->i, wanted->j, state, false, things, chunk->next};
    WorldChunk said = shown(c, chunk);
    if (c->desc.come) c->desc.come(c->desc.user, &said);
    if (before) let_go(c, before, chunk);
    return WORLD_OK;
}

static WorldStatus update(WorldChunks *c, double x, double z, double seconds, size_t *missing) {
    double until = clock_seconds() + seconds;
    WorldStatus status = look_again(c);
    if (status != WORLD_OK) return status;
    drop_far(c, x, z);
    c->wanted.count = 0;
    for (int k = 0; k < (int)world_table_rows(c->layers); k++)
        want(c, k, x, z);
    if (c->wanted.count)
        qsort(c->wanted.items, (size_t)c->wanted.count, sizeof(Wanted), compare_wanted);
    int made = 0;
    while (status == WORLD_OK && made < c->wanted.count && (made == 0 || clock_seconds() < until))
        status = make(c, &c->wanted.items[made++]);
    if (missing) *missing = (size_t)(c->wanted.count - made);
    return status;
}

/* -- the public face -- */

WorldStatus world_chunks_update(WorldChunks *chunks, double x, double z, double seconds,
                                size_t *missing) {
    if (chunks == NULL || !isfinite(x) || !isfinite(z) || isnan(seconds))
        return WORLD_ERROR_ARGUMENT;
    Recover recover;
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        status = update(chunks, x, z, seconds, missing);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    return status;
}

size_t world_chunks_count(const WorldChunks *chunks) {
    return chunks ? chunks->count : 0;
}

void world_chunks_destroy(WorldChunks *chunks) {
    if (chunks == NULL) return;
    drop_all(chunks);
    world_table_destroy(chunks->layers);
    Arena arena = chunks->arena;
    arena_fini(&arena);
}

static WorldStatus create(World *world, const char *path, const WorldChunksDesc *desc, Arena *arena,
                          WorldChunks **chunks) {
    WorldChunks *c = ARENA_NEW(arena, WorldChunks);
    c->world = world;
    memcpy(&c->desc, desc, desc->size < sizeof c->desc ? desc->size : sizeof c->desc);
    snprintf(c->path, sizeof c->path, "%s", path);
    WorldStatus status = find_functions(c);
    if (status != WORLD_OK) return status;
    c->arena = *arena;
    *chunks = c;
    return WORLD_OK;
}

WorldStatus world_chunks_create(World *world, const char *path, const WorldChunksDesc *desc,
                                WorldChunks **chunks) {
    bool good =
        world && path && strlen(path) < PATH_MOST && desc && desc->size >= sizeof(size_t) && chunks;
    if (!good) return WORLD_ERROR_ARGUMENT;
    Arena arena;
    Recover recover;
    WorldStatus status;
    arena_init(&arena, &world->engine->memory);
    if (MEMORY_TRY(&recover)) {
        status = create(world, path, desc, &arena, chunks);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    if (status != WORLD_OK) arena_fini(&arena);
    return status;
}
