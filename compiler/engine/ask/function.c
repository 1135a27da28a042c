/* Functions as typed handles, and calls of them: one, many, and the plan form.
 *
 * A call takes no lock and, when all is ready, allocates nothing: its Rt lies on the stack, its
 * columns point into the caller's rows. A batch goes in chunks of RT_CHUNK rows, turned into
 * columns and back, on all threads.
 */
#include "compiler/engine/ask/ask.h"

enum { MAX_CALL_SLOTS = 64 };

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

/* "land" of "land.height", asked as a question: the part whose method it is. */
static WorldStatus find_self(World *world, Rt *rt, Str name, FunctionHandle *handle) {
    size_t dot = name.len;
    while (dot > 0 && name.ptr[dot - 1] != '.')
        dot--;
    if (dot == 0) {
        handle->self = rt_world_root(world->parts);
        return WORLD_OK;
    }
    Question question = {.text = {name.ptr, dot - 1}};
    WorldStatus status = question_compile(world, &question);
    if (status == WORLD_OK) status = question_run(world, &question, rt);
    if (status == WORLD_OK) handle->self = question.slots[0].r;
    return status;
}

static WorldStatus find_named(World *world, Rt *rt, Str name, const TreeFn *fn,
                              FunctionHandle *handle) {
    if (fn->draws || fn->kind != AST_FN_PLAIN) return WORLD_ERROR_ARGUMENT;
    if (!program_grow(world)) return WORLD_ERROR_INTERNAL;
    handle->fn = fn;
    handle->func = world->compile->lowering.ir_index.items[fn->index];
    set_shape(handle, join_letters(&world->arena, fn), fn->result);
    return fn->owner || fn->with_self ? find_self(world, rt, name, handle) : WORLD_OK;
}

/* Any other expression whose value is a function: `here => land.height(here) * 2`. The closure
 * is kept. */
static WorldStatus find_value(World *world, Rt *rt, Str text, FunctionHandle *handle) {
    Question question = {.text = text};
    WorldStatus status = question_compile(world, &question);
    if (status != WORLD_OK) return status;
    if (question.type->kind != TYPE_FN || question.type->draws) return WORLD_ERROR_ARGUMENT;
    Arena *arena = rt->arena;
    rt->arena = &world->arena;
    status = question_run(world, &question, rt);
    rt->arena = arena;
    if (status != WORLD_OK) return status;
    handle->closure = question.slots[0].r;
    handle->type = question.type;
    set_shape(handle, join_type_letters(&world->arena, question.type), question.type->element);
    return WORLD_OK;
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

static WorldStatus find(World *world, Rt *rt, void *args) {
    const Find *wanted = args;
    Str name = str_of(wanted->name);
    Tree *object = NULL;
    const DiagList *diags = &world->compile->diags;
    int before = diags->items.count;
    const TreeFn *fn =
        is_dotted_name(name) ? check_find_function(world->compile->checker, name, &object) : NULL;
    if (!fn && diags->items.count > before) {
        question_take_diags(world, before);
        return report_status(&world->report.diags);
    }
    FunctionHandle *handle = ARENA_NEW(&world->arena, FunctionHandle);
    WorldStatus status =
        fn ? find_named(world, rt, name, fn, handle) : find_value(world, rt, name, handle);
    if (status != WORLD_OK) return status;
    if (handle->arguments + 1 > MAX_CALL_SLOTS || handle->results > MAX_CALL_SLOTS)
        return WORLD_ERROR_LIMIT;
    if (wanted->signature) {
        Str found = handle_signature(world, handle, rt->arena);
        if (!str_equal(found, str_of(wanted->signature)))
            return refuse_signature(world, str_of(wanted->signature), found);
    }
    VEC_PUSH(&world->arena, &world->functions, handle);
    wanted->function->id = (uint32_t)world->functions.count;
    return WORLD_OK;
}

WorldStatus world_function(World *world, const char *name, const char *signature,
                           WorldFunction *function) {
    if (name == NULL || function == NULL) return WORLD_ERROR_ARGUMENT;
    Find wanted = {name, signature, function};
    return entry_run(world, find, &wanted);
}

static const FunctionHandle *get_handle(const World *world, WorldFunction function) {
    if (world == NULL || function.id == 0 || function.id > (uint32_t)world->functions.count)
        return NULL;
    return world->functions.items[function.id - 1];
}

WorldStatus world_function_shape(World *world, WorldFunction function, int *arguments,
                                 int *results) {
    const FunctionHandle *handle = get_handle(world, function);
    if (handle == NULL) return WORLD_ERROR_ARGUMENT;
    if (arguments) *arguments = handle->arguments;
    if (results) *results = handle->results;
    return WORLD_OK;
}

const char *world_function_letters(World *world, WorldFunction function) {
    const FunctionHandle *handle = get_handle(world, function);
    return handle ? handle->result_letters : "";
}

/* -- calling -- */

typedef struct Call {
    const FunctionHandle *handle;
    const Slot *arguments; /* rows */
    Slot *results;         /* rows */
    int64_t n;
    bool plan; /* arguments are (x, z), of a function of a point */
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
    program_run(rt, handle->func, n, (uint64_t)first, columns, out);
}

static void run_one(Rt *rt, const Call *call) {
    const Slot *in[MAX_CALL_SLOTS];
    Slot *out[MAX_CALL_SLOTS];
    for (int i = 0; i < call->handle->arguments; i++)
        in[i] = call->arguments + i;
    for (int i = 0; i < call->handle->results; i++)
        out[i] = call->results + i;
    run_columns(rt, call->handle, 1, in, out);
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

static void run_call(Rt *rt, const Call *call) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        if (call->n == 1 && !call->plan)
            run_one(rt, call);
        else
            rt_parallel(rt, call->n, RT_CHUNK, run_rows, (void *)(uintptr_t)call);
        memory_end_try(&recover);
    } else {
        rt->fault = (RtFault){.code = RT_FAULT_MEMORY};
    }
}

