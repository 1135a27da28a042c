/* Conversions nobody writes: a whole number where a number is wanted, T where T? is, a part for
 * what it answers.
 *
 * A literal adapts more than a value does: zero is any quantity, a whole literal any number, and a
 * conversion goes into the items of a written list or tuple and the branches of an `if`.
 */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

static bool is_number_like(const Type *type) {
    return type_is(type, TYPE_NUMBER) || type_is(type, TYPE_INT);
}

bool convert_argument_fits(Checker *c, const Type *from, const Type *type) {
    if (convert_type_fits(c, from, type)) return true;
    const Type *made = part_value_type(c, from, (Span){0});
    return made && convert_type_fits(c, made, type);
}

/* By types alone, whatever the expression is. Sees through nothing: what a part is made of is tried
 * by convert_to. */
bool convert_type_fits(Checker *c, const Type *from, const Type *type) {
    if (from == type || type_poisoned(from) || type_poisoned(type)) return true;
    switch (type->kind) {
    case TYPE_NUMBER:
        if (from->kind == TYPE_INT) return dims_plain(type->dims);
        return from->kind == TYPE_NUMBER && dims_equal(from->dims, type->dims);
    case TYPE_INT:
        return from->kind == TYPE_ONE_OF;
    case TYPE_ANY_QUANTITY:
        return is_number_like(from);
    case TYPE_METERS_OR_NUMBER:
        return is_number_like(from) && (dims_plain(from->dims) || from == c->types.meters);
    case TYPE_OPTIONAL:
        if (from->kind == TYPE_NONE) return true;
        return convert_type_fits(c, from->kind == TYPE_OPTIONAL ? from->element : from,
                                 type->element);
    case TYPE_TEXT:
        return from->kind == TYPE_NAME;
    case TYPE_PART:
        return from->kind == TYPE_PART &&
               class_derives(class_of(c, from->cls), class_of(c, type->cls));
    case TYPE_ANY_PART:
        if (from->kind != TYPE_PART && from->kind != TYPE_ANY_PART) return false;
        return !type->element || part_value_type(c, from, (Span){0}) == type->element;
    case TYPE_CONTRACT:
        return from->kind == TYPE_PART && value_answers(c, class_of(c, from->cls), type);
    case TYPE_FN:
        if (from->kind != TYPE_FN || from->item_count != type->item_count ||
            (from->draws && !type->draws))
            return false;
        for (int i = 0; i < type->item_count; i++)
            if (!convert_argument_fits(c, type->items[i], from->items[i])) return false;
        return convert_type_fits(c, from->element, type->element);
    case TYPE_LIST: /* a list of parts of one design is a list of parts; of whole numbers, of
                       numbers; of one of (...), of whole numbers */
        if (from->kind != TYPE_LIST) return false;
        if (type->element == c->types.number) return from->element == c->types.integer;
        if (type->element == c->types.integer) return type_is(from->element, TYPE_ONE_OF);
        return (from->element->kind == TYPE_PART || from->element->kind == TYPE_ANY_PART) &&
               (type->element->kind == TYPE_PART || type->element->kind == TYPE_ANY_PART) &&
               convert_type_fits(c, from->element, type->element);
    case TYPE_POISON:
    case TYPE_UNIT:
    case TYPE_NONE:
    case TYPE_BOOL:
    case TYPE_U32:
    case TYPE_POINT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
    case TYPE_TUPLE:
    case TYPE_RECORD:
    case TYPE_OBJECT:
    case TYPE_DESIGN:
    case TYPE_ONE_OF:
    case TYPE_NAME:
    case TYPE_PATH:
    case TYPE_VAR:
    case TYPE_KIND_COUNT:
        return false;
    }
    return false;
}

/* A written zero, of any form without a unit. */
static bool is_zero(const Tree *tree) {
    return (tree->kind == TREE_INT && tree->integer == 0 && tree->type->kind == TYPE_INT) ||
           (tree->kind == TREE_NUMBER && tree->number == 0 && dims_plain(tree->type->dims));
}

