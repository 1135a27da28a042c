// The sea's waves, as the processor answers them (runtime/ocean). Mirrors SeaBlock of gpu/sea.c.
layout(std140, binding = 4) uniform Sea {
    vec4 tile_size;   // of three, meters; w: points a side
    vec4 tile_eye[3]; // where the eye lies in each, from 0 to 1
    vec4 sea_state;   // significant height, where water breaks, wind, length of the highest waves
    vec4 fan;         // of the mesh: the first way, radians; from column to column; the nearest ring, meters; each ring by the one before, as log2
    vec4 shore_scale; // from a sample of the land to the shore map; z: how far the sea is drawn, meters
    ivec4 lattice;    // columns and rings of the mesh; of the rings, so many grow by the same share
};
layout(binding = 0) uniform sampler2D bed_map; // the land's heights
layout(binding = 9) uniform sampler2DArray cells_map;
layout(binding = 10) uniform sampler2DArray slope_map;
layout(binding = 11) uniform sampler2D shore_map; // 1 where the sea is, 0 in ponds

vec3 tile_at(vec2 relative, int tile) {
    return vec3(tile_eye[tile].xy + relative / tile_size[tile] + 0.5 / tile_size.w, tile);
}

// The land's place of one relative to the eye, on the plan.
vec3 bed_place(vec3 relative) {
    vec4 p = vec4(relative, 1.0);
    return vec3(dot(from_eye[0], p), dot(from_eye[1], p), dot(from_eye[2], p));
}

vec2 bed_sample(vec2 place) {
    return (place - grid.xy) / grid.z + 0.5;
}

float still_depth(vec3 place) {
    if (samples.x == 0) return 1e4;
    vec2 at = bed_sample(place.xz) - 0.5, past = max(max(-at, at - vec2(samples.xy - 1)), 0.0) * grid.z;
    return place.y - textureLod(bed_map, bed_sample(place.xz) / vec2(samples.xy), 0.0).r + min(0.4 * length(past), 30.0);
}

float shore_open(vec3 place) {
    if (samples.x == 0) return 1.0;
    vec2 at = bed_sample(place.xz);
    bool past = any(lessThan(at, vec2(0.0))) || any(greaterThan(at, vec2(samples.xy)));
    return past ? 1.0 : textureLod(shore_map, at * shore_scale.xy, 0.0).r;
}

// What the ground leaves of the waves; `still` is a place at the sea's level.
float shoaled(vec3 still) {
    vec3 place = bed_place(still);
    float x = max(still_depth(place), 0.0) / sea_state.x;
    return shore_open(place) * x / sqrt(1.0 + x * x);
}
