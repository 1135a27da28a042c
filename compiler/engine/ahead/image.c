/* The image: structs of the runtime as they lie where the object is for, and for each pointer in them a note of where it leads. */
#include "compiler/engine/ahead/object.h"

#include <stdlib.h>

typedef struct Writer {
    const Object *object;
    Arena *arena;
    size_t pointer; /* its bytes */
    char *bytes;
    size_t length, capacity;
    VEC(JitPointer) pointers;
} Writer;

/* Where a member of a struct lies that is put at `at`, and how large such a struct is. */
#define PLACE(w, at, Type, member) ((at) + layout_place(LAYOUT_##Type, offsetof(Type, member), (w)->pointer))
#define SIZE(w, Type) layout_size(LAYOUT_##Type, (w)->pointer)

static size_t put(Writer *w, const void *data, size_t size) {
    size_t at = (w->length + 15) & ~(size_t)15, end = at + size;
    if (end > w->capacity) {
        size_t wanted = end * 2;
        w->bytes = arena_grow(w->arena, w->bytes, w->capacity, wanted);
        memset(w->bytes + w->capacity, 0, wanted - w->capacity);
        w->capacity = wanted;
    }
    if (data && size) memcpy(w->bytes + at, data, size);
    w->length = end;
    return at;
}

/* The pointer at `at` leads to `to`. */
static void point(Writer *w, size_t at, size_t to) {
    JitPointer pointer = {.at = at, .to = (int64_t)to};
    memset(w->bytes + at, 0, w->pointer);
    VEC_PUSH(w->arena, &w->pointers, pointer);
}

static void point_kernel(Writer *w, size_t at, int func, JitForm form) {
    JitPointer pointer = {at, true, func, form};
    VEC_PUSH(w->arena, &w->pointers, pointer);
}

/* An array that the pointer at `at` led to; none stays none. */
static size_t put_array(Writer *w, size_t at, const void *items, size_t size) {
    memset(w->bytes + at, 0, w->pointer);
    if (items == NULL || size == 0) return 0;
    size_t place = put(w, items, size);
    point(w, at, place);
    return place;
}

/* Structs, each as it lies there. */
static size_t put_structs(Writer *w, const char *layout, const void *items, size_t size, int count) {
    size_t there = layout_size(layout, w->pointer), at = put(w, NULL, there * (size_t)count);
    for (int i = 0; i < count; i++)
        layout_copy(layout, w->pointer, (const char *)items + size * (size_t)i, w->bytes + at + there * (size_t)i);
    return at;
}
#define PUT(w, Type, items, count) put_structs(w, LAYOUT_##Type, items, sizeof(Type), count)

/* An array of them that the pointer at `at` led to; none stays none. */
static size_t put_all(Writer *w, size_t at, size_t place, int count) {
    memset(w->bytes + at, 0, w->pointer);
    if (count) point(w, at, place);
    return place;
}
#define PUT_ALL(w, at, Type, items, count) put_all(w, at, PUT(w, Type, items, count), count)

static void put_letters(Writer *w, size_t at, const char *letters) {
    put_array(w, at, letters, letters ? strlen(letters) + 1 : 0);
}

/* A Str at `at`, which ends with a NUL. */
static void put_str(Writer *w, size_t at, Str text) {
    char *copy = arena_strndup(w->arena, text.ptr ? text.ptr : "", text.len);
    put_array(w, PLACE(w, at, Str, ptr), copy, text.len + 1);
}

/* -- classes -- */

static void put_fields(Writer *w, size_t at, const RtClass *cls) {
    size_t fields = PUT_ALL(w, PLACE(w, at, RtClass, fields), RtField, cls->fields, cls->field_count);
    for (int i = 0; i < cls->field_count; i++, fields += SIZE(w, RtField)) {
        const RtField *field = &cls->fields[i];
        put_str(w, PLACE(w, fields, RtField, name), field->name);
        put_letters(w, PLACE(w, fields, RtField, slot_types), field->slot_types);
        put_letters(w, PLACE(w, fields, RtField, thing_types), field->thing_types);
    }
}

