/* Text to IR, the inverse of print.c. White space means nothing; a comment runs from ; to the end
 * of its line.
 *
 * Two passes: the first makes every function by name (a call may stand before what it calls), the
 * second fills them. It checks form only: whether the module keeps the rules of ir.h is ir_verify's
 * business. The first mistake ends the reading; after it every step answers false and the text
 * counts as used up.
 */
#include "compiler/ir/ir.h"

enum { MAX_NESTING = 200 }; /* regions within regions */

typedef struct Reader {
    Arena *arena;
    IrModule *module;
    SymbolTable func_names, extern_names; /* symbol = index + 1 */
    const char *at, *end;
    int line, nesting;
    IrFunc *func;
    int64_t value_limit; /* a function of n bytes names no value from n on: bounds what a text can
                            allocate */
    bool failed;
    Str error;
} Reader;

static bool fail(Reader *r, const char *what) {
    if (!r->failed) r->error = str_printf(r->arena, "line %d: %s", r->line, what);
    r->failed = true;
    r->at = r->end;
    return false;
}

/* -- tokens -- */

static void skip_space(Reader *r) {
    for (; r->at < r->end; r->at++) {
        if (*r->at == ';')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        if (r->at == r->end) return;
        if (*r->at == '\n')
            r->line++;
        else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
            return;
    }
}

static bool is_word_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
}

static bool accept(Reader *r, char c) {
    skip_space(r);
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool expect(Reader *r, char c) {
    char text[] = "expected ' '";
    text[10] = c;
    return accept(r, c) || fail(r, text);
}

/* The word that stands here, or an empty one. */
static Str peek_word(Reader *r) {
    skip_space(r);
    const char *stop = r->at;
    while (stop < r->end && is_word_char(*stop))
        stop++;
    return (Str){r->at, (size_t)(stop - r->at)};
}

static bool accept_word(Reader *r, const char *word) {
    Str here = peek_word(r);
    if (!str_equal(here, str_of(word))) return false;
    r->at += here.len;
    return true;
}

static bool expect_word(Reader *r, const char *word) {
    return accept_word(r, word) || fail(r, str_printf(r->arena, "expected `%s`", word).ptr);
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
}

static bool read_int(Reader *r, int64_t *value) {
    skip_space(r);
    bool negative = r->at < r->end && *r->at == '-';
    if (negative) r->at++;
    uint64_t total = 0, limit = (uint64_t)INT64_MAX + negative;
    const char *first = r->at;
    for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
        uint64_t digit = (uint64_t)(*r->at - '0');
        if (total > (limit - digit) / 10) return fail(r, "this whole number is too large");
        total = total * 10 + digit;
    }
    if (r->at == first) return fail(r, "expected a whole number");
    *value = (int64_t)(negative ? 0 - total : total);
    return true;
}

/* A whole number in [0, limit). */
static bool read_index(Reader *r, int64_t limit, int64_t *value) {
    if (!read_int(r, value)) return false;
    return (*value >= 0 && *value < limit) || fail(r, "this number is out of range");
}

static bool accept_text(Reader *r, const char *text) {
    size_t length = strlen(text);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length) != 0) return false;
    r->at += length;
    return true;
}

/* Up to max_digits hexadecimal digits; answers how many. */
static int read_hex(Reader *r, int max_digits, uint64_t *value) {
    int digits = 0;
    for (*value = 0; digits < max_digits && r->at < r->end && hex_digit(*r->at) >= 0; digits++)
        *value = *value << 4 | (uint64_t)hex_digit(*r->at++);
    return digits;
}

/* The part of a double after its sign, as the bits that are stored: 0x1.8p3, 0x0.8p-1022, 0x0p0,
 * inf. */