/* A written list or tuple fits when each of its items does. */
static bool fits_items(Checker *c, const Tree *tree, const Type *type) {
    if (tree->kind == TREE_LIST && type->kind == TYPE_LIST) {
        for (int i = 0; i < tree->items.count; i++)
            if (!convert_fits(c, tree->items.items[i], type->element)) return false;
        return true;
    }
    if (tree->kind != TREE_AGGREGATE || tree->type->kind != TYPE_TUPLE) return false;
    int count = tree->items.count;
    if (type->kind == TYPE_TUPLE) {
        if (count != type->item_count) return false;
        for (int i = 0; i < count; i++)
            if (!convert_fits(c, tree->items.items[i], type->items[i])) return false;
        return true;
    }
    return false;
}

/* What the tree can be without asking how its parts are written, then what its parts can. */
bool convert_fits(Checker *c, const Tree *tree, const Type *type) {
    if (convert_type_fits(c, tree->type, type)) return true;
    if (type->kind == TYPE_OPTIONAL) return convert_fits(c, tree, type->element);
    if (tree->kind == TREE_INT && tree->type->kind == TYPE_INT && type->kind == TYPE_U32)
        return tree->integer >= 0 && tree->integer <= 0xffffffff;
    if (type->kind == TYPE_NUMBER && is_zero(tree)) return true;
    if (tree->kind == TREE_IF && tree->if_.else_tree)
        return convert_fits(c, tree->if_.then_tree, type) &&
               convert_fits(c, tree->if_.else_tree, type);
    if (tree->kind == TREE_BLOCK && tree->items.count)
        return convert_fits(c, tree->items.items[tree->items.count - 1], type);
    return fits_items(c, tree, type);
}

/* -- building -- */

static Tree *convert_fitting(Ctx *x, Tree *tree, const Type *type);

static Tree *to_number(Ctx *x, Tree *tree, const Type *type) {
    Checker *c = x->c;
    if (tree->kind == TREE_INT && tree->type->kind == TYPE_INT)
        return tree_number(c, (double)tree->integer, type, tree->span);
    if (tree->type->kind == TYPE_NUMBER) return tree_retype(c, tree, type);
    Tree *made = tree_new(c, TREE_CONVERT, type, tree->span);
    made->component.operand = tree;
    return made;
}

/* T becomes T?; from one optional to another the inside is converted when there is one. */
static Tree *to_optional(Ctx *x, Tree *tree, const Type *asked) {
    Checker *c = x->c;
    const Type *type = type_inside(c, asked);
    if (tree->type->kind == TYPE_NONE) return tree_retype(c, tree, type);
    if (tree->type->kind == TYPE_OPTIONAL) {
        Tree *inside = tree_component(c, tree, 1, tree->type->element, tree->span);
        Tree *made = tree_new(c, TREE_IF, type, tree->span);
        made->if_.condition = tree_new(c, TREE_PRESENT, c->types.boolean, tree->span);
        made->if_.condition->component.operand = tree;
        made->if_.then_tree = to_optional(x, convert_fitting(x, inside, asked->element), type);
        made->if_.else_tree = tree_new(c, TREE_NONE, type, tree->span);
        return made;
    }
    Tree *made = tree_new(c, TREE_SOME, type, tree->span);
    made->component.operand = convert_fitting(x, tree, asked->element);
    return made;
}

/* Into the branches of an `if`, the value of a block, the items of a list or tuple. */
static Tree *into(Ctx *x, Tree *tree, const Type *type) {
    Tree *made = tree_retype(x->c, tree, type_inside(x->c, type));
    if (made == tree) return tree;
    if (tree->kind == TREE_IF) {
        made->if_.then_tree = convert_fitting(x, tree->if_.then_tree, type);
        made->if_.else_tree = convert_fitting(x, tree->if_.else_tree, type);
        return made;
    }
    made->items = (TreeList){0};
    for (int i = 0; i < tree->items.count; i++) {
        Tree *item = tree->items.items[i];
        if (tree->kind == TREE_BLOCK) {
            if (i + 1 == tree->items.count) item = convert_fitting(x, item, type);
        } else {
            item =
                convert_fitting(x, item, tree->kind == TREE_LIST ? type->element : type->items[i]);
        }
        treelist_push(x->c, &made->items, item);
    }
    return made;
}

