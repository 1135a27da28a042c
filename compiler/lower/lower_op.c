/* Operators: componentwise on vectors, by letter of the slot. */
#include "compiler/lower/lower_fn.h"

#include "stdlib/library_names.h"

static char letter_of(const Tree *tree) {
    return tree->type->slot_count ? tree->type->slots[0] : 'B';
}

/* -- one slot -- */

static IrValue emit_double(FnLowering *l, double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return emit_const(l, IR_CONST_F, bits);
}

static IrValue emit_select(FnLowering *l, IrValue when, IrValue a, IrValue b) {
    return ir_emit(&l->builder, IR_SELECT, (IrValue[]){when, a, b}, 3, 0, 0);
}

/* Whether a comes before b on the way from 0 to the divisor, which `falls` when it is below 0. */
static IrValue before(FnLowering *l, IrValue falls, IrValue a, IrValue b) {
    return emit_select(l, falls, emit2(l, IR_LT_F, b, a), emit2(l, IR_LT_F, a, b));
}

/* a - b * floor(a / b), held from 0 up to the number before b whatever the roundings did: the quotient may have been rounded up
 * (the rest falls short of 0 and is lifted by b), or the rest rounded to b itself. */
static IrValue lower_mod_f(FnLowering *l, IrValue a, IrValue b) {
    IrValue zero = emit_double(l, 0), falls = emit2(l, IR_LT_F, b, zero);
    IrValue last = emit2(l, IR_MUL_F, b, emit_double(l, 1 - 0x1p-53));
    IrValue whole = emit1(l, IR_FLOOR_F, emit2(l, IR_DIV_F, a, b));
    IrValue rest = emit2(l, IR_SUB_F, a, emit2(l, IR_MUL_F, b, whole));
    IrValue lifted = emit2(l, IR_ADD_F, rest, b);
    rest = emit_select(l, before(l, falls, rest, zero), lifted, rest);
    rest = emit_select(l, before(l, falls, last, rest), last, rest);
    return emit_select(l, before(l, falls, rest, zero), zero, rest);
}

/* The op of each operator by the letter of its operands; 0 where there is none (and MOD of F,
 * made of others). */
enum { ROW_COUNT = 'W' + 1 };
static const IrOp op_rows[ROW_COUNT][OP_COUNT] = {
    ['F'] = {[OP_ADD] = IR_ADD_F, [OP_SUB] = IR_SUB_F, [OP_MUL] = IR_MUL_F, [OP_DIV] = IR_DIV_F},
    ['I'] = {[OP_ADD] = IR_ADD_I,
             [OP_SUB] = IR_SUB_I,
             [OP_MUL] = IR_MUL_I,
             [OP_DIV] = IR_DIV_I,
             [OP_MOD] = IR_MOD_I,
             [OP_BIT_AND] = IR_AND_I,
             [OP_BIT_OR] = IR_OR_I,
             [OP_BIT_XOR] = IR_XOR_I,
             [OP_SHL] = IR_SHL_I,
             [OP_SHR] = IR_SHR_I},
    ['W'] = {[OP_ADD] = IR_ADD_W,
             [OP_SUB] = IR_SUB_W,
             [OP_MUL] = IR_MUL_W,
             [OP_DIV] = IR_DIV_W,
             [OP_MOD] = IR_MOD_W,
             [OP_BIT_AND] = IR_AND_W,
             [OP_BIT_OR] = IR_OR_W,
             [OP_BIT_XOR] = IR_XOR_W,
             [OP_SHL] = IR_SHL_W,
             [OP_SHR] = IR_SHR_W},
    ['B'] = {[OP_BIT_AND] = IR_AND_B, [OP_BIT_OR] = IR_OR_B, [OP_BIT_XOR] = IR_XOR_B},
};

static IrValue arithmetic(FnLowering *l, char letter, Operator op, IrValue a, IrValue b) {
    if (letter == 'F' && op == OP_MOD) return lower_mod_f(l, a, b);
    return emit2(l, op_rows[(unsigned char)letter][op], a, b);
}

static IrValue less(FnLowering *l, char letter, IrValue a, IrValue b) {
    return emit2(l, letter == 'F' ? IR_LT_F : letter == 'I' ? IR_LT_I : IR_LT_W, a, b);
}

static IrValue less_equal(FnLowering *l, char letter, IrValue a, IrValue b) {
    if (letter == 'W') return emit1(l, IR_NOT_B, less(l, letter, b, a));
    return emit2(l, letter == 'F' ? IR_LE_F : IR_LE_I, a, b);
}

/* -- equality, by type -- */

static IrValue both(FnLowering *l, IrValue a, IrValue b) {
    return a < 0 ? b : emit2(l, IR_AND_B, a, b);
}

static IrValue equal_letter(FnLowering *l, char letter, IrValue a, IrValue b) {
    switch (letter) {
    case 'F':
        return emit2(l, IR_EQ_F, a, b);
    case 'I':
        return emit2(l, IR_EQ_I, a, b);
    case 'W':
        return emit2(l, IR_EQ_W, a, b);
    case 'B':
        return emit1(l, IR_NOT_B, emit2(l, IR_XOR_B, a, b));
    default:
        return emit2(l, IR_EQ_R, a, b);
    }
}

static IrValue equal_items(FnLowering *l, const Type *type, const IrValue *a, const IrValue *b) {
    IrValue all = -1;
    int at = 0;
    bool record = type->kind == TYPE_RECORD;
    int count = record ? type->record->fields.count : type->item_count;
    for (int i = 0; i < count; i++) {
        const Type *item = record ? type->record->fields.items[i].type : type->items[i];
        all = both(l, all, lower_equal(l, item, a + at, b + at));
        at += item->slot_count;
    }
    return all < 0 ? emit_const(l, IR_CONST_B, 1) : all;
}

