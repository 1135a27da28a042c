/* Functions as typed handles, and calls of them: one, many, and the plan form.
 *
 * A call takes no lock and, when all is ready, allocates nothing: its Rt lies on the stack, its
 * columns point into the caller's rows. A batch goes in chunks of RT_CHUNK rows, turned into
 * columns and back, on all threads.
 */
#include "compiler/engine/ask/ask.h"
#include "runtime/grid/grid.h"
#include "runtime/rt/life.h"
#include "stdlib/library_names.h"

enum { MAX_CALL_SLOTS = 64, LOOK_UP_CHUNK = 1 << 14, LOOK_UP_SOON = 1 << 20 };

/* -- finding -- */

static const char *join_letters(Arena *arena, const TreeFn *fn) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, STR_LIT(""));
    for (int i = 0; i < fn->param_count; i++)
        strbuf_str(&out, str_of(fn->locals.items[fn->capture_count + i].type->slots));
    return out.ptr ? out.ptr : "";
}

static const char *join_type_letters(Arena *arena, const Type *type) {
    StrBuf out = {.arena = arena};
    for (int i = 0; i < type->item_count; i++)
        strbuf_str(&out, str_of(type->items[i]->slots));
    return out.ptr ? out.ptr : "";
}

static void set_shape(FunctionHandle *handle, const char *arguments, const Type *result) {
    handle->argument_letters = arguments;
    handle->arguments = (int)strlen(arguments);
    handle->result_letters = result->slots;
    handle->results = result->slot_count;
}

static bool is_dotted_name(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (!letter && c != '_' && c != '.') return false;
    }
    return text.len > 0;
}

typedef struct Find {
    const char *name, *signature;
    WorldFunction *function;
} Find;

/* A signature is compared as types are written: "fn(point) meters". */
static Str handle_signature(World *world, const FunctionHandle *handle, Arena *arena) {
    const SymbolTable *symbols = &world->compile->symbols;
    if (handle->type) return type_name(handle->type, symbols, arena);
    const TreeFn *fn = handle->fn;
    StrBuf out = {.arena = arena};
    strbuf_str(&out, STR_LIT("fn("));
    for (int i = 0; i < fn->param_count; i++) {
        if (i) strbuf_str(&out, STR_LIT(", "));
        strbuf_str(&out, type_name(fn->locals.items[fn->capture_count + i].type, symbols, arena));
    }
    strbuf_str(&out, STR_LIT(") "));
    strbuf_str(&out, type_name(fn->result, symbols, arena));
    return strbuf_take(&out);
}

static WorldStatus refuse_signature(World *world, Str wanted, Str found) {
    diag_add(&world->report.diags, DIAG_E_FUNCTION_SIGNATURE, (Span){0}, STR_ARG(wanted),
             STR_ARG(found));
    return WORLD_ERROR_ARGUMENT;
}

/* The one that was handed out for the name before. */
static const FunctionHandle *find_known(const World *world, Str name, uint32_t *id) {
    const HandleList *known = &world->handles.functions;
    for (*id = 1; *id <= (uint32_t)known->count; ++*id) {
        const FunctionHandle *handle = handle_get(known, *id);
        if (handle->fn && str_equal(handle->name, name)) return handle;
    }
    return NULL;
}

static RtPart *find_part(Rt *rt, const Tree *path) {
    if (path->kind == TREE_ROOT) return rt_world_root(rt->world);
    return rt_part_child(rt, find_part(rt, path->part.operand), path->part.index);
}

/* `fn height(here: point) meters { ground.heightAt(here) }`: the library's, of a field of the part itself. */
static int ground_of(const World *world, const TreeFn *fn) {
    const Tree *body = fn->body;
    if (!body || body->kind != TREE_CALL || body->call.args.count != 2) return -1;
    const TreeFn *callee = body->call.fn;
    const Tree *grid = body->call.args.items[0], *here = body->call.args.items[1];
    bool library = callee->span.file < world->compile->file && str_equal(callee->name, STR_LIT(STD_grid "." STD_grid_heightAt));
    bool own = grid->kind == TREE_FIELD && grid->part.operand->kind == TREE_SELF;
    return library && own && here->kind == TREE_LOCAL && here->local == 0 ? grid->part.index : -1;
}

