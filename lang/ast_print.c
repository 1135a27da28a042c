/* The tree as S-expressions: for `worldc dump --ast` and for the tests.
 *
 * What was left out is not printed, and spans are not. A unit is joined to its number.
 *
 *     (field cottageSpot (type place) (value (tuple (- 16) 0 330)))
 */
#include "lang/ast.h"

#include <math.h>

#include "lang/sexp.h"

typedef struct Printer {
    Sexp sexp;
    const SymbolTable *symbols;
} Printer;

static void print_node(Printer *pr, const AstNode *node);

/* -- pieces -- */

static void put_symbol(Printer *pr, Symbol symbol) {
    strbuf_str(pr->sexp.out, symbols_name(pr->symbols, symbol));
}

static void put_name(Printer *pr, AstName name) {
    if (name.symbol == 0) return;
    strbuf_char(pr->sexp.out, ' ');
    put_symbol(pr, name.symbol);
}

/* -- children -- */

static void print_node_item(void *pr, const void *node) {
    print_node(pr, node);
}

static void child(Printer *pr, const AstNode *node) {
    if (node == NULL || sexp_gave_up(&pr->sexp)) return;
    sexp_next(&pr->sexp);
    sexp_fit(&pr->sexp, print_node_item, pr, node);
}

static void children(Printer *pr, AstList list) {
    for (int i = 0; i < list.count; i++)
        child(pr, list.items[i]);
}

static void quoted(Printer *pr, Str text) {
    strbuf_char(pr->sexp.out, ' ');
    sexp_quote(&pr->sexp, text);
}

/* (label "text") */
static void said(Printer *pr, const char *label, Str text) {
    if (text.len == 0) return;
    sexp_next(&pr->sexp);
    strbuf_printf(pr->sexp.out, "(%s", label);
    quoted(pr, text);
    sexp_put(&pr->sexp, ")");
}

typedef struct Labelled { /* (label child...) */
    const char *label;
    AstName name; /* after the label */
    const AstNode *node, *default_value;
    Str doc;
} Labelled;

static void labelled(Printer *pr, Labelled piece);

static void print_labelled(void *context, const void *of) {
    Printer *pr = context;
    const Labelled *piece = of;
    sexp_open(&pr->sexp, piece->label);
    put_name(pr, piece->name);
    said(pr, "doc", piece->doc);
    child(pr, piece->node);
    if (piece->default_value)
        labelled(pr, (Labelled){.label = "default", .node = piece->default_value});
    sexp_close(&pr->sexp);
}

static void labelled(Printer *pr, Labelled piece) {
    if (sexp_gave_up(&pr->sexp)) return;
    sexp_next(&pr->sexp);
    sexp_fit(&pr->sexp, print_labelled, pr, &piece);
}

static void labelled_child(Printer *pr, const char *label, const AstNode *node) {
    if (node) labelled(pr, (Labelled){.label = label, .node = node});
}

static void args(Printer *pr, AstArgs list) {
    for (int i = 0; i < list.count; i++) {
        if (list.items[i].name.symbol == 0)
            child(pr, list.items[i].value);
        else
            labelled(pr, (Labelled){"arg", list.items[i].name, list.items[i].value, NULL, {0}});
    }
}

static void params(Printer *pr, AstParams list) {
    for (int i = 0; i < list.count; i++) {
        const AstParam *param = &list.items[i];
        labelled(pr,
                 (Labelled){"param", param->name, param->type, param->default_value, param->doc});
    }
}

static void names(Printer *pr, const char *label, AstNames list) {
    if (list.count == 0) return;
    if (*label) {
        sexp_next(&pr->sexp);
        strbuf_printf(pr->sexp.out, "(%s", label);
    }
    for (int i = 0; i < list.count; i++)
        put_name(pr, list.items[i]);
    if (*label) sexp_put(&pr->sexp, ")");
}

