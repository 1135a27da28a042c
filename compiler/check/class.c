/* Part lines as classes: declaring them, laying out fields, children and families, and checking all they hold.
 *
 * A class is declared when its line is read, activated (given an index, its design found, its tables laid out) when
 * the world holds it or something names it, and checked afterwards: types first, as they are asked for.
 */
#include "compiler/check/checker.h"

Class *class_of(Checker *c, const TreeClass *tree) {
    return c->classes.items[tree->index];
}

bool class_derives(const Class *cls, const Class *base) {
    for (; cls; cls = cls->base)
        if (cls == base) return true;
    return false;
}

Str class_path(Checker *c, const Class *cls) {
    Str name = symbols_name(c->symbols, cls->name);
    if (!cls->outer) return name;
    Str outer = class_path(c, cls->outer);
    if (outer.len == 0) return name;
    return str_printf(c->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name));
}

Class *class_create(Checker *c, Symbol name, const AstNode *ast, Package *package, Class *outer, Span span) {
    Class *cls = ARENA_NEW(c->arena, Class);
    *cls = (Class){.name = name, .ast = ast, .package = package, .outer = outer};
    TreeClass *tree = ARENA_NEW(c->arena, TreeClass);
    *tree = (TreeClass){.index = -1, .value_field = -1, .ast = ast, .span = span};
    if (ast) tree->doc = ast->part.doc;
    tree->outer = outer ? outer->tree : NULL;
    cls->tree = tree;
    return cls;
}

/* -- declaring -- */

static void enter_member(Checker *c, Class *cls, Decl *decl) {
    if (cls == c->root) {
        package_enter(c, c->world, decl, &c->world->values);
        VEC_PUSH(c->arena, &cls->decls, decl);
        return;
    }
    Decl *earlier = symbolmap_get(&cls->members, decl->name);
    if (earlier) {
        Diag *diag = diag_add(c->diags, DIAG_E_NAME_TWICE, decl->span, name_text(c, decl->name));
        diag_note(c->diags, diag, earlier->span, "the first one is here");
        return;
    }
    symbolmap_put(c->arena, &cls->members, decl->name, decl);
    VEC_PUSH(c->arena, &cls->decls, decl);
}

static void declare_lines(Checker *c, Class *cls, const AstNode *ast);

static Class *declare_class(Checker *c, Class *outer, const AstNode *ast, AstName name) {
    Class *cls = class_create(c, name.symbol, ast, outer->package, outer, ast->span);
    class_declare_body(c, cls, &ast->part.body);
    return cls;
}

/* A member's line: the family is declared by its first line, each line is a class of its own. */
static void declare_member(Checker *c, Class *outer, const AstNode *ast, AstName name) {
    Class *cls = declare_class(c, outer, ast, name);
    cls->in_elaborate = true;
    outer->has_elaborate = true;
    VEC_PUSH(c->arena, &outer->lines, cls);
    Decl *family = outer == c->root ? symbolmap_get(&c->world->values, name.symbol) : symbolmap_get(&outer->members, name.symbol);
    if (!family || family->kind != DECL_FAMILY) {
        family = decl_create(c, DECL_FAMILY, name, ast, outer->package, outer);
        enter_member(c, outer, family);
    }
    cls->decl = family;
}

static void declare_part(Checker *c, Class *outer, const AstNode *ast, AstName name, bool in_lines) {
    if (ast->part.index || in_lines) {
        declare_member(c, outer, ast, name);
        return;
    }
    Decl *decl = decl_create(c, DECL_PART, name, ast, outer->package, outer);
    decl->cls = declare_class(c, outer, ast, name);
    decl->cls->decl = decl;
    enter_member(c, outer, decl);
}

static void declare_inner_part(Checker *c, Class *cls, const AstNode *ast, bool in_lines) {
    if (ast->part.path.count != 1) {
        if (ast->part.path.count) diag_add(c->diags, DIAG_E_PART_DOTTED, ast->part.path.items[0].span);
        return;
    }
    declare_part(c, cls, ast, ast->part.path.items[0], in_lines);
}

