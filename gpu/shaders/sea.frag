layout(location = 0) out vec4 color;

// Where this pixel's ray meets the sea's level, eye-relative: steadier than interpolating over a
// square this large.
vec3 sea_place() {
    vec2 at = gl_FragCoord.xy / picture.xy * 2.0 - 1.0;
    vec3 across = at.x * ray_right.xyz + at.y * ray_up.xyz;
    vec3 start = eye.w > 0.5 ? across : vec3(0.0);
    vec3 direction = eye.w > 0.5 ? ray_forward.xyz : ray_forward.xyz + across;
    return start + direction * ((sea.z - start.y) / direction.y);
}

vec3 wave_normal(vec2 place, float distance) {
    float far = exp(-distance / 1500.0), reach = 0.7;
    vec3 tilt = vec3(0.0);
    for (int k = 0; k < 2; k++) {
        float size = k == 0 ? 5.0 : 17.0;
        vec2 p = k == 0 ? place : vec2(place.y, -place.x) + 37.0;
        float here = noise(p, size);
        vec2 slope =
            vec2(noise(p + vec2(reach, 0.0), size), noise(p + vec2(0.0, reach), size)) - here;
        tilt.xz += (k == 0 ? slope : vec2(-slope.y, slope.x)) / reach * (k == 0 ? 0.10 : 0.22);
    }
    return normalize(vec3(-tilt.x * far, 1.0, -tilt.z * far));
}

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
    float depth =
        samples.x > 0 ? max(place.y - texture(height_map, land_uv(place.xz)).r, 0.0) : 30.0;
    vec3 normal = wave_normal(place.xz, distance);
    // What comes up out of the water: the sandy bottom dimmed on its way down and up, and the
    // water's own blue.
    float slant = depth * (1.0 + 1.0 / max(-look.y, 0.25));
    vec3 left = exp(-slant * vec3(0.42, 0.105, 0.075));
    vec3 bottom = vec3(0.50, 0.43, 0.30) * (1.0 + 0.12 * noise_fbm(place.xz, 9.0));
    vec3 water = vec3(0.012, 0.105, 0.150);
    float lit = sunlit(relative, vec3(0.0, 1.0, 0.0));
    vec3 under =
        mix(water, bottom, left) * (sun_light * sun.y * 0.75 * mix(0.55, 1.0, lit) + sky_light);
    vec3 mirror = reflect(look, normal);
    mirror.y = abs(mirror.y);
    float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(-look, normal), 0.0), 5.0);
    fresnel = min(fresnel, 0.72);
    vec3 result = mix(under, sky_base(mirror), fresnel);
    result += sun_light * 1.6 * lit * pow(max(dot(mirror, sun.xyz), 0.0), 320.0);
    result = mix(result, shade(vec3(0.82, 0.86, 0.88), vec3(0.0, 1.0, 0.0), relative, 1.0, 0.0),
                 samples.x > 0 ? foam_at(depth, place.xz, distance) : 0.0);
    color = to_screen(haze_over(result, relative));
}
