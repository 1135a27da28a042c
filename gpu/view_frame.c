/* A frame: how much of what it may hold, what it knows, in which order it is drawn; and the land's heights in place of colors. */
#include "gpu/view_parts.h"

#include <math.h>
#include <stdlib.h>

static const double haze = 1.0 / 13000; /* per meter */

/* What a frame may hold, of land and things. */
static const uint64_t most_triangles = 1200000, most_if_low = 400000;
static const double land_share = 0.67, things_share = 0.33; /* at most, and at least */
static const double cover_share = 0.25, most_cover_share = 0.45; /* the second where land and things need less; they have what it leaves */

static const double cell_pixels = 2.5, cell_pixels_if_low = 4; /* of the land's cells where a ring ends, at least */

static const WorldWind breeze = {.toward = {0.8, 0.6}, .speed = 5, .gusts = 1}; /* of a world that tells of none */

uint64_t view_most_triangles(const View *view) {
    return view->low ? most_if_low : most_triangles;
}

static double most_of(const View *view) {
    return (double)view_most_triangles(view);
}

/* What land and things do not need, but a part of it in any case. */
static uint64_t most_of_cover(View *view, const LandView *seen) {
    double most = most_of(view), things = view->things.count ? things_share * most : 0;
    if (view->cover.layer_count == 0) return 0;
    double left = most - (double)land_count(&view->land, seen) - things;
    return (uint64_t)fmax(cover_share * most, fmin(left, most_cover_share * most));
}

/* What the cover leaves. */
static double most_of_others(const View *view) {
    return most_of(view) - (double)view->cover.triangles;
}

/* What the land leaves. */
static uint64_t most_of_things(const View *view) {
    double most = most_of_others(view), left = most - (double)view->land.triangles;
    return (uint64_t)fmax(left, things_share * most);
}

/* -- drawing -- */

/* What lies lower than this is under water and not seen. */
static double floor_height(const View *view) {
    return view->has_sea ? view->level : -INFINITY;
}

static LandView land_view(const View *view, const Eye *eye) {
    bool above_water = view->has_sea && eye->at.y > view->level;
    return (LandView){.eye = eye,
                      .above = above_water ? view->level : -INFINITY,
                      .height = view->picture.height,
                      .cell_pixels = view->low ? cell_pixels_if_low : cell_pixels,
                      .most = (uint64_t)(land_share * most_of(view))};
}

static void update_shadows(View *view, const Eye *eye) {
    LandView seen = land_view(view, eye);
    ShadowScene scene = {&view->state, &view->programs, &view->frame, &view->land, &view->things, &seen, floor_height(view), view->sun};
    shadow_update(&view->shadow, &scene, eye);
}

/* By day lamps are drowned; on a planet it is night somewhere. */
static bool is_day(const View *view) {
    return !(view->radius > 0) && view->sun_color[1] * fmax(view->sun.y, 0) + view->sky_color[1] > 0.6;
}

static bool has_shadows(const View *view) {
    return !view->magenta && (view->sun.y > 0 || view->radius > 0);
}

/* On a planet up is away from its middle; far out, where it is whole in the picture, north. */
static ViewCamera upright(const View *view, const ViewCamera *camera) {
    ViewCamera out = *camera;
    if (!(view->radius > 0)) return out;
    Vec away = vec_sub((Vec){camera->from[0], camera->from[1], camera->from[2]}, view->middle);
    double share = fmin(1, fmax(0, (vec_length(away) / view->radius - 1.15) / 0.85));
    Vec up = vec_add(vec_scale(vec_unit(away), 1 - share), (Vec){0, share, 0});
    out.up[0] = up.x, out.up[1] = up.y, out.up[2] = up.z;
    return out;
}

/* A breeze of 5 m/s is 0.5; past a gale leaves and grass give way to no more. */
static double hardness(double speed) {
    return 1.1 * speed / (speed + 6);
}

static void set_wind(const View *view, FrameBlock *block) {
    const WorldWind *wind = view->wind.path ? &view->wind : &breeze;
    const float blows[4] = {(float)wind->toward[0], (float)wind->toward[1], (float)hardness(wind->speed), view->looks & VIEW_LEVELS ? 1 : 0};
    memcpy(block->wind, blows, sizeof blows);
    block->gusts[0] = (float)wind->gusts;
}

