/* Texts, lists and closures, and the counting of who holds them. All live in rt->arena.
 *
 *     RtList ── items ──> [slot|slot|slot][slot|slot|slot]....      a row an item; room for `capacity`
 *        └─ holders                  └─ an object, of which the list is one holder (shape.refs)
 *
 * The list's last holder may change it in place, so a loop that grows or changes a list costs what it
 * changes; whoever shares it copies it once and is then alone with the copy.
 */
#include "runtime/rt/rt.h"

/* -- texts -- */

static size_t text_bytes(size_t length) {
    size_t bytes;
    if (__builtin_add_overflow(length, sizeof(RtText) + 1, &bytes)) memory_fail();
    return bytes;
}

RtText *rt_text_create(Rt *rt, size_t length) {
    RtText *object = arena_take(rt->arena, text_bytes(length));
    char *text = (char *)(object + 1);
    text[length] = 0;
    *object = (RtText){{RT_TEXT, 1}, {text, length}};
    return object;
}

RtText *rt_text(Rt *rt, Str text) {
    RtText *object = rt_text_create(rt, text.len);
    if (text.len) memcpy(object + 1, text.ptr, text.len);
    return object;
}

RtText *rt_text_since(Rt *rt, ArenaMark mark, Str text) {
    RtScratchMark scratch = rt_scratch_mark(rt);
    char *bytes = rt_scratch_push(rt, text.len + 1);
    memcpy(bytes, text.ptr, text.len);
    arena_release(rt->arena, mark);
    RtText *object = rt_text(rt, (Str){bytes, text.len});
    rt_scratch_pop(rt, scratch);
    return object;
}

/* -- holders -- */

static bool holds(RtShape shape, int slot) {
    return slot < 64 && (shape.refs >> slot & 1);
}

static void retain_row(const Rt *rt, uint64_t refs, const Slot *row) {
    for (; refs; refs &= refs - 1)
        rt_retain(rt, row[__builtin_ctzll(refs)].r);
}

void rt_retain_shared(RtObject *object) {
    __atomic_fetch_add(&object->holders, 1, __ATOMIC_RELAXED);
}

bool rt_release_shared(RtObject *object) {
    return __atomic_fetch_sub(&object->holders, 1, __ATOMIC_ACQ_REL) == 1;
}

/* Objects whose last holder has gone, waiting to be taken apart: no recursion, for chains may be long. */
typedef struct Dead {
    RtList *lists;
    RtClosure *closures;
} Dead;

static size_t item_bytes(int width, int64_t count) {
    size_t bytes;
    if (__builtin_mul_overflow((size_t)width * sizeof(Slot), (size_t)count, &bytes)) memory_fail();
    return bytes;
}

static size_t closure_bytes(int captures) {
    return sizeof(RtClosure) + sizeof(Slot) * (size_t)captures;
}

/* -- drop: an object whose last holder has gone. What holds others waits its turn. -- */

static void drop_list(Rt *rt, Dead *dead, RtObject *object) {
    (void)rt;
    ((RtList *)object)->next_dead = dead->lists;
    dead->lists = (RtList *)object;
}

static void drop_closure(Rt *rt, Dead *dead, RtObject *object) {
    (void)rt;
    ((RtClosure *)(void *)object)->next_dead = dead->closures;
    dead->closures = (RtClosure *)(void *)object;
}

static void drop_text(Rt *rt, Dead *dead, RtObject *object) {
    (void)dead;
    arena_give(rt->arena, object, text_bytes(((RtText *)object)->text.len));
}

static void drop_grid(Rt *rt, Dead *dead, RtObject *object) {
    RtGrid *grid = (RtGrid *)(void *)object;
    (void)dead;
    arena_give(rt->arena, grid->heights, rt_grid_bytes(grid));
    arena_give(rt->arena, grid, sizeof *grid);
}

static void drop_mesh(Rt *rt, Dead *dead, RtObject *object) {
    RtMesh *mesh = (RtMesh *)(void *)object;
    size_t corners = sizeof(float) * 3 * (size_t)mesh->vertex_count;
    (void)dead;
    arena_give(rt->arena, mesh->positions, corners);
    arena_give(rt->arena, mesh->normals, corners);
    arena_give(rt->arena, mesh->colors, corners);
    if (mesh->coords) arena_give(rt->arena, mesh->coords, corners / 3 * 2);
    if (mesh->pivots) arena_give(rt->arena, mesh->pivots, corners);
    if (mesh->stems) arena_give(rt->arena, mesh->stems, sizeof(float) * STEM_FLOATS * (size_t)mesh->stem_count);
    arena_give(rt->arena, mesh->indices, sizeof(uint32_t) * (size_t)mesh->index_count);
    arena_give(rt->arena, mesh, sizeof *mesh);
}

static void drop_stream(Rt *rt, Dead *dead, RtObject *object) {
    (void)dead;
    arena_give(rt->arena, object, sizeof(RtStream));
}

/* Nobody counts these: they live as long as their arena. */
#define drop_spine NULL
#define drop_curve NULL
#define drop_outline NULL
#define drop_design NULL
#define drop_part NULL

