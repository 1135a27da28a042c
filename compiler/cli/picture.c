/* render and view: pictures through gpu/view.h, where the build has it and the machine can. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/cli/scene.h"

/* Of `-o`: a picture is a PNG, whatever it is called, so it is called so. */
static int check_ending(const Cli *cli, const char *path) {
    if (options_ends_in(path, ".png") || options_is_stream(path)) return EXIT_FINE;
    return usage_error(cli, "'%s' should end in .png", path);
}

#ifdef WORLD_GPU

#include "compiler/cli/edit_window.h"
#include "compiler/cli/ground.h"
#include "compiler/cli/shot.h"
#include "compiler/cli/live_window.h"
#include "compiler/cli/number_window.h"
#include "runtime/export/png.h"

static int write_frame(Cli *cli, View *view, const Shot *shot, const char *path) {
    char error[SHOT_ERROR];
    const ViewDesc *desc = &shot->desc;
    unsigned char *rgba = malloc((size_t)desc->width * (size_t)desc->height * 4);
    if (rgba == NULL) return shot_fail("out of memory");
    int code = shot_draw(cli, view, &shot->camera);
    view_read_color(view, rgba);
    bool good = code != EXIT_FINE || png_write_rgba(path, desc->width, desc->height, rgba, error, sizeof error);
    free(rgba);
    if (!good) fprintf(stderr, "worldc: %s\n", error);
    return good ? code : EXIT_USAGE;
}

/* The shot, and the scene as it is round its eye. */
static int open_shot(Cli *cli, const WorldScene **scene, Shot *shot) {
    int code = scene_open(cli, scene);
    if (code == EXIT_FINE) code = shot_read(cli, *scene, shot);
    return code == EXIT_FINE ? scene_follow(cli, shot_eye(shot), scene) : code;
}

/* One picture, or with `frames` a film. */
static int render_to(Cli *cli, const WorldScene *scene, Shot *shot, const char *path, int frames) {
    char error[SHOT_ERROR] = "";
    int code = EXIT_FINE;
    View *view = shot_open(shot, error, sizeof error);
    if (view == NULL) return shot_fail(error);
    if (!view_set_scene(view, scene, error, sizeof error))
        code = shot_fail(error);
    else
        code = frames ? film_render(cli, view, shot, scene, frames, path) : write_frame(cli, view, shot, path);
    view_destroy(view);
    return code;
}

/* -- the window -- */

typedef struct Watch {
    EditWindow edits; /* it begins with it */
    Cli *cli;
    View *view;
    WorldFunction height;
    LiveWindow live;
    NumberWindow numbers;
    char hour[32]; /* that its keys chose */
    bool failing;    /* it answers none, which was told */
    Shot *shot;
    const WorldScene *scene; /* as the world answered it last: one that moved lies elsewhere */
} Watch;

static void find_height(Watch *watch) {
    watch->height.id = 0;
    world_function(watch->cli->world, "land.height", "fn(point) meters", &watch->height);
}

/* An eye that shows the whole sees things where the world's own viewer is, until it moves. */
static WorldStatus follow_eye(Watch *watch, const double eye[3], const WorldScene **scene) {
    static const double budget = 0.004; /* seconds of a frame */
    const double *first = watch->shot->camera.from;
    bool moved = eye[0] != first[0] || eye[1] != first[1] || eye[2] != first[2];
    watch->shot->framed = watch->shot->framed && !moved;
    return world_stream_scene(watch->cli->stream, watch->shot->framed ? NULL : eye, budget, NULL, scene);
}

/* A saved file, the world's or one that it uses, is read again; with errors in it, they are told and the old world stays in sight. */
static bool read_again(Watch *watch) {
    WorldStatus status = live_window_reload(&watch->live, watch->cli);
    session_report(watch->cli, status);
    if (status == WORLD_OK) session_set_fields(watch->cli); /* one that the text has no more is told */
    return status == WORLD_OK;
}

/* --hour, of a text that was read again. */
static WorldStatus set_hour_again(Cli *cli) {
    const WorldScene *scene;
    WorldStatus status = world_scene(cli->world, &scene);
    return status == WORLD_OK && scene_dress(cli, true, &scene) != EXIT_FINE ? WORLD_ERROR_WORLD : status;
}

static bool changed_scene(void *user, const double eye[3], const WorldScene **scene) {
    Watch *watch = user;
    Cli *cli = watch->cli;
    bool stale = world_stale(cli->world), edited = watch->edits.edited, ran = watch->live.ran;
    *scene = NULL;
    watch->edits.edited = watch->live.ran = false;
    bool fresh = stale && read_again(watch);
    if (fresh) numbers_forget(&watch->numbers);
    if (stale || edited) find_height(watch);
    if (watch->failing && !stale && !edited && !ran) return false;
    WorldStatus status = fresh ? set_hour_again(cli) : WORLD_OK;
    if (status == WORLD_OK) status = follow_eye(watch, eye, scene);
    if (status == WORLD_OK && *scene == watch->scene && !watch->failing && !stale && !edited) return *scene = NULL, false;
    bool told = watch->failing && !fresh; /* a world that runs on would say so at each tick */
    watch->failing = status != WORLD_OK;
    if (watch->failing && !told) session_report(cli, status);
    watch->scene = watch->failing ? NULL : *scene;
    if (watch->failing || scene_dress(cli, false, scene) != EXIT_FINE) *scene = NULL;
    view_set_words(watch->view, ground_legend());
    return true;
}

