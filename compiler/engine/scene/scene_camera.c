/* What the library's camera.view, camera.path, sky.day, weather.wind, oceanwaves.ocean and light.lamp are made into. */
#include "compiler/engine/scene/scene.h"
#include "runtime/ocean/ocean.h"
#include "stdlib/library_names.h"

#include <math.h>

/* A field of the design, by its name. */
static const Slot *read_field(Gather *g, const PartVisit *visit, Str name) {
    int field = parts_field(visit->cls, &g->world->compile->symbols, name);
    return rt_cell_get(g->rt, visit->part, field);
}

static void place(const Frame *frame, const Slot *at, double out[3]) {
    Vec3 p = frame_to_outer(frame, (Vec3){at[0].f, at[1].f, at[2].f});
    out[0] = p.x, out[1] = p.y, out[2] = p.z;
}

/* It looks somewhere else than where it is, and both are places. */
static bool keep_camera(Gather *g, const PartVisit *visit, WorldCamera *camera) {
    camera->path = scene_path(g, visit->part, STR_LIT(""));
    size_t moments = camera->eyes ? camera->moments : 1;
    for (size_t i = 0; i < moments; i++) {
        const double *from = camera->eyes ? camera->eyes + 3 * i : camera->from, *to = camera->looks ? camera->looks + 3 * i : camera->to;
        double away = fabs(from[0] - to[0]) + fabs(from[1] - to[1]) + fabs(from[2] - to[2]);
        if (isfinite(away) && away > 0) continue;
        rt_fault_at(g->rt, RT_FAULT_ARGUMENT, visit->part->cls->span, 0,
                    str_printf(g->store->arena, isfinite(away) ? "'%s' looks at the place where it is" : "'%s' is nowhere: a place of it is no number", camera->path));
        return false;
    }
    VEC_PUSH(g->store->arena, &g->store->cameras, *camera);
    return true;
}

static bool find_view(Gather *g, const PartVisit *visit) {
    WorldCamera camera = {0};
    const Slot *from = read_field(g, visit, STR_LIT(STD_camera_view_from));
    const Slot *look = read_field(g, visit, STR_LIT(STD_camera_view_look));
    const Slot *fov = read_field(g, visit, STR_LIT(STD_camera_view_fov));
    if (rt_failed(g->rt)) return false;
    place(&visit->frame, from, camera.from);
    place(&visit->frame, look, camera.to);
    camera.fov = fov->f;
    return keep_camera(g, visit, &camera);
}

static const double *places(Gather *g, const PartVisit *visit, Str name, size_t *count) {
    const Slot *slot = read_field(g, visit, name);
    if (rt_failed(g->rt)) return NULL;
    const RtList *list = slot->r;
    *count = (size_t)rt_list_length(list);
    double *out = arena_alloc(g->store->arena, 3 * sizeof *out * (*count + 1));
    for (size_t i = 0; i < *count; i++)
        place(&visit->frame, rt_list_item(list, (int64_t)i), out + 3 * i);
    return out;
}

static bool find_path(Gather *g, const PartVisit *visit) {
    WorldCamera camera = {0};
    size_t looks = 0;
    camera.eyes = places(g, visit, STR_LIT(STD_camera_path_eyes), &camera.moments);
    camera.looks = camera.eyes ? places(g, visit, STR_LIT(STD_camera_path_looks), &looks) : NULL;
    const Slot *fov = read_field(g, visit, STR_LIT(STD_camera_path_fov)), *lasts = read_field(g, visit, STR_LIT(STD_camera_path_lasts));
    if (rt_failed(g->rt)) return false;
    if (looks != camera.moments || looks < 2) {
        rt_fault_at(g->rt, RT_FAULT_ARGUMENT, visit->part->cls->span, 0, STR_LIT("a path has as many eyes as looks, two at least"));
        return false;
    }
    memcpy(camera.from, camera.eyes, sizeof camera.from);
    memcpy(camera.to, camera.looks, sizeof camera.to);
    camera.fov = fov->f;
    camera.lasts = lasts->f;
    return keep_camera(g, visit, &camera);
}

bool scene_find_camera(Gather *g, const PartVisit *visit) {
    if (parts_is_made_of(g->world, visit->cls, STR_LIT(STD_camera_view))) return find_view(g, visit);
    return parts_is_made_of(g->world, visit->cls, STR_LIT(STD_camera_path)) ? find_path(g, visit) : true;
}

