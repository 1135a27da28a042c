/* Rt: what code that is being worked out knows about its surroundings.
 *
 * Interpreter, machine code and native functions all receive one `Rt *`. It carries the arena new objects go to,
 * the first fault met, the stop flag, and the table through which native code calls back (closures, cells).
 * One Rt belongs to one thread at a time; a parallel region makes one per worker.
 *
 * A value crosses as slots: 64-bit words. A type flattens into slots in the order its parts are written:
 * a number is one slot (double), a point three, a record its fields in turn, `T?` a bool then T's slots,
 * a list, text, closure, grid, spine, part one slot holding a pointer to an RtObject (or NULL).
 *
 * Faults do not unwind. The first one (smallest element, then first in that element's own order) is kept, the code
 * goes on with harmless values, and whoever started it looks at `rt->fault` when it returns. So batches
 * of any width, machine code and the interpreter report the same fault.
 */
#ifndef WORLD_RT_RT_H
#define WORLD_RT_RT_H

/* clang-format off */

#include "runtime/base/memory.h"
#include "runtime/base/reference.h"
#include "runtime/base/str.h"

typedef union Slot {
    _Alignas(8) double f; /* F */
    int64_t i;  /* I */
    uint64_t w; /* W: zero extended u32.  B: 0 or 1 */
    void *r;    /* R: where pointers have four bytes the other four are zero, but in a row that C wrote as a struct */
} Slot;

_Static_assert(sizeof(Slot) == 8 && _Alignof(Slot) == 8, "a slot is one 64-bit word");

static inline Slot slot_f(double v) { return (Slot){.f = v}; }
static inline Slot slot_i(int64_t v) { return (Slot){.i = v}; }
static inline Slot slot_w(uint32_t v) { return (Slot){.w = v}; }
static inline Slot slot_b(bool v) { return (Slot){.w = v}; }
static inline Slot slot_r(const void *v) {
    Slot slot = {.w = 0};
    slot.r = (void *)(uintptr_t)v;
    return slot;
}

/* The slots of a struct that C has just written, one by one: a wider load would wait until the stores before it are through. */
static inline void slots_from(Slot *slots, const void *from, size_t size) {
    for (size_t i = 0; i < size / sizeof *slots; i++) {
        memcpy(&slots[i], (const char *)from + i * sizeof *slots, sizeof *slots);
        __asm__ volatile("" ::: "memory"); /* so that no two become one */
    }
}

/* A row that C wrote as a struct, whose slots of `refs` hold pointers. */
static inline void slots_settle(Slot *slots, uint64_t refs) {
    if (sizeof(void *) == sizeof(Slot)) return;
    for (int i = 0; refs; i++, refs >>= 1)
        if (refs & 1) slots[i] = slot_r(slots[i].r);
}

/* Objects: what an R slot points at. */
typedef enum RtKind {
    RT_NO_KIND,
#define KIND(NAME, name) RT_##NAME,
#include "runtime/rt/kind.def"
#undef KIND
    RT_KIND_COUNT
} RtKind;

/* `holders` counts who holds the object: variables, items of lists, captures. 0: nobody counts, and it lives as long as
 * its arena (texts of the program, parts, whatever a cell keeps: what many threads read is never counted). What is made
 * has one holder, whoever asked for it. Code generated from the language counts as compiler/own says; a native function
 * borrows its arguments, and gives its results to its caller: it retains what it keeps or answers of what it was given. */
typedef struct RtObject {
    uint32_t kind; /* RtKind */
    uint32_t holders;
} RtObject;

typedef struct RtText {
    RtObject head;
    Str text;
} RtText;

/* What an item of a list is, in slots. */
typedef struct RtShape {
    int32_t width; /* slots an item; 0 for lists of unit */
    uint64_t refs; /* bit j: slot j holds an object, whose holders the list is one of. Those past slot 63 are not counted */
} RtShape;

