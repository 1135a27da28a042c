/* Unary and binary operators: the rules of units, points and vectors, whole numbers and
 * comparisons. */
#include "compiler/check/checker.h"

/* Units that differ are said as such; a missing unit, a missing conversion or a test of none is
 * offered. */
static Tree *misfit(Ctx *x, Operator op, const Tree *left, const Tree *right, Span span) {
    Checker *c = x->c;
    bool units = type_is(left->type, TYPE_NUMBER) && type_is(right->type, TYPE_NUMBER);
    units = units || (type_is_quantity(left->type) && type_is(right->type, TYPE_INT));
    units = units || (type_is(left->type, TYPE_INT) && type_is_quantity(right->type));
    Diag *diag = diag_add(c->diags, units ? DIAG_E_UNITS : DIAG_E_OPERANDS, span, operator_text(op),
                          type_these(c, left->type, false), type_these(c, right->type, true));
    if (!convert_offer_unit(c, diag, right, left->type))
        convert_offer_unit(c, diag, left, right->type);
    bool words = type_is(left->type, TYPE_U32) != type_is(right->type, TYPE_U32) &&
                 type_is_numeric(left->type) && type_is_numeric(right->type);
    if (type_is(left->type, TYPE_OPTIONAL) || type_is(right->type, TYPE_OPTIONAL))
        diag_help(c->diags, diag, "test it first (if x != none { ... }), or say .or(...)");
    bool one_text = type_is(left->type, TYPE_TEXT) != type_is(right->type, TYPE_TEXT);
    if (op == OP_ADD && one_text)
        diag_help(c->diags, diag, "a text may hold the value, \"n \\{x}\", or be made of it: text(x)");
    const Type *list = left->type == right->type && op == OP_ADD ? convert_list_of(c, left->type) : NULL;
    if (list) diag_help(c->diags, diag, "both are a list: [a, b]");
    if (words) diag_help(c->diags, diag, "say which is meant: u32(...), int(...) or number(...)");
    if (op == OP_MUL && type_is(left->type, TYPE_VECTOR) && type_is(right->type, TYPE_VECTOR))
        diag_help(c->diags, diag, "a product of two vectors is dot(a, b) or cross(a, b)");
    return tree_poison(c, span);
}

static Tree *build(Ctx *x, Operator op, Tree *left, Tree *right, const Type *type, Span span) {
    return tree_op(x->c, op, left, right, type, span);
}

/* -- unary -- */

Tree *operator_unary(Ctx *x, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    if (ast->unary.op == OP_NOT)
        return tree_not(c, expr_value(x, ast->unary.operand, c->types.boolean));
    Tree *operand = expr_check(x, ast->unary.operand,
                               expected && type_is(expected, TYPE_U32) ? NULL : expected);
    const Type *type = operand->type;
    if (operand->kind == TREE_INT && type_is(type, TYPE_INT) && operand->integer != INT64_MIN)
        return tree_int(c, -operand->integer, type, ast->span);
    if (operand->kind == TREE_NUMBER) return tree_number(c, -operand->number, type, ast->span);
    switch ((int)type->kind) {
    case TYPE_POISON:
        return operand;
    case TYPE_NUMBER:
        return build(x, OP_NEG, operand, NULL, type_quantity(c, type->dims), ast->span);
    case TYPE_INT:
    case TYPE_VECTOR:
    case TYPE_COLOR:
        return build(x, OP_NEG, operand, NULL, type, ast->span);
    default:
        diag_add(c->diags, DIAG_E_OPERAND, ast->span, operator_text(ast->unary.op),
                 type_these(c, type, false));
        return tree_poison(c, ast->span);
    }
}

/* -- scalars -- */

/* A literal beside a u32 is one; a literal zero beside a quantity has its unit. */
static void adapt_literals(Ctx *x, Tree **left, Tree **right) {
    const Type *l = (*left)->type, *r = (*right)->type;
    bool scalar = type_is_numeric(l) && type_is_numeric(r);
    if (!scalar || l == r) return;
    if (type_is(l, TYPE_U32) && convert_fits(x->c, *right, l))
        *right = convert_to(x, *right, l);
    else if (type_is(r, TYPE_U32) && convert_fits(x->c, *left, r))
        *left = convert_to(x, *left, r);
}

static Tree *to_plain(Ctx *x, Tree *tree) {
    return type_is(tree->type, TYPE_INT) ? convert_to(x, tree, x->c->types.number) : tree;
}

