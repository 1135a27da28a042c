/* Layout: a class gets its index, its design, and its tables of fields, children and families, the
 * design's first. */
#include "compiler/check/checker.h"
#include "lang/foreign.h"

static int add_field(Checker *c, Class *cls, Symbol name, Span span, FieldInfo info) {
    TreeField field = {.name = name, .span = span, .hidden = info.is_value || info.quiet};
    VEC_PUSH(c->arena, &cls->tree->fields, field);
    VEC_PUSH(c->arena, &cls->fields, info);
    return cls->fields.count - 1;
}

/* The design's tables come first, at the same indices, so code made for the design works on a copy.
 */
static void inherit(Checker *c, Class *cls) {
    Class *base = cls->base;
    if (!base) return;
    for (int i = 0; i < base->fields.count; i++) {
        FieldInfo info = base->fields.items[i];
        info.own = info.on_line = false;
        info.value = NULL;
        info.type_state = info.init_state = info.within_state = WORK_NEW;
        TreeField field = base->tree->fields.items[i];
        field.given = false;
        VEC_PUSH(c->arena, &cls->tree->fields, field);
        VEC_PUSH(c->arena, &cls->fields, info);
    }
    for (int i = 0; i < base->tree->children.count; i++)
        VEC_PUSH(c->arena, &cls->tree->children, base->tree->children.items[i]);
    for (int i = 0; i < base->tree->families.count; i++)
        VEC_PUSH(c->arena, &cls->tree->families, base->tree->families.items[i]);
    cls->tree->value_field = base->tree->value_field;
}

/* A field of the design's name sets it; it may not change its type or range. */
static void lay_field(Checker *c, Class *cls, Decl *decl) {
    const AstNode *value = decl->ast->field.value;
    Decl *earlier = cls->base ? class_member(cls->base, decl->name) : NULL;
    if (!earlier) {
        decl->index = add_field(c, cls, decl->name, decl->span,
                                (FieldInfo){.decl = decl, .value = value, .own = value});
        cls->tree->fields.items[decl->index].doc = decl->ast->field.doc;
        cls->tree->fields.items[decl->index].given = value != NULL;
        cls->tree->fields.items[decl->index].option = cls == c->any_part;
        return;
    }
    decl->index = earlier->kind == DECL_FIELD ? earlier->index : 0;
    if (earlier->kind != DECL_FIELD || decl->ast->field.type || decl->ast->field.within || !value) {
        Diag *diag = diag_add(c->diags, DIAG_E_FIELD_AGAIN, decl->span, name_text(c, decl->name));
        diag_note(c->diags, diag, earlier->span, "the design's is here");
        return;
    }
    FieldInfo *info = &cls->fields.items[decl->index];
    info->value = value;
    info->own = true;
    cls->tree->fields.items[decl->index].given = true;
}

/* Own fields, children and families behind the design's. A design is nobody's child. */
static void lay_members(Checker *c, Class *cls) {
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        Decl *earlier =
            cls->base && decl->kind != DECL_FIELD ? class_member(cls->base, decl->name) : NULL;
        if (earlier) {
            Diag *diag =
                diag_add(c->diags, DIAG_E_MEMBER_AGAIN, decl->span, name_text(c, decl->name));
            diag_note(c->diags, diag, earlier->span, "the design's is here");
        }
        if (decl->kind == DECL_FIELD) lay_field(c, cls, decl);
        if (decl->kind == DECL_FAMILY) {
            decl->index = cls->tree->families.count;
            VEC_PUSH(c->arena, &cls->tree->families, ((TreeChild){decl->name, NULL}));
        }
        if (decl->kind == DECL_PART && !decl->cls->tree->is_design) {
            decl->index = cls->tree->children.count;
            VEC_PUSH(c->arena, &cls->tree->children, ((TreeChild){decl->name, decl->cls->tree}));
        }
    }
}

/* A field of an author's package, and the world's clock, is worked out once, as any other: it is kept with the root's, under a name
 * that no text can write. */
static void lay_packages(Checker *c) {
    for (int i = 0; i < c->packages.count; i++) {
        const Package *package = c->packages.items[i];
        for (int k = 0; (package->is_file || package->symbol == c->names.clock) && k < package->decls.count; k++) {
            Decl *decl = package->decls.items[k];
            if (decl->kind != DECL_CONSTANT) continue;
            Str name =
                str_printf(c->arena, "%.*s.%s", STR_ARG(package->name), name_text(c, decl->name));
            decl->index =
                add_field(c, c->root, symbols_intern(c->symbols, name), decl->span,
                          (FieldInfo){.decl = decl, .value = decl->ast->field.value, .own = true});
            c->root->tree->fields.items[decl->index].doc = decl->ast->field.doc;
            c->root->tree->fields.items[decl->index].hidden = true;
            c->root->tree->fields.items[decl->index].clock = !package->is_file;
            if (!decl->ast->field.value)
                diag_add(c->diags, DIAG_E_FIELD_MISSING, decl->span, name_text(c, decl->name));
        }
    }
}

