/* The window's loop and its camera, which flies or walks; help_text lists its keys.
 *
 * While the eye rests nothing is drawn again; while it moves on a slow machine the picture gets
 * coarser. With a `ground` the eye stays above it, and can be carried by a walker (gpu/walk.h).
 */
#include "gpu/font.h"
#include "gpu/hand.h"
#include "gpu/view_parts.h"

#include "runtime/export/png.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double fly_speed = 12, fast_speed = 90; /* meters a second */
static const double walk_speed = 3, run_speed = 9;
static const double look_speed = 0.0025; /* radians a pixel */
static const double clearance = 1.2;     /* meters the eye keeps over the ground */
static const double eye_height = 1.7;    /* meters over a walker's feet */
enum { COARSEST = 4, KEYS = 16, KEY_BYTES = 32 };

static const char help_text[] = "POINTER   LOOK (CLICK TO TAKE IT)\n"
                                "W A S D   MOVE\n"
                                "Q E       DOWN, UP\n"
                                "G         WALK ON THE GROUND, FLY\n"
                                "SHIFT     FAST\n"
                                "WHEEL     NEARER, WIDER\n"
                                "TAB       LET THE POINTER GO: CLICK A THING, DRAG IT,\n"
                                "          DELETE IT, CTRL Z UNDOES\n"
                                "M         THE WHOLE FROM ABOVE\n"
                                "L         LINES, LEVELS OF DETAIL, AS IT IS\n"
                                "T         HOW LONG IT TAKES\n"
                                "F12       SAVE A PICTURE\n"
                                "H         THESE KEYS\n"
                                "ESC       CLOSE";

typedef struct Pilot {
    Vec at;
    double heading, pitch; /* radians; heading 0 looks north (-z), grows clockwise */
    double fov;
    double pointer_x, pointer_y;
    int coarse; /* how coarse a picture the machine draws briskly */
    bool holds_pointer, shows_help;
    bool walks;
    bool was_help, was_picture, was_walk, was_tab, was_map, was_look, was_times;
    unsigned looks;
    Hand hand;
    char keys[KEYS][KEY_BYTES]; /* pressed since the frame before, as a world names them */
    int key_count;
    double note_until; /* seconds */
    double begun;      /* the time of what moves when the window opened, seconds */
    char note[256];
} Pilot;

static Vec pilot_forward(const Pilot *pilot) {
    return (Vec){sin(pilot->heading) * cos(pilot->pitch), sin(pilot->pitch),
                 -cos(pilot->heading) * cos(pilot->pitch)};
}

static Pilot pilot_of(const ViewCamera *camera) {
    Vec from = {camera->from[0], camera->from[1], camera->from[2]};
    Vec forward = vec_unit(vec_sub((Vec){camera->to[0], camera->to[1], camera->to[2]}, from));
    return (Pilot){.at = from,
                   .heading = atan2(forward.x, -forward.z),
                   .pitch = asin(forward.y),
                   .fov = camera->fov > 0 ? camera->fov : 50 * M_PI / 180,
                   .coarse = 1,
                   .shows_help = true};
}

static ViewCamera pilot_camera(const Pilot *pilot) {
    Vec to = vec_add(pilot->at, pilot_forward(pilot));
    return (ViewCamera){.from = {pilot->at.x, pilot->at.y, pilot->at.z},
                        .to = {to.x, to.y, to.z},
                        .fov = pilot->fov};
}

static double key_axis(GLFWwindow *window, int plus, int minus) {
    return (glfwGetKey(window, plus) == GLFW_PRESS) - (glfwGetKey(window, minus) == GLFW_PRESS);
}

