/* A context in a window: GLFW, with the screen's own vertical sync. Multisampling is ours
 * (target.h), not the window's. */
#include "gpu/device.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <stdio.h>

static void set_hints(bool validate) {
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 5);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, validate);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
}

static bool give_up(char *error, size_t size, const char *what) {
    const char *reason = NULL;
    glfwGetError(&reason);
    snprintf(error, size, "%s: %s", what, reason ? reason : "unknown reason");
    glfwTerminate();
    return false;
}

bool device_open_window(Device *device, int width, int height, const char *title, bool validate,
                        char *error, size_t size) {
    if (!glfwInit()) return give_up(error, size, "no display");
    set_hints(validate);
    GLFWwindow *window = glfwCreateWindow(width, height, title ? title : "world", NULL, NULL);
    if (!window) return give_up(error, size, "no window with GL 4.5");
    glfwMakeContextCurrent(window);
    glfwSwapInterval(1);
    *device = (Device){.window = window};
    if (device_start(device, glfwGetProcAddress, validate, error, size)) return true;
    device_close(device);
    return false;
}

void device_use_window(const Device *device) {
    if (glfwGetCurrentContext() != device->window) glfwMakeContextCurrent(device->window);
}

void device_close_window(Device *device) {
    glfwDestroyWindow(device->window);
    glfwTerminate();
    *device = (Device){0};
}
