/* What a mesh looks like from far away: a picture from four sides, each on a card, the cards crossing in its middle. For the eye only,
 * as the coarser meshes of levels.h are. */
#ifndef WORLD_MESH_CARDS_H
#define WORLD_MESH_CARDS_H

#include "runtime/mesh/mesh.h"

typedef struct MeshCards {
    RtMesh *mesh;          /* four rectangles, two-sided; coordinates from 0 to 1 across the picture and down it */
    int32_t width, height; /* of the picture */
    uint8_t *picture;      /* four bytes a texel, rows from the top: sRGB, and how much of the texel is covered */
} MeshCards;

/* Of a card's half, left empty round what it shows: in coarse levels of a picture its cards would run into each other. */
#define MESH_CARDS_BORDER 0.13

/* Three cards stand a sixth of a turn apart, the fourth lies; each is `texels` wide and high, its border with it. The mesh is not empty. */
MeshCards mesh_cards(Arena *arena, Arena *scratch, const RtMesh *mesh, int texels);

#endif
