/* `object.name` and `object[index]`. What a part does not answer itself, the value it is made of
 * may. */
#include "compiler/check/checker.h"
#include "lang/foreign.h"
#include "stdlib/library_names.h"

static bool is_method(Checker *c, const Decl *decl) {
    const AstParams *params = decl->kind == DECL_FN ? decl_params(decl) : NULL;
    return params && params->count && params->items[0].name.symbol == c->names.self;
}

/* Whether a part has nothing of that name, or what cannot be called: an option of every part. */
static bool lacks(Class *cls, Symbol member, bool called) {
    const Decl *own = class_member(cls, member);
    return own == NULL || (called && own->kind == DECL_FIELD && !own->package->is_file);
}

/* A function has no members (curve.at), and a part may lack this one: then its package is meant. */
Package *member_behind(Checker *c, const Package *from, const Decl *hides, Symbol member, bool called) {
    bool function = hides->kind == DECL_FN;
    bool part = (hides->kind == DECL_PART && lacks(hides->cls, member, called)) ||
                hides->kind == DECL_FAMILY;
    Package *package = function || part ? package_named(c, from, hides->name) : NULL;
    if (!package || (function && !hides->package->is_file)) return package;
    const Decl *decl = package_value(from, package, member);
    if (!decl) decl = package_type(from, package, member);
    return decl && (function || !is_method(c, decl)) ? package : NULL;
}

Package *member_package(Ctx *x, const AstNode *object, Symbol member, bool called) {
    if (object->kind != AST_NAME) return NULL;
    Found found = scope_find(x, object->name.symbol, false);
    if (found.kind == FOUND_DECL) return member_behind(x->c, x->package, found.decl, member, called);
    if (rule_land_member(x, &found, (AstName){object->name.symbol, object->span})) return NULL;
    return found.kind == FOUND_PACKAGE ? found.package : NULL;
}

const Type *part_value_type(Checker *c, const Type *part, Span span) {
    if (type_is(part, TYPE_ANY_PART)) return part->element;
    Class *cls = type_is(part, TYPE_PART) ? class_of(c, part->cls) : NULL;
    if (!cls || cls->tree->value_field < 0) return NULL;
    const Type *type = field_type(c, cls, cls->tree->value_field, span);
    return cls->tree->value_field < 0 ? NULL : type;
}

/* The hidden field, which stands behind those of anyPart in every class; a read of it works the value
 * out. */
Tree *part_value(Ctx *x, Tree *part) {
    const Type *type = part_value_type(x->c, part->type, part->span);
    return type ? tree_part(x->c, TREE_FIELD, part, x->c->any_part->fields.count, type, part->span)
                : NULL;
}

/* list.map(part => what it is made of) */
static Tree *open_list(Ctx *x, Tree *list) {
    Checker *c = x->c;
    TreeFn *fn =
        fn_create(c, str_printf(c->arena, "%.*s.opened", STR_ARG(x->fn->name)), list->span);
    Ctx y;
    ctx_init(&y, c, fn, x->package);
    fn->body =
        part_value(&y, tree_local(&y, ctx_local(&y, 0, list->type->element, false), list->span));
    fn->param_count = 1;
    fn->result = fn->body->type;
    fn_finish(c, fn);
    Tree *args[2] = {list, tree_new(c, TREE_LAMBDA, NULL, list->span)};
    args[1]->type = type_fn(c, &list->type->element, 1, fn->result, false);
    args[1]->lambda.fn = fn;
    Decl *map = LIBRARY_DECL(c, core, map);
    return map ? call_trees(x, map, args, 2, list->span) : NULL;
}

Tree *part_opened(Ctx *x, Tree *tree) {
    if (!type_is(tree->type, TYPE_LIST)) return part_value(x, tree);
    const Type *type = part_value_type(x->c, tree->type->element, tree->span);
    return type && !type_poisoned(type) ? open_list(x, tree) : NULL;
}

