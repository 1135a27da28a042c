/* Places: a variable, or a slice of it down through fields and items, is given new slots.
 *
 *     xs[i].age = v         %2 = list.set age, width, %xs, %i, %v
 *     xs[i].names[k] = v    %2, %n = list.take names, width, %xs, %i      the inner list is ours alone meanwhile,
 *                           %m = list.set 0, 1, %n, %k, %v                so it too is changed in place
 *                           %3 = list.set names, width, %2, %i, %m
 */
#include "compiler/lower/lower_fn.h"

/* What becomes of `count` slots of a place's tree from `first` on. */
typedef struct Change {
    int first, count;
    bool reads; /* the old slots are wanted */
    PlaceChange *apply;
    void *user;
} Change;

static Slots slice(FnLowering *l, Slots whole, int first, int count) {
    Slots part = slots_new(l, count);
    for (int i = 0; i < count; i++)
        part.items[i] = whole.items[first + i];
    return part;
}

static void update(FnLowering *l, const Tree *place, Change change);

/* Of an item of a list. */
typedef struct ItemChange {
    const Type *element;
    IrValue key;
    Change inner;
} ItemChange;

/* The item's slots; what is an object in it is taken out of the list meanwhile. */
static Slots take_item(FnLowering *l, const ItemChange *item, IrValue *list) {
    int first = item->inner.first, count = item->inner.count;
    const char *letters = item->element->slots + first;
    int width = item->element->slot_count;
    Slots slots = emit_slots(l, IR_LIST_GET, (IrValue[]){*list, item->key}, 2, first, width, letters, count);
    slots = slice(l, slots, 0, count);
    for (int i = 0; i < count; i++) {
        if (letters[i] != 'R') continue;
        Slots taken = emit_slots(l, IR_LIST_TAKE, (IrValue[]){*list, item->key}, 2, first + i, width, "RR", 2);
        *list = taken.items[0];
        slots.items[i] = taken.items[1];
    }
    return slots;
}

static Slots change_item(FnLowering *l, void *user, Slots old) {
    const ItemChange *item = user;
    const Change *inner = &item->inner;
    IrValue list = old.items[0];
    Slots fresh = inner->apply(l, inner->user, inner->reads ? take_item(l, item, &list) : (Slots){0});
    IrValue *args = ARENA_ARRAY(l->arena, IrValue, inner->count + 2);
    args[0] = list;
    args[1] = item->key;
    for (int i = 0; i < inner->count; i++)
        args[i + 2] = fresh.items[i];
    return emit_slots(l, IR_LIST_SET, args, inner->count + 2, inner->first, item->element->slot_count, "R", 1);
}

static void update_local(FnLowering *l, int local, Change change) {
    Slots whole = l->locals[local];
    Slots fresh = change.apply(l, change.user, slice(l, whole, change.first, change.count));
    Slots row = slice(l, l->locals[local], 0, whole.count);
    for (int i = 0; i < change.count; i++)
        row.items[change.first + i] = fresh.items[i];
    l->locals[local] = row;
}

static void update(FnLowering *l, const Tree *place, Change change) {
    if (place->kind == TREE_COMPONENT) {
        change.first += place->component.index;
        update(l, place->component.operand, change);
    } else if (place->kind == TREE_ITEM) {
        ItemChange item = {place->member.operand->type->element, lower_single(l, place->member.key), change};
        update(l, place->member.operand, (Change){0, 1, true, change_item, &item});
    } else {
        update_local(l, place->local, change);
    }
}

void lower_place(FnLowering *l, const Tree *place, bool reads, PlaceChange *apply, void *user) {
    update(l, place, (Change){0, place->type->slot_count, reads, apply, user});
}

int lower_place_root(const Tree *place) {
    while (place->kind != TREE_LOCAL)
        place = place->kind == TREE_ITEM ? place->member.operand : place->component.operand;
    return place->local;
}

static Slots answer_value(FnLowering *l, void *user, Slots old) {
    (void)l, (void)old;
    return *(Slots *)user;
}

void lower_set(FnLowering *l, const Tree *tree) {
    Slots value = lower_tree(l, tree->set.value);
    lower_place(l, tree->set.place, false, answer_value, &value);
}
