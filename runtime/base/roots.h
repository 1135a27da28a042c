/* Sets that are joined (union-find): parent[v] is v of a root, which is the lowest number of its set. */
#ifndef WORLD_BASE_ROOTS_H
#define WORLD_BASE_ROOTS_H

#include <stdint.h>

static inline int32_t roots_find(int32_t *parent, int32_t v) {
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static inline void roots_join(int32_t *parent, int32_t a, int32_t b) {
    int32_t x = roots_find(parent, a), y = roots_find(parent, b);
    if (x < y)
        parent[y] = x;
    else
        parent[x] = y;
}

#endif