/* A written list item by item; whole numbers by the core package's numbers(list). */
static Tree *to_list(Ctx *x, Tree *tree, const Type *type) {
    Checker *c = x->c;
    if (tree->kind == TREE_LIST) return into(x, tree, type);
    if (type->element != c->types.number || !type_is(tree->type->element, TYPE_INT))
        return tree_retype(c, tree, type);
    Decl *numbers = LIBRARY_DECL(c, core, numbers);
    return numbers ? call_trees(x, numbers, &tree, 1, tree->span) : tree_poison(c, tree->span);
}

/* Only for what convert_fits allowed. */
static Tree *convert_fitting(Ctx *x, Tree *tree, const Type *type) {
    Checker *c = x->c;
    const Type *from = tree->type;
    if (from == type || type_poisoned(from) || type_poisoned(type)) return tree;
    bool direct = convert_type_fits(c, from, type);
    if (!direct && ((tree->kind == TREE_IF && tree->if_.else_tree) ||
                    (tree->kind == TREE_BLOCK && tree->items.count)))
        return into(x, tree, type);
    switch ((int)type->kind) {
    case TYPE_NUMBER:
        return to_number(x, tree, type);
    case TYPE_METERS_OR_NUMBER:
        return to_number(x, tree, c->types.meters);
    case TYPE_ANY_QUANTITY:
        return to_number(x, tree, c->types.number);
    case TYPE_OPTIONAL:
        return to_optional(x, tree, type);
    case TYPE_U32:
        return tree_int(c, tree->integer, type, tree->span);
    case TYPE_CONTRACT:
        return value_contract(x, tree, type);
    case TYPE_FN:
        return value_adapt_fn(x, tree, type);
    case TYPE_LIST:
        return to_list(x, tree, type);
    case TYPE_TUPLE:
        return into(x, tree, type);
    default:
        return tree_retype(c, tree, type);
    }
}

/* The instance of a function that answers this type; NULL: what it answers does not say its types. */
static FnInst *instance_for(Checker *c, Decl *decl, const Type *result) {
    TypeEnv env;
    generic_open(c, &env, decl_type_params(decl), NULL);
    if (env.count) typeexpr_bind(c, decl->package, &env, decl->ast->fn.result_type, result);
    for (int i = 0; i < env.count; i++)
        if (!env.types[i]) return NULL;
    return fn_instance(c, decl, &env);
}

/* A record `spots` is made of what its package's functions `spotsOf` take, a written list of points; a
 * curve of a constant. These are they, one after the other. */
static Decl *makers_of(Checker *c, const Type *type) {
    if (type->kind != TYPE_RECORD && type->kind != TYPE_OBJECT) return NULL;
    const Decl *of = type->kind == TYPE_RECORD ? type->record->decl : typeexpr_find(c, NULL, type->name);
    Str name = str_printf(c->arena, "%sOf", name_text(c, type->name));
    return of ? symbolmap_get(&of->package->values, symbols_find(c->symbols, name)) : NULL;
}

static FnInst *maker(Checker *c, Decl *decl, const Type *type) {
    bool takes_one = decl->kind == DECL_FN && decl_params(decl)->count == 1;
    return takes_one ? instance_for(c, decl, type) : NULL;
}

const Type *convert_list_of(Checker *c, const Type *type) {
    for (Decl *decl = makers_of(c, type); decl; decl = decl->next) {
        FnInst *inst = maker(c, decl, type);
        if (inst && inst->params[0]->kind == TYPE_LIST) return inst->params[0];
    }
    return NULL;
}

