/* Statements: blocks, let and var, each, if. Assignments are place.c's, what leaves early leave.c's. */
#include "compiler/check/checker.h"

/* -- patterns -- */

static const Type *pattern_part(Checker *c, const Type *type, int index, int *slot) {
    if (type_is(type, TYPE_TUPLE)) {
        *slot = 0;
        for (int i = 0; i < index; i++)
            *slot += type->items[i]->slot_count;
        return type->items[index];
    }
    *slot = index;
    return type_is(type, TYPE_POINT) ? c->types.meters : type_quantity(c, type->dims);
}

/* How many names take it apart; 0: none do. */
static int pattern_width(const Type *type) {
    if (type_is(type, TYPE_TUPLE)) return type->item_count;
    bool space =
        type_is(type, TYPE_POINT) || type_is(type, TYPE_VECTOR) || type_is(type, TYPE_COLOR);
    return space ? 3 : 0;
}

/* The name that a pattern is; none when it is no name. */
static AstName name_in(const AstNode *pattern) {
    return pattern->kind == AST_NAME ? (AstName){pattern->name.symbol, pattern->span} : (AstName){0};
}

static void bind_pattern(Ctx *x, const AstNode *pattern, Tree *value, bool is_var, TreeList *out);

/* The whole is named first, so that it is worked out once. */
static void bind_tuple(Ctx *x, const AstNode *pattern, Tree *value, bool is_var, TreeList *out) {
    Checker *c = x->c;
    const AstList *items = &pattern->pattern_tuple.items;
    bool bad = type_poisoned(value->type);
    if (!bad && pattern_width(value->type) != items->count) {
        diag_add(c->diags, DIAG_E_PATTERN, pattern->span, items->count,
                 type_phrase(c, value->type));
        bad = true;
    }
    if (!bad && value->kind != TREE_LOCAL) {
        int local = ctx_local(x, 0, value->type, false);
        treelist_push(c, out, tree_let(x, local, value));
        value = tree_local(x, local, value->span);
    }
    for (int i = 0; i < items->count; i++) {
        int slot = 0;
        const Type *type = bad ? c->types.poison : pattern_part(c, value->type, i, &slot);
        Tree *part = bad ? tree_poison(c, pattern->span)
                         : tree_component(c, value, slot, type, items->items[i]->span);
        bind_pattern(x, items->items[i], part, is_var, out);
    }
}

static void bind_pattern(Ctx *x, const AstNode *pattern, Tree *value, bool is_var, TreeList *out) {
    if (pattern->kind == AST_NAME) {
        int local = ctx_bind(x, name_in(pattern), value->type, is_var);
        treelist_push(x->c, out, tree_let(x, local, value));
    } else if (pattern->kind == AST_PATTERN_TUPLE) {
        bind_tuple(x, pattern, value, is_var, out);
    } else {
        treelist_push(x->c, out, value);
    }
}

/* -- let and assignment -- */

/* A let of a fraction is a number; a wrong value still gives the name its declared type, so it is
 * reported once. */
static void check_let(Ctx *x, const AstNode *ast, TreeList *out) {
    Checker *c = x->c;
    AstName outer_name = x->value_name;
    if (ast->let.pattern->kind == AST_NAME)
        x->value_name = (AstName){ast->let.pattern->name.symbol, ast->let.pattern->span};
    Decl *open = typeexpr_open(c, x->package, ast->let.type);
    const Type *type =
        ast->let.type && !open ? typeexpr_resolve(c, x->package, x->env, ast->let.type) : NULL;
    Tree *value = type ? expr_value(x, ast->let.value, type) : expr_check(x, ast->let.value, NULL);
    x->value_name = outer_name;
    if (!expr_has_value(c, value, ast->let.value->span)) value = tree_poison(c, value->span);
    if (open) value = tree_retype(c, value, typeexpr_closed(c, open, value->type, value->span));
    bool fraction = !type && type_is(value->type, TYPE_NUMBER) && value->type->fraction;
    if (fraction) value = tree_retype(c, value, c->types.number);
    if (type && type_poisoned(value->type))
        value = tree_retype(c, value, type); /* the name is good, if not the value */
    bind_pattern(x, ast->let.pattern, value, ast->let.is_var, out);
}

