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
