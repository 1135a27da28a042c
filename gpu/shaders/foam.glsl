#define FOAM

// White on breaking crests, where the ground is near, and at its edge, where it comes and goes.
float foam_at(float depth, float shoal, float open, vec2 place, float distance, float spread) {
    float near = 1.0 - smoothstep(80.0, 900.0, distance), broad = noise(place, 14.0);
    float lace = 0.5 + 0.5 * noise_fbm(place + vec2(0.13, 0.09) * moment.x, 1.6) * near;
    float fine = 0.5 + 0.5 * noise_fbm(place, 0.35) * (1.0 - smoothstep(20.0, 120.0, distance));
    float crest = smoothstep(sea_state.y, sea_state.y + 0.1, -spread) * smoothstep(0.3, 0.75, 0.5 * lace + 0.5 * fine);
    float high = clamp(sea_state.x, 0.15, 2.0), breath = 0.5 + 0.5 * sin(1.1 * moment.x + 4.0 * broad);
    float edge = high * (0.1 + 0.3 * breath);
    float swash = (1.0 - smoothstep(0.35 * edge, edge, depth - 0.08 * high * (lace - 0.5))) * (0.55 + 0.45 * (1.0 - breath));
    // Lines of surf run in: toward where the depth's root is less.
    float line = fract(sqrt(depth / high) * 0.9 + 0.16 * moment.x + 0.35 * broad);
    float surf = smoothstep(0.72, 0.95, line) * (1.0 - smoothstep(0.95, 1.0, line)) * (1.0 - smoothstep(0.8, 2.2, depth / high)) *
                 smoothstep(0.3, 0.65, lace + 0.25 * broad);
    float torn = mix(1.0, smoothstep(0.15, 0.6, fine + 0.35 * swash), near * 0.8);
    // What shallow ground takes of high waves breaks.
    float broken = (1.0 - smoothstep(0.3, 0.95, shoal)) * clamp(0.4 * sea_state.x - 0.3, 0.0, 1.0) * smoothstep(0.2, 0.7, 0.6 * lace + 0.4 * fine + 0.2 * broad);
    return clamp(crest + open * max(broken, torn * (swash + 0.7 * surf)), 0.0, 1.0);
}
