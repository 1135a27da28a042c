layout(location = 1) uniform float through; // light from behind: two-sided meshes
layout(location = 2) uniform vec4 level_paint; // of its level of detail; w: how much of it
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo;
layout(location = 3) in vec3 own_place;
layout(location = 4) in vec3 own_facing;
layout(location = 5) flat in vec3 tint;
layout(location = 6) in vec2 coords;
layout(location = 0) out vec4 color;

void main() {
    float side = gl_FrontFacing || through == 0.0 ? 1.0 : -1.0;
    vec3 facing = normalize(normal) * side;
    vec3 paint = albedo;
    vec2 laid = coords;
#ifdef CARD
    paint *= card_color(coords, relative);
    laid = vec2(0.0);
#endif
    Surface s = surface_at(paint, laid, own_place, normalize(own_facing) * side, facing, height_at(relative), relative);
    s.color = mix(s.color * tint, level_paint.rgb, level_paint.w);
#ifndef MATERIAL_TRANSLUCENCY
    s.translucency = through;
#endif
    // A color past 1 is light of its own, which the sun hardly adds to.
    vec3 bright = s.color;
    float glows = step(1.001, max(max(bright.r, bright.g), bright.b));
    s.color = min(s.color, 1.0);
    vec3 lit = shade_surface(s, relative, 0.9 * foot_open(relative));
    color = to_screen(haze_over(mix(lit, bright * 0.75 + lit * 0.1, glows), relative));
}
