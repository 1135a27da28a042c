/* Host functions: registered by a signature of the language, called through libffi.
 *
 * Generated code calls a native by address with rows of slots, and an address alone does not say
 * which host function it stands for. So there is one small thunk a place in the engine's table,
 * made from one list, and the table tells the rest. (Closures of libffi would need memory that
 * is both written and executed.)
 */
#include <ffi.h>

#include "compiler/engine/open/open.h"
#include "runtime/base/little.h"

enum { MAX_PARAMS = 32 };

/* -- the signature: parsed with the language's own parser, for the letters -- */

/* V: three numbers; 0: does not cross. */
static char letter_of_name(Str name) {
    static const struct {
        const char *name, *slots;
    } rows[] = {
#define TYPE(name, member, slots, c_type) {name, slots},
#define GENERIC(name, slots, c_type) {name, slots},
#include "lang/type.def"
#undef TYPE
#undef GENERIC
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_equal(name, str_of(rows[i].name)))
            return rows[i].slots[1] ? 'V' : rows[i].slots[0] == 'R' ? 0 : rows[i].slots[0];
    return 0;
}

static char letter_of_type(const AstNode *type, const SymbolTable *symbols) {
    switch (type ? (int)type->kind : AST_ERROR) {
    case AST_TYPE_NAME:
        return letter_of_name(symbols_name(symbols, type->type_name.name.symbol));
    case AST_TYPE_POWER:
        return letter_of_type(type->type_power.base, symbols) == 'F' ? 'F' : 0;
    case AST_TYPE_PRODUCT: /* quantities multiply, nothing else does */
    case AST_TYPE_QUOTIENT: {
        char left = letter_of_type(type->type_pair.left, symbols);
        char right = letter_of_type(type->type_pair.right, symbols);
        return left == 'F' && right == 'F' ? 'F' : 0;
    }
    default:
        return 0;
    }
}

/* False when the function takes or gives what does not cross. */
static bool read_signature(Arena *arena, const AstNode *fn, const SymbolTable *symbols,
                           HostFunction *host) {
    const AstParams *params = &fn->fn.params;
    Str name = symbols_name(symbols, fn->fn.name.symbol);
    host->name = (Str){arena_strndup(arena, name.ptr, name.len), name.len};
    host->param_count = params->count;
    host->param_types = ARENA_ARRAY(arena, char, params->count + 1);
    if (params->count > MAX_PARAMS || fn->fn.type_params.count) return false;
    for (int i = 0; i < params->count; i++) {
        host->param_types[i] = letter_of_type(params->items[i].type, symbols);
        if (host->param_types[i] == 0) return false;
    }
    host->result_type = letter_of_type(fn->fn.result_type, symbols);
    return host->result_type != 0;
}

/* Reads a signature; what is wrong with it stands in the engine's report afterwards. */
static WorldStatus parse_signature(WorldEngine *engine, HostFunction *host) {
    Report *report = &engine->report;
    SymbolTable *symbols = ARENA_NEW(&report->arena, SymbolTable);
    SourceSet *sources = ARENA_NEW(&report->arena, SourceSet);
    symbols_init(symbols, &report->arena);
    sources_init(sources, &report->arena);
    diags_init(&report->diags, &report->arena, sources);
    report->shown = &report->diags;
    Str text = str_printf(&report->arena, "extern fn %.*s\n", STR_ARG(host->signature));
    uint32_t file = sources_add(sources, STR_LIT("<host>"), text);
    const AstFile *ast =
        parse_file(&report->arena, symbols, &report->diags, file, (ParseLimits){0});
    if (diags_failed(&report->diags)) return WORLD_ERROR_ARGUMENT;
    if (ast->decls.count == 1 && ast->decls.items[0]->kind == AST_FN &&
        read_signature(&engine->arena, ast->decls.items[0], symbols, host))
        return WORLD_OK;
    diag_add(&report->diags, DIAG_E_HOST_SIGNATURE, (Span){file, 10, (uint32_t)text.len});
    return WORLD_ERROR_ARGUMENT;
}

static WorldStatus is_there(WorldEngine *engine, const HostFunction *host) {
    diag_add(&engine->report.diags, DIAG_E_NAME_TWICE, (Span){0}, host->name.ptr);
    return WORLD_ERROR_ARGUMENT;
}

typedef struct Registration {
    const char *signature;
    void (*function)(void);
    void *user;
} Registration;

static WorldStatus register_function(WorldEngine *engine, const Registration *wanted) {
    if (engine->host_count == HOST_FUNCTION_LIMIT) return WORLD_ERROR_LIMIT;
    HostFunction *host = ARENA_NEW(&engine->arena, HostFunction);
    Str signature = str_of(wanted->signature);
    host->signature =
        (Str){arena_strndup(&engine->arena, signature.ptr, signature.len), signature.len};
    host->function = wanted->function;
    host->user = wanted->user;
    WorldStatus status = parse_signature(engine, host);
    for (int i = 0; i < engine->host_count && status == WORLD_OK; i++)
        if (str_equal(engine->hosts[i]->signature, host->signature)) status = is_there(engine, host);
    if (status == WORLD_OK) engine->hosts[engine->host_count++] = host;
    return status;
}

