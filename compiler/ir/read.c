/* Text to IR, the inverse of print.c. White space means nothing; a comment runs from ; to the end of its line.
 *
 * Two passes: the first makes every function by name (a call may stand before what it calls), the second fills
 * them. It checks form only: whether the module keeps the rules of ir.h is ir_verify's business.
 */
#include "compiler/ir/token.h"

enum { MAX_NESTING = 200 }; /* regions within regions */

/* -- values -- */

static bool read_value(Reader *r, IrValue *value) {
    int64_t number;
    if (!reader_expect(r, '%') || !reader_index(r, r->value_limit, &number)) return false;
    *value = (IrValue)number;
    return true;
}

static void define(Reader *r, IrValue value, IrType type) {
    while (r->func->types.count <= value)
        VEC_PUSH(r->arena, &r->func->types, IR_B);
    r->func->types.items[value] = type;
}

/* "%1, %2 ..." after `count` were read; appended to args. */
typedef VEC(IrValue) Values;

static bool read_values(Reader *r, Values *values) {
    do {
        IrValue value;
        if (!read_value(r, &value)) return false;
        VEC_PUSH(r->arena, values, value);
    } while (reader_accept(r, ','));
    return true;
}

/* -- instructions -- */

typedef struct Results {
    Values values;
    VEC(IrType) types;
    bool typed, untyped;
} Results;

static bool read_results(Reader *r, Results *results) {
    if (!reader_at(r, '%')) return true;
    do {
        IrValue value;
        IrType type = IR_B;
        if (!read_value(r, &value)) return false;
        if (reader_accept(r, ':')) {
            if (!reader_type(r, &type)) return false;
            results->typed = true;
        } else {
            results->untyped = true;
        }
        VEC_PUSH(r->arena, &results->values, value);
        VEC_PUSH(r->arena, &results->types, type);
    } while (reader_accept(r, ','));
    return reader_expect(r, '=');
}

static bool read_op(Reader *r, IrOp *op) {
    Str word = reader_peek_word(r);
    for (int i = 0; i < IR_OP_COUNT; i++) {
        if (!str_equal(word, str_of(ir_op_info((IrOp)i)->text))) continue;
        r->at += word.len;
        *op = (IrOp)i;
        return true;
    }
    return reader_fail(r, "expected an operation");
}

static bool read_symbol(Reader *r, const SymbolTable *table, int64_t *index) {
    Str name;
    if (!reader_name(r, &name)) return false;
    *index = (int64_t)symbols_find(table, name) - 1;
    return *index >= 0 || reader_fail(r, "there is nothing of this name");
}

static bool read_first_immediate(Reader *r, IrImm imm, IrIns *ins) {
    switch (imm) {
    case IR_IMM_NONE:
        return true;
    case IR_IMM_BOOL:
        ins->imm.i = reader_accept_word(r, "true");
        return ins->imm.i || reader_expect_word(r, "false");
    case IR_IMM_FLOAT:
        return reader_float(r, &ins->imm.f);
    case IR_IMM_FUNC:
    case IR_IMM_CLOSURE:
        return read_symbol(r, &r->func_names, &ins->imm.i);
    case IR_IMM_EXTERN:
        return read_symbol(r, &r->extern_names, &ins->imm.i);
    case IR_IMM_WORD:
    case IR_IMM_INT:
    case IR_IMM_TEXT:
    case IR_IMM_SLOT:
    case IR_IMM_SHAPE:
    case IR_IMM_FIELD:
    case IR_IMM_INDEX:
    case IR_IMM_FAULT:
        return reader_int(r, &ins->imm.i);
    }
    return false;
}

static bool read_immediates(Reader *r, IrIns *ins) {
    IrImm imm = ir_op_info(ins->op)->imm;
    if (!read_first_immediate(r, imm, ins)) return false;
    return ir_imm_count(imm) < 2 || (reader_expect(r, ',') && reader_int(r, &ins->imm2));
}

static bool read_operands(Reader *r, IrIns *ins) {
    Values args = {0};
    if (!read_immediates(r, ins)) return false;
    bool more = ir_imm_count(ir_op_info(ins->op)->imm) ? reader_accept(r, ',') : reader_at(r, '%');
    /* without immediates the operands begin at once; the next instruction's `%1 =` must not be
     * taken for one */
    if (more && ir_op_info(ins->op)->operands[0] == '\0')
        more = ir_imm_count(ir_op_info(ins->op)->imm) != 0;
    if (more && !read_values(r, &args)) return false;
    ins->args = args.items;
    ins->arg_count = args.count;
    return reader_span(r, &ins->span);
}

