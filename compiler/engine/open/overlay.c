/* See overlay.h. What a question is first to need of the library has its tree in the Compile from
 * then on; its IR is made for every overlay anew, so that nothing of the program changes. */
#include "compiler/engine/open/overlay.h"

#include "compiler/opt/opt.h"

enum { KEPT = 32 }; /* overlays that a world keeps for itself */

/* -- lives -- */

static void link_first(World *world, Overlay *overlay) {
    overlay->next = world->overlays.first;
    world->overlays.first = overlay;
}

static void run(const RtCode *code, Rt *rt, int32_t func, int64_t n, uint64_t uniform,
                const Slot *const *in, Slot *const *out) {
    const Overlay *overlay = (const Overlay *)code;
    exec_run(overlay->exec, rt, func, n, uniform, in, out);
}

Overlay *overlay_create(World *world) {
    Arena arena;
    arena_init(&arena, &world->engine->memory);
    Overlay *overlay = ARENA_NEW(&arena, Overlay);
    *overlay =
        (Overlay){.code = {.run = run}, .world = world, .compile = world->compile, .arena = arena};
    link_first(world, overlay);
    world->overlays.count++;
    overlay->lowering = lower_begin_question(&overlay->compile->lowering, &overlay->arena);
    return overlay;
}

static void destroy(Overlay *overlay) {
    if (overlay->file) sources_end(&overlay->compile->sources, overlay->file);
    if (overlay->exec) exec_destroy(overlay->exec);
    Arena arena = overlay->arena; /* the Overlay lies in its own arena */
    arena_fini(&arena);
}

static bool is_held(const Overlay *overlay) {
    return __atomic_load_n(&overlay->code.holders, __ATOMIC_ACQUIRE) > 0;
}

void overlays_sweep(World *world) {
    OverlayList *list = &world->overlays;
    int kept = 0;
    if (list->count <= list->held + KEPT) return;
    list->count = list->held = 0;
    for (Overlay **at = &list->first; *at;) {
        Overlay *overlay = *at;
        bool held = is_held(overlay);
        if (held || kept++ < KEPT / 2) {
            list->count++;
            list->held += held;
            at = &overlay->next;
        } else {
            *at = overlay->next;
            destroy(overlay);
        }
    }
}

void overlays_destroy(Overlay *first) {
    for (Overlay *next; first; first = next) {
        next = first->next;
        destroy(first);
    }
}

Overlay *overlay_find(World *world, Str text, const Type *wanted) {
    for (Overlay **at = &world->overlays.first; *at; at = &(*at)->next) {
        Overlay *found = *at;
        if (!found->text.ptr || found->wanted != wanted || !str_equal(found->text, text)) continue;
        *at = found->next;
        link_first(world, found);
        return found;
    }
    return NULL;
}

/* -- making -- */

int overlay_add(Overlay *overlay, const TreeFn *fn) {
    return lower_find(&overlay->lowering, overlay->compile->program, fn, &overlay->arena);
}

static bool verify(const Overlay *overlay) {
    Compile *c = overlay->compile;
    Str error;
    bool good =
        ir_verify_from(overlay->lowering.module, overlay->lowering.first, &c->scratch, &error);
    if (!good) diag_add(&overlay->world->report.diags, DIAG_E_INTERNAL, (Span){0}, STR_ARG(error));
    arena_fini(&c->scratch);
    return good;
}

bool overlay_finish(Overlay *overlay) {
    World *world = overlay->world;
    IrModule *module = overlay->lowering.module;
    if (!verify(overlay)) return false;
    opt_run(module, &overlay->compile->scratch, &(OptPlan){.first = overlay->lowering.first, .level = world->engine->level, .bodies = &overlay->compile->bodies});
    arena_fini(&overlay->compile->bodies);
    arena_fini(&overlay->compile->scratch);
    if (!program_bind(world, &overlay->arena, &world->report.diags, module,
                      &world->program->binding, &overlay->binding))
        return false;
    overlay->binding.code = &overlay->code;
    overlay->binding.first = overlay->lowering.first;
    overlay->exec = exec_create_more(world->program->exec, overlay->binding);
    return true;
}

bool overlay_callee(World *world, const TreeFn *fn, Callee *callee) {
    Compile *c = world->compile;
    *callee = (Callee){NULL, lower_find(&c->lowering, c->program, fn, &c->arena)};
    if (callee->func >= 0) return true;
    callee->overlay = overlay_create(world);
    callee->func = overlay_add(callee->overlay, fn);
    return overlay_finish(callee->overlay);
}

/* -- asking -- */

void callee_run(Rt *rt, Callee callee, int64_t n, uint64_t uniform, const Slot *const *in,
                Slot *const *out) {
    if (callee.overlay)
        run(&callee.overlay->code, rt, callee.func, n, uniform, in, out);
    else
        program_run(rt, callee.func, n, uniform, in, out);
}

const TreeFn *overlay_closure_fn(const World *world, const RtClosure *closure) {
    const Compile *c = world->compile;
    if (closure == NULL) return NULL;
    const Overlay *overlay = (const Overlay *)closure->code;
    const Lowering *lowering = overlay ? &overlay->lowering : &c->lowering;
    return lower_tree_of(lowering, c->program, closure->func);
}