static bool read_magnitude(Reader *r, uint64_t *bits) {
    *bits = 0x7ffull << 52;
    if (accept_text(r, "inf")) return true;
    bool normal = accept_text(r, "0x1");
    if (!normal && !accept_text(r, "0x0")) return fail(r, "expected a hexadecimal number");
    uint64_t fraction = 0;
    if (accept_text(r, ".")) {
        int digits = read_hex(r, 13, &fraction);
        if (digits == 0) return fail(r, "expected hexadecimal digits");
        fraction <<= 4 * (13 - digits);
    }
    int64_t power;
    if (!accept_text(r, "p")) return fail(r, "expected `p`");
    if (!read_int(r, &power)) return false;
    bool fits = normal ? power >= -1022 && power <= 1023 : power == (fraction ? -1022 : 0);
    if (!fits) return fail(r, "this exponent is out of range");
    *bits = fraction | (normal ? (uint64_t)(power + 1023) << 52 : 0);
    return true;
}

static bool read_float(Reader *r, double *value) {
    skip_space(r);
    uint64_t bits;
    if (accept_text(r, "nan:")) {
        if (read_hex(r, 16, &bits) != 16) return fail(r, "expected the 16 digits of a NaN");
    } else {
        uint64_t sign = accept_text(r, "-") ? 1ull << 63 : 0;
        if (!read_magnitude(r, &bits)) return false;
        bits |= sign;
    }
    memcpy(value, &bits, sizeof bits);
    return true;
}

static bool read_escape(Reader *r, StrBuf *out) {
    if (r->at == r->end) return fail(r, "this text does not end");
    char c = *r->at++;
    if (c != 'x') {
        strbuf_char(out, c);
        return true;
    }
    uint64_t code;
    if (read_hex(r, 2, &code) != 2) return fail(r, "expected two hexadecimal digits");
    strbuf_char(out, (char)code);
    return true;
}

static bool read_quoted(Reader *r, Str *text) {
    StrBuf out = {.arena = r->arena};
    if (!expect(r, '"')) return false;
    while (r->at < r->end && *r->at != '"') {
        char c = *r->at++;
        if (c == '\n') r->line++;
        if (c != '\\')
            strbuf_char(&out, c);
        else if (!read_escape(r, &out))
            return false;
    }
    *text = strbuf_take(&out);
    return expect(r, '"');
}

static bool read_name(Reader *r, Str *name) {
    if (!expect(r, '@')) return false;
    skip_space(r);
    if (r->at < r->end && *r->at == '"') return read_quoted(r, name);
    *name = peek_word(r);
    r->at += name->len;
    return name->len > 0 || fail(r, "expected a name");
}

static bool read_type(Reader *r, IrType *type) {
    Str word = peek_word(r);
    if (word.len != 1 || !ir_type_of_letter(word.ptr[0], type))
        return fail(r, "expected one of the types B W I F R");
    r->at++;
    return true;
}

static bool read_span(Reader *r, Span *span) {
    int64_t part[3] = {0};
    if (!accept(r, '!')) return true;
    for (int i = 0; i < 3; i++)
        if ((i && !expect(r, ':')) || !read_index(r, (int64_t)UINT32_MAX + 1, &part[i]))
            return false;
    *span = (Span){(uint32_t)part[0], (uint32_t)part[1], (uint32_t)part[2]};
    return span->file != 0 || fail(r, "a span's file starts at 1");
}

/* -- values -- */

static bool read_value(Reader *r, IrValue *value) {
    int64_t number;
    if (!expect(r, '%') || !read_index(r, r->value_limit, &number)) return false;
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
    } while (accept(r, ','));
    return true;
}

static bool at_char(Reader *r, char c) {
    skip_space(r);
    return r->at < r->end && *r->at == c;
}

/* -- instructions -- */

typedef struct Results {
    Values values;
    VEC(IrType) types;
    bool typed, untyped;
} Results;

static bool read_results(Reader *r, Results *results) {
    if (!at_char(r, '%')) return true;
    do {
        IrValue value;
        IrType type = IR_B;
        if (!read_value(r, &value)) return false;
        if (accept(r, ':')) {
            if (!read_type(r, &type)) return false;
            results->typed = true;
        } else {
            results->untyped = true;
        }
        VEC_PUSH(r->arena, &results->values, value);
        VEC_PUSH(r->arena, &results->types, type);
    } while (accept(r, ','));
    return expect(r, '=');
}

static bool read_op(Reader *r, IrOp *op) {
    Str word = peek_word(r);
    for (int i = 0; i < IR_OP_COUNT; i++) {
        if (!str_equal(word, str_of(ir_op_info((IrOp)i)->text))) continue;
        r->at += word.len;
        *op = (IrOp)i;
        return true;
    }
    return fail(r, "expected an operation");
}

