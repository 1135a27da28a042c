/* What gltf.c is made of: the numbers of a file, and where they lie. */
#ifndef WORLD_EXPORT_GLTF_PARTS_H
#define WORLD_EXPORT_GLTF_PARTS_H

#include "runtime/export/gltf.h"
#include "runtime/file/file.h"

/* One mesh's numbers: of the scene's or a coarser one, of the land, or of the sea. Positions, normals, colors and texture
 * coordinates (when there are any) of each vertex, then the indices, one after the other. */
typedef struct GltfShape {
    const WorldMesh *mesh; /* NULL: the land's */
    const RtGrid *land;
    uint64_t vertices, indices, offset;
    uint32_t accessor; /* its first; there is one, and a view, for each of the above */
    double low[3], high[3];
    Symbol image;     /* of Gltf.images, that it is painted with; 0: none */
    uint32_t coarser; /* so many shapes after it stand for it from afar */
} GltfShape;

GltfShape gltf_shape_of_mesh(const WorldMesh *mesh);
GltfShape gltf_shape_of_land(const RtGrid *land);
/* How many views and accessors it has. */
uint32_t gltf_shape_views(const GltfShape *shape);
uint64_t gltf_shape_bytes(const GltfShape *shape);
/* `room` holds `gltf_shape_room` bytes. */
size_t gltf_shape_room(const GltfShape *shape);
void gltf_shape_write(const GltfShape *shape, WholeFile *file, float *room);

/* Where copies of a mesh stand: places, turns (quaternions), sizes and tints, one after the other in the file. */
enum { GLTF_CROWD_LISTS = 4 };
extern const uint32_t gltf_crowd_widths[GLTF_CROWD_LISTS]; /* floats of a copy */
typedef struct GltfCrowd {
    float *lists[GLTF_CROWD_LISTS];
    uint32_t count;
    uint64_t offset;
    uint32_t accessor; /* its first; there is one, and a view, for each list */
} GltfCrowd;
uint64_t gltf_crowd_bytes(const GltfCrowd *crowd);
void gltf_crowd_write(const GltfCrowd *crowd, WholeFile *file);

/* -- the file -- */

typedef enum GltfLookKind { LOOK_PLAIN, LOOK_TWO_SIDED, LOOK_WATER, LOOK_LAND, LOOK_SEA, LOOK_CARDS } GltfLookKind;

/* What is told apart, as the bytes of a name: no padding. */
typedef struct GltfLook { /* a material */
    uint32_t kind;
    Symbol image;      /* 0: none */
    uint32_t material; /* as of WorldMesh */
    float tint[3];
} GltfLook;
typedef struct GltfClad { /* a mesh of the file: a shape in a look */
    uint32_t shape;
    Symbol look;
} GltfClad;

typedef struct GltfCopy { /* of a mesh, as a thing's */
    uint32_t clad;
    const float *transform;
} GltfCopy;

typedef struct GltfLeaf { /* a thing, or a layout's things, which have one path */
    const WorldThing *thing;
    uint32_t first, count; /* things of a layout; count 0: the thing alone */
} GltfLeaf;
typedef struct GltfBranch { /* leaves whose paths are the same up to `end` */
    size_t end;
    VEC(uint32_t) leaves;
} GltfBranch;

typedef enum GltfNodeKind { NODE_ALONE, NODE_PART, NODE_LAYOUT, NODE_THING, NODE_COPY, NODE_LEVEL } GltfNodeKind;
typedef struct GltfNode {
    GltfNodeKind kind;
    const char *name;
    const WorldThing *thing; /* of a thing */
    const GltfBranch *branch; /* of a part that holds what is drawn */
    uint32_t first, count;   /* of a layout its things, of a part that holds some how many nodes; else its copies */
    uint32_t child;          /* its first child, where it has some: one each */
    uint32_t level, levels;  /* its first coarser node, and how many */
    uint32_t crowd;          /* of Gltf.crowds, that its mesh stands for; 0: none */
} GltfNode;

typedef struct GltfImage {
    Str png;
    uint64_t offset;
} GltfImage;

typedef struct Gltf {
    Arena *arena;
    const WorldScene *scene;
    VEC(GltfShape) shapes;
    SymbolTable looks, clads;
    VEC(GltfCopy) copies; /* the land, the sea, then each thing's, one after the other */
    uint32_t *first_copy; /* by thing, and past the last */
    VEC(GltfLeaf) leaves;
    VEC(GltfNode) nodes; /* the levels of all nodes last */
    VEC(GltfCrowd) crowds;
    VEC(GltfImage) images;
    uint32_t root_count;
    uint64_t bytes;
    uint32_t accessors;
    bool glows; /* brighter than glTF's own emission goes */
    RtGrid land;
    WorldMesh sea;
    float sea_corners[12], sea_normals[12];
} Gltf;

extern const float gltf_no_transform[12];

/* What its material says everywhere alike; NULL: nothing. */
const WorldSurface *gltf_surface(const Gltf *g, const GltfLook *look);
/* Whether that is a color, in place of the mesh's own. */
bool gltf_is_colored(const WorldSurface *said);
/* From 0 to 1. */
float gltf_held(float part);

/* A mesh, and after it what stands for it from afar; and a shape in a look, as copies of a tint have it. */
uint32_t gltf_add_shapes(Gltf *g, const WorldMesh *mesh);
uint32_t gltf_clad(Gltf *g, uint32_t shape, const float tint[3]);

/* gltf_tree.c, gltf_crowd.c: behind the land and the sea. */
void gltf_add_nodes(Gltf *g);
void gltf_add_crowds(Gltf *g);

/* gltf_text.c: all but the numbers, padded to a multiple of 4. `uri`: where they are, NULL for in the same file. */
Str gltf_text(const Gltf *g, const char *name, const char *uri);

#endif
