/* Functions of the language on the card, against the processor: hashes to the bit, heights within 3 mm, colors within 1/255. */
#include "gpu/device.h"
#include "gpu/gl.h"
#include "world/world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char world_text[] =
    "world version 1\n"
    "use groundlook\nuse terraingen\n"
    "field shapes: List[terraingen.ShapeParams] = [terraingen.alpine(seed: 3), terraingen.mesa(seed: 4), terraingen.hills(), terraingen.badlands(), terraingen.archipelago(seed: 2),\n"
    "    terraingen.dunes(), terraingen.volcano(), terraingen.glacialValley()]\n"
    "fn alpine(here: point) meters { terraingen.heightAt(shapes[0], here.x, here.z) }\n"
    "fn mesa(here: point) meters { terraingen.heightAt(shapes[1], here.x, here.z) }\n"
    "fn hills(here: point) meters { terraingen.heightAt(shapes[2], here.x, here.z) }\n"
    "fn badlands(here: point) meters { terraingen.heightAt(shapes[3], here.x, here.z) }\n"
    "fn archipelago(here: point) meters { terraingen.heightAt(shapes[4], here.x, here.z) }\n"
    "fn dunes(here: point) meters { terraingen.heightAt(shapes[5], here.x, here.z) }\n"
    "fn volcano(here: point) meters { terraingen.heightAt(shapes[6], here.x, here.z) }\n"
    "fn valley(here: point) meters { terraingen.heightAt(shapes[7], here.x, here.z) }\n"
    "field near: landMap = landMap(name: \"near\", of: here => land.ground.border().signedDistance(here) / 1 m, cell: 1 m,\n"
    "    over: rectangle(x0: -959.5 m, x1: 959.5 m, z0: -959.5 m, z1: 959.5 m))\n"
    "fn nearBorder(here: point) number { near.valueAt(here) }\n"
    "fn look(here: point) color {\n"
    "  groundlook.naturalColor([near, landMap(name: \"path\", of: near.of, cell: 1 m, over: near.over)], near, here, height: here.y * 10,\n"
    "    slope: 0.5 + here.y / 8 m, pixel: 1 cm)\n"
    "}\n"    "field tide: meters = 0.25 m\n"
    "fn shade(here: point) fraction { smooth(-2 m, 2 m, here.y) }\n"
    "fn hashes(here: point) u32 {\n"
    "  let cell = hash2(int(here.x / 1 m), int(here.z / 1 m), 77)\n"
    "  cell.x ^ pcg(cell.y) ^ hash3(int(here.z / 1 m), int(here.x / 1 m), 5, seed: 9).w ^ (cell.z >> 7)\n"
    "}\n"
    "fn wholes(here: point) int {\n"
    "  let i = int(here.x / 1 m)\n"
    "  let j = int(here.z / 1 m)\n"
    "  let parts = if (i + j) % 2 == 0 { i * 3 - int(j / 7) } else { i % 5 + (j & 255) - (i >> 3) }\n"
    "  if parts < 0 { -parts } else { parts ^ 21 }\n"
    "}\n"
    "fn relief(here: point) meters {\n"
    "  let far = planDistance(here, (0, 0, 0))\n"
    "  lerp(-8 m, 24 m, smooth(220, 40, far / 1 m)) + 3 m * fbm(here.x / 40 m, here.z / 40 m, seed: 3, octaves: 5)\n"
    "    + 2 m * ridged(here.x / 90 m, here.z / 90 m, seed: 4, octaves: 4) + tide\n"
    "}\n"
    "fn noises(here: point) (number, number, number) {\n"
    "  let v = value2(here.x / 3 m, here.z / 3 m, seed: 4)\n"
    "  let g = gradient3(here.x / 7 m, here.y / 7 m, here.z / 7 m, seed: 5)\n"
    "  let p = phacelle2(here.x / 11 m, here.z / 11 m, 0.6, 0.8, 0.5, 0.25, 0.4, seed: 6)\n"
    "  (v.value + v.dx * 0.1, g.value + billow(here.x / 17 m, here.z / 17 m, seed: 1, octaves: 3), p.cos + p.sin)\n"
    "}\n"
    "fn curves(here: point) (number, number, number) {\n"
    "  let t = here.x / 1 km\n"
    "  let u = here.z / 1 km\n"
    "  (sin(here.x / 9 m * 1 rad) + cos(here.z / 5 m * 1 rad) + tan(t * 0.7 rad), exp(t) + log(1.5 + t) + pow(1.5 + u, 2.2) + cbrt(u),\n"
    "   atan2(here.z, here.x) / 1 rad + asin(t) / 1 rad + acos(u) / 1 rad + hypot(t, u) + exp2(u) + log2(1.5 + t))\n"
    "}\n"
    "fn paint(here: point) color {\n"
    "  let n = fbm(here.x / 12 m, here.z / 12 m, seed: 8, octaves: 4)\n"
    "  let stripes = 0.5 + 0.5 * sin(here.x / 2 m * 1 rad)\n"
    "  lerp(lerp(rgb(\"#7a5230\"), hsv(hue: 200 deg * stripes, saturation: 0.6, value: 0.8), smoothstep(n + 0.4)), color(1, 1, 1), shade(here))\n"
    "}\n"
    "part land\n"
    "  field ground: heightGrid = heightGrid(cell: 4 m, points: 65, height: relief)\n"
    "  fn height(here: point) meters { ground.heightAt(here) }\n"
    "  fn normal(here: point) direction { ground.normalAt(here) }\n"
    "fn chosen(here: point) number {\n"
    "  let steps = [3, 1, 4, 1, 5, 9, 2, 6]\n"
    "  number(weights[int(here.x / 1 m) & 7]) + number(steps[2])\n"
    "}\n"
    "field weights: List[int] = [3, 1, 4, 1, 5, 9, 2, 6]\n"
    "fn halvings(here: point) int {\n"
    "  var n = 0\n"
    "  var rest = here.x / 1 m\n"
    "  each i in 0 ..< 40 {\n"
    "    if abs(rest) < 1 { break }\n"
    "    rest *= 0.5\n"
    "    n += 1\n"
    "  }\n"
    "  n\n"
    "}\n"
    "fn layered(f: fn(point) number, by: meters) fn(point) number { fn(here: point) number { f(here) + f((here.x + by, here.y, here.z)) } }\n"
    "field twice: fn(point) number = layered(here => fbm(here.x / 20 m, here.z / 20 m, seed: 2, octaves: 3), by: 3 m)\n";

