// A row a glyph, a texel a row of it: five pixels as bits, the left one highest.
layout(binding = 0) uniform usampler2D font_map;
layout(location = 0) in vec2 at;
layout(location = 1) flat in vec4 color_of;
layout(location = 2) flat in int glyph_of;
layout(location = 0) out vec4 color;

void main() {
    if (glyph_of >= 0) {
        ivec2 pixel = ivec2(at * vec2(6.0, 7.0));
        uint row = texelFetch(font_map, ivec2(min(pixel.y, 6), glyph_of), 0).r;
        if (pixel.x > 4 || ((row >> uint(4 - pixel.x)) & 1u) == 0u) discard;
    }
    color = color_of;
}
