/* build --tiles: a land tile by tile, for lands that are larger than memory or than one machine's patience.
 *
 *     a tile = the land's window (FILE's EXPR.window(...)) ── written under a name of its own ──> a row of the manifest
 *
 * A tile is a function of the world's text and its place, so who makes it when does not matter: one process, one that goes on where
 * another was killed, parts of a job array, the ranks of an MPI job. The manifest is all that they share. Each process writes one
 * of its own, whole and put in its place at once, and reads all that are there:
 *
 *     DIR/tiles.json            one process, or rank 0 of many: also, in the end, of all parts together
 *     DIR/tiles.2-of-8.json     --part 2/8
 *     DIR/x3_y17.r32            column 3, row 17 of tiles
 *
 * A row has the hash of the file and of the tile's four edges, so that tiles which do not meet are noticed: a stage of the land
 * that looks farther than its halo shows there.
 */
#ifndef WORLD_COMPILER_CLI_TILES_H
#define WORLD_COMPILER_CLI_TILES_H

#include "compiler/cli/cli.h"

typedef enum TileEdge { EDGE_NORTH, EDGE_EAST, EDGE_SOUTH, EDGE_WEST, EDGE_COUNT } TileEdge;

/* What is known of a tile that is done; sent between processes as it lies. */
typedef struct TileRow {
    bool done;
    double low, high; /* meters */
    uint64_t bytes, hash, edges[EDGE_COUNT];
} TileRow;

typedef struct Tiles {
    Cli *cli;
    const char *folder, *land, *format;
    uint64_t key;          /* of the world, the land and how it is cut and written */
    int64_t columns, rows; /* of the land */
    double cell, x0, z0;
    int side;              /* values of a tile, edges included */
    int across, down;      /* tiles */
    bool has_scale;
    double scale[2];
    int part, parts;       /* 1/1: all */
    WorldGridView view;    /* of a window: where the land lies on the earth */
    TileRow *rows_done;    /* across * down, row by row from the north */
    float *room;           /* of a tile */
} Tiles;

static inline int tiles_count(const Tiles *tiles) {
    return tiles->across * tiles->down;
}

/* -- tiles_manifest.c -- */
/* What all manifests of the folder say. False after a message: one is of another land, or is none. */
bool manifest_read(Tiles *tiles);
/* Of this process: `whole` for the one of all. False after a message. */
bool manifest_write(const Tiles *tiles, bool whole);
/* Takes away those of parts, once the whole one is written. */
void manifest_drop_parts(const Tiles *tiles);

/* -- tiles_make.c -- */
void tile_path(const Tiles *tiles, int index, char *out, size_t size);
/* Works a tile out and writes it: an exit code, told. */
int tile_make(Tiles *tiles, int index, TileRow *row);
/* Whether the file is what the row says; when not, why. */
bool tile_verify(const Tiles *tiles, int index, const TileRow *row, const char **why);
/* The first neighbor that is done and does not meet it, -1: none. */
int tile_misses(const Tiles *tiles, int index);

/* -- tiles_share.c: under mpirun (mpi.h) -- */
/* Whether mpirun started this process. */
bool share_wanted(void);
/* Joins the others: which of them this is, and how many they are. False after a message. */
bool share_begin(const Tiles *tiles, int *rank, int *size);
/* Rank 0: hands out what `next` answers until it answers -1, and gives what comes back to `done`. An exit code, the worst of all;
 * `code` is what went wrong before, and then nothing is handed out. */
typedef struct ShareWork {
    Tiles *tiles;
    int (*next)(Tiles *tiles);
    int (*done)(Tiles *tiles, int index, const TileRow *row);
} ShareWork;
int share_serve(const ShareWork *work, int code);
/* The others: make what they are given, or say what went wrong before. */
int share_work(Tiles *tiles, int code);
/* Before this process ends. */
void share_end(void);

#endif
