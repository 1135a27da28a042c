#include "runtime/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

struct ArenaBlock {
    ArenaBlock *next;
    size_t size; /* whole allocation, header included */
    _Alignas(16) char data[];
};

static void *default_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

void memory_init(Memory *memory, MemoryResizeFn resize, void *user, size_t limit) {
    memory->resize = resize ? resize : default_resize;
    memory->user = user;
    atomic_init(&memory->used, 0);
    memory->limit = limit;
}

void *memory_try_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size) {
    if (new_size > old_size && memory->limit) {
        size_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
        if (new_size - old_size > memory->limit || used > memory->limit - (new_size - old_size))
            return NULL;
    }
    void *result = memory->resize(memory->user, ptr, old_size, new_size);
    if (result == NULL && new_size != 0) return NULL;
    atomic_fetch_add_explicit(&memory->used, new_size - old_size, memory_order_relaxed);
    return result;
}

void *memory_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size) {
    void *result = memory_try_resize(memory, ptr, old_size, new_size);
    if (result == NULL && new_size != 0) memory_fail();
    return result;
}

Recover **memory_recover_slot(void) {
    static _Thread_local Recover *innermost;
    return &innermost;
}

void memory_begin_try(Recover *recover) {
    recover->outer = *memory_recover_slot();
    *memory_recover_slot() = recover;
}

void memory_end_try(Recover *recover) {
    *memory_recover_slot() = recover->outer;
}

void memory_fail(void) {
    Recover *recover = *memory_recover_slot();
    if (recover == NULL) {
        fputs("world: out of memory outside every recovery point\n", stderr);
        abort();
    }
    *memory_recover_slot() = recover->outer;
    longjmp(recover->jump, 1);
}

void arena_init(Arena *arena, Memory *memory) {
    *arena = (Arena){.memory = memory};
}

static void drop_blocks_until(Arena *arena, const ArenaBlock *last) {
    while (arena->blocks != last) {
        ArenaBlock *next = arena->blocks->next;
        memory_resize(arena->memory, arena->blocks, arena->blocks->size, 0);
        arena->blocks = next;
    }
}

void arena_fini(Arena *arena) {
    drop_blocks_until(arena, NULL);
    arena->cursor = arena->end = NULL;
}

static void add_block(Arena *arena, size_t at_least) {
    /* Blocks double from a small first one: a cell's arena often holds a hundred bytes. */
    size_t usual = arena->blocks ? arena->blocks->size * 2 : WORLD_ARENA_BLOCK / 32;
    if (usual > WORLD_ARENA_BLOCK) usual = WORLD_ARENA_BLOCK;
    size_t size = sizeof(ArenaBlock) + at_least;
    if (size < usual) size = usual;
    if (size < at_least) memory_fail(); /* the sum wrapped */
    ArenaBlock *block = memory_resize(arena->memory, NULL, 0, size);
    block->next = arena->blocks;
    block->size = size;
    arena->blocks = block;
    arena->cursor = block->data;
    arena->end = (char *)block + size;
}

void *arena_alloc_raw(Arena *arena, size_t size) {
    if (size > SIZE_MAX - 64) memory_fail();
    size_t rounded = size ? (size + 15) & ~(size_t)15 : 16; /* never NULL */
    if ((size_t)(arena->end - arena->cursor) < rounded) add_block(arena, rounded);
    void *result = arena->cursor;
    arena->cursor += rounded;
    return result;
}

void *arena_alloc(Arena *arena, size_t size) {
    return memset(arena_alloc_raw(arena, size), 0, size);
}

void *arena_grow(Arena *arena, void *ptr, size_t old_size, size_t new_size) {
    char *result = arena_alloc_raw(arena, new_size);
    size_t kept = !ptr ? 0 : old_size < new_size ? old_size : new_size;
    if (kept) memcpy(result, ptr, kept);
    memset(result + kept, 0, new_size - kept);
    return result;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
    char *copy = arena_alloc(arena, length + 1);
    if (length) memcpy(copy, text, length);
    return copy;
}

ArenaMark arena_mark(const Arena *arena) {
    return (ArenaMark){.block = arena->blocks, .cursor = arena->cursor};
}

void arena_release(Arena *arena, ArenaMark mark) {
    drop_blocks_until(arena, mark.block);
    arena->cursor = mark.cursor;
    arena->end = mark.block ? (char *)mark.block + mark.block->size : NULL;
}

void arena_absorb(Arena *into, Arena *from) {
    if (from->blocks == NULL) return;
    ArenaBlock *last = from->blocks;
    while (last->next)
        last = last->next;
    if (into->blocks) { /* keep `into`'s newest block first: its cursor stays valid */
        last->next = into->blocks->next;
        into->blocks->next = from->blocks;
    } else {
        into->blocks = from->blocks;
        into->cursor = from->cursor;
        into->end = from->end;
    }
    from->blocks = NULL;
    from->cursor = from->end = NULL;
}
