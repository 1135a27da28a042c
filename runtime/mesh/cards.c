#include "runtime/mesh/cards.h"

#include "runtime/math/det_math.h"
#include "runtime/math/srgb.h"

#include <math.h>

enum { CARDS = 4, ACROSS = 2, FINE = 3 }; /* cards, cards a row of the picture, samples a texel each way */

static const double bulge = 0.8; /* how far normals at a card's corners lean out, as a crown's do */
static const double inner_light = 0.62; /* of what is farthest from the eye: its own crown keeps light from it */

/* -- where the cards stand -- */

typedef struct Card {
    Vec3 middle, right, up, facing;
    double half_wide, half_high, low, deep; /* low: along `facing` from the middle, where the mesh begins */
} Card;

static Vec3 middle_of(const RtMesh *mesh) {
    Vec3 sum = {0, 0, 0}, low, high;
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        sum = vec3_add(sum, mesh_position(mesh, v));
    mesh_bounds(mesh, &low, &high);
    return (Vec3){sum.x / mesh->vertex_count, (low.y + high.y) / 2, sum.z / mesh->vertex_count};
}

/* How high it is widest, by what lies farthest out: there the card lies that shows it from above, and what is under that is in its shadow. */
static double widest_height(const RtMesh *mesh, Vec3 middle) {
    const double outer = 0.75 * 0.75; /* of the farthest, squared */
    double farthest = 0, sum = 0;
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t v = 0; v < mesh->vertex_count; v++) {
            Vec3 at = mesh_position(mesh, v), out = {at.x - middle.x, 0, at.z - middle.z};
            double square = vec3_dot(out, out);
            if (pass == 0) {
                farthest = fmax(farthest, square);
            } else if (square >= outer * farthest) {
                sum += at.y;
                count++;
            }
        }
    return count ? sum / count : middle.y;
}

static void range_along(const RtMesh *mesh, Vec3 from, Vec3 way, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t v = 0; v < mesh->vertex_count; v++) {
        double at = vec3_dot(vec3_sub(mesh_position(mesh, v), from), way);
        *low = fmin(*low, at);
        *high = fmax(*high, at);
    }
}

/* Card k as large as the mesh is seen from its side. */
static Card stand(const RtMesh *mesh, Vec3 middle, int k) {
    Card card = {.right = {1, 0, 0}, .up = {0, 0, -1}};
    double low, high;
    if (k < CARDS - 1) {
        det_sincos(DET_TURN / 6 * k, &card.right.z, &card.right.x);
        card.up = (Vec3){0, 1, 0};
    } else {
        middle.y = widest_height(mesh, middle);
    }
    card.facing = vec3_cross(card.right, card.up);
    range_along(mesh, middle, card.right, &low, &high);
    middle = vec3_add(middle, vec3_scale(card.right, (low + high) / 2));
    card.half_wide = fmax((high - low) / 2, 1e-6) * (1 + MESH_CARDS_BORDER);
    range_along(mesh, middle, card.up, &low, &high);
    card.middle = vec3_add(middle, vec3_scale(card.up, (low + high) / 2));
    card.half_high = fmax((high - low) / 2, 1e-6) * (1 + MESH_CARDS_BORDER);
    range_along(mesh, card.middle, card.facing, &card.low, &high);
    card.deep = fmax(high - card.low, 1e-6);
    return card;
}

/* -- drawing -- */

typedef struct Sample {
    float color[3], near; /* near: along the card's facing, above 0 where something is seen */
} Sample;

typedef struct Canvas {
    Sample *samples; /* rows from the top */
    int side;
} Canvas;

/* In samples, and how near: from just above 0, the farthest, to 1. */
static Vec3 on_canvas(const Canvas *canvas, const Card *card, Vec3 at) {
    Vec3 d = vec3_sub(at, card->middle);
    double half = canvas->side / 2.0;
    return (Vec3){half + half * vec3_dot(d, card->right) / card->half_wide, half - half * vec3_dot(d, card->up) / card->half_high,
                  0.001 + 0.999 * (vec3_dot(d, card->facing) - card->low) / card->deep};
}

static double side_of(Vec3 a, Vec3 b, double x, double y) {
    return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
}

static int sample_at(const Canvas *canvas, double at) {
    return !(at > 0) ? 0 : at >= canvas->side ? canvas->side : (int)at; /* no number: nowhere */
}

/* Narrows a stretch of a row, [from, to), to where `slope * x + rest` is not below 0. */
static void narrow(double slope, double rest, double *from, double *to) {
    if (slope > 0)
        *from = fmax(*from, ceil(-rest / slope));
    else if (slope < 0)
        *to = fmin(*to, floor(-rest / slope) + 1);
    else if (rest < 0)
        *to = *from;
}

/* The samples of a row whose middles lie in a triangle; `less`: one by twice its area. */
static void draw_row(const Canvas *canvas, const Vec3 p[3], double less, int y, double from, double to, Sample drawn) {
    double near = 0, grows = 0;
    for (int k = 0; k < 3; k++) {
        const Vec3 a = p[(k + 1) % 3], b = p[(k + 2) % 3];
        double slope = a.y - b.y, rest = side_of(a, b, 0.5, y + 0.5);
        narrow(slope, rest, &from, &to);
        near += rest * p[k].z * less;
        grows += slope * p[k].z * less;
    }
    Sample *row = canvas->samples + (size_t)y * (size_t)canvas->side;
    for (int x = (int)from; x < (int)to; x++) {
        drawn.near = (float)(near + grows * x);
        if (drawn.near > row[x].near) row[x] = drawn;
    }
}

