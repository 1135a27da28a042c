/* The executor's face: which modules exist, and how one comes to be (cache, or emit, optimize,
 * generate; then link). A module is one kernel with what it calls, or one out-of-line function for
 * others to call.
 */
#include "compiler/llvm/jit.h"


#include "compiler/llvm/cache.h"
#include "compiler/llvm/names.h"
#include "compiler/llvm/module_file.h"
#include "compiler/llvm/object_file.h"
#include "compiler/llvm/session.h"
#include "runtime/base/clock.h"
#include "runtime/base/hash.h"

struct Jit {
    Memory *memory;
    Arena arena; /* as long as the Jit: variants, facts, names, tables of spans */
    EmitProgram program;
    JitOptions options;
    Target target;
    Session session;
    JitStats stats;
    Names names;
    SymbolTable defined; /* names the session knows */
    uint64_t base_key;
    bool only_cached; /* of the wish being met: compile nothing */
};

/* Adds the time since `*mark` to a statistic and moves the mark. */
static void lap(double *statistic, double *mark) {
    double now = clock_ms();
    *statistic += now - *mark;
    *mark = now;
}

static bool ensure_unit(Jit *jit, UnitShape shape, Arena *arena, Str *error);

/* Makes a name known to the session: defines an address, or sees to it that the function it names
 * is there. */
static bool ensure_name(Jit *jit, Str name, Arena *arena, Str *error) {
    if (symbols_find(&jit->defined, name)) return true;
    if (str_starts(name, STR_LIT("fn:"))) {
        const Variant *variant = names_variant(&jit->names, name);
        return variant && ensure_unit(jit, (UnitShape){.root = variant}, arena, error);
    }
    uint64_t address = names_resolve(&jit->names, name);
    bool zero_is_good = str_starts(name, STR_LIT("func:"));
    if (!address && !zero_is_good) {
        *error = str_printf(arena, "machine code asks for '%.*s', which this program has not",
                            STR_ARG(name));
        return false;
    }
    symbols_intern(&jit->defined, name);
    return session_define(&jit->session, arena_strndup(arena, name.ptr, name.len), address, arena,
                          error);
}

/* `names`: each ended by a NUL. */
static bool ensure_names(Jit *jit, Str names, Arena *arena, Str *error) {
    for (size_t at = 0; at < names.len;) {
        Str name = {names.ptr + at, strnlen(names.ptr + at, names.len - at)};
        if (!ensure_name(jit, name, arena, error)) return false;
        at += name.len + 1;
    }
    return true;
}

/* -- modules -- */

static Str unit_name(UnitShape shape, Arena *arena) {
    return shape.kernel ? kernel_name(arena, shape) : shape.root->name;
}

static uint64_t unit_key(Jit *jit, UnitShape shape, Str name) {
    uint64_t parts[] = {jit->base_key, facts_of(&jit->program, shape.root->func->index)->hash};
    return hash_bytes(name.ptr, name.len, hash_bytes(parts, sizeof parts, 0));
}

/* Fills the unit's module, optimized. */
static bool unit_build(Jit *jit, Unit *unit, UnitShape shape, Arena *arena, Str *error) {
    double mark = clock_ms();
    bool emitted = emit_unit(unit, shape);
    lap(&jit->stats.emit_ms, &mark);
    if (!emitted) *error = unit->error;
    bool good = emitted && unit_hold(unit, jit->memory, error) &&
                target_optimize(&jit->target, unit->module, unit->vectors, arena, error);
    lap(&jit->stats.optimize_ms, &mark);
    return good;
}

static Str join_names(const Unit *unit, Arena *arena) {
    StrBuf names = {.arena = arena};
    for (int i = 0; i < unit->symbols.count; i++) {
        strbuf_str(&names, unit->symbols.items[i]);
        strbuf_char(&names, '\0');
    }
    return strbuf_take(&names);
}

/* Machine code or assembly of a fresh unit, as text in `arena`. Memory that runs out leaves by the
 * recovery point armed here, so that LLVM's objects are freed first. */
static bool unit_compile(Jit *jit, UnitShape shape, bool assembly, Arena *arena, CacheEntry *out,
                         Str *error) {
    Unit unit;
    Recover recover;
    volatile bool good = false;
    unit_init(&unit, &jit->program, &jit->target, arena);
    if (MEMORY_TRY(&recover)) {
        good = unit_build(jit, &unit, shape, arena, error);
        double mark = clock_ms();
        LLVMMemoryBufferRef code = NULL;
        if (good) code = target_generate(&jit->target, unit.module, assembly, arena, error);
        lap(&jit->stats.codegen_ms, &mark);
        good = code != NULL;
        if (code) {
            size_t size = LLVMGetBufferSize(code);
            out->object = (Str){arena_strndup(arena, LLVMGetBufferStart(code), size), size};
            out->names = join_names(&unit, arena);
            LLVMDisposeMemoryBuffer(code);
        }
        memory_end_try(&recover);
    } else {
        *error = STR_LIT("out of memory while machine code was made");
    }
    unit_fini(&unit, jit->memory);
    return good;
}