/* A list; items are rows of `width` slots: item i, slot j is items[i * width + j]. It is changed in place by whoever is
 * its only holder; everybody else copies it first. */
typedef struct RtList {
    RtObject head;
    RtShape shape;
    int64_t length;   /* items */
    Slot *items;
    int64_t capacity; /* items there is room for */
    struct RtList *next_dead; /* of those being let go */
} RtList;

typedef struct Rt Rt;

/* Functions that are not the program's: a question brings its own, and they end when nothing holds them any more. */
typedef struct RtCode RtCode;
struct RtCode {
    /* As RtHost.run. */
    void (*run)(const RtCode *code, Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out);
    int32_t holders; /* atomic */
};
static inline void rt_code_hold(RtCode *code) { __atomic_fetch_add(&code->holders, 1, __ATOMIC_RELAXED); }
static inline void rt_code_release(RtCode *code) { __atomic_fetch_sub(&code->holders, 1, __ATOMIC_RELEASE); }

/* A function with what it captured. Called through rt_call; the captures are its first parameters. */
typedef struct RtClosure {
    RtObject head;
    int32_t func;          /* index of the function in the program, or in `code` */
    RtCode *code;          /* NULL: the program's. What holds the closure holds its code (cell.h) */
    int32_t capture_count;
    int32_t param_count, result_count; /* in slots, captures not counted */
    bool draws;            /* its first parameter after the captures is a stream (or NULL) */
    uint64_t refs;         /* bit i: capture i is an object that it holds; as RtShape.refs */
    struct RtClosure *next_dead;
    Slot captures[];
} RtClosure;

/* A stream of random numbers, exactly as the language defines it (runtime/random/stream.h). */
typedef enum RtStreamKind {
    RT_STREAM_SHARED,   /* drawn in turn by whoever is given it */
    RT_STREAM_OWN,      /* `own`: each rule makes one of its own */
    RT_STREAM_PER_SPOT  /* `perSpot`: begun anew for every spot */
} RtStreamKind;

typedef struct RtStream {
    RtObject head;
    uint32_t state;
    uint32_t start;     /* the state it began with */
    uint32_t kind;      /* RtStreamKind */
    uint64_t drawn;     /* numbers taken so far */
    int64_t makers;     /* of spots, that a rule has begun so far */
} RtStream;

/* Heights on a square lattice, row by row from -z; sample (column, row) lies at
 * (x0 + column * cell, z0 + row * cell). Square (i, j) is split along the diagonal from (i, j) to
 * (i + 1, j + 1) when i + j is even, else along the other. */
typedef struct RtGrid {
    RtObject head;
    int32_t columns, rows; /* at least 2 */
    double cell;           /* meters */
    double x0, z0;         /* meters, of sample (0, 0) */
    double outside;        /* the answer past the grid, meters */
    float *heights;        /* columns * rows, meters; behind them the tail */
    Reference reference;   /* where it lies on the earth, if it was measured there */
    bool part;             /* it is a window of a larger land: what looks at all of a land must not take it for one */
    int32_t finer;         /* into how many squares a side those of finer tiles are divided; 0: no tile is finer */
    int64_t tail;          /* numbers behind the samples: the finer tiles (grid/finer.h); 0: none */
} RtGrid;

/* Samples and tail. */
static inline int64_t rt_grid_count(const RtGrid *grid) {
    return (int64_t)grid->columns * grid->rows + grid->tail;
}

static inline size_t rt_grid_bytes(const RtGrid *grid) {
    return sizeof(float) * (size_t)rt_grid_count(grid);
}

