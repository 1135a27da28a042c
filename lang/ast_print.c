/* The tree as S-expressions: for `worldc dump --ast` and for the tests.
 *
 * A node that fits in a line of 100 columns stands on it; else its head stands there and its children under
 * it, two columns deeper. What was left out is not printed; spans are not either.
 *
 *     (field cottageSpot (type place) (value (tuple (- 16) 0 330)))
 */
#include "lang/ast.h"

#include <math.h>

#define COLUMNS 100

/* One list of the writer: "(head", children, ")". In flat mode children follow a blank, else a new line. */
typedef struct Printer {
    StrBuf *out;
    const SymbolTable *symbols;
    size_t flat_end; /* nonzero: flat, and given up once `out` is longer */
    int indent;
} Printer;

static const char *const OPS[] = {
    [AST_OP_NEG] = "-",     [AST_OP_NOT] = "!",     [AST_OP_ADD] = "+",  [AST_OP_SUB] = "-",
    [AST_OP_MUL] = "*",     [AST_OP_DIV] = "/",     [AST_OP_MOD] = "%",  [AST_OP_EQ] = "==",
    [AST_OP_NE] = "!=",     [AST_OP_LT] = "<",      [AST_OP_LE] = "<=",  [AST_OP_GT] = ">",
    [AST_OP_GE] = ">=",     [AST_OP_AND] = "&&",    [AST_OP_OR] = "||",  [AST_OP_BIT_AND] = "&",
    [AST_OP_BIT_OR] = "|",  [AST_OP_BIT_XOR] = "^", [AST_OP_SHL] = "<<", [AST_OP_SHR] = ">>",
    [AST_OP_SET] = "=",
};

static void print_node(Printer *pr, const AstNode *node);

/* -- pieces -- */

static bool gave_up(const Printer *pr) {
    return pr->flat_end && pr->out->len > pr->flat_end;
}

static void put(Printer *pr, const char *text) {
    strbuf_str(pr->out, str_of(text));
}

static void open(Printer *pr, const char *head) {
    strbuf_char(pr->out, '(');
    put(pr, head);
    pr->indent += 2;
}

static void close(Printer *pr) {
    strbuf_char(pr->out, ')');
    pr->indent -= 2;
}

static void next_child(Printer *pr) {
    if (pr->flat_end) {
        strbuf_char(pr->out, ' ');
        return;
    }
    strbuf_char(pr->out, '\n');
    for (int i = 0; i < pr->indent; i++) strbuf_char(pr->out, ' ');
}

static void put_symbol(Printer *pr, Symbol symbol) {
    strbuf_str(pr->out, symbols_name(pr->symbols, symbol));
}

static void put_name(Printer *pr, AstName name) {
    if (name.symbol == 0) return;
    strbuf_char(pr->out, ' ');
    put_symbol(pr, name.symbol);
}

static void put_quoted(Printer *pr, Str text) {
    strbuf_char(pr->out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\') strbuf_printf(pr->out, "\\%c", c);
        else if (c == '\n') put(pr, "\\n");
        else if (c < 0x20) strbuf_printf(pr->out, "\\x%02x", c);
        else strbuf_char(pr->out, (char)c);
    }
    strbuf_char(pr->out, '"');
}

/* -- children -- */

/* Prints a piece twice when it must: flat, and broken when flat is too wide. */
static void fit(Printer *pr, void (*piece)(Printer *, const void *), const void *of) {
    if (pr->flat_end) {
        if (!gave_up(pr)) piece(pr, of);
        return;
    }
    size_t start = pr->out->len;
    pr->flat_end = start + COLUMNS - (size_t)(pr->indent < COLUMNS - 20 ? pr->indent : COLUMNS - 20);
    piece(pr, of);
    bool too_wide = gave_up(pr);
    pr->flat_end = 0;
    if (!too_wide) return;
    pr->out->len = start;
    piece(pr, of);
}

static void print_node_piece(Printer *pr, const void *node) {
    print_node(pr, node);
}

static void child(Printer *pr, const AstNode *node) {
    if (node == NULL || gave_up(pr)) return;
    next_child(pr);
    fit(pr, print_node_piece, node);
}

