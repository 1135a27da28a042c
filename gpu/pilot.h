/* Who looks through a window: an eye that flies or walks, a pointer, and what it is told. For view_run.c and pilot*.c only.
 *
 * What the window tells is handled in the order in which it came (pilot_window.c), however long the frame took behind which it did; only
 * the keys that move the eye are looked at once a frame, for how long they are held.
 */
#ifndef WORLD_GPU_PILOT_H
#define WORLD_GPU_PILOT_H

#include "gpu/hand.h"
#include "gpu/view_parts.h"

enum { PILOT_KEYS = 64, PILOT_KEY_BYTES = 32, PILOT_NOTE = 512, PILOT_NUMBERS = 20, PILOT_NUMBERS_BYTES = 2048, PILOT_BORDER = 12 };

typedef struct Pilot {
    View *view;
    const ViewLoop *loop;
    Vec at;
    double heading, pitch; /* radians; heading 0 looks north (-z), grows clockwise */
    double fov;
    bool walks, shows_help, shows_numbers;
    bool changed; /* what is to be seen, since the last frame */
    unsigned looks;
    Hand hand;
    double pointer_x, pointer_y, press_x, press_y; /* where the window said last that it is, and where it was pressed; pixels */
    bool holds_pointer;                            /* it is the look's, not the hand's */
    bool pressed, drags;                           /* the hand's button is down; and was moved since */
    int first_number, number;                      /* the first that is listed; the one that is held, from 1, or 0 */
    char keys[PILOT_KEYS][PILOT_KEY_BYTES];        /* pressed since the frame before, as a world names them */
    int key_count;
    double note_until; /* seconds */
    char note[PILOT_NOTE];
} Pilot;

/* Where a camera stands. The pilot must not be moved while the window tells it (pilot_listen). */
Pilot pilot_of(View *view, const ViewCamera *camera, const ViewLoop *loop);
ViewCamera pilot_camera(const Pilot *pilot);
/* Turns the look by so many pixels. */
void pilot_look(Pilot *pilot, double x, double y);
/* By the keys that are held, for so many seconds. */
void pilot_move(Pilot *pilot, double seconds);
void pilot_start_or_end_walk(Pilot *pilot);
/* A line to be read, under those that are. */
void pilot_say(Pilot *pilot, const char *line);
/* In place of those. */
void pilot_say_again(Pilot *pilot, const char *line);
/* A scene that is another by now is drawn from now on. */
void pilot_take_change(Pilot *pilot);

/* pilot_window.c */
void pilot_listen(Pilot *pilot);
/* Nothing is told any more. */
void pilot_rest(Pilot *pilot);
/* The numbers that are listed; "": none. */
void pilot_numbers(const Pilot *pilot, char text[PILOT_NUMBERS_BYTES]);
/* Carries what the hand holds to where the pointer is. */
void pilot_carry(Pilot *pilot);

#endif