/* What it is in the picture; without a sky of its own, and without --hour, it is afternoon. */
static double hour_of(const Watch *watch, const char *field) {
    WorldValue *value;
    double hour[3] = {16};
    const char *given = watch->cli->value[OPTION_HOUR];
    if (given) options_numbers(given, 1, hour);
    if (given || field == NULL || world_ask(watch->cli->world, field, &value) != WORLD_OK) return hour[0];
    world_value_numbers(value, hour);
    world_value_destroy(value);
    return hour[0];
}

static const char *pass(void *user, double hours) {
    Watch *watch = user;
    Cli *cli = watch->cli;
    char field[512] = "", text[sizeof watch->hour];
    const char *path = watch->scene ? watch->scene->sky.path : NULL;
    if (path) snprintf(field, sizeof field, "%s.hour", path);
    double hour = fmod(hour_of(watch, path ? field : NULL) + hours + 24, 24);
    snprintf(text, sizeof text, "%.9g", hour);
    WorldStatus status = path ? world_set(cli->world, field, text) : WORLD_OK;
    watch->edits.edited = true;
    watch->live.words[0] = '\0';
    if (status != WORLD_OK) return live_window_tell(&watch->live, cli, status);
    memcpy(watch->hour, text, sizeof text);
    cli->value[OPTION_HOUR] = watch->hour; /* a text that is saved anew is seen at this hour, too */
    snprintf(watch->live.words, sizeof watch->live.words, "%02d:%02d", (int)hour, (int)(fmod(hour, 1) * 60 + 0.5) % 60);
    return watch->live.words;
}

static const char *list_numbers(void *user, int first, int most) {
    Watch *watch = user;
    return numbers_list(&watch->numbers, watch->cli, first, most);
}

static const char *turn_number(void *user, int line, double by, bool done) {
    Watch *watch = user;
    bool set;
    const char *words = numbers_turn(&watch->numbers, watch->cli, line, by, done, &set);
    watch->edits.edited |= set;
    return words;
}

static const char *save_numbers(void *user) {
    Watch *watch = user;
    return numbers_save(&watch->numbers, watch->cli);
}

static const ViewNumbers number_window = {list_numbers, turn_number, save_numbers};

static const char *live(void *user, double seconds, const char *const *keys, int key_count) {
    Watch *watch = user;
    return live_window_run(&watch->live, watch->cli, seconds, keys, key_count);
}

static const char *failed(void *user) {
    Watch *watch = user;
    watch->live.words[0] = '\0';
    return live_window_tell(&watch->live, watch->cli, WORLD_ERROR_WORLD);
}

static double ground_under(void *user, double x, double z) {
    const Watch *watch = user;
    double place[2] = {x, z}, height = 0;
    if (watch->height.id) world_heights(watch->cli->world, watch->height, 1, place, &height);
    return height;
}

/* What is wrong with them was told with the scene. */
static const WorldSolids *solids_round(void *user) {
    const Watch *watch = user;
    const WorldSolids *solids = NULL;
    return world_solids(watch->cli->world, &solids) == WORLD_OK ? solids : NULL;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* FILE's name with .png, in the folder where the command runs. */
static void picture_name(const char *file, char *out, size_t size) {
    const char *name = strcmp(file, "-") == 0 ? "world" : base_name(file);
    const char *dot = strrchr(name, '.');
    int length = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, size, "%.*s.png", length, name);
}

static bool show_window(Cli *cli, const WorldScene *scene, Shot *shot, int *code) {
    char error[SHOT_ERROR] = "";
    Shot windowed = *shot;
    windowed.desc.window = true;
    windowed.desc.title = base_name(cli->words[0]);
    View *view = shot_open(&windowed, error, sizeof error);
    if (view == NULL) return false;
    *code = EXIT_FINE;
    Watch watch = {.cli = cli, .view = view, .edits = {.cli = cli}, .shot = shot, .scene = scene};
    find_height(&watch);
    ViewLoop loop = {.ground = ground_under, .solids = solids_round, .changed = changed_scene, .live = live, .failed = failed, .pass = pass, .user = &watch, .edits = &edit_window, .numbers = &number_window, .scene = scene};
    if (view_set_scene(view, scene, error, sizeof error))
        view_run(view, shot->camera, &loop);
    else
        *code = shot_fail(error);
    live_window_end(&watch.live);
    numbers_forget(&watch.numbers);
    view_destroy(view);
    return true;
}

