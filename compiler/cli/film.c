/* Films: frames of a camera's way, or of what moves before one that stands, each in a file of its own or all in one. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/cli/scene.h"
#include "compiler/cli/shot.h"
#include "runtime/export/apng.h"
#include "runtime/export/png.h"

extern char **environ;

enum { MOST_FRAMES = 100000, MOST_DIGITS = 9 };
static const double rate_of_the_standing = 25; /* frames a second */

/* -- names: frame%04d.png -- */

/* The one %d of a name, with or without digits between; false: there is none, or something else with a percent. */
static bool find_number(const char *path, size_t *begin, size_t *end, int *digits) {
    const char *percent = strchr(path, '%');
    if (percent == NULL) return false;
    const char *at = percent + 1;
    *digits = 0;
    while (*at >= '0' && *at <= '9' && *digits <= MOST_DIGITS)
        *digits = *digits * 10 + (*at++ - '0');
    *begin = (size_t)(percent - path);
    *end = (size_t)(at - path) + 1;
    return *at == 'd' && *digits <= MOST_DIGITS && strchr(at, '%') == NULL;
}

static bool write_still(const char *path, int number, const Shot *shot, const uint8_t *rgba, char *error, size_t size) {
    size_t begin, end;
    int digits;
    char name[4096];
    if (!find_number(path, &begin, &end, &digits)) return false;
    int length = snprintf(name, sizeof name, "%.*s%0*d%s", (int)begin, path, digits, number, path + end);
    if (length < 0 || (size_t)length >= sizeof name) {
        snprintf(error, size, "the name of a frame is too long");
        return false;
    }
    return png_write_rgba(name, shot->desc.width, shot->desc.height, rgba, error, size);
}

/* -- one file -- */

typedef enum FilmKind { FILM_STILLS, FILM_PNG, FILM_WEBM } FilmKind;

typedef struct Film {
    FilmKind kind;
    const char *path;
    const Shot *shot;
    int frames, added;
    Memory memory;
    Arena arena;
    Apng png;
    pid_t encoder; /* 0: none runs */
    FILE *feed;
} Film;

