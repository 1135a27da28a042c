// A card shows a picture, and as many of a pixel's samples as the picture covers: crowns end in leaves, not in edges.
layout(binding = 8) uniform sampler2D card_picture;
#define CARD

vec3 card_color(vec2 at, vec3 relative) {
    vec4 texel = texture(card_picture, at);
    // A card seen from its edge is left to those that face the eye.
    float facing = abs(dot(normalize(cross(dFdx(relative), dFdy(relative))), normalize(relative)));
    texel.a *= smoothstep(0.2, 0.6, facing);
    // Which samples those are differs from pixel to pixel, so that cards behind each other do not cover the same. With one
    // sample a pixel is covered or not, by the noise that all cards there share: four in turn would show as a weave.
    if (LOW_QUALITY) {
        if (texel.a < dither() + 0.5) discard;
        return texel.rgb;
    }
    int turn = int(gl_FragCoord.x) + 2 * int(gl_FragCoord.y), covered = int(texel.a * float(gl_NumSamples) + 0.5);
    gl_SampleMask[0] = 0;
    for (int k = 0; k < covered; k++) gl_SampleMask[0] |= 1 << ((turn + k) % gl_NumSamples);
    if (covered == 0) discard;
    return texel.rgb;
}
