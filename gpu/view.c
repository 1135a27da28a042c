#include "gpu/view_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double haze = 1.0 / 13000; /* per meter */
static const double bank_width = 3;     /* of how much higher than the field a land ends */

/* What a frame may hold, of land and things. */
static const uint64_t most_triangles = 1200000, most_if_low = 400000;
static const double land_share = 0.67, things_share = 0.33; /* at most, and at least */
static const double cover_share = 0.25, most_cover_share = 0.45; /* the second where land and things need less; they have what it leaves */

static const double cell_pixels = 2.5, cell_pixels_if_low = 4; /* of the land's cells where a ring ends, at least */

/* What a weak device leaves of the cover's reach and density. */
static const CoverShare whole_cover = {1, 1}, weak_cover = {0.62, 0.4};

static const float breeze[4] = {0.8f, 0.6f, 0.5f}; /* toward x and z, how hard: as frame.glsl has it */

/* Late afternoon, from the west-southwest: where there is no sky.day. */
static void set_afternoon(View *view) {
    static const float sun[3] = {3.1f, 3.1f * 0.88f, 3.1f * 0.70f}, above[3] = {0.95f * 0.50f, 0.95f * 0.66f, 0.95f * 0.95f},
                       below[3] = {0.42f, 0.38f, 0.32f};
    view->sun = vec_unit((Vec){-0.62, 0.60, 0.42});
    memcpy(view->sun_color, sun, sizeof sun);
    memcpy(view->sky_color, above, sizeof above);
    memcpy(view->ground_color, below, sizeof below);
    memcpy(view->air, (float[]){0, 1, 0.5f, 0}, sizeof view->air);
}

/* In space there is no hour: the afternoon's light, from where the sun is. */
static void set_planet(View *view, const WorldSky *day) {
    view->sun = vec_unit((Vec){day->sun[0], day->sun[1], day->sun[2]});
    view->middle = (Vec){day->middle[0], day->middle[1], day->middle[2]};
    view->radius = day->planet;
    view->air[3] = day->stars;
}

static bool set_day(View *view, const WorldSky *day) {
    SkyLight *light = calloc(1, sizeof *light);
    if (light == NULL) return false;
    view->sun = vec_unit((Vec){day->sun[0], day->sun[1], day->sun[2]});
    sky_of(view->sun, day->haze, light);
    double veiled = fmax(0, day->clouds - 0.5) * 2, left = 1 - 0.85 * veiled * veiled; /* of the sun under a covered sky */
    for (int k = 0; k < 3; k++)
        view->sun_color[k] = (float)left * light->sun[k];
    memcpy(view->sky_color, light->above, sizeof light->above);
    memcpy(view->ground_color, light->below, sizeof light->below);
    memcpy(view->air, (float[]){1, (float)(1 - 0.45 * veiled) * light->exposure, (float)(0.2 + 0.85 * day->clouds), day->stars}, sizeof view->air);
    scenery_set_sky(&view->scenery, SKY_COLUMNS, SKY_ROWS, &light->sky[0][0][0]);
    free(light);
    return true;
}

/* -- life -- */

static bool open_device(View *view, const ViewDesc *desc, int width, int height, char *error,
                        size_t size) {
    return desc->window ? device_open_window(&view->device, width, height, desc->title,
                                             desc->validate, error, size)
                        : device_open_offscreen(&view->device, desc->validate, error, size);
}

static bool out_of_memory(char *error, size_t size) {
    snprintf(error, size, "out of memory");
    return false;
}

static bool start(View *view, int width, int height, char *error, size_t size) {
    state_init(&view->state);
    frame_init(&view->frame);
    land_init(&view->land);
    things_init(&view->things);
    cover_init(&view->cover);
    scenery_init(&view->scenery);
    lamps_init(&view->lamps);
    lamp_shadow_init(&view->lamp_shadow, view->low);
    contact_init(&view->contact);
    overlay_init(&view->overlay);
    minimap_init(&view->minimap);
    timer_init(&view->timer);
    if (!sea_init(&view->sea, view->low)) return out_of_memory(error, size);
    return shadow_init(&view->shadow, view->low, error, size) &&
           picture_init(&view->picture, width, height, error, size);
}

View *view_create(const ViewDesc *desc, char *error, size_t size) {
    int width = desc->width ? desc->width : 1280, height = desc->height ? desc->height : 720;
    View *view = calloc(1, sizeof *view);
    if (!view) {
        snprintf(error, size, "out of memory");
        return NULL;
    }
    if (!open_device(view, desc, width, height, error, size)) {
        free(view);
        return NULL;
    }
    view->magenta = desc->magenta;
    view->chosen = desc->quality != VIEW_BY_DEVICE;
    view->low = view->chosen ? desc->quality == VIEW_LOW : view->device.software;
    view->has_compute = cover_can() && !desc->no_compute;
    view->time = desc->time;
    set_afternoon(view);
    if (start(view, width, height, error, size)) return view;
    view_destroy(view);
    return NULL;
}