/* A function by its name, a method with the part that the name goes through. */
static WorldStatus find_named(World *world, Rt *rt, const TreeFn *fn, const Tree *object,
                              FunctionHandle *handle) {
    if (fn->draws || fn->kind != AST_FN_PLAIN) return WORLD_ERROR_ARGUMENT;
    if (!overlay_callee(world, fn, &handle->callee)) return WORLD_ERROR_INTERNAL;
    handle->fn = fn;
    handle->ground = ground_of(world, fn);
    set_shape(handle, join_letters(rt->arena, fn), fn->result);
    bool has_self = fn->owner || fn->with_self;
    if (has_self && object) handle->self = find_part(rt, object);
    rt_part_hold(handle->self);
    if (has_self && !object) handle->self = rt_world_root(world->parts);
    return entry_fault(world, rt);
}

/* Any other expression whose value is a function: `here => land.height(here) * 2`. */
static WorldStatus find_value(World *world, Rt *rt, Question *question, FunctionHandle *handle) {
    WorldStatus status = question_compile(world, question);
    if (status != WORLD_OK) return status;
    if (question->type->kind != TYPE_FN || question->type->draws) return WORLD_ERROR_ARGUMENT;
    handle->type = question->type;
    set_shape(handle, join_type_letters(rt->arena, question->type), question->type->element);
    return WORLD_OK;
}

static WorldStatus check_shape(World *world, Rt *rt, const char *signature,
                               const FunctionHandle *handle) {
    if (handle->arguments + 1 > MAX_CALL_SLOTS || handle->results > MAX_CALL_SLOTS)
        return WORLD_ERROR_LIMIT;
    if (signature == NULL) return WORLD_OK;
    Str found = handle_signature(world, handle, rt->arena);
    return str_equal(found, str_of(signature)) ? WORLD_OK
                                               : refuse_signature(world, str_of(signature), found);
}

/* The function that the expression answers, with all that it is made of. */
static WorldStatus keep_value(World *world, Rt *rt, Question *question, FunctionHandle *handle) {
    Handles *handles = &world->handles;
    RtVersion *version = NULL;
    VEC_PUSH(&world->compile->arena, &handles->kept, NULL); /* a place for it, before it is there */
    WorldStatus status = question_keep(world, question, rt, &version);
    handles->kept.items[handles->kept.count - 1] = version;
    if (status != WORLD_OK) return status;
    handle->closure = question->slots[0].r;
    rt_freeze(handle->closure); /* many threads may call it */
    return WORLD_OK;
}

/* What the handle calls stays while the text is loaded. */
static WorldStatus hand_out(World *world, Rt *rt, Question *question, const FunctionHandle *found,
                            uint32_t *id) {
    Arena *arena = &world->compile->arena;
    FunctionHandle *handle = ARENA_NEW(arena, FunctionHandle);
    *handle = *found;
    handle->name = (Str){arena_strndup(arena, found->name.ptr, found->name.len), found->name.len};
    handle->argument_letters =
        arena_strndup(arena, found->argument_letters, strlen(found->argument_letters));
    WorldStatus status = handle->type ? keep_value(world, rt, question, handle) : WORLD_OK;
    if (status != WORLD_OK) return status;
    *id = handle_add(arena, &world->handles.functions, handle);
    if (handle->callee.overlay) rt_code_hold(&handle->callee.overlay->code);
    return WORLD_OK;
}

static WorldStatus find_new(World *world, Rt *rt, const Find *wanted, Str name, uint32_t *id) {
    DiagList *diags = &world->report.diags;
    Tree *object = NULL;
    const CheckAsker asker = {rt->arena, diags};
    const TreeFn *fn = is_dotted_name(name)
                           ? check_find_function(world->compile->checker, &asker, name, &object)
                           : NULL;
    if (!fn && diags->error_count) return report_status(diags);
    Question question = {.text = name};
    FunctionHandle handle = {.name = name, .ground = -1};
    WorldStatus status =
        fn ? find_named(world, rt, fn, object, &handle) : find_value(world, rt, &question, &handle);
    if (status == WORLD_OK) status = check_shape(world, rt, wanted->signature, &handle);
    return status == WORLD_OK ? hand_out(world, rt, &question, &handle, id) : status;
}

static WorldStatus find(World *world, Rt *rt, void *args) {
    const Find *wanted = args;
    uint32_t id;
    const FunctionHandle *known = find_known(world, str_of(wanted->name), &id);
    WorldStatus status = known ? check_shape(world, rt, wanted->signature, known)
                               : find_new(world, rt, wanted, str_of(wanted->name), &id);
    if (status == WORLD_OK) *wanted->function = (WorldFunction){id, world->handles.generation};
    return status;
}

WorldStatus world_function(World *world, const char *name, const char *signature,
                           WorldFunction *function) {
    if (name == NULL || function == NULL) return WORLD_ERROR_ARGUMENT;
    Find wanted = {name, signature, function};
    return entry_run(world, find, &wanted);
}

