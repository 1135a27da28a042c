/* A world laid out by rules, by hand: the plan of programs.world (stdlib/worldgen and worldlayout) as a C programmer would write it
 * for those rules, chunk by chunk. The same hashes, orders and decisions; the formulas stand in lang/REFERENCE.md, 16.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/noise.h"
#include "tests/bench/programs.h"

static const double turn = 6.283185307179586, chunk = 512, drift = 40;
enum { SEED = 9, BIOMES = 3, LAYERS = 3, RECIPES = 4, MEMBERS = 6, FIELDS = 2 };

typedef struct Member {
    const char *id;
    int fewest, most;
    double near, far, small, large, footprint, spread, chance;
} Member;

static const Member members[MEMBERS] = {
    {"elder", 1, 1, 0, 0, 1.2, 1.6, 1, 4, 1},      {"pine", 3, 6, 8, 16, 0.8, 1.2, 0.8, 3, 1}, {"sapling", 1, 4, 16, 22, 0.3, 0.6, 0.3, 1, 0.7},
    {"stone", 1, 1, 0, 0, 0.6, 1.8, 1.5, 1.5, 1}, {"bush", 1, 1, 0, 0, 0.7, 1.3, 0.6, 0.6, 1},     {"fern", 1, 1, 0, 0, 0.8, 1.2, 0.2, 0.2, 1},
};
static const struct {
    const char *id;
    int first, count;
} recipes[RECIPES] = {{"grove", 0, 3}, {"stone", 3, 1}, {"bush", 4, 1}, {"fern", 5, 1}};
static const struct {
    const char *id;
    double spacing, jitter;
} layers[LAYERS] = {{"groups", 60, 0.8}, {"shrubs", 20, 0.8}, {"detail", 9, 0.8}};

typedef struct Band {
    int field;
    double low, high, blend;
} Band;
static const struct {
    const char *id;
    int count;
    Band bands[2];
} biomes[BIOMES] = {{"wood", 2, {{0, 0.5, INFINITY, 0.1}, {1, 0.3, INFINITY, 0.1}}},
                    {"meadow", 1, {{0, -INFINITY, 0.5, 0.1}}},
                    {"rocks", 1, {{1, -INFINITY, 0.4, 0.1}}}};
static const double scales[FIELDS] = {1200, 2000};
static const char *const fields[FIELDS] = {"moisture", "temperature"};

/* Of a biome and a layer: which recipe, and its share; recipe -1 ends them. */
typedef struct Share {
    int recipe;
    double density;
} Share;
static const Share shares[LAYERS][BIOMES][3] = {{{{0, 0.7}, {1, 0.1}, {-1, 0}}, {{0, 0.1}, {-1, 0}}, {{1, 0.6}, {-1, 0}}},
                                                {{{2, 0.4}, {-1, 0}}, {{2, 0.2}, {1, 0.05}, {-1, 0}}, {{1, 0.3}, {-1, 0}}},
                                                {{{3, 0.6}, {-1, 0}}, {{3, 0.3}, {-1, 0}}, {{-1, 0}}}};

typedef struct Window {
    double x0, x1, z0, z1;
} Window;

typedef struct Stem {
    double x, z, size, turn, footprint, spread;
    int member, index, next; /* of its cell */
    uint32_t number;
} Stem;

typedef struct Group {
    double x, z, reach;
    uint32_t priority;
    int i, j, recipe, first, count;
    int placed;
} Group;

typedef struct Survey {
    Group *groups;
    Stem *stems;
    int *cells, *loses, *heads; /* a layer's candidates that stand; who beats them; taken ground */
    int group_count, stem_count, starts[LAYERS + 1];
    Window whole;
    double cell, most;
    int columns, rows;
} Survey;

/* -- hashes -- */

