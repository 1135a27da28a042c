/* What the engine holds, from inside, and what every room of it stands on (../README.md).
 *
 *     WorldEngine ── options, host functions, stdlib
 *        └─ World ── Compile (texts, trees, checker, IR)          changes only under `lock`
 *             │   └─ Program (classes, natives, executor)          never changes
 *             ├─ RtWorld (parts and cells, with a lock of its own)
 *             └─ Report (diagnostics of the last operation)
 *
 * A question is an overlay (overlay.h): a module of its own that ends, so that machine code and
 * running threads never see the program's change.
 */
#ifndef WORLD_COMPILER_ENGINE_OPEN_OPEN_H
#define WORLD_COMPILER_ENGINE_OPEN_OPEN_H

#include <pthread.h>

#include "compiler/compile.h"
#include "compiler/engine/open/kept.h"
#include "compiler/exec/exec.h"
#include "runtime/frame/frame.h"
#include "world/world.h"

enum {
    HOST_FUNCTION_LIMIT = 64,
    ENGINE_TEXT_MOST = INT32_MAX, /* bytes of a text that a host gives: places are 32 bits */
    DEFAULT_SOURCE_BYTES = 16 << 20,
    DEFAULT_LIST_ITEMS = 50000000,
    DEFAULT_GRID_SAMPLES = 1 << 27,
    DEFAULT_PARTS = 1000000
};

enum { LIVE_KEYS = 64, LIVE_KEY_BYTES = 32 }; /* of one tick; with its NUL */

typedef struct HostFunction {
    Str signature;
    Str name;
    void (*function)(void);
    void *user;
    char *param_types; /* one letter a parameter: F I W B, or V for three doubles */
    int param_count;
    char result_type; /* the same, or 0 */
} HostFunction;

/* Diagnostics of one operation, and what world_diagnostic hands out of them. */
typedef struct Report {
    Arena arena;
    DiagList diags;
    DiagList *shown; /* &diags, or those of a Compile; NULL: none */
} Report;

struct WorldEngine {
    Memory memory;
    Arena arena;
    WorldEngineDesc desc; /* its strings are copies */
    HostFunction *hosts[HOST_FUNCTION_LIMIT];
    int host_count;
    int threads, level;
    struct RtPool *pool; /* of all its worlds */
    World *worlds;   /* open ones */
    Compile *failed; /* the last text that had errors */
    Compile *library; /* read for texts that are read again; NULL: not yet */
    Report report;
    Str describe;
    atomic_int holders;      /* its host, until it destroys it, and each value that was handed out */
    atomic_uint generations; /* texts loaded so far: what handles are told apart by */
    pthread_mutex_t lock;    /* of worlds, failed, library and report */
};

/* What runs: made once from a finished module, then never changed. */
typedef struct Program {
    Arena arena;
    IrBinding binding;
    RtClass **classes;
    int class_count;
    Exec *exec;
} Program;

typedef struct Overlay Overlay;
typedef struct OverlayList {
    Overlay *first; /* the last one used */
    int count, held; /* held: when they were last swept */
} OverlayList;

/* A list that grows under the world's lock while others read what they were given of it. */
typedef struct HandleList {
    void **items;
    int count, capacity;
} HandleList;

/* What was handed out of a loaded text, by number; in the Compile's arena. */
typedef struct Handles {
    uint32_t generation; /* of the text: no two texts of an engine have the same */
    HandleList functions, fields; /* FunctionHandle, FieldHandle */
    VEC(RtVersion *) kept;        /* what function values among them are made of */
} Handles;

typedef struct GridView {
    Str path;
    const RtGrid *grid;
    RtVersion *version; /* by which it lives */
    struct GridView *next;
} GridView;

/* A copy of a design that hangs in no part's tree, grown to be drawn where things of the kind stand. */
typedef struct GrownPart {
    const RtClass *kind;
    int64_t variant;
    RtPart *part;
    bool used; /* by the last scene: a reload carries it on */
    struct GrownPart *next;
} GrownPart;

typedef struct EditFile EditFile;

typedef struct Timing {
    const char *phase; /* "build land.ground" */
    double milliseconds;
} Timing;

