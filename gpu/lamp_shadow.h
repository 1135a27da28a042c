/* What stands under a lamp keeps its light from the ground: for the nearest lamps a map of the things below each, looking straight down. */
#ifndef WORLD_GPU_LAMP_SHADOW_H
#define WORLD_GPU_LAMP_SHADOW_H

#include "gpu/frame.h"
#include "gpu/lamps.h"
#include "gpu/things.h"

typedef struct LampShadow {
    GLuint map; /* a layer a lamp; 0: there are none, as where the processor draws */
    GLuint framebuffers[LAMPS_SHADED];
    size_t drawn[LAMPS_SHADED]; /* 1 + the number of the lamp that a layer is of; 0: none */
} LampShadow;

/* What casts. */
typedef struct LampScene {
    State *state;
    const Programs *programs;
    const Frame *frame;
    Things *things;
} LampScene;

void lamp_shadow_init(LampShadow *shadow, bool low);
void lamp_shadow_fini(LampShadow *shadow);
/* The scene changed: all maps are stale. */
void lamp_shadow_forget(LampShadow *shadow);
/* Draws what is missing of the lamps that shine, and says which layer is whose. */
void lamp_shadow_update(LampShadow *shadow, Lamps *lamps, const LampScene *scene);
void lamp_shadow_use(const LampShadow *shadow);

#endif
