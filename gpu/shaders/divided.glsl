// Heights of the land's samples, and of finer ones where squares are divided, as runtime/base/finer.h lays them out. LAND_DIVIDED, a constant of the scene: into
// how many squares a side; 0: none is. Samples are counted in the finest lattice; `last` is its last.
layout(binding = 0) uniform sampler2D height_map;
#if LAND_DIVIDED > 0
layout(std430, binding = 6) readonly buffer Divided {
    float divided[]; // of each tile its patch's number, or -1; the patches
};
const int divided_side = 16 * LAND_DIVIDED + 1; // samples along a patch

// Where a sample stands; -1: its tile is not divided.
int divided_at(ivec2 at, ivec2 last) {
    ivec2 tiles = (last / LAND_DIVIDED - 1) / 16 + 1, tile = min(at / (16 * LAND_DIVIDED), tiles - 1), inside = at - tile * 16 * LAND_DIVIDED;
    int number = int(divided[tile.y * tiles.x + tile.x]);
    return number < 0 ? -1 : tiles.x * tiles.y + (number * divided_side + inside.y) * divided_side + inside.x;
}

float sample_height(ivec2 at, ivec2 last) {
    at = clamp(at, ivec2(0), last);
    ivec2 whole = at / LAND_DIVIDED;
    if (whole * LAND_DIVIDED == at) return texelFetch(height_map, whole, 0).r;
    int found = divided_at(at, last);
    return found < 0 ? textureLod(height_map, (vec2(at) / float(LAND_DIVIDED) + 0.5) / vec2(last / LAND_DIVIDED + 1), 0.0).r : divided[found];
}
#else
float sample_height(ivec2 at, ivec2 last) {
    return texelFetch(height_map, min(at, last), 0).r;
}
#endif