/* ffmpeg, which reads the frames from a pipe. */
static bool start_encoder(Film *film, double rate, char *error, size_t size) {
    char geometry[32], speed[32], target[4096 + 8];
    int ends[2], problem;
    snprintf(geometry, sizeof geometry, "%dx%d", film->shot->desc.width, film->shot->desc.height);
    snprintf(speed, sizeof speed, "%.9g", rate);
    snprintf(target, sizeof target, "file:%.4096s", film->path);
    char *const argv[] = {"ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", geometry, "-r", speed, "-i", "-", "-an",
                          "-c:v", "libvpx-vp9", "-crf", "24", "-b:v", "0", "-pix_fmt", "yuv420p", target, NULL};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        snprintf(error, size, "no pipe: %s", strerror(errno));
        return false;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    problem = posix_spawnp(&film->encoder, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    film->feed = problem ? NULL : fdopen(ends[1], "wb");
    if (film->feed) return true;
    close(ends[1]);
    if (problem) film->encoder = 0;
    snprintf(error, size, "a .webm is made by ffmpeg, which does not start (%s); -o film.png is a film without it", strerror(problem ? problem : errno));
    return false;
}

static bool end_encoder(Film *film, char *error, size_t size) {
    int status = 0;
    bool fed = film->feed == NULL || fclose(film->feed) == 0;
    if (film->encoder == 0) return false;
    while (waitpid(film->encoder, &status, 0) < 0 && errno == EINTR) {}
    if (fed && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    snprintf(error, size, "ffmpeg did not make '%s'", film->path);
    return false;
}

static FilmKind kind_of(const char *path) {
    size_t begin, end;
    int digits;
    if (options_ends_in(path, ".webm")) return FILM_WEBM;
    return find_number(path, &begin, &end, &digits) ? FILM_STILLS : FILM_PNG;
}

static bool open_film(Film *film, const Shot *shot, int frames, double rate, const char *path, char *error, size_t size) {
    *film = (Film){.kind = kind_of(path), .path = path, .shot = shot, .frames = frames};
    memory_init(&film->memory, NULL, NULL, 0);
    arena_init(&film->arena, &film->memory);
    if (film->kind == FILM_PNG) apng_open(&film->png, &film->arena, path, shot->desc.width, shot->desc.height, frames, 1 / rate);
    return film->kind != FILM_WEBM || start_encoder(film, rate, error, size);
}

static bool add_to_png(Film *film, const uint8_t *rgba) {
    Recover recover;
    if (!MEMORY_TRY(&recover)) return file_fail(&film->png.file, ENOMEM);
    bool good = apng_add(&film->png, rgba);
    memory_end_try(&recover);
    return good;
}

static bool add_frame(Film *film, const uint8_t *rgba, char *error, size_t size) {
    const ViewDesc *desc = &film->shot->desc;
    int number = ++film->added;
    if (film->kind == FILM_STILLS) return write_still(film->path, number, film->shot, rgba, error, size);
    if (film->kind == FILM_PNG) return add_to_png(film, rgba); /* its close says what was wrong */
    return fwrite(rgba, (size_t)desc->width * 4, (size_t)desc->height, film->feed) == (size_t)desc->height;
}

static bool close_film(Film *film, char *error, size_t size) {
    bool good = film->kind == FILM_PNG ? apng_close(&film->png, error, size) : film->kind == FILM_WEBM ? end_encoder(film, error, size) : true;
    arena_fini(&film->arena);
    return good;
}

/* -- the frames -- */

int film_check(const Cli *cli, const char *path, int *frames) {
    double number;
    size_t begin, end;
    int digits;
    *frames = 0;
    if (!cli->has[OPTION_FRAMES]) return EXIT_FINE;
    if (!options_numbers(cli->value[OPTION_FRAMES], 1, &number) || !(number >= 1 && number <= MOST_FRAMES) || number != (int)number)
        return usage_error(cli, "--frames takes a whole number, from 1 to %d", MOST_FRAMES);
    *frames = (int)number;
    if (strchr(path, '%') && !find_number(path, &begin, &end, &digits))
        return usage_error(cli, "'%s' should have one %%d for a frame's number, as frame%%04d.png has", path);
    if (strchr(path, '%') && !options_ends_in(path, ".png")) return usage_error(cli, "'%s' should end in .png", path);
    if (options_ends_in(path, ".png") || options_ends_in(path, ".apng") || options_ends_in(path, ".webm") || options_is_stream(path)) return EXIT_FINE;
    return usage_error(cli, "'%s' should end in .png, .apng or .webm, or be a name for each frame, as frame%%04d.png", path);
}

/* When the first frame is, by the world's clock. */
static double first_moment(const Cli *cli, const Shot *shot) {
    WorldTime clock = {.size = sizeof clock};
    bool ran = !cli->has[OPTION_MOMENT] && world_time(cli->world, &clock) == WORLD_OK;
    return ran ? clock.now : shot->desc.time;
}

/* The world runs on, and what hangs on its clock moves. */
static int run_on(Cli *cli, const WorldScene **scene, double seconds, double now) {
    WorldStatus status = world_step(cli->world, seconds);
    if (status == WORLD_OK) status = world_show(cli->world, now);
    if (status == WORLD_OK) status = world_scene(cli->world, scene);
    return status == WORLD_OK ? scene_dress(cli, false, scene) : session_report(cli, status);
}

/* What is round the eye by now. */
static int take_round(Cli *cli, View *view, const Shot *shot, const WorldScene **scene) {
    char error[SHOT_ERROR];
    int code = scene_follow(cli, shot_eye(shot), scene);
    if (code == EXIT_FINE && !view_set_scene(view, *scene, error, sizeof error)) code = shot_fail(error);
    return code;
}

static int draw_frames(Cli *cli, View *view, Shot *shot, const WorldScene *scene, Film *film, double rate, uint8_t *rgba) {
    char error[SHOT_ERROR] = "";
    int code = EXIT_FINE;
    double first = first_moment(cli, shot);
    for (int i = 0; i < film->frames && code == EXIT_FINE; i++) {
        if (i) code = run_on(cli, &scene, 1 / rate, first + i / rate);
        if (code == EXIT_FINE) code = shot_at(cli, shot, scene, shot->desc.time + i / rate);
        if (code == EXIT_FINE) code = take_round(cli, view, shot, &scene);
        if (code != EXIT_FINE) break;
        view_set_time(view, shot->desc.time + i / rate);
        code = shot_draw(cli, view, &shot->camera);
        if (code != EXIT_FINE) break;
        view_read_color(view, rgba);
        if (!add_frame(film, rgba, error, sizeof error)) code = EXIT_USAGE;
        if (cli->terminal && !cli->has[OPTION_QUIET]) fprintf(stderr, "\rworldc: frame %d of %d%s", i + 1, film->frames, i + 1 == film->frames ? "\n" : "");
    }
    if (error[0]) fprintf(stderr, "worldc: %s\n", error);
    return code;
}

int film_render(Cli *cli, View *view, Shot *shot, const WorldScene *scene, int frames, const char *path) {
    char error[SHOT_ERROR] = "";
    double lasts = shot_lasts(shot, scene), rate = lasts > 0 ? frames / lasts : rate_of_the_standing;
    uint8_t *rgba = malloc((size_t)shot->desc.width * (size_t)shot->desc.height * 4);
    if (rgba == NULL) return shot_fail("out of memory");
    Film film;
    signal(SIGPIPE, SIG_IGN); /* an encoder that ends is told of by its exit */
    int code = open_film(&film, shot, frames, rate, path, error, sizeof error) ? draw_frames(cli, view, shot, scene, &film, rate, rgba) : EXIT_USAGE;
    if (!close_film(&film, error, sizeof error)) code = EXIT_USAGE;
    if (error[0]) fprintf(stderr, "worldc: %s\n", error);
    free(rgba);
    return code;
}
