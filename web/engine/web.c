/* What the page's worker calls: one world at a time, and its answers as texts of JSON. Over world.h and the exports alone.
 *
 * A text that is handed out lives until the next one is. What failed is in web_diagnostics.
 */
#include <emscripten.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <world/world.h>

#include "runtime/export/export.h"

static WorldEngine *engine;
static World *world;
static char *handed;

/* -- JSON -- */

static void put_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\') fputc('\\', out);
        if (*c < ' ')
            fprintf(out, "\\u%04x", *c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

static void put_number(FILE *out, double number) {
    if (isfinite(number))
        fprintf(out, "%.17g", number);
    else
        fputs("null", out);
}

static void put_numbers(FILE *out, const char *name, const double *numbers, int count) {
    fprintf(out, ",\"%s\":[", name);
    for (int i = 0; i < count; i++) {
        if (i) fputc(',', out);
        put_number(out, numbers[i]);
    }
    fputc(']', out);
}

static void put_floats(FILE *out, const char *name, const float *numbers, int count) {
    double wide[12];
    for (int i = 0; i < count; i++)
        wide[i] = (double)numbers[i];
    put_numbers(out, name, wide, count);
}

static void put_cell(FILE *out, const WorldTable *table, size_t row, int column) {
    double at[3] = {NAN, NAN, NAN};
    if (world_table_kind(table, column) == WORLD_VALUE_TEXT)
        put_text(out, world_table_text(table, row, column));
    else if (world_table_vector(table, row, column, at))
        fprintf(out, "[%.17g,%.17g,%.17g]", at[0], at[1], at[2]);
    else
        put_number(out, world_table_number(table, row, column));
}

/* Rows as objects; empty cells are left out. */
static void put_table(FILE *out, const WorldTable *table) {
    fputc('[', out);
    for (size_t row = 0; row < world_table_rows(table); row++) {
        bool first = true;
        fputs(row ? ",{" : "{", out);
        for (int column = 0; column < world_table_columns(table); column++) {
            if (world_table_is_empty(table, row, column)) continue;
            if (!first) fputc(',', out);
            first = false;
            put_text(out, world_table_name(table, column));
            fputc(':', out);
            put_cell(out, table, row, column);
        }
        fputc('}', out);
    }
    fputc(']', out);
}

static FILE *begin(char **text, size_t *length) {
    free(handed);
    handed = NULL;
    return open_memstream(text, length);
}

static const char *hand_table(WorldStatus status, WorldTable *table) {
    size_t length;
    if (status != WORLD_OK) return NULL;
    FILE *out = begin(&handed, &length);
    if (out) put_table(out, table);
    if (out) fclose(out);
    world_table_destroy(table);
    return handed;
}

/* -- a world -- */

EM_JS(void, tell_progress, (const char *what, double done, double seconds), {
    if (Module.progress) Module.progress(UTF8ToString(what), done, seconds);
});

static bool on_progress(void *user, const char *what, double seconds) {
    (void)user;
    tell_progress(what, world ? world_progress(world, NULL) : -1, seconds);
    return false;
}

static void forget(void) {
    world_close(world);
    world = NULL;
}

/* Machine code came with the page (code.c): it costs nothing, so it runs whatever it can. */
EM_JS(int, has_code, (void), {
    return Module.code ? 1 : 0;
});

EMSCRIPTEN_KEEPALIVE int web_open(const char *path, bool has_seed, uint32_t seed) {
    const WorldEngineDesc plain = {.exec = has_code() ? WORLD_EXEC_JIT : WORLD_EXEC_INTERPRETER, .threads = 1};
    WorldStatus status = engine ? WORLD_OK : world_engine_create(&plain, &engine);
    forget();
    if (status != WORLD_OK) return status;
    return world_open_file(engine, path, &(WorldDesc){.has_seed = has_seed, .seed = seed, .progress = on_progress, .no_cover = true}, &world);
}

EMSCRIPTEN_KEEPALIVE int web_reload(void) {
    return world_reload(world);
}

EMSCRIPTEN_KEEPALIVE int web_set(const char *path, const char *value) {
    return world_set(world, path, value);
}

EMSCRIPTEN_KEEPALIVE int web_build(void) {
    return world_build(world);
}

EMSCRIPTEN_KEEPALIVE const char *web_diagnostics(void) {
    return engine ? world_diagnostics_text(engine, world, WORLD_STYLE_JSON) : "[]";
}

EMSCRIPTEN_KEEPALIVE const char *web_status_text(int status) {
    return world_status_text((WorldStatus)status);
}

EMSCRIPTEN_KEEPALIVE const char *web_hash(void) {
    static char text[17];
    uint64_t hash;
    if (world_hash(world, &hash) != WORLD_OK) return NULL;
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    return text;
}

/* As `worldc ask` says it. */
EMSCRIPTEN_KEEPALIVE const char *web_ask(const char *expression) {
    WorldValue *value;
    size_t length;
    if (world_ask(world, expression, &value) != WORLD_OK) return NULL;
    FILE *out = begin(&handed, &length);
    if (out) fputs(world_value_text(value), out);
    if (out) fclose(out);
    world_value_destroy(value);
    return handed;
}

EMSCRIPTEN_KEEPALIVE const char *web_numbers(void) {
    WorldTable *table = NULL;
    return hand_table(world_numbers(world, &table), table);
}

EMSCRIPTEN_KEEPALIVE const char *web_answers(double x, double z) {
    WorldTable *table = NULL;
    return hand_table(world_answers(world, x, z, &table), table);
}

EMSCRIPTEN_KEEPALIVE const char *web_explain(double x, double z, double radius) {
    WorldTable *table = NULL;
    return hand_table(world_explain(world, "", x, z, radius, &table), table);
}

/* -- what there is to draw -- */

static void put_land(FILE *out, const WorldScene *scene) {
    const WorldGridView *land = &scene->land;
    fprintf(out, "\"land\":{\"columns\":%d,\"rows\":%d,\"cell\":%.17g,\"x0\":%.17g,\"z0\":%.17g,\"heights\":%zu,\"finer\":%d,\"tail\":%zu", land->columns,
            land->rows, land->cell, land->x0, land->z0, (size_t)land->heights, land->finer, land->tail);
    put_floats(out, "transform", scene->land_transform, 12);
    put_floats(out, "tint", scene->land_tint, 3);
    if (scene->land_material) {
        const WorldCard *card = &scene->materials[scene->land_material - 1];
        fprintf(out, ",\"words\":%zu,\"wordCount\":%zu,\"card\":", (size_t)card->words, card->word_count);
        put_text(out, card->text);
    }
    fputs("},", out);
}

/* The land alone, before the rest is built; "{}": there is none of that name. */
EMSCRIPTEN_KEEPALIVE const char *web_land(void) {
    WorldGridView land = {.size = sizeof land};
    const WorldScene early = {.land_transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, .land_tint = {1, 1, 1}};
    size_t length;
    if (world_grid(world, "land.ground", &land) != WORLD_OK) return NULL;
    WorldScene scene = early;
    scene.land = land;
    FILE *out = begin(&handed, &length);
    if (out) fputc('{', out);
    if (out) put_land(out, &scene);
    if (out) fputs("\"early\":true}", out);
    if (out) fclose(out);
    return handed;
}

static void put_cameras(FILE *out, const WorldScene *scene) {
    fputs("\"cameras\":[", out);
    for (size_t i = 0; i < scene->camera_count; i++) {
        const WorldCamera *camera = &scene->cameras[i];
        fputs(i ? ",{\"path\":" : "{\"path\":", out);
        put_text(out, camera->path);
        put_numbers(out, "from", camera->from, 3);
        put_numbers(out, "to", camera->to, 3);
        fprintf(out, ",\"fov\":%.17g}", camera->fov);
    }
    fputc(']', out);
}

static void put_scene(FILE *out, const WorldScene *scene) {
    fputc('{', out);
    if (scene->land.columns) put_land(out, scene);
    put_cameras(out, scene);
    if (scene->sky.path) put_numbers(out, "sun", scene->sky.sun, 3);
    if (scene->sky.path) fprintf(out, ",\"haze\":%.17g", scene->sky.haze);
    if (scene->has_sea) fprintf(out, ",\"sea\":%.17g", scene->sea_level);
    fputc('}', out);
}

/* The things into a file as glTF with instances, and the rest told: the land's heights and what its material reads lie at addresses that
 * are good until the world changes. "" in the file's place: no thing is drawn. */
EMSCRIPTEN_KEEPALIVE const char *web_scene(const char *path) {
    const WorldScene *scene;
    size_t length;
    char said[512];
    if (world_scene(world, &scene) != WORLD_OK) return NULL;
    WorldScene things = *scene;
    things.land.columns = 0;
    if (scene->instance_count && !export_scene(path, "world", EXPORT_INSTANCES, &things, said, sizeof said)) return NULL;
    FILE *out = begin(&handed, &length);
    if (out) put_scene(out, scene);
    if (out) fclose(out);
    return handed;
}
