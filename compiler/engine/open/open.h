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
#include "compiler/exec/exec.h"
#include "runtime/frame/frame.h"
#include "world/world.h"

enum {
    HOST_FUNCTION_LIMIT = 64,
    DEFAULT_SOURCE_BYTES = 16 << 20,
    DEFAULT_LIST_ITEMS = 50000000,
    DEFAULT_GRID_SAMPLES = 1 << 27,
    DEFAULT_PARTS = 1000000
};

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
    World *worlds;   /* open ones */
    Compile *failed; /* the last text that had errors */
    Report report;
    Str describe;
    atomic_int holders;      /* its host, until it destroys it, and each value that was handed out */
    atomic_uint generations; /* texts loaded so far: what handles are told apart by */
    pthread_mutex_t lock;    /* of worlds, failed and report */
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

/* What was handed out of a loaded text, by number; in the Compile's arena. */
typedef struct Handles {
    uint32_t generation; /* of the text: no two texts of an engine have the same */
    VEC(struct FunctionHandle *) functions;
    VEC(struct FieldHandle *) fields;
    VEC(RtVersion *) kept; /* what function values among them are made of */
} Handles;

typedef struct Timing {
    const char *phase; /* "build land.ground" */
    double milliseconds;
} Timing;

struct World {
    WorldEngine *engine;
    World *next;
    Arena arena;                         /* of the world: handles, paths handed out */
    Arena scratch;                       /* of what world_complete handed out last */
    Arena dumped;                        /* of what world_dump and world_doc did */
    WorldDesc desc;
    Str name;
    bool from_file;
    Str text;
    Compile *compile;
    Compile *rejected;       /* a reloaded text that had errors */
    Program *program, *made; /* made: by the pass that is running */
    OverlayList overlays;
    RtWorld *parts;
    Handles handles;
    RtHost host;
    Report report;
    struct Recall *recall;   /* while a reload gives values back */
    bool was_set;            /* since it was read: then nothing is recalled from it */
    Arena drawn;             /* of the scene */
    const WorldScene *scene; /* NULL: none since something changed */
    VEC(Timing) timings;     /* of what was built */
    const char *working;  /* what is being worked out, for progress */
    RtScratch spare;      /* with which the next operation works */
    int depth;            /* operations under way, each from inside the one before */
    pthread_mutex_t lock; /* of all but running */
};

/* -- engine.c -- */

/* What counts its memory lives on until the last is released. */
void engine_hold(WorldEngine *engine);
void engine_release(WorldEngine *engine);

/* -- world.c -- */

/* What was gathered to be drawn is stale. */
void world_drop_scene(World *world);
/* To be called when a field was set. */
void world_was_set(World *world);

/* -- entry.c: every public function of a world goes through one of these -- */

/* `rt` asks for a host (reader 0); what it allocates in rt->arena is gone when the operation
 * ends. */
typedef WorldStatus (*EntryBody)(World *world, Rt *rt, void *args);
/* Locks the world, empties its report, arms a recovery point, runs the body, and reports what
 * failed. */
WorldStatus entry_run(World *world, EntryBody body, void *args);
/* The same for what only looks at the text: the world may have stopped before it could run. */
WorldStatus entry_look(World *world, EntryBody body, void *args);
/* For what only reads through handles, and so takes no lock: a fault alone is reported under it. */
typedef void (*EntryCall)(Rt *rt, void *args);
WorldStatus entry_call(World *world, EntryCall body, void *args);
void entry_rt(World *world, Rt *rt, Arena *arena);
/* The fault of a run as a diagnostic and a status; OK when there is none. */
WorldStatus entry_fault(World *world, const Rt *rt);
bool entry_poll(Rt *rt);
/* Fills a host's struct as far as the host knows it. Both begin with their `size`. */
bool entry_fill(void *out, const void *full);

/* -- report.c -- */
void report_init(Report *report, Memory *memory, SourceSet *sources);
void report_clear(Report *report, SourceSet *sources);
void report_fini(Report *report);
WorldStatus report_status(const DiagList *diags);
/* Says that there is no such stage, and which there are. */
void report_stage(DiagList *diags, const char *stage);
void report_fault(World *world, const RtFault *fault);

/* -- program.c, classes.c -- */
bool program_execute(void *world, Compile *compile);
void program_destroy(Program *program);
RtClass **classes_create(Arena *arena, const TreeProgram *program, const Lowering *lowering,
                         int *count);
/* A module's natives and texts; `base` is what it extends, or NULL. False after an error. */
bool program_bind(const World *world, Arena *arena, DiagList *diags, const IrModule *module,
                  const IrBinding *base, IrBinding *binding);
/* RtHost.run */
void program_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                 Slot *const *out);

/* -- host.c -- */
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
int parts_field(const TreeClass *cls, const SymbolTable *symbols, Str name);

/* -- build_warn.c -- */
struct ScatterReport;
/* Warns of rules that place nothing, met their cap, or draw what another draws. */
void build_warn(World *world, const struct ScatterReport *report);
/* Warns at a field, in a package's own words. */
void build_warn_of(World *world, const RtField *field, Str why);

#endif