static void use_frame(View *view, const Eye *eye) {
    FrameBlock block = frame_block(eye, view->picture.width, view->picture.height);
    Vec sun = view->sun;
    const float toward[4] = {(float)sun.x, (float)sun.y, (float)sun.z, has_shadows(view)};
    memcpy(block.sun, toward, sizeof toward);
    memcpy(block.sun_color, view->sun_color, sizeof view->sun_color);
    memcpy(block.sky_color, view->sky_color, sizeof view->sky_color);
    memcpy(block.ground_color, view->ground_color, sizeof view->ground_color);
    memcpy(block.air, view->air, sizeof view->air);
    block.moment[0] = (float)view->time;
    block.moment[1] = (float)(view->land.lod.lattice.cell * transform_scale(&view->land.transform));
    set_wind(view, &block);
    block.sea[0] = (float)view->level;
    block.sea[1] = view->has_sea;
    block.sea[2] = (float)(view->level - eye->at.y);
    block.sea[3] = (float)(view->plane - eye->at.y);
    Vec middle = vec_sub(view->middle, eye->at);
    const float planet[4] = {(float)middle.x, (float)middle.y, (float)middle.z, (float)view->radius};
    memcpy(block.planet, planet, sizeof planet);
    block.picture[3] = eye->orthographic ? 0 : (float)haze;
    shadow_use(&view->shadow, eye, &block);
    frame_use(&view->frame, &block);
    land_use(&view->land, eye);
    scenery_use(&view->scenery);
    lamps_use(&view->lamps, eye);
    lamp_shadow_use(&view->lamp_shadow);
    contact_use(&view->contact);
    if (view->has_sea) sea_use(&view->sea, eye, view->picture.height, view->level, view->time);
}

/* Where the processor draws, first the water that does not foam: what only foam needs is worked out where there is some. */
static void draw_sea(View *view, const Eye *eye) {
    bool below = eye->at.y < view->level, apart = view->low && !below;
    if (apart) sea_draw(&view->sea, &view->state, view->programs.names[PROGRAM_SEA_CALM], false);
    sea_draw(&view->sea, &view->state, view->programs.names[below ? PROGRAM_SEA_BELOW : PROGRAM_SEA], apart);
}

static void draw_scene(View *view, const Eye *eye) {
    const Materials *materials = &view->materials;
    const Material *ground = &materials->items[materials->ground];
    Pipe land = {.program = ground->land, .depth = PIPE_DEPTH_WRITE, .cull = true};
    Pipe things = land;
    LandView seen = land_view(view, eye);
    cover_place(&view->cover, &view->state,
                &(CoverView){.eye = eye, .land = &view->land, .ground = ground, .timed = view->materials.timed, .most = most_of_cover(view, &seen)});
    cover_draw(&view->cover, &view->state); /* it and things first: what they hide of the ground is not worked out */
    timer_mark(&view->timer, "cover");
    seen.most = (uint64_t)(land_share * most_of_others(view));
    land_count(&view->land, &seen); /* things have what it leaves */
    ThingsView stood = {.eye = eye,
                        .height = view->picture.height,
                        .solid = &things,
                        .materials = materials,
                        .show_levels = view->looks & VIEW_LEVELS,
                        .most = most_of_things(view)};
    things_draw(&view->things, &view->state, &stood);
    timer_mark(&view->timer, "things");
    material_use(ground);
    land_draw(&view->land, &view->state, &seen, &land);
    timer_mark(&view->timer, "land");
    if (view->magenta) return;
    if (view->has_sea) draw_sea(view, eye);
    if (view->has_floor || view->has_field) {
        if (view->has_field) material_use(ground);
        if (view->has_field && view->bank > 0) scenery_draw_bank(&view->scenery, &view->state, ground->field, view->land.columns, view->land.rows, view->bank);
        scenery_draw_plane(&view->scenery, &view->state, view->has_field ? ground->field : view->programs.names[PROGRAM_FLOOR]);
    }
    timer_mark(&view->timer, "water");
    state_wire(&view->state, false);
    scenery_draw_sky(&view->scenery, &view->state, &view->programs);
    timer_mark(&view->timer, "sky");
}

/* Into the picture, which is begun and not yet resolved. */
static void draw_picture(View *view, const Eye *eye) {
    static const float black[4] = {0, 0, 0, 1}, magenta[4] = {1, 0, 1, 1};
    timer_begin(&view->timer);
    land_move(&view->land, eye);
    if (has_shadows(view)) update_shadows(view, eye);
    lamps_choose(&view->lamps, eye, is_day(view));
    lamp_shadow_update(&view->lamp_shadow, &view->lamps, &(LampScene){&view->state, &view->programs, &view->frame, &view->things});
    timer_mark(&view->timer, "shadows");
    use_frame(view, eye);
    picture_begin(&view->picture, &view->state, view->magenta ? magenta : black);
    state_wire(&view->state, view->looks & VIEW_WIRE);
    draw_scene(view, eye);
    state_wire(&view->state, false);
}

