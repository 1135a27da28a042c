#include "compiler/cli/worn.h"

#include <stdlib.h>
#include <string.h>

enum { EXPRESSION = 2000 };

static int too_long(const Cli *cli) {
    return usage_error(cli, "what --erode says is too long; a field of the world may hold it, and be named here");
}

/* As the world would say it. */
static int wear_on_processor(Cli *cli, const char *name, const char *spec, WorldGridView *grid) {
    char expression[EXPRESSION];
    int length = snprintf(expression, sizeof expression, "erosion.erodeCpu(%s, %s).ground", name, spec);
    if (length >= (int)sizeof expression) return too_long(cli);
    return session_report(cli, world_grid(cli->world, expression, grid));
}

#ifdef WORLD_GPU

#include "gpu/device.h"
#include "gpu/erosion.h"

/* In the order of wear's fields; on a grid of nothing, for what erosion refuses. */
static const char numbers_of[] =
    "{\n let s = %s\n let sea = s.sea\n let tried = erosion.erodeCpu(heightGrid(cell: 1 m, points: 4, height: p => 0 m), s.with(steps: min(s.steps, 0))).left / 1 m^3\n"
    "[number(s.steps) + tried, s.rain / 1 m, s.evaporation, s.pipe, s.capacity, s.deep / 1 m, s.dissolve, s.settle, tan(s.talus), s.slide, if s.border == open { 1 } else { 0 }, "
    "if sea == none { 0 } else { 1 }, if sea == none { 0 } else { sea / 1 m }] }";

enum { STEPS, RAIN, EVAPORATION, PIPE, CAPACITY, DEEP, DISSOLVE, SETTLE, TALUS, SLIDE, OPEN, HAS_SEA, SEA, NUMBER_COUNT };

static int read_spec(Cli *cli, const char *text, ErodeSpec *spec, int64_t *steps) {
    char expression[EXPRESSION];
    double n[NUMBER_COUNT] = {0}, three[3];
    WorldValue *value;
    if (snprintf(expression, sizeof expression, numbers_of, text) >= (int)sizeof expression) return too_long(cli);
    WorldStatus status = world_ask(cli->world, expression, &value);
    if (status != WORLD_OK) return session_report(cli, status);
    for (int i = 0; i < NUMBER_COUNT; i++)
        if (world_value_numbers(world_value_item(value, i), three) == 1) n[i] = three[0];
    world_value_destroy(value);
    *steps = (int64_t)n[STEPS];
    *spec = (ErodeSpec){.rain = n[RAIN], .evaporation = n[EVAPORATION], .pipe = n[PIPE], .capacity = n[CAPACITY], .deep = n[DEEP], .dissolve = n[DISSOLVE],
                        .settle = n[SETTLE], .talus = n[TALUS], .slide = n[SLIDE], .has_sea = n[HAS_SEA] != 0, .sea = n[SEA], .open = n[OPEN] != 0};
    return EXIT_FINE;
}

static bool goes_on(void *user, double done) {
    (void)user;
    (void)done;
    return !session_interrupted();
}

static int wear_on_card(Cli *cli, const char *spec_text, WorldGridView *grid, float **own) {
    char error[512];
    ErodeSpec spec;
    CardErosion what = {.columns = (int32_t)grid->columns, .rows = (int32_t)grid->rows, .cell = grid->cell, .heights = grid->heights, .spec = &spec, .goes_on = goes_on};
    if (grid->columns < ERODE_LEAST || grid->rows < ERODE_LEAST) return usage_error(cli, "--erode wears grids of %d points a side or more", ERODE_LEAST);
    int code = read_spec(cli, spec_text, &spec, &what.steps);
    if (code != EXIT_FINE) return code;
    *own = malloc(sizeof **own * (size_t)grid->columns * (size_t)grid->rows);
    if (*own && erosion_on_card(&what, *own, NULL, error, sizeof error)) {
        grid->heights = *own, grid->finer = 0, grid->tail = 0;
        return EXIT_FINE;
    }
    fprintf(stderr, "worldc: %s\n", *own == NULL ? "out of memory" : error[0] ? error : "stopped before it was done");
    return EXIT_LIMIT;
}

/* A card that the processor plays is slower than the processor; WORLD_CARD=any takes it all the same. */
static bool open_card(Device *device) {
    char error[512];
    const char *any = getenv("WORLD_CARD");
    if (!device_open_offscreen(device, false, error, sizeof error)) return false;
    if (!device->software || (any && strcmp(any, "any") == 0)) return true;
    device_close(device);
    return false;
}

int worn_heights(Cli *cli, const char *name, WorldGridView *grid, float **own) {
    const char *spec = cli->value[OPTION_ERODE];
    Device device;
    if (!open_card(&device)) {
        fputs("worldc: there is no card, so the processor wears it\n", stderr);
        return wear_on_processor(cli, name, spec, grid);
    }
    int code = wear_on_card(cli, spec, grid, own);
    device_close(&device);
    return code;
}

#else

int worn_heights(Cli *cli, const char *name, WorldGridView *grid, float **own) {
    (void)own;
    fputs("worldc: this build knows no card, so the processor wears it\n", stderr);
    return wear_on_processor(cli, name, cli->value[OPTION_ERODE], grid);
}

#endif
