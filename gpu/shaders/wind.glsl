// Wind: gusts that cross the world, and what they do to a thing that hangs on its foot.
// How hard it blows at a place, 0 to 1: waves of gusts of three lengths, which never line up.
float gust(vec2 at) {
    float along = dot(at, wind.xy), across = dot(at, vec2(-wind.y, wind.x)), time = moment.x;
    float sum = sin(along * 0.21 - time * 1.3 + 0.8 * sin(across * 0.11)) + 0.6 * sin(along * 0.063 + across * 0.05 - time * 0.55) +
                0.4 * sin(along * 0.71 - across * 0.3 - time * 2.9);
    return clamp(0.5 + 0.25 * gusts.x * sum, 0.0, 1.0);
}

// A leaf's place (in the world, from the eye) turned by the wind about its foot, `reach` meters away; small turns, so that a place moves as
// far as it is away. `own` tells leaves of one tree apart, 0 to 1.
vec3 swayed(vec3 relative, float reach, float own) {
    float blows = wind.z * gust(relative.xz + eye.xz), turn = 6.2831853 * own;
    float flutter = sin(moment.x * (5.0 + 3.0 * own) + turn), lift = sin(moment.x * (3.1 + 2.0 * own) + 2.4 * turn);
    vec3 toward = vec3(wind.x, 0.0, wind.y), across = vec3(-wind.y, 0.0, wind.x);
    return relative + reach * blows * (0.25 * toward + 0.3 * flutter * across + vec3(0.0, 0.25 * lift, 0.0));
}
