// The land's samples, exactly: where a sample lies follows from its number.
layout(location = 0) in float height;
layout(location = 0) out vec3 relative;

void main() {
    ivec2 sample_at = ivec2(gl_VertexID % samples.x, gl_VertexID / samples.x);
    vec4 place = vec4(grid.x + float(sample_at.x) * grid.z, height,
                      grid.y + float(sample_at.y) * grid.z, 1.0);
    relative = vec3(dot(to_eye[0], place), dot(to_eye[1], place), dot(to_eye[2], place));
    gl_Position = clip * vec4(relative, 1.0);
}
