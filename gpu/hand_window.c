/* The hand in a window: a click takes a thing, a drag carries it, Delete removes it, Ctrl-Z takes the last edit back. */
#include "gpu/hand.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>

static const double slack = 6; /* pixels: a click that moves no farther is no drag */

static bool pressed_now(GLFWwindow *window, int key, bool *was) {
    bool is = glfwGetKey(window, key) == GLFW_PRESS, now = is && !*was;
    *was = is;
    return now;
}

static bool is_down(GLFWwindow *window, int key) {
    return glfwGetKey(window, key) == GLFW_PRESS;
}

static Ray ray_under(GLFWwindow *window, const ViewCamera *camera, double x, double y) {
    int width, height;
    glfwGetWindowSize(window, &width, &height);
    Eye eye = eye_of(camera, width > 0 ? width : 1, height > 0 ? height : 1);
    return hand_ray(&eye, 2 * x / width - 1, 1 - 2 * y / height);
}

bool hand_steer(Hand *hand, GLFWwindow *window, const ViewCamera *camera) {
    double x, y;
    bool down = glfwGetMouseButton(window, GLFW_MOUSE_BUTTON_LEFT) == GLFW_PRESS, before = hand->was_button;
    bool control = is_down(window, GLFW_KEY_LEFT_CONTROL) || is_down(window, GLFW_KEY_RIGHT_CONTROL);
    hand->was_button = down;
    if (pressed_now(window, GLFW_KEY_DELETE, &hand->was_delete)) hand_remove(hand);
    if (pressed_now(window, GLFW_KEY_Z, &hand->was_undo) && control) hand_undo(hand);
    glfwGetCursorPos(window, &x, &y);
    Ray ray = ray_under(window, camera, x, y);
    if (down && !before) {
        hand->press_x = x;
        hand->press_y = y;
        return hand_take(hand, &ray);
    }
    bool moved = fabs(x - hand->press_x) + fabs(y - hand->press_y) > slack;
    if (down && (moved || hand->drags)) hand_carry(hand, &ray);
    if (!down && before) hand_drop(hand);
    return down && hand->holds;
}
