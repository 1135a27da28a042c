/* Loops that stop, and leaving early: while, break, continue, return.
 *
 * The checked tree has none of them. What leaves sets a flag, and what stands behind is asked only while it is not set:
 *
 *     each x in xs {                          let broke = false
 *       if x > 3 { break }           ->       each x in xs, stay: !broke {
 *       sum += x                                if x > 3 { broke = true }
 *     }                                         if !broke { sum += x }  }
 *
 * `while c { }` is an `each` without end whose flag is set when c does not hold; `return v` sets the function's answer
 * and a flag that every loop round it looks at.
 */
#include "compiler/check/checker.h"

enum { /* the runtime's fault codes */
#define FAULT(NAME, number, message, help) CODE_##NAME = number,
#include "runtime/base/fault.def"
#undef FAULT
};

/* -- flags -- */

static int flag_create(Ctx *x) {
    return ctx_local(x, 0, x->c->types.boolean, true);
}

static Tree *flag_start(Ctx *x, int flag, Span span) {
    return tree_let(x, flag, tree_int(x->c, false, x->c->types.boolean, span));
}

/* Sets it, and says that what follows may have been left. */
static Tree *flag_set(Ctx *x, int flag, Span span) {
    Checker *c = x->c;
    VEC_PUSH(c->arena, &x->leaving, flag);
    return place_set(c, tree_local(x, flag, span), tree_int(c, true, c->types.boolean, span), span);
}

static bool has_flag(const Ctx *x, int from, int flag) {
    for (int i = from; i < x->leaving.count; i++)
        if (x->leaving.items[i] == flag) return true;
    return false;
}

/* None of the flags from `mark` on is set. */
static Tree *none_set(Ctx *x, int mark, Span span) {
    Checker *c = x->c;
    Tree *any = NULL;
    for (int i = mark; i < x->leaving.count; i++) {
        int flag = x->leaving.items[i];
        if (i > mark && has_flag(x, i + 1, flag)) continue; /* once will do */
        Tree *one = tree_local(x, flag, span);
        Tree *both = any ? tree_new(c, TREE_OR, c->types.boolean, span) : one;
        if (any) {
            both->op.op = OP_OR;
            both->op.left = any;
            both->op.right = one;
        }
        any = both;
    }
    return tree_not(c, any);
}

/* -- blocks -- */

static Tree *block_of(Checker *c, TreeList items, Span span) {
    Tree *tree = tree_new(c, TREE_BLOCK, c->types.unit, span);
    tree->items = items;
    return tree;
}

Tree *leave_guard(Ctx *x, int mark, TreeList rest, Span span) {
    Tree *tree = tree_new(x->c, TREE_IF, x->c->types.unit, span);
    tree->if_.condition = none_set(x, mark, span);
    tree->if_.then_tree = block_of(x->c, rest, span);
    return tree;
}

bool leave_always(const AstNode *ast) {
    if (ast->kind == AST_BREAK || ast->kind == AST_CONTINUE || ast->kind == AST_RETURN) return true;
    if (ast->kind == AST_BLOCK) {
        const AstList *list = &ast->block.statements;
        return list->count > 0 && leave_always(list->items[list->count - 1]);
    }
    return ast->kind == AST_IF && ast->if_.else_block && leave_always(ast->if_.then_block) &&
           leave_always(ast->if_.else_block);
}

typedef struct Returns {
    bool any, valued; /* valued: one says an answer */
} Returns;

static void find_returns(const AstNode *ast, void *user) {
    Returns *found = user;
    if (ast->kind == AST_RETURN) {
        found->any = true;
        found->valued = found->valued || ast->return_.value;
    }
    if (ast->kind != AST_LAMBDA && !found->valued) ast_visit(ast, find_returns, user);
}

/* -- loops -- */

void leave_open_loop(Ctx *x, LoopScope *loop) {
    *loop = (LoopScope){.broke = -1, .skipped = -1, .mark = x->leaving.count, .outer = x->loop};
    x->loop = loop;
}

/* The loop is over for whoever set its own flags; `stay` is what its rounds ask. */
void leave_close_loop(Ctx *x, LoopScope *loop, TreeList *before, TreeList *body, Tree **stay, Span span) {
    Checker *c = x->c;
    int kept = loop->mark;
    for (int i = loop->mark; i < x->leaving.count; i++)
        if (x->leaving.items[i] != loop->skipped) x->leaving.items[kept++] = x->leaving.items[i];
    x->leaving.count = kept;
    if (kept > loop->mark) *stay = none_set(x, loop->mark, span);
    kept = loop->mark;
    for (int i = loop->mark; i < x->leaving.count; i++)
        if (x->leaving.items[i] != loop->broke) x->leaving.items[kept++] = x->leaving.items[i];
    x->leaving.count = kept;
    x->loop = loop->outer;
    if (loop->broke >= 0) treelist_push(c, before, flag_start(x, loop->broke, span));
    if (loop->skipped < 0) return;
    TreeList all = {0};
    treelist_push(c, &all, flag_start(x, loop->skipped, span));
    for (int i = 0; i < body->count; i++)
        treelist_push(c, &all, body->items[i]);
    *body = all;
}