static int show(Cli *cli, const WorldScene *scene, Shot *shot) {
    int code;
    char name[4096];
    const char *path = cli->value[OPTION_OUTPUT];
    if (path == NULL && show_window(cli, scene, shot, &code)) return code;
    if (path == NULL) picture_name(cli->words[0], name, sizeof name);
    code = render_to(cli, scene, shot, path ? path : name, 0);
    if (code == EXIT_FINE)
        fprintf(stderr, "worldc: %swrote %s\n", path ? "" : "no display: ", path ? path : name);
    return code;
}
#endif

static void print_summary(const WorldScene *scene) {
    size_t instances = 0, triangles = 0;
    for (size_t i = 0; i < scene->instance_count; i++) {
        instances += scene->instances[i].count;
        triangles += (size_t)scene->instances[i].count *
                     (scene->meshes[scene->instances[i].mesh].index_count / 3);
    }
    if (scene->land.columns)
        printf("land    %d x %d, %.7g m apart\n", scene->land.columns, scene->land.rows,
               scene->land.cell);
    if (scene->land_source.heights) printf("land    a function, %.7g m apart near the eye\n", scene->land_source.cell);
    printf("meshes  %zu\nthings  %zu, %zu triangles\n", scene->mesh_count, instances, triangles);
}

static bool answers_places(Cli *cli, const char *name) {
    WorldFunction function;
    int arguments = 0, results = 0;
    char text[256]; /* three numbers are no place */
    snprintf(text, sizeof text, "fn(here: point) { %.200s(here) }", name);
    return world_function(cli->world, name, NULL, &function) == WORLD_OK &&
           world_function_shape(cli->world, function, &arguments, &results) == WORLD_OK &&
           arguments == 3 && (results == 1 || results == 3) &&
           world_function_letters(cli->world, function)[0] == 'F' &&
           world_function(cli->world, text, NULL, &function) == WORLD_OK;
}

/* A function of a place that is the world's own: one whose name an empty world does not know. NULL: there is none. */
static const char *find_map(Cli *cli) {
    World *empty;
    const char *const *names, *const *known, *found = NULL;
    size_t count = 0, known_count = 0;
    if (world_open_text(cli->engine, "", 0, &(WorldDesc){0}, &empty) != WORLD_OK) return NULL;
    if (world_complete(empty, "", &known, &known_count) == WORLD_OK &&
        world_complete(cli->world, "", &names, &count) == WORLD_OK)
        for (size_t i = 0, k = 0; i < count && !found; i++) { /* both are sorted */
            while (k < known_count && strcmp(known[k], names[i]) < 0)
                k++;
            bool own = k == known_count || strcmp(known[k], names[i]) != 0;
            if (own && answers_places(cli, names[i])) found = names[i];
        }
    world_close(empty);
    return found;
}

/* A world of which nothing is drawn, but which answers questions of places, is no picture but a map. */
static bool tell_map(Cli *cli, const WorldScene *scene) {
    if (scene->land.columns || scene->land_source.heights || scene->instance_count) return false;
    const char *name = find_map(cli);
    if (name)
        fprintf(stderr,
                "worldc: nothing of this world is drawn: no part is a mesh, and none is a land. A "
                "map shows what it answers:\n"
                "  worldc map %s %s -o %s.png\n",
                cli->words[0], name, name);
    return name != NULL;
}

int command_view(Cli *cli) {
    const WorldScene *scene;
    const char *path = cli->value[OPTION_OUTPUT];
    int code = path ? check_ending(cli, path) : EXIT_FINE;
#ifdef WORLD_GPU
    Shot shot;
    if (code == EXIT_FINE) code = open_shot(cli, &scene, &shot);
#else
    if (code == EXIT_FINE) code = scene_open(cli, &scene);
#endif
    if (code != EXIT_FINE) return code;
    if (!cli->has[OPTION_QUIET] && !(path && strcmp(path, "-") == 0)) print_summary(scene);
    if (tell_map(cli, scene)) return EXIT_FINE;
#ifdef WORLD_GPU
    fflush(stdout);
    return show(cli, scene, &shot);
#else
    fprintf(stderr, "worldc: this build has no view\n");
    return EXIT_FINE;
#endif
}

int command_render(Cli *cli) {
    const char *path = cli->value[OPTION_OUTPUT];
    if (path == NULL) return usage_error(cli, "where to? -o OUT.png");
#ifdef WORLD_GPU
    const WorldScene *scene;
    Shot shot;
    int frames, code = film_check(cli, path, &frames);
    if (code == EXIT_FINE && !frames) code = check_ending(cli, path);
    if (code == EXIT_FINE) code = open_shot(cli, &scene, &shot);
    if (code == EXIT_FINE) tell_map(cli, scene);
    return code == EXIT_FINE ? render_to(cli, scene, &shot, path, frames) : code;
#else
    fprintf(stderr, "worldc: no picture: this build has no view\n");
    return EXIT_LIMIT;
#endif
}
