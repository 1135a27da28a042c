// The flows that levels drive.
void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (!is_on_land(at)) return;
    int here = square_of(at);
    float water = before[here].y;
    vec2 wanted = vec2(flow.y * water);
    if (at.x + 1 < size.x) wanted.x = held[here].x + flow.x * ((water - before[here + 1].y) - rise(here, here + 1));
    if (at.y + 1 < size.y) wanted.y = held[here].y + flow.x * ((water - before[here + size.x].y) - rise(here, here + size.x));
    driven[here] = wanted;
}