bool scene_find_sky(Gather *g, const PartVisit *visit) {
    WorldSky *sky = &g->store->scene.sky;
    if (sky->path || !parts_is_made_of(g->world, visit->cls, STR_LIT(STD_sky_day))) return true;
    const Slot *sun = read_field(g, visit, STR_LIT(STD_sky_day_sun));
    Vec3 toward = frame_direction_to_outer(&visit->frame, (Vec3){sun[0].f, sun[1].f, sun[2].f});
    sky->sun[0] = toward.x, sky->sun[1] = toward.y, sky->sun[2] = toward.z;
    sky->haze = read_field(g, visit, STR_LIT(STD_sky_day_haze))->f;
    sky->clouds = read_field(g, visit, STR_LIT(STD_sky_day_clouds))->f;
    sky->stars = read_field(g, visit, STR_LIT(STD_sky_day_stars))->w != 0;
    sky->planet = read_field(g, visit, STR_LIT(STD_sky_day_planet))->f * visit->frame.scale;
    sky->middle[0] = visit->frame.at.x, sky->middle[1] = visit->frame.at.y, sky->middle[2] = visit->frame.at.z;
    sky->path = scene_path(g, visit->part, STR_LIT(""));
    return !rt_failed(g->rt);
}

bool scene_find_wind(Gather *g, const PartVisit *visit) {
    WorldWind *wind = &g->store->scene.wind;
    if (wind->path || !parts_is_made_of(g->world, visit->cls, STR_LIT(STD_weather_wind))) return true;
    const Slot *way = read_field(g, visit, STR_LIT(STD_weather_wind_direction));
    const Slot *speed = read_field(g, visit, STR_LIT(STD_weather_wind_speed)), *gusts = read_field(g, visit, STR_LIT(STD_weather_wind_gusts));
    if (rt_failed(g->rt)) return false;
    Vec3 toward = frame_direction_to_outer(&visit->frame, (Vec3){way[0].f, way[1].f, way[2].f});
    double size = sqrt(toward.x * toward.x + toward.z * toward.z);
    *wind = (WorldWind){.path = scene_path(g, visit->part, STR_LIT("")), .toward = {toward.x / size, toward.z / size}, .speed = speed->f, .gusts = gusts->f};
    if (!(size > 0) || !isfinite(size))
        rt_fault_at(g->rt, RT_FAULT_ARGUMENT, visit->part->cls->span, 0,
                    str_printf(g->store->arena, "the direction of '%s' says no way on the plan", wind->path));
    return !rt_failed(g->rt);
}

bool scene_find_ocean(Gather *g, const PartVisit *visit) {
    WorldOcean *ocean = &g->store->scene.ocean;
    if (ocean->path || !parts_is_made_of(g->world, visit->cls, STR_LIT(STD_oceanwaves_ocean))) return true;
    const StdOceanSpec *spec = (const void *)read_field(g, visit, STR_LIT(STD_oceanwaves_ocean_spec));
    if (rt_failed(g->rt)) return false;
    Vec3 toward = frame_direction_to_outer(&visit->frame, spec->sea.direction);
    *ocean = (WorldOcean){.path = scene_path(g, visit->part, STR_LIT("")),
                          .wind = spec->sea.wind,
                          .fetch = spec->sea.fetch,
                          .toward = {toward.x, toward.z},
                          .seed = (uint32_t)spec->seed,
                          .points = (int)spec->points};
    if (!ocean_is_sound(&(OceanSpec){.wind = ocean->wind, .fetch = ocean->fetch, .points = ocean->points}))
        rt_fault_at(g->rt, RT_FAULT_ARGUMENT, visit->part->cls->span, 0,
                    str_printf(g->store->arena, "the waves of '%s' are no sea's: forSea makes such", ocean->path));
    return !rt_failed(g->rt);
}

bool scene_find_lamp(Gather *g, const PartVisit *visit) {
    static const Slot origin[3];
    WorldLamp lamp = {0};
    if (!parts_is_made_of(g->world, visit->cls, STR_LIT(STD_light_lamp))) return true;
    const Slot *color = read_field(g, visit, STR_LIT(STD_light_lamp_color));
    const Slot *lumens = read_field(g, visit, STR_LIT(STD_light_lamp_lumens));
    const Slot *reach = read_field(g, visit, STR_LIT(STD_light_lamp_reach));
    if (rt_failed(g->rt)) return false;
    place(&visit->frame, origin, lamp.at);
    for (int k = 0; k < 3; k++)
        lamp.color[k] = color[k].f;
    lamp.lumens = lumens->f;
    lamp.reach = reach->f * visit->frame.scale;
    lamp.path = scene_path(g, visit->part, STR_LIT(""));
    VEC_PUSH(g->store->arena, &g->store->lamps, lamp);
    return true;
}
