// Copies of a mesh among the cover: upright, or leaning with the ground.
layout(std430, binding = 0) readonly buffer Tufts {
    Tuft tufts[];
};
layout(location = 0) uniform int first;
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 facing;
layout(location = 2) in vec3 paint;
layout(location = 0) out vec3 lit;

void main() {
    Tuft tuft = tufts[first + gl_InstanceID];
    uint random = tuft.word;
    float angle = cover_random(random) * 6.28318531, tone = cover_random(random);
    vec3 up = normalize(mix(vec3(0.0, 1.0, 0.0), tuft.up.xyz, shape.w));
    vec3 x = normalize(cross(up, vec3(sin(angle), 0.0, cos(angle)))), z = cross(x, up);
    vec3 at = place * tuft.foot.w;
    at = x * at.x + up * (at.y - more.x) + z * at.z;
    at += vec3(wind.x, 0.0, wind.y) * (head_color.w * 0.12 * wind.z * gust(tuft.foot.xz) * max(at.y, 0.0));
    vec3 normal = normalize(x * facing.x + up * facing.y + z * facing.z);
    if (dry_color.w > 0.0) normal = normalize((normal.y < 0.0 ? -normal : normal) + 0.6 * up);
    vec3 color = paint * (1.0 + tip_color.w * (tone - 0.5)) * (1.0 + more.y * (cover_random(random) - 0.5));
    color = mix(color, dry_color.rgb, clamp(alt_color.w * tuft.dry, 0.0, 1.0));
    vec4 p = vec4(tuft.foot.xyz + at, 1.0);
    vec3 relative = vec3(dot(to_eye[0], p), dot(to_eye[1], p), dot(to_eye[2], p));
    lit = cover_lit(color, normal, tuft.ground.w, 0.9, relative);
    gl_Position = clip * vec4(relative, 1.0);
}
