/* The checked program as text: a line a declaration, expressions as nested words. For reading and
 * for tests. */
#include "compiler/check/check.h"

typedef struct Printer {
    StrBuf *out;
    const TreeProgram *program;
} Printer;

static const char *const kind_text[] = {[TREE_NUMBER] = "number",
                                        [TREE_INT] = "int",
                                        [TREE_U32] = "u32",
                                        [TREE_BOOL] = "bool",
                                        [TREE_TEXT] = "text",
                                        [TREE_NONE] = "none",
                                        [TREE_SOME] = "some",
                                        [TREE_LOCAL] = "local",
                                        [TREE_ROOT] = "root",
                                        [TREE_SELF] = "self",
                                        [TREE_PARENT] = "parent",
                                        [TREE_CHILD] = "child",
                                        [TREE_ITEM] = "item",
                                        [TREE_MEMBER] = "member",
                                        [TREE_FAMILY] = "family",
                                        [TREE_FIELD] = "field",
                                        [TREE_CAPTURE] = "capture",
                                        [TREE_DESIGN] = "design",
                                        [TREE_AGGREGATE] = "aggregate",
                                        [TREE_COMPONENT] = "component",
                                        [TREE_PRESENT] = "present",
                                        [TREE_LIST] = "list",
                                        [TREE_OP] = "op",
                                        [TREE_CONVERT] = "convert",
                                        [TREE_AND] = "and",
                                        [TREE_OR] = "or",
                                        [TREE_IF] = "if",
                                        [TREE_BLOCK] = "block",
                                        [TREE_LET] = "let",
                                        [TREE_ASSIGN] = "assign",
                                        [TREE_EACH_RANGE] = "each.range",
                                        [TREE_EACH_LIST] = "each.list",
                                        [TREE_CALL] = "call",
                                        [TREE_CALL_VALUE] = "call.value",
                                        [TREE_LAMBDA] = "lambda",
                                        [TREE_PART_MAKE] = "part.make",
                                        [TREE_FAULT] = "fault"};

static void print(Printer *p, const Tree *tree);

static void print_list(Printer *p, const TreeList *list) {
    for (int i = 0; i < list->count; i++)
        print(p, list->items[i]);
}

static void print_captures(Printer *p, const int *captures, int count) {
    strbuf_str(p->out, STR_LIT(" ["));
    for (int i = 0; i < count; i++)
        strbuf_printf(p->out, "%s%d", i ? " " : "", captures[i]);
    strbuf_char(p->out, ']');
}

static void print_inside(Printer *p, const Tree *tree) {
    StrBuf *out = p->out;
    switch (tree->kind) {
    case TREE_NUMBER:
        strbuf_char(out, ' ');
        strbuf_double(out, tree->number);
        break;
    case TREE_INT:
    case TREE_U32:
    case TREE_BOOL:
        strbuf_printf(out, " %lld", (long long)tree->integer);
        break;
    case TREE_TEXT:
        strbuf_printf(out, " \"%.*s\"", STR_ARG(tree->text));
        break;
    case TREE_LOCAL:
        strbuf_printf(out, " %d", tree->local);
        break;
    case TREE_NONE:
    case TREE_ROOT:
    case TREE_SELF:
        break;
    case TREE_PARENT:
        print(p, tree->part.operand);
        break;
    case TREE_CHILD:
    case TREE_FAMILY:
    case TREE_FIELD:
    case TREE_CAPTURE:
        strbuf_printf(out, " %d", tree->part.index);
        print(p, tree->part.operand);
        break;
    case TREE_ITEM:
    case TREE_MEMBER:
        strbuf_printf(out, " %d", tree->member.index);
        print(p, tree->member.operand);
        print(p, tree->member.key);
        break;
    case TREE_DESIGN:
        strbuf_printf(out, " %.*s", STR_ARG(tree->design->name));
        break;
    case TREE_AGGREGATE:
    case TREE_LIST:
    case TREE_BLOCK:
        print_list(p, &tree->items);
        break;
    case TREE_SOME:
    case TREE_PRESENT:
    case TREE_CONVERT:
        print(p, tree->component.operand);
        break;
    case TREE_COMPONENT:
        strbuf_printf(out, " %d", tree->component.index);
        print(p, tree->component.operand);
        break;
    case TREE_OP:
        strbuf_printf(out, " %s", operator_text(tree->op.op));
        print(p, tree->op.left);
        if (tree->op.right) print(p, tree->op.right);
        break;
    case TREE_AND:
    case TREE_OR:
        print(p, tree->op.left);
        print(p, tree->op.right);
        break;
    case TREE_IF:
        print(p, tree->if_.condition);
        print(p, tree->if_.then_tree);
        if (tree->if_.else_tree) print(p, tree->if_.else_tree);
        break;
    case TREE_LET:
    case TREE_ASSIGN:
        strbuf_printf(out, " %d", tree->let.local);
        print(p, tree->let.value);
        break;
    case TREE_EACH_RANGE:
    case TREE_EACH_LIST:
        strbuf_printf(out, " %d %d", tree->each.item, tree->each.index);
        print(p, tree->each.lo);
        if (tree->each.hi) print(p, tree->each.hi);
        print(p, tree->each.body);
        break;
    case TREE_CALL:
        strbuf_printf(out, " %.*s", STR_ARG(tree->call.fn->name));
        if (tree->call.stream) print(p, tree->call.stream);
        print_list(p, &tree->call.args);
        break;
    case TREE_CALL_VALUE:
        print(p, tree->call_value.callee);
        if (tree->call_value.stream) print(p, tree->call_value.stream);
        print_list(p, &tree->call_value.args);
        break;
    case TREE_LAMBDA:
        strbuf_printf(out, " %.*s%s", STR_ARG(tree->lambda.fn->name),
                      tree->lambda.with_self ? " self" : "");
        print_captures(p, tree->lambda.captures, tree->lambda.capture_count);
        break;
    case TREE_PART_MAKE:
        strbuf_printf(out, " %.*s %d", STR_ARG(tree->part_make.site->name), tree->part_make.family);
        if (tree->part_make.number) print(p, tree->part_make.number);
        if (tree->part_make.id) print(p, tree->part_make.id);
        if (tree->part_make.design) print(p, tree->part_make.design);
        print_captures(p, tree->part_make.captures, tree->part_make.capture_count);
        break;
    case TREE_FAULT:
        strbuf_printf(out, " %d", tree->fault.code);
        print(p, tree->fault.condition);
        print_list(p, &tree->fault.details);
        break;
    }
}

