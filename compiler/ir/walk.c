/* The one walk over instructions and those in their regions. */
#include "compiler/ir/ir.h"

bool ir_each_ins(const IrRegion *region, IrVisit visit, void *user) {
    for (int i = 0; i < region->body.count; i++) {
        const IrIns *ins = region->body.items[i];
        if (!visit(ins, user)) return false;
        for (int k = 0; k < ins->region_count; k++)
            if (!ir_each_ins(&ins->regions[k], visit, user)) return false;
    }
    return true;
}

static bool count_one(const IrIns *ins, void *user) {
    (void)ins;
    ++*(int *)user;
    return true;
}

int ir_size(const IrRegion *region) {
    int size = 0;
    ir_each_ins(region, count_one, &size);
    return size;
}

typedef struct Reach {
    const IrModule *module;
    bool *seen;
    int64_t values;
} Reach;

static bool count_reach(const IrIns *ins, void *user) {
    Reach *reach = user;
    reach->values += ins->arg_count + ins->result_count;
    if (ins->op != IR_CALL || reach->seen[ins->imm.i]) return true;
    reach->seen[ins->imm.i] = true;
    return ir_each_ins(&reach->module->funcs.items[ins->imm.i]->body, count_reach, user);
}

int64_t ir_reach(const IrModule *module, const IrRegion *region, bool *seen) {
    Reach reach = {module, seen, 0};
    ir_each_ins(region, count_reach, &reach);
    return reach.values;
}
