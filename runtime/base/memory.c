#include "runtime/base/memory.h"

#include "runtime/base/pages.h"
#include "runtime/base/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

struct ArenaBlock {
    ArenaBlock *next;
    size_t size; /* whole allocation, header included */
    _Alignas(16) char data[];
};

/* Sizes are rounded up to steps of 16 bytes; a class a step. Under a sanitizer every piece is large, so that it sees
 * what is used after it was given back. */
#if defined(__SANITIZE_ADDRESS__)
enum { PIECE_LARGE = 0, PIECE_CLASSES = 1 };
#else
enum { PIECE_LARGE = 1024, PIECE_CLASSES = PIECE_LARGE / 16 + 1 };
#endif

struct ArenaPiece {
    ArenaPiece *next, *previous;
    size_t size; /* whole allocation */
    _Alignas(16) char data[];
};

typedef struct Recycled {
    struct Recycled *next;
} Recycled;

struct ArenaRecycle {
    Recycled *first[PIECE_CLASSES], *last[PIECE_CLASSES];
};

static bool is_paged(size_t size) {
    return size >= PAGES_FROM && PIECE_LARGE > 0;
}

static void *plain_resize(void *ptr, size_t new_size) {
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

static void *resize_in(bool paged, void *ptr, size_t new_size) {
    return paged ? pages_resize(ptr, new_size) : plain_resize(ptr, new_size);
}

static void *default_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    bool was = is_paged(old_size), is = new_size ? is_paged(new_size) : was;
    (void)user;
    if (!ptr) return resize_in(is, NULL, new_size);
    if (was == is) return resize_in(is, ptr, new_size);
    void *moved = resize_in(is, NULL, new_size);
    if (!moved) return NULL;
    memcpy(moved, ptr, old_size < new_size ? old_size : new_size);
    resize_in(was, ptr, 0);
    return moved;
}

void memory_init(Memory *memory, MemoryResizeFn resize, void *user, size_t limit) {
    memory->resize = resize ? resize : default_resize;
    memory->user = user;
    atomic_init(&memory->used, 0);
    memory->limit = limit;
    atomic_init(&memory->starved, false);
}

static bool is_allowed(Memory *memory, size_t more) {
    size_t used = atomic_load_explicit(&memory->used, memory_order_relaxed);
    bool allowed = memory->limit == 0 || (more <= memory->limit && used <= memory->limit - more);
    if (!allowed) atomic_store_explicit(&memory->starved, false, memory_order_relaxed);
    return allowed;
}

/* Of what the limit allows. */
static void *refused_by_system(Memory *memory) {
    atomic_store_explicit(&memory->starved, true, memory_order_relaxed);
    return NULL;
}

void *memory_try_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size) {
    if (new_size > old_size && !is_allowed(memory, new_size - old_size)) return NULL;
    void *result = memory->resize(memory->user, ptr, old_size, new_size);
    if (result == NULL && new_size != 0) return refused_by_system(memory);
    atomic_fetch_add_explicit(&memory->used, new_size - old_size, memory_order_relaxed);
    return result;
}

void *memory_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size) {
    void *result = memory_try_resize(memory, ptr, old_size, new_size);
    if (result == NULL && new_size != 0) memory_fail();
    return result;
}

