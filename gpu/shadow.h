/* The sun's shadow maps: one over the whole scene, drawn once a scene; one over the neighbourhood
 * of the eye, drawn again when the eye has moved out of its middle.
 */
#ifndef WORLD_GPU_SHADOW_H
#define WORLD_GPU_SHADOW_H

#include "gpu/frame.h"
#include "gpu/land.h"
#include "gpu/things.h"

typedef struct ShadowMap {
    GLuint depth, framebuffer;
    int size; /* texels a side */
    Eye eye;  /* the sun's */
    bool drawn;
    Vec middle; /* of what it covers */
    double texel; /* meters */
} ShadowMap;

typedef struct Shadow {
    ShadowMap maps[SHADOW_MAPS];
} Shadow;

/* What casts. */
typedef struct ShadowScene {
    State *state;
    const Programs *programs;
    const Frame *frame;
    Land *land;
    Things *things;
    const LandView *seen; /* how the land is drawn that is looked at: so it is in the map about the eye, too */
    double floor; /* what lies lower casts nothing that is seen; meters */
    Vec sun;
} ShadowScene;

/* A depth texture answers comparisons: 1 where what is asked is no farther from the light, filtered over four texels. */
void shadow_sampled(GLuint depth);
/* Smaller maps where the processor draws. */
bool shadow_init(Shadow *shadow, bool software, char *error, size_t size);
void shadow_fini(Shadow *shadow);
/* The scene changed: both maps are stale. */
void shadow_forget(Shadow *shadow);
/* Draws what is stale for this eye. */
void shadow_update(Shadow *shadow, const ShadowScene *scene, const Eye *eye);
/* Binds the maps and fills the block's matrices and sizes of texels. */
void shadow_use(const Shadow *shadow, const Eye *eye, FrameBlock *block);

#endif
