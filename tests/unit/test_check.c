/* The checker from inside: the whole standard library, questions, functions by name, completion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>

#include "compiler/check/checker.h"
#include "tests/unit/check_fixture.h"

static void assert_clean(CheckFixture *f) {
    if (f->diags.items.count == 0) return;
    Str text = diags_render(&f->diags, DIAG_HUMAN, &f->arena);
    fail_msg("%.*s", STR_ARG(text));
}

/* Functions are checked when used; here all are. */
static void test_library(void **state) {
    (void)state;
    CheckFixture f;
    check_fixture_init(&f);
    check_fixture_world(&f, STR_LIT("w.world"), STR_LIT(""));
    Checker *c = f.checker;
    for (int i = 0; i < c->packages.count; i++)
        for (int k = 0; k < c->packages.items[i]->decls.count; k++) {
            Decl *decl = c->packages.items[i]->decls.items[k];
            bool checked = decl->kind == DECL_CONSTANT || (decl->kind == DECL_FN && decl_type_params(decl)->count == 0);
            if (checked) fn_check_body(c, fn_instance(c, decl, NULL), decl->span);
            if (decl->kind == DECL_RECORD && decl->ast->record.type_params.count == 0)
                typeexpr_record(c, decl, NULL, decl->span);
            if (decl->kind == DECL_PART) class_activate(c, decl->cls);
        }
    check_drain(c);
    assert_clean(&f);
    check_fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_library)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
