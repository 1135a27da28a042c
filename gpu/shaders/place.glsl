// Where the land lies. Mirrors LandBlock of gpu/land.c.
layout(std140, binding = 1) uniform Land {
    vec4 to_eye[3];   // rows: land place to eye-relative place
    vec4 from_eye[3]; // rows: eye-relative place to land place
    vec4 grid;        // x0, z0, cell, and that of the look map
    ivec4 samples;    // columns, rows, and those of the look map
    vec4 land_paint;  // multiplies the ground's color
};

vec2 land_uv(vec2 place) {
    return ((place - grid.xy) / grid.z + 0.5) / vec2(samples.xy);
}

vec2 look_uv(vec2 place) {
    return ((place - grid.xy) / grid.w + 0.5) / vec2(max(samples.zw, ivec2(1)));
}

// The way the ground faces, as gpu/land_look.h lays it out.
vec3 look_normal(vec4 look) {
    vec2 n = (look.xy * 1023.0 - 511.0) / 511.0;
    return normalize(vec3(n.x, sqrt(max(1.0 - dot(n, n), 1e-4)), n.y));
}
