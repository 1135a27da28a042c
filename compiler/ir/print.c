/* IR to text; read.c is the exact inverse. One form for every instruction:
 *
 *     RESULTS = OP IMMEDIATES, OPERANDS !file:start:end
 *
 *   - results of an op whose types are its own ("?") carry them:
 *     `%3: F, %4: I = list.get 1, 3, %1, %2`
 *   - `if` and `for` add their regions; the span is left out when the file is 0
 *   - doubles are hexadecimal, digit for digit what is stored, NaN with its bits
 */
#include <inttypes.h>

#include "compiler/ir/ir.h"

typedef struct Printer {
    StrBuf *out;
    const IrModule *module;
    const IrFunc *func;
} Printer;

static void print_quoted(StrBuf *out, Str text) {
    strbuf_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == '"' || c == '\\')
            strbuf_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            strbuf_printf(out, "\\x%02x", c);
        else
            strbuf_char(out, (char)c);
    }
    strbuf_char(out, '"');
}

static bool is_plain_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '.';
        if (!plain) return false;
    }
    return name.len > 0;
}

static void print_name(StrBuf *out, Str name) {
    strbuf_char(out, '@');
    if (is_plain_name(name))
        strbuf_str(out, name);
    else
        print_quoted(out, name);
}

static void print_float(StrBuf *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t fraction = bits & 0xfffffffffffffu;
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff && fraction) {
        strbuf_printf(out, "nan:%016" PRIx64, bits);
        return;
    }
    if (bits >> 63) strbuf_char(out, '-');
    if (exponent == 0x7ff) {
        strbuf_str(out, STR_LIT("inf"));
        return;
    }
    strbuf_printf(out, "0x%d", exponent != 0);
    if (fraction) {
        int digits = 13;
        while ((fraction & 15) == 0)
            fraction >>= 4, digits--;
        strbuf_printf(out, ".%0*" PRIx64, digits, fraction);
    }
    int power = exponent ? exponent - 1023 : fraction ? -1022 : 0;
    strbuf_printf(out, "p%d", power);
}

static void print_span(StrBuf *out, Span span) {
    if (span.file) strbuf_printf(out, " !%u:%u:%u", span.file, span.start, span.end);
}

static void print_type(StrBuf *out, IrType type) {
    strbuf_char(out, ir_type_letters[type]);
}

static void print_typed_value(Printer *p, IrValue value) {
    strbuf_printf(p->out, "%%%d: ", value);
    print_type(p->out, p->func->types.items[value]);
}

static void print_indent(Printer *p, int depth) {
    for (int i = 0; i < depth; i++)
        strbuf_str(p->out, STR_LIT("  "));
}

static void print_values(Printer *p, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        strbuf_printf(p->out, "%s%%%d", i ? ", " : " ", values[i]);
}

static void print_immediates(Printer *p, const IrIns *ins) {
    IrImm imm = ir_op_info(ins->op)->imm;
    if (imm == IR_IMM_NONE) return;
    strbuf_char(p->out, ' ');
    switch (imm) {
    case IR_IMM_NONE:
        break;
    case IR_IMM_BOOL:
        strbuf_str(p->out, ins->imm.i ? STR_LIT("true") : STR_LIT("false"));
        break;
    case IR_IMM_FLOAT:
        print_float(p->out, ins->imm.f);
        break;
    case IR_IMM_FUNC:
    case IR_IMM_CLOSURE:
        print_name(p->out, p->module->funcs.items[ins->imm.i]->name);
        break;
    case IR_IMM_EXTERN:
        print_name(p->out, p->module->externs.items[ins->imm.i].name);
        break;
    case IR_IMM_WORD:
    case IR_IMM_INT:
    case IR_IMM_TEXT:
    case IR_IMM_SLOT:
    case IR_IMM_SHAPE:
    case IR_IMM_FIELD:
    case IR_IMM_INDEX:
    case IR_IMM_FAULT:
        strbuf_printf(p->out, "%" PRId64, ins->imm.i);
        break;
    }
    if (ir_imm_count(imm) == 2) strbuf_printf(p->out, ", %" PRId64, ins->imm2);
    if (ins->arg_count) strbuf_char(p->out, ',');
}

static void print_region(Printer *p, const IrRegion *region, int depth, const char *last);

static void print_if(Printer *p, const IrIns *ins, int depth) {
    strbuf_printf(p->out, " %%%d", ins->args[0]);
    print_span(p->out, ins->span);
    strbuf_str(p->out, STR_LIT(" {\n"));
    print_region(p, &ins->regions[0], depth + 1, "yield");
    print_indent(p, depth);
    strbuf_str(p->out, STR_LIT("} else {\n"));
    print_region(p, &ins->regions[1], depth + 1, "yield");
    print_indent(p, depth);
    strbuf_char(p->out, '}');
}

