#include "gpu/contact.h"

#include "gpu/buffer.h"

#include <math.h>
#include <stdlib.h>

enum { CONTACT_UNIT = 12, CONTACT_UNIFORMS = 6 }; /* as shaders/ground.glsl has them */
enum { MOST_SIDE = 2048 };                        /* texels */

static const double finest = 0.25;      /* meters a texel */
static const double foot_height = 0.3;  /* of what touches the ground, meters over its lowest */
static const double near_ground = 0.5;  /* meters: what begins higher over the ground, or deeper in it by its size, does not touch it */
static const double reach = 1.1;        /* meters from a foot */
static const double widest = 12;        /* meters: what is wider is no foot but a floor */

/* The rectangle of a mesh's foot, in its own frame. */
typedef struct Foot {
    double x0, x1, z0, z1, low;
} Foot;

static Foot foot_of(const WorldMesh *mesh) {
    Foot foot = {INFINITY, -INFINITY, INFINITY, -INFINITY, INFINITY};
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        foot.low = fmin(foot.low, (double)mesh->positions[3 * (size_t)v + 1]);
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
    Vec middle, right, ahead; /* of length 1, on the plan */
    double half_x, half_z;
} Print;

static bool touches(const WorldGridView *grid, double x, double z, double y, double tall) {
    int i = (int)floor((x - grid->x0) / grid->cell + 0.5), j = (int)floor((z - grid->z0) / grid->cell + 0.5);
    if (i < 0 || j < 0 || i >= grid->columns || j >= grid->rows) return false;
    double over = y - (double)grid->heights[(size_t)j * (size_t)grid->columns + (size_t)i];
    return over < near_ground && over > -near_ground - tall;
}

static bool print_of(const WorldScene *scene, const Land *land, const Foot *foot, const float *rows, Print *print) {
    Transform to_world = transform_of(rows);
    Vec middle = transform_point(&to_world, (Vec){(foot->x0 + foot->x1) / 2, foot->low, (foot->z0 + foot->z1) / 2});
    Vec right = transform_vector(&land->inverse, transform_vector(&to_world, (Vec){1, 0, 0}));
    Vec ahead = transform_vector(&land->inverse, transform_vector(&to_world, (Vec){0, 0, 1}));
    double across = hypot(right.x, right.z), along = hypot(ahead.x, ahead.z);
    print->middle = transform_point(&land->inverse, middle);
    print->half_x = (foot->x1 - foot->x0) / 2 * across;
    print->half_z = (foot->z1 - foot->z0) / 2 * along;
    if (!(across > 0 && along > 0) || !(fmax(print->half_x, print->half_z) < widest / 2)) return false;
    print->right = (Vec){right.x / across, 0, right.z / across};
    print->ahead = (Vec){ahead.x / along, 0, ahead.z / along};
    return touches(&scene->land, print->middle.x, print->middle.z, print->middle.y, fmax(print->half_x, print->half_z));
}

/* Calls `take` with each foot on the ground. */
typedef void (*PrintFn)(void *user, const Print *print);

static void each_print(const WorldScene *scene, const Land *land, PrintFn take, void *user) {
    for (size_t g = 0; g < scene->instance_count; g++) {
        const WorldInstances *group = &scene->instances[g];
        const WorldMesh *mesh = &scene->meshes[group->mesh];
        if (mesh->water || mesh->vertex_count == 0) continue;
        Foot foot = foot_of(mesh);
        for (uint32_t i = 0; i < group->count; i++) {
            Print print;
            if (print_of(scene, land, &foot, group->transforms + 12 * (size_t)i, &print)) take(user, &print);
        }
    }
}

typedef struct Raster {
    double x0, z0, x1, z1, texel;
    int columns, rows;
    uint8_t *texels;
} Raster;

static void grow(void *user, const Print *print) {
    Raster *raster = user;
    double r = reach + hypot(print->half_x, print->half_z);
    raster->x0 = fmin(raster->x0, print->middle.x - r), raster->x1 = fmax(raster->x1, print->middle.x + r);
    raster->z0 = fmin(raster->z0, print->middle.z - r), raster->z1 = fmax(raster->z1, print->middle.z + r);
}

