#include "compiler/llvm/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Kept {
    char name[CACHE_NAME];
    uint64_t size;
    time_t used;
} Kept;

/* Ours by its name: an entry, or one that was begun where files have names at once. */
static bool is_entry(const char *name) {
    bool begun = name[0] == '.';
    size_t digits = strspn(name + begun, "0123456789abcdef");
    return digits == 16 && strcmp(name + begun + digits, begun ? ".part" : ".obj") == 0;
}

static int by_use(const void *a, const void *b) { /* the latest first */
    const Kept *first = a, *second = b;
    return (first->used < second->used) - (first->used > second->used);
}

/* The entries of a folder, as many as there is memory for. */
static Kept *list_entries(DIR *names, size_t *count) {
    Kept *kept = NULL;
    size_t room = 0;
    struct stat about;
    *count = 0;
    for (struct dirent *entry; (entry = readdir(names)) != NULL;) {
        const char *name = entry->d_name;
        if (!is_entry(name) || fstatat(dirfd(names), name, &about, AT_SYMLINK_NOFOLLOW)) continue;
        if (*count == room) {
            Kept *larger = realloc(kept, (room = 2 * room + 64) * sizeof *kept);
            if (larger == NULL) break;
            kept = larger;
        }
        Kept *next = &kept[(*count)++];
        *next = (Kept){.size = (uint64_t)about.st_size, .used = about.st_mtime};
        memcpy(next->name, name, strlen(name) + 1);
    }
    return kept;
}

void cache_prune(int folder, uint64_t most_bytes, int64_t most_seconds) {
    size_t count;
    uint64_t bytes = 0;
    int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *names = again < 0 ? NULL : fdopendir(again);
    if (names == NULL) {
        if (again >= 0) close(again);
        return;
    }
    Kept *kept = list_entries(names, &count);
    if (kept) qsort(kept, count, sizeof *kept, by_use);
    for (size_t i = 0; i < count; i++) {
        bytes += kept[i].size;
        if (bytes > most_bytes || time(NULL) - kept[i].used > most_seconds)
            unlinkat(folder, kept[i].name, 0);
    }
    free(kept);
    closedir(names);
}
