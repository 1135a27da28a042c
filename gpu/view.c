#include "gpu/view_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double bank_width = 3;     /* of how much higher than the field a land ends */

/* What a weak device leaves of the cover's reach and density. */
static const CoverShare whole_cover = {1, 1}, weak_cover = {0.62, 0.4};

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
    scenery_init(&view->scenery, view->low);
    lamps_init(&view->lamps);
    lamp_shadow_init(&view->lamp_shadow, view->low);
    contact_init(&view->contact);
    overlay_init(&view->overlay);
    minimap_init(&view->minimap);
    timer_init(&view->timer);
    walk_init(&view->walk);
    if (!sea_init(&view->sea, view->low)) return out_of_memory(error, size);
    return shadow_init(&view->shadow, view->low, error, size) &&
           picture_init(&view->picture, &(PictureDesc){width, height, view->low}, error, size);
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
    device_use(&view->device);
    state_rest(&view->state);
    picture_fini(&view->picture);
    shadow_fini(&view->shadow);
    overlay_fini(&view->overlay);
    minimap_fini(&view->minimap);
    timer_fini(&view->timer);
    walk_fini(&view->walk);
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
    return picture_init(&view->picture, &(PictureDesc){width, height, view->low}, error, size);
}

static bool fits(const WorldGridView *land, char *error, size_t size) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (land->columns > most || land->rows > most) {
        snprintf(error, size, "the land has %d by %d samples; this driver draws up to %d a side",
                 land->columns, land->rows, most);
        return false;
    }
    glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (land->tail <= (size_t)most / sizeof(float)) return true;
    snprintf(error, size, "the land's refined squares hold %zu heights; this driver takes %zu: a lesser `within` or a greater `step` makes fewer", land->tail,
             (size_t)most / sizeof(float));
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
    device_use(&view->device);
    if (!fits(&scene->land, error, size)) return false;
    bool moved = is_moved(view, scene);
    view->wind = scene->wind;
    view->shape = 0; /* until it is shown */
    if (moved) {
        if (!move_scene(view, scene)) return out_of_memory(error, size);
        view->shape = scene->shape;
        return true;
    }
    state_rest(&view->state);
    shadow_forget(&view->shadow);
    lamp_shadow_forget(&view->lamp_shadow);
    view->minimap.drawn = false;
    view->has_sea = scene->has_sea;
    set_level(view, scene);
    walk_set_scene(&view->walk, scene);
    if (!set_sky(view, &scene->sky)) return out_of_memory(error, size);
    ProgramScene told = {.planet = scene->sky.planet > 0, .day = view->air[0] > 0, .low = view->low, .divided = scene->land.finer};
    if (!programs_set(&view->programs, told, error, size)) return false;
    if (!materials_set(&view->materials, &view->programs, scene, error, size)) return false;
    if (MEMORY_TRY(&recover)) {
        view->land_uploaded = land_set(&view->land, scene);
        things_set(&view->things, scene);
        CoverScene cover = {.scene = scene, .share = view->low ? weak_cover : whole_cover, .can_compute = view->has_compute, .programs = program_scene_number(&told),
                            .ground = view->land.content ^ view->materials.content};
        bool good = cover_set(&view->cover, &view->programs, &cover, error, size);
        memory_end_try(&recover);
        if (!good) return false;
        if (sea_set(&view->sea, scene, &view->land) && lamps_set(&view->lamps, scene) && contact_set(&view->contact, scene, &view->land)) {
            view->shape = scene->shape;
            return true;
        }
    }
    return out_of_memory(error, size);
}

size_t view_uploaded(const View *view) {
    return view->land_uploaded + view->things.uploaded + view->cover.uploaded;
}

uint64_t view_triangles(const View *view) {
    return view->land.triangles + view->things.triangles + view->cover.triangles;
}

void view_cover_note(const View *view, char *text, size_t size) {
    cover_note(&view->cover, text, size);
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
