#include "gpu/sky.h"

#include <math.h>
#include <string.h>

enum { STEPS = 24, SHADE_STEPS = 24, ALTITUDES = 20, SUNS = 40, WAYS = 6 };

static const double ground = 6360e3, top = 6460e3;       /* meters from the earth's middle */
static const double rayleigh[3] = {5.802e-6, 13.558e-6, 33.1e-6}; /* scattered, per meter at sea level */
static const double mie_scattered = 3.996e-6, mie_lost = 4.4e-6, mie_forward = 0.8;
static const double ozone[3] = {0.650e-6, 1.881e-6, 0.085e-6};
static const double strength = 3.4;                       /* of the sun in the view's units */
static const double glow[3] = {0.0011, 0.0016, 0.0030};   /* of a night, in all directions */

/* By altitude and the sine of the sun's elevation: what is left of the sun, and what comes from everywhere. */
typedef struct Air {
    double haze;
    double shade[ALTITUDES][SUNS][3], rest[ALTITUDES][SUNS][3];
} Air;

typedef struct Medium {
    double rayleigh[3], mie, lost[3];
} Medium;

static Medium medium_at(const Air *air, double altitude) {
    double thin = exp(-altitude / 8000), dust = exp(-altitude / 1200) * air->haze;
    double layer = fmax(0, 1 - fabs(altitude - 25e3) / 15e3);
    Medium m = {.mie = mie_scattered * dust};
    for (int k = 0; k < 3; k++) {
        m.rayleigh[k] = rayleigh[k] * thin;
        m.lost[k] = m.rayleigh[k] + (mie_scattered + mie_lost) * dust + ozone[k] * layer;
    }
    return m;
}

/* How far it is from radius r, at the sine `up` of its elevation, to a sphere; negative: it is not met. */
static double reach(double r, double up, double sphere, bool near) {
    double d = r * r * (up * up - 1) + sphere * sphere;
    if (d < 0) return -1;
    return near ? -r * up - sqrt(d) : -r * up + sqrt(d);
}

static double radius_after(double r, double up, double t) {
    return sqrt(r * r + t * t + 2 * r * t * up);
}

/* What is left of light from outside; none behind the earth. */
static void shade_from(const Air *air, double r, double up, double out[3]) {
    double lost[3] = {0}, length = reach(r, up, top, false), step = length / SHADE_STEPS;
    bool dark = up < 0 && reach(r, up, ground, true) > 0;
    for (int i = 0; i < SHADE_STEPS; i++) {
        Medium m = medium_at(air, fmax(0, radius_after(r, up, (i + 0.5) * step) - ground));
        for (int k = 0; k < 3; k++)
            lost[k] += m.lost[k] * step;
    }
    for (int k = 0; k < 3; k++)
        out[k] = dark ? 0 : exp(-lost[k]);
}

static double altitude_of(int row) {
    double share = (double)row / (ALTITUDES - 1);
    return share * share * (top - ground);
}

static double sun_of(int column) {
    return -0.4 + 1.4 * column / (SUNS - 1);
}

static void look_up(const double table[ALTITUDES][SUNS][3], double altitude, double up, double out[3]) {
    double row = sqrt(fmax(0, fmin(1, altitude / (top - ground)))) * (ALTITUDES - 1);
    double column = fmax(0, fmin(1, (up + 0.4) / 1.4)) * (SUNS - 1);
    int i = (int)fmin(row, ALTITUDES - 2), j = (int)fmin(column, SUNS - 2);
    double s = row - i, t = column - j;
    for (int k = 0; k < 3; k++)
        out[k] = (table[i][j][k] * (1 - t) + table[i][j + 1][k] * t) * (1 - s) +
                 (table[i + 1][j][k] * (1 - t) + table[i + 1][j + 1][k] * t) * s;
}

/* Light along a ray from radius r: `seen` of a sun of strength 1, once scattered (with phases, or the same everywhere) and the
 * rest when there is any; `spread`, what a glow of 1 everywhere would give. */
typedef struct Ray {
    double r, up, sun_up, toward; /* sines of elevations; the cosine between the ray and the sun */
    bool alike;
} Ray;

