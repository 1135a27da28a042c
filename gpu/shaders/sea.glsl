// The way the sea faces, for those that light it.

// Slopes along x and z, how far the water is drawn apart, and the mean square of the slopes that a pixel is too large for.
vec4 waves_of(vec3 still, float shoal) {
    vec4 sum = vec4(0.0);
    for (int tile = 0; tile < 3; tile++) {
        vec4 one = texture(slope_map, tile_at(still.xz, tile));
        one.w = max(one.w - dot(one.xy, one.xy), 0.0);
        sum += one;
    }
    return sum * vec4(shoal, shoal, shoal, shoal * shoal);
}

// What no tile has: the wind's ripples, on the open sea alone.
vec3 sea_normal(vec3 place, float open, float distance, vec4 waves) {
    vec2 blown = vec2(0.87, 0.5) * moment.x * open;
    vec3 ripples = vec3(0.0);
    if (distance < 1250.0) ripples = wave_normal(place.xz + 0.7 * blown, 0.9, distance);
    if (distance < 330.0) ripples += 2.5 * wave_normal(place.zx - 0.4 * blown, 0.24, distance);
    float ripple = mix(0.12, clamp(0.14 * sea_state.z, 0.4, 1.3), open);
    return normalize(vec3(-waves.x, 1.0, -waves.y) + ripple * vec3(ripples.x, 0.0, ripples.z));
}
