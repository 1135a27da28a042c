#include "gpu/pilot.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double fly_speed = 12, fast_speed = 90; /* meters a second */
static const double walk_speed = 3, run_speed = 9;
static const double look_speed = 0.0025; /* radians a pixel */
static const double clearance = 1.2;     /* meters the eye keeps over the ground */
static const double eye_height = 1.7;    /* meters over a walker's feet */
static const double note_time = 3;       /* seconds */
enum { NOTE_LINES = 8 };

static Vec pilot_forward(const Pilot *pilot) {
    return (Vec){sin(pilot->heading) * cos(pilot->pitch), sin(pilot->pitch),
                 -cos(pilot->heading) * cos(pilot->pitch)};
}

Pilot pilot_of(View *view, const ViewCamera *camera, const ViewLoop *loop) {
    Vec from = {camera->from[0], camera->from[1], camera->from[2]};
    Vec forward = vec_unit(vec_sub((Vec){camera->to[0], camera->to[1], camera->to[2]}, from));
    Pilot pilot = {.view = view,
                   .loop = loop,
                   .at = from,
                   .heading = atan2(forward.x, -forward.z),
                   .pitch = asin(forward.y),
                   .fov = camera->fov > 0 ? camera->fov : 50 * M_PI / 180,
                   .looks = view->looks,
                   .shows_help = true};
    hand_begin(&pilot.hand, loop, &view->walk);
    return pilot;
}

ViewCamera pilot_camera(const Pilot *pilot) {
    Vec to = vec_add(pilot->at, pilot_forward(pilot));
    return (ViewCamera){.from = {pilot->at.x, pilot->at.y, pilot->at.z},
                        .to = {to.x, to.y, to.z},
                        .fov = pilot->fov};
}

void pilot_look(Pilot *pilot, double x, double y) {
    pilot->heading += x * look_speed;
    pilot->pitch = fmax(-1.5, fmin(1.5, pilot->pitch - y * look_speed));
}

static int lines_of(const char *text) {
    int lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

void pilot_say(Pilot *pilot, const char *line) {
    double now = glfwGetTime();
    char *note = pilot->note;
    if (now >= pilot->note_until) note[0] = '\0';
    pilot->note_until = now + note_time;
    while (note[0] && (strlen(note) + 1 + strlen(line) >= PILOT_NOTE || lines_of(note) + lines_of(line) > NOTE_LINES)) {
        const char *next = strchr(note, '\n'); /* the oldest makes room */
        memmove(note, next ? next + 1 : "", next ? strlen(next) : 1);
    }
    size_t length = strlen(note);
    snprintf(note + length, PILOT_NOTE - length, "%s%s", length ? "\n" : "", line);
}

void pilot_say_again(Pilot *pilot, const char *line) {
    pilot->note_until = 0;
    pilot_say(pilot, line);
}

/* -- moving -- */

static bool is_held(const Pilot *pilot, int key) {
    return glfwGetKey(pilot->view->device.window, key) == GLFW_PRESS;
}

static double key_axis(const Pilot *pilot, int plus, int minus) {
    return is_held(pilot, plus) - is_held(pilot, minus);
}

static void fly(Pilot *pilot, double seconds) {
    Vec forward = pilot_forward(pilot);
    Vec right = vec_unit(vec_cross(forward, (Vec){0, 1, 0}));
    Vec way = vec_scale(forward, key_axis(pilot, GLFW_KEY_W, GLFW_KEY_S));
    way = vec_add(way, vec_scale(right, key_axis(pilot, GLFW_KEY_D, GLFW_KEY_A)));
    way.y += key_axis(pilot, GLFW_KEY_E, GLFW_KEY_Q);
    double speed = is_held(pilot, GLFW_KEY_LEFT_SHIFT) ? fast_speed : fly_speed;
    if (vec_length(way) > 0) pilot->at = vec_add(pilot->at, vec_scale(vec_unit(way), speed * seconds));
}

/* The eye never goes under the ground. */
static void stay_above(Pilot *pilot) {
    double ground;
    if (walk_find_ground(&pilot->view->walk, pilot->at, &ground) && pilot->at.y < ground + clearance)
        pilot->at.y = ground + clearance;
}

static void stand(Pilot *pilot) {
    pilot->at = walk_feet(&pilot->view->walk);
    pilot->at.y += eye_height;
}

void pilot_start_or_end_walk(Pilot *pilot) {
    bool wanted = !pilot->walks;
    pilot->walks = wanted && walk_begin(&pilot->view->walk, pilot->at, pilot_forward(pilot));
    if (wanted && !pilot->walks) pilot_say(pilot, "NO GROUND IN SIGHT");
    if (!pilot->walks) return;
    stand(pilot);
    pilot->pitch = 0; /* it looked down at the place */
}

/* A walker that fell is no longer on the ground, so it flies on from where it fell to. */
static void walk_on(Pilot *pilot, double seconds) {
    double ahead = key_axis(pilot, GLFW_KEY_W, GLFW_KEY_S), right = key_axis(pilot, GLFW_KEY_D, GLFW_KEY_A);
    double s = sin(pilot->heading), c = cos(pilot->heading);
    Vec way = {s * ahead + c * right, 0, s * right - c * ahead};
    if (vec_length(way) == 0) return;
    way = vec_scale(vec_unit(way), (is_held(pilot, GLFW_KEY_LEFT_SHIFT) ? run_speed : walk_speed) * seconds);
    pilot->walks = walk_go(&pilot->view->walk, way) != WALKER_FELL;
    stand(pilot);
    if (!pilot->walks) pilot_say(pilot, "FELL FROM THE EDGE: FLYING");
}

void pilot_move(Pilot *pilot, double seconds) {
    if (is_held(pilot, GLFW_KEY_LEFT_CONTROL) || is_held(pilot, GLFW_KEY_RIGHT_CONTROL)) return; /* a key with it says something else */
    if (pilot->walks) {
        walk_on(pilot, seconds);
        return;
    }
    fly(pilot, seconds);
    stay_above(pilot);
}

/* -- what is shown -- */

void pilot_take_change(Pilot *pilot) {
    const ViewLoop *loop = pilot->loop;
    View *view = pilot->view;
    const WorldScene *scene = NULL;
    char error[PILOT_NOTE];
    const double eye[3] = {pilot->at.x, pilot->at.y, pilot->at.z};
    if (!loop->changed || !loop->changed(loop->user, eye, &scene)) return;
    hand_set_scene(&pilot->hand, scene);
    if (scene == NULL) return; /* what was wrong with it was told: the picture stays */
    bool moved = scene->shape && scene->shape == view->shape; /* the land is what it was */
    pilot->changed = true;
    if (!view_set_scene(view, scene, error, sizeof error)) pilot_say(pilot, error);
    if (moved) return;
    pilot->walks = pilot->walks && walk_begin(&view->walk, pilot->at, pilot_forward(pilot));
    if (pilot->walks) stand(pilot);
}
