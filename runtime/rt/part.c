/* Instances: the root, children (made when first asked for), and members, made by a run of their
 * part's loops.
 *
 * A part's memory is the world's. A member that a later run of the loops no longer makes is gone, and whoever
 * still holds it reads its last values: one of the first run lives as long as the world, one that a later run
 * made is a brood of its own, which the sweep gives back (brood.c). A member that is made again with the same
 * key, design and captures is the same part, and keeps its cells.
 */
#include "runtime/rt/part.h"

#include <inttypes.h>

#include "runtime/base/hash.h"
#include "runtime/rt/cell.h"
#include "runtime/rt/life.h"

/* A part is one piece: itself, its slots, its cells and so on, then what its maker wants room for. */
typedef struct Layout {
    size_t slots, marks, children, cells, extra, all;
} Layout;

static size_t place(size_t *at, size_t size, int count) {
    size_t start = *at;
    *at += (size * (size_t)count + 15) & ~(size_t)15;
    return start;
}

static Layout lay_out(const RtClass *cls, size_t extra) {
    Layout l = {.all = (sizeof(RtPart) + 15) & ~(size_t)15};
    l.slots = place(&l.all, sizeof(Slot), cls->slot_count);
    l.cells = place(&l.all, sizeof(RtCell), cls->field_count + 2);
    l.children = place(&l.all, sizeof(RtPart *), cls->child_count);
    l.marks = place(&l.all, sizeof(uint32_t), cls->field_count + 2);
    l.extra = place(&l.all, extra, 1);
    return l;
}

/* What came with the world stays in its blocks; of what is spawned the pieces are used again. */
RtPart *part_create(RtWorld *world, const RtClass *cls, const RtClass *site, RtPart *parent, RtBrood *brood, size_t extra) {
    Layout l = lay_out(cls, extra);
    char *piece = brood ? arena_take(&world->arena, l.all) : arena_alloc(&world->arena, l.all);
    if (brood) memset(piece, 0, l.all);
    RtPart *part = (RtPart *)(void *)piece;
    part->head.kind = RT_PART;
    part->cls = cls;
    part->site = site;
    part->parent = parent;
    part->depth = parent ? parent->depth + 1 : 0;
    part->world = world;
    part->family = -1;
    part->slots = (Slot *)(void *)(piece + l.slots);
    part->marks = (uint32_t *)(void *)(piece + l.marks);
    part->children = (RtPart **)(void *)(piece + l.children);
    part->cells = (RtCell *)(void *)(piece + l.cells);
    for (int32_t i = 0; i <= cls->field_count + 1; i++) {
        part->cells[i].part = part;
        part->cells[i].field = i;
    }
    part->marks[cls->field_count + 1] = RT_MARK_SET;
    part->captures = (Slot *)(void *)(piece + l.extra);
    part->bytes = l.all;
    part->brood = brood;
    part->gone = parent && parent->gone;
    RtPart **list = brood ? &brood->parts : &world->parts;
    part->next = *list;
    *list = part;
    world->part_count++;
    return part;
}

void part_fini(RtWorld *world, RtPart *part) {
    for (int32_t i = 0; i <= part->cls->field_count + 1; i++)
        cell_fini(world, &part->cells[i]);
    version_release(world, part->made_by);
    version_release(world, part->members_by);
    part->made_by = part->members_by = NULL;
}

void part_give(RtWorld *world, RtPart *part) {
    world->part_count--;
    arena_give(&world->arena, part, part->bytes);
}

/* -- worlds -- */

RtWorld *rt_world_create(Memory *memory, const RtClass *const *classes, int class_count) {
    Arena arena;
    arena_init(&arena, memory);
    RtWorld *world = ARENA_NEW(&arena, RtWorld);
    *world = (RtWorld){.memory = memory,
                       .arena = arena,
                       .classes = classes,
                       .class_count = class_count,
                       .last_evaluation = RT_MARK_SET,
                       .clock = 1};
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        arena = world->arena;
        arena_fini(&arena);
        memory_fail();
    }
    world->root = part_create(world, classes[0], classes[0], NULL, NULL, 0);
    world->plain = version_create(world);
    world->plain->state = true;
    memory_end_try(&recover);
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&world->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    return world;
}

