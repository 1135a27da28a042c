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

static void doc(Printer *pr, Str text) {
    if (text.len == 0) return;
    sexp_next(&pr->sexp);
    sexp_put(&pr->sexp, "(doc ");
    sexp_quote(&pr->sexp, text);
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
    doc(pr, piece->doc);
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
    sexp_next(&pr->sexp);
    strbuf_printf(pr->sexp.out, "(%s", label);
    for (int i = 0; i < list.count; i++)
        put_name(pr, list.items[i]);
    sexp_put(&pr->sexp, ")");
}

/* -- expressions -- */

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

static void print_leaf(Printer *pr, const AstNode *node) {
    static const char *const LEAVES[AST_KIND_COUNT] = {
        [AST_NONE] = "none",
        [AST_SELF] = "self",
        [AST_WILDCARD] = "_",
        [AST_ERROR] = "(error)",
    };
    if (node->kind == AST_NUMBER)
        print_number(pr, node);
    else if (node->kind == AST_BOOL)
        sexp_put(&pr->sexp, node->boolean.value ? "true" : "false");
    else if (node->kind == AST_TEXT)
        sexp_quote(&pr->sexp, node->text.value);
    else if (node->kind == AST_NAME)
        put_symbol(pr, node->name.symbol);
    else
        sexp_put(&pr->sexp, LEAVES[node->kind] ? LEAVES[node->kind] : "?");
}

static void print_operator(Printer *pr, const char *op, const AstNode *left, const AstNode *right) {
    sexp_open(&pr->sexp, op);
    child(pr, left);
    child(pr, right);
    sexp_close(&pr->sexp);
}

static void print_lambda(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "lambda");
    params(pr, node->lambda.params);
    labelled_child(pr, "result", node->lambda.result_type);
    child(pr, node->lambda.body);
    sexp_close(&pr->sexp);
}

static void print_list(Printer *pr, const char *head, AstList list) {
    sexp_open(&pr->sexp, head);
    children(pr, list);
    sexp_close(&pr->sexp);
}

static void print_if(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "if");
    child(pr, node->if_.condition);
    child(pr, node->if_.then_block);
    child(pr, node->if_.else_block);
    sexp_close(&pr->sexp);
}

static void print_call(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "call");
    child(pr, node->call.callee);
    args(pr, node->call.args);
    sexp_close(&pr->sexp);
}

static void print_tuple(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "tuple");
    args(pr, node->tuple.items);
    sexp_close(&pr->sexp);
}

static void print_member(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "member");
    put_name(pr, node->member.name);
    child(pr, node->member.object);
    sexp_close(&pr->sexp);
}

/* -- statements and declarations -- */

static void print_let(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, node->let.is_var ? "var" : "let");
    child(pr, node->let.pattern);
    labelled_child(pr, "type", node->let.type);
    child(pr, node->let.value);
    sexp_close(&pr->sexp);
}

static void print_each(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "each");
    child(pr, node->each.pattern);
    child(pr, node->each.iterable);
    child(pr, node->each.body);
    sexp_close(&pr->sexp);
}

static void print_part(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "part ");
    for (int i = 0; i < node->part.path.count; i++) {
        if (i > 0) strbuf_char(pr->sexp.out, '.');
        put_symbol(pr, node->part.path.items[i].symbol);
    }
    doc(pr, node->part.doc);
    labelled_child(pr, "index", node->part.index);
    labelled_child(pr, "design", node->part.design);
    args(pr, node->part.options);
    children(pr, node->part.body);
    sexp_close(&pr->sexp);
}

static void print_field(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "field");
    put_name(pr, node->field.name);
    doc(pr, node->field.doc);
    labelled_child(pr, "type", node->field.type);
    labelled_child(pr, "within", node->field.within);
    labelled_child(pr, "value", node->field.value);
    sexp_close(&pr->sexp);
}

static void print_fn(Printer *pr, const AstNode *node) {
    static const char *const HEADS[] = {
        [AST_FN_PLAIN] = "fn", [AST_FN_EXTERN] = "extern-fn", [AST_FN_INTRINSIC] = "intrinsic-fn"};
    sexp_open(&pr->sexp, HEADS[node->fn.fn_kind]);
    put_name(pr, node->fn.name);
    doc(pr, node->fn.doc);
    names(pr, "types", node->fn.type_params);
    params(pr, node->fn.params);
    labelled_child(pr, "result", node->fn.result_type);
    child(pr, node->fn.body);
    sexp_close(&pr->sexp);
}

static void print_record(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, node->record.is_extern ? "extern-record" : "record");
    put_name(pr, node->record.name);
    doc(pr, node->record.doc);
    names(pr, "types", node->record.type_params);
    params(pr, node->record.fields);
    sexp_close(&pr->sexp);
}

