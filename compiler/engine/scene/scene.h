/* A scene while it is gathered: meshes once each, instances by mesh, in the order in which they
 * are met. */
#ifndef WORLD_COMPILER_ENGINE_SCENE_SCENE_H
#define WORLD_COMPILER_ENGINE_SCENE_SCENE_H

#include "compiler/engine/ask/ask.h"
#include "compiler/glsl/glsl.h"
#include "runtime/frame/part_option.h"
#include "stdlib/library_layout.h"

typedef struct SceneLook {
    bool water;
    int material; /* as of WorldMesh */
    int wind;     /* 0: as the mesh is; else winds[wind - 1] of the store multiplies it */
    int solid;    /* what it is to who bumps into it: as of Paint */
} SceneLook;

static inline bool scene_same_look(const SceneLook *a, const SceneLook *b) {
    return a->water == b->water && a->material == b->material && a->wind == b->wind && a->solid == b->solid;
}

typedef struct Paint { /* what a part hands on to all that it holds */
    float color[3];    /* multiplies the colors of what is drawn */
    int solid;         /* what its meshes are to who bumps into them: a STD_SOLID_KIND, 0 as each looks; of a capsule nothing, and so SCENE_NO_SOLID */
} Paint;
enum { SCENE_NO_SOLID = -1 };

/* Where a solid stands that is no mesh's. */
typedef struct SceneBody {
    StdSolid solid;
    bool of_parts; /* as of a mesh */
    VEC(float) transforms;
    VEC(uint32_t) things;
} SceneBody;
/* Copies of a mesh, in the order in which they were met. */
typedef struct SceneCopies {
    float *transforms, *tints; /* room for as many as things has */
    VEC(uint32_t) things;
} SceneCopies;

typedef struct SceneMesh {
    const RtMesh *mesh;
    uint64_t hash;
    uint64_t levels; /* by which its coarser ones are kept; 0: it has none */
    SceneLook look;
    bool of_parts; /* its copies are of what moves: parts, and lists of things that hang on the clock or are state; else of what stands */
    SceneCopies copies;
} SceneMesh;

/* A map that was laid out. */
typedef struct SceneMap {
    StdLandMap map;
    const WorldRaster *raster;
    bool lent; /* its samples lie in a layer of its own */
} SceneMap;

/* A material as the card has it. */
typedef struct SceneCard {
    WorldCard card; /* of a plain one: none */
    WorldSurface surface;
    bool plain;
} SceneCard;

/* The channels of a material: its functions, in the order of scene_material.c. */
enum { SCENE_CHANNELS = 6 };
typedef struct SceneMaterial {
    const RtClosure *channels[SCENE_CHANNELS];
    int material; /* as of WorldMesh */
} SceneMaterial;

typedef struct ScenePiece {
    const RtMesh *mesh; /* NULL: it is this solid, and not drawn */
    const StdSolid *body;
    Paint paint;
    SceneLook look;
} ScenePiece;

typedef struct ScenePieces {
    VEC(ScenePiece) items;
} ScenePieces;

/* A copy of a design, grown to be drawn where things of that kind were placed: its meshes, in its frame. */
typedef struct SceneCopyPiece {
    ScenePiece piece;
    Frame frame;
} SceneCopyPiece;
typedef struct SceneCopy {
    const RtClass *kind;
    int64_t variant;
    VEC(SceneCopyPiece) pieces;
} SceneCopy;

/* A part whose things come in chunks round an eye (scene_stream.c), in place of those that it publishes. */
typedef struct SceneStreamed {
    const char *path, *layout; /* of the part, and of its field of things */
    const RtPart *part;
    Frame frame;
    Paint paint;
    Vec3 viewer; /* where it publishes them, in its frame */
} SceneStreamed;

/* What stands in a chunk: copies by mesh, things by their number here. */
typedef struct SceneGroup {
    uint32_t mesh;
    uint64_t standing; /* as of WorldInstances */
    SceneCopies copies;
} SceneGroup;
typedef struct SceneChunk {
    const WorldTable *table; /* of its things; texts are its */
    Arena arena;             /* of what follows */
    VEC(SceneGroup) groups;
    VEC(WorldThing) things;
    bool made;
} SceneChunk;

