/* The code cache: what it trusts, what it refuses, what it throws away. */
#include "tests/unit/geometry_rt.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "compiler/llvm/cache.h"
#include "runtime/file/folder.h"

static Memory memory;
static Arena arena;
static char scratch[64];
static const CacheEntry code = {{"name", 5}, {"machine code", 12}};

static bool has_entry(uint64_t key) {
    CacheEntry entry;
    if (!cache_read("cache", key, &arena, &entry)) return false;
    assert_true(str_equal(entry.names, code.names) && str_equal(entry.object, code.object));
    return true;
}

static const char *refusal(const char *dir) {
    const char *reason;
    int folder = folder_open_ours(dir, false, &reason);
    assert_true(folder < 0);
    return reason;
}

static mode_t mode_of(const char *path) {
    struct stat about;
    return lstat(path, &about) == 0 ? about.st_mode & 07777 : 0;
}

static void test_kept(void **state) {
    (void)state;
    mode_t mask = umask(0); /* what would let everybody write */
    assert_false(has_entry(1));
    assert_null(refusal("cache"));
    cache_write("cache", 1, code);
    umask(mask);
    assert_true(has_entry(1));
    assert_false(has_entry(2));
    assert_int_equal(mode_of("cache"), 0700);
    assert_int_equal(mode_of("cache/0000000000000001.obj"), 0600);
    cache_write("deep/er/cache/", 1, code);
    assert_int_equal(mode_of("deep/er/cache/0000000000000001.obj"), 0600);
}

static void test_folder_refused(void **state) {
    (void)state;
    CacheEntry entry;
    cache_write("cache", 1, code);
    assert_int_equal(chmod("cache", 0770), 0);
    assert_false(has_entry(1));
    assert_string_equal(refusal("cache"), "others may write in it");
    cache_write("cache", 2, code);
    assert_int_equal(chmod("cache", 0700), 0);
    assert_true(has_entry(1));
    assert_false(has_entry(2));
    assert_int_equal(symlink("cache", "link"), 0);
    assert_false(cache_read("link", 1, &arena, &entry));
    assert_false(cache_read("link/", 1, &arena, &entry));
    assert_non_null(refusal("link"));
    assert_non_null(refusal("cache/0000000000000001.obj"));
    if (chown("cache", 65534, 65534) != 0) skip(); /* only root gives away */
    assert_false(has_entry(1));
    assert_string_equal(refusal("cache"), "it is another user's");
}

/* The first byte of what a file holds of these. */
static void change_byte(const char *path, Str of) {
    char bytes[4096];
    FILE *file = fopen(path, "r+b");
    size_t length = fread(bytes, 1, sizeof bytes, file);
    const char *at = memmem(bytes, length, of.ptr, of.len);
    assert_non_null(at);
    fseek(file, at - bytes, SEEK_SET);
    fputc(of.ptr[0] ^ 1, file);
    assert_int_equal(fclose(file), 0);
}

static void test_entry_refused(void **state) {
    (void)state;
    cache_write("cache", 1, code);
    assert_int_equal(chmod("cache/0000000000000001.obj", 0622), 0);
    assert_false(has_entry(1));
    assert_int_equal(chmod("cache/0000000000000001.obj", 0600), 0);
    assert_true(has_entry(1));
    assert_int_equal(rename("cache/0000000000000001.obj", "cache/real"), 0);
    assert_int_equal(symlink("real", "cache/0000000000000001.obj"), 0);
    assert_false(has_entry(1));
    assert_int_equal(mkfifo("cache/0000000000000002.obj", 0600), 0);
    assert_false(has_entry(2)); /* and nobody waits */
    assert_int_equal(rename("cache/real", "cache/0000000000000003.obj"), 0);
    assert_false(has_entry(3)); /* another key's */
    cache_write("cache", 4, code);
    assert_true(has_entry(4));
    change_byte("cache/0000000000000004.obj", code.names);
    assert_false(has_entry(4)); /* its names are another's */
    cache_write("cache", 4, code);
    change_byte("cache/0000000000000004.obj", code.object);
    assert_false(has_entry(4));
    cache_write("cache", 4, code);
    assert_true(has_entry(4));
    if (chown("cache/0000000000000004.obj", 65534, 65534) != 0) skip();
    assert_false(has_entry(4));
}

static void age(const char *path, time_t days) {
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) - days * 86400}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

/* Prunes; which of the keys 1 to 4 are left, a bit each. */
static int prune(uint64_t bytes, int64_t days) {
    int left = 0, folder = open("cache", O_RDONLY | O_DIRECTORY);
    cache_prune(folder, bytes, days * 86400);
    close(folder);
    for (int key = 1; key <= 4; key++)
        left |= has_entry((uint64_t)key) << key;
    return left;
}

static void test_pruned(void **state) {
    (void)state;
    struct stat about;
    for (uint64_t key = 1; key <= 4; key++)
        cache_write("cache", key, code);
    assert_int_equal(stat("cache/0000000000000001.obj", &about), 0);
    uint64_t size = (uint64_t)about.st_size;
    age("cache/0000000000000001.obj", 9);
    age("cache/0000000000000002.obj", 40);
    age("cache/0000000000000003.obj", 2);
    assert_int_equal(close(open("cache/of a host", O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(close(open("cache/.0123456789abcdef.part", O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(close(open("cache/cafe.obj", O_CREAT | O_WRONLY, 0600)), 0);
    assert_int_equal(close(open("cache/.cafe.part", O_CREAT | O_WRONLY, 0600)), 0);
    age("cache/of a host", 99);
    age("cache/cafe.obj", 99);
    age("cache/.cafe.part", 99);
    age("cache/.0123456789abcdef.part", 99);
    assert_int_equal(prune(100 * size, 30), 1 << 1 | 1 << 3 | 1 << 4);
    assert_int_equal(access("cache/.0123456789abcdef.part", F_OK), -1);
    assert_int_equal(access("cache/of a host", F_OK) | access("cache/cafe.obj", F_OK) | access("cache/.cafe.part", F_OK), 0);
    age("cache/0000000000000003.obj", 2); /* the others were used just now: they were looked at */
    assert_int_equal(prune(2 * size, 30), 1 << 1 | 1 << 4);
    age("cache/0000000000000004.obj", 2);
    assert_int_equal(prune(2 * size - 1, 30), 1 << 1);
    assert_int_equal(prune(0, 30), 0);
}

static int enter(void **state) {
    (void)state;
    snprintf(scratch, sizeof scratch, "/tmp/world-test-cache-XXXXXX");
    memory_init(&memory, NULL, NULL, 0);
    arena_init(&arena, &memory);
    return mkdtemp(scratch) && chdir(scratch) == 0 ? 0 : -1;
}

static int leave(void **state) {
    (void)state;
    char command[96];
    arena_fini(&arena);
    snprintf(command, sizeof command, "rm -r '%s'", scratch);
    return chdir("/") == 0 ? system(command) : -1;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_kept, enter, leave),
        cmocka_unit_test_setup_teardown(test_folder_refused, enter, leave),
        cmocka_unit_test_setup_teardown(test_entry_refused, enter, leave),
        cmocka_unit_test_setup_teardown(test_pruned, enter, leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
