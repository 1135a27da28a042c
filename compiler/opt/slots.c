/* Needs: verified IR. Gives: the items of short lists (short.h) as values: no object is made, so a function that made no other runs many
 * lanes at once, and the graphics card can have it. May change: what makes, changes and asks such lists; an `if` or a loop that gives
 * one gives its items.
 *
 * An item at a place known only at run time is chosen by comparing, behind the fault that an index outside its list is.
 */
#include "compiler/opt/short.h"

#include "runtime/rt/rt.h"

typedef struct Slots {
    Shorts shorts;
    IrValue **items; /* by list: its items' slots in turn */
    OptMap map;      /* what was asked of lists to the values that it is */
    Span span;       /* of what is written */
    OptBody *out;
} Slots;

static bool is_good(const Slots *s, IrValue list) {
    return shorts_good(&s->shorts, list);
}

static int slot_count(const Slots *s, IrValue list) {
    return s->shorts.length[list] * shorts_web(&s->shorts, list)->width;
}

static IrValue *items_create(Slots *s, IrValue list) {
    return s->items[list] = ARENA_ARRAY(s->shorts.opt->scratch, IrValue, slot_count(s, list));
}

/* -- writing -- */

static IrIns *write(Slots *s, IrOp op, IrType type, const IrValue *args, int count) {
    Opt *opt = s->shorts.opt;
    bool gives = *ir_op_info(op)->results != '\0';
    IrIns *ins = ir_ins_create(opt->arena, op, gives, count);
    ins->span = s->span;
    for (int i = 0; i < count; i++)
        ins->args[i] = args[i];
    if (gives) ins->results[0] = ir_value_new(opt->module, s->shorts.func, type);
    VEC_PUSH(opt->arena, s->out, ins);
    return ins;
}

static IrValue write_number(Slots *s, int64_t number) {
    IrIns *ins = write(s, IR_CONST_I, IR_I, NULL, 0);
    ins->imm.i = number;
    return ins->results[0];
}

static IrValue write_two(Slots *s, IrOp op, IrType type, IrValue a, IrValue b) {
    return write(s, op, type, (IrValue[]){a, b}, 2)->results[0];
}

static IrValue write_select(Slots *s, IrValue which, IrValue a, IrValue b) {
    return write(s, IR_SELECT, s->shorts.func->types.items[b], (IrValue[]){which, a, b}, 3)->results[0];
}

/* -- places -- */

/* A counter of a loop over no more, the remainder by no more, or the low bits of less. */
static bool is_inside(const Slots *s, IrValue at, int length) {
    const IrIns *made = at < s->shorts.count ? s->shorts.made[at] : NULL;
    int64_t least, most, by;
    if (shorts_counter(&s->shorts, at, &least, &most)) return least >= 0 && most < length;
    if (!made || made->arg_count != 2 || !shorts_number(&s->shorts, made->args[1], &by)) return false;
    return (made->op == IR_MOD_I && by > 0 && by <= length) || (made->op == IR_AND_I && by >= 0 && by < length);
}

/* For each item whether it is the one. */
static IrValue *write_places(Slots *s, IrValue at, int length) {
    IrValue *places = ARENA_ARRAY(s->shorts.opt->scratch, IrValue, length);
    for (int i = 0; i < length; i++)
        places[i] = write_two(s, IR_EQ_I, IR_B, at, write_number(s, i));
    return places;
}

static void write_fault(Slots *s, IrValue at, int length) {
    IrValue end = write_number(s, length);
    IrValue below = write_two(s, IR_LT_I, IR_B, at, write_number(s, 0)), over = write_two(s, IR_LE_I, IR_B, end, at);
    IrValue outside = write_two(s, IR_OR_B, IR_B, below, over);
    write(s, IR_FAULT_IF, IR_B, (IrValue[]){outside, at, end}, 3)->imm.i = RT_FAULT_INDEX;
}

static IrValue write_zero(Slots *s, IrType type) {
    static const IrOp ops[] = {[IR_B] = IR_CONST_B, [IR_W] = IR_CONST_W, [IR_I] = IR_CONST_I, [IR_F] = IR_CONST_F, [IR_R] = IR_NULL_R};
    return write(s, ops[type], type, NULL, 0)->results[0];
}