static void print_for(Printer *p, const IrIns *ins, int depth) {
    const IrRegion *body = &ins->regions[0];
    strbuf_printf(p->out, " %%%d in %%%d, %%%d carry (", body->params.items[0], ins->args[0],
                  ins->args[1]);
    for (int i = 1; i < body->params.count; i++)
        strbuf_printf(p->out, "%s%%%d = %%%d", i > 1 ? ", " : "", body->params.items[i],
                      ins->args[i + 1]);
    strbuf_char(p->out, ')');
    print_span(p->out, ins->span);
    strbuf_str(p->out, STR_LIT(" {\n"));
    print_region(p, body, depth + 1, "yield");
    print_indent(p, depth);
    strbuf_char(p->out, '}');
}

static void print_results(Printer *p, const IrIns *ins, const IrOpInfo *info) {
    for (int i = 0; i < ins->result_count; i++) {
        if (i) strbuf_str(p->out, STR_LIT(", "));
        if (info->results[0] == '?')
            print_typed_value(p, ins->results[i]);
        else
            strbuf_printf(p->out, "%%%d", ins->results[i]);
    }
    if (ins->result_count) strbuf_str(p->out, STR_LIT(" = "));
}

static void print_ins(Printer *p, const IrIns *ins, int depth) {
    const IrOpInfo *info = ir_op_info(ins->op);
    print_indent(p, depth);
    print_results(p, ins, info);
    strbuf_str(p->out, str_of(info->text));
    if (ins->op == IR_IF) {
        print_if(p, ins, depth);
    } else if (ins->op == IR_FOR) {
        print_for(p, ins, depth);
    } else {
        print_immediates(p, ins);
        print_values(p, ins->args, ins->arg_count);
        print_span(p->out, ins->span);
    }
    strbuf_char(p->out, '\n');
}

static void print_region(Printer *p, const IrRegion *region, int depth, const char *last) {
    for (int i = 0; i < region->body.count; i++)
        print_ins(p, region->body.items[i], depth);
    print_indent(p, depth);
    strbuf_str(p->out, str_of(last));
    print_values(p, region->yields.items, region->yields.count);
    strbuf_char(p->out, '\n');
}

void ir_print_func(StrBuf *out, const IrModule *module, const IrFunc *func) {
    Printer printer = {out, module, func};
    strbuf_str(out, STR_LIT("func "));
    print_name(out, func->name);
    strbuf_char(out, '(');
    for (int i = 0; i < func->params.count; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        print_typed_value(&printer, func->params.items[i]);
    }
    strbuf_str(out, STR_LIT(") -> ("));
    for (int i = 0; i < func->results.count; i++) {
        if (i) strbuf_str(out, STR_LIT(", "));
        print_type(out, func->results.items[i]);
    }
    strbuf_char(out, ')');
    if (func->out_of_line) strbuf_str(out, STR_LIT(" out_of_line"));
    print_span(out, func->span);
    strbuf_str(out, STR_LIT(" {\n"));
    print_region(&printer, &func->body, 1, "return");
    strbuf_str(out, STR_LIT("}\n"));
}

static void print_extern(StrBuf *out, const IrExtern *native) {
    strbuf_str(out, STR_LIT("extern "));
    print_name(out, native->name);
    strbuf_char(out, '(');
    for (int i = 0; i < native->params.count; i++)
        strbuf_printf(out, "%s%c", i ? ", " : "", ir_type_letters[native->params.items[i]]);
    strbuf_str(out, STR_LIT(") -> ("));
    for (int i = 0; i < native->results.count; i++)
        strbuf_printf(out, "%s%c", i ? ", " : "", ir_type_letters[native->results.items[i]]);
    strbuf_printf(out, ") %s%s\n", ir_effect_names[native->effect], native->takes ? " takes" : "");
}

void ir_print_module(StrBuf *out, const IrModule *module) {
    for (int i = 0; i < module->texts.count; i++) {
        strbuf_str(out, STR_LIT("text "));
        print_quoted(out, module->texts.items[i]);
        strbuf_char(out, '\n');
    }
    for (int i = 0; i < module->externs.count; i++)
        print_extern(out, &module->externs.items[i]);
    for (int i = 0; i < module->funcs.count; i++) {
        if (i || module->texts.count || module->externs.count) strbuf_char(out, '\n');
        ir_print_func(out, module, module->funcs.items[i]);
    }
}
