/* A finished module made executable: classes, texts, natives and an executor; and the growths
 * that questions add. */
#include "compiler/engine/open/open.h"
#include "stdlib/stdlib.h"

/* "list.sort[int]" is the native "list.sort"; a host's function stands under its own name alone. */
static RtThunk find_native(const WorldEngine *engine, Str name) {
    const char *bracket = memchr(name.ptr, '[', name.len);
    if (bracket) name.len = (size_t)(bracket - name.ptr);
    RtThunk thunk = stdlib_find(name);
    if (thunk) return thunk;
    for (size_t i = name.len; i > 0; i--)
        if (name.ptr[i - 1] == '.')
            return host_find_thunk(engine, (Str){name.ptr + i, name.len - i});
    return host_find_thunk(engine, name);
}

static bool bind_natives(Compile *c, const WorldEngine *engine, Arena *arena,
                         const IrModule *module, IrBinding *binding) {
    RtThunk *thunks = ARENA_ARRAY(arena, RtThunk, module->externs.count + 1);
    for (int i = 0; i < module->externs.count; i++) {
        Str name = module->externs.items[i].name;
        thunks[i] = find_native(engine, name);
        if (thunks[i]) continue;
        Str message = str_printf(&c->arena, "no native '%.*s'", STR_ARG(name));
        diag_add(&c->diags, DIAG_E_INTERNAL, (Span){0}, STR_ARG(message));
        return false;
    }
    binding->externs = thunks;
    return true;
}

/* A growth shares the texts of the module it grew from. */
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

static bool bind_module(World *world, Compile *c, Arena *arena, const IrModule *module,
                        const IrBinding *base, IrBinding *binding) {
    *binding = (IrBinding){.module = module, .texts = make_texts(arena, module, base)};
    return bind_natives(c, world->engine, arena, module, binding);
}

static ExecMode exec_mode(WorldExec exec) {
    if (exec == WORLD_EXEC_INTERPRETER) return EXEC_INTERPRET;
    return exec == WORLD_EXEC_JIT_ALWAYS ? EXEC_COMPILE : EXEC_AUTO;
}

/* Who insists on machine code is told when there is none. */
static bool check_machine_code(Compile *c, const WorldEngineDesc *desc, Exec *exec) {
    if (desc->exec != WORLD_EXEC_JIT && desc->exec != WORLD_EXEC_JIT_ALWAYS) return true;
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
    program->module = *c->lowering.module;
    if (!bind_module(world, c, &program->arena, &program->module, NULL, &program->binding))
        return false;
    program->classes =
        classes_create(&program->arena, c->program, &c->lowering, &program->class_count);
    program->binding.classes = (const RtClass *const *)program->classes;
    ExecOptions options = {.mode = exec_mode(desc->exec),
                           .level = world->engine->level,
                           .width = desc->width,
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

const TreeFn *program_closure_fn(const World *world, const RtClosure *closure) {
    const Compile *c = world->compile;
    for (int i = 0; closure && i < c->lowering.ir_index.count; i++)
        if (c->lowering.ir_index.items[i] == closure->func) return c->program->fns.items[i];
    return NULL;
}

/* -- growths -- */

void program_destroy_growth(Growth *growth) {
    if (growth == NULL) return;
    interp_destroy(growth->interp);
    Arena arena = growth->arena; /* the Growth lies in its own arena */
    arena_fini(&arena);
}

static void give_up(World *world, Growth *growth) {
    if (growth == NULL) return;
    growth->next = world->given_up;
    world->given_up = growth;
}

void program_drop_given_up(World *world) {
    for (Growth *growth = world->given_up, *next; growth; growth = next) {
        next = growth->next;
        program_destroy_growth(growth);
    }
    world->given_up = NULL;
}

static Growth *growth_create(World *world) {
    Arena arena;
    arena_init(&arena, &world->engine->memory);
    Growth *growth = ARENA_NEW(&arena, Growth);
    growth->arena = arena;
    growth->module = *world->compile->lowering.module;
    return growth;
}

/* The newest growth runs what all before it ran, so those are given up, but for a pinned one. */
bool program_grow(World *world) {
    Compile *c = world->compile;
    Growth *old = world->growth;
    if (!compile_more(c)) return false;
    if (old && old->interp && old->module.funcs.count == c->lowering.module->funcs.count)
        return true;
    Growth *growth = growth_create(world);
    if (old != world->pinned) give_up(world, old);
    world->growth = growth;
    if (!bind_module(world, c, &growth->arena, &growth->module, &world->program->binding,
                     &growth->binding))
        return false;
    growth->binding.classes = world->program->binding.classes;
    growth->interp = interp_create_more(&world->engine->memory, growth->binding,
                                        exec_interp(world->program->exec));
    return true;
}

void program_pin_growth(World *world) {
    Growth *old = world->pinned;
    world->pinned = world->growth;
    if (old != world->pinned) give_up(world, old);
}

static const Interp *interp_for(const World *world, int func) {
    const Growth *pinned = world->pinned;
    return pinned && func < pinned->module.funcs.count ? pinned->interp : world->growth->interp;
}

void program_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                 Slot *const *out) {
    const World *world = rt->engine;
    if (func < world->program->module.funcs.count)
        exec_run(world->program->exec, rt, func, n, uniform, in, out);
    else
        interp_run(interp_for(world, func), rt, func, n, uniform, in, out);
}
