#include "tests/support/ir_program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiler/own/own.h"

static void host_run(Rt *rt, int32_t func, int64_t n, uint64_t uniform, const Slot *const *in,
                     Slot *const *out) {
    IrProgram *program = rt->engine;
    exec_run(program->exec, rt, func, n, uniform, in, out);
}

void ir_program_init(IrProgram *program, Str text) {
    static const RtHost host = {.run = host_run};
    Str error = {0};
    *program = (IrProgram){0};
    memory_init(&program->memory, NULL, NULL, 0);
    arena_init(&program->arena, &program->memory);
    IrModule *module = ir_read_module(&program->arena, text, &error);
    if (!module || !ir_verify(module, &program->arena, &error)) fail_msg("%.*s", STR_ARG(error));
    ir_analyze(module, 0);
    own_count(module, 0);
    RtText **texts = ARENA_ARRAY(&program->arena, RtText *, module->texts.count + 1);
    for (int i = 0; i < module->texts.count; i++) {
        texts[i] = ARENA_NEW(&program->arena, RtText);
        *texts[i] = (RtText){{RT_TEXT}, module->texts.items[i]};
    }
    program->binding = (IrBinding){.module = module, .texts = texts};
    rt_init(&program->rt, &host, program, &program->arena);
}

void ir_program_fini(IrProgram *program) {
    if (program->exec) exec_destroy(program->exec);
    rt_fini(&program->rt);
    arena_fini(&program->arena);
    assert_int_equal(atomic_load(&program->memory.used), 0);
}

void ir_program_exec(IrProgram *program, ExecOptions options) {
    if (program->exec) exec_destroy(program->exec);
    program->exec = exec_create(&program->memory, &options, program->binding);
}

int ir_program_func(const IrProgram *program, const char *name) {
    const IrModule *module = program->binding.module;
    for (int i = 0; i < module->funcs.count; i++)
        if (str_equal(module->funcs.items[i]->name, str_of(name))) return i;
    fail_msg("no function %s", name);
    return -1;
}

void ir_program_run(IrProgram *program, int func, int64_t n, uint64_t uniform,
                    const Slot *const *in, Slot *const *out) {
    program->rt.fault = (RtFault){0};
    exec_run(program->exec, &program->rt, func, n, uniform, in, out);
}
