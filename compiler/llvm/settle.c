/* Lists that a loop changes and nothing else holds. While nobody else holds such a list it stays the same object through
 * all rounds, so its items and its length are read before the loop:
 *
 *     %2 = for %i in %a, %b carry (%xs = %1) {     %xs, %3 and %2 are one object, if %1 has one holder
 *       %3 = list.set 0, 1, %xs, %i, %v
 *       yield %3
 *     }
 *
 * One that gets longer has its header on the stack meanwhile. Whoever would come to hold the list in the loop (a closure,
 * another list, a callee) takes it from this. Of a loop in a loop the outer one is asked, once.
 */
#include "compiler/llvm/emit.h"

enum {
    SETTLE_OPERATIONS = 400, /* of a loop that is written twice */
    SETTLE_MEMBERS = 32      /* values that are one list */
};

typedef struct OneList {
    IrValue members[SETTLE_MEMBERS];
    int count;
    bool full, changes, grows;
} OneList;

static bool is_member(const OneList *list, IrValue value) {
    for (int i = 0; i < list->count; i++)
        if (list->members[i] == value) return true;
    return false;
}

static void add_member(OneList *list, IrValue value) {
    if (list->count == SETTLE_MEMBERS)
        list->full = true;
    else
        list->members[list->count++] = value;
}

/* Members among values first.., but for `except`. */
static bool has_member(const OneList *list, const IrValue *values, int first, int count, int except) {
    for (int i = first; i < count; i++)
        if (i != except && is_member(list, values[i])) return true;
    return false;
}

static bool keeps_region(OneList *list, const IrRegion *region);

static bool keeps_for(OneList *list, const IrIns *ins) {
    const IrRegion *body = &ins->regions[0];
    for (int i = 2; i < ins->arg_count; i++)
        if (is_member(list, ins->args[i])) add_member(list, body->params.items[i - 1]);
    if (!keeps_region(list, body)) return false;
    for (int i = 0; i < body->yields.count; i++) {
        bool stays = i < ins->result_count && is_member(list, body->params.items[i + 1]);
        if (is_member(list, body->yields.items[i]) != stays) return false;
        if (stays) add_member(list, ins->results[i]);
    }
    return true;
}

static bool keeps_if(OneList *list, const IrIns *ins) {
    const IrRegion *sides = ins->regions;
    if (!keeps_region(list, &sides[0]) || !keeps_region(list, &sides[1])) return false;
    for (int i = 0; i < ins->result_count; i++) {
        bool member = is_member(list, sides[0].yields.items[i]);
        if (is_member(list, sides[1].yields.items[i]) != member) return false;
        if (member) add_member(list, ins->results[i]);
    }
    return true;
}

/* Whether the list is still one, with one holder, behind the instruction. */
static bool keeps(OneList *list, const IrIns *ins) {
    switch ((int)ins->op) {
    case IR_FOR:
        return keeps_for(list, ins);
    case IR_IF:
        return keeps_if(list, ins);
    case IR_LIST_GET:
    case IR_LIST_LENGTH:
        return true;
    case IR_LIST_SET:
    case IR_LIST_APPEND:
        if (has_member(list, ins->args, 1, ins->arg_count, -1)) return false;
        if (!is_member(list, ins->args[0])) return true;
        list->changes = true;
        list->grows |= ins->op == IR_LIST_APPEND;
        add_member(list, ins->results[0]);
        return true;
    default:
        return !has_member(list, ins->args, 0, ins->arg_count, -1);
    }
}

static bool keeps_region(OneList *list, const IrRegion *region) {
    for (int i = 0; i < region->body.count; i++)
        if (!keeps(list, region->body.items[i])) return false;
    return !list->full;
}

static bool find(OneList *list, const IrIns *loop, int carried) {
    const IrRegion *body = &loop->regions[0];
    add_member(list, body->params.items[carried + 1]);
    return keeps_region(list, body) && list->changes && is_member(list, body->yields.items[carried]) &&
           !has_member(list, body->yields.items, 0, body->yields.count, carried);
}

/* -- the header of a list that gets longer -- */