WorldStatus world_register(WorldEngine *engine, const char *signature, void (*function)(void),
                           void *user) {
    if (engine == NULL || signature == NULL || function == NULL) return WORLD_ERROR_ARGUMENT;
    Registration wanted = {signature, function, user};
    Recover recover;
    WorldStatus status;
    pthread_mutex_lock(&engine->lock);
    if (MEMORY_TRY(&recover)) {
        status = register_function(engine, &wanted);
        memory_end_try(&recover);
    } else {
        status = WORLD_ERROR_MEMORY;
    }
    pthread_mutex_unlock(&engine->lock);
    return status;
}

/* -- the call -- */

static ffi_type *type_of_letter(char letter) {
    switch (letter) {
    case 'F':
        return &ffi_type_double;
    case 'I':
        return &ffi_type_sint64;
    case 'W':
        return &ffi_type_uint32;
    default:
        return &ffi_type_uint8;
    }
}

typedef struct HostCall {
    ffi_type *types[3 * MAX_PARAMS + 2];
    void *values[3 * MAX_PARAMS + 2];
    unsigned count;
} HostCall;

static void push(HostCall *call, ffi_type *type, void *value) {
    call->types[call->count] = type;
    call->values[call->count++] = value;
}

/* libffi reads a u32 or bool where it begins, and a slot holds it in its low bytes. */
static void *value_in(const Slot *slot, char letter) {
    size_t size = letter == 'W' ? sizeof(uint32_t) : letter == 'B' ? sizeof(bool) : sizeof *slot;
    return (char *)(uintptr_t)slot + (machine_is_little ? 0 : sizeof *slot - size);
}

static void push_params(HostCall *call, const HostFunction *host, const Slot *args) {
    for (int i = 0; i < host->param_count; i++) {
        bool vector = host->param_types[i] == 'V';
        for (int k = 0; k < (vector ? 3 : 1); k++)
            push(call, type_of_letter(vector ? 'F' : host->param_types[i]), value_in(args++, host->param_types[i]));
    }
}

/* The host functions that this thread is in, the innermost first. */
typedef struct HostVisit {
    const World *world;
    bool on_worker;
    const struct HostVisit *outer;
} HostVisit;
static _Thread_local const HostVisit *visits;

HostPlace host_place(const World *world) {
    HostPlace place = HOST_OUTSIDE;
    for (const HostVisit *visit = visits; visit; visit = visit->outer)
        if (visit->world == world) {
            if (visit->on_worker) return HOST_ON_WORKER;
            place = HOST_INSIDE;
        }
    return place;
}

static void host_call(Rt *rt, int index, const Slot *args, Slot *results) {
    const World *world = rt->engine;
    const HostFunction *host = world->engine->hosts[index];
    HostCall call = {.count = 0};
    void *user = host->user, *out = results;
    if (user) push(&call, &ffi_type_pointer, &user);
    push_params(&call, host, args);
    bool vector = host->result_type == 'V';
    if (vector) push(&call, &ffi_type_pointer, &out);
    ffi_cif cif;
    ffi_type *result = vector ? &ffi_type_void : type_of_letter(host->result_type);
    if (ffi_prep_cif(&cif, FFI_DEFAULT_ABI, call.count, result, call.types) != FFI_OK) {
        rt_fault(rt, RT_FAULT_HOST, "%.*s cannot be called", STR_ARG(host->name));
        return;
    }
    union {
        double f;
        ffi_arg word;
        ffi_sarg whole;
    } value = {0};
    bool asking = rt->worker == 0 && rt->host == &world->host; /* a thread of its own seed has another's (seeds.c) */
    HostVisit visit = {world, !asking, visits};
    visits = &visit;
    ffi_call(&cif, host->function, vector ? NULL : &value, call.values);
    visits = visit.outer;
    rt_poll(rt); /* it may have taken any time */
    if (host->result_type == 'F') results[0].f = value.f;
    if (host->result_type == 'I') results[0].i = (int64_t)value.whole;
    if (host->result_type == 'W') results[0].w = (uint32_t)value.word;
    if (host->result_type == 'B') results[0].w = (value.word & 0xff) != 0;
}

/* The places of the table, once: HOST_FUNCTION_LIMIT of them. */
#define HOST_ROW(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7)
#define HOST_PLACES(X)                                                                             \
    HOST_ROW(X, 00)                                                                                \
    HOST_ROW(X, 01)                                                                                \
    HOST_ROW(X, 02) HOST_ROW(X, 03) HOST_ROW(X, 04) HOST_ROW(X, 05) HOST_ROW(X, 06)                \
        HOST_ROW(X, 07)

/* The numbers are octal, as C reads them. */
#define HOST_THUNK(n)                                                                              \
    static void host_thunk_##n(Rt *rt, const Slot *args, Slot *results) {                          \
        host_call(rt, n, args, results);                                                           \
    }
HOST_PLACES(HOST_THUNK)

static const RtThunk host_thunks[] = {
#define HOST_ENTRY(n) host_thunk_##n,
    HOST_PLACES(HOST_ENTRY)};
_Static_assert(sizeof host_thunks / sizeof *host_thunks == HOST_FUNCTION_LIMIT, "a thunk a place");

RtThunk host_find_thunk(const WorldEngine *engine, Str name) {
    for (int i = 0; i < engine->host_count; i++)
        if (str_equal(engine->hosts[i]->name, name)) return host_thunks[i];
    return NULL;
}