static void print(Printer *p, const Tree *tree) {
    strbuf_printf(p->out, " (%s", kind_text[tree->kind]);
    print_inside(p, tree);
    strbuf_char(p->out, ')');
}

static void print_type(Printer *p, const Type *type) {
    if (!type) return;
    Str text = type_name(type, p->program->symbols, p->program->arena);
    strbuf_str(p->out, text);
}

static void print_fn(Printer *p, const TreeFn *fn) {
    static const char *const kinds[] = {
        [AST_FN_PLAIN] = "fn", [AST_FN_EXTERN] = "extern", [AST_FN_INTRINSIC] = "intrinsic"};
    strbuf_printf(p->out, "%s %.*s", kinds[fn->kind], STR_ARG(fn->name));
    if (fn->owner || fn->with_self) strbuf_str(p->out, STR_LIT(" self"));
    if (fn->draws) strbuf_printf(p->out, " draws %d", fn->stream_local);
    for (int i = 0; i < fn->locals.count; i++) {
        strbuf_printf(p->out, "%s%d: ",
                      i == 0                                     ? " ("
                      : i == fn->capture_count + fn->param_count ? "; "
                                                                 : ", ",
                      i);
        print_type(p, fn->locals.items[i].type);
    }
    strbuf_str(p->out, fn->locals.count ? STR_LIT(") -> ") : STR_LIT(" -> "));
    print_type(p, fn->result);
    strbuf_char(p->out, '\n');
    if (!fn->body) return;
    strbuf_char(p->out, ' ');
    print(p, fn->body);
    strbuf_char(p->out, '\n');
}

static void print_class(Printer *p, const TreeClass *cls) {
    const SymbolTable *symbols = p->program->symbols;
    strbuf_printf(p->out, "class %d '%.*s'", cls->index, STR_ARG(cls->name));
    if (cls->base) strbuf_printf(p->out, " base %.*s", STR_ARG(cls->base->name));
    if (cls->is_design) strbuf_str(p->out, STR_LIT(" design"));
    if (cls->dynamic_base) strbuf_str(p->out, STR_LIT(" dynamic"));
    if (cls->value_field >= 0) strbuf_printf(p->out, " value %d", cls->value_field);
    strbuf_char(p->out, '\n');
    for (int i = 0; i < cls->fields.count; i++) {
        const TreeField *field = &cls->fields.items[i];
        if (field->option && !field->given) continue;
        strbuf_printf(p->out, "  field %d %.*s: ", i, STR_ARG(symbols_name(symbols, field->name)));
        print_type(p, field->type);
        if (field->init) strbuf_printf(p->out, " = %.*s", STR_ARG(field->init->name));
        if (field->within) strbuf_str(p->out, STR_LIT(" within"));
        strbuf_str(p->out, field->given ? STR_LIT(" given\n") : STR_LIT("\n"));
    }
    for (int i = 0; i < cls->children.count; i++)
        strbuf_printf(p->out, "  child %d %.*s class %d\n", i,
                      STR_ARG(symbols_name(symbols, cls->children.items[i].name)),
                      cls->children.items[i].cls->index);
    for (int i = 0; i < cls->families.count; i++)
        strbuf_printf(p->out, "  family %d %.*s class %d\n", i,
                      STR_ARG(symbols_name(symbols, cls->families.items[i].name)),
                      cls->families.items[i].cls->index);
}

void tree_print(StrBuf *out, const TreeProgram *program) {
    Printer p = {out, program};
    for (int i = 0; i < program->classes.count; i++)
        print_class(&p, program->classes.items[i]);
    for (int i = 0; i < program->externs.count; i++)
        print_fn(&p, program->externs.items[i]);
    for (int i = 0; i < program->fns.count; i++)
        print_fn(&p, program->fns.items[i]);
}
