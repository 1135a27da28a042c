layout(binding = 0) uniform sampler2D map;
layout(location = 1) uniform vec4 eye;  // where it is on the map (x, z, from the north west), which way it looks
layout(location = 2) uniform vec2 wide; // how far it sees to a side, at distance 1, below 0 for none; a pixel
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

void main() {
    vec3 seen = texture(map, at).rgb;
    vec2 away = vec2(at.x, 1.0 - at.y) - eye.xy, along = normalize(eye.zw + vec2(1e-6, 0.0));
    float ahead = dot(away, along), aside = abs(dot(away, vec2(-along.y, along.x)));
    float inside = wide.x > 0.0 && ahead > 0.0 && aside < ahead * wide.x ? 1.0 - smoothstep(0.1, 0.35, ahead) : 0.0;
    seen = mix(seen, vec3(1.0, 0.95, 0.6), 0.55 * inside);
    float distance = length(away) / wide.y, border = min(min(at.x, at.y), min(1.0 - at.x, 1.0 - at.y)) / wide.y;
    seen = mix(seen, vec3(0.0), 1.0 - smoothstep(4.5, 6.0, distance));
    seen = mix(seen, vec3(1.0, 0.25, 0.1), 1.0 - smoothstep(3.0, 4.0, distance));
    color = vec4(mix(vec3(0.02), seen, smoothstep(1.0, 2.0, border)), 0.95);
}
