/* Where what comes with the program lies. */
#ifndef WORLD_COMPILER_CLI_INSTALLED_H
#define WORLD_COMPILER_CLI_INSTALLED_H

#include <stdbool.h>

enum { INSTALLED_ROOM = 4096 };

/* The folder that holds the file or folder `holding` ("manual"): beside the program of a build, share/worldc of an installed one, or
 * where this one is to be installed, which `out` is also when no folder holds it. */
bool installed_folder(const char *holding, char out[INSTALLED_ROOM]);

#endif
