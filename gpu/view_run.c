/* The window's loop, and what is on its screen; help_text lists its keys.
 *
 * While the eye rests nothing is drawn again; while it moves on a slow machine the picture gets
 * coarser. With a `ground` the eye stays above it, and can be carried by a walker (gpu/walk.h).
 */
#include "gpu/pilot.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <math.h>
#include <string.h>

enum { COARSEST = 4, BORDER = PILOT_BORDER };

static const char help_text[] = "POINTER   LOOK (CLICK TO TAKE IT)\n"
                                "W A S D   MOVE\n"
                                "Q E       DOWN, UP\n"
                                "G         WALK ON THE GROUND, FLY\n"
                                "SHIFT     FAST\n"
                                "WHEEL     NEARER, WIDER\n"
                                "TAB       LET THE POINTER GO: CLICK A THING, DRAG IT,\n"
                                "          DELETE IT, CTRL Z UNDOES; THE TEXT'S NUMBERS:\n"
                                "          DRAG ONE, CTRL S KEEPS THEM; AGAIN: WITHOUT\n"
                                ", .       EARLIER, LATER IN THE DAY\n"
                                "M         THE WHOLE FROM ABOVE\n"
                                "L         LINES, LEVELS OF DETAIL, AS IT IS\n"
                                "T         HOW LONG IT TAKES\n"
                                "F12       SAVE A PICTURE\n"
                                "H         THESE KEYS\n"
                                "ESC       CLOSE";

/* What is on the screen: while nothing of it changes, nothing is drawn again. */
typedef struct Shown {
    ViewCamera camera;
    int width, height;
    int coarse; /* the picture's pixels are so many of the screen's */
    bool help, any;
    unsigned looks;
    char words[HAND_WORDS], note[PILOT_NOTE], numbers[PILOT_NUMBERS_BYTES];
} Shown;

static bool same_picture(const Shown *a, const Shown *b) {
    return a->any && b->any && memcmp(&a->camera, &b->camera, sizeof a->camera) == 0 &&
           a->width == b->width && a->height == b->height && a->help == b->help &&
           a->looks == b->looks && strcmp(a->words, b->words) == 0 && strcmp(a->note, b->note) == 0 && strcmp(a->numbers, b->numbers) == 0;
}

/* Over what stands below `bottom`. */
static void stack_text(View *view, const char *text, int *bottom, int scale) {
    if (text[0] == '\0') return;
    *bottom -= BORDER + overlay_height(text, scale);
    overlay_text(&view->overlay, text, BORDER, *bottom, scale);
}

static bool show(View *view, const Shown *what) {
    char error[128];
    int width = what->width / what->coarse, height = what->height / what->coarse;
    if (!view_resize(view, width > 0 ? width : 1, height > 0 ? height : 1, error, sizeof error))
        return false;
    int scale = overlay_scale(height), bottom = height - view_words_height(view, scale);
    const char *above = what->numbers[0] ? what->numbers : what->help ? help_text : NULL;
    if (above) overlay_text(&view->overlay, above, BORDER, BORDER, scale);
    view_set_looks(view, what->looks | (what->help ? VIEW_STATUS : 0));
    stack_text(view, what->note, &bottom, scale);
    stack_text(view, what->words, &bottom, scale);
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

/* The world's own time goes on. */
static void live(Pilot *pilot, double seconds) {
    const ViewLoop *loop = pilot->loop;
    const char *keys[PILOT_KEYS];
    int count = pilot->key_count;
    pilot->key_count = 0;
    if (!loop->live) return;
    for (int i = 0; i < count; i++)
        keys[i] = pilot->keys[i];
    const char *said = loop->live(loop->user, seconds, keys, count);
    if (said) pilot_say(pilot, said);
}

typedef struct Screen {
    Shown shown;
    int coarse;   /* how coarse a picture the machine draws briskly */
    double begun; /* the time of what moves when the window opened, seconds */
} Screen;

static Shown what_is_seen(const Pilot *pilot) {
    Shown seen = {.camera = pilot_camera(pilot), .help = pilot->shows_help, .looks = pilot->looks, .any = true};
    strcpy(seen.words, pilot->hand.words);
    pilot_numbers(pilot, seen.numbers);
    if (glfwGetTime() < pilot->note_until) strcpy(seen.note, pilot->note);
    glfwGetFramebufferSize(pilot->view->device.window, &seen.width, &seen.height);
    return seen;
}

/* Draws when there is something new to see; false when the driver gives out. */
static bool refresh(Screen *screen, Pilot *pilot) {
    View *view = pilot->view;
    Shown next = what_is_seen(pilot);
    bool resting = same_picture(&screen->shown, &next) && !pilot->changed && !view_moves(view);
    if (next.width < 1 || next.height < 1 || (resting && screen->shown.coarse == 1)) {
        glfwWaitEventsTimeout(0.02);
        return true;
    }
    next.coarse = resting ? 1 : screen->coarse;
    double before = glfwGetTime();
    view->time = screen->begun + before;
    if (!show(view, &next)) return false;
    if (view_land_failed(view) && pilot->loop->failed) pilot_say(pilot, pilot->loop->failed(pilot->loop->user));
    if (!resting) screen->coarse = adapt(screen->coarse, glfwGetTime() - before);
    screen->shown = next;
    pilot->changed = false;
    return true;
}

void view_run(View *view, ViewCamera camera, const ViewLoop *loop) {
    GLFWwindow *window = view->device.window;
    if (!window) return;
    Pilot pilot = pilot_of(view, &camera, loop ? loop : &(ViewLoop){0});
    Screen screen = {.coarse = 1, .begun = view->time - glfwGetTime()};
    walk_set_loop(&view->walk, loop);
    pilot_listen(&pilot);
    double before = glfwGetTime();
    while (!glfwWindowShouldClose(window)) {
        glfwPollEvents();
        double now = glfwGetTime();
        double seconds = fmin(now - before, 0.25);
        pilot_carry(&pilot);
        pilot_move(&pilot, seconds);
        live(&pilot, seconds);
        before = now;
        pilot_take_change(&pilot);
        if (!refresh(&screen, &pilot)) break;
    }
    walk_set_loop(&view->walk, NULL);
    pilot_rest(&pilot);
}
