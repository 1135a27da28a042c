// The height of the drawn sea over its level, for reading back.
layout(location = 0) in vec3 relative;
layout(location = 1) in vec3 still;
layout(location = 0) out float height;

void main() {
    height = relative.y - still.y;
}
