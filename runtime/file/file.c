#include "runtime/file/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/little.h"

enum { MOST_LINKS = 40, MOST_TRIES = 100 };

bool file_fail(WholeFile *file, int problem) {
    if (file->problem == 0) file->problem = problem;
    return false;
}

/* -- the target -- */

/* Puts what a link leads to in the place of its path. */
static bool take_link(char path[PATH_MAX], const char *to, size_t length) {
    char *slash = to[0] == '/' ? NULL : strrchr(path, '/');
    size_t keep = slash ? (size_t)(slash + 1 - path) : 0;
    if (keep + length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path + keep, to, length);
    path[keep + length] = '\0';
    return true;
}

/* Where the links that a path ends in lead, there or not. */
static bool follow_links(char path[PATH_MAX]) {
    char to[PATH_MAX];
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t length = readlink(path, to, sizeof to);
        if (length < 0) return errno == EINVAL || errno == ENOENT;
        if (!take_link(path, to, (size_t)length)) return false;
    }
    errno = ELOOP;
    return false;
}

static bool open_folder(WholeFile *file, char path[PATH_MAX]) {
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strlen(name) > FILE_LONGEST_NAME) return file_fail(file, ENAMETOOLONG);
    strcpy(file->target, name);
    if (slash) slash[slash == path] = '\0'; /* that of the root stays */
    file->folder = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return file->folder >= 0 || file_fail(file, errno);
}

/* -- the new file -- */

static mode_t mode_of(const WholeFile *file) {
    return file->spare ? 0600 : 0666;
}

static bool name_beside(WholeFile *file) {
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != sizeof bits) return file_fail(file, errno);
    snprintf(file->beside, sizeof file->beside, ".%016llx.part", (unsigned long long)bits);
    return true;
}

static int create_named(WholeFile *file) {
    for (int i = 0; i < MOST_TRIES && name_beside(file); i++) {
        int made = openat(file->folder, file->beside,
                          O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode_of(file));
        if (made >= 0) return made;
        file->beside[0] = '\0';
        if (errno != EEXIST) break;
    }
    return -1;
}

static void path_of(const WholeFile *file, char *path, size_t size) {
    snprintf(path, size, "/proc/self/fd/%d", fileno(file->stream));
}

/* Without a name, where it can be given one later; else with one. */
static int create(WholeFile *file) {
    int made = openat(file->folder, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode_of(file));
    if (made < 0 || access("/proc/self/fd", X_OK) == 0) return made < 0 ? create_named(file) : made;
    close(made);
    return create_named(file);
}

static bool name_it(WholeFile *file) {
    char path[64];
    path_of(file, path, sizeof path);
    for (int i = 0; i < MOST_TRIES && name_beside(file); i++) {
        if (linkat(AT_FDCWD, path, file->folder, file->beside, AT_SYMLINK_FOLLOW) == 0) return true;
        file->beside[0] = '\0';
        if (errno != EEXIST) break;
    }
    return file_fail(file, errno);
}

/* -- opening -- */

static bool open_stream(WholeFile *file, int made) {
    if (made < 0) return file_fail(file, errno);
    file->stream = fdopen(made, "wb");
    if (file->stream) return true;
    file_fail(file, errno);
    close(made);
    return false;
}

/* `old`: what is replaced, or NULL. */
static bool open_new(WholeFile *file, const struct stat *old) {
    int made = create(file);
    if (made >= 0 && old)
        fchmod(made, old->st_mode & 0777); /* a system without permissions refuses */
    return open_stream(file, made);
}

static bool open_target(WholeFile *file, const char *path) {
    char real[PATH_MAX];
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (!exists && errno != ENOENT) return file_fail(file, errno);
    if (exists && S_ISDIR(old.st_mode)) return file_fail(file, EISDIR);
    if (exists && !S_ISREG(old.st_mode))
        return open_stream(file, open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (strlen(path) >= sizeof real) return file_fail(file, ENAMETOOLONG);
    strcpy(real, path);
    if (!follow_links(real)) return file_fail(file, errno);
    return open_folder(file, real) && open_new(file, exists ? &old : NULL);
}

bool file_open(WholeFile *file, const char *path) {
    *file = (WholeFile){.path = path, .folder = -1};
    bool standard = strcmp(path, "-") == 0;
    if (standard) fflush(stdout);
    if (standard ? open_stream(file, fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0))
                 : open_target(file, path))
        return true;
    file_abandon(file);
    return false;
}