struct World {
    WorldEngine *engine;
    World *next;
    Arena arena;                         /* it lies in it, with its name and text and what bakes gave */
    Arena scratch;                       /* of what world_complete handed out last */
    Arena dumped;                        /* of what world_dump and world_doc did */
    WorldDesc desc;
    Str name;
    bool from_file;
    Str text;
    Compile *compile;
    Compile *rejected;       /* a reloaded text that had errors */
    const Compile *before;   /* while a text is read again: of the one that is there */
    Program *program, *made; /* made: by the pass that is running */
    OverlayList overlays;
    RtWorld *parts;
    Handles handles;
    RtHost host;
    Report report;
    GrownPart *grown;        /* in the Compile's arena */
    struct Recall *recall;   /* while a reload gives values back */
    KeptTable kept;          /* of scenes */
    double owed;             /* seconds to run that are no whole tick yet */
    char keys[LIVE_KEYS][LIVE_KEY_BYTES]; /* pressed since the last tick */
    int key_count;
    uint64_t untouched;      /* what the clock of its parts says while nothing was set but its seed */
    Arena views;             /* of what stays until something changes: */
    const WorldScene *scene; /* NULL: none yet */
    char *source;            /* the path of the last scene's land that is a function; it lives on its own */
    WorldFunction asked;     /* that function, when it was asked for */
    Arena moving;            /* of what of it moved since it was gathered */
    bool lived;              /* the world ran since then */
    uint64_t shapes;         /* scenes gathered so far */
    int streams;             /* that are open: what these bring in chunks the scene leaves out */
    uint64_t standing;       /* the last number of copies in a chunk, of any stream */
    GridView *grids;         /* by the expressions that answered them */
    Arena edited;          /* of what follows: */
    EditFile *edit_files;  /* of edits, since the text was read (edit/edit.h) */
    bool edits_unsaved;
    Arena timed;
    VEC(Timing) timings;         /* of what was built last */
    _Atomic(const Rt *) asker;   /* of the operation that has the lock */
    const char *working;         /* what it works out, for progress */
    RtTask task;                 /* the long work it is at there, when the hook was called last */
    RtScratch spare;      /* with which the next operation works */
    int depth;            /* operations under way, each from inside the one before */
    bool loading;         /* a text is being read: nothing can be asked */
    pthread_mutex_t lock; /* of all but running */
};

/* -- engine.c -- */

/* What counts its memory lives on until the last is released. */
/* The standard library as it is parsed, for a Compile that ends before the engine; NULL: there was no memory, or it is read from a folder. */
const Compile *engine_library(WorldEngine *engine);
void engine_hold(WorldEngine *engine);
void engine_release(WorldEngine *engine);

/* -- world.c -- */

/* To be called when something of it was set: what was handed out until then is stale, the scene and grids. */
void world_drop_views(World *world);
/* To be called when it ran: the scene stays, to be moved; grids go. */
void world_has_lived(World *world);
void world_forget_timings(World *world);

/* -- entry.c: every public function of a world goes through one of these -- */

/* `rt` asks for a host (reader 0); what it allocates in rt->arena is gone when the operation
 * ends. */
typedef WorldStatus (*EntryBody)(World *world, Rt *rt, void *args);
/* Locks the world, empties its report, arms a recovery point, runs the body, and reports what
 * failed. */
WorldStatus entry_run(World *world, EntryBody body, void *args);
/* The same for what only looks at the text: the world may have stopped before it could run. */
WorldStatus entry_look(World *world, EntryBody body, void *args);
/* The same for what changes the world: refused from inside an operation, which still needs what is there. */
WorldStatus entry_change(World *world, EntryBody body, void *args);
/* Under the lock: false from inside an operation, or from a host function that one calls; then it is reported. */
bool entry_may_change(World *world);
/* For what only reads through handles, and so takes no lock: a fault alone is reported under it. */
typedef void (*EntryCall)(Rt *rt, void *args);
WorldStatus entry_call(World *world, EntryCall body, void *args);
void entry_rt(World *world, Rt *rt, Arena *arena);
/* Whether the time limit of the operation is over. */
bool entry_is_late(const Rt *rt);
/* The fault of a run as a diagnostic and a status; OK when there is none. */
WorldStatus entry_fault(World *world, const Rt *rt);
bool entry_poll(Rt *rt);
/* Fills a host's struct as far as the host knows it. Both begin with their `size`. */
bool entry_fill(void *out, const void *full);

