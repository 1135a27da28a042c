/* Which cells are the same in two worlds, and the copies of their values. See recall.h. */
#include "compiler/engine/open/recall.h"
#include "compiler/engine/open/carry.h"

#include "runtime/rt/cell.h"

typedef enum Sameness { SAME_UNKNOWN, SAME_YES, SAME_NO } Sameness;

typedef struct PartPair { /* an old part, its counterpart, and what is known of its cells */
    RtPart *before, *now;
    uint8_t *same; /* Sameness, by field; the families last */
    struct PartPair *next;
} PartPair;

struct Recall {
    World *world;
    const RecallSide *before;
    const int *functions; /* ir_match */
    Arena *arena;
    Rt *rt;
    PartPair *pairs; /* what holds parts before them */
    PartPair *last;
    PartPair **table; /* by either part; open addressing, never walked */
    size_t table_size, pair_count;
    int depth; /* of cells being judged, one for another */
};

/* What rests on more than this, one on the other, is worked out again. */
enum { JUDGE_DEPTH = 1000 };

/* -- pairs of parts -- */

static PartPair **find_place(PartPair **table, size_t size, const RtPart *part) {
    size_t at = (size_t)(((uintptr_t)part >> 4) * 0x9e3779b97f4a7c15u >> 20);
    for (;; at++) {
        PartPair **place = &table[at & (size - 1)];
        if (*place == NULL || (*place)->before == part || (*place)->now == part) return place;
    }
}

static void grow_table(Recall *recall) {
    recall->table_size = recall->table_size ? recall->table_size * 2 : 64;
    recall->table = ARENA_ARRAY(recall->arena, PartPair *, recall->table_size);
    for (PartPair *pair = recall->pairs; pair; pair = pair->next) {
        *find_place(recall->table, recall->table_size, pair->before) = pair;
        *find_place(recall->table, recall->table_size, pair->now) = pair;
    }
}

static PartPair *find_pair(const Recall *recall, const RtPart *part) {
    return recall->table ? *find_place(recall->table, recall->table_size, part) : NULL;
}

static void add_pair(Recall *recall, RtPart *before, RtPart *now) {
    PartPair *pair = ARENA_NEW(recall->arena, PartPair);
    *pair = (PartPair){before, now,
                       ARENA_ARRAY(recall->arena, uint8_t, before->cls->field_count + 1), NULL};
    if (recall->last)
        recall->last->next = pair;
    else
        recall->pairs = pair;
    recall->last = pair;
    if (++recall->pair_count * 4 > recall->table_size) {
        grow_table(recall);
        return;
    }
    *find_place(recall->table, recall->table_size, before) = pair;
    *find_place(recall->table, recall->table_size, now) = pair;
}

static bool is_ready(const RtPart *part, int field) {
    return part->marks[field] != RT_MARK_EMPTY && part->marks[field] != RT_MARK_BUSY;
}

/* -- sameness -- */

static Sameness judge(Recall *recall, PartPair *pair, int field);

/* Of what works a field out, and of what its value must satisfy. */
static uint64_t init_hash(const uint64_t *hashes, const RtPart *part, int field) {
    const RtField *own = &part->cls->fields[field];
    bool given = part->site != part->cls && own->option && field < part->site->field_count &&
                 part->site->fields[field].given;
    int32_t init = given ? part->site->fields[field].init : own->init;
    return (init < 0 ? 0 : hashes[init]) + (own->within ? 3 * hashes[own->within - 1] : 0);
}

static bool same_code(const Recall *recall, const PartPair *pair, int field) {
    const RtClass *before = pair->before->cls, *now = pair->now->cls;
    if (field < before->field_count)
        return init_hash(recall->before->compile->meanings.of, pair->before, field) ==
               init_hash(recall->world->compile->meanings.of, pair->now, field);
    if (before->elaborate_count != now->elaborate_count) return false;
    for (int i = 0; i < now->elaborate_count; i++)
        if (recall->before->compile->meanings.of[before->elaborates[i]] != recall->world->compile->meanings.of[now->elaborates[i]])
            return false;
    return true;
}

