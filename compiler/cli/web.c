/* web: a page that stands alone. The page's own files (a build with -Dweb=enabled makes them: web/README.md) are copied, and beside them
 * the world's, in a folder `world`, and world.json, which tells the page what to open:
 *
 *     {"main": "island.world", "files": ["island.world", "parts/houses.world"], "seed": 7, "sets": [["altitude", "150 m"]], "code": true}
 *
 * With `code` the world's functions lie beside it as machine code, code.wasm (world_code); a worldc without LLVM makes none.
 */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler/cli/cli.h"
#include "compiler/cli/installed.h"

enum { PATH_ROOM = 4096 };

typedef struct Page {
    Cli *cli;
    char from[PATH_ROOM + 8]; /* where the page's own files lie */
    const char *to;
    bool code;      /* with machine code beside the world */
    uint64_t bytes; /* that were written */
} Page;

static int refuse(const Page *page, const char *path, int problem) {
    session_clear_progress(page->cli);
    fprintf(stderr, "worldc: cannot write '%s': %s\n", path, strerror(problem));
    return EXIT_USAGE;
}

/* -- the page's own files -- */

static bool has_page(const char *folder) {
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/world.wasm", folder);
    return access(path, R_OK) == 0;
}

/* --page, or what came with the program. */
static int find_page(Page *page) {
    char share[INSTALLED_ROOM];
    if (page->cli->has[OPTION_PAGE]) {
        snprintf(page->from, sizeof page->from, "%s", page->cli->value[OPTION_PAGE]);
        if (has_page(page->from)) return EXIT_FINE;
        return usage_error(page->cli, "there is no world.wasm in the folder '%s' of --page", page->from);
    }
    bool found = installed_folder("page/world.wasm", share);
    snprintf(page->from, sizeof page->from, "%s/page", share);
    if (found) return EXIT_FINE;
    fprintf(stderr,
            "worldc: this worldc was built without the engine of pages\n"
            "  help: build it with -Dweb=enabled, which wants emscripten and npm (web/README.md), or name a folder that has it: --page DIR\n");
    return EXIT_USAGE;
}

/* -- writing -- */

static int write_file(Page *page, const char *to, const void *bytes, size_t length, int problem) {
    WholeFile file;
    file_open(&file, to);
    file_add(&file, bytes, length);
    if (problem) file_fail(&file, problem);
    if (!file_commit(&file)) return refuse(page, to, file.problem);
    page->bytes += length;
    return EXIT_FINE;
}

static int copy_file(Page *page, const char *from, const char *to) {
    size_t length;
    char *bytes = input_read(from, &length);
    if (bytes == NULL) {
        session_clear_progress(page->cli);
        fprintf(stderr, "worldc: cannot read '%s': %s\n", from, strerror(errno));
        return EXIT_USAGE;
    }
    int code = write_file(page, to, bytes, length, 0);
    free(bytes);
    return code;
}

static int make_folder(const Page *page, const char *path) {
    struct stat there;
    if (mkdir(path, 0777) == 0) return EXIT_FINE;
    if (errno != EEXIST) return refuse(page, path, errno);
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode) ? EXIT_FINE : refuse(page, path, ENOTDIR);
}

/* Those that lie in no folder of their own; hidden ones are nobody's. */
static int copy_page(Page *page) {
    DIR *folder = opendir(page->from);
    int code = EXIT_FINE;
    for (struct dirent *entry; folder && code == EXIT_FINE && (entry = readdir(folder));) {
        char from[2 * PATH_ROOM], to[2 * PATH_ROOM];
        struct stat there;
        snprintf(from, sizeof from, "%s/%s", page->from, entry->d_name);
        snprintf(to, sizeof to, "%s/%s", page->to, entry->d_name);
        if (entry->d_name[0] != '.' && stat(from, &there) == 0 && S_ISREG(there.st_mode)) code = copy_file(page, from, to);
    }
    if (folder) closedir(folder);
    return code;
}

/* The folders that a file's path names, one in another. */
static int make_folders(const Page *page, char *path, size_t from) {
    int code = EXIT_FINE;
    for (char *slash = strchr(path + from, '/'); slash && code == EXIT_FINE; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        code = make_folder(page, path);
        *slash = '/';
    }
    return code;
}

