#define LIGHT_ONLY // of light.glsl: there is no pixel here

// A tuft of the ground's cover, as it is placed for a frame. Mirrors CoverTuft of gpu/cover.h.
struct Tuft {
    vec4 foot;   // in the land's frame; w: size
    vec4 ground; // the color under it; w: how much of the sun it gets
    vec4 up;     // the ground's normal, in the land's frame; w: width
    float dry;
    uint word;   // of all that is random of it
    float distance; // from the eye
    float spare;
};

// Mirrors KindBlock of gpu/cover.c.
layout(std140, binding = 2) uniform CoverKind {
    vec4 base_color;  // w: style
    vec4 tip_color;   // w: variation
    vec4 alt_color;   // w: dry amount
    vec4 dry_color;   // w: translucency
    vec4 petal_color; // w: petals
    vec4 head_color;  // w: wind
    vec4 shape;       // lean, bend, blades a tuft, alignment
    vec4 more;        // sink, albedo noise, ring step, reach that the device leaves
    vec4 ring_ends;   // of the first two; z: rings, w: from tuft to tuft
};

uint cover_pcg(uint v) {
    uint s = v * 747796405u + 2891336453u, w = ((s >> ((s >> 28) + 4u)) ^ s) * 277803737u;
    return (w >> 22) ^ w;
}
// The next random number from 0 to 1.
float cover_random(inout uint state) {
    state = cover_pcg(state);
    return float(state >> 8) * 5.9604644775390625e-8;
}

// As groundcover.ringShare has it.
float cover_ring_share(float distance) {
    float left = 1.0;
    for (int i = 0; i < 2; i++)
        if (float(i) < ring_ends.z - 1.0) left *= mix(1.0, 1.0 / more.z, smoothstep(0.5 * ring_ends[i], ring_ends[i], distance / more.w));
    return left;
}
