// What there is of the water that the flows want, and what a meter of it carries.
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (!is_on_land(at)) return;
    int here = square_of(at);
    float depth = before[here].y;
    float leaves = (max(driven[here].x, 0.0) + max(-driven_west(at, here), 0.0)) + (max(driven[here].y, 0.0) + max(-driven_north(at, here), 0.0));
    shares[here] = vec2(min(1.0, depth * nearly_all / max(leaves, least_depth)), before[here].z / max(depth, least_depth) * nearly_all);
}