/* The module's code, from the cache or made and put there. */
static bool unit_code(Jit *jit, UnitShape shape, Str name, Arena *arena, CacheEntry *code,
                      Str *error) {
    const char *dir = jit->options.cache_dir;
    uint64_t key = unit_key(jit, shape, name);
    double mark = clock_ms();
    bool cached = dir && cache_read(dir, key, arena, code);
    lap(&jit->stats.load_ms, &mark);
    if (cached) {
        jit->stats.from_cache++;
        return true;
    }
    if (jit->only_cached) {
        *error = STR_LIT("not in the cache");
        return false;
    }
    if (!unit_compile(jit, shape, false, arena, code, error)) return false;
    jit->stats.compiled++;
    if (dir) cache_write(dir, key, *code);
    return true;
}

static bool ensure_unit(Jit *jit, UnitShape shape, Arena *arena, Str *error) {
    Str name = unit_name(shape, arena);
    if (symbols_find(&jit->defined, name)) return true;
    CacheEntry code;
    if (!unit_code(jit, shape, name, arena, &code, error)) return false;
    if (!ensure_names(jit, code.names, arena, error)) return false;
    double mark = clock_ms();
    LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(code.object.ptr, code.object.len, "world");
    symbols_intern(&jit->defined, name);
    bool good = session_add(&jit->session, buffer, arena, error);
    lap(&jit->stats.load_ms, &mark);
    return good;
}

/* -- the interface -- */

/* The module a form asks for. */
static UnitShape kernel_shape(Jit *jit, int index, JitForm form, int lanes) {
    const IrFunc *func = jit->program.binding.module->funcs.items[index];
    bool wide = form.wide && func->batchable;
    bool *uniform = ARENA_ARRAY(&jit->arena, bool, func->params.count + 1);
    for (int i = 0; i < func->params.count; i++)
        uniform[i] = !wide || (i < 64 && (form.uniform >> i & 1));
    int width = wide ? lanes : 1;
    const Variant *root = variant_get(&jit->program, func, width, uniform, false);
    return (UnitShape){root, true, root->width > 1 ? form.uniform : 0};
}

static RtKernel find_kernel(Jit *jit, int func, JitForm form, Arena *arena, Str *error) {
    UnitShape shape = kernel_shape(jit, func, form, jit->options.width);
    uint64_t address;
    if (!ensure_unit(jit, shape, arena, error)) return NULL;
    double mark = clock_ms();
    bool good = session_find(&jit->session, unit_name(shape, arena).ptr, &address, arena, error);
    lap(&jit->stats.load_ms, &mark);
    return good ? (RtKernel)(uintptr_t)address : NULL;
}

static RtKernel jit_kernel(Jit *jit, int func, JitForm form, bool cached, Arena *arena,
                           Str *error) {
    Recover recover;
    RtKernel kernel = NULL;
    jit->only_cached = cached;
    if (MEMORY_TRY(&recover)) {
        kernel = find_kernel(jit, func, form, arena, error);
        memory_end_try(&recover);
        return kernel;
    }
    *error = STR_LIT("out of memory while machine code was made");
    return NULL;
}

static Str dump_module(Jit *jit, UnitShape shape, Arena *arena, Str *error) {
    Unit unit;
    Str text = {0};
    unit_init(&unit, &jit->program, &jit->target, arena);
    if (unit_build(jit, &unit, shape, arena, error)) {
        char *printed = LLVMPrintModuleToString(unit.module);
        text = str_of(arena_strndup(arena, printed, strlen(printed)));
        LLVMDisposeMessage(printed);
    }
    unit_fini(&unit, jit->memory);
    return text;
}

static Str jit_dump(Jit *jit, int func, JitForm form, bool assembly, Arena *arena, Str *error) {
    UnitShape shape = kernel_shape(jit, func, form, jit->options.width);
    CacheEntry code = {0};
    if (!assembly) return dump_module(jit, shape, arena, error);
    unit_compile(jit, shape, true, arena, &code, error);
    return code.object;
}

/* Code generation may ask for these by itself. */
static bool define_copies(Jit *jit, Arena *arena, Str *error) {
    return ensure_name(jit, STR_LIT("memcpy"), arena, error) &&
           ensure_name(jit, STR_LIT("memmove"), arena, error) &&
           ensure_name(jit, STR_LIT("memset"), arena, error);
}

static uint64_t make_base_key(const Jit *jit) {
    unsigned version[3];
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    uint64_t key = hash_bytes(version, sizeof version, cache_build_id() + JIT_ABI);
    key = hash_bytes(jit->target.cpu, strlen(jit->target.cpu), key);
    key = hash_bytes(jit->target.features, strlen(jit->target.features), key);
    return hash_bytes(&jit->target.level, sizeof jit->target.level, key);
}