static void resolve(View *view) {
    picture_resolve(&view->picture, &view->state, view->programs.names[PROGRAM_EDGES], view->scenery.nothing);
}

/* The whole from above, once a scene. */
static void draw_minimap(View *view) {
    Minimap *map = &view->minimap;
    char error[128];
    if (!map->shown || map->drawn) return;
    if (map->picture.width == 0 && !picture_init(&map->picture, &(PictureDesc){MINIMAP_TEXELS, MINIMAP_TEXELS, view->low}, error, sizeof error)) {
        map->shown = false;
        return;
    }
    Vec low, high, things_low, things_high;
    land_bounds(&view->land, floor_height(view), &low, &high);
    things_bounds(&view->things, &things_low, &things_high);
    if (low.x > high.x) low = things_low, high = things_high;
    if (low.x > high.x) low = (Vec){-1, -1, -1}, high = (Vec){1, 1, 1};
    minimap_aim(map, low, high);
    Picture kept = view->picture;
    unsigned looks = view->looks;
    view->picture = map->picture;
    view->looks = 0;
    Eye eye = eye_of(&map->camera, MINIMAP_TEXELS, MINIMAP_TEXELS);
    draw_picture(view, &eye);
    resolve(view);
    view->picture = kept;
    view->looks = looks;
    map->drawn = true;
}

void view_draw(View *view, const ViewCamera *camera) {
    device_use(&view->device);
    char error[128];
    if (view->programs.names[0] == 0 && !view_set_scene(view, &(WorldScene){0}, error, sizeof error)) return;
    ViewCamera stood = upright(view, camera);
    draw_minimap(view);
    Eye eye = eye_of(&stood, view->picture.width, view->picture.height);
    draw_picture(view, &eye);
    resolve(view);
    timer_mark(&view->timer, "edges");
    timer_end(&view->timer);
    view_add_overlay(view);
    overlay_draw(&view->overlay, &view->state, &view->programs, view->picture.width,
                 view->picture.height);
    if (view->minimap.shown)
        minimap_draw(&view->minimap, &view->state, &view->programs, &eye, view->picture.width, view->picture.height);
}

void view_read_color(View *view, uint8_t *rgba) {
    device_use(&view->device);
    picture_read(&view->picture, rgba);
}

/* -- heights -- */

/* The camera's picture from just above the land, so that what the card keeps is a small number. */
static Eye height_eye(const View *view, const ViewCamera *camera) {
    Eye eye = eye_of(camera, view->picture.width, view->picture.height);
    Vec low, high;
    land_bounds(&view->land, -INFINITY, &low, &high);
    if (view->land.clip.levels) low.y = (double)view->land.clip.low, high.y = (double)view->land.clip.high;
    Vec at = {eye.at.x, high.y + 1, eye.at.z};
    return eye_orthographic(at, eye.forward, eye.up, eye.half_width, eye.half_height,
                            high.y - low.y + 2);
}

static void draw_heights(View *view, const Eye *eye, const HeightPicture *picture) {
    FrameBlock block = frame_block(eye, picture->width, picture->height);
    frame_use(&view->frame, &block);
    land_use(&view->land, eye);
    height_picture_begin(picture, &view->state);
    land_draw_heights(&view->land, &view->state, eye, view->programs.names[PROGRAM_LAND_HEIGHT],
                      picture->width, picture->height);
}

void view_read_land_height(View *view, const ViewCamera *camera, double *heights) {
    device_use(&view->device);
    size_t width = (size_t)view->picture.width, rows = (size_t)view->picture.height;
    for (size_t i = 0; i < width * rows; i++)
        heights[i] = NAN;
    float *read = calloc(width * rows, sizeof *read);
    HeightPicture picture;
    char error[128];
    Eye over = eye_of(camera, view->picture.width, view->picture.height);
    land_move(&view->land, &over);
    if (read && land_is(&view->land) &&
        height_picture_init(&picture, (int)width, (int)rows, error, sizeof error)) {
        Eye eye = height_eye(view, camera);
        draw_heights(view, &eye, &picture);
        height_picture_read(&picture, read);
        for (size_t j = 0; j < rows; j++)
            for (size_t i = 0; i < width; i++)
                heights[j * width + i] = read[(rows - 1 - j) * width + i] + eye.at.y;
        state_rest(&view->state);
        height_picture_fini(&picture);
    }
    free(read);
}
