/* The op table as data: op.def unrolled into one array that the printer, reader and verifier walk.
 */
#include "compiler/ir/ir.h"

const IrOpInfo *ir_op_info(IrOp op) {
    static const IrOpInfo table[IR_OP_COUNT] = {
#define OP(NAME, text, operands, results, effect, imm, glsl, doc)                                  \
    [IR_##NAME] = {text, operands, results, glsl, doc, IR_##effect, IR_IMM_##imm},
#include "compiler/ir/op.def"
#undef OP
    };
    return &table[op];
}

int ir_imm_count(IrImm imm) {
    switch (imm) {
    case IR_IMM_NONE:
        return 0;
    case IR_IMM_BOOL:
    case IR_IMM_WORD:
    case IR_IMM_INT:
    case IR_IMM_FLOAT:
    case IR_IMM_TEXT:
    case IR_IMM_FUNC:
    case IR_IMM_EXTERN:
    case IR_IMM_INDEX:
    case IR_IMM_FAULT:
        return 1;
    case IR_IMM_SLOT:
    case IR_IMM_SHAPE:
    case IR_IMM_FIELD:
    case IR_IMM_CLOSURE:
        return 2;
    }
    return 0;
}

Str ir_imm_name(const IrModule *module, const IrIns *ins) {
    switch ((int)ir_op_info(ins->op)->imm) {
    case IR_IMM_FUNC:
    case IR_IMM_CLOSURE:
        return module->funcs.items[ins->imm.i]->name;
    case IR_IMM_EXTERN:
        return module->externs.items[ins->imm.i].name;
    case IR_IMM_TEXT:
        return module->texts.items[ins->imm.i];
    default:
        return (Str){0};
    }
}

const char ir_type_letters[] = "BWIFR";

const char *const ir_effect_names[] = {"pure",      "faults", "reads", "draws",
                                       "allocates", "changes", "acts", "calls"};

bool ir_type_of_letter(char letter, IrType *type) {
    const char *at = letter ? strchr(ir_type_letters, letter) : NULL;
    if (at == NULL) return false;
    *type = (IrType)(at - ir_type_letters);
    return true;
}
