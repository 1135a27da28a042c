// The sea: one square under the eye, out past where haze hides everything.

void main() {
    float reach = eye.w > 0.5 ? 2e4 : max(40.0 * abs(sea.z), 2e4);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    gl_Position = clip * vec4(corner.x * reach, sea.z, -corner.y * reach, 1.0);
}
