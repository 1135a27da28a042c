#include "compiler/cli/shot.h"

#include "compiler/cli/ground.h"

#include <stdlib.h>
#include <string.h>

static const double over_ground = 0.3; /* meters */

int shot_fail(const char *reason) {
    fprintf(stderr, "worldc: no picture: %s\n", reason);
    return EXIT_LIMIT;
}

static int find_camera(const WorldScene *scene, const char *name, Shot *shot) {
    for (size_t i = 0; i < scene->camera_count; i++)
        if (strcmp(scene->cameras[i].path, name) == 0) shot->found = (int)i;
    if (shot->found >= 0) return EXIT_FINE;
    fprintf(stderr, "worldc: there is no camera '%s'%s", name, scene->camera_count ? "; there are" : ": a part made of camera.view is one");
    for (size_t i = 0; i < scene->camera_count; i++)
        fprintf(stderr, " %s", scene->cameras[i].path);
    fprintf(stderr, "\n");
    return EXIT_WORLD;
}

/* The camera that is asked for; else the world's first; else NULL. */
static const char *camera_name(const Cli *cli, const WorldScene *scene) {
    if (cli->value[OPTION_CAMERA] || cli->has[OPTION_FROM] || scene->camera_count == 0) return cli->value[OPTION_CAMERA];
    return scene->cameras[0].path;
}

/* Where the options put the camera, over what the world says. */
static int take_options(const Cli *cli, ViewCamera *camera) {
    double fov;
    if (cli->has[OPTION_FROM] && !options_numbers(cli->value[OPTION_FROM], 3, camera->from))
        return usage_error(cli, "--from takes x,y,z");
    if (cli->has[OPTION_TO] && !options_numbers(cli->value[OPTION_TO], 3, camera->to))
        return usage_error(cli, "--to takes x,y,z");
    if (cli->has[OPTION_FOV]) {
        if (!options_numbers(cli->value[OPTION_FOV], 1, &fov) || !(fov > 0 && fov < 170))
            return usage_error(cli, "--fov takes degrees under 170");
        camera->fov = fov / degrees;
    }
    if (memcmp(camera->from, camera->to, sizeof camera->from) == 0)
        return usage_error(cli, "the camera stands where it looks: --from and --to are one place");
    return EXIT_FINE;
}

/* An eye under the ground sees nothing of it. */
static void lift_eye(Cli *cli, Shot *shot) {
    WorldFunction height;
    double *from = shot->camera.from, place[2] = {from[0], from[2]}, ground;
    if (world_function(cli->world, "land.height", "fn(point) meters", &height) != WORLD_OK) return;
    if (world_heights(cli->world, height, 1, place, &ground) != WORLD_OK || !(from[1] < ground)) return;
    if (!shot->lifted) fprintf(stderr, "worldc: the eye was %.1f m under the ground, and looks from above it\n", ground - from[1]);
    shot->lifted = true;
    from[1] = ground + over_ground;
}

static const WorldCamera *own_camera(const Shot *shot, const WorldScene *scene) {
    return shot->found >= 0 && (size_t)shot->found < scene->camera_count ? &scene->cameras[shot->found] : NULL;
}

const double *shot_eye(const Shot *shot) {
    return shot->framed ? NULL : shot->camera.from;
}

double shot_lasts(const Shot *shot, const WorldScene *scene) {
    const WorldCamera *camera = own_camera(shot, scene);
    return camera ? camera->lasts : 0;
}

int shot_at(Cli *cli, Shot *shot, const WorldScene *scene, double seconds) {
    const WorldCamera *camera = own_camera(shot, scene);
    if (camera) shot->camera = view_camera_of(camera, camera->lasts > 0 ? seconds / camera->lasts : 0);
    int code = take_options(cli, &shot->camera);
    if (code == EXIT_FINE) lift_eye(cli, shot);
    return code;
}

/* Seconds, with or without their unit. */
static int read_time(Cli *cli, ViewDesc *desc) {
    const char *text = cli->value[OPTION_MOMENT];
    char *end;
    if (text == NULL) return EXIT_FINE;
    desc->time = strtod(text, &end);
    end += strspn(end, " ");
    bool whole = end != text && (*end == '\0' || strcmp(end, "s") == 0);
    if (!whole || !(desc->time >= 0 && desc->time <= VIEW_LONGEST)) return usage_error(cli, "--time takes seconds, from 0 to %d", VIEW_LONGEST);
    return EXIT_FINE;
}

static int read_quality(const Cli *cli, ViewDesc *desc) {
    const char *text = cli->value[OPTION_QUALITY];
    if (text == NULL) return EXIT_FINE;
    desc->quality = strcmp(text, "low") == 0 ? VIEW_LOW : strcmp(text, "high") == 0 ? VIEW_HIGH : VIEW_BY_DEVICE;
    return desc->quality == VIEW_BY_DEVICE ? usage_error(cli, "--quality takes low or high") : EXIT_FINE;
}

static int read_looks(const Cli *cli, unsigned *looks) {
    static const struct {
        const char *word;
        unsigned look;
    } words[] = {{"wire", VIEW_WIRE}, {"levels", VIEW_LEVELS}, {"minimap", VIEW_MINIMAP}, {"status", VIEW_STATUS}, {"times", VIEW_TIMES}};
    for (const char *text = cli->value[OPTION_LOOK]; text; text = strchr(text, ',') ? strchr(text, ',') + 1 : NULL) {
        size_t length = strcspn(text, ","), i = 0;
        while (i < sizeof words / sizeof *words && (strlen(words[i].word) != length || memcmp(words[i].word, text, length) != 0))
            i++;
        if (i == sizeof words / sizeof *words) return usage_error(cli, "--look takes wire, levels, minimap, status and times, not '%.*s'", (int)length, text);
        *looks |= words[i].look;
    }
    return EXIT_FINE;
}

View *shot_open(const Shot *shot, char *error, size_t size) {
    View *view = view_create(&shot->desc, error, size);
    if (view == NULL) return NULL;
    view_set_words(view, ground_legend());
    view_set_looks(view, shot->looks);
    return view;
}

int shot_read(Cli *cli, const WorldScene *scene, Shot *shot) {
    const char *name = camera_name(cli, scene);
    *shot = (Shot){.desc = {.width = 1280, .height = 720}, .found = -1};
    if (name == NULL) shot->camera = view_default_camera(scene);
    shot->framed = name == NULL && !cli->has[OPTION_FROM] && scene->land_source.heights == NULL;
    int code = name ? find_camera(scene, name, shot) : EXIT_FINE;
    if (code == EXIT_FINE && cli->has[OPTION_SIZE] && !options_size(cli->value[OPTION_SIZE], &shot->desc.width, &shot->desc.height))
        code = usage_error(cli, "--size takes N or WxH, from 1 to 16384 pixels a side");
    if (code == EXIT_FINE) code = read_time(cli, &shot->desc);
    if (code == EXIT_FINE) code = read_quality(cli, &shot->desc);
    if (code == EXIT_FINE) code = read_looks(cli, &shot->looks);
    return code == EXIT_FINE ? shot_at(cli, shot, scene, shot->desc.time) : code;
}

int shot_draw(Cli *cli, View *view, const ViewCamera *camera) {
    char note[1024];
    view_draw(view, camera);
    if (view_land_failed(view)) return session_report(cli, WORLD_ERROR_WORLD);
    if (!cli->has[OPTION_VERBOSE]) return EXIT_FINE;
    view_status(view, note, sizeof note);
    fprintf(stderr, "worldc: %s\n", note);
    return EXIT_FINE;
}
