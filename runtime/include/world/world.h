/* world.h: the whole public face of the engine. C11 and C++17.
 *
 * A host makes an engine, opens a world from a file or a text, and asks it questions:
 *
 *     WorldEngine *engine;  world_engine_create(&(WorldEngineDesc){0}, &engine);
 *     World *world;         world_open_file(engine, "island.world", &(WorldDesc){0}, &world);
 *     WorldFunction height; world_function(world, "land.height", "fn(point) meters", &height);
 *     double p[3] = {0, 0, 330}, y;
 *     world_call(world, height, p, &y);
 *     world_close(world);   world_engine_destroy(engine);
 *
 * Rules that hold for every function:
 *  - Description structs are zero-initialized; 0 always means the default.
 *  - Answers a WorldStatus; results come last, through pointers, and are untouched on failure.
 *  - Details of a failure are diagnostics of the world (world_diagnostic) or, before a world exists, of the engine.
 *  - Lengths are meters, angles radians, times seconds. A point is three doubles x east, y up, z south.
 *    A place off the map is an answer, never an error.
 *  - Strings are UTF-8 and terminated. A string handed out lives as long as the object it came from unless said otherwise.
 *  - Enumerators begin with their type's name, in capitals, without `Kind`: WORLD_VALUE_TEXT is a WorldValueKind. Of
 *    WorldStatus, WORLD_OK and WORLD_ERROR_*.
 *  - What may grow breaks no host that was built before it grew. A struct that a host gives to be filled begins with `size`, which
 *    the host sets to its own sizeof; what the engine hands out is reached through pointers, and grows at its end; what has rows
 *    is a WorldTable, whose columns are found by name. Enumerations grow at their end too: a value that a host does not know may come.
 *  - Nothing here exits, prints or changes process state. Engines and worlds are independent of each other.
 *  - Threads: each function says who may call it.
 *        [any]    any thread, at any time
 *        [waits]  any thread; calls on one world (or engine) wait for each other. What was said of a failure is gone with the next
 *        [alone]  while no other thread uses the world (or, without one, the engine)
 *    Inside a hook or a visitor that the engine calls, its world may be asked, but not changed: what is [alone] answers
 *    WORLD_ERROR_ARGUMENT there, and it must not be closed. A host function asks nothing of a world that calls it.
 */
#ifndef WORLD_WORLD_H
#define WORLD_WORLD_H

/* clang-format off */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WORLD_VERSION_MAJOR 0
#define WORLD_VERSION_MINOR 1
#define WORLD_VERSION_PATCH 0

#if defined(_WIN32)
#define WORLD_API
#else
#define WORLD_API __attribute__((visibility("default")))
#endif

typedef struct WorldEngine WorldEngine;
typedef struct World World;

typedef enum WorldStatus {
    WORLD_OK = 0,
    WORLD_ERROR_WORLD = 1,    /* the world's text has errors, or a fault was met while something was worked out */
    WORLD_ERROR_ARGUMENT = 2, /* a wrong call: a NULL, a bad handle, a signature that does not fit */
    WORLD_ERROR_LIMIT = 3,    /* a limit or a stop request bit */
    WORLD_ERROR_MEMORY = 4,
    WORLD_ERROR_FILE = 5,
    WORLD_ERROR_NOT_FOUND = 6,
    WORLD_ERROR_STALE = 7,    /* a handle from before the world was reloaded, or of another world */
    WORLD_ERROR_INTERNAL = 70
} WorldStatus;

/* "out of memory"; static. [any] */
WORLD_API const char *world_status_text(WorldStatus status);
/* [any] */
WORLD_API void world_version(int *major, int *minor, int *patch);

/* -- engine -------------------------------------------------------------------------------------- */

/* resize(user, NULL, 0, n) allocates n bytes (16-byte aligned), resize(user, p, n, 0) frees, else reallocates.
 * NULL means no memory; the engine answers WORLD_ERROR_MEMORY. May be called from any thread. */
typedef struct WorldAllocator {
    void *(*resize)(void *user, void *pointer, size_t old_size, size_t new_size);
    void *user;
} WorldAllocator;

typedef enum WorldExec {
    WORLD_EXEC_DEFAULT = 0,  /* machine code for what runs often, when libworld-jit is there */
    WORLD_EXEC_INTERPRETER,  /* never machine code */
    WORLD_EXEC_JIT,          /* the default's policy; an error when libworld-jit is missing */
    WORLD_EXEC_JIT_ALWAYS    /* everything through machine code: for tests */
} WorldExec;

/* Limits; 0 means the default. One that bites is WORLD_ERROR_LIMIT and a diagnostic that names it. */
typedef struct WorldLimits {
    uint64_t memory_bytes;   /* all the engine holds; default 4 GiB */
    uint64_t source_bytes;   /* of one file; default 16 MiB */
    uint32_t nesting;        /* of the text; default 200, at most 250 */
    uint32_t parts;          /* default 1 000 000 */
    uint64_t list_items;     /* of one list; default 50 000 000 */
    uint64_t grid_samples;   /* of one grid; default 2^27 */
    double build_seconds;    /* of one opening, question, call or build, from its own start; default none */
    uint64_t data_bytes;     /* of one file that a world reads as data; default 64 MiB */
    uint32_t files;          /* of one world, packages and data; default 1000 */
    uint32_t acts;           /* of one tick; default 1 000 000 */
} WorldLimits;

typedef struct WorldEngineDesc {
    WorldAllocator allocator;
    WorldExec exec;
    int optimize;            /* 1 + the -O level (so 0 is the default, level 2) */
    int width;               /* lanes of machine code: 1, 2, 4, 8; 0: the processor's best */
    int threads;             /* 0: one a core */
    const char *processor;   /* that machine code is made for: "x86-64-v2", "-v3" or "-v4", of which this one can do what each can; NULL: this one */
    const char *cache_dir;   /* machine code kept between runs; NULL: no cache */
    const char *stdlib_dir;  /* read the standard library from a folder instead of the built-in copy */
    WorldLimits limits;
} WorldEngineDesc;

/* [any] */
WORLD_API WorldStatus world_engine_create(const WorldEngineDesc *desc, WorldEngine **engine);
/* Closes every world that is still open. NULL is fine. [alone] */
WORLD_API void world_engine_destroy(WorldEngine *engine);
/* "machine code (LLVM 19, 8 lanes), level 2, 2 threads"; lives as long as the engine. [any] */
WORLD_API const char *world_engine_describe(const WorldEngine *engine);

/* A value as a host function gives and takes it; the member is named by the signature. */
typedef union WorldSlot {
    double number;
    int64_t integer;
    uint64_t bits;      /* u32, bool */
    void *object;
} WorldSlot;

