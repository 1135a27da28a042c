/* Whole files: the one way in which files are written here, and one in which they are read.
 *
 * A file is written beside its target and put in its place when all is well; until then what stood there stands, and a
 * writer that fails or is killed leaves nothing. The new file has no name while it is written, where the system can do that
 * (O_TMPFILE), else one that nobody can guess, made with O_EXCL and O_NOFOLLOW. Before it takes its place its bytes are
 * on the disk, and the folder's after. It has the permissions of what it replaces. Of several writers of one file each
 * puts a whole one there, and the last one's stays.
 *
 * When the target is a link, what it leads to is written. A pipe or a device is written straight, and so is "-",
 * standard output. What comes first goes wrong for good: later writes do nothing, and file_commit says so.
 */
#ifndef WORLD_FILE_FILE_H
#define WORLD_FILE_FILE_H

#include <stdio.h>

#include "runtime/base/str.h"

enum { FILE_LONGEST_NAME = 255 }; /* bytes; no system of ours has longer ones */

typedef struct WholeFile {
    const char *path; /* the caller's, for messages */
    FILE *stream;     /* NULL: not open */
    bool spare;       /* of file_open_spare */
    int problem;      /* of errno; 0: none so far */
    uint64_t written; /* bytes, by file_add */
    int folder;       /* where the target lies; -1: it is written straight */
    char target[FILE_LONGEST_NAME + 1], beside[32]; /* names there; `beside` empty: the new file has none */
} WholeFile;

bool file_open(WholeFile *file, const char *path);
/* For what can be made again and is nobody else's, in an open folder, which stays the caller's: with mode 0600, and the disk is not
 * waited for. */
bool file_open_spare(WholeFile *file, int folder, const char *name);
bool file_add(WholeFile *file, const void *bytes, size_t count);
/* Little-endian; width: 2, 4 or 8. */
bool file_add_numbers(WholeFile *file, const void *numbers, size_t width, size_t count);
/* The caller's own reason, an errno, for which the file shall not come to be; the first one stays. Answers false. */
bool file_fail(WholeFile *file, int problem);
/* Puts it in its place; false: nothing is left of it. Closes in any case. */
bool file_commit(WholeFile *file);
void file_abandon(WholeFile *file);
/* After a failure: "cannot write PATH: No space left on device". */
Str file_sentence(const WholeFile *file, Arena *arena);

/* The bytes of a file that is open for reading, at most `limit` of them, a zero byte behind. False: errno says why. An
 * allocation that fails closes it before it leaves. */
bool file_read_open(Arena *arena, int open_file, size_t limit, Str *bytes);
/* All of a file, or its first `limit` bytes. Links are followed; nothing is waited for, so a pipe is refused. False with a
 * reason ("Permission denied"), which a missing file has, too. */
bool file_read(Arena *arena, const char *path, size_t limit, Str *bytes, bool *missing,
               const char **reason);

#endif
