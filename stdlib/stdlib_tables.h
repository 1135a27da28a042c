/* The tables that stdlib/gen writes; private to this folder. */
#ifndef WORLD_STDLIB_TABLES_H
#define WORLD_STDLIB_TABLES_H

#include "stdlib/stdlib.h"

extern const StdlibPackage stdlib_package_table[];
extern const int stdlib_package_count;
extern const StdlibExtern stdlib_extern_table[];
extern const int stdlib_extern_count;

#endif
