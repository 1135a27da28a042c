#include "gpu/device.h"

#define GLAD_GL_IMPLEMENTATION
#include "gpu/gl.h"

#include <stdio.h>
#include <string.h>

/* Notifications ("buffer will use video memory") are chatter; everything else counts. */
static void GLAD_API_PTR on_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                    GLsizei length, const GLchar *message, const void *user) {
    (void)source;
    (void)length;
    if (severity == GL_DEBUG_SEVERITY_NOTIFICATION) return;
    Device *device = (Device *)user;
    if (device->messages++ == 0)
        snprintf(device->first_message, sizeof device->first_message, "type 0x%x, id %u: %s", type,
                 id, message);
}

/* By the names of Mesa's and Google's rasterizers. */
static bool is_software(const char *renderer) {
    return renderer && (strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") ||
                        strstr(renderer, "SwiftShader"));
}

bool device_start(Device *device, DeviceProc (*get)(const char *name), bool validate, char *error,
                  size_t size) {
    int version = gladLoadGL((GLADloadfunc)get);
    if (version < GLAD_MAKE_VERSION(4, 5)) {
        snprintf(error, size, "GL 4.5 is needed; this driver offers %d.%d",
                 GLAD_VERSION_MAJOR(version), GLAD_VERSION_MINOR(version));
        return false;
    }
    device->software = is_software((const char *)glGetString(GL_RENDERER));
    if (validate) {
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageCallback(on_message, device);
    }
    return true;
}

void device_use(const Device *device) {
    if (device->window) device_use_window(device);
    if (device->egl_display) device_use_offscreen(device);
}

void device_close(Device *device) {
    if (device->window) device_close_window(device);
    if (device->egl_display) device_close_offscreen(device);
}
