#include "runtime/base/pages.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE_PAGE = 2 << 20 };
static const size_t kept_most = (size_t)256 << 20;

typedef struct Region {
    size_t size;
    struct Region *next; /* of those that are kept, by address */
    _Alignas(64) char data[];
} Region;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Region *kept;
static size_t kept_size;

static char *end_of(Region *region) {
    return (char *)region + region->size;
}

static Region *region_at(void *at, size_t size) {
    Region *region = at;
    region->size = size;
    return region;
}

static size_t rounded(size_t size, size_t to) {
    return (size + to - 1) / to * to;
}

/* -- the system's -- */

static char *map_anywhere(size_t size) {
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static size_t off_large(const char *at) {
    return (uintptr_t)at % LARGE_PAGE;
}

/* A large page more than wanted, of which what is off is given back. */
static char *map_aligned(size_t size) {
    char *at = map_anywhere(size + LARGE_PAGE);
    if (!at) return NULL;
    size_t lead = LARGE_PAGE - off_large(at);
    munmap(at, lead);
    if (lead < LARGE_PAGE) munmap(at + lead + size, LARGE_PAGE - lead);
    return at + lead;
}

/* From a large page on; most systems lay a multiple of them so, one beside the other. */
static char *map(size_t size) {
    char *at = map_anywhere(size);
    if (at && off_large(at)) {
        munmap(at, size);
        at = map_aligned(size);
    }
    if (at) madvise(at, size, MADV_HUGEPAGE);
    return at;
}

static void unmap(Region *region) {
    munmap(region, region->size);
}

/* -- what is kept -- */

static void unlink_kept(Region **link) {
    kept_size -= (*link)->size;
    *link = (*link)->next;
}

static void drop_kept(void) {
    while (kept) {
        Region *region = kept;
        unlink_kept(&kept);
        unmap(region);
    }
}

static void join_next(Region *region) {
    if (!region->next || end_of(region) != (char *)region->next) return;
    region->size += region->next->size;
    region->next = region->next->next;
}

/* The newest are kept, and when they get too many no others. */
static void keep(Region *region) {
    Region **link = &kept, *before = NULL;
    if (region->size > kept_most) {
        unmap(region);
        return;
    }
    if (region->size > kept_most - kept_size) drop_kept();
    for (; *link && *link < region; link = &(*link)->next)
        before = *link;
    region->next = *link;
    *link = region;
    kept_size += region->size;
    join_next(region);
    if (before) join_next(before);
}

/* What is over goes to those that are kept. */
static void cut(Region *region, size_t size) {
    size_t over = region->size - size;
    if (over == 0) return;
    region->size = size;
    keep(region_at(end_of(region), over));
}

static Region *take_kept(size_t size) {
    Region **best = NULL;
    for (Region **link = &kept; *link; link = &(*link)->next)
        if ((*link)->size >= size && (!best || (*link)->size < (*best)->size)) best = link;
    if (!best) return NULL;
    Region *region = *best;
    unlink_kept(best);
    cut(region, size);
    return region;
}

/* -- regions -- */

static Region *take_fresh(size_t size) {
    size_t whole = rounded(size, LARGE_PAGE);
    void *at = map(whole);
    if (!at) {
        drop_kept();
        at = map(whole);
    }
    if (!at) return NULL;
    Region *region = region_at(at, whole);
    cut(region, size);
    return region;
}

/* Into what is kept right behind it. */
static bool grow_in_place(Region *region, size_t size) {
    Region **link = &kept;
    while (*link && (char *)*link != end_of(region))
        link = &(*link)->next;
    if (!*link || (*link)->size < size - region->size) return false;
    region->size += (*link)->size;
    unlink_kept(link);
    cut(region, size);
    return true;
}

static bool fit(Region *region, size_t size) {
    pthread_mutex_lock(&lock);
    bool fits = size <= region->size || grow_in_place(region, size);
    if (fits) cut(region, size);
    pthread_mutex_unlock(&lock);
    return fits;
}

static Region *take(size_t size) {
    pthread_mutex_lock(&lock);
    Region *region = take_kept(size);
    if (!region) region = take_fresh(size);
    pthread_mutex_unlock(&lock);
    return region;
}

static void give(Region *region) {
    pthread_mutex_lock(&lock);
    keep(region);
    pthread_mutex_unlock(&lock);
}

static Region *resize(Region *region, size_t size) {
    if (fit(region, size)) return region;
    Region *moved = take(size);
    if (!moved) return NULL;
    memcpy(moved->data, region->data, region->size - sizeof *region);
    give(region);
    return moved;
}

void *pages_resize(void *ptr, size_t new_size) {
    Region *region = ptr ? (Region *)(void *)((char *)ptr - offsetof(Region, data)) : NULL;
    if (new_size > SIZE_MAX / 2) return NULL;
    size_t size = rounded(new_size + sizeof(Region), (size_t)sysconf(_SC_PAGESIZE));
    if (new_size == 0) give(region);
    region = new_size == 0 ? NULL : region ? resize(region, size) : take(size);
    return region ? region->data : NULL;
}

void pages_let_go(void) {
    pthread_mutex_lock(&lock);
    drop_kept();
    pthread_mutex_unlock(&lock);
}