static void children(Printer *pr, AstList list) {
    for (int i = 0; i < list.count; i++) child(pr, list.items[i]);
}

static void doc(Printer *pr, Str text) {
    if (text.len == 0) return;
    next_child(pr);
    put(pr, "(doc ");
    put_quoted(pr, text);
    put(pr, ")");
}

typedef struct Labelled { /* (label child...) */
    const char *label;
    AstName name; /* after the label */
    const AstNode *node, *default_value;
    Str doc;
} Labelled;

static void labelled(Printer *pr, Labelled piece);

static void print_labelled(Printer *pr, const void *of) {
    const Labelled *piece = of;
    open(pr, piece->label);
    put_name(pr, piece->name);
    doc(pr, piece->doc);
    child(pr, piece->node);
    if (piece->default_value) labelled(pr, (Labelled){.label = "default", .node = piece->default_value});
    close(pr);
}

static void labelled(Printer *pr, Labelled piece) {
    if (gave_up(pr)) return;
    next_child(pr);
    fit(pr, print_labelled, &piece);
}

static void labelled_child(Printer *pr, const char *label, const AstNode *node) {
    if (node) labelled(pr, (Labelled){.label = label, .node = node});
}

static void args(Printer *pr, AstArgs list) {
    for (int i = 0; i < list.count; i++) {
        if (list.items[i].name.symbol == 0) child(pr, list.items[i].value);
        else labelled(pr, (Labelled){"arg", list.items[i].name, list.items[i].value, NULL, {0}});
    }
}

static void params(Printer *pr, AstParams list) {
    for (int i = 0; i < list.count; i++) {
        const AstParam *param = &list.items[i];
        labelled(pr, (Labelled){"param", param->name, param->type, param->default_value, param->doc});
    }
}

static void names(Printer *pr, const char *label, AstNames list) {
    if (list.count == 0) return;
    next_child(pr);
    strbuf_printf(pr->out, "(%s", label);
    for (int i = 0; i < list.count; i++) put_name(pr, list.items[i]);
    put(pr, ")");
}

/* -- expressions -- */

static void print_number(Printer *pr, const AstNode *node) {
    double value = node->number.value;
    bool is_round = value == floor(value) && value < 1e15;
    if (node->number.whole) strbuf_printf(pr->out, "%lld", (long long)node->number.int_value);
    else if (is_round) strbuf_printf(pr->out, "%.0f", value);
    else strbuf_double(pr->out, value);
    if (node->number.unit.symbol) {
        strbuf_char(pr->out, '_');
        put_symbol(pr, node->number.unit.symbol);
    } else if (is_round && !node->number.whole) {
        put(pr, ".0"); /* tells 2.0 from 2 */
    }
}

static void print_leaf(Printer *pr, const AstNode *node) {
    static const char *const LEAVES[AST_KIND_COUNT] = {
        [AST_NONE] = "none", [AST_SELF] = "self", [AST_WILDCARD] = "_", [AST_ERROR] = "(error)",
    };
    if (node->kind == AST_NUMBER) print_number(pr, node);
    else if (node->kind == AST_BOOL) put(pr, node->boolean.value ? "true" : "false");
    else if (node->kind == AST_TEXT) put_quoted(pr, node->text.value);
    else if (node->kind == AST_NAME) put_symbol(pr, node->name.symbol);
    else put(pr, LEAVES[node->kind] ? LEAVES[node->kind] : "?");
}

static void print_operator(Printer *pr, const char *op, const AstNode *left, const AstNode *right) {
    open(pr, op);
    child(pr, left);
    child(pr, right);
    close(pr);
}

static void print_lambda(Printer *pr, const AstNode *node) {
    open(pr, "lambda");
    params(pr, node->lambda.params);
    labelled_child(pr, "result", node->lambda.result_type);
    child(pr, node->lambda.body);
    close(pr);
}

static void print_list(Printer *pr, const char *head, AstList list) {
    open(pr, head);
    children(pr, list);
    close(pr);
}

static void print_if(Printer *pr, const AstNode *node) {
    open(pr, "if");
    child(pr, node->if_.condition);
    child(pr, node->if_.then_block);
    child(pr, node->if_.else_block);
    close(pr);
}