typedef struct SceneStore {
    Arena *arena; /* the world's `views` when it is whole */
    Arena *scratch;
    WorldScene scene;
    RtPart *land; /* whose grid the land is, and that field; NULL: it is none */
    int land_field;
    VEC(SceneMesh) meshes;
    VEC(double) fine_over;
    VEC(const WorldRaster *) rasters;
    VEC(SceneMap) maps;
    VEC(WorldCamera) cameras;
    VEC(WorldLamp) lamps;
    VEC(WorldCard) cards; /* of the materials */
    VEC(WorldSurface) surfaces;
    VEC(SceneMaterial) materials;
    VEC(const RtClosure *) winds;
    VEC(SceneCopy) copies;
    VEC(SceneBody) bodies;
    struct SceneSolids *shapes; /* of the meshes, once they were asked for; where the meshes lie */
    const WorldSolids *bumped;  /* as they were handed out; NULL: not since it moved */
    VEC(SceneStreamed) streamed;
    bool refused; /* a material, which is reported */
    VEC(const WorldThing *) things;
    /* for who moves it (scene_move.c): */
    bool of_parts;         /* what is added now is of what moves */
    uint64_t stamp;        /* the world's clock when it was gathered */
    VEC(RtPart *) parts;   /* that it was gathered from; those that were spawned left out */
    int still_things;      /* as many of the things were gathered */
    uint64_t still;        /* of what moves with no part: which parts hold it, where those are and how they are tinted */
    WorldMesh *flat;       /* of the meshes, with their coarser ones */
    int flat_count;
} SceneStore;
/* The store of a scene. */
#define SCENE_STORE(pointer) ((const SceneStore *)(const void *)((const char *)(pointer) - offsetof(SceneStore, scene)))

/* What a scene is gathered in, and what working on it needs: outside of the operation, which may be left. */
typedef struct SceneArenas {
    Arena scene, scratch;
} SceneArenas;

static inline void scene_arenas_init(SceneArenas *arenas, World *world) {
    arena_init(&arenas->scene, &world->engine->memory);
    arena_init(&arenas->scratch, &world->engine->memory);
}

static inline void scene_arenas_fini(SceneArenas *arenas) {
    arena_fini(&arenas->scratch);
    arena_fini(&arenas->scene);
}

typedef struct Gather {
    World *world;
    Rt *rt;
    SceneStore *store;
    VEC(Paint) paints; /* of the part visited last and of those that hold it, the outermost first */
    int first_depth;   /* of the outermost */
    SceneArenas *lazy; /* a single function is asked for: where the scene is gathered when a map needs its land; else NULL */
} Gather;

/* A mesh as a view sees it, without its coarser ones and what wind does to it. */
WorldMesh scene_flat_mesh(const RtMesh *mesh, const SceneLook *look);
/* Makes world->scene, of what lies in the arenas until it is whole. */
WorldStatus scene_gather(World *world, Rt *rt, SceneArenas *arenas);
/* Rows of a 3x4 matrix, part to world. */
void scene_matrix(const Frame *frame, float matrix[12]);
/* A fault at the part's line when the 32 bits of a picture cannot hold where `what` stands or how large it is. */
bool scene_fits(const Gather *g, const RtPart *part, const char *what, const float matrix[12]);
/* Begins a thing: what is added next is of it. The texts are copied but for `path`. */
void scene_begin_thing(SceneStore *store, const char *path, Str design, Str id);
/* The path of a part, or of one of its fields. */
const char *scene_path(const Gather *g, const RtPart *part, Str field);
/* A copy of a mesh, or where a solid stands. */
void scene_put(SceneStore *store, const ScenePiece *piece, const float matrix[12]);
/* The same into a mesh that is there. */
void scene_put_copy(SceneStore *store, SceneMesh *into, const ScenePiece *piece, const float matrix[12]);
/* A copy of a mesh, of that thing. */
void scene_put_into(Arena *arena, SceneCopies *into, uint32_t thing, const ScenePiece *piece, const float matrix[12]);
/* The mesh of a piece, by where it lies or by what it holds; NULL: there is none yet. */
SceneMesh *scene_find_mesh(SceneStore *store, const ScenePiece *piece);
/* The same, made if need be. */
SceneMesh *scene_get_mesh(SceneStore *store, const ScenePiece *piece);
/* A number that no scene had before. */
uint64_t scene_new_shape(World *world);
/* The meshes that are not flat yet, behind those that are. */
void scene_flatten(Gather *g);
/* The flat arrays of a store whose meshes are flat. */
void scene_finish(SceneStore *store);
/* scene_move.c: the scene as it is by now. False: it is to be gathered anew. */
bool scene_move(World *world, Rt *rt);
/* Enters a visited part into `still`: one that holds what is placed, a land, a sea, or a cover. Answers whether it does. */
bool scene_stands(const Gather *g, const PartVisit *visit, const Paint *paint);
/* The tint of a part and of all that hold it, which are asked before it. False after a fault. */
bool scene_read_paint(Gather *g, const PartVisit *visit, Paint *paint);
/* Multiplied by that color. */
void scene_paint(Paint *paint, Vec3 color);
/* world->scene, as it is by now. */
WorldStatus scene_renew(World *world, Rt *rt, SceneArenas *arenas);
/* What a part draws: what it is made of, when that is a mesh or a record that holds one, and such records among the
 * expressions that stand alone in its body. False after a fault. */
