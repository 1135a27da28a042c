/* The checked program as text: a line a declaration, expressions as nested words. For reading and
 * for tests. */
#include "compiler/check/check.h"

typedef struct Printer {
    StrBuf *out;
    const TreeProgram *program;
} Printer;

/* -- expressions -- */

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

static void print_real(Printer *p, double number) {
    strbuf_char(p->out, ' ');
    strbuf_double(p->out, number);
}

static void print_inside(Printer *p, const Tree *tree) {
    StrBuf *out = p->out;
    switch (tree_shape(tree->kind)) {
    case TREE_SHAPE_none:
        break;
#define SHAPE(member, fields) TREE_CASE(const, member, struct Tree_##member, &tree->member, fields)
#define SINGLE(shape, field) TREE_CASE(const, shape, Tree, tree, field)
#define NODE(m)                                                                                    \
    if (of->m) print(p, of->m);
#define NODES(m) print_list(p, &of->m);
#define LOCAL(m) strbuf_printf(out, " %d", of->m);
#define CAPTURES(m, count) print_captures(p, of->m, of->count);
#define NUMBER(m) strbuf_printf(out, " %d", of->m);
#define INTEGER(m) strbuf_printf(out, " %lld", (long long)of->m);
#define REAL(m) print_real(p, of->m);
#define TEXT(m) strbuf_printf(out, " \"%.*s\"", STR_ARG(of->m));
#define OP(m) strbuf_printf(out, " %s", operator_text(of->m));
#define FN(m) strbuf_printf(out, " %.*s", STR_ARG(of->m->name));
#define CLASS(m) strbuf_printf(out, " %.*s", STR_ARG(of->m->name));
#define FLAG(m)                                                                                    \
    if (of->m) strbuf_str(out, STR_LIT(" " #m));
#include "compiler/check/tree.def"
    }
}

static void print(Printer *p, const Tree *tree) {
    strbuf_printf(p->out, " (%s", tree_kind_name(tree->kind));
    print_inside(p, tree);
    strbuf_char(p->out, ')');
}

/* -- declarations -- */

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

bool tree_print(StrBuf *out, const TreeProgram *program, Str name) {
    Printer p = {out, program};
    size_t before = out->len;
    bool all = name.len == 0;
    for (int i = 0; i < program->classes.count; i++)
        if (all || str_equal(name, program->classes.items[i]->name))
            print_class(&p, program->classes.items[i]);
    for (int i = 0; i < program->externs.count; i++)
        if (all || str_equal(name, program->externs.items[i]->name))
            print_fn(&p, program->externs.items[i]);
    for (int i = 0; i < program->fns.count; i++)
        if (all || str_equal(name, program->fns.items[i]->name))
            print_fn(&p, program->fns.items[i]);
    return all || out->len > before;
}