static const Grown *grown_create(Emit *e) {
    Grown *grown = ARENA_NEW(e->unit->arena, Grown);
    *grown = (Grown){emit_row(e, 1), emit_row(e, 1), emit_row(e, 1)};
    return grown;
}

static void copy_field(Emit *e, LLVMTypeRef type, LLVMValueRef object, size_t offset, LLVMValueRef to) {
    LLVMBuildStore(e->builder, emit_load_field(e, type, object, offset), to);
}

void emit_load_grown(Emit *e, const Grown *grown, LLVMValueRef object) {
    copy_field(e, e->unit->i, object, AT(e, RtList, length), grown->length);
    copy_field(e, e->unit->r, object, AT(e, RtList, items), grown->items);
    copy_field(e, e->unit->i, object, AT(e, RtList, capacity), grown->capacity);
}

/* What machine code changes is the length alone. */
void emit_store_grown(Emit *e, const Grown *grown, LLVMValueRef object) {
    LLVMValueRef length = LLVMBuildLoad2(e->builder, e->unit->i, grown->length, "");
    LLVMBuildStore(e->builder, length, emit_field_address(e, object, AT(e, RtList, length)));
}

/* -- the two texts -- */

static SettledList settled_list(Emit *e, const OneList *list, LLVMValueRef object) {
    SettledList settled = {.object = object, .count = list->count};
    IrValue *members = ARENA_ARRAY(e->unit->arena, IrValue, list->count);
    memcpy(members, list->members, sizeof *members * (size_t)list->count);
    settled.members = members;
    settled.grown = list->grows ? grown_create(e) : NULL;
    return settled;
}

/* Finds the lists, and whether all have one holder. */
static LLVMValueRef find_all(Emit *e, const IrIns *ins, Settled *settled) {
    LLVMValueRef all = NULL;
    for (int i = 0; i < ins->result_count; i++) {
        IrValue param = ins->regions[0].params.items[i + 1];
        OneList list = {0};
        if (e->func->types.items[param] != IR_R || e->settled[param] || !find(&list, ins, i)) continue;
        LLVMValueRef object = e->values[ins->args[i + 2]];
        LLVMValueRef ours = emit_is_ours(e, emit_null_to_zeros(e, object));
        all = all ? LLVMBuildAnd(e->builder, all, ours, "") : ours;
        VEC_PUSH(e->unit->arena, &settled->lists, settled_list(e, &list, object));
    }
    return all;
}

static void mark(Emit *e, const SettledList *list, bool settled, Header header, const Grown *grown) {
    for (int i = 0; i < list->count; i++) {
        e->settled[list->members[i]] = settled;
        e->headers[list->members[i]] = header;
        e->grown[list->members[i]] = grown;
    }
}

static void open_list(Emit *e, const SettledList *list) {
    Header header = {0};
    if (list->grown)
        emit_load_grown(e, list->grown, list->object);
    else
        header = emit_read_header(e, list->object, true);
    mark(e, list, true, header, list->grown);
}

bool settle_open(Emit *e, const IrIns *ins, Settled *settled) {
    if (e->width > 1 || !emit_may_double(e, &ins->regions[0], SETTLE_OPERATIONS)) return false;
    LLVMValueRef all = find_all(e, ins, settled);
    if (!all) return false;
    settled->versions = versions_open(e, ins);
    LLVMBasicBlockRef ours = emit_block(e, "settled");
    LLVMBuildCondBr(e->builder, all, ours, settled->versions.plain);
    LLVMPositionBuilderAtEnd(e->builder, ours);
    for (int i = 0; i < settled->lists.count; i++)
        open_list(e, &settled->lists.items[i]);
    return true;
}

void settle_turn(Emit *e, Settled *settled) {
    for (int i = 0; i < settled->lists.count; i++) {
        const SettledList *list = &settled->lists.items[i];
        if (list->grown) emit_store_grown(e, list->grown, list->object);
        mark(e, list, false, (Header){0}, NULL);
    }
    versions_turn(e, &settled->versions);
}

void settle_close(Emit *e, Settled *settled) {
    versions_close(e, &settled->versions);
}
