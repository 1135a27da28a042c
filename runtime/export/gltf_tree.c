/* The nodes of a file: the roots, then level by level what stands under them. A part that holds what is drawn is a node too, so
 * that a program shows the world's tree; it stands where the world does, and what is under it where it stands in the world.
 */
#include <string.h>

#include "runtime/export/gltf_parts.h"

static GltfNode thing_node(const Gltf *g, uint32_t index) {
    const WorldThing *thing = g->scene->things[index];
    return (GltfNode){.kind = NODE_THING,
                      .name = thing->id[0] ? thing->id : thing->path,
                      .thing = thing,
                      .first = g->first_copy[index],
                      .count = g->first_copy[index + 1] - g->first_copy[index]};
}

/* The things of one layout follow one another. */
static uint32_t count_layout(const WorldScene *scene, uint32_t first) {
    uint32_t past = first;
    while (past < scene->thing_count && scene->things[past]->id[0] &&
           strcmp(scene->things[past]->path, scene->things[first]->path) == 0)
        past++;
    return past - first;
}

/* Where the name at this place of a path ends; a member's id, `post["a.b"]`, is part of it. */
static size_t name_end(const char *path, size_t at) {
    for (; path[at] && path[at] != '.'; at++) {
        const char *close = strncmp(path + at, "[\"", 2) == 0 ? strstr(path + at + 2, "\"]") : NULL;
        if (close) at = (size_t)(close - path) + 1;
    }
    return at;
}

/* Layouts and things whose paths begin alike become one node, in the order in which the first of each comes. */
typedef struct Branches {
    SymbolTable names;
    VEC(GltfBranch) items; /* by symbol - 1 */
} Branches;

static void sort_into(Gltf *g, Branches *branches, uint32_t leaf, size_t at) {
    const char *path = g->leaves.items[leaf].thing->path;
    size_t end = name_end(path, at);
    Symbol name = symbols_intern(&branches->names, (Str){path + at, end - at});
    if ((int)name > branches->items.count) VEC_PUSH(g->arena, &branches->items, ((GltfBranch){.end = end}));
    VEC_PUSH(g->arena, &branches->items.items[name - 1].leaves, leaf);
}

static GltfNode leaf_node(const Gltf *g, const GltfLeaf *leaf) {
    if (leaf->count == 0) return thing_node(g, leaf->first);
    return (GltfNode){.kind = NODE_LAYOUT, .name = leaf->thing->path, .first = leaf->first, .count = leaf->count};
}

/* A branch with one leaf that ends there is that leaf. */
static void add_branches(Gltf *g, const Branches *branches) {
    for (int i = 0; i < branches->items.count; i++) {
        const GltfBranch *branch = &branches->items.items[i];
        const char *path = g->leaves.items[branch->leaves.items[0]].thing->path;
        bool leaf = branch->leaves.count == 1 && path[branch->end] == '\0';
        GltfNode node = leaf ? leaf_node(g, &g->leaves.items[branch->leaves.items[0]])
                             : (GltfNode){.kind = NODE_PART,
                                          .name = arena_strndup(g->arena, path, branch->end),
                                          .branch = branch};
        VEC_PUSH(g->arena, &g->nodes, node);
    }
}

static Branches no_branches(Gltf *g) {
    Branches branches = {0};
    symbols_init(&branches.names, g->arena);
    return branches;
}

static void add_roots(Gltf *g) {
    Branches branches = no_branches(g);
    for (uint32_t t = 0; t < g->scene->thing_count;) {
        uint32_t count = count_layout(g->scene, t);
        VEC_PUSH(g->arena, &g->leaves, ((GltfLeaf){.thing = g->scene->things[t], .first = t, .count = count}));
        sort_into(g, &branches, (uint32_t)g->leaves.count - 1, 0);
        t += count ? count : 1;
    }
    add_branches(g, &branches);
    g->root_count = (uint32_t)g->nodes.count;
}

/* What is drawn of the part itself comes first; then what it holds. */
static void add_held(Gltf *g, const GltfBranch *branch) {
    Branches branches = no_branches(g);
    for (int i = 0; i < branch->leaves.count; i++) {
        uint32_t leaf = branch->leaves.items[i];
        if (g->leaves.items[leaf].thing->path[branch->end] == '\0') {
            GltfNode node = leaf_node(g, &g->leaves.items[leaf]);
            VEC_PUSH(g->arena, &g->nodes, node);
        } else {
            sort_into(g, &branches, leaf, branch->end + 1);
        }
    }
    add_branches(g, &branches);
}

void gltf_add_nodes(Gltf *g) {
    add_roots(g);
    for (int i = 0; i < g->nodes.count; i++) {
        GltfNode node = g->nodes.items[i];
        uint32_t child = (uint32_t)g->nodes.count;
        if (node.kind == NODE_PART) {
            add_held(g, node.branch);
            g->nodes.items[i].count = (uint32_t)g->nodes.count - child;
        }
        for (uint32_t k = node.first; node.kind == NODE_LAYOUT && k < node.first + node.count; k++)
            VEC_PUSH(g->arena, &g->nodes, thing_node(g, k));
        for (uint32_t k = node.first; node.kind == NODE_THING && node.count > 1 && k < node.first + node.count; k++) {
            GltfNode copy = {.kind = NODE_COPY, .name = node.name, .first = k, .count = 1};
            VEC_PUSH(g->arena, &g->nodes, copy);
        }
        g->nodes.items[i].child = child;
    }
}
