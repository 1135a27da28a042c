#include "runtime/lod/lod.h"

#include <math.h>

/* -- the tree -- */

static int side_of(int level) {
    return LOD_SIDE << level;
}

/* A tile by its place among those of its level. */
typedef struct Node {
    int column, row, level;
} Node;

static bool exists(const LodLand *land, Node node) {
    return node.column >= 0 && node.row >= 0 && (int64_t)node.column * side_of(node.level) < land->lattice.columns - 1 &&
           (int64_t)node.row * side_of(node.level) < land->lattice.rows - 1;
}

/* What the land keeps of a tile; of part of a divided one what it keeps of all of that. */
static size_t kept(const LodLand *land, Node node, const LodLevel **level) {
    if (node.level < land->base) {
        int up = land->base - node.level;
        node = (Node){node.column >> up, node.row >> up, land->base};
    }
    *level = &land->levels[node.level];
    return (size_t)node.row * (size_t)(*level)->columns + (size_t)node.column;
}

static int finest_of(const LodLand *land, Node node) {
    const LodLevel *level;
    size_t at = kept(land, node, &level);
    return level->finest ? level->finest[at] : 0;
}

static void box_of(const LodLand *land, Node node, double low[3], double high[3]) {
    const LodLevel *level;
    size_t at = kept(land, node, &level);
    const LodLattice *lattice = &land->lattice;
    double side = side_of(node.level) * lattice->cell;
    low[0] = lattice->x0 + node.column * side, low[2] = lattice->z0 + node.row * side;
    high[0] = fmin(low[0] + side, lattice->x0 + (lattice->columns - 1) * lattice->cell);
    high[2] = fmin(low[2] + side, lattice->z0 + (lattice->rows - 1) * lattice->cell);
    low[1] = (double)(level->low ? level->low[at] : land->low), high[1] = (double)(level->high ? level->high[at] : land->high);
}

double lod_over(const LodLand *land, const LodEye *eye) {
    return fmax(0, eye->at[1] - (double)land->high);
}

/* Of a distance alone, not of how high the ground is there: so it is one for whoever shares a vertex. */
static double distance_of(const LodLand *land, const LodEye *eye, double x, double z) {
    double over = lod_over(land, eye);
    return sqrt(x * x + over * over + z * z);
}

static bool divides(const LodLand *land, const LodEye *eye, Node node) {
    if (node.level <= finest_of(land, node)) return false;
    if (node.level > land->coarsest) return true;
    if (eye->uniform >= 0) return node.level > eye->uniform;
    double half = side_of(node.level) * land->lattice.cell / 2;
    double x = fabs(land->lattice.x0 + (2 * node.column + 1) * half - eye->at[0]) - half;
    double z = fabs(land->lattice.z0 + (2 * node.row + 1) * half - eye->at[2]) - half;
    return distance_of(land, eye, fmax(x, 0), fmax(z, 0)) < ldexp(eye->reach, node.level - 1);
}

