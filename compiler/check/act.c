/* What happens while a world runs: where acts may stand, and the acts that are no functions: setting a field, spawning a part,
 * putting acts off. What is set is state, which is kept with the world, so it is of a type that can be kept.
 *
 *     health -= 0.1                       ACT_ADD of the field          at.y = 2 m      ACT_SET of its second slot
 *     xs[i] = v                           a var holds the list, its item is set, then ACT_SET of it all
 *     spawn(troll(stance: guard), under: army, at: p)     let new = SPAWN; ACT_SET of each value; new
 */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

bool act_may(Ctx *x, Span span, const char *what, Span acted) {
    if (x->acting == ACTING_ON) return true;
    if (x->acting == ACTING_FN) {
        x->fn->acts = true;
        if (!x->fn->acted.file) x->fn->acted = span;
        return true;
    }
    Diag *diag = diag_add(x->c->diags, DIAG_E_ACTS, span, what);
    if (acted.file) diag_note(x->c->diags, diag, acted, "it acts here");
    return false;
}

/* -- what can be kept -- */

bool act_keeps(const Type *type) {
    switch ((int)type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_U32:
    case TYPE_NUMBER:
    case TYPE_TEXT:
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
    case TYPE_ONE_OF:
    case TYPE_PART:
    case TYPE_ANY_PART:
    case TYPE_DESIGN:
    case TYPE_POISON:
        return true;
    case TYPE_LIST: /* which of an item's slots are objects is known of the first 64 */
        return act_keeps(type->element) && (type->element->slot_count <= 64 || strchr(type->element->slots + 64, 'R') == NULL);
    case TYPE_OPTIONAL:
        return act_keeps(type->element);
    case TYPE_TUPLE:
        for (int i = 0; i < type->item_count; i++)
            if (!act_keeps(type->items[i])) return false;
        return true;
    case TYPE_RECORD:
        for (int i = 0; i < type->record->fields.count; i++)
            if (!act_keeps(type->record->fields.items[i].type)) return false;
        return true;
    default:
        return false;
    }
}

static const TreeField *field_of(const Ctx *x, const Tree *field) {
    const Type *type = field->part.operand->type;
    const TreeClass *cls = type->cls ? type->cls : x->c->any_part->tree;
    return &cls->fields.items[field->part.index];
}

/* -- setting a field -- */

static Tree *act_of(Ctx *x, TreeKind kind, const Tree *field, int first, Tree *value, Span span) {
    Checker *c = x->c;
    const char *name = name_text(c, field_of(x, field)->name);
    if (!act_may(x, span, name, (Span){0})) return tree_poison(c, span);
    if (!act_keeps(field->type)) {
        diag_add(c->diags, DIAG_E_STATE_TYPE, span, name, type_phrase(c, field->type));
        return tree_poison(c, span);
    }
    if (type_poisoned(value->type)) return value;
    Tree *tree = tree_new(c, kind, c->types.unit, span);
    tree->act.index = field->part.index;
    tree->act.first = first;
    tree->act.part = field->part.operand;
    tree->act.value = value;
    return tree;
}

/* The field that a place begins with; `first` is the slot when all on the way is components of one that is no optional. NULL: it
 * begins with another thing. */
static Tree *field_under(Tree *place, int *first, bool *whole) {
    *first = 0;
    *whole = true;
    while (place->kind == TREE_COMPONENT || place->kind == TREE_ITEM) {
        bool component = place->kind == TREE_COMPONENT;
        Tree *operand = component ? place->component.operand : place->member.operand;
        if (component)
            *first += place->component.index;
        else
            *whole = false;
        if (type_is(operand->type, TYPE_OPTIONAL)) *whole = false;
        place = operand;
    }
    return place->kind == TREE_FIELD ? place : NULL;
}

/* The same place in a variable that holds the field's value. */
static Tree *place_in(Ctx *x, const Tree *place, int local) {
    if (place->kind == TREE_FIELD) return tree_local(x, local, place->span);
    Tree *copy = tree_new(x->c, place->kind, place->type, place->span);
    *copy = *place;
    if (place->kind == TREE_COMPONENT)
        copy->component.operand = place_in(x, place->component.operand, local);
    else
        copy->member.operand = place_in(x, place->member.operand, local);
    return copy;
}

