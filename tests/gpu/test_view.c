/* The view as a whole: it opens, draws, complains about nothing; in a window too, where there is a
 * display. */
#include "gpu/view.h"
#include "tests/gpu/island.h"
#include "tests/gpu/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include <GLFW/glfw3.h>

typedef struct Fixture {
    Memory memory;
    Arena arena;
    WorldScene scene;
    uint8_t *rgba;
} Fixture;

enum { WIDTH = 320, HEIGHT = 180 };

static int set_up(void **state) {
    Fixture *f = calloc(1, sizeof *f);
    memory_init(&f->memory, NULL, NULL, 0);
    arena_init(&f->arena, &f->memory);
    f->scene = island_scene(&f->arena, 257, 8, 400);
    f->rgba = malloc(WIDTH * HEIGHT * 4);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    Fixture *f = *state;
    free(f->rgba);
    arena_fini(&f->arena);
    free(f);
    return 0;
}

static View *open_with(const Fixture *f, bool window) {
    char error[512] = "";
    View *view = open_or_skip(
        &(ViewDesc){.width = WIDTH, .height = HEIGHT, .window = window, .validate = true});
    assert_true(view_set_scene(view, &f->scene, error, sizeof error));
    return view;
}

/* Mean red, green and blue of a rectangle. */
static void mean_color(const uint8_t *rgba, int x0, int y0, int x1, int y1, double out[3]) {
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int y = y0; y < y1; y++)
            for (int x = x0; x < x1; x++)
                out[k] += rgba[(y * WIDTH + x) * 4 + k];
        out[k] /= (x1 - x0) * (y1 - y0);
    }
}

static void test_picture(void **state) {
    Fixture *f = *state;
    View *view = open_with(f, false);
    ViewCamera camera = view_default_camera(&f->scene);
    view_draw(view, &camera);
    view_read_color(view, f->rgba);
    double land[3], sea[3];
    mean_color(f->rgba, 120, 60, 170, 85, land);
    mean_color(f->rgba, 0, 150, 30, 180, sea);
    assert_true(land[1] > land[2] + 20); /* grass is green */
    assert_true(sea[2] > sea[0] + 30);   /* water is blue */
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
}

/* The same scene gives the same picture, also after another one was shown. */
static void test_again(void **state) {
    Fixture *f = *state;
    char error[512];
    View *view = open_with(f, false);
    ViewCamera camera = view_default_camera(&f->scene);
    uint8_t *again = malloc(WIDTH * HEIGHT * 4);
    view_draw(view, &camera);
    view_read_color(view, f->rgba);
    static const float flat[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    WorldScene other = island_bare(3, 3, 20, flat);
    assert_true(view_set_scene(view, &other, error, sizeof error));
    view_draw(view, &camera);
    assert_true(view_set_scene(view, &f->scene, error, sizeof error));
    view_draw(view, &camera);
    view_read_color(view, again);
    assert_memory_equal(f->rgba, again, WIDTH * HEIGHT * 4);
    assert_int_equal(view_messages(view), 0);
    free(again);
    view_destroy(view);
}

/* Nothing to draw is a sky, not a crash. */
static void test_empty(void **state) {
    (void)state;
    char error[512];
    View *view = open_or_skip(&(ViewDesc){.width = WIDTH, .height = HEIGHT, .validate = true});
    WorldScene nothing = {0};
    ViewCamera camera = view_default_camera(&nothing);
    view_draw(view, &camera);
    assert_true(view_set_scene(view, &nothing, error, sizeof error));
    view_draw(view, &camera);
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
}

/* A window opens, shows a frame, hears that it shall close, and closes: the second question for a
 * change ends it. */
typedef struct Ending {
    int asked;
} Ending;

static bool end_soon(void *user, const double eye[3], const WorldScene **scene) {
    (void)eye;
    Ending *ending = user;
    if (++ending->asked == 3) glfwSetWindowShouldClose(glfwGetCurrentContext(), GLFW_TRUE);
    *scene = NULL;
    return false;
}

static void test_window(void **state) {
    Fixture *f = *state;
    View *view = open_with(f, true);
    Ending ending = {0};
    view_run(view, view_default_camera(&f->scene),
             &(ViewLoop){.changed = end_soon, .user = &ending});
    assert_int_equal(ending.asked, 3);
    assert_int_equal(view_messages(view), 0);
    view_destroy(view);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_picture, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_again, set_up, tear_down),
        cmocka_unit_test(test_empty),
        cmocka_unit_test_setup_teardown(test_window, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
