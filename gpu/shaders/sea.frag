// The sea from above. Where the processor draws, water that foams is drawn by a program of its own, behind the other: both would be worked out everywhere.
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 still;
layout(location = 2) in float shoal;
layout(location = 0) out vec4 color;

void main() {
    float distance = length(relative);
    vec3 look = relative / distance, place = land_place(relative);
    float depth = water_depth(place), open = shore_open(land_place(still));
    vec4 waves = waves_of(still, shoal);
    bool breaks = -waves.z > sea_state.y, shallow = open > 0.0 && (depth < 2.4 * clamp(sea_state.x, 0.15, 2.0) || (shoal < 0.95 && sea_state.x > 0.75));
    bool foams = breaks || shallow;
#ifdef FOAM
    if (LOW_QUALITY && !foams) discard;
#else
    if (foams) discard;
#endif
    vec3 normal = sea_normal(place, open, distance, waves);
    float rough = waves.w + mix(0.0003, 0.001 + 0.0007 * sea_state.z, open);
    float lit = sunlit(relative, vec3(0.0, 1.0, 0.0), false);
    // The sandy bottom where the ray that is bent by the waves meets it, dimmed on light's way down and up, and the water's own blue.
    float bent = water_depth(place + vec3(normal.x, 0.0, normal.z) * min(depth, 2.0) * 0.4);
    vec3 bottom = vec3(0.50, 0.43, 0.30);
    if (depth < 20.0) bottom *= 1.0 + 0.12 * noise_fbm(place.xz, 9.0);
    vec3 light = sun_light * max(sun.y, 0.0) * 0.75 * mix(0.55, 1.0, lit) + sky_light;
    float thin = 1.0 - smoothstep(0.0, 0.4, -waves.z) * 0.5; // crests let light through
    vec3 own = mix(vec3(0.02, 0.16, 0.17), vec3(0.012, 0.105, 0.150), thin);
    vec3 under = mix(own, bottom, water_left(mix(depth, bent, 0.7), look)) * light;
    vec3 result = water_mirror(under, look, normal, rough, lit);
#ifdef FOAM
    if (foams) {
        float foam = foam_at(depth, shoal, open, place.xz, distance, waves.z);
        result = mix(result, shade_in(lit, vec3(0.82, 0.86, 0.88), normal, relative, 1.0, 0.0), foam);
    }
#endif
    color = to_screen(haze_over(result, relative));
}