/* What an instruction asks for: the place, where it is known, or one bool an item; and whether it is sure to be inside. */
typedef struct Place {
    int at;
    IrValue *items;
    bool inside;
} Place;

static Place place_of(Slots *s, const IrIns *ins) {
    IrValue list = ins->args[0], at = opt_map_get(&s->map, ins->args[1]);
    int length = s->shorts.length[list];
    int64_t number;
    bool known = shorts_number(&s->shorts, ins->args[1], &number);
    if (known && number >= 0 && number < length) return (Place){.at = (int)number, .inside = true};
    Place place = {.inside = is_inside(s, ins->args[1], length)};
    if (!place.inside) write_fault(s, at, length);
    place.items = write_places(s, at, length);
    return place;
}

/* -- lists -- */

static void fill(Slots *s, const IrIns *ins) {
    IrValue *items = items_create(s, ins->results[0]);
    int width = ins->arg_count - 1;
    for (int i = 0; i < slot_count(s, ins->results[0]); i++)
        items[i] = opt_map_get(&s->map, ins->args[1 + i % width]);
}

static void append(Slots *s, const IrIns *ins) {
    int before = slot_count(s, ins->args[0]);
    IrValue *items = items_create(s, ins->results[0]);
    memcpy(items, s->items[ins->args[0]], sizeof *items * (size_t)before);
    for (int i = 1; i < ins->arg_count; i++)
        items[before + i - 1] = opt_map_get(&s->map, ins->args[i]);
}

static void set(Slots *s, const IrIns *ins) {
    Place place = place_of(s, ins);
    int width = (int)ins->imm2, first = (int)ins->imm.i;
    IrValue *items = items_create(s, ins->results[0]);
    memcpy(items, s->items[ins->args[0]], sizeof *items * (size_t)slot_count(s, ins->args[0]));
    for (int i = 0; i < s->shorts.length[ins->args[0]]; i++)
        for (int k = 2; k < ins->arg_count; k++) {
            IrValue *item = &items[i * width + first + k - 2], value = opt_map_get(&s->map, ins->args[k]);
            if (place.items)
                *item = write_select(s, place.items[i], value, *item);
            else if (i == place.at)
                *item = value;
        }
}

/* One slot of the item; outside there are zeros. */
static IrValue get_slot(Slots *s, const Place *place, const IrValue *items, int width, int length) {
    if (!place->items) return items[place->at * width];
    int next = place->inside ? length - 2 : length - 1;
    IrValue last = items[(length - 1) * width];
    IrValue value = place->inside ? last : write_zero(s, s->shorts.func->types.items[last]);
    for (int i = next; i >= 0; i--)
        value = write_select(s, place->items[i], items[i * width], value);
    return value;
}

static void get(Slots *s, const IrIns *ins) {
    Place place = place_of(s, ins);
    const IrValue *items = s->items[ins->args[0]] + ins->imm.i;
    for (int k = 0; k < ins->result_count; k++) {
        IrValue value = get_slot(s, &place, items + k, (int)ins->imm2, s->shorts.length[ins->args[0]]);
        opt_map_set(&s->map, s->shorts.opt, ins->results[k], value);
    }
}

static void choose(Slots *s, const IrIns *ins) {
    IrValue *items = items_create(s, ins->results[0]), which = opt_map_get(&s->map, ins->args[0]);
    for (int i = 0; i < slot_count(s, ins->results[0]); i++)
        items[i] = write_select(s, which, s->items[ins->args[1]][i], s->items[ins->args[2]][i]);
}

/* -- regions: a list among values is its items -- */

typedef VEC(IrValue) Row;

static void push(const Slots *s, Row *row, IrValue value) {
    VEC_PUSH(s->shorts.opt->arena, row, value);
}

/* Uses. */
static void spread(const Slots *s, Row *row, const IrValue *values, int count) {
    for (int i = 0; i < count; i++) {
        bool good = is_good(s, values[i]);
        if (!good) push(s, row, opt_map_get(&s->map, values[i]));
        for (int k = 0; good && k < slot_count(s, values[i]); k++)
            push(s, row, s->items[values[i]][k]);
    }
}

