/* The text of a glTF file: its tables, in the order of their numbers. */
#include "runtime/export/gltf_parts.h"

#include <math.h>

static void add_numbers(StrBuf *out, const char *key, const double *numbers, int count) {
    strbuf_printf(out, "\"%s\":[", key);
    for (int i = 0; i < count; i++) {
        if (i) strbuf_char(out, ',');
        strbuf_double(out, numbers[i]);
    }
    strbuf_char(out, ']');
}

/* A frame's own matrix turns about the vertical and scales evenly. */
static bool is_turn(const float m[12]) {
    return !(m[1] || m[4] || m[6] || m[9]) && m[0] == m[10] && m[2] == -m[8] && m[5] > 0;
}

static void add_turn(StrBuf *out, const float m[12]) {
    double scale = (double)m[5], cosine = (double)m[0] / scale;
    const double at[3] = {(double)m[3], (double)m[7], (double)m[11]},
                 sizes[3] = {scale, scale, scale};
    double held_cosine = cosine > 1 ? 1 : cosine < -1 ? -1 : cosine;
    double half_sine = sqrt((1 - held_cosine) / 2), half_cosine = sqrt((1 + held_cosine) / 2);
    const double turn[4] = {0, m[2] < 0 ? -half_sine : half_sine, 0, half_cosine};
    strbuf_char(out, ',');
    add_numbers(out, "translation", at, 3);
    if (half_sine > 0) strbuf_char(out, ',');
    if (half_sine > 0) add_numbers(out, "rotation", turn, 4);
    if (m[5] != 1) strbuf_char(out, ',');
    if (m[5] != 1) add_numbers(out, "scale", sizes, 3);
}

static void add_transform(StrBuf *out, const float m[12]) {
    if (memcmp(m, gltf_no_transform, sizeof gltf_no_transform) == 0) return;
    if (is_turn(m)) {
        add_turn(out, m);
        return;
    }
    double columns[16] = {0};
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            columns[4 * column + row] = (double)m[4 * row + column];
    columns[15] = 1;
    strbuf_char(out, ',');
    add_numbers(out, "matrix", columns, 16);
}

static void add_extra(StrBuf *out, const char *key, const char *text, bool *first) {
    if (text[0] == '\0') return;
    strbuf_printf(out, "%s\"%s\":", *first ? ",\"extras\":{" : ",", key);
    strbuf_json_text(out, str_of(text));
    *first = false;
}

/* The mesh of a node that has levels. */
static const WorldMesh *finest_of(const Gltf *g, const GltfNode *node) {
    GltfClad clad;
    memcpy(&clad, symbols_name(&g->clads, g->copies.items[node->first].clad + 1).ptr, sizeof clad);
    return g->shapes.items[clad.shape].mesh;
}

/* Of a picture of 1920 by 1080 pixels: what a ball covers that looks so many across. */
static double cover_of(double pixels) {
    double cover = 0.7853981633974483 * pixels * pixels / (1920.0 * 1080.0);
    return cover < 1 ? cover : 1;
}

/* At which share of the picture each level gives way to the next; past the last nothing is shown. */
static void add_covers(StrBuf *out, const Gltf *g, const GltfNode *node, bool *first) {
    if (node->levels == 0) return;
    strbuf_printf(out, "%s\"MSFT_screencoverage\":[", *first ? ",\"extras\":{" : ",");
    for (const WorldMesh *mesh = finest_of(g, node); mesh->coarser; mesh = mesh->coarser) {
        strbuf_double(out, cover_of(mesh->coarser_below));
        strbuf_char(out, ',');
    }
    strbuf_printf(out, "0]");
    *first = false;
}

static void add_extras(StrBuf *out, const Gltf *g, const GltfNode *node) {
    bool first = true;
    const WorldThing bare = {.path = node->kind == NODE_PART ? node->name : "", .design = "", .id = ""}, *thing = node->thing ? node->thing : &bare;
    add_extra(out, "id", thing->id, &first);
    add_extra(out, "path", thing->path, &first);
    add_extra(out, "design", thing->design, &first);
    add_covers(out, g, node, &first);
    if (!first) strbuf_char(out, '}');
}

