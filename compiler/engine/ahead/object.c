/* world_object: the world's functions as an object file and a C header; world_code: as a module of WebAssembly. */
#include "compiler/engine/ahead/object.h"

#include "compiler/engine/ask/ask.h"
#include "runtime/base/hash.h"
#include "stdlib/library_names.h"

typedef struct ObjectCall {
    const WorldObjectDesc *desc;
    const void **object;
    size_t *size;
    const char **header;
} ObjectCall;

static WorldStatus refuse(World *world, Str why) {
    diag_add(&world->report.diags, DIAG_E_OBJECT, (Span){0}, STR_ARG(why));
    return WORLD_ERROR_WORLD;
}

/* A host's function is none of the library's, so no linker finds it. */
static WorldStatus check_natives(World *world, Arena *arena) {
    const IrModule *module = world->program->binding.module;
    for (int i = 0; i < module->externs.count; i++) {
        Str name = module->externs.items[i].name;
        if (host_find_thunk(world->engine, str_last_name(name)))
            return refuse(world, str_printf(arena, "'%.*s' is a function of the host, and an object has none", STR_ARG(str_last_name(name))));
    }
    return WORLD_OK;
}

static WorldStatus check_answers(World *world, const Object *object) {
    for (int i = 0; i < object->answers.count; i++)
        if (!object->answers.items[i].why) return WORLD_OK;
    return refuse(world, STR_LIT("it has no function and no field of numbers or places for a host to ask"));
}

/* -- grids that are worked out now -- */

static bool holds_grid(const World *world, const TreeField *field) {
    return field->type->kind == TYPE_OBJECT &&
           str_equal(symbols_name(&world->compile->symbols, field->type->name), STR_LIT(STD_grid_heightGrid));
}

static void find_grids(Object *object, Rt *rt) {
    for (int i = 0; i < object->places.count; i++) {
        const ObjectPlace *place = &object->places.items[i];
        RtPart *part = rt_world_root(object->world->parts);
        for (int d = 0; part && d < place->depth; d++)
            part = rt_part_child(rt, part, place->path[d]);
        for (int f = 0; part && f < place->cls->fields.count; f++) {
            if (!holds_grid(object->world, &place->cls->fields.items[f])) continue;
            ObjectGrid grid = {*place, f, rt_cell_get(rt, part, f)->r};
            if (rt_failed(rt)) return;
            if (grid.grid) VEC_PUSH(object->arena, &object->grids, grid);
        }
    }
}

/* -- making -- */

static AheadNeeds needs_of(const WorldObjectDesc *desc, JitMachine machine) {
    bool arm = desc->target ? strncmp(desc->target, "aarch64", 7) == 0 : false;
#ifdef __aarch64__
    arm = arm || desc->target == NULL;
#endif
    if (arm || machine.wasm) return AHEAD_ANY;
    bool newest = desc->processor && strcmp(desc->processor, "x86-64-v4") == 0;
#ifdef __x86_64__
    bool native = desc->processor && strcmp(desc->processor, "native") == 0;
    newest = newest || (native && __builtin_cpu_supports("avx512f"));
#endif
    return newest ? AHEAD_AVX512 : machine.lanes > 2 ? AHEAD_AVX2 : AHEAD_SSE4_1;
}

/* What lives until the next of these. */
static void hand(World *world, const ObjectCall *call, Str bytes, Str header) {
    Arena fresh;
    arena_init(&fresh, world->dumped.memory);
    *call->object = arena_strndup(&fresh, bytes.ptr, bytes.len);
    *call->size = bytes.len;
    if (call->header) *call->header = arena_strndup(&fresh, header.ptr, header.len);
    arena_fini(&world->dumped);
    world->dumped = fresh;
}

static WorldStatus no_machine_code(World *world, Str error) {
    diag_add(&world->report.diags, DIAG_E_OBJECT, (Span){0}, STR_ARG(error));
    return WORLD_ERROR_NOT_FOUND;
}

static WorldStatus make(Object *object, const ObjectCall *call) {
    World *world = object->world;
    const WorldObjectDesc *desc = call->desc;
    Str error = {0};
    object->machine = exec_object_machine(world->program->exec, desc->target, desc->processor, object->arena, &error);
    if (object->machine.lanes == 0) return no_machine_code(world, error);
    object->needs = needs_of(desc, object->machine);
    Str body = object_header(object);
    object->key = hash_bytes(body.ptr, body.len, (uint64_t)object->answers.count);
    ObjectImage image = object_image(object);
    JitObject wish = {.triple = desc->target,
                      .processor = desc->processor,
                      .name = str_printf(object->arena, "%.*s_image", STR_ARG(object->prefix)).ptr,
                      .image = image.bytes,
                      .pointers = image.pointers,
                      .pointer_count = image.pointer_count,
                      .texts = image.texts,
                      .classes = image.classes};
    Str bytes = exec_object(world->program->exec, &wish, object->arena, &error);
    if (bytes.len == 0) return no_machine_code(world, error);
    hand(world, call, bytes, object_header(object));
    return WORLD_OK;
}

static WorldStatus run_object(World *world, Rt *rt, void *args) {
    const ObjectCall *call = args;
    Object object = {.world = world, .arena = rt->arena, .prefix = str_of(call->desc->prefix)};
    WorldStatus status = check_natives(world, rt->arena);
    if (status != WORLD_OK) return status;
    object_find_places(&object);
    object_find_answers(&object);
    status = check_answers(world, &object);
    if (status == WORLD_OK && call->desc->grids) {
        find_grids(&object, rt);
        status = entry_fault(world, rt);
    }
    return status == WORLD_OK ? make(&object, call) : status;
}

/* A name of C. */
static bool is_name(const char *prefix) {
    if (!prefix || !*prefix || (*prefix >= '0' && *prefix <= '9')) return false;
    for (; *prefix; prefix++) {
        bool letter = (*prefix >= 'a' && *prefix <= 'z') || (*prefix >= 'A' && *prefix <= 'Z') || (*prefix >= '0' && *prefix <= '9');
        if (!letter && *prefix != '_') return false;
    }
    return true;
}

WorldStatus world_object(World *world, const WorldObjectDesc *desc, const void **object, size_t *size, const char **header) {
    if (desc == NULL || object == NULL || size == NULL || header == NULL || !is_name(desc->prefix)) return WORLD_ERROR_ARGUMENT;
    ObjectCall call = {desc, object, size, header};
    return entry_run(world, run_object, &call);
}

/* -- for a page -- */

static WorldStatus run_code(World *world, Rt *rt, void *args) {
    Object object = {.world = world, .arena = rt->arena};
    Str error = {0};
    object_find_places(&object);
    object_find_answers(&object);
    ObjectKernels kernels = object_kernels(&object);
    JitObject wish = {.triple = "wasm32-unknown-emscripten", .pointers = kernels.items, .pointer_count = kernels.count};
    Str bytes = exec_object(world->program->exec, &wish, rt->arena, &error);
    if (bytes.len == 0) return no_machine_code(world, error);
    hand(world, args, bytes, (Str){0});
    return WORLD_OK;
}

WorldStatus world_code(World *world, const void **module, size_t *size) {
    if (module == NULL || size == NULL) return WORLD_ERROR_ARGUMENT;
    ObjectCall call = {.object = module, .size = size};
    return entry_run(world, run_code, &call);
}
