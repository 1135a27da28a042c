/* Calling closures from native code, one element or many. */
#include "runtime/rt/rt.h"

/* The columns of one call: captures, the stream if any, the arguments; a capture is one value for
 * all. */
typedef struct Columns {
    const Slot **in;
    int fixed; /* captures and stream: always uniform */
    Slot stream;
} Columns;

static void columns_init(Columns *columns, Rt *rt, const RtClosure *closure, RtStream *stream) {
    int count = closure->capture_count + closure->draws + closure->param_count;
    columns->in = rt_scratch_push(rt, sizeof *columns->in * (size_t)count);
    columns->fixed = closure->capture_count + closure->draws;
    columns->stream = slot_r(stream);
    for (int i = 0; i < closure->capture_count; i++)
        columns->in[i] = &closure->captures[i];
    if (closure->draws) columns->in[closure->capture_count] = &columns->stream;
}

static uint64_t low_bits(int count) {
    return count >= 64 ? UINT64_MAX : (1ull << count) - 1;
}

/* What may not be called: no function, or one too deep inside others. */
static bool refuse(Rt *rt, const RtClosure *closure) {
    if (closure == NULL) rt_fault(rt, RT_FAULT_NO_VALUE, "a function");
    else if (rt->depth >= RT_CALL_DEPTH)
        rt_fault(rt, RT_FAULT_LIMIT, "functions call each other more than %d deep", RT_CALL_DEPTH);
    return closure == NULL || rt->depth >= RT_CALL_DEPTH;
}

static void answer_nothing(const RtClosure *closure, int64_t n, Slot *const *out) {
    for (int i = 0; i < closure->result_count; i++)
        memset(out[i], 0, sizeof *out[i] * (size_t)n);
}

/* A call is a step for each element: what calls without a loop ends as loops do, and then answers zeros. */
static void run(Rt *rt, const RtClosure *closure, int64_t n, uint64_t uniform,
                const Slot *const *in, Slot *const *out) {
    if (!rt_step(rt, n, 0)) {
        answer_nothing(closure, n, out);
        return;
    }
    rt->depth++;
    if (closure->code)
        closure->code->run(closure->code, rt, closure->func, n, uniform, in, out);
    else
        rt->host->run(rt, closure->func, n, uniform, in, out);
    rt->depth--;
}

void rt_call(Rt *rt, const RtClosure *closure, RtStream *stream, const Slot *args, Slot *results) {
    if (refuse(rt, closure)) return;
    RtScratchMark mark = rt_scratch_mark(rt);
    Columns columns;
    columns_init(&columns, rt, closure, stream);
    Slot **out = rt_scratch_push(rt, sizeof *out * (size_t)closure->result_count);
    for (int i = 0; i < closure->param_count; i++)
        columns.in[columns.fixed + i] = &args[i];
    for (int i = 0; i < closure->result_count; i++)
        out[i] = &results[i];
    run(rt, closure, 1, UINT64_MAX, columns.in, out);
    rt_scratch_pop(rt, mark);
}

/* Columns past the 64th have no bit: what is one value for all is spread over a column. */
static void spread(Rt *rt, Columns *columns, int first, int end, int64_t n) {
    for (int i = first < 64 ? 64 : first; i < end; i++) {
        Slot *column = rt_scratch_push(rt, sizeof *column * (size_t)n);
        for (int64_t e = 0; e < n; e++)
            column[e] = *columns->in[i];
        columns->in[i] = column;
    }
}

void rt_call_lanes(Rt *rt, const RtClosure *closure, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out) {
    if (refuse(rt, closure)) {
        if (closure) answer_nothing(closure, n, out);
        return;
    }
    RtScratchMark mark = rt_scratch_mark(rt);
    Columns columns;
    columns_init(&columns, rt, closure, NULL);
    int fixed = columns.fixed;
    spread(rt, &columns, 0, fixed, n);
    for (int i = 0; i < closure->param_count; i++) {
        columns.in[fixed + i] = in[i];
        if (i < 64 && uniform >> i & 1) spread(rt, &columns, fixed + i, fixed + i + 1, n);
    }
    run(rt, closure, n, fixed < 64 ? low_bits(fixed) | uniform << fixed : UINT64_MAX, columns.in, out);
    rt_scratch_pop(rt, mark);
}

typedef struct Batch {
    const RtClosure *closure;
    const Slot *const *in;
    Slot *const *out;
} Batch;

static void run_chunk(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Batch *batch = user;
    const RtClosure *closure = batch->closure;
    RtScratchMark mark = rt_scratch_mark(rt);
    const Slot **in = rt_scratch_push(rt, sizeof *in * (size_t)closure->param_count);
    Slot **out = rt_scratch_push(rt, sizeof *out * (size_t)closure->result_count);
    for (int i = 0; i < closure->param_count; i++)
        in[i] = batch->in[i] + begin;
    for (int i = 0; i < closure->result_count; i++)
        out[i] = batch->out[i] + begin;
    rt_call_lanes(rt, closure, end - begin, 0, in, out);
    rt_scratch_pop(rt, mark);
}

void rt_call_batch(Rt *rt, const RtClosure *closure, int64_t n, const Slot *const *in,
                   Slot *const *out) {
    if (refuse(rt, closure)) return;
    Batch batch = {closure, in, out};
    rt_parallel(rt, n, RT_CHUNK, run_chunk, &batch);
}
