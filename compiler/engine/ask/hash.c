/* One hash of everything built: paths, fields, grids, layouts, in the order of the text.
 *
 * Values are hashed by what they say, never by where they lie: objects by their contents, parts
 * and designs by name. Functions have no contents to compare and are left out. What is no number is one
 * value: which bits it has depends on who worked it out.
 */
#include <math.h>

#include "compiler/engine/ask/ask.h"
#include "runtime/base/hash.h"
#include "runtime/base/watch.h"
#include "runtime/frame/part_option.h"
#include "runtime/geometry/curve.h"
#include "runtime/geometry/outline.h"
#include "runtime/geometry/spine.h"
#include "runtime/rt/life.h"

typedef struct Hashing {
    World *world;
    Rt *rt;
    Hasher *hasher;
} Hashing;

static void add_text(const Hashing *h, Str text) {
    hasher_add_u64(h->hasher, text.len);
    hasher_add(h->hasher, text.ptr, text.len);
}

static void add_number(const Hashing *h, double value) {
    static const uint64_t no_number = UINT64_C(0x7ff8000000000000);
    hasher_add_u64(h->hasher, isnan(value) ? no_number : slot_f(value).w);
}

enum { FLOATS = 1024 }; /* looked through at a time */

/* As they are, but for what is no number. */
static void add_floats(const Hashing *h, const float *values, size_t count) {
    static const uint32_t no_number = 0x7fc00000;
    float some[FLOATS];
    for (size_t n; count; values += n, count -= n) {
        n = count < FLOATS ? count : FLOATS;
        for (size_t i = 0; i < n; i++)
            memcpy(&some[i], isnan(values[i]) ? &no_number : (const void *)&values[i],
                   sizeof *some);
        hasher_add_numbers(h->hasher, some, sizeof *some, n);
    }
}

static void add_path(const Hashing *h, const RtPart *part) {
    ArenaMark mark = arena_mark(h->rt->arena);
    StrBuf path = {.arena = h->rt->arena};
    if (part) rt_part_path(&path, part);
    add_text(h, strbuf_take(&path));
    arena_release(h->rt->arena, mark);
}

/* -- objects, by kind -- */

static void add_numbers(const Hashing *h, const double *values, int64_t count) {
    hasher_add_u64(h->hasher, (uint64_t)count);
    for (int64_t i = 0; i < count; i++)
        add_number(h, values[i]);
}

static void hash_grid(const Hashing *h, const RtObject *object) {
    const RtGrid *grid = (const RtGrid *)object;
    double header[] = {grid->columns, grid->rows, grid->cell, grid->x0, grid->z0, grid->outside};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        add_number(h, header[i]);
    add_floats(h, grid->heights, rt_grid_bytes(grid) / sizeof(float));
    if (grid->finer) add_number(h, grid->finer);
    const Reference *at = &grid->reference;
    if (!(at->east_per_meter > 0)) return;
    add_numbers(h, (double[]){at->east, at->north, at->east_per_meter, at->north_per_meter, at->epsg, at->degrees}, 6);
}

static void hash_mesh(const Hashing *h, const RtObject *object) {
    const RtMesh *mesh = (const RtMesh *)object;
    size_t corners = (size_t)mesh->vertex_count * 3;
    hasher_add_u64(h->hasher, (uint64_t)mesh->vertex_count);
    hasher_add_u64(h->hasher, (uint64_t)mesh->index_count);
    add_floats(h, mesh->positions, corners);
    add_floats(h, mesh->normals, corners);
    add_floats(h, mesh->colors, corners);
    if (mesh->coords) add_floats(h, mesh->coords, corners / 3 * 2);
    if (mesh->pivots) add_floats(h, mesh->pivots, corners);
    hasher_add_numbers(h->hasher, mesh->indices, sizeof *mesh->indices, (size_t)mesh->index_count);
    if (mesh->two_sided) add_text(h, STR_LIT("two sides"));
}

static void hash_curve(const Hashing *h, const RtObject *object) {
    const RtCurve *curve = (const RtCurve *)object;
    add_numbers(h, curve->keys, curve->count);
    add_numbers(h, curve->values, curve->count);
}

static void hash_spine(const Hashing *h, const RtObject *object) {
    const RtSpine *spine = (const RtSpine *)object;
    for (int i = 0; i < spine->count; i++) {
        double point[] = {spine->points[i].x, spine->points[i].y, spine->points[i].z,
                          spine->index[i]};
        add_numbers(h, point, 4);
    }
}

static void hash_outline(const Hashing *h, const RtObject *object) {
    const RtOutline *outline = (const RtOutline *)object;
    for (int i = 0; i < outline->count; i++)
        add_numbers(h, (double[]){outline->corners[i].x, outline->corners[i].z}, 2);
}

static void hash_stream(const Hashing *h, const RtObject *object) {
    hasher_add_u64(h->hasher, ((const RtStream *)object)->state);
}

/* Values of these have types of their own, by which they are hashed; a function has no contents to compare. */
#define hash_text NULL
#define hash_list NULL
#define hash_closure NULL
#define hash_design NULL
#define hash_part NULL

static void add_value(const Hashing *h, const Type *type, const Slot *slots);

static void add_list(const Hashing *h, const Type *element, const RtList *list) {
    hasher_add_u64(h->hasher, (uint64_t)rt_list_length(list));
    for (int64_t i = 0; i < rt_list_length(list); i++) {
        watch_work(element->slot_count);
        add_value(h, element, rt_list_item(list, i));
    }
}

