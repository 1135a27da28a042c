/* Memory: one allocator table, arenas by lifetime, and failure as an error.
 *
 * Everything the project allocates comes from a `Memory`, which counts it against a limit and hands
 * it out through the host's allocator. An allocation that cannot be met does not return NULL: it
 * leaves through `memory_fail`, a longjmp to the recovery point that the public entry armed
 * (`memory_try`). That is safe because what is allocated here hangs from arenas that the entry
 * destroys, and because nobody jumps across a thread or across LLVM.
 *
 *     Memory ── counts ──> limit                 Arena: blocks ─> [....used....|free] ─> [....]
 *       └─ recover ──> jmp_buf of the innermost public entry of this thread
 *
 * Threads: a Memory's counter is atomic and may be shared; an Arena and a Recover belong to one thread.
 */
#ifndef WORLD_BASE_MEMORY_H
#define WORLD_BASE_MEMORY_H

/* clang-format off */

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Same contract as the public WorldAllocator: resize(user, NULL, 0, n) allocates, resize(user, p, n, 0)
 * frees and returns NULL, anything else reallocates. NULL for a nonzero size means "no memory". */
typedef void *(*MemoryResizeFn)(void *user, void *ptr, size_t old_size, size_t new_size);

typedef struct Memory {
    MemoryResizeFn resize; /* never NULL after memory_init */
    void *user;
    atomic_size_t used;    /* bytes now held */
    size_t limit;          /* 0: none */
    atomic_bool starved;   /* what was refused last, the system refused: the limit would have allowed it */
} Memory;

/* A recovery point. `armed` Recovers form a stack per thread through `outer`. */
typedef struct Recover {
    jmp_buf jump;
    struct Recover *outer;
} Recover;

typedef struct ArenaBlock ArenaBlock;
typedef struct ArenaPiece ArenaPiece;     /* a large one that was taken */
typedef struct ArenaRecycle ArenaRecycle; /* small ones that were given back, by size */

typedef struct Arena {
    Memory *memory;
    ArenaBlock *blocks; /* newest first */
    char *cursor, *end; /* free space in the newest block */
    ArenaPiece *pieces;
    ArenaRecycle *recycle;
    int64_t taken; /* pieces taken and not given back */
} Arena;

typedef struct ArenaMark {
    ArenaBlock *block;
    char *cursor;
} ArenaMark;

void memory_init(Memory *memory, MemoryResizeFn resize, void *user, size_t limit);

/* Raw allocation; leaves through memory_fail when it cannot be met. */
void *memory_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size);

/* The same, but answers NULL on failure: for threads and callers with no recovery point. */
void *memory_try_resize(Memory *memory, void *ptr, size_t old_size, size_t new_size);

/* Memory that the code of others takes for us: `size` bytes of it are counted until they are dropped. False when they are
 * not allowed, or the system would not give `mapped` bytes now: asked before what ends the process when it gets none. */
bool memory_hold(Memory *memory, size_t size, size_t mapped);
void memory_drop(Memory *memory, size_t size);

/* Leaves to the innermost recovery point; aborts with a message when there is none (a bug of ours). */
_Noreturn void memory_fail(void);

/* Arms `recover`; use as  `if (MEMORY_TRY(&r)) { ...; memory_end_try(&r); } else { out of memory }`.
 * After the else branch is entered the recovery point is already disarmed. */
#define MEMORY_TRY(recover) (memory_begin_try(recover), setjmp((recover)->jump) == 0)
void memory_begin_try(Recover *recover);
void memory_end_try(Recover *recover);

void arena_init(Arena *arena, Memory *memory);
void arena_fini(Arena *arena);
/* Zeroed, 16-byte aligned. */
void *arena_alloc(Arena *arena, size_t size);
/* The same with whatever bytes lie there: for large tables of which little is touched. */
void *arena_alloc_raw(Arena *arena, size_t size);
/* Grows an array that this arena gave; copies. `ptr` may be NULL. */
void *arena_grow(Arena *arena, void *ptr, size_t old_size, size_t new_size);
char *arena_strndup(Arena *arena, const char *text, size_t length);
/* Pieces that may be given back one by one: `arena_give` wants the size that was asked for. What is not given back goes
 * with the arena. Small ones come from the blocks and are kept for the next of their size; large ones are the Memory's own
 * allocations, which without a host's allocator come from pages.h. 16-byte aligned, with whatever bytes lie there. */
void *arena_take(Arena *arena, size_t size);
void arena_give(Arena *arena, void *piece, size_t size);
/* The piece in its new size, perhaps elsewhere; what both sizes hold is kept. */
void *arena_retake(Arena *arena, void *piece, size_t old_size, size_t new_size);
/* Release everything allocated since the mark; nothing taken since may be in use, or be given back later. */
ArenaMark arena_mark(const Arena *arena);
void arena_release(Arena *arena, ArenaMark mark);
/* Moves all of `from` into `into`; `from` is left empty. Both must share one Memory. */
void arena_absorb(Arena *into, Arena *from);
/* The same of `size` bytes that were allocated at once. False, and nothing moves, when they share a block with others or are not of `from`. */
bool arena_hand_over(Arena *into, Arena *from, const void *bytes, size_t size);

#define ARENA_NEW(arena, T) ((T *)arena_alloc((arena), sizeof(T)))
#define ARENA_ARRAY(arena, T, count) ((T *)arena_alloc((arena), sizeof(T) * (size_t)(count)))

/* A growable array that lives in an arena: `VEC(Token) tokens = {0}; VEC_PUSH(&arena, &tokens, t);`
 * items/count are read directly. */
#define VEC(T)                                                                                      \
    struct {                                                                                        \
        T *items;                                                                                   \
        int count, capacity;                                                                        \
    }
/* Room for `more` items: pushing those then asks for no memory. */
#define VEC_ROOM(arena, vec, more)                                                                  \
    do {                                                                                            \
        if ((vec)->count + (more) > (vec)->capacity) {                                              \
            int vec_cap_ = (vec)->capacity ? (vec)->capacity * 2 : WORLD_VEC_FIRST;                 \
            if (vec_cap_ < (vec)->count + (more)) vec_cap_ = (vec)->count + (more);                 \
            (vec)->items = arena_grow((arena), (vec)->items,                                        \
                                      sizeof *(vec)->items * (size_t)(vec)->capacity,               \
                                      sizeof *(vec)->items * (size_t)vec_cap_);                     \
            (vec)->capacity = vec_cap_;                                                             \
        }                                                                                           \
    } while (0)
#define VEC_PUSH(arena, vec, value)                                                                 \
    do {                                                                                            \
        VEC_ROOM(arena, vec, 1);                                                                    \
        (vec)->items[(vec)->count++] = (value);                                                     \
    } while (0)

/* The `tiny` build shrinks these so that every growth path runs. */
#ifdef WORLD_TINY
#define WORLD_VEC_FIRST 1
#define WORLD_ARENA_FIRST 64
#define WORLD_ARENA_BLOCK 64
#else
#define WORLD_VEC_FIRST 8
#define WORLD_ARENA_FIRST 512
#if defined(__SANITIZE_ADDRESS__) /* whose allocator maps large ones anew each time */
#define WORLD_ARENA_BLOCK (16 * 1024)
#else /* So large that pages.h keeps them: small ones, given back to the system a few pages at a time, take longer to free than to fill. */
#define WORLD_ARENA_BLOCK (256 * 1024)
#endif
#endif

#endif
