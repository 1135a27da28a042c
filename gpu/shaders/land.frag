layout(location = 0) in vec3 relative;
layout(location = 1) flat in ivec4 drawn_tile;
layout(location = 2) in vec3 face;
layout(location = 0) out vec4 color;

// Of each level of detail its own, the triangles of it a little apart.
vec3 level_color() {
    const vec3 colors[6] = vec3[6](vec3(0.9), vec3(0.1, 0.6, 0.15), vec3(0.95, 0.85, 0.1), vec3(0.95, 0.4, 0.05), vec3(0.8, 0.1, 0.1), vec3(0.2, 0.3, 0.9));
    uint h = (uint(gl_PrimitiveID) * 747796405u + 2891336453u) >> 24;
    return colors[clamp(drawn_tile.z, 0, 5)] * (0.75 + 0.25 * float(h) / 255.0);
}

void main() {
    vec3 place = land_place(relative);
    Ground g = ground_at(place, relative.y - sea.z);
#if LAND_DIVIDED > 0
    if (1 << drawn_tile.z < LAND_DIVIDED) g.normal = normalize(face);
#endif
    if (samples.x == 0) g = Ground(g.height, normalize(face), 1.0 - 0.6 * contact_at(place.xz)); // of a function
    Surface s = ground_surface(g, place, relative);
    if (wind.w > 0.5) s.color = mix(s.color, level_color(), 0.7);
    s.color = far_color(s.color, place.xz, length(relative));
    color = to_screen(haze_over(shade_surface(s, relative, g.open), relative));
}
