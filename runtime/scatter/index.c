#include "runtime/scatter/index.h"

#include <math.h>

#include "runtime/base/watch.h"

/* Level 32 has cells of 1 m; level l has cells of 2^(l - 32) m. */
enum { LEVEL_OF_ONE_METER = 32 };

/* Exact: a power of two. */
static double level_cell(int level) {
    return level < LEVEL_OF_ONE_METER ? 1.0 / (double)(UINT64_C(1) << (LEVEL_OF_ONE_METER - level))
                                      : (double)(UINT64_C(1) << (level - LEVEL_OF_ONE_METER));
}

static int level_for(double radius) {
    int level = 16; /* nothing is kept finer than 2^-16 m: radius 0 lives here */
    while (level < DISC_LEVELS - 1 && level_cell(level) < 2 * radius)
        level++;
    return level;
}

static int64_t cell_of(double v, double cell) {
    double at = floor(v / cell);
    if (at < -0x1p62) return INT64_MIN / 2;
    if (at > 0x1p62) return INT64_MAX / 2;
    return (int64_t)at;
}

static uint64_t mix(int level, int64_t x, int64_t z) {
    uint64_t h = (uint64_t)x * 0x9E3779B97F4A7C15u ^ (uint64_t)z * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)level << 56;
    h ^= h >> 29;
    h *= 0xBF58476D1CE4E5B9u;
    return h ^ h >> 32;
}

static int32_t *bucket_of(const DiscIndex *index, int level, int64_t x, int64_t z) {
    return &index->buckets[mix(level, x, z) & (uint64_t)(index->bucket_count - 1)];
}

static void make_buckets(DiscIndex *index, int count) {
    index->bucket_count = count;
    index->buckets = ARENA_ARRAY(index->arena, int32_t, count);
    for (int i = 0; i < count; i++)
        index->buckets[i] = -1;
    for (int i = 0; i < index->entries.count; i++) {
        DiscEntry *entry = &index->entries.items[i];
        int32_t *bucket = bucket_of(index, entry->level, entry->cell_x, entry->cell_z);
        entry->next = *bucket;
        *bucket = i;
    }
}

void discs_init(DiscIndex *index, Arena *arena) {
    *index = (DiscIndex){.arena = arena};
    for (int level = 0; level < DISC_LEVELS; level++)
        index->level_head[level] = -1;
    make_buckets(index, 64);
}

void discs_add(DiscIndex *index, double x, double z, double radius, int32_t tag) {
    if (!(radius > 0)) radius = 0;
    int level = level_for(radius);
    double cell = level_cell(level);
    DiscEntry entry = {.x = x,
                       .z = z,
                       .radius = radius,
                       .cell_x = cell_of(x, cell),
                       .cell_z = cell_of(z, cell),
                       .level = level,
                       .tag = tag,
                       .next_in_level = index->level_head[level]};
    int32_t *bucket = bucket_of(index, level, entry.cell_x, entry.cell_z);
    entry.next = *bucket;
    *bucket = index->level_head[level] = index->entries.count;
    index->level_count[level]++;
    index->levels |= UINT64_C(1) << level;
    if (radius > index->level_radius[level]) index->level_radius[level] = radius;
    VEC_PUSH(index->arena, &index->entries, entry);
    if (index->entries.count > index->bucket_count) make_buckets(index, index->bucket_count * 2);
}

static bool overlaps(const DiscEntry *entry, double x, double z, double radius) {
    double dx = entry->x - x, dz = entry->z - z, sum = entry->radius + radius;
    return dx * dx + dz * dz < sum * sum;
}

typedef struct Query {
    const DiscIndex *index;
    double x, z, radius;
    bool any;     /* the first found will do */
    int32_t best; /* the first-added overlapped entry so far, -1 none */
    int64_t looked; /* at entries and cells */
} Query;

static void search_cell(Query *query, int level, int64_t cx, int64_t cz) {
    const DiscEntry *entries = query->index->entries.items;
    for (int32_t i = *bucket_of(query->index, level, cx, cz); i >= 0; i = entries[i].next) {
        const DiscEntry *entry = &entries[i];
        query->looked++;
        if (entry->level != level || entry->cell_x != cx || entry->cell_z != cz) continue;
        if ((query->best >= 0 && i > query->best) ||
            !overlaps(entry, query->x, query->z, query->radius))
            continue;
        query->best = i;
        if (query->any) return;
    }
}

static void search_list(Query *query, int level) {
    const DiscEntry *entries = query->index->entries.items;
    query->looked += query->index->level_count[level];
    for (int32_t i = query->index->level_head[level]; i >= 0; i = entries[i].next_in_level)
        if ((query->best < 0 || i < query->best) &&
            overlaps(&entries[i], query->x, query->z, query->radius))
            query->best = i;
}

static void search_level(Query *query, int level) {
    double cell = level_cell(level), x = query->x, z = query->z,
           reach = query->radius + query->index->level_radius[level];
    reach += (fabs(x) + fabs(z) + reach) * 0x1p-50; /* so that rounding never leaves a cell out */
    int64_t x0 = cell_of(x - reach, cell), x1 = cell_of(x + reach, cell);
    int64_t z0 = cell_of(z - reach, cell), z1 = cell_of(z + reach, cell);
    double cells = ((double)(x1 - x0) + 1) * ((double)(z1 - z0) + 1);
    if (cells > query->index->level_count[level]) {
        search_list(query, level);
        return;
    }
    if (query->any)
        search_cell(query, level, cell_of(x, cell), cell_of(z, cell)); /* the likeliest */
    for (int64_t cz = z0; cz <= z1; cz++)
        for (int64_t cx = x0; cx <= x1; cx++) {
            if (query->any && query->best >= 0) return;
            query->looked++;
            search_cell(query, level, cx, cz);
        }
}

static int32_t search(const DiscIndex *index, double x, double z, double radius, bool any) {
    Query query = {
        .index = index, .x = x, .z = z, .radius = radius > 0 ? radius : 0, .any = any, .best = -1};
    for (uint64_t levels = index->levels; levels && !(any && query.best >= 0); levels &= levels - 1)
        search_level(&query, __builtin_ctzll(levels));
    watch_work(query.looked);
    return query.best;
}

const DiscEntry *discs_first_overlap(const DiscIndex *index, double x, double z, double radius) {
    int32_t best = search(index, x, z, radius, false);
    return best < 0 ? NULL : &index->entries.items[best];
}

bool discs_overlap(const DiscIndex *index, double x, double z, double radius) {
    return search(index, x, z, radius, true) >= 0;
}