static Device device;
static WorldEngine *engine;
static World *world;

static int open_all(void **state) {
    (void)state;
    char error[256];
    if (!device_open_offscreen(&device, true, error, sizeof error)) {
        fprintf(stderr, "skipped: %s\n", error);
        exit(77);
    }
    assert_int_equal(world_engine_create(&(WorldEngineDesc){0}, &engine), WORLD_OK);
    WorldStatus status = world_open_text(engine, world_text, strlen(world_text), &(WorldDesc){0}, &world);
    if (status != WORLD_OK) fail_msg("%s", world_diagnostics_text(engine, NULL, WORLD_STYLE_HUMAN));
    return 0;
}

static int close_all(void **state) {
    (void)state;
    world_close(world);
    world_engine_destroy(engine);
    device_close(&device);
    return 0;
}

/* -- the card's answers -- */

static GLuint compile(const char *text, int results, const char *letters) {
    char head[200], body[2000] = "", tail[1200];
    snprintf(head, sizeof head, "#version 450\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer Places { float places[]; };\n"
                                "layout(std430, binding = 1) buffer Answers { uint answers[]; };\n");
    for (int i = 0; i < results; i++) {
        const char *type = letters[i] == 'F' ? "float" : letters[i] == 'I' ? "int" : letters[i] == 'W' ? "uint" : "bool";
        const char *word = letters[i] == 'F' ? "floatBitsToUint" : "uint";
        size_t at = strlen(body);
        snprintf(body + at, sizeof body - at, "    %s r%d;\n", type, i);
        snprintf(tail + (i ? strlen(tail) : 0), 100, "    answers[n * %d + %d] = %s(r%d);\n", results, i, word, i);
    }
    char call[200] = "    world_function(places[n * 3], places[n * 3 + 1], places[n * 3 + 2]";
    for (int i = 0; i < results; i++)
        snprintf(call + strlen(call), 20, ", r%d", i);
    const char *texts[] = {head, text, "void main() {\n    int n = int(gl_GlobalInvocationID.x);\n    if (n * 3 >= places.length()) return;\n", body, call, ");\n", tail, "}\n"};
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    glShaderSource(shader, 8, texts, NULL);
    glCompileShader(shader);
    GLint good = 0;
    char log[2000] = "";
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    if (!good) fail_msg("%s\n%s", log, text);
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    assert_true(good);
    return program;
}

