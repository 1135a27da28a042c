/* The library's containers by number: what the compiler writes into a shape, and who prints reads. */
#ifndef WORLD_BASE_CONTAINER_H
#define WORLD_BASE_CONTAINER_H

typedef enum ContainerKind {
    CONTAINER_NONE,
#define CONTAINER(NAME, package, Name, slots, columns) CONTAINER_##NAME,
#include "runtime/base/container.def"
#undef CONTAINER
    CONTAINER_KIND_COUNT
} ContainerKind;

static inline int container_slots(ContainerKind kind) {
    static const int counts[CONTAINER_KIND_COUNT] = {
#define CONTAINER(NAME, package, Name, slots, columns) [CONTAINER_##NAME] = slots,
#include "runtime/base/container.def"
#undef CONTAINER
    };
    return counts[kind];
}

static inline int container_columns(ContainerKind kind) {
    static const int counts[CONTAINER_KIND_COUNT] = {
#define CONTAINER(NAME, package, Name, slots, columns) [CONTAINER_##NAME] = columns,
#include "runtime/base/container.def"
#undef CONTAINER
    };
    return counts[kind];
}

#endif
