/* The window's loop and its fly camera.
 *
 *     pointer: look    W A S D: move    Q E: down, up    shift: fast    H: keys    F12: picture    Esc: close
 */
#include "gpu/view_parts.h"

#include "runtime/export/png.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double walk_speed = 12, fast_speed = 90; /* meters a second */
static const double look_speed = 0.0025;              /* radians a pixel */
static const double clearance = 1.2;                  /* meters the eye keeps over the ground */

static const char help_text[] = "POINTER   LOOK (CLICK TO TAKE IT)\n"
                                "W A S D   MOVE\n"
                                "Q E       DOWN, UP\n"
                                "SHIFT     FAST\n"
                                "WHEEL     NEARER, WIDER\n"
                                "F12       SAVE A PICTURE\n"
                                "H         THESE KEYS\n"
                                "ESC       CLOSE";

typedef struct Pilot {
    Vec at;
    double heading, pitch; /* radians; heading 0 looks north (-z), grows clockwise */
    double fov;
    double pointer_x, pointer_y;
    bool holds_pointer, shows_help;
    bool was_help, was_picture;
    double note_until;     /* seconds */
    char note[256];
} Pilot;

static Vec pilot_forward(const Pilot *pilot) {
    return (Vec){sin(pilot->heading) * cos(pilot->pitch), sin(pilot->pitch), -cos(pilot->heading) * cos(pilot->pitch)};
}

static Pilot pilot_of(const ViewCamera *camera) {
    Vec from = {camera->from[0], camera->from[1], camera->from[2]};
    Vec forward = vec_unit(vec_sub((Vec){camera->to[0], camera->to[1], camera->to[2]}, from));
    return (Pilot){.at = from, .heading = atan2(forward.x, -forward.z), .pitch = asin(forward.y),
                   .fov = camera->fov > 0 ? camera->fov : 50 * M_PI / 180, .shows_help = true};
}

static ViewCamera pilot_camera(const Pilot *pilot) {
    Vec to = vec_add(pilot->at, pilot_forward(pilot));
    return (ViewCamera){.from = {pilot->at.x, pilot->at.y, pilot->at.z}, .to = {to.x, to.y, to.z}, .fov = pilot->fov};
}

static double key_axis(GLFWwindow *window, int plus, int minus) {
    return (glfwGetKey(window, plus) == GLFW_PRESS) - (glfwGetKey(window, minus) == GLFW_PRESS);
}

static void look_about(Pilot *pilot, GLFWwindow *window) {
    double x, y;
    glfwGetCursorPos(window, &x, &y);
    if (!pilot->holds_pointer && glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS) {
        glfwSetInputMode(window, GLFW_CURSOR, GLFW_CURSOR_DISABLED);
        glfwGetCursorPos(window, &x, &y);
        pilot->holds_pointer = true;
    } else if (pilot->holds_pointer) {
        pilot->heading += (x - pilot->pointer_x) * look_speed;
        pilot->pitch -= (y - pilot->pointer_y) * look_speed;
        pilot->pitch = fmax(-1.5, fmin(1.5, pilot->pitch));
    }
    pilot->pointer_x = x;
    pilot->pointer_y = y;
}

static void fly(Pilot *pilot, GLFWwindow *window, double seconds) {
    Vec forward = pilot_forward(pilot);
    Vec right = vec_unit(vec_cross(forward, (Vec){0, 1, 0}));
    Vec way = vec_scale(forward, key_axis(window, GLFW_KEY_W, GLFW_KEY_S));
    way = vec_add(way, vec_scale(right, key_axis(window, GLFW_KEY_D, GLFW_KEY_A)));
    way.y += key_axis(window, GLFW_KEY_E, GLFW_KEY_Q);
    bool fast = glfwGetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS;
    if (vec_length(way) > 0)
        pilot->at = vec_add(pilot->at, vec_scale(vec_unit(way), (fast ? fast_speed : walk_speed) * seconds));
}