static bool same_inputs(Recall *recall, const RtVersion *version) {
    for (const RtEdge *edge = version ? version->first : NULL; edge; edge = edge->next) {
        PartPair *dep = find_pair(recall, edge->dep->part);
        if (dep == NULL || judge(recall, dep, edge->dep->field) != SAME_YES) return false;
    }
    return true;
}

/* What was set was not worked out: it is the same when it was set to the same, as a world's seed and the variant of a copy are. */
static bool is_set(const RtPart *part, int field) {
    const RtVersion *version = field < part->cls->field_count ? part->cells[field].current : NULL;
    return version && version->state;
}

static bool same_setting(const RtPart *before, const RtPart *now, int field) {
    const RtField *info = &before->cls->fields[field];
    return is_set(now, field) && value_equal(info->slot_types, before->slots + info->slot, now->slots + now->cls->fields[field].slot, info->slot_count);
}

/* A member is what it was when the loops that made it are. */
static bool same_making(Recall *recall, const RtPart *part) {
    if (part->family < 0) return true;
    PartPair *parent = find_pair(recall, part->parent);
    return parent && judge(recall, parent, part->parent->cls->field_count) == SAME_YES;
}

static bool same_cell(Recall *recall, PartPair *pair, int field) {
    if (is_set(pair->before, field) || is_set(pair->now, field)) return is_set(pair->before, field) && same_setting(pair->before, pair->now, field);
    return same_code(recall, pair, field) && same_making(recall, pair->before) && same_inputs(recall, pair->before->cells[field].current);
}

static Sameness judge(Recall *recall, PartPair *pair, int field) {
    if (field > pair->before->cls->field_count) return SAME_YES; /* its population: nothing was ever spawned */
    uint8_t *same = &pair->same[field];
    if (*same != SAME_UNKNOWN) return (Sameness)*same;
    *same = SAME_NO; /* until shown; reads never loop in a value that was worked out */
    bool good = recall->depth < JUDGE_DEPTH && is_ready(pair->before, field) && pair->before->cells[field].current;
    recall->depth++;
    good = good && same_cell(recall, pair, field);
    recall->depth--;
    *same = good ? SAME_YES : SAME_NO;
    return (Sameness)*same;
}

/* -- the walk -- */

bool recall_is_vain(const RtWorld *before) {
    for (const RtPart *part = before->parts; part; part = part->next)
        if (part->gone) return true;
    return before->broods != NULL;
}

static void pair_children(Recall *recall, const PartPair *pair) {
    RtPart *before = pair->before, *now = pair->now;
    for (int i = 0; i < before->cls->child_count; i++) {
        RtPart *child = before->children[i] ? rt_part_child(recall->rt, now, i) : NULL;
        if (child && child->cls->index == before->children[i]->cls->index)
            add_pair(recall, before->children[i], child);
    }
}

/* The part and what always stands in it. What is added stands last, so its children come up in turn. */
static void pair_parts(Recall *recall, RtPart *before, RtPart *now) {
    add_pair(recall, before, now);
    for (const PartPair *pair = recall->last; pair; pair = pair->next)
        pair_children(recall, pair);
}

/* Members are only paired when the new world's loops would make the very same. */
static void pair_members(Recall *recall, PartPair *pair) {
    RtPart *before = pair->before, *now = pair->now;
    if (before->member_count == 0 || judge(recall, pair, before->cls->field_count) != SAME_YES)
        return;
    rt_part_elaborate(recall->rt, now);
    if (rt_failed(recall->rt) || before->member_count != now->member_count) return;
    for (int i = 0; i < now->member_count; i++)
        if (before->members[i].part->cls->index == now->members[i].part->cls->index)
            pair_parts(recall, before->members[i].part, now->members[i].part);
}

/* Of copies that were drawn. What is told of a copy, its variant, is set again. */
static void pair_grown(Recall *recall, const GrownPart *before) {
    World *world = recall->world;
    GrownPart *grown = ARENA_NEW(&world->compile->arena, GrownPart);
    RtPart *part = rt_part_loose(recall->rt, world->program->classes[before->kind->index]);
    if (part == NULL) return;
    *grown = (GrownPart){part->cls, before->variant, part, false, world->grown};
    world->grown = grown;
    for (int i = 0; i < part->cls->field_count; i++)
        if (is_set(before->part, i)) rt_cell_set(recall->rt, part, i, before->part->slots + before->part->cls->fields[i].slot);
    pair_parts(recall, before->part, part);
}