static bool adds(const AstNode *ast, const Type *type) {
    bool sum = ast->assign.op == OP_ADD || ast->assign.op == OP_SUB;
    return sum && (type_is_numeric(type) || type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR) || type_is(type, TYPE_COLOR)) &&
           !type_is(type, TYPE_U32);
}

/* What is added: a point takes an offset, and what is taken away is added with its sign turned. */
static Tree *added(Ctx *x, const AstNode *ast, const Type *type) {
    Checker *c = x->c;
    const Type *want = type_is(type, TYPE_POINT) ? c->types.offset : type;
    Tree *value = convert_to(x, expr_check(x, ast->assign.value, want), want);
    if (ast->assign.op == OP_ADD || type_poisoned(value->type)) return value;
    Tree *turned = tree_new(c, TREE_OP, value->type, ast->span);
    turned->op.op = OP_NEG;
    turned->op.left = value;
    return turned;
}

static Tree *set_in_part(Ctx *x, const AstNode *ast, Tree *place, const Tree *field) {
    Checker *c = x->c;
    TreeList before = {0};
    int local = ctx_local(x, 0, field->type, true);
    treelist_push(c, &before, tree_let(x, local, tree_part(c, TREE_FIELD, field->part.operand, field->part.index, field->type, field->span)));
    place = place_in(x, place, local);
    if (!place_hold(x, place, &before)) {
        diag_add(c->diags, DIAG_E_ASSIGN_TARGET, ast->assign.target->span);
        return tree_poison(c, ast->span);
    }
    Tree *value = expr_check(x, ast->assign.value, place->type);
    if (ast->assign.op != OP_SET) value = operator_apply(x, ast->assign.op, place, value, ast->span);
    treelist_push(c, &before, place_set(c, place, convert_to(x, value, place->type), ast->span));
    Tree *all = act_of(x, TREE_ACT_SET, field, 0, tree_local(x, local, ast->span), ast->span);
    return arguments_wrap(c, &before, all);
}

/* A name that is no field cannot begin a place in one, nor a record in a variable. */
static Tree *peek_place(Ctx *x, const AstNode *target) {
    Checker *c = x->c;
    if (target->kind == AST_NAME) {
        Found found = scope_find(x, target->name.symbol, false);
        if (found.kind != FOUND_DECL || found.decl->kind != DECL_FIELD) return NULL;
    } else if (target->kind != AST_MEMBER && target->kind != AST_INDEX) {
        return NULL;
    }
    DiagList silent, *loud = suggest_silence(c, &silent);
    Tree *place = expr_check(x, target, NULL);
    c->diags = loud;
    return place;
}

/* Whether a place begins with a part, or what one has, and not with a variable. */
static bool begins_in_part(Ctx *x, const AstNode *target) {
    while (target->kind == AST_MEMBER || target->kind == AST_INDEX)
        target = target->kind == AST_MEMBER ? target->member.object : target->index.object;
    Symbol name = target->kind == AST_NAME ? target->name.symbol : target->kind == AST_SELF ? x->c->names.self : 0;
    if (name == 0) return false;
    Found found = scope_find(x, name, false);
    return target->kind == AST_SELF ? found.kind == FOUND_NOTHING && x->scope_class : found.kind == FOUND_DECL;
}

Tree *act_assign(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    int first;
    bool whole;
    int known = x->narrowed.count;
    Tree *peeked = peek_place(x, ast->assign.target);
    if (peeked && type_poisoned(peeked->type) && begins_in_part(x, ast->assign.target)) {
        expr_check(x, ast->assign.value, NULL);
        return expr_check(x, ast->assign.target, NULL); /* it says what is wrong */
    }
    if (!peeked || type_poisoned(peeked->type) || !field_under(peeked, &first, &whole)) return NULL;
    x->narrowed.count = 0; /* what an optional is known to be says nothing of what is set */
    Tree *place = expr_check(x, ast->assign.target, NULL);
    x->narrowed.count = known;
    Tree *field = field_under(place, &first, &whole);
    if (!field || type_poisoned(place->type)) return tree_poison(c, ast->span);
    if (!whole) return set_in_part(x, ast, place, field);
    if (adds(ast, place->type)) return act_of(x, TREE_ACT_ADD, field, first, added(x, ast, place->type), ast->span);
    Tree *value = expr_check(x, ast->assign.value, place->type);
    if (ast->assign.op != OP_SET) value = operator_apply(x, ast->assign.op, place, value, ast->span);
    return act_of(x, TREE_ACT_SET, field, first, convert_to(x, value, place->type), ast->span);
}

