layout(location = 0) out vec4 color;
// What lies round a land that ends without a sea: level ground that looks as the land does.

void main() {
    vec3 relative = sea_place(), place = land_place(relative);
    vec2 at = (place.xz - grid.xy) / grid.z;
    bool over_land = all(greaterThan(at, vec2(0.0))) && all(lessThan(at, vec2(samples.xy - 1)));
    if (over_land && texture(height_map, land_uv(place.xz)).r < place.y + 0.04) discard; // the land is there itself
    Surface s = ground_surface(Ground(relative.y - sea.z, vec3(0.0, 1.0, 0.0), 1.0), place, relative);
    color = to_screen(haze_over(shade_surface(s, relative, 1.0), relative));
}