static void put_children(Writer *w, size_t at, const RtClass *cls) {
    size_t child = PUT_ALL(w, PLACE(w, at, RtClass, children), RtChild, cls->children, cls->child_count);
    for (int i = 0; i < cls->child_count; i++, child += SIZE(w, RtChild))
        put_str(w, PLACE(w, child, RtChild, name), cls->children[i].name);
    size_t family = PUT_ALL(w, PLACE(w, at, RtClass, families), RtFamily, cls->families, cls->family_count);
    for (int i = 0; i < cls->family_count; i++, family += SIZE(w, RtFamily))
        put_str(w, PLACE(w, family, RtFamily, name), cls->families[i].name);
}

static size_t put_class(Writer *w, const RtClass *cls) {
    size_t at = PUT(w, RtClass, cls, 1);
    put_str(w, PLACE(w, at, RtClass, name), cls->name);
    put_fields(w, at, cls);
    put_children(w, at, cls);
    put_array(w, PLACE(w, at, RtClass, elaborates), cls->elaborates, sizeof *cls->elaborates * (size_t)cls->elaborate_count);
    PUT_ALL(w, PLACE(w, at, RtClass, handlers), RtHandler, cls->handlers, cls->handler_count);
    put_array(w, PLACE(w, at, RtClass, grounds), cls->grounds, sizeof *cls->grounds * (size_t)cls->ground_count);
    put_letters(w, PLACE(w, at, RtClass, capture_types), cls->capture_types);
    return at;
}

static size_t *put_classes(Writer *w, size_t root) {
    const Program *program = w->object->world->program;
    size_t *places = ARENA_ARRAY(w->arena, size_t, program->class_count);
    size_t table = put(w, NULL, w->pointer * (size_t)program->class_count);
    point(w, PLACE(w, root, WorldAheadImage, classes), table);
    for (int i = 0; i < program->class_count; i++) {
        places[i] = put_class(w, program->classes[i]);
        point(w, table + w->pointer * (size_t)i, places[i]);
    }
    return places;
}

static size_t *put_texts(Writer *w) {
    const IrBinding *binding = &w->object->world->program->binding;
    size_t *places = ARENA_ARRAY(w->arena, size_t, binding->module->texts.count + 1);
    for (int i = 0; i < binding->module->texts.count; i++) {
        places[i] = PUT(w, RtText, binding->texts[i], 1);
        put_str(w, PLACE(w, places[i], RtText, text), binding->texts[i]->text);
    }
    return places;
}

/* -- functions -- */

typedef struct Roots {
    const IrModule *module;
    bool *asked;         /* by function: something other than a function calls it */
    bool *batches;       /* over many elements */
    uint64_t *uniform;   /* then the columns that are */
} Roots;

static void add_root(Roots *roots, int func) {
    if (func >= 0) roots->asked[func] = true;
}

static void add_batch(Roots *roots, int func, int uniform_count) {
    roots->asked[func] = true;
    if (roots->batches[func] || !roots->module->funcs.items[func]->batchable || uniform_count > 63) return;
    roots->batches[func] = true;
    roots->uniform[func] = (UINT64_C(1) << uniform_count) - 1;
}

static bool add_closure(const IrIns *ins, void *user) {
    if (ins->op == IR_CLOSURE) add_batch(user, (int)ins->imm.i, ins->arg_count);
    return true;
}

static Roots find_roots(const Object *object) {
    const Program *program = object->world->program;
    const IrModule *module = program->binding.module;
    Roots roots = {.module = module,
                   .asked = ARENA_ARRAY(object->arena, bool, module->funcs.count + 1),
                   .batches = ARENA_ARRAY(object->arena, bool, module->funcs.count + 1),
                   .uniform = ARENA_ARRAY(object->arena, uint64_t, module->funcs.count + 1)};
    for (int i = 0; i < program->class_count; i++) {
        const RtClass *cls = program->classes[i];
        for (int f = 0; f < cls->field_count; f++) {
            add_root(&roots, cls->fields[f].init);
            add_root(&roots, cls->fields[f].within - 1);
        }
        for (int e = 0; e < cls->elaborate_count; e++)
            add_root(&roots, cls->elaborates[e]);
        for (int h = 0; h < cls->handler_count; h++)
            add_root(&roots, cls->handlers[h].acts);
    }
    for (int i = 0; i < module->funcs.count; i++)
        ir_each_ins(ir_run_body(module->funcs.items[i]), add_closure, &roots);
    for (int i = 0; i < object->answers.count; i++)
        if (!object->answers.items[i].why && object->answers.items[i].fn) add_batch(&roots, object->answers.items[i].func, object->answers.items[i].self);
    return roots;
}

