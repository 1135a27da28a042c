#include "runtime/file/bake.h"

#include "runtime/base/finer.h"
#include "runtime/base/hash.h"
#include "runtime/base/little.h"
#include "runtime/file/file.h"

static const char magic[8] = "WORLDBK\n";

typedef struct Header { /* as it lies in the file: no padding */
    char magic[8];
    uint32_t version;
    uint32_t columns, rows;
    uint32_t finer;
    double cell, x0, z0, outside;
    double east, north, east_per_meter, north_per_meter;
    int32_t epsg;
    uint32_t degrees;
    uint64_t key;
} Header;

_Static_assert(sizeof(Header) == 104, "the header has no padding");

/* Between the file's order of bytes and the machine's, either way. */
static void turn_header(Header *header) {
    little_copy(&header->version, &header->version, sizeof header->version, 4);
    little_copy(&header->cell, &header->cell, sizeof header->cell, 8);
    little_copy(&header->epsg, &header->epsg, sizeof header->epsg, 2);
    little_copy(&header->key, &header->key, sizeof header->key, 1);
}

static uint64_t count_samples(const Header *header) {
    return (uint64_t)header->columns * header->rows;
}

bool bake_write(Arena *arena, const char *path, const RtGrid *grid, uint64_t key, Str *error) {
    Header header = {.version = BAKE_VERSION,
                     .columns = (uint32_t)grid->columns,
                     .rows = (uint32_t)grid->rows,
                     .finer = (uint32_t)grid->finer,
                     .cell = grid->cell,
                     .x0 = grid->x0,
                     .z0 = grid->z0,
                     .outside = grid->outside,
                     .east = grid->reference.east,
                     .north = grid->reference.north,
                     .east_per_meter = grid->reference.east_per_meter,
                     .north_per_meter = grid->reference.north_per_meter,
                     .epsg = grid->reference.epsg,
                     .degrees = grid->reference.degrees,
                     .key = key};
    memcpy(header.magic, magic, sizeof magic);
    size_t count = rt_grid_bytes(grid) / sizeof(float);
    turn_header(&header);
    Hasher *hasher = hasher_create(arena->memory);
    hasher_add(hasher, &header, sizeof header);
    hasher_add_numbers(hasher, grid->heights, sizeof(float), count);
    uint64_t hash = hasher_value(hasher);
    hasher_destroy(hasher);
    WholeFile file;
    if (file_open(&file, path)) {
        file_add(&file, &header, sizeof header);
        file_add_numbers(&file, grid->heights, sizeof(float), count);
        file_add_numbers(&file, &hash, sizeof hash, 1);
        if (file_commit(&file)) return true;
    }
    *error = file_sentence(&file, arena);
    return false;
}

/* As the machine has them, where they were read. */
static float *heights_in(Str bytes) {
    return (float *)(void *)(uintptr_t)(bytes.ptr + sizeof(Header));
}

static void turn_heights(Str bytes) {
    size_t count = (bytes.len - sizeof(Header) - sizeof(uint64_t)) / sizeof(float);
    if (!machine_is_little) bytes_turn(heights_in(bytes), heights_in(bytes), sizeof(float), count);
}

static int64_t count_tail(Str bytes, const Header *header) {
    return (int64_t)((bytes.len - sizeof *header - sizeof(uint64_t)) / sizeof(float) - count_samples(header));
}

static bool has_good_tail(Str bytes, const Header *header) {
    if (header->finer > FINER_MOST) return false;
    FinerTiles tiles = finer_tiles((int32_t)header->columns, (int32_t)header->rows, (int32_t)header->finer, heights_in(bytes) + count_samples(header));
    return finer_is_good(&tiles, count_tail(bytes, header));
}

/* What is wrong with the bytes, BAKE_OK for nothing. */
static BakeStatus judge(Str bytes, uint64_t key, Header *header) {
    if (bytes.len < sizeof magic || memcmp(bytes.ptr, magic, sizeof magic) != 0)
        return BAKE_FOREIGN;
    if (bytes.len < sizeof *header + sizeof(uint64_t)) return BAKE_DAMAGED;
    memcpy(header, bytes.ptr, sizeof *header);
    turn_header(header);
    if (header->version != BAKE_VERSION) return BAKE_OTHER_VERSION;
    uint64_t heights = bytes.len - sizeof *header - sizeof(uint64_t);
    if (heights % sizeof(float) || heights / sizeof(float) < count_samples(header))
        return BAKE_DAMAGED;
    uint64_t hash;
    little_copy(&hash, bytes.ptr + bytes.len - sizeof hash, sizeof hash, 1);
    if (hash_bytes(bytes.ptr, bytes.len - sizeof hash, 0) != hash) return BAKE_DAMAGED;
    turn_heights(bytes);
    if (header->columns < 2 || header->rows < 2 || header->columns > INT32_MAX ||
        header->rows > INT32_MAX || !has_good_tail(bytes, header))
        return BAKE_DAMAGED;
    return header->key == key ? BAKE_OK : BAKE_OTHER_SOURCE;
}

static Str reason(Arena *arena, const char *path, BakeStatus status, const Header *header) {
    switch (status) {
    case BAKE_FOREIGN:
        return str_printf(arena, "%s is no baked land", path);
    case BAKE_OTHER_VERSION:
        return str_printf(arena, "%s is a baked land of version %u; this build reads version %d",
                          path, (unsigned)header->version, (int)BAKE_VERSION);
    case BAKE_DAMAGED:
        return str_printf(arena, "%s is damaged: it was cut short or changed", path);
    case BAKE_OTHER_SOURCE:
        return str_printf(arena, "%s was baked from another world or seed", path);
    case BAKE_OK:
    case BAKE_MISSING:
    case BAKE_UNREADABLE:
        break;
    }
    return STR_LIT("");
}

BakeStatus bake_read(Arena *arena, const char *path, uint64_t key, RtGrid **grid, Str *error) {
    Str bytes;
    bool missing;
    *grid = NULL;
    *error = STR_LIT("");
    const char *why;
    if (!file_read(arena, path, SIZE_MAX - 1, &bytes, &missing, &why)) {
        if (missing) return BAKE_MISSING;
        *error = str_printf(arena, "cannot read %s: %s", path, why);
        return BAKE_UNREADABLE;
    }
    Header header = {0};
    BakeStatus status = judge(bytes, key, &header);
    *error = reason(arena, path, status, &header);
    if (status != BAKE_OK) return status;
    *grid = ARENA_NEW(arena, RtGrid);
    **grid = (RtGrid){.head.kind = RT_GRID,
                      .columns = (int32_t)header.columns,
                      .rows = (int32_t)header.rows,
                      .cell = header.cell,
                      .x0 = header.x0,
                      .z0 = header.z0,
                      .outside = header.outside,
                      .reference = {header.east, header.north, header.east_per_meter, header.north_per_meter, header.epsg,
                                    header.degrees != 0},
                      .finer = (int32_t)header.finer,
                      .tail = count_tail(bytes, &header),
                      .heights = heights_in(bytes)};
    return BAKE_OK; /* the heights stay where they were read: 104 bytes in, so aligned */
}
