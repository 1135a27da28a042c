/* Whether a library read from a folder still declares what C was compiled against. */
#ifndef WORLD_COMPILER_LIBRARY_H
#define WORLD_COMPILER_LIBRARY_H

#include "compiler/compile.h"
#include "stdlib/stdlib.h"

/* Needs the packages' trees. Reports each declaration that reads otherwise than C knows it. */
void library_check(Compile *compile);

#endif
