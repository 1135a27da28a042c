/* The checker's entry: names, then classes, then everything the world's file holds. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

/* Names with a meaning of their own, as symbols, so that they compare as numbers. */
static void intern_names(Checker *c) {
    static const struct {
        size_t at;
        const char *text;
    } rows[] = {
#define NAME(member, text) {offsetof(Checker, names.member), text}
        NAME(self, "self"),
        NAME(x, "x"),
        NAME(y, "y"),
        NAME(z, "z"),
        NAME(r, "r"),
        NAME(g, "g"),
        NAME(b, "b"),
        NAME(land, STD_core_land),
        NAME(copy, STD_scatter_copy),
        NAME(stream, STD_random_stream),
        NAME(spine, STD_spine_spine),
        NAME(fault, "fault"),
        NAME(code, "code"),
        NAME(turn, STD_scatter_copy_turn),
        NAME(size, STD_scatter_copy_size),
        NAME(kind, STD_scatter_copy_kind),
        NAME(field_name, "fieldName"),
        NAME(field_path, "fieldPath"),
        NAME(around, "around"),
        NAME(rule, STD_scatter_rule),
        NAME(scatter, STD_scatter_scatter),
        NAME(path, "path"),
        NAME(override_, "override"),
        NAME(list, "List"),
        NAME(vector, "vector"),
        NAME(seeds, "seeds"),
        NAME(value, "value"),
        NAME(flow, "flow"),
        NAME(random_stream, STD_random_randomStream),
        NAME(at_most, "atMost"),
        NAME(items, "items"),
        NAME(item_index, "itemIndex"),
        NAME(set_item, "setItem"),
        NAME(hash_of, "hashOf"),
        NAME(hashed, "hashed"),
        NAME(same, "same"),
        NAME(made, "made"),
        NAME(on, "on"),
        NAME(after, "after"),
        NAME(spawn, "spawn"),
        NAME(under, "under"),
        NAME(lifetime, "lifetime"),
        NAME(entered, STD_living_entered),
        NAME(left, STD_living_left),
        NAME(trigger, STD_living_trigger),
        NAME(clock, STD_clock),
        NAME(step, "step"),
        NAME(rgb, "rgb"),
        NAME(with, "with"),
        NAME(seed, "seed"),
        NAME(world_seed, "worldSeed"),
        NAME(range, STD_core_Range),
#undef NAME
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        *(Symbol *)((char *)c + rows[i].at) = symbols_intern(c->symbols, str_of(rows[i].text));
}

/* Aliases share a type: degrees is angle, place is point, seed is u32. */
static void name_types(Checker *c) {
    const Types *t = &c->types;
    const struct {
        const char *name;
        const Type *type;
    } rows[] = {
#define TYPE(name, member, slots, c_type) {name, t->member},
#define GENERIC(name, slots, c_type)
#include "lang/type.def"
#undef TYPE
#undef GENERIC
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        symbolmap_put(c->arena, &c->builtin_types, symbols_intern(c->symbols, str_of(rows[i].name)),
                      (void *)(uintptr_t)rows[i].type);
}

/* A library without a core package (in tests of the checker alone) gets a base without options. */
static void find_any_part(Checker *c) {
    Decl *decl = LIBRARY_DECL(c, core, anyPart);
    if (decl && decl->kind == DECL_PART)
        c->any_part = decl->cls;
    else
        c->any_part = class_create(c, symbols_intern(c->symbols, STR_LIT(STD_core_anyPart)), NULL,
                                   c->world, NULL, (Span){0});
    c->any_part->tree->is_design = true;
}

/* What a question is first to need of the world or the library (a function's instance, a record's
 * type) is the world's and stays: it is made between home_enter(c, &c->world_home) and
 * home_enter with what that answered. */
Home *home_enter(Checker *c, Home *home) {
    Home *before = c->home;
    c->home = home;
    c->arena = home->arena;
    return before;
}

/* Checks what is active until nothing new comes up, then finishes it. */
void check_drain(Checker *c) {
    Home *home = home_enter(c, &c->world_home);
    for (int i = 0; i < c->classes.count; i++)
        class_check(c, c->classes.items[i]);
    for (int i = 0; i < c->classes.count; i++)
        class_finish(c, c->classes.items[i]);
    home_enter(c, home);
}

/* Of the world's file and of those it uses: a text is checked whole, used or not. */
static void activate_parts(Checker *c, const Package *package) {
    for (int i = 0; i < package->decls.count; i++)
        if (package->decls.items[i]->kind == DECL_PART)
            class_activate(c, package->decls.items[i]->cls);
}

static void check_version(Checker *c, const AstFile *file) {
    if (file && file->version > 1)
        diag_add(c->diags, DIAG_E_VERSION, file->version_span, file->version);
}

/* The order: names of all files; which parts are designs; classes; then everything the world holds.
 */
Checker *check_world(const CheckInput *input) {
    Checker *c = ARENA_NEW(input->arena, Checker);
    c->input = *input;
    c->world_home.arena = input->arena;
    home_enter(c, &c->world_home);
    c->symbols = input->symbols;
    c->diags = c->loud = input->diags;
    c->program = ARENA_NEW(c->arena, TreeProgram);
    c->program->arena = c->arena;
    c->program->symbols = c->symbols;
    types_init(&c->types, c->arena);
    intern_names(c);
    name_types(c);
    package_load(c);
    for (int i = 0; i < c->packages.count; i++)
        check_version(c, c->packages.items[i]->ast);
    find_any_part(c);
    class_declare_world(c);
    design_mark_world(c);
    class_activate(c, c->root);
    class_activate(c, c->any_part);
    for (int i = 0; i < c->packages.count; i++)
        if (c->packages.items[i]->is_file) activate_parts(c, c->packages.items[i]);
    check_drain(c);
    design_check_holding(c);
    shown_check_world(c);
    c->made_classes = c->classes.count;
    return c;
}

TreeProgram *check_program(Checker *checker) {
    return checker->program;
}