void rt_world_destroy(RtWorld *world) {
    if (world == NULL) return;
    life_destroy(world->life);
    brood_destroy_all(world);
    for (RtPart *part = world->parts; part; part = part->next)
        part_fini(world, part);
    version_release(world, world->plain);
    pthread_mutex_destroy(&world->lock);
    Arena arena = world->arena; /* the world lies in its own arena */
    arena_fini(&arena);
}

const RtClass *rt_world_class(const RtWorld *world, int index) {
    return world->classes[index];
}

int rt_world_class_count(const RtWorld *world) {
    return world->class_count;
}

RtPart *rt_world_root(RtWorld *world) {
    return world->root;
}

/* Written from its end, for parts may stand deep in one another. */
void rt_part_path(StrBuf *out, const RtPart *part) {
    size_t length = 0;
    for (const RtPart *at = part; at->parent; at = at->parent)
        length += at->name.len + (at->parent->parent != NULL);
    char *end = strbuf_room(out, length) + length;
    for (const RtPart *at = part; at->parent; at = at->parent) {
        end -= at->name.len;
        memcpy(end, at->name.ptr, at->name.len);
        if (at->parent->parent) *--end = '.';
    }
}

/* -- children -- */

bool parts_fit(Rt *rt, const RtPart *parent, const uint32_t span[3]) {
    int64_t most = rt->host ? rt->host->limits.parts : 0;
    if (parent->depth >= RT_PART_DEPTH) {
        rt_fault_at(rt, RT_FAULT_LIMIT, span, 0,
                    str_printf(rt->arena, "parts that stand in one another; at most %d deep", RT_PART_DEPTH));
        return false;
    }
    if (most == 0 || parent->world->part_count < most) return true;
    rt_fault_at(rt, RT_FAULT_LIMIT, span, 0, str_printf(rt->arena, "parts; at most %lld", (long long)most));
    return false;
}

/* Makes a child if nobody has yet; a failed allocation is a fault, for the lock is held. */
static void create_child(Rt *rt, RtPart *part, int32_t child) {
    const RtChild *info = &part->cls->children[child];
    const RtClass *cls = part->world->classes[info->cls];
    Recover recover;
    if (part->children[child]) return;
    if (MEMORY_TRY(&recover)) {
        RtPart *made = part_create(part->world, cls, cls, part, part->brood, 0);
        made->place = child;
        made->name = info->name;
        __atomic_store_n(&part->children[child], made, __ATOMIC_RELEASE);
        memory_end_try(&recover);
    } else {
        rt_fault_at(rt, RT_FAULT_MEMORY, info->name.ptr ? cls->span : part->cls->span, 0,
                    STR_LIT(""));
    }
}

RtPart *rt_part_child(Rt *rt, RtPart *part, int32_t child) {
    if (part == NULL) {
        rt_fault(rt, RT_FAULT_NO_VALUE, "a part");
        return NULL;
    }
    RtPart *found = __atomic_load_n(&part->children[child], __ATOMIC_ACQUIRE);
    if (found) return found;
    if (rt->worker) {
        rt->wants_cell = 1;
        return NULL;
    }
    if (!parts_fit(rt, part, part->cls->span)) return NULL;
    world_lock(rt, part->world);
    create_child(rt, part, child);
    world_unlock(rt, part->world);
    return part->children[child];
}

RtPart *rt_part_loose(Rt *rt, const RtClass *design) {
    RtWorld *world = rt->world;
    RtPart *volatile made = NULL;
    Recover recover;
    if (!parts_fit(rt, world->root, design->span)) return NULL;
    world_lock(rt, world);
    if (MEMORY_TRY(&recover)) {
        RtPart *part = part_create(world, design, design, world->root, NULL, 0);
        part->name = design->name;
        made = part;
        memory_end_try(&recover);
    } else {
        rt_fault_at(rt, RT_FAULT_MEMORY, design->span, 0, STR_LIT(""));
    }
    world_unlock(rt, world);
    return made;
}

/* -- members -- */

