// The land as its own maps tell it, and the ground's color from height, slope, hollows and cover.
layout(std140, binding = 1) uniform Land {
    vec4 to_eye[3];       // rows: land place to eye-relative place
    vec4 from_eye[3];     // rows: eye-relative place to land place
    vec4 grid;            // x0, z0, cell, 1 when there is cover
    ivec4 samples;        // columns, rows
};
layout(binding = 0) uniform sampler2D height_map;
layout(binding = 1) uniform sampler2D look_map;  // gradient x, gradient z, hollow per meter, open sky
layout(binding = 2) uniform sampler2D cover_map; // path, brook, forest, grove

struct Ground {
    float height;     // above the sea, meters
    vec3 normal;      // in the land's frame
    float hollow;
    float open;
    vec4 cover;
};

vec3 land_place(vec3 relative) {
    vec4 p = vec4(relative, 1.0);
    return vec3(dot(from_eye[0], p), dot(from_eye[1], p), dot(from_eye[2], p));
}

vec3 land_to_world(vec3 v) {
    return normalize(vec3(dot(to_eye[0].xyz, v), dot(to_eye[1].xyz, v), dot(to_eye[2].xyz, v)));
}

vec2 land_uv(vec2 place) {
    return ((place - grid.xy) / grid.z + 0.5) / vec2(samples.xy);
}

Ground ground_at(vec3 place, float height) {
    vec2 uv = land_uv(place.xz);
    vec4 look = texture(look_map, uv);
    vec4 cover = grid.w > 0.5 ? texture(cover_map, uv) : vec4(0.0);
    return Ground(height, normalize(vec3(-look.x, 1.0, -look.y)), look.z, look.w, cover);
}

vec3 grass_color(Ground g, vec2 place, float broad, float fine) {
    vec3 meadow = mix(vec3(0.118, 0.175, 0.040), vec3(0.205, 0.235, 0.065), smoothstep(-0.45, 0.5, broad));
    vec3 lush = vec3(0.070, 0.135, 0.030);
    vec3 dry = vec3(0.30, 0.26, 0.105);
    vec3 color = mix(meadow, lush, clamp(g.hollow * 22.0 + 0.30 * fine, 0.0, 1.0));
    color = mix(color, dry, smoothstep(0.15, 0.85, 0.55 * broad + 0.4 * fine - g.hollow * 10.0
                                                    + smoothstep(60.0, 140.0, g.height) * 0.5));
    return color;
}

vec3 rock_color(Ground g, vec2 place, float fine) {
    float band = noise(vec2(g.height * 3.1, g.height * 0.7 + place.x * 0.02), 6.0);
    vec3 color = mix(vec3(0.185, 0.165, 0.145), vec3(0.335, 0.315, 0.285), 0.5 + 0.5 * fine);
    return color * (1.0 + 0.16 * band);
}

// `distance` from the eye fades what is too fine to see there.
vec3 ground_color(Ground g, vec2 place, float distance) {
    float broad = noise_fbm(place, 42.0), fine = noise_fbm(place + 91.0, 5.5);
    float tiny = noise(place, 0.35) * (1.0 - smoothstep(10.0, 90.0, distance));
    float steep = length(g.normal.xz) / g.normal.y;
    vec3 color = grass_color(g, place, broad, fine);
    color = mix(color, vec3(0.050, 0.068, 0.024) * (1.0 + 0.4 * fine), 0.75 * max(g.cover.b, g.cover.a));
    vec3 earth = mix(vec3(0.20, 0.145, 0.085), vec3(0.27, 0.205, 0.125), 0.5 + 0.5 * fine);
    color = mix(color, earth, smoothstep(0.42, 0.66, steep + 0.16 * fine + 0.10 * broad) * 0.8);
    color = mix(color, rock_color(g, place, fine), smoothstep(0.58, 0.86, steep + 0.20 * fine + 0.12 * broad));
    vec3 sand = mix(vec3(0.60, 0.49, 0.325), vec3(0.70, 0.585, 0.41), 0.5 + 0.5 * fine);
    float shore = g.height + 0.75 * broad + 0.45 * fine;
    color = mix(sand, color, smoothstep(1.7, 3.0, shore));
    color *= mix(vec3(0.50, 0.47, 0.45), vec3(1.0), smoothstep(0.12, 0.75, g.height + 0.18 * fine));
    color = mix(color, earth * 0.62, g.cover.g * 0.75);
    color = mix(color, earth * 1.18, smoothstep(0.25, 0.65, g.cover.r + 0.12 * fine));
    return color * (1.0 + 0.16 * tiny) * (1.0 - clamp(g.hollow * 5.0, -0.12, 0.22));
}
