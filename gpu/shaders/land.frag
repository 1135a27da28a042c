layout(location = 0) in vec3 relative;
layout(location = 0) out vec4 color;

void main() {
    vec3 place = land_place(relative);
    Ground g = ground_at(place, relative.y - sea.z);
    vec3 albedo = ground_color(g, place.xz, length(relative));
    vec3 normal = land_to_world(g.normal);
    color = to_screen(haze_over(shade(albedo, normal, relative, g.open, 0.0), relative));
}