static bool read_symbol(Reader *r, const SymbolTable *table, int64_t *index) {
    Str name;
    if (!read_name(r, &name)) return false;
    *index = (int64_t)symbols_find(table, name) - 1;
    return *index >= 0 || fail(r, "there is nothing of this name");
}

static bool read_first_immediate(Reader *r, IrImm imm, IrIns *ins) {
    switch (imm) {
    case IR_IMM_NONE:
        return true;
    case IR_IMM_BOOL:
        ins->imm.i = accept_word(r, "true");
        return ins->imm.i || expect_word(r, "false");
    case IR_IMM_FLOAT:
        return read_float(r, &ins->imm.f);
    case IR_IMM_FUNC:
    case IR_IMM_CLOSURE:
        return read_symbol(r, &r->func_names, &ins->imm.i);
    case IR_IMM_EXTERN:
        return read_symbol(r, &r->extern_names, &ins->imm.i);
    case IR_IMM_WORD:
    case IR_IMM_INT:
    case IR_IMM_TEXT:
    case IR_IMM_SLOT:
    case IR_IMM_FIELD:
    case IR_IMM_INDEX:
    case IR_IMM_FAULT:
        return read_int(r, &ins->imm.i);
    }
    return false;
}

static bool read_immediates(Reader *r, IrIns *ins) {
    IrImm imm = ir_op_info(ins->op)->imm;
    if (!read_first_immediate(r, imm, ins)) return false;
    return ir_imm_count(imm) < 2 || (expect(r, ',') && read_int(r, &ins->imm2));
}

static bool read_operands(Reader *r, IrIns *ins) {
    Values args = {0};
    if (!read_immediates(r, ins)) return false;
    bool more = ir_imm_count(ir_op_info(ins->op)->imm) ? accept(r, ',') : at_char(r, '%');
    /* without immediates the operands begin at once; the next instruction's `%1 =` must not be
     * taken for one */
    if (more && ir_op_info(ins->op)->operands[0] == '\0')
        more = ir_imm_count(ir_op_info(ins->op)->imm) != 0;
    if (more && !read_values(r, &args)) return false;
    ins->args = args.items;
    ins->arg_count = args.count;
    return read_span(r, &ins->span);
}

static bool read_region(Reader *r, IrRegion *region, const char *last);

static bool read_block(Reader *r, IrRegion *region) {
    if (++r->nesting > MAX_NESTING) return fail(r, "regions nest too deep");
    bool good = expect(r, '{') && read_region(r, region, "yield") && expect(r, '}');
    r->nesting--;
    return good;
}

static bool read_if(Reader *r, IrIns *ins) {
    return read_value(r, &ins->args[0]) && read_span(r, &ins->span) &&
           read_block(r, &ins->regions[0]) && expect_word(r, "else") &&
           read_block(r, &ins->regions[1]);
}

static bool read_for(Reader *r, IrIns *ins, const Results *results) {
    IrRegion *body = &ins->regions[0];
    IrValue param, first[2];
    Values args = {0};
    if (!read_value(r, &param) || !expect_word(r, "in") || !read_value(r, &first[0]) ||
        !expect(r, ',') || !read_value(r, &first[1]) || !expect_word(r, "carry") || !expect(r, '('))
        return false;
    define(r, param, IR_I);
    VEC_PUSH(r->arena, &body->params, param);
    VEC_PUSH(r->arena, &args, first[0]);
    VEC_PUSH(r->arena, &args, first[1]);
    for (int i = 0; i < results->types.count; i++) {
        IrValue value;
        if ((i && !expect(r, ',')) || !read_value(r, &param) || !expect(r, '=') ||
            !read_value(r, &value))
            return false;
        define(r, param, results->types.items[i]);
        VEC_PUSH(r->arena, &body->params, param);
        VEC_PUSH(r->arena, &args, value);
    }
    ins->args = args.items;
    ins->arg_count = args.count;
    return expect(r, ')') && read_span(r, &ins->span) && read_block(r, body);
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
        return fail(r, typed ? "the results of this operation need types"
                             : "the results of this operation have no types of their own");
    for (int i = 0; i < results->values.count; i++) {
        if (!typed) results->types.items[i] = fixed_result_type(r, ins);
        define(r, results->values.items[i], results->types.items[i]);
    }
    return true;
}

