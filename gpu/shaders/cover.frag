layout(location = 0) in vec3 lit;
layout(location = 0) out vec4 color;

void main() { color = to_screen(lit); }
