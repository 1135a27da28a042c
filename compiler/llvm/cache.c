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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/base/hash.h"
#include "runtime/file/file.h"
#include "runtime/file/folder.h"

typedef struct Header {
    char magic[8];
    uint32_t version, names;
    uint64_t object, key, hash;
} Header;

static const char magic[8] = "WORLDOBJ";
enum {
    VERSION = 1,
    PRUNE_EVERY = 16,                   /* entries written, about */
    LONGEST_UNUSED = 30 * 24 * 60 * 60, /* seconds */
    MOST_KEPT = 256 << 20               /* bytes */
};
static const uint64_t most_bytes = 64 << 20;

static uint64_t content_hash(Str names, Str object) {
    return hash_bytes(object.ptr, object.len, hash_bytes(names.ptr, names.len, 0));
}

static bool is_good(const Header *header, uint64_t key, uint64_t file_size) {
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->version == VERSION &&
           header->key == key && header->object <= most_bytes && header->names <= most_bytes &&
           file_size == sizeof *header + header->names + header->object;
}

/* -- entries -- */

static void entry_name(uint64_t key, char name[CACHE_NAME]) {
    snprintf(name, CACHE_NAME, "%016" PRIx64 ".obj", key);
}

/* What stands behind the header, when the header and the hash agree with it. */
static bool split_entry(Str bytes, uint64_t key, CacheEntry *entry) {
    Header header;
    if (bytes.len < sizeof header) return false;
    memcpy(&header, bytes.ptr, sizeof header);
    if (!is_good(&header, key, bytes.len)) return false;
    entry->names = (Str){bytes.ptr + sizeof header, header.names};
    entry->object = (Str){entry->names.ptr + header.names, header.object};
    return content_hash(entry->names, entry->object) == header.hash;
}

/* The time that is kept is that of the last use; a day's difference is none. */
static void note_use(int file, const struct stat *about) {
    if (time(NULL) - about->st_mtime > 24 * 60 * 60) futimens(file, NULL);
}

static bool read_entry(int folder, uint64_t key, Arena *arena, CacheEntry *entry) {
    char name[CACHE_NAME];
    struct stat about;
    Str bytes;
    entry_name(key, name);
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) return false;
    bool good = fstat(file, &about) == 0 && S_ISREG(about.st_mode) && folder_is_ours(&about) &&
                file_read_open(arena, file, most_bytes, &bytes) && split_entry(bytes, key, entry);
    if (good) note_use(file, &about);
    close(file);
    return good;
}

bool cache_read(const char *dir, uint64_t key, Arena *arena, CacheEntry *entry) {
    const char *reason;
    int folder = folder_open_ours(dir, false, &reason);
    if (folder < 0) return false;
    Recover recover;
    if (!MEMORY_TRY(&recover)) {
        close(folder);
        memory_fail();
    }
    bool good = read_entry(folder, key, arena, entry);
    memory_end_try(&recover);
    close(folder);
    return good;
}

static void write_entry(int folder, uint64_t key, CacheEntry entry) {
    char name[CACHE_NAME];
    WholeFile file;
    Header header = {.version = VERSION,
                     .names = (uint32_t)entry.names.len,
                     .object = entry.object.len,
                     .key = key,
                     .hash = content_hash(entry.names, entry.object)};
    memcpy(header.magic, magic, sizeof magic);
    entry_name(key, name);
    if (!file_open_spare(&file, folder, name)) return;
    file_add(&file, &header, sizeof header);
    file_add(&file, entry.names.ptr, entry.names.len);
    file_add(&file, entry.object.ptr, entry.object.len);
    file_commit(&file);
}

void cache_write(const char *dir, uint64_t key, CacheEntry entry) {
    const char *reason;
    int folder = folder_open_ours(dir, true, &reason);
    if (folder < 0) return;
    write_entry(folder, key, entry);
    if (key % PRUNE_EVERY == 0) cache_prune(folder, MOST_KEPT, LONGEST_UNUSED);
    close(folder);
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
