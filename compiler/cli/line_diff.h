/* Two texts line by line, as `diff -u` prints them. */
#ifndef WORLD_COMPILER_CLI_LINE_DIFF_H
#define WORLD_COMPILER_CLI_LINE_DIFF_H

#include <stdbool.h>
#include <stdio.h>

/* Prints nothing when they are equal. False: there was no memory. */
bool line_diff_print(FILE *out, const char *path, const char *before, const char *after);

#endif
