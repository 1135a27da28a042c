// A rectangle on the screen per glyph: place and size in pixels from the top left, and the glyph's
// number.
layout(location = 0) uniform vec2 screen;
layout(location = 0) in vec4 box;    // x, y, width, height
layout(location = 1) in vec4 ink;    // color; a: opacity
layout(location = 2) in float glyph; // below 0: a filled box
layout(location = 0) out vec2 at;
layout(location = 1) flat out vec4 color_of;
layout(location = 2) flat out int glyph_of;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 pixel = box.xy + corner * box.zw;
    at = corner;
    color_of = ink;
    glyph_of = int(glyph);
    gl_Position = vec4(pixel.x / screen.x * 2.0 - 1.0, 1.0 - pixel.y / screen.y * 2.0, 1.0, 1.0);
}