static Tree *by_library(Ctx *x, Tree *tree, const Type *type) {
    Checker *c = x->c;
    if (type->kind == TYPE_OPTIONAL) type = type->element;
    for (Decl *decl = makers_of(c, type); decl; decl = decl->next) {
        FnInst *inst = maker(c, decl, type);
        if (!inst) continue;
        if (!convert_fits(c, tree, inst->params[0])) continue;
        Tree *arg = convert_to(x, tree, inst->params[0]);
        return tree_call(x, inst, &arg, 1, tree->span);
    }
    return NULL;
}

/* -- reporting -- */

bool convert_offer_unit(Checker *c, Diag *diag, const Tree *tree, const Type *type) {
    bool whole = tree->kind == TREE_INT && tree->type->kind == TYPE_INT;
    bool plain = tree->kind == TREE_NUMBER && tree->type->kind == TYPE_NUMBER;
    if (!whole && !(plain && dims_plain(tree->type->dims))) return false;
    const char *unit = type == c->types.meters    ? "m"
                       : type == c->types.angle   ? "deg"
                       : type == c->types.seconds ? "s"
                                                  : NULL;
    if (!unit) return false;
    Str text = sources_text(c->input.sources, tree->span);
    diag_help(c->diags, diag, "a unit is missing: %.*s %s", STR_ARG(text), unit);
    diag_fix(c->diags, diag, tree->span, str_printf(c->arena, "%.*s %s", STR_ARG(text), unit));
    return true;
}

/* Three numbers that were taken for something else: which word says what they are. */
static bool offer_space(Checker *c, Diag *diag, const Type *from, const Type *type) {
    while (from->kind == TYPE_LIST && type->kind == TYPE_LIST)
        from = from->element, type = type->element;
    const char *word = type == c->types.color       ? "color"
                       : type == c->types.offset    ? "offset"
                       : type == c->types.direction ? "direction"
                       : type == c->types.point     ? "point"
                                                    : NULL;
    bool space = from->kind == TYPE_POINT || from->kind == TYPE_VECTOR || from->kind == TYPE_COLOR;
    bool items = from->kind == TYPE_TUPLE && from->item_count == 3;
    if (!word || !(space || items)) return false;
    diag_help(c->diags, diag, "three numbers are a %s where one is wanted, or by its name: %s(x, y, z)", word,
              word);
    return true;
}

/* What is wanted is made of what is there: a list, a range or a function of it. */
static bool offer_made(Checker *c, Diag *diag, const Tree *tree, const Type *plain) {
    Str text = sources_text(c->input.sources, tree->span);
    const char *shown = text.len && text.len < 30 ? str_printf(c->arena, "%.*s", STR_ARG(text)).ptr : "x";
    bool range = plain->kind == TYPE_RECORD && plain->record->name == c->names.range && plain->item_count == 1;
    if (plain->kind == TYPE_LIST && convert_fits(c, tree, plain->element))
        diag_help(c->diags, diag, "a list of one item is [%s]", shown);
    else if (range && convert_fits(c, tree, plain->items[0]))
        diag_help(c->diags, diag, "a range of one value is %s ..= %s", shown, shown);
    else if (plain->kind == TYPE_FN && plain->item_count <= 1 && convert_fits(c, tree, plain->element))
        diag_help(c->diags, diag, "a function that always answers this is %s => %s", plain->item_count ? "_" : "fn()", shown);
    else if (type_is(tree->type, TYPE_FN) && tree->type->item_count == 0 && tree->type->element == plain)
        diag_help(c->diags, diag, "it is called with (): %s()", shown);
    else if (plain->kind == TYPE_VECTOR && tree->type->kind == TYPE_NUMBER && dims_equal(plain->dims, tree->type->dims))
        diag_help(c->diags, diag, "its three parts are (%s, %s, %s)", shown, shown, shown);
    else
        return false;
    return true;
}

