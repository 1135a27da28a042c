// Water seen from above: waves, what comes up through it, what it mirrors.

// Two trains of waves across each other, `size` and three and a half times as long; flat from
// afar.
vec3 wave_normal(vec2 place, float size, float distance) {
    float far = exp(-distance / (300.0 * size));
    vec3 tilt = vec3(0.0);
    for (int k = 0; k < 2; k++) {
        float long_size = k == 0 ? size : 3.5 * size;
        vec2 p = k == 0 ? place : vec2(place.y, -place.x) + 37.0;
        vec2 slope = noise_slope(p, long_size);
        tilt.xz += k == 0 ? slope * 0.10 : vec2(-slope.y, slope.x) * 0.22;
    }
    tilt *= size / 5.0;
    return normalize(vec3(-tilt.x * far, 1.0, -tilt.z * far));
}

// Past the land's border the bottom falls away.
float depth_past(vec2 place) {
    vec2 at = (place - grid.xy) / grid.z, past = max(max(-at, at - vec2(samples.xy - 1)), 0.0) * grid.z;
    return min(0.4 * length(past), 30.0);
}

float water_depth(vec3 place) {
    if (samples.x == 0) return 30.0;
    return max(place.y - height_at(place.xz), 0.0) + depth_past(place.xz);
}

// The share of light left after its way down to the bottom and up again, by color.
vec3 water_left(float depth, vec3 look) {
    return through_water(depth * (1.0 + 1.0 / max(-look.y, 0.25)));
}

// `under` is what comes up out of it; `rough` the mean square of the slopes that the normal leaves out, which lets it mirror
// a higher part of the sky, and spreads the sun.
vec3 water_mirror(vec3 under, vec3 look, vec3 normal, float rough, float lit) {
    vec3 mirror = reflect(look, normal);
    mirror.y = abs(mirror.y) + 0.7 * sqrt(rough);
    mirror = normalize(mirror);
    float facing = max(dot(-look, normal), 0.0);
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0) / (1.0 + 12.0 * sqrt(rough));
    vec3 result = mix(under, sky_base(mirror), min(fresnel, 0.85));
    float sharp = 1.0 / (0.004 + rough), peak = max(dot(normal, normalize(sun.xyz - look)), 0.0);
    float glint = exp(sharp * (peak * peak - 1.0) / max(peak * peak, 1e-3)) * sharp * 0.016;
    return result + sun_light * lit * glint * step(0.0, sun.y);
}
