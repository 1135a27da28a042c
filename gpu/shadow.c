#include "gpu/shadow.h"

#include <math.h>
#include <stdio.h>

enum { WHOLE, NEAR };

static const double near_radius = 45; /* meters about the near map's middle */
static const double near_ahead = 28;  /* its middle lies this far before the eye */
static const double near_slack = 12;  /* how far the eye may move before it is drawn again */
enum { TEXELS = 4096, TEXELS_IN_SOFTWARE = 2048 };
static const double cell_texels = 1; /* at least, of a drawn cell of the land */
static const uint64_t most_of_land = 300000; /* triangles, of a map */
static const double reach_back = 600; /* casters this far toward the sun still count */

void shadow_sampled(GLuint depth) {
    glTextureParameteri(depth, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTextureParameteri(depth, GL_TEXTURE_COMPARE_FUNC, GL_GEQUAL);
    glTextureParameteri(depth, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(depth, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(depth, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(depth, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

static bool map_init(ShadowMap *map, int texels, char *error, size_t size) {
    *map = (ShadowMap){.size = texels};
    glCreateTextures(GL_TEXTURE_2D, 1, &map->depth);
    glTextureStorage2D(map->depth, 1, GL_DEPTH_COMPONENT32F, texels, texels);
    shadow_sampled(map->depth);
    glCreateFramebuffers(1, &map->framebuffer);
    glNamedFramebufferTexture(map->framebuffer, GL_DEPTH_ATTACHMENT, map->depth, 0);
    glNamedFramebufferDrawBuffer(map->framebuffer, GL_NONE);
    if (glCheckNamedFramebufferStatus(map->framebuffer, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE)
        return true;
    snprintf(error, size, "the driver refuses a shadow map");
    return false;
}

bool shadow_init(Shadow *shadow, bool software, char *error, size_t size) {
    int texels = software ? TEXELS_IN_SOFTWARE : TEXELS;
    *shadow = (Shadow){0};
    return map_init(&shadow->maps[WHOLE], texels, error, size) && map_init(&shadow->maps[NEAR], texels, error, size);
}

void shadow_fini(Shadow *shadow) {
    for (int i = 0; i < SHADOW_MAPS; i++) {
        glDeleteFramebuffers(1, &shadow->maps[i].framebuffer);
        glDeleteTextures(1, &shadow->maps[i].depth);
    }
    *shadow = (Shadow){0};
}

void shadow_forget(Shadow *shadow) {
    for (int i = 0; i < SHADOW_MAPS; i++)
        shadow->maps[i].drawn = false;
}

static void draw_map(ShadowMap *map, const ShadowScene *scene, const LandView *as) {
    static const GLfloat far = 0;
    FrameBlock block = frame_block(&map->eye, map->size, map->size);
    frame_use(scene->frame, &block);
    land_use(scene->land, &map->eye);
    state_target(scene->state, map->framebuffer, map->size, map->size);
    Pipe land = {.program = scene->programs->names[PROGRAM_SHADOW_LAND],
                 .depth = PIPE_DEPTH_WRITE,
                 .bias = true};
    Pipe things = land;
    things.program = scene->programs->names[PROGRAM_SHADOW_THINGS];
    state_pipe(scene->state, &land);
    glClearNamedFramebufferfv(map->framebuffer, GL_DEPTH, 0, &far);
    LandView seen = {.eye = &map->eye, .as = as, .above = scene->floor, .height = map->size, .cell_pixels = cell_texels, .most = most_of_land};
    if (as || scene->land->columns) land_draw(scene->land, scene->state, &seen, &land); /* a function's is all about the eye */
    things_draw(scene->things, scene->state,
                &(ThingsView){.eye = &map->eye, .height = map->size, .solid = &things, .cards = scene->programs->names[PROGRAM_SHADOW_CARDS]});
    map->drawn = true;
}

/* The place moved to where the map's texels meet, so that shadows' edges stand still when the map moves. */
static Vec on_texels(const ShadowMap *map, const ShadowScene *scene, Vec place) {
    Eye axes = eye_orthographic((Vec){0}, vec_scale(scene->sun, -1), (Vec){0, 1, 0}, 1, 1, 1);
    double right = vec_dot(place, axes.right), up = vec_dot(place, axes.up);
    place = vec_add(place, vec_scale(axes.right, floor(right / map->texel) * map->texel - right));
    return vec_add(place, vec_scale(axes.up, floor(up / map->texel) * map->texel - up));
}

/* A map over a ball. */
static void aim(ShadowMap *map, const ShadowScene *scene, Vec middle, double radius) {
    double back = radius + reach_back;
    map->texel = 2 * radius / map->size;
    middle = on_texels(map, scene, middle);
    Vec at = vec_add(middle, vec_scale(scene->sun, back));
    map->middle = middle;
    map->eye = eye_orthographic(at, vec_scale(scene->sun, -1), (Vec){0, 1, 0}, radius, radius,
                                back + radius);
}

static void join(Vec *low, Vec *high, Vec other_low, Vec other_high) {
    *low = (Vec){fmin(low->x, other_low.x), fmin(low->y, other_low.y), fmin(low->z, other_low.z)};
    *high = (Vec){fmax(high->x, other_high.x), fmax(high->y, other_high.y),
                  fmax(high->z, other_high.z)};
}

static void update_whole(ShadowMap *map, const ShadowScene *scene) {
    if (map->drawn) return;
    Vec low, high, things_low, things_high;
    land_bounds(scene->land, scene->floor, &low, &high);
    things_bounds(scene->things, &things_low, &things_high);
    join(&low, &high, things_low, things_high);
    if (low.x > high.x) low = high = (Vec){0};
    aim(map, scene, vec_scale(vec_add(low, high), 0.5), vec_length(vec_sub(high, low)) / 2 + 1);
    draw_map(map, scene, NULL);
}

static void update_near(ShadowMap *map, const ShadowScene *scene, const Eye *eye) {
    Vec ahead = vec_unit((Vec){eye->forward.x, 0, eye->forward.z});
    Vec middle = vec_add(eye->at, vec_scale(ahead, eye->orthographic ? 0 : near_ahead));
    if (map->drawn && vec_length(vec_sub(middle, map->middle)) < near_slack) return;
    aim(map, scene, middle, near_radius);
    draw_map(map, scene, scene->seen);
}

void shadow_update(Shadow *shadow, const ShadowScene *scene, const Eye *eye) {
    update_whole(&shadow->maps[WHOLE], scene);
    update_near(&shadow->maps[NEAR], scene, eye);
}

void shadow_use(const Shadow *shadow, const Eye *eye, FrameBlock *block) {
    for (int i = 0; i < SHADOW_MAPS; i++) {
        state_texture(4 + (GLuint)i, shadow->maps[i].depth);
        frame_shadow_matrix(block->shadow[i], eye, &shadow->maps[i].eye);
        block->moment[2 + i] = (float)shadow->maps[i].texel;
    }
}
