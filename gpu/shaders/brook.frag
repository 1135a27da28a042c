// Running water on the land: clear, so that its bed is the ground's own color, wet and dimmed. Its
// edge melts into the bank.
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo; // the water's own color
layout(location = 5) flat in vec3 tint;
layout(location = 0) out vec4 color;

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
    vec3 waves = wave_normal(place.xz, 0.9, distance);
    vec3 surface = normalize(waves + 0.5 * (normalize(normal) - up));
    vec3 result = water_mirror(under, look, surface, 0.002, lit);
    vec3 bank = ground * 0.8 * light;
    color = to_screen(haze_over(mix(bank, result, smoothstep(0.0, 0.14, depth)), relative));
}
