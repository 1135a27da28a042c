/* The image: structs of the runtime copied as they lie in this process, and for each pointer in them a note of where it leads. */
#include "compiler/engine/ahead/object.h"

#include <stdlib.h>

typedef struct Writer {
    const Object *object;
    Arena *arena;
    char *bytes;
    size_t length, capacity;
    VEC(JitPointer) pointers;
} Writer;

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
    memset(w->bytes + at, 0, sizeof(void *));
    VEC_PUSH(w->arena, &w->pointers, pointer);
}

static void point_kernel(Writer *w, size_t at, int func, JitForm form) {
    JitPointer pointer = {at, true, func, form};
    VEC_PUSH(w->arena, &w->pointers, pointer);
}

/* An array that the pointer at `at` led to; none stays none. */
static size_t put_array(Writer *w, size_t at, const void *items, size_t size) {
    memset(w->bytes + at, 0, sizeof(void *));
    if (items == NULL || size == 0) return 0;
    size_t place = put(w, items, size);
    point(w, at, place);
    return place;
}

static void put_letters(Writer *w, size_t at, const char *letters) {
    put_array(w, at, letters, letters ? strlen(letters) + 1 : 0);
}

/* A Str at `at`, which ends with a NUL. */
static void put_str(Writer *w, size_t at, Str text) {
    char *copy = arena_strndup(w->arena, text.ptr ? text.ptr : "", text.len);
    put_array(w, at + offsetof(Str, ptr), copy, text.len + 1);
}

/* -- classes -- */

static void put_fields(Writer *w, size_t at, const RtClass *cls) {
    size_t fields = put_array(w, at + offsetof(RtClass, fields), cls->fields, sizeof *cls->fields * (size_t)cls->field_count);
    for (int i = 0; i < cls->field_count; i++, fields += sizeof *cls->fields) {
        const RtField *field = &cls->fields[i];
        put_str(w, fields + offsetof(RtField, name), field->name);
        put_letters(w, fields + offsetof(RtField, slot_types), field->slot_types);
        put_letters(w, fields + offsetof(RtField, thing_types), field->thing_types);
    }
}

static void put_children(Writer *w, size_t at, const RtClass *cls) {
    size_t child = put_array(w, at + offsetof(RtClass, children), cls->children, sizeof *cls->children * (size_t)cls->child_count);
    for (int i = 0; i < cls->child_count; i++, child += sizeof *cls->children)
        put_str(w, child + offsetof(RtChild, name), cls->children[i].name);
    size_t family = put_array(w, at + offsetof(RtClass, families), cls->families, sizeof *cls->families * (size_t)cls->family_count);
    for (int i = 0; i < cls->family_count; i++, family += sizeof *cls->families)
        put_str(w, family + offsetof(RtFamily, name), cls->families[i].name);
}

static size_t put_class(Writer *w, const RtClass *cls) {
    size_t at = put(w, cls, sizeof *cls);
    put_str(w, at + offsetof(RtClass, name), cls->name);
    put_fields(w, at, cls);
    put_children(w, at, cls);
    put_array(w, at + offsetof(RtClass, elaborates), cls->elaborates, sizeof *cls->elaborates * (size_t)cls->elaborate_count);
    put_array(w, at + offsetof(RtClass, handlers), cls->handlers, sizeof *cls->handlers * (size_t)cls->handler_count);
    put_array(w, at + offsetof(RtClass, grounds), cls->grounds, sizeof *cls->grounds * (size_t)cls->ground_count);
    put_letters(w, at + offsetof(RtClass, capture_types), cls->capture_types);
    return at;
}

static size_t *put_classes(Writer *w, size_t root) {
    const Program *program = w->object->world->program;
    size_t *places = ARENA_ARRAY(w->arena, size_t, program->class_count);
    size_t table = put(w, NULL, sizeof(void *) * (size_t)program->class_count);
    point(w, root + offsetof(WorldAheadImage, classes), table);
    for (int i = 0; i < program->class_count; i++) {
        places[i] = put_class(w, program->classes[i]);
        point(w, table + sizeof(void *) * (size_t)i, places[i]);
    }
    return places;
}

