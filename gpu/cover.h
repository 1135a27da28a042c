/* The ground's cover: placed anew for each frame on the card, near the eye, and drawn from there.
 *
 *     blocks of cells that may be seen (cover_blocks) ── cover_place ──> stretches ── cover_scan, cover_gather ──> tufts
 *     ── cover_look ──> and what they look like
 *
 * A layer is a ring of a kind. Order and number of tufts follow from the candidates alone, so that one scene gives one picture.
 */
#ifndef WORLD_GPU_COVER_H
#define WORLD_GPU_COVER_H

#include "gpu/cover_blocks.h"
#include "gpu/land.h"
#include "gpu/material.h"

/* As cover.glsl has it. */
typedef struct CoverTuft {
    float foot[3], size;
    float ground[3], sunny;
    float up[3], width;
    float dry;
    uint32_t word;
    float distance, spare;
} CoverTuft;

typedef struct CoverLayer {
    int kind, ring;
    int first, most;      /* its tufts among all */
    int units, corners, levels; /* of a tuft; of a unit; of a blade */
    GLuint indices, vertices;   /* vertices: of a mesh, else 0 */
    uint32_t index_count;
    uint32_t count;       /* tufts of the last frame */
} CoverLayer;

typedef struct CoverKindPrograms {
    GLuint place, uniforms;
} CoverKindPrograms;

/* What a device leaves of the cover. */
typedef struct CoverShare {
    double reach, density;
} CoverShare;

/* What the tufts that stand now were placed for. */
typedef struct CoverPlaced {
    Eye eye;
    CoverShare share;
    uint64_t most;
    bool uncut, any;
} CoverPlaced;

typedef struct Cover {
    CoverPlaced placed;
    Memory memory;
    Arena arena, scratch;
    WorldCoverKind *kinds;
    int kind_count, layer_count;
    CoverLayer *layers;
    CoverKindPrograms *programs; /* a kind */
    CoverHeights heights;
    GLuint scan, gather, look, blades, meshes;
    GLuint words, blocks, stretches, counts, tufts, draws, far_uniforms, far_map;
    size_t block_room, stretch_room;
    CoverShare share;      /* what the device leaves */
    double density;        /* of the last frame: thinner where triangles were too many */
    bool left_out;         /* the device cannot place it: the ground takes on its far look everywhere */
    bool uncut;            /* for tests: nothing is left out because it is not seen */
    bool windy;            /* it is another at another time */
    uint64_t triangles, candidates; /* of the last frame */
    uint64_t content;      /* of what it was made of; 0: it was not made */
    size_t uploaded;       /* bytes, the last time it was set */
} Cover;

/* What it is made of. */
typedef struct CoverScene {
    const WorldScene *scene;
    CoverShare share;  /* that the device leaves of it at most */
    bool can_compute;
    uint64_t programs; /* what the view's own programs are made for, as a number */
    uint64_t ground;   /* the content of the land and of the materials */
} CoverScene;

void cover_init(Cover *cover);
void cover_fini(Cover *cover);
/* Nothing when it is as it was. False with a complaint. May leave through memory_fail. */
bool cover_set(Cover *cover, const Programs *programs, const CoverScene *scene, char *error, size_t size);

typedef struct CoverView {
    const Eye *eye;
    const Land *land;
    const Material *ground;
    bool timed;    /* the ground is another at another time */
    uint64_t most; /* triangles, about: thinner until so few are drawn; 0: any number */
} CoverView;
/* Works out what stands near the eye. The frame's and the land's uniforms and maps are in place. */
void cover_place(Cover *cover, State *state, const CoverView *view);
void cover_draw(const Cover *cover, State *state);
/* The tufts of a layer as they were placed; at most `most`, how many. */
int cover_read(const Cover *cover, int layer, CoverTuft *tufts, int most);
/* What is drawn of it and what the device leaves, in words; empty when there is none. */
void cover_note(const Cover *cover, char *text, size_t size);
/* Whether the device can place it. */
bool cover_can(void);

#endif