static void print_call(Printer *pr, const AstNode *node) {
    open(pr, "call");
    child(pr, node->call.callee);
    args(pr, node->call.args);
    close(pr);
}

static void print_tuple(Printer *pr, const AstNode *node) {
    open(pr, "tuple");
    args(pr, node->tuple.items);
    close(pr);
}

static void print_member(Printer *pr, const AstNode *node) {
    open(pr, "member");
    put_name(pr, node->member.name);
    child(pr, node->member.object);
    close(pr);
}

/* -- statements and declarations -- */

static void print_let(Printer *pr, const AstNode *node) {
    open(pr, node->let.is_var ? "var" : "let");
    child(pr, node->let.pattern);
    labelled_child(pr, "type", node->let.type);
    child(pr, node->let.value);
    close(pr);
}

static void print_each(Printer *pr, const AstNode *node) {
    open(pr, "each");
    child(pr, node->each.pattern);
    child(pr, node->each.iterable);
    child(pr, node->each.body);
    close(pr);
}

static void print_part(Printer *pr, const AstNode *node) {
    open(pr, "part ");
    for (int i = 0; i < node->part.path.count; i++) {
        if (i > 0) strbuf_char(pr->out, '.');
        put_symbol(pr, node->part.path.items[i].symbol);
    }
    doc(pr, node->part.doc);
    labelled_child(pr, "index", node->part.index);
    labelled_child(pr, "design", node->part.design);
    args(pr, node->part.options);
    children(pr, node->part.body);
    close(pr);
}

static void print_field(Printer *pr, const AstNode *node) {
    open(pr, "field");
    put_name(pr, node->field.name);
    doc(pr, node->field.doc);
    labelled_child(pr, "type", node->field.type);
    labelled_child(pr, "within", node->field.within);
    labelled_child(pr, "value", node->field.value);
    close(pr);
}

static void print_fn(Printer *pr, const AstNode *node) {
    static const char *const HEADS[] = {
        [AST_FN_PLAIN] = "fn", [AST_FN_EXTERN] = "extern-fn", [AST_FN_INTRINSIC] = "intrinsic-fn"};
    open(pr, HEADS[node->fn.fn_kind]);
    put_name(pr, node->fn.name);
    doc(pr, node->fn.doc);
    names(pr, "types", node->fn.type_params);
    params(pr, node->fn.params);
    labelled_child(pr, "result", node->fn.result_type);
    child(pr, node->fn.body);
    close(pr);
}

static void print_record(Printer *pr, const AstNode *node) {
    open(pr, node->record.is_extern ? "extern-record" : "record");
    put_name(pr, node->record.name);
    doc(pr, node->record.doc);
    names(pr, "types", node->record.type_params);
    params(pr, node->record.fields);
    close(pr);
}

static void print_contract(Printer *pr, const AstNode *node) {
    open(pr, "contract");
    put_name(pr, node->contract.name);
    doc(pr, node->contract.doc);
    children(pr, node->contract.fns);
    close(pr);
}

static void print_use(Printer *pr, const AstNode *node) {
    open(pr, "use");
    put_name(pr, node->use.package);
    put_name(pr, node->use.alias);
    close(pr);
}

static void print_check(Printer *pr, const AstNode *node) {
    open(pr, "check ");
    put_quoted(pr, node->check.title);
    args(pr, node->check.options);
    child(pr, node->check.body);
    close(pr);
}

/* -- types -- */

static void print_type_name(Printer *pr, const AstNode *node) {
    if (node->type_name.args.count == 0) {
        put_symbol(pr, node->type_name.name.symbol);
        return;
    }
    strbuf_char(pr->out, '(');
    put_symbol(pr, node->type_name.name.symbol);
    pr->indent += 2;
    children(pr, node->type_name.args);
    close(pr);
}

static void print_type_power(Printer *pr, const AstNode *node) {
    open(pr, "^");
    child(pr, node->type_power.base);
    next_child(pr);
    strbuf_printf(pr->out, "%d", node->type_power.exponent);
    close(pr);
}

static void print_type_fn(Printer *pr, const AstNode *node) {
    open(pr, "fn-type");
    children(pr, node->type_fn.params);
    labelled_child(pr, "result", node->type_fn.result);
    close(pr);
}

