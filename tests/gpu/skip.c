#include "tests/gpu/skip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

View *open_or_skip(const ViewDesc *desc) {
    char error[512] = "";
    View *view = view_create(desc, error, sizeof error);
    if (view) return view;
    bool no_gl = strncmp(error, "no ", 3) == 0 || strncmp(error, "GL 4.5", 6) == 0;
    if (!no_gl) fail_msg("%s", error);
    print_message("skipped: %s\n", error);
    skip();
    return NULL;
}