/* The part lines inside an each or an if of a body. */
static void declare_lines(Checker *c, Class *cls, const AstNode *ast) {
    if (!ast) return;
    switch ((int)ast->kind) {
    case AST_PART: declare_inner_part(c, cls, ast, true); break;
    case AST_EACH: declare_lines(c, cls, ast->each.body); break;
    case AST_IF:
        declare_lines(c, cls, ast->if_.then_block);
        declare_lines(c, cls, ast->if_.else_block);
        break;
    case AST_BLOCK:
        for (int i = 0; i < ast->block.statements.count; i++) declare_lines(c, cls, ast->block.statements.items[i]);
        break;
    default: break;
    }
}

/* `foliage(self, ...)` in a body: a field of its own that no text names. */
static void declare_statement(Checker *c, Class *cls, const AstNode *ast) {
    AstName name = {symbols_intern(c->symbols, STR_LIT("statement")), ast->span};
    if (ast->kind == AST_CALL && ast->call.callee->kind == AST_NAME) name.symbol = ast->call.callee->name.symbol;
    VEC_PUSH(c->arena, &cls->statements, decl_create(c, DECL_FIELD, name, ast, cls->package, cls));
}

static void declare_item(Checker *c, Class *cls, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_FIELD: enter_member(c, cls, decl_create(c, DECL_FIELD, ast->field.name, ast, cls->package, cls)); break;
    case AST_FN: enter_member(c, cls, decl_create(c, DECL_FN, ast->fn.name, ast, cls->package, cls)); break;
    case AST_PART: declare_inner_part(c, cls, ast, false); break;
    case AST_EACH: case AST_IF:
        declare_lines(c, cls, ast);
        cls->has_elaborate = true;
        break;
    case AST_LET: cls->has_elaborate = true; break;
    case AST_CHECK: case AST_ERROR: break;
    case AST_RECORD: case AST_CONTRACT: case AST_USE: case AST_ASSIGN:
        diag_add(c->diags, DIAG_E_NOT_IN_PART, ast->span);
        break;
    default: declare_statement(c, cls, ast); break;
    }
}

void class_declare_body(Checker *c, Class *cls, const AstList *body) {
    for (int i = 0; i < body->count; i++) declare_item(c, cls, body->items[i]);
}

/* -- the world's file -- */

static void part_path_unknown(Checker *c, Class *in, AstName name) {
    Diag *diag = diag_add(c->diags, DIAG_E_PART_UNKNOWN, name.span, name_text(c, name.symbol));
    StrList names = {0};
    for (int i = 0; i < in->decls.count; i++)
        if (in->decls.items[i]->kind == DECL_PART)
            VEC_PUSH(c->arena, &names, symbols_name(c->symbols, in->decls.items[i]->name));
    Str near = diag_nearest(symbols_name(c->symbols, name.symbol), names.items, names.count);
    if (!near.len) return;
    diag_help(c->diags, diag, "did you mean '%.*s'?", STR_ARG(near));
    diag_fix(c->diags, diag, name.span, near);
}

/* part a.b: under the part a declared elsewhere. */
static void declare_dotted(Checker *c, const AstNode *ast) {
    const AstNames *path = &ast->part.path;
    Class *at = c->root;
    for (int i = 0; i + 1 < path->count; i++) {
        Decl *decl = symbolmap_get(&at->members, path->items[i].symbol);
        if (!decl || decl->kind != DECL_PART) {
            part_path_unknown(c, at, path->items[i]);
            return;
        }
        at = decl->cls;
    }
    declare_part(c, at, ast, path->items[path->count - 1], false);
}

static void declare_top(Checker *c, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_FIELD:
        enter_member(c, c->root, decl_create(c, DECL_FIELD, ast->field.name, ast, c->world, c->root));
        break;
    case AST_PART:
        if (ast->part.path.count == 1) declare_part(c, c->root, ast, ast->part.path.items[0], false);
        break;
    case AST_FN: case AST_RECORD: case AST_CONTRACT: case AST_USE: package_declare(c, c->world, ast); break;
    case AST_CHECK: case AST_ERROR: break;
    default: diag_add(c->diags, DIAG_E_NOT_AT_TOP, ast->span); break;
    }
}

