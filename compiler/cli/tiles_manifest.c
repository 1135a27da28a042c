/* Manifests: what is done, as JSON, a tile a line. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compiler/cli/tiles.h"
#include "runtime/base/str.h"

static const char format_name[] = "worldc tiles 1";

static bool refuse(const Tiles *tiles, const char *path, const char *why) {
    session_clear_progress(tiles->cli);
    fprintf(stderr, "worldc: %s: %s\n", path, why);
    return false;
}

/* "tiles.json", "tiles.2-of-8.json". */
static bool is_manifest(const char *name) {
    size_t length = strlen(name);
    return length >= 10 && strncmp(name, "tiles.", 6) == 0 && strcmp(name + length - 5, ".json") == 0;
}

/* -- reading -- */

static bool read_hash(const json_t *value, uint64_t *hash) {
    char *end;
    const char *text = json_string_value(value);
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16) return false;
    *hash = strtoull(text, &end, 16);
    return true;
}

static bool read_row(Tiles *tiles, const json_t *item) {
    json_int_t column = json_integer_value(json_object_get(item, "column")), row = json_integer_value(json_object_get(item, "row"));
    const json_t *edges = json_object_get(item, "edges");
    TileRow found = {.done = true, .bytes = (uint64_t)json_integer_value(json_object_get(item, "bytes"))};
    bool good = column >= 0 && column < tiles->across && row >= 0 && row < tiles->down && json_array_size(edges) == EDGE_COUNT &&
                read_hash(json_object_get(item, "hash"), &found.hash);
    for (size_t i = 0; good && i < EDGE_COUNT; i++)
        good = read_hash(json_array_get(edges, i), &found.edges[i]);
    if (!good) return false;
    found.low = json_number_value(json_object_get(item, "low"));
    found.high = json_number_value(json_object_get(item, "high"));
    tiles->rows_done[row * tiles->across + column] = found;
    return true;
}

static bool read_document(Tiles *tiles, const char *path, const json_t *document) {
    uint64_t key;
    const json_t *rows = json_object_get(document, "tiles");
    const char *format = json_string_value(json_object_get(document, "manifest"));
    if (format == NULL || strcmp(format, format_name) != 0 || !json_is_array(rows) || !read_hash(json_object_get(document, "key"), &key))
        return refuse(tiles, path, "it is no manifest of tiles that this build reads");
    if (key != tiles->key)
        return refuse(tiles, path, "these tiles are of another land: of another text or seed, cut otherwise or of another format; another folder, or none of them, will do");
    for (size_t i = 0; i < json_array_size(rows); i++)
        if (!read_row(tiles, json_array_get(rows, i))) return refuse(tiles, path, "one of its tiles is none of this land: it was changed");
    return true;
}

static bool read_one(Tiles *tiles, const char *name) {
    char path[4096];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", tiles->folder, name);
    json_t *document = json_load_file(path, 0, &error);
    if (document == NULL && json_error_code(&error) == json_error_cannot_open_file && access(path, F_OK) != 0)
        return true; /* another part, the last to end, has joined it to the whole one meanwhile */
    if (document == NULL) return refuse(tiles, path, error.text);
    bool good = read_document(tiles, path, document);
    json_decref(document);
    return good;
}

/* In any order: each tile is the same wherever it is told of. */
static bool each_manifest(Tiles *tiles, bool (*visit)(Tiles *tiles, const char *name)) {
    DIR *folder = opendir(tiles->folder);
    if (folder == NULL) return refuse(tiles, tiles->folder, strerror(errno));
    bool good = true;
    for (const struct dirent *entry; good && (entry = readdir(folder));)
        if (is_manifest(entry->d_name)) good = visit(tiles, entry->d_name);
    closedir(folder);
    return good;
}

/* A tile that is told of and whose file is gone is made again. */
static void forget_missing(Tiles *tiles) {
    char path[4096];
    for (int i = 0; i < tiles_count(tiles); i++) {
        tile_path(tiles, i, path, sizeof path);
        if (tiles->rows_done[i].done && access(path, F_OK) != 0) tiles->rows_done[i].done = false;
    }
}

bool manifest_read(Tiles *tiles) {
    if (!each_manifest(tiles, read_one)) return false;
    forget_missing(tiles);
    return true;
}

/* -- writing -- */

static void put_text(StrBuf *out, const char *name, const char *text) {
    strbuf_printf(out, "  \"%s\": ", name);
    strbuf_json_text(out, str_of(text));
    strbuf_printf(out, ",\n");
}