void view_destroy(View *view) {
    if (!view) return;
    state_rest(&view->state);
    picture_fini(&view->picture);
    shadow_fini(&view->shadow);
    overlay_fini(&view->overlay);
    minimap_fini(&view->minimap);
    timer_fini(&view->timer);
    sea_fini(&view->sea);
    lamps_fini(&view->lamps);
    lamp_shadow_fini(&view->lamp_shadow);
    contact_fini(&view->contact);
    scenery_fini(&view->scenery);
    cover_fini(&view->cover);
    things_fini(&view->things);
    land_fini(&view->land);
    materials_fini(&view->materials);
    frame_fini(&view->frame);
    programs_fini(&view->programs);
    device_close(&view->device);
    free(view);
}

bool view_resize(View *view, int width, int height, char *error, size_t size) {
    if (view->picture.width == width && view->picture.height == height) return true;
    state_rest(&view->state);
    picture_fini(&view->picture);
    return picture_init(&view->picture, width, height, error, size);
}

static bool fits(const WorldGridView *land, char *error, size_t size) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (land->columns <= most && land->rows <= most) return true;
    snprintf(error, size, "the land has %d by %d samples; this driver draws up to %d a side",
             land->columns, land->rows, most);
    return false;
}

static void mesh_box(const WorldMesh *mesh, float low[3], float high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = high[axis] = mesh->positions[axis];
        for (uint32_t v = 1; v < mesh->vertex_count; v++) {
            low[axis] = fminf(low[axis], mesh->positions[3 * (size_t)v + (size_t)axis]);
            high[axis] = fmaxf(high[axis], mesh->positions[3 * (size_t)v + (size_t)axis]);
        }
    }
}

/* How low the things reach, by their meshes' boxes; INFINITY when there are none. */
static double lowest(const WorldScene *scene) {
    double least = INFINITY;
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        float low[3], high[3];
        mesh_box(&scene->meshes[group->mesh], low, high);
        for (uint32_t i = 0; i < group->count; i++) {
            const float *row = group->transforms + 12 * (size_t)i + 4;
            double y = (double)row[3];
            for (int axis = 0; axis < 3; axis++)
                y += (double)fminf(row[axis] * low[axis], row[axis] * high[axis]);
            least = fmin(least, y);
        }
    }
    return least;
}

/* The field lies as low as the land's border does anywhere, and the border comes down to it as a hill may. */
static void set_field(View *view, const WorldScene *scene) {
    const WorldGridView *land = &scene->land;
    float least = INFINITY, most = -INFINITY;
    for (int j = 0; j < land->rows; j++) {
        bool whole = j == 0 || j == land->rows - 1;
        for (int i = 0; i < land->columns; i += whole || land->columns < 2 ? 1 : land->columns - 1) {
            float height = land->heights[(size_t)j * (size_t)land->columns + (size_t)i];
            least = fminf(least, height), most = fmaxf(most, height);
        }
    }
    Transform transform = transform_of(scene->land_transform);
    view->plane = transform_point(&transform, (Vec){0, (double)least - 0.05, 0}).y; /* under it, so that both are not in one place */
    view->bank = bank_width * (double)(most - least);
}

/* A floor lies a little under what stands on it, so that both are not in one place. */
static void set_level(View *view, const WorldScene *scene) {
    view->has_floor = scene->land.columns == 0 && scene->land_source.heights == NULL && !(scene->sky.planet > 0);
    double low = view->has_floor ? lowest(scene) : 0;
    view->level = !view->has_floor ? scene->sea_level : isfinite(low) ? low - 0.005 : 0;
    WorldEdgeKind edge = scene->land_edge.kind;
    view->has_field = scene->land.columns > 0 && (edge == WORLD_EDGE_OPEN || edge == WORLD_EDGE_WALL) && !(scene->sky.planet > 0);
    view->plane = view->level;
    if (view->has_field) set_field(view, scene);
}

static bool set_sky(View *view, const WorldSky *sky) {
    set_afternoon(view);
    view->radius = 0;
    view->shown_sky = *sky;
    if (sky->planet > 0)
        set_planet(view, sky);
    else
        return !sky->path || set_day(view, sky);
    return true;
}

/* What the sky says, but for where it says it. */
static bool same_sky(const WorldSky *a, const WorldSky *b) {
    return memcmp(a->sun, b->sun, sizeof a->sun) == 0 && a->haze == b->haze && a->clouds == b->clouds && a->stars == b->stars && a->planet == b->planet &&
           memcmp(a->middle, b->middle, sizeof a->middle) == 0 && !a->path == !b->path;
}

