/* Declaring part lines: every line of a body becomes a class or a member of one; nothing is
 * resolved yet. */
#include "compiler/check/checker.h"

/* The root's members are the file's names, where functions, records and parts meet. */
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

/* A line's own class, and all its body holds. */
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
    Decl *family = outer == c->root ? symbolmap_get(&c->world->values, name.symbol)
                                    : symbolmap_get(&outer->members, name.symbol);
    if (!family || family->kind != DECL_FAMILY) {
        family = decl_create(c, DECL_FAMILY, name, ast, outer->package, outer);
        enter_member(c, outer, family);
    }
    cls->decl = family;
}

/* A part with a number, or one inside an each or an if, is a member; any other is always there. */
static void declare_part(Checker *c, Class *outer, const AstNode *ast, AstName name,
                         bool in_lines) {
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
        if (ast->part.path.count)
            diag_add(c->diags, DIAG_E_PART_DOTTED, ast->part.path.items[0].span);
        return;
    }
    declare_part(c, cls, ast, ast->part.path.items[0], in_lines);
}

/* The part lines inside an each or an if of a body. */
static void declare_lines(Checker *c, Class *cls, const AstNode *ast) {
    if (!ast) return;
    switch ((int)ast->kind) {
    case AST_PART:
        declare_inner_part(c, cls, ast, true);
        break;
    case AST_EACH:
        declare_lines(c, cls, ast->each.body);
        break;
    case AST_IF:
        declare_lines(c, cls, ast->if_.then_block);
        declare_lines(c, cls, ast->if_.else_block);
        break;
    case AST_BLOCK:
        for (int i = 0; i < ast->block.statements.count; i++)
            declare_lines(c, cls, ast->block.statements.items[i]);
        break;
    default:
        break;
    }
}

/* `foliage(self, ...)` in a body: a field of its own that no text names. */
static void declare_statement(Checker *c, Class *cls, const AstNode *ast) {
    AstName name = {symbols_intern(c->symbols, STR_LIT("statement")), ast->span};
    if (ast->kind == AST_CALL && ast->call.callee->kind == AST_NAME)
        name.symbol = ast->call.callee->name.symbol;
    VEC_PUSH(c->arena, &cls->statements, decl_create(c, DECL_FIELD, name, ast, cls->package, cls));
}

static void not_in_part(Checker *c, const AstNode *ast) {
    Diag *diag = diag_add(c->diags, DIAG_E_NOT_IN_PART, ast->span);
    const char *help = ast_way_out(ast->kind);
    if (help) diag_help(c->diags, diag, "%s", help);
}

static void declare_item(Checker *c, Class *cls, const AstNode *ast) {
    switch ((int)ast->kind) {
    case AST_FIELD:
        enter_member(c, cls, decl_create(c, DECL_FIELD, ast->field.name, ast, cls->package, cls));
        break;
    case AST_FN:
        enter_member(c, cls, decl_create(c, DECL_FN, ast->fn.name, ast, cls->package, cls));
        break;
    case AST_PART:
        declare_inner_part(c, cls, ast, false);
        break;
    case AST_EACH:
    case AST_IF:
        declare_lines(c, cls, ast);
        cls->has_elaborate = true;
        break;
    case AST_LET:
        cls->has_elaborate = true;
        break;
    case AST_CHECK:
    case AST_ERROR:
        break;
    default:
        if (on_is_handler(c, ast))
            on_declare(c, cls, ast);
        else if (ast_role(ast->kind) == AST_EXPRESSION)
            declare_statement(c, cls, ast);
        else
            not_in_part(c, ast);
        break;
    }
}

void class_declare_body(Checker *c, Class *cls, const AstList *body) {
    for (int i = 0; i < body->count; i++)
        declare_item(c, cls, body->items[i]);
}

/* -- the world's file -- */

/* Offers the nearest part of the one that holds it. */
static void part_path_unknown(Checker *c, Class *in, AstName name) {
    Diag *diag = diag_add(c->diags, DIAG_E_PART_UNKNOWN, name.span, name_text(c, name.symbol));
    Suggest s = suggest_open(c, diag, name.symbol, name.span);
    if (s.off) return;
    for (int i = 0; i < in->decls.count; i++)
        if (in->decls.items[i]->kind == DECL_PART) suggest_name(&s, in->decls.items[i]->name);
    suggest_close(&s, "");
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
        enter_member(c, c->root,
                     decl_create(c, DECL_FIELD, ast->field.name, ast, c->world, c->root));
        break;
    case AST_PART:
        if (ast->part.path.count == 1)
            declare_part(c, c->root, ast, ast->part.path.items[0], false);
        break;
    case AST_FN:
    case AST_RECORD:
    case AST_CONTRACT:
    case AST_ALIAS:
    case AST_USE:
        package_declare(c, c->world, ast);
        break;
    case AST_CHECK:
    case AST_ERROR:
        break;
    default:
        diag_add(c->diags, DIAG_E_NOT_AT_TOP, ast->span);
        break;
    }
}

/* The world's seed is its field `seed`; one that declares none has 1, so that --seed has something
 * to set. */
static void declare_seed(Checker *c) {
    if (symbolmap_get(&c->world->values, c->names.seed)) return;
    AstNode *nodes = ARENA_ARRAY(c->arena, AstNode, 3);
    AstNode *field = &nodes[0], *type = &nodes[1], *value = &nodes[2];
    *type = (AstNode){.kind = AST_TYPE_NAME, .type_name.name = {c->names.seed, {0}}};
    *value = (AstNode){.kind = AST_NUMBER, .number = {.value = 1, .int_value = 1, .whole = true}};
    *field = (AstNode){.kind = AST_FIELD,
                       .field = {.name = {c->names.seed, {0}}, .type = type, .value = value}};
    enter_member(c, c->root,
                 decl_create(c, DECL_FIELD, field->field.name, field, c->world, c->root));
}

/* Dotted parts come after all others, the shorter paths first: they may stand above what they hang
 * on. */
void class_declare_world(Checker *c) {
    c->root = class_create(c, 0, NULL, c->world, NULL, (Span){0});
    const AstFile *file = c->input.world;
    int deepest = 1;
    for (int i = 0; file && i < file->decls.count; i++) {
        declare_top(c, file->decls.items[i]);
        if (file->decls.items[i]->kind == AST_PART &&
            file->decls.items[i]->part.path.count > deepest)
            deepest = file->decls.items[i]->part.path.count;
    }
    package_check_files(c, c->world);
    declare_seed(c);
    c->root->members = c->world->values;
    for (int depth = 2; depth <= deepest; depth++)
        for (int i = 0; i < file->decls.count; i++) {
            const AstNode *ast = file->decls.items[i];
            if (ast->kind == AST_PART && ast->part.path.count == depth) declare_dotted(c, ast);
        }
}
