#include "compiler/exec/chunks.h"

/* The columns of the elements from `begin` on. */
static const Slot *const *columns_from(Rt *rt, const ChunkRun *run, int64_t begin, int64_t n) {
    const Slot **columns = rt_scratch_push(rt, sizeof *columns * (size_t)(run->params + 1));
    for (int i = 0; i < run->params; i++) {
        bool is_uniform = i < 64 && (run->uniform >> i & 1), is_known = i < 64 && (run->known >> i & 1);
        columns[i] = is_uniform ? run->in[i] : run->in[i] + begin;
        if (!is_uniform || is_known) continue;
        Slot *spread = rt_scratch_push(rt, sizeof *spread * (size_t)n);
        for (int64_t e = 0; e < n; e++)
            spread[e] = *run->in[i];
        columns[i] = spread;
    }
    return columns;
}

static Slot *const *results_from(Rt *rt, const ChunkRun *run, int64_t begin) {
    Slot **columns = rt_scratch_push(rt, sizeof *columns * (size_t)(run->results + 1));
    for (int i = 0; i < run->results; i++)
        columns[i] = run->out[i] + begin;
    return columns;
}

static void run_chunk(Rt *rt, const ChunkRun *run, int64_t begin, int64_t n) {
    RtScratchMark mark = rt_scratch_mark(rt);
    const Slot *const *in = columns_from(rt, run, begin, n);
    Slot *const *out = results_from(rt, run, begin);
    int64_t base = rt->element_base;
    rt->element_base = base + begin;
    run->kernel(rt, n, run->uniform, in, out);
    rt->element_base = base;
    rt_scratch_pop(rt, mark);
}

/* A last chunk too short for the kernel begins earlier: what is worked out twice is the same. */
void chunks_run(Rt *rt, const ChunkRun *run, int64_t n) {
    if (n <= RT_CHUNK && (run->uniform & ~run->known) == 0) {
        run->kernel(rt, n, run->uniform, run->in, run->out); /* nothing to arrange */
        return;
    }
    for (int64_t begin = 0; begin < n && !rt->stop; begin += RT_CHUNK) {
        int64_t count = n - begin < RT_CHUNK ? n - begin : RT_CHUNK;
        int64_t from = count < run->least ? n - run->least : begin;
        run_chunk(rt, run, from, n - from < RT_CHUNK ? n - from : RT_CHUNK);
    }
}
