/* libworld-mpi: the few calls by which the ranks of an MPI job share tiles. A library of its own, which is loaded under mpirun
 * alone: nobody else pays for MPI, and a build without it works.
 *
 *     rank n: ask(what it did) ──────────> rank 0: take ─> its row, and answer with the next index, or -1
 */
#ifndef WORLD_COMPILER_CLI_SHARE_H
#define WORLD_COMPILER_CLI_SHARE_H

#include "compiler/cli/tiles.h"

enum { SHARE_ABI = 1 };

typedef struct ShareReport {
    int index; /* of the tile that was made; -1: none yet */
    int code;  /* an exit code */
    TileRow row;
} ShareReport;

typedef struct ShareLibrary {
    int abi;
    bool (*begin)(int *rank, int *size);
    /* Rank 0: whether a report is there, from whom. Does not wait. */
    bool (*take)(ShareReport *report, int *from);
    void (*answer)(int to, int index);
    /* The others: reports, and waits for the next index. */
    int (*ask)(const ShareReport *report);
    void (*end)(void);
} ShareLibrary;

typedef const ShareLibrary *(*ShareEntry)(void);

#endif