/* The world's seed is its field `seed`; one that declares none has 1, so that --seed has something to set. */
static void declare_seed(Checker *c) {
    if (symbolmap_get(&c->world->values, c->names.seed)) return;
    AstNode *nodes = ARENA_ARRAY(c->arena, AstNode, 3);
    AstNode *field = &nodes[0], *type = &nodes[1], *value = &nodes[2];
    *type = (AstNode){.kind = AST_TYPE_NAME, .type_name.name = {c->names.seed, {0}}};
    *value = (AstNode){.kind = AST_NUMBER, .number = {.value = 1, .int_value = 1, .whole = true}};
    *field = (AstNode){.kind = AST_FIELD, .field = {.name = {c->names.seed, {0}}, .type = type, .value = value}};
    enter_member(c, c->root, decl_create(c, DECL_FIELD, field->field.name, field, c->world, c->root));
}

void class_declare_world(Checker *c) {
    c->root = class_create(c, 0, NULL, c->world, NULL, (Span){0});
    const AstFile *file = c->input.world;
    int deepest = 1;
    for (int i = 0; file && i < file->decls.count; i++) {
        declare_top(c, file->decls.items[i]);
        if (file->decls.items[i]->kind == AST_PART && file->decls.items[i]->part.path.count > deepest)
            deepest = file->decls.items[i]->part.path.count;
    }
    declare_seed(c);
    c->root->members = c->world->values;
    for (int depth = 2; depth <= deepest; depth++)
        for (int i = 0; i < file->decls.count; i++) {
            const AstNode *ast = file->decls.items[i];
            if (ast->kind == AST_PART && ast->part.path.count == depth) declare_dotted(c, ast);
        }
}

/* -- activation and layout -- */

void class_activate(Checker *c, Class *cls) {
    if (cls->tree->index >= 0) return;
    cls->tree->index = c->program->classes.count;
    cls->tree->name = class_path(c, cls);
    VEC_PUSH(c->arena, &c->program->classes, cls->tree);
    VEC_PUSH(c->arena, &c->classes, cls);
    design_resolve(c, cls);
    class_layout(c, cls);
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        if (decl->kind == DECL_PART && decl->cls) class_activate(c, decl->cls);
    }
    for (int i = 0; i < cls->lines.count; i++) class_activate(c, cls->lines.items[i]);
}

static int add_field(Checker *c, Class *cls, Symbol name, Span span, FieldInfo info) {
    TreeField field = {.name = name, .span = span, .hidden = info.is_value || info.quiet};
    VEC_PUSH(c->arena, &cls->tree->fields, field);
    VEC_PUSH(c->arena, &cls->fields, info);
    return cls->fields.count - 1;
}

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

