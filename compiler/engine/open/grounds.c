/* The height grids that a part's function `height` reads: a land has ground as far as one of them
 * reaches. Read off the function's text and what it calls; a land that is a formula has none, and
 * ground everywhere. */
#include "compiler/engine/open/open.h"
#include "stdlib/library_names.h"

typedef struct GroundSearch {
    Arena *arena;
    const SymbolTable *symbols;
    const TreeClass *cls;
    VEC(int32_t) fields;
    VEC(const TreeFn *) seen;
} GroundSearch;

static bool is_grid(const GroundSearch *search, const Type *type) {
    return type->kind == TYPE_OBJECT && str_equal(symbols_name(search->symbols, type->name),
                                                  STR_LIT(STD_grid_heightGrid));
}

static bool derives(const TreeClass *cls, const TreeClass *base) {
    while (cls && cls != base)
        cls = cls->base;
    return cls != NULL;
}

static void search_fn(GroundSearch *search, const TreeFn *fn);

static void note_ground(GroundSearch *search, const Tree *read) {
    const Type *of = read->part.operand->type;
    if (of->kind != TYPE_PART || !of->cls || !derives(search->cls, of->cls)) return;
    for (int i = 0; i < search->fields.count; i++)
        if (search->fields.items[i] == read->part.index) return;
    VEC_PUSH(search->arena, &search->fields, read->part.index);
}

static void search_tree(const Tree *tree, void *user) {
    GroundSearch *search = user;
    if (tree->kind == TREE_FIELD && is_grid(search, tree->type)) note_ground(search, tree);
    if (tree->kind == TREE_CALL) search_fn(search, tree->call.fn);
    tree_visit(tree, search_tree, user);
}

static void search_fn(GroundSearch *search, const TreeFn *fn) {
    if (!fn || !fn->body) return;
    for (int i = 0; i < search->seen.count; i++)
        if (search->seen.items[i] == fn) return;
    VEC_PUSH(search->arena, &search->seen, fn);
    search_tree(fn->body, search);
}

void grounds_find(Arena *arena, const SymbolTable *symbols, const TreeClass *tree, RtClass *cls) {
    GroundSearch search = {.arena = arena, .symbols = symbols, .cls = tree};
    for (const TreeClass *of = tree; of; of = of->base)
        for (int i = 0; i < of->methods.count; i++)
            if (str_equal(str_last_name(of->methods.items[i]->name), STR_LIT(STD_core_land_height)))
                search_fn(&search, of->methods.items[i]);
    cls->grounds = search.fields.items;
    cls->ground_count = search.fields.count;
}