static bool read_region(Reader *r, IrRegion *region, const char *last);

static bool read_block(Reader *r, IrRegion *region) {
    if (++r->nesting > MAX_NESTING) return reader_fail(r, "regions nest too deep");
    bool good = reader_expect(r, '{') && read_region(r, region, "yield") && reader_expect(r, '}');
    r->nesting--;
    return good;
}

static bool read_if(Reader *r, IrIns *ins) {
    return read_value(r, &ins->args[0]) && reader_span(r, &ins->span) &&
           read_block(r, &ins->regions[0]) && reader_expect_word(r, "else") &&
           read_block(r, &ins->regions[1]);
}

static bool read_for(Reader *r, IrIns *ins, const Results *results) {
    IrRegion *body = &ins->regions[0];
    IrValue param, first[2];
    Values args = {0};
    if (!read_value(r, &param) || !reader_expect_word(r, "in") || !read_value(r, &first[0]) ||
        !reader_expect(r, ',') || !read_value(r, &first[1]) || !reader_expect_word(r, "carry") ||
        !reader_expect(r, '('))
        return false;
    define(r, param, IR_I);
    VEC_PUSH(r->arena, &body->params, param);
    VEC_PUSH(r->arena, &args, first[0]);
    VEC_PUSH(r->arena, &args, first[1]);
    for (int i = 0; i < results->types.count; i++) {
        IrValue value;
        if ((i && !reader_expect(r, ',')) || !read_value(r, &param) || !reader_expect(r, '=') ||
            !read_value(r, &value))
            return false;
        define(r, param, results->types.items[i]);
        VEC_PUSH(r->arena, &body->params, param);
        VEC_PUSH(r->arena, &args, value);
    }
    ins->args = args.items;
    ins->arg_count = args.count;
    return reader_expect(r, ')') && reader_span(r, &ins->span) && read_block(r, body);
}

/* The type of a result that does not carry its own. "x": the type of the last operand, when it is
 * known. */
static IrType fixed_result_type(const Reader *r, const IrIns *ins) {
    IrType type = IR_B;
    if (ir_type_of_letter(ir_op_info(ins->op)->results[0], &type) || ins->arg_count == 0)
        return type;
    IrValue last = ins->args[ins->arg_count - 1];
    return last < r->func->types.count ? r->func->types.items[last] : IR_B;
}

static bool set_results(Reader *r, IrIns *ins, Results *results) {
    bool typed = ir_op_info(ins->op)->results[0] == '?';
    if (typed ? results->untyped : results->typed)
        return reader_fail(r, typed ? "the results of this operation need types"
                                    : "the results of this operation have no types of their own");
    for (int i = 0; i < results->values.count; i++) {
        if (!typed) results->types.items[i] = fixed_result_type(r, ins);
        define(r, results->values.items[i], results->types.items[i]);
    }
    return true;
}

static bool read_ins(Reader *r, IrRegion *region) {
    Results results = {0};
    IrOp op = IR_NULL_R;
    if (!read_results(r, &results) || !read_op(r, &op)) return false;
    IrIns *ins = ir_ins_create(r->arena, op, 0, op == IR_IF);
    ins->results = results.values.items;
    ins->result_count = results.values.count;
    VEC_PUSH(r->arena, &region->body, ins);
    if (op == IR_IF) return set_results(r, ins, &results) && read_if(r, ins);
    if (op == IR_FOR) return set_results(r, ins, &results) && read_for(r, ins, &results);
    return read_operands(r, ins) && set_results(r, ins, &results);
}

static bool read_region(Reader *r, IrRegion *region, const char *last) {
    while (!reader_accept_word(r, last))
        if (!read_ins(r, region)) return false;
    if (!reader_at(r, '%')) return true;
    Values yields = {0};
    if (!read_values(r, &yields)) return false;
    for (int i = 0; i < yields.count; i++)
        VEC_PUSH(r->arena, &region->yields, yields.items[i]);
    return true;
}

/* -- module -- */

static bool read_types(Reader *r, IrType **types, int *count) {
    VEC(IrType) list = {0};
    if (!reader_expect(r, '(')) return false;
    while (!reader_accept(r, ')')) {
        IrType type;
        if ((list.count && !reader_expect(r, ',')) || !reader_type(r, &type)) return false;
        VEC_PUSH(r->arena, &list, type);
    }
    *types = list.items;
    *count = list.count;
    return true;
}