/* Registers a function of the host under a signature of the language:
 *     world_register(engine, "tide(at: seconds, strength: number = 1) meters", (void (*)(void))tide, NULL)
 * and  double tide(double at, double strength)  is called through libffi. Parameters and the result may be numbers and quantities
 * (double), int (int64_t), u32 (uint32_t), bool (bool); a point, direction or color parameter is three doubles, and
 * such a result is written through a `double *` that comes last. With `user` not NULL, user is the first argument.
 * The function must be pure, or its signature ends in `, effect: draws`: then it has a state of its own, and each call
 * that a world writes is made, in order. It may be called from several threads. Worlds opened later see it. [alone] */
WORLD_API WorldStatus world_register(WorldEngine *engine, const char *signature, void (*function)(void),
                                     void *user);

/* A text as it is written: the author's lines and comments with the blanks and indents of the house, lines of at most 110 columns;
 * the same world. Lives until the engine formats or fails to open something. WORLD_ERROR_WORLD: it does not parse; why is in the
 * engine's diagnostics, under `name`. [alone] */
WORLD_API WorldStatus world_format(WorldEngine *engine, const char *name, const char *text, size_t length, const char **formatted);

/* -- worlds -------------------------------------------------------------------------------------- */

typedef struct WorldDesc {
    const char *name;        /* shown in diagnostics for a text; default "<text>" */
    const char *folder;      /* of a text: where the files lie that it may use; NULL: it may use none */
    bool has_seed;
    uint32_t seed;           /* overrides the world's own field `seed` */
    /* Called now and then while a text is read or something is worked out, on the asking thread; true stops it. While a
     * text is read there is no world to ask. May be NULL. */
    bool (*progress)(void *user, const char *what, double seconds);
    void *progress_user;
    bool keep_on_error;      /* give a world even when the text has errors, so that its diagnostics can be read */
    bool no_cover;           /* its scene has no ground cover, which whoever draws none need not wait for */
    bool only_check;         /* little but world_check will be asked: with nothing to check, nothing is made fast */
    /* A stage (see world_dump): the passes after it do not run, and the world answers nothing but diagnostics, timings
     * and dumps. NULL: all run. */
    const char *stop_after;
} WorldDesc;

/* Reads, checks and compiles; works nothing out. On WORLD_ERROR_WORLD the diagnostics are the engine's, unless
 * keep_on_error made a world. [any] */
WORLD_API WorldStatus world_open_file(WorldEngine *engine, const char *path, const WorldDesc *desc, World **world);
WORLD_API WorldStatus world_open_text(WorldEngine *engine, const char *text, size_t length, const WorldDesc *desc,
                                      World **world);
/* [alone] */
WORLD_API void world_close(World *world);
/* Reads the file, and what it uses, again; cells whose meaning did not change keep their values. On errors the old
 * world stays. [alone] */
WORLD_API WorldStatus world_reload(World *world);
/* Whether a file that was read last (its own, a package, data; also one that was not there) is another now: then a
 * reload is worth a call. [waits] */
WORLD_API bool world_stale(World *world);

/* -- editors -------------------------------------------------------------------------------------- */

/* The server's side of the language server protocol (3.17): messages of JSON-RPC, without their headers. How they travel is the
 * host's; `worldc lsp` has them on standard input and output. */
typedef struct WorldEditor WorldEditor;

typedef struct WorldEditorDesc {
    size_t size; /* set by the caller: sizeof(WorldEditorDesc) */
    /* An answer, or what is told unasked; called from inside the two functions that follow. */
    void (*send)(void *user, const char *json, size_t length);
    void *user;
} WorldEditorDesc;

/* Lives no longer than the engine. [any] */
WORLD_API WorldStatus world_editor_create(WorldEngine *engine, const WorldEditorDesc *desc, WorldEditor **editor);
/* One message, whatever it says. Texts that it changes are looked at when they are asked about, or at rest. [alone] */
WORLD_API WorldStatus world_editor_message(WorldEditor *editor, const char *json, size_t length);
/* To be called when no message waits: what is wrong with the texts that changed is told. [alone] */
WORLD_API WorldStatus world_editor_rest(WorldEditor *editor);
/* What the process is to end with once the client said `exit`; -1: it did not. [alone] */
WORLD_API int world_editor_exit_code(const WorldEditor *editor);
WORLD_API void world_editor_destroy(WorldEditor *editor);

/* -- diagnostics ---------------------------------------------------------------------------------- */

typedef enum WorldSeverity { WORLD_SEVERITY_ERROR = 1, WORLD_SEVERITY_WARNING } WorldSeverity;

typedef struct WorldDiagnostic {
    size_t size;             /* set by the caller: sizeof(WorldDiagnostic) */
    const char *id;          /* "E0301" */
    WorldSeverity severity;
    const char *file;
    int line, column, end_line, end_column; /* from 1, in characters; 0: no place */
    const char *message;
    const char *help;        /* "" when none */
} WorldDiagnostic;

/* Of the last operation that failed or warned. `world` NULL: the engine's own (failed opens). Texts live until the next operation.
 * [waits] */
WORLD_API size_t world_diagnostic_count(const WorldEngine *engine, const World *world);
WORLD_API WorldStatus world_diagnostic(const WorldEngine *engine, const World *world, size_t index,
                                       WorldDiagnostic *diagnostic);
typedef enum WorldStyle { WORLD_STYLE_HUMAN, WORLD_STYLE_COLOR, WORLD_STYLE_ONE_LINE, WORLD_STYLE_JSON } WorldStyle;
/* All of them as text; lives until the next operation on the world (or engine). [waits] */
WORLD_API const char *world_diagnostics_text(WorldEngine *engine, World *world, WorldStyle style);

/* -- functions ------------------------------------------------------------------------------------- */

/* A typed handle; valid until the world is reloaded or closed. After a reload it is refused (WORLD_ERROR_STALE), as it is
 * by every other world. Zeros are no function. */
typedef struct WorldFunction { uint32_t id, generation; } WorldFunction;

/* Finds a function or method by dotted name from the world's root; asked again, the same. Any other expression that answers a
 * function is worked out each time, and what it answers stays until the world is reloaded or closed. `signature` (may be NULL)
 * is checked: "fn(point) meters". [waits] */
WORLD_API WorldStatus world_function(World *world, const char *name, const char *signature, WorldFunction *function);
/* How many 8-byte slots its arguments and results take (a point three). [any] */
WORLD_API WorldStatus world_function_shape(World *world, WorldFunction function, int *arguments, int *results);
/* What the slots of the results hold, a letter each: F double, I int64_t, W u32, B bool (0 or 1), R an object.
 * [any] */
