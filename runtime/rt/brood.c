/* Parts that were spawned: how they get a number, stand, go, and are given back.
 *
 * What is gone is given back by a sweep, once as much of it waits as there is besides: nothing that is kept may name it, which are
 * the values of cells, captures, and what was put off; and no value of a host's from after it came to be.
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

static int64_t first_number(const RtPart *part, int32_t family) {
    int64_t next = 0;
    for (int32_t i = 0; i < part->member_count; i++) {
        const RtMember *member = &part->members[i];
        if (member->family == family && member->id == NULL && member->number >= next) next = member->number + 1;
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
    population->families[population->count] = (RtFamilyLive){.family = family, .next = first_number(part, family)};
    return &population->families[population->count++];
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
}

/* -- making -- */

static RtPart *make(RtLife *life, const RtClass *design, RtPart *under, int32_t family, int64_t number) {
    RtWorld *world = life->world;
    char name[96];
    Str of = last_name(design->name);
    int shown = of.len > 60 ? 60 : (int)of.len;
    int length = snprintf(name, sizeof name, "%.*s[%lld]", shown, of.ptr, (long long)number);
    RtBrood *brood = arena_take(&world->arena, sizeof *brood);
    *brood = (RtBrood){.pending = true, .serial = ++world->brood_serial};
    RtPart *part = part_create(world, design, design, under, brood, (size_t)length + 1);
    part->gone = false; /* it goes when it stands, if what it stands under is gone */
    memcpy(part->captures, name, (size_t)length + 1);
    part->name = (Str){(const char *)part->captures, (size_t)length};
    part->family = family;
    part->number = number;
    brood->first = part;
    return part;
}

RtPart *brood_create(Rt *rt, RtLife *life, const RtClass *design, RtPart *under, const uint32_t span[3]) {
    if (!parts_fit(rt, under, span)) return NULL;
    int32_t family = rt_part_family_of(rt, under, design);
    if (rt_failed_by(rt, 0)) return NULL;
    VEC_PUSH(&life->arena, &life->spawned, NULL); /* its room first */
    life->spawned.count--;
    RtFamilyLive *live = get_family(under, family);
    RtPart *part = make(life, design, under, family, live->next + live->fresh);
    live->fresh++;
    life->spawned.items[life->spawned.count++] = part->brood;
    return part;
}

void brood_room(RtLife *life, RtPart *part) {
    RtFamilyLive *live = get_family(part->parent, part->family);
    while (live->count + live->fresh > live->capacity)
        live->parts = grown(&life->world->arena, live->parts, sizeof *live->parts, &live->capacity);
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
    brood->pending = false;
    brood->previous = world->last_brood;
    if (world->last_brood)
        world->last_brood->next = brood;
    else
        world->broods = brood;
    world->last_brood = brood;
    cell_changed(world, part_population(part->parent));
}

RtPart *rt_part_stand(Rt *rt, RtPart *under, const RtClass *design, int64_t number) {
    static const uint32_t nowhere[3];
    RtLife *life = rt->world->life;
    if (!parts_fit(rt, under, nowhere)) return NULL;
    int32_t family = rt_part_family_of(rt, under, design);
    if (rt_failed(rt) || population_find(under, family, number)) return NULL;
    get_family(under, family)->fresh++;
    RtPart *part = make(life, design, under, family, number);
    brood_room(life, part);
    brood_stand(life, part->brood);
    return part;
}

/* -- going -- */

static void free_population(RtWorld *world, RtPart *part) {
    RtPopulation *population = part->population;
    for (int i = 0; population && i < population->count; i++)
        if (population->families[i].parts)
            arena_give(&world->arena, population->families[i].parts, sizeof(RtPart *) * (size_t)population->families[i].capacity);
    if (population == NULL) return;
    arena_give(&world->arena, population->families, sizeof *population->families * (size_t)population->capacity);
    arena_give(&world->arena, population, sizeof *population);
}