/* The eye never goes under the ground. */
static void stay_above(Pilot *pilot, const ViewLoop *loop) {
    if (!loop || !loop->ground) return;
    double ground = loop->ground(loop->user, pilot->at.x, pilot->at.z);
    if (pilot->at.y < ground + clearance) pilot->at.y = ground + clearance;
}

static void save_picture(View *view, Pilot *pilot) {
    size_t bytes = (size_t)view->picture.width * (size_t)view->picture.height * 4;
    uint8_t *rgba = malloc(bytes);
    char path[64], error[128] = "out of memory";
    snprintf(path, sizeof path, "world-%.0f.png", glfwGetTime() * 1000);
    if (rgba) view_read_color(view, rgba);
    bool saved = rgba && png_write_rgba(path, view->picture.width, view->picture.height, rgba, error, sizeof error);
    snprintf(pilot->note, sizeof pilot->note, saved ? "SAVED %s" : "NOT SAVED: %s", saved ? path : error);
    pilot->note_until = glfwGetTime() + 3;
    free(rgba);
}

/* Answers once per press. */
static bool pressed_now(GLFWwindow *window, int key, bool *was) {
    bool is = glfwGetKey(window, key) == GLFW_PRESS, now = is && !*was;
    *was = is;
    return now;
}

static void steer(View *view, Pilot *pilot, const ViewLoop *loop, double seconds) {
    GLFWwindow *window = view->device.window;
    if (glfwGetKey(window, GLFW_KEY_ESCAPE) == GLFW_PRESS) glfwSetWindowShouldClose(window, GLFW_TRUE);
    if (pressed_now(window, GLFW_KEY_H, &pilot->was_help)) pilot->shows_help = !pilot->shows_help;
    if (pressed_now(window, GLFW_KEY_F12, &pilot->was_picture)) save_picture(view, pilot);
    look_about(pilot, window);
    fly(pilot, window, seconds);
    stay_above(pilot, loop);
}

static void show(View *view, const Pilot *pilot, int width, int height) {
    ViewCamera camera = pilot_camera(pilot);
    int scale = height > 900 ? 2 : 1;
    if (pilot->shows_help) overlay_text(&view->overlay, help_text, 12, 12, scale);
    if (glfwGetTime() < pilot->note_until) overlay_text(&view->overlay, pilot->note, 12, height - 60, scale);
    view_draw(view, &camera);
    picture_show(&view->picture, width, height);
    glfwSwapBuffers(view->device.window);
}

static void take_change(View *view, Pilot *pilot, const ViewLoop *loop) {
    const WorldScene *scene = loop && loop->changed ? loop->changed(loop->user) : NULL;
    if (!scene || view_set_scene(view, scene, pilot->note, sizeof pilot->note)) return;
    pilot->note_until = glfwGetTime() + 5;
}

static void on_wheel(GLFWwindow *window, double x, double y) {
    (void)x;
    Pilot *pilot = glfwGetWindowUserPointer(window);
    pilot->fov = fmax(0.1, fmin(1.9, pilot->fov * exp(-0.08 * y)));
}

void view_close(View *view) {
    if (view->device.window) glfwSetWindowShouldClose(view->device.window, GLFW_TRUE);
}

void view_run(View *view, ViewCamera camera, const ViewLoop *loop) {
    GLFWwindow *window = view->device.window;
    if (!window) return;
    Pilot pilot = pilot_of(&camera);
    glfwSetWindowUserPointer(window, &pilot);
    glfwSetScrollCallback(window, on_wheel);
    double before = glfwGetTime();
    char error[128];
    while (!glfwWindowShouldClose(window)) {
        glfwPollEvents();
        double now = glfwGetTime();
        steer(view, &pilot, loop, fmin(now - before, 0.25));
        before = now;
        take_change(view, &pilot, loop);
        int width, height;
        glfwGetFramebufferSize(window, &width, &height);
        if (width < 1 || height < 1) continue;
        if (!view_resize(view, width, height, error, sizeof error)) break;
        show(view, &pilot, width, height);
    }
    glfwSetScrollCallback(window, NULL);
}