bool memory_hold(Memory *memory, size_t size, size_t mapped) {
    if (!is_allowed(memory, size)) return false;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *room = mmap(NULL, mapped, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (room == MAP_FAILED) return refused_by_system(memory) != NULL;
    munmap(room, mapped);
    atomic_fetch_add_explicit(&memory->used, size, memory_order_relaxed);
    return true;
}

void memory_drop(Memory *memory, size_t size) {
    atomic_fetch_sub_explicit(&memory->used, size, memory_order_relaxed);
}

/* The innermost recovery point of this thread. */
static Recover **recover_slot(void) {
    static _Thread_local Recover *innermost;
    return &innermost;
}

void memory_begin_try(Recover *recover) {
    recover->outer = *recover_slot();
    *recover_slot() = recover;
}

void memory_end_try(Recover *recover) {
    *recover_slot() = recover->outer;
}

void memory_fail(void) {
    Recover *recover = *recover_slot();
    if (recover == NULL) {
        fputs("world: out of memory outside every recovery point\n", stderr);
        abort();
    }
    *recover_slot() = recover->outer;
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
    for (ArenaPiece *next, *piece = arena->pieces; piece; piece = next) {
        next = piece->next;
        memory_resize(arena->memory, piece, piece->size, 0);
    }
    drop_blocks_until(arena, NULL);
    *arena = (Arena){.memory = arena->memory};
}

/* A block's work, at a guess: some steps for each node in it. */
static void say_work(size_t bytes) {
    watch_work((int64_t)(bytes / 8));
}

static void add_block(Arena *arena, size_t at_least) {
    /* Blocks double from a small first one: a cell's arena often holds a hundred bytes. */
    size_t usual = arena->blocks ? arena->blocks->size * 2 : WORLD_ARENA_FIRST;
    if (usual > WORLD_ARENA_BLOCK) usual = WORLD_ARENA_BLOCK;
    size_t size = sizeof(ArenaBlock) + at_least;
    if (size < usual) size = usual;
    if (size < at_least) memory_fail(); /* the sum wrapped */
    say_work(size);
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

static void absorb_blocks(Arena *into, Arena *from) {
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
}

static void absorb_pieces(Arena *into, const Arena *from) {
    ArenaPiece *last = from->pieces;
    while (last->next)
        last = last->next;
    last->next = into->pieces;
    if (into->pieces) into->pieces->previous = last;
    into->pieces = from->pieces;
}

static void absorb_recycled(Arena *into, const Arena *from) {
    if (into->recycle == NULL) {
        into->recycle = from->recycle;
        return;
    }
    for (int i = 0; i < PIECE_CLASSES; i++) {
        Recycled *first = from->recycle->first[i], *last = from->recycle->last[i];
        if (first == NULL) continue;
        last->next = into->recycle->first[i];
        if (last->next == NULL) into->recycle->last[i] = last;
        into->recycle->first[i] = first;
    }
}

void arena_absorb(Arena *into, Arena *from) {
    if (from->pieces) absorb_pieces(into, from);
    if (from->blocks) absorb_blocks(into, from);
    if (from->recycle) absorb_recycled(into, from);
    into->taken += from->taken;
    *from = (Arena){.memory = from->memory};
}

/* The link to the block that holds these bytes and nothing else; NULL: there is none. */
static ArenaBlock **find_block_of(Arena *arena, const void *bytes, size_t size) {
    size_t whole = sizeof(ArenaBlock) + ((size + 15) & ~(size_t)15);
    for (ArenaBlock **at = &arena->blocks; *at; at = &(*at)->next)
        if ((*at)->data == bytes) return (*at)->size == whole ? at : NULL;
    return NULL;
}

bool arena_hand_over(Arena *into, Arena *from, const void *bytes, size_t size) {
    ArenaBlock **at = bytes && size ? find_block_of(from, bytes, size) : NULL;
    if (at == NULL) return false;
    ArenaBlock *block = *at;
    if (block == from->blocks) from->cursor = from->end = NULL; /* what is left in the next newest is left */
    *at = block->next;
    if (into->blocks) {
        block->next = into->blocks->next;
        into->blocks->next = block;
    } else {
        block->next = NULL;
        into->blocks = block;
        into->cursor = into->end = (char *)block + block->size;
    }
    return true;
}

/* -- pieces -- */

static void link_piece(Arena *arena, ArenaPiece *piece) {
    piece->previous = NULL;
    piece->next = arena->pieces;
    if (piece->next) piece->next->previous = piece;
    arena->pieces = piece;
}

static void unlink_piece(Arena *arena, const ArenaPiece *piece) {
    if (piece->previous)
        piece->previous->next = piece->next;
    else
        arena->pieces = piece->next;
    if (piece->next) piece->next->previous = piece->previous;
}

static ArenaPiece *piece_of(void *data) {
    return (ArenaPiece *)(void *)((char *)data - offsetof(ArenaPiece, data));
}

static size_t whole_size(size_t size) {
    if (size > SIZE_MAX - 2 * sizeof(ArenaPiece)) memory_fail();
    return sizeof(ArenaPiece) + size;
}

static int class_of(size_t size) {
    return (int)((size + 15) / 16);
}

static bool is_large(size_t size) {
    return size > PIECE_LARGE;
}

/* -- taking and giving back -- */

static void *take_large(Arena *arena, size_t size) {
    size_t whole = whole_size(size);
    say_work(whole);
    ArenaPiece *piece = memory_resize(arena->memory, NULL, 0, whole);
    piece->size = whole;
    link_piece(arena, piece);
    return piece->data;
}

static void give_large(Arena *arena, ArenaPiece *piece) {
    unlink_piece(arena, piece);
    memory_resize(arena->memory, piece, piece->size, 0);
}

static void *take_recycled(Arena *arena, size_t size) {
    ArenaRecycle *recycle = arena->recycle;
    int i = class_of(size);
    Recycled *piece = recycle ? recycle->first[i] : NULL;
    if (piece) recycle->first[i] = piece->next;
    return piece;
}

void *arena_take(Arena *arena, size_t size) {
    void *piece = is_large(size) ? take_large(arena, size) : take_recycled(arena, size);
    if (piece == NULL) piece = arena_alloc_raw(arena, size);
    arena->taken++;
    return piece;
}

/* Giving back never fails: without memory for the lists, a piece stays until the arena ends. */
static bool ready_to_recycle(Arena *arena) {
    Recover recover;
    if (arena->recycle) return true;
    if (!MEMORY_TRY(&recover)) return false;
    arena->recycle = ARENA_NEW(arena, ArenaRecycle);
    memory_end_try(&recover);
    return true;
}

void arena_give(Arena *arena, void *data, size_t size) {
    arena->taken--;
    if (is_large(size)) {
        give_large(arena, piece_of(data));
        return;
    }
    if (!ready_to_recycle(arena)) return;
    Recycled *piece = data;
    int i = class_of(size);
    piece->next = arena->recycle->first[i];
    if (piece->next == NULL) arena->recycle->last[i] = piece;
    arena->recycle->first[i] = piece;
}

static void *retake_large(Arena *arena, void *data, size_t new_size) {
    ArenaPiece *piece = piece_of(data);
    size_t whole = whole_size(new_size);
    unlink_piece(arena, piece);
    ArenaPiece *moved = memory_try_resize(arena->memory, piece, piece->size, whole);
    if (moved) moved->size = whole;
    link_piece(arena, moved ? moved : piece);
    if (moved == NULL) memory_fail();
    return moved->data;
}

void *arena_retake(Arena *arena, void *data, size_t old_size, size_t new_size) {
    if (is_large(old_size) && is_large(new_size)) return retake_large(arena, data, new_size);
    void *moved = arena_take(arena, new_size);
    memcpy(moved, data, old_size < new_size ? old_size : new_size);
    arena_give(arena, data, old_size);
    return moved;
}