static double away_from(const Print *print, double x, double z) {
    Vec d = {x - print->middle.x, 0, z - print->middle.z};
    double u = fmax(0, fabs(vec_dot(d, print->right)) - print->half_x), v = fmax(0, fabs(vec_dot(d, print->ahead)) - print->half_z);
    return hypot(u, v);
}

static void stamp(void *user, const Print *print) {
    Raster *raster = user;
    double r = reach + hypot(print->half_x, print->half_z);
    int i0 = (int)((print->middle.x - r - raster->x0) / raster->texel), i1 = (int)((print->middle.x + r - raster->x0) / raster->texel);
    int j0 = (int)((print->middle.z - r - raster->z0) / raster->texel), j1 = (int)((print->middle.z + r - raster->z0) / raster->texel);
    for (int j = j0 < 0 ? 0 : j0; j <= j1 && j < raster->rows; j++)
        for (int i = i0 < 0 ? 0 : i0; i <= i1 && i < raster->columns; i++) {
            double away = away_from(print, raster->x0 + (i + 0.5) * raster->texel, raster->z0 + (j + 0.5) * raster->texel);
            double left = fmax(0, 1 - away / reach);
            uint8_t *texel = &raster->texels[(size_t)j * (size_t)raster->columns + (size_t)i], dark = (uint8_t)(255 * left * left);
            if (dark > *texel) *texel = dark;
        }
}

static void upload(Contact *contact, const Raster *raster) {
    glCreateTextures(GL_TEXTURE_2D, 1, &contact->map);
    glTextureStorage2D(contact->map, 1, GL_R8, raster->columns, raster->rows);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(contact->map, 0, 0, 0, raster->columns, raster->rows, GL_RED, GL_UNSIGNED_BYTE, raster->texels);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTextureParameteri(contact->map, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(contact->map, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(contact->map, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    const double over[4] = {raster->x0, raster->z0, 1 / (raster->texel * raster->columns), 1 / (raster->texel * raster->rows)};
    for (int k = 0; k < 4; k++)
        contact->over[k] = (float)over[k];
}

void contact_init(Contact *contact) {
    *contact = (Contact){.uniforms = buffer_create_dynamic(sizeof contact->over)};
}

static void drop(Contact *contact) {
    glDeleteTextures(1, &contact->map);
    contact->map = 0;
    for (int k = 0; k < 4; k++)
        contact->over[k] = 0;
}

void contact_fini(Contact *contact) {
    drop(contact);
    glDeleteBuffers(1, &contact->uniforms);
    *contact = (Contact){0};
}

bool contact_set(Contact *contact, const WorldScene *scene, const Land *land) {
    Raster raster = {.x0 = INFINITY, .z0 = INFINITY, .x1 = -INFINITY, .z1 = -INFINITY};
    drop(contact);
    if (land->columns == 0) return true;
    each_print(scene, land, grow, &raster);
    double side = fmax(raster.x1 - raster.x0, raster.z1 - raster.z0);
    if (!(side > 0)) return true;
    raster.texel = fmax(finest, side / MOST_SIDE);
    raster.columns = (int)((raster.x1 - raster.x0) / raster.texel) + 1;
    raster.rows = (int)((raster.z1 - raster.z0) / raster.texel) + 1;
    raster.texels = calloc((size_t)raster.columns * (size_t)raster.rows, 1);
    if (raster.texels == NULL) return false;
    each_print(scene, land, stamp, &raster);
    upload(contact, &raster);
    free(raster.texels);
    return true;
}

void contact_use(const Contact *contact) {
    glNamedBufferSubData(contact->uniforms, 0, sizeof contact->over, contact->over);
    state_uniforms(CONTACT_UNIFORMS, contact->uniforms);
    state_texture(CONTACT_UNIT, contact->map);
}
