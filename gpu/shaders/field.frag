layout(location = 0) in vec3 bank_relative;
layout(location = 1) in vec3 bank_face;
layout(location = 0) out vec4 color;
layout(location = 0) uniform vec2 bank;
// What lies round a land that ends without a sea: level ground that looks as the land does, and the bank down to it.

vec3 field_place() {
    vec3 relative = sea_place(), place = land_place(relative);
    vec2 at = (place.xz - grid.xy) / grid.z;
    bool over_land = all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(samples.xy - 1)));
    if (over_land && height_at(place.xz) < place.y + 0.04) discard; // the land is there itself
    return relative;
}

void main() {
    bool banked = bank.x > 0.0;
    gl_FragDepth = gl_FragCoord.z;
    vec3 relative = banked ? bank_relative : field_place(), face = banked ? normalize(bank_face) : vec3(0.0, 1.0, 0.0);
    Surface s = ground_surface(Ground(relative.y - sea.z, face, 1.0), land_place(relative), relative);
    color = to_screen(haze_over(shade_surface(s, relative, 1.0), relative));
}
