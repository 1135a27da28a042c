#include "compiler/cli/ground.h"

#include <stdlib.h>
#include <string.h>

#include "compiler/cli/map.h"

enum { SHOWN_SIZE = 1024 }; /* answers along the longer side */

/* What is laid now; the scene that shows it points into it. */
static struct Laid {
    WorldScene scene;
    WorldCard *cards;
    uint32_t *words;
    char *text;
    GroundPaint paint;
} laid;

/* The author's own text stands before it, with its color called laid_under; the picture's words follow the author's. */
static const char shown_text[] =
    "#ifdef MATERIAL_COLOR\n"
    "#define LAID_UNDER\n"
    "#endif\n"
    "#undef MATERIAL_COLOR\n"
    "#define MATERIAL_COLOR\n"
    "vec4 shown_texel(ivec2 at) {\n"
    "    at = clamp(at, ivec2(0), SHOWN_SIDES - 1);\n"
    "    return unpackUnorm4x8(card_words[SHOWN_BASE + at.y * SHOWN_SIDES.x + at.x]);\n"
    "}\n"
    "vec4 shown_at(vec2 place) {\n"
    "    vec2 at = (place - SHOWN_FROM) / (SHOWN_TO - SHOWN_FROM);\n"
    "    if (any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(1.0)))) return vec4(0.0);\n"
    "    at = at * vec2(SHOWN_SIDES) - 0.5;\n"
    "    ivec2 cell = ivec2(floor(at));\n"
    "    vec2 part = at - vec2(cell);\n"
    "    vec4 near = mix(shown_texel(cell), shown_texel(cell + ivec2(1, 0)), part.x), far = mix(shown_texel(cell + ivec2(0, 1)), shown_texel(cell + 1), part.x);\n"
    "    vec4 color = mix(near, far, part.y);\n"
    "    return vec4(mix(color.rgb / 12.92, pow((color.rgb + 0.055) / 1.055, vec3(2.4)), greaterThan(color.rgb, vec3(0.04045))), color.a);\n"
    "}\n"
    "void material_color(float x, float y, float z, float nx, float ny, float nz, float height, float slope, float distance, float pixel, float time,\n"
    "                    float own_r, float own_g, float own_b, float across, float along, float tile, out bool said, out float r, out float g, out float b) {\n"
    "    vec3 ground = vec3(own_r, own_g, own_b);\n"
    "#ifdef LAID_UNDER\n"
    "    bool known;\n"
    "    vec3 other;\n"
    "    laid_under(x, y, z, nx, ny, nz, height, slope, distance, pixel, time, own_r, own_g, own_b, across, along, tile, known, other.r, other.g, other.b);\n"
    "    if (known) ground = other;\n"
    "#endif\n"
    "    vec4 shown = shown_at(vec2(x, z));\n"
    "    ground = mix(ground * SHOWN_TINT, shown.rgb, shown.a);\n"
    "    said = true, r = ground.r, g = ground.g, b = ground.b;\n"
    "}\n";

static bool ground_is_painted(const Cli *cli) {
    return cli->has[OPTION_SHOW] || cli->has[OPTION_SPOTS];
}

const char *ground_legend(void) {
    return laid.paint.legend;
}

static void clear(void) {
    free(laid.cards);
    free(laid.words);
    free(laid.text);
    free(laid.paint.rgba);
    memset(&laid, 0, sizeof laid);
}

/* -- false colors -- */

static int paint_answers(Cli *cli, GroundPaint *paint) {
    Map map = {.question = cli->value[OPTION_SHOW]};
    int code = map_ask(cli, &map, SHOWN_SIZE);
    if (code == EXIT_FINE) {
        memcpy(paint->over, map.over, sizeof paint->over);
        paint->columns = map.width;
        paint->rows = map.height;
        paint->rgba = map_colors(&map);
        if (map.channels == 1)
            snprintf(paint->legend, sizeof paint->legend, "%.200s: %.6g (DARK BLUE) to %.6g (NEAR WHITE)", map.question, map.lo, map.hi);
        else
            snprintf(paint->legend, sizeof paint->legend, "%.200s", map.question);
        if (paint->rgba == NULL) fprintf(stderr, "worldc: out of memory\n");
        if (paint->rgba == NULL) code = EXIT_LIMIT;
    }
    free(map.values);
    return code;
}