WORLD_API const char *world_function_letters(World *world, WorldFunction function);
/* One call. arguments: its slots in a row (doubles for quantities and points, int64_t for int, uint64_t for u32 and bool).
 * A bool that is neither 0 nor 1, or a u32 of more than 32 bits, is WORLD_ERROR_ARGUMENT. [any] */
WORLD_API WorldStatus world_call(World *world, WorldFunction function, const void *arguments, void *results);
/* n calls. arguments: n rows of slots, one after the other; results likewise. The rows of a fn(point) are x,y,z,x,y,z...
 * Threads as world_call. */
WORLD_API WorldStatus world_call_batch(World *world, WorldFunction function, size_t n, const void *arguments,
                                       void *results);
/* Heights for n places (x, z in a row): the batch form of land.height for hosts that keep plans. As every function of a
 * part, it takes and gives what the part's own frame counts; where that stands, world_parts says. Threads as world_call. */
WORLD_API WorldStatus world_heights(World *world, WorldFunction height, size_t n, const double *xz, double *out);

/* -- values --------------------------------------------------------------------------------------- */

typedef enum WorldValueKind {
    WORLD_VALUE_NONE, WORLD_VALUE_NUMBER, WORLD_VALUE_INT, WORLD_VALUE_BOOL, WORLD_VALUE_TEXT,
    WORLD_VALUE_VECTOR,  /* point, direction, color: three numbers */
    WORLD_VALUE_LIST, WORLD_VALUE_RECORD, WORLD_VALUE_PART, WORLD_VALUE_GRID, WORLD_VALUE_OBJECT
} WorldValueKind;

/* Owned by the caller: world_value_destroy, also after its engine's end. It does not change, and any thread may look at it. */
typedef struct WorldValue WorldValue;

/* Any expression of the language in the scope of the root: `land.height((0, 0, 330))`, `cottage.at`, `lantern[3].at.y`.
 * [waits] */
WORLD_API WorldStatus world_ask(World *world, const char *expression, WorldValue **value);
WORLD_API void world_value_destroy(WorldValue *value);
WORLD_API WorldValueKind world_value_kind(const WorldValue *value);
WORLD_API const char *world_value_type(const WorldValue *value); /* "meters", "List[placed]" */
/* As the author would write it, with its unit: "4.6 m". */
WORLD_API const char *world_value_text(const WorldValue *value);
WORLD_API const char *world_value_json(const WorldValue *value);
/* TEXT: its characters as they are, owned by `value`; the name of a `one of`. NULL of any other kind. */
WORLD_API const char *world_value_chars(const WorldValue *value);
/* NUMBER, INT, BOOL (0, 1): one; VECTOR: three. Count answered. */
WORLD_API int world_value_numbers(const WorldValue *value, double out[3]);
WORLD_API int64_t world_value_count(const WorldValue *value);             /* LIST, RECORD; a map is a LIST of LISTs of two */
/* An item of a list or record, owned by `value`. NULL out of range. */
WORLD_API const WorldValue *world_value_item(const WorldValue *value, int64_t index);
WORLD_API const char *world_value_item_name(const WorldValue *value, int64_t index); /* RECORD */

/* Sets a field of a part by its dotted path to the value of an expression. What read it, and only that, will be
 * worked out again. [alone] */
WORLD_API WorldStatus world_set(World *world, const char *path, const char *expression);

/* -- fields ---------------------------------------------------------------------------------------- */

/* A typed handle of a field: read and set without text, as often as a host draws. Valid as a WorldFunction is. */
typedef struct WorldField { uint32_t id, generation; } WorldField;

/* Finds a field by its dotted path; of a part that a loop makes, that of the part which has the number or id then.
 * `type` (may be NULL) is checked: "meters". One whose value holds an object (a text, a list, a function) has no
 * handle: WORLD_ERROR_ARGUMENT. [waits] */
WORLD_API WorldStatus world_field(World *world, const char *path, const char *type, WorldField *field);
/* What its slots hold, as world_function_letters; as many as there are slots. [any] */
WORLD_API const char *world_field_letters(World *world, WorldField field);
/* Its value, worked out if need be, as slots in a row (doubles for quantities and points, int64_t for int, uint64_t for
 * u32 and bool; of an optional a bool first). [any] */
WORLD_API WorldStatus world_field_get(World *world, WorldField field, void *slots);
/* Sets it, as world_set does. A value outside the field's `within` is WORLD_ERROR_WORLD and a diagnostic, one that is
 * none of its type (NaN, infinite, a bool of 2) WORLD_ERROR_ARGUMENT; then nothing is set.
 * [alone] */
WORLD_API WorldStatus world_field_set(World *world, WorldField field, const void *slots);
/* Many at once, all or none: their slots one after the other. [alone] */
WORLD_API WorldStatus world_field_set_all(World *world, const WorldField *fields, size_t count, const void *slots);

/* A height grid's samples. heights: columns * rows floats in meters, row by row from -z; valid until something is set or
 * bakes are taken, or the world is reloaded or closed. `path` as "land.ground", or any expression whose value is a height
 * grid: what it answers stays as long, and is the same when it is asked for again. [waits] */
typedef struct WorldGridView {
    size_t size;                  /* set by the caller: sizeof(WorldGridView) */
    int columns, rows;
    double cell, x0, z0, outside; /* meters */
    const float *heights;
    /* Where it lies on the earth, of what was measured there: x = 0, z = 0 is `east`, `north`, and a meter so much of what these are
     * counted in, of which `epsg` is EPSG's number, or 0. per_meter 0: nowhere. */
    double east, north, east_per_meter, north_per_meter;
    int epsg;
    bool degrees;
    /* Squares near a spine may be divided (`refine` of the library), each into `finer` by `finer`, a power of two; 0: none is. Then `tail` numbers follow the
     * samples: of each tile of 16 squares a side, row by row, the number of its patch, or -1; and the patches, of 16 * finer + 1 heights a
     * side each. A divided square's parts are split as squares are, counted from sample (0, 0) in steps of cell / finer. */
    int finer;
    size_t tail;
} WorldGridView;
WORLD_API WorldStatus world_grid(World *world, const char *path, WorldGridView *view);
/* The same, for what is asked for once: nothing is kept of it, and the samples are written to the caller's `room` floats, to which
 * view->heights points then. So the windows of a land that is larger than memory are had one after the other, as
 * "land.ground.window(0, 1024, 1025, 1025)". ARGUMENT: there are more samples than room. [waits] */
WORLD_API WorldStatus world_grid_into(World *world, const char *expression, float *heights, size_t room, WorldGridView *view);

