#include "compiler/llvm/unit.h"

void unit_init(Unit *unit, EmitProgram *program, const Target *target, Arena *arena) {
    *unit = (Unit){.program = program, .arena = arena, .context = LLVMContextCreate(), .can = target->can};
    unit->module = LLVMModuleCreateWithNameInContext("world", unit->context);
    unit->builder = LLVMCreateBuilderInContext(unit->context);
    target_prepare(target, unit->module);
}

void unit_fini(Unit *unit, Memory *memory) {
    memory_drop(memory, unit->held);
    LLVMDisposeBuilder(unit->builder);
    LLVMDisposeModule(unit->module);
    LLVMContextDispose(unit->context);
}

static size_t count_instructions(LLVMModuleRef module) {
    size_t count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                count++;
    return count;
}

/* LLVM has no allocator that could be watched, and ends the process when it gets nothing; but what it takes goes by the
 * instructions it is given (measured by mallinfo2 between its passes, over the library's worlds and made-up ones: 1 to 2.2 KB
 * each up to 15000, 0.3 of 130000). By a count and not by the heap: what other threads hold at the time must not decide who
 * works something out. */
bool unit_hold(Unit *unit, Memory *memory, Str *error) {
    static const size_t each_of_few = 2304, each = 1200, more = (size_t)4 << 20;
    size_t count = count_instructions(unit->module), few = each_of_few * count, many = each * count + more;
    size_t size = few < many ? few : many;
    if (!memory_hold(memory, size, size)) {
        *error = STR_LIT("there is too little memory to make machine code of all");
        return false;
    }
    unit->held = size;
    return true;
}