static size_t *put_texts(Writer *w) {
    const IrBinding *binding = &w->object->world->program->binding;
    size_t *places = ARENA_ARRAY(w->arena, size_t, binding->module->texts.count + 1);
    for (int i = 0; i < binding->module->texts.count; i++) {
        places[i] = put(w, binding->texts[i], sizeof *binding->texts[i]);
        put_str(w, places[i] + offsetof(RtText, text), binding->texts[i]->text);
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
        if (!object->answers.items[i].why) add_batch(&roots, object->answers.items[i].func, object->answers.items[i].self);
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
    size_t at = put_array(w, root + offsetof(WorldAheadImage, funcs), funcs, sizeof *funcs * (size_t)module->funcs.count);
    for (int i = 0; i < module->funcs.count; i++, at += sizeof *funcs) {
        if (roots.asked[i]) point_kernel(w, at + offsetof(AheadFunc, one), i, (JitForm){false, 0});
        if (roots.batches[i]) point_kernel(w, at + offsetof(AheadFunc, many), i, (JitForm){true, roots.uniform[i]});
    }
}

static const char *argument_letters(const Writer *w, const TreeFn *fn) {
    StrBuf out = {.arena = w->arena};
    for (int i = 0; i < fn->param_count; i++)
        strbuf_str(&out, str_of(fn->locals.items[fn->capture_count + i].type->slots));
    return out.ptr ? out.ptr : "";
}

static void put_path(Writer *w, size_t at, const ObjectPlace *place) {
    put_array(w, at, place->path, sizeof *place->path * (size_t)place->depth);
}

static int put_answers(Writer *w, size_t root) {
    const Object *object = w->object;
    AheadAnswer *answers = ARENA_ARRAY(w->arena, AheadAnswer, object->answers.count + 1);
    int count = 0;
    for (int i = 0; i < object->answers.count; i++)
        if (!object->answers.items[i].why) count++;
    size_t at = put_array(w, root + offsetof(WorldAheadImage, answers), answers, sizeof *answers * (size_t)count);
    for (int i = 0; i < object->answers.count; i++) {
        const ObjectAnswer *answer = &object->answers.items[i];
        if (answer->why) continue;
        AheadAnswer *out = (AheadAnswer *)(void *)(w->bytes + at);
        out->func = answer->func;
        out->depth = answer->self ? answer->place.depth : -1;
        put_path(w, at + offsetof(AheadAnswer, path), &answer->place);
        put_letters(w, at + offsetof(AheadAnswer, arguments), argument_letters(w, answer->fn));
        put_letters(w, at + offsetof(AheadAnswer, results), answer->fn->result->slots);
        at += sizeof *answers;
    }
    return count;
}

/* -- sources and grids -- */

static void put_sources(Writer *w, size_t root) {
    SourceSet *set = &w->object->world->compile->sources;
    int count = set->sources.count;
    AheadSource *sources = ARENA_ARRAY(w->arena, AheadSource, count + 1);
    for (uint32_t i = w->object->world->compile->file; i < (uint32_t)count; i++) {
        sources_position(set, i, 0); /* makes its lines known */
        sources[i].line_count = sources_get(set, i)->line_count;
    }
    size_t at = put_array(w, root + offsetof(WorldAheadImage, sources), sources, sizeof *sources * (size_t)count);
    for (uint32_t i = 0; i < (uint32_t)count; i++, at += sizeof *sources) {
        const Source *source = sources_get(set, i);
        if (sources[i].line_count == 0) continue;
        ((AheadSource *)(void *)(w->bytes + at))->name.len = source->name.len;
        put_str(w, at + offsetof(AheadSource, name), source->name);
        put_array(w, at + offsetof(AheadSource, lines), source->line_starts, sizeof *source->line_starts * (size_t)source->line_count);
    }
}

static void put_grids(Writer *w, size_t root) {
    const Object *object = w->object;
    AheadGrid *grids = ARENA_ARRAY(w->arena, AheadGrid, object->grids.count + 1);
    for (int i = 0; i < object->grids.count; i++)
        grids[i] = (AheadGrid){.depth = object->grids.items[i].place.depth, .field = object->grids.items[i].field};
    size_t at = put_array(w, root + offsetof(WorldAheadImage, grids), grids, sizeof *grids * (size_t)object->grids.count);
    for (int i = 0; i < object->grids.count; i++, at += sizeof *grids) {
        RtGrid grid = *object->grids.items[i].grid;
        grid.head.holders = 0; /* nobody counts: it lies in the object */
        put_path(w, at + offsetof(AheadGrid, path), &object->grids.items[i].place);
        size_t place = put(w, &grid, sizeof grid);
        point(w, at + offsetof(AheadGrid, grid), place);
        put_array(w, place + offsetof(RtGrid, heights), grid.heights, rt_grid_bytes(&grid));
    }
}

/* -- all of it -- */

static int by_place(const void *a, const void *b) {
    size_t left = ((const JitPointer *)a)->at, right = ((const JitPointer *)b)->at;
    return left < right ? -1 : left > right;
}

static WorldAheadImage root_of(const Object *object) {
    const World *world = object->world;
    const TreeClass *root = world->compile->program->classes.items[0];
    int seed = parts_field(root, &world->compile->symbols, STR_LIT("seed"));
    bool is_seed = seed >= 0 && root->fields.items[seed].type->slots[0] == 'W';
    return (WorldAheadImage){.abi = AHEAD_ABI,
                             .needs = object->needs,
                             .key = object->key,
                             .limits = world->host.limits,
                             .authors = world->compile->file,
                             .has_seed = world->desc.has_seed && is_seed,
                             .seed = world->desc.seed,
                             .lanes = object->lanes,
                             .seed_field = is_seed ? seed : -1,
                             .class_count = world->program->class_count,
                             .func_count = world->program->binding.module->funcs.count,
                             .source_count = world->compile->sources.sources.count,
                             .grid_count = object->grids.count};
}

ObjectImage object_image(const Object *object) {
    Writer w = {.object = object, .arena = object->arena};
    WorldAheadImage head = root_of(object);
    size_t root = put(&w, &head, sizeof head);
    size_t *classes = put_classes(&w, root), *texts = put_texts(&w);
    put_funcs(&w, root);
    int answers = put_answers(&w, root);
    ((WorldAheadImage *)(void *)(w.bytes + root))->answer_count = answers;
    put_sources(&w, root);
    put_grids(&w, root);
    qsort(w.pointers.items, (size_t)w.pointers.count, sizeof *w.pointers.items, by_place);
    return (ObjectImage){{w.bytes, w.length}, w.pointers.items, w.pointers.count, texts, classes};
}