/* -- report.c -- */
void report_init(Report *report, Memory *memory, SourceSet *sources);
void report_clear(Report *report, SourceSet *sources);
void report_fini(Report *report);
/* What a diagnostic of its own comes to, and a list of them: the first that is no common mistake. */
WorldStatus report_status_of(DiagId id);
WorldStatus report_status(const DiagList *diags);
/* Says that there is no such stage, and which there are. */
void report_stage(DiagList *diags, const char *stage);
Diag *report_fault(World *world, const RtFault *fault);
/* A part's path for a sentence: of a long one its two ends. */
Str report_path(Arena *arena, const RtPart *part);
/* Adds to the diagnostic of a stop that the time limit brought it. */
void report_late(const World *world, DiagList *diags, Diag *diag);
/* Says why an operation was left: `status` is that of memory, or of a limit. */
void report_ended(const World *world, DiagList *diags, WorldStatus status, bool late);

/* -- handles: a number from 1 on, which is good as soon as it is known -- */

static inline uint32_t handle_add(Arena *arena, HandleList *list, void *handle) {
    int count = list->count;
    void **items = list->items;
    if (count == list->capacity) { /* who reads the old items finds in them what he was given */
        list->capacity = count ? count * 2 : WORLD_VEC_FIRST;
        items = ARENA_ARRAY(arena, void *, list->capacity);
        if (count) memcpy(items, list->items, sizeof *items * (size_t)count);
    }
    items[count] = handle;
    __atomic_store_n(&list->items, items, __ATOMIC_RELEASE);
    __atomic_store_n(&list->count, count + 1, __ATOMIC_RELEASE);
    return (uint32_t)count + 1;
}

/* NULL: there is none. */
static inline void *handle_get(const HandleList *list, uint32_t id) {
    int count = __atomic_load_n(&list->count, __ATOMIC_ACQUIRE);
    void **items = __atomic_load_n(&list->items, __ATOMIC_ACQUIRE);
    return id > 0 && id <= (uint32_t)count ? items[id - 1] : NULL;
}

/* -- program.c, classes.c -- */
bool program_execute(void *world, Compile *compile);
void program_destroy(Program *program);
/* -- grounds.c -- */
/* Fills in the height grids that the class's function `height` reads. */
void grounds_find(Arena *arena, const SymbolTable *symbols, const TreeClass *tree, RtClass *cls);

RtClass **classes_create(Arena *arena, Compile *compile, int *count);
/* A module's natives and texts; `base` is what it extends, or NULL. False after an error. */
bool program_bind(const World *world, Arena *arena, DiagList *diags, const IrModule *module,
                  const IrBinding *base, IrBinding *binding);
/* RtHost.run */
void program_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                 Slot *const *out);

/* -- host.c -- */

/* Whether this thread is in a host function that the world calls. On a worker, whose launcher may hold the world's lock
 * and waits for it, nothing may be asked. */
typedef enum HostPlace { HOST_OUTSIDE, HOST_INSIDE, HOST_ON_WORKER } HostPlace;
HostPlace host_place(const World *world);
RtThunk host_find_thunk(const WorldEngine *engine, Str name);

/* -- parts.c: where parts stand -- */
typedef struct PartVisit {
    RtPart *part;
    const TreeClass *cls;
    Frame frame;
    int depth;
    bool hidden; /* it, or one that holds it */
} PartVisit;
typedef bool (*PartVisitor)(void *user, const PartVisit *visit);
/* Parents first, in the order of the text; families worked out. False: ended early or failed
 * (rt->fault). */
bool parts_walk(World *world, Rt *rt, RtPart *part, PartVisitor visitor, void *user);
const TreeClass *parts_class(const World *world, const RtPart *part);
/* The design a part is a copy of, the nearest base with a name of its own that is one; empty when none. */
Str parts_design(const TreeClass *cls);
int parts_field(const TreeClass *cls, const SymbolTable *symbols, Str name);
/* Whether it is made of groundcover.cover: that is drawn, and nothing else. */
bool parts_is_cover(const World *world, const TreeClass *cls);
/* Whether the class is, or derives from, the library's part of that name. */
bool parts_is_made_of(const World *world, const TreeClass *cls, Str name);

/* -- build_warn.c -- */
struct ScatterReport;
/* Warns of rules that place nothing, met their cap, or draw what another draws. */
void build_warn(World *world, const struct ScatterReport *report);
/* Warns at a field, in a package's own words. */
void build_warn_of(World *world, const RtField *field, Str why);

#endif