/* What a part draws, in its own frame: triangles, counterclockwise from outside. */
typedef struct RtMesh {
    RtObject head;
    int32_t vertex_count, index_count;
    float *positions;       /* 3 a vertex, meters */
    float *normals;         /* 3 a vertex, length 1 */
    float *colors;          /* 3 a vertex, linear */
    float *coords;          /* 2 a vertex, along and across the surface, meters; NULL: none are laid */
    float *pivots;          /* 3 a vertex, the place wind turns it about; NULL: it stands still */
    uint32_t *indices;
    bool two_sided;         /* leaf cards and the like: seen, and lit, from behind too */
    int32_t stem_count;
    float *stems;           /* STEM_FLOATS each: from, to, radius, meters: what of it is a tube, for who bumps into it; NULL: nothing */
} RtMesh;
enum { STEM_FLOATS = 7 };

/* The fault table of base/fault.def. */
typedef enum RtFaultCode {
    RT_FAULT_NONE = 0,
#define FAULT(NAME, number, message, help) RT_##NAME = number,
#include "runtime/base/fault.def"
#undef FAULT
} RtFaultCode;

struct RtPart;

typedef struct RtFault {
    int32_t code;      /* RtFaultCode */
    uint32_t span[3];  /* lang's Span, opaque here: file, start, end */
    int64_t element;   /* of the outermost batch, by which the first fault is chosen */
    int64_t index;     /* of the innermost batch (rt_parallel) in which it happened */
    Str detail;        /* "index 7 of a list of 3", in the Rt's arena; may be empty */
    const struct RtPart *part; /* whose cell was being worked out, the innermost; NULL when none was */
    int32_t field;     /* of that part's class; field_count: the making of its families' members */
} RtFault;

/* A compiled or interpreted function over n elements: in[j][e] is slot j of element e. Column pointers may
 * not overlap. A column of `in` whose bit is set in `uniform` (bit j) holds one value for all elements. */
typedef void (*RtKernel)(Rt *rt, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out);

/* A native function as generated code sees it: arguments and results as rows of slots. */
typedef void (*RtThunk)(Rt *rt, const Slot *args, Slot *results);

/* The most of each that a world may make; 0: no bound but memory's. */
typedef struct RtLimits {
    int64_t list_items;   /* of one list */
    int64_t grid_samples; /* of one grid */
    int64_t parts;        /* of a world, gone ones counted */
} RtLimits;

/* What the engine gives to code that runs; one table per engine, never changed. */
typedef struct RtHost {
    /* Runs function `func` over n elements (columns as in RtKernel). The engine picks the executor. */
    void (*run)(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out);
    /* The progress and stop hook: true means stop now. Called between chunks and installments of steps, by any thread. */
    bool (*poll)(Rt *rt);
    /* May be NULL. Asked before a cell is worked out: true when `slots` have been given the value it is known to have. */
    bool (*recall)(Rt *rt, struct RtPart *part, int32_t field, Slot *slots);
    RtLimits limits;
    /* The first source that is an author's. A fault inside an earlier one, of the library, is told where an author's line
     * calls it. 0: all are the authors'. */
    uint32_t authors;
} RtHost;

/* Who is told what packages do while something is worked out, in rows of named cells; it changes nothing of it. A package
 * that knows nothing of another tells its rows alike: a row each of what it was told to do, or, when a place is asked about, a
 * row each of what it tried within the radius. What is not told of a row is empty, as are RT_EMPTY and NAN. */
#define RT_EMPTY INT64_MIN
typedef struct RtObserver RtObserver;
struct RtObserver {
    void (*row)(RtObserver *observer); /* a row begins; NULL: rows are not wanted, nor are the three below */
    void (*text)(RtObserver *observer, const char *column, Str value);
    void (*whole)(RtObserver *observer, const char *column, int64_t value);
    void (*number)(RtObserver *observer, const char *column, const char *type, double value); /* type: "meters" */
    /* Of what is no mistake but should not go unsaid; NULL: not wanted. */
    void (*warn)(RtObserver *observer, Rt *rt, Str why);
    bool asks;           /* about a place of the frame things stand in: */
    double x, z, radius; /* meters */
    /* The record a package keeps of its own work, by the package's name, for who knows the package; NULL: not wanted. */
    void *(*record)(RtObserver *observer, const char *package);
};

