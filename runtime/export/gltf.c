#include "runtime/export/gltf.h"

#include <math.h>

#include "runtime/export/gltf_parts.h"
#include "runtime/export/png.h"

enum { GLB_MAGIC = 0x46546C67, GLB_JSON = 0x4E4F534A, GLB_BIN = 0x004E4942 };

/* -- what there is -- */

static uint32_t add_shape(Gltf *g, GltfShape shape) {
    shape.offset = g->bytes;
    shape.accessor = g->accessors;
    g->accessors += gltf_shape_views(&shape);
    g->bytes += gltf_shape_bytes(&shape);
    VEC_PUSH(g->arena, &g->shapes, shape);
    return (uint32_t)g->shapes.count - 1;
}

float gltf_held(float part) {
    return part > 0 ? part < 1 ? part : 1 : 0;
}

static Symbol add_image(Gltf *g, const WorldPicture *picture) {
    if (picture == NULL) return 0;
    GltfImage image = {.png = png_encode_rgba(g->arena, picture->width, picture->height, picture->rgba)};
    if (image.png.len == 0) memory_fail();
    VEC_PUSH(g->arena, &g->images, image);
    return (Symbol)g->images.count;
}

uint32_t gltf_add_shapes(Gltf *g, const WorldMesh *mesh) {
    uint32_t first = add_shape(g, gltf_shape_of_mesh(mesh));
    for (const WorldMesh *at = mesh->coarser; at; at = at->coarser) {
        GltfShape shape = gltf_shape_of_mesh(at);
        shape.image = add_image(g, at->picture);
        add_shape(g, shape);
        g->shapes.items[first].coarser++;
    }
    return first;
}

const WorldSurface *gltf_surface(const Gltf *g, const GltfLook *look) {
    return look->material && g->scene->surfaces ? &g->scene->surfaces[look->material - 1] : NULL;
}

bool gltf_is_colored(const WorldSurface *said) {
    return said && !isnan(said->color[0]);
}

static uint32_t clad(Gltf *g, uint32_t shape, GltfLookKind kind, const float tint[3]) {
    const WorldMesh *mesh = g->shapes.items[shape].mesh;
    int material = mesh ? mesh->material : g->scene->land_material;
    GltfLook look = {(uint32_t)kind, g->shapes.items[shape].image, (uint32_t)material, {tint[0], tint[1], tint[2]}};
    const WorldSurface *said = gltf_surface(g, &look);
    for (int k = 0; k < 3; k++) {
        if (!gltf_is_colored(said)) look.tint[k] = gltf_held(tint[k]);
        g->glows |= said && said->emission[k] > 1;
    }
    GltfClad clad = {shape, symbols_intern(&g->looks, (Str){(const char *)&look, sizeof look})};
    return symbols_intern(&g->clads, (Str){(const char *)&clad, sizeof clad}) - 1;
}

static void add_alone(Gltf *g, const char *name, uint32_t shape, GltfLookKind kind,
                      const float tint[3], const float *transform) {
    GltfCopy copy = {clad(g, shape, kind, tint), transform};
    GltfNode node = {
        .kind = NODE_ALONE, .name = name, .first = (uint32_t)g->copies.count, .count = 1};
    VEC_PUSH(g->arena, &g->copies, copy);
    VEC_PUSH(g->arena, &g->nodes, node);
}

