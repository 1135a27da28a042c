/* Bakes: the height grids of a world kept in files, so that a later run need not work them out.
 *
 * A grid is baked under its path, DIR/land.ground.bake, with a key that says what it was made
 * from: this build's version, the library's texts, the world's files, and the seed. A file with another
 * key, of another version or damaged is told about and not used. Only parts that always exist
 * are looked through: finding the members of families may need the grids. What a host sets or
 * registers is no part of the key: take bakes only before setting, with the same host functions.
 */
#include <sys/stat.h>

#include "compiler/engine/open/open.h"
#include "runtime/base/hash.h"
#include "runtime/file/bake.h"
#include "stdlib/library_names.h"

typedef struct Baking {
    World *world;
    Rt *rt;
    const char *directory;
    uint64_t key;
    size_t *count;
} Baking;

/* Does one thing with a field that holds a grid; false ends the walk. */
typedef bool (*BakeStep)(const Baking *baking, RtPart *part, int field, const char *path);

static uint64_t add_source(const Compile *c, uint32_t file, uint64_t key) {
    Str text = sources_get(&c->sources, file)->text;
    return hash_bytes(text.ptr, text.len, key);
}

static uint64_t key_of(const World *world) {
    const Compile *c = world->compile;
    uint64_t key = WORLD_VERSION_MAJOR << 16 | WORLD_VERSION_MINOR << 8 | WORLD_VERSION_PATCH;
    for (int i = 0; i < c->package_files.count; i++)
        key = add_source(c, c->package_files.items[i], key);
    key = add_source(c, c->file, key);
    for (int i = 1; i < c->files.items.count; i++) {
        Str bytes = c->files.items.items[i]->bytes;
        key = hash_bytes(bytes.ptr, bytes.len, key);
    }
    uint64_t seed = world->desc.has_seed ? (uint64_t)world->desc.seed + 1 : 0;
    return hash_numbers(&seed, sizeof seed, 1, key);
}

static bool holds_grid(const World *world, const TreeField *field) {
    return field->type->kind == TYPE_OBJECT &&
           str_equal(symbols_name(&world->compile->symbols, field->type->name),
                     STR_LIT(STD_grid_heightGrid));
}

static const char *bake_path(const Baking *baking, const RtPart *part, Str field) {
    StrBuf path = {.arena = baking->rt->arena};
    strbuf_printf(&path, "%s/", baking->directory);
    size_t start = path.len;
    rt_part_path(&path, part);
    if (path.len > start) strbuf_char(&path, '.');
    strbuf_printf(&path, "%.*s.bake", STR_ARG(field));
    return path.ptr;
}

static bool step_fields(const Baking *baking, RtPart *part, BakeStep step) {
    const TreeClass *cls = parts_class(baking->world, part);
    for (int i = 0; i < cls->fields.count; i++) {
        if (!holds_grid(baking->world, &cls->fields.items[i])) continue;
        if (!step(baking, part, i, bake_path(baking, part, part->cls->fields[i].name)))
            return false;
    }
    return true;
}

/* Parents first; back from a part by its place in what holds it, for parts may hold parts without end. */
static bool walk_grids(const Baking *baking, RtPart *root, BakeStep step) {
    RtPart *part = root;
    int next = 0;
    if (!step_fields(baking, root, step)) return false;
    for (;;) {
        if (next < part->cls->child_count) {
            part = rt_part_child(baking->rt, part, next);
            next = 0;
            if (part == NULL || !step_fields(baking, part, step)) return false;
        } else if (part == root) {
            return true;
        } else {
            next = part->place + 1;
            part = part->parent;
        }
    }
}

static bool write_grid(const Baking *baking, RtPart *part, int field, const char *path) {
    const Slot *slots = rt_cell_get(baking->rt, part, field);
    if (rt_failed(baking->rt)) return false;
    Str error;
    if (bake_write(baking->rt->arena, path, slots[0].r, baking->key, &error)) {
        ++*baking->count;
        return true;
    }
    diag_add(&baking->world->report.diags, DIAG_E_FILE_WRITE, (Span){0}, error.ptr);
    return false;
}

typedef struct Reading {
    const Baking *baking;
    const char *path;
    BakeStatus status;
} Reading;

/* Into what holds the value: it lives as long as the cell keeps it. */
static void read_grid(Rt *rt, void *user, Slot *slots) {
    Reading *reading = user;
    RtGrid *grid;
    Str error;
    reading->status = bake_read(rt->arena, reading->path, reading->baking->key, &grid, &error);
    slots[0] = slot_r(grid);
    if (reading->status != BAKE_OK && reading->status != BAKE_MISSING)
        diag_add(&reading->baking->world->report.diags, DIAG_W_BAKE_REFUSED, (Span){0}, error.ptr);
}

static bool take_grid(const Baking *baking, RtPart *part, int field, const char *path) {
    Reading reading = {.baking = baking, .path = path};
    Slot value = {0};
    RtVersion *version = rt_value_keep(baking->rt, read_grid, &reading, NULL, &value);
    if (rt_failed(baking->rt)) return false;
    if (reading.status != BAKE_OK) {
        rt_value_let_go(baking->rt->world, version);
        return true;
    }
    rt_cell_set_kept(baking->rt, part, field, &value, version);
    ++*baking->count;
    return !rt_failed(baking->rt);
}

typedef struct BakeCall {
    const char *directory;
    BakeStep step;
    size_t *count;
} BakeCall;

static bool is_folder(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

static WorldStatus run_bake(World *world, Rt *rt, void *args) {
    const BakeCall *call = args;
    if (call->step == take_grid && !is_folder(call->directory)) {
        diag_add(&world->report.diags, DIAG_E_BAKE_FOLDER, (Span){0}, call->directory);
        return WORLD_ERROR_FILE;
    }
    size_t count = 0;
    Baking baking = {world, rt, call->directory, key_of(world), &count};
    bool good = walk_grids(&baking, rt_world_root(world->parts), call->step);
    WorldStatus status = entry_fault(world, rt);
    if (status == WORLD_OK && call->step == take_grid) world_drop_views(world);
    if (status == WORLD_OK && !good) return WORLD_ERROR_FILE;
    if (status == WORLD_OK) *call->count = count;
    return status;
}

static WorldStatus find_key(World *world, Rt *rt, void *key) {
    (void)rt;
    *(uint64_t *)key = key_of(world);
    return WORLD_OK;
}

WorldStatus world_key(World *world, uint64_t *key) {
    if (world == NULL || key == NULL) return WORLD_ERROR_ARGUMENT;
    return entry_look(world, find_key, key);
}

WorldStatus world_bake(World *world, const char *directory, size_t *count) {
    if (world == NULL || directory == NULL || count == NULL) return WORLD_ERROR_ARGUMENT;
    BakeCall call = {directory, write_grid, count};
    return entry_run(world, run_bake, &call);
}

WorldStatus world_load_bakes(World *world, const char *directory, size_t *count) {
    if (world == NULL || directory == NULL || count == NULL) return WORLD_ERROR_ARGUMENT;
    BakeCall call = {directory, take_grid, count};
    return entry_change(world, run_bake, &call);
}
