layout(location = 0) in vec3 relative;
layout(location = 0) out vec4 color;

void main() {
    vec3 place = land_place(relative);
    Ground g = ground_at(place, relative.y - sea.z);
    Surface s = ground_surface(g, place, relative);
    s.color = far_color(s.color, place.xz, length(relative));
    color = to_screen(haze_over(shade_surface(s, relative, g.open), relative));
}
