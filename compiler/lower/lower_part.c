/* Parts: finding them, reading their cells and captures, making the members of a family. */
#include "compiler/lower/lower_fn.h"

#include "stdlib/library_names.h"

static Slots lower_member(FnLowering *l, const Tree *tree) {
    const Tree *key = tree->member.key;
    IrValue part = lower_single(l, tree->member.operand);
    IrValue found = lower_single(l, key);
    bool by_id = key->type->kind == TYPE_TEXT;
    IrValue number = by_id ? emit_const(l, IR_CONST_I, 0) : found;
    IrValue id = by_id ? found : emit_const(l, IR_NULL_R, 0);
    return slots_one(l, ir_emit(&l->builder, IR_PART_MEMBER, (IrValue[]){part, number, id}, 3,
                          tree->member.index, 0));
}

static IrValue lower_of_part(FnLowering *l, IrOp op, const Tree *tree) {
    IrValue part = lower_single(l, tree->part.operand);
    return ir_emit(&l->builder, op, &part, 1, op == IR_PART_PARENT ? 0 : tree->part.index, 0);
}

Slots lower_part(FnLowering *l, const Tree *tree) {
    if (tree->kind == TREE_ROOT) return slots_one(l, emit_const(l, IR_PART_ROOT, 0));
    if (tree->kind == TREE_PARENT) return slots_one(l, lower_of_part(l, IR_PART_PARENT, tree));
    if (tree->kind == TREE_CHILD) return slots_one(l, lower_of_part(l, IR_PART_CHILD, tree));
    if (tree->kind == TREE_FAMILY) return slots_one(l, lower_of_part(l, IR_PART_FAMILY, tree));
    if (tree->kind == TREE_MEMBER) return lower_member(l, tree);
    return slots_one(l, emit_const(l, IR_CONST_DESIGN, tree->design->index));
}

/* The class whose layout an operand's fields follow: every class lays its base's fields out
 * first, so that of the static type serves all that derive from it. */
static const TreeClass *class_of(const FnLowering *l, const Type *type) {
    if (type->cls) return type->cls;
    for (int i = 0; i < l->program->classes.count; i++)
        if (str_equal(l->program->classes.items[i]->name, STR_LIT(STD_core_anyPart)))
            return l->program->classes.items[i];
    return l->program->classes.items[0];
}

/* What a part is made of comes right behind the fields of anyPart, whatever its class. */
static int field_slot(const TreeClass *cls, int index) {
    return index < cls->fields.count ? cls->fields.items[index].slot : cls->slot_count;
}

Slots lower_field(FnLowering *l, const Tree *tree, int first, int count) {
    int slot = field_slot(class_of(l, tree->part.operand->type), tree->part.index);
    IrValue part = lower_single(l, tree->part.operand);
    Slots slots = emit_slots(l, IR_FIELD_GET, &part, 1, tree->part.index, slot + first,
                             tree->type->slots + first, count);
    lower_note(l, count ? slots.items[0] : -1, tree);
    return slots;
}

Slots lower_capture(FnLowering *l, const Tree *tree, int first, int count) {
    IrValue part = lower_single(l, tree->part.operand);
    return emit_slots(l, IR_CAPTURE_GET, &part, 1, tree->part.index + first, 0,
                      tree->type->slots + first, count);
}

void lower_part_make(FnLowering *l, const Tree *tree) {
    IrValue number = tree->part_make.number ? lower_single(l, tree->part_make.number)
                                            : emit_const(l, IR_CONST_I, 0);
    IrValue id =
        tree->part_make.id ? lower_single(l, tree->part_make.id) : emit_const(l, IR_NULL_R, 0);
    IrValue design = tree->part_make.design ? lower_single(l, tree->part_make.design)
                                            : emit_const(l, IR_NULL_R, 0);
    VEC(IrValue) args = {0};
    VEC_PUSH(l->arena, &args, l->self);
    VEC_PUSH(l->arena, &args, number);
    VEC_PUSH(l->arena, &args, id);
    VEC_PUSH(l->arena, &args, design);
    for (int i = 0; i < tree->part_make.capture_count; i++) {
        Slots capture = l->locals[tree->part_make.captures[i]];
        for (int j = 0; j < capture.count; j++)
            VEC_PUSH(l->arena, &args, capture.items[j]);
    }
    ir_emit(&l->builder, IR_PART_MAKE, args.items, args.count, tree->part_make.site->index,
            tree->part_make.family);
}

/* -- acts -- */

Slots lower_spawn(FnLowering *l, const Tree *tree) {
    IrValue design = emit_const(l, IR_CONST_DESIGN, tree->spawn.design->index);
    IrValue under = lower_single(l, tree->spawn.under);
    return slots_one(l, emit2(l, IR_ACT_SPAWN, design, under));
}

void lower_act(FnLowering *l, const Tree *tree) {
    int slot = field_slot(class_of(l, tree->act.part->type), tree->act.index) + tree->act.first;
    VEC(IrValue) args = {0};
    VEC_PUSH(l->arena, &args, lower_single(l, tree->act.part));
    Slots value = lower_tree(l, tree->act.value);
    for (int i = 0; i < value.count; i++)
        VEC_PUSH(l->arena, &args, value.items[i]);
    IrOp op = tree->kind == TREE_ACT_SET ? IR_ACT_SET : IR_ACT_ADD;
    ir_emit(&l->builder, op, args.items, args.count, tree->act.index, slot);
}