/* Whether rows of what was done are wanted, or of what is tried at a place on the plan. */
bool rt_is_counted(const Rt *rt);
bool rt_is_asked(const Rt *rt, double x, double z);

/* Working storage of executors and natives: a stack that keeps its blocks, so that a call costs no allocation.
 * What is pushed is not cleared. Whoever pushes pops back to a mark it took. */
typedef struct RtScratchBlock RtScratchBlock;
typedef struct RtScratch {
    RtScratchBlock *first, *current;
    char *at, *end; /* free space of `current` */
} RtScratch;
typedef struct RtScratchMark {
    RtScratchBlock *block;
    char *at;
} RtScratchMark;

/* What a native works on for long, and how much of it is done, from 0 to 1: for who waits. */
typedef struct RtTask {
    const char *name; /* "erosion"; NULL: none that says */
    double done;
} RtTask;

struct Rt {
    const RtHost *host;
    void *engine;           /* the engine's own */
    struct RtWorld *world;  /* parts and cells; NULL for a function that is asked alone */
    Arena *arena;           /* where new objects go */
    uint32_t reader;        /* the cell evaluation that is reading (cells.h); 0: a host's question */
    int32_t worker;         /* 0: may compute cells; else a parallel worker, which must not */
    int32_t wants_cell;     /* set by a worker that met an unready cell: its chunk is done again by the launcher */
    int32_t stop;           /* nonzero: loops end at their next step, or installment of steps */
    int64_t element_base;   /* element index of lane 0 of the current chunk, for faults */
    int64_t fuel;           /* steps left until the host is asked; loops take from it */
    int64_t reserve;        /* further steps, handed out RT_INSTALLMENT at a time */
    int threads;            /* how many a parallel region may use, at least 1 */
    struct RtPool *pool;    /* whose threads they are (pool.h); NULL: each region makes its own */
    double started, until, polled; /* seconds by the clock: when the operation began, when its time is over (0: never),
                               when its host was asked */
    RtObserver *observer;   /* told what packages do; NULL: nobody looks */
    RtTask task;
    int depth;              /* function values under work, one in another: at most RT_CALL_DEPTH */
    RtFault fault;
    RtScratch scratch;
};

/* Function values kept in fields can reach each other in a loop that no check of the text sees; it ends here. */
enum { RT_CALL_DEPTH = 200 };

/* An Rt with one thread, no world and no bound on steps; the caller sets what it wants otherwise, before use. */
void rt_init(Rt *rt, const RtHost *host, void *engine, Arena *arena);
/* Gives the working storage back; the arena is the caller's. */
void rt_fini(Rt *rt);
/* Working storage that outlives its Rt: all of it given back, or all but one block, with which another Rt may begin. */
void rt_scratch_fini(RtScratch *scratch, Memory *memory);
void rt_scratch_shrink(RtScratch *scratch, Memory *memory);

/* 16-byte aligned; leaves through memory_fail when there is no memory. */
void *rt_scratch_push(Rt *rt, size_t size);
RtScratchMark rt_scratch_mark(const Rt *rt);
void rt_scratch_pop(Rt *rt, RtScratchMark mark);

/* Steps between two looks at the host's hook, which may be steps of an interpreter that do much; and all that are left. */
enum { RT_INSTALLMENT = 1 << 13 };
static inline int64_t rt_steps_left(const Rt *rt) { return rt->fuel + rt->reserve; }
static inline void rt_steps_set(Rt *rt, int64_t steps) {
    rt->fuel = steps < RT_INSTALLMENT ? steps : RT_INSTALLMENT;
    rt->reserve = steps - rt->fuel;
}

