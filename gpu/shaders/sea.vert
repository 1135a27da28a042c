// The sea's surface: a fan of rings about the eye, each a little wider than the one before, out past where haze hides everything; seen
// from above without perspective, a lattice over the picture.
layout(location = 0) out vec3 relative;
layout(location = 1) out vec3 still; // where the water of that place lies when there are no waves
layout(location = 2) out float shoal;

// How far off a ring is: farther by the same share each time; then, where that would look too small, lower in the picture by the same step.
float ring_at(int j) {
    int grown = min(j, lattice.z) - 1, left = max(j - lattice.z, 0);
    float away = fan.z * exp2(fan.w * float(grown)), share = 1.0 - float(left) * (1.0 - exp2(-fan.w));
    return j == 0 ? 0.0 : min(away / max(share, 1e-6), shore_scale.z);
}

invariant gl_Position; // several programs draw the same places

void main() {
    int i = gl_VertexID % (lattice.x + 1), j = gl_VertexID / (lattice.x + 1);
    float far;
    if (eye.w > 0.5) {
        vec2 corner = (vec2(i, j) / vec2(lattice.xy) * 2.0 - 1.0) * 1.05;
        vec3 start = corner.x * ray_right.xyz - corner.y * ray_up.xyz;
        still = start + ray_forward.xyz * ((sea.z - start.y) / ray_forward.y);
        far = 2.0 * length(ray_right.xyz) / float(lattice.x);
    } else {
        float way = fan.x + float(i) * fan.y, away = ring_at(j);
        still = vec3(away * sin(way), sea.z, -away * cos(way));
        far = ring_at(j + 1) - away;
    }
    shoal = shoaled(still);
    vec3 moved = vec3(0.0);
    for (int tile = 0; tile < 3; tile++) { // waves too short for the mesh are left to the light
        float length_of = tile < 2 ? sea_state.w : 0.25 * sea_state.w;
        float kept = 1.0 - smoothstep(0.15, 0.5, far / length_of);
        if (kept > 0.0) moved += kept * textureLod(cells_map, tile_at(still.xz, tile), 0.0).yxz;
    }
    relative = still + shoal * moved;
    gl_Position = clip * vec4(relative, 1.0);
}
