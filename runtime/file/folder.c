#include "runtime/file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/file/file.h"

static FileStamp stamp_of(const struct stat *status) {
    return (FileStamp){.exists = true,
                       .seconds = status->st_mtim.tv_sec,
                       .nanoseconds = status->st_mtim.tv_nsec,
                       .size = (uint64_t)status->st_size,
                       .node = (uint64_t)status->st_ino};
}

FileStamp file_stamp(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? stamp_of(&status) : (FileStamp){0};
}

bool file_stamp_equal(const FileStamp *a, const FileStamp *b) {
    return a->exists == b->exists && a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->size == b->size && a->node == b->node;
}

static FolderStatus failed(void) {
    return errno == ENOENT ? FOLDER_MISSING : FOLDER_FAILED;
}

/* Opens one name in a folder; it is looked at before, so that a pipe is not even opened, and after, so
 * that nobody puts another in its place between. */
static FolderStatus open_name(int in, const char *name, bool is_last, int *out) {
    struct stat status;
    if (fstatat(in, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return failed();
    if (S_ISLNK(status.st_mode)) return FOLDER_LINK;
    if (is_last && S_ISDIR(status.st_mode)) return FOLDER_DIRECTORY;
    if (is_last && !S_ISREG(status.st_mode)) return FOLDER_SPECIAL;
    int kind = is_last ? O_NONBLOCK : O_DIRECTORY;
    *out = openat(in, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | kind);
    if (*out < 0) return errno == ELOOP ? FOLDER_LINK : failed();
    if (!is_last || (fstat(*out, &status) == 0 && S_ISREG(status.st_mode))) return FOLDER_FINE;
    close(*out);
    return FOLDER_SPECIAL;
}

/* Name by name down the path. */
static FolderStatus open_path(const char *folder, Str path, int *out, Str *reached) {
    int at = open(folder[0] ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *reached = (Str){path.ptr, 0};
    if (at < 0) return failed();
    for (size_t begin = 0; begin < path.len;) {
        char name[FILE_LONGEST_NAME + 1];
        size_t end = begin;
        while (end < path.len && path.ptr[end] != '/')
            end++;
        *reached = (Str){path.ptr, end};
        FolderStatus status = FOLDER_MISSING;
        int next = -1;
        if (end - begin <= FILE_LONGEST_NAME) {
            memcpy(name, path.ptr + begin, end - begin);
            name[end - begin] = '\0';
            status = open_name(at, name, end == path.len, &next);
        }
        int problem = errno;
        close(at);
        errno = problem;
        if (status != FOLDER_FINE) return status;
        at = next;
        begin = end + 1;
    }
    *out = at;
    return FOLDER_FINE;
}

FolderStatus folder_read(Arena *arena, const char *folder, Str path, size_t limit, Str *bytes,
                         FileStamp *stamp, Str *reached) {
    int file = -1;
    struct stat about;
    *stamp = (FileStamp){0};
    FolderStatus status = open_path(folder, path, &file, reached);
    if (status != FOLDER_FINE) return status;
    if (fstat(file, &about) != 0) {
        status = FOLDER_FAILED;
    } else {
        *stamp = stamp_of(&about);
        if ((size_t)about.st_size > limit)
            status = FOLDER_LARGE;
        else if (!file_read_open(arena, file, limit, bytes))
            status = FOLDER_FAILED;
    }
    int problem = errno;
    close(file);
    errno = problem;
    return status;
}

/* -- a folder that is ours -- */

bool folder_is_ours(const struct stat *about) {
    return about->st_uid == geteuid() && !(about->st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder and those it lies in; what is there already stays. */
static void make_folders(char *path) {
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

int folder_open_ours(const char *path_given, bool make, const char **reason) {
    char path[PATH_MAX];
    size_t length = strlen(path_given);
    struct stat about;
    *reason = NULL;
    while (length > 1 && path_given[length - 1] == '/') /* behind which a link would be followed */
        length--;
    if (length >= sizeof path) return -1;
    memcpy(path, path_given, length);
    path[length] = '\0';
    if (make) make_folders(path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        *reason = errno == ENOENT ? NULL : "it is a link or no folder of ours";
        return -1;
    }
    if (fstat(folder, &about) == 0 && folder_is_ours(&about)) return folder;
    *reason = about.st_uid == geteuid() ? "others may write in it" : "it is another user's";
    close(folder);
    return -1;
}