static void path(Printer *pr, AstNames list) {
    for (int i = 0; i < list.count; i++) {
        strbuf_char(pr->sexp.out, i ? '.' : ' ');
        put_symbol(pr, list.items[i].symbol);
    }
}

static void count(Printer *pr, int number) {
    sexp_next(&pr->sexp);
    strbuf_printf(pr->sexp.out, "%d", number);
}

/* The assignment's mark: "=", "+=". */
static void sets(Printer *pr, Operator op) {
    strbuf_printf(pr->sexp.out, op == OP_SET ? " %s" : " %s=", operator_text(op));
}

/* -- what is no list -- */

static void print_number(Printer *pr, const AstNode *node) {
    double value = node->number.value;
    bool is_round = value == floor(value) && value < 1e15;
    if (node->number.whole)
        strbuf_printf(pr->sexp.out, "%lld", (long long)node->number.int_value);
    else if (is_round)
        strbuf_printf(pr->sexp.out, "%.0f", value);
    else
        strbuf_double(pr->sexp.out, value);
    if (node->number.unit.symbol) {
        strbuf_char(pr->sexp.out, '_');
        put_symbol(pr, node->number.unit.symbol);
    } else if (is_round && !node->number.whole) {
        sexp_put(&pr->sexp, ".0"); /* tells 2.0 from 2 */
    }
}

static void print_type_name(Printer *pr, const AstNode *node) {
    if (node->type_name.args.count == 0) {
        put_symbol(pr, node->type_name.name.symbol);
        return;
    }
    strbuf_char(pr->sexp.out, '(');
    put_symbol(pr, node->type_name.name.symbol);
    pr->sexp.indent += 2;
    children(pr, node->type_name.args);
    sexp_close(&pr->sexp);
}

/* What has no parentheses, or not always; false of the rest. */
static bool print_leaf(Printer *pr, const AstNode *node) {
    if (node->kind == AST_NUMBER)
        print_number(pr, node);
    else if (node->kind == AST_BOOL)
        sexp_put(&pr->sexp, node->boolean.value ? "true" : "false");
    else if (node->kind == AST_TEXT)
        sexp_quote(&pr->sexp, node->text.value);
    else if (node->kind == AST_NAME)
        put_symbol(pr, node->name.symbol);
    else if (node->kind == AST_TYPE_NAME)
        print_type_name(pr, node);
    else if (ast_shape(node->kind) == AST_SHAPE_none)
        sexp_put(&pr->sexp, ast_head(node->kind));
    else
        return false;
    return true;
}

/* -- the rest: a head, then what ast.def says it holds -- */

static const char *head_of(const AstNode *node) {
    static const char *const FNS[] = {
        [AST_FN_PLAIN] = "fn", [AST_FN_EXTERN] = "extern-fn", [AST_FN_INTRINSIC] = "intrinsic-fn"};
    switch ((int)node->kind) {
    case AST_RANGE:
        return node->range.closed ? "..=" : "..<";
    case AST_UNARY:
        return operator_text(node->unary.op);
    case AST_BINARY:
        return operator_text(node->binary.op);
    case AST_LET:
        return node->let.is_var ? "var" : "let";
    case AST_FN:
        return FNS[node->fn.fn_kind];
    case AST_RECORD:
        return node->record.is_extern ? "extern-record" : "record";
    default:
        return ast_head(node->kind);
    }
}

static void print_private(Printer *pr, const AstNode *node) {
    AstNode bare = *node;
    bare.is_private = false;
    sexp_open(&pr->sexp, "private");
    child(pr, &bare);
    sexp_close(&pr->sexp);
}