static void print_contract(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "contract");
    put_name(pr, node->contract.name);
    doc(pr, node->contract.doc);
    children(pr, node->contract.fns);
    sexp_close(&pr->sexp);
}

static void print_use(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "use");
    put_name(pr, node->use.package);
    put_name(pr, node->use.alias);
    sexp_close(&pr->sexp);
}

static void print_check(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "check ");
    sexp_quote(&pr->sexp, node->check.title);
    args(pr, node->check.options);
    child(pr, node->check.body);
    sexp_close(&pr->sexp);
}

/* -- types -- */

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

static void print_type_power(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "^");
    child(pr, node->type_power.base);
    sexp_next(&pr->sexp);
    strbuf_printf(pr->sexp.out, "%d", node->type_power.exponent);
    sexp_close(&pr->sexp);
}

static void print_type_fn(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "fn-type");
    children(pr, node->type_fn.params);
    labelled_child(pr, "result", node->type_fn.result);
    sexp_close(&pr->sexp);
}

static void print_type_given(Printer *pr, const AstNode *node) {
    sexp_open(&pr->sexp, "given");
    params(pr, node->type_given.params);
    labelled_child(pr, "result", node->type_given.result);
    sexp_close(&pr->sexp);
}

static void print_type_one_of(Printer *pr, const AstNode *node) {
    sexp_put(&pr->sexp, "(one-of");
    for (int i = 0; i < node->type_one_of.names.count; i++)
        put_name(pr, node->type_one_of.names.items[i]);
    sexp_put(&pr->sexp, ")");
}

/* -- dispatch -- */

static void print_node(Printer *pr, const AstNode *node) {
    switch (node->kind) {
    case AST_NUMBER:
    case AST_BOOL:
    case AST_TEXT:
    case AST_NONE:
    case AST_SELF:
    case AST_NAME:
    case AST_WILDCARD:
    case AST_ERROR:
    case AST_KIND_COUNT:
        print_leaf(pr, node);
        break;
    case AST_TUPLE:
        print_tuple(pr, node);
        break;
    case AST_LIST:
        print_list(pr, "list", node->list.items);
        break;
    case AST_RANGE:
        print_operator(pr, node->range.closed ? "..=" : "..<", node->range.lo, node->range.hi);
        break;
    case AST_UNARY:
        print_operator(pr, operator_text(node->unary.op), node->unary.operand, NULL);
        break;
    case AST_BINARY:
        print_operator(pr, operator_text(node->binary.op), node->binary.left, node->binary.right);
        break;
    case AST_MEMBER:
        print_member(pr, node);
        break;
    case AST_INDEX:
        print_operator(pr, "index", node->index.object, node->index.index);
        break;
    case AST_CALL:
        print_call(pr, node);
        break;
    case AST_LAMBDA:
        print_lambda(pr, node);
        break;
    case AST_IF:
        print_if(pr, node);
        break;
    case AST_BLOCK:
        print_list(pr, "block", node->block.statements);
        break;
    case AST_LET:
        print_let(pr, node);
        break;
    case AST_ASSIGN:
        sexp_open(&pr->sexp, "set ");
        sexp_put(&pr->sexp, operator_text(node->assign.op));
        if (node->assign.op != OP_SET) sexp_put(&pr->sexp, "=");
        child(pr, node->assign.target);
        child(pr, node->assign.value);
        sexp_close(&pr->sexp);
        break;
    case AST_EACH:
        print_each(pr, node);
        break;
    case AST_PART:
        print_part(pr, node);
        break;
    case AST_FIELD:
        print_field(pr, node);
        break;
    case AST_FN:
        print_fn(pr, node);
        break;
    case AST_RECORD:
        print_record(pr, node);
        break;
    case AST_CONTRACT:
        print_contract(pr, node);
        break;
    case AST_USE:
        print_use(pr, node);
        break;
    case AST_CHECK:
        print_check(pr, node);
        break;
    case AST_PATTERN_TUPLE:
        print_list(pr, "tuple", node->pattern_tuple.items);
        break;
    case AST_TYPE_NAME:
        print_type_name(pr, node);
        break;
    case AST_TYPE_POWER:
        print_type_power(pr, node);
        break;
    case AST_TYPE_PRODUCT:
        print_operator(pr, "*", node->type_pair.left, node->type_pair.right);
        break;
    case AST_TYPE_QUOTIENT:
        print_operator(pr, "/", node->type_pair.left, node->type_pair.right);
        break;
    case AST_TYPE_TUPLE:
        print_list(pr, "tuple", node->type_tuple.items);
        break;
    case AST_TYPE_FN:
        print_type_fn(pr, node);
        break;
    case AST_TYPE_GIVEN:
        print_type_given(pr, node);
        break;
    case AST_TYPE_ONE_OF:
        print_type_one_of(pr, node);
        break;
    case AST_TYPE_OPTIONAL:
        print_operator(pr, "?", node->type_optional.base, NULL);
        break;
    }
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
