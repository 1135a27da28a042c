layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

// Fair-weather clouds on a plane high above, thinned toward the horizon.
vec3 clouds_over(vec3 sky, vec3 direction) {
    if (direction.y < 0.015 || ON_PLANET) return sky;
    vec2 place = eye.xz * 0.2 + direction.xz / (direction.y + 0.06) * 900.0;
    float cover = air.z + 0.5 * noise_fbm(place, 300.0) + 0.22 * noise(place, 1100.0);
    float body = smoothstep(0.56, 0.86, cover) * smoothstep(0.015, 0.20, direction.y);
    float lit =
        smoothstep(-0.25, 0.35, cover - 0.5 - 0.5 * noise_fbm(place + sun.xz * 70.0, 300.0));
    vec3 cloud = mix(vec3(0.78, 0.83, 0.90), vec3(1.25, 1.2, 1.12), lit);
    if (HAS_DAY) { // a covered sky is gray
        float covered = smoothstep(0.65, 1.05, air.z);
        cloud = sky_light * mix(0.8, 0.5, covered) + sun_light * mix(0.08, 0.32, lit);
        cloud = mix(cloud, vec3(dot(cloud, vec3(0.3, 0.5, 0.2))) * (0.75 + 0.4 * cover), 0.8 * covered);
    }
    return mix(sky, cloud, body * 0.75);
}

// One in some cells of a lattice round the eye, where the sky is dark.
vec3 stars_at(vec3 direction, vec3 sky) {
    vec3 place = direction * 160.0, cell = floor(place);
    uvec3 h = uvec3(ivec3(cell)) * 1664525u + 1013904223u;
    h.x += h.y * h.z, h.y += h.z * h.x, h.z += h.x * h.y;
    h ^= h >> 16u;
    h.x += h.y * h.z, h.y += h.z * h.x, h.z += h.x * h.y;
    vec3 at = cell + 0.25 + 0.5 * vec3(h >> 8u) / 16777216.0;
    float away = length(place - at), bright = float(h.x & 255u) / 255.0;
    float seen = float((h.y & 31u) == 0u) * (1.0 - smoothstep(0.05, 0.14, away));
    seen *= ON_PLANET ? 1.0 - smoothstep(0.0, 0.12, sky.g) : smoothstep(0.0, 0.15, direction.y) * (1.0 - smoothstep(0.0, 0.06, sky_light.g));
    return vec3(0.9, 0.95, 1.0) * seen * bright * bright * (ON_PLANET ? 1.2 : 0.12);
}

void main() {
    if (sea.y > 0.5 && sea.z > 0.0) { // from under water no sky is seen but through the surface, which is drawn
        color = to_screen(water_glow(sea.z));
        return;
    }
    vec3 direction = normalize(
        ray_forward.xyz + (eye.w > 0.5 ? vec3(0.0) : at.x * ray_right.xyz + at.y * ray_up.xyz));
    vec3 sky = clouds_over(sky_base(direction), direction);
    if (air.w > 0.5) sky += stars_at(direction, sky);
    sky += (HAS_DAY ? sun_light * 2.6 : vec3(8.0, 6.4, 4.2)) * smoothstep(0.99945, 0.99975, dot(direction, sun.xyz));
    color = to_screen(sky);
}