/* What says the same in the type that is wanted, of a value that is none itself. */
static const char *other_words(const Checker *c, const Type *from, const Type *plain) {
    bool number = type_is(from, TYPE_NUMBER) || type_is(from, TYPE_INT);
    bool quantity = type_is(from, TYPE_NUMBER) && !dims_plain(from->dims);
    switch ((int)plain->kind) {
    case TYPE_BOOL:
        return number ? "compare it: x != 0" : type_is(from, TYPE_TEXT) ? "write true or false, or compare it: x == \"yes\"" : NULL;
    case TYPE_TEXT:
        return "as a text it is text(x), or stands in one: \"\\{x}\"";
    case TYPE_INT:
        if (quantity) return "divide by a unit and round down: int(x / 1 m)";
        return type_is(from, TYPE_NUMBER) ? "write int(...) to round down" : NULL;
    case TYPE_NUMBER:
        if (dims_plain(plain->dims)) return quantity ? "divide by a unit: x / 1 m" : NULL;
        if (!type_is(from, TYPE_TEXT)) return NULL;
        return plain == c->types.meters ? "write it without quotes: 3 m" : "write it without quotes";
    case TYPE_COLOR:
        return number || type_is(from, TYPE_TEXT) ? "a color is (1, 0.5, 0), or rgb(\"#ff8800\")" : NULL;
    case TYPE_POINT:
        return number ? "a place is (x, y, z)" : NULL;
    case TYPE_ONE_OF:
        return type_is(from, TYPE_TEXT) || number ? "one of its names is written bare, without quotes" : NULL;
    default:
        return NULL;
    }
}

/* What was inferred from one part of the world is that part alone; its value's type takes others. */
static bool offer_value_type(Checker *c, Diag *diag, const Type *plain) {
    const TreeClass *cls = plain->kind == TYPE_PART ? plain->cls : NULL;
    if (cls == NULL || cls->is_design || cls->value_field < 0 || cls->fields.items[cls->value_field].type == NULL) return false;
    diag_help(c->diags, diag, "say a type that others are of too: var x: %s = %s", type_text(c, cls->fields.items[cls->value_field].type), type_text(c, plain));
    return true;
}

/* A part where what is made of it is wanted. */
static bool offer_copy(Checker *c, Diag *diag, const Tree *tree, const Type *plain) {
    Str text = sources_text(c->input.sources, tree->span);
    if (tree->kind != TREE_DESIGN && !type_is(tree->type, TYPE_PART)) return false;
    bool copy = plain->kind == TYPE_RECORD && plain->record->name == c->names.copy;
    if (copy)
        diag_help(c->diags, diag, "a copy of a part is written %.*s()", STR_ARG(text));
    else if (type_is(plain, TYPE_DESIGN))
        diag_help(c->diags, diag, "it stands in the world; a design is what a line copies, part x: ..., or a rule's place, ...()");
    return copy || type_is(plain, TYPE_DESIGN);
}

/* A mismatch of two quantities is said as such, and a bare literal is offered the unit. */
static void report(Ctx *x, const Tree *tree, const Type *type) {
    Checker *c = x->c;
    const Type *from = tree->type, *plain = type->kind == TYPE_OPTIONAL ? type->element : type;
    if (plain->kind == TYPE_CONTRACT && from->kind == TYPE_PART) {
        Class *cls = class_of(c, from->cls);
        diag_add(c->diags, DIAG_E_CONTRACT_MISSING, tree->span, type_phrase(c, from),
                 type_text(c, plain), value_missing(c, cls, plain).ptr);
        return;
    }
    Diag *diag = diag_add(c->diags, DIAG_E_TYPE_MISMATCH, tree->span, type_phrase(c, type),
                          type_phrase(c, from));
    if (convert_offer_unit(c, diag, tree, plain) || offer_value_type(c, diag, plain) || offer_copy(c, diag, tree, plain) ||
        offer_made(c, diag, tree, plain))
        return;
    if (plain->kind == TYPE_U32 && tree->kind == TREE_INT) {
        diag_help(c->diags, diag, "it goes from 0 to 4294967295; u32(...) keeps the low 32 bits");
    } else if (plain->kind == TYPE_U32 && from->kind == TYPE_INT) {
        diag_help(c->diags, diag, "write u32(...) to keep the low 32 bits");
    } else if (offer_space(c, diag, from, plain)) {
        return;
    } else if (from->kind == TYPE_OPTIONAL && convert_type_fits(c, from->element, type)) {
        diag_help(c->diags, diag, "say what holds when it is none: .or(...)");
    } else if (from->kind == TYPE_U32 && (plain->kind == TYPE_INT || plain == c->types.number)) {
        diag_help(c->diags, diag, "write %s(...)", type_text(c, plain));
    } else {
        const char *words = other_words(c, from, plain);
        if (words) diag_help(c->diags, diag, "%s", words);
    }
}