static void march(const Air *air, const Ray *ray, double seen[3], double spread[3]) {
    double left[3] = {1, 1, 1}, far = reach(ray->r, ray->up, ground, true);
    bool lands = ray->up < 0 && far > 0;
    double length = lands ? far : reach(ray->r, ray->up, top, false);
    double air_phase = 3 / (16 * M_PI) * (1 + ray->toward * ray->toward), g = mie_forward;
    double dust_phase = 3 / (8 * M_PI) * (1 - g * g) * (1 + ray->toward * ray->toward) /
                        ((2 + g * g) * pow(1 + g * g - 2 * g * ray->toward, 1.5));
    if (ray->alike) air_phase = dust_phase = 1 / (4 * M_PI);
    double before = 0;
    for (int i = 0; i < STEPS; i++) {
        double share = (i + 1.0) / STEPS, next = length * share * share, step = next - before, t = before + step / 2;
        double r = radius_after(ray->r, ray->up, t), shade[3], rest[3];
        double sun_up = fmax(-1, fmin(1, (ray->r * ray->sun_up + t * (ray->toward)) / r));
        Medium m = medium_at(air, fmax(0, r - ground));
        look_up(air->shade, r - ground, sun_up, shade);
        look_up(air->rest, r - ground, sun_up, rest);
        for (int k = 0; k < 3; k++) {
            double through = exp(-m.lost[k] * step), all = m.rayleigh[k] + m.mie;
            double source = shade[k] * (m.rayleigh[k] * air_phase + m.mie * dust_phase) + rest[k] * all;
            double part = left[k] * (1 - through) / fmax(m.lost[k], 1e-12);
            seen[k] += source * part;
            spread[k] += all * part;
            left[k] *= through;
        }
        before = next;
    }
    if (!lands) return;
    double shade[3];
    look_up(air->shade, 0, ray->sun_up, shade);
    for (int k = 0; k < 3; k++)
        seen[k] += left[k] * shade[k] * fmax(0, ray->sun_up) * 0.3 / M_PI;
}

/* What has been scattered twice and more, as a row of which each is `spread` of the one before. */
static void fill_rest(Air *air) {
    static double rest[ALTITUDES][SUNS][3];
    for (int i = 0; i < ALTITUDES; i++)
        for (int j = 0; j < SUNS; j++) {
            double seen[3] = {0}, spread[3] = {0};
            for (int a = 0; a < WAYS; a++)
                for (int b = 0; b < WAYS; b++) {
                    double up = -1 + (2 * a + 1.0) / WAYS, turn = (2 * b + 1) * M_PI / WAYS;
                    double side = sqrt(1 - up * up), sun_up = sun_of(j), sun_side = sqrt(fmax(0, 1 - sun_up * sun_up));
                    Ray ray = {ground + altitude_of(i) + 1, up, sun_up, up * sun_up + side * sun_side * cos(turn), true};
                    march(air, &ray, seen, spread);
                }
            for (int k = 0; k < 3; k++)
                rest[i][j][k] = seen[k] / (WAYS * WAYS) / (1 - spread[k] / (WAYS * WAYS));
        }
    memcpy(air->rest, rest, sizeof rest);
}

static double elevation_of(int row) {
    double share = (row + 0.5) / SKY_ROWS;
    return share * share * M_PI / 2;
}

void sky_of(Vec sun, double haze, SkyLight *out) {
    static Air air; /* large, and worked out by one thread: the view's */
    double above[3] = {0}, shade[3];
    memset(&air, 0, sizeof air);
    air.haze = 0.35 + 3.5 * haze;
    for (int i = 0; i < ALTITUDES; i++)
        for (int j = 0; j < SUNS; j++)
            shade_from(&air, ground + altitude_of(i) + 1, sun_of(j), air.shade[i][j]);
    fill_rest(&air);
    double side = sqrt(fmax(0, 1 - sun.y * sun.y));
    for (int row = 0; row < SKY_ROWS; row++) {
        double up = elevation_of(row), wide = (elevation_of(row + 1) - elevation_of(row)) * cos(up) * 2 * M_PI / SKY_COLUMNS;
        for (int column = 0; column < SKY_COLUMNS; column++) {
            double turn = (column + 0.5) * M_PI / SKY_COLUMNS, seen[3] = {0}, spread[3] = {0};
            Ray ray = {ground + 300, sin(up), sun.y, sin(up) * sun.y + cos(up) * side * cos(turn), false};
            march(&air, &ray, seen, spread);
            for (int k = 0; k < 3; k++) {
                out->sky[row][column][k] = (float)(strength * M_PI * seen[k] + glow[k]);
                above[k] += (strength * seen[k] + glow[k] / M_PI) * sin(up) * wide;
            }
        }
    }
    shade_from(&air, ground + 300, sun.y, shade);
    double light = 0;
    for (int k = 0; k < 3; k++) {
        out->sun[k] = (float)(strength * shade[k]);
        out->above[k] = (float)above[k];
        out->below[k] = (float)((above[k] + strength * shade[k] * fmax(0, sun.y)) * 0.18);
        light += (above[k] + strength * shade[k] * fmax(0, sun.y)) / 3;
    }
    out->exposure = (float)fmax(0.6, fmin(14, pow(2.2 / light, 0.75)));
}
