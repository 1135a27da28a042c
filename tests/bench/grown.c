/* The forest of programs.world by hand: the same hashes, orders and cell lists, in flat rows. */
#include <math.h>
#include <stdlib.h>

#include "tests/bench/programs.h"

static const double tau = 6.283185307179586, spread = 10, radius = 2, shade_radius = 6, tolerance = 0.2, max_age = 4;
enum { STEPS = 8, SEEDS_PER_STEP = 2, SEED = 7 };

typedef struct Plant {
    double x, y, z, turn, size;
    uint32_t identity;
    int born, parent, k;
} Plant;

typedef struct Wood {
    double side, cell;
    int across;
    int *heads, *before;
    Plant *plants, *seeds;
    int count, seed_count;
} Wood;

static uint32_t hash(uint32_t seed, uint32_t i) {
    uint32_t h = seed ^ i;
    h = (h ^ (h >> 16)) * 0x7FEB352Du;
    h = (h ^ (h >> 15)) * 0x846CA68Bu;
    return h ^ (h >> 16);
}

static double unit(uint32_t identity, uint32_t stream) {
    return hash(identity ^ stream * 0x27D4EB2u, stream) / 4294967295.0;
}

static double maturity(int age) {
    return age < max_age ? age / max_age : 1;
}

static int cell_of(const Wood *wood, double along) {
    return (int)floor(along / wood->cell);
}

/* Whether it stands against what stands. */
static int contest(const Wood *wood, const Plant *seed, int step) {
    double shade = 0;
    int row = cell_of(wood, seed->z), column = cell_of(wood, seed->x);
    for (int j = row > 0 ? row - 1 : 0; j <= row + 1 && j < wood->across; j++)
        for (int i = column > 0 ? column - 1 : 0; i <= column + 1 && i < wood->across; i++)
            for (int other = wood->heads[j * wood->across + i]; other >= 0; other = wood->before[other]) {
                const Plant *plant = &wood->plants[other];
                double dx = plant->x - seed->x, dz = plant->z - seed->z, distance = sqrt(dx * dx + dz * dz);
                if (distance < radius) return 0;
                double canopy = shade_radius * maturity(step - plant->born);
                if (distance < canopy) shade += 1 - distance / canopy;
            }
    return shade <= tolerance;
}

static void add(Wood *wood, const Plant *seed) {
    int *head = &wood->heads[cell_of(wood, seed->z) * wood->across + cell_of(wood, seed->x)];
    wood->before[wood->count] = *head;
    *head = wood->count;
    wood->plants[wood->count++] = *seed;
}

static void sow(Wood *wood) {
    int count = (int)nearbyint(0.004 * wood->side * wood->side);
    for (int k = 0; k < count; k++) {
        uint32_t identity = hash(SEED, (uint32_t)k);
        wood->seeds[wood->seed_count++] = (Plant){.x = wood->side * unit(identity, 11),
                                                  .z = wood->side * unit(identity, 12),
                                                  .identity = identity,
                                                  .parent = -1,
                                                  .k = k};
    }
}

static void drop(Wood *wood, int step) {
    for (int i = 0; i < wood->count; i++) {
        const Plant *parent = &wood->plants[i];
        if (step - parent->born < max_age) continue;
        for (int k = 0; k < SEEDS_PER_STEP; k++) {
            uint32_t identity = hash(parent->identity ^ (uint32_t)step * 0x9E3779B1u, (uint32_t)k);
            double bearing = tau * unit(identity, 13), distance = spread * sqrt(unit(identity, 14));
            wood->seeds[wood->seed_count++] = (Plant){.x = parent->x + cos(bearing) * distance,
                                                      .z = parent->z + sin(bearing) * distance,
                                                      .identity = identity,
                                                      .born = step,
                                                      .parent = i,
                                                      .k = k};
        }
    }
}

static int by_identity(const void *a, const void *b) {
    uint32_t x = ((const Plant *)a)->identity, y = ((const Plant *)b)->identity;
    return (x > y) - (x < y);
}

static void resolve(Wood *wood, int step) {
    qsort(wood->seeds, (size_t)wood->seed_count, sizeof *wood->seeds, by_identity);
    for (int i = 0; i < wood->seed_count; i++) {
        Plant *seed = &wood->seeds[i];
        if (seed->x < 0 || seed->x > wood->side || seed->z < 0 || seed->z > wood->side) continue;
        seed->y = 3;
        if (contest(wood, seed, step)) add(wood, seed);
    }
    wood->seed_count = 0;
}

double GROWN(int64_t side) {
    Wood wood = {.side = (double)side, .cell = fmax(shade_radius, (double)side / 1024)};
    wood.across = cell_of(&wood, wood.side) + 1;
    size_t most = (size_t)(0.2 * wood.side * wood.side), cells = (size_t)wood.across * (size_t)wood.across;
    wood.heads = malloc(cells * sizeof *wood.heads);
    wood.before = malloc(most * sizeof *wood.before);
    wood.plants = malloc(most * sizeof *wood.plants);
    wood.seeds = malloc(most * sizeof *wood.seeds);
    for (size_t i = 0; i < cells; i++)
        wood.heads[i] = -1;
    sow(&wood);
    for (int step = 0; step <= STEPS; step++) {
        if (step) drop(&wood, step);
        resolve(&wood, step);
    }
    double sum = 0;
    for (int i = 0; i < wood.count; i++) {
        Plant *plant = &wood.plants[i];
        double grown = fmax(maturity(STEPS - plant->born), 0.05);
        plant->turn = tau * unit(plant->identity, 1);
        plant->size = (0.8 + 0.4 * unit(plant->identity, 3)) * grown;
        sum += plant->size;
    }
    free(wood.heads);
    free(wood.before);
    free(wood.plants);
    free(wood.seeds);
    return sum;
}