/* The handle, or NULL and why not. */
static const FunctionHandle *get_handle(const World *world, WorldFunction function,
                                        WorldStatus *status) {
    *status = WORLD_ERROR_ARGUMENT;
    if (world == NULL || function.id == 0) return NULL;
    *status = handle_status(world, function.generation);
    if (*status != WORLD_OK) return NULL;
    const FunctionHandle *handle = handle_get(&world->handles.functions, function.id);
    if (handle == NULL) *status = WORLD_ERROR_ARGUMENT;
    return handle;
}

WorldStatus world_function_shape(World *world, WorldFunction function, int *arguments,
                                 int *results) {
    WorldStatus status;
    const FunctionHandle *handle = get_handle(world, function, &status);
    if (handle == NULL) return status;
    if (arguments) *arguments = handle->arguments;
    if (results) *results = handle->results;
    return WORLD_OK;
}

const char *world_function_letters(World *world, WorldFunction function) {
    WorldStatus status;
    const FunctionHandle *handle = get_handle(world, function, &status);
    return handle ? handle->result_letters : "";
}

/* -- calling -- */

typedef struct Call {
    const FunctionHandle *handle;
    const Slot *arguments; /* rows */
    Slot *results;         /* rows */
    int64_t n;
    bool plan; /* arguments are (x, z), of a function of a point */
    const RtGrid *ground; /* in which the function looks them up; NULL: it is to be run */
} Call;

/* Runs a handle over columns: a method's part, or a closure's captures, come first. */
static void run_columns(Rt *rt, const FunctionHandle *handle, int64_t n, const Slot *const *in,
                        Slot *const *out) {
    if (handle->closure) {
        if (n == 1) {
            Slot row[MAX_CALL_SLOTS];
            Slot answer[MAX_CALL_SLOTS];
            for (int i = 0; i < handle->arguments; i++)
                row[i] = in[i][0];
            rt_call(rt, handle->closure, NULL, row, answer);
            for (int i = 0; i < handle->results; i++)
                out[i][0] = answer[i];
        } else {
            rt_call_batch(rt, handle->closure, n, in, out);
        }
        return;
    }
    const Slot *columns[MAX_CALL_SLOTS];
    Slot self = slot_r(handle->self);
    int first = handle->self != NULL;
    if (first) columns[0] = &self;
    for (int i = 0; i < handle->arguments; i++)
        columns[first + i] = in[i];
    callee_run(rt, handle->callee, n, (uint64_t)first, columns, out);
}

static void run_one(Rt *rt, const Call *call) {
    const Slot *in[MAX_CALL_SLOTS];
    Slot *out[MAX_CALL_SLOTS];
    Slot answer[MAX_CALL_SLOTS];
    for (int i = 0; i < call->handle->arguments; i++)
        in[i] = call->arguments + i;
    for (int i = 0; i < call->handle->results; i++)
        out[i] = &answer[i];
    run_columns(rt, call->handle, 1, in, out);
    if (!rt_failed(rt) && call->handle->results)
        memcpy(call->results, answer, sizeof *answer * (size_t)call->handle->results);
}

/* Turns rows [begin, end) into columns in scratch. */
static void read_rows(const Call *call, int64_t begin, int64_t end, Slot *columns) {
    int64_t n = end - begin;
    int width = call->plan ? 2 : call->handle->arguments;
    for (int64_t e = 0; e < n; e++) {
        const Slot *row = call->arguments + (begin + e) * width;
        if (call->plan) {
            columns[e] = row[0];
            columns[n + e] = slot_f(0);
            columns[2 * n + e] = row[1];
        } else {
            for (int i = 0; i < width; i++)
                columns[i * n + e] = row[i];
        }
    }
}

static void run_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Call *call = user;
    const FunctionHandle *handle = call->handle;
    int64_t n = end - begin;
    RtScratchMark mark = rt_scratch_mark(rt);
    Slot *columns =
        rt_scratch_push(rt, sizeof *columns * (size_t)(n * (handle->arguments + handle->results)));
    Slot *answers = columns + n * handle->arguments;
    const Slot *in[MAX_CALL_SLOTS];
    Slot *out[MAX_CALL_SLOTS];
    for (int i = 0; i < handle->arguments; i++)
        in[i] = columns + i * n;
    for (int i = 0; i < handle->results; i++)
        out[i] = answers + i * n;
    read_rows(call, begin, end, columns);
    run_columns(rt, handle, n, in, out);
    for (int64_t e = 0; e < n; e++)
        for (int i = 0; i < handle->results; i++)
            call->results[(begin + e) * handle->results + i] = answers[i * n + e];
    rt_scratch_pop(rt, mark);
}

