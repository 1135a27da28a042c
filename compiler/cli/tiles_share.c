/* Tiles made by all ranks of an MPI job. Rank 0 hands them out, one at a time to whoever is free, and keeps the manifest; it makes none
 * itself, for who waits for it would wait as long as a tile takes. */
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

#include "compiler/cli/share.h"
#include "runtime/base/module.h"

enum { IDLE_MICROSECONDS = 500 };

static const ShareLibrary *library;
static int ranks;

bool share_wanted(void) {
    return getenv("OMPI_COMM_WORLD_SIZE") || getenv("PMI_SIZE") || getenv("PMIX_RANK");
}

static const ShareLibrary *open_library(const Tiles *tiles) {
    static const Module module = {"libworld-mpi.so", "WORLD_MPI_LIBRARY", "../cli"};
    const char *reason = "it is of another version";
    Memory memory;
    Arena arena;
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    void *opened = NULL;
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        opened = module_open(&module, NULL, &arena, &reason);
        memory_end_try(&recover);
    } else {
        reason = "out of memory";
    }
    ShareEntry entry = NULL;
    if (opened) *(void **)&entry = dlsym(opened, "world_mpi_entry");
    const ShareLibrary *found = entry ? entry() : NULL;
    arena_fini(&arena);
    if (found && found->abi == SHARE_ABI) return found;
    usage_error(tiles->cli, "this process was started by mpirun, and this build has no MPI (%s); --part K/N shares the tiles without", reason);
    return NULL;
}

bool share_begin(const Tiles *tiles, int *rank, int *size) {
    library = open_library(tiles);
    if (library == NULL) return false;
    if (library->begin(rank, size)) {
        ranks = *size;
        return true;
    }
    usage_error(tiles->cli, "MPI does not start");
    return false;
}

void share_end(void) {
    if (library) library->end();
}

/* A rank that failed made nothing, and asks no more. */
static int take_report(const ShareWork *work, const ShareReport *report, int code) {
    if (report->code != EXIT_FINE) return report->code > code ? report->code : code;
    if (report->index < 0) return code;
    int taken = work->done(work->tiles, report->index, &report->row);
    return taken > code ? taken : code;
}

int share_serve(const ShareWork *work, int code) {
    int working = ranks - 1;
    while (working > 0) {
        ShareReport report;
        int from;
        if (!library->take(&report, &from)) {
            usleep(IDLE_MICROSECONDS);
            continue;
        }
        code = take_report(work, &report, code);
        int index = code == EXIT_FINE ? work->next(work->tiles) : -1;
        if (index < 0) working--;
        library->answer(from, index);
    }
    return code;
}

int share_work(Tiles *tiles, int code) {
    ShareReport report = {.index = -1, .code = code};
    for (int index; (index = library->ask(&report)) >= 0;) {
        report = (ShareReport){.index = index};
        report.code = tile_make(tiles, index, &report.row);
    }
    return report.code;
}
