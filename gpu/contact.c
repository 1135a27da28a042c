#include "gpu/contact.h"

#include "gpu/buffer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACT_UNIT = 12, CONTACT_UNIFORMS = 6 }; /* as shaders/ground.glsl has them */
enum { MOST_SIDE = 2048 };                        /* texels */

static const double finest = 0.25;      /* meters a texel */
static const double foot_height = 0.3;  /* of what touches the ground, meters over its lowest */
static const double near_ground = 0.5;  /* meters: what begins higher over the ground, or deeper in it by its size, does not touch it */
static const double reach = 1.1;        /* meters from a foot */
static const double widest = 12;        /* meters: what is wider is no foot but a floor */

static const double margin = 8;         /* meters: things that move may go so far before the map is made anew */

/* The rectangle of a mesh's foot, in its own frame. */
typedef struct Foot {
    double x0, x1, z0, z1, low; /* x0 > x1: none */
} Foot;

static Foot foot_of(const WorldMesh *mesh) {
    Foot foot = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
    if (mesh->water) return foot;
    float low = INFINITY;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float y = mesh->positions[3 * (size_t)v + 1];
        low = y < low ? y : low;
    }
    foot.low = (double)low;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->positions + 3 * (size_t)v;
        if ((double)p[1] > foot.low + foot_height) continue;
        foot.x0 = fmin(foot.x0, (double)p[0]), foot.x1 = fmax(foot.x1, (double)p[0]);
        foot.z0 = fmin(foot.z0, (double)p[2]), foot.z1 = fmax(foot.z1, (double)p[2]);
    }
    return foot;
}

/* A foot in the land's frame. */
typedef struct Print {
    double x, z; /* of its middle */
    float right[2], ahead[2]; /* of length 1, on the plan */
    float half_x, half_z;
} Print;

static bool touches(const WorldGridView *grid, double x, double z, double y, double tall) {
    int i = (int)floor((x - grid->x0) / grid->cell + 0.5), j = (int)floor((z - grid->z0) / grid->cell + 0.5);
    if (i < 0 || j < 0 || i >= grid->columns || j >= grid->rows) return false;
    double over = y - (double)grid->heights[(size_t)j * (size_t)grid->columns + (size_t)i];
    return over < near_ground && over > -near_ground - tall;
}

static bool print_of(const WorldScene *scene, const Land *land, const Foot *foot, const float *rows, Print *print) {
    Transform to_world = transform_of(rows);
    if (foot->x0 > foot->x1) return false;
    Vec middle = transform_point(&to_world, (Vec){(foot->x0 + foot->x1) / 2, foot->low, (foot->z0 + foot->z1) / 2});
    Vec right = transform_vector(&land->inverse, transform_vector(&to_world, (Vec){1, 0, 0}));
    Vec ahead = transform_vector(&land->inverse, transform_vector(&to_world, (Vec){0, 0, 1}));
    double across = hypot(right.x, right.z), along = hypot(ahead.x, ahead.z);
    Vec place = transform_point(&land->inverse, middle);
    double half_x = (foot->x1 - foot->x0) / 2 * across, half_z = (foot->z1 - foot->z0) / 2 * along;
    if (!(across > 0 && along > 0) || !(fmax(half_x, half_z) < widest / 2)) return false;
    *print = (Print){place.x, place.z, {(float)(right.x / across), (float)(right.z / across)}, {(float)(ahead.x / along), (float)(ahead.z / along)},
                     (float)half_x, (float)half_z};
    return touches(&scene->land, place.x, place.z, place.y, fmax(half_x, half_z));
}

/* -- what stands on the ground -- */

static double reach_of(const Print *print) {
    return reach + hypot((double)print->half_x, (double)print->half_z);
}

/* Of the meshes that are not known yet. */
static bool find_feet(Contact *contact, const WorldScene *scene) {
    Foot *feet = realloc(contact->feet, (scene->mesh_count + 1) * sizeof *feet);
    if (feet == NULL) return false;
    contact->feet = feet;
    for (; contact->foot_count < scene->mesh_count; contact->foot_count++)
        feet[contact->foot_count] = foot_of(&scene->meshes[contact->foot_count]);
    return true;
}