/* -- tables --------------------------------------------------------------------------------------- */

/* Rows under columns: a list of the world, or what is reported of it. Columns are found by name, so that one more of them
 * breaks no host; one that is not there is column -1, whose cells are all empty. Owned by the caller: world_table_destroy, also after
 * its engine's end. It does not change, and any thread may look at it. Texts live as long as it does. */
typedef struct WorldTable WorldTable;

WORLD_API void world_table_destroy(WorldTable *table);
WORLD_API size_t world_table_rows(const WorldTable *table);
WORLD_API int world_table_columns(const WorldTable *table);
WORLD_API int world_table_find(const WorldTable *table, const char *name); /* -1: there is none */
WORLD_API const char *world_table_name(const WorldTable *table, int column);
/* What the language calls it: "meters", "int", "point". Numbers are in the units of this header: of "degrees" too, radians. */
WORLD_API const char *world_table_type(const WorldTable *table, int column);
/* NUMBER, INT, BOOL, TEXT or VECTOR; NONE: there is no such column. */
WORLD_API WorldValueKind world_table_kind(const WorldTable *table, int column);
WORLD_API bool world_table_is_empty(const WorldTable *table, size_t row, int column);
/* NUMBER, INT or BOOL; NAN when it is empty or anything else. */
WORLD_API double world_table_number(const WorldTable *table, size_t row, int column);
WORLD_API int64_t world_table_int(const WorldTable *table, size_t row, int column);       /* INT or BOOL; else 0 */
WORLD_API const char *world_table_text(const WorldTable *table, size_t row, int column);  /* TEXT; else "" */
WORLD_API bool world_table_vector(const WorldTable *table, size_t row, int column, double out[3]); /* false: not VECTOR, or empty */

/* An expression whose value is a list, as `island.vegetation.layout`: a row an item. The fields of a record are columns under their
 * names, those of a record in it as "foot.width"; other items stand in a column "value". What is no number, truth or text is told
 * as its author would write it. A list of parts is no table: world_parts. [waits] */
WORLD_API WorldStatus world_table(World *world, const char *expression, WorldTable **table);

/* The same of the list that a function answers, called as by world_call. [waits] */
WORLD_API WorldStatus world_call_table(World *world, WorldFunction function, const void *arguments, WorldTable **table);

/* What a world is read from, its own file first: path (from the folder of that, in which all lie: "parts/houses.world"), bytes (empty: the file
 * is not there, and need not be). A text's own row has no path. [waits] */
WORLD_API WorldStatus world_files(World *world, WorldTable **table);

/* What was counted while a field was worked out (path, or "" for all that are counted), headed by its `path`. Of a scatter a row a
 * rule, in order:
 *     rule, candidates (spots made), kept (those that passed keep), placed, keep, circle, disc, clearance, footprint, offLand,
 *     cap (what became of the candidates: placed, or refused by), draws (numbers taken from the rule's stream), atMost (empty: no cap)
 * Of a forest that grew a row a step and species: rule (the species), step, candidates (seeds), placed, noSurface, blocked, crowded,
 * shaded, displaced, capped, standing. Of a scatter by climate a row a rule: rule, candidates, offLand, suited, placed.
 * Of edits that are laid over a layout a row: rule (their file), candidates (edits), removed, changed, added, notThere, offLand.
 * Rules that place nothing, met their cap or share a stream's numbers become warnings. [waits] */
WORLD_API WorldStatus world_stats(World *world, const char *path, WorldTable **table);

/* The answers of the land's functions of a point at one place: text (the function's name), value (as its author would write it),
 * number (when it is one). [waits] */
WORLD_API WorldStatus world_answers(World *world, double x, double z, WorldTable **table);

/* The numbers that the world's own file gives fields by one literal each, a field to a literal: path, value (in the literal's unit), low and high
 * (likewise, of the field's `within`; empty: it has none), whole (1: an int), file, start and end (its first byte, and past its last), text (the
 * literal). In the order of the text. [waits] */
WORLD_API WorldStatus world_numbers(World *world, WorldTable **table);

/* -- chunks --------------------------------------------------------------------------------------- */

/* A world without an end, as it comes round a viewer: what a part that `worldgen.world` made lays out, in chunks of its layers.
 * The chunks are the host's in its hooks alone, and stay until they go. */
typedef struct WorldChunks WorldChunks;

typedef struct WorldChunk {
    const char *layer;
    int64_t i, j;            /* its column and row among the layer's */
    double x, z, size;       /* its corner of smallest x and z, in the land's frame; its side */
    const WorldTable *things; /* rows as of world_table of a List[placed] */
    int64_t face;            /* of a planet, 0 to 5: x and z are that face's then, lengths along its ground */
} WorldChunk;

typedef struct WorldChunksDesc {
    size_t size;             /* set by the caller: sizeof(WorldChunksDesc) */
    /* A chunk came. In place of one that is there already, it comes first, and then the old one goes. */
    void (*come)(void *user, const WorldChunk *chunk);
    void (*go)(void *user, const WorldChunk *chunk);
    void *user;
    double keep;             /* how far past its layer's drawDistance a chunk stays, meters; 0: its own side */
} WorldChunksDesc;

/* `path`: of the part. To be destroyed before the world is closed. [waits] */
WORLD_API WorldStatus world_chunks_create(World *world, const char *path, const WorldChunksDesc *desc, WorldChunks **chunks);
/* Lets go what is too far from the viewer, and makes what is missing round it, or is another since something was set or reloaded:
 * nearest first, at least one, until `seconds` are over. `missing` (may be NULL): how many are left to make. A chunk that fails is tried
 * again by the next call. By one thread at a time; its hooks may ask the world. [waits] */
WORLD_API WorldStatus world_chunks_update(WorldChunks *chunks, double x, double z, double seconds, size_t *missing);
/* The same of a viewer anywhere: on a plane his height is nothing, of a planet it is the place under him that counts. [waits] */
WORLD_API WorldStatus world_chunks_update_at(WorldChunks *chunks, const double at[3], double seconds, size_t *missing);
/* How many are there. By the same thread. */
WORLD_API size_t world_chunks_count(const WorldChunks *chunks);
/* All go. NULL is fine. By the same thread. */
WORLD_API void world_chunks_destroy(WorldChunks *chunks);