static void lay_field(Checker *c, Class *cls, Decl *decl) {
    const AstNode *value = decl->ast->field.value;
    Decl *earlier = cls->base ? class_member(cls->base, decl->name) : NULL;
    if (!earlier) {
        decl->index = add_field(c, cls, decl->name, decl->span, (FieldInfo){.decl = decl, .value = value, .own = value});
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

static void lay_members(Checker *c, Class *cls) {
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        Decl *earlier = cls->base && decl->kind != DECL_FIELD ? class_member(cls->base, decl->name) : NULL;
        if (earlier) {
            Diag *diag = diag_add(c->diags, DIAG_E_MEMBER_AGAIN, decl->span, name_text(c, decl->name));
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

static void option_unknown(Checker *c, Class *cls, const AstArg *arg) {
    Diag *diag = diag_add(c->diags, DIAG_E_OPTION_UNKNOWN, arg->name.span, name_text(c, arg->name.symbol));
    StrList names = {0};
    for (int i = 0; i < cls->tree->fields.count; i++)
        if (!cls->tree->fields.items[i].hidden)
            VEC_PUSH(c->arena, &names, symbols_name(c->symbols, cls->tree->fields.items[i].name));
    Str near = diag_nearest(symbols_name(c->symbols, arg->name.symbol), names.items, names.count);
    if (!near.len) return;
    diag_help(c->diags, diag, "did you mean '%.*s:'?", STR_ARG(near));
    diag_fix(c->diags, diag, arg->name.span, near);
}

/* Options set fields of the design or of anyPart, and are scoped in the part that holds the line. */
static void lay_options(Checker *c, Class *cls, const AstArgs *args) {
    for (int i = 0; args && i < args->count; i++) {
        const AstArg *arg = &args->items[i];
        if (!arg->name.symbol) {
            diag_add(c->diags, DIAG_E_OPTION_UNNAMED, arg->span);
            continue;
        }
        Decl *decl = class_member(cls, arg->name.symbol);
        if (!decl || decl->kind != DECL_FIELD) {
            option_unknown(c, cls, arg);
            continue;
        }
        FieldInfo *info = &cls->fields.items[decl->index];
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

static Class *common_base(Class *a, Class *b) {
    for (; a; a = a->base)
        if (class_derives(b, a)) return a;
    return NULL;
}

void class_layout(Checker *c, Class *cls) {
    if (cls->layout_state != WORK_NEW) return;
    cls->layout_state = WORK_DONE;
    inherit(c, cls);
    if (cls->value) {
        Symbol name = c->names.value;
        cls->tree->value_field = add_field(c, cls, name, cls->value->span,
                                           (FieldInfo){.value = cls->value, .own = true, .on_line = true, .is_value = true});
        cls->tree->fields.items[cls->tree->value_field].given = true;
    }
    lay_members(c, cls);
    for (int i = 0; i < cls->statements.count; i++) {
        Decl *decl = cls->statements.items[i];
        decl->index = add_field(c, cls, decl->name, decl->span,
                                (FieldInfo){.decl = decl, .value = decl->ast, .own = true, .quiet = true});
        cls->tree->fields.items[decl->index].given = true;
    }
    lay_options(c, cls, cls->design_args);
    if (cls->ast) lay_options(c, cls, &cls->ast->part.options);
    for (int i = 0; i < cls->lines.count; i++) {
        Class *line = cls->lines.items[i];
        design_resolve(c, line);
        Class *common = line->decl->cls ? common_base(line->decl->cls, line) : line;
        line->decl->cls = common ? common : c->any_part;
    }
}

/* -- checking and finishing -- */

static void check_missing(Checker *c, Class *cls) {
    if (cls->tree->is_design || !cls->ast) return;
    for (int i = 0; i < cls->fields.count; i++) {
        bool has = false;
        for (Class *at = cls; at && i < at->fields.count && !has; at = at->base) has = at->fields.items[i].own;
        if (has || !cls->fields.items[i].decl || cls->dynamic) continue;
        const TreeField *field = &cls->tree->fields.items[i];
        Span span = cls->ast->part.path.count ? cls->ast->part.path.items[cls->ast->part.path.count - 1].span : cls->ast->span;
        Diag *diag = diag_add(c->diags, DIAG_E_FIELD_MISSING, span, name_text(c, field->name));
        diag_note(c->diags, diag, cls->fields.items[i].decl->span, "it is declared here, without one");
    }
}

static void check_declaration(Checker *c, Class *cls, const AstNode *ast);

static void check_declarations(Checker *c, Class *cls) {
    const AstList *list = cls->ast ? &cls->ast->part.body : c->input.world ? &c->input.world->decls : NULL;
    for (int i = 0; list && i < list->count; i++)
        if (list->items[i]->kind == AST_CHECK) check_declaration(c, cls, list->items[i]);
}

static void constant_range(Checker *c, Ctx *x, const AstNode *ast, TreeCheck *check) {
    Tree *range = expr_check(x, ast, NULL);
    bool whole = range->kind == TREE_AGGREGATE && range->items.count == 3 && range->items.items[0]->kind == TREE_INT &&
                 range->items.items[1]->kind == TREE_INT && range->items.items[2]->kind == TREE_BOOL;
    if (!whole) {
        if (!type_poisoned(range->type)) diag_add(c->diags, DIAG_E_CHECK_SEEDS, ast->span);
        return;
    }
    check->seeds_lo = range->items.items[0];
    check->seeds_hi = tree_int(c, range->items.items[1]->integer + range->items.items[2]->integer, c->types.integer,
                               ast->span);
}

static void check_declaration(Checker *c, Class *cls, const AstNode *ast) {
    TreeCheck check = {.title = ast->check.title, .cls = cls->tree, .span = ast->span};
    Str path = class_path(c, cls);
    check.condition = fn_create(c, str_printf(c->arena, "%.*s%scheck", STR_ARG(path), path.len ? "." : ""), ast->span);
    Ctx x;
    ctx_init(&x, c, check.condition, cls->package);
    ctx_set_class(&x, cls);
    for (int i = 0; i < ast->check.options.count; i++) {
        const AstArg *option = &ast->check.options.items[i];
        if (option->name.symbol == c->names.seeds) constant_range(c, &x, option->value, &check);
        else diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, option->span, "check", "seeds:",
                      name_text(c, option->name.symbol));
    }
    check.condition->body = expr_value(&x, ast->check.body, c->types.boolean);
    check.condition->result = c->types.boolean;
    fn_finish(c, check.condition);
    VEC_PUSH(c->arena, &c->program->checks, check);
}

static void check_methods(Checker *c, Class *cls) {
    if (cls == c->root) { /* the file's functions; a generic one is checked when it is used */
        for (int i = 0; i < c->world->decls.count; i++) {
            Decl *decl = c->world->decls.items[i];
            if (decl->kind == DECL_FN && decl_type_params(decl)->count == 0 && !decl->owner)
                fn_check_body(c, fn_instance(c, decl, NULL), decl->span);
            if (decl->kind == DECL_RECORD && decl->ast->record.type_params.count == 0)
                typeexpr_record(c, decl, NULL, decl->span);
            if (decl->kind == DECL_CONTRACT) typeexpr_contract(c, decl);
        }
        return;
    }
    for (int i = 0; i < cls->decls.count; i++) {
        Decl *decl = cls->decls.items[i];
        if (decl->kind != DECL_FN || decl_type_params(decl)->count) continue;
        FnInst *inst = fn_instance(c, decl, NULL);
        fn_check_body(c, inst, decl->span);
        VEC_PUSH(c->arena, &cls->tree->methods, inst->fn);
    }
}

void class_check(Checker *c, Class *cls) {
    if (cls->check_state != WORK_NEW) return;
    cls->check_state = WORK_DONE;
    if (cls->in_elaborate) elaborate_check(c, cls->outer);
    for (int i = 0; i < cls->fields.count; i++) field_check(c, cls, i);
    check_missing(c, cls);
    check_methods(c, cls);
    elaborate_check(c, cls);
    check_declarations(c, cls);
}

/* What only holds once everything is checked: inherited values, slots, who makes what. */
void class_finish(Checker *c, Class *cls) {
    TreeClass *tree = cls->tree;
    Class *base = cls->base;
    if (cls->finished) return;
    cls->finished = true;
    if (base) {
        class_finish(c, base);
        tree->base = base->tree;
    }
    int slot = 0;
    for (int i = 0; i < tree->fields.count; i++) {
        TreeField *field = &tree->fields.items[i];
        if (base && i < base->tree->fields.count) {
            const TreeField *from = &base->tree->fields.items[i];
            field->type = from->type;
            field->within = from->within;
            field->within_lo = from->within_lo;
            field->within_hi = from->within_hi;
            field->doc = from->doc;
            if (!cls->fields.items[i].own) field->init = from->init;
        }
        field->slot = slot;
        slot += field->type ? field->type->slot_count : 0;
    }
    tree->slot_count = slot;
    tree->dynamic_base = cls->dynamic;
    tree->elaborates.count = 0;
    for (int i = 0; base && i < base->tree->elaborates.count; i++)
        VEC_PUSH(c->arena, &tree->elaborates, base->tree->elaborates.items[i]);
    if (cls->elaborate) VEC_PUSH(c->arena, &tree->elaborates, cls->elaborate);
    for (int i = 0; i < tree->families.count; i++) {
        if (base && i < base->tree->families.count) {
            tree->families.items[i] = base->tree->families.items[i];
            continue;
        }
        for (int k = 0; k < cls->decls.count; k++)
            if (cls->decls.items[k]->kind == DECL_FAMILY && cls->decls.items[k]->index == i)
                tree->families.items[i].cls = cls->decls.items[k]->cls->tree;
    }
    if (cls->make) {
        cls->make->part_make.captures = cls->capture_locals.items;
        cls->make->part_make.capture_count = cls->capture_locals.count;
    }
}
