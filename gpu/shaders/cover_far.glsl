// The ground where cover grows, from so far that the cover is not drawn. Mirrors FarBlock of gpu/cover.c.
layout(std140, binding = 3) uniform CoverFar {
    vec4 far_grid;  // x0, z0, cell; w: 1 when there is any
    vec4 far_range; // columns, rows; z, w: the distances over which it comes
};
layout(binding = 7) uniform sampler2D far_map; // red, green, blue, how much

vec3 far_color(vec3 color, vec2 place, float distance) {
    if (far_grid.w < 0.5) return color;
    vec4 far = textureLod(far_map, ((place - far_grid.xy) / far_grid.z + 0.5) / far_range.xy, 0.0);
    if (distance < far_range.w) // little light comes down between blades
        color *= 1.0 - 0.45 * far.a * (1.0 - smoothstep(0.3 * far_range.z, far_range.w, distance));
    if (distance < far_range.z) return color;
    const vec3 light = vec3(0.2126, 0.7152, 0.0722);
    float mottle = clamp(dot(color, light) / max(dot(far.rgb, light), 1e-3), 0.4, 1.6); // as light and dark as the ground
    return mix(color, far.rgb * mix(1.0, mottle, 0.6), far.a * smoothstep(far_range.z, far_range.w, distance));
}
