#include "gpu/timer.h"

#include <stdio.h>

void timer_init(Timer *timer) {
    GLint bits = 0;
    *timer = (Timer){0};
    glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
    timer->can = bits > 0;
    if (timer->can) glCreateQueries(GL_TIMESTAMP, TIMER_MARKS, timer->queries);
}

void timer_fini(Timer *timer) {
    glDeleteQueries(timer->can ? TIMER_MARKS : 0, timer->queries);
    *timer = (Timer){0};
}

void timer_begin(Timer *timer) {
    timer->marks = 0;
    timer_mark(timer, NULL);
}

void timer_mark(Timer *timer, const char *name) {
    if (!timer->can || !timer->running || timer->marks == TIMER_MARKS) return;
    glQueryCounter(timer->queries[timer->marks], GL_TIMESTAMP);
    timer->names[timer->marks++] = name;
}

void timer_end(Timer *timer) {
    GLuint64 before = 0;
    timer->read = 0;
    for (int i = 0; i < timer->marks; i++) {
        GLuint64 at = 0;
        glGetQueryObjectui64v(timer->queries[i], GL_QUERY_RESULT, &at);
        if (i > 0) {
            timer->read_names[timer->read] = timer->names[i];
            timer->milliseconds[timer->read++] = (double)(at - before) * 1e-6;
        }
        before = at;
    }
}

void timer_text(const Timer *timer, char *text, size_t size) {
    double all = 0;
    size_t at = 0;
    text[0] = 0;
    for (int i = 0; i < timer->read && at < size; i++) {
        all += timer->milliseconds[i];
        at += (size_t)snprintf(text + at, size - at, "%s %.1f, ", timer->read_names[i], timer->milliseconds[i]);
    }
    if (timer->read && at < size)
        snprintf(text + at, size - at, "all %.1f ms", all);
    else if (timer->read == 0)
        snprintf(text, size, timer->can ? "no frame was timed" : "this device has no clock");
}