static Tree *member_value(Ctx *x, Class *cls, Decl *decl, Tree *object, Span span, const Type *expected) {
    Checker *c = x->c;
    switch (decl->kind) {
    case DECL_FIELD:
        return narrow_read(x, tree_part(c, TREE_FIELD, object, decl->index,
                                        field_type(c, cls, decl->index, span), span));
    case DECL_PART:
        return tree_part(c, TREE_CHILD, object, decl->index, type_part(c, decl->cls), span);
    case DECL_FAMILY:
        return tree_part(c, TREE_FAMILY, object, decl->index, type_list(c, type_part(c, decl->cls)),
                         span);
    case DECL_FN:
        return value_of_fn(x, decl, decl->owner ? object : NULL, span, expected);
    case DECL_CONSTANT:
    case DECL_RECORD:
    case DECL_OBJECT:
    case DECL_CONTRACT:
    case DECL_ALIAS:
        break;
    }
    return NULL;
}

Tree *read_member(Ctx *x, Class *cls, Decl *decl, Tree *object, Span span, const Type *expected) {
    Tree *tree = member_value(x, cls, decl, object, span, expected);
    if (tree) uses_decl(x, decl, span, tree->type);
    return tree;
}

/* Own and the design's members; designs are nobody's members. */
static Tree *part_member(Ctx *x, Class *cls, Tree *object, Symbol name, Span span,
                         const Type *expected) {
    Decl *decl = class_member(cls, name);
    if (!decl || (decl->kind == DECL_PART && decl->cls->tree->is_design)) return NULL;
    return read_member(x, cls, decl, object, span, expected);
}

/* x y z of points and vectors, r g b of colors. */
static Tree *axis(Ctx *x, Tree *object, Symbol name, Span span) {
    Checker *c = x->c;
    bool color = type_is(object->type, TYPE_COLOR);
    const Symbol axes[2][3] = {{c->names.x, c->names.y, c->names.z},
                               {c->names.r, c->names.g, c->names.b}};
    const Type *type =
        type_is(object->type, TYPE_POINT) ? c->types.meters : type_quantity(c, object->type->dims);
    for (int i = 0; i < 3; i++)
        if (axes[color][i] == name) return tree_component(c, object, i, type, span);
    return NULL;
}

static Tree *record_member(Ctx *x, Tree *object, Symbol name, Span span) {
    const struct TreeRecord *record = object->type->record;
    for (int i = 0; i < record->fields.count; i++)
        if (record->fields.items[i].name == name) {
            uses_record_field(x, record, i, span, record->fields.items[i].type);
            return narrow_read(x, tree_component(x->c, object, record->slots.items[i],
                                                 record->fields.items[i].type, span));
        }
    return NULL;
}

/* The place that `.0` names, or -1. */
static int place_of(Checker *c, Symbol name) {
    Str digits = symbols_name(c->symbols, name);
    int place = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9' || i > 6) return -1;
        place = place * 10 + (digits.ptr[i] - '0');
    }
    return place;
}

/* Items of a tuple have places and no names: pair.0, pair.1. */
static Tree *tuple_item(Ctx *x, Tree *object, Symbol name, Span span) {
    const Type *type = object->type;
    int place = place_of(x->c, name), slot = 0;
    if (place < 0 || place >= type->item_count) return NULL;
    for (int i = 0; i < place; i++)
        slot += type->items[i]->slot_count;
    return narrow_read(x, tree_component(x->c, object, slot, type->items[place], span));
}

Tree *member_find(Ctx *x, Tree *object, Symbol name, Span span, const Type *expected) {
    Checker *c = x->c;
    switch ((int)object->type->kind) {
    case TYPE_POISON:
        return object;
    case TYPE_PART: {
        Tree *found = part_member(x, class_of(c, object->type->cls), object, name, span, expected);
        if (found) return found;
        Tree *value = part_value(x, object);
        return value ? member_find(x, value, name, span, expected) : NULL;
    }
    case TYPE_ANY_PART: {
        Tree *found = part_member(x, c->any_part, object, name, span, expected);
        Tree *value = found ? NULL : part_value(x, object);
        return value ? member_find(x, value, name, span, expected) : found;
    }
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        return axis(x, object, name, span);
    case TYPE_RECORD:
    case TYPE_CONTRACT:
        return record_member(x, object, name, span);
    case TYPE_TUPLE:
        return tuple_item(x, object, name, span);
    default:
        return NULL;
    }
}