static Tree *leave_loop(Ctx *x, const AstNode *ast, const char *word) {
    Checker *c = x->c;
    if (!x->loop) {
        diag_add(c->diags, DIAG_E_LEAVE_LOOP, ast->span, word);
        return tree_poison(c, ast->span);
    }
    int *flag = ast->kind == AST_BREAK ? &x->loop->broke : &x->loop->skipped;
    if (*flag < 0) *flag = flag_create(x);
    return flag_set(x, *flag, ast->span);
}

/* The option atMost:, held in a local; NULL: there is none. */
static Tree *most_rounds(Ctx *x, const AstNode *ast, TreeList *before) {
    Checker *c = x->c;
    Tree *most = NULL;
    for (int i = 0; i < ast->while_.options.count; i++) {
        const AstArg *option = &ast->while_.options.items[i];
        if (option->name.symbol != c->names.at_most) {
            Diag *diag = diag_add(c->diags, DIAG_E_ARGUMENT_UNKNOWN, option->name.span, "loop", "while",
                                  name_text(c, option->name.symbol));
            Suggest s = suggest_open(c, diag, option->name.symbol, option->name.span);
            suggest_name(&s, c->names.at_most);
            suggest_close(&s, ":");
            continue;
        }
        Tree *value = expr_value(x, option->value, c->types.integer);
        int local = ctx_local(x, 0, c->types.integer, false);
        treelist_push(c, before, tree_let(x, local, value));
        most = tree_local(x, local, value->span);
    }
    return most;
}

/* The round past the last one that is allowed: a fault, and the loop is left. */
static Tree *refuse_round(Ctx *x, Tree *most, int round, int broke, Tree *body, Span span) {
    Checker *c = x->c;
    Tree *past = tree_op(c, OP_LE, most, tree_local(x, round, (Span){0}), c->types.boolean, (Span){0});
    Tree *fault = tree_new(c, TREE_FAULT, c->types.unit, span);
    fault->fault.code = CODE_FAULT_LOOP;
    fault->fault.condition = tree_int(c, true, c->types.boolean, span);
    treelist_push(c, &fault->fault.details, most);
    TreeList refused = {0};
    treelist_push(c, &refused, fault);
    treelist_push(c, &refused, flag_set(x, broke, span));
    Tree *tree = tree_new(c, TREE_IF, c->types.unit, span);
    tree->if_.condition = past;
    tree->if_.then_tree = block_of(c, refused, span);
    tree->if_.else_tree = body;
    return tree;
}

static Tree *leave_while(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    Span span = ast->span;
    TreeList before = {0}, body = {0}, round_lines = {0}, stop = {0};
    Tree *most = most_rounds(x, ast, &before);
    LoopScope loop;
    leave_open_loop(x, &loop);
    loop.broke = flag_create(x);
    Tree *tree = tree_new(c, TREE_EACH_RANGE, c->types.unit, span);
    tree->each.index = -1;
    tree->each.item = ctx_local(x, 0, c->types.integer, false);
    tree->each.lo = tree_int(c, 0, c->types.integer, span);
    tree->each.hi = tree_int(c, INT64_MAX, c->types.integer, span);
    Tree *condition = expr_value(x, ast->while_.condition, c->types.boolean);
    int bindings = x->bindings.count, known = x->narrowed.count;
    narrow_by(x, condition, true);
    if (ast->while_.body->kind == AST_BLOCK)
        stmt_list(x, &ast->while_.body->block.statements, &body);
    x->bindings.count = bindings;
    x->narrowed.count = known;
    Tree *choice = tree_new(c, TREE_IF, c->types.unit, span);
    choice->if_.condition = condition;
    Tree *lines = block_of(c, body, span);
    choice->if_.then_tree =
        most ? refuse_round(x, most, tree->each.item, loop.broke, lines, ast->while_.condition->span)
             : lines;
    treelist_push(c, &stop, flag_set(x, loop.broke, span));
    choice->if_.else_tree = block_of(c, stop, span);
    treelist_push(c, &round_lines, choice);
    leave_close_loop(x, &loop, &before, &round_lines, &tree->each.stay, span);
    tree->each.body = block_of(c, round_lines, span);
    return arguments_wrap(c, &before, tree);
}