static bool read_ins(Reader *r, IrRegion *region) {
    Results results = {0};
    IrOp op;
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
    while (!accept_word(r, last))
        if (!read_ins(r, region)) return false;
    if (!at_char(r, '%')) return true;
    Values yields = {0};
    if (!read_values(r, &yields)) return false;
    for (int i = 0; i < yields.count; i++)
        VEC_PUSH(r->arena, &region->yields, yields.items[i]);
    return true;
}

/* -- module -- */

static bool read_types(Reader *r, IrType **types, int *count) {
    VEC(IrType) list = {0};
    if (!expect(r, '(')) return false;
    while (!accept(r, ')')) {
        IrType type;
        if ((list.count && !expect(r, ',')) || !read_type(r, &type)) return false;
        VEC_PUSH(r->arena, &list, type);
    }
    *types = list.items;
    *count = list.count;
    return true;
}

static bool read_arrow(Reader *r) {
    return expect(r, '-') && expect(r, '>');
}

static bool read_extern(Reader *r) {
    IrExtern native = {0};
    if (!read_name(r, &native.name)) return false;
    if (symbols_find(&r->extern_names, native.name)) return fail(r, "two externs of one name");
    symbols_intern(&r->extern_names, native.name);
    if (!read_types(r, &native.params.items, &native.params.count) || !read_arrow(r) ||
        !read_types(r, &native.results.items, &native.results.count))
        return false;
    for (IrEffect effect = IR_PURE; effect <= IR_CALLS; effect++) {
        if (!accept_word(r, ir_effect_names[effect])) continue;
        native.effect = effect;
        VEC_PUSH(r->arena, &r->module->externs, native);
        return true;
    }
    return fail(r, "expected the extern's effect");
}

static bool read_params(Reader *r) {
    if (!expect(r, '(')) return false;
    while (!accept(r, ')')) {
        IrValue value;
        IrType type;
        if ((r->func->params.count && !expect(r, ',')) || !read_value(r, &value) ||
            !expect(r, ':') || !read_type(r, &type))
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
    if (!read_name(r, &name)) return false;
    if (index >= r->module->funcs.count) return fail(r, "`func` must begin its line");
    r->func = r->module->funcs.items[index];
    if (!str_equal(name, r->func->name)) return fail(r, "`func` must begin its line");
    if (!read_params(r) || !read_arrow(r) ||
        !read_types(r, &r->func->results.items, &r->func->results.count))
        return false;
    r->func->out_of_line = accept_word(r, "out_of_line");
    return read_span(r, &r->func->span) && expect(r, '{') &&
           read_region(r, &r->func->body, "return") && expect(r, '}');
}

static bool declare_funcs(Reader *r) {
    Reader ahead = *r;
    for (const char *at = find_func(r, r->at); at < r->end; at = find_func(r, at)) {
        Str name;
        ahead.at = at + 5;
        if (!read_name(&ahead, &name)) return fail(r, "`func` without a name");
        if (symbols_find(&r->func_names, name)) return fail(r, "two functions of one name");
        if (symbols_intern(&r->func_names, name) == 0) return fail(r, "a function's name is empty");
        ir_func_create(r->module, name);
        at += 5;
    }
    return true;
}

static bool read_items(Reader *r) {
    int funcs = 0;
    if (!declare_funcs(r)) return false;
    for (skip_space(r); r->at < r->end; skip_space(r)) {
        Str text;
        if (accept_word(r, "text")) {
            if (!read_quoted(r, &text)) return false;
            VEC_PUSH(r->arena, &r->module->texts, text);
        } else if (accept_word(r, "extern")) {
            if (!read_extern(r)) return false;
        } else if (accept_word(r, "func")) {
            if (!read_func(r, funcs++)) return false;
        } else {
            return fail(r, "expected `text`, `extern` or `func`");
        }
    }
    return !r->failed &&
           (funcs == r->module->funcs.count || fail(r, "a `func` stands where none may"));
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
