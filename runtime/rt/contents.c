/* The insides of the library's containers, as their records declare them (stdlib/containers/containers.world).
 *
 * An author may write such a record out field by field: nothing here trusts that the lists fit one another.
 */
#include "runtime/rt/contents.h"

/* -- rows -- */

static RtList *create(Arena *arena, int width, int64_t capacity) {
    RtList *list = ARENA_NEW(arena, RtList);
    list->head.kind = RT_LIST;
    list->shape.width = width;
    list->capacity = capacity;
    list->items = ARENA_ARRAY(arena, Slot, capacity * width);
    return list;
}

static Slot *add(RtList *list) {
    return list->items + list->length++ * list->shape.width;
}

typedef struct Columns {
    const RtList *lists[2];
    int count;
} Columns;

static int width_of(const RtList *list) {
    return list ? list->shape.width : 0;
}

static int64_t shortest(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static RtList *create_rows(Arena *arena, const Columns *columns, int64_t capacity) {
    int width = width_of(columns->lists[0]);
    if (columns->count > 1) width += width_of(columns->lists[1]);
    return create(arena, width, capacity);
}

static void add_row(RtList *rows, const Columns *columns, int64_t place) {
    Slot *row = add(rows);
    for (int i = 0; i < columns->count; row += width_of(columns->lists[i]), i++)
        memcpy(row, rt_list_item(columns->lists[i], place),
               sizeof *row * (size_t)width_of(columns->lists[i]));
}

static int64_t length_of(const Columns *columns) {
    int64_t length = rt_list_length(columns->lists[0]);
    return columns->count > 1 ? shortest(length, rt_list_length(columns->lists[1])) : length;
}

/* -- maps, sets and points: the places that are not gone -- */

typedef bool (*Stays)(const RtList *marks, int64_t place);

/* `gone` of a table of keys; of places after its end none is. */
static bool is_kept(const RtList *gone, int64_t place) {
    return place >= rt_list_length(gone) || !rt_list_item(gone, place)->w;
}

static bool is_numbered(const RtList *numbers, int64_t place) {
    return place < rt_list_length(numbers) && rt_list_item(numbers, place)->i >= 0;
}

static const RtList *rows_that(Stays stays, const RtList *marks, Arena *arena, Columns columns) {
    int64_t length = length_of(&columns);
    RtList *rows = create_rows(arena, &columns, length);
    for (int64_t place = 0; place < length; place++)
        if (stays(marks, place)) add_row(rows, &columns, place);
    return rows;
}

/* -- queues: what stands before `first` has left -- */

static const RtList *queue_rows(Arena *arena, const RtList *items, int64_t first) {
    Columns columns = {{items}, 1};
    RtList *rows = create_rows(arena, &columns, rt_list_length(items));
    for (int64_t place = first < 0 ? 0 : first; place < rt_list_length(items); place++)
        add_row(rows, &columns, place);
    return rows;
}

/* -- heaps: by key, and of equal keys by turn -- */

typedef struct Heap {
    const RtList *names, *turns;
    Str letters;
} Heap;

static int compare_slots(char letter, Slot a, Slot b) {
    const RtText *left = a.r, *right = b.r;
    if (letter == 'F') return (a.f > b.f) - (a.f < b.f);
    if (letter == 'I') return (a.i > b.i) - (a.i < b.i);
    if (letter != 'R') return (a.w > b.w) - (a.w < b.w);
    return left && right ? str_compare(left->text, right->text) : 0;
}

static bool is_before(const Heap *heap, int64_t a, int64_t b) {
    const Slot *left = rt_list_item(heap->names, a), *right = rt_list_item(heap->names, b);
    for (size_t i = 0; i < heap->letters.len && i < (size_t)heap->names->shape.width; i++) {
        int order = compare_slots(heap->letters.ptr[i], left[i], right[i]);
        if (order) return order < 0;
    }
    return rt_list_item(heap->turns, a)->i < rt_list_item(heap->turns, b)->i;
}

/* Moves the place at `at` down a heap whose top is the last to come out. */
static void sink(const Heap *heap, int64_t *places, int64_t at, int64_t count) {
    for (int64_t under; (under = 2 * at + 1) < count; at = under) {
        if (under + 1 < count && is_before(heap, places[under], places[under + 1])) under++;
        if (!is_before(heap, places[at], places[under])) return;
        int64_t place = places[at];
        places[at] = places[under];
        places[under] = place;
    }
}

static int64_t *sort_places(Arena *arena, const Heap *heap, int64_t count) {
    int64_t *places = ARENA_ARRAY(arena, int64_t, count);
    for (int64_t i = 0; i < count; i++)
        places[i] = i;
    for (int64_t i = count / 2; i-- > 0;)
        sink(heap, places, i, count);
    for (int64_t end = count; end-- > 1;) {
        int64_t last = places[0];
        places[0] = places[end];
        places[end] = last;
        sink(heap, places, 0, end);
    }
    return places;
}

static const RtList *heap_rows(Arena *arena, const Slot *slots, Str letters) {
    Columns columns = {{slots[0].r, slots[1].r}, 2};
    Heap heap = {slots[1].r, slots[2].r, letters};
    int64_t count = shortest(length_of(&columns), rt_list_length(heap.turns));
    const int64_t *places = sort_places(arena, &heap, count);
    RtList *rows = create_rows(arena, &columns, count);
    for (int64_t i = 0; i < count; i++)
        add_row(rows, &columns, places[i]);
    return rows;
}

/* -- sets that join: each number stands under another of its set, or for it -- */

static int64_t top_of(const RtList *parents, int64_t x) {
    int64_t count = rt_list_length(parents);
    for (int64_t steps = 0; steps < count; steps++) {
        int64_t up = rt_list_item(parents, x)->i;
        if (up == x || up < 0 || up >= count) break;
        x = up;
    }
    return x;
}

static const RtList *joined_rows(Arena *arena, const RtList *parents) {
    int64_t count = rt_list_length(parents);
    int64_t *tops = ARENA_ARRAY(arena, int64_t, count), *sizes = ARENA_ARRAY(arena, int64_t, count);
    RtList **sets = ARENA_ARRAY(arena, RtList *, count), *rows = create(arena, 1, count);
    for (int64_t x = 0; x < count; x++)
        sizes[tops[x] = top_of(parents, x)]++;
    for (int64_t x = 0; x < count; x++) {
        RtList **set = &sets[tops[x]];
        if (*set == NULL) add(rows)->r = *set = create(arena, 1, sizes[tops[x]]);
        add(*set)->i = x;
    }
    return rows;
}

const RtList *contents_rows(Arena *arena, ContainerKind kind, Str letters, const Slot *slots) {
    switch (kind) {
    case CONTAINER_MAP:
        return rows_that(is_kept, slots[3].r, arena, (Columns){{slots[0].r, slots[1].r}, 2});
    case CONTAINER_NEAR:
        return rows_that(is_numbered, slots[0].r, arena, (Columns){{slots[0].r, slots[1].r}, 2});
    case CONTAINER_SET:
        return rows_that(is_kept, slots[2].r, arena, (Columns){{slots[0].r}, 1});
    case CONTAINER_QUEUE:
        return queue_rows(arena, slots[0].r, slots[1].i);
    case CONTAINER_HEAP:
        return heap_rows(arena, slots, letters);
    case CONTAINER_JOINED:
        return joined_rows(arena, slots[0].r);
    case CONTAINER_NONE:
    case CONTAINER_KIND_COUNT:
        break;
    }
    return NULL;
}