static GLuint buffer(int binding, size_t size, const void *data) {
    GLuint name;
    glCreateBuffers(1, &name);
    glNamedBufferStorage(name, (GLsizeiptr)size, data, 0);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, (GLuint)binding, name);
    return name;
}

static void run_card(const WorldCard *card, int n, const float *places, int results, const char *letters, uint32_t *answers) {
    GLuint program = compile(card->text, results, letters);
    size_t size = sizeof *answers * (size_t)(n * results);
    GLuint names[3] = {buffer(0, sizeof *places * 3 * (size_t)n, places), buffer(1, size, NULL),
                       buffer(7, sizeof *card->words * card->word_count, card->words)};
    glUseProgram(program);
    glDispatchCompute((GLuint)(n + 63) / 64, 1, 1);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(names[1], 0, (GLsizeiptr)size, answers);
    glDeleteBuffers(3, names);
    glDeleteProgram(program);
    assert_int_equal(device.messages, 0);
}

/* -- against the processor's -- */

static uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Places as 32 bits hold them, so that both are asked the same; `cells` on half meters, away from every edge of a cell. */
static void fill_places(int n, bool cells, float *single, double *wide) {
    uint32_t random = 12345;
    for (int i = 0; i < 3 * n; i++) {
        float reach = i % 3 == 1 ? 4.0f : 950.0f;
        float at = ((float)next_random(&random) / 8388608.0f - 1.0f) * reach;
        single[i] = cells ? floorf(at) + 0.5f : at;
        wide[i] = (double)single[i];
    }
}

typedef struct Compared {
    double worst;  /* of numbers */
    long differ;   /* of whole numbers, words and bools */
} Compared;

