/* A context without any surface: EGL on Mesa's surfaceless platform, or on the default display
 * where that is missing. */
#include "gpu/device.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <pthread.h>
#include <stdio.h>

/* Devices have one display in common: who closes last ends it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users;

static EGLDisplay initialize_display(void) {
    EGLDisplay display =
        eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL)) return display;
    display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
    return display != EGL_NO_DISPLAY && eglInitialize(display, NULL, NULL) ? display
                                                                           : EGL_NO_DISPLAY;
}

static EGLDisplay open_display(void) {
    pthread_mutex_lock(&lock);
    EGLDisplay display = initialize_display();
    if (display != EGL_NO_DISPLAY) users++;
    pthread_mutex_unlock(&lock);
    return display;
}

static void close_display(EGLDisplay display) {
    pthread_mutex_lock(&lock);
    if (--users == 0) eglTerminate(display);
    pthread_mutex_unlock(&lock);
}

static EGLContext create_context(EGLDisplay display, bool validate) {
    const EGLint config_attributes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                        EGL_NONE};
    const EGLint context_attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                         4,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         5,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         validate,
                                         EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API)) return EGL_NO_CONTEXT;
    if (!eglChooseConfig(display, config_attributes, &config, 1, &count) || count == 0)
        return EGL_NO_CONTEXT;
    return eglCreateContext(display, config, EGL_NO_CONTEXT, context_attributes);
}

bool device_open_offscreen(Device *device, bool validate, char *error, size_t size) {
    EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY) {
        snprintf(error, size, "no EGL display (error 0x%x)", eglGetError());
        return false;
    }
    EGLContext context = create_context(display, validate);
    if (context == EGL_NO_CONTEXT ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        snprintf(error, size, "no GL 4.5 core context through EGL (error 0x%x)", eglGetError());
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        close_display(display);
        return false;
    }
    *device = (Device){.egl_display = display, .egl_context = context};
    if (device_start(device, eglGetProcAddress, validate, error, size)) return true;
    device_close(device);
    return false;
}

void device_use_offscreen(const Device *device) {
    if (eglGetCurrentContext() != device->egl_context) eglMakeCurrent(device->egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, device->egl_context);
}

void device_close_offscreen(Device *device) {
    eglMakeCurrent(device->egl_display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(device->egl_display, device->egl_context);
    close_display(device->egl_display);
    *device = (Device){0};
}
