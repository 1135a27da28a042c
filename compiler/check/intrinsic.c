/* Which IR op an `intrinsic fn` is: the one that it names. It takes and gives just what the op
 * does; an op that draws is given the hidden stream. */
#include "compiler/check/checker.h"

typedef struct OpRow {
    const char *text, *operands, *results;
    IrEffect effect;
    IrImm imm;
} OpRow;

static const OpRow rows[] = {
#define OP(NAME, text, operands, results, effect, imm, glsl, doc)                                  \
    {text, operands, results, IR_##effect, IR_IMM_##imm},
#include "compiler/ir/op.def"
#include "stdlib/library_names.h"
#undef OP
};

/* The first word of an op's text says what its objects are. */
static bool object_fits(const Checker *c, const char *op, const Type *type) {
    Str text = str_of(op);
    if (str_starts(text, STR_LIT("list."))) return type_is(type, TYPE_LIST);
    if (str_starts(text, STR_LIT("grid.")))
        return type_is(type, TYPE_OBJECT) &&
               str_equal(symbols_name(c->symbols, type->name), STR_LIT(STD_grid_heightGrid));
    return false;
}

/* Takes the letters of a value's slots off those of the op; `any` is the type that x stands for. */
static bool take_value(const Checker *c, const OpRow *row, const Type *type, const char **letters,
                       char *any) {
    for (const char *slot = type->slots; *slot; slot++) {
        char wanted = **letters;
        if (wanted == '*') continue;
        if (wanted == 'x') wanted = *any ? *any : (*any = *slot);
        if (wanted != *slot) return false;
        if (*slot == 'R' && !object_fits(c, row->text, type)) return false;
        ++*letters;
    }
    return true;
}

static bool signature_fits(const Checker *c, const TreeFn *fn, const OpRow *row) {
    const char *operands = row->operands, *results = row->results;
    char any = 0;
    if (row->effect == IR_DRAWS) operands++;
    for (int i = 0; i < fn->param_count; i++)
        if (!take_value(c, row, fn->locals.items[i].type, &operands, &any)) return false;
    if (*operands == '*') operands++;
    bool whole = take_value(c, row, fn->result, &results, &any) && !*operands && !*results;
    /* an op's immediates come from the list that it gives, if from anywhere */
    return whole && (row->imm == IR_IMM_NONE || type_is(fn->result, TYPE_LIST));
}

bool intrinsic_find(Checker *c, TreeFn *fn, const AstNode *ast) {
    Str name = ast->fn.op;
    for (int i = 0; i < IR_OP_COUNT; i++) {
        if (!str_equal(name, str_of(rows[i].text))) continue;
        fn->intrinsic = (IrOp)i;
        fn->draws = rows[i].effect == IR_DRAWS;
        if (signature_fits(c, fn, &rows[i])) return true;
        diag_add(c->diags, DIAG_E_INTRINSIC_TYPES, ast->span, STR_ARG(name), rows[i].operands,
                 rows[i].results);
        return false;
    }
    diag_add(c->diags, DIAG_E_INTRINSIC, ast->span, STR_ARG(name));
    return false;
}