/* -- each -- */

static Tree *finish_each(Ctx *x, Tree *tree, const AstNode *ast, TreeList *body, TreeList *before) {
    Checker *c = x->c;
    LoopScope loop;
    leave_open_loop(x, &loop);
    tree->each.body = tree_new(c, TREE_BLOCK, c->types.unit, ast->each.body->span);
    if (ast->each.body->kind == AST_BLOCK) stmt_list(x, &ast->each.body->block.statements, body);
    leave_close_loop(x, &loop, before, body, &tree->each.stay, ast->span);
    tree->each.body->items = *body;
    return tree;
}

/* hi, or one past it when the range is closed. */
static Tree *range_end(Ctx *x, Tree *hi, Tree *closed) {
    Checker *c = x->c;
    Tree *past = tree_op(c, OP_ADD, hi, tree_int(c, 1, c->types.integer, hi->span),
                         c->types.integer, hi->span);
    if (closed->kind == TREE_BOOL) {
        if (!closed->integer) return hi;
        bool constant = hi->kind == TREE_INT && hi->integer < INT64_MAX;
        return constant ? tree_int(c, hi->integer + 1, c->types.integer, hi->span) : past;
    }
    Tree *tree = tree_new(c, TREE_IF, c->types.integer, hi->span);
    tree->if_.condition = closed;
    tree->if_.then_tree = past;
    tree->if_.else_tree = hi;
    return tree;
}

/* A range that is no literal is worked out once, before the loop. */
static Tree *each_range(Ctx *x, const AstNode *ast, Tree *range, TreeList *before) {
    Checker *c = x->c;
    Tree *parts[3];
    const Type *types[3] = {c->types.integer, c->types.integer, c->types.boolean};
    if (range->kind != TREE_AGGREGATE) {
        int local = ctx_local(x, 0, range->type, false);
        treelist_push(c, before, tree_let(x, local, range));
        range = tree_local(x, local, range->span);
    }
    for (int i = 0; i < 3; i++)
        parts[i] = range->kind == TREE_AGGREGATE
                       ? range->items.items[i]
                       : tree_component(c, range, i, types[i], range->span);
    Tree *tree = tree_new(c, TREE_EACH_RANGE, c->types.unit, ast->span);
    tree->each.lo = parts[0];
    tree->each.hi = range_end(x, parts[1], parts[2]);
    tree->each.index = -1;
    TreeList body = {0};
    AstName name = name_in(ast->each.pattern);
    if (ast->each.pattern->kind == AST_PATTERN_TUPLE)
        diag_add(c->diags, DIAG_E_PATTERN, ast->each.pattern->span,
                 ast->each.pattern->pattern_tuple.items.count, "a whole number");
    tree->each.item = name.symbol ? ctx_bind(x, name, c->types.integer, false)
                           : ctx_local(x, 0, c->types.integer, false);
    return finish_each(x, tree, ast, &body, before);
}

static Tree *each_list(Ctx *x, const AstNode *ast, Tree *list, TreeList *before) {
    Checker *c = x->c;
    const Type *element = type_poisoned(list->type) ? list->type : list->type->element;
    const AstNode *pattern = ast->each.pattern;
    Tree *tree = tree_new(c, TREE_EACH_LIST, c->types.unit, ast->span);
    tree->each.lo = list;
    tree->each.index = -1;
    TreeList body = {0};
    bool pair = pattern->kind == AST_PATTERN_TUPLE && pattern->pattern_tuple.items.count == 2;
    if (pair && !type_poisoned(element) && pattern_width(element) != 2) {
        const AstNode *number = pattern->pattern_tuple.items.items[0];
        pattern = pattern->pattern_tuple.items.items[1];
        AstName name = name_in(number);
        tree->each.index = name.symbol ? ctx_bind(x, name, c->types.integer, false)
                                : ctx_local(x, 0, c->types.integer, false);
    }
    if (pattern->kind == AST_NAME) {
        tree->each.item = ctx_bind(x, name_in(pattern), element, false);
    } else {
        tree->each.item = ctx_local(x, 0, element, false);
        if (pattern->kind == AST_PATTERN_TUPLE)
            bind_pattern(x, pattern, tree_local(x, tree->each.item, pattern->span), false, &body);
    }
    return finish_each(x, tree, ast, &body, before);
}