static void print_node(Printer *pr, const AstNode *node) {
    if (node->is_private) {
        print_private(pr, node);
        return;
    }
    if (print_leaf(pr, node)) return;
    sexp_open(&pr->sexp, head_of(node));
    switch (ast_shape(node->kind)) {
    case AST_SHAPE_none:
        break;
#define SHAPE(member, fields)                                                                      \
    case AST_SHAPE_##member: {                                                                     \
        const struct Ast_##member *of = &node->member;                                             \
        (void)of;                                                                                  \
        fields;                                                                                    \
        break;                                                                                     \
    }
#define NODE(m) child(pr, of->m);
#define NODES(m) children(pr, of->m);
#define LABELED(m, label) labelled_child(pr, label, of->m);
#define ARGS(m) args(pr, of->m);
#define PARAMS(m) params(pr, of->m);
#define NAME(m) put_name(pr, of->m);
#define NAMES(m, label) names(pr, label, of->m);
#define PATH(m) path(pr, of->m);
#define QUOTED(m) quoted(pr, of->m);
#define SAID(m, label) said(pr, label, of->m);
#define COUNT(m) count(pr, of->m);
#define SETS(m) sets(pr, of->m);
#define DATA(type, m)
#include "lang/ast.def"
    }
    sexp_close(&pr->sexp);
}

void ast_print_node(StrBuf *out, const AstNode *node, const SymbolTable *symbols, int indent) {
    Printer pr = {.sexp = {.out = out, .indent = indent}, .symbols = symbols};
    for (int i = 0; i < indent; i++)
        strbuf_char(out, ' ');
    sexp_fit(&pr.sexp, print_node_item, &pr, node);
    strbuf_char(out, '\n');
}

void ast_print(StrBuf *out, const AstFile *file, const SymbolTable *symbols) {
    strbuf_printf(out, "(file");
    if (file->version) strbuf_printf(out, " (version %d)", file->version);
    strbuf_char(out, '\n');
    for (int i = 0; i < file->decls.count; i++)
        ast_print_node(out, file->decls.items[i], symbols, 2);
    strbuf_printf(out, ")\n");
}

/* -- by name -- */

typedef struct Named {
    StrBuf *out;
    const SymbolTable *symbols;
    Str rest; /* of the name, from where the declaration stands */
} Named;

/* Takes one name, and the dot after it, off the front. */
static bool take(Named *named, Symbol symbol) {
    Str first = symbols_name(named->symbols, symbol), *rest = &named->rest;
    bool found = rest->len >= first.len && memcmp(rest->ptr, first.ptr, first.len) == 0 &&
                 (rest->len == first.len || rest->ptr[first.len] == '.');
    size_t taken = found ? first.len + (rest->len > first.len) : 0;
    *rest = (Str){rest->ptr + taken, rest->len - taken};
    return found;
}

static void print_named(const AstNode *node, void *user) {
    Named here = *(const Named *)user;
    Symbol name = 0;
    switch ((int)node->kind) {
    case AST_PART:
        for (int i = 0; i < node->part.path.count; i++)
            if (!take(&here, node->part.path.items[i].symbol)) return;
        if (here.rest.len)
            ast_visit(node, print_named, &here);
        else
            ast_print_node(here.out, node, here.symbols, 0);
        return;
    case AST_EACH: /* one of declarations */
    case AST_BLOCK:
        ast_visit(node, print_named, &here);
        return;
    case AST_FIELD:
        name = node->field.name.symbol;
        break;
    case AST_FN:
        name = node->fn.name.symbol;
        break;
    case AST_RECORD:
        name = node->record.name.symbol;
        break;
    case AST_CONTRACT:
        name = node->contract.name.symbol;
        break;
    case AST_ALIAS:
        name = node->alias.name.symbol;
        break;
    default:
        return;
    }
    if (take(&here, name) && here.rest.len == 0) ast_print_node(here.out, node, here.symbols, 0);
}

bool ast_print_named(StrBuf *out, const AstFile *file, const SymbolTable *symbols, Str name) {
    size_t before = out->len;
    for (int i = 0; i < file->decls.count; i++)
        print_named(file->decls.items[i], &(Named){out, symbols, name});
    return out->len > before;
}