/* Loops call this at every step, with the lanes that go on, the first of which is `element`. False: end the loop now: out
 * of fuel or told to stop (the fault is recorded), or this element or one before it has failed, so nothing that is still
 * worked out is ever looked at. What is refused first asks the host's hook and takes from the reserve. */
bool rt_step_refused(Rt *rt, int64_t element);
/* Asks the host's hook at once: for what takes long in a step. */
void rt_poll(Rt *rt);
/* That many steps can be taken without asking again: false, and no fault, when there are not so many, or what has
 * failed or was told to stop ends here. */
bool rt_steps_ensure(Rt *rt, int64_t steps);
/* Work inside of other work that says how far it is says nothing; whoever begins hands `outer` back. */
static inline RtTask rt_task_begin(Rt *rt, const char *name) {
    RtTask outer = rt->task;
    if (outer.name == NULL) rt->task = (RtTask){name, 0};
    return outer;
}
static inline void rt_task_tell(Rt *rt, const RtTask *outer, double done) {
    if (outer->name == NULL) rt->task.done = done;
}
static inline void rt_task_end(Rt *rt, const RtTask *outer) { rt->task = *outer; }
/* A loop that cannot end with the steps that are left need not begin: false, and the fault that it would end with. */
bool rt_loop_fits(Rt *rt, int64_t begin, int64_t end, int64_t lanes, int64_t element);
static inline bool rt_step(Rt *rt, int64_t lanes, int64_t element) {
    rt->fuel -= lanes;
    return (rt->fuel >= 0 && (rt->stop | rt->fault.code) == 0) || rt_step_refused(rt, element);
}

