/* Files of one folder and of the folders below it, for texts that strangers wrote: no link is
 * followed, so nothing outside can be reached, and nothing is waited for, so a pipe does not hang.
 */
#ifndef WORLD_FILE_FOLDER_H
#define WORLD_FILE_FOLDER_H

#include <sys/stat.h>

#include "runtime/base/str.h"

typedef enum FolderStatus {
    FOLDER_FINE,
    FOLDER_MISSING,
    FOLDER_LINK,
    FOLDER_DIRECTORY,
    FOLDER_SPECIAL, /* a pipe, a device, a socket */
    FOLDER_LARGE,
    FOLDER_FAILED /* errno says why */
} FolderStatus;

/* What tells a file's versions apart. */
typedef struct FileStamp {
    bool exists;
    int64_t seconds, nanoseconds; /* when it was last written */
    uint64_t size, node;
} FileStamp;

/* All of a file, a zero byte behind it. `path` holds names joined by '/', none of them "." or "..". Where
 * it ends early, `*reached` is the part of the path that was looked at last. */
FolderStatus folder_read(Arena *arena, const char *folder, Str path, size_t limit, Str *bytes,
                         FileStamp *stamp, Str *reached);

/* Of any path; links are followed. */
FileStamp file_stamp(const char *path);
bool file_stamp_equal(const FileStamp *a, const FileStamp *b);

/* Of this user, and writable by nobody else. */
bool folder_is_ours(const struct stat *about);
/* Opens a folder for what must be nobody else's: one that is ours and no link. `make`: makes it, and those it lies in,
 * with mode 0700. -1 with a reason when it is not to be trusted, without one when it is not there. */
int folder_open_ours(const char *path, bool make, const char **reason);

#endif
