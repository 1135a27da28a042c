/* Things, which are whole numbers, by a float, the least first; of equal ones the thing that comes first. */
#ifndef WORLD_TERRAIN_HEAP_H
#define WORLD_TERRAIN_HEAP_H

#include <stdint.h>
#include <string.h>

typedef struct FloatHeap {
    uint64_t *items; /* from index 1: the float as a number that rises with it, then the thing. There is room for all */
    int64_t count;
} FloatHeap;

static inline uint32_t heap_rank(float key) {
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static inline void heap_push(FloatHeap *heap, float key, int32_t thing) {
    uint64_t item = (uint64_t)heap_rank(key) << 32 | (uint32_t)thing;
    int64_t at = ++heap->count;
    for (; at > 1 && heap->items[at / 2] > item; at /= 2)
        heap->items[at] = heap->items[at / 2];
    heap->items[at] = item;
}

/* Of a heap that is not empty. */
static inline int32_t heap_pop(FloatHeap *heap) {
    uint64_t *items = heap->items, first = items[1], last = items[heap->count--];
    int64_t at = 1, child;
    while ((child = 2 * at) <= heap->count) {
        child += child < heap->count && items[child + 1] < items[child];
        if (items[child] >= last) break;
        items[at] = items[child];
        at = child;
    }
    items[at] = last;
    return (int32_t)(uint32_t)first;
}

/* The same for keys that are kept beside and never fall below what was popped: things wait in buckets, and only those of the bucket whose turn
 * it is are in a heap, a small one. */
enum { QUEUE_BUCKETS = 1 << 16 };
typedef struct FloatQueue {
    const float *keys;
    float least, scale;
    int32_t *heads, *nexts; /* lists by bucket, each thing once; -1 ends one */
    int32_t bucket;         /* whose turn it is */
    FloatHeap heap;
} FloatQueue;

/* The arrays are given; keys lie from `least` to `most`. */
static inline void queue_init(FloatQueue *queue, float least, float most) {
    queue->least = least;
    queue->scale = most > least ? (QUEUE_BUCKETS - 1) / (most - least) : 0;
    queue->bucket = -1;
    queue->heap.count = 0;
    for (int32_t i = 0; i < QUEUE_BUCKETS; i++)
        queue->heads[i] = -1;
}

static inline int32_t queue_bucket(const FloatQueue *queue, float key) {
    float place = (key - queue->least) * queue->scale;
    return place < QUEUE_BUCKETS - 1 ? (int32_t)place : QUEUE_BUCKETS - 1;
}

static inline void queue_push(FloatQueue *queue, int32_t thing) {
    int32_t bucket = queue_bucket(queue, queue->keys[thing]);
    if (bucket <= queue->bucket) {
        heap_push(&queue->heap, queue->keys[thing], thing);
        return;
    }
    queue->nexts[thing] = queue->heads[bucket];
    queue->heads[bucket] = thing;
}

/* -1: there is none left. */
static inline int32_t queue_pop(FloatQueue *queue) {
    while (queue->heap.count == 0) {
        if (++queue->bucket >= QUEUE_BUCKETS) return -1;
        for (int32_t thing = queue->heads[queue->bucket]; thing >= 0; thing = queue->nexts[thing])
            heap_push(&queue->heap, queue->keys[thing], thing);
    }
    return heap_pop(&queue->heap);
}

#endif
