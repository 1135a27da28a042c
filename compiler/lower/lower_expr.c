/* Expressions: the dispatch, constants, locals, and the shapes that only move slots. */
#include "compiler/lower/lower_fn.h"

Slots emit_slots(FnLowering *l, IrOp op, const IrValue *args, int arg_count, int64_t imm,
                 int64_t imm2, const char *letters, int count) {
    IrType *types = ARENA_ARRAY(l->arena, IrType, count);
    for (int i = 0; i < count; i++)
        types[i] = lower_letter(letters[i]);
    IrIns *ins = ir_emit_many(&l->builder, op, args, arg_count, imm, imm2, types, count);
    return (Slots){ins->results, ins->result_count};
}

void lower_note(FnLowering *l, IrValue value, const Tree *tree) {
    if (value < 0) return;
    LoweredTree note = {l->builder.func->index, value, tree};
    VEC_PUSH(l->arena, &l->lowering->trees, note);
}

static IrValue zero(FnLowering *l, IrType type) {
    switch (type) {
    case IR_B:
        return emit_const(l, IR_CONST_B, 0);
    case IR_W:
        return emit_const(l, IR_CONST_W, 0);
    case IR_I:
        return emit_const(l, IR_CONST_I, 0);
    case IR_F:
        return ir_emit_float(&l->builder, 0.0);
    case IR_R:
        return emit_const(l, IR_NULL_R, 0);
    }
    return -1;
}

static Slots zeros(FnLowering *l, const char *letters, int count) {
    Slots slots = slots_new(l, count);
    for (int i = 0; i < count; i++)
        slots.items[i] = zero(l, lower_letter(letters[i]));
    return slots;
}

static IrValue lower_text(FnLowering *l, const Tree *tree) {
    return emit_const(l, IR_CONST_TEXT, ir_module_text(l->builder.module, tree->text));
}

static Slots lower_aggregate(FnLowering *l, const Tree *tree) {
    Slots slots = slots_new(l, tree->type->slot_count);
    int at = 0;
    for (int i = 0; i < tree->items.count; i++) {
        Slots part = lower_tree(l, tree->items.items[i]);
        for (int j = 0; j < part.count && at < slots.count; j++)
            slots.items[at++] = part.items[j];
    }
    return slots;
}

static Slots lower_some(FnLowering *l, const Tree *tree) {
    Slots inside = lower_tree(l, tree->component.operand);
    Slots slots = slots_new(l, inside.count + 1);
    slots.items[0] = emit_const(l, IR_CONST_B, 1);
    if (inside.count) memcpy(slots.items + 1, inside.items, sizeof(IrValue) * (size_t)inside.count);
    return slots;
}

static Slots lower_item(FnLowering *l, const Tree *tree, int first, int count) {
    IrValue list = lower_single(l, tree->member.operand), index = lower_single(l, tree->member.key);
    return emit_slots(l, IR_LIST_GET, (IrValue[]){list, index}, 2, first, tree->type->slot_count,
                      tree->type->slots + first, count);
}

/* `count` slots from `first` on of what the tree gives; reads no more than those of a cell or a
 * list item. */
static Slots lower_slice(FnLowering *l, const Tree *tree, int first, int count) {
    if (tree->kind == TREE_COMPONENT)
        return lower_slice(l, tree->component.operand, tree->component.index + first, count);
    Span outer = l->builder.span;
    if (tree->span.file) l->builder.span = tree->span;
    Slots slots;
    if (tree->kind == TREE_FIELD)
        slots = lower_field(l, tree, first, count);
    else if (tree->kind == TREE_CAPTURE)
        slots = lower_capture(l, tree, first, count);
    else if (tree->kind == TREE_ITEM)
        slots = lower_item(l, tree, first, count);
    else {
        Slots whole = lower_tree(l, tree);
        slots = (Slots){whole.items + first, count};
    }
    l->builder.span = outer;
    return slots;
}

IrValue lower_single(FnLowering *l, const Tree *tree) {
    Slots slots = lower_tree(l, tree);
    return slots.count ? slots.items[0] : -1;
}

static Slots lower_kind(FnLowering *l, const Tree *tree) {
    switch (tree->kind) {
    case TREE_NUMBER:
        return slots_one(l, ir_emit_float(&l->builder, tree->number));
    case TREE_INT:
        return slots_one(l, emit_const(l, IR_CONST_I, tree->integer));
    case TREE_U32:
        return slots_one(l, emit_const(l, IR_CONST_W, tree->integer));
    case TREE_BOOL:
        return slots_one(l, emit_const(l, IR_CONST_B, tree->integer));
    case TREE_TEXT:
        return slots_one(l, lower_text(l, tree));
    case TREE_NONE:
        return zeros(l, tree->type->slots, tree->type->slot_count);
    case TREE_SOME:
        return lower_some(l, tree);
    case TREE_LOCAL:
        return l->locals[tree->local];
    case TREE_SELF:
        return slots_one(l, l->self);
    case TREE_ROOT:
    case TREE_PARENT:
    case TREE_CHILD:
    case TREE_MEMBER:
    case TREE_FAMILY:
    case TREE_DESIGN:
        return lower_part(l, tree);
    case TREE_FIELD:
    case TREE_CAPTURE:
    case TREE_ITEM:
    case TREE_COMPONENT:
        return lower_slice(l, tree, 0, tree->type->slot_count);
    case TREE_PRESENT:
        return lower_slice(l, tree->component.operand, 0, 1);
    case TREE_AGGREGATE:
        return lower_aggregate(l, tree);
    case TREE_LIST:
        return lower_list(l, tree);
    case TREE_OP:
        return lower_op(l, tree);
    case TREE_CONVERT:
        return lower_convert(l, tree);
    case TREE_AND:
    case TREE_OR:
    case TREE_IF:
        return lower_if(l, tree);
    case TREE_BLOCK:
        return lower_block(l, tree);
    case TREE_CALL:
        return lower_call(l, tree);
    case TREE_CALL_VALUE:
        return lower_call_value(l, tree);
    case TREE_LAMBDA:
        return lower_lambda(l, tree);
    case TREE_SPAWN:
        return lower_spawn(l, tree);
#define STATEMENT(NAME, name, shape) case TREE_##NAME:
#include "compiler/check/tree.def"
        lower_statement(l, tree);
        return (Slots){0};
    }
    return (Slots){0};
}

Slots lower_tree(FnLowering *l, const Tree *tree) {
    Span outer = l->builder.span;
    if (tree->span.file) l->builder.span = tree->span;
    Slots slots = lower_kind(l, tree);
    l->builder.span = outer;
    return slots;
}
