#include "runtime/scatter/index.h"

#include <math.h>

#include "runtime/base/watch.h"

/* Level 32 has cells of 1 m; level l has cells of 2^(l - 32) m. */
enum { LEVEL_OF_ONE_METER = 32 };

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static double level_cell(int level) {
    return power_of_two(level - LEVEL_OF_ONE_METER);
}

static int level_for(double radius) {
    int level = 16; /* nothing is kept finer than 2^-16 m: radius 0 lives here */
    while (level < DISC_LEVELS - 1 && level_cell(level) < 2 * radius)
        level++;
    return level;
}

/* In cells of the level: a power of two, by which a product is exact. */
static int64_t cell_of(double v, int level) {
    double at = v * power_of_two(LEVEL_OF_ONE_METER - level);
    if (!(at >= -0x1p62)) return INT64_MIN / 2;
    if (at > 0x1p62) return INT64_MAX / 2;
    int64_t toward_zero = (int64_t)at;
    return toward_zero - ((double)toward_zero > at);
}

static uint64_t mix(int level, int64_t x, int64_t z) {
    uint64_t h = (uint64_t)x * 0x9E3779B97F4A7C15u + (uint64_t)z * 0xC2B2AE3D27D4EB4Fu + (uint64_t)level * 0xBF58476D1CE4E5B9u;
    return h ^ h >> 32;
}

/* -- blocks -- */

static int64_t block_of(int64_t cell) {
    return (cell - (cell & (DISC_BLOCK - 1))) / DISC_BLOCK;
}

static int32_t *bucket_of(const DiscIndex *index, int level, int64_t x, int64_t z) {
    return &index->buckets[mix(level, x, z) & (uint64_t)(index->bucket_count - 1)];
}

static void make_buckets(DiscIndex *index, int count) {
    index->bucket_count = count;
    index->buckets = ARENA_ARRAY(index->arena, int32_t, count);
    for (int i = 0; i < count; i++)
        index->buckets[i] = -1;
    for (int i = 0; i < index->blocks.count; i++) {
        DiscBlock *block = &index->blocks.items[i];
        int32_t *bucket = bucket_of(index, block->level, block->x, block->z);
        block->next = *bucket;
        *bucket = i;
    }
}

static DiscBlock *find_block(const DiscIndex *index, int level, int64_t x, int64_t z) {
    DiscBlock *blocks = index->blocks.items;
    for (int32_t i = *bucket_of(index, level, x, z); i >= 0; i = blocks[i].next)
        if (blocks[i].x == x && blocks[i].z == z && blocks[i].level == level) return &blocks[i];
    return NULL;
}

static DiscBlock *get_block(DiscIndex *index, int level, int64_t x, int64_t z) {
    DiscBlock *found = find_block(index, level, x, z);
    if (found) return found;
    if (index->blocks.count == index->bucket_count) make_buckets(index, index->bucket_count * 2);
    int32_t *bucket = bucket_of(index, level, x, z);
    DiscBlock block = {.x = x, .z = z, .level = level, .next = *bucket};
    memset(block.cells, -1, sizeof block.cells);
    VEC_PUSH(index->arena, &index->blocks, block);
    *bucket = index->blocks.count - 1;
    return &index->blocks.items[*bucket];
}

/* Of a block's cells, those of the given numbers. */
static int cell_in_block(int64_t x, int64_t z) {
    return (int)(z & (DISC_BLOCK - 1)) * DISC_BLOCK + (int)(x & (DISC_BLOCK - 1));
}

void discs_init(DiscIndex *index, Arena *arena) {
    *index = (DiscIndex){.arena = arena, .likely = -1};
    for (int level = 0; level < DISC_LEVELS; level++)
        index->level_head[level] = -1;
    make_buckets(index, 64);
}

