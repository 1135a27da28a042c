/* The working storage of an Rt: a stack of blocks that only grows, and is given back by rt_fini. */
#include "runtime/rt/rt.h"

struct RtScratchBlock {
    RtScratchBlock *next;
    size_t size; /* whole allocation, header included */
    _Alignas(16) char data[];
};

#ifdef WORLD_TINY
enum { FIRST_BLOCK = 256 };
#else
enum { FIRST_BLOCK = 256 * 1024 };
#endif

void rt_init(Rt *rt, const RtHost *host, void *engine, Arena *arena) {
    *rt = (Rt){.host = host, .engine = engine, .arena = arena, .fuel = INT64_MAX, .threads = 1};
}

static void drop_blocks(RtScratchBlock *first, Memory *memory) {
    for (RtScratchBlock *block = first, *next; block; block = next) {
        next = block->next;
        memory_resize(memory, block, block->size, 0);
    }
}

void rt_scratch_fini(RtScratch *scratch, Memory *memory) {
    drop_blocks(scratch->first, memory);
    *scratch = (RtScratch){0};
}

void rt_fini(Rt *rt) {
    rt_scratch_fini(&rt->scratch, rt->arena->memory);
}

static void enter_block(RtScratch *scratch, RtScratchBlock *block) {
    scratch->current = block;
    scratch->at = block->data;
    scratch->end = (char *)block + block->size;
}

void rt_scratch_shrink(RtScratch *scratch, Memory *memory) {
    RtScratchBlock *first = scratch->first;
    if (first == NULL) return;
    drop_blocks(first->next, memory);
    first->next = NULL;
    enter_block(scratch, first);
}

/* The next block that holds `size` bytes; smaller ones on the way are skipped, not freed. */
static void grow(Rt *rt, size_t size) {
    RtScratch *scratch = &rt->scratch;
    RtScratchBlock *last = scratch->current;
    RtScratchBlock *block = last ? last->next : scratch->first;
    for (; block && block->size - sizeof *block < size; block = block->next)
        last = block;
    if (block == NULL) {
        size_t total = last ? last->size * 2 : FIRST_BLOCK;
        if (total - sizeof *block < size) total = size + sizeof *block;
        if (total < size) memory_fail();
        block = memory_resize(rt->arena->memory, NULL, 0, total);
        *block = (RtScratchBlock){.size = total};
        *(last ? &last->next : &scratch->first) = block;
    }
    enter_block(scratch, block);
}

void *rt_scratch_push(Rt *rt, size_t size) {
    if (size > SIZE_MAX / 2) memory_fail();
    size = (size + 15) & ~(size_t)15;
    if ((size_t)(rt->scratch.end - rt->scratch.at) < size) grow(rt, size);
    void *result = rt->scratch.at;
    rt->scratch.at += size;
    return result;
}

RtScratchMark rt_scratch_mark(const Rt *rt) {
    return (RtScratchMark){rt->scratch.current, rt->scratch.at};
}

void rt_scratch_pop(Rt *rt, RtScratchMark mark) {
    RtScratchBlock *block = mark.block ? mark.block : rt->scratch.first;
    if (block == NULL) return;
    enter_block(&rt->scratch, block);
    if (mark.block) rt->scratch.at = mark.at;
}
