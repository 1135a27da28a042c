/* Parts that were spawned: how they get a number, stand, go, and are given back. So are members that a later run of their
 * loop makes no more.
 *
 * What is gone is given back by a sweep, once as much of it waits as there is besides: nothing that is kept may name it, which are
 * the values of cells, captures, what holds it, and what was put off; and no value of a host's from after it came to be.
 */
#include <stdio.h>

#include "runtime/rt/life_inside.h"

enum { SWEEP_LEAST = 1000 };

/* -- families and numbers -- */

static Str last_name(Str path) {
    size_t at = path.len;
    while (at > 0 && path.ptr[at - 1] != '.')
        at--;
    return (Str){path.ptr + at, path.len - at};
}

/* The part's own family of that name, when it has one; else that of what is spawned of the design. */
int32_t rt_part_family_of(Rt *rt, RtPart *under, const RtClass *design) {
    Str name = last_name(design->name);
    for (int32_t i = 0; i < under->cls->family_count; i++)
        if (str_equal(under->cls->families[i].name, name)) {
            rt_part_elaborate(rt, under);
            return i;
        }
    return RT_SPAWNED + design->index;
}

static RtFamilyLive *find_family(const RtPart *part, int32_t family) {
    RtPopulation *population = part->population;
    for (int i = 0; population && i < population->count; i++)
        if (population->families[i].family == family) return &population->families[i];
    return NULL;
}

static Str family_name(const RtPart *part, int32_t family) {
    return family < RT_SPAWNED ? part->cls->families[family].name : last_name(part->world->classes[family - RT_SPAWNED]->name);
}

/* Behind all that the loops have made, and all that was spawned under that name, of whatever design: a path names one part. */
static int64_t next_number(const RtPart *part, int32_t family) {
    const RtPopulation *population = part->population;
    int64_t next = 0;
    for (int32_t i = 0; i < part->member_count; i++) {
        const RtMember *member = &part->members[i];
        if (member->family == family && member->id == NULL && member->number >= next) next = member->number + 1;
    }
    for (int i = 0; population && i < population->count; i++) {
        const RtFamilyLive *live = &population->families[i];
        int64_t behind = live->fresh ? live->given : live->next;
        bool same = live->family == family || str_equal(family_name(part, live->family), family_name(part, family));
        if (same && behind > next) next = behind;
    }
    return next;
}

static void *grown(Arena *arena, void *items, size_t size, int32_t *capacity) {
    int32_t more = *capacity ? *capacity * 2 : 4;
    items = items ? arena_retake(arena, items, size * (size_t)*capacity, size * (size_t)more) : arena_take(arena, size * (size_t)more);
    *capacity = more;
    return items;
}

static RtFamilyLive *get_family(RtPart *part, int32_t family) {
    Arena *arena = &part->world->arena;
    RtFamilyLive *found = find_family(part, family);
    if (found) return found;
    if (part->population == NULL) {
        part->population = arena_take(arena, sizeof *part->population);
        *part->population = (RtPopulation){0};
    }
    RtPopulation *population = part->population;
    if (population->count == population->capacity)
        population->families = grown(arena, population->families, sizeof *population->families, &population->capacity);
    int at = population->count++;
    for (; at > 0 && population->families[at - 1].family > family; at--)
        population->families[at] = population->families[at - 1];
    population->families[at] = (RtFamilyLive){.family = family};
    return &population->families[at];
}

