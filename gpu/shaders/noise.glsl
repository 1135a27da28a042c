// Smooth noise from one tiling texture of four fields: cheap, and filtered when it is far.
layout(binding = 3) uniform sampler2D noise_map;
layout(binding = 2) uniform sampler2D noise_slopes; // what its first field grows by, as gpu/scenery.c lays it out

// In [-1, 1]; `size` is roughly the length of its features, meters.
float noise(vec2 place, float size) {
    return texture(noise_map, place / (size * 16.0)).r * 2.0 - 1.0;
}

// How noise of that size grows along x and z, over 0.14 of it, per meter.
vec2 noise_slope(vec2 place, float size) {
    return (texture(noise_slopes, place / (size * 16.0)).rg - 0.5) * (1.1 / 0.14) / size;
}

// Three octaves, turned against each other so that no tiling shows.
float noise_fbm(vec2 place, float size) {
    mat2 turn = mat2(0.8, -0.6, 0.6, 0.8);
    float sum = texture(noise_map, place / (size * 16.0)).r * 0.55;
    place = turn * place;
    sum += texture(noise_map, place * 2.3 / (size * 16.0)).g * 0.3;
    sum += texture(noise_map, turn * place * 5.1 / (size * 16.0)).b * 0.15;
    return sum * 2.0 - 1.0;
}