/* Definitions. */
static void define(Slots *s, Row *row, IrValue value) {
    if (!is_good(s, value)) {
        push(s, row, value);
        return;
    }
    const ShortWeb *web = shorts_web(&s->shorts, value);
    IrValue *items = items_create(s, value);
    for (int k = 0; k < slot_count(s, value); k++) {
        items[k] = ir_value_new(s->shorts.opt->module, s->shorts.func, web->types[k % web->width]);
        push(s, row, items[k]);
    }
}

static void define_all(Slots *s, Row *row, const IrValue *values, int count) {
    for (int i = 0; i < count; i++)
        define(s, row, values[i]);
}

static void rewrite(Slots *s, IrRegion *region);

/* An `if` or a `for`: its operands are spread, its results and its body's parameters made anew. */
static void rewrite_held(Slots *s, IrIns *ins) {
    Row args = {0}, results = {0};
    spread(s, &args, ins->args, ins->arg_count);
    for (int k = 0; k < ins->region_count; k++) {
        IrRegion *region = &ins->regions[k];
        Row params = {0};
        define_all(s, &params, region->params.items, region->params.count);
        region->params.items = params.items;
        region->params.count = region->params.capacity = params.count;
        rewrite(s, region);
    }
    define_all(s, &results, ins->results, ins->result_count);
    ins->args = args.items;
    ins->arg_count = args.count;
    ins->results = results.items;
    ins->result_count = results.count;
    VEC_PUSH(s->shorts.opt->arena, s->out, ins);
}

static void tell_length(Slots *s, IrIns *ins) {
    int length = s->shorts.length[ins->args[0]];
    IrIns *number = ir_ins_create(s->shorts.opt->arena, IR_CONST_I, 1, 0);
    number->span = ins->span;
    number->imm.i = length;
    number->results[0] = ins->results[0];
    VEC_PUSH(s->shorts.opt->arena, s->out, number);
}

static void rewrite_ins(Slots *s, IrIns *ins) {
    IrValue list = ins->op == IR_LIST_NEW || ins->op == IR_LIST_FILL || ins->op == IR_SELECT ? ins->results[0]
                   : ins->arg_count                                                         ? ins->args[0]
                                                                                            : SHORT_NONE;
    bool good = list != SHORT_NONE && is_good(s, list);
    s->span = ins->span;
    if (ins->op == IR_LIST_LENGTH && good)
        tell_length(s, ins);
    else if (ins->op == IR_LIST_NEW && good)
        items_create(s, list);
    else if (ins->op == IR_LIST_FILL && good)
        fill(s, ins);
    else if (ins->op == IR_LIST_APPEND && good)
        append(s, ins);
    else if (ins->op == IR_LIST_SET && good)
        set(s, ins);
    else if (ins->op == IR_LIST_GET && good)
        get(s, ins);
    else if (ins->op == IR_SELECT && good)
        choose(s, ins);
    else if (ins->region_count)
        rewrite_held(s, ins);
    else {
        opt_map_values(&s->map, ins->args, ins->arg_count);
        VEC_PUSH(s->shorts.opt->arena, s->out, ins);
    }
}

static void rewrite(Slots *s, IrRegion *region) {
    OptBody out = {0}, *outer = s->out;
    Row yields = {0};
    s->out = &out;
    for (int i = 0; i < region->body.count; i++)
        rewrite_ins(s, region->body.items[i]);
    s->out = outer;
    opt_set_body(region, out);
    spread(s, &yields, region->yields.items, region->yields.count);
    region->yields.items = yields.items;
    region->yields.count = region->yields.capacity = yields.count;
}

void opt_slots(Opt *opt, IrFunc *func) {
    Slots slots = {0};
    if (!shorts_find(&slots.shorts, opt, func)) return;
    slots.items = ARENA_ARRAY(opt->scratch, IrValue *, slots.shorts.count);
    opt_map_init(&slots.map, opt, func);
    rewrite(&slots, &func->body);
}