/* Both as one type for + - % and comparisons, or false. */
static bool level(Ctx *x, Tree **left, Tree **right) {
    Checker *c = x->c;
    if (type_is((*left)->type, TYPE_INT) && type_is((*right)->type, TYPE_INT)) return true;
    if (type_is((*left)->type, TYPE_U32) || type_is((*right)->type, TYPE_U32))
        return (*left)->type == (*right)->type;
    const Type *l = (*left)->type, *r = (*right)->type;
    const Type *type =
        type_is(l, TYPE_NUMBER) ? type_quantity(c, l->dims) : type_quantity(c, r->dims);
    if (type_is(r, TYPE_NUMBER) && dims_plain(type->dims)) type = type_quantity(c, r->dims);
    if (!convert_fits(c, *left, type) || !convert_fits(c, *right, type)) return false;
    *left = convert_to(x, *left, type);
    *right = convert_to(x, *right, type);
    return true;
}

/* Dimensions combine. Whole numbers multiply to a whole one, and divide to a number. */
static Tree *scalar_product(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    const Type *l = left->type, *r = right->type;
    if (type_is(l, TYPE_U32) || type_is(r, TYPE_U32)) {
        if (l != r) return misfit(x, op, left, right, span);
        if (op == OP_DIV) {
            diag_add(c->diags, DIAG_E_OPERANDS, span, "/", "these are u32",
                     "number(a) / number(b) divides");
            return tree_poison(c, span);
        }
        return build(x, op, left, right, l, span);
    }
    if (op == OP_MUL && type_is(l, TYPE_INT) && type_is(r, TYPE_INT))
        return build(x, op, left, right, l, span);
    left = to_plain(x, left);
    right = to_plain(x, right);
    Dims dims = dims_add(left->type->dims, right->type->dims, op == OP_MUL ? 1 : -1);
    const Type *type = type_worked_out(c, TYPE_NUMBER, dims, span);
    return type_poisoned(type) ? tree_poison(c, span) : build(x, op, left, right, type, span);
}

static Tree *scalar_op(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    adapt_literals(x, &left, &right);
    if (operator_class(op) == OPERATOR_PRODUCT) return scalar_product(x, op, left, right, span);
    if (operator_class(op) == OPERATOR_BITS) {
        bool whole = type_is(left->type, TYPE_U32) || type_is(left->type, TYPE_INT);
        if (!whole || left->type != right->type) {
            Diag *diag = diag_add(c->diags, DIAG_E_BITS, span, operator_text(op));
            if (type_is(left->type, TYPE_U32) != type_is(right->type, TYPE_U32))
                diag_help(c->diags, diag, "say which is meant: u32(...) or int(...)");
            else if (op == OP_BIT_XOR)
                diag_help(c->diags, diag, "for a power write pow(a, b) or a * a");
            return tree_poison(c, span);
        }
        return build(x, op, left, right, left->type, span);
    }
    if (!level(x, &left, &right)) return misfit(x, op, left, right, span);
    return build(x, op, left, right, operator_compares(op) ? c->types.boolean : left->type, span);
}

/* -- points, vectors, colors -- */

static bool is_space(const Type *type) {
    return type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR) || type_is(type, TYPE_COLOR);
}

/* A point and an offset, two points, two vectors or colors of one kind. */
static Tree *space_sum(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    const Type *l = left->type, *r = right->type, *offset = c->types.offset;
    if (type_is(l, TYPE_POINT) && r == offset) return build(x, op, left, right, l, span);
    if (op == OP_ADD && l == offset && type_is(r, TYPE_POINT))
        return build(x, op, left, right, r, span);
    if (op == OP_SUB && type_is(l, TYPE_POINT) && type_is(r, TYPE_POINT))
        return build(x, op, left, right, offset, span);
    if (l == r && !type_is(l, TYPE_POINT)) return build(x, op, left, right, l, span);
    if (type_is(l, TYPE_POINT) && l == r) {
        diag_add(c->diags, DIAG_E_POINT_SUM, span);
        return tree_poison(c, span);
    }
    return misfit(x, op, left, right, span);
}

/* A point times or over a number is the offset from the origin, scaled: `p / 70 m` asks noise. */
static Tree *space_scale(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    bool swapped = !is_space(left->type);
    Tree *space = swapped ? right : left, *scalar = to_plain(x, swapped ? left : right);
    if (!type_is(scalar->type, TYPE_NUMBER) || (swapped && op == OP_DIV))
        return misfit(x, op, left, right, span);
    if (type_is(space->type, TYPE_COLOR)) {
        if (!dims_plain(scalar->type->dims)) return misfit(x, op, left, right, span);
        return build(x, op, swapped ? scalar : space, swapped ? space : scalar, space->type, span);
    }
    Dims own = type_is(space->type, TYPE_POINT) ? c->types.meters->dims : space->type->dims;
    Dims dims = dims_add(own, scalar->type->dims, op == OP_MUL ? 1 : -1);
    const Type *type = type_worked_out(c, TYPE_VECTOR, dims, span);
    if (type_poisoned(type)) return tree_poison(c, span);
    return build(x, op, swapped ? scalar : space, swapped ? space : scalar, type, span);
}

