// A square in a corner of the picture.
layout(location = 0) uniform vec4 square; // its corner and size, in clip space
layout(location = 0) out vec2 at;         // 0 to 1, from the map's left bottom

void main() {
    at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(square.xy + at * square.zw, 1.0, 1.0);
}
