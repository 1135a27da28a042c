// The land as its own maps tell it, and the ground's color from height, slope, hollows and named maps.
layout(binding = 0) uniform sampler2D height_map;
layout(binding = 1) uniform sampler2D look_map;  // gradient x and z, hollow, open sky
// What the world maps by name; each is none where there is no such map.
layout(binding = 2) uniform sampler2D brook_map; // 0 none to 1 most, as are forest and grove
layout(binding = 7) uniform sampler2D forest_map;
layout(binding = 8) uniform sampler2D grove_map;
layout(binding = 6) uniform sampler2D path_map; // from a path's edge, meters
// The color of the world's own, of all three or of none; it takes the place of grass and woods.
layout(binding = 9) uniform sampler2D red_map;
layout(binding = 10) uniform sampler2D green_map;
layout(binding = 11) uniform sampler2D blue_map;

struct Ground {
    float height; // above the sea, meters
    vec3 normal;  // in the land's frame
    float hollow;
    float open;
    float brook, wood; // wood: forest or grove
};

float map_at(sampler2D map, vec4 lattice, vec2 place, float none) {
    vec2 uv = ((place - lattice.xy) / lattice.z + 0.5) / vec2(textureSize(map, 0));
    if (lattice.w == 0.0 || any(greaterThan(abs(uv - 0.5), vec2(0.5)))) return none;
    return texture(map, uv).r;
}

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
    float brook = map_at(brook_map, map_lattice[0], place.xz, 0.0);
    float wood = max(map_at(forest_map, map_lattice[1], place.xz, 0.0),
                     map_at(grove_map, map_lattice[2], place.xz, 0.0));
    return Ground(height, normalize(vec3(-look.x, 1.0, -look.y)), look.z, look.w, brook, wood);
}

// Noise of the ground, each layer read once: `broad` over tens of meters, `fine` over meters,
// `grain` over a hand's breadth.
struct Weave {
    float vast, broad, fine, grain;
};

Weave weave_at(vec2 place, float distance) {
    mat2 turn = mat2(0.8, -0.6, 0.6, 0.8);
    vec4 a = texture(noise_map, place / (42.0 * 16.0)),
         b = texture(noise_map, turn * place / (13.0 * 16.0));
    vec4 c = texture(noise_map, place / (4.4 * 16.0)),
         d = texture(noise_map, turn * place / (1.15 * 16.0));
    float vast = texture(noise_map, turn * place / (210.0 * 16.0)).a * 2.0 - 1.0;
    float grain = 0.0;
    if (distance < 140.0) {
        vec4 e = texture(noise_map, place / (0.30 * 16.0)),
             f = texture(noise_map, turn * place / (0.085 * 16.0));
        grain = (e.r * 0.6 + f.g * 0.4) * 2.0 - 1.0;
        grain *= 1.0 - smoothstep(25.0, 140.0, distance);
    }
    return Weave(vast, (a.r * 0.55 + b.g * 0.30 + c.b * 0.15) * 2.0 - 1.0,
                 (c.r * 0.55 + d.g * 0.45) * 2.0 - 1.0, grain);
}

vec3 grass_color(Ground g, Weave w) {
    vec3 meadow =
        mix(vec3(0.084, 0.122, 0.030), vec3(0.146, 0.166, 0.046), smoothstep(-0.5, 0.5, w.broad));
    vec3 lush = vec3(0.050, 0.090, 0.022);
    vec3 dry = vec3(0.240, 0.205, 0.082);
    vec3 color =
        mix(meadow, lush, clamp(g.hollow * 20.0 + 0.35 * w.fine - 0.25 * w.vast, 0.0, 1.0));
    color = mix(color, dry,
                smoothstep(0.20, 1.0,
                           0.55 * w.broad + 0.35 * w.fine + 0.45 * w.vast - g.hollow * 9.0 +
                               smoothstep(60.0, 150.0, g.height) * 0.5));
    return color * (1.0 + 0.55 * w.grain + 0.10 * w.fine);
}

vec3 rock_color(Ground g, vec2 place, Weave w) {
    float band = noise(vec2(g.height * 3.1, g.height * 0.7 + place.x * 0.02), 6.0);
    vec3 color = mix(vec3(0.150, 0.132, 0.114), vec3(0.285, 0.262, 0.232),
                     0.5 + 0.5 * w.fine + 0.2 * w.broad);
    return color * (1.0 + 0.20 * band + 0.25 * w.grain);
}

// Packed earth on a path, its edge frayed; worn ground beside it.
vec3 trodden(vec3 color, vec3 earth, Weave w, float edge) {
    edge += 0.30 * w.fine + 0.16 * w.grain;
    color = mix(color, mix(color, earth, 0.45), 1.0 - smoothstep(0.2, 1.6, edge));
    return mix(color, earth * 1.45, 1.0 - smoothstep(-0.20, 0.14, edge));
}

vec3 own_color(vec2 place, Weave w) {
    vec3 color = vec3(map_at(red_map, map_lattice[4], place, 0.0), map_at(green_map, map_lattice[5], place, 0.0),
                      map_at(blue_map, map_lattice[6], place, 0.0));
    return color * (1.0 + 0.45 * w.grain + 0.16 * w.fine + 0.10 * w.broad);
}

// `distance` from the eye: what is too fine to see there is left out.
vec3 ground_color(Ground g, vec2 place, float distance) {
    Weave w = weave_at(place, distance);
    float steep = length(g.normal.xz) / g.normal.y;
    vec3 color = grass_color(g, w);
    color = mix(color, vec3(0.044, 0.058, 0.020) * (1.0 + 0.4 * w.fine),
                0.75 * g.wood);
    if (map_lattice[4].w * map_lattice[5].w * map_lattice[6].w > 0.0) color = own_color(place, w);
    vec3 earth = mix(vec3(0.160, 0.112, 0.064), vec3(0.235, 0.172, 0.102), 0.5 + 0.5 * w.fine) *
                 (1.0 + 0.3 * w.grain);
    color = mix(color, earth, smoothstep(0.42, 0.66, steep + 0.18 * w.fine + 0.10 * w.broad) * 0.8);
    float bare = smoothstep(0.58, 0.86, steep + 0.22 * w.fine + 0.12 * w.broad);
    if (bare > 0.0) color = mix(color, rock_color(g, place, w), bare);
    vec3 sand = mix(vec3(0.50, 0.405, 0.265), vec3(0.615, 0.510, 0.350), 0.5 + 0.5 * w.fine) *
                (1.0 + 0.22 * w.grain);
    color = mix(sand, color,
                smoothstep(1.7, 3.0, g.height + 0.75 * w.broad + 0.45 * w.fine + 0.3 * w.grain));
    color *=
        mix(vec3(0.48, 0.46, 0.45), vec3(1.0), smoothstep(0.12, 0.75, g.height + 0.18 * w.fine));
    color = mix(color, earth * 0.62, g.brook * 0.75);
    color = trodden(color, earth, w, map_at(path_map, map_lattice[3], place, 6.0));
    color *= 1.0 - clamp(g.hollow * 5.0, -0.12, 0.24);
    return mix(color, vec3(1.0), land_paint.w) * land_paint.rgb;
}