/* Whether its self is of any type at all, as that of `or` is. */
static bool is_of_any(const Decl *decl) {
    const AstNode *self = decl_params(decl)->items[0].type;
    const AstNames *names = decl_type_params(decl);
    if (self && self->kind == AST_TYPE_OPTIONAL) self = self->type_optional.base;
    for (int i = 0; self && self->kind == AST_TYPE_NAME && i < names->count; i++)
        if (names->items[i].symbol == self->type_name.name.symbol) return true;
    return false;
}

static void offer_functions(Ctx *x, const Type *type, bool any, Suggest *s) {
    Checker *c = x->c;
    for (int i = 0; i < c->packages.count && !s->off; i++)
        for (int k = 0; k < c->packages.items[i]->decls.count; k++) {
            const Decl *decl = c->packages.items[i]->decls.items[k];
            if (!decl_takes_self(c, decl) || !decl_seen(x->package, decl) || is_of_any(decl) != any) continue;
            TypeEnv env;
            generic_open(c, &env, decl_type_params(decl), NULL);
            if (typeexpr_bind(c, decl->package, &env, decl_params(decl)->items[0].type, type)) suggest_name(s, decl->name);
        }
}

/* What could stand after the dot. */
static void offer_members(Ctx *x, const Tree *object, Suggest *s) {
    Checker *c = x->c;
    const Type *type = object->type;
    const Symbol axes[] = {c->names.x, c->names.y, c->names.z};
    bool point = type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR);
    for (int i = 0; point && i < 3; i++)
        suggest_name(s, axes[i]);
    if (type_is(type, TYPE_PART)) suggest_members(s, class_of(c, type->cls));
    if (type_is(type, TYPE_ANY_PART)) suggest_members(s, c->any_part);
    bool record = type_is(type, TYPE_RECORD) || type_is(type, TYPE_CONTRACT);
    for (int i = 0; record && i < type->record->fields.count; i++)
        suggest_name(s, type->record->fields.items[i].name);
    offer_functions(x, type, false, s);
    s->own = s->names.count;
    offer_functions(x, type, true, s);
}

/* A function of that name that is of no type, and takes something; NULL: there is none. */
static const Decl *plain_function(Ctx *x, Symbol name) {
    Found found = scope_find(x, name, true);
    bool plain = found.kind == FOUND_DECL && found.decl->kind == DECL_FN && !decl_takes_self(x->c, found.decl);
    return plain && decl_params(found.decl)->count ? found.decl : NULL;
}

/* A name that is a function of the library for this type is told to be called; else the nearest is
 * offered. */
Tree *member_unknown(Ctx *x, Tree *object, Symbol name, Span span) {
    Checker *c = x->c;
    if (type_poisoned(object->type)) return object;
    if (type_is(object->type, TYPE_DESIGN) && object->kind == TREE_DESIGN) {
        Class *cls = class_of(c, object->design);
        Diag *diag =
            diag_add(c->diags, DIAG_E_PART_BOTH, object->span, type_text(c, type_part(c, cls)));
        if (cls->design_why) diag_note(c->diags, diag, cls->design_use, "%s", cls->design_why);
        return tree_poison(c, span);
    }
    if (type_is(object->type, TYPE_OPTIONAL)) {
        Diag *diag =
            diag_add(c->diags, DIAG_E_MAYBE_NONE, object->span, type_phrase(c, object->type));
        diag_help(c->diags, diag, "test it first (if x != none { ... }), or say .or(...)");
        return tree_poison(c, span);
    }
    Diag *diag = diag_add(c->diags, DIAG_E_MEMBER_UNKNOWN, span, type_phrase(c, object->type),
                          name_text(c, name));
    if (type_is(object->type, TYPE_TUPLE)) {
        diag_help(c->diags, diag, "its items are .0 to .%d; a record has names",
                  object->type->item_count - 1);
        return tree_poison(c, span);
    }
    Str wanted = symbols_name(c->symbols, name);
    bool list = type_is(object->type, TYPE_LIST), numbered = wanted.len && wanted.ptr[0] <= '9';
    bool holds = list || type_is(object->type, TYPE_TEXT);
    const char *foreign = list && numbered ? "an item is xs[0]" : holds ? foreign_member(wanted) : NULL;
    if (!foreign) foreign = foreign_word(wanted);
    if (numbered && (object->type->kind == TYPE_POINT || object->type->kind == TYPE_VECTOR)) foreign = "its parts are .x .y .z";
    Suggest s = suggest_open(c, diag, name, span);
    if (!s.off) offer_members(x, object, &s);
    if (foreign && !suggest_has(&s, name)) {
        diag_help(c->diags, diag, "%s", foreign);
        return tree_poison(c, span);
    }
    const Decl *plain = s.off ? NULL : plain_function(x, name);
    if (suggest_has(&s, name))
        diag_help(c->diags, diag, "it is a function: write .%s()", name_text(c, name));
    else if (plain)
        diag_help(c->diags, diag, "it stands alone: write %s(%s: ...)", name_text(c, name), name_text(c, decl_params(plain)->items[0].name.symbol));
    else
        suggest_close_member(&s);
    return tree_poison(c, span);
}

