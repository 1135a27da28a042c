/* The tree of parts as a host sees it. */
#include "compiler/engine/ask/ask.h"

typedef struct Listing {
    World *world;
    Arena *arena;
    bool (*visit)(void *user, const WorldPartInfo *part);
    void *user;
} Listing;

static bool list_part(void *user, const PartVisit *visit) {
    const Listing *listing = user;
    ArenaMark mark = arena_mark(listing->arena);
    StrBuf path = {.arena = listing->arena};
    rt_part_path(&path, visit->part);
    Str design = parts_design(visit->cls);
    WorldPartInfo info = {.path = path.ptr ? path.ptr : "",
                          .design = arena_strndup(listing->arena, design.ptr, design.len),
                          .depth = visit->depth,
                          .at = {visit->frame.at.x, visit->frame.at.y, visit->frame.at.z},
                          .turn = visit->frame.turn,
                          .scale = visit->frame.scale};
    bool more = listing->visit(listing->user, &info);
    arena_release(listing->arena, mark);
    return more;
}

typedef struct PartsCall {
    const char *path;
    bool (*visit)(void *user, const WorldPartInfo *part);
    void *user;
} PartsCall;

/* A path is an expression that answers a part, or a family of parts. */
static WorldStatus find_parts(World *world, Rt *rt, Str path, Question *question) {
    *question = (Question){.text = path};
    WorldStatus status = question_compile(world, question);
    if (status == WORLD_OK) status = question_run(world, question, rt);
    if (status != WORLD_OK) return status;
    const Type *type = question->type->kind == TYPE_LIST ? question->type->element : question->type;
    return type->kind == TYPE_PART || type->kind == TYPE_ANY_PART ? WORLD_OK
                                                                  : WORLD_ERROR_NOT_FOUND;
}

static WorldStatus list_parts(World *world, Rt *rt, void *args) {
    const PartsCall *call = args;
    Listing listing = {world, rt->arena, call->visit, call->user};
    if (call->path == NULL || call->path[0] == '\0') {
        parts_walk(world, rt, rt_world_root(world->parts), list_part, &listing);
        return entry_fault(world, rt);
    }
    Question question;
    WorldStatus status = find_parts(world, rt, str_of(call->path), &question);
    if (status != WORLD_OK) return status;
    const RtList *list = question.type->kind == TYPE_LIST ? question.slots[0].r : NULL;
    if (list == NULL) parts_walk(world, rt, question.slots[0].r, list_part, &listing);
    for (int64_t i = 0; i < rt_list_length(list); i++)
        if (!parts_walk(world, rt, rt_list_item(list, i)->r, list_part, &listing)) break;
    return entry_fault(world, rt);
}

WorldStatus world_parts(World *world, const char *path,
                        bool (*visit)(void *user, const WorldPartInfo *part), void *user) {
    if (visit == NULL) return WORLD_ERROR_ARGUMENT;
    PartsCall call = {path, visit, user};
    return entry_run(world, list_parts, &call);
}
