// Of each tuft the color of the ground under it, by the land's own material, and the sun that it gets.
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Tufts {
    Tuft tufts[];
};
layout(std430, binding = 3) readonly buffer Draws {
    uint draws[]; // as of cover_scan.comp
};
layout(location = 0) uniform int first;
layout(location = 1) uniform int draw;
layout(binding = 1) uniform sampler2D look_map;

void main() {
    uint at = gl_GlobalInvocationID.x;
    if (at >= draws[draw * 8 + 1]) return;
    Tuft tuft = tufts[uint(first) + at];
    vec4 p = vec4(tuft.foot.xyz, 1.0);
    vec3 relative = vec3(dot(to_eye[0], p), dot(to_eye[1], p), dot(to_eye[2], p));
    vec3 own = look_normal(textureLod(look_map, look_uv(tuft.foot.xz), 0.0));
    vec3 normal = normalize(vec3(dot(to_eye[0].xyz, own), dot(to_eye[1].xyz, own), dot(to_eye[2].xyz, own)));
    vec3 color = vec3(1.0);
#ifdef MATERIAL_COLOR
    bool said;
    vec3 given;
    float slope = length(normal.xz) / max(abs(normal.y), 1e-4), pixel = tuft.distance * picture.z;
    material_color(p.x, p.y, p.z, own.x, own.y, own.z, height_at(relative), slope, tuft.distance, pixel, moment.x, 1.0, 1.0, 1.0, 0.0, 0.0,
                   0.0, said, given.r, given.g, given.b); // as MATERIAL_GIVEN of material.glsl
    if (said) color = max(given, 0.0);
#endif
    tuft.ground = vec4(color * land_paint.rgb, sunlit(relative + normal * (0.5 * tuft.foot.w), normal));
    tuft.up.xyz = own;
    tufts[uint(first) + at] = tuft;
}
