/* A step of erosion by virtual pipes as a C programmer would write it: the formulas of runtime/terrain/erode.c, each over the whole land before the next, on
 * one core; a wall round the land, no maps, no sea, no rock. The same numbers in the same order, so the same bits.
 */
#include <math.h>
#include <stddef.h>

#include "tests/bench/water.h"

static const float pipe = 0.15F, wet = 0.012F, capacity = 0.35F, deep = 1.5F, dissolve = 0.3F, settle = 0.25F, slide = 0.08F, nearly = 1 - 1e-6F, tiny = 1e-9F;
static const double cell = 4, kept = 1 - 0.03;
static const float talus = (float)(0.78 * 4);

static float larger(float a, float b) {
    return a > b ? a : b;
}

static float smaller(float a, float b) {
    return a < b ? a : b;
}

static void drive(WaterLand *l) {
    int n = l->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int k = j * n + i;
            l->east[k] = i < n - 1 ? l->east[k] + pipe * (float)((l->ground[k] - l->ground[k + 1]) + (l->water[k] - l->water[k + 1])) : 0;
            l->south[k] = j < n - 1 ? l->south[k] + pipe * (float)((l->ground[k] - l->ground[k + n]) + (l->water[k] - l->water[k + n])) : 0;
        }
}

static void share(WaterLand *l) {
    int n = l->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int k = j * n + i;
            float west = i > 0 ? l->east[k - 1] : 0, north = j > 0 ? l->south[k - n] : 0, depth = (float)l->water[k];
            float out = (larger(l->east[k], 0) + larger(-west, 0)) + (larger(l->south[k], 0) + larger(-north, 0));
            l->share[k] = smaller(1, depth * nearly / larger(out, tiny));
            l->thick[k] = (float)l->load[k] / larger(depth, tiny) * nearly;
        }
}

static void hold(WaterLand *l) {
    int n = l->n;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int k = j * n + i, e = i < n - 1 ? k + 1 : k, s = j < n - 1 ? k + n : k;
            float out = larger(l->east[k], 0) * l->share[k], in = larger(-l->east[k], 0) * l->share[e];
            l->east[k] = out - in;
            l->load_east[k] = out * l->thick[k] - in * l->thick[e];
            out = larger(l->south[k], 0) * l->share[k], in = larger(-l->south[k], 0) * l->share[s];
            l->south[k] = out - in;
            l->load_south[k] = out * l->thick[k] - in * l->thick[s];
        }
}

static float side(const WaterLand *l, int k, int other, float limit, float rate) {
    float rise = (float)(l->ground[other] - l->ground[k]);
    return rate * (larger(rise - limit, 0) - larger(-rise - limit, 0));
}

/* What the ground changes by, kept aside: neighbors still read it. */
static void work(WaterLand *l) {
    int n = l->n;
    float half = (float)(0.5 / cell), corner = talus * 1.41421356F;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            int k = j * n + i, w = i > 0 ? k - 1 : k, e = i < n - 1 ? k + 1 : k, a = j > 0 ? k - n : k, b = j < n - 1 ? k + n : k;
            float west = i > 0 ? l->east[k - 1] : 0, north = j > 0 ? l->south[k - n] : 0;
            float load_west = i > 0 ? l->load_east[k - 1] : 0, load_north = j > 0 ? l->load_south[k - n] : 0;
            double depth = l->water[k] + (double)((west - l->east[k]) + (north - l->south[k]));
            double carried = l->load[k] + (double)((load_west - l->load_east[k]) + (load_north - l->load_south[k]));
            float h_w = (float)(l->ground[w] - l->ground[k]), h_e = (float)(l->ground[e] - l->ground[k]), h_n = (float)(l->ground[a] - l->ground[k]), h_s = (float)(l->ground[b] - l->ground[k]);
            float x = 0.5F * (west + l->east[k]), z = 0.5F * (north + l->south[k]), tx = half * (h_e - h_w), tz = half * (h_s - h_n);
            float tilt = tx * tx + tz * tz, past = x * x + z * z, room = capacity * sqrtf(tilt * past / (1 + tilt)) * deep / larger((float)depth, deep);
            float over = room - (float)carried, lowest = smaller(smaller(h_w, h_e), smaller(h_n, h_s));
            float worn = over > 0 ? smaller(dissolve * over, larger(-lowest, 0) * 0.5F) : settle * over, slid = 0;
            if (i < n - 1) slid += side(l, k, k + 1, talus, slide);
            if (i > 0) slid += side(l, k, k - 1, talus, slide);
            for (int up = -1; up <= 1; up += 2) {
                if (j + up < 0 || j + up >= n) continue;
                int o = k + up * n;
                slid += side(l, k, o, talus, slide);
                if (i < n - 1) slid += side(l, k, o + 1, corner, slide / 2);
                if (i > 0) slid += side(l, k, o - 1, corner, slide / 2);
            }
            l->worn[k] = slid - worn;
            l->water[k] = (depth + (double)wet) * kept;
            l->load[k] = carried + (double)worn;
        }
    for (int k = 0; k < n * n; k++)
        l->ground[k] += (double)l->worn[k];
}

void WATER_STEP(WaterLand *land) {
    drive(land);
    share(land);
    hold(land);
    work(land);
}
