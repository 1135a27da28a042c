/* on(trigger, { acts }) in a part's body. The trigger is a hidden field, so it is worked out again when what it reads has changed, and
 * only then; the acts are a function of the part. */
#include "compiler/check/checker.h"

#include "stdlib/library_names.h"

bool on_is_handler(const Checker *c, const AstNode *ast) {
    return ast->kind == AST_CALL && ast->call.callee->kind == AST_NAME && ast->call.callee->name.symbol == c->names.on;
}

/* entered(other, 3 m) says of which part it speaks: self.entered(other, 3 m). */
static AstNode *of_self(Checker *c, AstNode *ast) {
    if (ast->kind != AST_CALL || ast->call.callee->kind != AST_NAME || ast->call.args.count != 2) return ast;
    Symbol name = ast->call.callee->name.symbol;
    if (name != c->names.entered && name != c->names.left) return ast;
    AstNode *nodes = ARENA_ARRAY(c->arena, AstNode, 3);
    nodes[0] = *ast;
    nodes[0].call.callee = &nodes[1];
    nodes[1] = (AstNode){.kind = AST_MEMBER, .span = ast->call.callee->span, .height = ast->call.callee->height};
    nodes[1].member.object = &nodes[2];
    nodes[1].member.name = (AstName){name, ast->call.callee->span};
    nodes[2] = (AstNode){.kind = AST_SELF, .span = ast->call.callee->span};
    return nodes;
}

void on_declare(Checker *c, Class *cls, const AstNode *ast) {
    const AstArgs *args = &ast->call.args;
    bool good = args->count == 2 && !args->items[0].name.symbol && !args->items[1].name.symbol && args->items[1].value->kind == AST_BLOCK;
    if (!good) {
        diag_add(c->diags, DIAG_E_ON, ast->span);
        return;
    }
    AstName name = {c->names.on, ast->call.callee->span};
    Decl *trigger = decl_create(c, DECL_FIELD, name, of_self(c, args->items[0].value), cls->package, cls);
    VEC_PUSH(c->arena, &cls->statements, trigger);
    VEC_PUSH(c->arena, &cls->handlers, ((HandlerInfo){.ast = ast, .trigger = trigger}));
}

static bool is_trigger(Checker *c, const Type *type) {
    const Decl *decl = typeexpr_find(c, NULL, c->names.trigger);
    return type_poisoned(type) || (type_is(type, TYPE_RECORD) && decl && type->record->decl == decl);
}

static void check_handler(Checker *c, Class *cls, HandlerInfo *handler) {
    const AstArgs *args = &handler->ast->call.args;
    const Type *type = field_type(c, cls, handler->trigger->index, handler->ast->span);
    if (!is_trigger(c, type)) diag_add(c->diags, DIAG_E_TRIGGER, args->items[0].span, type_phrase(c, type));
    Str path = class_path(c, cls);
    TreeFn *fn = fn_create(c, str_printf(c->arena, "%.*s.on", STR_ARG(path)), handler->ast->span);
    Ctx x;
    ctx_init(&x, c, fn, cls->package);
    elaborate_sites(c, cls);
    ctx_set_class(&x, cls);
    x.acting = ACTING_ON;
    fn->body = leave_body(&x, args->items[1].value, c->types.unit);
    fn->acts = true;
    fn_finish(c, fn);
    handler->acts = fn;
}

void on_check(Checker *c, Class *cls) {
    for (int i = 0; i < cls->handlers.count; i++)
        check_handler(c, cls, &cls->handlers.items[i]);
}

void on_finish(Checker *c, TreeClass *tree, const Class *cls, const TreeClass *base) {
    tree->handlers.count = 0;
    for (int i = 0; base && i < base->handlers.count; i++)
        VEC_PUSH(c->arena, &tree->handlers, base->handlers.items[i]);
    for (int i = 0; i < cls->handlers.count; i++) {
        const HandlerInfo *from = &cls->handlers.items[i];
        if (from->acts) VEC_PUSH(c->arena, &tree->handlers, ((TreeHandler){from->trigger->index, from->acts, from->ast->span}));
    }
}