bool scene_read_part(Gather *g, const PartVisit *visit, const Paint *paint, ScenePieces *pieces);
/* Draws the things of every List[placed] of a part as instances of their kinds. False after a
 * fault. */
bool scene_add_placed(Gather *g, const PartVisit *visit, const Paint *paint);
/* The same of the lists that move, into a scene that has their meshes already: false, and no fault, when it has not. */
bool scene_move_placed(Gather *g, const PartVisit *visit, const Paint *paint);
/* Whether the part holds a list that stands, and whether that field is one that moves. */
bool scene_holds_placed(const Gather *g, const PartVisit *visit);
bool scene_placed_moves(const RtPart *part, int field);

/* Fills a chunk that has its table; kinds and meshes that the scene has not are added to it. False after a fault. */
bool scene_add_chunk(Gather *g, const SceneStreamed *streamed, SceneChunk *chunk);

/* scene_stream.c: whether the field's things come in chunks, and enters the part that holds it, which is visited. */
bool scene_streams(const World *world, const TreeClass *cls, Rt *rt, RtPart *part, int field);
bool scene_add_streamed(Gather *g, const PartVisit *visit, const Paint *paint, int field);

/* scene_layer.c: what `make` makes, in the store's arena, of what it reads of the world; it is made again when that is another. NULL: it
 * failed, or refused. Nothing else of the scene may be in what is made, nor point to values of cells. */
typedef struct SceneLayer {
    const char *name;
    int which; /* of those of that name */
    void *(*make)(Gather *g, const PartVisit *visit, int which);
} SceneLayer;
void *scene_layer(Gather *g, const PartVisit *visit, SceneLayer layer);

/* scene_levels.c: the coarser ones of meshes that are not flat yet; then a mesh as it is drawn, with its own. */
void scene_make_levels(Gather *g);
WorldMesh scene_levels(Gather *g, const SceneMesh *from);
/* scene_land.c */
bool scene_find_land(Gather *g, const PartVisit *visit, const Paint *paint);
bool scene_is_land(const World *world, const TreeClass *cls);
/* scene_camera.c */
bool scene_find_camera(Gather *g, const PartVisit *visit);
bool scene_find_sky(Gather *g, const PartVisit *visit);
bool scene_find_wind(Gather *g, const PartVisit *visit);
bool scene_find_lamp(Gather *g, const PartVisit *visit);
bool scene_find_ocean(Gather *g, const PartVisit *visit);
/* scene_cover.c */
bool scene_find_cover(Gather *g, const PartVisit *visit);
/* scene_raster.c */
/* The maps of a land, each a layer, are laid out for what is asked of them now; shown, also as rasters of the scene. False after a fault. */
bool scene_lay_rasters(Gather *g, const PartVisit *visit, bool shown);
/* A map on its lattice, once. NULL after a fault. */
const WorldRaster *scene_raster(Gather *g, const StdLandMap *map);
/* Of maps that are no rasters of the scene the samples go: cards have their own. */
void scene_drop_rasters(SceneStore *store);

/* scene_material.c */
/* Its number, as of WorldMesh: 0 for what is nothing but a tint. False: it is refused, which is reported. */
bool scene_material(Gather *g, const StdMaterial *material, int *number);
/* The same in two steps: the first reads of the world, the second not. */
bool scene_make_card(Gather *g, const StdMaterial *material, SceneCard *card);
int scene_add_card(SceneStore *store, const SceneCard *card);
/* What wind does to a mesh of it, as of SceneLook. */
int scene_wind(SceneStore *store, const StdMaterial *material);

/* scene_solid.c */
/* What the part says that it is is handed on. False after a fault. */
bool scene_read_solid(Gather *g, const PartVisit *visit, Paint *paint);
/* What it is itself besides its meshes. */
void scene_add_solid(Gather *g, const PartVisit *visit, const Paint *paint, ScenePieces *pieces);
/* Where such a piece stands. */
void scene_put_body(SceneStore *store, const ScenePiece *piece, const float matrix[12]);

/* card.c: functions of a world as the graphics card runs them; what is made lies in the operation's arena. */
Glsl *card_begin(Gather *g);
/* Reports why one could not be. */
void card_refuse(const Gather *g, const Glsl *glsl);

#endif