static double as_number(uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static Compared compare(const char *expression, const char *signature, int n, bool cells) {
    WorldFunction function;
    WorldCard card;
    int arguments, results;
    Compared found = {0};
    assert_int_equal(world_function(world, expression, signature, &function), WORLD_OK);
    assert_int_equal(world_function_shape(world, function, &arguments, &results), WORLD_OK);
    const char *letters = world_function_letters(world, function);
    float *places = malloc(sizeof *places * 3 * (size_t)n);
    double *wide = malloc(sizeof *wide * 3 * (size_t)n);
    union Answer {
        double f;
        int64_t i;
        uint64_t w;
    } *answers = malloc(sizeof *answers * (size_t)(n * results));
    uint32_t *words = malloc(sizeof *words * (size_t)(n * results));
    fill_places(n, cells, places, wide);
    assert_int_equal(world_call_batch(world, function, (size_t)n, wide, answers), WORLD_OK);
    WorldStatus status = world_card(world, expression, &card);
    if (status != WORLD_OK) fail_msg("%s", world_diagnostics_text(engine, world, WORLD_STYLE_HUMAN));
    run_card(&card, n, places, results, letters, words);
    for (int i = 0; i < n * results; i++) {
        char letter = letters[i % results];
        double off = letter == 'F' ? fabs(as_number(words[i]) - answers[i].f) : 0;
        if (!(off <= found.worst)) found.worst = off;
        if (letter != 'F') found.differ += words[i] != (uint32_t)answers[i].w;
    }
    free(places), free(wide), free(answers), free(words);
    printf("%-14s %7d places: worst %.2g, %ld differ\n", expression, n, found.worst, found.differ);
    return found;
}

static void test_hashes_are_equal(void **state) {
    (void)state;
    assert_int_equal(compare("hashes", "fn(point) u32", 300000, true).differ, 0);
    assert_int_equal(compare("wholes", "fn(point) int", 100000, true).differ, 0);
    assert_int_equal(compare("halvings", "fn(point) int", 20000, true).differ, 0);
}

static void test_heights_are_within_3_mm(void **state) {
    (void)state;
    assert_true(compare("relief", "fn(point) meters", 200000, false).worst < 0.003);
    assert_true(compare("land.height", "fn(point) meters", 100000, false).worst < 0.003);
}

static void test_landscapes_are_within_3_mm(void **state) {
    (void)state;
    static const char *const presets[] = {"alpine", "mesa", "hills", "badlands", "archipelago", "dunes", "volcano", "valley"};
    for (size_t k = 0; k < sizeof presets / sizeof *presets; k++)
        assert_true(compare(presets[k], "fn(point) meters", 8000, false).worst < 0.003);
}

static void test_colors_are_within_a_255th(void **state) {
    (void)state;
    assert_true(compare("paint", "fn(point) color", 150000, false).worst < 1.0 / 255);
    assert_true(compare("look", "fn(point) color", 40000, true).worst < 1.0 / 255);
}

static void test_numbers(void **state) {
    (void)state;
    assert_true(compare("noises", NULL, 60000, false).worst < 2e-4);
    assert_true(compare("curves", NULL, 60000, false).worst < 1e-4);
    assert_true(compare("land.normal", NULL, 50000, false).worst < 1e-3);
    assert_true(compare("chosen", NULL, 10000, true).worst == 0);
    assert_true(compare("nearBorder", NULL, 20000, true).worst < 1e-3); /* what is native, at a map's samples */
    assert_true(compare("twice", NULL, 50000, false).worst < 1e-4);
    assert_true(compare("fn(here: point) number { var xs = [1.0]\n xs += [here.x / 1 m]\n xs[1] }", "fn(point) number", 5000, false).worst == 0); /* a list that is values */
}

/* -- what cannot be expressed -- */

static void assert_refused(const char *expression, const char *why) {
    WorldCard card;
    WorldDiagnostic diagnostic = {.size = sizeof diagnostic};
    assert_int_equal(world_card(world, expression, &card), WORLD_ERROR_WORLD);
    assert_int_equal(world_diagnostic_count(engine, world), 1);
    assert_int_equal(world_diagnostic(engine, world, 0, &diagnostic), WORLD_OK);
    if (!strstr(diagnostic.message, why)) fail_msg("%s: %s", expression, diagnostic.message);
}

static void test_what_cannot_be_is_refused(void **state) {
    (void)state;
    assert_refused("fn(here: point) meters { land.ground.border().signedDistance(here) }", "native");
    assert_refused("fn(here: point) int { int(here.x / 1 m) * int(here.x / 1 m) * int(here.z / 1 m) }", "32 bits");
    assert_refused("fn(here: point) number { var xs = [1.0]\n each i in 0 ..< 100 { xs += [here.x / 1 m] }\n xs[1] }", "item of a list");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes_are_equal),      cmocka_unit_test(test_heights_are_within_3_mm),
        cmocka_unit_test(test_landscapes_are_within_3_mm),
        cmocka_unit_test(test_colors_are_within_a_255th), cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
