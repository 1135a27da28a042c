layout(location = 0) out vec4 color;

// White where the water is shallow: the swash itself, and a broken line of surf a little farther
// out.
float foam_at(float depth, vec2 place, float distance) {
    float fine = noise_fbm(place, 1.6) * (1.0 - smoothstep(80.0, 900.0, distance)),
          broad = noise(place, 14.0);
    float swash = 1.0 - smoothstep(0.05, 0.22 + 0.08 * broad, depth - 0.10 * fine);
    float line = depth - 0.75 - 0.25 * broad;
    float surf =
        (1.0 - smoothstep(0.0, 0.16, abs(line))) * smoothstep(0.0, 0.5, 0.35 + broad + 0.8 * fine);
    return clamp(swash + 0.6 * surf, 0.0, 1.0);
}

void main() {
    vec3 relative = sea_place();
    float distance = length(relative);
    vec3 look = relative / distance;
    vec3 place = land_place(relative);
    float depth = water_depth(place);
    // The sandy bottom dimmed on light's way down and up, and the water's own blue.
    vec3 bottom = vec3(0.50, 0.43, 0.30) * (1.0 + 0.12 * noise_fbm(place.xz, 9.0));
    float lit = sunlit(relative, vec3(0.0, 1.0, 0.0));
    vec3 light = sun_light * sun.y * 0.75 * mix(0.55, 1.0, lit) + sky_light;
    vec3 under = mix(vec3(0.012, 0.105, 0.150), bottom, water_left(depth, look)) * light;
    vec3 result = water_mirror(under, look, wave_normal(place.xz, 5.0, distance), lit);
    if (samples.x > 0)
        result = mix(result, shade(vec3(0.82, 0.86, 0.88), vec3(0.0, 1.0, 0.0), relative, 1.0, 0.0),
                     foam_at(depth, place.xz, distance));
    color = to_screen(haze_over(result, relative));
}
