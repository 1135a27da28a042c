layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

// Fair-weather clouds on a plane high above, thinned toward the horizon.
vec3 clouds_over(vec3 sky, vec3 direction) {
    if (direction.y < 0.015) return sky;
    vec2 place = eye.xz * 0.2 + direction.xz / (direction.y + 0.06) * 900.0;
    float cover = 0.5 + 0.5 * noise_fbm(place, 300.0) + 0.22 * noise(place, 1100.0);
    float body = smoothstep(0.56, 0.86, cover) * smoothstep(0.015, 0.20, direction.y);
    float lit =
        smoothstep(-0.25, 0.35, cover - 0.5 - 0.5 * noise_fbm(place + sun.xz * 70.0, 300.0));
    vec3 cloud = mix(vec3(0.78, 0.83, 0.90), vec3(1.25, 1.2, 1.12), lit);
    return mix(sky, cloud, body * 0.75);
}

void main() {
    vec3 direction = normalize(
        ray_forward.xyz + (eye.w > 0.5 ? vec3(0.0) : at.x * ray_right.xyz + at.y * ray_up.xyz));
    vec3 sky = clouds_over(sky_base(direction), direction);
    sky += vec3(8.0, 6.4, 4.2) * smoothstep(0.99945, 0.99975, dot(direction, sun.xyz));
    color = to_screen(sky);
}