/* Both none, or both there and equal inside. */
static IrValue equal_optional(FnLowering *l, const Type *type, const IrValue *a, const IrValue *b) {
    IrValue same = equal_letter(l, 'B', a[0], b[0]);
    if (type->element->slot_count == 0) return same;
    IrValue inside = lower_equal(l, type->element, a + 1, b + 1);
    return emit2(l, IR_AND_B, same, emit2(l, IR_OR_B, emit1(l, IR_NOT_B, a[0]), inside));
}

IrValue lower_equal(FnLowering *l, const Type *type, const IrValue *a, const IrValue *b) {
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_RECORD) return equal_items(l, type, a, b);
    if (type->kind == TYPE_OPTIONAL) return equal_optional(l, type, a, b);
    if (type->kind == TYPE_LIST) return lower_list_equal(l, type->element, a[0], b[0]);
    if (type->kind == TYPE_TEXT || type->kind == TYPE_NAME) {
        IrValue texts[2] = {a[0], b[0]};
        return lower_native(l, STR_LIT(STD_QUALIFIED(core, textEqual)), NATIVE_UNSTATED, texts, 2,
                            "B", 1)
            .items[0];
    }
    IrValue all = -1;
    for (int i = 0; i < type->slot_count; i++)
        all = both(l, all, equal_letter(l, type->slots[i], a[i], b[i]));
    return all < 0 ? emit_const(l, IR_CONST_B, 1) : all;
}

/* -- nodes -- */

static Slots lower_unary(FnLowering *l, const Tree *tree) {
    Slots a = lower_tree(l, tree->op.left);
    Slots out = slots_new(l, a.count);
    for (int i = 0; i < a.count; i++) {
        char letter = tree->op.left->type->slots[i];
        if (tree->op.op == OP_NOT)
            out.items[i] = emit1(l, IR_NOT_B, a.items[i]);
        else if (letter == 'F')
            out.items[i] = emit1(l, IR_NEG_F, a.items[i]);
        else if (letter == 'I')
            out.items[i] = emit1(l, IR_NEG_I, a.items[i]);
        else
            out.items[i] = emit2(l, IR_SUB_W, emit_const(l, IR_CONST_W, 0), a.items[i]);
    }
    return out;
}

/* A scalar goes with every component of the other side. */
static Slots lower_arithmetic(FnLowering *l, const Tree *tree) {
    Slots a = lower_tree(l, tree->op.left), b = lower_tree(l, tree->op.right);
    Slots out = slots_new(l, a.count > b.count ? a.count : b.count);
    char letter = letter_of(tree->op.left);
    for (int i = 0; i < out.count; i++) {
        IrValue left = a.items[a.count == 1 ? 0 : i], right = b.items[b.count == 1 ? 0 : i];
        out.items[i] = arithmetic(l, letter, tree->op.op, left, right);
    }
    return out;
}

static IrValue lower_comparison(FnLowering *l, const Tree *tree) {
    Slots a = lower_tree(l, tree->op.left), b = lower_tree(l, tree->op.right);
    const Type *type = tree->op.left->type;
    char letter = letter_of(tree->op.left);
    Operator op = tree->op.op;
    IrValue result;
    if (op == OP_LT)
        result = less(l, letter, a.items[0], b.items[0]);
    else if (op == OP_GT)
        result = less(l, letter, b.items[0], a.items[0]);
    else if (op == OP_LE)
        result = less_equal(l, letter, a.items[0], b.items[0]);
    else if (op == OP_GE)
        result = less_equal(l, letter, b.items[0], a.items[0]);
    else
        result = lower_equal(l, type, a.items, b.items);
    lower_note(l, result, tree);
    return op == OP_NE ? emit1(l, IR_NOT_B, result) : result;
}

static IrValue lower_join(FnLowering *l, const Tree *tree) {
    if (tree->type->kind == TYPE_LIST) return lower_list_join(l, tree->op.left, tree->op.right);
    IrValue a = lower_single(l, tree->op.left), b = lower_single(l, tree->op.right);
    return lower_native(l, STR_LIT(STD_QUALIFIED(core, textJoin)), NATIVE_UNSTATED,
                        (IrValue[]){a, b}, 2, "R", 1)
        .items[0];
}

Slots lower_op(FnLowering *l, const Tree *tree) {
    if (tree->op.right == NULL) return lower_unary(l, tree);
    bool comparison = operator_compares(tree->op.op);
    if (!comparison && letter_of(tree->op.left) != 'R') return lower_arithmetic(l, tree);
    return slots_one(l, comparison ? lower_comparison(l, tree) : lower_join(l, tree));
}

static IrValue convert(FnLowering *l, char from, char to, IrValue value) {
    if (from == to) return value;
    if (from == 'B') value = emit1(l, IR_B_TO_I, value), from = 'I';
    if (from == 'I' && to == 'F') return emit1(l, IR_I_TO_F, value);
    if (from == 'I' && to == 'W') return emit1(l, IR_I_TO_W, value);
    if (from == 'W' && to == 'F') return emit1(l, IR_W_TO_F, value);
    if (from == 'W' && to == 'I') return emit1(l, IR_W_TO_I, value);
    if (from == 'F' && to == 'I') return emit1(l, IR_F_TO_I, value);
    return value;
}

/* Scalars by letter; a type that only gets another name (point as direction) keeps its slots. */
Slots lower_convert(FnLowering *l, const Tree *tree) {
    const Tree *operand = tree->component.operand;
    Slots from = lower_tree(l, operand);
    Slots out = slots_new(l, from.count);
    for (int i = 0; i < from.count; i++)
        out.items[i] = convert(l, operand->type->slots[i], tree->type->slots[i], from.items[i]);
    return out;
}
