/* The device: a GL 4.5 core context, in a window (GLFW) or with no surface at all (EGL), and the
 * driver's complaints.
 *
 * Everything else in this room is the same for both. One device belongs to the thread that opened
 * it.
 */
#ifndef WORLD_GPU_DEVICE_H
#define WORLD_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct GLFWwindow GLFWwindow;

typedef struct Device {
    GLFWwindow *window;              /* NULL offscreen */
    void *egl_display, *egl_context; /* NULL in a window */
    bool software;                   /* no card: the processor draws */
    int messages;                    /* GL complaints so far */
    char first_message[512];         /* "" when none */
} Device;

typedef void (*DeviceProc)(void);

/* Opens a context and makes it current; false with a reason in `error`. `validate` asks for a debug
 * context. */
bool device_open_offscreen(Device *device, bool validate, char *error, size_t size);
bool device_open_window(Device *device, int width, int height, const char *title, bool validate,
                        char *error, size_t size);
void device_close(Device *device);
/* What GL is told from now on is told to this device: where a thread has several, each has names of its own. */
void device_use(const Device *device);

/* For the two openers: loads GL through `get` and starts collecting messages. */
bool device_start(Device *device, DeviceProc (*get)(const char *name), bool validate, char *error,
                  size_t size);
void device_close_offscreen(Device *device);
void device_use_offscreen(const Device *device);
void device_use_window(const Device *device);
void device_close_window(Device *device);

#endif
