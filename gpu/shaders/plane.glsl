// Where this pixel's ray meets the sea's level, eye-relative: steadier than interpolating over a
// square this large.
vec3 sea_place() {
    vec2 at = gl_FragCoord.xy / picture.xy * 2.0 - 1.0;
    vec3 across = at.x * ray_right.xyz + at.y * ray_up.xyz;
    vec3 start = eye.w > 0.5 ? across : vec3(0.0);
    vec3 direction = eye.w > 0.5 ? ray_forward.xyz : ray_forward.xyz + across;
    return start + direction * ((sea.z - start.y) / direction.y);
}
