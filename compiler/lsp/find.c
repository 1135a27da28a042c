/* The table of names, sorted: what stands at a place. */
#include "compiler/lsp/lsp.h"

#include <stdlib.h>

static int compare_spans(Span a, Span b) {
    if (a.file != b.file) return a.file < b.file ? -1 : 1;
    if (a.start != b.start) return a.start < b.start ? -1 : 1;
    return a.end < b.end ? -1 : a.end > b.end;
}

/* Of one place those come first that say less, and of equal ones those noted first: the last is taken. */
static int weight_of(const CheckUse *use) {
    return (use->name.file != 0) * 4 + (use->kind != CHECK_USE_PARAM || use->param != NULL) * 2 + (use->type && use->type->kind != TYPE_POISON);
}

typedef struct Numbered {
    CheckUse use;
    int number;
} Numbered;

static int compare_uses(const void *a, const void *b) {
    const Numbered *m = a, *n = b;
    int order = compare_spans(m->use.at, n->use.at);
    if (order == 0) order = weight_of(&m->use) - weight_of(&n->use);
    return order ? order : m->number - n->number;
}

static int compare_typed(const void *a, const void *b) {
    const CheckTyped *m = a, *n = b;
    if (m->at.file != n->at.file) return m->at.file < n->at.file ? -1 : 1;
    if (m->at.end != n->at.end) return m->at.end < n->at.end ? -1 : 1;
    return m->at.start < n->at.start ? -1 : m->at.start > n->at.start;
}

/* -- declarations are uses of themselves -- */

static void declare(Analysis *a, AstName name, CheckUseKind kind, const AstNode *ast, const AstParam *param) {
    CheckUse use = {name.span, name.span, kind, ast, param, NULL};
    if (name.symbol && name.span.file) VEC_PUSH(&a->compile->arena, &a->compile->uses.items, use);
}

static void declare_params(Analysis *a, const AstParams *params, CheckUseKind kind) {
    for (int i = 0; i < params->count; i++)
        declare(a, params->items[i].name, kind, NULL, &params->items[i]);
}

/* A package that a file names: the start of its text. */
static void declare_use(Analysis *a, const AstNode *ast) {
    Compile *c = a->compile;
    CheckUse use = {ast->use.package.span, {0}, CHECK_USE_PACKAGE, NULL, NULL, NULL};
    Str name = symbols_name(&c->symbols, ast->use.package.symbol);
    for (int i = 0; i < c->packages.count && !ast->use.path; i++)
        if (str_equal(c->packages.items[i].name, name) && c->packages.items[i].ast) use.name.file = c->packages.items[i].ast->file;
    for (int i = 0; i < c->files.uses.count; i++)
        if (c->files.uses.items[i].ast == ast) use.name.file = c->files.uses.items[i].file->source;
    if (use.name.file) VEC_PUSH(&c->arena, &a->compile->uses.items, use);
}

static void declare_node(const AstNode *ast, void *user) {
    Analysis *a = user;
    switch ((int)ast->kind) {
    case AST_PART:
        if (ast->part.path.count) declare(a, ast->part.path.items[ast->part.path.count - 1], CHECK_USE_PART, ast, NULL);
        break;
    case AST_FIELD:
        declare(a, ast->field.name, CHECK_USE_FIELD, ast, NULL);
        break;
    case AST_FN:
        declare(a, ast->fn.name, CHECK_USE_FN, ast, NULL);
        declare_params(a, &ast->fn.params, CHECK_USE_PARAM);
        break;
    case AST_RECORD:
        declare(a, ast->record.name, CHECK_USE_RECORD, ast, NULL);
        declare_params(a, &ast->record.fields, CHECK_USE_FIELD);
        break;
    case AST_CONTRACT:
        declare(a, ast->contract.name, CHECK_USE_TYPE, ast, NULL);
        break;
    case AST_ALIAS:
        declare(a, ast->alias.name, CHECK_USE_TYPE, ast, NULL);
        break;
    case AST_USE:
        declare_use(a, ast);
        break;
    default:
        break;
    }
    ast_visit(ast, declare_node, user);
}

static void declare_file(Analysis *a, const AstFile *file) {
    for (int i = 0; file && i < file->decls.count; i++)
        declare_node(file->decls.items[i], a);
}