const float gltf_no_transform[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static void add_land(Gltf *g) {
    static const float grass[3] = {0.19f, 0.27f, 0.1f};
    const WorldGridView *view = &g->scene->land;
    g->land = (RtGrid){.head.kind = RT_GRID,
                       .columns = view->columns,
                       .rows = view->rows,
                       .cell = view->cell,
                       .x0 = view->x0,
                       .z0 = view->z0,
                       .outside = view->outside,
                       .finer = view->finer,
                       .tail = (int64_t)view->tail,
                       .heights = (float *)(uintptr_t)view->heights};
    const WorldSurface *said = gltf_surface(g, &(GltfLook){.material = (uint32_t)g->scene->land_material});
    add_alone(g, "land", add_shape(g, gltf_shape_of_land(&g->land)), LOOK_LAND,
              gltf_is_colored(said) ? g->scene->land_tint : grass,
              g->scene->land_transform);
}

/* A square about the land's middle. */
static void add_sea(Gltf *g) {
    static const float blue[3] = {0.03f, 0.16f, 0.22f};
    static const uint32_t indices[6] = {0, 1, 2, 0, 2, 3};
    const WorldGridView *land = &g->scene->land;
    const float *m = g->scene->land_transform;
    double wide = land->cell * (land->columns - 1), deep = land->cell * (land->rows - 1);
    double x = land->x0 + wide / 2, z = land->z0 + deep / 2,
           reach = 2 * (wide > deep ? wide : deep);
    double middle_x = (double)m[0] * x + (double)m[2] * z + (double)m[3];
    double middle_z = (double)m[8] * x + (double)m[10] * z + (double)m[11];
    for (int i = 0; i < 4; i++) {
        g->sea_corners[3 * i] = (float)(middle_x + (i < 2 ? -reach : reach));
        g->sea_corners[3 * i + 1] = (float)g->scene->sea_level;
        g->sea_corners[3 * i + 2] = (float)(middle_z + (i == 1 || i == 2 ? reach : -reach));
        g->sea_normals[3 * i + 1] = 1;
    }
    g->sea = (WorldMesh){.vertex_count = 4,
                         .index_count = 6,
                         .positions = g->sea_corners,
                         .normals = g->sea_normals,
                         .indices = indices};
    add_alone(g, "sea", add_shape(g, gltf_shape_of_mesh(&g->sea)), LOOK_SEA, blue,
              gltf_no_transform);
}

static GltfLookKind kind_of(const WorldMesh *mesh) {
    return mesh->water ? LOOK_WATER : mesh->picture ? LOOK_CARDS : mesh->two_sided ? LOOK_TWO_SIDED : LOOK_PLAIN;
}

uint32_t gltf_clad(Gltf *g, uint32_t shape, const float tint[3]) {
    return clad(g, shape, kind_of(g->shapes.items[shape].mesh), tint);
}

/* Each thing's copies, in the order of the scene's meshes. */
static void sort_copies(Gltf *g) {
    const WorldScene *scene = g->scene;
    uint32_t base = (uint32_t)g->copies.count,
             *starts = ARENA_ARRAY(g->arena, uint32_t, scene->thing_count + 2);
    for (size_t i = 0; i < scene->instance_count; i++)
        for (uint32_t k = 0; k < scene->instances[i].count; k++)
            starts[scene->instance_things[i][k] + 2]++;
    starts[0] = starts[1] = base;
    for (size_t t = 2; t < scene->thing_count + 2; t++)
        starts[t] += starts[t - 1];
    for (uint32_t c = base; c < starts[scene->thing_count + 1]; c++)
        VEC_PUSH(g->arena, &g->copies, ((GltfCopy){0}));
    for (size_t i = 0; i < scene->instance_count; i++) {
        const WorldInstances *group = &scene->instances[i];
        const WorldMesh *mesh = &scene->meshes[group->mesh];
        uint32_t shape = gltf_add_shapes(g, mesh);
        for (uint32_t k = 0; k < group->count; k++)
            g->copies.items[starts[scene->instance_things[i][k] + 1]++] =
                (GltfCopy){gltf_clad(g, shape, group->tints + 3 * (size_t)k),
                           group->transforms + 12 * (size_t)k};
    }
    g->first_copy = starts; /* each start was moved to the next thing's */
}

/* -- levels: nodes of no scene, which MSFT_lod names -- */

static GltfClad clad_of(const Gltf *g, const GltfNode *node) {
    GltfClad clad;
    memcpy(&clad, symbols_name(&g->clads, g->copies.items[node->first].clad + 1).ptr, sizeof clad);
    return clad;
}

static void add_levels_of(Gltf *g, int n) {
    GltfNode *node = &g->nodes.items[n];
    GltfClad finest = clad_of(g, node);
    GltfLook look;
    memcpy(&look, symbols_name(&g->looks, finest.look).ptr, sizeof look);
    node->level = (uint32_t)g->nodes.count;
    node->levels = g->shapes.items[finest.shape].coarser;
    GltfNode level = {.kind = NODE_LEVEL, .name = node->name, .count = 1, .crowd = node->crowd};
    const float *transform = g->copies.items[node->first].transform;
    for (uint32_t shape = finest.shape + 1; shape <= finest.shape + g->shapes.items[finest.shape].coarser; shape++) {
        GltfCopy copy = {gltf_clad(g, shape, look.tint), transform};
        level.first = (uint32_t)g->copies.count;
        VEC_PUSH(g->arena, &g->copies, copy);
        VEC_PUSH(g->arena, &g->nodes, level);
    }
}

static void add_levels(Gltf *g) {
    int count = g->nodes.count;
    for (int n = 0; n < count; n++) {
        const GltfNode *node = &g->nodes.items[n];
        if (node->count == 1 && (node->kind == NODE_THING || node->kind == NODE_COPY)) add_levels_of(g, n);
    }
}

static void lay_crowds(Gltf *g) {
    for (int i = 0; i < g->crowds.count; i++) {
        GltfCrowd *crowd = &g->crowds.items[i];
        crowd->offset = g->bytes;
        crowd->accessor = g->accessors;
        g->bytes += gltf_crowd_bytes(crowd);
        g->accessors += GLTF_CROWD_LISTS;
    }
}

static void lay_images(Gltf *g) {
    for (int i = 0; i < g->images.count; i++) {
        g->images.items[i].offset = g->bytes;
        g->bytes += (g->images.items[i].png.len + 3) / 4 * 4;
    }
}

/* -- the file -- */

static uint64_t count_triangles(const Gltf *g) {
    uint64_t count = 0;
    for (int i = 0; i < g->shapes.count; i++)
        count += g->shapes.items[i].indices / 3;
    return count;
}

static float *make_room(const Gltf *g) {
    size_t most = 0;
    for (int i = 0; i < g->shapes.count; i++) {
        size_t room = gltf_shape_room(&g->shapes.items[i]);
        if (room > most) most = room;
    }
    return arena_alloc_raw(g->arena, most);
}

static void write_shapes(const Gltf *g, WholeFile *file, float *room) {
    for (int i = 0; i < g->shapes.count; i++)
        gltf_shape_write(&g->shapes.items[i], file, room);
    for (int i = 0; i < g->crowds.count; i++)
        gltf_crowd_write(&g->crowds.items[i], file);
    for (int i = 0; i < g->images.count; i++) {
        Str png = g->images.items[i].png;
        file_add(file, png.ptr, png.len);
        file_add(file, "\0\0\0", (4 - png.len % 4) % 4);
    }
}

static bool close_file(const Gltf *g, WholeFile *file, Str *error) {
    if (file_commit(file)) return true;
    *error = file_sentence(file, g->arena);
    return false;
}

static bool open_file(const Gltf *g, WholeFile *file, const char *path, Str *error) {
    if (file_open(file, path)) return true;
    *error = file_sentence(file, g->arena);
    return false;
}

static bool write_binary(const Gltf *g, const char *path, const char *name, Str *error) {
    Str text = gltf_text(g, name, NULL);
    uint64_t all = 12 + 8 + text.len + 8 + g->bytes;
    if (all > UINT32_MAX) {
        *error = str_printf(
            g->arena, "%s: %.3g GB are too many for one .glb file, which holds 4; .gltf takes them",
            path, (double)all * 1e-9);
        return false;
    }
    uint32_t head[5] = {GLB_MAGIC, 2, (uint32_t)all, (uint32_t)text.len, GLB_JSON};
    uint32_t numbers[2] = {(uint32_t)g->bytes, GLB_BIN};
    float *room = make_room(g);
    WholeFile file;
    if (!open_file(g, &file, path, error)) return false;
    file_add_numbers(&file, head, 4, sizeof head / 4);
    file_add(&file, text.ptr, text.len);
    file_add_numbers(&file, numbers, 4, 2);
    write_shapes(g, &file, room);
    return close_file(g, &file, error);
}

/* The name of a file as a relative URI: what is neither letter, digit nor one of -._~ by its number. */
static const char *uri_of(Arena *arena, const char *path) {
    const char *slash = strrchr(path, '/');
    StrBuf uri = {.arena = arena};
    for (const unsigned char *c = (const unsigned char *)(slash ? slash + 1 : path); *c; c++) {
        bool plain = (*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z');
        strbuf_printf(&uri, plain || strchr("-._~", *c) ? "%c" : "%%%02X", *c);
    }
    return strbuf_take(&uri).ptr;
}

/* The numbers first: who finds the text finds them. */
static bool write_pair(const Gltf *g, const char *path, const char *name, Str *error) {
    const char *numbers =
        str_printf(g->arena, "%.*s.bin", (int)(strlen(path) - strlen(".gltf")), path).ptr;
    Str text = gltf_text(g, name, uri_of(g->arena, numbers));
    float *room = make_room(g);
    WholeFile file;
    if (!open_file(g, &file, numbers, error)) return false;
    write_shapes(g, &file, room);
    if (!close_file(g, &file, error) || !open_file(g, &file, path, error)) return false;
    file_add(&file, text.ptr, text.len);
    return close_file(g, &file, error);
}

bool gltf_write(Arena *arena, const char *path, const char *name, SceneForm form, const WorldScene *scene,
                GltfReport *report, Str *error) {
    Gltf *g = ARENA_NEW(arena, Gltf);
    g->arena = arena;
    g->scene = scene;
    symbols_init(&g->looks, arena);
    symbols_init(&g->clads, arena);
    if (scene->land.columns) add_land(g);
    if (scene->land.columns && scene->has_sea) add_sea(g);
    if (form == EXPORT_THINGS) {
        sort_copies(g);
        gltf_add_nodes(g);
    } else {
        gltf_add_crowds(g);
    }
    add_levels(g);
    lay_crowds(g);
    lay_images(g);
    *report = (GltfReport){(uint64_t)g->nodes.count, g->clads.count - 1, count_triangles(g)};
    if (g->nodes.count == 0) {
        *error = STR_LIT("nothing of this world is drawn: no part is a mesh, and no part is a "
                         "land; a grid alone goes there by its "
                         "name: worldc export FILE GRID -o OUT");
        return false;
    }
    return str_ends(str_of(path), STR_LIT(".gltf")) ? write_pair(g, path, name, error)
                                                    : write_binary(g, path, name, error);
}