typedef struct MemberKey {
    int32_t family;
    int64_t number;
    const RtText *id;
} MemberKey;

static uint64_t hash_key(MemberKey key) {
    uint64_t seed = (uint64_t)key.family;
    if (key.id) return hash_bytes(key.id->text.ptr, key.id->text.len, seed + 1);
    return hash_bytes(&key.number, sizeof key.number, ~seed);
}

static bool is_member(const RtMember *member, MemberKey key) {
    if (member->family != key.family || (member->id == NULL) != (key.id == NULL)) return false;
    return key.id ? str_equal(member->id->text, key.id->text) : member->number == key.number;
}

/* Where the key stands in the table or would stand; NULL when there is no table. */
static int32_t *find_place(int32_t *index, int32_t size, const RtMember *members, MemberKey key) {
    if (size == 0) return NULL;
    uint64_t at = hash_key(key);
    for (;; at++) {
        int32_t *place = &index[at & (uint64_t)(size - 1)];
        if (*place == 0 || is_member(&members[*place - 1], key)) return place;
    }
}

static RtPart *find_member(const RtPart *part, MemberKey key) {
    int32_t *place = find_place(part->member_index, part->member_index_size, part->members, key);
    return place && *place ? part->members[*place - 1].part : NULL;
}

bool rt_part_in_place(const RtPart *part) {
    const RtPart *under = part->parent;
    if (under == NULL || part->family < 0) return true; /* its children are a part's own */
    return (part->family < RT_SPAWNED && find_member(under, (MemberKey){part->family, part->number, part->id}) == part) ||
           (part->id == NULL && population_find(under, part->family, part->number) == part);
}

static MemberKey key_of(const RtMember *member) {
    return (MemberKey){member->family, member->number, member->id};
}

static void grow_index(RtMemberList *list, Arena *arena) {
    list->index_size = list->index_size ? list->index_size * 2 : 8;
    list->index = ARENA_ARRAY(arena, int32_t, list->index_size);
    for (int i = 0; i < list->items.count; i++)
        *find_place(list->index, list->index_size, list->items.items,
                    key_of(&list->items.items[i])) = i + 1;
}

static Str member_name(Arena *arena, Str family, MemberKey key) {
    if (key.id) return str_printf(arena, "%.*s[\"%.*s\"]", STR_ARG(family), STR_ARG(key.id->text));
    return str_printf(arena, "%.*s[%" PRId64 "]", STR_ARG(family), key.number);
}

static Str family_name(const RtPart *part, int32_t family) {
    return part->cls->families[family].name;
}

static void fault_two(Rt *rt, const RtPart *part, MemberKey key, const uint32_t span[3]) {
    rt_fault_at(rt, RT_FAULT_TWO_MEMBERS, span, 0, member_name(rt->arena, family_name(part, key.family), key));
}

/* Adds a member to the list; false and a fault when its key is taken. */
static bool list_member(Rt *rt, RtMemberList *list, MemberKey key, RtPart *part,
                        const uint32_t span[3]) {
    if (list->items.count * 2 >= list->index_size) grow_index(list, rt->arena);
    int32_t *place = find_place(list->index, list->index_size, list->items.items, key);
    if (*place) {
        fault_two(rt, list->part, key, span);
        return false;
    }
    RtMember member = {.family = key.family, .number = key.number, .id = key.id, .part = part};
    VEC_PUSH(rt->arena, &list->items, member);
    *place = list->items.count;
    return true;
}

static bool captures_equal(const RtPart *part, int32_t count, const Slot *captures) {
    return part->capture_count == count &&
           (count == 0 || memcmp(part->captures, captures, sizeof *captures * (size_t)count) == 0);
}

static Str copied(char **at, Str text) {
    char *copy = *at;
    if (text.len) memcpy(copy, text.ptr, text.len);
    copy[text.len] = 0;
    *at += text.len + 1;
    return (Str){copy, text.len};
}

/* The objects among its captures live by this run of the loop. */
static void hold_captures(RtPart *part, RtVersion *version) {
    if (part->capture_count == 0 || strchr(part->site->capture_types, 'R') == NULL) return;
    version->refs++;
    version_release(part->world, part->made_by);
    part->made_by = version;
}