/* A free pointer is the hand's; a click on nothing that it could hold takes the pointer, and the look follows it. */
static void look_about(Pilot *pilot, GLFWwindow *window) {
    double x, y;
    ViewCamera camera = pilot_camera(pilot);
    glfwGetCursorPos(window, &x, &y);
    bool hand = !pilot->holds_pointer && hand_steer(&pilot->hand, window, &camera);
    if (!pilot->holds_pointer && !hand && glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS) {
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

static void let_go(Pilot *pilot, GLFWwindow *window) {
    glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT); /* what was clicked before is none for the hand */
    glfwSetInputMode(window, GLFW_CURSOR, GLFW_CURSOR_NORMAL);
    pilot->holds_pointer = false;
}

static bool is_fast(GLFWwindow *window) {
    return glfwGetKey(window, GLFW_KEY_LEFT_SHIFT) == GLFW_PRESS;
}

static void fly(Pilot *pilot, GLFWwindow *window, double seconds) {
    Vec forward = pilot_forward(pilot);
    Vec right = vec_unit(vec_cross(forward, (Vec){0, 1, 0}));
    Vec way = vec_scale(forward, key_axis(window, GLFW_KEY_W, GLFW_KEY_S));
    way = vec_add(way, vec_scale(right, key_axis(window, GLFW_KEY_D, GLFW_KEY_A)));
    way.y += key_axis(window, GLFW_KEY_E, GLFW_KEY_Q);
    if (vec_length(way) > 0)
        pilot->at =
            vec_add(pilot->at,
                    vec_scale(vec_unit(way), (is_fast(window) ? fast_speed : fly_speed) * seconds));
}

/* The eye never goes under the ground. */
static void stay_above(Pilot *pilot, const Walk *walk) {
    double ground;
    if (walk_find_ground(walk, pilot->at, &ground) && pilot->at.y < ground + clearance)
        pilot->at.y = ground + clearance;
}

static void stand(Pilot *pilot, const Walk *walk) {
    pilot->at = walk_feet(walk);
    pilot->at.y += eye_height;
}

static void say(Pilot *pilot, const char *note) {
    snprintf(pilot->note, sizeof pilot->note, "%s", note);
    pilot->note_until = glfwGetTime() + 3;
}

static void start_or_end_walk(Pilot *pilot, Walk *walk) {
    bool wanted = !pilot->walks;
    pilot->walks = wanted && walk_begin(walk, pilot->at, pilot_forward(pilot));
    if (wanted && !pilot->walks) say(pilot, "NO GROUND IN SIGHT");
    if (!pilot->walks) return;
    stand(pilot, walk);
    pilot->pitch = 0; /* it looked down at the place */
}

/* A walker that fell is no longer on the ground, so it flies on from where it fell to. */
static void walk_on(Pilot *pilot, Walk *walk, GLFWwindow *window, double seconds) {
    double ahead = key_axis(window, GLFW_KEY_W, GLFW_KEY_S),
           right = key_axis(window, GLFW_KEY_D, GLFW_KEY_A);
    double s = sin(pilot->heading), c = cos(pilot->heading);
    Vec way = {s * ahead + c * right, 0, s * right - c * ahead};
    if (vec_length(way) == 0) return;
    way = vec_scale(vec_unit(way), (is_fast(window) ? run_speed : walk_speed) * seconds);
    pilot->walks = walk_go(walk, way) != WALKER_FELL;
    stand(pilot, walk);
    if (!pilot->walks) say(pilot, "FELL FROM THE EDGE: FLYING");
}

static void save_picture(View *view, Pilot *pilot) {
    size_t bytes = (size_t)view->picture.width * (size_t)view->picture.height * 4;
    uint8_t *rgba = malloc(bytes);
    char path[64], error[128] = "out of memory";
    snprintf(path, sizeof path, "world-%.0f.png", glfwGetTime() * 1000);
    if (rgba) view_read_color(view, rgba);
    bool saved = rgba && png_write_rgba(path, view->picture.width, view->picture.height, rgba,
                                        error, sizeof error);
    snprintf(pilot->note, sizeof pilot->note, saved ? "SAVED %s" : "NOT SAVED: %s",
             saved ? path : error);
    pilot->note_until = glfwGetTime() + 3;
    free(rgba);
}

/* Answers once per press. */
static bool pressed_now(GLFWwindow *window, int key, bool *was) {
    bool is = glfwGetKey(window, key) == GLFW_PRESS, now = is && !*was;
    *was = is;
    return now;
}

/* Lines, then levels, then neither. */
static void choose_looks(Pilot *pilot, GLFWwindow *window) {
    if (pressed_now(window, GLFW_KEY_M, &pilot->was_map)) pilot->looks ^= VIEW_MINIMAP;
    if (pressed_now(window, GLFW_KEY_T, &pilot->was_times)) pilot->looks ^= VIEW_TIMES;
    if (!pressed_now(window, GLFW_KEY_L, &pilot->was_look)) return;
    unsigned now = pilot->looks & (VIEW_WIRE | VIEW_LEVELS), next = now == 0 ? VIEW_WIRE : now == VIEW_WIRE ? VIEW_LEVELS : 0;
    pilot->looks = (pilot->looks & ~now) | next;
}

static void steer(View *view, Pilot *pilot, double seconds) {
    GLFWwindow *window = view->device.window;
    if (glfwGetKey(window, GLFW_KEY_ESCAPE) == GLFW_PRESS)
        glfwSetWindowShouldClose(window, GLFW_TRUE);
    if (pressed_now(window, GLFW_KEY_H, &pilot->was_help)) pilot->shows_help = !pilot->shows_help;
    if (pressed_now(window, GLFW_KEY_F12, &pilot->was_picture)) save_picture(view, pilot);
    if (pressed_now(window, GLFW_KEY_G, &pilot->was_walk)) start_or_end_walk(pilot, &view->walk);
    if (pressed_now(window, GLFW_KEY_TAB, &pilot->was_tab)) let_go(pilot, window);
    choose_looks(pilot, window);
    look_about(pilot, window);
    if (pilot->walks) {
        walk_on(pilot, &view->walk, window, seconds);
        return;
    }
    fly(pilot, window, seconds);
    stay_above(pilot, &view->walk);
}

/* What is on the screen: while nothing of it changes, nothing is drawn again. */
typedef struct Shown {
    ViewCamera camera;
    int width, height;
    int coarse; /* the picture's pixels are so many of the screen's */
    bool help, note, any;
    unsigned looks;
    char words[HAND_WORDS];
} Shown;

static bool same_picture(const Shown *a, const Shown *b) {
    return a->any && b->any && memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 &&
           a->width == b->width && a->height == b->height && a->help == b->help &&
           a->note == b->note && a->looks == b->looks && strcmp(a->words, b->words) == 0;
}

static bool show(View *view, const Pilot *pilot, const Shown *what) {
    char error[128];
    int width = what->width / what->coarse, height = what->height / what->coarse;
    if (!view_resize(view, width > 0 ? width : 1, height > 0 ? height : 1, error, sizeof error))
        return false;
    int scale = height > 900 ? 2 : 1;
    if (what->help) overlay_text(&view->overlay, help_text, 12, 12, scale);
    view_set_looks(view, what->looks | (what->help ? VIEW_STATUS : 0));
    if (what->words[0]) overlay_text(&view->overlay, what->words, 12, height - 130 * scale, scale);
    if (what->note) overlay_text(&view->overlay, pilot->note, 12, height - 60, scale);
    view_draw(view, &what->camera);
    picture_show(&view->picture, what->width, what->height);
    glfwSwapBuffers(view->device.window);
    return true;
}

/* While the eye moves, a slow machine gets a coarser picture; once it rests, a fine one. */
static int adapt(int coarse, double seconds) {
    if (seconds > 0.12 && coarse < COARSEST) return coarse + 1;
    if (seconds < 0.03 && coarse > 1) return coarse - 1;
    return coarse;
}

/* Whether there is a new scene to be drawn. */
static bool take_change(View *view, Pilot *pilot, const ViewLoop *loop) {
    const WorldScene *scene = loop && loop->changed ? loop->changed(loop->user) : NULL;
    if (!scene) return false;
    bool moved = scene->shape && scene->shape == view->shape; /* the land is what it was */
    hand_set_scene(&pilot->hand, scene);
    if (!view_set_scene(view, scene, pilot->note, sizeof pilot->note))
        pilot->note_until = glfwGetTime() + 5;
    if (moved) return true;
    pilot->walks = pilot->walks && walk_begin(&view->walk, pilot->at, pilot_forward(pilot));
    if (pilot->walks) stand(pilot, &view->walk);
    return true;
}

/* "g", "space", "left". */
static const char *key_name(int key, int code) {
    static const struct {
        int key;
        const char *name;
    } named[] = {{GLFW_KEY_SPACE, "space"}, {GLFW_KEY_ENTER, "enter"}, {GLFW_KEY_LEFT, "left"},  {GLFW_KEY_RIGHT, "right"},
                 {GLFW_KEY_UP, "up"},       {GLFW_KEY_DOWN, "down"},   {GLFW_KEY_TAB, "tab"},    {GLFW_KEY_BACKSPACE, "backspace"},
                 {GLFW_KEY_DELETE, "delete"}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].key == key) return named[i].name;
    return glfwGetKeyName(key, code);
}

