#include "compiler/lsp/callee.h"

static const TreeClass *class_of_part(const Analysis *a, const AstNode *part) {
    const TreeProgram *program = a->compile->program;
    for (int i = 0; program && i < program->classes.count; i++)
        if (program->classes.items[i]->ast == part) return program->classes.items[i];
    return NULL;
}

/* Where the body of a part begins; what stands before it is its line. */
static bool is_on_line(const AstNode *part, uint32_t offset) {
    uint32_t body = part->part.body.count ? part->part.body.items[0]->span.start : UINT32_MAX;
    return part->part.path.count && offset < body && offset > part->part.path.items[0].span.end;
}

static bool open_call(const Analysis *a, const AstNode *call, Callee *callee) {
    const AstNode *name = call->call.callee;
    Span at = name->kind == AST_MEMBER ? name->member.name.span : name->span;
    const CheckUse *use = find_name(a, at.file, at.start);
    if (!use || use->at.start != at.start) return false;
    *callee = (Callee){.call = call, .use = use};
    if (use->ast && use->ast->kind == AST_FN) callee->params = &use->ast->fn.params;
    if (use->ast && use->ast->kind == AST_RECORD) callee->params = &use->ast->record.fields;
    if (use->ast && use->ast->kind == AST_PART) callee->cls = class_of_part(a, use->ast);
    const AstParams *params = callee->params;
    bool self = params && params->count && str_equal(symbols_name(&a->compile->symbols, params->items[0].name.symbol), STR_LIT("self"));
    bool value = find_name(a, at.file, name->span.start) == NULL || find_name(a, at.file, name->span.start)->kind != CHECK_USE_PACKAGE;
    if (self && name->kind == AST_MEMBER && value) callee->skip = 1;
    return callee->params || callee->cls;
}

bool callee_at(const Analysis *a, const NodePath *path, uint32_t offset, Callee *callee) {
    for (int i = path->count - 1; i >= 0; i--) {
        const AstNode *at = path->items[i];
        if (at->kind == AST_CALL && offset > at->call.callee->span.end && open_call(a, at, callee)) return true;
        if (at->kind == AST_BLOCK || at->kind == AST_LAMBDA) return false;
        if (at->kind == AST_PART && is_on_line(at, offset)) {
            *callee = (Callee){.call = at, .cls = class_of_part(a, at)};
            return callee->cls != NULL;
        }
    }
    return false;
}

int callee_argument(const Callee *callee, uint32_t offset) {
    const AstArgs *args = callee->call->kind == AST_CALL ? &callee->call->call.args : &callee->call->part.options;
    for (int i = args->count - 1; i >= 0; i--)
        if (offset >= args->items[i].span.start) return i;
    return args->count ? 0 : -1;
}

const AstParam *callee_param(const Callee *callee, int argument) {
    if (!callee->params || argument < 0 || callee->call->kind != AST_CALL) return NULL;
    const AstArgs *args = &callee->call->call.args;
    Symbol name = argument < args->count ? args->items[argument].name.symbol : 0;
    int number = argument + callee->skip;
    for (int i = 0; i < callee->params->count; i++)
        if (name ? callee->params->items[i].name.symbol == name : i == number) return &callee->params->items[i];
    return NULL;
}