static void add_number_list(StrBuf *out, uint32_t first, uint32_t count) {
    strbuf_char(out, '[');
    for (uint32_t i = 0; i < count; i++)
        strbuf_printf(out, i ? ",%u" : "%u", first + i);
    strbuf_char(out, ']');
}

static void add_crowd(StrBuf *out, const GltfCrowd *crowd) {
    static const char *const attributes[GLTF_CROWD_LISTS] = {"TRANSLATION", "ROTATION", "SCALE", "_COLOR_0"};
    strbuf_printf(out, "\"EXT_mesh_gpu_instancing\":{\"attributes\":{");
    for (uint32_t list = 0; list < GLTF_CROWD_LISTS; list++)
        strbuf_printf(out, "%s\"%s\":%u", list ? "," : "", attributes[list], crowd->accessor + list);
    strbuf_printf(out, "}}");
}

static void add_extensions(StrBuf *out, const Gltf *g, const GltfNode *node) {
    if (!node->crowd && !node->levels) return;
    strbuf_printf(out, ",\"extensions\":{");
    if (node->crowd) add_crowd(out, &g->crowds.items[node->crowd - 1]);
    if (node->crowd && node->levels) strbuf_char(out, ',');
    if (node->levels) {
        strbuf_printf(out, "\"MSFT_lod\":{\"ids\":");
        add_number_list(out, node->level, node->levels);
        strbuf_char(out, '}');
    }
    strbuf_char(out, '}');
}

static void add_node(StrBuf *out, const Gltf *g, const GltfNode *node) {
    bool parent = node->kind == NODE_LAYOUT || node->kind == NODE_PART || node->count > 1;
    strbuf_printf(out, "{\"name\":");
    strbuf_json_text(out, str_of(node->name));
    if (parent) strbuf_printf(out, ",\"children\":");
    if (parent) add_number_list(out, node->child, node->count);
    if (!parent && node->count) {
        const GltfCopy *copy = &g->copies.items[node->first];
        strbuf_printf(out, ",\"mesh\":%u", copy->clad);
        add_transform(out, copy->transform);
    }
    add_extensions(out, g, node);
    add_extras(out, g, node);
    strbuf_char(out, '}');
}

