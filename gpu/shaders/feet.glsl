// A thing's foot, where the ground beside it takes from it half of the soft light.
layout(binding = 0) uniform sampler2D foot_map; // the land's heights

float foot_open(vec3 relative) {
    if (samples.x == 0) return 1.0;
    vec4 p = vec4(relative, 1.0);
    vec3 place = vec3(dot(from_eye[0], p), dot(from_eye[1], p), dot(from_eye[2], p));
    vec2 at = ((place.xz - grid.xy) / grid.z + 0.5) / vec2(samples.xy);
    return mix(0.5, 1.0, smoothstep(-0.1, 0.45, place.y - texture(foot_map, at).r));
}
