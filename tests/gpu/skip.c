#include "tests/gpu/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

View *open_or_skip(const ViewDesc *desc) {
    char error[512] = "";
    View *view = view_create(desc, error, sizeof error);
    if (!view) {
        print_message("skipped: %s\n", error);
        skip();
    }
    return view;
}
