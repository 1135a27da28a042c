/* What a picture would pass over in silence: options of a land, or of what is drawn, on a part that is none of those, and a second
 * sky, sea or cover, of which a world has one.
 */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

static bool is_one_of(Str name, const char *const *names, int count) {
    for (int i = 0; i < count; i++)
        if (str_equal(name, str_of(names[i]))) return true;
    return false;
}

static bool is_land(Checker *c, Class *cls) {
    Decl *land = typeexpr_find(c, NULL, c->names.land);
    return !land || land->kind != DECL_CONTRACT || value_answers(c, cls, typeexpr_contract(c, land));
}

static bool is_mesh(const Checker *c, const Type *type) {
    return type_is(type, TYPE_OBJECT) && str_equal(symbols_name(c->symbols, type->name), STR_LIT(STD_shapes_mesh));
}

/* A part draws what it is made of and what stands alone in its body: a mesh, or a record that has one. */
static bool draws(const Checker *c, const TreeField *field) {
    if (!field->hidden) return false;
    if (is_mesh(c, field->type)) return true;
    for (int i = 0; type_is(field->type, TYPE_RECORD) && i < field->type->record->fields.count; i++)
        if (is_mesh(c, field->type->record->fields.items[i].type)) return true;
    return false;
}

static bool draws_itself(const Checker *c, const TreeClass *tree) {
    for (int i = 0; i < tree->fields.count; i++)
        if (draws(c, &tree->fields.items[i])) return true;
    return false;
}

/* Other parts, things, or whatever is spawned there. */
static bool may_hold(Checker *c, const TreeClass *tree) {
    for (int i = 0; i < tree->fields.count; i++)
        if (type_is_layout(c, tree->fields.items[i].type)) return true;
    return tree->children.count || tree->families.count || c->spawns;
}

/* The options of a land would do nothing on another part, material on one that draws nothing itself, tint on one that holds nothing
 * either. A design may become a land, or draw, in a copy. */
void shown_check(Checker *c, Class *cls) {
    static const char *const of_land[] = {STD_core_anyPart_edge, STD_core_anyPart_fineOver, STD_core_anyPart_maps};
    static const char *const of_drawn[] = {STD_core_anyPart_material, STD_core_anyPart_tint};
    const TreeClass *tree = cls->tree;
    if (tree->is_design) return;
    for (int i = 0; i < cls->fields.count; i++) {
        const TreeField *field = &tree->fields.items[i];
        if (!field->option || !cls->fields.items[i].own) continue;
        Str name = symbols_name(c->symbols, field->name);
        bool land = is_one_of(name, of_land, 3), drawn = is_one_of(name, of_drawn, 2) && !tree->dynamic_base && !draws_itself(c, tree);
        if ((!land && !drawn) || is_land(c, cls)) continue;
        Span span = cls->fields.items[i].value->span;
        if (land)
            diag_add(c->diags, DIAG_E_OPTION_LAND, span, name_text(c, field->name), STR_ARG(tree->name));
        else if (str_equal(name, STR_LIT(STD_core_anyPart_material)) || !may_hold(c, tree))
            diag_add(c->diags, DIAG_W_OPTION_DRAWN, span, name_text(c, field->name), STR_ARG(tree->name), may_hold(c, tree) ? " itself" : "");
    }
}

/* -- one to a world -- */

/* Of a design of the library, or a record of it. */
static bool is_made_of(Checker *c, const TreeClass *tree, const char *package, const char *name) {
    const Type *type = tree->value_field < 0 ? NULL : tree->fields.items[tree->value_field].type;
    for (const TreeClass *base = tree->base; base; base = base->base)
        if (str_equal(base->package, str_of(package)) && str_equal(base->name, str_of(name))) return true;
    return type && type_is(type, TYPE_RECORD) && check_library_record(c, type->record, str_of(package), str_of(name));
}

/* Whether the part always stands: one that may be hidden gives its place to another. */
static bool stands(const Checker *c, const Class *cls) {
    for (const Class *at = cls; at && at != c->root; at = at->outer) {
        if (at->tree->is_design || at->in_elaborate) return false;
        for (int i = 0; i < at->fields.count; i++)
            if (at->tree->fields.items[i].option && at->fields.items[i].own &&
                str_equal(symbols_name(c->symbols, at->tree->fields.items[i].name), STR_LIT(STD_core_anyPart_hidden)))
                return false;
    }
    return true;
}

void shown_check_world(Checker *c) {
    static const struct {
        const char *package, *record;
    } ones[] = {{STD_sky, STD_sky_day}, {STD_oceanwaves, STD_oceanwaves_ocean}, {STD_groundcover, STD_groundcover_cover}, {STD_weather, STD_weather_wind}};
    for (size_t k = 0; k < sizeof ones / sizeof *ones; k++) {
        const Class *first = NULL;
        for (int i = 0; i < c->classes.count; i++) {
            const Class *cls = c->classes.items[i];
            if (!is_made_of(c, cls->tree, ones[k].package, ones[k].record) || !stands(c, cls)) continue;
            if (first)
                diag_add(c->diags, DIAG_W_SHOWN_TWICE, cls->tree->span, ones[k].package, ones[k].record, STR_ARG(first->tree->name),
                         STR_ARG(cls->tree->name));
            else
                first = cls;
        }
    }
}
