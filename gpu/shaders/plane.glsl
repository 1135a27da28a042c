// Where this pixel's ray meets the plane, relative to the eye; past the horizon nothing is drawn. The depth is the place's own.
vec3 sea_place() {
    vec2 at = gl_FragCoord.xy / picture.xy * 2.0 - 1.0;
    vec3 across = at.x * ray_right.xyz + at.y * ray_up.xyz;
    vec3 start = eye.w > 0.5 ? across : vec3(0.0);
    vec3 direction = eye.w > 0.5 ? ray_forward.xyz : ray_forward.xyz + across;
    float along = (sea.w - start.y) / direction.y;
    if (!(along > 0.0 && along < 1e7)) discard;
    vec3 place = start + direction * along;
    vec4 drawn = clip * vec4(place, 1.0);
    gl_FragDepth = drawn.z / drawn.w;
    return place;
}