/* Records a fault for element `element` (relative to element_base). Keeps the first as defined above. */
void rt_fault_at(Rt *rt, RtFaultCode code, const uint32_t span[3], int64_t element, Str detail);
/* For native functions: the fault of the current call, placed by whoever called. */
void rt_fault(Rt *rt, RtFaultCode code, const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline bool rt_failed(const Rt *rt) { return rt->fault.code != RT_FAULT_NONE; }

/* Whether this element of the chunk, or one before it, has: what it works out from then on is thrown away. */
static inline bool rt_failed_by(const Rt *rt, int64_t element) {
    return rt_failed(rt) && rt->fault.element <= rt->element_base + element;
}

/* Gives a fault without a place, or inside the library, the place of the call in progress. */
void rt_fault_place(Rt *rt, const uint32_t span[3]);
/* The faults that executors share, with their details: "index 7 of 3"; numbers, by types "F" or "I", joined by commas. */
void rt_fault_index(Rt *rt, const uint32_t span[3], int64_t element, int64_t index, int64_t length);
void rt_fault_values(Rt *rt, RtFaultCode code, const uint32_t span[3], int64_t element, const char *types,
                     const Slot *values, int count);
/* Keeps the earlier of the Rt's fault and `fault`. */
void rt_fault_merge(Rt *rt, const RtFault *fault);

/* Objects. All are allocated in rt->arena, and have one holder: whoever asked. */
RtText *rt_text(Rt *rt, Str text); /* copies */
/* A text written in rt->arena since the mark, where nothing else was: what it was written in is given back. */
RtText *rt_text_since(Rt *rt, ArenaMark mark, Str text);
RtText *rt_text_create(Rt *rt, size_t length); /* to be filled: text.ptr may be written to, and ends with a NUL */
RtClosure *rt_closure(Rt *rt, int32_t func, int captures, uint64_t refs, int params, int results, bool draws);

RtList *rt_list_create(Rt *rt, RtShape shape, int64_t capacity); /* empty */
RtList *rt_list_room(Rt *rt, RtShape shape, int64_t items);      /* empty; how many are to come is a guess */
/* These four take the list from the caller and give it back changed: the same one when he was its only holder, else a
 * copy. A NULL list is an empty one of that shape. What is put in is taken from the caller too.
 * Appending takes constant time on average. */
RtList *rt_list_append(Rt *rt, RtList *list, RtShape shape, const Slot *item);
/* `count` items more, in rows that the caller fills before he asks anything else; rows NULL: they would be too many, with the fault. */
RtList *rt_list_extend(Rt *rt, RtList *list, RtShape shape, int64_t count, Slot **rows);
/* Replaces `count` slots of item `index` from slot `first` on; the index is inside. */
RtList *rt_list_set(Rt *rt, RtList *list, int64_t index, int first, int count, const Slot *slots);
/* The objects in `count` slots of item `index`, from slot `first` on, go to the caller, and nothing stays there. */
RtList *rt_list_take(Rt *rt, RtList *list, int64_t index, int first, int count, Slot *objects);
/* The first `length` items, of which there are as many. */
RtList *rt_list_cut(Rt *rt, RtList *list, int64_t length);
/* A list of `length` items all alike, whose objects it holds as well; fewer than none is a fault and gives none. */
RtList *rt_list_fill(Rt *rt, RtShape shape, int64_t length, const Slot *item);
/* The list, held by the caller alone. */
RtList *rt_list_unique(Rt *rt, RtList *list);
static inline int64_t rt_list_length(const RtList *list) { return list ? list->length : 0; }
static inline const Slot *rt_list_item(const RtList *list, int64_t index) {
    return list->items + index * list->shape.width;
}

/* One holder more, and one less; the last takes the object with it, and what it alone held. NULL and what nobody counts
 * stay as they are. A worker shares objects with its launcher: it counts atomically. */
void rt_retain_shared(RtObject *object);
void rt_release_last(Rt *rt, RtObject *object);
bool rt_release_shared(RtObject *object); /* true: it was the last */
static inline void rt_retain(const Rt *rt, const void *ref) {
    RtObject *object = (RtObject *)(uintptr_t)ref;
    if (object == NULL || object->holders == 0) return;
    if (rt->worker) rt_retain_shared(object);
    else object->holders++;
}
static inline void rt_release(Rt *rt, const void *ref) {
    RtObject *object = (RtObject *)(uintptr_t)ref;
    if (object == NULL || object->holders == 0) return;
    if (rt->worker ? rt_release_shared(object) : --object->holders == 0) rt_release_last(rt, object);
}
/* Nobody counts the object, or anything it holds, from now on: many threads may read it. */
void rt_freeze(const void *ref);

/* Calls a closure for one element: args and results are rows. `stream` is passed when the closure draws. */
void rt_call(Rt *rt, const RtClosure *closure, RtStream *stream, const Slot *args, Slot *results);
/* Calls a closure over n elements in columns, in chunks of RT_CHUNK, on rt->threads threads. A closure that draws
 * gets no stream here. The result never depends on the number of threads. in/out exclude captures and stream. */
void rt_call_batch(Rt *rt, const RtClosure *closure, int64_t n, const Slot *const *in, Slot *const *out);
/* The same for what is in a chunk already, on this thread; bit i of `uniform`: in[i] is one value for all. */
void rt_call_lanes(Rt *rt, const RtClosure *closure, int64_t n, uint64_t uniform, const Slot *const *in, Slot *const *out);

/* Elements a kernel is given at a time. Between chunks the runtime counts fuel and looks at the stop flag. */
enum { RT_CHUNK = 256 };

/* A worker for a parallel loop: body(rt, user, begin, end) over [0, n) in chunks; faults, arenas and unready cells
 * are merged in order. `grain` is a whole number of elements a chunk, chosen without regard to threads.
 * The body must not mind running twice over one chunk: the launcher runs the first chunk alone (it makes the cells
 * ready that all will read), the others run on workers, and a chunk that met an unready cell is done again. */
typedef void (*RtLoopBody)(Rt *rt, void *user, int64_t begin, int64_t end);
void rt_parallel(Rt *rt, int64_t n, int64_t grain, RtLoopBody body, void *user);

#endif