static void put_number(StrBuf *out, const char *name, double value) {
    strbuf_printf(out, "  \"%s\": ", name);
    strbuf_double(out, value);
    strbuf_printf(out, ",\n");
}

static void put_head(const Tiles *tiles, StrBuf *out) {
    const WorldGridView *view = &tiles->view;
    strbuf_printf(out, "{\n");
    put_text(out, "manifest", format_name);
    strbuf_printf(out, "  \"key\": \"%016" PRIx64 "\",\n", tiles->key);
    put_text(out, "world", tiles->cli->words[0]);
    put_text(out, "land", tiles->land);
    strbuf_printf(out, "  \"columns\": %" PRId64 ",\n  \"rows\": %" PRId64 ",\n", tiles->columns, tiles->rows);
    put_number(out, "cell", tiles->cell);
    put_number(out, "west", tiles->x0);
    put_number(out, "north", tiles->z0);
    if (view->east_per_meter > 0) {
        put_number(out, view->degrees ? "longitude" : "east", view->east + tiles->x0 * view->east_per_meter);
        put_number(out, view->degrees ? "latitude" : "northing", view->north - tiles->z0 * view->north_per_meter);
        put_number(out, "eastPerMeter", view->east_per_meter);
        put_number(out, "northPerMeter", view->north_per_meter);
        if (view->epsg) strbuf_printf(out, "  \"epsg\": %d,\n", view->epsg);
    }
    put_text(out, "format", tiles->format);
    if (tiles->has_scale) {
        put_number(out, "valueLow", tiles->scale[0]);
        put_number(out, "valueStep", (tiles->scale[1] - tiles->scale[0]) / 65535);
    }
    put_text(out, "orientation", "row 0 is the smallest z (north); along a row x grows (east); y is up; tile (column, row) begins with the land's point (column, row) times (side - 1)");
    strbuf_printf(out, "  \"side\": %d,\n  \"across\": %d,\n  \"down\": %d,\n  \"tiles\": [", tiles->side, tiles->across, tiles->down);
}

static void put_row(const Tiles *tiles, StrBuf *out, int index, bool first) {
    const TileRow *row = &tiles->rows_done[index];
    strbuf_printf(out, "%s\n    {\"column\": %d, \"row\": %d, \"bytes\": %" PRIu64 ", \"low\": ", first ? "" : ",", index % tiles->across, index / tiles->across, row->bytes);
    strbuf_double(out, row->low);
    strbuf_printf(out, ", \"high\": ");
    strbuf_double(out, row->high);
    strbuf_printf(out, ", \"hash\": \"%016" PRIx64 "\", \"edges\": [", row->hash);
    for (int i = 0; i < EDGE_COUNT; i++)
        strbuf_printf(out, "%s\"%016" PRIx64 "\"", i ? ", " : "", row->edges[i]);
    strbuf_printf(out, "]}");
}

static bool write_file(const Tiles *tiles, const char *path, Str text) {
    WholeFile file;
    bool good = file_open(&file, path) && file_add(&file, text.ptr, text.len);
    good = file_commit(&file) && good;
    return good || refuse(tiles, path, strerror(file.problem));
}

static bool write_document(const Tiles *tiles, Arena *arena, const char *path, bool whole) {
    StrBuf out = {.arena = arena};
    bool first = true;
    put_head(tiles, &out);
    for (int i = 0; i < tiles_count(tiles); i++) {
        if (!tiles->rows_done[i].done || (!whole && i % tiles->parts != tiles->part - 1)) continue;
        put_row(tiles, &out, i, first);
        first = false;
    }
    strbuf_printf(&out, "\n  ]\n}\n");
    return write_file(tiles, path, strbuf_take(&out));
}

static bool try_write(const Tiles *tiles, Arena *arena, const char *path, bool whole) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        bool good = write_document(tiles, arena, path, whole);
        memory_end_try(&recover);
        return good;
    }
    return refuse(tiles, path, "out of memory");
}

bool manifest_write(const Tiles *tiles, bool whole) {
    char path[4096];
    Memory memory;
    Arena arena;
    snprintf(path, sizeof path, "%s/tiles.json", tiles->folder);
    if (!whole) snprintf(path, sizeof path, "%s/tiles.%d-of-%d.json", tiles->folder, tiles->part, tiles->parts);
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    bool good = try_write(tiles, &arena, path, whole);
    arena_fini(&arena);
    return good;
}

static bool drop_part(Tiles *tiles, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", tiles->folder, name);
    if (strcmp(name, "tiles.json") != 0) unlink(path);
    return true;
}

void manifest_drop_parts(const Tiles *tiles) {
    each_manifest((Tiles *)(uintptr_t)tiles, drop_part);
}