/* each (a, b, c) in [(1, 2, 3)] takes a tuple apart, not a point. */
static bool takes_three(const AstNode *pattern) {
    if (pattern->kind != AST_PATTERN_TUPLE) return false;
    const AstList *items = &pattern->pattern_tuple.items;
    for (int i = 0; i < items->count; i++)
        if (takes_three(items->items[i])) return true;
    return items->count == 3;
}

static bool is_int_range(Checker *c, const Type *type) {
    return type_is(type, TYPE_RECORD) && type->item_count == 1 &&
           type->items[0] == c->types.integer && type->name == c->names.range;
}

static Tree *check_each(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    bool raw = x->raw_tuples;
    x->raw_tuples = ast->each.iterable->kind == AST_LIST && takes_three(ast->each.pattern);
    Tree *over = expr_check(x, ast->each.iterable, NULL);
    x->raw_tuples = raw;
    Tree *value = part_value(x, over);
    if (value) over = value;
    int bindings = x->bindings.count;
    bool in_each = x->in_each;
    x->in_each = true;
    TreeList before = {0};
    Tree *tree;
    if (is_int_range(c, over->type)) {
        tree = each_range(x, ast, over, &before);
    } else {
        if (!type_is(over->type, TYPE_LIST) && !type_poisoned(over->type)) {
            Diag *diag = diag_add(c->diags, DIAG_E_EACH, ast->each.iterable->span,
                                  type_phrase(c, over->type));
            if (type_is(over->type, TYPE_RECORD))
                diag_help(
                    c->diags, diag,
                    "count whole steps and scale them: each i in 0 ..< 10 { let x = i * 0.5 m }");
            over = tree_poison(c, over->span);
        }
        tree = each_list(x, ast, over, &before);
    }
    x->bindings.count = bindings;
    x->in_each = in_each;
    return arguments_wrap(c, &before, tree);
}

/* -- if and blocks -- */

static bool is_part(const Type *type) {
    return type_is(type, TYPE_PART) || type_is(type, TYPE_ANY_PART);
}

/* Both branches as one type; the error shows both. A part among them may be what is wanted, or be made
 * of it. */
static Tree *join_branches(Ctx *x, Tree *tree, const AstNode *ast, const Type *expected) {
    Checker *c = x->c;
    Tree *a = tree->if_.then_tree, *b = tree->if_.else_tree;
    if (expected && (is_part(a->type) || is_part(b->type))) {
        a = convert_to(x, a, expected);
        b = convert_to(x, b, expected);
    }
    if (type_poisoned(a->type) || type_poisoned(b->type)) {
        tree->type = type_poisoned(a->type) ? b->type : a->type;
        if (!type_poisoned(tree->type)) tree->type = c->types.poison;
        return tree;
    }
    const Type *type = convert_common(c, a, b);
    if (!type) {
        Diag *diag = diag_add(c->diags, DIAG_E_IF_MIXED, ast->if_.else_block->span,
                              type_these(c, a->type, false), type_these(c, b->type, true));
        diag_note(c->diags, diag, ast->if_.then_block->span, "the other branch is here");
        tree->type = c->types.poison;
        return tree;
    }
    tree->type = type;
    tree->if_.then_tree = convert_to(x, a, type);
    tree->if_.else_tree = convert_to(x, b, type);
    return tree;
}