static int copy_world(Page *page, const WorldTable *files) {
    char from[2 * PATH_ROOM], to[2 * PATH_ROOM];
    const char *world = page->cli->words[0], *slash = strrchr(world, '/');
    int folder = slash ? (int)(slash + 1 - world) : 0, code = EXIT_FINE;
    int path = world_table_find(files, "path"), bytes = world_table_find(files, "bytes");
    for (size_t row = 0; row < world_table_rows(files) && code == EXIT_FINE; row++) {
        if (world_table_is_empty(files, row, bytes)) continue;
        snprintf(from, sizeof from, "%.*s%s", folder, world, world_table_text(files, row, path));
        int stem = snprintf(to, sizeof to, "%s/", page->to);
        snprintf(to + stem, sizeof to - (size_t)stem, "world/%s", world_table_text(files, row, path));
        code = make_folders(page, to, (size_t)stem);
        if (code == EXIT_FINE) code = copy_file(page, from, to);
    }
    return code;
}

static void put_set(FILE *out, const char *set, bool first) {
    char path[PATH_ROOM];
    const char *equals = options_find_equals(set), *end = equals, *value = equals + 1;
    while (end > set && end[-1] == ' ')
        end--;
    while (*value == ' ')
        value++;
    snprintf(path, sizeof path, "%.*s", (int)(end - set), set);
    fputs(first ? "[" : ", [", out);
    output_json_text(out, path);
    fputs(", ", out);
    output_json_text(out, value);
    fputc(']', out);
}

static void put_description(const Page *page, const WorldTable *files, FILE *out) {
    int path = world_table_find(files, "path"), bytes = world_table_find(files, "bytes");
    fputs("{\"main\": ", out);
    output_json_text(out, world_table_text(files, 0, path));
    for (size_t row = 0; row < world_table_rows(files); row++) {
        if (world_table_is_empty(files, row, bytes)) continue;
        fputs(row ? ", " : ", \"files\": [", out);
        output_json_text(out, world_table_text(files, row, path));
    }
    fputc(']', out);
    if (page->cli->has[OPTION_SEED]) fprintf(out, ", \"seed\": %s", page->cli->value[OPTION_SEED]);
    fputs(", \"sets\": [", out);
    for (int i = 0; i < page->cli->set_count; i++)
        put_set(out, page->cli->sets[i], i == 0);
    fprintf(out, "], \"code\": %s}\n", page->code ? "true" : "false");
}

/* What the engine has no machine code for it interprets: all, where none is made. */
static int write_code(Page *page) {
    char to[2 * PATH_ROOM];
    const void *module;
    size_t size;
    WorldStatus status = world_code(page->cli->world, &module, &size);
    if (status == WORLD_ERROR_NOT_FOUND) return EXIT_FINE;
    int code = session_report(page->cli, status);
    snprintf(to, sizeof to, "%s/code.wasm", page->to);
    page->code = code == EXIT_FINE;
    return page->code ? write_file(page, to, module, size, 0) : code;
}

static int write_description(Page *page, const WorldTable *files) {
    char to[2 * PATH_ROOM], *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out) put_description(page, files, out);
    bool good = out && fclose(out) == 0;
    snprintf(to, sizeof to, "%s/world.json", page->to);
    int code = write_file(page, to, text, length, good ? 0 : ENOMEM);
    free(text);
    return code;
}

static int write_page(Page *page, const WorldTable *files) {
    int code = make_folder(page, page->to);
    if (code == EXIT_FINE) code = copy_page(page);
    if (code == EXIT_FINE) code = copy_world(page, files);
    if (code == EXIT_FINE) code = write_code(page);
    if (code == EXIT_FINE) code = write_description(page, files);
    return code;
}

int command_web(Cli *cli) {
    Page page = {.cli = cli, .to = cli->value[OPTION_OUTPUT]};
    WorldTable *files;
    if (cli->word_count == 0) return usage_error(cli, "which file?");
    if (strcmp(cli->words[0], "-") == 0) return usage_error(cli, "a page takes a world with the files that lie beside it, not a text alone");
    if (page.to == NULL) return usage_error(cli, "-o says which folder the page goes to");
    int code = find_page(&page);
    if (code == EXIT_FINE) code = session_open(cli, false);
    if (code != EXIT_FINE) return code;
    code = session_report(cli, world_files(cli->world, &files));
    if (code != EXIT_FINE) return code;
    code = write_page(&page, files);
    world_table_destroy(files);
    if (code == EXIT_FINE && !cli->has[OPTION_QUIET])
        fprintf(stderr, "%s: %.1f MB; any server of files shows it: python3 -m http.server -d %s\n", page.to, (double)page.bytes / 1e6, page.to);
    return code;
}
