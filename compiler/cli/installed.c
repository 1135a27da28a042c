#include "compiler/cli/installed.h"

#include <stdio.h>
#include <unistd.h>

#include "runtime/base/module.h"

bool installed_folder(const char *holding, char out[INSTALLED_ROOM]) {
    static const char *const beside[] = {"share", "../share/worldc"};
    char program[INSTALLED_ROOM - 32], file[INSTALLED_ROOM + 64];
    module_program_folder(program, sizeof program);
    for (size_t i = 0; i <= sizeof beside / sizeof *beside; i++) {
        bool last = i == sizeof beside / sizeof *beside;
        snprintf(out, INSTALLED_ROOM, "%s%s", last ? WORLDC_SHARE : program, last ? "" : beside[i]);
        snprintf(file, sizeof file, "%s/%s", out, holding);
        if (access(file, R_OK) == 0) return true;
    }
    return false;
}