/* -- spawn(design(...), under: part, at: ..., lifetime: ...) -- */

static Class *find_design(Ctx *x, const AstNode *ast, const AstArgs **args) {
    static const AstArgs none;
    *args = &none;
    bool called = ast->kind == AST_CALL;
    if (called) {
        *args = &ast->call.args;
        ast = ast->call.callee;
    }
    Decl *decl = NULL;
    if (ast->kind == AST_NAME) {
        Found found = scope_find(x, ast->name.symbol, called);
        if (found.kind == FOUND_DECL) decl = found.decl;
    } else if (ast->kind == AST_MEMBER) {
        Package *package = member_package(x, ast->member.object, ast->member.name.symbol, called);
        if (package) decl = package_value(x->package, package, ast->member.name.symbol);
    }
    if (!decl || decl->kind != DECL_PART || !decl->cls->tree->is_design) return NULL;
    uses_decl(x, decl, ast->span, NULL);
    return decl->cls;
}

/* Sets a field of the new part, at once, for nobody else sees it yet. */
static void give(Ctx *x, Class *cls, const Tree *part, const AstArg *arg, bool *given, TreeList *out) {
    Checker *c = x->c;
    Decl *decl = arg->name.symbol ? class_member(cls, arg->name.symbol) : NULL;
    if (!arg->name.symbol) {
        diag_add(c->diags, DIAG_E_OPTION_UNNAMED, arg->span);
        return;
    }
    if (!decl || decl->kind != DECL_FIELD) {
        option_unknown(c, cls, arg);
        return;
    }
    if (given[decl->index]) diag_add(c->diags, DIAG_E_ARGUMENT_TWICE, arg->span, name_text(c, arg->name.symbol));
    given[decl->index] = true;
    uses_option(c, decl, arg->name.span);
    const Type *type = field_type(c, cls, decl->index, arg->span);
    Tree *field = tree_part(c, TREE_FIELD, (Tree *)(uintptr_t)part, decl->index, type, arg->span);
    Tree *value = argument_check(x, NULL, type, arg->value, 0);
    treelist_push(c, out, act_of(x, TREE_ACT_SET, field, 0, value, arg->span));
}

static void check_given(Checker *c, Class *cls, const bool *given, Span span) {
    for (int i = 0; i < cls->fields.count; i++) {
        bool has = given[i] || !cls->fields.items[i].decl;
        for (Class *at = cls; at && i < at->fields.count && !has; at = at->base)
            has = at->fields.items[i].own;
        if (has) continue;
        Diag *diag = diag_add(c->diags, DIAG_E_FIELD_MISSING, span, name_text(c, cls->tree->fields.items[i].name));
        diag_note(c->diags, diag, cls->fields.items[i].decl->span, "it is declared here, without one");
    }
}

static Tree *private_act(Ctx *x, Decl *decl, Tree **args, int count, Span span) {
    return decl ? tree_call(x, fn_instance(x->c, decl, NULL), args, count, span) : tree_poison(x->c, span);
}

static Tree *spawn_part(Ctx *x, const AstNode *ast, Class *cls, Tree *under) {
    Tree *spawn = tree_new(x->c, TREE_SPAWN, type_part(x->c, cls), ast->span);
    spawn->spawn.design = cls->tree;
    spawn->spawn.under = under;
    return spawn;
}