/* Light of its own; glTF's goes to 1, and an extension says how many times that. */
static void add_glow(StrBuf *out, const float emission[3]) {
    double most = fmax((double)emission[0], fmax((double)emission[1], (double)emission[2])), times = fmax(most, 1), factor[3];
    if (!(most > 0)) return;
    for (int k = 0; k < 3; k++)
        factor[k] = fmax((double)emission[k], 0) / times;
    strbuf_char(out, ',');
    add_numbers(out, "emissiveFactor", factor, 3);
    if (times == 1) return;
    strbuf_printf(out, ",\"extensions\":{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":");
    strbuf_double(out, times);
    strbuf_printf(out, "}}");
}

static double held_or(float said, double otherwise) {
    return isnan(said) ? otherwise : (double)gltf_held(said);
}

static void add_look(StrBuf *out, const Gltf *g, const GltfLook *look) {
    static const double alphas[] = {1, 1, 0.75, 1, 0.85, 1}, rough[] = {0.9, 0.9, 0.1, 1, 0.1, 0.9};
    const WorldSurface *said = gltf_surface(g, look);
    double color[4] = {[3] = alphas[look->kind]};
    for (int k = 0; k < 3; k++)
        color[k] = (double)gltf_held(gltf_is_colored(said) ? look->tint[k] * said->color[k] : look->tint[k]);
    strbuf_printf(out, "{\"pbrMetallicRoughness\":{");
    add_numbers(out, "baseColorFactor", color, 4);
    if (look->image) strbuf_printf(out, ",\"baseColorTexture\":{\"index\":%u}", look->image - 1);
    strbuf_printf(out, ",\"metallicFactor\":");
    strbuf_double(out, said ? held_or(said->metal, 0) : 0);
    strbuf_printf(out, ",\"roughnessFactor\":");
    strbuf_double(out, said ? held_or(said->roughness, rough[look->kind]) : rough[look->kind]);
    strbuf_char(out, '}');
    if (said) add_glow(out, said->emission);
    strbuf_printf(out, "%s%s%s}", look->kind == LOOK_TWO_SIDED || look->kind == LOOK_CARDS ? ",\"doubleSided\":true" : "",
                  look->kind == LOOK_CARDS ? ",\"alphaMode\":\"MASK\",\"alphaCutoff\":0.4" : "",
                  alphas[look->kind] < 1 ? ",\"alphaMode\":\"BLEND\"" : "");
}

static void add_mesh(StrBuf *out, const Gltf *g, const GltfClad *mesh) {
    const GltfShape *shape = &g->shapes.items[mesh->shape];
    bool colors = shape->mesh && shape->mesh->colors, coords = shape->mesh && shape->mesh->coords;
    uint32_t first = shape->accessor, next = first + 2;
    GltfLook look;
    memcpy(&look, symbols_name(&g->looks, mesh->look).ptr, sizeof look);
    strbuf_printf(out, "{\"primitives\":[{\"attributes\":{\"POSITION\":%u,\"NORMAL\":%u", first,
                  first + 1);
    if (colors && !gltf_is_colored(gltf_surface(g, &look))) strbuf_printf(out, ",\"COLOR_0\":%u", next);
    next += colors;
    if (coords) strbuf_printf(out, ",\"TEXCOORD_0\":%u", next++);
    strbuf_printf(out, "},\"indices\":%u,\"material\":%u}]}", next, mesh->look - 1);
}

/* Ends the list before it. */
static void begin_list(StrBuf *out, const char *key) {
    strbuf_printf(out, "],\n\"%s\":[", key);
}

static void next_item(StrBuf *out, bool first) {
    strbuf_printf(out, "%s", first ? "" : ",\n");
}

static void add_views(StrBuf *out, const GltfShape *shape) {
    uint64_t at = shape->offset;
    bool coords = shape->mesh && shape->mesh->coords;
    uint32_t count = gltf_shape_views(shape) - 1;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bytes = shape->vertices * (coords && i == count - 1 ? 8 : 12);
        strbuf_printf(out,
                      "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34962},",
                      (unsigned long long)at, (unsigned long long)bytes);
        at += bytes;
    }
    strbuf_printf(out, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu,\"target\":34963}",
                  (unsigned long long)at, (unsigned long long)shape->indices * 4);
}

static void add_vectors(StrBuf *out, const GltfShape *shape, uint32_t which) {
    bool coords = shape->mesh && shape->mesh->coords && which == gltf_shape_views(shape) - 2;
    strbuf_printf(out, "{\"bufferView\":%u,\"componentType\":5126,\"count\":%llu,\"type\":\"VEC%d\"",
                  shape->accessor + which, (unsigned long long)shape->vertices, coords ? 2 : 3);
    if (which == 0) { /* positions must say their box */
        strbuf_char(out, ',');
        add_numbers(out, "min", shape->low, 3);
        strbuf_char(out, ',');
        add_numbers(out, "max", shape->high, 3);
    }
    strbuf_printf(out, "},");
}

static void add_accessors(StrBuf *out, const GltfShape *shape) {
    uint32_t vectors = gltf_shape_views(shape) - 1;
    for (uint32_t i = 0; i < vectors; i++)
        add_vectors(out, shape, i);
    strbuf_printf(out,
                  "{\"bufferView\":%u,\"componentType\":5125,\"count\":%llu,\"type\":\"SCALAR\"}",
                  shape->accessor + vectors, (unsigned long long)shape->indices);
}

static void add_crowd_views(StrBuf *out, const GltfCrowd *crowd) {
    uint64_t at = crowd->offset;
    for (int list = 0; list < GLTF_CROWD_LISTS; list++) {
        uint64_t bytes = (uint64_t)4 * gltf_crowd_widths[list] * crowd->count;
        strbuf_printf(out, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu}", list ? ",\n" : "", (unsigned long long)at, (unsigned long long)bytes);
        at += bytes;
    }
}

static void add_crowd_accessors(StrBuf *out, const GltfCrowd *crowd) {
    for (uint32_t list = 0; list < GLTF_CROWD_LISTS; list++)
        strbuf_printf(out, "%s{\"bufferView\":%u,\"componentType\":5126,\"count\":%u,\"type\":\"VEC%u\"}", list ? ",\n" : "", crowd->accessor + list,
                      crowd->count, gltf_crowd_widths[list]);
}