static void recall_part(Recall *recall, PartPair *pair) {
    const TreeClass *cls = parts_class(recall->world, pair->now);
    for (int i = 0; i < cls->fields.count; i++) {
        if (cls->fields.items[i].type->slot_count == 0 ||
            !carry_may(recall->world, cls->fields.items[i].type))
            continue;
        if (judge(recall, pair, i) == SAME_YES) rt_cell_get(recall->rt, pair->now, i);
        if (rt_failed(recall->rt)) return;
    }
}

/* -- layers of scenes -- */

typedef struct Reading {
    const Recall *recall;
    const RtVersion *version;
} Reading;

/* What was read of the world before is read of this one, in the same order. */
static void read_again(Rt *rt, const Recall *recall, const RtVersion *version) {
    for (const RtEdge *edge = version->first; edge && !rt_failed(rt); edge = edge->next)
        cell_read(rt, &find_pair(recall, edge->dep->part)->now->cells[edge->dep->field]);
}

static void make_reading(Rt *rt, void *user, Slot *slots) {
    const Reading *reading = user;
    (void)slots;
    read_again(rt, reading->recall, reading->version);
}

static void recall_layer(Recall *recall, Kept *kept) {
    Reading reading = {recall, kept->reads};
    void *what = kept->what;
    RtVersion *reads = same_inputs(recall, kept->reads) ? rt_value_keep(recall->rt, make_reading, &reading, NULL, NULL) : NULL;
    kept_spoil(kept);
    if (reads == NULL) return;
    kept->what = what;
    kept->reads = reads;
    kept->of = recall->world->parts;
    kept->since = rt_world_clock(recall->world->parts);
}

static void recall_layers(Recall *recall) {
    const RtWorld *before = recall->before->parts;
    for (int i = 0; i < KEPT_BUCKETS; i++)
        for (Kept *kept = recall->world->kept.buckets[i]; kept; kept = kept->next)
            if (kept->reads && kept->of == before && !rt_failed(recall->rt)) recall_layer(recall, kept);
}

static RtPart *counterpart(const void *user, const RtPart *part) {
    PartPair *pair = find_pair(user, part);
    return pair ? pair->now : NULL;
}

bool recall_cell(Rt *rt, RtPart *part, int32_t field, Slot *slots) {
    const World *world = rt->engine;
    Recall *recall = world->recall;
    if (recall == NULL) return false;
    PartPair *pair = find_pair(recall, part);
    const Type *type = parts_class(world, part)->fields.items[field].type;
    if (pair == NULL || !carry_may(world, type) || judge(recall, pair, field) != SAME_YES)
        return false;
    const RtCell *cell = &pair->before->cells[field];
    read_again(rt, recall, cell->current);
    if (rt_failed(rt)) return false;
    Carry carry = {recall->world, rt, &cell->current->arena, recall->functions, counterpart, recall, 0, false};
    carry_value(&carry, type, pair->before->slots + pair->before->cls->fields[field].slot, slots);
    return !carry.lost;
}

void recall_values(World *world, const RecallSide *before) {
    Arena arena;
    Rt rt;
    arena_init(&arena, &world->engine->memory);
    entry_rt(world, &rt, &arena);
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        Recall recall = {.world = world,
                         .before = before,
                         .arena = &arena,
                         .rt = &rt,
                         .functions = ir_match(&before->compile->meanings, &world->compile->meanings, &arena)};
        world->recall = &recall;
        pair_parts(&recall, rt_world_root(before->parts), rt_world_root(world->parts));
        for (const GrownPart *grown = before->grown; grown && !rt_failed(&rt); grown = grown->next)
            if (grown->used) pair_grown(&recall, grown);
        for (PartPair *pair = recall.pairs; pair; pair = pair->next)
            pair_members(&recall, pair);
        for (PartPair *pair = recall.pairs; pair && !rt_failed(&rt); pair = pair->next)
            recall_part(&recall, pair);
        recall_layers(&recall);
        memory_end_try(&recover);
    } /* else what was not recalled is worked out */
    world->recall = NULL;
    rt_fini(&rt);
    arena_fini(&arena);
}
