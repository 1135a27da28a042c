/* Chunks that come and go round a viewer.
 *
 * Which are near and what stands in one the world's own functions say (stdlib/worldgen: chunkLayers, chunksNear, chunkFar, chunkThings, chunkState),
 * of planes and of planets; here is only which are made, in what order, and which are not what they were. After something was set, all are another when the plan
 * without its zones is, else those whose state is: a zone that is set makes anew just the chunks it reaches.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "compiler/engine/ask/ask.h"
#include "runtime/base/clock.h"
#include "runtime/rt/cell.h"

enum { BUCKETS = 1024, PATH_MOST = 256 };

typedef struct ChunkPlace {
    int layer;
    int64_t face, i, j;
    double x, z, size; /* its corner and its side */
    double distance;   /* from the viewer for whom it was listed */
} ChunkPlace;

typedef struct Chunk Chunk;
struct Chunk {
    ChunkPlace at;
    uint32_t state;
    bool old;       /* another would be made now */
    uint64_t found; /* the update that found it near */
    WorldTable *things;
    Chunk *next; /* of its bucket, or of the free ones */
};

typedef struct Layer {
    const char *id; /* of `layers` */
    double size, reach;
} Layer;

struct WorldChunks {
    World *world;
    WorldChunksDesc desc;
    Arena arena;
    char path[PATH_MOST];
    WorldFunction near, far, things, state;
    WorldTable *layers; /* id, size, reach */
    WorldTable *listed; /* those near, while they are looked at: what fails leaves it to the next */
    uint64_t clock,
        base; /* the world's when it was last looked at; when the plan without zones came to be */
    Chunk *buckets[BUCKETS], *spare;
    size_t count;
    uint64_t updates;
    VEC(ChunkPlace) wanted; /* that are missing */
};

static Layer layer_of(const WorldChunks *c, int k) {
    size_t row = (size_t)k;
    return (Layer){world_table_text(c->layers, row, world_table_find(c->layers, "id")),
                   world_table_number(c->layers, row, world_table_find(c->layers, "size")),
                   world_table_number(c->layers, row, world_table_find(c->layers, "reach"))};
}

static WorldChunk shown(const WorldChunks *c, const Chunk *chunk, const WorldTable *things) {
    const ChunkPlace *at = &chunk->at;
    return (WorldChunk){layer_of(c, at->layer).id, at->i, at->j, at->x, at->z, at->size, things, at->face};
}

/* -- the chunks there are -- */

static bool same_place(const ChunkPlace *a, const ChunkPlace *b) {
    return a->layer == b->layer && a->face == b->face && a->i == b->i && a->j == b->j;
}

static Chunk **place_of(WorldChunks *c, const ChunkPlace *wanted) {
    uint64_t h = (uint64_t)wanted->i * 0x9E3779B97F4A7C15u ^ (uint64_t)wanted->j * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)wanted->layer << 7 ^ (uint64_t)wanted->face << 3;
    Chunk **at = &c->buckets[(h ^ h >> 29) % BUCKETS];
    while (*at && !same_place(&(*at)->at, wanted))
        at = &(*at)->next;
    return at;
}