/* The scene that is shown, after its world ran on. */
static bool move_scene(View *view, const WorldScene *scene) {
    Recover recover;
    state_rest(&view->state);
    shadow_forget(&view->shadow);
    lamp_shadow_forget(&view->lamp_shadow);
    if (!same_sky(&view->shown_sky, &scene->sky) && !set_sky(view, &scene->sky)) return false;
    if (!MEMORY_TRY(&recover)) return false;
    things_move(&view->things, scene);
    memory_end_try(&recover);
    return lamps_set(&view->lamps, scene) && contact_move(&view->contact, scene, &view->land);
}

/* Whether a scene is the one that is shown, moved: its programs are the same, too. */
static bool is_moved(const View *view, const WorldScene *scene) {
    return scene->shape && scene->shape == view->shape && !scene->sky.path == !view->shown_sky.path &&
           (scene->sky.planet > 0) == (view->shown_sky.planet > 0);
}

bool view_set_scene(View *view, const WorldScene *scene, char *error, size_t size) {
    Recover recover;
    if (!fits(&scene->land, error, size)) return false;
    if (is_moved(view, scene)) return move_scene(view, scene) || out_of_memory(error, size);
    view->shape = 0;
    state_rest(&view->state);
    shadow_forget(&view->shadow);
    lamp_shadow_forget(&view->lamp_shadow);
    view->minimap.drawn = false;
    view->has_sea = scene->has_sea;
    set_level(view, scene);
    walk_set_scene(&view->walk, scene);
    if (!set_sky(view, &scene->sky)) return out_of_memory(error, size);
    ProgramScene told = {.planet = scene->sky.planet > 0, .day = view->air[0] > 0, .soft_shadows = !view->low};
    if (!programs_set(&view->programs, told, error, size)) return false;
    if (!materials_set(&view->materials, &view->programs, scene, error, size)) return false;
    if (MEMORY_TRY(&recover)) {
        land_set(&view->land, scene);
        things_set(&view->things, scene);
        CoverShare share = view->low ? weak_cover : whole_cover;
        bool good = cover_set(&view->cover, &view->programs, scene, share, view->has_compute, error, size);
        memory_end_try(&recover);
        if (!good) return false;
        view->shape = scene->shape;
        if (sea_set(&view->sea, scene) && lamps_set(&view->lamps, scene) && contact_set(&view->contact, scene, &view->land)) return true;
        view->shape = 0;
    }
    return out_of_memory(error, size);
}

uint64_t view_triangles(const View *view) {
    return view->land.triangles + view->things.triangles + view->cover.triangles;
}

void view_cover_note(const View *view, char *text, size_t size) {
    cover_note(&view->cover, text, size);
}

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

bool view_moves(const View *view) {
    return view->materials.timed || ((view->things.sways || view->cover.windy || view->has_sea) && !view->low);
}

bool view_land_failed(View *view) {
    bool failed = view->land.clip.failed;
    view->land.clip.failed = false;
    return failed;
}

int view_messages(const View *view) {
    return view->device.messages;
}

/* -- a frame -- */

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
    memcpy(block.wind, breeze, sizeof block.wind);
    block.wind[3] = view->looks & VIEW_LEVELS ? 1 : 0;
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
    if (view->has_sea) sea_draw(&view->sea, &view->state, view->programs.names[PROGRAM_SEA]);
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

/* The whole from above, once a scene. */
static void draw_minimap(View *view) {
    Minimap *map = &view->minimap;
    char error[128];
    if (!map->shown || map->drawn) return;
    if (map->picture.width == 0 && !picture_init(&map->picture, MINIMAP_TEXELS, MINIMAP_TEXELS, error, sizeof error)) {
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
    picture_resolve(&view->picture);
    view->picture = kept;
    view->looks = looks;
    map->drawn = true;
}

void view_draw(View *view, const ViewCamera *camera) {
    char error[128];
    if (view->programs.names[0] == 0 && !view_set_scene(view, &(WorldScene){0}, error, sizeof error)) return;
    ViewCamera stood = upright(view, camera);
    draw_minimap(view);
    Eye eye = eye_of(&stood, view->picture.width, view->picture.height);
    draw_picture(view, &eye);
    timer_end(&view->timer);
    view_add_overlay(view);
    overlay_draw(&view->overlay, &view->state, &view->programs, view->picture.width,
                 view->picture.height);
    if (view->minimap.shown)
        minimap_draw(&view->minimap, &view->state, &view->programs, &eye, view->picture.width, view->picture.height);
    picture_resolve(&view->picture);
}

void view_read_color(View *view, uint8_t *rgba) {
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