/* To the bit what the function says: grid.heightAt is grid_height_at in the language (tests/api/test_land.c). */
static void look_up_rows(Rt *rt, void *user, int64_t begin, int64_t end) {
    const Call *call = user;
    (void)rt;
    grid_heights_at(call->ground, end - begin, &call->arguments[2 * begin].f, &call->results[begin].f);
}

/* The rows are the host's only when all are worked out. */
static void run_many(Rt *rt, const Call *call) {
    Call own = *call;
    if (own.ground && call->n <= (rt->threads > 1 ? LOOK_UP_CHUNK : LOOK_UP_SOON)) { /* nothing can come between */
        look_up_rows(rt, &own, 0, call->n);
        return;
    }
    size_t bytes;
    if (__builtin_mul_overflow((size_t)call->n, sizeof(Slot) * (size_t)call->handle->results,
                               &bytes))
        memory_fail();
    own.results = arena_alloc_raw(rt->arena, bytes);
    if (own.ground)
        rt_parallel(rt, call->n, LOOK_UP_CHUNK, look_up_rows, &own);
    else
        rt_parallel(rt, call->n, RT_CHUNK, run_rows, &own);
    if (!rt_failed(rt) && bytes) memcpy(call->results, own.results, bytes);
}

static void run_call(Rt *rt, void *args) {
    Call *call = args;
    const FunctionHandle *handle = call->handle;
    if (call->plan && call->n && handle->ground >= 0) call->ground = rt_cell_get(rt, handle->self, handle->ground)->r;
    if (rt_failed(rt)) return;
    if (call->n == 1 && !call->plan)
        run_one(rt, call);
    else if (call->n)
        run_many(rt, call);
}

/* Whether bools and u32 among the arguments are such: what is made of others is not the same in every executor. */
static bool are_sound(const FunctionHandle *handle, size_t n, const Slot *arguments) {
    const char *letters = handle->argument_letters;
    if (strpbrk(letters, "BW") == NULL) return true;
    for (size_t row = 0; row < n; row++, arguments += handle->arguments)
        for (int i = 0; i < handle->arguments; i++)
            if ((letters[i] == 'B' && arguments[i].w > 1) || (letters[i] == 'W' && arguments[i].w > UINT32_MAX)) return false;
    return true;
}

WorldStatus world_call(World *world, WorldFunction function, const void *arguments, void *results) {
    return world_call_batch(world, function, 1, arguments, results);
}

WorldStatus world_call_batch(World *world, WorldFunction function, size_t n, const void *arguments,
                             void *results) {
    WorldStatus status;
    const FunctionHandle *handle = get_handle(world, function, &status);
    if (handle == NULL) return status;
    bool missing = n && ((handle->arguments && !arguments) || (handle->results && !results));
    if (missing || n > INT64_MAX / MAX_CALL_SLOTS || !are_sound(handle, n, arguments))
        return WORLD_ERROR_ARGUMENT;
    Call call = {handle, arguments, results, (int64_t)n, false, NULL};
    return entry_call(world, run_call, &call);
}

WorldStatus world_heights(World *world, WorldFunction height, size_t n, const double *xz,
                          double *out) {
    WorldStatus status;
    const FunctionHandle *handle = get_handle(world, height, &status);
    if (handle == NULL) return status;
    if ((n && (!xz || !out)) || n > INT64_MAX / MAX_CALL_SLOTS ||
        strcmp(handle->argument_letters, "FFF") != 0 || strcmp(handle->result_letters, "F") != 0)
        return WORLD_ERROR_ARGUMENT;
    Call call = {handle, (const Slot *)xz, (Slot *)out, (int64_t)n, true, NULL};
    return entry_call(world, run_call, &call);
}

/* -- a list that is answered, as a table -- */

static WorldStatus call_table(World *world, Rt *rt, WorldTable *table, void *args) {
    const Call *call = args;
    const Type *type = call->handle->type ? call->handle->type->element : call->handle->fn->result;
    if (type->kind != TYPE_LIST) return WORLD_ERROR_NOT_FOUND;
    Slot list;
    Call own = *call;
    own.results = &list;
    run_one(rt, &own);
    WorldStatus status = entry_fault(world, rt);
    return status == WORLD_OK ? table_fill(world, rt, table, type, list.r) : status;
}

WorldStatus world_call_table(World *world, WorldFunction function, const void *arguments,
                             WorldTable **table) {
    WorldStatus status;
    const FunctionHandle *handle = get_handle(world, function, &status);
    if (handle == NULL) return status;
    if (handle->arguments && !arguments) return WORLD_ERROR_ARGUMENT;
    Call call = {handle, arguments, NULL, 1, false, NULL};
    return table_entry(world, call_table, &call, table);
}