static void bury(Rt *rt, Dead *dead, RtObject *object) {
    static void (*const drop[RT_KIND_COUNT])(Rt *, Dead *, RtObject *) = {
#define KIND(NAME, name) [RT_##NAME] = drop_##name,
#include "runtime/rt/kind.def"
#undef KIND
    };
    if (drop[object->kind]) drop[object->kind](rt, dead, object);
}

static void release_row(Rt *rt, Dead *dead, uint64_t refs, const Slot *row) {
    for (; refs; refs &= refs - 1) {
        RtObject *object = row[__builtin_ctzll(refs)].r;
        if (object == NULL || object->holders == 0) continue;
        if (rt->worker ? rt_release_shared(object) : --object->holders == 0) bury(rt, dead, object);
    }
}

static void give_list(Rt *rt, Dead *dead, RtList *list) {
    RtShape shape = list->shape;
    for (int64_t i = 0; shape.refs && i < list->length; i++)
        release_row(rt, dead, shape.refs, rt_list_item(list, i));
    arena_give(rt->arena, list->items, item_bytes(shape.width, list->capacity));
    arena_give(rt->arena, list, sizeof *list);
}

static void give_closure(Rt *rt, Dead *dead, RtClosure *closure) {
    release_row(rt, dead, closure->refs, closure->captures);
    arena_give(rt->arena, closure, closure_bytes(closure->capture_count));
}

void rt_release_last(Rt *rt, RtObject *object) {
    Dead dead = {0};
    bury(rt, &dead, object);
    while (dead.lists || dead.closures) {
        RtList *list = dead.lists;
        RtClosure *closure = dead.closures;
        if (list) {
            dead.lists = list->next_dead;
            give_list(rt, &dead, list);
        } else {
            dead.closures = closure->next_dead;
            give_closure(rt, &dead, closure);
        }
    }
}

/* Marks one object and, when it holds others, puts it on the list of those to be looked through. */
static void freeze_object(Dead *todo, RtObject *object) {
    if (object == NULL || object->holders == 0) return;
    object->holders = 0;
    if (object->kind == RT_LIST && ((RtList *)object)->shape.refs) {
        ((RtList *)object)->next_dead = todo->lists;
        todo->lists = (RtList *)object;
    } else if (object->kind == RT_CLOSURE) {
        ((RtClosure *)(void *)object)->next_dead = todo->closures;
        todo->closures = (RtClosure *)(void *)object;
    }
}

static void freeze_row(Dead *todo, uint64_t refs, const Slot *row) {
    for (; refs; refs &= refs - 1)
        freeze_object(todo, row[__builtin_ctzll(refs)].r);
}

static void freeze_items(Dead *todo, const RtList *list) {
    for (int64_t i = 0; i < list->length; i++)
        freeze_row(todo, list->shape.refs, rt_list_item(list, i));
}

void rt_freeze(const void *ref) {
    Dead todo = {0};
    freeze_object(&todo, (RtObject *)(uintptr_t)ref);
    while (todo.lists || todo.closures) {
        const RtList *list = todo.lists;
        const RtClosure *closure = todo.closures;
        if (list) {
            todo.lists = list->next_dead;
            freeze_items(&todo, list);
        } else {
            todo.closures = closure->next_dead;
            freeze_row(&todo, closure->refs, closure->captures);
        }
    }
}

/* -- lists -- */

/* False, with the fault, when a list may not be that long. */
static bool list_fits(Rt *rt, int64_t length) {
    int64_t most = rt->host ? rt->host->limits.list_items : 0;
    if (most == 0 || length <= most) return true;
    rt_fault(rt, RT_FAULT_LIMIT, "a list of %lld items; at most %lld", (long long)length, (long long)most);
    return false;
}

/* What is taken while a further allocation may fail would be lost to its arena until that ends: no harm. */
static RtList *new_list(Rt *rt, RtShape shape, int64_t capacity) {
    size_t bytes = item_bytes(shape.width, capacity);
    RtList *list = arena_take(rt->arena, sizeof *list);
    *list = (RtList){.head = {RT_LIST, 1}, .shape = shape, .capacity = capacity};
    list->items = arena_take(rt->arena, bytes);
    return list;
}

/* A guess takes no more than this, and is no fault. */
RtList *rt_list_room(Rt *rt, RtShape shape, int64_t items) {
    int64_t limit = rt->host ? rt->host->limits.list_items : 0, most = 1 << 20;
    if (limit > 0 && limit < most) most = limit;
    return new_list(rt, shape, items < 0 ? 0 : items < most ? items : most);
}

RtList *rt_list_create(Rt *rt, RtShape shape, int64_t capacity) {
    if (capacity < 0 || !list_fits(rt, capacity)) capacity = 0;
    return new_list(rt, shape, capacity);
}

static void copy_items(Rt *rt, RtList *to, const RtList *from) {
    to->length = from->length;
    if (from->length && from->shape.width)
        memcpy(to->items, from->items, item_bytes(from->shape.width, from->length));
    for (int64_t i = 0; from->shape.refs && i < from->length; i++)
        retain_row(rt, from->shape.refs, rt_list_item(from, i));
}

