layout(location = 0) out vec4 color;
// What a world without a land stands on: a plain floor, at the sea's level in the frame, ruled every 0.1, 1, 10 and 100 m.

// 1 on the lines of one ruling; lines too close to be told apart fade.
float ruled(vec2 place, float apart) {
    vec2 at = place / apart, pixel = fwidth(at);
    vec2 line = 1.0 - smoothstep(pixel * 0.5, pixel * 1.5, abs(fract(at - 0.5) - 0.5));
    return max(line.x, line.y) * (1.0 - smoothstep(0.06, 0.3, max(pixel.x, pixel.y)));
}

void main() {
    vec3 relative = sea_place();
    vec2 place = eye.xz + relative.xz;
    float line = max(max(0.12 * ruled(place, 0.1), 0.3 * ruled(place, 1.0)),
                     max(0.45 * ruled(place, 10.0), 0.6 * ruled(place, 100.0)));
    vec3 plain = mix(vec3(0.21, 0.22, 0.225), vec3(0.07, 0.075, 0.08), line);
    color = to_screen(haze_over(shade(plain, vec3(0.0, 1.0, 0.0), relative, 1.0, 0.0), relative));
}