/* Each image is a texture; their views come after those of all shapes. */
static void add_pictures(StrBuf *out, const Gltf *g) {
    begin_list(out, "images");
    for (int i = 0; i < g->images.count; i++)
        strbuf_printf(out, "%s{\"bufferView\":%u,\"mimeType\":\"image/png\"}", i ? ",\n" : "", g->accessors + (uint32_t)i);
    begin_list(out, "textures");
    for (int i = 0; i < g->images.count; i++)
        strbuf_printf(out, "%s{\"source\":%d}", i ? ",\n" : "", i);
}

static void add_lists(StrBuf *out, const Gltf *g) {
    begin_list(out, "nodes");
    for (int i = 0; i < g->nodes.count; i++) {
        next_item(out, i == 0);
        add_node(out, g, &g->nodes.items[i]);
    }
    begin_list(out, "materials");
    for (Symbol s = 1; s < g->looks.count; s++) {
        GltfLook look;
        memcpy(&look, symbols_name(&g->looks, s).ptr, sizeof look);
        next_item(out, s == 1);
        add_look(out, g, &look);
    }
    begin_list(out, "meshes");
    for (Symbol s = 1; s < g->clads.count; s++) {
        GltfClad mesh;
        memcpy(&mesh, symbols_name(&g->clads, s).ptr, sizeof mesh);
        next_item(out, s == 1);
        add_mesh(out, g, &mesh);
    }
    begin_list(out, "accessors");
    for (int i = 0; i < g->shapes.count; i++) {
        next_item(out, i == 0);
        add_accessors(out, &g->shapes.items[i]);
    }
    for (int i = 0; i < g->crowds.count; i++) {
        next_item(out, false);
        add_crowd_accessors(out, &g->crowds.items[i]);
    }
    begin_list(out, "bufferViews");
    for (int i = 0; i < g->shapes.count; i++) {
        next_item(out, i == 0);
        add_views(out, &g->shapes.items[i]);
    }
    for (int i = 0; i < g->crowds.count; i++) {
        next_item(out, false);
        add_crowd_views(out, &g->crowds.items[i]);
    }
    for (int i = 0; i < g->images.count; i++)
        strbuf_printf(out, ",\n{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%zu}", (unsigned long long)g->images.items[i].offset,
                      g->images.items[i].png.len);
    if (g->images.count) add_pictures(out, g);
}

static void add_used(StrBuf *out, const Gltf *g) {
    bool levels = g->nodes.items[g->nodes.count - 1].kind == NODE_LEVEL, crowds = g->crowds.count > 0;
    const char *names[] = {crowds ? "EXT_mesh_gpu_instancing" : NULL, levels ? "MSFT_lod" : NULL, g->glows ? "KHR_materials_emissive_strength" : NULL};
    const char *before = "\"extensionsUsed\":[";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i] == NULL) continue;
        strbuf_printf(out, "%s\"%s\"", before, names[i]);
        before = ",";
    }
    if (*before == ',') strbuf_printf(out, "],");
    if (crowds) strbuf_printf(out, "\"extensionsRequired\":[\"EXT_mesh_gpu_instancing\"],");
}

Str gltf_text(const Gltf *g, const char *name, const char *uri) {
    StrBuf buffer = {.arena = g->arena}, *out = &buffer;
    strbuf_printf(out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"worldc\"},");
    add_used(out, g);
    strbuf_printf(out, "\"scene\":0,\"scenes\":[{\"name\":");
    strbuf_json_text(out, str_of(name));
    strbuf_printf(out, ",\"nodes\":[");
    for (uint32_t i = 0; i < g->root_count; i++)
        strbuf_printf(out, i ? ",%u" : "%u", i);
    strbuf_printf(out, "]}");
    add_lists(out, g);
    strbuf_printf(out, "],\"buffers\":[{\"byteLength\":%llu", (unsigned long long)g->bytes);
    if (uri) strbuf_printf(out, ",\"uri\":");
    if (uri) strbuf_json_text(out, str_of(uri));
    strbuf_printf(out, "}]}");
    while (out->len % 4)
        strbuf_char(out, ' ');
    return strbuf_take(out);
}
