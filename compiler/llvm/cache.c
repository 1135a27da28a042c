/* File layout, little-endian as the host is:
 *
 *     magic[8] version:u32 names:u32 object:u64 key:u64 hash:u64 | names bytes | object bytes
 *
 * `hash` is of the two byte runs. The build id is the linker's hash of this library, found in its
 * own notes.
 */
#include "compiler/llvm/cache.h"

#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/hash.h"

typedef struct Header {
    char magic[8];
    uint32_t version, names;
    uint64_t object, key, hash;
} Header;

static const char magic[8] = "WORLDOBJ";
enum { VERSION = 1 };
static const uint64_t most_bytes = 64 << 20;

static uint64_t content_hash(Str names, Str object) {
    return hash_bytes(object.ptr, object.len, hash_bytes(names.ptr, names.len, 0));
}

static const char *entry_path(const char *dir, uint64_t key, Arena *arena) {
    return str_printf(arena, "%s/%016" PRIx64 ".obj", dir, key).ptr;
}

static bool is_good(const Header *header, uint64_t key, uint64_t file_size) {
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->version == VERSION &&
           header->key == key && header->object <= most_bytes && header->names <= most_bytes &&
           file_size == sizeof *header + header->names + header->object;
}

static bool read_entry(FILE *file, uint64_t key, Arena *arena, CacheEntry *entry) {
    Header header;
    struct stat status;
    if (fread(&header, sizeof header, 1, file) != 1 || fstat(fileno(file), &status)) return false;
    if (!is_good(&header, key, (uint64_t)status.st_size)) return false;
    char *bytes = arena_alloc(arena, header.names + header.object + 1);
    if (fread(bytes, 1, header.names + header.object, file) != header.names + header.object)
        return false;
    entry->names = (Str){bytes, header.names};
    entry->object = (Str){bytes + header.names, header.object};
    return content_hash(entry->names, entry->object) == header.hash;
}

bool cache_read(const char *dir, uint64_t key, Arena *arena, CacheEntry *entry) {
    FILE *file = fopen(entry_path(dir, key, arena), "rbe");
    if (!file) return false;
    bool good = read_entry(file, key, arena, entry);
    fclose(file);
    return good;
}

static bool write_all(int fd, const void *bytes, size_t count) {
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = write(fd, at, count);
        if (done <= 0) return false;
        at += done;
        count -= (size_t)done;
    }
    return true;
}

static bool write_entry(int fd, uint64_t key, CacheEntry entry) {
    Header header = {.version = VERSION,
                     .names = (uint32_t)entry.names.len,
                     .object = entry.object.len,
                     .key = key,
                     .hash = content_hash(entry.names, entry.object)};
    memcpy(header.magic, magic, sizeof magic);
    return write_all(fd, &header, sizeof header) &&
           write_all(fd, entry.names.ptr, entry.names.len) &&
           write_all(fd, entry.object.ptr, entry.object.len);
}

/* The folder and those it lies in; what is there already stays. */
static void make_folders(const char *dir, Arena *arena) {
    char *path = arena_strndup(arena, dir, strlen(dir));
    for (char *at = path + 1; *at; at++) {
        if (*at != '/') continue;
        *at = '\0';
        mkdir(path, 0700);
        *at = '/';
    }
    mkdir(path, 0700);
}

void cache_write(const char *dir, uint64_t key, Arena *arena, CacheEntry entry) {
    make_folders(dir, arena);
    char *temporary = (char *)(uintptr_t)str_printf(arena, "%s/XXXXXX", dir).ptr;
    int fd = mkstemp(temporary);
    if (fd < 0) return;
    bool written = write_entry(fd, key, entry);
    if (close(fd) != 0 || !written || rename(temporary, entry_path(dir, key, arena)) != 0)
        unlink(temporary);
}

/* -- the build id -- */

typedef struct NoteSearch {
    uintptr_t inside; /* an address of this library */
    uint64_t hash;
} NoteSearch;

static bool holds(const struct dl_phdr_info *info, uintptr_t address) {
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        bool inside = address >= begin && address - begin < info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && inside) return true;
    }
    return false;
}

static int find_notes(struct dl_phdr_info *info, size_t size, void *user) {
    NoteSearch *search = user;
    (void)size;
    if (!holds(info, search->inside)) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type != PT_NOTE) continue;
        const char *notes = (const char *)0 + info->dlpi_addr + header->p_vaddr;
        search->hash = hash_bytes(notes, header->p_memsz, search->hash);
    }
    return 1;
}

uint64_t cache_build_id(void) {
    NoteSearch search = {.inside = (uintptr_t)&cache_build_id};
    dl_iterate_phdr(find_notes, &search);
    return search.hash;
}