static void put_funcs(Writer *w, size_t root) {
    Roots roots = find_roots(w->object);
    const IrModule *module = roots.module;
    AheadFunc *funcs = ARENA_ARRAY(w->arena, AheadFunc, module->funcs.count + 1);
    for (int i = 0; i < module->funcs.count; i++) {
        const IrFunc *func = module->funcs.items[i];
        funcs[i] = (AheadFunc){.uniform = roots.uniform[i], .params = func->params.count, .results = func->results.count};
    }
    size_t at = PUT_ALL(w, PLACE(w, root, WorldAheadImage, funcs), AheadFunc, funcs, module->funcs.count);
    for (int i = 0; i < module->funcs.count; i++, at += SIZE(w, AheadFunc)) {
        if (roots.asked[i]) point_kernel(w, PLACE(w, at, AheadFunc, one), i, (JitForm){false, 0});
        if (roots.batches[i]) point_kernel(w, PLACE(w, at, AheadFunc, many), i, (JitForm){true, roots.uniform[i]});
    }
}

ObjectKernels object_kernels(const Object *object) {
    Roots roots = find_roots(object);
    const IrModule *module = roots.module;
    VEC(JitPointer) kernels = {0};
    for (int i = 0; i < module->funcs.count; i++) {
        JitPointer one = {.kernel = true, .to = i}, many = {.kernel = true, .to = i, .form = {true, roots.uniform[i]}};
        if (roots.asked[i]) VEC_PUSH(object->arena, &kernels, one);
        if (roots.batches[i]) VEC_PUSH(object->arena, &kernels, many);
    }
    return (ObjectKernels){kernels.items, kernels.count};
}

static const char *argument_letters(const Writer *w, const ObjectAnswer *answer) {
    const TreeFn *fn = answer->fn;
    StrBuf out = {.arena = w->arena};
    for (int i = 0; i < object_param_count(answer); i++)
        strbuf_str(&out, str_of(fn->locals.items[fn->capture_count + i].type->slots));
    return out.ptr ? out.ptr : "";
}

static void put_path(Writer *w, size_t at, const ObjectPlace *place) {
    put_array(w, at, place->path, sizeof *place->path * (size_t)place->depth);
}

static void put_answers(Writer *w, size_t root, int count) {
    const Object *object = w->object;
    AheadAnswer *answers = ARENA_ARRAY(w->arena, AheadAnswer, count + 1);
    for (int i = 0, next = 0; i < object->answers.count; i++) {
        const ObjectAnswer *answer = &object->answers.items[i];
        if (!answer->why) answers[next++] = (AheadAnswer){.func = answer->func, .field = answer->field, .depth = answer->self ? answer->place.depth : -1};
    }
    size_t at = PUT_ALL(w, PLACE(w, root, WorldAheadImage, answers), AheadAnswer, answers, count);
    for (int i = 0; i < object->answers.count; i++) {
        const ObjectAnswer *answer = &object->answers.items[i];
        if (answer->why) continue;
        put_path(w, PLACE(w, at, AheadAnswer, path), &answer->place);
        put_letters(w, PLACE(w, at, AheadAnswer, arguments), argument_letters(w, answer));
        put_letters(w, PLACE(w, at, AheadAnswer, results), object_result(answer)->slots);
        at += SIZE(w, AheadAnswer);
    }
}

/* -- sources and grids -- */