static void add_object(const Hashing *h, const RtObject *object) {
    static void (*const hash[RT_KIND_COUNT])(const Hashing *, const RtObject *) = {
#define KIND(NAME, name) [RT_##NAME] = hash_##name,
#include "runtime/rt/kind.def"
#undef KIND
    };
    hasher_add_u64(h->hasher, object ? object->kind : 0);
    if (object && hash[object->kind]) hash[object->kind](h, object);
}

/* Each item of a tuple or record, so that lists and texts in it are found. */
static void add_items(const Hashing *h, const Type *type, const Slot *slots) {
    bool record = type->kind == TYPE_RECORD;
    int count = record ? type->record->fields.count : type->item_count;
    for (int i = 0; i < count; i++) {
        const Type *item = record ? type->record->fields.items[i].type : type->items[i];
        add_value(h, item, slots);
        slots += item->slot_count;
    }
}

static void add_contents(const Hashing *h, const Contents *contents) {
    int64_t count = rt_list_length(contents->rows);
    for (int64_t i = 0; i < count; i++) {
        const Slot *row = rt_list_item(contents->rows, i);
        for (int k = 0; k < contents->columns; row += contents->types[k]->slot_count, k++)
            add_value(h, contents->types[k], row);
    }
    hasher_add_u64(h->hasher, (uint64_t)count);
}

static void add_record(const Hashing *h, const Type *type, const Slot *slots) {
    Contents contents;
    ArenaMark mark = arena_mark(h->rt->arena);
    if (contents_open(h->world, h->rt->arena, type, slots, &contents))
        add_contents(h, &contents);
    else
        add_items(h, type, slots);
    arena_release(h->rt->arena, mark);
}

static void add_value(const Hashing *h, const Type *type, const Slot *slots) {
    const RtText *text;
    const RtClass *design;
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_U32:
    case TYPE_NUMBER:
    case TYPE_ANY_QUANTITY:
    case TYPE_METERS_OR_NUMBER:
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
    case TYPE_ONE_OF:
        for (int i = 0; i < type->slot_count; i++)
            if (type->slots[i] == 'F')
                add_number(h, slots[i].f);
            else
                hasher_add_u64(h->hasher, slots[i].w);
        return;
    case TYPE_TEXT:
    case TYPE_NAME:
    case TYPE_PATH:
        text = slots[0].r;
        add_text(h, text ? text->text : (Str){0});
        return;
    case TYPE_LIST:
        add_list(h, type->element, slots[0].r);
        return;
    case TYPE_TUPLE:
        add_items(h, type, slots);
        return;
    case TYPE_RECORD:
        add_record(h, type, slots);
        return;
    case TYPE_OPTIONAL:
        hasher_add_u64(h->hasher, slots[0].w);
        if (slots[0].w) add_value(h, type->element, slots + 1);
        return;
    case TYPE_OBJECT:
        add_object(h, slots[0].r);
        return;
    case TYPE_PART:
    case TYPE_ANY_PART:
        add_path(h, slots[0].r);
        return;
    case TYPE_DESIGN:
        design = slots[0].r;
        add_text(h, design ? design->name : (Str){0});
        return;
    case TYPE_FN:
    case TYPE_CONTRACT:
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        return;
    }
}

static bool add_part(void *user, const PartVisit *visit) {
    const Hashing *h = user;
    RtPart *part = visit->part;
    if (parts_is_cover(h->world, visit->cls)) return true; /* it is only looked at */
    add_path(h, part);
    for (int i = 0; i < part->cls->field_count; i++) {
        if ((i == PART_MAPS || i == PART_SOLID) && part_has_options(part->cls)) continue; /* they too, or bumped into */
        if (rt_cell_is_timed(part, i)) continue; /* known before, or */
        const Slot *slots = rt_cell_get(h->rt, part, i);
        if (rt_failed(h->rt)) return false;
        if (rt_cell_is_timed(part, i)) continue; /* by now: it is another at every step */
        add_text(h, part->cls->fields[i].name);
        add_value(h, visit->cls->fields.items[i].type, slots);
    }
    return true;
}

typedef struct HashCall {
    uint64_t *hash;
    Hasher *hasher;
} HashCall;

static WorldStatus hash_all(World *world, Rt *rt, void *args) {
    const HashCall *call = args;
    Hashing h = {world, rt, call->hasher};
    RtPart *root = rt_world_root(world->parts);
    PartVisit visit = {.part = root, .cls = parts_class(world, root)};
    if (add_part(&h, &visit)) parts_walk(world, rt, root, add_part, &h);
    WorldStatus status = entry_fault(world, rt);
    if (status == WORLD_OK) *call->hash = hasher_value(h.hasher);
    return status;
}

static Hasher *make_hasher(World *world) {
    Recover recover;
    Hasher *volatile hasher = NULL;
    if (MEMORY_TRY(&recover)) {
        hasher = hasher_create(&world->engine->memory);
        memory_end_try(&recover);
    }
    return hasher;
}

WorldStatus world_hash(World *world, uint64_t *hash) {
    if (world == NULL || hash == NULL) return WORLD_ERROR_ARGUMENT;
    HashCall call = {hash, make_hasher(world)};
    if (call.hasher == NULL) return WORLD_ERROR_MEMORY;
    WorldStatus status = entry_run(world, hash_all, &call);
    hasher_destroy(call.hasher);
    return status;
}