/* Its captures, its id and its name lie in its piece. */
static RtPart *create_member(Rt *rt, RtPart *parent, const RtClass *cls, const RtClass *site, MemberKey key, int32_t count,
                             const Slot *captures, bool again) {
    ArenaMark mark = arena_mark(rt->arena);
    Str name = member_name(rt->arena, family_name(parent, key.family), key);
    size_t extra = sizeof(Slot) * (size_t)count + (key.id ? sizeof(RtText) + key.id->text.len + 1 : 0) + name.len + 1;
    RtPart *part = again ? brood_begin(parent->world, cls, site, parent, extra)
                         : part_create(parent->world, cls, site, parent, parent->brood, extra);
    part->family = key.family;
    part->number = key.number;
    part->capture_count = count;
    if (count) memcpy(part->captures, captures, sizeof *captures * (size_t)count);
    char *at = (char *)(part->captures + count);
    if (key.id) {
        RtText *id = (RtText *)(void *)at;
        at += sizeof *id;
        *id = (RtText){{RT_TEXT, 0}, copied(&at, key.id->text)};
        part->id = id;
    }
    part->name = copied(&at, name);
    arena_release(rt->arena, mark);
    if (!again) return part;
    part->brood->made = part->brood->gone = true; /* until the run ends well */
    brood_link(parent->world, part->brood);
    parent->world->gone++;
    return part;
}

void rt_part_make(Rt *rt, RtPart *parent, int32_t site, int32_t family, int64_t number,
                  const RtText *id, const RtClass *design, int32_t capture_count,
                  const Slot *captures, const uint32_t span[3]) {
    RtWorld *world = rt->world;
    RtMemberList *list = world && world->running ? world->running->made : NULL;
    if (list && rt_failed(rt)) return; /* what is made would be thrown away */
    if (parent == NULL || list == NULL || list->part != parent) {
        rt_fault_at(rt, RT_FAULT_ARGUMENT, span, 0,
                    STR_LIT("a part is made outside its family's loop"));
        return;
    }
    if (!parts_fit(rt, parent, span)) return;
    const RtClass *line = world->classes[site];
    const RtClass *cls = design ? design : line;
    MemberKey key = {family, number, id};
    if (id == NULL && population_find(parent, family, number)) {
        fault_two(rt, parent, key, span);
        return;
    }
    RtPart *part = find_member(parent, key);
    if (!part || part->cls != cls || part->site != line ||
        !captures_equal(part, capture_count, captures)) {
        bool gone = part && part->gone; /* what was felled stays so */
        part = create_member(rt, parent, cls, line, key, capture_count, captures, list->again);
        part->gone |= gone;
        list->differs = true;
    }
    hold_captures(part, world->running->version);
    key.id = part->id; /* the part's own text: the caller's may not last */
    list->differs |= part->place != list->items.count;
    if (list_member(rt, list, key, part, span)) part->place = list->items.count - 1;
}

RtPart *rt_part_made(Rt *rt, RtPart *under, const RtClass *site, const RtClass *cls, int32_t family, int64_t number, const RtText *id,
                     const Slot *captures) {
    RtField held = {.slot_types = site->capture_types, .slot_count = (int32_t)strlen(site->capture_types)};
    if (!parts_fit(rt, under, site->span)) return NULL;
    Slot *slots = ARENA_ARRAY(rt->arena, Slot, held.slot_count + 1);
    memset(slots, 0, sizeof *slots * (size_t)held.slot_count); /* until there is a version by which they live */
    RtPart *part = create_member(rt, under, cls, site, (MemberKey){family, number, id}, held.slot_count, slots, true);
    part->gone = true;
    if (held.slot_count) memcpy(slots, captures, sizeof *slots * (size_t)held.slot_count);
    part->made_by = cell_copy_value(rt, &held, slots);
    for (int32_t i = 0; i < held.slot_count; i++) {
        if (held.slot_types[i] == 'R') rt_freeze(slots[i].r);
        part->captures[i] = slots[i];
    }
    return part;
}