static bool is_unique(const RtList *list) {
    return __atomic_load_n(&list->head.holders, __ATOMIC_ACQUIRE) == 1;
}

/* A copy with room for `capacity`, in place of the caller's hold on the list. */
static RtList *copy_list(Rt *rt, RtList *list, int64_t capacity) {
    RtList *copy = new_list(rt, list->shape, capacity);
    copy_items(rt, copy, list);
    rt_release(rt, list);
    return copy;
}

RtList *rt_list_unique(Rt *rt, RtList *list) {
    return is_unique(list) ? list : copy_list(rt, list, list->length);
}

/* Doubled, but never past the limit, which is for what is there. */
static int64_t next_capacity(const Rt *rt, int64_t length) {
    int64_t most = rt->host ? rt->host->limits.list_items : 0, wanted = length < 4 ? 4 : length * 2;
    return most && wanted > most ? most : wanted;
}

static RtList *make_room(Rt *rt, RtList *list, int64_t capacity) {
    if (!is_unique(list)) return copy_list(rt, list, capacity);
    int width = list->shape.width;
    list->items = arena_retake(rt->arena, list->items, item_bytes(width, list->capacity),
                               item_bytes(width, capacity));
    list->capacity = capacity;
    return list;
}

static int64_t capacity_for(const Rt *rt, int64_t length, int64_t wanted) {
    int64_t capacity = next_capacity(rt, length);
    return capacity < wanted ? wanted : capacity;
}

RtList *rt_list_extend(Rt *rt, RtList *list, RtShape shape, int64_t count, Slot **rows) {
    int64_t length = rt_list_length(list), wanted = length + count;
    *rows = NULL;
    if (!list_fits(rt, wanted)) return list;
    if (list == NULL)
        list = new_list(rt, shape, capacity_for(rt, 0, wanted));
    else if (!is_unique(list) || wanted > list->capacity)
        list = make_room(rt, list, capacity_for(rt, length, wanted));
    list->length = wanted;
    *rows = list->items + length * shape.width;
    return list;
}

RtList *rt_list_append(Rt *rt, RtList *list, RtShape shape, const Slot *item) {
    Slot *row;
    list = rt_list_extend(rt, list, shape, 1, &row);
    for (int i = 0; i < shape.width && row == NULL; i++)
        if (holds(shape, i)) rt_release(rt, item[i].r);
    if (shape.width && row) memcpy(row, item, item_bytes(shape.width, 1));
    return list;
}

RtList *rt_list_set(Rt *rt, RtList *list, int64_t index, int first, int count, const Slot *slots) {
    list = rt_list_unique(rt, list);
    Slot *row = list->items + index * list->shape.width;
    for (int i = 0; i < count; i++) {
        Slot old = row[first + i];
        row[first + i] = slots[i];
        if (holds(list->shape, first + i)) rt_release(rt, old.r);
    }
    return list;
}

RtList *rt_list_take(Rt *rt, RtList *list, int64_t index, int first, int count, Slot *objects) {
    list = rt_list_unique(rt, list);
    Slot *row = list->items + index * list->shape.width + first;
    for (int i = 0; i < count; i++) {
        objects[i] = row[i];
        row[i] = slot_r(NULL);
        if (!holds(list->shape, first + i)) rt_retain(rt, objects[i].r);
    }
    return list;
}

RtList *rt_list_cut(Rt *rt, RtList *list, int64_t length) {
    if (list == NULL) return NULL;
    list = rt_list_unique(rt, list);
    for (int64_t i = length; list->shape.refs && i < list->length; i++) {
        const Slot *row = rt_list_item(list, i);
        for (uint64_t refs = list->shape.refs; refs; refs &= refs - 1)
            rt_release(rt, row[__builtin_ctzll(refs)].r);
    }
    list->length = length;
    return list;
}

RtList *rt_list_fill(Rt *rt, RtShape shape, int64_t length, const Slot *item) {
    if (length < 0) rt_fault(rt, RT_FAULT_ARGUMENT, "a list of %lld items", (long long)length);
    if (length < 0 || !list_fits(rt, length)) length = 0;
    RtList *list = new_list(rt, shape, length);
    list->length = length;
    if (shape.width == 1 && item->w == 0) { /* which most lists begin with */
        memset(list->items, 0, sizeof(Slot) * (size_t)length);
        return list;
    }
    for (int64_t i = 0; i < length; i++) {
        for (int k = 0; k < shape.width; k++)
            list->items[i * shape.width + k] = item[k];
        if (shape.refs) retain_row(rt, shape.refs, item);
    }
    return list;
}

RtClosure *rt_closure(Rt *rt, int32_t func, int captures, uint64_t refs, int params, int results,
                      bool draws) {
    RtClosure *closure = arena_take(rt->arena, closure_bytes(captures));
    *closure = (RtClosure){.head = {RT_CLOSURE, 1},
                           .func = func,
                           .capture_count = captures,
                           .param_count = params,
                           .result_count = results,
                           .draws = draws,
                           .refs = refs};
    memset(closure->captures, 0, sizeof(Slot) * (size_t)captures);
    return closure;
}