static void put_sources(Writer *w, size_t root) {
    SourceSet *set = &w->object->world->compile->sources;
    int count = set->sources.count;
    AheadSource *sources = ARENA_ARRAY(w->arena, AheadSource, count + 1);
    for (uint32_t i = w->object->world->compile->file; i < (uint32_t)count; i++) {
        sources_position(set, i, 0); /* makes its lines known */
        sources[i] = (AheadSource){.name.len = sources_get(set, i)->name.len, .line_count = sources_get(set, i)->line_count};
    }
    size_t at = PUT_ALL(w, PLACE(w, root, WorldAheadImage, sources), AheadSource, sources, count);
    for (uint32_t i = 0; i < (uint32_t)count; i++, at += SIZE(w, AheadSource)) {
        const Source *source = sources_get(set, i);
        if (sources[i].line_count == 0) continue;
        put_str(w, PLACE(w, at, AheadSource, name), source->name);
        put_array(w, PLACE(w, at, AheadSource, lines), source->line_starts, sizeof *source->line_starts * (size_t)source->line_count);
    }
}

static void put_grids(Writer *w, size_t root) {
    const Object *object = w->object;
    AheadGrid *grids = ARENA_ARRAY(w->arena, AheadGrid, object->grids.count + 1);
    for (int i = 0; i < object->grids.count; i++)
        grids[i] = (AheadGrid){.depth = object->grids.items[i].place.depth, .field = object->grids.items[i].field};
    size_t at = PUT_ALL(w, PLACE(w, root, WorldAheadImage, grids), AheadGrid, grids, object->grids.count);
    for (int i = 0; i < object->grids.count; i++, at += SIZE(w, AheadGrid)) {
        RtGrid grid = *object->grids.items[i].grid;
        grid.head.holders = 0; /* nobody counts: it lies in the object */
        put_path(w, PLACE(w, at, AheadGrid, path), &object->grids.items[i].place);
        size_t place = PUT(w, RtGrid, &grid, 1);
        point(w, PLACE(w, at, AheadGrid, grid), place);
        put_array(w, PLACE(w, place, RtGrid, heights), grid.heights, rt_grid_bytes(&grid));
    }
}

/* -- all of it -- */

static int by_place(const void *a, const void *b) {
    size_t left = ((const JitPointer *)a)->at, right = ((const JitPointer *)b)->at;
    return left < right ? -1 : left > right;
}

static WorldAheadImage root_of(const Object *object, int answers) {
    const World *world = object->world;
    const TreeClass *root = world->compile->program->classes.items[0];
    int seed = parts_field(root, &world->compile->symbols, STR_LIT("seed"));
    bool is_seed = seed >= 0 && root->fields.items[seed].type->slots[0] == 'W';
#define THERE(Type) layout_size(LAYOUT_##Type, object->machine.pointer)
    return (WorldAheadImage){.abi = AHEAD_ABI(THERE),
                             .needs = object->needs,
                             .key = object->key,
                             .limits = world->host.limits,
                             .authors = world->compile->file,
                             .has_seed = world->desc.has_seed && is_seed,
                             .seed = world->desc.seed,
                             .lanes = object->machine.lanes,
                             .answer_count = answers,
                             .seed_field = is_seed ? seed : -1,
                             .class_count = world->program->class_count,
                             .func_count = world->program->binding.module->funcs.count,
                             .source_count = world->compile->sources.sources.count,
                             .grid_count = object->grids.count};
}

static int count_answers(const Object *object) {
    int count = 0;
    for (int i = 0; i < object->answers.count; i++)
        count += object->answers.items[i].why == NULL;
    return count;
}

ObjectImage object_image(const Object *object) {
    Writer w = {.object = object, .arena = object->arena, .pointer = object->machine.pointer};
    int answers = count_answers(object);
    WorldAheadImage head = root_of(object, answers);
    size_t root = PUT(&w, WorldAheadImage, &head, 1);
    size_t *classes = put_classes(&w, root), *texts = put_texts(&w);
    put_funcs(&w, root);
    put_answers(&w, root, answers);
    put_sources(&w, root);
    put_grids(&w, root);
    qsort(w.pointers.items, (size_t)w.pointers.count, sizeof *w.pointers.items, by_place);
    return (ObjectImage){{w.bytes, w.length}, w.pointers.items, w.pointers.count, texts, classes};
}