static Tree *space_op(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    if (operator_class(op) == OPERATOR_SUM) return space_sum(x, op, left, right, span);
    if (operator_class(op) == OPERATOR_EQUALITY)
        return left->type == right->type ? build(x, op, left, right, x->c->types.boolean, span)
                                         : misfit(x, op, left, right, span);
    if (operator_class(op) != OPERATOR_PRODUCT) return misfit(x, op, left, right, span);
    if (is_space(left->type) && is_space(right->type)) {
        bool colors = type_is(left->type, TYPE_COLOR) && left->type == right->type && op == OP_MUL;
        return colors ? build(x, op, left, right, left->type, span)
                      : misfit(x, op, left, right, span);
    }
    return space_scale(x, op, left, right, span);
}

/* -- the rest -- */

/* a > b is before(b, a), with a worked out first all the same; a <= b is !before(b, a). */
static Tree *ordered(Ctx *x, Operator op, Symbol before, Tree *left, Tree *right, Span span) {
    TreeList first = {0};
    bool swapped = op == OP_GT || op == OP_LE;
    if (swapped) {
        int local = ctx_local(x, 0, left->type, false);
        treelist_push(x->c, &first, tree_let(x, local, left));
        left = tree_local(x, local, left->span);
    }
    Tree *call = call_operator(x, before, swapped ? right : left, swapped ? left : right, span);
    if (!call || type_poisoned(call->type)) return call;
    if (op == OP_LE || op == OP_GE) call = tree_not(x->c, call);
    return arguments_wrap(x->c, &first, call);
}

/* Objects and records add and compare by a function of the library: `brook.level - brook.depth` is
 * minus(self, other). */
static Tree *overloaded(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Symbol name = symbols_find(x->c->symbols, str_of(operator_function(op)));
    if (!name) return NULL;
    if (operator_class(op) == OPERATOR_ORDER) return ordered(x, op, name, left, right, span);
    return call_operator(x, name, left, right, span);
}

/* Everything but functions compares, slot by slot. */
static Tree *equality(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    bool negate = op == OP_NE;
    if (type_is(left->type, TYPE_NONE) || type_is(right->type, TYPE_NONE)) {
        Tree *value = type_is(left->type, TYPE_NONE) ? right : left;
        if (!type_is(value->type, TYPE_OPTIONAL)) {
            diag_add(c->diags, DIAG_E_NEVER_NONE, span, type_these(c, value->type, false));
            return tree_poison(c, span);
        }
        Tree *present = tree_new(c, TREE_PRESENT, c->types.boolean, span);
        present->component.operand = value;
        return negate ? present : tree_not(c, present);
    }
    const Type *type = convert_common(c, left, right);
    if (!type || type_is(type, TYPE_FN) || type_is(type, TYPE_UNIT))
        return misfit(x, op, left, right, span);
    left = convert_to(x, left, type);
    right = convert_to(x, right, type);
    Tree *same = same_check(x, left, right, span);
    if (same) return negate && !type_poisoned(same->type) ? tree_not(c, same) : same;
    return build(x, op, left, right, c->types.boolean, span);
}

static Tree *unwrap_part(Ctx *x, Tree *tree) {
    Tree *value = part_value(x, tree);
    return value ? value : tree;
}

/* Operands are checked by now; what a part is made of stands in for it, but not in a comparison of
 * parts. */
Tree *operator_apply(Ctx *x, Operator op, Tree *left, Tree *right, Span span) {
    Checker *c = x->c;
    bool equals = operator_class(op) == OPERATOR_EQUALITY;
    if (!equals) {
        left = unwrap_part(x, left);
        right = unwrap_part(x, right);
        if (type_is(left->type, TYPE_ONE_OF)) left = convert_to(x, left, c->types.integer);
        if (type_is(right->type, TYPE_ONE_OF)) right = convert_to(x, right, c->types.integer);
    }
    const Type *l = left->type, *r = right->type;
    if (type_poisoned(l) || type_poisoned(r)) return tree_poison(c, span);
    if (type_is_numeric(l) && type_is_numeric(r)) return scalar_op(x, op, left, right, span);
    if (is_space(l) || is_space(r)) return space_op(x, op, left, right, span);
    if (equals) return equality(x, op, left, right, span);
    if (op == OP_ADD && type_is(l, TYPE_TEXT) && l == r) return build(x, op, left, right, l, span);
    if (op == OP_ADD && type_is(l, TYPE_LIST) && convert_fits(c, right, l))
        return build(x, op, left, convert_to(x, right, l), l, span);
    Tree *call = overloaded(x, op, left, right, span);
    return call ? call : misfit(x, op, left, right, span);
}

