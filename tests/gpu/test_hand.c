/* The hand without a window: what a ray meets, whose it is, what is hidden, and what is told to who edits. */
#include "gpu/hand.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* -- two posts and a wall: upright triangles that face north, 2 m high and 1 m wide at their foot -- */

static const float corners[] = {-0.5f, 0, 0, 0.5f, 0, 0, 0, 2, 0};
static const uint32_t indices[] = {0, 1, 2};
static const WorldMesh mesh = {.vertex_count = 3, .index_count = 3, .positions = corners, .indices = indices};
/* At (0, 0, -10); at (5, 0, -10), twice as large; at (0, 0, -20), a part's, behind the first. */
static const float transforms[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -10, 2, 0, 0, 5, 0, 2, 0, 0,
                                   0, 0, 2, -10, 9, 0, 0, 0, 0, 9, 0, 0, 0, 0, 9, -20};
static const WorldThing first = {"wood.layout", "post", "posts/1"}, second = {"wood.layout", "post", "posts/2"},
                        wall = {"wall", "wall", ""};
static const WorldThing *const things[] = {&first, &second, &wall};
static const uint32_t numbers[] = {0, 1, 2}, *const of_copies[] = {numbers};
static const WorldInstances instances = {0, 3, transforms, NULL};
static const WorldScene scene = {.meshes = &mesh, .mesh_count = 1, .instances = &instances, .instance_count = 1,
                                 .things = things, .thing_count = 3, .instance_things = of_copies};

static Ray toward(Vec from, Vec to) {
    return (Ray){from, vec_unit(vec_sub(to, from))};
}

static const Vec eye_at = {0, 1, 0};

static void test_find(void **state) {
    (void)state;
    double distance;
    Ray ray = toward(eye_at, (Vec){0, 1, -10});
    assert_ptr_equal(hand_find(&scene, &ray, 100, &distance), &first);
    assert_true(fabs(distance - 10) < 1e-9);
    ray = toward(eye_at, (Vec){5.9, 0.1, -10}); /* only of the larger is there a foot so wide */
    assert_ptr_equal(hand_find(&scene, &ray, 100, &distance), &second);
    ray = toward(eye_at, (Vec){0.9, 1, -10}); /* past the first, to what is behind */
    assert_ptr_equal(hand_find(&scene, &ray, 100, &distance), &wall);
    assert_null(hand_find(&scene, &ray, 15, &distance));
    ray = toward(eye_at, (Vec){0, 1, 10});
    assert_null(hand_find(&scene, &ray, 100, &distance));
}

static void test_ray(void **state) {
    (void)state;
    ViewCamera camera = {.from = {1, 2, 3}, .to = {1, 2, 0}, .fov = M_PI / 2};
    Eye eye = eye_of(&camera, 200, 100);
    Ray middle = hand_ray(&eye, 0, 0), corner = hand_ray(&eye, 1, -1);
    assert_true(fabs(middle.way.z + 1) < 1e-6 && fabs(middle.from.y - 2) < 1e-9);
    assert_true(fabs(corner.way.x / corner.way.z + 2) < 1e-6 && fabs(corner.way.y / corner.way.z - 1) < 1e-6);
}

/* -- taking, carrying, setting down -- */

static char told[200];

static const char *pick(void *user, const WorldThing *thing) {
    (void)user;
    return strcat(strcat(told, " pick "), thing->id);
}
static const char *removed(void *user) {
    (void)user;
    return strcat(told, " remove");
}
static const char *moved(void *user, const double to[3]) {
    (void)user;
    snprintf(told + strlen(told), 60, " move %.2f %.2f %.2f", to[0] + 0.0, to[1], to[2]);
    return told;
}
static const char *undone(void *user) {
    (void)user;
    return strcat(told, " undo");
}
/* A hill of 3 m between z -7 and -5. */
static double ground(void *user, double x, double z) {
    (void)user, (void)x;
    return z > -7 && z < -5 ? 3 : 0;
}

static const ViewEdits edits = {pick, removed, moved, undone};
static const ViewLoop flat = {.edits = &edits, .scene = &scene}, hilly = {.edits = &edits, .scene = &scene, .ground = ground};

static Hand begin(Walk *walk, const ViewLoop *loop) {
    static const float heights[4];
    WorldScene land = {.land = {sizeof(WorldGridView), 2, 2, 200, -100, -100, -30, heights},
                       .land_transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
    Hand hand;
    *walk = (Walk){0};
    if (loop->ground) walk_set_scene(walk, &land);
    walk_set_loop(walk, loop);
    hand_begin(&hand, loop, walk);
    told[0] = '\0';
    return hand;
}

static void test_hold(void **state) {
    (void)state;
    Walk walk;
    Hand hand = begin(&walk, &flat);
    Ray at_first = toward(eye_at, (Vec){0, 0.5, -10}), at_wall = toward(eye_at, (Vec){0.9, 1, -10}),
        at_floor = toward((Vec){0, 3, 0}, (Vec){4, 0.5, -6});
    hand_remove(&hand); /* nothing is held */
    assert_false(hand_take(&hand, &at_wall)); /* a part is none that could be */
    assert_true(hand_take(&hand, &at_first) && hand.holds);
    assert_string_equal(hand.words, " pick posts/1");
    hand_drop(&hand); /* a click carries nothing */
    hand_carry(&hand, &at_floor);
    assert_string_equal(hand.words, "TO (4.00, -6.00)"); /* on the level where it was taken */
    hand_drop(&hand);
    assert_string_equal(told, " pick posts/1 move 4.00 0.50 -6.00");
    assert_false(hand_take(&hand, &at_first)); /* the scene is gone, and comes again */
    hand_set_scene(&hand, NULL); /* or does not */
    assert_true(!hand_take(&hand, &at_first) && hand_is_blind(&hand));
    hand_set_scene(&hand, &scene);
    assert_true(hand_take(&hand, &at_first));
    hand_remove(&hand);
    hand_undo(&hand);
    assert_string_equal(told, " pick posts/1 move 4.00 0.50 -6.00 pick posts/1 remove undo");
}

/* What stands behind a hill is not picked; what is carried is set down on it. */
static void test_ground(void **state) {
    (void)state;
    Walk walk;
    double distance;
    Hand hand = begin(&walk, &hilly);
    Ray through = toward(eye_at, (Vec){0, 1, -10}), over = toward((Vec){0, 9, 0}, (Vec){0, 1, -10}),
        onto = toward((Vec){0, 9, 0}, (Vec){1, 3, -6});
    assert_false(hand_take(&hand, &through));
    assert_true(hand_take(&hand, &over));
    hand_carry(&hand, &onto);
    hand_drop(&hand);
    assert_string_equal(told, " pick posts/1 move 1.00 3.00 -6.00");
    Ray up = toward(eye_at, (Vec){0, 2, 0.1});
    assert_false(hand_reach(&walk, 0, &up, &distance));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_ray),
        cmocka_unit_test(test_hold),
        cmocka_unit_test(test_ground),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
