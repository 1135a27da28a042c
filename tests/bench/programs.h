/* What bench_programs.c times: by hand, as each compiler builds it. */
#ifndef WORLD_TESTS_BENCH_PROGRAMS_H
#define WORLD_TESTS_BENCH_PROGRAMS_H

#include <stdint.h>

typedef double (*BenchProgram)(int64_t size);

enum {
#define PROGRAM(name, what, question, size, goal) PROGRAM_##name,
#include "tests/bench/programs.def"
#undef PROGRAM
    PROGRAM_COUNT
};

extern const BenchProgram programs_gcc[PROGRAM_COUNT], programs_clang[PROGRAM_COUNT];

/* grown.c */
double grown_gcc(int64_t side), grown_clang(int64_t side);
/* planned.c */
double planned_gcc(int64_t side), planned_clang(int64_t side);

#ifdef LAND_CLANG
#define PROGRAMS programs_clang
#define GROWN grown_clang
#define PLANNED planned_clang
#else
#define PROGRAMS programs_gcc
#define GROWN grown_gcc
#define PLANNED planned_gcc
#endif


#endif
