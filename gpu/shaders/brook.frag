// Running water on the land: clear, so that its bed is the ground's own color, wet and dimmed. Its
// edge melts into the bank.
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo; // the water's own color
layout(location = 6) in vec2 coords; // how long the water takes to come here, and how far this lies across; 0 of water that stands
layout(location = 5) flat in vec3 tint;
layout(location = 0) out vec4 color;

// How fast the water runs, meters a second, by how its time grows over the plan.
float swiftness() {
    vec2 a = dFdx(relative.xz), b = dFdy(relative.xz), time = vec2(dFdx(coords.x), dFdy(coords.x));
    vec2 grows = vec2(time.x * b.y - time.y * a.y, time.y * a.x - time.x * b.x) / (a.x * b.y - a.y * b.x);
    return clamp(1.0 / max(length(grows), 0.2), 0.0, 3.0);
}

void main() {
    float distance = length(relative);
    vec3 look = relative / distance, place = land_place(relative), up = vec3(0.0, 1.0, 0.0);
    float depth = water_depth(place);
    Ground bed = ground_at(place, relative.y - depth - sea.z);
    float lit = sunlit(relative, up);
    vec3 light = sun_light * sun.y * lit + sky_light * bed.open;
    vec3 ground = ground_surface(bed, place - vec3(0.0, depth, 0.0), relative).color;
    float pebble = noise(place.xz, 0.25) * (1.0 - smoothstep(8.0, 60.0, distance));
    vec3 wet = ground * mix(1.0, 0.55, smoothstep(0.0, 0.1, depth)) * (1.0 + 0.5 * pebble);
    vec3 under = mix(albedo * tint, wet, 0.85 * water_left(depth * 2.5, look)) * light;
    bool runs = fwidth(coords.x) > 0.0;
    vec2 pattern = runs ? vec2((coords.x - moment.x) * 0.9, coords.y) : place.xz;
    float swift = runs ? swiftness() : 0.0;
    vec3 waves = wave_normal(pattern, 0.9, distance) + 0.45 * (1.0 + swift) * wave_normal(0.8 * pattern + 0.6 * vec2(-pattern.y, pattern.x), 0.28, distance);
    vec3 surface = normalize(normalize(waves) + 0.5 * (normalize(normal) - up));
    vec3 result = water_mirror(under, look, surface, 0.002, lit);
    float white = smoothstep(0.9, 2.4, swift) * smoothstep(0.45, 0.8, 0.5 + 0.5 * noise_fbm(pattern * vec2(0.7, 1.6), 0.5)) * (1.0 - smoothstep(40.0, 160.0, distance));
    result = mix(result, vec3(0.8, 0.85, 0.87) * light, 0.75 * white);
    vec3 bank = ground * 0.8 * light;
    color = to_screen(haze_over(mix(bank, result, smoothstep(0.0, 0.14, depth)), relative));
}
