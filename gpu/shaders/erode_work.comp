// What a square has after the flows, and how ground and load then change places by what the water could carry.

// A flow from a to b, held to the water there is, and the load it takes.
vec2 hold(float wanted, vec2 a, vec2 b) {
    float leaves = max(wanted, 0.0) * a.x, comes = max(-wanted, 0.0) * b.x;
    return vec2(leaves - comes, leaves * a.y - comes * b.y);
}

// What ground gains from a neighbor that is too steep.
float slid(ivec2 at, int here, ivec2 way, float talus, float share) {
    if (!is_on_land(at + way)) return 0.0;
    float up = rise(here, square_of(at + way));
    return share * (max(up - talus, 0.0) - max(-up - talus, 0.0));
}

float slides(ivec2 at, int here) {
    float sum = 0.0, corner = slope.x * 1.41421356;
    sum += slid(at, here, ivec2(1, 0), slope.x, slope.y);
    sum += slid(at, here, ivec2(-1, 0), slope.x, slope.y);
    for (int side = -1; side <= 1; side += 2) {
        sum += slid(at, here, ivec2(0, side), slope.x, slope.y);
        sum += slid(at, here, ivec2(1, side), corner, slope.y / 2.0);
        sum += slid(at, here, ivec2(-1, side), corner, slope.y / 2.0);
    }
    return sum;
}

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (!is_on_land(at)) return;
    int here = square_of(at), west = at.x > 0 ? here - 1 : here, east = at.x + 1 < size.x ? here + 1 : here;
    int north = at.y > 0 ? here - size.x : here, south = at.y + 1 < size.y ? here + size.x : here;
    vec4 was = before[here];
    vec2 to_east = hold(driven[here].x, shares[here], shares[east]), to_south = hold(driven[here].y, shares[here], shares[south]);
    vec2 from_west = hold(driven_west(at, here), shares[west], shares[here]), from_north = hold(driven_north(at, here), shares[north], shares[here]);
    vec2 gain = (from_west - to_east) + (from_north - to_south);
    float water = was.y + gain.x, load = was.z + gain.y;

    vec4 rises = vec4(rise(here, west), rise(here, east), rise(here, north), rise(here, south));
    vec2 past = 0.5 * (vec2(from_west.x, from_north.x) + vec2(to_east.x, to_south.x)), tilts = 0.5 / cell * (rises.yw - rises.xz);
    float tilt = dot(tilts, tilts), room = carry.x * sqrt(tilt * dot(past, past) / (1.0 + tilt)) * carry.y / max(water, carry.y);
    float over = room - load, loose = (base[here] + was.x) - was.w, lowest = min(min(rises.x, rises.y), min(rises.z, rises.w));
    float ease = loose > 0.0 ? carry.z : carry.z * maps[here].y;
    float worn = over > 0.0 ? min(ease * over, max(-lowest, 0.0) * 0.5) : carry.w * over;

    float ground = was.x + (slides(at, here) - worn);
    water = (water + flow.z * maps[here].x) * flow.w;
    if (sea.x > 0.0 && base[here] + ground < sea.y) water = (sea.y - base[here]) - ground;
    after[here] = vec4(ground, water, load + worn, min(was.w, base[here] + ground));
    held[here] = vec2(to_east.x, to_south.x);
}