static void free_brood(RtWorld *world, RtBrood *brood) {
    for (RtPart *part = brood->parts; part; part = part->next)
        for (int32_t i = 0; i <= part->cls->field_count + 1; i++) {
            cell_fini(world, &part->cells[i]);
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
    RtLife *life = user;
    if (part->gone) return;
    part->gone = true;
    if (part->brood && part->brood->first == part) {
        part->brood->gone = true;
        life->gone++;
    }
    rt_part_each(part, mark_gone, life);
    cell_changed(life->world, part_population(part)); /* who asked whether it exists */
}

static void leave_family(RtPart *part) {
    RtFamilyLive *live = find_family(part->parent, part->family);
    int at = find_place(live, part->number);
    if (at >= live->count || live->parts[at] != part) return;
    memmove(live->parts + at, live->parts + at + 1, sizeof *live->parts * (size_t)(live->count - at - 1));
    live->count--;
}

bool part_go(RtLife *life, RtPart *part) {
    if (part->gone || part->parent == NULL) return false;
    mark_gone(life, part);
    if (part->brood && part->brood->first == part) leave_family(part);
    cell_changed(life->world, part_population(part->parent));
    return true;
}

void rt_part_go(Rt *rt, RtPart *part) {
    part_go(rt->world->life, part);
}

void rt_part_hold(RtPart *part) {
    if (part && part->brood) part->brood->held = true;
}

bool rt_part_exists(Rt *rt, RtPart *part) {
    return part && cell_read(rt, part_population(part)) && !part->gone;
}

/* -- the sweep -- */

typedef struct Sweep {
    RtLife *life;
    Arena *arena;
    VEC(RtBrood *) todo;
    VEC(const RtList *) seen; /* lists that hold objects: a table of pointers */
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

static bool is_new(Sweep *s, const RtList *list);

static void grow_seen(Sweep *s) {
    const RtList **old = s->seen.items;
    int count = s->seen.capacity;
    s->seen.capacity = count ? count * 2 : 64;
    s->seen.items = ARENA_ARRAY(s->arena, const RtList *, s->seen.capacity);
    s->seen_count = 0;
    for (int i = 0; i < count; i++)
        if (old[i]) is_new(s, old[i]);
}

/* One list may be reached in as many ways as it likes. */
static bool is_new(Sweep *s, const RtList *list) {
    if (s->seen_count * 2 >= s->seen.capacity) grow_seen(s);
    uint64_t at = (uint64_t)(uintptr_t)list / 16 * 0x9e3779b97f4a7c15u >> 20;
    for (;; at++) {
        const RtList **place = &s->seen.items[at & (uint64_t)(s->seen.capacity - 1)];
        if (*place == list) return false;
        if (*place) continue;
        *place = list;
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

static void reach_slot(Sweep *s, const void *ref) {
    const RtObject *object = ref;
    if (object == NULL) return;
    if (object->kind == RT_PART) reach_part(s, ref);
    if (object->kind == RT_LIST) reach_list(s, ref);
    if (object->kind == RT_CLOSURE) reach_refs(s, ((const RtClosure *)ref)->captures, ((const RtClosure *)ref)->capture_count, ((const RtClosure *)ref)->refs);
}

static void reach_from(Sweep *s, const RtPart *part) {
    for (int32_t f = 0; f < part->cls->field_count; f++) {
        const RtField *field = &part->cls->fields[f];
        if (part->cells[f].current == NULL) continue;
        for (int i = 0; i < field->slot_count; i++)
            if (field->slot_types[i] == 'R') reach_slot(s, part->slots[field->slot + i].r);
    }
}

static void reach_all(Sweep *s) {
    RtWorld *world = s->life->world;
    for (RtPart *part = world->parts; part; part = part->next)
        reach_from(s, part);
    for (RtBrood *brood = world->broods; brood; brood = brood->next)
        if (!brood->gone || brood->held || brood->serial <= world->kept_serial) reach_part(s, brood->first);
    for (int i = 0; i < s->life->laters.count; i++) {
        const RtLater *later = &s->life->laters.items[i];
        reach_slot(s, later->then);
        reach_slot(s, later->part);
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
static void give_back(RtLife *life) {
    RtWorld *world = life->world;
    for (RtBrood *brood = world->broods, *next; brood; brood = next) {
        next = brood->next;
        bool dead = brood->gone && !brood->reached;
        brood->reached = false;
        if (!dead) continue;
        unlink_brood(world, brood);
        free_brood(world, brood);
        life->gone--;
    }
}

void brood_sweep(RtLife *life) {
    if (life->gone < SWEEP_LEAST || life->gone < life->world->part_count / 8) return;
    Arena arena;
    Recover recover;
    arena_init(&arena, life->world->memory);
    Sweep sweep = {.life = life, .arena = &arena};
    if (MEMORY_TRY(&recover)) {
        reach_all(&sweep);
        memory_end_try(&recover);
        give_back(life);
    } else {
        for (RtBrood *brood = life->world->broods; brood; brood = brood->next)
            brood->reached = false;
    }
    arena_fini(&arena);
}

void brood_destroy_all(RtWorld *world) {
    for (RtBrood *brood = world->broods; brood; brood = brood->next)
        for (RtPart *part = brood->parts; part; part = part->next)
            for (int32_t i = 0; i <= part->cls->field_count + 1; i++)
                cell_fini(world, &part->cells[i]);
}