/* Whichever way round it is. */
static void draw_triangle(const Canvas *canvas, const Vec3 p[3], Vec3 color) {
    double area = side_of(p[0], p[1], p[2].x, p[2].y);
    if (!(area != 0) || isinf(area)) return;
    const Vec3 ahead[3] = {p[0], area > 0 ? p[1] : p[2], area > 0 ? p[2] : p[1]};
    int x0 = sample_at(canvas, floor(fmin(fmin(p[0].x, p[1].x), p[2].x))), x1 = sample_at(canvas, ceil(fmax(fmax(p[0].x, p[1].x), p[2].x)));
    int y0 = sample_at(canvas, floor(fmin(fmin(p[0].y, p[1].y), p[2].y))), y1 = sample_at(canvas, ceil(fmax(fmax(p[0].y, p[1].y), p[2].y)));
    Sample drawn = {{(float)color.x, (float)color.y, (float)color.z}, 0};
    for (int y = y0; y < y1; y++)
        draw_row(canvas, ahead, 1 / fabs(area), y, x0, x1, drawn);
}

static void draw_mesh(const Canvas *canvas, const Card *card, const RtMesh *mesh) {
    for (int32_t i = 0; i + 2 < mesh->index_count; i += 3) {
        Vec3 p[3], color = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            int32_t v = (int32_t)mesh->indices[i + k];
            p[k] = on_canvas(canvas, card, mesh_position(mesh, v));
            color = vec3_add(color, vec3_scale(mesh_get(mesh->colors, v), 1.0 / 3));
        }
        double light = inner_light + (1 - inner_light) * (p[0].z + p[1].z + p[2].z) / 3;
        draw_triangle(canvas, p, vec3_scale(color, light));
    }
}

/* -- the picture -- */

static Vec3 mean_color(const RtMesh *mesh) {
    Vec3 sum = {0, 0, 0};
    for (int32_t v = 0; v < mesh->vertex_count; v++)
        sum = vec3_add(sum, mesh_get(mesh->colors, v));
    return vec3_scale(sum, 1.0 / mesh->vertex_count);
}

/* One texel of a canvas. Where nothing is, the color is what the mesh has on the whole: neighbors are blended. */
static void resolve(const Canvas *canvas, int x, int y, const uint8_t ground[3], uint8_t *texel) {
    double sum[3] = {0, 0, 0};
    int covered = 0;
    for (int i = 0; i < FINE * FINE; i++) {
        const Sample *sample = &canvas->samples[(size_t)(y * FINE + i / FINE) * (size_t)canvas->side + (size_t)(x * FINE + i % FINE)];
        if (sample->near <= 0) continue;
        covered++;
        for (int c = 0; c < 3; c++)
            sum[c] += (double)sample->color[c];
    }
    for (int c = 0; c < 3; c++)
        texel[c] = covered ? srgb_byte(sum[c] / covered) : ground[c];
    texel[3] = (uint8_t)(255 * covered / (FINE * FINE));
}

/* -- the cards -- */

static void put_card(MeshCards *cards, const Card *card, int k) {
    double column = k % ACROSS, row = (int)(k / ACROSS);
    for (int corner = 0; corner < 4; corner++) {
        double x = corner == 1 || corner == 2 ? 1 : -1, y = corner >= 2 ? 1 : -1;
        Vec3 out = vec3_add(vec3_scale(card->right, x), vec3_scale(card->up, y));
        Vec3 normal = vec3_add(card->facing, vec3_scale(out, bulge));
        int32_t v = 4 * k + corner;
        mesh_put(cards->mesh->positions, v,
                 vec3_add(card->middle, vec3_add(vec3_scale(card->right, x * card->half_wide), vec3_scale(card->up, y * card->half_high))));
        mesh_put(cards->mesh->normals, v, vec3_scale(normal, 1 / sqrt(vec3_dot(normal, normal))));
        mesh_put(cards->mesh->colors, v, (Vec3){1, 1, 1});
        mesh_put_coord(cards->mesh, v, (column + (x + 1) / 2) / ACROSS, (row + (1 - y) / 2) / ACROSS);
    }
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; i++)
        cards->mesh->indices[6 * k + i] = (uint32_t)(4 * k) + corners[i];
}

MeshCards mesh_cards(Arena *arena, Arena *scratch, const RtMesh *mesh, int texels) {
    MeshCards cards = {.mesh = mesh_create(arena, 4 * CARDS, 6 * CARDS), .width = texels * ACROSS, .height = texels * ((CARDS + ACROSS - 1) / ACROSS)};
    cards.picture = ARENA_ARRAY(arena, uint8_t, 4 * (size_t)cards.width * (size_t)cards.height);
    cards.mesh->two_sided = true;
    mesh_lay_coords(arena, cards.mesh);
    Canvas canvas = {.side = texels * FINE};
    size_t samples = (size_t)canvas.side * (size_t)canvas.side;
    canvas.samples = ARENA_ARRAY(scratch, Sample, samples);
    Vec3 middle = middle_of(mesh), mean = mean_color(mesh);
    const uint8_t ground[3] = {srgb_byte(mean.x), srgb_byte(mean.y), srgb_byte(mean.z)};
    for (int k = 0; k < CARDS; k++) {
        Card card = stand(mesh, middle, k);
        memset(canvas.samples, 0, samples * sizeof *canvas.samples);
        draw_mesh(&canvas, &card, mesh);
        put_card(&cards, &card, k);
        for (int i = 0; i < texels * texels; i++) {
            int x = i % texels, y = i / texels;
            size_t at = (size_t)(k / ACROSS * texels + y) * (size_t)cards.width + (size_t)(k % ACROSS * texels + x);
            resolve(&canvas, x, y, ground, cards.picture + 4 * at);
        }
    }
    return cards;
}
