/* The programs of programs.world by hand: the same steps in the same order, built by both compilers. */
#include "tests/bench/programs.h"

#include <stdlib.h>
#include <string.h>

static int64_t scattered(int64_t i, int64_t bound) {
    return (i * 7919 + 104729) % 1000003 * 31 % bound;
}

static double integers(int64_t n) {
    int64_t sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum = (sum * 31 + i) % 1000003;
    return (double)sum;
}

static double floats(int64_t n) {
    double x = 0.5, sum = 0;
    for (int64_t i = 0; i < n; i++) {
        x = 3.75 * x * (1 - x);
        sum += x;
    }
    return sum;
}

static int64_t *counted(int64_t n) {
    int64_t *xs = malloc(sizeof *xs * (size_t)n);
    for (int64_t i = 0; i < n; i++)
        xs[i] = i;
    return xs;
}

static double reads(int64_t rounds) {
    int64_t n = 1 << 20, at = 1, sum = 0, *xs = counted(n);
    for (int64_t i = 0; i < rounds; i++) {
        at = (at * 5 + 12345) % n;
        sum += xs[at];
    }
    free(xs);
    return (double)sum;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static double sorts(int64_t n) {
    int64_t *xs = counted(n);
    for (int64_t i = 0; i < n; i++)
        xs[i] = scattered(i, 1000003);
    qsort(xs, (size_t)n, sizeof *xs, by_value);
    double sum = (double)(xs[0] + 2 * xs[n / 2] + 3 * xs[n - 1]);
    free(xs);
    return sum;
}

typedef struct List {
    int64_t *items, length, capacity;
} List;

static void append(List *list, int64_t item) {
    if (list->length == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 4;
        list->items = realloc(list->items, sizeof *list->items * (size_t)list->capacity);
    }
    list->items[list->length++] = item;
}

static double appends(int64_t n) {
    List xs = {0};
    for (int64_t i = 0; i < n; i++)
        append(&xs, i);
    double sum = (double)(xs.length + xs.items[n - 1]);
    free(xs.items);
    return sum;
}

static int64_t root_of(int64_t *parent, int64_t a) {
    while (parent[a] != a) {
        parent[a] = parent[parent[a]];
        a = parent[a];
    }
    return a;
}

static double groups(int64_t side) {
    int64_t count = side * side, *parent = counted(count);
    for (int64_t i = 0; i < side * side; i++)
        for (int64_t way = 0; way < 2; way++) {
            int fits = way == 0 ? i % side < side - 1 : i < side * (side - 1);
            if (!fits || scattered(2 * i + way, 100) >= 50) continue;
            int64_t a = root_of(parent, i), b = root_of(parent, way == 0 ? i + 1 : i + side);
            if (a == b) continue;
            parent[a > b ? a : b] = a > b ? b : a;
            count--;
        }
    free(parent);
    return (double)count;
}

static void reach(int64_t *state, List *queue, int64_t i) {
    if (state[i] != 0) return;
    state[i] = 1;
    append(queue, i);
}

static double flooded(int64_t side) {
    int64_t *state = counted(side * side);
    List queue = {0};
    for (int64_t i = 0; i < side * side; i++)
        state[i] = scattered(i, 100) < 30 ? 2 : 0;
    append(&queue, 0);
    state[0] = 1;
    for (int64_t next = 0; next < queue.length; next++) {
        int64_t i = queue.items[next], x = i % side;
        if (x > 0) reach(state, &queue, i - 1);
        if (x < side - 1) reach(state, &queue, i + 1);
        if (i >= side) reach(state, &queue, i - side);
        if (i < side * (side - 1)) reach(state, &queue, i + side);
    }
    double reached = (double)queue.length;
    free(queue.items);
    free(state);
    return reached;
}

static double stencil(int64_t side) {
    size_t bytes = sizeof(double) * (size_t)(side * side);
    double *now = malloc(bytes), *next = malloc(bytes), sum = 0;
    for (int64_t i = 0; i < side * side; i++)
        now[i] = (double)scattered(i, 1000) / 1000;
    memcpy(next, now, bytes);
    for (int round = 0; round < 50; round++) {
        for (int64_t z = 1; z < side - 1; z++)
            for (int64_t x = 1; x < side - 1; x++) {
                int64_t i = z * side + x;
                next[i] = 0.5 * now[i] + 0.125 * (now[i - 1] + now[i + 1] + now[i - side] + now[i + side]);
            }
        double *old = now;
        now = next;
        next = old;
    }
    for (int64_t i = 0; i < side * side; i++)
        sum += now[i];
    free(now);
    free(next);
    return sum;
}

static double summed(int64_t side) {
    int64_t wide = side + 1;
    double *table = calloc((size_t)(wide * wide), sizeof *table), most = 0;
    for (int64_t z = 0; z < side; z++) {
        double row = 0;
        for (int64_t x = 0; x < side; x++) {
            row += (double)scattered(z * side + x, 1000) / 1000;
            table[(z + 1) * wide + x + 1] = table[z * wide + x + 1] + row;
        }
    }
    for (int64_t z = 0; z < side - 9; z++)
        for (int64_t x = 0; x < side - 9; x++) {
            int64_t a = z * wide + x, b = a + 9 * wide;
            double window = table[b + 9] - table[b] - table[a + 9] + table[a];
            if (window > most) most = window;
        }
    free(table);
    return most;
}

static double gridStencil(int64_t side) {
    return stencil(side);
}

/* A heap of items by key, and of equal keys by when they came. */
typedef struct Entry {
    int64_t item, key, turn;
} Entry;

typedef struct Heap {
    Entry *entries;
    int64_t length, capacity, turn;
} Heap;

static int comes_before(const Entry *a, const Entry *b) {
    return a->key < b->key || (a->key == b->key && a->turn < b->turn);
}

static void heap_push(Heap *heap, int64_t item, int64_t key) {
    if (heap->length == heap->capacity) {
        heap->capacity = heap->capacity ? 2 * heap->capacity : 4;
        heap->entries = realloc(heap->entries, sizeof *heap->entries * (size_t)heap->capacity);
    }
    Entry entry = {item, key, heap->turn++};
    int64_t at = heap->length++;
    for (; at > 0 && comes_before(&entry, &heap->entries[(at - 1) / 2]); at = (at - 1) / 2)
        heap->entries[at] = heap->entries[(at - 1) / 2];
    heap->entries[at] = entry;
}

static Entry heap_pop(Heap *heap) {
    Entry first = heap->entries[0], last = heap->entries[--heap->length];
    int64_t at = 0;
    for (;;) {
        int64_t under = 2 * at + 1;
        if (under >= heap->length) break;
        if (under + 1 < heap->length && comes_before(&heap->entries[under + 1], &heap->entries[under])) under++;
        if (!comes_before(&heap->entries[under], &last)) break;
        heap->entries[at] = heap->entries[under];
        at = under;
    }
    heap->entries[at] = last;
    return first;
}

static double ways(int64_t side) {
    int64_t *cost = malloc(sizeof *cost * (size_t)(side * side)), sum = 0;
    Heap heap = {0};
    for (int64_t i = 0; i < side * side; i++)
        cost[i] = 9000000;
    cost[0] = 0;
    heap_push(&heap, 0, 0);
    while (heap.length > 0) {
        Entry entry = heap_pop(&heap);
        int64_t i = entry.item, x = i % side;
        if (entry.key > cost[i]) continue;
        for (int way = 0; way < 4; way++) {
            int on = way == 0 ? x > 0 : way == 1 ? x < side - 1 : way == 2 ? i >= side : i < side * (side - 1);
            if (!on) continue;
            int64_t to = way == 0 ? i - 1 : way == 1 ? i + 1 : way == 2 ? i - side : i + side;
            int64_t far = entry.key + 1 + scattered(to, 9);
            if (far >= cost[to]) continue;
            cost[to] = far;
            heap_push(&heap, to, far);
        }
    }
    for (int64_t i = 0; i < side * side; i++)
        sum += cost[i];
    free(heap.entries);
    free(cost);
    return (double)sum;
}

/* Keys in the order in which they came, found by an open table of their places. */
typedef struct Keyed {
    int64_t *keys, *values, *slots, count, capacity, size;
} Keyed;

static uint64_t hash_of(int64_t key) {
    uint64_t z = (uint64_t)key * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    return z ^ (z >> 31);
}

static int64_t *slot_of(const Keyed *map, int64_t key) {
    uint64_t at = hash_of(key) & (uint64_t)(map->size - 1);
    while (map->slots[at] && map->keys[map->slots[at] - 1] != key)
        at = (at + 1) & (uint64_t)(map->size - 1);
    return &map->slots[at];
}

static void keyed_grow(Keyed *map) {
    map->capacity = map->capacity ? 2 * map->capacity : 8;
    map->size = 2 * map->capacity;
    map->keys = realloc(map->keys, sizeof *map->keys * (size_t)map->capacity);
    map->values = realloc(map->values, sizeof *map->values * (size_t)map->capacity);
    free(map->slots);
    map->slots = calloc((size_t)map->size, sizeof *map->slots);
    for (int64_t i = 0; i < map->count; i++)
        *slot_of(map, map->keys[i]) = i + 1;
}

static double keyed(int64_t n) {
    Keyed map = {0};
    int64_t sum = 0;
    keyed_grow(&map);
    for (int64_t i = 0; i < n; i++) {
        int64_t key = scattered(i, 500009), *slot = slot_of(&map, key);
        if (*slot) {
            map.values[*slot - 1] = i;
            continue;
        }
        if (map.count == map.capacity) keyed_grow(&map);
        map.keys[map.count] = key;
        map.values[map.count++] = i;
        *slot_of(&map, key) = map.count;
    }
    for (int64_t i = 0; i < n; i++) {
        int64_t place = *slot_of(&map, i);
        if (place) sum += map.values[place - 1] * (i % 7);
    }
    free(map.keys);
    free(map.values);
    free(map.slots);
    return (double)sum;
}

static double grown(int64_t side) {
    return GROWN(side);
}

static double planned(int64_t side) {
    return PLANNED(side);
}

const BenchProgram PROGRAMS[PROGRAM_COUNT] = {
#define PROGRAM(name, what, question, size, goal) name,
#include "tests/bench/programs.def"
#undef PROGRAM
};
