/* Whole files: what stands at the target, before, after and when it goes wrong; and that nothing else is left. */
#include "tests/unit/geometry_rt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/hash.h"
#include "runtime/base/little.h"
#include "runtime/file/file.h"

/* A system that has no files without a name: the library's calls come here. */
static bool only_names, taken_once;
int openat(int folder, const char *name, int flags, ...) {
    if (only_names && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if (flags & O_EXCL) assert_true(flags & O_NOFOLLOW);
    if (taken_once && (flags & O_EXCL)) { /* somebody made just that name */
        taken_once = false;
        errno = EEXIST;
        return -1;
    }
    return (int)syscall(SYS_openat, folder, name, flags, 0666);
}

static void write_text(const char *path, const char *text) {
    WholeFile file;
    assert_true(file_open(&file, path));
    assert_true(file_add(&file, text, strlen(text)));
    assert_true(file_commit(&file));
}

/* What opens it, or puts it in place, refuses for that reason. */
static void refuse(const char *path, int problem) {
    WholeFile file;
    if (file_open(&file, path)) {
        file_add(&file, "new", 3);
        assert_false(file_commit(&file));
    }
    assert_int_equal(file.problem, problem);
}

static const char *text_of(const char *path) {
    static char text[64];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static int count_names(const char *folder) {
    DIR *names = opendir(folder);
    int count = -2; /* "." and ".." */
    assert_non_null(names);
    while (readdir(names))
        count++;
    closedir(names);
    return count;
}

static void test_replace(void **state) {
    (void)state;
    struct stat about;
    write_text("f", "old");
    assert_int_equal(chmod("f", 0640), 0);
    write_text("f", "new");
    assert_string_equal(text_of("f"), "new");
    assert_int_equal(stat("f", &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
    WholeFile file;
    assert_true(file_open(&file, "f"));
    file_add(&file, "half", 4);
    assert_string_equal(text_of("f"), "new"); /* until all is well */
    file_abandon(&file);
    assert_string_equal(text_of("f"), "new");
    assert_true(file_open(&file, "f"));
    assert_false(file_fail(&file, EDOM));
    assert_false(file_add(&file, "x", 1));
    assert_false(file_commit(&file));
    assert_int_equal(file.problem, EDOM);
    assert_string_equal(text_of("f"), "new");
    assert_int_equal(count_names("."), 1);
}

static void test_refused(void **state) {
    (void)state;
    char name[300] = "";
    memset(name, 'n', sizeof name - 1);
    assert_int_equal(mkdir("folder", 0777), 0);
    assert_int_equal(symlink("b", "a") | symlink("a", "b"), 0);
    refuse("folder", EISDIR);
    refuse("none/f", ENOENT);
    refuse("none/", ENOENT);
    refuse("", ENOENT);
    refuse(name, ENAMETOOLONG);
    refuse("a", ELOOP);
    assert_int_equal(count_names("."), 3);
    assert_int_equal(count_names("folder"), 0);
}

static void test_links(void **state) {
    (void)state;
    struct stat about;
    assert_int_equal(mkdir("there", 0777), 0);
    assert_int_equal(symlink("second", "first") | symlink("there/f", "second"), 0);
    write_text("first", "made"); /* what it leads to is not there yet */
    assert_string_equal(text_of("there/f"), "made");
    write_text("first", "again");
    assert_string_equal(text_of("there/f"), "again");
    assert_true(lstat("first", &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat("second", &about) == 0 && S_ISLNK(about.st_mode));
    assert_int_equal(count_names("there"), 1);
    assert_int_equal(count_names("."), 3);
}

static void test_pipe(void **state) {
    (void)state;
    struct stat about;
    assert_int_equal(mkfifo("pipe", 0666), 0);
    int reader = open("pipe", O_RDWR); /* so that neither end waits */
    char got[8] = "";
    write_text("pipe", "through");
    assert_int_equal(read(reader, got, 7), 7);
    assert_string_equal(got, "through");
    close(reader);
    assert_true(lstat("pipe", &about) == 0 && S_ISFIFO(about.st_mode));
    assert_int_equal(count_names("."), 1);
}

/* The device that is always full, made here: the system's own is never touched. */
static void test_device(void **state) {
    (void)state;
    struct stat about;
    int made = mknod("full", S_IFCHR | 0666, makedev(1, 7));
    int opened = made == 0 ? open("full", O_WRONLY) : -1;
    if (opened < 0) skip(); /* only root makes devices, and not everywhere */
    close(opened);
    refuse("full", ENOSPC);
    assert_true(lstat("full", &about) == 0 && S_ISCHR(about.st_mode));
    assert_int_equal(count_names("."), 1);
}

static void test_standard_output(void **state) {
    (void)state;
    int ends[2], kept = dup(STDOUT_FILENO);
    char got[16] = "";
    fflush(stdout);
    assert_int_equal(pipe(ends), 0);
    dup2(ends[1], STDOUT_FILENO);
    fputs("first ", stdout);
    write_text("-", "then");
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    close(ends[1]);
    assert_int_equal(read(ends[0], got, sizeof got), 10);
    close(ends[0]);
    assert_string_equal(got, "first then");
    assert_int_equal(count_names("."), 0);
}

static void write_long(int writer) {
    static char text[300000];
    memset(text, 'a' + writer, sizeof text);
    WholeFile file;
    bool good = file_open(&file, "one");
    file_add(&file, text, sizeof text);
    _exit(file_commit(&file) && good ? 0 : 1);
}

static void test_many_writers(void **state) {
    (void)state;
    enum { WRITERS = 6 };
    Memory memory;
    Arena arena;
    Str bytes;
    bool missing;
    const char *why;
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) write_long(i);
    for (int i = 0, status; i < WRITERS; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    assert_true(file_read(&arena, "one", SIZE_MAX - 1, &bytes, &missing, &why));
    assert_int_equal(bytes.len, 300000);
    for (size_t i = 1; i < bytes.len; i++)
        assert_int_equal(bytes.ptr[i], bytes.ptr[0]);
    arena_fini(&arena);
    assert_int_equal(count_names("."), 1);
}

static void test_killed(void **state) {
    (void)state;
    int status;
    pid_t child = fork();
    if (child == 0) {
        WholeFile file;
        if (file_open(&file, "f")) file_add(&file, "half", 4);
        fflush(file.stream);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    int made = openat(AT_FDCWD, ".", O_TMPFILE | O_WRONLY, 0666);
    if (made < 0) skip(); /* this file system has no files without a name */
    close(made);
    assert_int_equal(count_names("."), 0);
}

static void test_only_names(void **state) {
    only_names = taken_once = true;
    test_replace(state);
    assert_false(taken_once); /* and another name was found */
    only_names = false;
}

static void test_read(void **state) {
    (void)state;
    Memory memory;
    Arena arena;
    Str bytes;
    bool missing;
    const char *why;
    memory_init(&memory, NULL, NULL, 1 << 20);
    arena_init(&arena, &memory);
    write_text("f", "some text");
    assert_true(file_read(&arena, "f", 100, &bytes, &missing, &why));
    assert_true(str_equal(bytes, STR_LIT("some text")) && bytes.ptr[bytes.len] == '\0');
    assert_true(file_read(&arena, "f", 4, &bytes, &missing, &why));
    assert_true(str_equal(bytes, STR_LIT("some")));
    assert_false(file_read(&arena, "none", 100, &bytes, &missing, &why));
    assert_true(missing);
    assert_int_equal(mkfifo("pipe", 0666), 0);
    assert_false(
        file_read(&arena, "pipe", 100, &bytes, &missing, &why)); /* and is not waited for */
    assert_false(missing);
    assert_false(file_read(&arena, ".", 100, &bytes, &missing, &why));
    assert_false(missing);
    int before = dup(STDIN_FILENO); /* a file too large for memory is closed all the same */
    close(before);
    assert_int_equal(truncate("f", 100 << 20), 0);
    Recover recover;
    if (MEMORY_TRY(&recover)) {
        file_read(&arena, "f", SIZE_MAX - 1, &bytes, &missing, &why);
        fail_msg("read");
    }
    int after = dup(STDIN_FILENO);
    close(after);
    assert_int_equal(before, after);
    arena_fini(&arena);
}

/* Each in a folder of its own, where it stands. */
static char directory[64];
static int home;

/* The least byte first, on whatever machine; turned by hand, more of them than the writer turns at a time. */
static void test_order_of_bytes(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static uint32_t numbers[COUNT];
    static uint8_t want[4 * COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        numbers[i] = 0x01020304 + 0x10101 * i;
        for (int k = 0; k < 4; k++)
            want[4 * i + (uint32_t)k] = (uint8_t)(numbers[i] >> 8 * k);
    }
    WholeFile file;
    assert_true(file_open(&file, "numbers"));
    assert_true(file_add_numbers(&file, numbers, 4, COUNT));
    assert_true(file_commit(&file));
    FILE *stream = fopen("numbers", "rb");
    static uint8_t got[sizeof want + 1];
    assert_int_equal(fread(got, 1, sizeof got, stream), sizeof want);
    fclose(stream);
    assert_memory_equal(got, want, sizeof want);
    assert_int_equal(hash_numbers(numbers, 4, COUNT, 9), hash_bytes(want, sizeof want, 9));
    uint16_t pair[2] = {0x0102, 0x0304};
    bytes_turn(pair, pair, 2, 2);
    assert_int_equal(pair[0], 0x0201);
    assert_int_equal(pair[1], 0x0403);
}

static int enter(void **state) {
    (void)state;
    home = open(".", O_RDONLY | O_DIRECTORY);
    snprintf(directory, sizeof directory, "world-test-file-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    int back = fchdir(home);
    close(home);
    return back == 0 ? system(command) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_replace, enter, leave),
        cmocka_unit_test_setup_teardown(test_refused, enter, leave),
        cmocka_unit_test_setup_teardown(test_links, enter, leave),
        cmocka_unit_test_setup_teardown(test_pipe, enter, leave),
        cmocka_unit_test_setup_teardown(test_device, enter, leave),
        cmocka_unit_test_setup_teardown(test_standard_output, enter, leave),
        cmocka_unit_test_setup_teardown(test_many_writers, enter, leave),
        cmocka_unit_test_setup_teardown(test_killed, enter, leave),
        cmocka_unit_test_setup_teardown(test_only_names, enter, leave),
        cmocka_unit_test_setup_teardown(test_read, enter, leave),
        cmocka_unit_test_setup_teardown(test_order_of_bytes, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
