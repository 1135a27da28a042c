/* The benchmark's table: rivals timed in turns, their medians, and one row a comparison. */
#ifndef WORLD_TESTS_BENCH_TABLE_H
#define WORLD_TESTS_BENCH_TABLE_H

#include <stdint.h>

/* What is timed once a turn: user is the job's own. */
typedef void (*BenchJob)(void *user);

/* One thread's work is timed by the processor time of the process, which other programs on the machine hardly move; what
 * runs on several threads, or in another process, by the clock on the wall. */
typedef enum BenchClock { BENCH_CPU, BENCH_WALL } BenchClock;

typedef struct BenchSide {
    BenchJob job;
    void *user;
    double seconds; /* the median; filled by bench_measure */
} BenchSide;

enum { BENCH_SIDES = 12 };

double bench_seconds(BenchClock clock);
/* Runs all sides in turns, `turns` times, after one turn that is not counted. */
void bench_measure(BenchSide *sides, int count, int turns, BenchClock clock);
double bench_median(double *values, int count);

typedef enum BenchGoal {
    BENCH_NO_GOAL,
    BENCH_RATIO, /* ours by the rival's, at most */
    BENCH_SPEED, /* the rival's by ours, at least: work a second */
    BENCH_TIME   /* ours alone, at most, in the row's unit */
} BenchGoal;

typedef struct BenchRow {
    const char *what, *unit; /* "ms" */
    double ours, rival;      /* in that unit; rival 0: none */
    BenchGoal goal;
    double bound;
} BenchRow;

void bench_head(void);
void bench_row(const BenchRow *row);
/* A line between rows: which machine, what agreed. */
void bench_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the run: without a rival's answer, or with another one, no time means anything. */
void bench_require(int holds, const char *what);

/* The sections, in the table's order. */
typedef struct BenchPlace {
    const char *island, *worldc, *programs; /* programs.world */
    int name_count; /* what the command names: sections, programs */
    char **names;
} BenchPlace;

int bench_is_named(const BenchPlace *place, const char *name);

void bench_land(const BenchPlace *place);
void bench_compile(const BenchPlace *place);
void bench_scatter(const BenchPlace *place);
void bench_seeds(const BenchPlace *place);
void bench_geometry(const BenchPlace *place);
void bench_programs(const BenchPlace *place);
void bench_plants(const BenchPlace *place);
void bench_ocean(const BenchPlace *place);
void bench_water(const BenchPlace *place);
void bench_live(const BenchPlace *place);
void bench_math(const BenchPlace *place);

#endif