/* The level of the tile that holds a place, in half cells so that it lies on nobody's border; -1 off the land. */
static int level_at(const LodLand *land, const LodEye *eye, int64_t x, int64_t z) {
    if (x < 0 || z < 0 || x >= 2 * (int64_t)(land->lattice.columns - 1) || z >= 2 * (int64_t)(land->lattice.rows - 1)) return -1;
    for (int level = land->top; level > 0; level--) {
        int side = 2 * side_of(level);
        if (!divides(land, eye, (Node){(int)(x / side), (int)(z / side), level})) return level;
    }
    return 0;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* The levels of the eight tiles about it, or its own where they are finer. */
static uint32_t beside(const LodLand *land, const LodEye *eye, Node node) {
    int64_t side = 2 * (int64_t)side_of(node.level), x[3], z[3];
    for (int k = 0; k < 3; k++) {
        x[k] = node.column * side + (k == 0 ? -1 : k == 1 ? 1 : side + 1);
        z[k] = node.row * side + (k == 0 ? -1 : k == 1 ? 1 : side + 1);
    }
    int levels[3][3];
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            levels[j][i] = i == 1 && j == 1 ? node.level : larger(node.level, level_at(land, eye, x[i], z[j]));
    uint32_t packed = 0;
    for (int k = 0, at = 0; k < 9; k++) {
        int i = k % 3, j = k / 3, level = levels[j][i];
        if (k == 4) continue;
        if (i != 1 && j != 1) level = larger(level, larger(levels[j][1], levels[1][i])); /* a corner is theirs too */
        packed |= (uint32_t)level << 4 * at++;
    }
    return packed;
}

typedef struct Choice {
    const LodLand *land;
    const LodEye *eye;
    LodTile *tiles;
    int count, most;
} Choice;

static void choose(Choice *choice, Node node) {
    const LodEye *eye = choice->eye;
    double low[3], high[3];
    if (!exists(choice->land, node)) return;
    box_of(choice->land, node, low, high);
    if (eye->sees && !eye->sees(eye->user, low, high)) return;
    if (divides(choice->land, eye, node)) {
        for (int k = 0; k < 4; k++)
            choose(choice, (Node){2 * node.column + k % 2, 2 * node.row + k / 2, node.level - 1});
        return;
    }
    if (choice->count < choice->most)
        choice->tiles[choice->count] = (LodTile){node.column * side_of(node.level), node.row * side_of(node.level), node.level,
                                                 beside(choice->land, eye, node)};
    choice->count++;
}

int lod_choose(const LodLand *land, const LodEye *eye, LodTile *tiles, int most) {
    Choice choice = {.land = land, .eye = eye, .tiles = tiles, .most = most};
    choose(&choice, (Node){0, 0, land->top});
    return choice.count;
}

/* -- vertices -- */

/* Where a vertex of a level moves to: a sample of the next. */
static void move_up(int32_t *x, int32_t *z, int level) {
    int32_t step = (int32_t)1 << level;
    bool odd_x = *x >> level & 1, odd_z = *z >> level & 1;
    bool anti = odd_x && odd_z && ((*x >> (level + 1)) + (*z >> (level + 1))) & 1;
    if (odd_x) *x += anti ? step : -step;
    if (odd_z) *z -= step;
}

static int level_of(const LodTile *tile, int u, int v) {
    int i = u == 0 ? 0 : u == LOD_SIDE ? 2 : 1, j = v == 0 ? 0 : v == LOD_SIDE ? 2 : 1, k = 3 * j + i;
    return k == 4 ? tile->level : (int)(tile->beside >> 4 * (k > 4 ? k - 1 : k) & 15);
}

LodVertex lod_vertex(const LodTile *tile, int u, int v) {
    LodVertex vertex = {tile->x + u * (1 << tile->level), tile->z + v * (1 << tile->level), 0, 0, level_of(tile, u, v)};
    for (int level = tile->level; level < vertex.level; level++)
        move_up(&vertex.x, &vertex.z, level);
    vertex.to_x = vertex.x, vertex.to_z = vertex.z;
    move_up(&vertex.to_x, &vertex.to_z, vertex.level);
    return vertex;
}

/* It begins where no tile of the level below can be any more, and ends a little before the level does, so that rounding moves nothing. */
void lod_way(const LodLand *land, const LodEye *eye, double *from, double *to) {
    *to = 0.998 * eye->reach;
    *from = fmin(0.5 * eye->reach + 1.5 * LOD_SIDE * land->lattice.cell, 0.95 * *to);
    if (eye->uniform >= 0) *from = 1e30, *to = 2e30;
}

double lod_morph(const LodLand *land, const LodEye *eye, int level, double x, double z) {
    double from, to;
    lod_way(land, eye, &from, &to);
    if (level >= land->coarsest) return 0;
    double far = ldexp(distance_of(land, eye, x - eye->at[0], z - eye->at[2]), -level);
    return fmin(1, fmax(0, (far - from) / (to - from)));
}

void lod_indices(uint16_t indices[LOD_INDICES]) {
    static const int even[6][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 0}, {1, 1}, {1, 0}}, odd[6][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (int v = 0; v < LOD_SIDE; v++)
        for (int u = 0; u < LOD_SIDE; u++)
            for (int k = 0; k < 6; k++) {
                const int *corner = (u + v) % 2 ? odd[k] : even[k];
                *indices++ = (uint16_t)((v + corner[1]) * (LOD_SIDE + 1) + u + corner[0]);
            }
}
