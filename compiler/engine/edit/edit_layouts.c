/* Layouts and their logs: what a layout's value was made from says which log it read. */
#include "compiler/engine/edit/edit.h"

#include "runtime/rt/cell.h"
#include "stdlib/library_names.h"

static bool is_log(const World *world, const RtCell *cell) {
    if (cell->field >= cell->part->cls->field_count) return false;
    const Type *type = parts_class(world, cell->part)->fields.items[cell->field].type;
    return type->kind == TYPE_RECORD && check_library_record(world->compile->checker, type->record,
                                                             STR_LIT(STD_edits), STR_LIT(STD_edits_editLog));
}

/* The last log of a file among what the cell read, itself or through fields that hold logs; -1: none. */
static int find_log(const World *world, const RtCell *cell) {
    int log = -1;
    for (const RtEdge *edge = cell->current ? cell->current->first : NULL; edge; edge = edge->next) {
        if (!is_log(world, edge->dep)) continue;
        const TreeClass *cls = parts_class(world, edge->dep->part);
        bool of_file = edge->dep->part == rt_world_root(world->parts) &&
                       cls->fields.items[edge->dep->field].hidden;
        int found = of_file ? edge->dep->field : find_log(world, edge->dep);
        if (found >= 0) log = found;
    }
    return log;
}

typedef struct Finding {
    World *world;
    Rt *rt;
    EditLayouts *out;
} Finding;

static bool add_layout(const Finding *f, RtPart *part, int field) {
    if (!type_is_layout(f->world->compile->checker, parts_class(f->world, part)->fields.items[field].type)) return true;
    rt_cell_get(f->rt, part, field);
    if (rt_failed(f->rt)) return false;
    world_lock(f->rt, f->world->parts);
    int log = find_log(f->world, &part->cells[field]);
    world_unlock(f->rt, f->world->parts);
    if (log < 0) return true;
    StrBuf path = {.arena = f->rt->arena};
    rt_part_path(&path, part);
    if (path.len) strbuf_char(&path, '.');
    strbuf_str(&path, part->cls->fields[field].name);
    VEC_PUSH(f->rt->arena, f->out, ((EditLayout){part, field, strbuf_take(&path), log}));
    return true;
}

static bool visit_part(void *user, const PartVisit *visit) {
    for (int i = 0; i < visit->part->cls->field_count; i++)
        if (!add_layout(user, visit->part, i)) return false;
    return true;
}

bool edit_layouts(World *world, Rt *rt, Str path, EditLayouts *out) {
    Finding finding = {world, rt, out};
    RtPart *part = rt_world_root(world->parts);
    int field;
    if (path.len) {
        WorldStatus status = data_find_field(world, rt, path, &part, &field);
        return status == WORLD_OK ? add_layout(&finding, part, field) : !rt_failed(rt);
    }
    PartVisit root = {.part = part};
    if (visit_part(&finding, &root)) parts_walk(world, rt, part, visit_part, &finding);
    return !rt_failed(rt);
}

const StdEditLog *edit_log(World *world, Rt *rt, int log) {
    return (const void *)rt_cell_get(rt, rt_world_root(world->parts), log);
}

const RtClass *edit_design(const World *world, Str name) {
    for (int i = 0; i < rt_world_class_count(world->parts); i++) {
        const RtClass *cls = rt_world_class(world->parts, i);
        if (str_equal(cls->name, name) && world->compile->program->classes.items[i]->is_design) return cls;
    }
    return NULL;
}
