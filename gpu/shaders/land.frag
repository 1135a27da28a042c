layout(location = 0) in vec3 relative;
layout(location = 0) out vec4 color;

// Of each triangle its own: so levels of detail are seen.
vec3 triangle_color() {
    uint h = uint(gl_PrimitiveID) * 747796405u + 2891336453u;
    h = ((h >> ((h >> 28u) + 4u)) ^ h) * 277803737u;
    return vec3(h & 255u, (h >> 8u) & 255u, (h >> 16u) & 255u) / 255.0;
}

void main() {
    vec3 place = land_place(relative);
    Ground g = ground_at(place, relative.y - sea.z);
    Surface s = ground_surface(g, place, relative);
    if (wind.w > 0.5) s.color = mix(s.color, triangle_color(), 0.7);
    s.color = far_color(s.color, place.xz, length(relative));
    color = to_screen(haze_over(shade_surface(s, relative, g.open), relative));
}
