/* The things of a scene: meshes and their copies. One instanced draw a group of copies, of those
 * that the eye may see and that look larger than a pixel.
 */
#ifndef WORLD_GPU_THINGS_H
#define WORLD_GPU_THINGS_H

#include "gpu/camera.h"
#include "gpu/material.h"
#include "gpu/rows.h"
#include "gpu/state.h"
#include "runtime/base/memory.h"

typedef struct ThingMesh {
    GLint base_vertex;
    size_t first_index; /* in indices */
    GLsizei index_count;
    Vec middle; /* a ball round it */
    double radius;
    bool two_sided, water;
    GLuint picture; /* of cards; else 0 */
    int material; /* of Materials.items */
    uint32_t coarser;     /* the mesh that does as well below `coarser_below`; 0: none */
    double coarser_below; /* pixels across */
} ThingMesh;

/* A mesh of the scene with its coarser ones: what it holds, and where the card has it. */
typedef struct ThingChain {
    uint64_t content;
    uint32_t first, count; /* among the meshes */
    bool sways;
} ThingChain;

typedef struct ThingGroup {
    uint32_t mesh, first, count; /* first: of its copies' rows */
    uint32_t of;                 /* the scene's mesh: in that order they are drawn, wherever the card has the meshes */
    uint64_t standing;           /* as of WorldInstances */
    uint32_t number;             /* among the scene's */
} ThingGroup;

typedef struct ThingBall {
    Vec middle; /* world */
    double radius;
    float across; /* of a draw: how large the copy looks, pixels; 0: not seen */
} ThingBall;

/* So many rows beside each other, where they are all of one group: a ball round their copies, which are looked at one by one only where that may be seen. */
enum { THING_BLOCK = 64 };
typedef struct ThingBlock {
    Vec middle;
    double radius, largest; /* largest: of its copies' own */
    bool seen;              /* of a draw */
} ThingBlock;

typedef struct Things {
    Memory memory;
    Arena arena, scratch;
    Arena placed; /* of the groups */
    VEC(ThingMesh) meshes; /* the scene's, the coarser ones of each behind it; and those of scenes before */
    VEC(ThingChain) chains; /* of those, each once */
    VEC(uint32_t) firsts;  /* of the scene's meshes, its number among those */
    size_t vertex_count, index_count, vertex_room, index_room; /* room: bytes */
    size_t uploaded; /* bytes, since the scene was set */
    ThingGroup *groups;    /* by the scene's meshes */
    Rows rows;             /* of copies */
    ThingBall *balls;      /* of each row's copy */
    ThingBlock *blocks;    /* of rows from a multiple of THING_BLOCK on */
    size_t row_room;       /* of balls */
    size_t looked_at;      /* copies, of the last draw */
    uint32_t *visible;     /* scratch of a draw */
    double fineness;    /* of the draw in hand: what is left of a copy's pixels when it chooses its level */
    double least;       /* likewise: what looks smaller is left out, pixels */
    uint64_t triangles; /* of the last draw */
    bool sways; /* in the wind */
    size_t group_count, count; /* count: of copies */
    GLuint vertices, vertex_buffer, index_buffer, copies, visible_buffer;
} Things;

void things_init(Things *things);
void things_fini(Things *things);
/* Meshes that were there stay. May leave through memory_fail; other copies are dropped either way. */
void things_set(Things *things, const WorldScene *scene);
/* A scene of the same shape: meshes that came are behind the others, groups that stand are where they were. May leave likewise. */
void things_move(Things *things, const WorldScene *scene);
/* How things are drawn. */
typedef struct ThingsView {
    const Eye *eye;
    int height; /* of the target, pixels */
    const Pipe *solid;
    bool show_levels; /* each in the color of its level of detail */
    GLuint cards; /* the program by which cards are drawn where there are no materials */
    const Materials *materials; /* by which things are lit; NULL: all but water are drawn by the program of `solid` */
    uint64_t most; /* triangles, about: levels get coarser until so few are drawn; 0: any number */
} ThingsView;
void things_draw(Things *things, State *state, const ThingsView *view);
/* The box of all things in the world; empty (low > high) without any. */
void things_bounds(const Things *things, Vec *low, Vec *high);

/* things_mesh.c: the scene's meshes from the first that is not listed yet; and none. */
void things_add_meshes(Things *things, const WorldScene *scene);
/* Lists none, and drops those that are there when they are mostly of scenes before. */
void things_forget_meshes(Things *things, const WorldScene *scene);
void things_drop_meshes(Things *things);

#endif
