// Edges smoothed after they were drawn, where a pixel has one sample: an edge is followed both ways to its ends, and a pixel beside it takes as much of the
// pixel across as a slanted edge between those ends would cover (Lottes, "FXAA", 2009, its version 3.11). Pixels by no edge are left as they are; what
// discards first is not worked out further where the processor draws.
layout(binding = 1) uniform sampler2D drawn; // as the screen has it
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;

const int STEPS = 7;
const float strides[STEPS] = float[STEPS](1.0, 1.5, 2.0, 2.0, 2.0, 4.0, 8.0); // pixels, from look to look along an edge
const float least = 0.0312, least_share = 0.125; // of what differs, to be an edge: of white, of the brightest beside it
const float softest = 0.6;                       // what a pixel alone gives to those round it, at most

float light_of(vec3 c) { return dot(c, vec3(0.299, 0.587, 0.114)); }

float light(vec2 place) { return light_of(textureLod(drawn, place, 0.0).rgb); }

void main() {
    vec2 pixel = 1.0 / vec2(textureSize(drawn, 0)), here = at * 0.5 + 0.5;
    ivec2 cell = ivec2(gl_FragCoord.xy), last = textureSize(drawn, 0) - 1;
    vec3 own = texelFetch(drawn, cell, 0).rgb;
    float m = light_of(own);
    float n = light_of(texelFetch(drawn, ivec2(cell.x, min(cell.y + 1, last.y)), 0).rgb), s = light_of(texelFetch(drawn, ivec2(cell.x, max(cell.y - 1, 0)), 0).rgb);
    float e = light_of(texelFetch(drawn, ivec2(min(cell.x + 1, last.x), cell.y), 0).rgb), w = light_of(texelFetch(drawn, ivec2(max(cell.x - 1, 0), cell.y), 0).rgb);
    float high = max(m, max(max(n, s), max(e, w))), low = min(m, min(min(n, s), min(e, w))), range = high - low;
    if (range < max(least, high * least_share)) discard;
    float ne = light(here + pixel), nw = light(here + vec2(-pixel.x, pixel.y)), se = light(here + vec2(pixel.x, -pixel.y)), sw = light(here - pixel);
    float level = abs(nw - 2.0 * n + ne) + 2.0 * abs(w - 2.0 * m + e) + abs(sw - 2.0 * s + se);
    float upright = abs(nw - 2.0 * w + sw) + 2.0 * abs(n - 2.0 * m + s) + abs(ne - 2.0 * e + se);
    float alone = clamp(abs((2.0 * (n + s + e + w) + ne + nw + se + sw) / 12.0 - m) / range, 0.0, 1.0);
    alone = smoothstep(0.0, 1.0, alone);
    bool flat_ = upright >= level; // the edge lies along x
    float up = flat_ ? n : e, down = flat_ ? s : w;
    bool above = abs(up - m) >= abs(down - m);
    float half_ = 0.5 * ((above ? up : down) + m), steep = 0.25 * abs((above ? up : down) - m);
    vec2 across = (flat_ ? vec2(0.0, pixel.y) : vec2(pixel.x, 0.0)) * (above ? 1.0 : -1.0), along = flat_ ? vec2(pixel.x, 0.0) : vec2(0.0, pixel.y);
    vec2 line = here + 0.5 * across;
    float back = 0.0, ahead = 0.0, back_end = 0.0, ahead_end = 0.0; // pixels; how far off the edge's own light its ends are
    bool back_done = false, ahead_done = false;
    for (int k = 0; k < STEPS; k++) {
        if (!back_done) back += strides[k], back_end = light(line - along * back) - half_;
        if (!ahead_done) ahead += strides[k], ahead_end = light(line + along * ahead) - half_;
        back_done = abs(back_end) >= steep, ahead_done = abs(ahead_end) >= steep;
        if (back_done && ahead_done) break;
    }
    bool turns = ((back < ahead ? back_end : ahead_end) < 0.0) != (m - half_ < 0.0);
    float share = turns ? 0.5 - min(back, ahead) / (back + ahead) : 0.0;
    color = vec4(textureLod(drawn, here + across * max(share, softest * alone * alone), 0.0).rgb, 1.0);
}