/* -- return -- */

/* The last line of a function that returns early gives its answer as a `return` would, on either side of an `if`. */
static Tree *tail(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    if (ast->kind == AST_IF && ast->if_.else_block) {
        Tree *tree = tree_new(c, TREE_IF, c->types.unit, ast->span);
        tree->if_.condition = expr_value(x, ast->if_.condition, c->types.boolean);
        const AstNode *sides[2] = {ast->if_.then_block, ast->if_.else_block};
        for (int i = 0; i < 2; i++) {
            int known = x->narrowed.count;
            narrow_by(x, tree->if_.condition, i == 0);
            Tree *side = tail(x, sides[i]);
            x->narrowed.count = known;
            *(i ? &tree->if_.else_tree : &tree->if_.then_tree) = side;
        }
        return tree;
    }
    if (ast->kind == AST_BLOCK) {
        int bindings = x->bindings.count;
        TreeList lines = {0};
        const AstNode *outer = x->tail;
        const AstList *list = &ast->block.statements;
        x->tail = list->count ? list->items[list->count - 1] : NULL;
        if (!list->count) diag_add(c->diags, DIAG_E_NO_RESULT_HERE, ast->span, type_phrase(c, x->answer_type));
        stmt_list(x, list, &lines);
        x->tail = outer;
        x->bindings.count = bindings;
        return block_of(c, lines, ast->span);
    }
    if (ast_role(ast->kind) == AST_STATEMENT) {
        if (!leave_always(ast))
            diag_add(c->diags, DIAG_E_NO_RESULT_HERE, ast->span, type_phrase(c, x->answer_type));
        return stmt_check(x, ast);
    }
    Tree *value = expr_value(x, ast, x->answer_type);
    return place_set(c, tree_local(x, x->answer, ast->span), value, ast->span);
}

Tree *leave_tail(Ctx *x, const AstNode *ast) {
    x->tail = NULL;
    return tail(x, ast);
}

Tree *leave_body(Ctx *x, const AstNode *code, const Type *result) {
    Checker *c = x->c;
    Returns returns = {0};
    if (result && type_is(result, TYPE_UNIT)) result = NULL;
    if (code->kind == AST_BLOCK) find_returns(code, &returns);
    if (!returns.any) return expr_check(x, code, result);
    if (!result && returns.valued) {
        diag_add(c->diags, DIAG_E_RETURN_TYPE, x->fn->span);
        return tree_poison(c, code->span);
    }
    TreeList lines = {0};
    x->returned = flag_create(x);
    x->returns = true;
    x->answer_type = result;
    treelist_push(c, &lines, flag_start(x, x->returned, code->span));
    if (result) {
        x->answer = ctx_local(x, 0, result, true);
        treelist_push(c, &lines, tree_let(x, x->answer, tree_new(c, TREE_NONE, result, code->span)));
    }
    treelist_push(c, &lines, result ? tail(x, code) : stmt_check(x, code));
    x->leaving.count = 0;
    x->returns = false;
    if (!result) return block_of(c, lines, code->span);
    return arguments_wrap(c, &lines, tree_local(x, x->answer, code->span));
}

static Tree *leave_return(Ctx *x, const AstNode *ast) {
    Checker *c = x->c;
    if (!x->returns) {
        diag_add(c->diags, DIAG_E_RETURN_PLACE, ast->span);
        return tree_poison(c, ast->span);
    }
    if (!x->answer_type) return flag_set(x, x->returned, ast->span);
    if (!ast->return_.value) {
        diag_add(c->diags, DIAG_E_NO_RESULT_HERE, ast->span, type_phrase(c, x->answer_type));
        return tree_poison(c, ast->span);
    }
    TreeList lines = {0};
    Tree *value = expr_value(x, ast->return_.value, x->answer_type);
    if (type_poisoned(value->type)) return value;
    treelist_push(c, &lines, place_set(c, tree_local(x, x->answer, ast->span), value, ast->span));
    treelist_push(c, &lines, flag_set(x, x->returned, ast->span));
    return block_of(c, lines, ast->span);
}

Tree *leave_check(Ctx *x, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_WHILE:
        return leave_while(x, ast);
    case AST_BREAK:
        return leave_loop(x, ast, "break");
    case AST_CONTINUE:
        return leave_loop(x, ast, "continue");
    default:
        return leave_return(x, ast);
    }
}