Tree *member_of_package_unknown(Ctx *x, Package *package, AstName name) {
    Checker *c = x->c;
    if (package_private(c, package, name.symbol, name.span)) return tree_poison(c, name.span);
    Diag *diag = diag_add(c->diags, DIAG_E_PACKAGE_MEMBER, name.span, name_text(c, package->symbol),
                          name_text(c, name.symbol));
    Suggest s = suggest_open(c, diag, name.symbol, name.span);
    for (int i = 0; i < package->decls.count; i++)
        if (decl_seen(x->package, package->decls.items[i]))
            suggest_name(&s, package->decls.items[i]->name);
    suggest_close_member(&s);
    return tree_poison(c, name.span);
}

Tree *member_check(Ctx *x, const AstNode *ast, const Type *expected) {
    AstName name = ast->member.name;
    Package *package = member_package(x, ast->member.object, name.symbol, false);
    if (package) {
        uses_package(x->c, package, ast->member.object->span);
        Decl *decl = package_value(x->package, package, name.symbol);
        if (!decl) return member_of_package_unknown(x, package, name);
        Found found = {.kind = FOUND_DECL, .decl = decl};
        return name_found(x, &found, name.symbol, ast->span, expected);
    }
    Tree *object = expr_check(x, ast->member.object, NULL);
    if (name.symbol == 0) return tree_poison(x->c, ast->span);
    Tree *member = member_find(x, object, name.symbol, ast->span, expected);
    if (!member) member = act_family(x, object, name.symbol, ast->span);
    return member ? member : member_unknown(x, object, name.symbol, name.span);
}

/* What takes keys of its own: a record with a field `items` and a function `itemIndex`. */
static Tree *items_of(Ctx *x, Tree *object, Span span) {
    return type_is(object->type, TYPE_RECORD) ? record_member(x, object, x->c->names.items, span)
                                              : NULL;
}

const Type *member_item_type(Ctx *x, Tree *object) {
    Tree *items = items_of(x, object, object->span);
    return items && type_is(items->type, TYPE_LIST) ? items->type->element : NULL;
}

static Tree *item_tree(Checker *c, Tree *list, Tree *key, Span span) {
    Tree *tree = tree_new(c, TREE_ITEM, list->type->element, span);
    tree->member.operand = list;
    tree->member.key = key;
    return tree;
}

static Tree *keys_wrong(Ctx *x, const Tree *object, const AstParams *params, int count, Span span) {
    StrBuf names = {.arena = x->c->arena};
    for (int i = 1; i < params->count; i++)
        strbuf_printf(&names, "%s%s", i > 1 ? ", " : "", name_text(x->c, params->items[i].name.symbol));
    diag_add(x->c->diags, DIAG_E_INDEX_KEYS, span, type_phrase(x->c, object->type), strbuf_take(&names).ptr, count);
    return tree_poison(x->c, span);
}

Tree *call_item(Ctx *x, Tree *object, Tree **keys, int count, Span span) {
    Checker *c = x->c;
    Tree *items = items_of(x, object, span);
    Decl *decl = items && type_is(items->type, TYPE_LIST)
                     ? method_find(x, object, c->names.item_index)
                     : NULL;
    if (!decl) return NULL;
    const AstParams *params = decl_params(decl);
    if (params->count - 1 != count) return keys_wrong(x, object, params, count, span);
    Tree **trees = ARENA_ARRAY(c->arena, Tree *, count + 1);
    trees[0] = object;
    for (int i = 0; i < count; i++)
        trees[i + 1] = keys[i];
    Tree *key = call_trees(x, decl, trees, count + 1, span);
    return type_poisoned(key->type)
               ? key
               : item_tree(c, items, convert_to(x, key, c->types.integer), span);
}

