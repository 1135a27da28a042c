layout(location = 1) uniform float through; // light from behind: two-sided meshes
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 albedo;
layout(location = 0) out vec4 color;

void main() {
    vec3 facing = normalize(normal) * (gl_FrontFacing || through == 0.0 ? 1.0 : -1.0);
    // A color past 1 is light of its own, which the sun hardly adds to.
    float glows = step(1.001, max(max(albedo.r, albedo.g), albedo.b));
    vec3 lit = shade(min(albedo, 1.0), facing, relative, 0.9, through);
    color = to_screen(haze_over(mix(lit, albedo * 0.75 + lit * 0.1, glows), relative));
}