static Tree *check_branch(Ctx *x, const AstNode *ast, Tree *condition, bool truth,
                          const Type *expected, bool want) {
    int known = x->narrowed.count;
    narrow_by(x, condition, truth);
    Tree *tree =
        ast->kind == AST_IF ? stmt_if(x, ast, expected, want) : stmt_block(x, ast, expected, want);
    x->narrowed.count = known;
    return tree;
}

/* -- choices over one of (...) -- */

typedef struct Cases {
    const Tree *value; /* what every condition compares */
    uint64_t named;    /* bits: the names that one does */
    int branches;
} Cases;

/* `biome == forest`: notes which name. False for any other condition. */
static bool note_case(Cases *cases, const Tree *condition) {
    if (condition->kind != TREE_OP || condition->op.op != OP_EQ) return false;
    const Tree *left = condition->op.left, *right = condition->op.right;
    const Tree *value = left->kind == TREE_INT ? right : left;
    const Tree *name = left->kind == TREE_INT ? left : right;
    bool fits = type_is(value->type, TYPE_ONE_OF) && name->kind == TREE_INT &&
                name->type == value->type && name->integer < 64;
    if (!fits || (cases->value && !tree_equal(cases->value, value))) return false;
    cases->value = value;
    cases->named |= 1ull << name->integer;
    cases->branches++;
    return true;
}

static bool some_leave(const AstNode *chain) {
    for (; chain && chain->kind == AST_IF; chain = chain->if_.else_block)
        if (leave_always(chain->if_.then_block)) return true;
    return false;
}

/* A chain of such ifs that leaves names out and has no else was hardly meant. One if alone may be, and so
 * may one whose branches leave: what follows is its else. */
static void warn_cases(Ctx *x, const Tree *chain, const AstNode *ast) {
    Checker *c = x->c;
    if (some_leave(ast)) return;
    Cases cases = {0};
    const Tree *at = chain;
    for (; at && at->kind == TREE_IF; at = at->if_.else_tree)
        if (!note_case(&cases, at->if_.condition)) return;
    if (at || cases.branches < 2) return;
    const Type *type = cases.value->type;
    StrBuf missing = {.arena = c->arena};
    for (int i = 0; i < type->name_count; i++) {
        if (i < 64 && cases.named >> i & 1) continue;
        if (missing.len) strbuf_str(&missing, STR_LIT(", "));
        strbuf_str(&missing, symbols_name(c->symbols, type->names[i]));
    }
    Str names = strbuf_take(&missing);
    if (names.len) diag_add(c->diags, DIAG_W_CASES, chain->span, STR_ARG(names));
}

/* Without an else, or where no value is wanted, it is a statement. */
Tree *stmt_if(Ctx *x, const AstNode *ast, const Type *expected, bool want_value) {
    Checker *c = x->c;
    Tree *tree = tree_new(c, TREE_IF, c->types.unit, ast->span);
    Tree *condition = expr_value(x, ast->if_.condition, c->types.boolean);
    bool want = want_value && ast->if_.else_block;
    tree->if_.condition = condition;
    tree->if_.then_tree =
        check_branch(x, ast->if_.then_block, condition, true, expected, want_value);
    if (ast->if_.else_block)
        tree->if_.else_tree =
            check_branch(x, ast->if_.else_block, condition, false, expected, want);
    if (want) tree = join_branches(x, tree, ast, expected);
    return tree;
}

static bool is_statement(const AstNode *ast) {
    return ast_role(ast->kind) == AST_STATEMENT || ast->kind == AST_PART;
}

