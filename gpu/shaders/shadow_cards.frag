// A card's shadow is what its picture covers.
layout(location = 6) in vec2 coords;
layout(binding = 8) uniform sampler2D card_picture;

void main() {
    if (texture(card_picture, coords).a < 0.4) discard;
}
