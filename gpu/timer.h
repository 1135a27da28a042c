/* What a frame's passes take on the card, by its own clock; nothing where it has none. */
#ifndef WORLD_GPU_TIMER_H
#define WORLD_GPU_TIMER_H

#include <stdbool.h>
#include <stddef.h>

#include "gpu/gl.h"

enum { TIMER_MARKS = 12 };

typedef struct Timer {
    bool can;     /* the device has a clock */
    bool running; /* it is asked for */
    GLuint queries[TIMER_MARKS];
    const char *names[TIMER_MARKS]; /* of what ends at a mark; the first has none */
    int marks;
    double milliseconds[TIMER_MARKS]; /* of the last frame that was read */
    const char *read_names[TIMER_MARKS];
    int read;
} Timer;

void timer_init(Timer *timer);
void timer_fini(Timer *timer);
/* A frame begins. */
void timer_begin(Timer *timer);
/* What was drawn since the mark before is called so. */
void timer_mark(Timer *timer, const char *name);
/* Waits for the frame, and reads it. */
void timer_end(Timer *timer);
/* A line: "shadows 1.2 land 3.4 ... 8.1 ms". */
void timer_text(const Timer *timer, char *text, size_t size);

#endif
