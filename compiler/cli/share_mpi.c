#include <mpi.h>

#include "compiler/cli/share.h"

enum { TAG_REPORT = 1, TAG_INDEX };

__attribute__((visibility("default"))) const ShareLibrary *world_mpi_entry(void);

static bool begin(int *rank, int *size) {
    return MPI_Init(NULL, NULL) == MPI_SUCCESS && MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS &&
           MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

static bool take(ShareReport *report, int *from) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, TAG_REPORT, MPI_COMM_WORLD, &there, &status);
    if (!there) return false;
    *from = status.MPI_SOURCE;
    return MPI_Recv(report, sizeof *report, MPI_BYTE, *from, TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

static void answer(int to, int index) {
    MPI_Send(&index, 1, MPI_INT, to, TAG_INDEX, MPI_COMM_WORLD);
}

static int ask(const ShareReport *report) {
    int index = -1;
    MPI_Send(report, sizeof *report, MPI_BYTE, 0, TAG_REPORT, MPI_COMM_WORLD);
    MPI_Recv(&index, 1, MPI_INT, 0, TAG_INDEX, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return index;
}

static void end(void) {
    MPI_Finalize();
}

const ShareLibrary *world_mpi_entry(void) {
    static const ShareLibrary library = {SHARE_ABI, begin, take, answer, ask, end};
    return &library;
}
