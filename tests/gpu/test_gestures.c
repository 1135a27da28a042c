/* The window's gestures, by the pointer and the keys of a display: a click, a drag, Delete and Ctrl-Z do to a thing what they say.
 * Without a display, or the library by which one is told of keys that nobody pressed (libxtst6), there is nothing to see. */
#include "gpu/pilot.h"
#include "tests/gpu/skip.h"

#include <dlfcn.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

/* -- a hand: X's own functions, found when the test runs -- */

enum { KEY_DELETE = 0xffff, KEY_CONTROL = 0xffe3, KEY_Z = 'z', KEY_PERIOD = '.' }; /* keysyms */

static struct {
    void *display;
    void *(*open)(const char *);
    int (*sync)(void *, int);
    unsigned char (*keycode)(void *, unsigned long);
    int (*key)(void *, unsigned, int, unsigned long);
    int (*button)(void *, unsigned, int, unsigned long);
    int (*motion)(void *, int, int, int, unsigned long);
} x;

static bool find(void *library, const char *name, void *function) {
    void *found = library ? dlsym(library, name) : NULL;
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static bool find_hand(void) {
    void *base = dlopen("libX11.so.6", RTLD_NOW), *test = dlopen("libXtst.so.6", RTLD_NOW);
    if (!find(base, "XOpenDisplay", &x.open) || !find(base, "XSync", &x.sync) || !find(base, "XKeysymToKeycode", &x.keycode) ||
        !find(test, "XTestFakeKeyEvent", &x.key) || !find(test, "XTestFakeButtonEvent", &x.button) || !find(test, "XTestFakeMotionEvent", &x.motion))
        return false;
    x.display = x.open(NULL);
    return x.display != NULL;
}

static void press(unsigned long keysym, bool down) {
    x.key(x.display, x.keycode(x.display, keysym), down, 0);
}

/* -- a post that is looked down upon -- */

static const float corners[] = {-0.5f, 0, 0, 0.5f, 0, 0, 0, 2, 0}, normals[] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                   colors[] = {1, 0, 0, 1, 0, 0, 1, 0, 0}, transforms[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -10};
static const uint32_t indices[] = {0, 1, 2}, numbers[] = {0}, *const of_copies[] = {numbers};
static const WorldMesh mesh = {.vertex_count = 3, .index_count = 3, .positions = corners, .normals = normals, .colors = colors, .indices = indices, .two_sided = true};
static const WorldThing post = {"wood.layout", "post", "posts/1"}, *const things[] = {&post};
static const WorldInstances instances = {0, 1, transforms, NULL};
static const WorldScene scene = {.meshes = &mesh, .mesh_count = 1, .instances = &instances, .instance_count = 1, .things = things, .thing_count = 1, .instance_things = of_copies};

/* -- what is done, a step every few frames, and what is heard of it -- */

typedef struct Doing {
    char told[200];
    double to[3];
    int frame;
    bool edited;
} Doing;

static const char *tell(Doing *doing, const char *what) {
    strcat(doing->told, what);
    return what;
}
static const char *pick(void *user, const WorldThing *thing) {
    assert_string_equal(thing->id, post.id);
    return tell(user, "pick ");
}
static const char *changed(void *user, const char *what) {
    ((Doing *)user)->edited = true;
    return tell(user, what);
}
static const char *removed(void *user) {
    return changed(user, "remove ");
}
static const char *moved(void *user, const double to[3]) {
    memcpy(((Doing *)user)->to, to, 3 * sizeof *to);
    return changed(user, "move ");
}
static const char *undone(void *user) {
    return changed(user, "undo ");
}

static const char *passed(void *user, double hours) {
    assert_true(fabs(hours - 0.25) < 1e-9);
    return tell(user, "later ");
}

enum { WIDTH = 320, HEIGHT = 180, FRAMES = 4, LAST_STEP = 22 };

static void point_at(GLFWwindow *window, int across, int down) {
    int left, top;
    glfwGetWindowPos(window, &left, &top);
    x.motion(x.display, -1, left + across, top + down, 0);
}

static void do_step(int step, GLFWwindow *window) {
    switch (step) {
    case 1: point_at(window, WIDTH / 2, HEIGHT / 2); break;
    case 2: x.button(x.display, 1, 1, 0); break; /* a click */
    case 3: x.button(x.display, 1, 0, 0); break;
    case 4: x.button(x.display, 1, 1, 0); break; /* a drag, 60 pixels to the right */
    case 5: point_at(window, WIDTH / 2 + 30, HEIGHT / 2); break;
    case 6: point_at(window, WIDTH / 2 + 60, HEIGHT / 2); break;
    case 7: x.button(x.display, 1, 0, 0); break;
    case 8: press(KEY_Z, true); break; /* Z alone is nothing */
    case 9: press(KEY_Z, false); break;
    case 10: press(KEY_CONTROL, true); break;
    case 11: press(KEY_Z, true); break;
    case 12: press(KEY_Z, false), press(KEY_CONTROL, false); break;
    case 13: press(KEY_DELETE, true); break; /* nothing is held any more */
    case 14: press(KEY_DELETE, false), point_at(window, WIDTH / 2, HEIGHT / 2); break;
    case 15: x.button(x.display, 1, 1, 0); break;
    case 16: x.button(x.display, 1, 0, 0); break;
    case 17: press(KEY_DELETE, true); break;
    case 18: press(KEY_DELETE, false); break;
    case 19: press(KEY_PERIOD, true); break; /* later in the day */
    case 20: press(KEY_PERIOD, false); break;
    default: glfwSetWindowShouldClose(window, step >= LAST_STEP); break;
    }
    x.sync(x.display, 0);
}

static bool take_edit(Doing *doing, const WorldScene **shown) {
    bool edited = doing->edited;
    doing->edited = false;
    *shown = &scene;
    return edited;
}

static const double eye_at[3] = {0, 3, 0};

static bool each_frame(void *user, const double eye[3], const WorldScene **shown) {
    Doing *doing = user;
    assert_memory_equal(eye, eye_at, sizeof eye_at); /* nobody moves it */
    if (doing->frame++ % FRAMES == 0) do_step(doing->frame / FRAMES, glfwGetCurrentContext());
    return take_edit(doing, shown);
}

/* As on a machine so slow that all of it is told at once. */
static bool one_frame(void *user, const double eye[3], const WorldScene **shown) {
    Doing *doing = user;
    assert_memory_equal(eye, eye_at, sizeof eye_at);
    for (int step = 1; step < LAST_STEP && doing->frame == 0; step++) {
        do_step(step, glfwGetCurrentContext());
        usleep(2000); /* a key that is pressed twice in a millisecond is one to GLFW */
    }
    if (doing->frame++ > 10 * FRAMES) do_step(LAST_STEP, glfwGetCurrentContext());
    return take_edit(doing, shown);
}

static void do_all(bool (*frame)(void *user, const double eye[3], const WorldScene **shown)) {
    static const ViewEdits edits = {pick, removed, moved, undone};
    char error[256];
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .window = true});
    if (!find_hand()) {
        view_destroy(view);
        skip();
    }
    Doing doing = {0};
    assert_true(view_set_scene(view, &scene, error, sizeof error));
    view_run(view, (ViewCamera){.from = {0, 3, 0}, .to = {0, 1, -10}}, &(ViewLoop){.changed = frame, .edits = &edits, .pass = passed, .scene = &scene, .user = &doing});
    assert_string_equal(doing.told, "pick pick move undo pick remove later ");
    /* Where a ray 60 pixels to the right of the middle meets the level on which the post was taken. */
    double across = 60 / (HEIGHT / 2.0) * tan(25 * M_PI / 180) * sqrt(104);
    assert_true(fabs(doing.to[0] - across) < 0.1 && fabs(doing.to[1] - 1) < 0.05 && fabs(doing.to[2] + 10) < 0.3);
    view_destroy(view);
}

static void test_gestures(void **state) {
    (void)state;
    do_all(each_frame);
}

/* A gesture is what was told, in its order: no press, drag or key is lost between two frames, and an edit is seen by what follows it. */
static void test_gestures_at_once(void **state) {
    (void)state;
    do_all(one_frame);
}

/* What is said while something is read stands under it; the oldest goes. */
static void test_what_is_said(void **state) {
    (void)state;
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .window = true});
    Pilot pilot = {0};
    pilot_say(&pilot, "ONE");
    pilot_say(&pilot, "TWO\nAND THREE");
    assert_string_equal(pilot.note, "ONE\nTWO\nAND THREE");
    for (int i = 0; i < 7; i++)
        pilot_say(&pilot, "MORE");
    assert_memory_equal(pilot.note, "AND THREE\nMORE\n", 15);
    char line[2 * PILOT_NOTE] = "";
    memset(line, 'A', sizeof line - 1);
    pilot_say(&pilot, line);
    assert_int_equal(strlen(pilot.note), PILOT_NOTE - 1);
    view_destroy(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_said), cmocka_unit_test(test_gestures), cmocka_unit_test(test_gestures_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