static void on_key(GLFWwindow *window, int key, int code, int action, int mods) {
    (void)mods;
    Pilot *pilot = glfwGetWindowUserPointer(window);
    const char *name = action == GLFW_PRESS && pilot->key_count < KEYS ? key_name(key, code) : NULL;
    if (name) snprintf(pilot->keys[pilot->key_count++], KEY_BYTES, "%s", name);
}

/* The world's own time goes on. */
static void live(Pilot *pilot, const ViewLoop *loop, double seconds) {
    const char *keys[KEYS];
    int count = pilot->key_count;
    pilot->key_count = 0;
    if (!loop || !loop->live) return;
    for (int i = 0; i < count; i++)
        keys[i] = pilot->keys[i];
    const char *said = loop->live(loop->user, seconds, keys, count);
    if (said) say(pilot, said);
}

static void on_wheel(GLFWwindow *window, double x, double y) {
    (void)x;
    Pilot *pilot = glfwGetWindowUserPointer(window);
    pilot->fov = fmax(0.1, fmin(1.9, pilot->fov * exp(-0.08 * y)));
}

/* Draws when there is something new to see; false when the driver gives out. */
static bool refresh(View *view, Pilot *pilot, Shown *shown, bool changed) {
    Shown next = {.camera = pilot_camera(pilot),
                  .help = pilot->shows_help,
                  .note = glfwGetTime() < pilot->note_until,
                  .looks = pilot->looks,
                  .any = true};
    memcpy(next.words, pilot->hand.words, sizeof next.words);
    glfwGetFramebufferSize(view->device.window, &next.width, &next.height);
    bool resting = same_picture(shown, &next) && !changed && !view_moves(view);
    if (next.width < 1 || next.height < 1 || (resting && shown->coarse == 1)) {
        glfwWaitEventsTimeout(0.02);
        return true;
    }
    next.coarse = resting ? 1 : pilot->coarse;
    view->time = pilot->begun + glfwGetTime();
    double before = glfwGetTime();
    if (!show(view, pilot, &next)) return false;
    if (!resting) pilot->coarse = adapt(pilot->coarse, glfwGetTime() - before);
    *shown = next;
    return true;
}

