#include "gpu/cards.h"

#include "gpu/state.h"

enum { CARDS_UNIT = 8, LEVELS = 5 }; /* as shaders/cards.glsl has it; past that many levels cards of one picture would run into each other */

static int levels_of(const WorldPicture *picture) {
    int levels = 1, size = picture->width > picture->height ? picture->width : picture->height;
    while (levels < LEVELS && size >> levels)
        levels++;
    return levels;
}

GLuint cards_texture(const WorldPicture *picture) {
    GLuint texture = 0;
    if (picture == NULL) return 0;
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, levels_of(picture), GL_SRGB8_ALPHA8, picture->width, picture->height);
    glTextureSubImage2D(texture, 0, 0, 0, picture->width, picture->height, GL_RGBA, GL_UNSIGNED_BYTE, picture->rgba);
    glGenerateTextureMipmap(texture);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTextureParameteri(texture, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    return texture;
}

void cards_use(GLuint texture) {
    state_texture(CARDS_UNIT, texture);
}