static WorldStatus report_call(World *world, const Rt *rt) {
    pthread_mutex_lock(&world->lock);
    Recover recover;
    WorldStatus status;
    if (MEMORY_TRY(&recover)) {
        report_clear(&world->report, &world->compile->sources);
        status = entry_fault(world, rt);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    pthread_mutex_unlock(&world->lock);
    return status;
}

/* What a question made runs on an interpreter that the next question may replace. */
static bool is_grown(const World *world, const FunctionHandle *handle) {
    return handle->closure != NULL || handle->func >= world->program->module.funcs.count;
}

static WorldStatus call_rows(World *world, const Call *call) {
    bool locked = is_grown(world, call->handle);
    if (locked) entry_lock(world);
    Arena arena;
    Rt rt;
    arena_init(&arena, &world->engine->memory);
    entry_rt(world, &rt, &arena);
    run_call(&rt, call);
    if (locked) entry_unlock(world);
    WorldStatus status = rt_failed(&rt) ? report_call(world, &rt) : WORLD_OK;
    rt_fini(&rt);
    arena_fini(&arena);
    return status;
}

WorldStatus world_call(World *world, WorldFunction function, const void *arguments, void *results) {
    return world_call_batch(world, function, 1, arguments, results);
}

WorldStatus world_call_batch(World *world, WorldFunction function, size_t n, const void *arguments,
                             void *results) {
    const FunctionHandle *handle = get_handle(world, function);
    bool missing = handle && ((handle->arguments && !arguments) || (handle->results && !results));
    if (handle == NULL || missing || n > INT64_MAX / 64) return WORLD_ERROR_ARGUMENT;
    Call call = {handle, arguments, results, (int64_t)n, false};
    return call_rows(world, &call);
}

WorldStatus world_heights(World *world, WorldFunction height, size_t n, const double *xz,
                          double *out) {
    const FunctionHandle *handle = get_handle(world, height);
    if (handle == NULL || (n && (!xz || !out)) || strcmp(handle->argument_letters, "FFF") != 0 ||
        strcmp(handle->result_letters, "F") != 0)
        return WORLD_ERROR_ARGUMENT;
    Call call = {handle, (const Slot *)xz, (Slot *)out, (int64_t)n, true};
    return call_rows(world, &call);
}