static void jit_destroy(Jit *jit) {
    Memory *memory = jit->memory;
    session_fini(&jit->session);
    target_fini(&jit->target);
    arena_fini(&jit->arena);
    memory_resize(memory, jit, sizeof *jit, 0);
}

static Jit *jit_create(Memory *memory, Arena *arena, const JitOptions *options, IrBinding binding,
                       Str *error) {
    static const char good_widths[] = {0, 1, 2, 4, 8};
    if (options->width < 0 || options->width > 8 || !memchr(good_widths, options->width, 5)) {
        *error = STR_LIT("machine code has 1, 2, 4 or 8 lanes");
        return NULL;
    }
    Jit *jit = memory_try_resize(memory, NULL, 0, sizeof *jit);
    *error = STR_LIT("out of memory");
    if (!jit) return NULL;
    *jit = (Jit){.memory = memory, .options = *options, .program = {.binding = binding}};
    arena_init(&jit->arena, memory);
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        jit->program.arena = &jit->arena;
        jit->program.facts = ARENA_ARRAY(&jit->arena, FuncFacts, binding.module->funcs.count + 1);
        jit->program.variants =
            ARENA_ARRAY(&jit->arena, Variant *, binding.module->funcs.count + 1);
        names_init(&jit->names, &jit->program, options->entries);
        symbols_init(&jit->defined, &jit->arena);
        bool good = target_init(&jit->target, options->level, options->processor, arena, error) &&
                    session_init(&jit->session, arena, error) && define_copies(jit, arena, error);
        memory_end_try(&recover);
        if (good) {
            if (jit->options.width == 0) jit->options.width = jit->target.lanes;
            jit->base_key = make_base_key(jit);
            *error = (Str){0};
            return jit;
        }
    }
    jit_destroy(jit);
    return NULL;
}

/* -- object files -- */

static JitMachine jit_object_machine(Jit *jit, const char *triple, const char *processor, Arena *arena, Str *error) {
    Target target;
    bool good = target_init_object(&target, jit->options.level, triple, processor, arena, error);
    JitMachine machine = {0};
    if (good) machine = (JitMachine){target.lanes, target.can.pointer, target_is_wasm(&target)};
    target_fini(&target);
    return machine;
}

typedef struct Shapes {
    Jit *jit;
    int lanes;
} Shapes;

static UnitShape pointer_shape(void *user, const JitPointer *pointer) {
    Shapes *shapes = user;
    return kernel_shape(shapes->jit, (int)pointer->to, pointer->form, shapes->lanes);
}

static Str make_object(Jit *jit, const JitObject *wish, const Target *target, Arena *arena, Str *error) {
    Unit unit;
    Recover recover;
    Str bytes = {0};
    Shapes shapes = {jit, target->lanes};
    LLVMMemoryBufferRef volatile code = NULL;
    unit_init(&unit, &jit->program, target, arena);
    if (MEMORY_TRY(&recover)) {
        if (object_file_build(&unit, wish, target, &jit->names, pointer_shape, &shapes, jit->memory, arena, error))
            code = target_generate(target, unit.module, false, arena, error);
        if (code) {
            bytes.len = LLVMGetBufferSize(code);
            bytes.ptr = arena_strndup(arena, LLVMGetBufferStart(code), bytes.len);
        }
        if (code && wish->name == NULL) bytes = module_file(bytes, arena, error);
        memory_end_try(&recover);
    } else {
        bytes = (Str){0};
        *error = STR_LIT("out of memory while machine code was made");
    }
    if (code) LLVMDisposeMemoryBuffer(code);
    unit_fini(&unit, jit->memory);
    return bytes;
}

static Str jit_object(Jit *jit, const JitObject *wish, Arena *arena, Str *error) {
    Target target;
    Str bytes = {0};
    if (target_init_object(&target, jit->options.level, wish->triple, wish->processor, arena, error))
        bytes = make_object(jit, wish, &target, arena, error);
    target_fini(&target);
    return bytes;
}

static int jit_width(const Jit *jit) {
    return jit->options.width;
}

static Str jit_describe(const Jit *jit, Arena *arena) {
    unsigned version[3];
    LLVMGetVersion(&version[0], &version[1], &version[2]);
    return str_printf(arena, "%s, %d lanes, LLVM %u.%u.%u", jit->target.cpu, jit->options.width,
                      version[0], version[1], version[2]);
}

static JitStats jit_stats(const Jit *jit) {
    return jit->stats;
}

__attribute__((visibility("default"))) const JitApi *world_jit_entry(void) {
    static const JitApi api = {JIT_ABI,    jit_create, jit_destroy,  jit_width,
                               jit_kernel, jit_dump,   jit_describe, jit_stats, jit_object_machine, jit_object};
    return &api;
}