/* Why each thing stands, or does not: works the layout (path as in world_stats) out once more, watching a place; nothing of the
 * world changes. A row a spot within the radius, in the order in which they were tried:
 *     path, rule, id, k, x, z
 *     distance                from the place asked about
 *     outcome                 as a column of world_stats is called: "placed", "keep", "circle"...
 *     reason                  why, in the words of a package that grows things: "by trees/oak/3, 0.61 over 0.4"
 *     edited                  the file of edits that made it so: "removed", "moved", or standing for a reason
 *     step                    when it was decided, of what grows in steps
 *     size, spacing, test, room
 *     condition               keep: the first part of the condition that does not hold
 *     left.text, left.value, left.number, right...   its sides when it is a comparison, of || the one nearest to holding
 *     other, otherDistance, needed   circle to footprint: what is in the way; from center to center, and the least that would do; of
 *                             a footprint, how deep in the grown rectangle, and by how much it is grown. offLand: the land, and how
 *                             far its ground ends before the spot
 *     testAllowed             the largest test that is clear of it; empty: none is, or the rule has no test
 *     moveX, moveZ            the nearest place that is clear of it
 *     pastCap                 cap: how much larger a cap would surely do
 *     advice                  the least change that would have let it stand, in words
 *     edit.file, edit.line, edit.column, edit.endLine, edit.endColumn, edit.text   the same as a change of the text, where one literal
 *                             decides: lines and columns from 1, in characters; the end is past the last
 * [waits] */
WORLD_API WorldStatus world_explain(World *world, const char *path, double x, double z, double radius, WorldTable **table);

/* -- edits ---------------------------------------------------------------------------------------- */

/* What was placed can be edited where its field says so, `scatter(...).edited(over: land, by: edits("island.edits.json"))`: a thing is removed
 * or changed by its id, and things are added, whatever the rules do next. An edit is at once laid over the layout; world_edit_save keeps
 * it in the file, from which it comes again when the world is opened. */
typedef enum WorldEditKind { WORLD_EDIT_REMOVE, WORLD_EDIT_CHANGE, WORLD_EDIT_ADD } WorldEditKind;
typedef struct WorldEdit {
    size_t size;                    /* sizeof(WorldEdit) */
    WorldEditKind kind;
    const char *layout;             /* its path; NULL: that in which the thing stands; of ADD the only one that takes edits */
    const char *id;                 /* of REMOVE and CHANGE */
    const char *design;             /* what it is to be; NULL: as it was. ADD needs one */
    bool has_x, has_y, has_z, has_turn, has_scale, has_variant; /* what is told; the rest stays. ADD needs x and z */
    double x, y, z;                 /* meters, in the frame that things stand in; without y it stands on the land */
    double turn, scale;             /* radians; the thing's size */
    int64_t variant;
} WorldEdit;
/* All of them or none. id (may be NULL): of the last one, which ADD gives; lives until the world is reloaded or closed. A thing that
 * does not stand, or a layout that takes no edits, is WORLD_ERROR_NOT_FOUND and a diagnostic. [alone] */
WORLD_API WorldStatus world_edit(World *world, const WorldEdit *edits, size_t count, const char **id);
/* Takes back the last edit of a layout's file (NULL: of the only one that takes edits), also of one that is saved. [alone] */
WORLD_API WorldStatus world_edit_undo(World *world, const char *layout);
/* Writes each file of which the edits are others now, whole or not at all. A reload forgets what was not saved. A file that somebody else
 * changed since it was read is WORLD_ERROR_FILE, and stays. [waits] */
WORLD_API WorldStatus world_edit_save(World *world);
/* The edits of a layout (NULL or "": of all), the first of them first: path, file, edit ("remove", "change", "add"), id, and what it tells: kind,
 * variant, x, y, z, turn, size. [waits] */
WORLD_API WorldStatus world_edits(World *world, const char *layout, WorldTable **table);

/* -- a world that runs ----------------------------------------------------------------------------- */

/* Runs the world on by `seconds`, in ticks of one length (the file's field `step`, else a sixtieth of a second); what is left of them counts
 * next time. A tick in which something fails is WORLD_ERROR_WORLD and a diagnostic, and all is as it was before it. What a tick
 * did makes stale what was handed out of the scene and of grids, as setting a field does. [alone] */
WORLD_API WorldStatus world_step(World *world, double seconds);
/* One tick. [alone] */
WORLD_API WorldStatus world_tick(World *world);
typedef struct WorldTime {
    size_t size;             /* set by the caller: sizeof(WorldTime) */
    int64_t tick;            /* ticks so far */
    double now, step;        /* seconds: of the world's own time, and of a tick */
} WorldTime;
/* [waits] */
WORLD_API WorldStatus world_time(World *world, WorldTime *time);
/* Sets the time for what is asked and drawn next, between ticks or before the first; nothing runs. [alone] */
WORLD_API WorldStatus world_show(World *world, double seconds);
/* A key is pressed, for the next tick: "g", "space". At most 64 a tick, of at most 31 bytes: WORLD_ERROR_LIMIT. [alone] */
WORLD_API WorldStatus world_press(World *world, const char *name);
typedef enum WorldEventKind { WORLD_EVENT_SAID, WORLD_EVENT_SPAWNED, WORLD_EVENT_REMOVED, WORLD_EVENT_FIRED } WorldEventKind;
typedef struct WorldEvent {
    size_t size;             /* set by the caller: sizeof(WorldEvent) */
    WorldEventKind kind;
    int64_t tick;
    const char *path;        /* of the part; SAID: "" */
    const char *text;        /* SAID: what; FIRED: "entered", "left" */
} WorldEvent;
/* The oldest that was not fetched; false: there is none. Its texts live until the next call. Past ten thousand the oldest are
 * dropped. [alone] */
WORLD_API bool world_event_next(World *world, WorldEvent *event);
/* Everything that is state (what acts and hosts set, what was spawned and removed, what was put off, when handlers fire next) as JSON,
 * one text for one state; and its hash, the same on every machine, executor, level and thread count. The text lives until
 * the next dump, documentation or state. [waits] */
WORLD_API WorldStatus world_state_save(World *world, const char **json);
WORLD_API WorldStatus world_state_hash(World *world, uint64_t *hash);
/* Reads it back into a world that has not run since it was opened or reloaded; then it goes on as if it had never stopped. What the world
 * has no place for any more is left out, and a warning. [alone] */
WORLD_API WorldStatus world_state_load(World *world, const char *json, size_t length);

/* -- the tree of parts ----------------------------------------------------------------------------- */

typedef struct WorldPartInfo {
    const char *path;    /* "island.lantern[3]" */
    const char *design;  /* "pathLantern"; "" when none */
    int depth;
    double at[3], turn, scale; /* in the frame of the root: meters, radians */
} WorldPartInfo;
/* Visits the parts under `path` ("" for all), parents first, in the order of the text. Families are worked out.
 * visit answers false to end. [waits] */
