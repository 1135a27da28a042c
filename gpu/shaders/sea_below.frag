// The sea from under its surface.
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 still;
layout(location = 2) in float shoal;
layout(location = 0) out vec4 color;

// From under water: the sky in a round window, and round it the water once more (Snell).
vec3 seen_from_below(vec3 look, vec3 normal) {
    vec3 out_of = refract(look, -normal, 1.333);
    if (dot(out_of, out_of) < 0.01) return water_glow(sea.z);
    float lost = pow(1.0 - max(dot(out_of, normal), 0.0), 5.0);
    return mix(sky_base(out_of), water_glow(sea.z), lost);
}

void main() {
    float distance = length(relative);
    vec3 look = relative / distance;
    vec3 normal = sea_normal(land_place(relative), shore_open(land_place(still)), distance, waves_of(still, shoal));
    color = to_screen(haze_over(seen_from_below(look, normal), relative));
}