static bool read_arrow(Reader *r) {
    return reader_expect(r, '-') && reader_expect(r, '>');
}

static bool read_extern(Reader *r) {
    IrExtern native = {0};
    if (!reader_name(r, &native.name)) return false;
    if (symbols_find(&r->extern_names, native.name))
        return reader_fail(r, "two externs of one name");
    symbols_intern(&r->extern_names, native.name);
    if (!read_types(r, &native.params.items, &native.params.count) || !read_arrow(r) ||
        !read_types(r, &native.results.items, &native.results.count))
        return false;
    for (IrEffect effect = IR_PURE; effect <= IR_CALLS; effect++) {
        if (!reader_accept_word(r, ir_effect_names[effect])) continue;
        native.effect = effect;
        native.takes = reader_accept_word(r, "takes");
        VEC_PUSH(r->arena, &r->module->externs, native);
        return true;
    }
    return reader_fail(r, "expected the extern's effect");
}

static bool read_params(Reader *r) {
    if (!reader_expect(r, '(')) return false;
    while (!reader_accept(r, ')')) {
        IrValue value;
        IrType type;
        if ((r->func->params.count && !reader_expect(r, ',')) || !read_value(r, &value) ||
            !reader_expect(r, ':') || !reader_type(r, &type))
            return false;
        define(r, value, type);
        VEC_PUSH(r->arena, &r->func->params, value);
    }
    return true;
}

/* The start of the next line that begins with `func `, or the end. */
static const char *find_func(const Reader *r, const char *from) {
    for (const char *at = from; at < r->end; at++) {
        bool line_start = at == from || at[-1] == '\n';
        if (line_start && r->end - at > 5 && memcmp(at, "func ", 5) == 0) return at;
    }
    return r->end;
}

static bool read_func(Reader *r, int index) {
    Str name;
    r->value_limit = find_func(r, r->at) - r->at;
    if (!reader_name(r, &name)) return false;
    if (index >= r->module->funcs.count) return reader_fail(r, "`func` must begin its line");
    r->func = r->module->funcs.items[index];
    if (!str_equal(name, r->func->name)) return reader_fail(r, "`func` must begin its line");
    if (!read_params(r) || !read_arrow(r) ||
        !read_types(r, &r->func->results.items, &r->func->results.count))
        return false;
    r->func->out_of_line = reader_accept_word(r, "out_of_line");
    return reader_span(r, &r->func->span) && reader_expect(r, '{') &&
           read_region(r, &r->func->body, "return") && reader_expect(r, '}');
}

static bool declare_funcs(Reader *r) {
    Reader ahead = *r;
    for (const char *at = find_func(r, r->at); at < r->end; at = find_func(r, at)) {
        Str name;
        ahead.at = at + 5;
        if (!reader_name(&ahead, &name)) return reader_fail(r, "`func` without a name");
        if (symbols_find(&r->func_names, name)) return reader_fail(r, "two functions of one name");
        if (symbols_intern(&r->func_names, name) == 0)
            return reader_fail(r, "a function's name is empty");
        ir_func_create(r->module, name);
        at += 5;
    }
    return true;
}

static bool read_items(Reader *r) {
    int funcs = 0;
    if (!declare_funcs(r)) return false;
    for (reader_skip_space(r); r->at < r->end; reader_skip_space(r)) {
        Str text;
        if (reader_accept_word(r, "text")) {
            if (!reader_quoted(r, &text)) return false;
            VEC_PUSH(r->arena, &r->module->texts, text);
        } else if (reader_accept_word(r, "extern")) {
            if (!read_extern(r)) return false;
        } else if (reader_accept_word(r, "func")) {
            if (!read_func(r, funcs++)) return false;
        } else {
            return reader_fail(r, "expected `text`, `extern` or `func`");
        }
    }
    return !r->failed &&
           (funcs == r->module->funcs.count || reader_fail(r, "a `func` stands where none may"));
}

IrModule *ir_read_module(Arena *arena, Str text, Str *error) {
    Reader reader = {.arena = arena,
                     .module = ir_module_create(arena),
                     .at = text.ptr,
                     .end = text.ptr + text.len,
                     .line = 1};
    symbols_init(&reader.func_names, arena);
    symbols_init(&reader.extern_names, arena);
    if (read_items(&reader)) return reader.module;
    *error = reader.error;
    return NULL;
}