/* A value that is read twice is held, unless reading it is nothing. */
static Tree *held(Ctx *x, Tree *tree, TreeList *before) {
    const Tree *root = tree;
    while (root->kind == TREE_COMPONENT)
        root = root->component.operand;
    if (root->kind == TREE_LOCAL || root->kind == TREE_FIELD || root->kind == TREE_ITEM)
        return tree;
    int local = ctx_local(x, 0, tree->type, false);
    treelist_push(x->c, before, tree_let(x, local, tree));
    return tree_local(x, local, tree->span);
}

static Tree *index_by_function(Ctx *x, const AstNode *ast, Tree *object) {
    const AstList *keys = &ast->index.keys;
    if (!type_is(object->type, TYPE_RECORD) || !member_item_type(x, object)) return NULL;
    TreeList before = {0};
    Tree **trees = ARENA_ARRAY(x->c->arena, Tree *, keys->count + 1);
    object = held(x, object, &before);
    Decl *decl = method_find(x, object, x->c->names.item_index);
    for (int i = 0; i < keys->count; i++)
        trees[i] = expr_check(x, keys->items[i], decl ? method_wants(x, decl, object, i + 1) : NULL);
    Tree *item = call_item(x, object, trees, keys->count, ast->span);
    return item ? arguments_wrap(x->c, &before, item) : NULL;
}

/* A family's member by number or by the stable id of what it was made from; a list's item by its
 * place. What is expected of an item of a written list is expected of them all. */
Tree *member_index(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    bool written = expected && ast->index.object->kind == AST_LIST;
    Tree *object = expr_check(x, ast->index.object, written ? type_list(c, expected) : NULL);
    if (type_poisoned(object->type)) return object;
    Tree *by_function = index_by_function(x, ast, object);
    if (by_function) return by_function;
    Tree *key = expr_check(x, ast->index.keys.items[0], NULL);
    if (type_poisoned(key->type)) return key;
    bool family = object->kind == TREE_FAMILY;
    Tree *value = part_value(x, object);
    if (value) object = value;
    if (type_is(object->type, TYPE_LIST) && ast->index.keys.count > 1) {
        diag_add(c->diags, DIAG_E_ONE_KEY, ast->index.keys.items[1]->span);
        return tree_poison(c, ast->span);
    }
    if (!type_is(object->type, TYPE_LIST)) {
        Diag *diag = diag_add(c->diags, DIAG_E_NOT_LIST, ast->index.object->span,
                              type_phrase(c, object->type));
        int kind = object->type->kind;
        if (kind == TYPE_TUPLE) diag_help(c->diags, diag, "items of a tuple are .0 to .%d", object->type->item_count - 1);
        if (kind == TYPE_POINT || kind == TYPE_VECTOR) diag_help(c->diags, diag, "its parts are .x .y .z");
        if (kind == TYPE_COLOR) diag_help(c->diags, diag, "its parts are .r .g .b");
        return tree_poison(c, ast->span);
    }
    if (!family && key->kind == TREE_INT && key->integer < 0) {
        Diag *diag = diag_add(c->diags, DIAG_E_INDEX_NEGATIVE, key->span);
        diag_help(c->diags, diag, "from its end it is xs[xs.length() - %llu]",
                  0 - (unsigned long long)key->integer);
        return tree_poison(c, ast->span);
    }
    if (!(family && type_is(key->type, TYPE_TEXT))) key = convert_to(x, key, c->types.integer);
    if (type_poisoned(key->type)) return tree_poison(c, ast->span);
    Tree *tree = tree_new(c, family ? TREE_MEMBER : TREE_ITEM, object->type->element, ast->span);
    tree->member.operand = family ? object->part.operand : object;
    tree->member.index = family ? object->part.index : 0;
    tree->member.key = key;
    return tree;
}
