/* A finished module made executable: classes, texts, natives and an executor. */
#include "compiler/engine/open/open.h"
#include "stdlib/stdlib.h"

/* "list.sort[int]" is the native "list.sort"; a host's function stands under its own name alone. */
static RtThunk find_native(const WorldEngine *engine, Str name) {
    const char *bracket = memchr(name.ptr, '[', name.len);
    if (bracket) name.len = (size_t)(bracket - name.ptr);
    RtThunk thunk = stdlib_find(name);
    if (thunk) return thunk;
    return host_find_thunk(engine, str_last_name(name));
}

static bool bind_natives(const WorldEngine *engine, Arena *arena, DiagList *diags,
                         const IrBinding *base, IrBinding *binding) {
    const IrModule *module = binding->module;
    int known = base ? base->module->externs.count : 0;
    RtThunk *thunks = ARENA_ARRAY(arena, RtThunk, module->externs.count + 1);
    if (known) memcpy(thunks, base->externs, sizeof *thunks * (size_t)known);
    for (int i = known; i < module->externs.count; i++) {
        Str name = module->externs.items[i].name;
        thunks[i] = find_native(engine, name);
        if (thunks[i]) continue;
        Str message = str_printf(arena, "no native '%.*s'", STR_ARG(name));
        diag_add(diags, DIAG_E_INTERNAL, (Span){0}, STR_ARG(message));
        return false;
    }
    binding->externs = thunks;
    return true;
}

static RtText *const *make_texts(Arena *arena, const IrModule *module, const IrBinding *base) {
    RtText **texts = ARENA_ARRAY(arena, RtText *, module->texts.count + 1);
    int known = base ? base->module->texts.count : 0;
    if (known) memcpy(texts, base->texts, sizeof *texts * (size_t)known);
    for (int i = known; i < module->texts.count; i++) {
        texts[i] = ARENA_NEW(arena, RtText);
        *texts[i] = (RtText){{RT_TEXT}, module->texts.items[i]};
    }
    return texts;
}

bool program_bind(const World *world, Arena *arena, DiagList *diags, const IrModule *module,
                  const IrBinding *base, IrBinding *binding) {
    *binding = (IrBinding){.module = module, .texts = make_texts(arena, module, base)};
    if (base) binding->classes = base->classes;
    return bind_natives(world->engine, arena, diags, base, binding);
}

static ExecMode exec_mode(WorldExec exec) {
    if (exec == WORLD_EXEC_INTERPRETER) return EXEC_INTERPRET;
    return exec == WORLD_EXEC_JIT_ALWAYS ? EXEC_COMPILE : EXEC_AUTO;
}

/* Who insists on machine code, or on whose, is told when there is none. */
static bool check_machine_code(Compile *c, const WorldEngineDesc *desc, Exec *exec) {
    bool insists = desc->exec == WORLD_EXEC_JIT || desc->exec == WORLD_EXEC_JIT_ALWAYS;
    if (desc->exec == WORLD_EXEC_INTERPRETER || (!insists && desc->processor == NULL)) return true;
    Str who = exec_describe(exec, &c->arena), missing = STR_LIT("interpreter; ");
    if (!str_starts(who, missing)) return true;
    Str reason = {who.ptr + missing.len, who.len - missing.len};
    diag_add(&c->diags, DIAG_E_NO_MACHINE_CODE, (Span){0}, STR_ARG(reason));
    return false;
}

bool program_execute(void *user, Compile *c) {
    World *world = user;
    const WorldEngineDesc *desc = &world->engine->desc;
    Arena arena;
    arena_init(&arena, &world->engine->memory);
    Program *program = ARENA_NEW(&arena, Program);
    program->arena = arena;
    world->made = program; /* from here on it is dropped whatever happens */
    if (!program_bind(world, &program->arena, &c->diags, c->lowering.module, NULL,
                      &program->binding))
        return false;
    program->classes =
        classes_create(&program->arena, c, &program->class_count);
    program->binding.classes = (const RtClass *const *)program->classes;
    ExecOptions options = {.mode = exec_mode(desc->exec),
                           .level = world->engine->level,
                           .width = desc->width,
                           .processor = desc->processor,
                           .cache_dir = desc->cache_dir};
    program->exec = exec_create(&world->engine->memory, &options, program->binding);
    return check_machine_code(c, desc, program->exec);
}

void program_destroy(Program *program) {
    if (program == NULL) return;
    if (program->exec) exec_destroy(program->exec);
    Arena arena = program->arena; /* the Program lies in its own arena */
    arena_fini(&arena);
}

void program_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                 Slot *const *out) {
    const World *world = rt->engine;
    exec_run(world->program->exec, rt, func, n, uniform, in, out);
}