/* Of one place the best that is known, and what others know besides. */
static void take(Analysis *a, const CheckUse *use) {
    CheckUse *last = a->name_count ? &a->names[a->name_count - 1] : NULL;
    if (!last || compare_spans(last->at, use->at) != 0) {
        a->names[a->name_count++] = *use;
        return;
    }
    CheckUse before = *last;
    *last = *use;
    if (compare_spans(before.name, use->name) != 0) return;
    if (!last->ast) last->ast = before.ast;
    if (!last->param) last->param = before.param;
    if (!last->type) last->type = before.type;
    if (before.kind == CHECK_USE_LOCAL && last->param) last->kind = CHECK_USE_PARAM;
}

/* What stands at the declaration is so wherever it is used: a parameter is a local to who reads it. */
static void learn(const Analysis *a, CheckUse *use) {
    const CheckUse *declared = find_name(a, use->name.file, use->name.start);
    if (!declared || declared == use || compare_spans(declared->at, use->name) != 0) return;
    if (use->kind == CHECK_USE_LOCAL || declared->kind == CHECK_USE_FIELD) use->kind = declared->kind;
    if (!use->ast) use->ast = declared->ast;
    if (!use->param) use->param = declared->param;
    if (!use->type) use->type = declared->type;
}

/* The types of fields that were given none are the checker's to know. */
static void type_fields(const Analysis *a) {
    const TreeProgram *program = a->compile->program;
    for (int i = 0; program && i < program->classes.count; i++)
        for (int k = 0; k < program->classes.items[i]->fields.count; k++) {
            const TreeField *field = &program->classes.items[i]->fields.items[k];
            CheckUse *use = (CheckUse *)(uintptr_t)find_name(a, field->span.file, field->span.start);
            if (use && !use->type && compare_spans(use->at, use->name) == 0 && use->at.start == field->span.start) use->type = field->type;
        }
}

void find_sort(Analysis *a) {
    Compile *c = a->compile;
    if (a->sorted || !c->ast) return;
    declare_file(a, c->ast);
    for (int i = 1; i < c->files.items.count; i++)
        declare_file(a, c->files.items.items[i]->ast);
    int count = c->uses.items.count;
    Numbered *sorted = ARENA_ARRAY(&c->arena, Numbered, count + 1);
    for (int i = 0; i < count; i++)
        sorted[i] = (Numbered){c->uses.items.items[i], i};
    if (count) qsort(sorted, (size_t)count, sizeof *sorted, compare_uses);
    a->names = ARENA_ARRAY(&c->arena, CheckUse, count + 1);
    a->name_count = 0;
    for (int i = 0; i < count; i++)
        if (sorted[i].use.at.file) take(a, &sorted[i].use);
    for (int i = 0; i < a->name_count; i++)
        learn(a, &a->names[i]);
    type_fields(a);
    a->values = c->uses.types.items;
    a->value_count = c->uses.types.count;
    if (a->value_count) qsort(a->values, (size_t)a->value_count, sizeof *a->values, compare_typed);
    a->sorted = true;
}

/* -- looking up -- */

const CheckUse *find_name(const Analysis *a, uint32_t file, uint32_t offset) {
    int low = 0, high = a->name_count;
    while (low < high) { /* the first that begins past it */
        int middle = (low + high) / 2;
        Span at = a->names[middle].at;
        if (at.file < file || (at.file == file && at.start <= offset))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0) return NULL;
    const CheckUse *use = &a->names[low - 1];
    if (use->at.file == file && use->at.start == offset && low > 1 && use->at.end < offset) use--;
    return use->at.file == file && use->at.end >= offset ? use : NULL;
}

const Type *find_type_before(const Analysis *a, uint32_t file, uint32_t end) {
    const Type *type = NULL;
    for (int i = 0; i < a->value_count; i++) {
        const CheckTyped *value = &a->values[i];
        if (value->at.file == file && value->at.end == end) type = value->type; /* the shortest comes last */
    }
    return type;
}

typedef struct Descent {
    Arena *arena;
    NodePath *path;
    uint32_t offset;
    const AstNode *found;
} Descent;

static void look_in(const AstNode *ast, void *user) {
    Descent *d = user;
    if (ast->span.start <= d->offset && d->offset <= ast->span.end) d->found = ast;
}

void find_path(const Analysis *a, Arena *arena, uint32_t offset, NodePath *path) {
    Descent d = {arena, path, offset, NULL};
    const AstFile *file = a->compile->ast;
    for (int i = 0; file && i < file->decls.count; i++)
        look_in(file->decls.items[i], &d);
    while (d.found) {
        const AstNode *at = d.found;
        VEC_PUSH(arena, path, at);
        d.found = NULL;
        ast_visit(at, look_in, &d);
    }
}