static void print_type_given(Printer *pr, const AstNode *node) {
    open(pr, "given");
    params(pr, node->type_given.params);
    labelled_child(pr, "result", node->type_given.result);
    close(pr);
}

static void print_type_one_of(Printer *pr, const AstNode *node) {
    put(pr, "(one-of");
    for (int i = 0; i < node->type_one_of.names.count; i++) put_name(pr, node->type_one_of.names.items[i]);
    put(pr, ")");
}

/* -- dispatch -- */

static void print_node(Printer *pr, const AstNode *node) {
    switch (node->kind) {
    case AST_NUMBER: case AST_BOOL: case AST_TEXT: case AST_NONE: case AST_SELF: case AST_NAME:
    case AST_WILDCARD: case AST_ERROR: case AST_KIND_COUNT: print_leaf(pr, node); break;
    case AST_TUPLE: print_tuple(pr, node); break;
    case AST_LIST: print_list(pr, "list", node->list.items); break;
    case AST_RANGE:
        print_operator(pr, node->range.closed ? "..=" : "..<", node->range.lo, node->range.hi);
        break;
    case AST_UNARY: print_operator(pr, OPS[node->unary.op], node->unary.operand, NULL); break;
    case AST_BINARY: print_operator(pr, OPS[node->binary.op], node->binary.left, node->binary.right); break;
    case AST_MEMBER: print_member(pr, node); break;
    case AST_INDEX: print_operator(pr, "index", node->index.object, node->index.index); break;
    case AST_CALL: print_call(pr, node); break;
    case AST_LAMBDA: print_lambda(pr, node); break;
    case AST_IF: print_if(pr, node); break;
    case AST_BLOCK: print_list(pr, "block", node->block.statements); break;
    case AST_LET: print_let(pr, node); break;
    case AST_ASSIGN:
        open(pr, "set ");
        put(pr, OPS[node->assign.op]);
        if (node->assign.op != AST_OP_SET) put(pr, "=");
        child(pr, node->assign.target);
        child(pr, node->assign.value);
        close(pr);
        break;
    case AST_EACH: print_each(pr, node); break;
    case AST_PART: print_part(pr, node); break;
    case AST_FIELD: print_field(pr, node); break;
    case AST_FN: print_fn(pr, node); break;
    case AST_RECORD: print_record(pr, node); break;
    case AST_CONTRACT: print_contract(pr, node); break;
    case AST_USE: print_use(pr, node); break;
    case AST_CHECK: print_check(pr, node); break;
    case AST_PATTERN_TUPLE: print_list(pr, "tuple", node->pattern_tuple.items); break;
    case AST_TYPE_NAME: print_type_name(pr, node); break;
    case AST_TYPE_POWER: print_type_power(pr, node); break;
    case AST_TYPE_PRODUCT: print_operator(pr, "*", node->type_pair.left, node->type_pair.right); break;
    case AST_TYPE_QUOTIENT: print_operator(pr, "/", node->type_pair.left, node->type_pair.right); break;
    case AST_TYPE_TUPLE: print_list(pr, "tuple", node->type_tuple.items); break;
    case AST_TYPE_FN: print_type_fn(pr, node); break;
    case AST_TYPE_GIVEN: print_type_given(pr, node); break;
    case AST_TYPE_ONE_OF: print_type_one_of(pr, node); break;
    case AST_TYPE_OPTIONAL: print_operator(pr, "?", node->type_optional.base, NULL); break;
    }
}

void ast_print_node(StrBuf *out, const AstNode *node, const SymbolTable *symbols, int indent) {
    Printer pr = {.out = out, .symbols = symbols, .indent = indent};
    for (int i = 0; i < indent; i++) strbuf_char(out, ' ');
    fit(&pr, print_node_piece, node);
    strbuf_char(out, '\n');
}

void ast_print(StrBuf *out, const AstFile *file, const SymbolTable *symbols) {
    strbuf_printf(out, "(file");
    if (file->version) strbuf_printf(out, " (version %d)", file->version);
    strbuf_char(out, '\n');
    for (int i = 0; i < file->decls.count; i++) ast_print_node(out, file->decls.items[i], symbols, 2);
    strbuf_printf(out, ")\n");
}
