// Erosion on the card: a step of runtime/terrain/erode.c in three passes over all squares, in single floats. What a square's ground has gained is kept apart from
// its height, so that it is as exact as the processor's, which counts in doubles.
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Before {
    vec4 before[]; // by square: ground gained, water, load, the surface of rock; meters
};
layout(std430, binding = 1) buffer After {
    vec4 after[];
};
layout(std430, binding = 2) buffer Base {
    float base[]; // its height at first
};
layout(std430, binding = 3) buffer Held {
    vec2 held[]; // what a step moved past its east and its south side
};
layout(std430, binding = 4) buffer Driven {
    vec2 driven[]; // what levels want to move
};
layout(std430, binding = 5) buffer Shares {
    vec2 shares[]; // how much of that there is water for; load in a meter of water
};
layout(std430, binding = 6) buffer Maps {
    vec2 maps[]; // rain, how soft rock is
};
layout(location = 0) uniform ivec2 size;
layout(location = 1) uniform float cell;
layout(location = 2) uniform vec4 flow;   // pipe, the same past the border, rain, what is left of water after a step
layout(location = 3) uniform vec4 carry;  // capacity, deep, dissolve, settle
layout(location = 4) uniform vec2 slope;  // talus, meters from square to square; slide
layout(location = 5) uniform vec2 sea;    // 1 where there is one; its level

const float nearly_all = 1.0 - 1e-6, least_depth = 1e-9;

int square_of(ivec2 at) {
    return at.y * size.x + at.x;
}

bool is_on_land(ivec2 at) {
    return all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size));
}

// How much higher the ground of b is than that of a.
float rise(int a, int b) {
    return (base[b] - base[a]) + (before[b].x - before[a].x);
}

// What levels want to move past the west and the north side of a square: of those at the border what runs off.
float driven_west(ivec2 at, int here) {
    return at.x > 0 ? driven[here - 1].x : -flow.y * before[here].y;
}

float driven_north(ivec2 at, int here) {
    return at.y > 0 ? driven[here - size.x].y : -flow.y * before[here].y;
}