/* -- the material -- */

static bool make_text(const WorldScene *scene, const WorldCard *own) {
    const GroundPaint *paint = &laid.paint;
    const char *before = own ? own->text : "layout(std430, binding = 7) readonly buffer CardCells { uint card_words[]; };\n";
    size_t size = strlen(before) + sizeof shown_text + 1024;
    laid.text = malloc(size);
    if (laid.text == NULL) return false;
    snprintf(laid.text, size,
             "#define material_color laid_under\n%s\n#undef material_color\n"
             "#define SHOWN_BASE %zu\n#define SHOWN_SIDES ivec2(%d, %d)\n"
             "#define SHOWN_FROM vec2(%.9g, %.9g)\n#define SHOWN_TO vec2(%.9g, %.9g)\n#define SHOWN_TINT vec3(%.9g, %.9g, %.9g)\n%s",
             before, own ? own->word_count : 0, paint->columns, paint->rows, paint->over[0], paint->over[1], paint->over[2], paint->over[3],
             (double)scene->land_tint[0], (double)scene->land_tint[1], (double)scene->land_tint[2], shown_text);
    return true;
}

static bool make_words(const WorldCard *own) {
    const GroundPaint *paint = &laid.paint;
    size_t before = own ? own->word_count : 0, count = (size_t)paint->columns * (size_t)paint->rows;
    laid.words = malloc((before + count) * sizeof *laid.words);
    if (laid.words == NULL) return false;
    if (own) memcpy(laid.words, own->words, before * sizeof *laid.words);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *c = paint->rgba + 4 * i;
        laid.words[before + i] = (uint32_t)c[0] | (uint32_t)c[1] << 8 | (uint32_t)c[2] << 16 | (uint32_t)c[3] << 24;
    }
    return true;
}

/* The scene, with that ground. */
static void take_scene(const WorldScene *scene) {
    memcpy(laid.cards, scene->materials, scene->material_count * sizeof *laid.cards);
    laid.scene = *scene;
    laid.scene.materials = laid.cards;
    laid.scene.material_count = scene->material_count + 1;
    laid.scene.land_material = (int)laid.scene.material_count;
    for (int k = 0; k < 3; k++)
        laid.scene.land_tint[k] = 1;
    laid.scene.cover = (WorldCover){0}; /* it would hide the ground */
}

static bool make_ground(const WorldScene *scene) {
    const WorldCard *own = scene->land_material ? &scene->materials[scene->land_material - 1] : NULL;
    laid.cards = calloc(scene->material_count + 1, sizeof *laid.cards);
    if (laid.cards == NULL || !make_text(scene, own) || !make_words(own)) return false;
    laid.cards[scene->material_count] =
        (WorldCard){laid.text, laid.words, (own ? own->word_count : 0) + (size_t)laid.paint.columns * (size_t)laid.paint.rows};
    return true;
}

static int paint(Cli *cli, const WorldScene *scene) {
    clear();
    if (cli->has[OPTION_SHOW] && cli->has[OPTION_SPOTS]) return usage_error(cli, "--show or --spots, not both");
    if (scene->land.columns == 0) return usage_error(cli, "the world has no land for --show or --spots to be laid on");
    int code = cli->has[OPTION_SHOW] ? paint_answers(cli, &laid.paint) : spots_paint(cli, &laid.paint);
    if (code != EXIT_FINE || make_ground(scene)) return code;
    fprintf(stderr, "worldc: out of memory\n");
    return EXIT_LIMIT;
}

/* The view keeps the ground of a scene that only moved, so it is not painted again either. */
int ground_lay(Cli *cli, const WorldScene **scene) {
    bool moved = laid.scene.shape && laid.scene.shape == (*scene)->shape;
    if (!ground_is_painted(cli)) return EXIT_FINE;
    int code = moved ? EXIT_FINE : paint(cli, *scene);
    if (code != EXIT_FINE) return code;
    take_scene(*scene);
    *scene = &laid.scene;
    return EXIT_FINE;
}
