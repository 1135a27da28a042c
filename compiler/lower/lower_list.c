/* Lists: written out, joined, compared. */
#include "compiler/lower/lower_fn.h"

int64_t lower_object_bits(const char *letters, int count) {
    uint64_t bits = 0;
    for (int i = 0; i < count && i < 64; i++)
        if (letters[i] == 'R') bits |= 1ull << i;
    return (int64_t)bits;
}

static int64_t bits_of_row(const FnLowering *l, Slots item) {
    uint64_t bits = 0;
    for (int i = 0; i < item.count && i < 64; i++)
        if (l->builder.func->types.items[item.items[i]] == IR_R) bits |= 1ull << i;
    return (int64_t)bits;
}

IrValue lower_list_append(FnLowering *l, IrValue list, Slots item) {
    IrValue *args = ARENA_ARRAY(l->arena, IrValue, item.count + 1);
    args[0] = list;
    for (int i = 0; i < item.count; i++)
        args[i + 1] = item.items[i];
    return ir_emit(&l->builder, IR_LIST_APPEND, args, item.count + 1, bits_of_row(l, item), item.count);
}

static IrValue append_items(FnLowering *l, IrValue list, const TreeList *items) {
    for (int i = 0; i < items->count; i++)
        list = lower_list_append(l, list, lower_tree(l, items->items[i]));
    return list;
}

Slots lower_list(FnLowering *l, const Tree *tree) {
    IrValue room = emit_const(l, IR_CONST_I, tree->items.count);
    Slots out = slots_new(l, 1);
    const Type *element = tree->type->element;
    IrValue list = ir_emit(&l->builder, IR_LIST_NEW, &room, 1,
                           lower_object_bits(element->slots, element->slot_count), element->slot_count);
    out.items[0] = append_items(l, list, &tree->items);
    return out;
}

/* A loop over the items of a list with one carried value; the body's region is open until
 * loop_end. */
typedef struct Loop {
    IrIns *ins;
    IrRegion *outer;
} Loop;

static Loop loop_begin(FnLowering *l, IrValue length, IrValue carried, IrType type) {
    IrValue args[3] = {emit_const(l, IR_CONST_I, 0), length, carried};
    Loop loop = {.outer = l->builder.region};
    loop.ins = ir_emit_many(&l->builder, IR_FOR, args, 3, 0, 0, &type, 1);
    l->builder.region = &loop.ins->regions[0];
    return loop;
}

static IrValue loop_end(FnLowering *l, Loop loop, IrValue carried) {
    ir_yield(&l->builder, l->builder.region, carried);
    l->builder.region = loop.outer;
    return loop.ins->results[0];
}

static Slots item_of(FnLowering *l, const Type *element, IrValue list, IrValue index) {
    return emit_slots(l, IR_LIST_GET, (IrValue[]){list, index}, 2, 0, element->slot_count,
                      element->slots, element->slot_count);
}

/* `left + [a, b]` appends, so that a loop which grows a list costs linear time. */
IrValue lower_list_join(FnLowering *l, const Tree *left, const Tree *right) {
    IrValue list = lower_single(l, left);
    if (right->kind == TREE_LIST) return append_items(l, list, &right->items);
    IrValue more = lower_single(l, right);
    Loop loop = loop_begin(l, emit1(l, IR_LIST_LENGTH, more), list, IR_R);
    const IrRegion *body = l->builder.region;
    Slots item = item_of(l, right->type->element, more, body->params.items[0]);
    return loop_end(l, loop, lower_list_append(l, body->params.items[1], item));
}

/* Of equal length, and no item differs. The loop runs to the shorter end. */
IrValue lower_list_equal(FnLowering *l, const Type *element, IrValue a, IrValue b) {
    IrValue a_length = emit1(l, IR_LIST_LENGTH, a), b_length = emit1(l, IR_LIST_LENGTH, b);
    IrValue same = emit2(l, IR_EQ_I, a_length, b_length);
    IrValue none = emit_const(l, IR_CONST_I, 0);
    IrValue end = ir_emit(&l->builder, IR_SELECT, (IrValue[]){same, a_length, none}, 3, 0, 0);
    Loop loop = loop_begin(l, end, same, IR_B);
    const IrRegion *body = l->builder.region;
    IrValue index = body->params.items[0];
    Slots left = item_of(l, element, a, index), right = item_of(l, element, b, index);
    IrValue equal = lower_equal(l, element, left.items, right.items);
    return loop_end(l, loop, emit2(l, IR_AND_B, body->params.items[1], equal));
}