bool file_open_spare(WholeFile *file, int folder, const char *name) {
    *file = (WholeFile){.path = name, .spare = true, .folder = fcntl(folder, F_DUPFD_CLOEXEC, 0)};
    snprintf(file->target, sizeof file->target, "%s", name);
    if (file->folder < 0) return file_fail(file, errno);
    if (open_new(file, NULL)) return true;
    file_abandon(file);
    return false;
}

/* -- writing -- */

bool file_add(WholeFile *file, const void *bytes, size_t count) {
    if (file->problem) return false;
    file->written += count;
    return fwrite(bytes, 1, count, file->stream) == count || file_fail(file, errno);
}

bool file_add_numbers(WholeFile *file, const void *numbers, size_t width, size_t count) {
    if (machine_is_little) return file_add(file, numbers, width * count);
    unsigned char some[1024];
    const char *at = numbers;
    for (size_t n; count; at += n * width, count -= n) {
        n = count < sizeof some / width ? count : sizeof some / width;
        bytes_turn(some, at, width, n);
        if (!file_add(file, some, n * width)) return false;
    }
    return true;
}

static bool put_in_place(WholeFile *file) {
    if (!file->spare && fsync(fileno(file->stream)) != 0 && errno != EINVAL)
        return file_fail(file, errno);
    if (!file->beside[0] && !name_it(file)) return false;
    if (renameat(file->folder, file->beside, file->folder, file->target) != 0)
        return file_fail(file, errno);
    file->beside[0] = '\0';
    if (!file->spare)
        fsync(
            file->folder); /* it is there; a system that cannot keep folders at once says so here */
    return true;
}

void file_abandon(WholeFile *file) {
    if (file->stream && fclose(file->stream) != 0) file_fail(file, errno);
    if (file->folder >= 0 && file->beside[0]) unlinkat(file->folder, file->beside, 0);
    if (file->folder >= 0) close(file->folder);
    file->stream = NULL;
    file->folder = -1;
}

bool file_commit(WholeFile *file) {
    if (file->stream && fflush(file->stream) != 0) file_fail(file, errno);
    if (file->stream && ferror(file->stream)) file_fail(file, EIO);
    if (file->problem == 0 && file->folder >= 0) put_in_place(file);
    file_abandon(file);
    return file->problem == 0;
}

Str file_sentence(const WholeFile *file, Arena *arena) {
    return str_printf(arena, "cannot write %s: %s", file->path, strerror(file->problem));
}

/* -- reading -- */

static bool read_all(int open_file, char *room, size_t size, Str *bytes) {
    size_t count = 0;
    while (count < size) {
        ssize_t got = read(open_file, room + count, size - count);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return false;
        if (got == 0) break; /* it shrank meanwhile */
        count += (size_t)got;
    }
    room[count] = '\0';
    *bytes = (Str){room, count};
    return true;
}

static char *make_room(Arena *arena, size_t size, int open_file) {
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        char *room = arena_alloc_raw(arena, size + 1);
        memory_end_try(&recover);
        return room;
    }
    close(open_file);
    memory_fail();
}

bool file_read_open(Arena *arena, int open_file, size_t limit, Str *bytes) {
    struct stat about;
    if (fstat(open_file, &about) != 0) return false;
    size_t size = (size_t)about.st_size < limit ? (size_t)about.st_size : limit;
    return read_all(open_file, make_room(arena, size, open_file), size, bytes);
}

static int open_regular(const char *path, bool *missing, const char **reason) {
    struct stat about;
    int opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool known = opened >= 0 && fstat(opened, &about) == 0;
    *missing = !known && errno == ENOENT;
    if (known && S_ISREG(about.st_mode)) return opened;
    *reason = !known                   ? strerror(errno)
              : S_ISDIR(about.st_mode) ? strerror(EISDIR)
                                       : "it is a pipe or a device, not a file";
    if (opened >= 0) close(opened);
    return -1;
}

bool file_read(Arena *arena, const char *path, size_t limit, Str *bytes, bool *missing,
               const char **reason) {
    int opened = open_regular(path, missing, reason);
    *bytes = STR_LIT("");
    if (opened < 0) return false;
    bool good = file_read_open(arena, opened, limit, bytes);
    if (!good) *reason = strerror(errno);
    close(opened);
    return good;
}
