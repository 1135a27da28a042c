/* See table.h. */
#include "tests/bench/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_TURNS = 15 };

double bench_seconds(BenchClock clock) {
    struct timespec now;
    clock_gettime(clock == BENCH_CPU ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

void bench_measure(BenchSide *sides, int count, int turns, BenchClock clock) {
    double times[BENCH_SIDES][MOST_TURNS];
    bench_require(count <= BENCH_SIDES && turns <= MOST_TURNS, "fewer sides and turns");
    for (int turn = -1; turn < turns; turn++)
        for (int i = 0; i < count; i++) {
            double begin = bench_seconds(clock);
            sides[i].job(sides[i].user);
            if (turn >= 0) times[i][turn] = bench_seconds(clock) - begin;
        }
    for (int i = 0; i < count; i++)
        sides[i].seconds = bench_median(times[i], turns);
}

void bench_head(void) {
    printf("%-62s %10s %10s %7s  %-9s\n", "what", "ours", "rival", "ratio", "goal");
}

void bench_row(const BenchRow *row) {
    char rival[32] = "", ratio[32] = "", goal[48] = "";
    double value = row->goal == BENCH_TIME ? row->ours : 0;
    if (row->rival > 0) {
        value = row->goal == BENCH_SPEED  ? row->rival / row->ours
                : row->goal == BENCH_TIME ? row->ours
                                          : row->ours / row->rival;
        snprintf(rival, sizeof rival, "%.4g %s", row->rival, row->unit);
        snprintf(ratio, sizeof ratio, "%.2f",
                 row->goal == BENCH_SPEED ? value : row->ours / row->rival);
    }
    int met = row->goal == BENCH_SPEED ? value >= row->bound : value <= row->bound;
    if (row->goal != BENCH_NO_GOAL)
        snprintf(goal, sizeof goal, "%s %g%s%s", row->goal == BENCH_SPEED ? ">=" : "<=", row->bound,
                 row->goal == BENCH_TIME ? " ms" : "", met ? "" : "  MISSED");
    char ours[32];
    snprintf(ours, sizeof ours, "%.4g %s", row->ours, row->unit);
    printf("%-62s %10s %10s %7s  %s\n", row->what, ours, rival, ratio, goal);
    fflush(stdout);
}

void bench_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    fputs("  # ", stdout);
    vprintf(format, args);
    putchar('\n');
    va_end(args);
    fflush(stdout);
}

void bench_require(int holds, const char *what) {
    if (holds) return;
    fflush(stdout);
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}