WORLD_API WorldStatus world_parts(World *world, const char *path, bool (*visit)(void *user, const WorldPartInfo *part),
                                  void *user);

/* -- building ------------------------------------------------------------------------------------- */

/* Works out every field of every part that has a value. What world_stats warns of is warned of here too, of scatters that
 * were worked out now. [waits] */
WORLD_API WorldStatus world_build(World *world);
/* For the progress hook: how much of the long step it is called from is done, from 0 to 1, and what that is ("erosion", "stream power",
 * "drainage"; NULL: not asked). -1 and "": none that says. [waits] */
WORLD_API double world_progress(const World *world, const char **task);
/* One hash of everything built: fields, grids, layouts. The same on every machine, executor, level and thread count. [waits] */
WORLD_API WorldStatus world_hash(World *world, uint64_t *hash);

/* One number of all that is read: this build's version, the library's texts, the world's files, and the seed. What was made of a world
 * is good for it as long as this is the same. [waits] */
WORLD_API WorldStatus world_key(World *world, uint64_t *key);

/* Keeps the height grids that parts hold, each in a file under its path, DIRECTORY/land.ground.bake (the directory must
 * exist); works them out first. count: files written. [waits] */
WORLD_API WorldStatus world_bake(World *world, const char *directory, size_t *count);
/* Takes grids from such files instead of working them out; the same to the bit. A file that was baked from another text,
 * library or seed, by another version, or that is damaged is a warning and is not used. To be called before anything is
 * asked or set. count: grids taken. [alone] */
WORLD_API WorldStatus world_load_bakes(World *world, const char *directory, size_t *count);

/* Where the time went: phase ("read", "parse", "check", "lower", "optimize", "compile"; of the last world_build "build land.ground",
 * when it took long), milliseconds. [waits] */
WORLD_API WorldStatus world_timings(World *world, WorldTable **table);
/* How many times cells were worked out since opening. [waits] */
WORLD_API uint64_t world_evaluations(const World *world);

/* What was made for the text as it is. What a reload took over from the text before was not made again, and is not counted: so this says what an edit cost. */
typedef struct WorldWork {
    size_t size;      /* sizeof(WorldWork) */
    uint64_t fields;  /* worked out */
    uint64_t functions, loaded; /* compiled to machine code; taken from the cache in its place */
    uint64_t levels;  /* meshes whose coarser ones were made, for scenes */
    uint64_t layers;  /* of scenes: each map of the land, its look, what covers it */
} WorldWork;
/* [waits] */
WORLD_API WorldStatus world_work(World *world, WorldWork *work);

/* Runs the world's own `check` declarations; the failing ones become diagnostics. [alone] */
WORLD_API WorldStatus world_check(World *world);

/* A stage as text: what any pass made, by its name ("parse", "check", "lower", ... as in the timings, or one of the
 * optimizer's: "inline", "fold", ..., after each of its rounds), or "ast", "tree", "ir", "llvm", "asm", "glsl". name: of a function
 * (in the tree, of a part too; in the syntax, of any declaration), NULL for all; for "glsl" an expression whose value is one. Lives until the next dump. [waits] */
WORLD_API WorldStatus world_dump(World *world, const char *stage, const char *name, const char **text);
/* The world ahead of time, for <world/ahead.h>: an object file of its functions, and the C header of those that a host may ask:
 * of numbers, whole numbers, truths and places, and fields of these, of the world and of parts that always exist. Made of the world as it is written,
 * with the seed it was opened with. Both live until the next dump. WORLD_ERROR_NOT_FOUND: no machine code is made for that. [waits] */
typedef struct WorldObjectDesc {
    const char *prefix;    /* of the header's names: "island" */
    const char *target;    /* "x86_64-linux-gnu", "aarch64-linux-gnu", "wasm32"; NULL: this machine */
    const char *processor; /* "x86-64-v2" to "-v4", or "native"; NULL: the least */
    bool grids;            /* the height grids of its parts are worked out now, and lie in it */
} WorldObjectDesc;
WORLD_API WorldStatus world_object(World *world, const WorldObjectDesc *desc, const void **object, size_t *size,
                                   const char **header);
/* Its functions as a WebAssembly module for the engine of a page (web/engine/code.c), which takes of it what its own program has too, and
 * interprets the rest. It lives until the next dump. WORLD_ERROR_NOT_FOUND: no machine code is made. [waits] */
WORLD_API WorldStatus world_code(World *world, const void **module, size_t *size);
/* Documentation of a name: signature, doc comment; of a package of the library what it has; of "" which packages there are. Lives
 * until the next dump or documentation. A name that nothing has is WORLD_ERROR_NOT_FOUND and a diagnostic. [waits] */
WORLD_API WorldStatus world_doc(World *world, const char *name, const char **text);
/* Names that complete a prefix, "land.he" or "[1, 2].le", each with what stands before it; valid until the next call. [waits] */
WORLD_API WorldStatus world_complete(World *world, const char *prefix, const char *const **names, size_t *count);

/* -- drawing -------------------------------------------------------------------------------------- */

/* A function as the graphics card runs it, from an expression whose value is one: GLSL 4.5 of `void world_function(float a, ...,
 * out float r, ...)`, a parameter a slot, to stand below a `#version` line; and the words of the buffer that the text declares at
 * binding 7. Numbers have 32 bits there; hashes are the same to the bit. What cannot be expressed is a diagnostic at the
 * author's line. Lives until the next, or the next dump. [waits] */