static uint32_t rotl(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

static uint32_t mixed(uint32_t h, uint32_t word) {
    return rotl(h ^ rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u, 13) * 5 + 0xe6546b64u;
}

static uint32_t done(uint32_t h) {
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

static uint32_t hash2(uint32_t a, uint32_t b) {
    return done(mixed(mixed(0x9747b28cu ^ 2, a), b));
}

static uint32_t hash3(uint32_t a, uint32_t b, uint32_t c) {
    return done(mixed(mixed(mixed(0x9747b28cu ^ 3, a), b), c));
}

static double unit(uint32_t h) {
    return h / 4294967296.0;
}

static uint32_t name_hash(const char *name) {
    uint32_t h = 2166136261u;
    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

/* What is worked out once. */
static struct {
    uint32_t key, drift, layers[LAYERS], recipes[RECIPES], members[MEMBERS], biomes[BIOMES], fields[FIELDS];
    double reach[LAYERS], foot[LAYERS];
} plan;

static void measure_layer(int k) {
    for (int b = 0; b < BIOMES; b++)
        for (const Share *s = shares[k][b]; s->recipe >= 0; s++)
            for (int m = recipes[s->recipe].first; m < recipes[s->recipe].first + recipes[s->recipe].count; m++) {
                plan.reach[k] = fmax(plan.reach[k], members[m].far + members[m].spread);
                plan.foot[k] = fmax(plan.foot[k], members[m].footprint);
            }
}

static void prepare(void) {
    plan.key = hash2(SEED, name_hash(""));
    plan.drift = hash2(plan.key, 101);
    for (int k = 0; k < LAYERS; k++)
        plan.layers[k] = hash3(plan.key, name_hash(layers[k].id), 1), measure_layer(k);
    for (int r = 0; r < RECIPES; r++)
        plan.recipes[r] = hash2(name_hash(recipes[r].id), 1);
    for (int m = 0; m < MEMBERS; m++)
        plan.members[m] = name_hash(members[m].id);
    for (int b = 0; b < BIOMES; b++)
        plan.biomes[b] = name_hash(biomes[b].id);
    for (int f = 0; f < FIELDS; f++)
        plan.fields[f] = hash2(plan.key, name_hash(fields[f]));
}

/* -- biomes -- */

static double eased(const Band *band, double x) {
    if (x < band->low) return x <= band->low - band->blend ? 0 : smooth(0, 1, (x - band->low + band->blend) / band->blend);
    if (x > band->high) return x >= band->high + band->blend ? 0 : smooth(0, 1, (band->high + band->blend - x) / band->blend);
    return 1;
}

static void weigh(double x, double z, double weights[BIOMES]) {
    double u = x / (2 * drift), v = z / (2 * drift), values[FIELDS], total = 0;
    int read[FIELDS] = {0};
    double dx = x + drift * fbm(u, v, plan.drift, 3), dz = z + drift * fbm(u, v, plan.drift + 1, 3);
    for (int b = 0; b < BIOMES; b++) {
        weights[b] = 1;
        for (int n = 0; n < biomes[b].count && weights[b] > 0; n++) {
            int f = biomes[b].bands[n].field;
            if (!read[f]) values[f] = clamp01(0.5 + 0.75 * fbm(dx / scales[f], dz / scales[f], plan.fields[f], 3));
            read[f] = 1;
            weights[b] *= eased(&biomes[b].bands[n], values[f]);
        }
        total += weights[b];
    }
    for (int b = 0; b < BIOMES && total > 0; b++)
        weights[b] /= total;
}

static double lap(uint32_t h, double weight) {
    return -log((h + 1.0) / 4294967296.0) / weight;
}

static int choose_biome(const double weights[BIOMES], uint32_t h) {
    int best = -1;
    double least = 0, total = 0;
    for (int b = 0; b < BIOMES; b++) {
        total += weights[b];
        double time = weights[b] > 0 ? lap(hash2(h, plan.biomes[b]), weights[b]) : 0;
        if (weights[b] > 0 && (best < 0 || time < least)) best = b, least = time;
    }
    return best >= 0 && total < 0.999999999 && lap(hash2(h, 0), 1 - total) < least ? -1 : best;
}

static int choose_recipe(const Share *s, uint32_t h) {
    int best = -1;
    double least = 0, total = 0;
    for (; s->recipe >= 0; s++) {
        total += s->density;
        double time = lap(hash2(h, plan.recipes[s->recipe]), s->density);
        if (best < 0 || time < least) best = s->recipe, least = time;
    }
    return best >= 0 && total < 0.999999999 && lap(hash2(h, 1), 1 - total) < least ? -1 : best;
}

/* -- taken ground -- */

static int clamp_cell(double along, double from, double cell, int count) {
    int n = (int)floor((along - from) / cell);
    return n < 0 ? 0 : n >= count ? count - 1 : n;
}

static int apart(double dx, double dz, double sum) {
    return dx * dx + dz * dz >= sum * sum;
}

static void take(Survey *s, int stem) {
    Stem *t = &s->stems[stem];
    int *head = &s->heads[clamp_cell(t->z, s->whole.z0, s->cell, s->rows) * s->columns + clamp_cell(t->x, s->whole.x0, s->cell, s->columns)];
    t->next = *head;
    *head = stem;
}

static int is_taken(const Survey *s, double x, double z, double radius) {
    double reach = radius + s->most;
    int i0 = clamp_cell(x - reach, s->whole.x0, s->cell, s->columns), i1 = clamp_cell(x + reach, s->whole.x0, s->cell, s->columns);
    int j0 = clamp_cell(z - reach, s->whole.z0, s->cell, s->rows), j1 = clamp_cell(z + reach, s->whole.z0, s->cell, s->rows);
    for (int j = j0; j <= j1; j++)
        for (int i = i0; i <= i1; i++)
            for (int n = s->heads[j * s->columns + i]; n >= 0; n = s->stems[n].next)
                if (!apart(x - s->stems[n].x, z - s->stems[n].z, radius + s->stems[n].footprint)) return 1;
    return 0;
}

/* -- groups -- */

static int put(Survey *s, int m, int index, double x, double z, uint32_t h, int first) {
    const Member *member = &members[m];
    if (is_taken(s, x, z, member->footprint)) return 0;
    for (int n = first; n < s->stem_count; n++)
        if (!apart(x - s->stems[n].x, z - s->stems[n].z, member->footprint + s->stems[n].footprint)) return 0;
    s->stems[s->stem_count++] = (Stem){.x = x, .z = z, .size = member->small + (member->large - member->small) * unit(hash2(h, 14)),
                                       .turn = unit(hash2(h, 13)) * turn, .footprint = member->footprint, .spread = member->spread,
                                       .member = m, .index = index, .number = h};
    return 1;
}

static void surround(Survey *s, int m, const Group *g, uint32_t own) {
    const Member *member = &members[m];
    uint32_t whole = hash3(own, plan.members[m], 4294967295u);
    int count = member->fewest + (int)floor(unit(hash2(whole, 1)) * (member->most - member->fewest + 1));
    double start = unit(hash2(whole, 2));
    for (int index = 0; index < count; index++) {
        uint32_t h = hash3(own, plan.members[m], (uint32_t)index);
        if (member->chance < 1 && unit(hash2(h, 10)) >= member->chance) continue;
        double along = start + index * 0.6180339887498949, bearing = turn * (along - floor(along));
        double near2 = member->near * member->near, d = sqrt(near2 + (member->far * member->far - near2) * unit(hash2(h, 11)));
        put(s, m, index, g->x + d * cos(bearing), g->z + d * sin(bearing), h, g->first);
    }
}

static Group try_cell(Survey *s, int k, int i, int j, double x, double z, uint32_t h) {
    Group g = {.x = x, .z = z, .priority = hash2(h, 3), .i = i, .j = j, .recipe = -1, .first = s->stem_count};
    double weights[BIOMES];
    weigh(x, z, weights);
    int biome = choose_biome(weights, h);
    if (biome >= 0) g.recipe = choose_recipe(shares[k][biome], hash2(h, 4));
    if (g.recipe < 0) return g;
    uint32_t own = hash2(h, plan.recipes[g.recipe]);
    int first = recipes[g.recipe].first;
    if (!put(s, first, 0, x, z, hash3(own, plan.members[first], 0), g.first)) return g;
    g.placed = 1;
    for (int m = first + 1; m < first + recipes[g.recipe].count; m++)
        surround(s, m, &g, own);
    g.count = s->stem_count - g.first;
    for (int n = g.first; n < s->stem_count; n++)
        g.reach = fmax(g.reach, sqrt((s->stems[n].x - x) * (s->stems[n].x - x) + (s->stems[n].z - z) * (s->stems[n].z - z)) + s->stems[n].spread);
    return g;
}

static int overlap(const Survey *s, const Group *a, const Group *b) {
    if (apart(a->x - b->x, a->z - b->z, a->reach + b->reach)) return 0;
    for (int m = a->first; m < a->first + a->count; m++) {
        const Stem *p = &s->stems[m];
        if (apart(p->x - b->x, p->z - b->z, p->spread + b->reach)) continue;
        for (int n = b->first; n < b->first + b->count; n++)
            if (!apart(p->x - s->stems[n].x, p->z - s->stems[n].z, p->spread + s->stems[n].spread)) return 1;
    }
    return 0;
}

static int beats(const Group *a, const Group *b) {
    if (a->priority != b->priority) return a->priority > b->priority;
    return a->j != b->j ? a->j < b->j : a->i < b->i;
}

static int loses(const Survey *s, int n, int i, int j, int steps, int columns, int rows) {
    for (int v = j > steps ? j - steps : 0; v <= j + steps && v < rows; v++)
        for (int u = i > steps ? i - steps : 0; u <= i + steps && u < columns; u++) {
            int other = s->cells[v * columns + u];
            if (other >= 0 && other != n && beats(&s->groups[other], &s->groups[n]) && overlap(s, &s->groups[n], &s->groups[other])) return 1;
        }
    return 0;
}

static void lay(Survey *s, int k, Window w) {
    double spacing = layers[k].spacing, jitter = layers[k].jitter;
    int i0 = (int)floor(w.x0 / spacing), j0 = (int)floor(w.z0 / spacing), start = s->group_count;
    int columns = (int)floor(w.x1 / spacing) - i0 + 1, rows = (int)floor(w.z1 / spacing) - j0 + 1;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < columns; i++) {
            uint32_t h = hash3(plan.layers[k], (uint32_t)(i0 + i), (uint32_t)(j0 + j));
            double x = (i0 + i + 0.5 + jitter * (unit(hash2(h, 1)) - 0.5)) * spacing, z = (j0 + j + 0.5 + jitter * (unit(hash2(h, 2)) - 0.5)) * spacing;
            s->cells[j * columns + i] = -1;
            if (!(x >= w.x0 && x < w.x1 && z >= w.z0 && z < w.z1)) continue;
            s->groups[s->group_count] = try_cell(s, k, i0 + i, j0 + j, x, z, h);
            if (s->groups[s->group_count].placed) s->cells[j * columns + i] = s->group_count;
            s->group_count++;
        }
    int steps = (int)ceil(2 * plan.reach[k] / spacing);
    for (int n = start; n < s->group_count; n++)
        s->loses[n] = s->groups[n].placed && loses(s, n, s->groups[n].i - i0, s->groups[n].j - j0, steps, columns, rows);
    for (int n = start; n < s->group_count; n++)
        if (s->loses[n]) s->groups[n].placed = 0;
}

static Window grown(Window w, double by) {
    return (Window){w.x0 - by, w.x1 + by, w.z0 - by, w.z1 + by};
}

static Window joined(Window a, Window b) {
    return (Window){fmin(a.x0, b.x0), fmax(a.x1, b.x1), fmin(a.z0, b.z0), fmax(a.z1, b.z1)};
}

/* The layers up to the one that is wanted: later ones have no say in it. */
static void survey(Survey *s, Window window, int wanted) {
    Window windows[LAYERS];
    s->whole = window;
    s->most = 0;
    for (int k = 0; k < LAYERS; k++)
        s->most = fmax(s->most, plan.foot[k]);
    for (int k = wanted; k >= 0; k--) {
        Window need = window;
        for (int later = k + 1; later <= wanted; later++) {
            Window looks = grown(windows[later], plan.reach[later] + plan.reach[k]);
            need = later == k + 1 && k != wanted ? looks : joined(need, looks);
        }
        windows[k] = grown(need, 2 * plan.reach[k]);
        s->whole = joined(s->whole, windows[k]);
    }
    s->cell = fmax(fmax(2 * s->most, 1), fmax(s->whole.x1 - s->whole.x0, s->whole.z1 - s->whole.z0) / 512);
    s->columns = (int)((s->whole.x1 - s->whole.x0) / s->cell) + 1;
    s->rows = (int)((s->whole.z1 - s->whole.z0) / s->cell) + 1;
    for (int n = 0; n < s->columns * s->rows; n++)
        s->heads[n] = -1;
    s->group_count = s->stem_count = 0;
    for (int k = 0; k <= wanted; k++) {
        s->starts[k] = s->group_count;
        lay(s, k, windows[k]);
        for (int n = s->starts[k]; n < s->group_count && k < wanted; n++)
            for (int m = s->groups[n].first; s->groups[n].placed && m < s->groups[n].first + s->groups[n].count; m++)
                take(s, m);
    }
}

/* What a chunk answers, with a text for each thing as an id. */
static double ask_chunk(Survey *s, int k, int i, int j) {
    Window window = {i * chunk, (i + 1) * chunk, j * chunk, (j + 1) * chunk};
    double sum = 0;
    survey(s, window, k);
    for (int n = s->starts[k]; n < s->group_count; n++) {
        const Group *g = &s->groups[n];
        if (!g->placed || !(g->x >= window.x0 && g->x < window.x1 && g->z >= window.z0 && g->z < window.z1)) continue;
        for (int m = g->first; m < g->first + g->count; m++) {
            const Stem *t = &s->stems[m];
            char *id = malloc(80);
            int length = snprintf(id, 80, "%s@1:%d,%d/%s@1/%s.%d", layers[k].id, g->i, g->j, recipes[g->recipe].id, members[t->member].id, t->index);
            sum += t->x + 0.5 * t->z + t->size + t->turn + length;
            free(id);
        }
    }
    return sum;
}

double PLANNED(int64_t side) {
    enum { MOST = 40000 };
    Survey s = {.groups = malloc(MOST * sizeof *s.groups), .stems = malloc(4 * MOST * sizeof *s.stems), .cells = malloc(MOST * sizeof *s.cells),
                .loses = malloc(MOST * sizeof *s.loses), .heads = malloc(600 * 600 * sizeof *s.heads)};
    double sum = 0;
    memset(&plan, 0, sizeof plan);
    prepare();
    for (int k = 0; k < LAYERS; k++)
        for (int j = 0; j < side; j++)
            for (int i = 0; i < side; i++)
                sum += ask_chunk(&s, k, i, j);
    free(s.groups), free(s.stems), free(s.cells), free(s.loses), free(s.heads);
    return sum;
}