static void let_go(WorldChunks *c, WorldTable *things, const Chunk *chunk) {
    WorldChunk said = shown(c, chunk, things);
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

/* What this update did not find near; at the end, all. */
static void drop_others(WorldChunks *c, uint64_t found) {
    for (int b = 0; b < BUCKETS; b++)
        for (Chunk **at = &c->buckets[b]; *at;)
            if ((*at)->found != found)
                remove_chunk(c, at);
            else
                at = &(*at)->next;
}

static void drop_all(WorldChunks *c) {
    drop_others(c, UINT64_MAX);
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
        find_function(c, "chunkThings", "fn(int, int, int, int) List[placed]", &c->things);
    if (status == WORLD_OK) status = find_function(c, "chunkState", "fn(int, int, int, int) u32", &c->state);
    if (status == WORLD_OK) status = find_function(c, "chunksNear", "fn(int, point, meters) List[chunkPlace]", &c->near);
    if (status == WORLD_OK) status = find_function(c, "chunkFar", "fn(int, int, int, int, point) meters", &c->far);
    if (status == WORLD_OK) status = find_function(c, "chunkLayers", "fn() List[chunkLayer]", &layers);
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

static WorldStatus state_of(const WorldChunks *c, const ChunkPlace *at, uint32_t *state) {
    int64_t arguments[] = {at->layer, at->i, at->j, at->face};
    uint64_t answer = 0;
    WorldStatus status = world_call(c->world, c->state, arguments, &answer);
    *state = (uint32_t)answer;
    return status;
}

static WorldStatus mark_old(WorldChunks *c, bool all) {
    for (int b = 0; b < BUCKETS; b++)
        for (Chunk *chunk = c->buckets[b]; chunk; chunk = chunk->next) {
            uint32_t state = chunk->state;
            WorldStatus status = all ? WORLD_OK : state_of(c, &chunk->at, &state);
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

static ChunkPlace read_place(const WorldTable *table, size_t row, int layer) {
    return (ChunkPlace){layer,
                        world_table_int(table, row, world_table_find(table, "face")),
                        world_table_int(table, row, world_table_find(table, "i")),
                        world_table_int(table, row, world_table_find(table, "j")),
                        world_table_number(table, row, world_table_find(table, "x")),
                        world_table_number(table, row, world_table_find(table, "z")),
                        world_table_number(table, row, world_table_find(table, "size")),
                        world_table_number(table, row, world_table_find(table, "distance"))};
}

static void forget_listed(WorldChunks *c) {
    world_table_destroy(c->listed);
    c->listed = NULL;
}

/* Of a layer, those within its reach stay, and those of them that are not there are noted. */
static WorldStatus look_round(WorldChunks *c, int layer, const double at[3]) {
    struct {
        int64_t layer;
        double viewer[3], within;
    } arguments = {layer, {at[0], at[1], at[2]}, layer_of(c, layer).reach};
    forget_listed(c);
    WorldStatus status = world_call_table(c->world, c->near, &arguments, &c->listed);
    if (status != WORLD_OK) return status;
    for (size_t row = 0; row < world_table_rows(c->listed); row++) {
        ChunkPlace place = read_place(c->listed, row, layer);
        Chunk *there = *place_of(c, &place);
        if (there) there->found = c->updates;
        if (!there || there->old) VEC_PUSH(&c->arena, &c->wanted, place);
    }
    forget_listed(c);
    return WORLD_OK;
}

/* Of those past their layer's reach, what is not far past it stays. */
static WorldStatus keep_near(WorldChunks *c, const double at[3]) {
    for (int b = 0; b < BUCKETS; b++)
        for (Chunk *chunk = c->buckets[b]; chunk; chunk = chunk->next) {
            const ChunkPlace *place = &chunk->at;
            struct {
                int64_t layer, i, j, face;
                double viewer[3];
            } arguments = {place->layer, place->i, place->j, place->face, {at[0], at[1], at[2]}};
            Layer l = layer_of(c, place->layer);
            double far = 0;
            if (chunk->found == c->updates) continue;
            WorldStatus status = world_call(c->world, c->far, &arguments, &far);
            if (status != WORLD_OK) return status;
            if (far <= l.reach + (c->desc.keep > 0 ? c->desc.keep : l.size)) chunk->found = c->updates;
        }
    return WORLD_OK;
}

/* The nearest first; of equally near ones the earlier layer's, then by face, row and column. */
static int compare_wanted(const void *a, const void *b) {
    const ChunkPlace *m = a, *n = b;
    if (m->distance != n->distance) return m->distance < n->distance ? -1 : 1;
    if (m->layer != n->layer) return m->layer - n->layer;
    if (m->face != n->face) return m->face < n->face ? -1 : 1;
    if (m->j != n->j) return m->j < n->j ? -1 : 1;
    return m->i < n->i ? -1 : m->i > n->i;
}

static Chunk *take_spare(WorldChunks *c) {
    Chunk *chunk = c->spare;
    c->spare = chunk->next;
    c->count++;
    chunk->next = NULL;
    return chunk;
}

/* What it needs of memory it has before its things are there. */
static WorldStatus make(WorldChunks *c, const ChunkPlace *wanted) {
    int64_t arguments[] = {wanted->layer, wanted->i, wanted->j, wanted->face};
    uint32_t state;
    WorldTable *things;
    if (c->spare == NULL) c->spare = ARENA_NEW(&c->arena, Chunk);
    WorldStatus status = state_of(c, wanted, &state);
    if (status == WORLD_OK) status = world_call_table(c->world, c->things, arguments, &things);
    if (status != WORLD_OK) return status;
    Chunk **at = place_of(c, wanted);
    WorldTable *before = *at ? (*at)->things : NULL;
    if (*at == NULL) *at = take_spare(c);
    Chunk *chunk = *at;
    *chunk = (Chunk){*wanted, state, false, c->updates, things, chunk->next};
    WorldChunk said = shown(c, chunk, things);
    if (c->desc.come) c->desc.come(c->desc.user, &said);
    if (before) let_go(c, before, chunk);
    return WORLD_OK;
}

static WorldStatus update(WorldChunks *c, const double at[3], double seconds, size_t *missing) {
    double until = clock_seconds() + seconds;
    WorldStatus status = look_again(c);
    c->wanted.count = 0;
    c->updates++;
    for (int k = 0; status == WORLD_OK && k < (int)world_table_rows(c->layers); k++)
        status = look_round(c, k, at);
    if (status == WORLD_OK) status = keep_near(c, at);
    if (status != WORLD_OK) return status;
    drop_others(c, c->updates);
    if (c->wanted.count)
        qsort(c->wanted.items, (size_t)c->wanted.count, sizeof(ChunkPlace), compare_wanted);
    int made = 0;
    while (status == WORLD_OK && made < c->wanted.count && (made == 0 || clock_seconds() < until))
        status = make(c, &c->wanted.items[made++]);
    if (missing) *missing = (size_t)(c->wanted.count - made);
    return status;
}

/* -- the public face -- */

WorldStatus world_chunks_update(WorldChunks *chunks, double x, double z, double seconds,
                                size_t *missing) {
    return world_chunks_update_at(chunks, (const double[3]){x, 0, z}, seconds, missing);
}

WorldStatus world_chunks_update_at(WorldChunks *chunks, const double at[3], double seconds,
                                   size_t *missing) {
    if (chunks == NULL || at == NULL || !isfinite(at[0]) || !isfinite(at[1]) || !isfinite(at[2]) || isnan(seconds))
        return WORLD_ERROR_ARGUMENT;
    Recover recover;
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        status = update(chunks, at, seconds, missing);
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
    forget_listed(chunks);
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