static int find_place(const RtFamilyLive *family, int64_t number) {
    int lo = 0, hi = family->count;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (family->parts[middle]->number < number)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

RtPart *population_find(const RtPart *part, int32_t family, int64_t number) {
    const RtFamilyLive *live = find_family(part, family);
    int at = live ? find_place(live, number) : 0;
    return live && at < live->count && live->parts[at]->number == number ? live->parts[at] : NULL;
}

RtList *population_list(Rt *rt, RtPart *part, int32_t family, RtList *list) {
    if (part == NULL || !cell_read(rt, part_population(part))) return list;
    const RtFamilyLive *live = find_family(part, family);
    for (int i = 0; live && i < live->count; i++) {
        Slot item = slot_r(live->parts[i]);
        list = rt_list_append(rt, list, (RtShape){1, 1}, &item);
    }
    return list;
}

void rt_part_numbers(Rt *rt, RtPart *under, int32_t family, int64_t next) {
    (void)rt;
    RtFamilyLive *live = get_family(under, family);
    if (live->next < next) live->next = next;
    live->stood = true;
}

/* -- making -- */

RtPart *brood_begin(RtWorld *world, const RtClass *cls, const RtClass *site, RtPart *parent, size_t extra) {
    Recover recover;
    RtBrood *brood = arena_take(&world->arena, sizeof *brood);
    *brood = (RtBrood){.serial = ++world->brood_serial};
    if (!MEMORY_TRY(&recover)) {
        arena_give(&world->arena, brood, sizeof *brood);
        memory_fail();
    }
    brood->first = part_create(world, cls, site, parent, brood, extra);
    memory_end_try(&recover);
    return brood->first;
}

void brood_link(RtWorld *world, RtBrood *brood) {
    brood->previous = world->last_brood;
    if (world->last_brood)
        world->last_brood->next = brood;
    else
        world->broods = brood;
    world->last_brood = brood;
}

static RtPart *make(RtLife *life, const RtClass *design, RtPart *under, int32_t family, int64_t number) {
    RtWorld *world = life->world;
    Str of = last_name(design->name);
    size_t room = of.len + sizeof "[-9223372036854775808]";
    RtPart *part = brood_begin(world, design, design, under, room);
    part->brood->pending = true;
    part->gone = false; /* it goes when it stands, if what it stands under is gone */
    char *name = (char *)part->captures;
    part->name = (Str){name, (size_t)snprintf(name, room, "%.*s[%lld]", STR_ARG(of), (long long)number)};
    part->family = family;
    part->number = number;
    return part;
}

RtPart *brood_create(Rt *rt, RtLife *life, const RtClass *design, RtPart *under, const uint32_t span[3]) {
    if (!parts_fit(rt, under, span)) return NULL;
    int32_t family = rt_part_family_of(rt, under, design);
    if (rt_failed_by(rt, 0)) return NULL;
    VEC_ROOM(&life->arena, &life->spawned, 1);
    RtFamilyLive *live = get_family(under, family);
    int64_t number = next_number(under, family);
    RtPart *part = make(life, design, under, family, number);
    live->fresh++;
    live->given = number + 1;
    life->spawned.items[life->spawned.count++] = part->brood;
    return part;
}

static void family_room(RtFamilyLive *live, RtPart *under, int more) {
    while (live->count + more > live->capacity)
        live->parts = grown(&under->world->arena, live->parts, sizeof *live->parts, &live->capacity);
}

void brood_room(RtPart *part) {
    RtFamilyLive *live = get_family(part->parent, part->family);
    family_room(live, part->parent, live->fresh);
}

void brood_stand(RtLife *life, RtBrood *brood) {
    RtWorld *world = life->world;
    RtPart *part = brood->first;
    RtFamilyLive *live = find_family(part->parent, part->family);
    live->fresh--;
    live->next = part->number + 1 > live->next ? part->number + 1 : live->next;
    int at = find_place(live, part->number);
    memmove(live->parts + at + 1, live->parts + at, sizeof *live->parts * (size_t)(live->count - at));
    live->parts[at] = part;
    live->count++;
    live->stood = true;
    brood->pending = false;
    brood_link(world, brood);
    cell_changed(world, part_population(part->parent));
}

RtPart *rt_part_stand(Rt *rt, RtPart *under, const RtClass *design, int64_t number) {
    static const uint32_t nowhere[3];
    RtLife *life = rt->world->life;
    if (!parts_fit(rt, under, nowhere)) return NULL;
    int32_t family = rt_part_family_of(rt, under, design);
    if (rt_failed(rt) || population_find(under, family, number)) return NULL;
    RtFamilyLive *live = get_family(under, family);
    family_room(live, under, 1);
    RtPart *part = make(life, design, under, family, number);
    live->fresh++;
    brood_stand(life, part->brood);
    if (under->gone) member_drop(rt->world, part);
    return part;
}

/* -- going -- */

static void free_population(RtWorld *world, RtPart *part) {
    RtPopulation *population = part->population;
    for (int i = 0; population && i < population->count; i++)
        if (population->families[i].parts)
            arena_give(&world->arena, population->families[i].parts, sizeof(RtPart *) * (size_t)population->families[i].capacity);
    if (population == NULL) return;
    if (population->families) arena_give(&world->arena, population->families, sizeof *population->families * (size_t)population->capacity);
    arena_give(&world->arena, population, sizeof *population);
}

static void free_brood(RtWorld *world, RtBrood *brood) {
    for (RtPart *part = brood->parts; part; part = part->next) {
        part_fini(world, part);
        for (int32_t i = 0; i <= part->cls->field_count + 1; i++)
            cell_orphan(world, &part->cells[i]);
    }
    for (RtPart *part = brood->parts, *next; part; part = next) {
        next = part->next;
        free_population(world, part);
        part_give(world, part);
    }
    arena_give(&world->arena, brood, sizeof *brood);
}

void brood_forget(RtWorld *world, RtBrood *brood) {
    RtFamilyLive *live = find_family(brood->first->parent, brood->first->family);
    if (live) live->fresh--;
    free_brood(world, brood);
}

void rt_part_each(RtPart *part, RtPartSeen seen, void *user) {
    for (int32_t i = 0; i < part->cls->child_count; i++)
        if (part->children[i]) seen(user, part->children[i]);
    for (int32_t i = 0; i < part->member_count; i++)
        seen(user, part->members[i].part);
    for (int i = 0; part->population && i < part->population->count; i++)
        for (int k = 0; k < part->population->families[i].count; k++)
            seen(user, part->population->families[i].parts[k]);
}

static void mark_gone(void *user, RtPart *part) {
    RtWorld *world = user;
    if (part->gone) return;
    life_note_gone(world->life, part);
    part->gone = true;
    if (part->brood && part->brood->first == part) {
        part->brood->gone = true;
        world->gone++;
    }
    rt_part_each(part, mark_gone, world);
    cell_changed(world, part_population(part)); /* who asked whether it exists */
}

void part_back(RtWorld *world, RtPart *part) {
    part->gone = false;
    if (part->brood && part->brood->first == part) {
        part->brood->gone = false;
        world->gone--;
    }
    cell_changed(world, part_population(part));
}

void member_drop(RtWorld *world, RtPart *part) {
    mark_gone(world, part);
}

static void leave_family(RtPart *part) {
    RtFamilyLive *live = find_family(part->parent, part->family);
    int at = find_place(live, part->number);
    if (at >= live->count || live->parts[at] != part) return;
    memmove(live->parts + at, live->parts + at + 1, sizeof *live->parts * (size_t)(live->count - at - 1));
    live->count--;
}

static void go(RtWorld *world, RtPart *part) {
    mark_gone(world, part);
    if (part_is_spawned(part)) leave_family(part);
    cell_changed(world, part_population(part->parent));
}

void rt_part_go(Rt *rt, RtPart *part) {
    go(rt->world, part);
}

bool part_go(RtLife *life, RtPart *part) {
    if (part->gone || part->parent == NULL) return false;
    go(life->world, part);
    return true;
}

void rt_part_hold(RtPart *part) {
    if (part && part->brood) part->brood->held = true;
}

bool rt_part_exists(Rt *rt, RtPart *part) {
    return part && cell_read(rt, part_population(part)) && !part->gone;
}

/* -- the sweep -- */

typedef struct Sweep {
    RtWorld *world;
    Arena *arena;
    VEC(RtBrood *) todo;
    VEC(const void *) seen; /* lists and functions that hold objects: a table of pointers */
    int64_t seen_count;
} Sweep;

static void reach_part(Sweep *s, const RtPart *part) {
    for (const RtPart *at = part; at; at = at->parent) { /* who is named keeps what it stands in */
        RtBrood *brood = at->brood;
        if (brood == NULL || brood->reached) continue;
        brood->reached = true;
        VEC_PUSH(s->arena, &s->todo, brood);
    }
}

static void reach_slot(Sweep *s, const void *ref);

static void reach_refs(Sweep *s, const Slot *slots, int64_t count, uint64_t refs) {
    for (int64_t i = 0; i < count && i < 64; i++)
        if (refs >> i & 1) reach_slot(s, slots[i].r);
}

static bool is_new(Sweep *s, const void *object);

static void grow_seen(Sweep *s) {
    const void **old = s->seen.items;
    int count = s->seen.capacity;
    s->seen.capacity = count ? count * 2 : 64;
    s->seen.items = ARENA_ARRAY(s->arena, const void *, s->seen.capacity);
    s->seen_count = 0;
    for (int i = 0; i < count; i++)
        if (old[i]) is_new(s, old[i]);
}

/* One object may be reached in as many ways as it likes. */
static bool is_new(Sweep *s, const void *object) {
    if (s->seen_count * 2 >= s->seen.capacity) grow_seen(s);
    uint64_t at = (uint64_t)(uintptr_t)object / 16 * 0x9e3779b97f4a7c15u >> 20;
    for (;; at++) {
        const void **place = &s->seen.items[at & (uint64_t)(s->seen.capacity - 1)];
        if (*place == object) return false;
        if (*place) continue;
        *place = object;
        s->seen_count++;
        return true;
    }
}

static void reach_list(Sweep *s, const RtList *list) {
    if (list->length == 0 || list->shape.width == 0) return;
    if (list->shape.refs == 0 || !is_new(s, list)) return;
    for (int64_t i = 0; i < list->length; i++)
        reach_refs(s, rt_list_item(list, i), list->shape.width, list->shape.refs);
}

static void reach_closure(Sweep *s, const RtClosure *closure) {
    if (closure->refs && is_new(s, closure)) reach_refs(s, closure->captures, closure->capture_count, closure->refs);
}

static void reach_slot(Sweep *s, const void *ref) {
    const RtObject *object = ref;
    if (object == NULL) return;
    if (object->kind == RT_PART) reach_part(s, ref);
    if (object->kind == RT_LIST) reach_list(s, ref);
    if (object->kind == RT_CLOSURE) reach_closure(s, ref);
}

static void reach_inside(void *user, RtPart *part) {
    reach_part(user, part);
}

/* What its values name, what its loop held when it made it, and what it holds. */
static void reach_from(Sweep *s, RtPart *part) {
    for (int32_t f = 0; f < part->cls->field_count; f++) {
        const RtField *field = &part->cls->fields[f];
        if (part->cells[f].current == NULL) continue;
        for (int i = 0; i < field->slot_count; i++)
            if (field->slot_types[i] == 'R') reach_slot(s, part->slots[field->slot + i].r);
    }
    for (int32_t i = 0; i < part->capture_count; i++)
        if (part->site->capture_types[i] == 'R') reach_slot(s, part->captures[i].r);
    rt_part_each(part, reach_inside, s);
}

static void reach_all(Sweep *s) {
    RtWorld *world = s->world;
    for (RtPart *part = world->parts; part; part = part->next)
        reach_from(s, part);
    for (RtBrood *brood = world->broods; brood; brood = brood->next)
        if (!brood->gone || brood->held || brood->serial <= world->kept_serial) reach_part(s, brood->first);
    for (int i = 0; world->life && i < world->life->laters.count; i++) {
        reach_slot(s, world->life->laters.items[i].then);
        reach_part(s, world->life->laters.items[i].of);
    }
    for (int i = 0; i < s->todo.count; i++)
        for (RtPart *part = s->todo.items[i]->parts; part; part = part->next)
            reach_from(s, part);
}

static void unlink_brood(RtWorld *world, RtBrood *brood) {
    *(brood->previous ? &brood->previous->next : &world->broods) = brood->next;
    *(brood->next ? &brood->next->previous : &world->last_brood) = brood->previous;
}

/* Those it holds go before what holds them: a part's cells and population are its own, so any order will do. */
static void give_back(RtWorld *world) {
    for (RtBrood *brood = world->broods, *next; brood; brood = next) {
        next = brood->next;
        bool dead = brood->gone && !brood->reached;
        brood->reached = false;
        if (!dead) continue;
        unlink_brood(world, brood);
        free_brood(world, brood);
    }
}

void brood_sweep(RtWorld *world) {
    if (world->gone < SWEEP_LEAST || world->gone < world->part_count / 8) return;
    Arena arena;
    Recover recover;
    arena_init(&arena, world->memory);
    Sweep sweep = {.world = world, .arena = &arena};
    if (world->life) life_drop_gone(world->life);
    if (MEMORY_TRY(&recover)) {
        reach_all(&sweep);
        memory_end_try(&recover);
        give_back(world);
    } else {
        for (RtBrood *brood = world->broods; brood; brood = brood->next)
            brood->reached = false;
    }
    world->gone = 0; /* those that are still named wait for the next */
    arena_fini(&arena);
}

/* -- the numbers of evaluations -- */

static void forget_readers(RtPart *part) {
    for (; part; part = part->next)
        for (int32_t i = 0; i <= part->cls->field_count; i++)
            if (part->marks[i] != RT_MARK_EMPTY) __atomic_store_n(&part->marks[i], RT_MARK_SET, __ATOMIC_RELEASE);
}

void world_renumber(RtWorld *world) {
    forget_readers(world->parts);
    for (RtBrood *brood = world->broods; brood; brood = brood->next)
        forget_readers(brood->parts);
    for (int i = 0; world->life && i < world->life->spawned.count; i++)
        forget_readers(world->life->spawned.items[i]->parts);
    world->last_evaluation = RT_MARK_SET;
}

void brood_destroy_all(RtWorld *world) {
    for (RtBrood *brood = world->broods; brood; brood = brood->next)
        for (RtPart *part = brood->parts; part; part = part->next)
            part_fini(world, part);
}