/* What is worked out and dropped was hardly meant, unless it changed something. */
static void warn_unused(Ctx *x, const Tree *tree) {
    const Tree *last = tree;
    while (last->kind == TREE_BLOCK && last->items.count)
        last = last->items.items[last->items.count - 1];
    bool value = !type_is(tree->type, TYPE_UNIT) && !type_poisoned(tree->type);
    bool changed = last->kind == TREE_CALL && (last->call.fn->changes_self || last->call.fn->acts);
    bool spawned = tree->kind == TREE_BLOCK && tree->items.count && tree->items.items[0]->kind == TREE_LET && tree->items.items[0]->let.value->kind == TREE_SPAWN;
    if (value && !changed && !spawned && tree->kind != TREE_IF)
        diag_add(x->c->diags, DIAG_W_UNUSED, tree->span, type_phrase(x->c, tree->type));
}

Tree *stmt_check(Ctx *x, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_ASSIGN:
        return place_assign(x, ast);
    case AST_WHILE:
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_RETURN:
        return leave_check(x, ast);
    case AST_EACH:
        return check_each(x, ast);
    case AST_IF: {
        Tree *chain = stmt_if(x, ast, NULL, false);
        warn_cases(x, chain, ast);
        return chain;
    }
    case AST_BLOCK:
        return stmt_block(x, ast, NULL, false);
    case AST_PART:
        return elaborate_part(x, ast);
    default: {
        Tree *tree = expr_check(x, ast, NULL);
        warn_unused(x, tree);
        return tree;
    }
    }
}

static void check_line(Ctx *x, const AstNode *ast, TreeList *out) {
    if (ast == x->tail)
        treelist_push(x->c, out, leave_tail(x, ast));
    else if (ast->kind == AST_LET)
        check_let(x, ast, out);
    else
        treelist_push(x->c, out, stmt_check(x, ast));
}

/* Of a test whose side always leaves, what follows knows the answer. */
static void narrow_rest(Ctx *x, const AstNode *ast, const Tree *tree) {
    if (ast->kind == AST_IF && !ast->if_.else_block && tree->kind == TREE_IF &&
        leave_always(ast->if_.then_block))
        narrow_by(x, tree->if_.condition, false);
}

void stmt_list(Ctx *x, const AstList *list, TreeList *out) {
    Checker *c = x->c;
    int mark = x->leaving.count, known = x->narrowed.count;
    for (int i = 0; i < list->count; i++) {
        const AstNode *ast = list->items[i];
        check_line(x, ast, out);
        if (x->leaving.count == mark || i + 1 == list->count) continue;
        AstList rest = {list->items + i + 1, list->count - i - 1, 0};
        if (leave_always(ast)) diag_add(c->diags, DIAG_W_UNREACHED, rest.items[0]->span);
        narrow_rest(x, ast, out->items[out->count - 1]);
        TreeList lines = {0};
        if (++c->depth >= EXPR_DEPTH)
            diag_add(c->diags, DIAG_E_LIMIT, rest.items[0]->span, "what is nested here", "2000");
        else
            stmt_list(x, &rest, &lines);
        c->depth--;
        treelist_push(c, out, leave_guard(x, mark, lines, rest.items[0]->span));
        break;
    }
    x->narrowed.count = known;
}

/* Names end with the block. Its value is its last expression's. */
Tree *stmt_block(Ctx *x, const AstNode *ast, const Type *expected, bool want_value) {
    Checker *c = x->c;
    if (ast->kind != AST_BLOCK) return expr_check(x, ast, expected);
    const AstList *list = &ast->block.statements;
    int bindings = x->bindings.count;
    Tree *tree = tree_new(c, TREE_BLOCK, c->types.unit, ast->span);
    bool value = want_value && list->count && !is_statement(list->items[list->count - 1]);
    AstList first = {list->items, value ? list->count - 1 : list->count, 0};
    int mark = x->leaving.count;
    stmt_list(x, &first, &tree->items);
    if (value && x->leaving.count > mark) diag_add(c->diags, DIAG_E_LEAVE_VALUE, ast->span);
    if (value) {
        Tree *last = expr_check(x, list->items[list->count - 1], expected);
        treelist_push(c, &tree->items, last);
        tree->type = last->type;
    }
    x->bindings.count = bindings;
    return value && tree->items.count == 1 ? tree->items.items[0] : tree;
}
