// A planet's air, from its ground to space: `planet` is its middle, relative to the eye, and its radius; 0: the ground is a plane.

// Which way is up at a place.
vec3 up_at(vec3 relative) {
    return ON_PLANET ? normalize(relative - planet.xyz) : vec3(0.0, 1.0, 0.0);
}

// How high a place lies over the sea, or over a planet's radius.
float height_at(vec3 relative) {
    return ON_PLANET ? length(relative - planet.xyz) - planet.w : relative.y - sea.z;
}

// How much of the day there is where that is up.
float day_at(vec3 up) {
    return ON_PLANET ? smoothstep(-0.12, 0.2, dot(up, sun.xyz)) : 1.0;
}

// How high the air is so thin that e such heights are none, and how thick it is: 1 at the ground.
float air_height() {
    return 0.02 * planet.w;
}

float air_at(float altitude) {
    return exp(-max(altitude, 0.0) / air_height());
}

// The sky as it is where a ray comes nearest to the ground.
vec3 planet_sky(vec3 direction) {
    vec3 nearest = direction * max(dot(planet.xyz, direction), 0.0) - planet.xyz, up = normalize(nearest);
    float high = max(dot(direction, up), 0.0), low = dot(up, sun.xyz), toward = max(dot(direction, sun.xyz), 0.0);
    vec3 color = mix(vec3(0.62, 0.78, 0.93), vec3(0.30, 0.52, 0.86), smoothstep(0.0, 0.25, high));
    color = mix(color, vec3(0.105, 0.26, 0.62), smoothstep(0.15, 0.85, high));
    float dusk = exp(-low * low * 30.0) * (1.0 - high);
    color = mix(color, vec3(0.95, 0.48, 0.22), dusk * (0.25 + 0.6 * toward * toward));
    return color * air_at(length(nearest) - planet.w) * day_at(up);
}

// How much the air on the way to a place hides of it: by how thick it is on average.
float planet_haze(vec3 relative) {
    float eye_up = (length(planet.xyz) - planet.w) / air_height(), place_up = (length(relative - planet.xyz) - planet.w) / air_height();
    eye_up = max(eye_up, 0.0), place_up = max(place_up, 0.0);
    float rise = eye_up - place_up;
    float thick = abs(rise) < 0.01 ? exp(-place_up) : (exp(-place_up) - exp(-eye_up)) / rise;
    return 1.0 - exp(-length(relative) * thick / (4.0 * planet.w));
}
