/* What a text became, shown after any pass.
 *
 * IR that later passes have changed is made again: lowered anew from the checked tree, and brought
 * as far as the stage wants. The program itself is left alone.
 */
#include "compiler/compile.h"
#include "compiler/opt/opt.h"

/* -- names -- */

/* From the last on, so that a form's name is that of the last pass that gives it. */
static bool find_pass(Str stage, CompilePass *pass) {
    static const char *const forms[] = {"", "ast", "tree", "ir"};
    for (int i = COMPILE_PASS_COUNT - 1; i >= 0; i--) {
        *pass = (CompilePass)i;
        CompileForm form = compile_pass_form(*pass);
        if (str_equal(stage, str_of(compile_pass_name(*pass)))) return true;
        if (form && str_equal(stage, str_of(forms[form]))) return true;
    }
    return false;
}

int compile_stage(Str stage) {
    CompilePass pass;
    OptPass opt;
    if (find_pass(stage, &pass)) return pass + 1;
    if (str_equal(stage, STR_LIT("llvm")) || str_equal(stage, STR_LIT("asm")) || str_equal(stage, STR_LIT("glsl")))
        return COMPILE_PASS_COUNT;
    return opt_find_pass(stage, &opt) ? COMPILE_VERIFY + 1 : 0;
}

Str compile_stage_names(Arena *arena) {
    StrBuf out = {.arena = arena};
    strbuf_str(&out, STR_LIT("ast tree ir llvm asm glsl "));
    for (int i = 0; i < COMPILE_PASS_COUNT; i++)
        strbuf_printf(&out, "%s ", compile_pass_name((CompilePass)i));
    for (int i = 0; i < OPT_PASS_COUNT; i++)
        strbuf_printf(&out, "%s%s", i ? " " : "", opt_pass_name((OptPass)i));
    return strbuf_take(&out);
}

/* -- IR -- */

static bool dump_module(const IrModule *module, Str name, StrBuf *out) {
    bool found = name.len == 0;
    if (found) ir_print_module(out, module);
    for (int i = 0; i < module->funcs.count; i++) {
        if (name.len == 0 || !str_equal(module->funcs.items[i]->name, name)) continue;
        ir_print_func(out, module, module->funcs.items[i]);
        found = true;
    }
    return found;
}

static IrModule *lower_anew(const Compile *c, Arena *arena) {
    Lowering lowering = {.module = ir_module_create(arena)};
    lower_program(&lowering, c->program, arena);
    return lowering.module;
}

typedef struct Watch {
    IrModule *module;
    OptPass wanted;
    Str name;
    StrBuf *out;
    bool found;
} Watch;

static void print_after(void *user, OptPass pass, int round) {
    Watch *watch = user;
    if (pass != watch->wanted) return;
    strbuf_printf(watch->out, "; after %s, round %d\n", opt_pass_name(pass), round);
    watch->found = dump_module(watch->module, watch->name, watch->out);
}

/* A pass that the level leaves out is shown at the lowest level that has it. */
static bool dump_after(const Compile *c, OptPass pass, Str name, StrBuf *out) {
    IrModule *module = lower_anew(c, out->arena);
    Watch watch = {module, pass, name, out, false};
    int level = c->input.optimize, least = opt_pass_level(pass);
    opt_run(module, out->arena, &(OptPlan){.level = level > least ? level : least, .after = print_after, .user = &watch});
    return watch.found;
}

static bool dump_ir(const Compile *c, CompilePass pass, Str name, StrBuf *out) {
    if (pass >= COMPILE_OPTIMIZE) return dump_module(c->lowering.module, name, out);
    return dump_module(lower_anew(c, out->arena), name, out);
}

/* -- any of them -- */

bool compile_dump(const Compile *c, Str stage, Str name, StrBuf *out) {
    CompilePass pass;
    OptPass opt;
    if (opt_find_pass(stage, &opt)) return c->lowering.module && dump_after(c, opt, name, out);
    if (!find_pass(stage, &pass)) return false;
    switch (compile_pass_form(pass)) {
    case COMPILE_FORM_NONE:
        break;
    case COMPILE_FORM_AST:
        if (c->ast == NULL) return false;
        if (name.len) return ast_print_named(out, c->ast, &c->symbols, name);
        ast_print(out, c->ast, &c->symbols);
        return true;
    case COMPILE_FORM_TREE:
        return c->program && tree_print(out, c->program, name);
    case COMPILE_FORM_IR:
        return c->lowering.module && dump_ir(c, pass, name, out);
    }
    return false;
}