/* Those that the run has made are taken up, those that it has not are gone. */
static void take_up(RtPart *part, const RtMemberList *list) {
    for (int i = 0; i < list->items.count; i++) {
        const RtPart *member = list->items.items[i].part;
        bool waits = member->brood && member->brood->made && member->brood->first == member && member->brood->gone;
        if (!waits || member->gone) continue;
        member->brood->gone = false;
        part->world->gone--;
    }
    for (int32_t i = 0; i < part->member_count; i++) {
        RtPart *old = part->members[i].part;
        bool stays = old->place < list->items.count && list->items.items[old->place].part == old;
        if (!stays) member_drop(part->world, old);
    }
}

void part_members_back(RtWorld *world, const RtMembers *was) {
    RtPart *part = was->part;
    for (int32_t i = 0; i < was->count; i++)
        was->items[i].part->place = i;
    for (int32_t i = 0; i < part->member_count; i++) {
        RtPart *member = part->members[i].part;
        bool stays = member->place < was->count && was->items[member->place].part == member;
        if (!stays) member_drop(world, member);
    }
    version_release(world, part->members_by);
    part->members_by = was->by;
    part->members = was->items;
    part->member_count = was->count;
    part->member_index = was->index;
    part->member_index_size = was->index_size;
    cell_forget(world, &part->cells[part->cls->field_count]);
}

bool part_make_members(Rt *rt, RtPart *part, RtEvaluation *evaluation) {
    RtMemberList list = {.part = part, .again = part->ran};
    Slot self = slot_r(part);
    const Slot *in[] = {&self};
    evaluation->made = &list;
    part->ran = true;
    for (int32_t i = 0; i < part->cls->elaborate_count && !rt_failed(rt); i++)
        rt->host->run(rt, part->cls->elaborates[i], 1, 1, in, NULL);
    evaluation->made = NULL;
    list.differs |= list.items.count != part->member_count ||
                    part->cells[part->cls->field_count].current == NULL;
    if (rt_failed(rt)) return true;
    if (list.again) life_note_members(rt->world->life, part);
    take_up(part, &list);
    evaluation->version->refs++;
    version_release(rt->world, part->members_by);
    part->members_by = evaluation->version;
    part->members = list.items.items;
    part->member_count = list.items.count;
    part->member_index = list.index;
    part->member_index_size = list.index_size;
    return list.differs;
}

/* Runs the loops if need be; false after a fault. */
static bool ready_members(Rt *rt, RtPart *part) {
    if (part == NULL) {
        rt_fault(rt, RT_FAULT_NO_VALUE, "a part");
        return false;
    }
    return cell_read(rt, &part->cells[part->cls->field_count]);
}

void rt_part_elaborate(Rt *rt, RtPart *part) {
    ready_members(rt, part);
}

RtPart *rt_part_member(Rt *rt, RtPart *part, int32_t family, int64_t number, const RtText *id) {
    MemberKey key = {family, number, id};
    if (!ready_members(rt, part) || !cell_read(rt, part_population(part))) return NULL;
    RtPart *member = family < RT_SPAWNED ? find_member(part, key) : NULL;
    if (member == NULL && id == NULL) member = population_find(part, family, number);
    if (member && member->gone && !part->gone) member = NULL;
    if (member == NULL) {
        Str of = family < RT_SPAWNED ? family_name(part, family) : rt_world_class(part->world, family - RT_SPAWNED)->name;
        Str name = member_name(rt->arena, of, key);
        rt_fault(rt, RT_FAULT_NO_MEMBER, "%.*s", STR_ARG(name));
    }
    return member;
}

RtList *rt_part_family(Rt *rt, RtPart *part, int32_t family) {
    if (!ready_members(rt, part)) return rt_list_create(rt, (RtShape){1, 1}, 0);
    RtList *list = rt_list_create(rt, (RtShape){1, 1}, part->member_count);
    for (int32_t i = 0; i < part->member_count; i++)
        if (part->members[i].family == family && (part->gone || !part->members[i].part->gone))
            list->items[list->length++] = slot_r(part->members[i].part);
    return population_list(rt, part, family, list);
}
