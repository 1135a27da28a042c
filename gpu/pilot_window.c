/* What a window tells: where its pointer goes, and which buttons and keys are pressed, each in its turn. A gesture is made of what was told
 * before it, never of how things stand by now. */
#include "gpu/font.h"
#include "gpu/pilot.h"

#include "runtime/export/png.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double slack = 6; /* pixels: a click that moves no farther is no drag */

/* -- the pointer -- */

static Ray ray_under(const Pilot *pilot) {
    int width, height;
    ViewCamera camera = pilot_camera(pilot);
    glfwGetWindowSize(pilot->view->device.window, &width, &height);
    Eye eye = eye_of(&camera, width > 0 ? width : 1, height > 0 ? height : 1);
    return hand_ray(&eye, 2 * pilot->pointer_x / width - 1, 1 - 2 * pilot->pointer_y / height);
}

/* A mode tells of places of its own, so they are counted anew. */
static void set_pointer_mode(Pilot *pilot, bool holds) {
    GLFWwindow *window = pilot->view->device.window;
    if (pilot->holds_pointer == holds) return;
    pilot->holds_pointer = holds;
    pilot->pressed = false;
    glfwSetInputMode(window, GLFW_CURSOR, holds ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
    glfwGetCursorPos(window, &pilot->pointer_x, &pilot->pointer_y);
}

static void on_pointer(GLFWwindow *window, double x, double y) {
    Pilot *pilot = glfwGetWindowUserPointer(window);
    if (pilot->holds_pointer) pilot_look(pilot, x - pilot->pointer_x, y - pilot->pointer_y);
    pilot->pointer_x = x;
    pilot->pointer_y = y;
    pilot->drags |= pilot->pressed && fabs(x - pilot->press_x) + fabs(y - pilot->press_y) > slack;
}

/* -- numbers of the text -- */

void pilot_numbers(const Pilot *pilot, char text[PILOT_NUMBERS_BYTES]) {
    const ViewNumbers *numbers = pilot->loop->numbers;
    const char *listed = numbers && pilot->shows_numbers ? numbers->list(pilot->loop->user, pilot->first_number, PILOT_NUMBERS) : NULL;
    snprintf(text, PILOT_NUMBERS_BYTES, "%s", listed ? listed : "");
}

/* Which line of the list the pointer is on, from 1; 0: none. As it stands in a picture as fine as the window. */
static int number_under(const Pilot *pilot) {
    int width, height, wide, lines;
    char text[PILOT_NUMBERS_BYTES];
    pilot_numbers(pilot, text);
    glfwGetWindowSize(pilot->view->device.window, &width, &height);
    overlay_measure(text, &wide, &lines);
    double scale = overlay_scale(height), x = (pilot->pointer_x - PILOT_BORDER) / scale, y = (pilot->pointer_y - PILOT_BORDER) / scale - OVERLAY_BORDER;
    bool inside = text[0] && x >= 0 && x < wide && y >= 0 && y < lines * FONT_LINE;
    return inside ? pilot->first_number + (int)(y / FONT_LINE) + 1 : 0;
}

static void turn_number(Pilot *pilot, bool done) {
    int width, height;
    glfwGetWindowSize(pilot->view->device.window, &width, &height);
    double by = (pilot->pointer_x - pilot->press_x) / fmax(1, 0.5 * width); /* half of the window is all of its range */
    const char *words = pilot->loop->numbers->turn(pilot->loop->user, pilot->number - 1, by, done);
    if (words) pilot_say_again(pilot, words);
    if (done) pilot_take_change(pilot);
}

static void save_numbers(Pilot *pilot) {
    if (pilot->loop->numbers) pilot_say_again(pilot, pilot->loop->numbers->save(pilot->loop->user));
}

/* TAB frees the pointer and lists the numbers; once more, and they are gone. */
static void list_numbers(Pilot *pilot) {
    pilot->shows_numbers = pilot->holds_pointer || !pilot->shows_numbers;
    pilot->first_number = 0;
    set_pointer_mode(pilot, false);
}

static void scroll_numbers(Pilot *pilot, int by) {
    int first = pilot->first_number + by;
    if (first >= 0 && pilot->loop->numbers->list(pilot->loop->user, first, 1)) pilot->first_number = first;
}

void pilot_carry(Pilot *pilot) {
    if (!pilot->pressed || !pilot->drags) return;
    if (pilot->number) {
        turn_number(pilot, false);
        return;
    }
    Ray ray = ray_under(pilot);
    hand_carry(&pilot->hand, &ray);
}

/* Behind an edit the scene is another, and what is done next is done in it. */
static void see_edit(Pilot *pilot) {
    if (hand_is_blind(&pilot->hand)) pilot_take_change(pilot);
}

/* A click on nothing that the hand could hold takes the pointer, and the look follows it. */
static void press(Pilot *pilot) {
    Ray ray = ray_under(pilot);
    pilot->pressed = true;
    pilot->drags = false;
    pilot->press_x = pilot->pointer_x;
    pilot->press_y = pilot->pointer_y;
    pilot->number = number_under(pilot);
    if (pilot->number) return;
    if (!hand_take(&pilot->hand, &ray)) set_pointer_mode(pilot, true);
}

static void release(Pilot *pilot) {
    pilot_carry(pilot);
    pilot->pressed = false;
    if (pilot->number && pilot->drags) turn_number(pilot, true);
    if (pilot->number) return;
    hand_drop(&pilot->hand);
    see_edit(pilot);
}

static void on_button(GLFWwindow *window, int button, int action, int mods) {
    (void)mods;
    Pilot *pilot = glfwGetWindowUserPointer(window);
    if (button != GLFW_MOUSE_BUTTON_LEFT || pilot->holds_pointer) return;
    if (action == GLFW_PRESS)
        press(pilot);
    else
        release(pilot);
}

static void on_wheel(GLFWwindow *window, double x, double y) {
    (void)x;
    Pilot *pilot = glfwGetWindowUserPointer(window);
    if (number_under(pilot)) {
        scroll_numbers(pilot, y > 0 ? -1 : 1);
        return;
    }
    pilot->fov = fmax(0.1, fmin(1.9, pilot->fov * exp(-0.08 * y)));
}

/* -- keys -- */

static void save_picture(Pilot *pilot) {
    View *view = pilot->view;
    size_t bytes = (size_t)view->picture.width * (size_t)view->picture.height * 4;
    uint8_t *rgba = malloc(bytes);
    char path[64], error[128] = "out of memory", line[256];
    snprintf(path, sizeof path, "world-%.0f.png", glfwGetTime() * 1000);
    if (rgba) view_read_color(view, rgba);
    bool saved = rgba && png_write_rgba(path, view->picture.width, view->picture.height, rgba, error, sizeof error);
    snprintf(line, sizeof line, saved ? "SAVED %s" : "NOT SAVED: %s", saved ? path : error);
    pilot_say(pilot, line);
    free(rgba);
}

/* Lines, then levels, then neither. */
static void choose_looks(Pilot *pilot) {
    unsigned now = pilot->looks & (VIEW_WIRE | VIEW_LEVELS), next = now == 0 ? VIEW_WIRE : now == VIEW_WIRE ? VIEW_LEVELS : 0;
    pilot->looks = (pilot->looks & ~now) | next;
}

static void edit(Pilot *pilot, void (*how)(Hand *hand)) {
    if (pilot->holds_pointer) return;
    how(&pilot->hand);
    see_edit(pilot);
}

static void pass(Pilot *pilot, double hours) {
    const ViewLoop *loop = pilot->loop;
    if (loop->pass == NULL) return;
    pilot_say_again(pilot, loop->pass(loop->user, hours));
    pilot_take_change(pilot);
}

static void do_key(Pilot *pilot, int key, int mods) {
    switch (key) {
    case GLFW_KEY_ESCAPE: glfwSetWindowShouldClose(pilot->view->device.window, GLFW_TRUE); break;
    case GLFW_KEY_H: pilot->shows_help = !pilot->shows_help; break;
    case GLFW_KEY_F12: save_picture(pilot); break;
    case GLFW_KEY_G: pilot_start_or_end_walk(pilot); break;
    case GLFW_KEY_TAB: list_numbers(pilot); break;
    case GLFW_KEY_S:
        if (mods & GLFW_MOD_CONTROL) save_numbers(pilot);
        break;
    case GLFW_KEY_M: pilot->looks ^= VIEW_MINIMAP; break;
    case GLFW_KEY_T: pilot->looks ^= VIEW_TIMES; break;
    case GLFW_KEY_L: choose_looks(pilot); break;
    case GLFW_KEY_COMMA: pass(pilot, -0.25); break;
    case GLFW_KEY_PERIOD: pass(pilot, 0.25); break;
    case GLFW_KEY_DELETE: edit(pilot, hand_remove); break;
    case GLFW_KEY_Z:
        if (mods & GLFW_MOD_CONTROL) edit(pilot, hand_undo);
        break;
    default: break;
    }
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
    Pilot *pilot = glfwGetWindowUserPointer(window);
    if (action != GLFW_PRESS) return;
    const char *name = pilot->key_count < PILOT_KEYS ? key_name(key, code) : NULL;
    if (name) snprintf(pilot->keys[pilot->key_count++], PILOT_KEY_BYTES, "%s", name);
    do_key(pilot, key, mods);
}

/* -- listening -- */

void pilot_listen(Pilot *pilot) {
    GLFWwindow *window = pilot->view->device.window;
    glfwGetCursorPos(window, &pilot->pointer_x, &pilot->pointer_y);
    glfwSetWindowUserPointer(window, pilot);
    glfwSetCursorPosCallback(window, on_pointer);
    glfwSetMouseButtonCallback(window, on_button);
    glfwSetScrollCallback(window, on_wheel);
    glfwSetKeyCallback(window, on_key);
}

void pilot_rest(Pilot *pilot) {
    GLFWwindow *window = pilot->view->device.window;
    glfwSetCursorPosCallback(window, NULL);
    glfwSetMouseButtonCallback(window, NULL);
    glfwSetScrollCallback(window, NULL);
    glfwSetKeyCallback(window, NULL);
    glfwSetWindowUserPointer(window, NULL);
}