typedef struct WorldCard {
    const char *text;
    const uint32_t *words;
    size_t word_count;
} WorldCard;
WORLD_API WorldStatus world_card(World *world, const char *function, WorldCard *card);
/* Everything there is to draw, as flat arrays; valid as the heights of world_grid are. */
typedef struct WorldPicture { /* of a mesh from afar, for the cards that stand for it */
    int width, height;
    const uint8_t *rgba;     /* width * height * 4, rows from the top: sRGB, and how much of a texel is covered */
} WorldPicture;
typedef struct WorldSurface { /* what a material says everywhere alike; NAN where it says nothing, or a formula does */
    float color[3], emission[3]; /* linear */
    float roughness, metal;
} WorldSurface;
typedef struct WorldMesh {
    uint32_t vertex_count, index_count;
    const float *positions; /* 3 a vertex, meters */
    const float *normals;   /* 3 a vertex */
    const float *colors;    /* 3 a vertex, linear */
    const uint32_t *indices; /* triangles, counterclockwise from outside */
    bool two_sided;          /* leaf cards and the like: seen, and lit, from behind too */
    bool water;              /* a water's surface: the ground is seen through it where it is shallow */
    const struct WorldMesh *coarser; /* the same with fewer triangles, or NULL; not among the scene's meshes */
    double coarser_below;    /* it does as well when the mesh's ball looks smaller across than this, pixels */
    int material;            /* 0: its own colors, matt; else materials[material - 1] of the scene */
    const float *coords;     /* 2 a vertex: with a picture from 0 to 1 across it and down; else along and across the surface, meters. NULL: none */
    const float *pivots;     /* 3 a vertex: the foot about which wind turns what it belongs to. NULL: it stands still */
    const WorldPicture *picture; /* its colors are multiplied by this; NULL: there is none */
    const float *wind;       /* one a vertex, 0 to 10: multiplies what wind does; without pivots a vertex hangs on the mesh's lowest then. NULL: 1 */
} WorldMesh;
typedef struct WorldInstances { /* copies of one mesh */
    uint32_t mesh, count;
    const float *transforms; /* count * 12: rows of a 3x4 matrix, part to world */
    const float *tints;      /* count * 3, linear */
    uint64_t standing;       /* of two scenes of one shape: the same number is the same copies; 0: they may be others */
} WorldInstances;
typedef struct WorldRaster { /* a map of the land, as its option `maps` says; what a name means is the view's affair */
    const char *name;        /* "forest" */
    int columns, rows;
    double cell, x0, z0;     /* sample (i, j) lies at (x0 + i * cell, z0 + j * cell), in the land's frame, meters */
    const float *values;     /* columns * rows, row by row from -z */
} WorldRaster;
typedef struct WorldThing {  /* what copies are of: a part, or a thing that was placed */
    const char *path;        /* of the part, or of the field that placed it: "island.lantern[3]", "wood.layout" */
    const char *design;      /* "pathLantern", or the kind; "" when none */
    const char *id;          /* "forest/-7:73"; "" of a part */
} WorldThing;
typedef enum WorldEdgeKind { WORLD_EDGE_OPEN, WORLD_EDGE_SEA, WORLD_EDGE_WALL, WORLD_EDGE_WRAP, WORLD_EDGE_FALL } WorldEdgeKind;
typedef struct WorldEdge { /* what lies past a land's border */
    WorldEdgeKind kind;
    double wade;             /* SEA: how deep one may wade, meters */
    double fall_to[3];       /* FALL: in the land's frame, meters */
} WorldEdge;
typedef struct WorldCamera { /* a part made of camera.view or camera.path */
    const char *path;        /* "porch" */
    double from[3], to[3];   /* in the world, meters; at first */
    double fov;              /* from top to bottom, radians */
    const double *eyes, *looks; /* of a path: 3 each at `moments` moments, the first and the last of its time among them; else NULL */
    size_t moments;
    double lasts;            /* its time, seconds; 0: it stands */
} WorldCamera;
typedef struct WorldSky {    /* a part made of sky.day */
    const char *path;        /* NULL: there is none */
    double sun[3];           /* toward it, in the world */
    double haze, clouds;     /* 0 to 1 */
    bool stars;
    double planet;           /* of a planet's air, the planet's radius, meters; 0: the ground is flat */
    double middle[3];        /* of the planet, in the world */
} WorldSky;
typedef struct WorldLamp {   /* a part made of light.lamp */
    const char *path;
    double at[3], reach;     /* in the world, meters */
    double color[3];         /* linear */
    double lumens;
} WorldLamp;
typedef enum WorldCoverStyle { WORLD_COVER_BLADES, WORLD_COVER_FLOWERS, WORLD_COVER_PATCHES, WORLD_COVER_LITTER, WORLD_COVER_MESHES } WorldCoverStyle;
/* A kind of a cover, as groundcover.coverKind has it: meters, linear colors, whole numbers too as numbers. */
typedef struct WorldCoverKind {
    double style;            /* a WorldCoverStyle */
    double seed, density, per_cluster, cluster_radius, cell_factor;
    double size_max, size_swing, width_max, lean, bend, blades_per_tuft;
    double base_color[3], tip_color[3], alt_color[3], variation, dry_color[3], dry_amount, translucency;
    double flower[3], flower_center[3], petals, wind, alignment, sink, mottle;
    double range, fade_start, rings, ring_step, max_instances, far_weight;
    double ring_end[3];      /* of each ring but the last, whose end is the range */
    double cell;             /* of the cells that hold a cluster, meters */
    const WorldMesh *meshes[3]; /* of each ring, of a kind of meshes; NULL: none is drawn */
    /* To be put behind the cover's card: `void cover_tuft(int x, int z, int nth, float eye_x, eye_y, eye_z, reach, density, out float x,
     * y, z, size, width, dry, out uint word)`, a tuft of the cluster of a cell as groundcover.tuftOf has it. */
    const char *function;
} WorldCoverKind;
typedef struct WorldCover {  /* the first part made of groundcover.cover; its places are the land's */
    const char *path;        /* NULL: there is none */
    const WorldCoverKind *kinds;
    size_t kind_count;
    WorldCard card;          /* what the kinds' functions need */
    /* The ground's far look: red, green, blue and how much of it, 4 a sample; NULL: it is not changed. */
    const float *far_look;
    int far_columns, far_rows;
    double far_x0, far_z0, far_cell;
    double far_from, far_to; /* the distance from the eye over which it comes */
} WorldCover;
typedef struct WorldOcean {  /* a part made of oceanwaves.ocean: the waves of the sea */
    const char *path;        /* NULL: there is none */
    double wind, fetch;      /* meters a second, meters */
    double toward[2];        /* x and z of the way the wind blows to, in the world, of length 1 */
    uint32_t seed;
    int points;              /* of a tile a side */
} WorldOcean;
typedef struct WorldWind {   /* a part made of weather.wind */
    const char *path;        /* NULL: there is none */
    double toward[2];        /* x and z of the way it blows to, in the world, of length 1 */
    double speed;            /* the mean, meters a second */
    double gusts;            /* how much it swells and falls, 0 to 1 */
} WorldWind;
typedef struct WorldSource { /* a land that is a function, a part made of terrainlod.ground: it is never held whole */
    /* Heights of n places of its frame, x and z in a row, meters. False: they could not be worked out. By one thread at a time, as long as
     * the world is open. NULL: there is none. [waits] */
    bool (*heights)(void *user, size_t n, const double *xz, float *out);
    void *user;
    double cell;             /* between samples where it is drawn at its finest, meters; one lies at (0, 0) */
} WorldSource;
typedef struct WorldScene {
    const WorldMesh *meshes;
    size_t mesh_count;
    const WorldInstances *instances;
    size_t instance_count;
    WorldGridView land;        /* columns 0 when the world has none */
    float land_transform[12];
    float land_tint[3];        /* multiplies the ground's color, linear */
    int land_material;         /* as of a mesh; 0: that color alone */
    WorldEdge land_edge;
    /* Corners (x, z) of the outline inside which the land is drawn at its finest; count 0: everywhere. */
    const double *land_fine_over;
    size_t land_fine_over_count;
    const WorldRaster *const *land_rasters;
    size_t land_raster_count;
    bool has_sea;
    double sea_level;          /* meters */
    const WorldThing *const *things; /* that are drawn, in the order of the text */
    size_t thing_count;
    /* What surfaces look like. A text defines MATERIAL_COLOR, _ROUGHNESS, _METAL, _TRANSLUCENCY, _EMISSION and _BUMP where it has the
     * function of that name in small letters: of a place in the drawn thing's frame, the way its surface faces there (x, y, z each),
     * height over the sea, rise over run, distance, a pixel's size (meters), time (seconds), the mesh's own color, its texture coordinates and a pixel's size in those; out go whether it says anything there, and a number, or three. MATERIAL_TIMED: it changes with time. */
    const WorldCard *materials;
    size_t material_count;
    const WorldCamera *cameras; /* in the order of the text */
    size_t camera_count;
    WorldSky sky;
    WorldCover cover;
    WorldOcean ocean;
    const WorldLamp *lamps;    /* in the order of the text */
    size_t lamp_count;
    const uint32_t *const *instance_things; /* of copy k of instances[i], its thing: things[instance_things[i][k]] */
    WorldSource land_source;   /* then `land` has no columns; transform, tint, material and edge are its */
    /* While the world runs, or an eye moves, the same scene is handed out again, as it stands by now, as long as only this differs: instances and
     * their things, cameras, lamps, the sky, the wind, and meshes that came behind the others. Another shape: it is another scene. */
    uint64_t shape;
    const WorldSurface *surfaces; /* of each of the materials, for who has no card */
    WorldWind wind;
} WorldScene;
WORLD_API WorldStatus world_scene(World *world, const WorldScene **scene);

