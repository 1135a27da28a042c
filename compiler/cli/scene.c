#include "compiler/cli/scene.h"

#include <stdlib.h>

#ifdef WORLD_GPU
#include "compiler/cli/ground.h"
#endif

/* The sky of an hour over a world that has none: that of a part sky.day which says no more. */
static int take_hour(Cli *cli, double hour, const WorldScene **scene) {
    static WorldScene lit;
    WorldValue *sun;
    char text[64];
    snprintf(text, sizeof text, "sky.sunAt(%.17g, 172, 45 deg)", hour);
    WorldStatus status = world_ask(cli->world, text, &sun);
    if (status != WORLD_OK) return session_report(cli, status);
    lit = **scene;
    lit.sky = (WorldSky){.path = "", .haze = 0.3, .clouds = 0.35, .stars = true};
    world_value_numbers(sun, lit.sky.sun);
    world_value_destroy(sun);
    *scene = &lit;
    return EXIT_FINE;
}

/* --hour is the sky's own field, set once the world is read. */
static int set_hour(Cli *cli, bool fresh, const WorldScene **scene) {
    const char *hour = cli->value[OPTION_HOUR];
    char path[512];
    double value;
    if (hour == NULL || ((*scene)->sky.path && !fresh)) return EXIT_FINE;
    if (!options_numbers(hour, 1, &value)) return usage_error(cli, "--hour takes a number from 0 to 24");
    if ((*scene)->sky.path == NULL && !(value >= 0 && value <= 24)) return usage_error(cli, "--hour takes a number from 0 to 24");
    if ((*scene)->sky.path == NULL) return take_hour(cli, value, scene);
    snprintf(path, sizeof path, "%s.hour", (*scene)->sky.path);
    WorldStatus status = world_set(cli->world, path, hour);
    if (status == WORLD_OK) status = world_scene(cli->world, scene);
    return session_report(cli, status);
}

/* What hangs on the clock stands as it does then. */
static WorldStatus show_moment(Cli *cli) {
    double seconds = strtod(cli->value[OPTION_MOMENT], NULL); /* a bad one is refused where the picture is drawn */
    return seconds >= 0 ? world_show(cli->world, seconds) : WORLD_OK;
}

int scene_dress(Cli *cli, bool fresh, const WorldScene **scene) {
    int code = set_hour(cli, fresh, scene);
#ifdef WORLD_GPU
    if (code == EXIT_FINE) code = ground_lay(cli, scene);
#endif
    return code;
}

int scene_open(Cli *cli, const WorldScene **scene) {
    int code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    WorldStatus status = world_build(cli->world);
    if (status == WORLD_OK && (cli->has[OPTION_SECONDS] || cli->has[OPTION_LOAD])) code = session_run(cli, 0);
    if (code != EXIT_FINE) return code;
    if (status == WORLD_OK && cli->has[OPTION_MOMENT]) status = show_moment(cli);
#ifdef WORLD_GPU
    if (status == WORLD_OK) status = world_stream_create(cli->world, &cli->stream);
#endif
    if (status == WORLD_OK) status = world_scene(cli->world, scene);
    code = session_report(cli, status);
    return code == EXIT_FINE ? scene_dress(cli, true, scene) : code;
}

#ifdef WORLD_GPU
int scene_follow(Cli *cli, const double eye[3], const WorldScene **scene) {
    static const double long_enough = 1e9; /* seconds */
    int code = session_report(cli, world_stream_scene(cli->stream, eye, long_enough, NULL, scene));
    return code == EXIT_FINE ? scene_dress(cli, false, scene) : code;
}
#endif