/* NULL: memory is out. */
static Print *list_prints(const Contact *contact, const WorldScene *scene, const Land *land, size_t *count) {
    size_t most = 1;
    for (size_t g = 0; g < scene->instance_count; g++)
        most += scene->instances[g].count;
    Print *prints = calloc(most, sizeof *prints);
    *count = 0;
    for (size_t g = 0; prints && g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        for (uint32_t i = 0; i < group->count; i++)
            *count += print_of(scene, land, &contact->feet[group->mesh], group->transforms + 12 * (size_t)i, &prints[*count]);
    }
    return prints;
}

/* -- the map -- */

typedef struct Box {
    double x0, z0, x1, z1;
} Box;

static const Box nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void grow(Box *box, const Print *print) {
    double r = reach_of(print);
    box->x0 = fmin(box->x0, print->x - r), box->x1 = fmax(box->x1, print->x + r);
    box->z0 = fmin(box->z0, print->z - r), box->z1 = fmax(box->z1, print->z + r);
}

/* Texels of a map, of which only those from column `left` and row `top` on are here. */
typedef struct Raster {
    const ContactMap *map;
    int left, top, columns, rows;
    uint8_t *texels;
} Raster;

static double away_from(const Print *print, double x, double z) {
    double dx = x - print->x, dz = z - print->z;
    double u = fmax(0, fabs(dx * (double)print->right[0] + dz * (double)print->right[1]) - (double)print->half_x);
    double v = fmax(0, fabs(dx * (double)print->ahead[0] + dz * (double)print->ahead[1]) - (double)print->half_z);
    return hypot(u, v);
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static void stamp(Raster *raster, const Print *print) {
    const ContactMap *map = raster->map;
    double r = reach_of(print);
    int i0 = larger((int)((print->x - r - map->x0) / map->texel), raster->left), i1 = (int)((print->x + r - map->x0) / map->texel);
    int j0 = larger((int)((print->z - r - map->z0) / map->texel), raster->top), j1 = (int)((print->z + r - map->z0) / map->texel);
    for (int j = j0; j <= smaller(j1, raster->top + raster->rows - 1); j++)
        for (int i = i0; i <= smaller(i1, raster->left + raster->columns - 1); i++) {
            double away = away_from(print, map->x0 + (i + 0.5) * map->texel, map->z0 + (j + 0.5) * map->texel);
            double left = fmax(0, 1 - away / reach);
            uint8_t *texel = &raster->texels[(size_t)(j - raster->top) * (size_t)raster->columns + (size_t)(i - raster->left)];
            uint8_t dark = (uint8_t)(255 * left * left);
            if (dark > *texel) *texel = dark;
        }
}

/* Of a map the part in a box, as its prints are by now. */
static bool paint(const Contact *contact, const Box *box) {
    const ContactMap *map = &contact->shown;
    int left = larger(0, (int)((box->x0 - map->x0) / map->texel)), top = larger(0, (int)((box->z0 - map->z0) / map->texel));
    Raster raster = {map, left, top, smaller(map->columns, (int)((box->x1 - map->x0) / map->texel) + 1) - left,
                     smaller(map->rows, (int)((box->z1 - map->z0) / map->texel) + 1) - top, NULL};
    raster.texels = calloc((size_t)raster.columns * (size_t)raster.rows, 1);
    if (raster.texels == NULL) return false;
    for (size_t i = 0; i < contact->print_count; i++)
        stamp(&raster, &contact->prints[i]);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(contact->map, 0, left, top, raster.columns, raster.rows, GL_RED, GL_UNSIGNED_BYTE, raster.texels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    free(raster.texels);
    return true;
}

static void drop_map(Contact *contact) {
    glDeleteTextures(1, &contact->map);
    contact->map = 0;
    contact->shown = (ContactMap){0};
    memset(contact->over, 0, sizeof contact->over);
}

/* A map over all prints, and so far about them. */
static bool make_map(Contact *contact, double about) {
    Box box = nowhere;
    drop_map(contact);
    for (size_t i = 0; i < contact->print_count; i++)
        grow(&box, &contact->prints[i]);
    if (!(box.x0 < box.x1)) return true;
    box = (Box){box.x0 - about, box.z0 - about, box.x1 + about, box.z1 + about};
    ContactMap *map = &contact->shown;
    *map = (ContactMap){.x0 = box.x0, .z0 = box.z0, .texel = fmax(finest, fmax(box.x1 - box.x0, box.z1 - box.z0) / MOST_SIDE)};
    map->columns = (int)((box.x1 - box.x0) / map->texel) + 1;
    map->rows = (int)((box.z1 - box.z0) / map->texel) + 1;
    glCreateTextures(GL_TEXTURE_2D, 1, &contact->map);
    glTextureStorage2D(contact->map, 1, GL_R8, map->columns, map->rows);
    glTextureParameteri(contact->map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(contact->map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(contact->map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const double over[4] = {map->x0, map->z0, 1 / (map->texel * map->columns), 1 / (map->texel * map->rows)};
    for (int k = 0; k < 4; k++)
        contact->over[k] = (float)over[k];
    return paint(contact, &box);
}

void contact_init(Contact *contact) {
    *contact = (Contact){.uniforms = buffer_create_dynamic(sizeof contact->over)};
}

static void drop(Contact *contact) {
    drop_map(contact);
    free(contact->feet);
    free(contact->prints);
    contact->feet = NULL;
    contact->prints = NULL;
    contact->foot_count = contact->print_count = 0;
}

void contact_fini(Contact *contact) {
    drop(contact);
    glDeleteBuffers(1, &contact->uniforms);
    *contact = (Contact){0};
}

/* The same feet on the same ground have the same map. */
bool contact_set(Contact *contact, const WorldScene *scene, const Land *land) {
    size_t count;
    if (land->columns == 0) return drop(contact), true;
    contact->foot_count = 0;
    if (!find_feet(contact, scene)) return false;
    Print *prints = list_prints(contact, scene, land, &count);
    bool same = prints && contact->prints && contact->land && contact->land == land->content && count == contact->print_count && memcmp(prints, contact->prints, count * sizeof *prints) == 0;
    free(contact->prints);
    contact->prints = prints;
    contact->print_count = prints ? count : 0;
    contact->land = land->content;
    return same || (prints && make_map(contact, 0));
}

/* Where prints are others than they were; empty: nowhere. */
static Box find_changes(const Print *before, size_t before_count, const Print *after, size_t after_count) {
    Box box = nowhere;
    for (size_t i = 0; i < before_count || i < after_count; i++) {
        if (i < before_count && i < after_count && memcmp(&before[i], &after[i], sizeof *before) == 0) continue;
        if (i < before_count) grow(&box, &before[i]);
        if (i < after_count) grow(&box, &after[i]);
    }
    return box;
}

static bool holds(const ContactMap *map, const Box *box) {
    return box->x0 >= map->x0 && box->z0 >= map->z0 && box->x1 <= map->x0 + map->columns * map->texel && box->z1 <= map->z0 + map->rows * map->texel;
}

bool contact_move(Contact *contact, const WorldScene *scene, const Land *land) {
    size_t count;
    if (land->columns == 0) return true;
    if (!find_feet(contact, scene)) return false;
    Print *prints = list_prints(contact, scene, land, &count);
    if (prints == NULL) return false;
    Box changed = find_changes(contact->prints, contact->print_count, prints, count);
    free(contact->prints);
    contact->prints = prints;
    contact->print_count = count;
    if (!(changed.x0 < changed.x1)) return true;
    return holds(&contact->shown, &changed) ? paint(contact, &changed) : make_map(contact, margin);
}

void contact_use(const Contact *contact) {
    glNamedBufferSubData(contact->uniforms, 0, sizeof contact->over, contact->over);
    state_uniforms(CONTACT_UNIFORMS, contact->uniforms);
    state_texture(CONTACT_UNIT, contact->map);
}