/* The order: what fits; what a part is made of; what the library makes of it; an error. */
Tree *convert_to(Ctx *x, Tree *tree, const Type *type) {
    if (tree->type == type || type_poisoned(tree->type) || type_poisoned(type)) return tree;
    if (convert_fits(x->c, tree, type)) {
        lint_fraction(x->c, tree, type);
        return convert_fitting(x, tree, type);
    }
    Tree *value = part_opened(x, tree);
    if (value && type_poisoned(value->type)) return value;
    if (value && convert_fits(x->c, value, type)) return convert_fitting(x, value, type);
    Tree *made = by_library(x, tree, type);
    if (made) return type->kind == TYPE_OPTIONAL ? convert_fitting(x, made, type) : made;
    report(x, tree, type);
    return tree_poison(x->c, tree->span);
}

/* Tuples item by item: (0, 2.5 m) and (1.5, 0) are both (number, meters). */
static const Type *common_tuple(Checker *c, const Tree *a, const Tree *b) {
    int count = a->type->item_count;
    const Type **items = ARENA_ARRAY(c->arena, const Type *, count + 1);
    for (int i = 0; i < count; i++) {
        Tree left = {.kind = TREE_SELF, .type = a->type->items[i]},
             right = {.kind = TREE_SELF, .type = b->type->items[i]};
        items[i] = convert_common(c, a->kind == TREE_AGGREGATE ? a->items.items[i] : &left,
                                  b->kind == TREE_AGGREGATE ? b->items.items[i] : &right);
        if (!items[i]) return NULL;
    }
    return type_tuple(c, items, count);
}

/* Two parts: their design, else parts made of the same, else any. */
static const Type *common_part(Checker *c, const Type *a, const Type *b) {
    bool both = a->kind == TYPE_PART && b->kind == TYPE_PART;
    Class *design = both ? class_common(class_of(c, a->cls), class_of(c, b->cls)) : NULL;
    if (design && design != c->any_part) return type_part(c, design);
    const Type *made = part_value_type(c, a, (Span){0});
    return made && made == part_value_type(c, b, (Span){0}) ? type_any_part(c, made) : c->types.any_part;
}

/* The left one decides when both could: [1, 2.5] is numbers because 2.5 cannot be whole. */
const Type *convert_common(Checker *c, const Tree *a, const Tree *b) {
    if (type_poisoned(a->type)) return b->type;
    if (a->type->kind == TYPE_NONE && b->type->kind != TYPE_NONE) return type_optional(c, b->type);
    if (b->type->kind == TYPE_NONE && a->type->kind != TYPE_NONE) return type_optional(c, a->type);
    if (convert_fits(c, b, a->type)) {
        bool mixed = a->type->kind == TYPE_NUMBER && a->type->fraction && b->type != a->type;
        return mixed ? c->types.number : a->type;
    }
    if (convert_fits(c, a, b->type)) return b->type;
    bool part_a = a->type->kind == TYPE_PART || a->type->kind == TYPE_ANY_PART;
    bool part_b = b->type->kind == TYPE_PART || b->type->kind == TYPE_ANY_PART;
    if (part_a && part_b) return common_part(c, a->type, b->type);
    if (part_a || part_b) {
        const Type *made = part_value_type(c, part_a ? a->type : b->type, (Span){0});
        Tree value = {.kind = TREE_SELF, .type = made};
        return made ? convert_common(c, part_a ? &value : a, part_b ? &value : b) : NULL;
    }
    if (a->type->kind == TYPE_TUPLE && b->type->kind == TYPE_TUPLE &&
        a->type->item_count == b->type->item_count)
        return common_tuple(c, a, b);
    return NULL;
}