void discs_add(DiscIndex *index, double x, double z, double radius, int32_t tag) {
    if (!(radius > 0)) radius = 0;
    int level = level_for(radius);
    int64_t cell_x = cell_of(x, level), cell_z = cell_of(z, level);
    VEC_ROOM(index->arena, &index->entries, 1);
    DiscBlock *block = get_block(index, level, block_of(cell_x), block_of(cell_z));
    int cell_at = cell_in_block(cell_x, cell_z);
    int32_t *head = &block->cells[cell_at];
    block->used |= 1u << cell_at;
    DiscEntry entry = {.x = x,
                       .z = z,
                       .radius = radius,
                       .next = *head,
                       .tag = tag,
                       .next_in_level = index->level_head[level]};
    *head = index->level_head[level] = index->entries.count;
    index->level_count[level]++;
    index->levels |= UINT64_C(1) << level;
    if (radius > index->level_radius[level]) index->level_radius[level] = radius;
    index->entries.items[index->entries.count++] = entry;
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

static void search_cell(Query *query, int32_t head) {
    const DiscEntry *entries = query->index->entries.items;
    for (int32_t i = head; i >= 0; i = entries[i].next) {
        query->looked++;
        if ((query->best >= 0 && i > query->best) ||
            !overlaps(&entries[i], query->x, query->z, query->radius))
            continue;
        query->best = i;
        if (query->any) return;
    }
}

/* The numbers of cells, the last ones too. */
typedef struct Cells {
    int64_t x0, x1, z0, z1;
} Cells;

static int64_t larger(int64_t a, int64_t b) {
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static void search_block(Query *query, const DiscBlock *block, const Cells *cells) {
    static const uint32_t column = 0x1111; /* the first cell of each row */
    int64_t x = block->x * DISC_BLOCK, z = block->z * DISC_BLOCK;
    int x0 = (int)(larger(cells->x0, x) - x), x1 = (int)(smaller(cells->x1, x + DISC_BLOCK - 1) - x);
    int z0 = (int)(larger(cells->z0, z) - z), z1 = (int)(smaller(cells->z1, z + DISC_BLOCK - 1) - z);
    uint32_t row = ((2u << x1) - 1) & ~((1u << x0) - 1);
    uint32_t rows = column & ((2u << DISC_BLOCK * z1) - 1) & ~((1u << DISC_BLOCK * z0) - 1);
    for (uint32_t left = block->used & (row * rows); left; left &= left - 1) {
        search_cell(query, block->cells[__builtin_ctz(left)]);
        if (query->any && query->best >= 0) return;
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
    double x = query->x, z = query->z, reach = query->radius + query->index->level_radius[level];
    reach += (fabs(x) + fabs(z) + reach) * 0x1p-50; /* so that rounding never leaves a cell out */
    Cells cells = {cell_of(x - reach, level), cell_of(x + reach, level), cell_of(z - reach, level), cell_of(z + reach, level)};
    double count = ((double)(cells.x1 - cells.x0) + 1) * ((double)(cells.z1 - cells.z0) + 1);
    if (count > query->index->level_count[level]) {
        search_list(query, level);
        return;
    }
    int64_t x1 = block_of(cells.x1), z1 = block_of(cells.z1);
    for (int64_t bz = block_of(cells.z0); bz <= z1; bz++)
        for (int64_t bx = block_of(cells.x0); bx <= x1; bx++) {
            const DiscBlock *block = find_block(query->index, level, bx, bz);
            query->looked++;
            if (block) search_block(query, block, &cells);
            if (query->any && query->best >= 0) return;
        }
}

static int32_t search(const DiscIndex *index, double x, double z, double radius, bool any) {
    if (index->levels == 0) return -1;
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

bool discs_overlap(DiscIndex *index, double x, double z, double radius) {
    if (!(radius > 0)) radius = 0;
    if (index->likely >= 0 && overlaps(&index->entries.items[index->likely], x, z, radius)) return true;
    int32_t met = search(index, x, z, radius, true);
    if (met >= 0) index->likely = met;
    return met >= 0;
}
