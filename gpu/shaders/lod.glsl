// Where the vertices of the land's tiles lie: what runtime/lod/lod.c says, once more. Mirrors LodBlock of gpu/land.c.
layout(std140, binding = 8) uniform Lod {
    ivec4 lod_anchor; // the sample nearest to the eye; the lattice's last
    vec4 lod_at;      // that sample's x and z from the eye, the eye's height, how far it is over the land
    vec4 lod_about;   // of where distances are counted from, x and z from the eye
    vec4 lod_way;     // meters between samples; where vertices of level 0 begin to move, one by how long they do
    ivec4 lod_source; // of a function the lattice's first sample, by its number in the windows; the coarsest level; 1: it is a function
};
layout(binding = 14) uniform sampler2DArray clip_heights; // a function's windows, as gpu/land_clip.h lays them out
layout(binding = 15) uniform sampler2DArray clip_faces;

const int LOD_SIDE = 16;

struct LodVertex {
    ivec2 at, to; // samples
    int level;
};

// Where a vertex of a level moves to: a sample of the next.
ivec2 move_up(ivec2 at, int level) {
    ivec2 odd = at >> level & 1, square = at >> (level + 1);
    bool anti = odd.x + odd.y == 2 && (square.x + square.y & 1) == 1;
    return at + (ivec2(anti ? odd.x : -odd.x, -odd.y) << level);
}

LodVertex lod_vertex(ivec4 tile, ivec2 uv) {
    ivec2 side = ivec2(equal(uv, ivec2(LOD_SIDE))) * 2 + ivec2(greaterThan(uv, ivec2(0))) * ivec2(lessThan(uv, ivec2(LOD_SIDE)));
    int k = 3 * side.y + side.x;
    int level = k == 4 ? tile.z : int(uint(tile.w) >> 4 * (k > 4 ? k - 1 : k) & 15u);
    ivec2 at = tile.xy + (uv << tile.z);
    for (int below = tile.z; below < level; below++)
        at = move_up(at, below);
    return LodVertex(at, move_up(at, level), level);
}

ivec3 clip_texel(ivec2 at, int level) {
    return ivec3((at + lod_source.xy) >> level & 511, level);
}

float lod_height(ivec2 at, int level) {
    return lod_source.w == 0 ? sample_height(at, lod_anchor.zw) : texelFetch(clip_heights, clip_texel(at, level), 0).r;
}

// The way a function's ground faces, in the land's frame.
vec3 lod_face(ivec2 at, int level) {
    vec2 face = texelFetch(clip_faces, clip_texel(at, level), 0).rg;
    return vec3(face.x, sqrt(max(1.0 - dot(face, face), 0.0)), face.y);
}

// From the eye, in the land's frame.
vec3 lod_place(ivec2 at, int level) {
    vec2 plan = vec2(min(at, lod_anchor.zw) - lod_anchor.xy) * lod_way.x + lod_at.xy;
    return vec3(plan.x, lod_height(at, level) - lod_at.z, plan.y);
}

// How far a vertex is on its way.
float lod_morph(vec3 place, int level) {
    float far = length(vec3(place.x - lod_about.x, lod_at.w, place.z - lod_about.y)) * exp2(-float(level));
    return level < lod_source.z ? clamp((far - lod_way.y) * lod_way.z, 0.0, 1.0) : 0.0;
}
