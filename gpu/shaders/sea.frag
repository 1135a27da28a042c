layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 still;
layout(location = 2) in float shoal;
layout(location = 0) out vec4 color;

// Slopes along x and z, how far the water is drawn apart, and the mean square of the slopes that a pixel is too large for.
vec4 waves_of() {
    vec4 sum = vec4(0.0);
    for (int tile = 0; tile < 3; tile++) {
        vec4 one = texture(slope_map, tile_at(still.xz, tile));
        one.w = max(one.w - dot(one.xy, one.xy), 0.0);
        sum += one;
    }
    return sum * vec4(shoal, shoal, shoal, shoal * shoal);
}

// White on breaking crests, where the ground is near, and at its edge, where it comes and goes.
float foam_at(float depth, float open, vec2 place, float distance, float spread) {
    float near = 1.0 - smoothstep(80.0, 900.0, distance), broad = noise(place, 14.0);
    float lace = 0.5 + 0.5 * noise_fbm(place + vec2(0.13, 0.09) * moment.x, 1.6) * near;
    float fine = 0.5 + 0.5 * noise_fbm(place, 0.35) * (1.0 - smoothstep(20.0, 120.0, distance));
    float crest = smoothstep(sea_state.y, sea_state.y + 0.1, -spread) * smoothstep(0.3, 0.75, 0.5 * lace + 0.5 * fine);
    float high = clamp(sea_state.x, 0.15, 2.0), breath = 0.5 + 0.5 * sin(1.1 * moment.x + 4.0 * broad);
    float edge = high * (0.1 + 0.3 * breath);
    float swash = (1.0 - smoothstep(0.35 * edge, edge, depth - 0.08 * high * (lace - 0.5))) * (0.55 + 0.45 * (1.0 - breath));
    // Lines of surf run in: toward where the depth's root is less.
    float line = fract(sqrt(depth / high) * 0.9 + 0.16 * moment.x + 0.35 * broad);
    float surf = smoothstep(0.72, 0.95, line) * (1.0 - smoothstep(0.95, 1.0, line)) * (1.0 - smoothstep(0.8, 2.2, depth / high)) *
                 smoothstep(0.3, 0.65, lace + 0.25 * broad);
    float torn = mix(1.0, smoothstep(0.15, 0.6, fine + 0.35 * swash), near * 0.8);
    // What shallow ground takes of high waves breaks.
    float broken = (1.0 - smoothstep(0.3, 0.95, shoal)) * clamp(0.4 * sea_state.x - 0.3, 0.0, 1.0) * smoothstep(0.2, 0.7, 0.6 * lace + 0.4 * fine + 0.2 * broad);
    return clamp(crest + open * max(broken, torn * (swash + 0.7 * surf)), 0.0, 1.0);
}

// From under water: the sky in a round window, and round it the water once more (Snell).
vec3 seen_from_below(vec3 look, vec3 normal) {
    vec3 out_of = refract(look, -normal, 1.333);
    if (dot(out_of, out_of) < 0.01) return water_glow(sea.z);
    float lost = pow(1.0 - max(dot(out_of, normal), 0.0), 5.0);
    return mix(sky_base(out_of), water_glow(sea.z), lost);
}

void main() {
    float distance = length(relative);
    vec3 look = relative / distance, place = land_place(relative), level = land_place(still);
    float depth = water_depth(place), open = shore_open(level);
    vec4 waves = waves_of();
    // What no tile has: the wind's ripples, on the open sea alone.
    vec2 blown = vec2(0.87, 0.5) * moment.x * open;
    vec3 ripples = vec3(0.0);
    if (distance < 1250.0) ripples = wave_normal(place.xz + 0.7 * blown, 0.9, distance);
    if (distance < 330.0) ripples += 2.5 * wave_normal(place.zx - 0.4 * blown, 0.24, distance);
    float ripple = mix(0.12, clamp(0.14 * sea_state.z, 0.4, 1.3), open);
    vec3 normal = normalize(vec3(-waves.x, 1.0, -waves.y) + ripple * vec3(ripples.x, 0.0, ripples.z));
    float rough = waves.w + mix(0.0003, 0.001 + 0.0007 * sea_state.z, open);
    float lit = sunlit(relative, vec3(0.0, 1.0, 0.0));
    if (sea.z > 0.0) color = to_screen(haze_over(seen_from_below(look, normal), relative));
    if (sea.z > 0.0) return;
    // The sandy bottom where the ray that is bent by the waves meets it, dimmed on light's way down and up, and the water's own blue.
    float bent = water_depth(place + vec3(normal.x, 0.0, normal.z) * min(depth, 2.0) * 0.4);
    vec3 bottom = vec3(0.50, 0.43, 0.30);
    if (depth < 20.0) bottom *= 1.0 + 0.12 * noise_fbm(place.xz, 9.0);
    vec3 light = sun_light * max(sun.y, 0.0) * 0.75 * mix(0.55, 1.0, lit) + sky_light;
    float thin = 1.0 - smoothstep(0.0, 0.4, -waves.z) * 0.5; // crests let light through
    vec3 own = mix(vec3(0.02, 0.16, 0.17), vec3(0.012, 0.105, 0.150), thin);
    vec3 under = mix(own, bottom, water_left(mix(depth, bent, 0.7), look)) * light;
    vec3 result = water_mirror(under, look, normal, rough, lit);
    bool breaks = -waves.z > sea_state.y, shallow = open > 0.0 && (depth < 2.4 * clamp(sea_state.x, 0.15, 2.0) || (shoal < 0.95 && sea_state.x > 0.75));
    if (breaks || shallow) {
        float foam = foam_at(depth, open, place.xz, distance, waves.z);
        result = mix(result, shade(vec3(0.82, 0.86, 0.88), normal, relative, 1.0, 0.0), foam);
    }
    color = to_screen(haze_over(result, relative));
}