Tree *act_spawn(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstArgs *args = &ast->call.args, *values = NULL;
    bool named = args->count && args->items[0].name.symbol == 0;
    Class *cls = named ? find_design(x, args->items[0].value, &values) : NULL;
    if (!act_may(x, ast->span, "spawn", (Span){0})) return tree_poison(c, ast->span);
    if (!cls) {
        diag_add(c->diags, DIAG_E_SPAWN, named ? args->items[0].span : ast->span);
        return tree_poison(c, ast->span);
    }
    class_activate(c, cls);
    const AstNode *under = NULL, *lifetime = NULL;
    TreeList before = {0};
    bool *given = ARENA_ARRAY(c->arena, bool, cls->fields.count + 1);
    int local = ctx_local(x, 0, type_part(c, cls), false);
    Tree *part = tree_local(x, local, ast->span);
    for (int i = 0; i < values->count; i++)
        give(x, cls, part, &values->items[i], given, &before);
    for (int i = 1; i < args->count; i++) {
        const AstArg *arg = &args->items[i];
        const AstNode **mine = arg->name.symbol == c->names.under ? &under : arg->name.symbol == c->names.lifetime ? &lifetime : NULL;
        if (!mine)
            give(x, c->any_part, part, arg, given, &before);
        else if (*mine)
            diag_add(c->diags, DIAG_E_ARGUMENT_TWICE, arg->span, name_text(c, arg->name.symbol));
        else
            *mine = arg->value;
    }
    check_given(c, cls, given, ast->span);
    Tree *holder = under ? convert_to(x, expr_check(x, under, c->types.any_part), c->types.any_part)
                   : x->self_class ? scope_path(x, x->self_class, 0, ast->span) : NULL;
    if (!holder) {
        diag_add(c->diags, DIAG_E_NO_SELF, ast->span);
        return tree_poison(c, ast->span);
    }
    if (lifetime) {
        Tree *seconds = convert_to(x, expr_check(x, lifetime, c->types.seconds), c->types.seconds);
        treelist_push(c, &before, private_act(x, LIBRARY_DECL(c, living, removeAfter), (Tree *[]){part, seconds}, 2, ast->span));
    }
    TreeList all = {0};
    treelist_push(c, &all, tree_let(x, local, spawn_part(x, ast, cls, holder)));
    for (int i = 0; i < before.count; i++)
        treelist_push(c, &all, before.items[i]);
    return type_poisoned(holder->type) ? holder : arguments_wrap(c, &all, part);
}

/* -- after(delay, { acts }) -- */

Tree *act_after(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    const AstArgs *args = &ast->call.args;
    if (args->count != 2 || args->items[1].value->kind != AST_BLOCK) {
        diag_add(c->diags, DIAG_E_AFTER, ast->span);
        return tree_poison(c, ast->span);
    }
    if (!act_may(x, ast->span, "after", (Span){0})) return tree_poison(c, ast->span);
    Tree *delay = convert_to(x, expr_check(x, args->items[0].value, c->types.seconds), c->types.seconds);
    const LambdaShape shape = {.result = c->types.unit, .acts = true};
    Tree *then = lambda_make(x, args->items[1].value, &shape);
    if (type_poisoned(delay->type) || type_poisoned(then->type)) return tree_poison(c, ast->span);
    for (int i = 0; i < then->lambda.capture_count; i++) {
        const TreeLocal *held = &x->fn->locals.items[then->lambda.captures[i]];
        if (!act_keeps(held->type)) diag_add(c->diags, DIAG_E_STATE_TYPE, then->span, name_text(c, held->name), type_phrase(c, held->type));
    }
    Tree *of = convert_to(x, scope_path(x, x->self_class ? x->self_class : c->root, 0, ast->span), c->types.any_part);
    return private_act(x, LIBRARY_DECL(c, living, doAfter), (Tree *[]){of, delay, then}, 3, ast->span);
}

/* -- families made while the world runs: army.troll -- */

Tree *act_family(Ctx *x, Tree *part, Symbol name, Span span) {
    Checker *c = x->c;
    if (!type_is(part->type, TYPE_PART) && !type_is(part->type, TYPE_ANY_PART)) return NULL;
    Found found = scope_find(x, name, false);
    const Decl *decl = found.kind == FOUND_DECL ? found.decl : NULL;
    bool design = decl && decl->kind == DECL_PART && decl->cls->tree->is_design;
    if (!design || (decl->package == c->world && !decl->cls->spawned)) return NULL;
    class_activate(c, decl->cls);
    uses_decl(x, decl, span, NULL);
    return tree_part(c, TREE_FAMILY, part, TREE_SPAWNED + decl->cls->tree->index, type_list(c, type_part(c, decl->cls)), span);
}