/* The scene as an eye that moves sees it: of a world without an end (worldgen.world on a plane) the things of the chunks near the eye, in place of
 * those that are published round its `viewer`. Of any other world it is world_scene's. */
typedef struct WorldStream WorldStream;

/* While one is open, world_scene, and so world_solids, leaves out what streams bring. To be destroyed before the world is closed. [waits] */
WORLD_API WorldStatus world_stream_create(World *world, WorldStream **stream);
/* Chunks come and go as by world_chunks_update_at; eye: in the world, meters, or NULL for each world's own viewer. The scene is good until the
 * next call, or until the world changes, and lies where the one before does only when it is the same; the shape and the numbers of what stands say
 * what of it is as it was. What came is in it as soon as nothing is missing, or 0.15 s later. By one thread at a time. [waits] */
WORLD_API WorldStatus world_stream_scene(WorldStream *stream, const double eye[3], double seconds, size_t *missing, const WorldScene **scene);
/* NULL is fine. By the same thread. */
WORLD_API void world_stream_destroy(WorldStream *stream);

/* -- solids --------------------------------------------------------------------------------------- */

/* What there is to bump into, for a host's physics: of parts and placed things that are drawn what their option `solid` says, or what
 * their meshes look like (the package `bodies`), each once in the frame of a mesh or part, and where copies of it stand; and the land.
 * Leaves, water, and what is hidden are nothing. What comes in chunks round an eye while a view streams a world is not among them. */
typedef enum WorldSolidKind { WORLD_SOLID_BOX, WORLD_SOLID_CAPSULE, WORLD_SOLID_HULL, WORLD_SOLID_MESH } WorldSolidKind;
typedef struct WorldSolid {
    WorldSolidKind kind;
    double middle[3], half[3]; /* BOX: its middle, and half its size along each axis, meters */
    double axes[9];            /* BOX: three ways of length 1 across each other, right-handed */
    double from[3], to[3], radius; /* CAPSULE: what lies so near to the way between the two; one that is a ball has but one place */
    /* BOX, HULL: the corners of what is convex, and triangles between them, counterclockwise from outside. MESH: triangles that may be open, or
     * hollow. CAPSULE: none. */
    const double *points;      /* 3 a point, meters */
    const uint32_t *triangles; /* 3 numbers of points each */
    uint32_t point_count, triangle_count;
} WorldSolid;
typedef struct WorldSolidGroup { /* solids that belong to one thing, and stand wherever a copy of it does */
    uint32_t first, count;   /* solids[first], and so many */
    uint32_t copies;
    const float *transforms; /* copies * 12: rows of a 3x4 matrix, the solids' frame to the world's: a turn, times one scale, and a place */
    const uint32_t *things;  /* of each copy: things[things[k]] of the scene */
} WorldSolidGroup;
typedef struct WorldSolids {
    const WorldSolid *solids;
    size_t solid_count;
    const WorldSolidGroup *groups;
    size_t group_count;
    /* As of the scene: also the land, whose ground lies on triangles. The square of samples (i, j) to (i + 1, j + 1) is split from (i, j) to
     * (i + 1, j + 1) where i + j is even, else from (i + 1, j) to (i, j + 1): `land.height` answers these triangles, which
     * world_solids_land gives. A land that is a function has no samples (land_source of the scene). */
    const WorldScene *scene;
} WorldSolids;
/* Valid as the scene is; while the world runs, what moves is another with each scene, and the solids stay where `shape` of the scene does. [waits] */
WORLD_API WorldStatus world_solids(World *world, const WorldSolids **solids);
/* The land's triangles of its squares (i, j) with i0 <= i < i1 and j0 <= j < j1, in the land's frame: (i1 - i0 + 1) * (j1 - j0 + 1) points of 3 floats, row
 * by row from -z, and 6 numbers of these a square, counterclockwise from above. Both are the caller's, and have room for that. A square that the grid
 * has not is WORLD_ERROR_ARGUMENT, and so is one that is divided (WorldGridView.finer): world_solids_ground has both. [any] */
WORLD_API WorldStatus world_solids_land(const WorldScene *scene, int i0, int j0, int i1, int j1, float *points, uint32_t *triangles);
/* The same where squares may be divided: their points stand behind the grid's, and their small triangles among the others. `point_count` and
 * `triangle_count` are how many there are; with NULL for the arrays nothing else is answered. No two triangles leave a gap between them. [any] */
WORLD_API WorldStatus world_solids_ground(const WorldScene *scene, int i0, int j0, int i1, int j1, size_t *point_count, float *points,
                                          size_t *triangle_count, uint32_t *triangles);

#ifdef __cplusplus
}
#endif
#endif