void option_unknown(Checker *c, const Class *cls, const AstArg *arg) {
    Diag *diag =
        diag_add(c->diags, DIAG_E_OPTION_UNKNOWN, arg->name.span, name_text(c, arg->name.symbol));
    const char *foreign = foreign_option(symbols_name(c->symbols, arg->name.symbol));
    if (foreign) diag_help(c->diags, diag, "%s", foreign);
    Suggest s = suggest_open(c, diag, arg->name.symbol, arg->name.span);
    if (s.off || foreign) return;
    for (int i = 0; i < cls->tree->fields.count; i++)
        if (!cls->tree->fields.items[i].hidden) suggest_name(&s, cls->tree->fields.items[i].name);
    suggest_close(&s, ":");
}

/* Options set fields of the design or of anyPart, and are scoped in the part that holds the line.
 * Others may be meant for what the part is made of. */
static void lay_options(Checker *c, Class *cls, const AstArgs *args) {
    for (int i = 0; args && i < args->count; i++) {
        const AstArg *arg = &args->items[i];
        if (!arg->name.symbol) {
            diag_add(c->diags, DIAG_E_OPTION_UNNAMED, arg->span);
            continue;
        }
        Decl *decl = class_member(cls, arg->name.symbol);
        bool field = decl && decl->kind == DECL_FIELD;
        if (!field && cls->value && args != cls->design_args) {
            VEC_PUSH(c->arena, &cls->made_args, *arg); /* the value's type will tell */
            continue;
        }
        if (!field) {
            option_unknown(c, cls, arg);
            continue;
        }
        FieldInfo *info = &cls->fields.items[decl->index];
        uses_option(c, decl, arg->name.span);
        if (info->own) {
            diag_add(c->diags, DIAG_E_ARGUMENT_TWICE, arg->span, name_text(c, arg->name.symbol));
            continue;
        }
        info->value = arg->value;
        info->own = info->on_line = true;
        cls->tree->fields.items[decl->index].given = true;
        cls->tree->fields.items[decl->index].span = arg->span;
    }
}

static void lay_out(Checker *c, Class *cls) {
    if (cls->layout_state != WORK_NEW) return;
    cls->layout_state = WORK_DONE;
    inherit(c, cls);
    if (cls->value) {
        Symbol name = c->names.value;
        cls->tree->value_field = add_field(
            c, cls, name, cls->value->span,
            (FieldInfo){.value = cls->value, .own = true, .on_line = true, .is_value = true});
        cls->tree->fields.items[cls->tree->value_field].given = true;
    }
    lay_members(c, cls);
    if (cls == c->root) lay_packages(c);
    for (int i = 0; i < cls->statements.count; i++) {
        Decl *decl = cls->statements.items[i];
        decl->index =
            add_field(c, cls, decl->name, decl->span,
                      (FieldInfo){.decl = decl, .value = decl->ast, .own = true, .quiet = true});
        cls->tree->fields.items[decl->index].given = true;
    }
    lay_options(c, cls, cls->design_args);
    if (cls->ast) lay_options(c, cls, &cls->ast->part.options);
    /* What the lines of one family have in common is what it is a list of. */
    for (int i = 0; i < cls->lines.count; i++) {
        Class *line = cls->lines.items[i];
        design_resolve(c, line);
        Class *common = line->decl->cls ? class_common(line->decl->cls, line) : line;
        line->decl->cls = common ? common : c->any_part;
    }
}

static void activate(Checker *c, Class *cls) {
    VEC_PUSH(c->arena, &c->program->classes, cls->tree);
    VEC_PUSH(c->arena, &c->classes, cls);
    design_resolve(c, cls);
    lay_out(c, cls);
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        if (decl->kind == DECL_PART && decl->cls) class_activate(c, decl->cls);
    }
    for (int i = 0; i < cls->lines.count; i++)
        class_activate(c, cls->lines.items[i]);
}

/* The index is given before anything else, so that a class may be met again while its own design is
 * found. A class is the world's, also when a question is the first to name it. */
void class_activate(Checker *c, Class *cls) {
    if (cls->tree->index >= 0) return;
    Home *home = home_enter(c, &c->world_home);
    cls->tree->index = c->program->classes.count;
    cls->tree->name = class_path(c, cls);
    activate(c, cls);
    home_enter(c, home);
}