/* -- binary -- */

/* The right side is checked knowing what the left one has shown. */
static Tree *logical(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    bool and = ast->binary.op == OP_AND;
    Tree *tree = tree_new(c, and? TREE_AND : TREE_OR, c->types.boolean, ast->span);
    tree->op.left = expr_value(x, ast->binary.left, c->types.boolean);
    int known = x->narrowed.count;
    narrow_by(x, tree->op.left, and);
    tree->op.right = expr_value(x, ast->binary.right, c->types.boolean);
    x->narrowed.count = known;
    if (type_poisoned(tree->op.left->type) || type_poisoned(tree->op.right->type))
        return tree_poison(c, ast->span);
    return tree;
}

/* What a tuple on the right of the operator is taken to be. */
static const Type *right_hint(Ctx *x, Operator op, const Type *left) {
    Checker *c = x->c;
    if (type_is(left, TYPE_POINT))
        return operator_class(op) == OPERATOR_SUM ? c->types.offset : left;
    if (type_is(left, TYPE_LIST) || is_space(left) || type_is(left, TYPE_ONE_OF)) return left;
    if (type_is(left, TYPE_U32)) return left;
    return (op == OP_MUL) && type_is_numeric(left) ? c->types.direction : NULL;
}

static bool is_tuple(const AstNode *ast) {
    return ast->kind == AST_TUPLE && ast->tuple.items.count == 3;
}

/* A tuple on the left waits for the right: `(1, 2, 3) == p`, `(0, 1, 0) * 3 m`. */
static const Type *left_hint(Ctx *x, const AstNode *ast, Tree **right) {
    Checker *c = x->c;
    Operator op = ast->binary.op;
    if (!is_tuple(ast->binary.left)) return NULL;
    if (is_tuple(ast->binary.right)) return NULL;
    *right = expr_check(x, ast->binary.right, NULL);
    if (operator_class(op) == OPERATOR_PRODUCT) return c->types.direction;
    if (op == OP_ADD && type_is((*right)->type, TYPE_POINT)) return c->types.offset;
    return (*right)->type;
}

/* `forest == biome`: a name that nothing here has waits for the right side. */
static bool is_loose(Ctx *x, const AstNode *ast) {
    return operator_class(ast->binary.op) == OPERATOR_EQUALITY &&
           ast->binary.left->kind == AST_NAME &&
           scope_find(x, ast->binary.left->name.symbol, false).kind == FOUND_NOTHING;
}

static bool all_literal(const AstNode *tuple) {
    for (int i = 0; i < tuple->tuple.items.count; i++)
        if (!expr_is_literal(tuple->tuple.items.items[i].value)) return false;
    return true;
}

/* In a product what is told of the right side is told of a tuple alone: `color * (1, 0.5, 0.5)`, but `offset * clamp(x, 0, 1)`. */
static bool may_hint(const Ctx *x, const AstNode *ast, const Type *hint) {
    const AstNode *right = ast->binary.right;
    if (hint == x->c->types.direction) return is_tuple(right) && all_literal(right);
    bool product = operator_class(ast->binary.op) == OPERATOR_PRODUCT;
    return !product || !hint || !is_space(hint) || is_tuple(right);
}

/* What is wanted of the whole is wanted of the left side: the items of a list, the bits of a u32. */
static bool passes_on(OperatorClass class, const Type *expected) {
    return (class == OPERATOR_SUM && type_is(expected, TYPE_LIST)) ||
           (class == OPERATOR_BITS && type_is(expected, TYPE_U32));
}

/* The left side decides what a tuple or a bare name on the right is; a tuple on the left waits for
 * the right. */
Tree *operator_binary(Ctx *x, const AstNode *ast, const Type *expected) {
    Operator op = ast->binary.op;
    if (operator_class(op) == OPERATOR_LOGIC) return logical(x, ast);
    Tree *right = NULL;
    const Type *hint = left_hint(x, ast, &right);
    if (hint == x->c->types.direction && !all_literal(ast->binary.left)) hint = NULL;
    if (!right && is_loose(x, ast)) {
        right = expr_check(x, ast->binary.right, NULL);
        if (type_is(right->type, TYPE_ONE_OF)) hint = right->type;
    }
    bool pass = !hint && expected && passes_on(operator_class(op), expected);
    Tree *left = expr_check(x, ast->binary.left, pass ? expected : hint);
    if (!right) {
        hint = right_hint(x, op, left->type);
        if (!may_hint(x, ast, hint)) hint = NULL;
        right = expr_check(x, ast->binary.right, hint);
    }
    Span span = ast->span;
    return operator_apply(x, op, left, right, span);
}