void view_run(View *view, ViewCamera camera, const ViewLoop *loop) {
    GLFWwindow *window = view->device.window;
    if (!window) return;
    Pilot pilot = pilot_of(&camera);
    pilot.begun = view->time - glfwGetTime();
    pilot.looks = view->looks;
    Shown shown = {0};
    walk_set_loop(&view->walk, loop);
    hand_begin(&pilot.hand, loop ? loop : &(ViewLoop){0}, &view->walk);
    glfwSetWindowUserPointer(window, &pilot);
    glfwSetInputMode(window, GLFW_STICKY_MOUSE_BUTTONS, GLFW_TRUE); /* no click is missed while a frame is drawn */
    glfwSetScrollCallback(window, on_wheel);
    glfwSetKeyCallback(window, on_key);
    double before = glfwGetTime();
    while (!glfwWindowShouldClose(window)) {
        glfwPollEvents();
        double now = glfwGetTime();
        double seconds = fmin(now - before, 0.25);
        steer(view, &pilot, seconds);
        live(&pilot, loop, seconds);
        before = now;
        bool changed = take_change(view, &pilot, loop);
        if (!refresh(view, &pilot, &shown, changed)) break;
    }
    walk_set_loop(&view->walk, NULL);
    glfwSetScrollCallback(window, NULL);
    glfwSetKeyCallback(window, NULL);
}
